"""The greedy opponent in small situations: mines, targets, cover, passengers."""

from __future__ import annotations

from math import comb

import pytest

from rolloff.agents import make
from rolloff.agents.greedy import Greedy
from rolloff.agents.prospects import expected
from rolloff.geometry.moves import Order
from rolloff.geometry.paths import judge
from rolloff.oracle.dice import SeededDice, Stream
from rolloff.oracle.oracle import Defaults, Oracle, Question, Seats
from rolloff.rules.play import Play, play_step
from rolloff.situations.forms import SituationForm, fill
from rolloff.situations.situation import read_situation
from rolloff.table.event import Event
from rolloff.table.request import Request

Json = dict[str, object]


class Watching:
    """Hands requests on to an opponent and notes how much dangerous ground each of its moves touches."""

    def __init__(self, name: str) -> None:
        """Seat the opponent."""
        self.agent = make(name, Stream(b"watched"), 0)
        self.touched: list[int] = []
        self.answers: list[tuple[str, object]] = []

    def choose(self, request: Question, play: object) -> object:
        """The opponent's answer."""
        assert isinstance(request, Request) and isinstance(play, Play)
        answer = self.agent.choose(request, play)
        self.answers.append((request.kind, answer))
        if isinstance(request.order, Order):
            self.touched.append(len(judge(play.scene, request.order, answer).dangerous))  # type: ignore[arg-type]
        return answer

    def refused(self, request: Question, answer: object, error: Exception) -> bool:
        """Nothing here is refused."""
        return False


def unit(id: str, at: list[list[float]], weapons: list[str], **more: object) -> Json:
    """A unit of one-inch bases."""
    models = [{"id": f"{id}.{k}", "at": spot, "base": {"circle": 1.0}, "weapons": weapons} for k, spot in enumerate(at, 1)]
    return {"id": id, "side": id[0].upper(), "models": models, **more}


def activation(name: str, units: list[Json], terrain: list[Json] | None = None, **more: object) -> tuple[Watching, list[Event]]:
    """One activation of side A by an opponent."""
    form: Json = {"edition": "onepage-3.0", "round": 1, "active": "A", "units": units, "table": {"terrain": terrain or []}}
    form.update(more)
    found = read_situation(fill(form, SituationForm))
    watching = Watching(name)
    oracle = Oracle(SeededDice(b"dice"), Seats([watching, watching]))
    return watching, play_step(found.game, found.state, oracle).events


MINES: Json = {"id": "mines", "types": ["dangerous"], "polygon": [[20, 14], [30, 14], [30, 17], [20, 17]]}
PACK = [[24.0, 10.0], [25.5, 10.0], [27.0, 10.0]]


def test_greedy_goes_round_a_minefield() -> None:
    """With mines straight ahead and a way beside them, greedy comes nearer without touching any; closing does not care."""
    units = [unit("a1", PACK, ["Heavy Claws"]), unit("b1", [[25.0, 40.0]], ["Pistol"])]
    greedy, events = activation("greedy", units, [MINES])
    moved = [event for event in events if event.kind == "moved"]
    assert moved and greedy.touched and not any(greedy.touched)
    closing, _ = activation("closing", units, [MINES])
    assert any(closing.touched)


def test_greedy_leaves_a_minefield_it_stands_in() -> None:
    """A unit already among the mines may still move."""
    inside = [[24.0, 15.5], [25.5, 15.5], [27.0, 15.5]]
    units = [unit("a1", inside, ["Heavy Claws"]), unit("b1", [[25.0, 40.0]], ["Pistol"])]
    greedy, events = activation("greedy", units, [MINES])
    assert greedy.agent.refusals == 0 and any(event.kind == "activated" for event in events)


def test_greedy_shoots_what_it_hurts_most() -> None:
    """Of an armored and a bare unit at the same distance greedy shoots the bare one."""
    units = [
        unit("a1", PACK, ["Machinegun"]),
        unit("b1", [[18.0, 24.0], [19.5, 24.0], [21.0, 24.0]], ["Pistol"], rules=["Armored"], quality=3),
        unit("b2", [[30.0, 24.0], [31.5, 24.0], [33.0, 24.0]], ["Pistol"], quality=5),
    ]
    greedy, events = activation("greedy", units)
    assert ("choose-target", "b2") in greedy.answers
    assert any(event.kind == "shot" for event in events)


def test_greedy_assaults_the_weak() -> None:
    """Fighters in reach of a lone gunner assault it."""
    units = [unit("a1", PACK, ["Force Powersword"]), unit("b1", [[25.0, 18.0]], ["Rifle"], quality=6)]
    greedy, events = activation("greedy", units)
    assert ("choose-action", "assault") in greedy.answers
    assert any(event.kind == "struck" for event in events)


def test_greedy_gets_out_where_it_can_fight() -> None:
    """Passengers beside the enemy do not stay aboard."""
    hull: Json = {"id": "a2.1", "at": [25, 12], "facing": 90, "base": {"rect": [3, 5]}}
    truck: Json = {"id": "a2", "side": "A", "type": "vehicle", "rules": ["Tough(3)", "Transport(5)"], "models": [hull]}
    truck["marks"] = ["activated"]
    riders: Json = {
        "id": "a1",
        "side": "A",
        "where": "a2",
        "models": [{"id": f"a1.{k}", "weapons": ["Pistol"]} for k in (1, 2)],
    }
    greedy, events = activation("greedy", [riders, truck, unit("b1", [[25.0, 26.0]], ["Pistol"])])
    assert any(event.kind == "disembarked" for event in events)
    assert greedy.agent.refusals == 0


def seer(*powers: str, level: int = 2) -> Json:
    """A Psyker without weapons to speak of."""
    return unit("a1", [[20.0, 20.0]], [], rules=[f"Psyker({level})"], keywords=[f"power:{name}" for name in powers])


def cast(units: list[Json], pool: int = 6) -> list[tuple[str, str, int]]:
    """The powers greedy tries in one activation with so many dice: name, target and dice."""
    greedy, events = activation("greedy", units, sides={"A": {"marks": {"power-dice": pool}}})
    assert greedy.agent.refusals == 0
    names = [str(row["id"]) for row in units]
    tried = [event for event in events if event.kind == "cast"]
    return [(str(e.fact("power")), names[int(str(e.fact("target")))], int(str(e.fact("dice")))) for e in tried]


def test_greedy_tries_the_power_that_promises_most() -> None:
    """Six hits on a soft unit before a few on a hard one; a shot seen again for the gunners, not for the swordsmen."""
    soft = unit("b1", [[30.0, 20.0], [31.5, 20.0], [33.0, 20.0], [30.0, 21.5], [31.5, 21.5]], ["Pistol"], quality=6)
    hard = unit("b2", [[30.0, 26.0], [31.5, 26.0]], ["Pistol"], quality=2, rules=["Armored"])
    assert cast([seer("Mind Spike", "Storm Lash"), soft, hard])[0][:2] == ("Storm Lash", "b1")
    gunners = unit("a2", [[18.0, 20.0], [16.5, 20.0]], ["Machinegun"], marks=["activated"])
    swords = unit("a3", [[20.0, 17.0], [21.5, 17.0]], ["Heavy CCW"], marks=["activated"])
    assert cast([seer("Foresight"), gunners, swords, soft])[0][:2] == ("Foresight", "a2")


def test_greedy_tries_no_power_that_does_nothing() -> None:
    """Nobody quickens the quick or dreads for the pinned."""
    quick = unit("a2", [[18.0, 20.0]], ["Heavy CCW"], rules=["Fast"])
    pinned = unit("b1", [[30.0, 20.0]], ["Pistol"], marks=["pinned"])
    tried = cast([seer("Quickening", "Dread"), quick, pinned])
    assert not [row for row in tried if row[1] in ("a2", "b1")]


def test_greedy_keeps_dice_it_does_not_need() -> None:
    """A power of small number takes few dice out of a full pool."""
    soft = unit("b1", [[30.0, 20.0], [31.5, 20.0]], ["Pistol"], quality=6)
    assert [dice for name, _, dice in cast([seer("Mind Spike", level=4), soft])] in ([1], [2])


def test_passengers_far_from_the_enemy_are_carried_on() -> None:
    """Who would get out into the open far from anybody stays aboard."""
    hull: Json = {"id": "a2.1", "at": [25, 4], "facing": 90, "base": {"rect": [3, 5]}}
    truck: Json = {"id": "a2", "side": "A", "type": "vehicle", "rules": ["Tough(3)", "Transport(5)"], "models": [hull]}
    truck["marks"] = ["activated"]
    riders: Json = {"id": "a1", "side": "A", "where": "a2", "models": [{"id": "a1.1", "weapons": ["Pistol"]}]}
    _, events = activation("greedy", [riders, truck, unit("b1", [[25.0, 44.0]], ["Pistol"])])
    assert not any(event.kind == "disembarked" for event in events)


def test_a_hull_turns_the_gun_that_counts_for_most() -> None:
    """A hull with a strong gun in its rear turns its rear to what it shoots at."""
    gun = {"name": "Rear Gun", "range": 36, "A": "9", "mount": "rear"}
    hull: Json = {"id": "a1.1", "at": [30, 10], "facing": 180, "base": {"rect": [3, 5]}, "weapons": [gun, "Machinegun"]}
    tank: Json = {"id": "a1", "side": "A", "type": "vehicle", "rules": ["Tough(6)"], "models": [hull]}
    _, events = activation("greedy", [tank, unit("b1", [[5.0, 10.0], [5.0, 12.0]], ["Pistol"], quality=6)])
    (shot,) = [event for event in events if event.kind == "shot"]
    assert shot.fact("weapons") == ("Rear Gun", "Machinegun")


def test_greedy_leaves_the_minefield_it_was_set_down_in() -> None:
    """The ground a unit stands on holds it back no more than any other: it gets going."""
    inside = [[24.0, 15.5], [25.5, 15.5], [27.0, 15.5]]
    units = [unit("a1", inside, ["Heavy Claws"]), unit("b1", [[25.0, 40.0]], ["Pistol"])]
    _, events = activation("greedy", units, [MINES])
    assert [event.fact("longest") for event in events if event.kind == "moved"] > [1000]


def test_a_hull_before_a_wall_gets_going() -> None:
    """A transport that faces impassable ground at the other side of which the enemy stands drives, and somewhere."""
    wall: Json = {"id": "wall", "types": ["impassable"], "polygon": [[15, 9], [35, 9], [35, 11], [15, 11]]}
    hull: Json = {"id": "a2.1", "at": [25, 6], "facing": 90, "base": {"rect": [3, 5]}}
    truck: Json = {"id": "a2", "side": "A", "type": "vehicle", "rules": ["Tough(3)", "Transport(5)"], "models": [hull]}
    riders: Json = {
        "id": "a1",
        "side": "A",
        "where": "a2",
        "marks": ["activated"],
        "models": [{"id": "a1.1", "weapons": ["Pistol"]}],
    }
    _, events = activation("greedy", [truck, riders, unit("b1", [[25.0, 44.0]], ["Pistol"])], [wall])
    assert [event.fact("longest") for event in events if event.kind == "moved"] > [2000]


def test_a_psyker_in_the_rear_walks_into_range_and_casts() -> None:
    """With dice to spend and its targets a walk out of range, a Psyker among gunners walks there and tries its power."""
    soft = unit("b1", [[20.0, 43.0], [21.5, 43.0], [23.0, 43.0]], ["Pistol"], quality=6)
    rear = seer("Storm Lash") | {"models": [{"id": "a1.1", "at": [20, 20], "base": {"circle": 1.0}, "weapons": ["Rifle"]}]}
    assert [row[:2] for row in cast([rear, soft])] == [("Storm Lash", "b1")]


def test_ground_that_counts_draws_it() -> None:
    """Being where a marker of the mission counts is worth more than being far from it, and nobody else asks for it."""
    units = [unit("a1", [[30.0, 4.0], [31.5, 4.0]], ['Rifle (12", A1)']), unit("b1", [[2.0, 46.0]], ['Rifle (12", A1)'])]
    form: Json = {"edition": "onepage-3.0", "round": 1, "active": "A", "units": units, "table": {"terrain": []}}
    greedy = Greedy(Stream(b"watched"), 0)
    worths = []
    for mission in ("hold-the-ground", ""):
        found = read_situation(fill({**form, "mission": mission}, SituationForm))
        play = Play(found.game, found.state, Oracle(SeededDice(b"dice"), Defaults()))
        worths.append(greedy.holds(play, play.scene, 0))
    assert worths[0] > worths[1] == 0.0


def test_expectations_are_the_odds_of_the_attack() -> None:
    """What an opponent expects of a shot is the exact mean, as a share of what the target is worth."""
    units = [
        unit("a1", [[10.0, 10.0]], ['Rifle (24", A6)'], quality=4),
        unit("b1", [[10.0, 20.0], [12.0, 20.0]], [], quality=4),
    ]
    form: Json = {"edition": "onepage-3.0", "round": 1, "active": "A", "units": units, "table": {"terrain": []}}
    found = read_situation(fill(form, SituationForm))
    play = Play(found.game, found.state, Oracle(SeededDice(b"dice"), Defaults()))
    law = [comb(6, k) * 0.25**k * 0.75 ** (6 - k) for k in range(7)]  # six dice, each a wound in one of four
    mean = sum(min(k, 2) * chance for k, chance in enumerate(law)) / 2
    assert expected(play, 0, 1, "shooting", 10_000) == pytest.approx(mean)
