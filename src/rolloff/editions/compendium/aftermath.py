"""What an exploding vehicle does to those around it (CF-VEH-6)."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.compendium.abilities import BOOK
from rolloff.editions.compendium.ability import SHOOTING
from rolloff.editions.compendium.asking import Asked
from rolloff.editions.compendium.lookups import enemy_of
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.outcome import report, write_hulls, write_target
from rolloff.editions.compendium.places import FRONT, Places, thou_of
from rolloff.editions.compendium.resolve import SUMS, Assault, Group, resolve
from rolloff.editions.compendium.targets import start_of, target_of
from rolloff.editions.compendium.traits import on_model
from rolloff.geometry.measure import gap
from rolloff.lengths import INCH
from rolloff.oracle.stage import number
from rolloff.rules.attack import AttackForm
from rolloff.rules.play import Play
from rolloff.table.profile import DiceRoll
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
    for other in _by_name(play, unit):
        caught = _caught(play, slot, other, reach)
        if caught:
            _blast(play, unit, other, caught)


def _by_name(play: Play, unit: int) -> list[int]:
    """CF-DICE-13: the exploding vehicle's own unit, then the others by their ids."""
    names = play.game.names
    return sorted(range(len(play.state.units)), key=lambda other: (other != unit, names[other]))


def _caught(play: Play, slot: int, other: int, reach: int) -> list[int]:
    """The places, in their unit, of models within the blast."""
    living = play.state.units[other].living
    standing = [(at, one) for at, one in enumerate(living) if one != slot and play.state.at(one)[0] != NOWHERE]
    found = [(at, one) for at, one in standing if thou_of(gap(play.scene, slot, one)) <= reach * INCH]
    return [at for at, one in sorted(found, key=lambda pair: play.game.models[pair[1]].id)]


def _blast(play: Play, unit: int, other: int, caught: list[int]) -> None:
    """CF-ALLOC-4: one automatic hit on each model caught, which stays on it; the dice go by model id."""
    form = AttackForm(unit, other, SHOOTING, range=0, visible=True)
    places = Places(play, form)
    asked = Asked(play, unit, other)
    vehicle = places.lookups.fighters[places.targets[0]].vehicle
    enemy = enemy_of(play.game, play.state, other, SHOOTING, places.facing() if vehicle else FRONT)
    strike = Strike(SHOOTING, 1, enemy, (), STRENGTH, damage=DiceRoll(plus=1), automatic=True)
    target = target_of(places, tuple(caught), SHOOTING, asked)
    start = start_of(places, target)
    play.rolled_by, play.receiver = unit, other
    first, *rest = (Group(replace(strike, marks=(*on_model(at),), pooled=True)) for at in caught)
    assault = Assault(BOOK, (replace(first, fellows=tuple(rest)),), target, None, True)
    spent = resolve(play.dice, assault, start, None, SUMS)
    state, counts = spent.state, spent.counts
    report(play, unit, other, SHOOTING, counts, "CF-VEH-6")
    exploded = write_hulls(play, other, target, start, state, asked)
    for one in exploded:
        explode(play, other, one)
    write_target(play, other, target, start, state)
