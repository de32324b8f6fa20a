"""The target of an attack, model by model: who bears a wound, and what waits for the end (ATK-4, ATK-5, PREC, MW).

A company asks a picker where somebody may choose. In play the picker puts the question; for odds it is a policy. A unit
in which nobody but the owner chooses, always by the same policy, is also a plain ladder (`ladder_of`), which is quicker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import compress
from operator import attrgetter, gt, sub
from typing import NamedTuple, Protocol

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions.commentary.saves import Guard, Sheltered, no_pain, saves_apart, working
from rolloff.editions.commentary.traits import ASSIGNED, CONVERTED, HIDDEN, MORTAL, PRECISE, RELEASED, RESOLVED
from rolloff.lazy import lazy
from rolloff.oracle.flow import BLOCKED, WASTED, Exit, Harm, Wave, Wound, harm_of
from rolloff.oracle.roll import Dice
from rolloff.oracle.stage import Stage, check
from rolloff.oracle.target import Ladder, Rung, UnitTarget, bear, blocked
from rolloff.rules.citing import cites

NOBODY = -1
GATHERED = frozenset({ASSIGNED, CONVERTED})
DEMISE = check("deadly demise", 6, "ABIL-1")
FEWEST, MOST = "fewest-wounds", "most-wounds"
TO_CHARACTER, TO_UNIT = "character", "unit"


class Bearer(Struct, frozen=True, cache_hash=True):
    """One model: its saves and wounds, and whether it is a CHARACTER of an Attached unit.

    ``demise`` is what its end inflicts on units close by; ``near`` are the fellows that close, one bit each, and ``facing``
    says that the enemy is, where an exchange of blows is computed. ``pains`` are several Feel No Pain that need different dice,
    ``demises`` several Deadly Demise with what players read of them, the best first. ``whiles`` are fellows of whom one must be
    left for it to be so, one bit each; ``lesser`` is the model without what the first of them kept, the second, both, ...
    """

    rung: Rung
    slot: int = 0
    character: bool = False
    demise: Stage[int] | None = None
    near: int = 0
    facing: bool = False
    parry: bool = False
    pains: tuple[tuple[int, str], ...] = ()
    demises: tuple[tuple[str, Stage[int]], ...] = ()
    whiles: tuple[int, ...] = ()
    lesser: tuple[Bearer, ...] = ()

    @property
    def alone(self) -> Ladder:
        """The model as a target of its own."""
        return Ladder((self.rung,))


class TargetState(NamedTuple):
    """How a company stands: wounds lost by each model, who was allocated attacks, who is being allocated them now.

    ``pool`` are mortal wounds that wait: for whom first, how many, with what traits. ``pending`` are wounds allocated but
    not yet saved. ``owed`` are mortal wounds its fallen inflict on the enemy before them.
    """

    lost: tuple[int, ...]
    touched: int = 0
    current: int = NOBODY
    pool: tuple[tuple[int, int, tuple[str, ...]], ...] = ()
    pending: tuple[tuple[int, Wound], ...] = ()
    owed: int = 0


_wounds_of, _leads = attrgetter("rung.wounds"), attrgetter("character")


def _rank_and_file(bearers: tuple[Bearer, ...], standing: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([at for at in standing if not bearers[at].character])


class Picker(Protocol):
    """Whoever chooses for the two sides."""

    @property
    def strict(self) -> bool:
        """Whether who bears an attack may be said where it is no choice, too."""
        ...

    def pick(self, company: Company, muster: TargetState, options: tuple[int, ...], mortal: bool = False) -> int:
        """The target's owner says who of these is allocated the attack, or the ``mortal`` wound."""
        ...

    def fails(self, company: Company, muster: TargetState, options: tuple[int, ...]) -> int:
        """Whose Hazardous weapon failed, of those who bear one."""
        ...

    def precise(self, company: Company, muster: TargetState, options: tuple[int, ...]) -> int:
        """The attacker says which CHARACTER bears it, or NOBODY to leave it to the owner."""
        ...

    def falls(self, bearer: Bearer) -> None:
        """A model is destroyed; nothing that follows from it has happened yet."""
        ...

    def lingers(self, bearer: Bearer) -> bool:
        """Whether a destroyed model may act before it is removed, so that what its end does to others waits until it has."""
        ...

    def surely(self, bearer: Bearer) -> bool:
        """Whether the end of a model takes effect without a die."""
        ...

    def threatened(self, deadly: bool) -> None:
        """A wound comes to a model that may change its Damage: whether it could be its end."""
        ...

    def parries(self, bearer: Bearer, rolled: bool) -> bool:
        """Whether a model changes the Damage of an attack it did not save to 0; none is ``rolled`` that cannot succeed."""
        ...

    def saves(self, bearer: Bearer, names: tuple[str, ...]) -> str:
        """Which of several saves a model takes that have different odds."""
        ...

    def shrugs(self, bearer: Bearer, needs: list[int]) -> int:
        """Which of several Feel No Pain a model uses for wounds it is about to lose, by what they need."""
        ...

    def demise(self, bearer: Bearer) -> Stage[int]:
        """Which of several Deadly Demise a model uses that takes effect."""
        ...

    def beyond(self, dice: Dice, bearer: Bearer, standing: tuple[int, ...]) -> None:
        """What the end of a model does to other units, while these slots of its own are still standing."""
        ...

    def paid(self, dice: Dice, company: Company, muster: TargetState) -> TargetState:
        """The muster of the unit after whatever became due to it meanwhile."""
        ...


class Policy(Struct, frozen=True, cache_hash=True):
    """Choices made in advance: the book's defaults unless stated; ``order`` names models that are taken before others."""

    allocation: str = FEWEST
    precision: str = TO_CHARACTER
    order: tuple[int, ...] = ()
    strict: bool = False

    def _preferred(self, options: tuple[int, ...]) -> int | None:
        """The first of those somebody named in advance."""
        return next((at for at in self.order if at in options), None) if self.order else None

    def pick(self, company: Company, muster: TargetState, options: tuple[int, ...], mortal: bool = False) -> int:
        """DP-32, DP-55: who was named in advance, else who has the fewest wounds left, or the most; the first of equals."""
        named = self._preferred(options)
        if named is not None:
            return named
        left = company.all_left(muster)
        return (max if self.allocation == MOST else min)(options, key=left.__getitem__)

    def fails(self, company: Company, muster: TargetState, options: tuple[int, ...]) -> int:
        """DP-36: as wounds are allocated."""
        return self.pick(company, muster, options)

    def precise(self, company: Company, muster: TargetState, options: tuple[int, ...]) -> int:
        """DP-33: the CHARACTER with the fewest wounds left, or as the policy says nobody."""
        if self.precision == TO_UNIT:
            return NOBODY
        named = self._preferred(options)
        return named if named is not None else min(options, key=company.all_left(muster).__getitem__)

    def falls(self, bearer: Bearer) -> None:
        """Odds know no Stratagems."""

    def lingers(self, bearer: Bearer) -> bool:
        """In odds nobody acts who is destroyed."""
        return False

    def surely(self, bearer: Bearer) -> bool:
        """Odds know no Stratagems."""
        return False

    def threatened(self, deadly: bool) -> None:
        """Odds are those of the dice alone."""

    def parries(self, bearer: Bearer, rolled: bool) -> bool:
        """Odds are those of the dice alone."""
        return False

    def saves(self, bearer: Bearer, names: tuple[str, ...]) -> str:
        """DP-34: the one with the better odds."""
        return names[0]

    def shrugs(self, bearer: Bearer, needs: list[int]) -> int:
        """DP-35: the best."""
        return needs[0]

    def demise(self, bearer: Bearer) -> Stage[int]:
        """DP-31: the best."""
        return bearer.demises[0][1]

    def beyond(self, dice: Dice, bearer: Bearer, standing: tuple[int, ...]) -> None:
        """What it does to the enemy before it is owed; odds are of no other unit."""

    def paid(self, dice: Dice, company: Company, muster: TargetState) -> TargetState:
        """Nothing becomes due in the middle of an attack."""
        return muster


BY_THE_BOOK = Policy()


class Veil(Struct, frozen=True, cache_hash=True):
    """ABIL-10: a unit that may gain or lose Stealth in the middle of attacks, by who of it is left.

    ``open`` are those of its models that do not have it themselves; of each of ``keepers`` one that is left gives it to all.
    """

    open: frozenset[int]
    keepers: tuple[frozenset[int], ...]
    at_first: bool

    def turned(self, standing: Iterable[int]) -> bool:
        """Whether it is not as it was at first, if these models are left."""
        left = frozenset(standing)
        hidden = self.open.isdisjoint(left) or any(not group.isdisjoint(left) for group in self.keepers)
        return bool(left) and hidden is not self.at_first


class Company(Struct, UnitTarget[TargetState], frozen=True, cache_hash=True, dict=True):
    """A unit as a target. With ``waits`` mortal wounds of attacks stay put by when all attacks on it are made (MW-4)."""

    bearers: tuple[Bearer, ...]
    picker: Picker = BY_THE_BOOK
    waste: bool = True
    waits: bool = False
    veil: Veil | None = None
    converts = True

    def turned(self, muster: TargetState, /) -> bool:
        """ABIL-10: whether attacks that begin now meet Stealth that was not there at first, or none that was."""
        return self.veil is not None and self.veil.turned([self.bearers[at].slot for at in self.standing(muster)])

    @lazy
    def wounds(self) -> tuple[int, ...]:
        """The wounds of each model before anything happens."""
        return tuple(map(_wounds_of, self.bearers))

    @lazy
    def led(self) -> bool:
        """Whether there are CHARACTERS of an Attached unit among the models."""
        return any(map(_leads, self.bearers))

    def start(self, touched: int = 0) -> TargetState:
        """Nothing has happened yet; ``touched`` are models that were allocated attacks before in this phase."""
        return TargetState((0,) * len(self.bearers), touched)

    @property
    def models(self) -> int:
        """How many models there were at first."""
        return len(self.bearers)

    def kills(self, muster: TargetState) -> int:
        """How many models are gone."""
        return len(self.bearers) - len(self.standing(muster))

    def lost_on_next(self, muster: TargetState) -> int:
        """The wounds lost by the model that must bear the next attack."""
        hurt = [muster.lost[at] for at in self._eligible(muster) if muster.lost[at]]
        return hurt[0] if hurt else 0

    def losses(self, start: TargetState, end: TargetState, order: Sequence[int], /) -> Iterator[tuple[int, int, int]]:
        """Slot, wounds lost and wounds there were, for each model; nothing is lost at the start."""
        for bearer, lost in zip(self.bearers, end.lost, strict=True):
            yield bearer.slot, lost, bearer.rung.wounds

    def damage(self, start: TargetState, end: TargetState, /) -> int:
        """The wounds lost between two states."""
        return sum(end.lost) - sum(start.lost)

    def unneeded(self, harm: Harm, damage: int, /) -> int:
        """The damage as the attack itself has it."""
        blunt = self.bearers[0].rung.blunt
        return damage if blunt is None else blunt.own(harm, damage)

    def shared_guard(self, wound: Wound) -> tuple[bool, Stage[bool] | None]:
        """Whether every model would take the same save against a wound, and that save."""
        every = [one for bearer in self.bearers for one in (bearer, *bearer.lesser)]
        return Ladder(tuple([one.rung for one in every])).shared_guard(wound)

    def left(self, muster: TargetState, at: int) -> int:
        """The wounds a model has left."""
        return self.bearers[at].rung.wounds - muster.lost[at]

    def all_left(self, muster: TargetState) -> list[int]:
        """The wounds each model has left."""
        return list(map(sub, self.wounds, muster.lost))

    def stands(self, muster: TargetState, at: int) -> bool:
        """Whether a model is still there."""
        return self.left(muster, at) > 0

    def standing(self, muster: TargetState) -> tuple[int, ...]:
        """The models that are still there."""
        return tuple(compress(range(len(muster.lost)), map(gt, self.wounds, muster.lost)))

    def gone(self, muster: TargetState, /) -> bool:
        """Whether the last model fell: everybody has lost all wounds."""
        return muster.lost == self.wounds

    def take(self, dice: Dice, muster: TargetState, leaving: Exit, times: int = 1, /) -> TargetState:
        """Bear a wound or harm so many times over."""
        wounds = self.wounds
        harm = leaving.harm if isinstance(leaving, Wound) else leaving
        special = harm.traits or self.waits
        while times > 0 and muster[0] != wounds:
            muster = self._once(dice, muster, leaving, harm) if special else self._borne(dice, muster, NOBODY, leaving)
            times -= 1
        return muster

    def gathers(self, leaving: Exit, /) -> bool:
        """MW-4, PREC-2: mortal wounds that wait, and the wounds of a batch, are put by until all dice are rolled."""
        harm = harm_of(leaving)
        return bool(GATHERED.intersection(harm.traits)) or (self.waits and harm.wave is Wave.AFTER_UNIT)

    def _once(self, dice: Dice, muster: TargetState, leaving: Exit, harm: Harm) -> TargetState:
        """The same once, of harm about which there is perhaps something special."""
        if self.waits and harm.wave is Wave.AFTER_UNIT:
            return muster if RELEASED in harm.traits else self._put_by(muster, NOBODY, harm, 1)
        if RELEASED in harm.traits:
            return self.released(dice, muster)
        if RESOLVED in harm.traits:
            return self._resolved(dice, muster)
        if CONVERTED in harm.traits:
            return self._converted(dice, muster, harm)
        if ASSIGNED in harm.traits and isinstance(leaving, Wound):
            return muster._replace(pending=(*muster.pending, (NOBODY, leaving)))  # PREC-2
        return self._borne(dice, muster, self._aim(muster, harm), leaving)

    # who bears it

    @cites("UNIT-8", "UNIT-10")
    def _now(self, muster: TargetState, at: int) -> Bearer:
        """UNIT-8, UNIT-10: a model as it is while no others are left than these."""
        bearer = self.bearers[at]
        if not bearer.lesser:
            return bearer
        left = sum([1 << other for other in self.standing(muster)])
        lapsed = sum([1 << k for k, keepers in enumerate(bearer.whiles) if not keepers & left])
        return bearer.lesser[lapsed - 1] if lapsed else bearer

    @cites("WPN-10", "PREC-1")
    def _aim(self, muster: TargetState, harm: Harm) -> int:
        """WPN-10, PREC-1: the CHARACTER the attacker wants a precise wound to go to, of those it sees, or NOBODY."""
        if PRECISE not in harm.traits:
            return NOBODY
        rows = [(at, self.bearers[at]) for at in self.standing(muster)]
        options = tuple([at for at, one in rows if one.character and f"{HIDDEN}{one.slot}" not in harm.traits])
        return self.picker.precise(self, muster, options) if options else NOBODY

    @cites("ATK-5")
    def _eligible(self, muster: TargetState) -> tuple[int, ...]:
        """ATK-5: no CHARACTER of an Attached unit while a Bodyguard model remains."""
        standing = self.standing(muster)
        return (_rank_and_file(self.bearers, standing) or standing) if self.led else standing

    def _begun(self, muster: TargetState, among: tuple[int, ...]) -> tuple[int, ...]:
        """Those of some models that have lost wounds or were allocated attacks."""
        lost, touched = muster.lost, muster.touched
        if touched:
            return tuple([at for at in among if lost[at] or touched >> at & 1])
        return tuple(compress(among, map(lost.__getitem__, among))) if any(lost) else ()

    def _next(self, muster: TargetState) -> tuple[tuple[int, ...], bool]:
        """ATK-4: a model that has lost wounds or was allocated attacks this phase comes first; without one any model.

        Whose turn it may be, and whether they are such models.
        """
        lost, _, current, _, _, _ = muster
        if len(lost) == 1:
            return (0,), True
        eligible = self._eligible(muster)
        if current in eligible:
            return (current,), True  # ATK-4
        begun = self._begun(muster, eligible)
        return (begun, True) if begun else (eligible, False)

    @cites("MW-3", "ATK-4")
    def _allocated(self, muster: TargetState, leaving: Exit | None = None) -> tuple[int, TargetState]:
        """MW-3, ATK-4: the model the owner has bear it, which stays the one until it is destroyed."""
        options, begun = self._next(muster)
        if len(options) == 1 and not self.picker.strict:
            return options[0], muster
        mortal = leaving is not None and MORTAL in harm_of(leaving).traits
        at = self.picker.pick(self, muster, options, mortal)
        if len(options) == 1:
            return at, muster
        lost, touched, current, pool, pending, owed = muster
        if begun:
            return at, TargetState(lost, touched, at, pool, pending, owed)
        return at, TargetState(lost, touched | 1 << at, current, pool, pending, owed)

    # what it does

    def _borne(self, dice: Dice, muster: TargetState, aim: int, leaving: Exit) -> TargetState:
        """One wound or point of harm reaches a model: save, damage, and what its end brings."""
        at = aim
        if aim == NOBODY or not self.stands(muster, aim):
            at, muster = self._allocated(muster, leaving)
        bearer = self._now(muster, at)
        before, touched, current, pool, pending, owed = muster
        lost = self._loss(dice, bearer, before[at], leaving)
        now = touched & ~(1 << at) if lost else touched | 1 << at
        if lost == before[at] and now == touched:
            return muster
        losses = (*before[:at], lost, *before[at + 1 :])
        if lost < bearer.rung.wounds:
            return TargetState(losses, now, current, pool, pending, owed)
        muster = TargetState(losses, now, NOBODY if current == at else current, pool, pending, owed)
        return self._unclaimed(dice, self._fallen(dice, muster, bearer))

    def _loss(self, dice: Dice, bearer: Bearer, lost: int, leaving: Exit) -> int:
        """The wounds a model has lost after one more wound or harm has come to it."""
        if isinstance(leaving, Wound):
            guard = bearer.rung.guard
            if isinstance(guard, Sheltered) and guard.plain.ward is not None:
                guard = guard.taken()
                bearer = guarded(bearer, guard)
            if isinstance(guard, Guard) and guard.ward is not None:
                bearer = self._saving(bearer, guard, leaving)
            if bearer.parry:
                return self._parried(dice, bearer, lost, leaving)
            if bearer.pains:
                return lost if blocked(dice, bearer.rung, leaving) else self._hurt(dice, bearer, lost, leaving)
            harm, rung = leaving.harm, bearer.rung
            if not harm.spills:
                known = leaving if isinstance(harm.damage, int) else _unrolled(bearer, leaving)
                return lost + bear(dice, rung, rung.wounds - lost, known, False)  # ATK-9, FNP-2
        if bearer.pains:
            return self._hurt(dice, bearer, lost, leaving)
        return bearer.alone.take(dice, lost, _unrolled(bearer, leaving))  # FNP-2

    def _saving(self, bearer: Bearer, guard: Guard, wound: Wound) -> Bearer:
        """ATK-6: a model with an invulnerable save, as its owner wants it to save; by default by the better odds."""
        names = saves_apart(guard, wound)
        used = self.picker.saves(bearer, names) if names else ""
        return bearer if not names or used == names[0] else saving_by(bearer, ((names, used),))

    @cites("DUP-2")
    def _hurt(self, dice: Dice, bearer: Bearer, lost: int, leaving: Exit) -> int:
        """DUP-2, ABIL-3: harm that was not saved; whose model it is says which Feel No Pain is used, if several work."""
        harm, rung = harm_of(_unrolled(bearer, leaving)), bearer.rung
        needs = working(bearer.pains, harm)
        if len(needs) > 1:
            rung = replace(rung, shrug=no_pain(self.picker.shrugs(bearer, needs)))
        return Ladder((rung,)).take(dice, lost, harm)  # FNP-2

    def _parried(self, dice: Dice, bearer: Bearer, lost: int, wound: Wound) -> int:
        """MODCH-4: the save first; if it fails the model may change the Damage to 0 before any is rolled."""
        save = None if bearer.rung.guard is None else bearer.rung.guard(wound)
        self.picker.threatened(_greatest(bearer, wound) >= bearer.rung.wounds - lost)
        if save is not None and dice.ask(save):
            dice.note(BLOCKED)
            return lost
        if self.picker.parries(bearer, rolled=save is not None):
            return lost
        return self._hurt(dice, bearer, lost, wound)

    def _unclaimed(self, dice: Dice, muster: TargetState) -> TargetState:
        """Mortal wounds that still wait when the last model has fallen find nobody."""
        if not muster.pool or not self.gone(muster):
            return muster
        dice.note(WASTED, sum(count for _, count, _ in muster.pool))
        return muster._replace(pool=())

    def _fallen(self, dice: Dice, muster: TargetState, bearer: Bearer) -> TargetState:
        """ABIL-1: a model with Deadly Demise is destroyed: on a 6 every unit close by suffers mortal wounds, its own too."""
        self.picker.falls(bearer)  # WHEN-1
        if bearer.demise is None or self.picker.lingers(bearer) or not (self.picker.surely(bearer) or dice.ask(DEMISE)):
            return muster
        if bearer.demises:
            bearer = replace(bearer, demise=self.picker.demise(bearer))  # DUP-2
        assert bearer.demise is not None
        self.picker.beyond(dice, bearer, tuple([self.bearers[at].slot for at in self.standing(muster)]))
        if bearer.facing:
            muster = muster._replace(owed=muster.owed + dice.ask(bearer.demise))
        if any(bearer.near >> at & 1 for at in self.standing(muster)):
            muster = self.mortals(dice, muster, dice.ask(bearer.demise))
        return muster

    def mortals(
        self, dice: Dice, muster: TargetState, count: int, aim: int = NOBODY, traits: tuple[str, ...] = ()
    ) -> TargetState:
        """MW-2, MW-3: mortal wounds one at a time, first to the model they are meant for, carrying over to others."""
        point = Harm(1, (*traits, MORTAL))
        for _ in range(count):
            if self.gone(muster):
                break
            muster = self._borne(dice, muster, aim, point)
        return muster

    def destroy(self, dice: Dice, muster: TargetState, at: int) -> TargetState:
        """A model is destroyed outright."""
        bearer = self._now(muster, at)
        lost = (*muster.lost[:at], bearer.rung.wounds, *muster.lost[at + 1 :])
        return self._fallen(dice, muster._replace(lost=lost), bearer)

    def _converted(self, dice: Dice, muster: TargetState, harm: Harm) -> TargetState:
        """MODDW-1, MW-5: Damage as the model it would go to now takes it, put by as mortal wounds for that CHARACTER first."""
        aim = self._aim(muster, harm)
        first = aim if aim != NOBODY else BY_THE_BOOK.pick(self, muster, self._next(muster)[0])
        bearer = self._now(muster, first)
        harm = harm_of(_unrolled(bearer, harm))
        damage = harm.damage if isinstance(harm.damage, int) else dice.ask(harm.damage)
        blunt = bearer.rung.blunt
        if blunt is not None:
            damage = blunt(harm, damage)  # MODDW-1
        return self._put_by(muster, aim, harm, damage)

    def _put_by(self, muster: TargetState, aim: int, harm: Harm, count: int) -> TargetState:
        """So many mortal wounds more that wait, in the order inflicted."""
        kept = [trait for trait in harm.traits if trait not in (CONVERTED, PRECISE, MORTAL)]
        traits = tuple([trait for trait in kept if not trait.startswith(HIDDEN)])
        pool = muster.pool
        if pool and (pool[-1][0], pool[-1][2]) == (aim, traits):
            count, pool = count + pool[-1][1], pool[:-1]
        return muster._replace(pool=(*pool, (aim, count, traits))) if count else muster

    def released(self, dice: Dice, muster: TargetState) -> TargetState:
        """MW-4: what was put by is applied, in the order inflicted."""
        return dice.run(release, self, muster, sum(count for _, count, _ in muster.pool))

    def first_released(self, dice: Dice, muster: TargetState) -> TargetState:
        """One mortal wound of those put by; when the CHARACTER it is for has died, it goes on as any other (MW-5)."""
        (meant, count, traits), *rest = muster.pool
        aim = meant  # MW-5
        left = ((meant, count - 1, traits), *rest) if count > 1 else tuple(rest)
        return self.mortals(dice, muster._replace(pool=left), 1, aim, traits)

    def _resolved(self, dice: Dice, muster: TargetState) -> TargetState:
        """PREC-2: all dice of a batch are rolled; the attacker assigns each wound, then they are saved in that order.

        The owner allocates what is left to him before any save too; that model bears it until it is destroyed (ATK-4).
        """
        assigned = [(self._aim(muster, wound.harm), wound) for _, wound in muster.pending]
        if any(aim == NOBODY for aim, _ in assigned):
            _, muster = self._allocated(muster)
        return dice.run(resolve, self, muster._replace(pending=tuple(assigned)), len(assigned))

    def first_resolved(self, dice: Dice, muster: TargetState) -> TargetState:
        """One wound of a batch; one for a CHARACTER that died first is wasted."""
        (aim, wound), *rest = muster.pending
        muster = muster._replace(pending=tuple(rest))
        if aim != NOBODY and not self.stands(muster, aim) and self.waste:  # PREC-2
            return muster
        return self._borne(dice, muster, aim, wound)


def throughout(bearer: Bearer, change: Callable[[Bearer], Bearer]) -> Bearer:
    """A model changed, as it is now and as it will be when something has faded."""
    found = change(bearer)
    return replace(found, lesser=tuple(map(change, bearer.lesser))) if bearer.lesser else found


def fade(variants: Sequence[tuple[Bearer, ...]], whiles: tuple[int, ...]) -> tuple[Bearer, ...]:
    """The models of a unit that has something only while some of them are left: whole, and without each of the rest."""
    return tuple([replace(one, whiles=whiles, lesser=tuple(others)) for one, *others in zip(*variants, strict=True)])


def guarded(bearer: Bearer, guard: Guard) -> Bearer:
    """A model with the saving throw it takes."""
    return replace(bearer, rung=replace(bearer.rung, guard=guard))


@lru_cache(maxsize=1024)
def saving_by(bearer: Bearer, uses: tuple[tuple[tuple[str, ...], str], ...]) -> Bearer:
    """A model that takes the saves its owner wants, by those there are to choose from (`Guard.uses`)."""
    guard = bearer.rung.guard
    assert isinstance(guard, Guard)
    return guarded(bearer, replace(guard, uses=uses))


@cites("MOD-2", "DICE-6")
def _unrolled(bearer: Bearer, leaving: Exit) -> Exit:
    """MOD-2: where the model that bears it states the Damage, no Damage roll is made."""
    harm = harm_of(leaving)
    if isinstance(harm.damage, int) or MORTAL in harm.traits or bearer.rung.blunt is None or not bearer.rung.blunt.stated:
        return leaving
    known = replace(harm, damage=0)
    return replace(leaving, harm=known) if isinstance(leaving, Wound) else known


def _greatest(bearer: Bearer, wound: Wound) -> int:
    """The most Damage a wound could do to the model that bears it."""
    harm = harm_of(_unrolled(bearer, wound))
    most = harm.damage if isinstance(harm.damage, int) else max([rolled for rolled, _ in harm.damage.law()])
    return most if bearer.rung.blunt is None else bearer.rung.blunt(harm, most)


def release(dice: Dice, company: Company, muster: TargetState, count: int) -> TargetState:
    """So many of the mortal wounds put by: in halves, so that odds meet the same states again."""
    if count == 0 or company.gone(muster):
        return muster
    if count == 1:
        return company.first_released(dice, muster)
    return dice.run(release, company, dice.run(release, company, muster, count // 2), count - count // 2)


def resolve(dice: Dice, company: Company, muster: TargetState, count: int) -> TargetState:
    """So many of the wounds of a batch, in halves."""
    if count == 0 or company.gone(muster):
        return muster
    if count == 1:
        return company.first_resolved(dice, muster)
    return dice.run(resolve, company, dice.run(resolve, company, muster, count // 2), count - count // 2)


@lru_cache(maxsize=512)
def ladder_of(bearers: tuple[Bearer, ...], policy: Policy, touched: int) -> tuple[Ladder, tuple[int, ...]]:
    """A unit whose models fall in a known order as a ladder, and the order: who was begun on, then as the policy says.

    CHARACTER models of an Attached unit come last.
    """
    first = bearers[0]
    if not touched and all(one.rung == first.rung and not one.character for one in bearers):
        rung = first.rung
        return Ladder((Rung(rung.wounds, len(bearers), rung.guard, rung.shrug, rung.blunt),)), tuple(range(len(bearers)))
    company = Company(bearers, policy)
    muster = company.start(touched)
    order: list[int] = []
    while not company.gone(muster):
        at, muster = company._allocated(muster)
        order.append(at)
        lost = (*muster.lost[:at], bearers[at].rung.wounds, *muster.lost[at + 1 :])
        muster = muster._replace(lost=lost)
    rungs: list[Rung] = []
    for at in order:
        rung = bearers[at].rung
        if rungs and Rung(rungs[-1].wounds, 1, rungs[-1].guard, rungs[-1].shrug, rungs[-1].blunt) == rung:
            last = rungs[-1]
            rungs[-1] = Rung(last.wounds, last.models + 1, last.guard, last.shrug, last.blunt)
        else:
            rungs.append(rung)
    return Ladder(tuple(rungs)), tuple(order)
