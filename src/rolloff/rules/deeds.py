"""What a unit may do when its turn comes: its player picks one of the deeds that are open to it, and it is done.

For rulebooks in which a unit acts at once, alone: activations, tokens from a bag. `Forms` says which attack a target in the
questions of fire and fights stands for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import field

from rolloff.rules.attack import MELEE, SHOOTING, AttackForm
from rolloff.rules.attacks import FIGHT, Attacking, engaged
from rolloff.rules.charges import CHARGE
from rolloff.rules.component import Component
from rolloff.rules.fire import FireOrder, shots_at, usual_at
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
    """Which attack a target stands for, for the odds beside it: what an edition without a ``form_of`` of its own goes by.

    The questions of `shoot`, `charge` and `fight` are known by themselves. ``fire`` and ``melee`` are the clauses under which
    an edition asks for targets of its own accord. ``weapons`` says which weapons the odds speak of: not those that are laid as
    templates, say. Where there are none, there are no odds. ``others`` are the clauses of attacks that no weapon makes, each
    with the kind of its form (`Attacks.others`), and ``powers`` those of the edition's powers that are one, by name. ``kinds``
    are the edition's words for fire and blows, if it has its own. Before a charge odds speak of everyone, later of those who
    are near enough to strike.
    """

    fire: tuple[str, ...] = ()
    melee: tuple[str, ...] = ()
    weapons: Callable[[Weapon], bool] = every_weapon
    others: Mapping[str, str] = field(default_factory=dict)
    kinds: tuple[str, str] = (SHOOTING, MELEE)
    powers: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, play: Play, request: Request, option: object) -> AttackForm | None:
        """The attack an option stands for."""
        if request.kind != "choose-target" or option not in play.game.numbers:
            return None
        unit, target, purpose = request.about, play.game.numbers[str(option)], dict(request.facts).get("purpose")
        other = self.powers.get(str(purpose), self.others.get(request.clause))
        if other is not None:
            return AttackForm(unit, target, other)
        if purpose in (CHARGE, FIGHT) or request.clause in self.melee:
            rows = self._rows(play, ((slot, k) for slot, k, weapon in _held(play, unit) if weapon.melee))
            far = purpose == CHARGE or not engaged(play, unit)
            return AttackForm(unit, target, self.kinds[1], rows, everyone=far) if rows else None
        if isinstance(request.order, dict):
            rows = self._rows(play, usual_at(play, FireOrder(unit), target, request.order[target]))
        elif request.clause in self.fire:
            rows = self._rows(play, ((shot.slot, shot.weapon) for shot in shots_at(play, FireOrder(unit), target)))
        else:
            return None
        return AttackForm(unit, target, self.kinds[0], rows) if rows else None

    def _rows(self, play: Play, rows: Iterable[tuple[int, int]]) -> Attacking:
        """Of some weapons those the odds speak of."""
        return tuple(row for row in rows if self.weapons(play.game.models[row[0]].weapons[row[1]]))


def _held(play: Play, unit: int) -> Iterable[tuple[int, int, Weapon]]:
    """Every weapon of a unit: whose, which, and what it is."""
    return ((slot, k, w) for slot in play.state.units[unit].living for k, w in enumerate(play.game.models[slot].weapons))


PLAIN_FORMS = Forms()


def attack_shown(play: Play, request: Request, option: object) -> AttackForm | None:
    """The attack an option stands for, as the edition says or as the verbs ask; None where it is none."""
    form_of = play.game.edition.form_of or PLAIN_FORMS
    return form_of(play, request, option) if play.game.edition.sequence is not None else None
