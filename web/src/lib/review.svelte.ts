/** Looking back: the board as it was after any event, by step, by activation, or over a stretch of the log. */

import { Board } from "./board.svelte";
import type { Battle } from "./battle.svelte";
import type { GameEvent, Situation } from "./wire";

/** Whether an event opens a chapter: a unit begins to act, or the clock moves on. */
export const opensChapter = (event: GameEvent): boolean =>
  event.set.some(([id, field, value]) => (field === "activated" && value === true) || (id === "clock" && field === "round"));

export class Review {
  /** The event whose outcome is shown; null while the battle is shown as it is. */
  at: number | null = $state(null);
  /** The stretch that can be walked through: places in the log. */
  from = $state(0);
  to = $state(0);
  playing = $state(false);
  readonly #battle: Battle;
  #opening: Situation | null = null;
  /** How many events of the log had happened when the opening was written. */
  #since = 0;
  #marked = $state(0);
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(battle: Battle) {
    this.#battle = battle;
  }

  begin(opening: Situation, since: number): void {
    this.leave();
    this.#opening = opening;
    this.#since = since;
    this.#marked = since;
  }

  /** Remember where the log stood when the player last answered. */
  mark(at: number): void {
    this.#marked = at;
  }

  /** What has happened since the player's last answer. */
  get news(): GameEvent[] {
    return this.#battle.log.slice(this.#marked);
  }

  get chapters(): number[] {
    const log = this.#battle.log;
    const found = log.flatMap((event, k) => (k >= this.from && k <= this.to && opensChapter(event) ? [k] : []));
    return [...new Set([this.from, ...found, this.to])].sort((a, b) => a - b);
  }

  /** Whether the whole battle can be replayed, or only what happened since this page was opened. */
  get whole(): boolean {
    return this.#since === 0 && this.#battle.log.length > 0;
  }

  #board = $derived.by(() => (this.at === null ? null : this.boardAt(this.at)));

  get board(): Board | null {
    return this.#board;
  }

  boardAt(at: number): Board | null {
    if (!this.#opening) return null;
    const board = new Board(this.#opening);
    for (const event of this.#battle.log.slice(this.#since, at + 1)) for (const patch of event.set) board.apply(patch);
    return board;
  }

  /** Walk through what happened since the last answer, from its beginning. */
  recap(): void {
    this.#enter(this.#marked);
  }

  /** Walk through everything this page knows. */
  all(): void {
    this.#enter(this.#since);
  }

  #enter(from: number): void {
    this.from = Math.max(from, this.#since);
    this.to = this.#battle.log.length - 1;
    this.at = Math.min(this.from, this.to);
  }

  leave(): void {
    this.stop();
    this.at = null;
  }

  show(at: number): void {
    this.at = Math.min(this.to, Math.max(this.from, at));
  }

  /** To the next or the last chapter. */
  chapter(step: 1 | -1): void {
    const now = this.at ?? this.from;
    const chapters = this.chapters;
    this.show((step > 0 ? chapters.find((k) => k > now) : chapters.filter((k) => k < now).at(-1)) ?? (step > 0 ? this.to : this.from));
  }

  play(): void {
    if (this.at === null) this.recap();
    if (this.at === this.to) this.at = this.from;
    this.playing = true;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => {
      if (this.at === null || this.at >= this.to) this.stop();
      else this.at += 1;
    }, 650);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.playing = false;
  }
}
