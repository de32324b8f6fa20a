"""What a single model brings against a wound: its saves, its Feel No Pain, and what it makes of the Damage."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions.commentary.rolls import Roll
from rolloff.editions.commentary.traits import COVERED, MORTAL, RANGED, UNCOVERED, UNHARMED, damage_effects
from rolloff.editions.commentary.values import DAMAGE, SAVE, Effect, Op, Value, evaluate, figure, or_better, without_harmful
from rolloff.oracle.draft import Draft, Reroll
from rolloff.oracle.flow import Harm, Wound
from rolloff.oracle.stage import Stage, check
from rolloff.oracle.target import Rung
from rolloff.rules.citing import cites

PARRY = "AB-R10"
"""What the saves of a model are known by that may change the Damage of an attack to 0; it is cited where it is used."""
SAVE_ROLL = "save"
"""What the log calls a saving throw."""
ALWAYS = ""
"""A Feel No Pain that works against every wound lost."""

AGAIN = {"ones": Reroll.ONES, "failures": Reroll.FAILURES}


class Blunt(Struct, frozen=True, cache_hash=True):
    """The Damage of an attack as one model takes it, all changes from both sides applied together."""

    effects: tuple[Effect, ...]

    def __call__(self, harm: Harm, damage: int) -> int:
        """The damage this harm does to the model; mortal wounds have been computed from a Damage already, or have none."""
        return _as_changed(harm, damage, self.effects)

    def own(self, harm: Harm, damage: int) -> int:
        """The damage as the attack itself has it, whoever bears it."""
        return _as_changed(harm, damage, ())

    @property
    def stated(self) -> bool:
        """Whether the model states the Damage, so that there is nothing to roll for (MOD-2)."""
        return any(effect.op is Op.SET for effect in self.effects)

    def of(self, harm: Harm) -> int | None:
        """The attack's current Damage as a number; a Damage roll not yet made is none (AGAINST-3)."""
        return self(harm, harm.damage) if isinstance(harm.damage, int) else None


def _as_changed(harm: Harm, damage: int, effects: tuple[Effect, ...]) -> int:
    if MORTAL in harm.traits:
        return damage
    if UNHARMED in harm.traits:
        effects = without_harmful(effects)  # IGN-1
    return figure(evaluate(DAMAGE, damage, effects + damage_effects(harm.traits)), DAMAGE)  # PRIO-2


class Shrug(Struct, frozen=True, cache_hash=True):
    """Feel No Pain with conditions: the best that works against the harm at hand."""

    kept: tuple[tuple[int, str], ...]

    def __call__(self, harm: Harm) -> Stage[bool] | None:
        """The roll to ignore one lost wound, or None."""
        needs = working(self.kept, harm)
        return no_pain(needs[0]) if needs else None  # ABIL-3


@cites("ABIL-3")
def working(kept: tuple[tuple[int, str], ...], harm: Harm) -> list[int]:
    """ABIL-3: what those of several Feel No Pain need that work against some harm, the best first; one of them is used."""
    return sorted({need for need, against in kept if against == ALWAYS or against in harm.traits})


@lru_cache(maxsize=16)
def no_pain(need: int) -> Stage[bool]:
    """The roll to ignore one lost wound."""
    return check("feel no pain", need, "FNP-1")


class Guard(Struct, frozen=True, cache_hash=True):
    """The saving throw a model takes: armour, or its best invulnerable save where that has better odds.

    ``others`` are further invulnerable saves; ``uses`` is what its owner uses instead, by the saves there are to choose from.
    """

    save: Value
    ward: int | None = None
    cover: bool = False
    again: str = ""
    spared: tuple[int, ...] = ()
    blunt: Blunt = Blunt(())
    net: bool = True
    echo: bool = False
    others: tuple[int, ...] = ()
    uses: tuple[tuple[tuple[str, ...], str], ...] = ()

    def __call__(self, wound: Wound) -> Stage[bool] | None:
        """The roll against this wound, or None if none can succeed."""
        return _saved(self, wound)


@lru_cache(maxsize=8192)
def _saved(guard: Guard, wound: Wound) -> Stage[bool] | None:
    """ATK-6: armour or an invulnerable save, whichever has the better odds; armour where they are equal."""
    if guard.uses:
        saves = _every_save(guard, wound)
        return saves[dict(guard.uses).get(tuple(saves), next(iter(saves)))] if saves else None
    found = [stage for stage in (_armour(guard, wound), _invulnerable(guard)) if stage is not None and stage.success()]
    return max(found, key=Stage.success, default=None)


def _every_save(guard: Guard, wound: Wound) -> dict[str, Stage[bool]]:
    """The saves that can succeed against a wound, by what players read, the best first; of those alike the first."""
    wards = [("invulnerable", _invulnerable(replace(guard, ward=ward))) for ward in (guard.ward, *guard.others)]
    rows = [(name, stage) for name, stage in (("armour", _armour(guard, wound)), *wards) if stage is not None]
    able = sorted([(name, stage) for name, stage in rows if stage.success()], key=_chance, reverse=True)
    found: dict[str, Stage[bool]] = {}
    for name, stage in able:
        if stage.success() not in [other.success() for other in found.values()]:
            found[f"{name} {stage.need}+"] = stage
    return found


def _chance(row: tuple[str, Stage[bool]]) -> Fraction:
    return row[1].success()


class Shelter(Protocol):
    """Who of a target is covered, to be asked when it matters."""

    def has(self, slot: int) -> bool:
        """Whether a model has the Benefit of Cover."""
        ...


class Sheltered(Struct, frozen=True):
    """The saving throw of a model that terrain perhaps covers, which is looked up for the first wound for which it matters."""

    cover: Shelter
    slot: int
    plain: Guard
    better: Guard

    def __call__(self, wound: Wound) -> Stage[bool] | None:
        """The roll against this wound, or None if none can succeed."""
        plain, better = self.plain(wound), self.better(wound)
        return plain if plain is better or not self.cover.has(self.slot) else better

    def taken(self) -> Guard:
        """The one it takes, looked up."""
        return self.better if self.cover.has(self.slot) else self.plain


@cites("ATK-6")
@lru_cache(maxsize=8192)
def saves_apart(guard: Guard, wound: Wound) -> tuple[str, ...]:
    """ATK-6, DP-34: the saves a model may take against a wound, the best first, where their odds differ; else none."""
    found = _every_save(guard, wound)
    return tuple(found) if len(found) > 1 else ()


def _armour(guard: Guard, wound: Wound) -> Stage[bool] | None:
    draft = armour_draft(guard, wound)
    return None if draft is None else draft.check()


@lru_cache(maxsize=4096)
def armour_draft(guard: Guard, wound: Wound) -> Draft | None:
    """ATK-6: the die plus AP plus all other modifiers against Sv; a natural 1 fails. None without armour."""
    if isinstance(guard.save, str):
        return None
    draft = Roll(SAVE_ROLL, guard.save, "ATK-6")
    draft.natural((1,), ())  # ATK-6
    if covered(guard, wound):
        draft.modify(1, "TER-1", what="cover")
    if guard.blunt.of(wound.harm) in guard.spared:
        draft.modify(1, "AGAINST-2", what="save")
    if not guard.net:
        draft.modify(min(draft.modifier, 1) - draft.modifier, "ATK-8", what="limit")
    draft.modify(wound.ap, what="AP")  # ATK-6
    if guard.net:
        draft.limit(None, 1, "ATK-8")
    return _rerolled(draft, guard)


@cites("ATK-7")
def _invulnerable(guard: Guard) -> Stage[bool] | None:
    """ATK-7: an ordinary saving throw, but for AP; cover does not help it (TER-1)."""
    if guard.ward is None:
        return None
    draft = Roll(SAVE_ROLL, guard.ward, "ATK-7")
    draft.natural((1,), ())  # ATK-6
    return _rerolled(draft, guard).check()


def _rerolled(draft: Draft, guard: Guard) -> Draft:
    """DP-29: whoever saves is asked whether failures that a rule lets roll again are; by default, as in odds, they are."""
    if guard.echo:
        draft.signs += (PARRY,)
    return draft.offer(AGAIN[guard.again], "failed save", "REROLL-3", point="DP-29", lasting=True) if guard.again else draft


def covered(guard: Guard, wound: Wound) -> bool:
    """TER-1: cover counts against ranged attacks, unless they deny it, and never for Sv 3+ or better against AP 0."""
    if RANGED not in wound.traits or UNCOVERED in wound.traits:
        return False
    if wound.ap == 0 and isinstance(guard.save, int) and or_better(SAVE, guard.save, 3):  # TER-1
        return False
    return guard.cover or COVERED in wound.traits


class Gear:
    """What the abilities of a model edit before it faces an attack."""

    def __init__(self, save: Value, ward: Value | None, no_pain: Value | None, cover: bool) -> None:
        """Start from the printed characteristics."""
        self.save = save
        self.wards: list[int] = [ward] if isinstance(ward, int) else []
        self.no_pain: list[tuple[int, str]] = [(no_pain, ALWAYS)] if isinstance(no_pain, int) else []
        self.pains: tuple[tuple[int, str], ...] = ()
        self.demises: tuple[int | str, ...] = ()  # the ratings of Deadly Demise, the best first
        self.cover = cover
        self.again = ""
        self.echo = False
        self.spared: list[int] = []
        self.save_effects: list[Effect] = []
        self.damage_effects: list[Effect] = []
        self._rungs: dict[tuple[int, bool, bool], Rung] = {}

    def guard(self, mixed: bool, net: bool) -> Guard:
        """The saving saves; ``mixed``: the model's own changes of Damage are not in the attack's Damage yet."""
        return Guard(
            save=evaluate(SAVE, self.save, tuple(self.save_effects)),
            ward=min(self.wards, default=None),
            others=tuple(sorted(set(self.wards))[1:]),
            cover=self.cover,
            again=self.again,
            spared=tuple(sorted(set(self.spared))),
            blunt=self.blunt() if mixed else Blunt(()),
            net=net,
            echo=self.echo,
        )

    def blunt(self) -> Blunt:
        """What the model makes of the Damage of an attack."""
        return Blunt(tuple(self.damage_effects))

    def shrug(self) -> Stage[bool] | Shrug | None:
        """Feel No Pain, as one roll where it works against everything."""
        if not self.no_pain:
            return None
        if all(against == ALWAYS for _, against in self.no_pain):
            return Shrug(tuple(self.no_pain))(Harm())
        return Shrug(tuple(sorted(set(self.no_pain))))

    def rung(self, wounds: int, mixed: bool, net: bool) -> Rung:
        """The model as a step of a ladder, with so many wounds left."""
        key = wounds, mixed, net
        found = self._rungs.get(key)
        if found is None:
            blunt = self.blunt() if mixed else None
            found = self._rungs[key] = Rung(wounds=wounds, guard=self.guard(mixed, net), shrug=self.shrug(), blunt=blunt)
        return found


def shared_damage(gears: list[Gear]) -> tuple[Effect, ...] | None:
    """What all models of a unit make of Damage alike; None if they differ."""
    found = {tuple(gear.damage_effects) for gear in dict.fromkeys(gears)}
    return found.pop() if len(found) == 1 else None
