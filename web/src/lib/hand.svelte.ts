/**
 * The pointer on the table: drags models of an open move, measures between bases, pans, zooms and pinches, picks tokens.
 * Pointer moves are gathered and carried out once a frame.
 */

import type { Battle } from "./battle.svelte";
import { baseReach, distance, within, zoom, type View } from "./geometry";
import type { Plan } from "./plan";
import { settings } from "./settings.svelte";
import type { Option, Point } from "./wire";

const CLICK = 4; // pixels a pointer may tremble and still click
const RIM = 1.2; // inches of rim around the table
const DOUBLE = 250; // milliseconds within which two clicks are one double click, whatever the player has set

export type Tool = "measure" | "pan";

/** One end of the tape: a spot, or the edge of a model's base. */
export interface Pin {
  at: Point;
  reach: number;
}

type Gesture =
  | { kind: "drag"; id: string; ids: string[]; from: Plan; start: Point }
  | { kind: "tape"; start: Pin }
  | { kind: "pan"; start: Point; view: View }
  | { kind: "pinch"; view: View; apart: number; about: Point };

export class Hand {
  readonly whole: View;
  view: View = $state.raw({ x: 0, y: 0, width: 1, height: 1 });
  tape: { from: Pin; to: Pin } | null = $state.raw(null);
  /** What a drag on the ground does with a mouse; a finger pans. */
  tool: Tool = $state("measure");
  /** The model being dragged. */
  held: string | null = $state(null);
  readonly #battle: Battle;
  readonly #height: number;
  readonly #turned: () => boolean;
  #gesture: Gesture | null = null;
  #screen: DOMMatrix | null = null;
  #pressed: { x: number; y: number; model: string | null; moved: boolean } | null = null;
  #latest: PointerEvent | null = null;
  #frame = 0;
  #eyedAt = 0;
  readonly #fingers = new Map<number, Point>();

  constructor(battle: Battle, size: Point, turned: () => boolean) {
    this.#battle = battle;
    this.#height = size[1];
    this.#turned = turned;
    this.whole = { x: -RIM, y: -RIM, width: size[0] + 2 * RIM, height: size[1] + 2 * RIM };
    this.view = this.whole;
  }

  #take(svg: SVGSVGElement): void {
    const world = svg.querySelector<SVGGElement>(".world") ?? svg;
    this.#screen = world.getScreenCTM()?.inverse() ?? null;
  }

  /** From the screen to inches on the table, by the matrix taken when the gesture began. */
  #point(event: { clientX: number; clientY: number }): Point {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.#screen ?? new DOMMatrix());
    return [at.x, this.#height - at.y];
  }

  /** Where on the table a point of the screen is. */
  locate(event: { clientX: number; clientY: number }, svg: SVGSVGElement): Point {
    this.#take(svg);
    return this.#point(event);
  }

  /** A pin in the ground, or at the base that covers it. */
  #pin(at: Point): Pin {
    for (const model of this.#battle.board?.models.values() ?? []) {
      const here = this.#battle.mover?.plan.get(model.id)?.end.at ?? model.at;
      if (here && distance(here, at) <= baseReach(model.base)) return { at: here, reach: baseReach(model.base) };
    }
    return { at, reach: 0 };
  }

  down(event: PointerEvent, svg: SVGSVGElement): void {
    this.#fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.#fingers.size === 2) return this.#pinch(svg);
    if (event.button > 2 || this.#gesture) return;
    this.#take(svg);
    const token = (event.target as Element).closest<SVGElement>("[data-model]");
    const id = token?.dataset["model"] ?? null;
    const start = this.#point(event);
    const mover = this.#battle.mover;
    const panning = event.button > 0 || (!id && (event.pointerType === "touch" || this.tool === "pan"));
    this.#pressed = { x: event.clientX, y: event.clientY, model: id, moved: false };
    if (panning) this.#gesture = { kind: "pan", start, view: this.view };
    else if (id && mover?.ids.has(id) && !this.#battle.busy) {
      mover.picked = id;
      if (event.altKey) mover.scope = "model";
      this.#gesture = { kind: "drag", id, ids: mover.group(id), from: mover.plan, start };
    } else this.#gesture = { kind: "tape", start: this.#pin(start) };
    this.tape = null;
    svg.setPointerCapture(event.pointerId);
  }

  #pinch(svg: SVGSVGElement): void {
    const [a, b] = [...this.#fingers.values()] as [Point, Point];
    this.#take(svg);
    this.#pressed = null;
    this.held = null;
    const about = this.#root([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], svg);
    this.#gesture = { kind: "pinch", view: this.view, apart: distance(a, b), about };
  }

  /** A point of the screen in the picture's own units, whichever way the table lies. */
  #root([x, y]: Point, svg: SVGSVGElement): Point {
    const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM()?.inverse() ?? new DOMMatrix());
    return [at.x, at.y];
  }

  move(event: PointerEvent): void {
    if (this.#fingers.has(event.pointerId)) this.#fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (!this.#gesture) return;
    this.#latest = event;
    this.#frame ||= requestAnimationFrame(() => this.#carryOut());
  }

  #carryOut(): void {
    this.#frame = 0;
    const [gesture, pressed, event] = [this.#gesture, this.#pressed, this.#latest];
    this.#latest = null;
    if (!gesture || !event) return;
    if (gesture.kind === "pinch") {
      const [a, b] = [...this.#fingers.values()];
      if (a && b) this.view = zoom(gesture.view, this.whole, gesture.about, gesture.apart / Math.max(20, distance(a, b)));
      return;
    }
    if (!pressed) return;
    pressed.moved ||= Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > CLICK;
    if (!pressed.moved) return;
    this.#draw(gesture, this.#point(event));
  }

  #draw(gesture: Exclude<Gesture, { kind: "pinch" }>, now: Point): void {
    if (gesture.kind === "tape") {
      this.tape = { from: gesture.start, to: this.#pin(now) };
      return;
    }
    const by: Point = [now[0] - gesture.start[0], now[1] - gesture.start[1]];
    if (gesture.kind === "drag") {
      this.held = gesture.id;
      this.#battle.mover?.drag(gesture.from, gesture.ids, by);
      return;
    }
    const sign = this.#turned() ? -1 : 1;
    this.view = within({ ...gesture.view, x: gesture.view.x - sign * by[0], y: gesture.view.y + sign * by[1] }, this.whole);
  }

  up(event: PointerEvent): void {
    this.#fingers.delete(event.pointerId);
    if (this.#latest) {
      cancelAnimationFrame(this.#frame);
      this.#carryOut();
    }
    const [pressed, gesture] = [this.#pressed, this.#gesture];
    this.#gesture = null;
    this.#pressed = null;
    this.held = null;
    if (!pressed) return;
    if (pressed.moved && gesture?.kind === "drag") void this.#battle.mover?.settle(gesture.id, gesture.ids);
    if (!pressed.moved && event.button === 0) this.#click(pressed.model);
  }

  cancel(event: PointerEvent): void {
    this.#fingers.delete(event.pointerId);
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#gesture = null;
    this.#pressed = null;
    this.held = null;
  }

  /** Drop a bend where the dragged models are and go on dragging from there. */
  bend(): void {
    const [gesture, mover] = [this.#gesture, this.#battle.mover];
    if (!mover || mover.placing) return;
    if (gesture?.kind !== "drag") return mover.bend();
    const here = mover.plan.get(gesture.id)?.end.at;
    const was = gesture.from.get(gesture.id)?.end.at;
    mover.bend(gesture.ids);
    if (here && was) gesture.start = [gesture.start[0] + here[0] - was[0], gesture.start[1] + here[1] - was[1]];
    gesture.from = mover.plan;
  }

  /** A token clicked: its card opens; an option is looked at, and chosen by a second click that is no double click. */
  #click(model: string | null): void {
    const battle = this.#battle;
    const view = model ? battle.board?.models.get(model) : undefined;
    battle.selected = view?.unit ?? null;
    if (!view || !battle.mine || battle.handing) return;
    const options: Option[] = battle.request?.options ?? [];
    const option = options.find((o) => o === view.id) ?? options.find((o) => o === view.unit);
    if (option === undefined) return;
    const again = battle.eyed === option && performance.now() - this.#eyedAt > Math.max(DOUBLE, settings.guard);
    if (again) return battle.answer(option);
    this.#eyedAt = performance.now();
    battle.eye(option);
  }

  /** Bring the formation to where the player double-clicked. */
  callTo(event: MouseEvent, svg: SVGSVGElement): void {
    const mover = this.#battle.mover;
    if (!mover?.placing || (event.target as Element).closest("[data-model]")) return;
    mover.callTo(this.locate(event, svg));
  }

  wheel(event: WheelEvent, svg: SVGSVGElement): void {
    event.preventDefault();
    this.view = zoom(this.view, this.whole, this.#root([event.clientX, event.clientY], svg), event.deltaY > 0 ? 1.18 : 1 / 1.18);
  }

  /** Zoom about the middle of the view. */
  step(factor: number): void {
    const { x, y, width, height } = this.view;
    this.view = zoom(this.view, this.whole, [x + width / 2, y + height / 2], factor);
  }

  /** Move the view by a share of itself. */
  shift(right: number, up: number): void {
    const { width, height } = this.view;
    this.view = within({ ...this.view, x: this.view.x + right * width, y: this.view.y - up * height }, this.whole);
  }

  fit(): void {
    this.view = this.whole;
  }

  /** What the tape shows: from edge to edge where its ends are bases. */
  get measured(): number {
    if (!this.tape) return 0;
    const { from, to } = this.tape;
    return Math.max(0, distance(from.at, to.at) - from.reach - to.reach);
  }
}
