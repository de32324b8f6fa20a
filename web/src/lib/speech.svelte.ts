/**
 * What the rules say, in the player's language. The server speaks English, each sentence written from a template; the
 * catalogue of an edition holds the templates in both languages. A sentence is matched with the template it was made from,
 * and its fields go into the other one. What no template fits stays English, and is marked as such.
 */

import { words as wordsIn } from "./api";
import { ONE_OF } from "./german";
import { language } from "./text.svelte";

export interface Template {
  pattern: RegExp;
  /** The longest piece of plain text, which a sentence must hold. */
  literal: string;
  other: string;
  /** Only fields and signs: the last field must be a known word, or anything would fit. */
  loose: string | null;
  /** Hardly any words: the fields must be short names. */
  weak: boolean;
}

const FIELD = /\{(\w+)\}/;
const COUNTED = /\b(attack|hit|wound|model|unit|point|die|dice)s\b/g;
/** A short name: no sentence fits. */
const NAME = /^[\p{Lu}\d][^.;!?]{0,40}$/u;
const KINDLY = /[.*+?^${}()|[\]\\]/g;

/** A sentence begins with a capital, whatever its template begins with. */
const opening = (pattern: string, first: boolean): string =>
  first ? pattern.replace(/^\p{Ll}/u, (letter) => `[${letter}${letter.toUpperCase()}]`) : pattern;

/** A template made ready for matching; null if it is one field and nothing else. */
export function compile(english: string, other: string): Template | null {
  const parts = english.split(FIELD);
  const plain = parts.filter((_, k) => k % 2 === 0);
  if (parts.length > 1 && plain.every((part) => part === "")) return null;
  const seen = new Set<string>();
  const pattern = parts.map((part, k) => {
    if (k % 2 === 0) return opening(part.replaceAll(KINDLY, "\\$&").replaceAll(COUNTED, "$1s?"), k === 0);
    if (seen.has(part)) return `\\k<${part}>`;
    seen.add(part);
    return `(?<${part}>.*?)`;
  });
  const inner = [(plain[0] ?? "").slice(1), ...plain.slice(1)];
  const steady = inner.flatMap((part) => part.split(COUNTED).filter((_, k) => k % 2 === 0));
  return {
    pattern: new RegExp(`^${pattern.join("")}$`, "s"),
    literal: steady.reduce((a, b) => (b.length > a.length ? b : a), ""),
    other,
    weak: parts.length > 1 && plain.join("").replaceAll(/\P{L}/gu, "").length < 5,
    loose: plain.some((part) => /\p{L}/u.test(part)) || parts.length === 1 ? null : parts[parts.length - 2]!,
  };
}

export class Speech {
  readonly #exact: Map<string, string>;
  readonly #templates: Template[];
  readonly #known = new Map<string, string | null>();

  constructor(texts: Record<string, string>) {
    this.#exact = new Map(Object.entries(texts));
    const weight = (one: Template): number => one.literal.length + (one.loose ? -100 : 0);
    this.#templates = Object.entries(texts)
      .flatMap(([english, other]) => compile(english, other) ?? [])
      .sort((a, b) => weight(b) - weight(a));
  }

  /** A sentence in the other language; null if no template fits. */
  say(text: string): string | null {
    let found = this.#known.get(text);
    if (found === undefined) this.#known.set(text, (found = this.#exact.get(text) ?? this.#matched(text)));
    return found;
  }

  #matched(text: string): string | null {
    for (const { pattern, literal, other, loose, weak } of this.#templates) {
      if (!text.includes(literal)) continue;
      const fields = pattern.exec(text)?.groups;
      if (!fields || (loose && !this.#exact.has(fields[loose] ?? ""))) continue;
      if (weak && !loose && !Object.values(fields).every((field) => NAME.test(field))) continue;
      const filled = other.replaceAll(/\{(\w+)\}/g, (_, name: string) => this.#field(fields[name] ?? ""));
      const said = filled.replaceAll(ONE_OF.pattern, (_, noun: string) => `1 ${ONE_OF.nouns[noun]}`);
      return said[0]!.toUpperCase() === said[0] || text[0] !== text[0]!.toUpperCase() ? said : said[0]!.toUpperCase() + said.slice(1);
    }
    return null;
  }

  /** What is filled in: a word the catalogue knows, a list of such words, a purpose with its number; else a name. */
  #field(text: string): string {
    const known = this.#exact.get(text);
    if (known !== undefined) return known;
    if (text.includes(", ")) return text.split(", ").map((item) => this.#exact.get(item) ?? item).join(", ");
    const [, word, number] = /^(.+?)((?: \(D\d+\))?(?: \d+\+)?)$/.exec(text) ?? [];
    if (word && number && this.#exact.has(word)) return this.#exact.get(word)! + number;
    return text.length > 12 ? (this.say(text) ?? text) : text;
  }
}

class Tongue {
  speech: Speech | null = $state.raw(null);
}
const spoken = new Tongue();
let learnt = "";

/** Have the words of an edition in the player's language. */
export async function learn(edition: string, now = language.now): Promise<void> {
  const wanted = now === "en" ? "" : `${edition} ${now}`;
  if (wanted === learnt) return;
  learnt = wanted;
  if (!wanted) return teach(null);
  try {
    teach((await wordsIn(edition, now)).texts);
  } catch {
    learnt = "";
  }
}

/** Use these words from now on. */
export function teach(texts: Record<string, string> | null): void {
  spoken.speech = texts ? new Speech(texts) : null;
}

/** What the rules say in the player's language, as far as it is known. */
export function say(text: string): string {
  return language.now === "en" ? text : (spoken.speech?.say(text) ?? text);
}

/** The language a text of the rules will be read in: undefined if it is the page's. */
export function tongue(text: string): string | undefined {
  return language.now === "en" || !text || !spoken.speech || spoken.speech.say(text) !== null ? undefined : "en";
}
