"""What an exploding vehicle does to those around it (CF-VEH-6)."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.compendium.abilities import BOOK
from rolloff.editions.compendium.ability import SHOOTING
from rolloff.editions.compendium.asking import Asked
from rolloff.editions.compendium.lore import foe_of
from rolloff.editions.compendium.outcome import told, write_hulls, write_target
from rolloff.editions.compendium.places import FRONT, Places, thou_of
from rolloff.editions.compendium.resolve import SUMS, Assault, Group, resolve
from rolloff.editions.compendium.strike import Strike
from rolloff.editions.compendium.targets import start_of, target_of
from rolloff.geometry.measure import gap
from rolloff.lengths import INCH
from rolloff.oracle.stage import number
from rolloff.rules.attack import AttackForm
from rolloff.rules.play import Play
from rolloff.table.profile import Throw
from rolloff.table.state import NOWHERE

REACH = number("explosion", clauses=("CF-VEH-6",))
STRENGTH = 4


def explode(play: Play, unit: int, slot: int) -> None:
    """CF-VEH-6: a die of inches; each model within suffers one hit of S4, AP 0, Damage 1. Without positions nobody is near."""
    if play.state.at(slot)[0] == NOWHERE:
        play.emit("exploded", ("CF-VEH-6",), unit=unit, model=slot, reach=0)
        return
    reach = play.dice.ask(REACH)
    play.emit("exploded", ("CF-VEH-6",), unit=unit, model=slot, reach=reach)
    for other in range(len(play.state.units)):
        caught = _caught(play, slot, other, reach)
        if caught:
            _blast(play, unit, other, caught)


def _caught(play: Play, slot: int, other: int, reach: int) -> list[int]:
    """The places, in their unit, of models within the blast."""
    living = play.state.units[other].living
    standing = [(at, one) for at, one in enumerate(living) if one != slot and play.state.at(one)[0] != NOWHERE]
    return [at for at, one in standing if thou_of(gap(play.scene, slot, one)) <= reach * INCH]


def _blast(play: Play, unit: int, other: int, caught: list[int]) -> None:
    """One automatic hit on each model caught."""
    form = AttackForm(unit, other, SHOOTING, range=0, visible=True)
    places = Places(play, form)
    asked = Asked(play, unit, other)
    vehicle = places.lore.fighters[places.targets[0]].vehicle
    foe = foe_of(play.game, play.state, other, SHOOTING, places.facing() if vehicle else FRONT)
    strike = Strike(SHOOTING, 1, foe, (), STRENGTH, damage=Throw(plus=1), automatic=True)
    target = target_of(places, tuple(caught), SHOOTING, asked)
    start = state = start_of(play, target)
    counts = (0,) * len(SUMS)
    play.thrower, play.receiver = unit, other
    for at in caught:
        assault = Assault(BOOK, (Group(strike),), replace(target, order=(at,)), None, True)
        spent = resolve(play.dice, assault, state, None, SUMS)
        state = spent.state
        counts = tuple(one + more for one, more in zip(counts, spent.counts, strict=True))
    told(play, unit, other, SHOOTING, counts, "CF-VEH-6")
    exploded = write_hulls(play, other, target, start, state, asked)
    for one in exploded:
        explode(play, other, one)
    write_target(play, other, target, start, state)
