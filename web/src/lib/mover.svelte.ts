/**
 * The hand that moves models: holds the plan for an open `move` or `place` request and has it judged as it changes.
 * One judgement is under way at a time; the newest plan is judged next, so that dragging never floods the server.
 */

import type { Board } from "./board.svelte";
import { add, along, baseReach, centroid, hasFacing, roundPoint, sub } from "./geometry";
import * as plans from "./plan";
import type { Plan, Stand } from "./plan";
import { settings } from "./settings.svelte";
import { snap } from "./snap";
import type { DecisionRequest, Facts, Json, Judged, Looked, Point, Refusal } from "./wire";

export type Ask = (value: Json) => Promise<Judged>;
export type Look = (value: Json) => Promise<Looked | null>;
export type Reach = () => Promise<Point[]>;
export type Scope = "unit" | "model";
export type Formation = "line" | "block" | "wedge";

export class Mover {
  readonly request: DecisionRequest;
  readonly placing: boolean;
  readonly ids: ReadonlySet<string>;
  /** The suggestion laid on the table, if it could be read. */
  suggestion: Plan | null = $state.raw(null);
  plan: Plan = $state.raw(new Map());
  scope: Scope = $state("unit");
  /** The model picked for turning, nudging or moving by itself. */
  picked: string | null = $state(null);
  refusal: Refusal | null = $state.raw(null);
  facts: Facts = $state.raw({});
  judging = $state(false);
  legal = $state(false);
  /** Why the unit may not stay where it is, or null if it may. */
  stayRefusal: Refusal | null = $state.raw(null);
  /** What the plan would lead to: whom the unit could attack, who would see it. */
  ahead: Looked | null = $state.raw(null);
  /** How far the unit can go as one, all round its middle. */
  outline: Point[] = $state.raw([]);
  readonly #board: Board;
  readonly #ask: Ask;
  readonly #look: Look;
  /** Where the plan begins: as the models stand, or as suggested for those that come onto the table. */
  readonly #first: Plan;
  readonly #arriving: boolean;
  #stale = false;
  #looking = false;
  #closed = false;

  constructor(request: DecisionRequest, board: Board, ask: Ask, look: Look = async () => null, reach: Reach = async () => []) {
    this.request = request;
    this.#look = look;
    this.placing = request.kind === "place";
    this.#board = board;
    this.#ask = ask;
    const placed = this.placing ? plans.readPlace(request.default) : null;
    const stands = placed ?? this.#standsOf(request.about);
    this.ids = new Set(stands.keys());
    const standing = plans.standing(stands);
    this.suggestion = this.placing ? standing : plans.readMove(stands, request.default);
    this.#arriving = !this.placing && [...this.ids].some((id) => !board.models.get(id)?.at);
    this.#first = (this.#arriving && this.suggestion) || standing;
    this.plan = this.#first;
    if (!this.placing) void this.#askStay();
    if (this.placing || !this.unmoved) void this.#judge();
    if (!this.placing) void this.#measure(reach);
  }

  async #measure(reach: Reach): Promise<void> {
    const outline = await reach();
    if (!this.#closed) this.outline = outline;
  }

  /** Where the models that move stand now; one that is not on the table yet starts where the suggestion starts it. */
  #standsOf(about: string | null): Map<string, Stand> {
    const { models: listed, default: suggestion } = this.request;
    const models = listed
      ? listed.flatMap((id) => this.#board.models.get(id) ?? [])
      : (this.#board.units.get(about ?? "")?.onTable ?? []);
    return new Map(
      models.flatMap(({ id, at, facing }) => {
        const from = at ?? plans.firstPoint(suggestion, id);
        return from ? [[id, { at: from, facing }] as const] : [];
      }),
    );
  }

  /** What the plan says as an answer to the request. */
  get answer(): Json {
    return this.#answerOf(this.plan);
  }

  #answerOf(plan: Plan): Json {
    if (!this.placing) return plans.moveAnswer(plan, this.#arriving);
    const shows = (id: string): boolean => {
      const model = this.#board.models.get(id);
      return model !== undefined && hasFacing(model.base);
    };
    return plans.placeAnswer(plan, shows);
  }

  get unmoved(): boolean {
    return plans.unmoved(this.plan);
  }

  get longest(): number {
    return plans.longest(this.plan);
  }

  /** Which models a drag of this one takes along. */
  group(id: string): string[] {
    return this.scope === "unit" ? [...this.ids] : [id];
  }

  /** Show a plan; it is judged as soon as the last judgement is in. */
  show(plan: Plan): void {
    this.plan = plan;
    void this.#judge();
  }

  /** From a plan at the start of a drag: the same moved on by a vector. */
  drag(from: Plan, ids: readonly string[], by: Point): void {
    const only = ids.length === 1 ? from.get(ids[0]!) : undefined;
    if (only && this.request.axial) this.show(plans.driven(from, ids[0]!, add(only.end.at, by)));
    else this.show((this.placing ? plans.carried : plans.moved)(from, ids, by));
  }

  /** Draw what is dragged to what it nearly touches, if it may stand there. */
  async settle(held: string, ids: readonly string[]): Promise<void> {
    const leg = this.plan.get(held);
    const model = this.#board.models.get(held);
    if (!leg || !model || this.request.axial) return;
    const by = snap(leg.end.at, model, this.#board, this.ids);
    if (!by[0] && !by[1]) return;
    const [before, drawn] = [this.plan, plans.carried(this.plan, ids, by)];
    const verdict = await this.#ask(this.#answerOf(drawn));
    if (verdict.legal && this.plan === before && !this.#closed) this.show(drawn);
  }

  /** Bring the formation to a point of the table. */
  callTo(to: Point): void {
    const middle = centroid([...this.plan.values()].map((leg) => leg.end.at));
    this.show(plans.carried(this.plan, [...this.ids], roundPoint(sub(to, middle))));
  }

  /** Stand further apart or closer together. */
  spread(factor: number): void {
    const ends = [...this.plan].map(([id, leg]) => [id, leg.end.at] as const);
    const middle = centroid(ends.map(([, at]) => at));
    this.show(plans.arranged(this.plan, new Map(ends.map(([id, at]) => [id, add(middle, [(at[0] - middle[0]) * factor, (at[1] - middle[1]) * factor])]))));
  }

  /** Form up where the unit stands in the plan. */
  form(formation: Formation): void {
    const ids = [...this.ids];
    const middle = centroid(ids.map((id) => this.plan.get(id)!.end.at));
    const gap = Math.max(...ids.map((id) => 2 * baseReach(this.#board.models.get(id)!.base))) + 0.12;
    const spots = plans.spots(formation, ids.length, gap);
    this.show(plans.arranged(this.plan, new Map(ids.map((id, k) => [id, add(middle, spots[k]!)]))));
  }

  #hand(): string[] {
    return this.scope === "model" && this.picked ? [this.picked] : [...this.ids];
  }

  /** Move by a little; what goes straight along its facing goes ahead or back, or turns left or right. */
  nudge(by: Point): void {
    if (this.request.axial) return this.#steer(by);
    this.show((this.placing ? plans.carried : plans.moved)(this.plan, this.#hand(), by));
  }

  #steer([right, ahead]: Point): void {
    if (right) return this.turn(right > 0 ? -5 : 5);
    const [id] = this.#hand();
    const end = id === undefined ? undefined : this.plan.get(id)?.end;
    if (id === undefined || !end) return;
    this.show(plans.moved(this.plan, [id], sub(along(end.at, end.facing, ahead), end.at)));
  }

  turn(by: number): void {
    this.show(plans.turned(this.plan, this.#hand(), by));
  }

  bend(ids: readonly string[] = this.#hand()): void {
    this.plan = plans.bent(this.plan, ids);
  }

  reset(): void {
    this.show(this.#first);
  }

  /** A better suggestion than the rules' default is in. */
  propose(value: Json): void {
    if (this.#closed || this.placing || this.#arriving) return;
    const stands = new Map([...this.#first].map(([id, leg]) => [id, leg.end] as const));
    this.suggestion = plans.readMove(stands, value) ?? this.suggestion;
  }

  /** Lay the suggestion on the table; nothing is decided by it. */
  suggest(): void {
    if (this.suggestion) this.show(this.suggestion);
  }

  close(): void {
    this.#closed = true;
  }

  async #askStay(): Promise<void> {
    const verdict = await this.#ask("stay");
    if (!this.#closed) this.stayRefusal = verdict.legal ? null : verdict.refusal;
  }

  async #judge(): Promise<void> {
    if (this.judging) {
      this.#stale = true;
      return;
    }
    this.judging = true;
    do {
      this.#stale = false;
      const verdict = await this.#ask(this.answer);
      if (this.#closed) return;
      if (this.#stale) continue;
      this.legal = verdict.legal;
      this.refusal = verdict.refusal;
      this.facts = verdict.facts;
    } while (this.#stale);
    this.judging = false;
    void this.#lookAhead();
  }

  /** One look at a time, at the newest plan; a refused one leads nowhere. */
  async #lookAhead(): Promise<void> {
    if (this.placing || !settings.previews) return;
    if (!this.legal || this.unmoved) {
      this.ahead = null;
      return;
    }
    if (this.#looking) return;
    this.#looking = true;
    const plan = this.plan;
    const found = await this.#look(this.answer);
    this.#looking = false;
    if (this.#closed) return;
    this.ahead = this.legal ? found : null;
    if (plan !== this.plan && !this.judging) void this.#lookAhead();
  }
}
