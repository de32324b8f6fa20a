"""Fire as an attack form states it: which weapons, and what they may do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rolloff.editions.onepage.attack import MELEE, SHOOTING, Group
from rolloff.editions.onepage.book import book_of
from rolloff.editions.onepage.lookups import index_of
from rolloff.editions.onepage.shooting import (
    cover_for,
    default_shots,
    fires_all,
    groups_of_shots,
    no_target,
    spent,
    stealthy,
)
from rolloff.errors import BadInput, IllegalCommand
from rolloff.rules.attack import AttackForm
from rolloff.rules.citing import cites
from rolloff.rules.fire import FireOrder, Gun, Shot, fire_of, shots_at
from rolloff.rules.play import Play
from rolloff.table.state import NOWHERE, TABLE, WAITING


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


@cites("SHOOT-11", "MELEE-1")
def check_form(play: Play, form: AttackForm) -> None:
    """SHOOT-11, MELEE-1: only enemies on the table are shot at or assaulted, and with the unit's own weapons."""
    names, ranged = play.game.names, form.kind == SHOOTING
    if not ranged and form.kind != MELEE:
        return
    if play.game.side_of(form.attacker) == play.game.side_of(form.target):
        clause, name = "SHOOT-11" if ranged else "MELEE-1", names[form.target]
        raise IllegalCommand("no-enemy", clause, f"{name} is no enemy of {names[form.attacker]}", name)
    for unit in (form.attacker, form.target):
        if play.state.units[unit].where not in (TABLE, WAITING):  # armies compared by name wait for their deployment
            clause, name = "SHOOT-11" if ranged else "MELEE-1", names[unit]
            raise IllegalCommand("not-on-table", clause, f"{name} is not on the table", name)
    for slot, _ in form.weapons or ():
        if slot not in play.state.units[form.attacker].living:
            clause, name = "SHOOT-1" if ranged else "MELEE-9", play.game.models[slot].id
            raise IllegalCommand("not-its-weapon", clause, f"{name} does not fight with {names[form.attacker]}", name)


def shots_of(play: Play, form: AttackForm) -> list[Shot]:
    """The weapons that fire: those named, in range and in sight as the form or the positions say."""
    lookups = index_of(play.game)
    check_form(play, form)
    chosen = form.weapons
    if chosen is None:
        living = play.state.units[form.attacker].living
        chosen = tuple((slot, index) for slot in living for index in lookups.fighters[slot].ranged)
    for slot, index in chosen:
        if index not in lookups.fighters[slot].ranged:
            raise IllegalCommand(
                "not-ranged", "WPN-1", f"weapon {index} of {play.game.models[slot].id} is no ranged weapon", index
            )
    carried = chosen
    chosen = tuple(
        pair for pair in chosen if not spent(play.state, pair[0], lookups.fighters[pair[0]].weapons[pair[1]], pair[1])
    )
    if form.range is None and form.visible is None:
        if not is_placed(play, form):
            raise _needs("range")
        found = {(shot.slot, shot.weapon): shot for shot in shots_at(play, FireOrder(form.attacker), form.target)}
        shots = [found[pair] for pair in chosen if pair in found]
    else:
        shots = _stated(play, form, chosen)
    if not shots:
        if carried and not chosen:
            raise IllegalCommand("used-up", "RULE-LIMITED-1", "every weapon named was used already", None)
        raise _no_shot(play, form, chosen)
    return _at_once(play, form, shots)


def _no_shot(play: Play, form: AttackForm, chosen: Iterable[tuple[int, int]]) -> IllegalCommand:
    """Why nothing fires: every weapon is out of range, or what is in range does not see the target (or has it in no arc)."""
    lookups = index_of(play.game)
    name, leeway = play.game.names[form.target], book_of(play.game).within
    gaps = fire_of(play).gaps(play, form.attacker, form.target) if is_placed(play, form) else {}
    for slot, index in chosen:
        far = form.range if form.range is not None else gaps.get(slot, 0)
        if far <= (lookups.fighters[slot].weapons[index].reach or 0) + leeway:
            why = no_target(play, form.attacker, name) if form.visible is None and is_placed(play, form) else None
            return why or IllegalCommand("out-of-sight", "SHOOT-2", f"no model with {name} in range sees it", name)
    return IllegalCommand("out-of-range", "SHOOT-5", f"{name} is out of range of every weapon", name)


def _stated(play: Play, form: AttackForm, chosen: tuple[tuple[int, int], ...]) -> list[Shot]:
    """The weapons that fire by the range and sight the form states; what it leaves out comes from positions, if there are any.

    Without positions a weapon whose range is not stated is in range, and a target is seen.
    """
    lookups = index_of(play.game)
    leeway, placed = book_of(play.game).within, is_placed(play, form)
    gaps = fire_of(play).gaps(play, form.attacker, form.target) if form.range is None and placed else {}
    near = []
    for slot, index in chosen:
        far = gaps.get(slot, 0) if form.range is None else form.range
        if far <= (lookups.fighters[slot].weapons[index].reach or 0) + leeway:
            near.append(Gun(slot, index, 0))
    if form.visible is None and placed:
        shots = fire_of(play).sight(play, form.attacker, form.target, near) if near else []
    else:
        shots = [Shot(gun.slot, gun.weapon, form.visible is not False) for gun in near]
    return [shot for shot in shots if shot.seen or lookups.fighters[shot.slot].weapons[shot.weapon].has("Indirect")]


@cites("SHOOT-6")
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
