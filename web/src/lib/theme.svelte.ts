/** Light or dark: what the player chose, else what the machine prefers. */

const KEY = "rolloff-theme";
type Theme = "light" | "dark";

export const theme: { now: Theme } = $state({ now: "light" });

function wear(now: Theme): void {
  theme.now = now;
  document.documentElement.dataset["theme"] = now;
}

export function settleTheme(): void {
  const saved = localStorage.getItem(KEY);
  const prefers = matchMedia("(prefers-color-scheme: dark)");
  wear(saved === "light" || saved === "dark" ? saved : prefers.matches ? "dark" : "light");
  prefers.addEventListener("change", (event) => {
    if (!localStorage.getItem(KEY)) wear(event.matches ? "dark" : "light");
  });
}

export function switchTheme(): void {
  wear(theme.now === "light" ? "dark" : "light");
  localStorage.setItem(KEY, theme.now);
}
