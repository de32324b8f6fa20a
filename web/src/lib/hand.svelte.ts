/**
 * The pointer on the table: drags models of an open move, measures from anywhere else, pans and zooms, picks tokens.
 * Pointer moves are gathered and carried out once a frame.
 */

import type { Battle } from "./battle.svelte";
import { distance, thou, within, zoom, type View } from "./geometry";
import * as plans from "./plan";
import type { Plan } from "./plan";
import type { Option, Point } from "./wire";

const CLICK = 4; // pixels a pointer may tremble and still click
const RIM = 1.2; // inches of rim around the table

type Gesture =
  | { kind: "drag"; id: string; ids: string[]; from: Plan; start: Point }
  | { kind: "tape"; start: Point }
  | { kind: "pan"; start: Point; view: View };

export class Hand {
  readonly whole: View;
  view: View = $state.raw({ x: 0, y: 0, width: 1, height: 1 });
  tape: { from: Point; to: Point } | null = $state.raw(null);
  /** The model being dragged. */
  held: string | null = $state(null);
  readonly #battle: Battle;
  readonly #height: number;
  #gesture: Gesture | null = null;
  #screen: DOMMatrix | null = null;
  #pressed: { x: number; y: number; model: string | null; moved: boolean } | null = null;
  #latest: PointerEvent | null = null;
  #frame = 0;

  constructor(battle: Battle, size: Point) {
    this.#battle = battle;
    this.#height = size[1];
    this.whole = { x: -RIM, y: -RIM, width: size[0] + 2 * RIM, height: size[1] + 2 * RIM };
    this.view = this.whole;
  }

  /** From the screen to inches on the table, by the matrix taken when the gesture began. */
  #point(event: { clientX: number; clientY: number }): Point {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.#screen ?? new DOMMatrix());
    return [at.x, this.#height - at.y];
  }

  down(event: PointerEvent, svg: SVGSVGElement): void {
    if (event.button > 2 || this.#gesture) return;
    this.#screen = svg.getScreenCTM()?.inverse() ?? null;
    const token = (event.target as Element).closest<SVGElement>("[data-model]");
    const id = token?.dataset["model"] ?? null;
    const start = this.#point(event);
    const mover = this.#battle.mover;
    this.#pressed = { x: event.clientX, y: event.clientY, model: id, moved: false };
    if (event.button > 0) this.#gesture = { kind: "pan", start, view: this.view };
    else if (id && mover?.ids.has(id) && !this.#battle.sent) {
      mover.picked = id;
      if (event.altKey) mover.scope = "model";
      this.#gesture = { kind: "drag", id, ids: mover.group(id), from: mover.plan, start };
    } else this.#gesture = { kind: "tape", start };
    this.tape = null;
    svg.setPointerCapture(event.pointerId);
  }

  move(event: PointerEvent): void {
    if (!this.#gesture || !this.#pressed) return;
    this.#latest = event;
    this.#frame ||= requestAnimationFrame(() => this.#carryOut());
  }

  #carryOut(): void {
    this.#frame = 0;
    const [gesture, pressed, event] = [this.#gesture, this.#pressed, this.#latest];
    this.#latest = null;
    if (!gesture || !pressed || !event) return;
    pressed.moved ||= Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > CLICK;
    if (!pressed.moved) return;
    const now = this.#point(event);
    const by: Point = [now[0] - gesture.start[0], now[1] - gesture.start[1]];
    if (gesture.kind === "drag") {
      this.held = gesture.id;
      this.#battle.mover?.drag(gesture.from, gesture.ids, by);
    } else if (gesture.kind === "tape") this.tape = { from: gesture.start, to: now };
    else this.view = within({ ...gesture.view, x: gesture.view.x - by[0], y: gesture.view.y + by[1] }, this.whole);
  }

  up(event: PointerEvent): void {
    if (this.#latest) {
      cancelAnimationFrame(this.#frame);
      this.#carryOut();
    }
    const pressed = this.#pressed;
    this.#gesture = null;
    this.#pressed = null;
    this.held = null;
    if (pressed && !pressed.moved && event.button === 0) this.#click(pressed.model);
  }

  cancel(): void {
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

  /** A token clicked: its card opens; an option is eyed, and chosen by a second click. */
  #click(model: string | null): void {
    const battle = this.#battle;
    const view = model ? battle.board?.models.get(model) : undefined;
    battle.selected = view?.unit ?? null;
    if (!view || !battle.mine) return;
    const options: Option[] = battle.request?.options ?? [];
    const option = options.find((o) => o === view.id) ?? options.find((o) => o === view.unit);
    if (option === undefined) return;
    if (battle.eyed === option) battle.answer(option);
    else battle.eye(option);
  }

  /** Bring the formation to where the player double-clicked. */
  callTo(event: MouseEvent, svg: SVGSVGElement): void {
    const mover = this.#battle.mover;
    if (!mover?.placing || (event.target as Element).closest("[data-model]")) return;
    this.#screen = svg.getScreenCTM()?.inverse() ?? null;
    const to = this.#point(event);
    const ends = [...mover.plan.values()].map((leg) => leg.end.at);
    const mean: Point = [0, 1].map((k) => ends.reduce((sum, end) => sum + end[k]!, 0) / ends.length) as Point;
    mover.show(plans.carried(mover.plan, [...mover.ids], [thou(to[0] - mean[0]), thou(to[1] - mean[1])]));
  }

  wheel(event: WheelEvent, svg: SVGSVGElement): void {
    event.preventDefault();
    this.#screen = svg.getScreenCTM()?.inverse() ?? null;
    const [x, y] = this.#point(event);
    this.view = zoom(this.view, this.whole, [x, this.#height - y], event.deltaY > 0 ? 1.18 : 1 / 1.18);
  }

  /** Zoom about the middle of the view. */
  step(factor: number): void {
    const { x, y, width, height } = this.view;
    this.view = zoom(this.view, this.whole, [x + width / 2, y + height / 2], factor);
  }

  fit(): void {
    this.view = this.whole;
  }

  get measured(): number {
    return this.tape ? distance(this.tape.from, this.tape.to) : 0;
  }
}
