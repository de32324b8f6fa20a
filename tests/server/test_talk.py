"""What players say at any time, lines of sight and markers, as a battle of the shipped edition tells them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rolloff import agents
from rolloff.armies import library
from rolloff.editions import registry
from rolloff.errors import BadInput, IllegalCommand
from rolloff.geometry.moves import Stay
from rolloff.oracle.dice import Stream
from rolloff.oracle.oracle import Chooser
from rolloff.record.fairness import Fairness
from rolloff.record.lines import parse
from rolloff.record.verify import verify_lines
from rolloff.rules.game import Game
from rolloff.server.live import MOST_TALK, BattlePlan, LiveGame, Outcome, write_setup
from tests.server.conftest import Table

EDITION = "onepage-3.0"
TOPIC = {"topic": "the gate", "text": "it is open"}
Json = dict[str, Any]


class Scene:
    """A battle of two patrols; a seat is a person's unless it names a machine. Its machines answer at once."""

    def __init__(self, seats: tuple[str, str] = ("", ""), mission: str = "by-the-book") -> None:
        """Begin it."""
        setup = library.setup_for(EDITION, "compact-patrol", "levy-patrol", "crossing", mission=mission)
        game = Game(registry.edition(EDITION), setup)
        plan = BattlePlan("x", "x", write_setup(game), seats, ("person", "person"), Fairness(bytes(32)))
        chairs: list[Chooser | None] = [agents.make(name, Stream(b"x"), k) if name else None for k, name in enumerate(seats)]
        self.live = LiveGame(plan, (chairs[0], chairs[1]), None)
        self.log: list[Json] = []
        self.now: Json = {}
        self.take(self.live.open([]))

    def take(self, outcome: Outcome) -> None:
        """Note what came of something, and let machines answer."""
        while True:
            self.log += [msgspec.json.decode(event) for event in outcome.events]
            self.now = msgspec.json.decode(outcome.standing)
            if not outcome.thinking:
                return
            outcome = self.live.carry_on()

    def answer(self, value: Any, seat: str = "both") -> None:
        """Answer the open request."""
        self.take(self.live.answer(seat, value, None))

    def talk(self, side: str, name: str, said: Json) -> None:
        """Say something for a side."""
        self.take(self.live.talk(side, name, said))

    def ask(self, kind: str) -> Json:
        """Take suggestions until a question of a kind stands open; the question."""
        while self.now["request"]["kind"] != kind:
            self.answer(self.now["request"]["default"])
        found: Json = self.now["request"]
        return found

    def verified(self) -> bool:
        """Whether the record of the finished battle is true."""
        assert self.now["over"]
        return verify_lines(parse(self.live.record(), "x"), "x").verified


@pytest.mark.clause(EDITION, "GEN-6", "GEN-7")
def test_a_dispute_an_override_and_a_concession() -> None:
    """All three go through the battle, from whichever seat; everybody hears of them and the record verifies."""
    scene = Scene()
    request = scene.ask("choose-action")
    scene.talk("B", "dispute", TOPIC)
    with pytest.raises(IllegalCommand):
        scene.talk("A", "dispute", TOPIC)
    scene.talk("A", "override", {"pinned": [request["about"], True]})
    consent = scene.now["request"]
    assert (consent["who"], consent["facts"]["purpose"]) == ("B", "consent")
    scene.answer(True, "B")
    again = scene.now["request"]
    assert (again["kind"], again["about"]) == ("choose-action", request["about"])
    scene.talk("A", "concede", {})
    kinds = [event["kind"] for event in scene.log]
    assert [kind for kind in kinds if kind in ("ruled", "overridden", "conceded")] == ["ruled", "overridden", "conceded"]
    assert scene.now["over"]["winner"] == "B"
    assert scene.verified()


def test_a_dispute_uses_up_no_die_of_the_game() -> None:
    """The dice that fall after a dispute are those that would have fallen without it."""
    faces = []
    for disputed in (False, True):
        scene = Scene()
        scene.ask("choose-action")
        before = len(scene.log)
        if disputed:
            scene.talk("B", "dispute", TOPIC)
        for _ in range(30):
            scene.answer(scene.now["request"]["default"])
        rolled = [event["facts"] for event in scene.log[before:] if event["kind"] == "rolled"]
        faces.append([facts["faces"] for facts in rolled if facts["purpose"] != "dispute"])
    assert faces[0] and faces[0] == faces[1]


def test_talk_has_an_end_and_events_carry_only_the_change() -> None:
    """Rulings do not pile up in every event, and nobody talks for ever."""
    scene = Scene()
    scene.ask("choose-action")
    for k in range(MOST_TALK):
        scene.talk("AB"[k % 2], "dispute", {"topic": f"topic {k}", "text": "x" * 200})
    assert len(msgspec.json.encode(scene.log[-1])) < 2000
    assert len(msgspec.json.encode(scene.log)) < 400_000
    with pytest.raises(BadInput, match="enough has been said"):
        scene.talk("A", "dispute", {"topic": "one more", "text": "x"})


def test_a_machine_agrees_to_nothing() -> None:
    """A machine that weighs nothing by hand refuses an override, and the game goes on."""
    scene = Scene(("", "greedy"))
    request = scene.ask("choose-action")
    scene.talk("A", "override", {"pinned": [request["about"], True]})
    assert scene.log[-1]["kind"] == "not-agreed"
    scene.talk("A", "concede", {})
    assert scene.verified()


def test_what_the_edition_does_not_know_is_not_said() -> None:
    """An unknown word is refused, and the known ones are offered."""
    scene = Scene()
    with pytest.raises(BadInput):
        scene.talk("A", "sing", {})
    assert msgspec.json.decode(scene.live.hello())["talk"] == ["dispute", "override", "concede"]


def test_a_shot_is_told_with_its_line_of_sight() -> None:
    """The line of a shot, and of a target before it is chosen, runs from the shooter to the target."""
    scene = Scene(("", "closing"))
    option = scene.ask("choose-target")["default"]
    seen = scene.live.ask("odds", option)
    before = len(scene.log)
    scene.answer(option)
    while not any(event["kind"] == "shot" for event in scene.log[before:]):
        scene.answer(scene.now["request"]["default"])
    shot = next(event for event in scene.log[before:] if event["kind"] == "shot")
    (x0, y0), (x1, y1) = shot["facts"]["line"]
    assert seen["line"] == shot["facts"]["line"] and (x0, y0) != (x1, y1)
    assert b'"line"' not in scene.live.record()


@pytest.mark.parametrize(("mission", "points", "boxes"), [("hold-the-ground", 5, 0), ("breakthrough", 0, 2), ("", 0, 0)])
def test_markers_are_told_with_who_holds_them(mission: str, points: int, boxes: int) -> None:
    """A mission tells where its markers lie and whose they are, or the ground each side must reach; else nothing."""
    scene = Scene(mission=mission)
    scene.ask("place")
    rows = scene.now["markers"]
    round_ones = [row for row in rows if row["box"] is None]
    assert [(row["reach"], row["holder"]) for row in round_ones] == [(3, None)] * points
    strips = {row["holder"]: row["box"] for row in rows if row["box"]}
    assert len(strips) == boxes and all(box[3] - box[1] == 12 for box in strips.values())


def test_a_walk_is_suggested_toward_the_enemy() -> None:
    """Where a unit may stay, the page is suggested a legal way toward an enemy; the session knows nothing of it."""
    scene = Scene(("", "closing"))
    scene.ask("choose-action")
    scene.answer("walk")
    assert scene.now["request"]["kind"] == "move"
    suggested = scene.live.ask("suggest", None)["value"]
    assert suggested != "stay"
    assert scene.live.ask("judge", suggested)["facts"]["distance"] > 3
    assert scene.live.session.request is not None and scene.live.session.request.default == Stay()
    scene.answer(suggested)


@pytest.mark.parametrize(("by", "seat"), [("", "none"), ("B", "A"), ("", "both"), ("C", "both")])
def test_nobody_speaks_without_a_seat_or_for_another(table: Table, by: str, seat: str) -> None:
    """A spectator, a side for the other, and both hands without saying for which, are refused."""
    with table.sit(table.start(opponent="self" if seat == "both" else "default"), seat) as line:
        line.heard()
        reply = line.ask(type="talk", name="concede", said={}, by=by)
        assert (reply["type"], reply["refusal"]["code"]) == ("unsaid", "not-yours")


def test_talk_over_the_wire(table: Table) -> None:
    """An edition without such words says so to whoever used them."""
    with table.sit(table.start()) as seat:
        assert seat.heard()["talk"] == []
        reply = seat.ask(type="talk", name="concede", said={})
        assert reply["type"] == "unsaid" and "has no 'concede'" in reply["refusal"]["message"]
