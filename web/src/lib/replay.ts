/** A battle to be shown again: from the server, from a record that was opened, or carried inside the page itself. */

import type { Dial } from "./socket";
import type { GameEvent, Marker, Side, Situation } from "./wire";

export interface Replay {
  title: string;
  edition: string;
  armies: [string, string];
  players: [string, string];
  opening: Situation;
  events: GameEvent[];
  /** What is to be held, as it lay at the beginning. */
  markers?: Marker[];
  /** After how many events the score stood how. */
  scores: [number, number, number][];
  result: { winner: Side | "draw"; score: [number, number]; rounds: number; end: string } | null;
  verified: boolean;
  difference: { line: number; kind: string; message: string } | null;
  report?: Report | null;
  /** The words of the clauses it cites, where no server can be asked. */
  clauses?: Record<string, string>;
  /** What the rules say in other languages, by language and English template. */
  texts?: Record<string, Record<string, string>>;
}

export interface Luck {
  side: Side;
  name: string;
  luck: number | null;
  kills: number;
  expected_kills: number;
  lost: number;
  expected_lost: number;
}

export interface Report {
  players: Luck[];
  /** What each unit did and what became of it. */
  units: { id: string; side: Side; name: string; points: number; kills: number; lost: number; size: number; fate: string; value: number }[];
  turning: { n: number; round: number; text: string; swing: number; side: Side }[];
  /** After so many events so many models are left on each side. */
  strength: [number, number, number][];
  scores: [number, number, number][];
}

/** Save something as a file. */
export function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** The battle this page carries with it, if it was saved as one file. */
export function embedded(): Replay | null {
  const found = document.getElementById("battle");
  return found?.textContent ? (JSON.parse(found.textContent) as Replay) : null;
}

/** A line to no server: the whole battle at once, and nothing more. */
export function dialReplay(replay: Replay): Dial {
  return (listener) => {
    queueMicrotask(() => {
      listener.changed("open");
      listener.heard({
        type: "hello",
        seat: "none",
        title: replay.title,
        armies: replay.armies,
        situation: replay.opening,
        fairness: { commitment: "", practice: false, stage: "done", promised: {}, numbers: {}, seed: null },
        opening: replay.opening,
        log: replay.events,
        request: null,
        over: replay.result,
        score: replay.result?.score ?? [0, 0],
        ...(replay.markers ? { markers: replay.markers } : {}),
      });
    });
    return { send: () => {}, close: () => {} };
  };
}
