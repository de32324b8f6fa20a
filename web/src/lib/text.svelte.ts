/**
 * The page's texts. English stands where it is used and is the key; the catalogue in `german.ts` holds every text once more.
 * What the rules say (questions, log, clauses) comes from the server in the edition's own words.
 */

import { GERMAN } from "./german";

export type Language = "en" | "de";
export const LANGUAGES: { id: Language; name: string }[] = [
  { id: "en", name: "English" },
  { id: "de", name: "Deutsch" },
];
const KEY = "rolloff-language";

export const language: { now: Language } = $state({ now: "en" });

/** The text in the player's language, with `{names}` filled in. */
export function t(text: string, args: Record<string, string | number> = {}): string {
  const template = language.now === "de" ? (GERMAN[text] ?? text) : text;
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(args[name] ?? ""));
}

/** A text for one or for several: `plural(1, "{n} hit", "{n} hits")`. */
export const plural = (n: number, one: string, many: string): string => t(n === 1 ? one : many, { n });

export function speak(now: Language): void {
  language.now = now;
  document.documentElement.lang = now;
  localStorage.setItem(KEY, now);
}

/** What the player chose, else what the browser prefers. */
export function settleLanguage(): void {
  const saved = localStorage.getItem(KEY) ?? navigator.language.slice(0, 2);
  language.now = saved === "de" ? "de" : "en";
  document.documentElement.lang = language.now;
}
