"""A unit under fire from Snipers, as a target for odds: some wounds go to models that were named, the rest by the book."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from rolloff.editions.onepage.lookups import tough
from rolloff.oracle.flow import DAMAGE, WASTED, Exit, Harm, harm_of
from rolloff.oracle.roll import Dice
from rolloff.oracle.target import Rung, UnitTarget
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.table.state import State


class Bearer(Struct, frozen=True):
    """One model, with the wounds it had left."""

    slot: int
    rung: Rung


class Losses(NamedTuple):
    """Wounds lost by model, in the order they fall."""

    lost: tuple[int, ...]


class Company(Struct, UnitTarget[Losses], frozen=True, cache_hash=True):
    """The models of a unit in the order they fall; the wounded go before the others (RULE-TOUGH-3)."""

    bearers: tuple[Bearer, ...]
    hurt: int

    @property
    def models(self) -> int:
        """How many models there are."""
        return len(self.bearers)

    @property
    def whole(self) -> int:
        """All wounds of all models."""
        return sum(bearer.rung.wounds for bearer in self.bearers)

    def left(self, state: Losses, at: int) -> int:
        """Wounds a model has left."""
        return self.bearers[at].rung.wounds - state.lost[at]

    def gone(self, state: Losses, /) -> bool:
        """Whether nobody is left."""
        return self.kills(state) == len(self.bearers)

    def kills(self, state: Losses, /) -> int:
        """How many are gone."""
        return sum(lost >= bearer.rung.wounds for bearer, lost in zip(self.bearers, state.lost, strict=True))

    def lost_on_next(self, state: Losses, /) -> int:
        """Wounds the model next to fall has lost."""
        at = self._next(state)
        return 0 if at is None else state.lost[at]

    def losses(self, start: Losses, end: Losses, order: Sequence[int], /) -> Iterator[tuple[int, int, int]]:
        """Slot, wounds lost and wounds there were, for each model; nothing is lost at the start."""
        for bearer, lost in zip(self.bearers, end.lost, strict=True):
            yield bearer.slot, lost, bearer.rung.wounds

    def damage(self, start: Losses, end: Losses, /) -> int:
        """The wounds lost between two states."""
        return sum(end.lost) - sum(start.lost)

    def _next(self, state: Losses) -> int | None:
        """RULE-TOUGH-3: who bears a wound nobody was named for: a wounded model, else the first of the order.

        Of several that are wounded it is the first of the unit, as for owners who are not asked (DP-24).
        """
        alive = [at for at in range(len(self.bearers)) if self.left(state, at)]
        hurt = [at for at in alive if at < self.hurt or state.lost[at]]
        return min(hurt, key=lambda at: self.bearers[at].slot, default=alive[0] if alive else None)

    @cites("RULE-SNIPER-2")
    def _bearer(self, state: Losses, harm: Harm) -> int | None:
        """RULE-SNIPER-2: the model that was named, alive or not; else whoever is next."""
        if harm.aim is None:
            return self._next(state)
        return self._place(harm.aim)

    def apart(self, state: Losses, aim: int, /) -> tuple[Company, Losses]:
        """The model that was named by itself: what it does not need is lost, and nobody else is the worse for it."""
        at = self._place(aim)
        return Company((self.bearers[at],), 0), Losses((state.lost[at],))

    def whole_of(self, state: Losses, ends: Mapping[int, Losses], /) -> Losses:
        """The unit when its named models have come to these ends."""
        lost = list(state.lost)
        for aim, end in ends.items():
            lost[self._place(aim)] = end.lost[0]
        return Losses(tuple(lost))

    def _place(self, slot: int) -> int:
        return next(at for at, bearer in enumerate(self.bearers) if bearer.slot == slot)

    def take(self, dice: Dice, state: Losses, leaving: Exit, times: int = 1, /) -> Losses:
        """Each wound or packet goes to one model; what that does not need is lost."""
        harm = harm_of(leaving)
        for _ in range(times):
            at = self._bearer(state, harm)
            if at is None:
                break
            damage = harm.damage if isinstance(harm.damage, int) else dice.ask(harm.damage)
            lost = min(damage, self.left(state, at))
            dice.note(DAMAGE, lost)
            if damage > lost:
                dice.note(WASTED, damage - lost)
            state = Losses((*state.lost[:at], state.lost[at] + lost, *state.lost[at + 1 :]))
        return state


def company_of(game: Game, state: State, order: tuple[int, ...]) -> tuple[Company, Losses]:
    """A unit as such a target, and nothing lost yet."""
    bearers = tuple(Bearer(slot, Rung(wounds=tough(game, slot) - state.wounds_on(slot))) for slot in order)
    hurt = sum(state.wounds_on(slot) > 0 for slot in order)
    return Company(bearers, hurt), Losses((0,) * len(order))
