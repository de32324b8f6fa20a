/** How terrain looks, by the names of its types: a fill and a pattern each, so that colour alone never tells. */

export interface Look {
  type: string;
  fill: string;
  pattern: string;
}

const KNOWN: Record<string, Omit<Look, "type">> = {
  impassable: { fill: "#6b6660", pattern: "bricks" },
  dangerous: { fill: "#c9605a", pattern: "crosses" },
  difficult: { fill: "#a98556", pattern: "waves" },
  elevation: { fill: "#c2a878", pattern: "contours" },
  cover: { fill: "#6f9a72", pattern: "dots" },
};
const OTHERS = ["#8d7fb0", "#5f96a8", "#a87f8d", "#8aa05f", "#b58a4a", "#5d7fa3", "#7a6f5d", "#6aa08c"];
/** Types the page has never heard of, as they were met: each has a colour of its own until there are no more. */
const met: string[] = [];

export const PATTERNS = ["bricks", "crosses", "waves", "contours", "dots", "plain"] as const;

/** The look of one type; a type the page has never heard of still gets a colour of its own. */
export function lookOf(type: string): Look {
  const known = KNOWN[type];
  if (known) return { type, ...known };
  if (!met.includes(type)) met.push(type);
  return { type, fill: OTHERS[met.indexOf(type) % OTHERS.length]!, pattern: "plain" };
}

/** The looks of a piece: the gravest type gives the fill, every type its pattern. */
export function looksOf(types: readonly string[]): Look[] {
  const order = Object.keys(KNOWN);
  const rank = (type: string): number => (order.includes(type) ? order.indexOf(type) : order.length);
  return [...types].sort((a, b) => rank(a) - rank(b)).map(lookOf);
}
