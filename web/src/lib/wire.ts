/** What goes over the wire, as the page knows it: situations, patches, requests and messages. No edition, no rule. */

export type Side = "A" | "B";
export type Seat = Side | "both" | "none";
export type Point = [number, number];
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type Mark = string | number | boolean;
export type Marks = Record<string, Mark>;
/** Marks as situations write them: a plain name stands for the value 1. */
export type MarkList = (string | Marks)[] | Marks;
export type Facts = Record<string, Json>;

/** A footprint in inches: exactly one of the three. */
export interface Base {
  circle?: number;
  oval?: Point;
  rect?: Point;
}

export interface WeaponCard {
  name: string;
  range?: number | string | null;
  [stat: string]: Json | undefined;
}

export interface ModelCard {
  id: string;
  name?: string;
  at: Point | null;
  z?: number;
  facing?: number;
  base: Base;
  height?: number;
  wounds?: number;
  rules?: string[];
  weapons?: (string | WeaponCard)[];
  marks?: MarkList;
  removed?: boolean;
  /** The unit it belongs to now, if it has joined another. */
  unit?: string;
}

export interface UnitCard {
  id: string;
  side: Side;
  name?: string;
  type?: string;
  quality?: number | null;
  stats?: Record<string, Json>;
  points?: number;
  rules?: string[];
  keywords?: string[];
  start_size?: number;
  where?: string;
  marks?: MarkList;
  models: ModelCard[];
}

export interface TerrainPiece {
  id: string;
  name?: string;
  types: string[];
  polygon?: Point[] | null;
  disc?: [number, number, number] | null;
  height?: number;
  elevation?: number;
  solid?: boolean;
}

export interface Clock {
  phase: string;
  round: number;
  active: Side;
  first: Side;
  marks: Marks;
}

export interface Situation {
  edition: string;
  round?: number;
  active?: Side;
  table: { size: Point; terrain?: TerrainPiece[]; name?: string };
  units: UnitCard[];
  clock?: { phase: string; first?: Side; marks?: MarkList };
  sides?: Partial<Record<Side, { marks?: MarkList }>>;
}

export type Patch = [id: string, field: string, value: Json];

export interface GameEvent {
  n: number;
  kind: string;
  clauses: string[];
  set: Patch[];
  facts: Facts;
  text: string;
  /** How the number a roll needs came about: what, from, to, the clauses, and the special rule they belong to. */
  trail?: TrailLine[];
}

export type TrailLine = [what: string, before: Json, after: Json, clauses: string[], rule: string | null];

export type Option = string | number | boolean;

export interface DecisionRequest {
  who: Side;
  kind: string;
  options: Option[] | null;
  default: Json;
  clause: string;
  point: string;
  about: string | null;
  facts: Facts;
  /** The question in a line, and what follows from it, in the edition's words for players. */
  title?: string;
  text?: string;
  /** The gist of the clause, in the rulebook's words. */
  rule?: string;
  /** Words for plain options, what options mean here, and why others are not offered. */
  words?: Record<string, string>;
  notes?: Record<string, string>;
  missing?: { option: Option; why: string }[];
  /** What options cost that are paid for. */
  costs?: Record<string, string>;
  /** Questions of one group that follow each other; those with a row are answered on one screen. */
  group?: string;
  row?: string;
  key?: string;
  /** The models a move or a placement is about. */
  models?: string[];
  /** Whether the models go straight along their facing, as hulls do. */
  axial?: boolean;
  /** Where models may be placed: boxes `[x0, y0, x1, y1]` in inches. */
  zone?: [number, number, number, number][];
  /** Lawful points of a question for a place, the default first. */
  spots?: Point[];
  /** What would lie at each of the spots: the hull of two discs, `[x, y, radius]` in inches. */
  areas?: [[number, number, number], [number, number, number]][];
  /** Counts the requests of a game, so that a late answer cannot meet the wrong question. */
  serial?: number;
}

export interface Refusal {
  code: string;
  clause: string | null;
  message: string;
  value?: Json;
}

/** Something on the table to be held. */
export interface Marker {
  at: Point;
  reach: number;
  holder: Side | null;
  /** A stretch of ground that counts for its holder: left, bottom, right, top. */
  box?: [number, number, number, number] | null;
}

export interface Over {
  score: [number, number];
  winner: Side | "draw";
}

/** Who is at a battle: whether each side's player is here, and how many look on. */
export interface Present {
  A: boolean;
  B: boolean;
  watching: number;
}

/** Where the dice come from: promised before the first, shown after the last. */
export interface Fairness {
  commitment: string;
  practice: boolean;
  /** What is awaited of the players before the battle begins. */
  stage: "promise" | "number" | "done";
  promised: Partial<Record<Side, string>>;
  numbers: Partial<Record<Side, string>>;
  /** The seed, when the battle is over. */
  seed: string | null;
}

/** How things stand after an answer. */
export interface Standing {
  request: DecisionRequest | null;
  /** The side for which a machine thinks. */
  thinking?: Side | null;
  over: Over | null;
  score: [number, number];
  markers?: Marker[];
  /** Whether the last answer can be taken back, or why not; and by whom. */
  can_take_back?: boolean | string;
  take_back_by?: Side | null;
}

export interface Hello extends Standing {
  type: "hello";
  situation: Situation;
  seat: Seat;
  log: GameEvent[];
  cuts?: number;
  owner?: boolean;
  present?: Present;
  fairness?: Fairness;
  /** What players may say at any time: disputes, overrides, conceding. */
  talk?: string[];
  /** The reactions somebody may be asked about. */
  reactions?: string[];
  title: string;
  armies: [string, string];
  /** What the edition calls its statistics, marks and phases. */
  words?: EditionWords;
  /** Where a whole battle began, if its log is to be replayed from there. */
  opening?: Situation;
}

export interface EditionWords {
  stats: [key: string, label: string, template: string][];
  marks: Record<string, string>;
  phases: Record<string, string>;
  /** What the plain number of a roll is, by its purpose. */
  rolls?: Record<string, string>;
  /** How keywords that are written for programs stand on a card: by the whole, or by what is before the colon; empty if not at all. */
  keywords?: Record<string, string>;
  /** Marks players may agree to change by hand. */
  by_hand?: string[];
}

export interface Events extends Standing {
  type: "events";
  events: GameEvent[];
  present?: Present;
  fairness?: Fairness;
}

/** A unit that could be attacked from where a move ends. */
export interface Prospect {
  unit: string;
  range: number;
  cover: boolean;
  line: Json;
  odds: Facts | null;
}

export interface Watcher {
  unit: string;
  range: number;
  reaches: boolean;
}

export interface Looked {
  type: "looked";
  id: number;
  targets: Prospect[];
  seen_by: Watcher[];
}

/** A row of a screen of questions: the question, and how it is answered now. */
export interface Row extends DecisionRequest {
  value: Option;
}

export interface Surveyed {
  type: "surveyed";
  id: number;
  rows: Row[];
}

/** The furthest a unit can go as one, all round: points in inches, moved from where its middle stands. */
export interface Reached {
  type: "reached";
  id: number;
  outline: Point[];
}

export interface Judged {
  type: "judged";
  id: number;
  legal: boolean;
  refusal: Refusal | null;
  facts: Facts;
}

export interface Odds {
  type: "odds";
  id: number;
  option: Json;
  odds: Facts | null;
  line?: Json;
}

export type ServerMessage =
  | Hello
  | Events
  | { type: "refused"; refusal: Refusal }
  | { type: "unsaid"; refusal: Refusal }
  | Judged
  | Odds
  | Looked
  | Surveyed
  | Reached
  | { type: "suggested"; id: number; value: Json }
  | { type: "presence"; present: Present }
  | { type: "error"; message: string; id?: number; code?: string };

export type PageMessage =
  | { type: "sit"; token: string; seen?: number; cuts?: number }
  | { type: "promise"; hash: string }
  | { type: "number"; number: string }
  | { type: "answer"; value: Json; serial?: number }
  | { type: "talk"; name: string; said: Record<string, Json>; by?: Side }
  | { type: "judge"; id: number; value: Json }
  | { type: "odds"; id: number; option: Json }
  | { type: "look"; id: number; value: Json }
  | { type: "reach"; id: number }
  | { type: "suggest"; id: number }
  | { type: "survey"; id: number; plan: Record<string, Option> }
  | { type: "take-back" };

export interface ClauseText {
  id: string;
  edition: string;
  text: string;
  rulings?: string[];
  topic?: string;
  kind?: string;
}
