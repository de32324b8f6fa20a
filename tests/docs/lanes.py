"""Lanes: the smallest edition the page on editions leads to. One unit a turn, one roll an attack, sides in turn."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from rolloff.rules import verbs as v

CLAUSES = {
    "LN-1": "Units are set up in turn on their own half, and act in turn.",
    "LN-2": "A unit walks up to 6 inches and rolls a die for each model at an enemy within 12 inches.",
    "LN-3": "Each 5 or more removes an enemy.",
    "LN-4": "After two rounds whoever has removed more wins.",
}
REFUSALS = dict.fromkeys(v.Code, ("LN-2", "{who} may not stand there"))
TOGETHER = v.Coherency(3 * v.INCH)


def half(play: v.Play, side: int) -> v.Rectangle:
    """LN-1: a side's own half."""
    width = play.game.field.width // 2
    return (side * width, 0, (side + 1) * width, play.game.field.height)


def flow(game: v.Game, state: v.State, form: v.AttackForm, weapon: v.Weapon) -> v.Flow:
    """LN-3: one roll."""
    return v.Flow((v.Draft("hit", 5, "LN-3", then=(v.HITS, v.WOUNDS, v.Harm())).stage(),))


def fire_at(play: v.Play, order: v.FireOrder, target: int, shots: list[v.Shot]) -> None:
    """LN-3: roll, and take off what is hit."""
    play.emit("shot", ("LN-2",), unit=order.unit, target=target)
    v.resolve(play, ATTACKS, v.AttackForm(order.unit, target, v.SHOOTING), tuple((shot.slot, shot.weapon) for shot in shots))


def act(play: v.Play, unit: int) -> None:
    """LN-2: walk, then roll."""
    play.emit("activated", ("LN-1",), v.Done(unit, True), unit=unit, action="walk")
    v.make(play, unit, WALK)
    if v.eligible(play, v.FireOrder(unit)):
        v.shoot(play, v.FireOrder(unit))


def passes(play: v.Play, side: int, following: int) -> None:
    """LN-1: the turn passes."""
    play.tick(replace(play.state.clock, active=following), "next", "LN-1", side=following)


def score(game: v.Game, state: v.State) -> tuple[int, int]:
    """LN-4: enemies removed."""
    lost = [sum(len(game.cards[k].models) - len(state.units[k].living) for k in own) for own in game.units_of]
    return lost[1], lost[0]


ATTACKS = v.Attacks(flow, lambda game, state, slot: v.Rung(1 - state.wounds_on(slot)), ("LN-3", "LN-3"))
WALK = v.MoveKind("walk", "LN-2", lambda play, unit: 6 * v.INCH, v.INCH, v.INCH, v.INCH, v.INCH)
TURNS = v.Turns(
    v.wiped_out,
    "LN-1",
    {"rounds": ("LN-4",), "wipeout": ("LN-4",)},
    before=(v.Step("act", v.Activations(v.on_table, act, "LN-1", passes)),),
    rounds=2,
)
STONE: dict[str, Any] = {"name": "Stone", "range": 12, "A": 1}
SQUAD = {"name": "Throwers", "points": 10, "models": [{"count": 3, "weapons": [STONE]}]}
EDITION = v.Edition(
    id="lanes",
    name="Lanes",
    version="1",
    opening=v.Clock("deploy"),
    steps={"deploy": v.Alternating(half, TOGETHER, REFUSALS, "LN-1"), **TURNS.steps()},
    turns=TURNS,
    clauses=CLAUSES,
    kinds=v.plain_kinds(CLAUSES),
    score=score,
    sequence=v.WeaponAttacks(ATTACKS),
    fire=v.Fire(v.guns_of, fire_at, ("LN-2", "LN-2"), asks_weapons=False),
    movement=v.Movement(lambda game, state, unit: TOGETHER, REFUSALS),
    moments=("walk-starts", "walk-ended", "targets-chosen", "shot"),
    actions=(v.Action("walk", v.Role.STEADY),),
    rounds=2,
    points=20,
    table_size=(24 * v.INCH, 24 * v.INCH),
    situation=v.SituationDefaults("act"),
    lists={"throwers": {"name": "Throwers", "edition": "lanes", "points": 20, "units": [SQUAD, SQUAD]}},
)
