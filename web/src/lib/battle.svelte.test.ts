import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Battle, lineIn } from "./battle.svelte";
import { settings } from "./settings.svelte";
import type { Listener } from "./socket";
import type { DecisionRequest, Events, GameEvent, Hello, Json, PageMessage } from "./wire";

/** A server written down beforehand: keeps what the page sends and says what the test wants. */
class Script {
  sent: PageMessage[] = [];
  /** The questions for a suggestion, kept apart: the page asks it of every question worth thinking about. */
  pondered: PageMessage[] = [];
  listener!: Listener;
  battle: Battle;

  constructor() {
    this.battle = new Battle((listener) => {
      this.listener = listener;
      listener.changed("open");
      return { send: (message) => void (message.type === "suggest" ? this.pondered : this.sent).push(message), close: () => undefined };
    });
  }

  get last(): PageMessage | undefined {
    return this.sent.at(-1);
  }
}

const ask = (kind: string, more: Partial<DecisionRequest> = {}): DecisionRequest => ({
  who: "A",
  kind,
  options: ["a1", "a2"],
  default: "a1",
  clause: "X-1",
  point: "",
  about: null,
  facts: {},
  ...more,
});

const hello = (request: DecisionRequest | null): Hello => ({
  type: "hello",
  seat: "A",
  title: "Toy",
  armies: ["Reds", "Greens"],
  log: [],
  over: null,
  score: [0, 0],
  request,
  situation: {
    edition: "toy",
    table: { size: [72, 48] },
    units: [{ id: "a1", side: "A", models: [{ id: "a1.1", at: [10, 10], base: { circle: 1 } }] }],
  },
});

const event = (n: number, set: GameEvent["set"], facts: Record<string, Json> = {}): GameEvent => ({
  n,
  kind: "moved",
  clauses: [],
  set,
  facts,
  text: "moved",
});

describe("a battle", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    settings.guard = 0;
  });
  afterEach(() => void vi.useRealTimers());

  it("shows events one after the other and opens the request after the last", () => {
    const { battle, listener } = new Script();
    listener.heard(hello(null));
    const events = [event(0, [["a1.1", "at", [12, 10]]]), event(1, [["a1.1", "wounds", 1]])];
    listener.heard({ type: "events", events, request: ask("choose-unit"), over: null, score: [5, 0] });
    expect([battle.board?.models.get("a1.1")?.at, battle.board?.models.get("a1.1")?.wounds]).toEqual([[12, 10], 0]);
    expect([battle.showing, battle.request]).toEqual([true, null]);
    vi.runAllTimers();
    expect(battle.board?.models.get("a1.1")?.wounds).toBe(1);
    expect([battle.showing, battle.mine, battle.score, battle.log.length]).toEqual([false, true, [5, 0], 2]);
  });

  it("can be hurried to the end of what is shown", () => {
    const { battle, listener } = new Script();
    listener.heard(hello(null));
    const events = [0, 1, 2].map((n) => event(n, [["a1.1", "at", [n, 10]]]));
    listener.heard({ type: "events", events, request: ask("choose-unit"), over: null, score: [0, 0] });
    battle.skip();
    expect([battle.board?.models.get("a1.1")?.at, battle.request?.kind]).toEqual([[2, 10], "choose-unit"]);
  });

  it("answers once, and again after a refusal", () => {
    const script = new Script();
    script.listener.heard(hello(ask("choose-unit", { serial: 7 })));
    script.battle.answer("a1");
    script.battle.answer("a1");
    expect(script.sent).toEqual([{ type: "answer", value: "a1", serial: 7 }]);
    script.listener.heard({ type: "refused", refusal: { code: "no", clause: "X-1", message: "not so" } });
    expect(script.battle.refusal?.message).toBe("not so");
    script.battle.answer("a1");
    expect(script.sent.length).toBe(2);
  });

  it("takes no answer in the moment after a question opens", () => {
    settings.guard = 400;
    const script = new Script();
    script.listener.heard(hello(ask("choose-unit")));
    script.battle.answer("a1");
    expect(script.sent).toEqual([]);
    vi.advanceTimersByTime(401);
    script.battle.answer("a1");
    expect(script.sent.length).toBe(1);
  });

  it("answers by itself what leaves no choice, and what was planned ahead", () => {
    const script = new Script();
    script.listener.heard(hello(ask("choose-unit", { options: ["a1"], serial: 1 })));
    expect(script.last).toEqual({ type: "answer", value: "a1", serial: 1 });
    script.listener.heard(hello(ask("choose-option", { options: ["x", "y"], key: "one", serial: 2 })));
    script.battle.answerAll({ one: "y", two: "x" });
    expect(script.last).toEqual({ type: "answer", value: "y", serial: 2 });
    const next = ask("choose-option", { options: ["x", "y"], default: "y", key: "two", serial: 3 });
    script.listener.heard({ type: "events", events: [], request: next, over: null, score: [0, 0] });
    expect(script.last).toEqual({ type: "answer", value: "x", serial: 3 });
  });

  it("leaves a group of questions to the suggestions and stops at the next of another", () => {
    const script = new Script();
    const deploy = ask("choose-unit", { group: "deploy", serial: 1 });
    script.listener.heard(hello(deploy));
    script.battle.takeSuggestions();
    expect(script.last).toEqual({ type: "answer", value: "a1", serial: 1 });
    script.listener.heard({ type: "events", events: [], request: { ...deploy, serial: 2 }, over: null, score: [0, 0] });
    script.listener.heard({ type: "events", events: [], request: ask("choose-unit", { serial: 3 }), over: null, score: [0, 0] });
    expect(script.sent.length).toBe(2);
    expect(script.battle.request?.serial).toBe(3);
  });

  it("shows again what happened since the last answer, and comes back", () => {
    settings.speed = "instant";
    const script = new Script();
    script.listener.heard(hello(ask("choose-unit")));
    script.battle.answer("a1");
    const events = [0, 1, 2].map((n) => event(n, [["a1.1", "at", [n, 10]]]));
    script.listener.heard({ type: "events", events, request: ask("choose-unit"), over: null, score: [0, 0] });
    const { battle } = script;
    expect(battle.review.news.length).toBe(3);
    battle.review.recap();
    expect(battle.board?.models.get("a1.1")?.at).toEqual([0, 10]);
    battle.review.show(1);
    expect(battle.board?.models.get("a1.1")?.at).toEqual([1, 10]);
    battle.review.leave();
    expect(battle.board?.models.get("a1.1")?.at).toEqual([2, 10]);
    settings.speed = "brisk";
  });

  it("keeps ghosts of the fallen and counts losses until the player answers again", () => {
    settings.speed = "instant";
    const script = new Script();
    script.listener.heard(hello(null));
    script.listener.heard({ type: "events", events: [event(0, [["a1.1", "removed", true]])], request: ask("choose-unit"), over: null, score: [0, 0] });
    expect(script.battle.traces.ghosts.map((ghost) => ghost.at)).toEqual([[10, 10]]);
    expect(script.battle.traces.losses.get("a1")).toEqual({ models: 1, wounds: 0 });
    const twice = [event(1, [["a1.1", "removed", false], ["a1.1", "at", [12, 10]]]), event(2, [["a1.1", "removed", true]])];
    script.listener.heard({ type: "events", events: twice, request: ask("choose-unit"), over: null, score: [0, 0] });
    expect(script.battle.traces.ghosts.map((ghost) => ghost.at)).toEqual([[12, 10]]);
    script.battle.answer("a1");
    script.listener.heard({ type: "events", events: [], request: null, over: null, score: [0, 0] });
    expect(script.battle.traces.ghosts).toEqual([]);
    settings.speed = "brisk";
  });

  it("does not answer for the other side or from a spectator's seat", () => {
    const script = new Script();
    script.listener.heard(hello(ask("choose-unit", { who: "B" })));
    script.battle.answer("a1");
    script.listener.heard({ ...hello(ask("choose-unit")), seat: "none" });
    script.battle.answer("a1");
    expect(script.sent).toEqual([]);
    script.listener.heard({ ...hello(ask("choose-unit", { who: "B" })), seat: "both" });
    script.battle.answer("a1");
    expect(script.sent.length).toBe(1);
  });

  it("has a drag judged one plan at a time, always the newest", async () => {
    const script = new Script();
    script.listener.heard(hello(ask("move", { options: null, default: "stay", about: "a1" })));
    const mover = script.battle.mover!;
    expect(script.sent[0]).toMatchObject({ type: "judge", value: "stay" });
    expect(script.sent[1]).toMatchObject({ type: "reach" });
    const verdict = (id: number, legal: boolean): void =>
      script.listener.heard({ type: "judged", id, legal, refusal: legal ? null : { code: "x", clause: "M-1", message: "too far" }, facts: {} });
    verdict((script.sent[0] as { id: number }).id, true);
    const from = mover.plan;
    for (const x of [1, 2, 3, 30]) mover.drag(from, ["a1.1"], [x, 0]);
    expect(script.sent.length).toBe(3);
    verdict((script.last as { id: number }).id, true);
    await vi.runAllTimersAsync();
    expect(script.last).toMatchObject({ type: "judge", value: { shift: [30, 0] } });
    verdict((script.last as { id: number }).id, false);
    await vi.runAllTimersAsync();
    expect([mover.legal, mover.refusal?.clause, mover.judging]).toEqual([false, "M-1", false]);
  });

  it("begins with the suggestion for models that come onto the table, and answers with paths", () => {
    const script = new Script();
    const paths = { "a1.1": [[20, 20], [23, 20]] };
    const greeting = hello(ask("move", { options: null, default: paths, about: "a1", models: ["a1.1"] }));
    greeting.situation.units[0]!.models[0]!.at = null;
    script.listener.heard(greeting);
    const mover = script.battle.mover!;
    expect(mover.answer).toEqual(paths);
    mover.drag(mover.plan, ["a1.1"], [0, 1]);
    expect(mover.answer).toEqual({ "a1.1": [[20, 20], [23, 21]] });
    mover.reset();
    expect(mover.answer).toEqual(paths);
  });

  it("asks what would be a good answer, and has none of its own until it is in", async () => {
    const script = new Script();
    script.listener.heard(hello(ask("choose-unit")));
    expect(script.battle.hint).toBeUndefined();
    script.listener.heard({ type: "suggested", id: (script.pondered[0] as { id: number }).id, value: "a2" });
    await vi.runAllTimersAsync();
    expect(script.battle.hint).toBe("a2");
    script.listener.heard(hello(ask("yes-no", { options: [true, false], default: true })));
    expect([script.battle.hint, script.pondered.length]).toEqual([null, 1]);
  });

  it("lays a suggested move on the table when asked to", async () => {
    const script = new Script();
    script.listener.heard(hello(ask("move", { options: null, default: "stay", about: "a1" })));
    script.listener.heard({ type: "suggested", id: (script.pondered[0] as { id: number }).id, value: { shift: [3, 0] } });
    await vi.runAllTimersAsync();
    expect(script.battle.mover!.unmoved).toBe(true);
    script.battle.mover!.suggest();
    expect(script.battle.mover!.answer).toEqual({ shift: [3, 0] });
  });

  it("asks for the odds of an option once", async () => {
    const script = new Script();
    script.listener.heard(hello(ask("choose-target", { options: ["b1", "b2"] })));
    script.battle.eye("b1");
    script.battle.eye("b1");
    expect(script.sent.length).toBe(1);
    script.listener.heard({ type: "odds", id: (script.last as { id: number }).id, option: "b1", odds: { kills: [0.5, 0.5] } });
    await vi.runAllTimersAsync();
    expect(script.battle.odds.get("b1")).toEqual({ kills: [0.5, 0.5] });
  });

  it("is told whole again after the line was lost", async () => {
    const script = new Script();
    script.listener.heard(hello(ask("choose-unit")));
    script.battle.answer("a1");
    const verdict = script.battle.judge("stay");
    script.listener.changed("lost");
    expect((await verdict).legal).toBe(false);
    script.listener.changed("open");
    script.listener.heard(hello(ask("choose-unit")));
    expect([script.battle.sent, script.battle.mine]).toEqual([false, true]);
  });
});

describe("talk", () => {
  it("is sent as it is said, and with the side only by who has both", () => {
    const script = new Script();
    script.listener.heard({ ...hello(ask("choose-unit")), talk: ["concede"] });
    expect(script.battle.talk).toEqual(["concede"]);
    script.battle.say("concede", {}, "A");
    expect(script.last).toEqual({ type: "talk", name: "concede", said: {} });
    script.listener.heard({ ...hello(ask("choose-unit")), seat: "both" });
    script.battle.say("concede", {}, "B");
    expect(script.last).toEqual({ type: "talk", name: "concede", said: {}, by: "B" });
  });

  it("that is refused says why until something else is said", () => {
    const script = new Script();
    script.listener.heard(hello(ask("choose-unit")));
    script.listener.heard({ type: "unsaid", refusal: { code: "x", clause: null, message: "not now" } });
    expect([script.battle.unsaid?.message, script.battle.mine]).toEqual(["not now", true]);
    script.battle.say("concede", {}, "A");
    expect(script.battle.unsaid).toBeNull();
  });
});

describe("windows to react in", () => {
  const events = (request: DecisionRequest): Events => ({ type: "events", events: [], request, over: null, score: [0, 0] });
  const react = (name: string, serial = 1): DecisionRequest =>
    ask("react", { options: [`${name} a1`, "pass"], default: "pass", facts: { reactions: [name], moment: "shot" }, serial });
  beforeEach(() => {
    settings.guard = 0;
    settings.never = {};
  });

  it("are passed by one word, and by themselves where the player is never asked", () => {
    const script = new Script();
    script.listener.heard({ ...hello(react("Duck")), reactions: ["Duck", "Fire"] });
    expect([script.battle.reactions, script.sent]).toEqual([["Duck", "Fire"], []]);
    script.battle.ask("Duck", false);
    expect(script.last).toEqual({ type: "answer", value: "pass", serial: 1 });
    script.listener.heard(events(react("Duck", 2)));
    expect(script.last).toEqual({ type: "answer", value: "pass", serial: 2 });
    script.listener.heard(events(react("Fire", 3)));
    expect([script.sent.length, script.battle.request?.serial]).toEqual([2, 3]);
    script.battle.pass();
    expect(script.last).toEqual({ type: "answer", value: "pass", serial: 3 });
    script.battle.ask("Duck", true);
    script.listener.heard(events(react("Duck", 4)));
    expect([script.sent.length, script.battle.never]).toEqual([3, []]);
  });

  it("are passed by themselves until the phase ends, where the player wants no more of them in it", () => {
    const script = new Script();
    script.listener.heard({ ...hello(react("Duck")), reactions: ["Duck", "Fire"] });
    script.battle.passPhase();
    expect(script.last).toEqual({ type: "answer", value: "pass", serial: 1 });
    script.listener.heard(events(react("Fire", 2)));
    expect(script.last).toEqual({ type: "answer", value: "pass", serial: 2 });
    script.listener.heard(events(ask("choose-unit", { options: ["a1", "pass"], serial: 3 })));
    expect([script.sent.length, script.battle.request?.serial]).toEqual([2, 3]);
    const clock = script.battle.live!.clock;
    script.battle.live!.clock = { ...clock, round: clock.round + 1 };
    script.listener.heard(events(react("Fire", 4)));
    expect([script.sent.length, script.battle.request?.serial]).toEqual([2, 4]);
  });

  it("are shown where the player takes back what was passed by itself", () => {
    const script = new Script();
    settings.never = { toy: ["Duck"] };
    script.listener.heard({ ...hello(ask("choose-unit")), can_take_back: true, take_back_by: "A" });
    script.battle.takeBack();
    script.listener.heard(hello(react("Duck")));
    expect([script.last, script.battle.request?.kind]).toEqual([{ type: "take-back" }, "react"]);
    script.battle.pass();
    script.listener.heard(events(react("Duck", 2)));
    expect(script.last).toEqual({ type: "answer", value: "pass", serial: 2 });
  });

  it("show the targets named so far until another question comes", () => {
    const script = new Script();
    const name = (options: string[]): DecisionRequest => ask("choose-target", { options, key: "DP:charge:a1", about: "a1" });
    script.listener.heard(hello(name(["b1", "b2"])));
    script.battle.answer("b1");
    script.listener.heard(events(name(["b2", "pass"])));
    expect(script.battle.named).toEqual(["b1"]);
    script.battle.answer("b2");
    script.listener.heard(events(name(["b3", "pass"])));
    expect(script.battle.named).toEqual(["b1", "b2"]);
    script.battle.answer("pass");
    script.listener.heard(events(ask("choose-unit")));
    expect(script.battle.named).toEqual([]);
  });
});

describe("evidence", () => {
  it("shows the line to the target looked at before that of the last shot", async () => {
    const script = new Script();
    script.listener.heard(hello(ask("choose-target", { options: ["b1", "b2"] })));
    script.battle.evidence = [[0, 0], [1, 1]];
    script.battle.eye("b1");
    expect(script.battle.sightLine).toEqual([[0, 0], [1, 1]]);
    script.listener.heard({ type: "odds", id: (script.last as { id: number }).id, option: "b1", odds: null, line: [[0, 0], [5, 5]] });
    await vi.waitFor(() => expect(script.battle.lines.size).toBe(1));
    expect(script.battle.sightLine).toEqual([[0, 0], [5, 5]]);
  });

  it("is a line only if it has two ends", () => {
    expect(lineIn({ line: [[0, 1], [2, 3]] })).toEqual([[0, 1], [2, 3]]);
    for (const line of [null, [[0, 1]], [[0], [1, 2]], "no"]) expect(lineIn({ line })).toBeNull();
  });
});
