"""Weapons (WPN): the printed tables, and the way players write down weapons that stand in none.

A weapon is a name of the tables (``Rifle``, ``Heavy Powersword``), a line (``Acid Gun (18", A6, Poison)``) or
an object ``{"name", "range", "A", "rules", "mount", "barrel"}``. `write_weapon` gives a line that reads back
as the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from rolloff.errors import BadInput
from rolloff.identity_cache import IdentityCache
from rolloff.lengths import LengthError, inches, to_inches
from rolloff.rules.citing import cites
from rolloff.rules.notation import Notation
from rolloff.table.profile import DiceRoll, Rule, Weapon, read_roll, read_rule

PIERCING: Final = "Piercing"
SINGLE: Final = "Single"
"""Our name for the other half of the suffix ``x``: all wounds of the weapon go to one model."""

SUFFIXES: Final = "px"
"""The letters that may stand behind the attacks (WPN-5, WPN-6)."""

MOUNTS: Final = ("turret", "front", "rear", "left", "right")
MOST_NAME: Final = 64
_NOT_IN_NAMES: Final = frozenset('()"')
MOST_LETTERS: Final = 400
GRAMMAR: Final = """Name (18", A3x, Rule), or a weapon of the tables"""
NOTATION: Final = Notation(columns=("A",), numbers=("A",))
_KEYS: Final = frozenset({"name", "range", "A", "rules", "mount", "barrel"})

# Range in inches and attacks, by name (WPN-T3).
RANGED: Final[Mapping[str, tuple[int, str]]] = {
    "Pistol": (12, "1"),
    "Shotgun": (12, "2"),
    "Flamer": (12, "6"),
    "Heavy Flamer": (12, "6p"),
    "Plasma Pistol": (12, "3x"),
    "Fusion Gun": (12, "6x"),
    "Carbine": (18, "1"),
    "Assault Rifle": (24, "1"),
    "Minigun": (24, "3"),
    "Grenade Launcher": (24, "D3p"),
    "Plasmagun": (24, "3x"),
    "Heavy Fusion Gun": (24, "6x"),
    "Rifle": (30, "1"),
    "Machinegun": (36, "3"),
    "Plasma Cannon": (36, "3p"),
    "Autocannon": (48, "2p"),
    "Missile Launcher": (48, "D3p"),
    "Battle Cannon": (48, "9p"),
    "Laser Cannon": (48, "6x"),
}
STRENGTHS: Final[Mapping[str, int]] = {
    "Light": 1,  # WPN-4
    "Medium": 2,  # WPN-4
    "Heavy": 3,  # WPN-4
    "Master": 4,  # WPN-4
    "Force": 5,  # WPN-4
}
# What a type of melee weapon brings (WPN-T4).
TYPES: Final[Mapping[str, tuple[str, ...]]] = {
    "CCW": (),
    "Claws": (),
    "Powersword": (PIERCING,),
    "Powerfist": (PIERCING, "Unwieldy"),
}
# The tables' own words for weapons that are shown under a plainer name.
OTHER_NAMES: Final[Mapping[str, str]] = {
    "Meltagun": "Fusion Gun",
    "Multi-Melta": "Heavy Fusion Gun",
    "Lascannon": "Laser Cannon",
}
PLAIN_MELEE: Final[Mapping[str, str]] = {
    "CCW": "Light CCW",  # WPN-3
    "Claws": "Light Claws",  # WPN-3
}
"""A type of melee weapon without a strength is what models strike with that have nothing better."""


_INCH_MARKS = re.compile(
    "[\u201c\u201d\u201f\u2033\u02ba\uff02]|''|\u2019\u2019|\u2032\u2032|(?<=\\d)\\s*in(?:ch(?:es)?)?\\b\\.?"
)
_LOOKS_LIKE_P = "\u0440"
_LINE = re.compile(r"^\s*(?P<name>[^()\"]+?)\s*\((?P<inside>.*)\)\s*$", re.DOTALL)
_RANGE = re.compile(r"^(?P<inches>\d+(?:\.\d+)?)\s*\"$")
_ATTACKS = re.compile(rf"^[Aa]\s*(?P<count>[\dDd+]+?)\s*(?P<suffix>[px{_LOOKS_LIKE_P}]?)$")
_VALUE = re.compile(rf"^(?P<count>[\dDd+]+?)\s*(?P<suffix>[px{_LOOKS_LIKE_P}]?)$")
_TWO = re.compile(r"^(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)$")


def _bad(text: object, where: str, why: str, clause: str = "WPN-7") -> BadInput:
    """WPN-7: what is written is no weapon of the tables and no line, or its attacks are none (WPN-2)."""
    shown = repr(text)[:80]
    return BadInput("bad-weapon", f"{where}: {shown} is no weapon: {why}", where=where, allowed=GRAMMAR, clause=clause)


@cites("WPN-5", "WPN-6")
def suffixed(suffix: str) -> tuple[str, ...]:
    """WPN-5, WPN-6: what the letter behind the attacks stands for."""
    return {"": (), "p": (PIERCING,), "x": (PIERCING, SINGLE)}[suffix.replace(_LOOKS_LIKE_P, "p")]


@cites("GEN-3")
def collapsed(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """GEN-3: the same rule twice is one rule; the higher rating counts. In alphabetical order."""
    found: dict[str, Rule] = {}
    for rule in rules:
        old = found.get(rule.name)
        if old is None or old.rating is None or _higher(rule, old):
            found[rule.name] = rule
    return tuple(found[name] for name in sorted(found))


def _higher(rule: Rule, old: Rule) -> bool:
    if rule.rating is None or old.rating is None:
        return rule.rating is not None
    return read_roll(rule.rating).mean > read_roll(old.rating).mean


@cites("WPN-2")
def _attacks(text: object, where: str, value: str, pattern: re.Pattern[str], letters: str) -> tuple[DiceRoll, tuple[str, ...]]:
    """WPN-2: a number or a die, with an optional suffix; ``letters`` are those the edition uses."""
    match = pattern.match(value)
    if not match:
        raise _bad(text, where, f"{value!r} are no attacks", "WPN-2")
    if match["suffix"].replace(_LOOKS_LIKE_P, "p") not in letters:
        instead = f"there is {letters}, or the rule {PIERCING} behind the attacks"
        raise _bad(text, where, f"the suffix {match['suffix']} is not used here; {instead}", "WPN-2")
    roll = read_roll(match["count"], where)
    if roll.mean < 1:
        raise _bad(text, where, "it has no attacks", "WPN-2")
    return roll, suffixed(match["suffix"])


def _parts(text: str, where: str, inside: str) -> list[str]:
    """Split at the commas that stand in no parentheses."""
    parts, depth, start = [], 0, 0
    for k, letter in enumerate(inside):
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            raise _bad(text, where, "its parentheses do not match")
        if letter == "," and depth == 0:
            parts.append(inside[start:k])
            start = k + 1
    if depth:
        raise _bad(text, where, "its parentheses do not match")
    return [part.strip() for part in (*parts, inside[start:])]


def _reach(text: object, where: str, value: float | int | str) -> int:
    try:
        reach = inches(value)
    except LengthError as error:
        raise _bad(text, where, str(error)) from None
    if reach <= 0:
        raise _bad(text, where, "its range is nothing")
    return reach


def _barrel(text: object, where: str, value: object) -> tuple[int, int]:
    """ARC-4: where the barrel is, ahead of and left of the middle of the hull."""
    match = _TWO.match(value) if isinstance(value, str) else None
    pair = match.groups() if match else value
    if not isinstance(pair, tuple | list) or len(pair) != 2 or any(isinstance(n, bool) for n in pair):
        raise _bad(text, where, f"{value!r} is no place for a barrel; say how far ahead and how far left")
    try:
        return inches(pair[0]), inches(pair[1])
    except (LengthError, TypeError, ValueError):
        raise _bad(text, where, f"{value!r} is no place for a barrel") from None


def _mount(text: object, where: str, value: object) -> str:
    if value == "" or value in MOUNTS:
        return str(value)
    raise _bad(text, where, f"no mount {value!r}; there are {', '.join(MOUNTS)}")


def _named(text: object, where: str, value: object) -> str:
    name = value.strip() if isinstance(value, str) else ""
    if not name or len(name) > MOST_NAME or not _NOT_IN_NAMES.isdisjoint(name):
        raise _bad(text, where, f"it needs a name of 1 to {MOST_NAME} letters")
    return name


def _rule(text: object, where: str, value: object) -> Rule:
    if not isinstance(value, str):
        raise _bad(text, where, f"{value!r} is no rule")
    rule = read_rule(value, where)
    if rule.name == SINGLE:
        raise _bad(text, where, "wounds go to a single model by the suffix x")
    return rule


@cites("WPN-1")
def _ranged(text: str, where: str, parts: list[str]) -> tuple[int | None, list[str]]:
    """WPN-1: a weapon with a range is for shooting, one without for melee; the range and what follows it."""
    match = _RANGE.match(parts[0])
    return (_reach(text, where, match["inches"]), parts[1:]) if match else (None, parts)


@cites("WPN-7")
def read_line(text: str, where: str, letters: str = SUFFIXES) -> Weapon:
    """WPN-7: ``Name (Range, A<attacks><suffix>, rules)``."""
    match = _LINE.match(_INCH_MARKS.sub('"', text))
    if not match:
        raise _bad(text, where, "it is neither a line nor a name of the tables")
    parts = _parts(text, where, match["inside"])
    reach, parts = _ranged(text, where, parts)
    attacks, suffix = _attacks(text, where, parts[0] if parts else "", _ATTACKS, letters)
    rules = [Rule(name) for name in suffix]
    mount, barrel = "", (0, 0)
    for part in parts[1:]:
        if part.startswith("Mount(") and part.endswith(")"):
            mount = _mount(text, where, part[6:-1].strip())
        elif part.startswith("Barrel(") and part.endswith(")"):
            barrel = _barrel(text, where, part[7:-1].strip())
        else:
            rules.append(_rule(text, where, part))
    return Weapon(_named(text, where, match["name"]), reach, attacks, collapsed(rules), (), mount, barrel)


def read_object(given: Mapping[object, object], where: str, letters: str = SUFFIXES) -> Weapon:
    """A weapon as an object: ``range`` in inches or ``"melee"``, ``A`` a number or a die and suffix."""
    for key in given:
        if key not in _KEYS:
            message = f"{where}: there is no field {key!r}"
            raise BadInput("unknown-field", message, where=where, allowed=", ".join(sorted(_KEYS)))
    reach, given_attacks, listed = given.get("range"), given.get("A"), given.get("rules", ())
    if isinstance(reach, bool) or not isinstance(reach, int | float | str):
        raise _bad(given, where, 'its range is neither inches nor "melee"')
    if isinstance(given_attacks, bool) or not isinstance(given_attacks, int | str):
        raise _bad(given, where, f"{given_attacks!r} are no attacks")
    if not isinstance(listed, list | tuple):
        raise _bad(given, where, "its rules are no list")
    attacks, suffix = _attacks(given, where, str(given_attacks).strip(), _VALUE, letters)
    rules = [*(Rule(name) for name in suffix), *(_rule(given, where, rule) for rule in listed)]
    return Weapon(
        _named(given, where, given.get("name")),
        None if reach == "melee" else _reach(given, where, reach),
        attacks,
        collapsed(rules),
        (),
        _mount(given, where, given.get("mount", "")),
        _barrel(given, where, given.get("barrel", (0, 0))),
    )


def _melee_tables() -> dict[str, Weapon]:
    """WPN-4: every strength with every type."""
    return {
        f"{strength} {kind}": Weapon(f"{strength} {kind}", None, DiceRoll(plus=attacks), tuple(Rule(name) for name in rules))
        for strength, attacks in STRENGTHS.items()
        for kind, rules in TYPES.items()
    }


def _ranged_tables() -> dict[str, Weapon]:
    return {name: read_line(f'{name} ({reach}", A{attacks})', name) for name, (reach, attacks) in RANGED.items()}


TABLES: Final[Mapping[str, Weapon]] = {**_ranged_tables(), **_melee_tables()}
"""Every weapon of the tables by its name."""

DEFAULT_MELEE: Final = TABLES["Light CCW"]
"""WPN-3: what a model strikes with that carries no melee weapon."""

_FOUND: Final = {
    **{name.lower(): weapon for name, weapon in TABLES.items()},
    **{other.lower(): TABLES[name] for other, name in {**OTHER_NAMES, **PLAIN_MELEE}.items()},
    **{f"{strength} CCW/Claws".lower(): TABLES[f"{strength} CCW"] for strength in STRENGTHS},
}


def _in_tables(tables: Mapping[str, Weapon], name: str) -> Weapon | None:
    """A weapon of the tables: in the plural or not, its words apart, joined, or with a dash between them."""
    found = tables.get(name) or tables.get(name.removesuffix("s"))
    if found is not None:
        return found
    joined = _joined.get(tables)
    if joined is None:
        joined = _joined.put(tables, {_APART.sub("", known): weapon for known, weapon in reversed([*tables.items()])})
    return joined.get(_APART.sub("", name))


_APART = re.compile(r"[\s-]")
_joined: IdentityCache[Mapping[str, Weapon], dict[str, Weapon]] = IdentityCache()
"""The tables by names without anything between their words; of two such names the first counts."""


def read_weapon(
    text: object,
    where: str = "weapon",
    tables: Mapping[str, Weapon] = _FOUND,
    letters: str = SUFFIXES,
    elsewhere: Mapping[str, Weapon] = MappingProxyType({}),
) -> Weapon:
    """A weapon from the tables (by name in small letters), from a line or from an object.

    Raises:
        BadInput: it is none of the three; the message names the text, and for a weapon that stands ``elsewhere`` its line.
    """
    if isinstance(text, Mapping):
        return read_object(text, where, letters)
    if not isinstance(text, str) or len(text) > MOST_LETTERS:
        raise _bad(text, where, f"a weapon is an object or a text of at most {MOST_LETTERS} letters")
    name = " ".join(text.lower().split())
    found = _in_tables(tables, name)
    if found is None and name in elsewhere:
        line = spelled(elsewhere[name], letters)
        raise _bad(text, where, f"it stands in another edition's tables; here it is written {line}")
    return read_line(text, where, letters) if found is None else found


def write_weapon(weapon: Weapon) -> str:
    """The shortest way to write a weapon down that `read_weapon` reads back as the same.

    Raises:
        BadInput: it has numbers or rules no line of this family can hold.
    """
    if TABLES.get(weapon.name) == weapon:
        return weapon.name
    line = spelled(weapon)
    if read_weapon(line) != weapon:
        raise _bad(weapon.name, "weapon", "it cannot be written as a line")
    return line


def spelled(weapon: Weapon, letters: str = SUFFIXES) -> str:
    """WPN-7: a weapon as a line, with the suffixes an edition uses."""
    names = [rule.name for rule in weapon.rules]
    suffix = "x" if SINGLE in names else "p" if PIERCING in names and "p" in letters else ""
    parts = [] if weapon.reach is None else [f'{to_inches(weapon.reach):g}"']
    parts.append(f"A{weapon.attacks}{suffix}")
    parts += [str(rule) for rule in weapon.rules if rule.name != SINGLE and (rule.name != PIERCING or not suffix)]
    if weapon.mount:
        parts.append(f"Mount({weapon.mount})")
    if weapon.barrel != (0, 0):
        parts.append(f"Barrel({to_inches(weapon.barrel[0]):g},{to_inches(weapon.barrel[1]):g})")
    return f"{weapon.name} ({', '.join(parts)})"
