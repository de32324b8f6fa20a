"""Fire as an attack form states it: which weapons, and what they may do."""

from __future__ import annotations

from collections import Counter

from rolloff.editions.onepage.attack import Group
from rolloff.editions.onepage.lore import Lore
from rolloff.editions.onepage.shooting import (
    Shot,
    cover_for,
    default_shots,
    fires_all,
    groups_of_shots,
    shots_at,
    spent,
    stealthy,
)
from rolloff.errors import BadInput, IllegalCommand
from rolloff.geometry.measure import nearest
from rolloff.rules.attack import AttackForm
from rolloff.rules.citing import cites
from rolloff.rules.play import Play
from rolloff.table.state import NOWHERE


def is_placed(play: Play, form: AttackForm) -> bool:
    """Whether every model of both units has a position."""
    units = play.state.units
    return all(play.state.at(slot)[0] != NOWHERE for k in (form.attacker, form.target) for slot in units[k].living)


def _needs(what: str) -> BadInput:
    return BadInput(
        "attack-incomplete",
        f"do.attack: {what} is neither given nor to be had from positions",
        where=f"do.attack.{what}",
        allowed="a value, or models with positions",
    )


def shots_of(play: Play, form: AttackForm) -> list[Shot]:
    """The weapons that fire: those named, in range and in sight as the form or the positions say."""
    lore: Lore = play.game.lore
    chosen = form.weapons
    if chosen is None:
        living = play.state.units[form.attacker].living
        chosen = tuple((slot, index) for slot in living for index in lore.fighters[slot].ranged)
    for slot, index in chosen:
        if index not in lore.fighters[slot].ranged:
            raise IllegalCommand(
                "not-ranged", "WPN-1", f"weapon {index} of {play.game.models[slot].id} is no ranged weapon", index
            )
    chosen = tuple(pair for pair in chosen if not spent(play.state, pair[0], lore.fighters[pair[0]].weapons[pair[1]], pair[1]))
    if form.range is None and form.visible is None:
        if not is_placed(play, form):
            raise _needs("range")
        found = {(shot.slot, shot.weapon): shot for shot in shots_at(play, form.attacker, form.target)}
        shots = [found[pair] for pair in chosen if pair in found]
    else:
        shots = [shot for shot in (_stated(play, form, pair) for pair in chosen) if shot]
    if not shots:
        raise IllegalCommand("no-shot", "SHOOT-2", "no weapon that may fire has the target in range and in sight", None)
    return _at_once(play, form, shots)


def _stated(play: Play, form: AttackForm, pair: tuple[int, int]) -> Shot | None:
    """A weapon against the range and sight the form states."""
    lore: Lore = play.game.lore
    weapon = lore.fighters[pair[0]].weapons[pair[1]]
    far = form.range
    if far is None:
        if not is_placed(play, form):
            far = 0
        else:
            far = int(nearest(play.scene, form.attacker, form.target).gap)
    seen = form.visible if form.visible is not None else True
    if far > (weapon.reach or 0) + play.game.edition.book.within or not (seen or weapon.has("Indirect")):
        return None
    return Shot(pair[0], pair[1], seen)


@cites("SHOOT-6", off=lambda play, form, shots: shots)
def _at_once(play: Play, form: AttackForm, shots: list[Shot]) -> list[Shot]:
    """SHOOT-6: who may fire one weapon only; named weapons must keep to that, of all weapons the best are taken."""
    walked, fired = bool(form.moved), Counter(shot.slot for shot in shots)
    many = [slot for slot, count in fired.items() if count > 1 and not fires_all(play, slot, walked)]
    if not many:
        return shots
    if form.weapons is not None:
        who = "a model that walked" if walked else play.game.models[many[0]].id
        raise IllegalCommand("one-weapon", "SHOOT-6", f"{who} fires one weapon only", None)
    return default_shots(play, form.attacker, form.target, shots, walked, covered_by(play, form, shots))


def covered_by(play: Play, form: AttackForm, shots: list[Shot]) -> tuple[str, ...]:
    """What puts the target in cover, as stated or as the positions give it."""
    if form.cover is None and is_placed(play, form):
        return cover_for(play, form.attacker, dict.fromkeys(shot.slot for shot in shots), form.target)
    if stealthy(play, form.target):
        return ("RULE-STEALTH-1",)
    return ("TERR-COVER-3",) if form.cover else ()


def shooting(play: Play, form: AttackForm, shots: list[Shot]) -> list[Group]:
    """The groups of a shooting form."""
    return groups_of_shots(play, form.attacker, form.target, shots, covered_by(play, form, shots))
