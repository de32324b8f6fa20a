/** What the "why?" panel explains: clauses, or a special rule by its name; and where it was asked. */

export interface Asked {
  edition: string;
  clauses: string[];
  rule: string;
  about: string;
  x: number;
  y: number;
}

export const why: { asked: Asked | null } = $state({ asked: null });

export function askWhy(edition: string, clauses: string[], about: string, at: DOMRect, rule = ""): void {
  why.asked = { edition, clauses, about, rule, x: at.left, y: at.bottom + 6 };
}
