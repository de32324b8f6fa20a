"""From single weapons to groups (CF-SHOOT-5, CF-DICE-13): like attacks are rolled together."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.compendium.ability import Bearing
from rolloff.editions.compendium.lore import Lore
from rolloff.editions.compendium.places import Places
from rolloff.editions.compendium.resolve import Group
from rolloff.editions.compendium.strike import Strike
from rolloff.editions.compendium.traits import borne_by
from rolloff.oracle.stage import Stage, number
from rolloff.rules.citing import cites
from rolloff.table.profile import Throw

MASTERED = "mastered:"


def count_of(throw: Throw) -> int | Stage[int]:
    """A number of attacks, or the throw that gives it."""
    if throw.fixed:
        return throw.plus
    return number("attacks", throw.count, throw.sides, throw.plus, clauses=("CF-DICE-12",))


def single(places: Places, slot: int, index: int, strike: Strike, throw: Throw, name: str, step: int = 0) -> Group:
    """One weapon as a group of its own, marked by the rules it carries."""
    lore: Lore = places.lore
    state = places.play.state
    at = places.attackers.index(slot)
    bearing = Bearing(
        at=at,
        lacks=state.wounds_on(slot),
        used=state.model_mark(slot, f"{MASTERED}{index}") is not None,
        single_shot=throw == Throw(plus=1),
    )
    group = Group(strike, count_of(throw), 1, (at,), name, step)
    for rule in strike.rules:
        group = lore.specials[rule.name].grouped(rule, group, bearing)
    return group


@cites("CF-SHOOT-5", off=tuple)
def gathered(groups: list[Group]) -> tuple[Group, ...]:
    """CF-SHOOT-5: all attacks of one unit with the same profile and skill form a group, in the order they were named."""
    found: dict[object, Group] = {}
    for group in groups:
        key = replace(group, bearers=(), weapons=1)
        if group.mastered:
            found[len(found), key] = group
            continue
        old = found.get(key)
        merged = (*old.bearers, *group.bearers) if old else group.bearers
        found[key] = replace(group, bearers=merged, weapons=len(merged))
    return tuple(_hot(group) for group in found.values())


def _hot(group: Group) -> Group:
    """Weapons of one shot that get hot burn their bearers in turn: every die is another's."""
    strike = group.strike
    if not strike.has("Gets Hot") or any(mark.startswith("bearers:") for mark in strike.marks):
        return group
    return replace(group, strike=replace(strike, marks=(*strike.marks, borne_by(group.bearers, True))))
