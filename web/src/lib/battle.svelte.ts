/**
 * A battle as this page follows it: the board, the open request, the log, the dice; and what the player looks at.
 * Events arrive in batches and are shown one after the other at the player's speed; the request opens after the last.
 */

import { foregone } from "./alone";
import { Board } from "./board.svelte";
import { readRoll, type Roll } from "./format";
import { Mover } from "./mover.svelte";
import { Review } from "./review.svelte";
import { keep, settings, type Speed } from "./settings.svelte";
import { numberOf } from "./seats";
import { hex, sha256 } from "./sha256";
import type { Dial, Line, LineState, Seen } from "./socket";
import { chime, rattle, thud } from "./sound";
import { Traces } from "./traces.svelte";
import { declined, PASS, reactionsOf, toggled } from "./windows";
import type {
  DecisionRequest, EditionWords, Events, Facts, Fairness, GameEvent, Hello, Json, Judged, Looked, Marker, Option, Over, Point, Present, Refusal,
  Row, Seat, ServerMessage, Side, Standing,
} from "./wire";

const PACE: Record<Speed, number> = { calm: 1.8, brisk: 1, instant: 0 };
const KEPT_ROLLS = 60;
/** Kinds of questions for which the server is asked what to do. */
const PONDERED = ["choose-unit", "choose-action", "choose-target"];
const NO_WORDS: EditionWords = { stats: [], marks: {}, phases: {} };

/** How long an event stays before the next is shown, in milliseconds at brisk speed. */
export function pause(event: GameEvent): number {
  if (event.facts["faces"]) return 620;
  if (event.set.some(([, field]) => field === "at")) return 380;
  if (event.set.some(([, field]) => field === "removed" || field === "wounds")) return 320;
  return event.set.length ? 60 : 120;
}

/** A line the event carries as evidence, such as a clear line of sight. */
export function lineIn(facts: Facts): [Point, Point] | null {
  const line = facts["line"];
  if (!Array.isArray(line) || line.length !== 2) return null;
  const ends = line.map((end) => (Array.isArray(end) && end.length >= 2 ? [Number(end[0]), Number(end[1])] : null));
  return ends[0] && ends[1] && ends.flat().every(Number.isFinite) ? (ends as [Point, Point]) : null;
}

export class Battle {
  live: Board | null = $state.raw(null);
  seat: Seat = $state("none");
  title = $state("");
  armies: [string, string] = $state.raw(["A", "B"]);
  words: EditionWords = $state.raw(NO_WORDS);
  score: [number, number] = $state.raw([0, 0]);
  log: GameEvent[] = $state.raw([]);
  rolls: Roll[] = $state.raw([]);
  request: DecisionRequest | null = $state.raw(null);
  over: Over | null = $state.raw(null);
  refusal: Refusal | null = $state.raw(null);
  /** The side for which a machine thinks. */
  thinking: Side | null = $state(null);
  present: Present | null = $state.raw(null);
  fairness: Fairness | null = $state.raw(null);
  owner = $state(false);
  /** Whether the last answer can be taken back by whoever gave it, or why not. */
  canTakeBack: boolean | string = $state.raw(false);
  takeBackBy: Side | null = $state(null);
  /** The reactions somebody in this battle may be asked about. */
  reactions: string[] = $state.raw([]);
  /** The targets named so far, where several are named one after the other. */
  named: string[] = $state.raw([]);
  /** What players may say at any time. */
  talk: string[] = $state.raw([]);
  /** Why what was said last was not heard. */
  unsaid: Refusal | null = $state.raw(null);
  markers: Marker[] = $state.raw([]);
  trouble: string | null = $state(null);
  line: LineState = $state("connecting");
  /** An answer is on its way. */
  sent = $state(false);
  /** A question has just opened and takes no answer yet, so that a second click of a double click is lost on it. */
  guarded = $state(false);
  /** Events are still being shown. */
  showing = $state(false);
  evidence: [Point, Point] | null = $state.raw(null);
  mover: Mover | null = $state.raw(null);
  /** What a player would do well to answer: undefined until it is known, null if the default is as good. */
  hint: Json | undefined = $state.raw(null);
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
  /** The side that sat at this page last, where one page has both seats; null until somebody has taken it over. */
  hand: Side | null = $state(null);
  readonly traces = new Traces();
  readonly review = new Review(this);
  /** Answers given ahead, by the key of their question. */
  #plan: Record<string, Option> = {};
  /** The group of questions that is answered by its suggestions. */
  #resting: string | null = $state(null);
  /** The phase in which the player wants no more questions about reactions. */
  #quiet = "";
  /** Where a unit dragged from the tray was dropped, until it is asked for its place. */
  #dropped: { unit: string; at: Point } | null = null;
  readonly #line: Line;
  #queue: GameEvent[] = [];
  #then: Events | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #guard: ReturnType<typeof setTimeout> | undefined;
  #waiting = new Map<number, (message: ServerMessage) => void>();
  #next = 1;
  #cuts = 0;
  #naming = "";
  /** The player has just taken something back: what would be passed on is shown, so that more can be taken back. */
  #backing = false;

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
    return this.live && this.fairness?.stage === "done" ? { seen: this.log.length + this.#queue.length, cuts: this.#cuts } : null;
  }

  /** The board to look at: as it is, or as it was at the moment under review. */
  get board(): Board | null {
    return this.review.board ?? this.live;
  }

  /** Whether the open request is for this seat. */
  get mine(): boolean {
    return this.request !== null && (this.seat === "both" || this.seat === this.request.who);
  }

  /** Whether the page waits for somebody else to sit down before it shows the question. */
  get handing(): boolean {
    return this.seat === "both" && this.request !== null && this.hand !== this.request.who;
  }

  /** Whether an answer would be lost right now. */
  get busy(): boolean {
    return this.sent || this.guarded || this.showing || this.review.at !== null;
  }

  get speed(): Speed {
    return settings.speed;
  }

  /** The line of sight on the table: to the target looked at, else of the last shot. */
  get sightLine(): [Point, Point] | null {
    const option = this.pointed ?? this.eyed;
    return (option === null ? null : this.lines.get(option)) ?? this.evidence;
  }

  /** The one unit that is lit everywhere: under the pointer, else looked at as an option, else picked, else asked about. */
  get shownUnit(): string | null {
    const option = this.pointed ?? this.eyed;
    const looked = typeof option === "string" ? (this.board?.models.get(option)?.unit ?? (this.board?.units.has(option) ? option : null)) : null;
    return this.hovered ?? looked ?? this.selected ?? this.request?.about ?? null;
  }

  /** The reactions this player is never asked about. */
  get never(): string[] {
    return settings.never[this.board?.edition ?? ""] ?? [];
  }

  /** Ask about a reaction from now on, or never. */
  ask(name: string, ask: boolean): void {
    if (!this.board) return;
    keep({ never: { ...settings.never, [this.board.edition]: toggled(this.never, name, ask) } });
    if (this.request && this.mine && !this.busy && declined(this.request, this.never)) this.#send(PASS);
  }

  /** Pass, where that is among the answers. */
  pass(): void {
    if (this.request?.options?.includes(PASS)) this.answer(PASS);
  }

  /** Pass on this reaction and on all that could be used until the phase is over. */
  passPhase(): void {
    if (!this.request || !this.mine || this.busy || !reactionsOf(this.request).length) return;
    this.#quiet = this.#phaseOf(this.request);
    this.#send(PASS);
  }

  /** Whose question it is in which phase of which turn; steps of one phase share the words before the colon. */
  #phaseOf(request: DecisionRequest): string {
    const { round, active, phase } = this.live!.clock;
    return [request.who, round, active, (this.words.phases[phase] ?? phase).split(":")[0]].join(" ");
  }

  /** Whether the player passes here unasked: never asks about it, or wants no more questions in this phase. */
  #passes(request: DecisionRequest): boolean {
    const quiet = reactionsOf(request).length > 0 && this.#phaseOf(request) === this.#quiet;
    return !this.#backing && (quiet || declined(request, this.never));
  }

  hurry(speed: Speed): void {
    keep({ speed });
    if (speed === "instant") this.skip();
  }

  /** Show at once all that is still to be shown. */
  skip(): void {
    clearTimeout(this.#timer);
    while (this.#queue.length) this.#show(this.#queue.shift()!);
    this.#settle();
  }

  answer(value: Json): void {
    if (!this.mine || this.busy || !this.request) return;
    this.#send(value);
  }

  #send(value: Json): void {
    if (!this.request) return;
    this.#name(this.request, value);
    this.#backing = false;
    this.sent = true;
    this.refusal = null;
    const serial = this.request.serial;
    this.#line.send({ type: "answer", value, ...(serial === undefined ? {} : { serial }) });
  }

  /** Remember the targets that one question after the other about the same unit names. */
  #name(request: DecisionRequest, value: Json): void {
    const key = request.kind === "choose-target" && value !== PASS ? `${request.key} ${request.clause}` : "";
    this.named = key && typeof value === "string" ? [...(key === this.#naming ? this.named : []), value] : [];
    this.#naming = key;
  }

  /** Answer this question and those that follow on the same screen as planned. */
  answerAll(plan: Record<string, Option>): void {
    if (!this.mine || this.busy || !this.request) return;
    this.#plan = { ...plan };
    this.#answerAhead();
  }

  /** Answer the rest of this group of questions by what is suggested. */
  takeSuggestions(): void {
    if (!this.mine || this.busy || !this.request?.group) return;
    this.#resting = this.request.group;
    this.#answerAhead();
  }

  /** Whether the page answers by itself until the group of questions is done. */
  get resting(): boolean {
    return this.#resting !== null;
  }

  /** A unit was dragged from the tray to a place on the table. */
  drop(unit: string, at: Point): void {
    if (!this.mine || this.busy || !this.request?.options?.includes(unit)) return;
    this.#dropped = { unit, at };
    this.#send(unit);
  }

  /** Whether this seat gave the last answer and may take it back. */
  get mayTakeBack(): boolean {
    return this.canTakeBack === true && this.takeBackBy !== null && (this.seat === "both" || this.seat === this.takeBackBy);
  }

  takeBack(): void {
    if (!this.mayTakeBack || this.sent) return;
    this.#plan = {};
    this.#resting = null;
    this.#quiet = "";
    this.unsaid = null;
    this.named = this.named.slice(0, -1);
    this.#backing = true;
    this.#line.send({ type: "take-back" });
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

  /** What a move would lead to; null if it cannot be said. */
  async look(value: Json): Promise<Looked | null> {
    const reply = await this.#call((id) => this.#line.send({ type: "look", id, value }));
    return reply.type === "looked" ? reply : null;
  }

  /** How far the unit of the open move can go as one, all round. */
  async reach(): Promise<Point[]> {
    const reply = await this.#call((id) => this.#line.send({ type: "reach", id }));
    return reply.type === "reached" ? reply.outline : [];
  }

  /** Ask what would be a good answer to a question that is worth thinking about; the page goes on meanwhile. */
  async #consider(request: DecisionRequest): Promise<void> {
    const weighty = request.kind === "move" || (PONDERED.includes(request.kind) && !request.group);
    this.hint = weighty ? undefined : null;
    if (!weighty) return;
    const reply = await this.#call((id) => this.#line.send({ type: "suggest", id }));
    if (this.request !== request) return;
    this.hint = reply.type === "suggested" ? reply.value : null;
    if (this.hint !== null) this.mover?.propose(this.hint);
  }

  /** The rows of the open screen of questions, answered as planned. */
  async survey(plan: Record<string, Option>): Promise<Row[]> {
    const reply = await this.#call((id) => this.#line.send({ type: "survey", id, plan }));
    return reply.type === "surveyed" ? reply.rows : [];
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
    const unit = typeof option === "string" ? (this.board?.models.get(option)?.unit ?? option) : null;
    if (unit && this.board?.units.has(unit)) this.selected = unit;
    if (option !== null && this.request?.kind === "choose-target") void this.wonder(option);
  }

  close(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#guard);
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
      case "refused":
        this.sent = false;
        this.#plan = {};
        this.#resting = null;
        this.refusal = message.refusal;
        return;
      case "unsaid":
        this.unsaid = message.refusal;
        return;
      case "presence":
        this.present = message.present;
        return;
      case "error":
        if (message.id !== undefined) return this.#reply(message.id, message);
        this.sent = false;
        this.trouble = message.message;
        return;
      default:
        return this.#reply(message.id, message);
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
    this.live = new Board(hello.situation);
    this.seat = hello.seat;
    this.title = hello.title;
    this.armies = hello.armies;
    this.words = hello.words ?? NO_WORDS;
    this.talk = hello.talk ?? [];
    this.reactions = hello.reactions ?? [];
    this.owner = hello.owner ?? false;
    this.present = hello.present ?? null;
    this.fairness = hello.fairness ?? null;
    this.#cuts = hello.cuts ?? 0;
    this.log = hello.log;
    this.rolls = hello.log.flatMap((event) => readRoll(event) ?? []).slice(-KEPT_ROLLS);
    this.trouble = null;
    this.traces.clear();
    this.review.begin(hello.opening ?? hello.situation, hello.opening ? 0 : hello.log.length);
    if (hello.opening) this.live = this.review.boardAt(hello.log.length - 1);
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
    if (this.mine) {
      this.traces.clear();
      this.review.mark(this.log.length);
    }
    this.#close();
    this.#queue.push(...batch.events);
    this.#then = batch;
    this.showing = true;
    this.#pump();
  }

  #pump(): void {
    clearTimeout(this.#timer);
    const pace = PACE[settings.speed];
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
    const board = this.live;
    if (board) {
      this.traces.before(event, board);
      for (const patch of event.set) board.apply(patch);
    }
    this.log = [...this.log, event];
    const roll = readRoll(event);
    if (roll) this.rolls = [...this.rolls, roll].slice(-KEPT_ROLLS);
    this.evidence = lineIn(event.facts) ?? (event.set.length ? null : this.evidence);
    if (settings.speed === "instant") return;
    if (roll) rattle(roll.dice.length);
    if (event.set.some(([, field]) => field === "removed")) thud();
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
    this.hint = null;
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
    this.over = next.over;
    this.score = next.score;
    this.markers = next.markers ?? [];
    this.thinking = next.thinking ?? null;
    this.canTakeBack = next.can_take_back ?? false;
    this.takeBackBy = next.take_back_by ?? null;
    this.sent = false;
    if (!next.request || `${next.request.key} ${next.request.clause}` !== this.#naming) this.named = [];
    if (!next.request || !this.live || !this.mine) return;
    if (this.#answerAhead()) return;
    this.#plan = {};
    this.#resting = null;
    this.#wait();
    if (settings.speed !== "instant" && !this.handing) chime();
    this.#prepare(next.request, this.live);
  }

  /** Get ready for a question: models to move in hand, the unit it is about in view. */
  #prepare(request: DecisionRequest, board: Board): void {
    if (request.kind === "move" || request.kind === "place") {
      this.mover = new Mover(request, board, (value) => this.judge(value), (value) => this.look(value), () => this.reach());
      const dropped = this.#dropped;
      this.#dropped = null;
      if (dropped?.unit === request.about) this.mover.callTo(dropped.at);
    }
    void this.#consider(request);
    if (request.about) this.selected = request.about;
    if (request.kind === "choose-unit" && !request.options?.includes(this.selected ?? "")) this.selected = null;
  }

  #wait(): void {
    clearTimeout(this.#guard);
    this.guarded = settings.guard > 0;
    if (this.guarded) this.#guard = setTimeout(() => (this.guarded = false), settings.guard);
  }

  /** Answer what needs no player: planned ahead, left to the suggestions, or without a choice. */
  #answerAhead(): boolean {
    const [request, board] = [this.request, this.live];
    if (!request || !board) return false;
    const planned = request.key === undefined ? undefined : this.#plan[request.key];
    const resting = this.#resting !== null && request.group === this.#resting ? request.default : undefined;
    const passed = this.#passes(request) ? PASS : undefined;
    const value = planned ?? resting ?? passed ?? foregone(request, board, settings.askAlike);
    if (value === undefined) return false;
    this.#send(value);
    return true;
  }
}
