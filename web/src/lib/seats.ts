/** The seats this browser holds: a token for each game, given once by the server, and the links to hand on. */

import { join } from "./api";

const SEATS = "rolloff-seats";
const LINKS = "rolloff-links";
const NUMBERS = "rolloff-numbers";

export interface Links {
  /** The token of the invitation to the other seat, until it is taken. */
  invite?: string;
  /** The token of whoever looks on. */
  watch?: string;
}

function read<T>(key: string): Record<string, T> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "{}") as Record<string, T>;
  } catch {
    return {};
  }
}

function keep<T>(key: string, game: string, value: T): void {
  localStorage.setItem(key, JSON.stringify({ ...read<T>(key), [game]: value }));
}

export const keepSeat = (game: string, token: string): void => keep(SEATS, game, token);
export const keepLinks = (game: string, links: Links): void => keep(LINKS, game, links);
export const linksOf = (game: string): Links => read<Links>(LINKS)[game] ?? {};
export const seatsHeld = (): string[] => Object.values(read<string>(SEATS));

/** The number this page mixes into the dice of a game: drawn once, kept until it is shown. */
export function numberOf(game: string): Uint8Array {
  const kept = read<number[]>(NUMBERS)[game];
  if (kept) return Uint8Array.from(kept);
  const drawn = crypto.getRandomValues(new Uint8Array(32));
  keep(NUMBERS, game, [...drawn]);
  return drawn;
}

/** The token for a game: from the address, by an invitation, or the one that is kept. Tokens do not stay in the address. */
export async function tokenFor(game: string): Promise<string> {
  const shown = new URLSearchParams(location.hash.slice(1));
  const given = shown.get("seat") ?? shown.get("watch");
  const invite = shown.get("invite");
  const kept = read<string>(SEATS)[game];
  if (shown.size) history.replaceState(null, "", location.pathname + location.search);
  if (given) keepSeat(game, given);
  else if (invite && !kept) keepSeat(game, (await join(game, invite)).token);
  return read<string>(SEATS)[game] ?? "";
}

export function linkTo(game: string, kind: "invite" | "watch", token: string): string {
  return `${location.origin}/?game=${encodeURIComponent(game)}#${kind}=${token}`;
}
