/** The lessons of the tutorial battle: each waits for something the player does, then the next is shown. */

import type { Battle } from "./battle.svelte";

export interface Lesson {
  /** Which moment it belongs to. */
  when: (battle: Battle) => boolean;
  text: string;
}

const kind = (battle: Battle): string => (battle.mine && !battle.showing ? (battle.request?.kind ?? "") : "");
const event = (battle: Battle, word: string): boolean => battle.log.some((one) => one.text.includes(word));

/** The first that fits is shown; those of rarer moments come first. */
export const LESSONS: Lesson[] = [
  { when: (battle) => battle.over !== null, text: "The battle is over. Replay and report shows where it turned, and how lucky you were. That was all: you can play." },
  { when: (battle) => battle.showing, text: "Watch the enemy. Space skips, and R shows it again, step by step." },
  { when: (battle) => Boolean(battle.request?.row) && battle.mine, text: "This is your army. You may let heroes join units or let units ride. The suggestion is fine: press Ready." },
  { when: (battle) => kind(battle) === "choose-side", text: "You won the roll-off. Choose the edge you deploy along: point at one to see it on the table." },
  { when: (battle) => kind(battle) === "place", text: "Drag the unit to where it shall stand. Green means allowed; then press Place here." },
  { when: (battle) => kind(battle) === "choose-unit" && Boolean(battle.request?.group), text: "Deploy your army: drag a unit from the list onto the table, or leave the rest to the page." },
  { when: (battle) => kind(battle) === "choose-target", text: "Whom to shoot? Beside each target stand the models you can expect to remove. Point at one to see the exact odds." },
  { when: (battle) => kind(battle) === "move" && !battle.mover?.unmoved, text: "The page says whether this is allowed, whom you could attack from there and who would see you. Confirm when you like it." },
  { when: (battle) => kind(battle) === "move", text: "Drag the unit. The green outline is where it can go as one. Nothing is decided until you confirm." },
  { when: (battle) => kind(battle) === "choose-action", text: "Each action says how far it goes and what follows. Point at one to read more. Z takes your choice back." },
  { when: (battle) => kind(battle) === "allocate" || kind(battle) === "choose-model", text: "You lost models. You choose who falls." },
  { when: (battle) => kind(battle) === "choose-unit" && event(battle, "Round 2"), text: "A new round: every unit acts again. You know it all now; play on to the end." },
  { when: (battle) => kind(battle) === "choose-unit", text: "Your turn: choose the unit that acts. Click its button, or its token and then the button." },
  { when: (battle) => battle.mine, text: "Answer the question on the right. Any underlined why? shows the rule behind it." },
];

export const lessonFor = (battle: Battle): string => LESSONS.find((lesson) => lesson.when(battle))?.text ?? "";
