"""Terrain in play: ground that slows or harms whoever crosses it, and cover for whoever is fired at."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from rolloff.geometry.field import DANGEROUS, DIFFICULT
from rolloff.geometry.measure import base_gap
from rolloff.geometry.moves import Order, Verdict
from rolloff.geometry.sight import covered
from rolloff.rules.attack import AttackForm
from rolloff.rules.attacks import has_positions
from rolloff.rules.component import Component
from rolloff.table.state import TABLE, State

if TYPE_CHECKING:
    from rolloff.rules.game import Game
    from rolloff.rules.movement import MoveKind
    from rolloff.rules.play import Play


def everybody(play: Play, unit: int) -> bool:
    """Whoever crosses it."""
    return True


class RoughGround(Component, frozen=True):
    """What ground does to whoever moves over it: given to `Movement` as its ``ground``.

    A move that touches difficult ground goes no further than ``cap`` thou (-1: as far as ever), which may be a figure or a
    function of the unit. ``harm(play, unit, count)`` is what dangerous ground does at the end of a move, for each model that
    crossed some, or with ``each_piece`` for each piece each model crossed. ``hinders`` says whom the ground hinders at all,
    ``harms`` to whom it is dangerous.
    """

    cap: int | Callable[[Play, int], int] = -1
    hinders: Callable[[Play, int], bool] = everybody
    harms: Callable[[Play, int], bool] = everybody
    harm: Callable[[Play, int, int], object] | None = None
    each_piece: bool = False

    def __call__(self, play: Play, kind: MoveKind, order: Order) -> Order:
        """The order of a move over this ground. Whoever may not go anywhere crosses nothing."""
        unit = order.unit
        if not kind.ground or not self.hinders(play, unit):
            return order
        cap = self.cap if isinstance(self.cap, int) else self.cap(play, unit)
        dangerous = DANGEROUS if order.allowance and self.harms(play, unit) else 0
        return replace(order, difficult=DIFFICULT, difficult_cap=cap, dangerous=dangerous)

    def cross(self, play: Play, unit: int, verdict: Verdict) -> None:
        """What the ground does to a unit that went over it."""
        if self.harm is not None and verdict.dangerous:
            count = len(verdict.dangerous if self.each_piece else {slot for slot, _ in verdict.dangerous})
            self.harm(play, unit, count)


def in_cover(game: Game, state: State, form: AttackForm) -> bool:
    """Whether more than half of a target's models are within or behind cover, seen from those who attack.

    What a form states counts; where nobody has a place on the table there is no cover.
    """
    if form.cover is not None:
        return form.cover
    if not has_positions(state, form.attacker) or not has_positions(state, form.target):
        return False
    firing = state.units[form.attacker].living if form.weapons is None else tuple(sorted({slot for slot, _ in form.weapons}))
    found = covered(game.scene(state), game.edition.sight, firing, form.target)
    return 2 * sum(piece >= 0 for piece in found.values()) > len(found)


def standing_in(game: Game, state: State, unit: int, kind: str) -> tuple[int, ...]:
    """The models of a unit whose bases are on terrain of a type, by the edition's word for it, be it by an edge."""
    pieces = [number for number, piece in enumerate(game.table.terrain) if kind in piece.types]
    if not pieces or state.units[unit].where != TABLE:
        return ()
    scene = game.scene(state)
    return tuple(slot for slot in state.units[unit].living if any(base_gap(scene, slot, piece) <= 0 for piece in pieces))
