/** Windows to react in: what a player does not want to be asked about, by the names of reactions, and passing at once. */

import type { DecisionRequest } from "./wire";

export const REACT = "react";
export const PASS = "pass";

/** The reactions a question offers, each once. */
export function reactionsOf(request: DecisionRequest): string[] {
  const names = request.facts["reactions"];
  return request.kind === REACT && Array.isArray(names) ? [...new Set(names.map(String))] : [];
}

/** Whether a player who is never asked about some reactions passes on this question. */
export function declined(request: DecisionRequest, never: readonly string[]): boolean {
  const offered = reactionsOf(request);
  return offered.length > 0 && offered.every((name) => never.includes(name));
}

/** The names with one of them asked about again, or never any more. */
export function toggled(never: readonly string[], name: string, ask: boolean): string[] {
  const rest = never.filter((other) => other !== name);
  return ask ? rest : [...rest, name].sort();
}
