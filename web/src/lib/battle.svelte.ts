/**
 * A battle as this page follows it: the board, the open request, the log, the dice; and what the player looks at.
 * Events arrive in batches and are shown one after the other at the player's speed; the request opens after the last.
 */

import { Board } from "./board.svelte";
import { readRoll, type Roll } from "./format";
import { Mover } from "./mover.svelte";
import { hex, sha256 } from "./sha256";
import { numberOf } from "./seats";
import type { Dial, Line, LineState, Seen } from "./socket";
import type { DecisionRequest, Events, Fairness, Facts, GameEvent, Hello, Json, Judged, Marker, Option, Over, Point, Present, Refusal, Seat, ServerMessage, Side, Standing } from "./wire";

export type Speed = "calm" | "brisk" | "instant";
const PACE: Record<Speed, number> = { calm: 1.8, brisk: 1, instant: 0 };
const KEPT_ROLLS = 12;
const SPEED_KEY = "rolloff-speed";

/** How long an event stays before the next is shown, in milliseconds at brisk speed. */
export function pause(event: GameEvent): number {
  if (event.facts["faces"]) return 420;
  if (event.set.some(([, field]) => field === "at")) return 380;
  if (event.set.some(([, field]) => field === "removed" || field === "wounds")) return 260;
  return event.set.length ? 60 : 120;
}

/** A line the event carries as evidence, such as a clear line of sight. */
export function lineIn(facts: Facts): [Point, Point] | null {
  const line = facts["line"];
  if (!Array.isArray(line) || line.length !== 2) return null;
  const ends = line.map((end) => (Array.isArray(end) && end.length >= 2 ? [Number(end[0]), Number(end[1])] : null));
  return ends[0] && ends[1] && ends.flat().every(Number.isFinite) ? (ends as [Point, Point]) : null;
}

function savedSpeed(): Speed {
  const saved = typeof localStorage === "undefined" ? null : localStorage.getItem(SPEED_KEY);
  return saved === "calm" || saved === "instant" ? saved : "brisk";
}

export class Battle {
  board: Board | null = $state.raw(null);
  seat: Seat = $state("none");
  title = $state("");
  armies: [string, string] = $state.raw(["A", "B"]);
  score: [number, number] = $state.raw([0, 0]);
  log: GameEvent[] = $state.raw([]);
  rolls: Roll[] = $state.raw([]);
  request: DecisionRequest | null = $state.raw(null);
  over: Over | null = $state.raw(null);
  refusal: Refusal | null = $state.raw(null);
  /** What players may say at any time. */
  talk: string[] = $state.raw([]);
  /** Why what was said last was not heard. */
  unsaid: Refusal | null = $state.raw(null);
  markers: Marker[] = $state.raw([]);
  trouble: string | null = $state(null);
  line: LineState = $state("connecting");
  /** The side for which a machine thinks. */
  thinking: Side | null = $state(null);
  present: Present | null = $state.raw(null);
  fairness: Fairness | null = $state.raw(null);
  owner = $state(false);
  /** Whether the last answer can be taken back by whoever gave it, or why not. */
  canTakeBack: boolean | string = $state.raw(false);
  takeBackBy: Side | null = $state(null);
  /** An answer is on its way. */
  sent = $state(false);
  /** Events are still being shown. */
  showing = $state(false);
  evidence: [Point, Point] | null = $state.raw(null);
  mover: Mover | null = $state.raw(null);
  speed: Speed = $state(savedSpeed());
  /** The unit whose card is open. */
  selected: string | null = $state(null);
  hovered: string | null = $state(null);
  /** The option whose button the pointer or the focus is on. */
  pointed: Option | null = $state.raw(null);
  /** The option the player looks at before choosing it. */
  eyed: Option | null = $state.raw(null);
  odds: Map<Option, Facts | null> = $state.raw(new Map());
  /** The lines of sight to targets that were asked about. */
  lines: Map<Option, [Point, Point]> = $state.raw(new Map());
  readonly #line: Line;
  #queue: GameEvent[] = [];
  #then: Events | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waiting = new Map<number, (message: ServerMessage) => void>();
  #next = 1;
  #cuts = 0;

  constructor(
    dial: Dial,
    readonly game = "",
  ) {
    this.#line = dial({
      heard: (message) => this.#heard(message),
      changed: (state) => this.#changed(state),
      seen: () => this.#seen(),
    });
  }

  #seen(): Seen | null {
    return this.board && this.fairness?.stage === "done" ? { seen: this.log.length + this.#queue.length, cuts: this.#cuts } : null;
  }

  /** Whether this seat gave the last answer and may take it back. */
  get mayTakeBack(): boolean {
    return this.canTakeBack === true && this.takeBackBy !== null && (this.seat === "both" || this.seat === this.takeBackBy);
  }

  takeBack(): void {
    this.unsaid = null;
    this.#line.send({ type: "take-back" });
  }

  /** Whether the open request is for this seat. */
  get mine(): boolean {
    return this.request !== null && (this.seat === "both" || this.seat === this.request.who);
  }

  /** The line of sight on the table: to the target looked at, else of the last shot. */
  get sightLine(): [Point, Point] | null {
    const option = this.pointed ?? this.eyed;
    return (option === null ? null : this.lines.get(option)) ?? this.evidence;
  }

  /** The unit whose card is shown: what the pointer is over, else what was picked, else what is asked about. */
  get shownUnit(): string | null {
    return this.hovered ?? this.selected ?? this.request?.about ?? null;
  }

  hurry(speed: Speed): void {
    this.speed = speed;
    if (typeof localStorage !== "undefined") localStorage.setItem(SPEED_KEY, speed);
    if (speed === "instant") this.skip();
  }

  /** Show at once all that is still to be shown. */
  skip(): void {
    clearTimeout(this.#timer);
    while (this.#queue.length) this.#show(this.#queue.shift()!);
    this.#settle();
  }

  answer(value: Json): void {
    if (!this.mine || this.sent || !this.request) return;
    this.sent = true;
    this.refusal = null;
    const serial = this.request.serial;
    this.#line.send({ type: "answer", value, ...(serial === undefined ? {} : { serial }) });
  }

  /** Say something instead of an answer; who has both seats says for which side. */
  say(name: string, said: Record<string, Json>, by: Side): void {
    this.unsaid = null;
    this.#line.send({ type: "talk", name, said, ...(this.seat === "both" ? { by } : {}) });
  }

  async judge(value: Json): Promise<Judged> {
    const reply = await this.#call((id) => this.#line.send({ type: "judge", id, value }));
    if (reply.type === "judged") return reply;
    const message = reply.type === "error" ? reply.message : "the server did not judge this";
    return { type: "judged", id: 0, legal: false, refusal: { code: "error", clause: null, message }, facts: {} };
  }

  /** Ask for the exact odds of an option once; they show when they are in. */
  async wonder(option: Option): Promise<void> {
    if (this.odds.has(option)) return;
    const request = this.request;
    this.odds = new Map(this.odds).set(option, null);
    const reply = await this.#call((id) => this.#line.send({ type: "odds", id, option }));
    if (this.request !== request || reply.type !== "odds") return;
    if (reply.odds) this.odds = new Map(this.odds).set(option, reply.odds);
    const line = lineIn({ line: reply.line ?? null });
    if (line) this.lines = new Map(this.lines).set(option, line);
  }

  eye(option: Option | null): void {
    this.eyed = option;
    if (option !== null && this.request?.kind === "choose-target") void this.wonder(option);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#line.close();
  }

  #call(send: (id: number) => void): Promise<ServerMessage> {
    const id = this.#next++;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      send(id);
    });
  }

  #changed(state: LineState): void {
    this.line = state;
    if (state !== "lost") return;
    this.sent = false;
    for (const [id, resolve] of this.#waiting) resolve({ type: "error", id, message: "the connection was lost" });
    this.#waiting.clear();
  }

  #heard(message: ServerMessage): void {
    switch (message.type) {
      case "hello":
        return this.#greet(message);
      case "events":
        return this.#take(message);
      case "presence":
        this.present = message.present;
        return;
      case "refused":
        this.sent = false;
        this.refusal = message.refusal;
        return;
      case "unsaid":
        this.unsaid = message.refusal;
        return;
      case "judged":
      case "odds":
        return this.#reply(message.id, message);
      case "error":
        if (message.id !== undefined) return this.#reply(message.id, message);
        this.sent = false;
        this.trouble = message.message;
    }
  }

  #reply(id: number, message: ServerMessage): void {
    this.#waiting.get(id)?.(message);
    this.#waiting.delete(id);
  }

  #greet(hello: Hello): void {
    clearTimeout(this.#timer);
    this.#queue = [];
    this.#then = null;
    this.showing = false;
    this.board = new Board(hello.situation);
    this.seat = hello.seat;
    this.title = hello.title;
    this.armies = hello.armies;
    this.talk = hello.talk ?? [];
    this.log = hello.log;
    this.rolls = hello.log.flatMap((event) => readRoll(event) ?? []).slice(-KEPT_ROLLS);
    this.trouble = null;
    this.owner = hello.owner ?? false;
    this.present = hello.present ?? null;
    this.fairness = hello.fairness ?? null;
    this.#cuts = hello.cuts ?? 0;
    this.#open(hello);
    this.#mix();
  }

  /** Mix a number of this page's own into the dice: promised first, shown when both players have promised. */
  #mix(): void {
    const fair = this.fairness;
    if (!fair || fair.stage === "done" || (this.seat !== "A" && this.seat !== "B")) return;
    const number = numberOf(this.game);
    if (!fair.promised[this.seat]) this.#line.send({ type: "promise", hash: `sha256:${sha256(number)}` });
    else if (fair.stage === "number" && !fair.numbers[this.seat]) this.#line.send({ type: "number", number: hex(number) });
  }

  #take(batch: Events): void {
    this.sent = false;
    this.present = batch.present ?? this.present;
    this.fairness = batch.fairness ?? this.fairness;
    this.#close();
    this.#queue.push(...batch.events);
    this.#then = batch;
    this.showing = true;
    this.#pump();
  }

  #pump(): void {
    clearTimeout(this.#timer);
    const pace = PACE[this.speed];
    while (this.#queue.length) {
      const event = this.#queue.shift()!;
      this.#show(event);
      const wait = pause(event) * pace;
      if (wait > 0) {
        this.#timer = setTimeout(() => this.#pump(), wait);
        return;
      }
    }
    this.#settle();
  }

  #show(event: GameEvent): void {
    for (const patch of event.set) this.board?.apply(patch);
    this.log = [...this.log, event];
    const roll = readRoll(event);
    if (roll) this.rolls = [...this.rolls, roll].slice(-KEPT_ROLLS);
    this.evidence = lineIn(event.facts) ?? (event.set.length ? null : this.evidence);
  }

  #settle(): void {
    this.showing = false;
    if (this.#then) this.#open(this.#then);
    this.#then = null;
  }

  #close(): void {
    this.mover?.close();
    this.mover = null;
    this.request = null;
    this.eyed = null;
    this.pointed = null;
    this.hovered = null;
    this.refusal = null;
    this.odds = new Map();
    this.lines = new Map();
  }

  #open(next: Standing): void {
    this.#close();
    this.request = next.request;
    this.thinking = next.thinking ?? null;
    this.canTakeBack = next.can_take_back ?? false;
    this.takeBackBy = next.take_back_by ?? null;
    this.over = next.over;
    this.score = next.score;
    this.markers = next.markers ?? [];
    this.sent = false;
    if (!next.request || !this.board || !this.mine) return;
    if (next.request.kind === "move" || next.request.kind === "place") {
      this.mover = new Mover(next.request, this.board, (value) => this.judge(value));
    }
    if (next.request.about) this.selected = next.request.about;
  }
}
