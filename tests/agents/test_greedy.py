"""The greedy opponent in small situations: mines, targets, cover, passengers."""

from __future__ import annotations

from rolloff.agents import make
from rolloff.geometry.moves import Order
from rolloff.geometry.paths import judge
from rolloff.oracle.dice import SeededDice, Stream
from rolloff.oracle.oracle import Oracle, Question, Seats
from rolloff.record.forms import SituationForm, fill
from rolloff.record.situation import read_situation
from rolloff.rules.play import Play, play_step
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


def activation(name: str, units: list[Json], terrain: list[Json] | None = None) -> tuple[Watching, list[Event]]:
    """One activation of side A by an opponent."""
    form: Json = {"edition": "onepage-3.0", "round": 1, "active": "A", "units": units, "table": {"terrain": terrain or []}}
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
