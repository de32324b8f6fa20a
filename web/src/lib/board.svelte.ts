/**
 * The board: cards and positions as they are now. It starts as a situation and changes by patches alone.
 * Each model and unit is an object of its own with reactive fields, so that a patch redraws one token.
 */

import type { Base, Clock, Json, Mark, MarkList, Marks, ModelCard, Patch, Point, Side, Situation, TerrainPiece, UnitCard, WeaponCard } from "./wire";

const ON_TABLE = "table";

function readMarks(marks: MarkList | undefined): Marks {
  if (!Array.isArray(marks)) return { ...marks };
  return Object.assign({}, ...marks.map((mark) => (typeof mark === "string" ? { [mark]: 1 } : mark))) as Marks;
}

function withMark(marks: Marks, name: string, value: Json): Marks {
  const rest = Object.fromEntries(Object.entries(marks).filter(([key]) => key !== name));
  return value === null ? rest : { ...rest, [name]: value as Mark };
}

export class ModelView {
  readonly id: string;
  readonly name: string;
  readonly base: Base;
  readonly rules: string[];
  readonly weapons: (string | WeaponCard)[];
  unit = $state("");
  at = $state.raw<Point | null>(null);
  z = $state(0);
  facing = $state(0);
  wounds = $state(0);
  removed = $state(false);
  marks = $state.raw<Marks>({});

  constructor(card: ModelCard, unit: string) {
    this.id = card.id;
    this.name = card.name ?? "";
    this.base = card.base;
    this.rules = card.rules ?? [];
    this.weapons = card.weapons ?? [];
    this.unit = unit;
    this.at = card.at ?? null;
    this.z = card.z ?? 0;
    this.facing = card.facing ?? 0;
    this.wounds = card.wounds ?? 0;
    this.removed = card.removed ?? false;
    this.marks = readMarks(card.marks);
  }
}

export class UnitView {
  readonly id: string;
  readonly side: Side;
  readonly name: string;
  /** Side and number, as its tokens wear it: A3. */
  readonly tag: string;
  readonly card: UnitCard;
  where = $state("waiting");
  activated = $state(false);
  marks = $state.raw<Marks>({});
  members = $state.raw<ModelView[]>([]);

  constructor(card: UnitCard, number: number) {
    const { activated, ...marks } = readMarks(card.marks);
    this.id = card.id;
    this.side = card.side;
    this.name = card.name || card.id;
    this.tag = `${card.side}${number}`;
    this.card = card;
    this.members = card.models.map((model) => new ModelView(model, card.id));
    this.where = card.where ?? ON_TABLE;
    this.activated = Boolean(activated);
    this.marks = marks;
  }

  /** Models it started with; a mark of that name tells of others that have joined since. */
  get startSize(): number {
    const joined = this.marks["start_size"];
    return typeof joined === "number" ? joined : this.card.start_size || this.card.models.length;
  }

  get living(): ModelView[] {
    return this.members.filter((model) => !model.removed);
  }

  get onTable(): ModelView[] {
    return this.members.filter((model) => !model.removed && model.at !== null);
  }
}

export class Board {
  readonly edition: string;
  readonly size: Point;
  readonly terrain: TerrainPiece[];
  readonly units = new Map<string, UnitView>();
  readonly models = new Map<string, ModelView>();
  clock = $state.raw<Clock>({ phase: "", round: 0, active: "A", first: "A", marks: {} });
  sides = $state.raw<Record<Side, Marks>>({ A: {}, B: {} });

  constructor(situation: Situation) {
    this.edition = situation.edition;
    this.size = situation.table.size;
    this.terrain = situation.table.terrain ?? [];
    const count = { A: 0, B: 0 };
    for (const card of situation.units) {
      const unit = new UnitView(card, ++count[card.side]);
      this.units.set(unit.id, unit);
      for (const model of unit.members) this.models.set(model.id, model);
    }
    for (const card of situation.units.flatMap((unit) => unit.models)) {
      const model = this.models.get(card.id);
      if (model && card.unit && card.unit !== model.unit) this.#transfer([model], card.unit);
    }
    const { active = "A", round = 0, clock, sides } = situation;
    this.clock = { phase: clock?.phase ?? "", round, active, first: clock?.first ?? active, marks: readMarks(clock?.marks) };
    this.sides = { A: readMarks(sides?.A?.marks), B: readMarks(sides?.B?.marks) };
  }

  unitOf(model: ModelView): UnitView | undefined {
    return this.units.get(model.unit);
  }

  /** The units that are part of another now, such as its leaders. */
  attachedTo(unit: UnitView): UnitView[] {
    const members = new Set(unit.members);
    return [...this.units.values()].filter((other) => other !== unit && other.card.models.some(({ id }) => members.has(this.models.get(id)!)));
  }

  /** How many models a unit and those that joined it started with. */
  startSize(unit: UnitView): number {
    const joined = this.attachedTo(unit).reduce((sum, other) => sum + other.startSize, 0);
    return typeof unit.marks["start_size"] === "number" ? unit.startSize : unit.startSize + joined;
  }

  /** The name of a unit or a model as a player says it. */
  nameOf(id: string): string {
    const model = this.models.get(id);
    if (model) {
      const unit = this.unitOf(model);
      const place = (unit?.members.indexOf(model) ?? -1) + 1;
      return `${model.name || unit?.name || model.unit} ${unit?.tag ?? ""}.${place}`;
    }
    return this.units.get(id)?.name ?? id;
  }

  apply([id, field, value]: Patch): void {
    const model = this.models.get(id);
    if (model) return this.#applyToModel(model, field, value);
    const unit = this.units.get(id);
    if (unit) return this.#applyToUnit(unit, field, value);
    if (id === "clock") this.clock = { ...this.clock, ...this.#clockPart(field, value) };
    if ((id === "A" || id === "B") && field.startsWith("mark:")) {
      this.sides = { ...this.sides, [id]: withMark(this.sides[id], field.slice(5), value) };
    }
  }

  #clockPart(field: string, value: Json): Partial<Clock> {
    if (field === "marks") return { marks: readMarks(value as MarkList) };
    return field.startsWith("mark:") ? { marks: withMark(this.clock.marks, field.slice(5), value) } : { [field]: value };
  }

  #applyToModel(model: ModelView, field: string, value: Json): void {
    if (field === "at") model.at = value as Point | null;
    else if (field === "z") model.z = value as number;
    else if (field === "facing") model.facing = value as number;
    else if (field === "wounds") model.wounds = value as number;
    else if (field === "removed") this.#remove(model, Boolean(value));
    else if (field === "unit") this.#transfer([model], value as string);
    else if (field.startsWith("mark:")) model.marks = withMark(model.marks, field.slice(5), value);
  }

  #remove(model: ModelView, removed: boolean): void {
    model.removed = removed;
    if (removed) model.at = null;
    const unit = this.unitOf(model);
    if (removed && unit && unit.living.length === 0) unit.where = "destroyed";
  }

  #applyToUnit(unit: UnitView, field: string, value: Json): void {
    if (field === "where") {
      unit.where = value as string;
      if (value !== ON_TABLE) for (const model of unit.members) model.at = null;
    } else if (field === "activated") unit.activated = Boolean(value);
    else if (field === "joined") {
      this.#transfer(unit.living, value as string);
      unit.where = "merged";
    } else if (field.startsWith("mark:")) unit.marks = withMark(unit.marks, field.slice(5), value);
  }

  #transfer(models: ModelView[], into: string): void {
    const host = this.units.get(into);
    if (!host) return;
    for (const model of models) {
      const old = this.unitOf(model);
      if (old) old.members = old.members.filter((other) => other !== model);
      model.unit = into;
    }
    host.members = [...host.members, ...models];
    if (host.where === "merged" && models.some((model) => model.at)) host.where = ON_TABLE;
  }
}
