"""Weapons and abilities as their owners write them, read into one form.

A weapon is an object ``{"name", "range", "A", "skill", "S", "AP", "D", "rules"}``; an ability is a name and perhaps a rating:
``RAPID FIRE 1``, ``Sustained Hits D3``, ``Anti-Infantry 4+``, ``Feel No Pain(5)``. The profiles of a weapon with several are
written one after the other, each with ``of``: the weapon's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from rolloff.editions.commentary.ability import Ability
from rolloff.editions.commentary.values import AP, DAMAGE, SKILL, STRENGTH, Value
from rolloff.errors import BadInput
from rolloff.identity_cache import IdentityCache, Recent
from rolloff.lengths import LengthError, inches
from rolloff.pattern import SHORT
from rolloff.rules.notation import Notation
from rolloff.rules.rule_names import RuleNames, even
from rolloff.rules.weapon_objects import DAMAGES, PIERCINGS, SKILLS, STRENGTHS
from rolloff.table.profile import DiceRoll, Rule, Stat, Weapon, carries, read_roll

NO_SKILL = "N/A"
SYMBOLS = ("-", "*", NO_SKILL)
FIELDS = ("name", "range", "A", "skill", "S", "AP", "D", "rules", "of")
OF = "of"
"""The weapon something is a profile of, where it has several."""
NEEDED = ("name", "range", "A")
ANTI = "Anti"
MOST_REACH = 1000

_NAME = re.compile(r"^\s*(?P<name>[^()]*?)\s*(?:\((?P<rating>[^()]*(?:\([^()]*\))?[^()]*)\))?\s*$")

_PLUS = {f"{number}+": number for number in range(2, 13)}
_DASHES = str.maketrans("–—−×", "---x")


def _bad(where: str, message: str, allowed: str) -> BadInput:
    return BadInput("bad-weapon", f"{where}: {message}", where=where, allowed=allowed)


class Reader:
    """Reads abilities and weapons by the registry of an edition."""

    def __init__(self, specials: Mapping[str, Ability]) -> None:
        """Know the abilities there are, by their names however they are written."""
        self.specials = specials
        self.names = RuleNames(specials)
        self.of_weapons = RuleNames(name for name, special in specials.items() if special.on_weapon)
        self._read: Recent[str, Rule] = Recent(1024)
        self._printed: Recent[Rule, Rule] = Recent(1024)
        self._checked: IdentityCache[Weapon, Weapon] = IdentityCache(1024)  # weapons put in shape lately, by themselves

    def rule(self, text: object, where: str, on_weapon: bool = False) -> Rule:
        """One ability; `BadInput` names one the edition lacks, or a rating that does not fit it."""
        known = self._read.get(text) if isinstance(text, str) else None
        return self._new_rule(text, where, on_weapon) if known is None else known

    def _new_rule(self, text: object, where: str, on_weapon: bool) -> Rule:
        match = _NAME.match(even(text)) if isinstance(text, str) else None
        if match is None or not match["name"]:
            raise BadInput("bad-rule", f"{where}: {text!r} is no ability", where=where, allowed="Name, Name X or Name(X)")
        found = self.names.find(match["name"])
        if found is None:
            raise (self.of_weapons if on_weapon else self.names).unknown(text, where, "ability")
        name, tail = found
        rating = " ".join(part for part in (tail, match["rating"] or "") if part)
        read = Rule(name, self.specials[name].read(rating, where))
        inner = self.specials[name].inner(read.rating)
        if inner:
            self.rule(inner, where)
        if isinstance(text, str) and len(text) <= SHORT:
            self._read.keep(text, read)
        return read

    def printed(self, rule: Rule, where: str) -> Rule:
        """A rule that was read as plain text, read again as an ability."""
        return self._printed.get(rule) or self._printed.keep(rule, self.rule(str(rule), where))

    def weapon(self, given: object, where: str) -> Weapon:
        """A weapon; `BadInput` says which field does not fit and what would."""
        if not isinstance(given, Mapping):
            raise _bad(where, f"{str(given)[:80]!r} is no weapon", "an object with " + ", ".join(FIELDS))
        for name in given:
            if name not in FIELDS:
                raise _bad(f"{where}.{name}", f"a weapon has no field {name!r}", ", ".join(FIELDS))
        for name in NEEDED:
            if name not in given:
                raise _bad(f"{where}.{name}", f"the weapon lacks {name!r}", ", ".join(FIELDS))
        rules = self._rules(given.get("rules", ()), where)
        weapon = Weapon(
            name=_name(given["name"], where),
            reach=_reach(given["range"], f"{where}.range"),
            attacks=_amount(given["A"], f"{where}.A"),
            rules=rules,
            stats=_stats(given, rules, where),
        )
        if rules == tuple([self.printed(rule, where) for rule in rules]):
            self._checked.put(weapon, weapon)
        return weapon

    def checked(self, weapon: Weapon, where: str) -> Weapon:
        """A weapon that came in the form every edition reads: its abilities and numbers put in this edition's shape."""
        return self._checked.get(weapon) or self._checked.put(weapon, self._shaped(weapon, where))

    def _shaped(self, weapon: Weapon, where: str) -> Weapon:
        rules = tuple(self.printed(rule, f"{where}.rules") for rule in weapon.rules)
        stats = _stats(dict(weapon.stats), rules, where)
        return Weapon(weapon.name, weapon.reach, weapon.attacks, rules, stats, weapon.mount, weapon.barrel)

    def _rules(self, given: object, where: str) -> tuple[Rule, ...]:
        if not isinstance(given, list | tuple):
            raise _bad(f"{where}.rules", "the abilities of a weapon are a list", '["Lethal Hits", "Melta 2"]')
        rules = tuple([self.rule(text, f"{where}.rules[{k}]", on_weapon=True) for k, text in enumerate(given)])
        for rule in rules:
            if not self.specials[rule.name].on_weapon:
                allowed = ", ".join(sorted(name for name, special in self.specials.items() if special.on_weapon))
                raise BadInput("not-on-weapons", f"{where}.rules: {rule} is no weapon ability", where=where, allowed=allowed)
        return rules


def _name(given: object, where: str, field: str = "name") -> str:
    if not isinstance(given, str) or not 0 < len(given) <= 64:
        raise _bad(f"{where}.{field}", f"{str(given)[:80]!r} is no name", "1 to 64 characters")
    return given


def _reach(given: object, where: str) -> int | None:
    if isinstance(given, str) and given.casefold() == "melee":
        return None
    if isinstance(given, str) and given.rstrip('"').isdecimal():
        given = int(given.rstrip('"'))
    try:
        reach = inches(given) if isinstance(given, int | float) and not isinstance(given, bool) else -1
    except LengthError:
        reach = -1
    if reach <= 0:
        raise _bad(where, f"{given!r} is no range", f'inches, more than 0 and at most {MOST_REACH}, or "melee"')
    return reach


def _amount(given: object, where: str) -> DiceRoll:
    roll = read_roll(given, where)
    if roll.mean < 1:
        raise _bad(where, f"{given!r} is too small", "at least 1, or D3, D6+1 and the like")
    return roll


def target_number(given: object, where: str, low: int, high: int, symbols: Iterable[str] = ()) -> Value:
    """A value written X+: the number before the plus, or one of the symbols allowed there."""
    plain = _PLUS.get(given) if type(given) is str else given
    if type(plain) is int and low <= plain <= high:
        return plain
    if isinstance(given, str) and given.strip() in symbols:
        return given.strip()
    text = given.strip().removesuffix("+") if isinstance(given, str) else given
    if isinstance(text, str) and text.isdecimal() and len(text) < 4:
        text = int(text)
    if isinstance(text, bool) or not isinstance(text, int) or not low <= text <= high:
        allowed = f"{low}+ to {high}+" + "".join(f", {symbol}" for symbol in symbols)
        raise BadInput("bad-number", f"{where}: {given!r} is out of bounds", where=where, allowed=allowed)
    return text


def whole(given: object, where: str, low: int, high: int, symbols: Iterable[str] = ()) -> Value:
    """A whole number within bounds, or one of the symbols allowed there."""
    if type(given) is int and low <= given <= high:
        return given
    if isinstance(given, str) and given.strip() in symbols:
        return given.strip()
    text = given
    if isinstance(text, str) and re.fullmatch(r"[+-]?\d{1,4}", text.strip().translate(_DASHES)):
        text = int(text.strip().translate(_DASHES))
    if isinstance(text, bool) or not isinstance(text, int) or not low <= text <= high:
        allowed = f"{low} to {high}" + "".join(f", {symbol}" for symbol in symbols)
        raise BadInput("bad-number", f"{where}: {given!r} is out of bounds", where=where, allowed=allowed)
    return text


def _strength(given: object, where: str) -> Value:
    """DICE-5: a number, ``-``, or dice that are rolled for each attack."""
    if isinstance(given, str) and "d" in given.casefold():
        roll = read_roll(given, where)
        return str(roll) if not roll.fixed else roll.plus
    return whole(given, where, 1, 99, ("-",))


def _stats(given: Mapping[str, Any], rules: tuple[Rule, ...], where: str) -> tuple[tuple[str, Stat], ...]:
    """Skill, Strength, AP (0 or negative) and Damage."""
    automatic = carries(rules, "Torrent")
    symbols = (NO_SKILL, "-") if automatic else ()
    if SKILL not in given and not automatic:
        raise _bad(
            f"{where}.skill",
            "the weapon has no skill and does not hit by itself; give it BS, WS or skill, or --stats BS=3+",
            "2+ to 6+, or Torrent among its rules",
        )
    skill = target_number(given.get(SKILL, NO_SKILL), f"{where}.skill", 2, 6, symbols)
    strength = _strength(given.get(STRENGTH, "-"), f"{where}.S")
    ap = whole(given.get(AP, 0), f"{where}.AP", -9, 0)
    damage = read_roll(given.get(DAMAGE, 1), f"{where}.D")
    if damage.mean < 1:
        raise _bad(f"{where}.D", f"{given.get(DAMAGE)!r} is too small", "at least 1, or D3, D6+1 and the like")
    found: tuple[tuple[str, Stat], ...] = ((SKILL, skill), (STRENGTH, strength), (AP, ap), (DAMAGE, str(damage)))
    return found if given.get(OF) is None else (*found, (OF, _name(given[OF], where, OF)))


def negative(ap: int) -> int:
    """AP is 0 or a number after a minus (BETTER-2), so one written without its sign has lost it."""
    return -ap


NOTATION = Notation(
    fields={**dict.fromkeys(SKILLS, SKILL), **STRENGTHS, **PIERCINGS, **DAMAGES},
    stats={
        "sv": "Sv",
        "save": "Sv",
        "armour save": "Sv",
        "ld": "Ld",
        "leadership": "Ld",
        "oc": "OC",
        "objective control": "OC",
        "inv": "Inv",
        "insv": "Inv",
        "invuln": "Inv",
        "invul": "Inv",
        "invulnerable": "Inv",
        "inv sv": "Inv",
        "in sv": "Inv",
        "inv save": "Inv",
        "invulnerable save": "Inv",
        "fnp": "FNP",
        "feel no pain": "FNP",
        "m": "M",
        "move": "M",
        "movement": "M",
        "t": "T",
        "toughness": "T",
        "w": "W",
        "wounds": "W",
        "bs": "BS",
        "ws": "WS",
    },
    columns=("A", SKILL, STRENGTH, AP, DAMAGE),
    optional=(SKILL,),
    own_lines=False,
    numbers=("A", STRENGTH, DAMAGE),
    skills=("BS", "WS"),
    unsigned_ap=negative,
    ap_clause="BETTER-2",
)
