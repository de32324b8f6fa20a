"""Which weapons attack a target, as their owner names them, and how many attacks of those that are divided among units."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec.structs import replace

from rolloff.editions.commentary.abilities import BOOK
from rolloff.editions.commentary.ability import SHOOTING
from rolloff.editions.commentary.aiming import Weapons, check_together
from rolloff.editions.commentary.attack import attack_of
from rolloff.editions.commentary.attack_case import Case
from rolloff.editions.commentary.choosing import uses_of
from rolloff.editions.commentary.lookups import host_of, index_of, weapon_words
from rolloff.editions.commentary.matchup import attacks_of
from rolloff.errors import IllegalCommand
from rolloff.rules.attack import AttackForm
from rolloff.rules.play import Play
from rolloff.table.event import Fact
from rolloff.table.request import Later, Request

Default = Weapons | Callable[[Play], Weapons]
"""The weapons that attack unless their owner says otherwise, or how they are found when somebody wants to know."""
Held = tuple[int, int]
"""A model and which of its weapons."""
WHOLE: Mapping[Held, int] = {}


COSTLY = frozenset({"One Shot", "Hazardous"})
"""Abilities for which an owner may rather not use a weapon."""


def assigned(
    play: Play,
    form: AttackForm,
    default: Default,
    clause: str,
    point: str,
    others: bool,
    divisible: Mapping[Held, int] = WHOLE,
    alone: bool = False,
) -> AttackForm:
    """The form with the weapons a player names, of those it names.

    ``others``: there are other targets for the rest; ``divisible`` weapons may send them some of their attacks; ``alone``:
    nothing is left to choose, so that nobody is asked who does not say it anyway.
    """
    weapons, models, fighters = form.weapons or (), play.game.models, index_of(play.game).fighters
    names: dict[object, Held] = {}
    rows: list[Fact] = []
    choice = others
    for held in weapons:
        slot, index = held
        name, weapon = models[slot].id, fighters[slot].weapons[index]
        names[name, index] = held
        rows.append(
            (name, index, weapon.name, *_more_than_one(divisible[held])) if held in divisible else (name, index, weapon.name)
        )
        choice = choice or not COSTLY.isdisjoint(weapon_words((weapon,)))
    facts = (("target", form.target), ("weapons", tuple(rows)), ("most", None), ("choice", choice))
    owner, answer = play.game.side_of(form.attacker), _answer(play, default)
    request = Request(owner, "assign-weapons", clause, None, answer, form.attacker, point, weapons, facts)

    def judged(given: object) -> AttackForm:
        pairs = [_named(row) for row in given] if isinstance(given, tuple) else ()
        if not isinstance(given, tuple) or not pairs or not all(map(names.__contains__, pairs)):
            _refuse_others(play, form, pairs)
            raise IllegalCommand("not-offered", clause, "these are not weapons that may be used against the target")
        shares = {names[row[:2]]: row[2] for row in [row for row in given if len(row) > 2]}
        chosen = tuple(dict.fromkeys(map(names.__getitem__, pairs)))
        named = replace(form, weapons=chosen, shares=())
        if form.kind == SHOOTING:
            check_together(play, named)
        else:
            uses_of(Case(play.game, play.state, named))
        if not shares and not form.shares:
            return named
        left = {(slot, index): count for slot, index, count in form.shares}
        for held, count in shares.items():
            check_share(play, replace(named, weapons=(held,)), count, left.get(held), clause, held in divisible)
        return replace(named, shares=tuple((*held, count) for held, count in (left | shares).items() if held in chosen))

    play.alone = alone
    found = play.ask(request, judged)
    play.alone = False
    return found


def _refuse_others(play: Play, form: AttackForm, pairs: Iterable[object]) -> None:
    """Refuse by the rule that forbids them weapons of a unit that were not offered, if one does."""
    own = {play.game.models[slot].id: slot for slot in host_of(play.game, play.state, form.attacker).slots}
    fighters = index_of(play.game).fighters
    for pair in pairs:
        name, index = pair if isinstance(pair, tuple) and len(pair) == 2 else (None, None)
        slot = own.get(str(name), -1)
        if slot >= 0 and isinstance(index, int) and 0 <= index < len(fighters[slot].weapons):
            uses_of(Case(play.game, play.state, replace(form, weapons=((slot, index),), shares=())))


def _answer(play: Play, default: Default) -> object:
    """The default answer: the weapons by the names of their models, worked out for whoever asks for it."""
    models = play.game.models
    if isinstance(default, tuple):
        return tuple([(models[slot].id, index) for slot, index in default])
    later, usual = play.aside(), default
    return Later(lambda: tuple([(models[slot].id, index) for slot, index in usual(later())]))


def _named(row: object) -> object:
    """The model and the weapon of a row of an answer, which may say how many attacks besides."""
    return row[:2] if isinstance(row, tuple) and len(row) <= 3 else None


def _more_than_one(attacks: int) -> tuple[int, ...]:
    return (attacks,) if attacks > 1 else ()


def check_share(play: Play, form: AttackForm, count: object, left: int | None, clause: str, divisible: bool) -> None:
    """Refuse a number of attacks that the weapon of a form cannot send at its target."""
    ((slot, index),) = form.weapons or ()
    name = f"{play.game.models[slot].id} with {index_of(play.game).fighters[slot].weapons[index].name}"
    most = attacks_at(play, form) if left is None and divisible else left
    if most is None:
        why = "no other unit is there for the rest of its attacks" if not divisible else "its number of attacks is rolled"
        raise IllegalCommand("not-divided", clause, f"{name} attacks one unit: {why}", name)
    if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= most:
        raise IllegalCommand("bad-share", clause, f"{name} has 1 to {most} attacks to send at this unit, not {count}", name)


def attacks_at(play: Play, form: AttackForm) -> int | None:
    """How many attacks the weapon of a form makes at its target; None where that is rolled."""
    (strike,) = attack_of(Case(play.game, play.state, form)).strikes
    count = attacks_of(strike, BOOK)
    return count if isinstance(count, int) else None
