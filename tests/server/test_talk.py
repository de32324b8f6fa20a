"""What players say at any time, lines of sight and markers, as a battle of the shipped edition tells them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import msgspec
import pytest

from rolloff import agents
from rolloff.armies import library
from rolloff.editions import registry
from rolloff.errors import BadInput, IllegalCommand
from rolloff.geometry.moves import Stay
from rolloff.oracle.dice import Stream
from rolloff.oracle.oracle import Chooser
from rolloff.record.lines import parse
from rolloff.record.verify import verify_lines
from rolloff.rules.game import Game
from rolloff.server.battle import Battle, Viewer
from tests.server.conftest import Table

EDITION = "onepage-3.0"
TOPIC = {"topic": "the gate", "text": "it is open"}
Json = dict[str, Any]
T = TypeVar("T")


def battle_of(seats: tuple[str, str] = ("", ""), mission: str = "by-the-book") -> Battle:
    """A battle of two patrols; a seat is a person's unless it names a machine."""
    game = Game(
        registry.edition(EDITION), library.setup_for(EDITION, "compact-patrol", "levy-patrol", "crossing", mission=mission)
    )
    chairs: list[Chooser | None] = [agents.make(name, Stream(b"x"), k) if name else None for k, name in enumerate(seats)]
    return Battle("x", game, bytes(32), chairs, ("person", "person"))


async def ask(battle: Battle, kind: str, **facts: Any) -> Json:
    """Take suggestions until a question of a kind stands open; the question."""
    while True:
        request: Json | None = (await battle.situation())["request"]
        assert request is not None
        if request["kind"] == kind and all(request["facts"].get(name) == value for name, value in facts.items()):
            return request
        await battle.answer("both", request["default"])


def run(scene: Coroutine[Any, Any, T]) -> T:
    """Run a scene to its end in a thread of its own: this one may already serve a browser's loop."""
    with ThreadPoolExecutor(1) as alone:
        return alone.submit(asyncio.run, scene).result()


def played(scene: Callable[[Battle], Awaitable[None]], **how: Any) -> Battle:
    """Begin a battle and let a scene be played in it."""
    battle = battle_of(**how)

    async def whole() -> None:
        await battle.begin()
        await scene(battle)

    run(whole())
    return battle


def verified(battle: Battle) -> bool:
    """Whether the record of a finished battle is true."""
    assert battle.over
    return verify_lines(parse(run(battle.record()), "x"), "x").verified


@pytest.mark.clause(EDITION, "GEN-6", "GEN-7")
def test_a_dispute_an_override_and_a_concession() -> None:
    """All three go through the battle, from whichever seat; everybody hears of them and the record verifies."""

    async def scene(battle: Battle) -> None:
        viewer = Viewer("none")
        await battle.join(viewer)
        request = await ask(battle, "choose-action")
        await battle.talk("B", "dispute", TOPIC)
        with pytest.raises(IllegalCommand):
            await battle.talk("A", "dispute", TOPIC)
        await battle.talk("A", "override", {"pinned": [request["about"], True]})
        consent = (await battle.situation())["request"]
        assert (consent["who"], consent["facts"]["purpose"]) == ("B", "consent")
        await battle.answer("B", True)
        again = (await battle.situation())["request"]
        assert (again["kind"], again["about"]) == ("choose-action", request["about"])
        await battle.talk("both", "concede", {}, by="A")
        told = [msgspec.json.decode(viewer.inbox.get_nowait() or b"") for _ in range(viewer.inbox.qsize())]
        kinds = [event["kind"] for message in told for event in message.get("events", ())]
        assert [kind for kind in kinds if kind in ("ruled", "overridden", "conceded")] == ["ruled", "overridden", "conceded"]
        assert told[-1]["over"]["winner"] == "B"

    assert verified(played(scene))


def test_a_machine_agrees_to_nothing() -> None:
    """A machine that weighs nothing by hand refuses an override, and the game goes on."""

    async def scene(battle: Battle) -> None:
        request = await ask(battle, "choose-action")
        await battle.talk("A", "override", {"pinned": [request["about"], True]})
        assert battle.log[-1]["kind"] == "not-agreed"
        await battle.talk("A", "concede", {})

    assert verified(played(scene, seats=("", "greedy")))


def test_who_may_speak() -> None:
    """Nobody speaks without a seat or for another, and what the edition does not know is refused."""

    async def scene(battle: Battle) -> None:
        for seat, by in (("none", ""), ("A", "B"), ("both", ""), ("both", "C")):
            with pytest.raises(BadInput):
                await battle.talk(seat, "concede", {}, by)
        with pytest.raises(BadInput):
            await battle.talk("A", "sing", {})
        assert (await battle.situation())["talk"] == ["dispute", "override", "concede"]

    played(scene)


def test_a_shot_is_told_with_its_line_of_sight() -> None:
    """The line of a shot, and of a target before it is chosen, runs from the shooter to the target."""

    async def scene(battle: Battle) -> None:
        request = await ask(battle, "choose-target")
        option = request["default"]
        seen = await battle.odds(option)
        before = len(battle.log)
        await battle.answer("both", option)
        while not any(event["kind"] == "shot" for event in battle.log[before:]):
            asked = (await battle.situation())["request"]
            await battle.answer("both", asked["default"])
        shot = next(event for event in battle.log[before:] if event["kind"] == "shot")
        (x0, y0), (x1, y1) = shot["facts"]["line"]
        assert seen["line"] == shot["facts"]["line"] and (x0, y0) != (x1, y1)

    battle = played(scene, seats=("", "closing"))
    assert b'"line"' not in run(battle.record())


@pytest.mark.parametrize(("mission", "points", "boxes"), [("hold-the-ground", 5, 0), ("breakthrough", 0, 2), ("", 0, 0)])
def test_markers_are_told_with_who_holds_them(mission: str, points: int, boxes: int) -> None:
    """A mission tells where its markers lie and whose they are, or the ground each side must reach; else nothing."""

    async def scene(battle: Battle) -> None:
        await ask(battle, "place")
        rows = (await battle.situation())["markers"]
        round_ones = [row for row in rows if row["box"] is None]
        assert [(row["reach"], row["holder"]) for row in round_ones] == [(3, None)] * points
        strips = {row["holder"]: row["box"] for row in rows if row["box"]}
        assert len(strips) == boxes and all(box[3] - box[1] == 12 for box in strips.values())

    played(scene, mission=mission)


def test_a_walk_is_suggested_toward_the_enemy() -> None:
    """Where a unit may stay, the page is shown a legal way to the nearest enemy; the session knows nothing of it."""

    async def scene(battle: Battle) -> None:
        await ask(battle, "choose-action")
        await battle.answer("both", "walk")
        request = (await battle.situation())["request"]
        assert request["kind"] == "move" and request["default"] != "stay"
        assert (await battle.judge(request["default"]))["facts"]["distance"] > 3
        assert battle.session.request is not None and battle.session.request.default == Stay()
        await battle.answer("both", request["default"])

    played(scene, seats=("", "closing"))


def test_talk_over_the_wire(table: Table) -> None:
    """An edition without such words says so to whoever used them."""
    with table.sit(table.start()) as seat:
        assert seat.heard()["talk"] == []
        reply = seat.ask(type="talk", name="concede", said={})
        assert reply["type"] == "unsaid" and "has no 'concede'" in reply["refusal"]["message"]
