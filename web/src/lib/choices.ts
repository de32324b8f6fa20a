/** The last choice of a battle, kept so that nobody chooses twice. */

import type { ArmyChoice, Catalogue, EditionChoice, NewGame, Started, TableChoice } from "./api";
import { keepLinks, keepSeat } from "./seats";

export interface Wish extends NewGame {
  /** Two people share this page and hand it over. */
  hotseat: boolean;
}

const WISH = "rolloff-last-choice";
const SHARED = "rolloff-hand-over";
export const HOTSEAT = "hot-seat";
/** Stands for an army that is no ready-made one: a list from a file. */
export const OWN = "own-list";

function load<T>(key: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") as T | null;
  } catch {
    return null;
  }
}

/** The size of battle an edition is played at first: what was wished if it is offered, else the usual; 0 if it has no sizes. */
export function sizeOf(edition: EditionChoice | undefined, wanted?: number): number {
  const sizes = edition?.sizes ?? [];
  return [wanted, edition?.points, sizes[0]].find((size) => size !== undefined && sizes.includes(size)) ?? 0;
}

/** The armies for a size of battle; all of them where there are no sizes. */
export const armiesFor = (edition: EditionChoice | undefined, size: number): ArmyChoice[] =>
  (edition?.armies ?? []).filter((one) => !size || !one.size || one.size === size);

/** The tables laid out for a size of battle. */
export const tablesFor = (edition: EditionChoice | undefined, size: number): TableChoice[] =>
  (edition?.tables ?? []).filter((one) => !size || !one.sizes || one.sizes.includes(size));

/** What was chosen last, as far as it is still offered; else the first of everything, with two different armies. */
export function lastChoice(offered: Catalogue): Wish {
  const saved = load<Wish>(WISH);
  const edition = offered.editions.find((one) => one.id === saved?.edition) ?? offered.editions[0];
  const points = sizeOf(edition, saved?.points);
  const [armies, tables] = [armiesFor(edition, points), tablesFor(edition, points)];
  const among = (list: { id: string }[] | undefined, wanted: string | undefined, usual: number): string =>
    list?.find((one) => one.id === wanted)?.id ?? list?.[Math.min(usual, list.length - 1)]?.id ?? "";
  return {
    edition: edition?.id ?? "",
    army_a: among(armies, saved?.army_a, 0),
    army_b: among(armies, saved?.army_b, 1),
    table: among(tables, saved?.table, 0),
    mission: among(edition?.missions, saved?.mission, 0),
    opponent: among(offered.opponents, saved?.opponent, 0),
    seat: saved?.seat === "B" ? "B" : "A",
    hotseat: saved?.hotseat ?? false,
    points,
  };
}

export function rememberChoice(wish: Wish): void {
  localStorage.setItem(WISH, JSON.stringify(wish));
}

/** The address of a battle; two who share a page hand it over. */
export function addressOf(game: string): string {
  const shared = load<string[]>(SHARED)?.includes(game) ?? false;
  return `?game=${encodeURIComponent(game)}${shared ? "&hand=over" : ""}`;
}

/** Take the seat that starting a battle gave, and say where it is played. */
export function seated(game: Started, hotseat: boolean): string {
  keepSeat(game.id, game.token);
  keepLinks(game.id, { watch: game.watch, ...(game.invite ? { invite: game.invite } : {}) });
  if (hotseat) localStorage.setItem(SHARED, JSON.stringify([...(load<string[]>(SHARED) ?? []), game.id]));
  return addressOf(game.id);
}
