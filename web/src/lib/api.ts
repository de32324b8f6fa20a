/** What the page asks over plain HTTP: what can be played, starting a game, armies, tables, rules, odds, records. */

import type { Replay, Report } from "./replay";
import type { ClauseText, EditionWords, Facts, Json, Point, Present, Seat, TerrainPiece, UnitCard } from "./wire";

export interface Choice {
  id: string;
  name: string;
  /** A short addition, such as points. */
  note?: string;
}

export interface ArmyChoice extends Choice {
  /** The size of battle it is for. */
  size?: number;
}

export interface TableChoice extends Choice {
  /** The sizes of battle it is laid out for. */
  sizes?: number[];
}

export interface EditionChoice extends Choice {
  armies: ArmyChoice[];
  tables: TableChoice[];
  /** The sizes of battle the rules know, if they know some. */
  sizes?: number[];
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
  /** The size of the battle in points; without it the armies decide. */
  points?: number;
  /** Armies brought along, as the text of their files; the name beside is then empty. */
  list_a?: string;
  list_b?: string;
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

export interface ArmyCards {
  id: string;
  name: string;
  points: number;
  units: UnitCard[];
  words: EditionWords;
}

export interface TablePlan {
  id: string;
  name?: string;
  size: Point;
  terrain: TerrainPiece[];
}

export interface Hit {
  id: string;
  edition: string;
  score: number;
  topic: string;
  text: string;
  status: string;
  rulings: string[];
}

async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  const reply = await fetch(path, init);
  const body = (await reply.json()) as T & { error?: { message?: string; allowed?: string | null } };
  if (!reply.ok) throw new Error(body.error?.message ?? `the server answered ${reply.status}`);
  return body;
}

const send = (body: string, kind = "application/json"): RequestInit => ({ method: "POST", headers: { "content-type": kind }, body });
const part = encodeURIComponent;

export const catalogue = (): Promise<Catalogue> => ask("/api/editions");

/** The battles that are shared with everybody. */
export const games = (): Promise<{ games: GameLink[] }> => ask("/api/games");

/** The battles these tokens open. */
export const myGames = (tokens: string[]): Promise<{ games: GameLink[] }> => ask("/api/games/mine", send(JSON.stringify({ tokens })));

export const startGame = (game: NewGame): Promise<Started> => ask("/api/games", send(JSON.stringify(game)));

/** Exchange an invitation for the token of its seat; once. */
export const join = (game: string, invite: string): Promise<{ id: string; seat: Seat; token: string }> =>
  ask(`/api/games/${part(game)}/join`, send(JSON.stringify({ invite })));

/** The record of a battle, by the token of a seat. */
export async function recordOf(game: string, token: string): Promise<string> {
  const reply = await fetch(`/api/games/${part(game)}/record`, { headers: { authorization: `Bearer ${token}` } });
  if (!reply.ok) throw new Error(((await reply.json()) as { error?: { message?: string } }).error?.message ?? `the server answered ${reply.status}`);
  return reply.text();
}

export const army = (edition: string, name: string): Promise<ArmyCards> => ask(`/api/armies/${part(edition)}/${part(name)}`);
export const table = (edition: string, name: string): Promise<TablePlan> => ask(`/api/tables/${part(edition)}/${part(name)}`);
export const openRecord = (text: string): Promise<Replay> => ask("/api/records", send(text, "application/jsonl"));
export const reportOf = (text: string): Promise<Report> => ask("/api/records/report", send(text, "application/jsonl"));

/** A record as one file to keep: the page that replays it, or a report to print. */
export async function exported(text: string, as: "replay" | "report"): Promise<Blob> {
  const reply = await fetch(`/api/records/export?as=${as}`, send(text, "application/jsonl"));
  if (!reply.ok) throw new Error(`the server answered ${reply.status}`);
  return new Blob([await reply.text()], { type: "text/html" });
}

export const oddsOf = (scenario: Json): Promise<Facts> => ask("/api/odds", send(JSON.stringify(scenario)));
export const searchRules = (asked: string, edition: string): Promise<{ hits: Hit[] }> =>
  ask(`/api/rules?q=${part(asked)}&edition=${part(edition)}`);
export const compareRule = (id: string): Promise<{ editions: Record<string, string | null>; differs: boolean }> =>
  ask(`/api/rules?compare=${part(id)}`);

const read = new Map<string, Promise<ClauseText>>();
type Texts = Record<string, string>;
let carried: Texts | null = null;
let carriedTexts: Record<string, Texts> = {};

/** The page carries the words of its clauses, and the rules' texts in other languages, with it: no server is asked. */
export function carryClauses(clauses: Texts, texts: Record<string, Texts> = {}): void {
  carried = clauses;
  carriedTexts = texts;
}

/** The words of a clause; asked once. */
export function clause(edition: string, id: string): Promise<ClauseText> {
  if (carried) return Promise.resolve({ id, edition, text: carried[id] ?? "" });
  const key = `${edition}/${id}`;
  let found = read.get(key);
  if (!found) {
    found = ask<ClauseText>(`/api/clauses/${part(edition)}/${part(id)}`);
    found.catch(() => read.delete(key));
    read.set(key, found);
  }
  return found;
}

/** What an edition says to players, in another language: by each English template its counterpart. */
export async function words(edition: string, language: string): Promise<{ texts: Record<string, string> }> {
  if (carried) return { texts: carriedTexts[language] ?? {} };
  return ask(`/api/words/${part(edition)}/${part(language)}`);
}

/** The clauses of a special rule. */
export async function special(edition: string, rule: string): Promise<string[]> {
  if (carried) return [];
  return (await ask<{ clauses: string[] }>(`/api/specials/${part(edition)}/${part(rule)}`)).clauses;
}
