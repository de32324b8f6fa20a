"""What a unit may do when its turn comes: its player picks one of the deeds that are open to it, and it is done.

For rulebooks in which a unit acts at once, alone: activations, tokens from a bag. `Forms` says which attack a target in the
questions of fire and fights stands for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import field

from rolloff.rules.attack import AttackForm
from rolloff.rules.attacks import MELEE, SHOOTING
from rolloff.rules.component import Component
from rolloff.rules.terms import Action, Role

if TYPE_CHECKING:
    from rolloff.rules.play import Play
    from rolloff.table.profile import Weapon
    from rolloff.table.request import Request


def any_time(play: Play, unit: int) -> bool:
    """Open to everybody."""
    return True


class Deed(Component, frozen=True):
    """Something a unit may do: the word for it, what it does, what it is for, and who may do it now."""

    name: str
    do: Callable[[Play, int], object]
    role: Role = Role.REST
    can: Callable[[Play, int], bool] = any_time


def actions_of(deeds: Sequence[Deed]) -> tuple[Action, ...]:
    """The words of the deeds, as an `Edition` has them."""
    return tuple(Action(deed.name, deed.role) for deed in deeds)


def act(play: Play, unit: int, deeds: Sequence[Deed], clause: str, but: Collection[str] = ()) -> str:
    """The player of a unit picks what it does, ``but`` for some; it is done. Gives the word, nothing if there was no deed.

    The event is ``activated``. The first deed that is open is the answer by default.
    """
    able = {deed.name: deed for deed in deeds if deed.name not in but and deed.can(play, unit)}
    if not able:
        return ""
    names = tuple(able)
    name = str(play.choose(play.game.side_of(unit), "choose-action", clause, names, names[0], unit))
    play.emit("activated", (clause,), unit=unit, action=name)
    able[name].do(play, unit)
    return name


def every_weapon(weapon: Weapon) -> bool:
    """All of them."""
    return True


class Forms(Component, frozen=True):
    """Which attack a target stands for, for the odds beside it: an edition's ``form_of``.

    ``fire`` are the clauses under which targets of fire are chosen, ``melee`` those of fights and charges. ``weapons`` says
    which weapons the odds speak of: not those that are laid as templates, say. Where there are none, there are no odds.
    ``others`` are the clauses of attacks that no weapon makes, each with the kind of its form (`Attacks.others`).
    """

    fire: tuple[str, ...] = ()
    melee: tuple[str, ...] = ()
    weapons: Callable[[Weapon], bool] = every_weapon
    others: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, play: Play, request: Request, option: object) -> AttackForm | None:
        """The attack an option stands for."""
        if request.kind != "choose-target" or option not in play.game.numbers:
            return None
        target, melee = play.game.numbers[str(option)], request.clause in self.melee
        if request.clause in self.others:
            return AttackForm(request.about, target, self.others[request.clause])
        if not melee and request.clause not in self.fire:
            return None
        models = [(slot, play.game.models[slot].weapons) for slot in play.state.units[request.about].living]
        rows = [
            (slot, k)
            for slot, held in models
            for k, weapon in enumerate(held)
            if weapon.melee == melee and self.weapons(weapon)
        ]
        return AttackForm(request.about, target, MELEE if melee else SHOOTING, tuple(rows), everyone=True) if rows else None
