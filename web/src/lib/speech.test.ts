import { describe, expect, it } from "vitest";
import { compile, Speech } from "./speech.svelte";

const speech = new Speech({
  "{unit} moves ({action}, {longest}\")": "{unit} bewegt sich ({action}, {longest}\")",
  "{unit}: {action}": "{unit}: {action}",
  "{about}": "{about}",
  "{purpose} of {about}": "{purpose} von {about}",
  "{attacks} attacks on {target}: {hits} hits, {wounds} wounds": "{attacks} Angriffe auf {target}: {hits} Treffer, {wounds} Wunden",
  "{unit} rolls {purpose}: {faces}": "{unit} würfelt {purpose}: {faces}",
  "needs {a}+, at {b}{c}": "braucht {a}+, auf {b}{c}",
  "no enemy can be reached within {a}": "kein Gegner ist innerhalb von {a} zu erreichen",
  "an enemy": "einen Gegner",
  walk: "Gehen",
  hit: "Treffer",
  Hold: "Halten",
});

describe("what the rules say", () => {
  it("is found by its template, and what is filled in goes along, known words in the other language", () => {
    expect(speech.say('Sentinels (A2) moves (walk, 6")')).toBe('Sentinels (A2) bewegt sich (Gehen, 6")');
    expect(speech.say("Sentinels (A2): walk")).toBe("Sentinels (A2): Gehen");
    expect(speech.say("Sentinels rolls hit 4+: 3, 5")).toBe("Sentinels würfelt Treffer 4+: 3, 5");
    expect(speech.say("needs 5+, at an enemy")).toBe("braucht 5+, auf einen Gegner");
    expect(speech.say("Hold")).toBe("Halten");
  });

  it("counts one of a thing as one", () => {
    expect(speech.say("1 attack on Levy: 1 hit, 11 wounds")).toBe("1 Angriff auf Levy: 1 Treffer, 11 Wunden");
  });

  it("is unknown where nothing fits, whatever colons it has", () => {
    expect(speech.say("Something else: entirely")).toBeNull();
    expect(speech.say("Whatever")).toBeNull();
    expect(speech.say("Storm Lash of Conscripts (B3)")).toBe("Storm Lash von Conscripts (B3)");
    expect(speech.say("By the book, and a tenth of the game size")).toBeNull();
    expect(compile("{about}", "{about}")).toBeNull();
  });

  it("takes markup and signs for plain text", () => {
    expect(speech.say('<img src=x> moves (walk, 1.5")')).toBe('<img src=x> bewegt sich (Gehen, 1.5")');
  });
});
