"""What odds are told in: distributions over whole numbers, and what became of each attack, target and exchange."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, count
from operator import mul
from typing import Protocol, overload

from msgspec import Struct

from rolloff.lazy import lazy
from rolloff.oracle.flow import ATTACKS, BLOCKED, HITS, IGNORED, WOUNDS, Tally
from rolloff.oracle.law import Number
from rolloff.rules.attack import Change
from rolloff.rules.notes import Note

SLACK = 1e-12
"""By how much sums of floats may fall short of a quantile they reach."""


class Distribution(Sequence[Number]):
    """The chances of 0, 1, 2 ... as floats or fractions; `distribution[k]` is the chance of exactly k."""

    __slots__ = ("chances",)

    def __init__(self, chances: Iterable[Number]) -> None:
        """Keep the chances up to the highest number that can happen."""
        kept = tuple(chances)
        if not kept[-1]:
            end = len(kept) - 1
            while end > 1 and not kept[end - 1]:
                end -= 1
            kept = kept[: end or 1]
        self.chances: tuple[Number, ...] = kept

    @overload
    def __getitem__(self, at: int) -> Number: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Number]: ...
    def __getitem__(self, at: int | slice) -> Number | Sequence[Number]:
        """The chance of exactly so many."""
        return self.chances[at]

    def __len__(self) -> int:
        """One more than the highest number that can happen."""
        return len(self.chances)

    def __eq__(self, other: object) -> bool:
        """Equal if every chance is."""
        return isinstance(other, Sequence) and not isinstance(other, str) and tuple(other) == self.chances

    def __hash__(self) -> int:
        """The hash of the chances."""
        return hash(self.chances)

    def __repr__(self) -> str:
        """The mean and the likely range."""
        return f"<Distribution mean {float(self.mean):.3f}, {self.quantile(0.1)} to {self.quantile(0.9)} likely>"

    @property
    def mean(self) -> Number:
        """The average."""
        found: Number = sum(map(mul, self.chances, count()))
        return found

    @property
    def variance(self) -> Number:
        """The mean square distance from the average."""
        mean = self.mean
        return sum((k - mean) ** 2 * chance for k, chance in enumerate(self.chances))

    def exactly(self, k: int) -> Number:
        """The chance of exactly k; none beyond what can happen."""
        return self.chances[k] if 0 <= k < len(self.chances) else 0

    def at_least(self, k: int) -> Number:
        """The chance of k or more, summed from the far end so that small chances stay sharp."""
        return capped(sum(reversed(self.chances[max(k, 0) :])))

    def tails(self) -> list[Number]:
        """The chance of k or more, for each k that can happen."""
        found: list[Number] = list(accumulate(self.chances[::-1]))
        if found[-1] > 1:  # which only floats can be
            found = [1.0 if tail > 1 else tail for tail in found]
        return found[::-1]

    def quantile(self, q: float | Fraction) -> int:
        """The least k with a chance of at least q to stay at k or below."""
        return self.quantiles(q)[0]

    def quantiles(self, *rising: float | Fraction) -> list[int]:
        """The same for several chances, each no less than the one before."""
        chances = self.chances
        slack = SLACK if isinstance(chances[0], float) else 0
        found: list[int] = []
        k, below, last = 0, chances[0], len(chances) - 1
        for q in rising if slack else [Fraction(str(q)) for q in rising]:
            while below + slack < q and k < last:
                k += 1
                below = below + chances[k]
            found.append(k)
        return found

    @property
    def median(self) -> int:
        """The least k that is not exceeded at least half the time."""
        return self.quantile(0.5)

    def plus(self, other: Distribution) -> Distribution:
        """The sum of this and something that does not depend on it; `BadInput` where rationals would take too long."""
        import numpy as np

        from rolloff.oracle.powers import joined

        kind = float if isinstance(self.chances[0], float) or isinstance(other.chances[0], float) else object
        first, second = (np.array(law.chances, dtype=kind) for law in (self, other))
        return Distribution(joined(first, second).tolist())

    def histogram(self, width: int = 40) -> str:
        """The chances as bars of text, each with the chance of so many or more."""
        return "\n".join(self._bars(width))

    def _bars(self, width: int) -> Iterator[str]:
        most, tails = max(map(float, self.chances)), self.tails()
        digits = len(str(len(self.chances) - 1))
        for k, chance in enumerate(self.chances):
            eighths = round(float(chance) / most * width * 8) if most else 0
            bar = "█" * (eighths // 8) + (" ▏▎▍▌▋▊▉"[eighths % 8] if eighths % 8 else "")
            yield f"{k:>{digits}}  {float(chance):7.2%}  {float(tails[k]):7.2%}+  {bar}"


def capped(chance: Number) -> Number:
    """A sum of chances, which rounding must not lift above certainty."""
    return 1.0 if chance > 1 and isinstance(chance, float) else chance


class StageOdds(Struct, frozen=True):
    """One roll on the way: how likely it succeeds, re-rolls and all, and the clauses in its table."""

    name: str
    p: Number
    clauses: tuple[str, ...]


class Tables(Protocol):
    """Where the tables of one attack, with those before it on the same target, come from."""

    def kills(self) -> Distribution:
        """Models that fall."""
        ...

    def damage(self) -> Distribution:
        """Wounds that are lost."""
        ...

    def left_on_next(self) -> Distribution:
        """Wounds on the model that is hurt and next to fall."""
        ...

    def wasted(self) -> Distribution:
        """Damage that found no wound to take."""
        ...

    def count(self, tally: Tally) -> Distribution:
        """Something counted on the way."""
        ...

    def destroyed(self) -> Number:
        """The chance that nobody is left."""
        ...

    def morale(self) -> Mapping[str, Number]:
        """What the losses lead to."""
        ...

    def stages(self) -> tuple[StageOdds, ...]:
        """Every roll it may come to."""
        ...

    def mortal(self) -> Distribution | None:
        """Mortal wounds that are lost, where the edition tells them apart."""
        ...

    def own_losses(self) -> Distribution | None:
        """Models the attacker loses to its own weapons, where the edition has such."""
        ...

    def parts(self) -> Mapping[str, tuple[Distribution, Distribution]]:
        """Kills and damage of Leader and Bodyguard apart."""
        ...

    def audit(self) -> tuple[Change, ...]:
        """What alters the plain numbers."""
        ...


class AttackOdds:
    """One attack together with those before it on the same target; a table is computed when it is first asked for."""

    def __init__(self, attack: int, target: str, tables: Tables) -> None:
        """Say which attack it is, and where its tables come from."""
        self.attack, self.target, self.tables = attack, target, tables

    @lazy
    def attacks(self) -> Distribution:
        """Attacks that are made."""
        return self.tables.count(ATTACKS)

    @lazy
    def hits(self) -> Distribution:
        """Hits, before anything ignores them."""
        return self.tables.count(HITS)

    @lazy
    def ignored(self) -> Distribution:
        """Hits that are ignored."""
        return self.tables.count(IGNORED)

    @lazy
    def blocked(self) -> Distribution:
        """Hits or wounds that are blocked or saved."""
        return self.tables.count(BLOCKED)

    @lazy
    def wounds(self) -> Distribution:
        """Wounds that are scored."""
        return self.tables.count(WOUNDS)

    @lazy
    def damage(self) -> Distribution:
        """Wounds that are lost."""
        return self.tables.damage()

    @lazy
    def kills(self) -> Distribution:
        """Models that fall."""
        return self.tables.kills()

    @lazy
    def wasted(self) -> Distribution:
        """Damage that found no wound to take."""
        return self.tables.wasted()

    @lazy
    def left_on_next(self) -> Distribution:
        """Wounds on the model that is hurt and next to fall."""
        return self.tables.left_on_next()

    @lazy
    def destroyed(self) -> Number:
        """The chance that nobody is left."""
        return self.tables.destroyed()

    @lazy
    def mortal(self) -> Distribution | None:
        """Mortal wounds that are lost; None where the edition does not tell them apart."""
        return self.tables.mortal()

    @lazy
    def own_losses(self) -> Distribution | None:
        """Models the attacker loses to its own weapons; None where the edition has nothing of the sort."""
        return self.tables.own_losses()

    @lazy
    def parts(self) -> Mapping[str, tuple[Distribution, Distribution]]:
        """Kills and damage of Leader and Bodyguard apart, for an attached unit."""
        return self.tables.parts()

    @lazy
    def stages(self) -> tuple[StageOdds, ...]:
        """Every roll it may come to."""
        return self.tables.stages()

    @lazy
    def audit(self) -> tuple[Change, ...]:
        """What alters the plain numbers, and what was cut short."""
        _ = self.wasted  # it says whether it was counted to the end
        return self.tables.audit()


class TargetOdds:
    """What becomes of one target after the last attack; morale by word."""

    def __init__(self, tables: Tables) -> None:
        """Say where its tables come from."""
        self._tables = tables

    @lazy
    def kills(self) -> Distribution:
        """Models that fall."""
        return self._tables.kills()

    @lazy
    def destroyed(self) -> Number:
        """The chance that nobody is left."""
        return self._tables.destroyed()

    @lazy
    def morale(self) -> Mapping[str, Number]:
        """What the losses lead to, for every word the edition has."""
        return self._tables.morale()


class Ended(TargetOdds):
    """What becomes of a target in an exchange, known already."""

    def __init__(self, kills: Distribution, destroyed: Number, morale: Mapping[str, Number]) -> None:
        """Take what was found."""
        self.__dict__.update(kills=kills, destroyed=destroyed, morale=morale)


class ExchangeOdds(Struct, frozen=True):
    """A melee with strikes back: (models felled by the attacker, by the target) with its chance, and how it ended.

    ``charged``: whether the attacker counts as having charged into it, which it does unless the attack says otherwise.
    """

    joint: Mapping[tuple[int, int], Number]
    win: Number
    tie: Number
    lose: Number
    rout_a: Number
    rout_b: Number
    morale_a: Mapping[str, Number]
    morale_b: Mapping[str, Number]
    charged: bool = True


class Odds(Struct, frozen=True):
    """Everything about a scenario. `odds[k]` is the k-th attack; `kills`, `destroyed` are those after the last.

    ``notes`` say what in it was read otherwise than written, or left out.
    """

    edition: str
    exact: bool
    policies: Mapping[str, str]
    results: tuple[AttackOdds, ...]
    targets: Mapping[str, TargetOdds]
    exchange: ExchangeOdds | None = None
    notes: tuple[Note, ...] = ()

    def __getitem__(self, attack: int) -> AttackOdds:
        """The odds of one attack with those before it."""
        return self.results[attack]

    @property
    def last(self) -> AttackOdds:
        """The last attack, with all before it on the same target."""
        return self.results[-1]

    @property
    def kills(self) -> Distribution:
        """How many models fall."""
        return self.last.kills

    @property
    def destroyed(self) -> Number:
        """The chance that nobody is left of the last target."""
        return self.last.destroyed

    @property
    def morale(self) -> Mapping[str, Number]:
        """What the losses of the last target lead to."""
        return self.targets[self.last.target].morale
