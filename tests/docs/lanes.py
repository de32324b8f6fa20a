"""Lanes: the smallest edition the page on editions leads to. One phase, one throw an attack, sides in turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from rolloff.geometry.measure import nearest
from rolloff.geometry.moves import Code, Coherency, Order, Stay, Zone, gaps
from rolloff.geometry.place import muster
from rolloff.oracle.draft import Draft
from rolloff.oracle.flow import ATTACKS, HITS, Flow, Harm, Volley
from rolloff.oracle.roll import Spent
from rolloff.oracle.target import Ladder, Rung
from rolloff.rules.answers import Placement
from rolloff.rules.attack import AttackForm, Plan
from rolloff.rules.edition import Edition, EventKind
from rolloff.rules.game import Game
from rolloff.rules.moves import Setting, ask_move, ask_place, placed
from rolloff.rules.play import OVER, Play
from rolloff.rules.terms import SituationDefaults
from rolloff.table.event import Done, Removed, Ticked, Went
from rolloff.table.request import Request
from rolloff.table.state import TABLE, WAITING, Clock, State

INCH = 1000
CLAUSES = {
    "LN-1": "Units are set up in turn on their own half, and act in turn.",
    "LN-2": "A unit walks up to 6 inches and throws a die for each model at an enemy within 12 inches.",
    "LN-3": "Each 5 or more removes an enemy.",
    "LN-4": "After two rounds whoever has removed more wins.",
}
REFUSALS = dict.fromkeys(Code, ("LN-2", "{who} may not stand there"))
TOGETHER = Coherency(3 * INCH)


def ready(play: Play, side: int, where: int) -> list[int]:
    """The units of a side that wait, or that stand and have not acted."""
    return [k for k in play.game.units_of[side] if play.state.units[k].where == where and not play.state.units[k].done]


def pick(play: Play, side: int, where: int) -> int:
    """One of them."""
    names = tuple(play.game.names[unit] for unit in ready(play, side, where))
    return play.game.numbers[str(play.choose(side, "choose-unit", "LN-1", names, names[0]))]


def deploy(play: Play) -> None:
    """LN-1: one unit on its own half."""
    side, width, height = play.state.clock.active, play.game.field.width, play.game.field.height
    unit = pick(play, side, WAITING)
    slots = tuple(sorted(play.state.units[unit].living))
    box = (side * width // 2, 0, (side + 1) * width // 2, height)
    zone = Zone(gaps(len(play.game.cards), INCH), TOGETHER, inside=(box,))
    spot = muster(play.scene, slots, zone, (box[0] + box[2]) // 2, height // 2)
    assert spot is not None, "half a table has room for a list of this book"
    default = Placement(slots, spot, bytes(2 * len(slots)))
    patch = ask_place(play, side, unit, Setting(slots, zone), default, "LN-1", REFUSALS)
    play.emit("deployed", ("LN-1",), Went(unit, TABLE), patch, unit=unit)
    other = next((one for one in (1 - side, side) if ready(play, one, WAITING)), None)
    play.tick(Clock("act", 1) if other is None else replace(play.state.clock, active=other), "next", "LN-1")


def volley(models: int) -> Volley:
    """LN-3: a die a model."""
    return Volley(Flow((Draft("hit", 5, "LN-3", then=(HITS, Harm())).stage(),)), 1, models)


def throw(play: Play, unit: int, enemy: int) -> None:
    """LN-3: throw, and take off what is hit."""
    order = play.state.units[enemy].living
    ladder = Ladder((Rung(models=len(order)),))
    play.thrower = unit
    dice = volley(len(play.state.units[unit].living))
    spent: Spent[int, int] = play.dice.volley(dice, ladder, ladder.start(), ATTACKS, HITS)
    attacks, hits = spent.counts
    play.emit("attacked", ("LN-3",), attacker=unit, target=enemy, attacks=attacks, hits=hits, wounds=hits)
    gone = order[: ladder.kills(spent.state)]
    if gone:
        play.emit("casualties", ("LN-3",), *(Removed(slot, enemy) for slot in gone), unit=enemy, removed=len(gone))


def act(play: Play) -> None:
    """LN-2: one unit walks and throws; then the other side."""
    clock = play.state.clock
    side = clock.active
    unit, keep = pick(play, side, TABLE), gaps(len(play.game.cards), INCH)
    verdict = ask_move(play, side, Order(unit, 6 * INCH, keep, keep, TOGETHER), Stay(), "LN-2", REFUSALS)
    play.emit("activated", ("LN-2",), Done(unit, True), unit=unit, action="walk")
    play.emit("moved", ("LN-2",), placed(play, unit, verdict), unit=unit, longest=verdict.longest)
    foes = [foe for foe in play.game.units_of[1 - side] if play.state.units[foe].where == TABLE]
    names = tuple(play.game.names[foe] for foe in foes if nearest(play.scene, unit, foe).gap <= 12 * INCH)
    if names:
        target = play.choose(side, "choose-target", "LN-2", names, names[0], unit)
        throw(play, unit, play.game.numbers[str(target)])
    following(play)


def following(play: Play) -> None:
    """LN-1, LN-4: the other side, the next round, or the end."""
    clock = play.state.clock
    alive = all(any(play.state.units[k].living for k in play.game.units_of[side]) for side in (0, 1))
    side = next((one for one in (1 - clock.active, clock.active) if ready(play, one, TABLE)), None)
    if alive and side is not None:
        play.tick(replace(clock, active=side), "next", "LN-1")
    elif alive and clock.round < play.game.edition.rounds:
        rested = [Done(k, False) for k, held in enumerate(play.state.units) if held.done]
        play.emit("next", ("LN-1",), *rested, Ticked(Clock("act", clock.round + 1)))
    else:
        end = "rounds" if alive else "wipeout"
        play.tick(replace(clock, phase=OVER, marks=(("end", end),)), "game-ended", "LN-4", how=end)


def score(game: Game, state: State) -> tuple[int, int]:
    """LN-4: enemies removed."""
    lost = [sum(len(game.cards[k].models) - len(state.units[k].living) for k in game.units_of[side]) for side in (0, 1)]
    return lost[1], lost[0]


class Sequence:
    """The attack apart from a game."""

    def run(self, play: Play, form: AttackForm) -> None:
        """Throw."""
        throw(play, form.attacker, form.target)

    def plan(self, game: Game, state: State, form: AttackForm, policies: Mapping[str, str]) -> Plan:
        """The same for odds."""
        order = state.units[form.target].living
        ladder = Ladder((Rung(models=len(order)),))
        return Plan((volley(len(state.units[form.attacker].living)),), ladder, ladder.start(), order=order, policies=policies)


def form_of(play: Play, request: Request, option: object) -> AttackForm | None:
    """A target stands for throwing at it."""
    return AttackForm(request.about, play.game.numbers[str(option)], "shooting") if request.kind == "choose-target" else None


def _gang(name: str, count: int) -> dict[str, Any]:
    stone = {"name": "Stone", "range": 12, "A": 1}
    return {"name": name, "points": 10 * count, "models": [{"count": count, "weapons": [stone]}]}


def _kind(says: str, *clauses: str) -> EventKind:
    return EventKind(frozenset(clauses), says)


EDITION = Edition(
    id="lanes",
    name="Lanes",
    version="1",
    opening=Clock("deploy"),
    steps={"deploy": deploy, "act": act},
    kinds={
        "rolled": _kind("{unit} throws: {faces}", "LN-3"),
        "deployed": _kind("{unit} is set up", "LN-1"),
        "next": _kind("It goes on", "LN-1"),
        "activated": _kind("{unit} walks", "LN-2"),
        "moved": _kind('{unit} goes {longest}"', "LN-2"),
        "attacked": _kind("{unit} hits {hits} of {attacks}", "LN-3"),
        "casualties": _kind("{unit} loses {removed}", "LN-3"),
        "game-ended": _kind("The game is over", "LN-4"),
    },
    score=score,
    sequence=Sequence(),
    form_of=form_of,
    book=CLAUSES,
    rounds=2,
    points=60,
    table_size=(24 * INCH, 18 * INCH),
    situation=SituationDefaults("act"),
    lists={
        name: {"name": name.title(), "edition": "lanes", "points": 60, "units": [_gang("Gang", 3), _gang("Crew", 3)]}
        for name in ("east-end", "west-end")
    },
)
