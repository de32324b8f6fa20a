/** Labels of units on the table, laid out so that none covers another: above the unit, else below, else where there is room. */

import type { Board, UnitView } from "./board.svelte";
import { baseReach } from "./geometry";

export interface Label {
  unit: UnitView;
  text: string;
  marks: string;
  x: number;
  /** The base line, in the picture's units with y down. */
  y: number;
}

interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

export const SIZE = 0.88;
const WIDTH = 0.5; // of the font size, for a letter
const ROW = SIZE * 1.15;

const overlap = (a: Box, b: Box): boolean => a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;

function boxOf(x: number, y: number, letters: number): Box {
  const half = (letters * SIZE * WIDTH) / 2;
  return { x0: x - half, x1: x + half, y0: y - SIZE * 0.85, y1: y + SIZE * 0.3 };
}

/** Where the base lines of a label may go, the best first. */
function places(top: number, bottom: number): number[] {
  const found = [top, bottom];
  for (let k = 1; k <= 6; k++) found.push(top - k * ROW, bottom + k * ROW);
  return found;
}

/** Lay out labels one after the other; the unit that is lit comes first and has the best place. */
export function layLabels(board: Board, units: readonly UnitView[], lit: string | null, textOf: (unit: UnitView) => string, marksOf: (unit: UnitView) => string): Label[] {
  const [width, height] = board.size;
  const taken: Box[] = [];
  const order = [...units].sort((a, b) => Number(b.id === lit) - Number(a.id === lit));
  return order.flatMap((unit) => {
    const models = unit.onTable;
    if (!models.length) return [];
    const xs = models.map((model) => model.at![0]);
    const [text, marks] = [textOf(unit), marksOf(unit)];
    const letters = text.length + (marks ? marks.length + 3 : 0);
    const half = (letters * SIZE * WIDTH) / 2;
    const x = Math.min(Math.max((Math.min(...xs) + Math.max(...xs)) / 2, half - 1), width - half + 1);
    const top = height - Math.max(...models.map((model) => model.at![1] + baseReach(model.base))) - 0.35;
    const bottom = height - Math.min(...models.map((model) => model.at![1] - baseReach(model.base))) + 1;
    const y = places(top, bottom).find((at) => at > 0 && at < height + 1 && !taken.some((box) => overlap(box, boxOf(x, at, letters)))) ?? top;
    taken.push(boxOf(x, y, letters));
    return [{ unit, text, marks, x, y }];
  });
}

/** Units whose name another unit of the board bears too. */
export function ambiguous(units: readonly UnitView[]): Set<string> {
  const count = new Map<string, number>();
  for (const unit of units) count.set(unit.name, (count.get(unit.name) ?? 0) + 1);
  return new Set([...count].filter(([, n]) => n > 1).map(([name]) => name));
}
