/** What the page asks over plain HTTP: what can be played, starting a game, and the words of a clause. */

import type { ClauseText, Json, Present, Seat } from "./wire";

export interface Choice {
  id: string;
  name: string;
  /** A short addition, such as points. */
  note?: string;
}

export interface EditionChoice extends Choice {
  armies: Choice[];
  tables: Choice[];
  missions: Choice[];
  points: number;
}

export interface Catalogue {
  editions: EditionChoice[];
  opponents: Choice[];
}

export interface NewGame {
  edition: string;
  army_a: string;
  army_b: string;
  table: string;
  mission: string;
  opponent: string;
  seat: Seat;
  seed?: number;
}

export interface GameLink {
  id: string;
  title: string;
  over: boolean;
  /** Whether its players have yet to come. */
  waiting: boolean;
  /** The seat this browser holds. */
  seat: Seat;
  owner: boolean;
  present: Present;
}

/** A battle that was started; its tokens are given this once. */
export interface Started {
  id: string;
  seat: Seat;
  token: string;
  invite: string | null;
  watch: string;
}

async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  const reply = await fetch(path, init);
  const body = (await reply.json()) as T & { error?: { message?: string } };
  if (!reply.ok) throw new Error(body.error?.message ?? `the server answered ${reply.status}`);
  return body;
}

export const catalogue = (): Promise<Catalogue> => ask("/api/editions");

const post = <T>(path: string, body: Record<string, Json>): Promise<T> =>
  ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

/** The battles that are shared with everybody. */
export const games = (): Promise<{ games: GameLink[] }> => ask("/api/games");

/** The battles these tokens open. */
export const myGames = (tokens: string[]): Promise<{ games: GameLink[] }> => post("/api/games/mine", { tokens });

export const startGame = (game: NewGame): Promise<Started> => post("/api/games", { ...game });

/** Exchange an invitation for the token of its seat; once. */
export const join = (game: string, invite: string): Promise<{ id: string; seat: Seat; token: string }> =>
  post(`/api/games/${encodeURIComponent(game)}/join`, { invite });

const read = new Map<string, Promise<ClauseText>>();

/** The words of a clause; asked once. */
export function clause(edition: string, id: string): Promise<ClauseText> {
  const key = `${edition}/${id}`;
  let found = read.get(key);
  if (!found) {
    found = ask<ClauseText>(`/api/clauses/${encodeURIComponent(edition)}/${encodeURIComponent(id)}`);
    found.catch(() => read.delete(key));
    read.set(key, found);
  }
  return found;
}
