"""Values and what changes them (MOD, MODCH, MODIMP, BETTER): replace, divide, multiply, add, subtract, round up, limit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum
from fractions import Fraction
from functools import lru_cache
from math import ceil

from msgspec import Struct

from rolloff.errors import BadInput
from rolloff.oracle.offers import Offer
from rolloff.oracle.stage import AGAIN, Change, Stage, number
from rolloff.rules.citing import cites
from rolloff.table.profile import DiceRoll

SKILL, STRENGTH, TOUGHNESS, SAVE, AP, DAMAGE, ATTACKS, LEADERSHIP = "skill", "S", "T", "Sv", "AP", "D", "A", "Ld"
CONTROL, MOVE, RANGE = "OC", "M", "range"
PILING_IN, CONSOLIDATION = "pile-in", "consolidation"
TARGET_NUMBERS = frozenset({SKILL, SAVE, LEADERSHIP, "Inv", "FNP"})
"""Characteristics written X+."""

Value = int | str
"""A characteristic: a number, or a symbol such as ``-`` that stands for itself."""


class Op(IntEnum):
    """What an effect does to a value, in the order effects are applied (MOD-2, MOD-3)."""

    SET = 0
    DIVIDE = 1
    MULTIPLY = 2
    ADD = 3
    SUBTRACT = 4


SIGNS = {Op.SET: "=", Op.DIVIDE: "/", Op.MULTIPLY: "x", Op.ADD: "+", Op.SUBTRACT: "-"}
OPS = {sign: op for op, sign in SIGNS.items()}


class Effect(Struct, frozen=True, cache_hash=True):
    """One change of a characteristic, with the clauses it comes from."""

    kind: str
    op: Op
    by: int
    clauses: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The change as one word, such as ``D/2``."""
        return f"{self.kind}{SIGNS[self.op]}{self.by}"


LOWEST: Mapping[str, tuple[int, str]] = {
    STRENGTH: (1, "MODCH-3"),
    TOUGHNESS: (1, "MODCH-3"),
    ATTACKS: (1, "MODCH-3"),
    DAMAGE: (1, "MODCH-3"),
    SKILL: (2, "MODIMP-1"),
    SAVE: (2, "MODIMP-1"),
    LEADERSHIP: (5, "MODCH-5"),
    CONTROL: (0, "MODCH-6"),
    MOVE: (1, "MODCH-7"),
    RANGE: (1, "MODCH-7"),
}
HIGHEST: Mapping[str, tuple[int, str]] = {
    AP: (0, "MODCH-6"),
    LEADERSHIP: (8, "MODCH-5"),
}


@cites("MODCH-10", "MODCH-4")
def limited(kind: str, value: int, base: int) -> int:
    """MODCH-10: limits restrain modification only; a value already beyond one is left there, but goes no further.

    So Damage changed to 0 stays 0 (MODCH-4), and additions count from there.
    """
    if kind in HIGHEST:
        value = min(value, max(HIGHEST[kind][0], base))
    return max(value, min(LOWEST[kind][0], base)) if kind in LOWEST else value


@cites("BETTER-1", "BETTER-2", "BETTER-3")
def better(kind: str, one: int, other: int) -> bool:
    """BETTER: lower for X+ and for AP (which is 0 or negative), higher for everything else."""
    return one < other if kind in TARGET_NUMBERS or kind == AP else one > other


@cites("BETTER-4")
def or_better(kind: str, value: int, limit: int) -> bool:
    """BETTER-4: "X or better" includes X."""
    return value == limit or better(kind, value, limit)


def changed(kind: str, sign: str, by: int, *clauses: str) -> Effect:
    """An effect from how it is written: ``+`` improves and ``-`` worsens; ``x``, ``/`` and ``=`` are taken as they are."""
    if sign in "+-":
        return improved(kind, by if sign == "+" else -by, *clauses)
    return Effect(kind, OPS[sign], by, clauses)


@cites("MODIMP-5")
def improved(kind: str, by: int, *clauses: str) -> Effect:
    """MODIMP: improving a value by so much, or worsening it by a negative number, as an addition or a subtraction."""
    if kind in TARGET_NUMBERS or kind == AP:  # MODIMP-1, MODIMP-2, MODIMP-3, MODIMP-4
        by = -by
    return Effect(kind, Op.ADD, by, clauses) if by >= 0 else Effect(kind, Op.SUBTRACT, -by, clauses)


@cites("MOD-5")
def worsens(effect: Effect) -> bool:
    """MOD-5: whether a change makes its value worse."""
    grows = effect.op in (Op.ADD, Op.MULTIPLY)
    return not better(effect.kind, 1 if grows else 0, 0 if grows else 1)


@cites("MOD-2")
def replaced(value: Value, effects: Iterable[Effect]) -> Value:
    """MOD-2: a rule that states a value acts first; of several the last one stands."""
    for effect in effects:
        if effect.op is Op.SET:
            value = effect.by
    return value


def evaluate(kind: str, printed: Value, effects: tuple[Effect, ...]) -> Value:
    """A characteristic after everything that changes it; a symbol stays what it is unless a value takes its place."""
    return worked_out(kind, printed, effects)[0] if effects else printed


@lru_cache(maxsize=8192)
def worked_out(kind: str, printed: Value, effects: tuple[Effect, ...]) -> tuple[Value, tuple[Change, ...]]:
    """A characteristic after everything that changes it, and how it came about, line by line in the order of MOD-3."""
    base, lines = replaced(printed, effects), _replacing(printed, effects)
    rest = in_order(modifiers(effects))
    if isinstance(base, str):  # MODCH-8
        return base, (*lines, *[Change(str(effect), base, base, (*effect.clauses, "MODCH-8")) for effect in rest])
    value = Fraction(base)
    for effect in rest:
        before, value = value, _applied(value, effect)
        lines.append(Change(str(effect), _shown(before), _shown(value), tuple(dict.fromkeys((*effect.clauses, "MOD-3")))))
    whole = ceil(value)  # MOD-4
    if whole != value:
        lines.append(Change(ROUNDED, _shown(value), whole, ("MOD-4",)))
    found = limited(kind, whole, base)
    if found != whole:
        lines.append(Change(LIMITED, whole, found, _limits(kind, whole, found)))
    return found, tuple(lines)


ROUNDED, LIMITED = "round up", "limit"
"""The last lines about a characteristic."""


def _replacing(value: Value, effects: tuple[Effect, ...]) -> list[Change]:
    """The lines of the rules that state a value, in their order."""
    lines = []
    for effect in effects:
        if effect.op is Op.SET:
            after = replaced(value, (effect,))
            lines.append(Change(str(effect), value, after, tuple(dict.fromkeys((*effect.clauses, "MOD-2")))))
            value = after
    return lines


def _applied(value: Fraction, effect: Effect) -> Fraction:
    """A number after one modifier."""
    if effect.op is Op.DIVIDE:
        return value / effect.by
    if effect.op is Op.MULTIPLY:
        return value * effect.by
    return value + effect.by if effect.op is Op.ADD else value - effect.by


def _shown(value: Fraction) -> Value:
    """A number as the audit has it: a fraction as such, ``3/2``."""
    return int(value) if value.denominator == 1 else str(value)


def _limits(kind: str, value: int, found: int) -> tuple[str, ...]:
    """The clauses that hold a number: the limit, or where its base lay beyond it already, also that it goes no further."""
    limit, clause = (LOWEST if found > value else HIGHEST)[kind]
    return (clause,) if found == limit else (clause, "MODCH-10")


def trail(kind: str, printed: Value, effects: tuple[Effect, ...], dice: bool = False) -> tuple[Change, ...]:
    """How a characteristic comes about; ``dice``: those it is printed as are no symbol, and changed when they are rolled."""
    if dice and isinstance(replaced(printed, effects), str):
        return tuple([Change(str(effect), printed, str(effect), effect.clauses) for effect in in_order(effects)])
    return worked_out(kind, printed, effects)[1]


@cites("MOD-3")
def in_order(effects: Iterable[Effect]) -> list[Effect]:
    """MOD-3: all divisions before all multiplications, these before additions, these before subtractions."""
    return sorted(effects, key=lambda effect: effect.op)


@cites("IGN-2", "IGN-1")
def without_harmful(effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """IGN-2: who may ignore modifiers drops the harmful ones and keeps the rest; replacements are no modifiers."""
    return tuple(effect for effect in effects if effect.op is Op.SET or not worsens(effect))


def heeded(effects: tuple[Effect, ...], kept: int | None) -> tuple[Effect, ...]:
    """IGN-2: what is left of changes that may be ignored: the modifiers ``kept``, one bit each; None: all but the harmful."""
    if kept is None:
        return without_harmful(effects)
    left = [effect for number, effect in enumerate(modifiers(effects)) if kept >> number & 1]
    return (*[effect for effect in effects if effect.op is Op.SET], *left)


def modifiers(effects: tuple[Effect, ...]) -> list[Effect]:
    """MOD-2: those of some changes that are modifiers, and no replacements."""
    return [effect for effect in effects if effect.op is not Op.SET]


def figure(value: Value, where: str) -> int:
    """A characteristic that has to be a number."""
    if isinstance(value, str):
        raise BadInput("no-value", f"{where}: {value!r} is no number", where=where, allowed="a number")
    return value


@lru_cache(maxsize=1024)
def number_and_roll(kind: str, base: int, roll: DiceRoll, effects: tuple[Effect, ...], clauses: tuple[str, ...]) -> Stage[int]:
    """A number after everything that changes it, where a roll is one of the additions (MOD-3)."""
    raw = number(LABELS[kind], roll.count, roll.sides, roll.plus, clauses=clauses)
    read = [_number(kind, base, (*effects, Effect(kind, Op.ADD, more))) for more in raw.read if isinstance(more, int)]
    return Stage(LABELS[kind], read, why=raw.why, good=raw.good, dice=raw.dice, sides=raw.sides)


def _number(kind: str, base: int, effects: tuple[Effect, ...]) -> int:
    """A number after everything that changes it."""
    return figure(evaluate(kind, base, effects), kind)


LABELS = {ATTACKS: "attacks", DAMAGE: "damage"}
ONES, LOW = "ones", "low"


@lru_cache(maxsize=4096)
def rolled_number(
    kind: str, roll: DiceRoll, effects: tuple[Effect, ...], clauses: tuple[str, ...], again: str = ""
) -> int | Stage[int]:
    """Attacks or Damage after everything that changes them: a number, or the roll that gives it.

    ``again`` names the results that may be rolled a second time: ONES, of a D3 by its halved value (REROLL-4), or LOW, any
    but the best. Whoever rolls decides (DP-29), by default for another roll of what is below average.
    """
    stated = replaced("", effects)
    if isinstance(stated, int) or roll.fixed:
        return _number(kind, roll.plus, effects)
    label = LABELS[kind]
    clauses += tuple(clause for effect in effects for clause in effect.clauses)
    sides = roll.sides  # DICE-1
    raw = number(label, roll.count, sides, roll.plus, clauses=clauses)
    read = [_number(kind, entry, effects) for entry in raw.read if isinstance(entry, int)]
    if not again:
        return Stage(label, read, why=raw.why, good=raw.good, dice=raw.dice, sides=raw.sides)
    twin = Stage(label + AGAIN, read, why=raw.why, good=raw.good, dice=raw.dice, sides=raw.sides)
    mean = Fraction(sum(_number(kind, entry, effects) * weight for entry, weight in raw.law()), raw.whole)
    may = [at == 0 if again == ONES else entry < max(read) for at, entry in enumerate(read)]
    entries = [
        Offer(entry, twin, f"{label} {entry}", "DMGROLL-1", entry < mean, "DP-29") if offered else entry
        for entry, offered in zip(read, may, strict=True)
    ]
    return Stage(label, entries, why=raw.why, good=raw.good, dice=raw.dice, sides=raw.sides)
