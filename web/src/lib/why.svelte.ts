/** What the "why?" panel explains: clauses, or a special rule by its name; and where it was asked. */

import type { Sum } from "./arithmetic";

export interface Asked {
  edition: string;
  clauses: string[];
  rule: string;
  about: string;
  /** Where the number came from, if it is about one. */
  sums: Sum[];
  x: number;
  y: number;
}

export const why: { asked: Asked | null } = $state({ asked: null });

export function askWhy(edition: string, clauses: string[], about: string, at: DOMRect, rule = "", sums: Sum[] = []): void {
  why.asked = { edition, clauses, about, rule, sums, x: at.left, y: at.bottom + 6 };
}
