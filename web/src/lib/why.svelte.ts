/** Which clauses the "why?" panel shows, and where it was asked. */

export interface Asked {
  edition: string;
  clauses: string[];
  about: string;
  x: number;
  y: number;
}

export const why: { asked: Asked | null } = $state({ asked: null });

export function askWhy(edition: string, clauses: string[], about: string, at: DOMRect): void {
  why.asked = { edition, clauses, about, x: at.left, y: at.bottom + 6 };
}
