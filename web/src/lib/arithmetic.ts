/** Where the number of a roll came from, line by line: the plain number, what each rule made of it, and the sum. */

import { percent, type Roll } from "./format";
import { say } from "./speech.svelte";
import { t } from "./text.svelte";
import type { TrailLine } from "./wire";

export interface Sum {
  text: string;
  clauses: string[];
}

const signed = (by: number): string => (by < 0 ? `−${-by}` : `+${by}`);

/** What is rolled again, in words. */
const AGAIN: Record<string, string> = {
  ones: "ones are rolled again",
  failures: "failures are rolled again",
  successes: "successes are rolled again",
  "all but criticals": "all but criticals are rolled again",
};

function changed([what, before, after]: TrailLine): string {
  if (what === "re-roll" || what === "offered") {
    const said = AGAIN[String(after)] ? t(AGAIN[String(after)]!) : t("{faces} are rolled again", { faces: String(after) });
    return what === "offered" ? `${said} (${t("if the player likes")})` : said;
  }
  if (what === "critical") return t("an unmodified {n} or more is critical", { n: String(after) });
  if (what === "automatic") return t("succeeds without a die");
  if (what === "treated") return t("a {n} counts as a {other}", { n: String(before), other: String(after) });
  if (what.startsWith("on ")) return after === "instead" ? t("{when}: something else happens", { when: what }) : t("{when}: something more happens", { when: what });
  if (what === "limit") return t("together the modifiers count as {n}", { n: signed(Number(after)) });
  if (what === "least") return t("no die needs less than {n}+", { n: String(after) });
  if (what === "need") return t("the number needed becomes {n}", { n: after === null ? "–" : `${String(after)}+` });
  if (typeof before === "number" && typeof after === "number") return signed(after - before);
  return after === null ? t("no number is enough") : String(after);
}

/** A line of the sum: the special rule or the matter by its name, then what it does. */
function line(step: TrailLine): Sum {
  const [what, , , clauses, rule] = step;
  const plain = ["re-roll", "offered", "critical", "automatic", "treated", "need", "modifier", "limit", "least"].includes(what) || what.startsWith("on ");
  const name = rule ?? (plain ? "" : what);
  return { text: name ? `${name}: ${changed(step)}` : changed(step), clauses };
}

/** How likely one die is to come to the number, before anything is rolled again. */
export const chance = (need: number, sides: number): number => Math.min(1, Math.max(0, (sides + 1 - Math.max(need, 2)) / sides));

/** The sum of a roll; nothing for dice that need no number. `plain` is what the edition calls the plain number. */
export function arithmetic(roll: Roll, plain: string | undefined): Sum[] {
  if (roll.need === null) return [];
  const [base, ...steps] = roll.trail;
  const first = typeof base?.[2] === "number" ? base[2] : roll.need;
  const name = plain ? say(plain) : t("The plain number");
  const shown = steps.filter(([what, before, after]) => !(what === "AP" && before === after));
  return [
    { text: `${name}: ${first}+`, clauses: base?.[3] ?? roll.clauses.slice(0, 1) },
    ...shown.map(line),
    { text: t("So each die needs {n}+: {chance}", { n: roll.need, chance: percent(chance(roll.need, roll.sides)) }), clauses: [] },
  ];
}
