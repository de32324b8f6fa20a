"""What catalogues and players write, put into the form an edition reads; what was changed or left out is noted.

An edition declares its `Notation`: other names for the fields of a weapon and for characteristics, the columns of a line of
text, and what an unsigned AP means on its scale. Everything else here is the same in every rulebook: dashes of every kind,
inch marks, "-" and "N/A" for nothing, dice with spaces, "2x" before a name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from msgspec import Struct

from rolloff.errors import BadInput
from rolloff.rules.rule_names import even

NAME, RANGE, ATTACKS, RULES, AP, SKILL, MELEE = "name", "range", "A", "rules", "AP", "skill", "melee"
NONE = "-"
MOST_COPIES = 20
MOST_NAME = 64
NOTHING = frozenset({"", "-", "--", "n/a", "na", "n.a.", "none", "nil", "null", "*"})
"""What stands in a column where there is nothing."""

UNKNOWN = "nobody knows this rule; it was left out as asked"
_INCHES = re.compile(
    r"\s*(?:[\"\u201c\u201d\u201f\u2033\u02ba\uff02]|''|\u2019\u2019|\u2032\u2032|in(?:\.|ch(?:es)?)?)\s*$", re.I
)
_COPIES = re.compile(r"^\s*(?:(?P<n>\d{1,2})\s*[x\u00d7]\s+(?P<name>.+)|(?P<last>.+?)\s+[x\u00d7]\s*(?P<m>\d{1,2}))\s*$", re.I)
_DICE = re.compile(r"^(?P<n>\d*)\s*[dD]\s*(?P<s>[3-9]|\d\d+)\s*(?:\+\s*(?P<k>\d+))?$")
_LABEL = re.compile(
    r"^(?!d(?:[3-9]|\d\d))(?:attacks|strength|damage|skill|ap|bs|ws|ct|a|s|d)\.?\s*[:=]?\s*(?=[+-]?\d|d[36])", re.IGNORECASE
)
_EMPTY_PART = re.compile(r",\s*(?:-|n/a|none)?\s*(?=[,)])", re.IGNORECASE)
_SEMICOLON = re.compile(r"\s*;\s*(?=[^()]*(?:\([^()]*\)[^()]*)*\))")
_BARE = re.compile(
    r"^(?P<name>[^()\d]+?)\s*[-\u2013:]?\s+(?P<reach>\d+\s*(?:\"|''|\u201d|\u2033)),?\s*(?P<rest>A\s*\d.*)$", re.IGNORECASE
)
"""A line without brackets: a name, a range with its inch mark, attacks."""
_NO_REACH = re.compile(r"\(\s*(?:melee|-|\u2013)\s*,\s*(?=A?\s*\d)", re.IGNORECASE)
_TURNED = re.compile(r"\(\s*A\s*(?P<shots>\d+)\s*,\s*(?P<reach>\d+\s*(?:\"|''|\u201d|\u2033))", re.IGNORECASE)
"""Attacks before the range."""
_SHOTS = re.compile(r"\d+|\d*[dD][36](?:\+\d+)?")
_STRIKES = frozenset({"melee", "m", "close combat", "cc", "combat"})

Json = dict[str, Any]


class Note(Struct, frozen=True):
    """Something that was read otherwise than it was written: where, what, as what (None: left out), and why."""

    where: str
    given: object
    read: object
    why: str

    @property
    def told(self) -> tuple[str, object, object]:
        """What makes two notes the same: like models of a unit are noted once."""
        return re.sub(r"models\[\d+\]", "models", self.where), self.given, self.read

    def json(self) -> Json:
        """The note as output has it."""
        return {"where": self.where, "from": self.given, "to": self.read, "why": self.why}


class Notation(Struct, frozen=True):
    """How an edition's owners write: other names of fields and characteristics, by their plain names.

    ``columns`` are the fields of a weapon in a line of text, in their usual order; without any, texts are the edition's own.
    ``numbers`` are fields that hold a number or dice, ``skills`` the characteristics of a unit that its ranged and its melee
    weapons take their skill from, ``shots`` the rules behind which the number of attacks may stand (``Assault 2``).
    ``unsigned_ap`` says what an AP without a sign means, by ``ap_clause``. ``reads`` refuses an unknown rule.
    """

    fields: Mapping[str, str] = {}
    stats: Mapping[str, str] = {}
    columns: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    shots: tuple[str, ...] = ()
    unsigned_ap: Callable[[int], int] | None = None
    ap_clause: str = ""
    reads: Callable[[str, str], object] | None = None


def plain(name: str) -> str:
    """The name of a field as it is compared."""
    return " ".join(even(name).casefold().replace("_", " ").replace("-", " ").split())


def is_nothing(value: object) -> bool:
    """Whether a column is empty, in whatever way that is written."""
    return value is None or (isinstance(value, str) and even(value).casefold() in NOTHING)


class Tidier:
    """Puts weapons, rules and characteristics of one unit into the edition's form, and keeps the notes."""

    def __init__(self, notation: Notation, ignore_unknown: bool = False) -> None:
        """``ignore_unknown``: rules nobody knows are left out and noted instead of refused."""
        self.notation, self.ignore_unknown = notation, ignore_unknown
        self.notes: list[Note] = []

    def note(self, where: str, given: object, read: object, why: str) -> None:
        """Keep a note."""
        self.notes.append(Note(where, given, read, why))

    # rules

    def rules(self, given: object, where: str) -> list[Any]:
        """The rules of a weapon or unit: a list, or names in a text; empty ones are left out."""
        if given is None:
            return []
        if not isinstance(given, str | list | tuple):
            raise BadInput("bad-rule", f"{where}: {str(given)[:80]!r} are no rules", where=where, allowed="a list of names")
        texts = split(given) if isinstance(given, str) else [part for one in given for part in self._parts(one, where)]
        found = []
        for k, text in enumerate(texts):
            if is_nothing(text):
                self.note(f"{where}[{k}]", text, None, "no rule")
            elif self._known(text, f"{where}[{k}]"):
                found.append(even(text) if isinstance(text, str) else text)
        return found

    def _parts(self, one: object, where: str) -> list[object]:
        """The rules of one entry of a list: one that the edition reads as it stands, or several behind one another."""
        reads = self.notation.reads
        if isinstance(one, str) and "," in one and reads is not None:
            with suppress(BadInput):
                reads(even(one), where)
                return [one]
        return list(_parts(one))

    def _known(self, text: object, where: str) -> bool:
        """Whether a rule is to be kept: what is unknown is refused later, unless it may be ignored."""
        reads = self.notation.reads
        if not self.ignore_unknown or reads is None or not isinstance(text, str):
            return True
        try:
            reads(even(text), where)
        except BadInput as error:
            if error.code != "unknown-rule":
                raise
            self.note(where, text, None, UNKNOWN)
            return False
        return True

    # characteristics

    def stats(self, given: Mapping[str, Any], where: str) -> Json:
        """Characteristics by the edition's names, with one dash for whatever stands for nothing."""
        found: Json = {}
        for key, value in given.items():
            name = self.notation.stats.get(plain(key), key)
            if name != key:
                self.note(f"{where}.{key}", key, name, "another name for it")
            read = NONE if is_nothing(value) else _characteristic(value)
            if str(read) != str(value):
                self.note(f"{where}.{key}", value, read, "the same number")
            found[name] = read
        return found

    def skilled(self, weapon: Json, stats: Mapping[str, Any]) -> Json:
        """A weapon without a skill of its own takes that of its unit, where the edition has it on weapons."""
        if not self.notation.skills or not is_nothing(weapon.get(SKILL)):
            return weapon
        name = self.notation.skills[weapon.get(RANGE) == MELEE]
        return weapon if name not in stats else {**weapon, SKILL: stats[name]}

    # weapons

    def weapons(self, given: object, where: str) -> list[object]:
        """A weapon in the edition's form, as often as is written before or behind its name."""
        if isinstance(given, str):
            return self._texts(given, where)
        if not isinstance(given, Mapping):
            return [given]
        weapon = self._fields(given, where)
        copies = 1
        if isinstance(weapon.get(NAME), str):
            name, copies = counted(weapon[NAME])
            if copies > 1:
                self.note(f"{where}.name", weapon[NAME], name, f"{copies} of them")
            weapon[NAME] = self._short(name, where)
        return [weapon] * copies

    def _short(self, name: str, where: str) -> str:
        if len(name) <= MOST_NAME:
            return name
        self.note(f"{where}.name", name, name[:MOST_NAME], f"names have up to {MOST_NAME} letters")
        return name[:MOST_NAME]

    def _texts(self, text: str, where: str) -> list[object]:
        """A weapon as a line of text: the edition's own, or columns."""
        line, copies = counted(text)
        if copies > 1:
            self.note(where, text, line, f"{copies} of them")
        if not self.notation.columns:
            bare = _EMPTY_PART.sub("", _SEMICOLON.sub(",", line))
            if bare != line:
                self.note(where, line, bare, "no rule")
            own = _own_line(bare)
            if own != bare:
                self.note(where, bare, own, "a range first, then attacks, in brackets")
            return [own] * copies
        weapon = self._fields(in_columns(line, self.notation.columns, where), where)
        return [weapon] * copies

    def _fields(self, given: Mapping[str, Any], where: str) -> Json:
        """The fields of a weapon by the edition's names, each in the edition's form."""
        found: Json = {}
        strikes = ""
        for key, value in given.items():
            name = self.notation.fields.get(plain(str(key)), key)
            if name != key and plain(str(key)) in ("ws", "bs", "weapon skill", "ballistic skill"):
                strikes = plain(str(key))[0]
            if name in found and is_nothing(value):
                continue
            if name == RULES and name in found:
                found[name] = [*found[name], *self.rules(value, f"{where}.{key}")]
                continue
            found[name] = self._field(str(name), value, f"{where}.{key}")
        if is_nothing(found.get(RANGE)) and (strikes == "w" or RANGE in found):
            self.note(f"{where}.range", given.get(RANGE), MELEE, "a weapon without a range strikes")
            found[RANGE] = MELEE
        if self.notation.shots and ATTACKS not in found:
            found |= self._shots(found.get(RULES), f"{where}.rules")
        return {name: value for name, value in found.items() if value is not None or name == NAME}

    def _shots(self, rules: object, where: str) -> Json:
        """The attacks that stand behind the name of a weapon's type, and the rules without that number."""
        for k, rule in enumerate(_listed(rules)):
            name, _, number = rule.rpartition(" ") if isinstance(rule, str) else ("", "", "")
            if plain(name) in self.notation.shots and _SHOTS.fullmatch(number):
                self.note(f"{where}[{k}]", rule, name, f"{number} attacks")
                return {ATTACKS: dice(number), RULES: [*_listed(rules)[:k], name, *_listed(rules)[k + 1 :]]}
        return {}

    def _field(self, name: str, value: object, where: str) -> object:
        if name == RULES:
            return self.rules(value, where)
        if name == RANGE:
            return self._noted(where, value, reach(value), "a range")
        if name == AP and not is_nothing(value):
            return self._ap(value, where)
        if name in self.notation.numbers or name == AP:
            if is_nothing(value):
                self.note(where, value, None, "none")
                return None
            return self._noted(where, value, dice(value), "the same number")
        if name == SKILL:
            return None if is_nothing(value) else self._noted(where, value, _unlabelled(value), "the same number")
        return even(value) if isinstance(value, str) and name == NAME else value

    def _noted(self, where: str, given: object, read: object, why: str) -> object:
        if read != given and str(read) != str(given).strip().rstrip('"') and str(given).casefold() != MELEE:
            self.note(where, given, read, why)
        return read

    def _ap(self, value: object, where: str) -> object:
        """An AP with its sign; one without means what the edition's scale says."""
        text = _unlabelled(value)
        unsigned = self.notation.unsigned_ap
        number = int(text) if isinstance(text, str) and re.fullmatch(r"[+-]?\d{1,2}", text) else text
        signed = isinstance(text, str) and text[:1] in "+-"
        if unsigned is None or not isinstance(number, int) or isinstance(number, bool) or number <= 0 or signed:
            return number if not signed or not isinstance(number, int) else min(number, -number)
        read = unsigned(number)
        clause = self.notation.ap_clause
        self.note(where, value, read, "an AP without a sign" + (f" ({clause})" if clause else ""))
        return read


# single values


def _own_line(line: str) -> str:
    """A weapon in words of one's own, ``Rifle 24" A1`` or ``Sword (Melee, A2)``, as the edition writes it."""
    bare = _BARE.match(line)
    if bare is not None:
        line = f"{bare['name']} ({bare['reach']}, {bare['rest']})"
    line = _NO_REACH.sub("(", line)
    return _TURNED.sub(r"(\g<reach>, A\g<shots>", line)


def split(text: str) -> list[str]:
    """Names in a text: at commas and semicolons that stand in no parentheses, and between brackets."""
    return [part.strip(" []") for part in re.split(r"(?:[,;\n]|\s/\s)(?![^(]*\))|\]\s*\[", text)]


def _parts(one: object) -> list[object]:
    return list(split(one)) if isinstance(one, str) else [one]


def _listed(found: object) -> list[object]:
    return list(found) if isinstance(found, list) else [found]


def counted(text: str) -> tuple[str, int]:
    """A name without the number of copies before or behind it, and that number."""
    match = _COPIES.match(text)
    if match is None:
        return text, 1
    copies = int(match["n"] or match["m"])
    return (match["name"] or match["last"]), copies if 1 <= copies <= MOST_COPIES else 1


def reach(value: object) -> object:
    """A range as a number of inches, or the word for strikes; anything else as it is."""
    if not isinstance(value, str):
        return value
    text = even(value)
    if text.casefold() in _STRIKES:
        return MELEE
    bare = _INCHES.sub("", text)
    if is_nothing(bare):
        return None
    return int(bare) if bare.isdecimal() and len(bare) < 5 else bare


def dice(value: object) -> object:
    """A number or dice as they are read: ``1D6``, ``d6 + 3`` and ``A4`` as ``D6``, ``D6+3`` and ``4``."""
    if isinstance(value, float) and value == int(value):
        return int(value)
    if not isinstance(value, str):
        return value
    text = _unlabelled(value)
    match = _DICE.match(text) if isinstance(text, str) else None
    if match is None:
        return int(text) if isinstance(text, str) and text.isdecimal() and len(text) < 6 else text
    many = "" if match["n"] in ("", "1") else match["n"]
    return f"{many}D{match['s']}" + (f"+{match['k']}" if match["k"] else "")


def _unlabelled(value: object) -> object:
    """A value without the name of its column before it: ``BS 3+`` as ``3+``."""
    if not isinstance(value, str):
        return value
    text = even(value)
    return text if _DICE.match(text) else _LABEL.sub("", text).replace(" ", "")


def _characteristic(value: object) -> object:
    """A characteristic without inch marks and the pluses of other editions: ``6"`` as 6, ``4++`` as ``4+``."""
    if not isinstance(value, str):
        return value
    text = _INCHES.sub("", even(value))
    text = re.sub(r"\++$", "+", text)
    return int(text) if text.isdecimal() and len(text) < 6 else text


# lines of text


def in_columns(text: str, columns: Iterable[str], where: str) -> Json:
    """A weapon as a line: its name, its range, then the other columns in order or by their names, then its rules.

    Raises:
        BadInput: no range can be found, or a column is missing; the message says which.
    """
    names = tuple(columns)
    line = text.translate({ord("|"): " | ", ord("\t"): " | "})
    where_range = _RANGE.search(even(line))
    if where_range is None:
        raise _no_line(text, where, names, "it has no range, in inches or as melee")
    line = even(line)
    found: Json = {NAME: _trimmed(_LEADING.sub("", line[: where_range.start()])), RANGE: where_range["range"]}
    rest = line[where_range.end() :]
    for name in names:
        match = _COLUMNS[name].match(rest)
        if match is None:
            raise _no_line(text, where, names, f"{name} is missing behind {line[: len(line) - len(rest)].strip()[-24:]!r}")
        found[name] = match["value"]
        rest = rest[match.end() :]
    rules = re.sub(r"^\W*(?:keywords?|abilities|rules)\s*[:=]?", "", rest, flags=re.I).strip(" |,;:()[]")
    return {**found, RULES: split(rules) if rules else []}


def _trimmed(text: str) -> str:
    return text.strip(" |,;:(-\t")


def _no_line(text: str, where: str, names: tuple[str, ...], why: str) -> BadInput:
    form = 'Name 24" ' + " ".join(names) + " [Rules]"
    return BadInput("bad-weapon", f"{where}: {text[:80]!r} is no weapon: {why}", where=where, allowed=form + ", or an object")


_RANGE = re.compile(
    r"(?:\brange\s*[:=]?\s*)?(?P<range>\d+(?:\.\d+)?\s*(?:[\"\u201c\u201d\u201f\u2033\u02ba\uff02]|''|\u2019\u2019|\u2032\u2032|in\b\.?|inch(?:es)?\b)"
    r"|\b(?:melee|template|hellstorm)\b|(?<=[\s|(,;])M(?=[\s|,;]))",
    re.I,
)
_LEADING = re.compile(r"\brange\s*[:=]?\s*$", re.I)
_GAP = r"[\s|,;:/]*"
_THROW = r"(?:\d*\s*[dD]\s*[36]\b(?:\s*\+\s*\d+)?|\d+(?!\+))"


def _column(label: str, value: str) -> re.Pattern[str]:
    return re.compile(rf"{_GAP}(?:(?:{label})\s*[:=]?\s*)?(?P<value>{value}){_GAP}", re.I)


_COLUMNS = {
    ATTACKS: _column("attacks|shots|A", rf"{_THROW}|-|N/A"),
    SKILL: _column("BS|WS|skill", r"\d\s*\+|N/A|-(?!\d)|\d(?=[\s|,;])"),
    "S": _column("strength|str|S", rf"{_THROW}|user(?:\s*[+x]\s*\d+)?|[+x]\d+|-(?!\d)|[XD]\b"),
    AP: _column("AP", r"[+-]?\s*\d+|-|N/A"),
    "D": _column("damage|dmg|D", rf"{_THROW}|-"),
}


def once(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Notes without those that say the same of another model of the unit."""
    found: dict[str, Note] = {}
    for note in notes:
        found.setdefault(repr(note.told), note)
    return tuple(found.values())
