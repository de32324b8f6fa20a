/** What the page asks over plain HTTP: what can be played, starting a game, and the words of a clause. */

import type { ClauseText, Json, Seat } from "./wire";

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
  /** The sides that people play. */
  seats: Seat[];
}

async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  const reply = await fetch(path, init);
  const body = (await reply.json()) as T & { error?: { message?: string } };
  if (!reply.ok) throw new Error(body.error?.message ?? `the server answered ${reply.status}`);
  return body;
}

export const catalogue = (): Promise<Catalogue> => ask("/api/editions");

export const games = (): Promise<{ games: GameLink[] }> => ask("/api/games");

export function startGame(game: NewGame): Promise<{ id: string; seat: Seat }> {
  const body: Record<string, Json> = { ...game };
  return ask("/api/games", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
}

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
