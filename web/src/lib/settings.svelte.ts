/** What a player has set, kept in the browser: pace, palette, sound, and what is asked. */

export type Speed = "calm" | "brisk" | "instant";
export type Palette = "blue-orange" | "teal-magenta" | "high-contrast";

interface Saved {
  speed: Speed;
  palette: Palette;
  sound: boolean;
  /** Milliseconds before a new question takes an answer, so that a double click spends nothing. */
  guard: number;
  /** Ask who falls even where all who could are alike. */
  askAlike: boolean;
  previews: boolean;
  /** The reactions a player is never asked about, by edition. */
  never: Record<string, string[]>;
}

const KEY = "rolloff-settings";
const USUAL: Saved = { speed: "brisk", palette: "blue-orange", sound: false, guard: 400, askAlike: false, previews: true, never: {} };

function load(): Saved {
  try {
    return { ...USUAL, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Saved>) };
  } catch {
    return { ...USUAL };
  }
}

export const settings: Saved = $state(typeof localStorage === "undefined" ? { ...USUAL } : load());

export function keep(change: Partial<Saved>): void {
  Object.assign(settings, change);
  if (typeof localStorage !== "undefined") localStorage.setItem(KEY, JSON.stringify(settings));
  wearPalette();
}

export function wearPalette(): void {
  if (typeof document !== "undefined") document.documentElement.dataset["palette"] = settings.palette;
}
