"""What catalogues and players write, put into the form an edition reads; what was changed or left out is noted.

An edition declares its `Notation`: other names for the fields of a weapon and for characteristics, the columns of a line of
text, and what an unsigned AP means on its scale. Everything else here is the same in every rulebook: dashes of every kind,
inch marks, "-" and "N/A" for nothing, dice with spaces, "2x" before a name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from rolloff.errors import BadInput
from rolloff.pattern import SHORT
from rolloff.rules.headed_rows import headed
from rolloff.rules.learnt import Layout, Learnt
from rolloff.rules.rule_lists import Reads, RuleLists
from rolloff.rules.rule_names import even, is_nothing
from rolloff.rules.weapon_lines import AP, ATTACKS, MELEE, NAME, RANGE, RULES, SKILL, unmarked
from rolloff.rules.weapon_objects import COUNTS, DESCRIPTION, FIELDS, KINDS, TIMES, flattened, from_text, plain
from rolloff.rules.written_values import MOST_COPIES, characteristic, counted, dice, from_to, reach, unlabelled

NONE = "-"
MOST_NAME = 64

_SHOTS = re.compile(r"\d+|\d*[dD][36](?:\+\d+)?")
_AUTOMATIC = frozenset({"auto", "automatic", "automatically"})

Json = dict[str, Any]

Own = Callable[[str, str], object]


class Notation(Struct, frozen=True):
    """How an edition's owners write: other names of fields and characteristics, by their plain names.

    ``parts`` are columns that hold one part of a characteristic each: which, and at which place.
    ``columns`` are the fields of a weapon in a line of text, in their usual order, ``optional`` those a line may leave out;
    with ``own_lines`` the edition reads texts first, in a form of its own.
    ``numbers`` are fields that hold a number or dice, ``skills`` the characteristics of a unit that its ranged and its melee
    weapons take their skill from, ``shots`` the rules behind which the number of attacks may stand (``Assault 2``).
    ``unsigned_ap`` says what an AP without a sign means, by ``ap_clause``. ``reads`` refuses an unknown rule; ``instead`` names
    what comes nearest to a rule of another rulebook.
    """

    fields: Mapping[str, str] = {}
    stats: Mapping[str, str] = {}
    parts: Mapping[str, tuple[str, int]] = {}
    columns: tuple[str, ...] = (ATTACKS,)
    optional: tuple[str, ...] = ()
    own_lines: bool = True
    numbers: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    shots: tuple[str, ...] = ()
    unsigned_ap: Callable[[int], int] | None = None
    ap_clause: str = ""
    reads: Reads | None = None
    instead: Mapping[str, str] = {}


class Tidier(RuleLists):
    """Puts weapons, rules and characteristics of one unit into the edition's form, and keeps the notes."""

    def __init__(
        self, learnt: Learnt, ignore_unknown: bool = False, own: Own | None = None, reads: Reads | None = None
    ) -> None:
        """``ignore_unknown``: rules nobody knows are left out and noted instead of refused.

        ``learnt`` is what readers of the edition share that do the same with rules nobody knows.
        ``own`` refuses a text that is no weapon of the edition's own form, ``reads`` a rule the edition does not have.
        """
        notation = learnt.notation
        super().__init__(notation.reads or reads, notation.reads, ignore_unknown, learnt.plainly)
        self.notation, self.own, self.learnt = notation, own, learnt

    # characteristics

    def stats(self, given: Mapping[str, Any], where: str) -> Json:
        """Characteristics by the edition's names, with one dash for whatever stands for nothing."""
        found: Json = self._joined(given, where)
        for key, value in given.items():
            name = self.notation.stats.get(plain(key), key)
            if self.notation.parts.get(plain(key), (None, 0))[0] in found:
                continue
            if name != key:
                self.note(f"{where}.{key}", key, name, "another name for it")
            read = NONE if is_nothing(value) else characteristic(value)
            if str(read) != str(value):
                self.note(f"{where}.{key}", value, read, "the same number")
            found[name] = read
        return found

    def _joined(self, given: Mapping[str, Any], where: str) -> Json:
        """Characteristics whose parts stand in columns of their own, all of them or none."""
        found: dict[str, dict[int, object]] = {}
        for key, value in given.items():
            if plain(key) in self.notation.parts:
                name, place = self.notation.parts[plain(key)]
                found.setdefault(name, {})[place] = characteristic(value)
        whole: Json = {}
        for name, places in found.items():
            if len(places) == len({place for other, place in self.notation.parts.values() if other == name}):
                whole[name] = [places[place] for place in sorted(places)]
                self.note(
                    f"{where}.{name}",
                    ", ".join(key for key in given if plain(key) in self.notation.parts),
                    whole[name],
                    "its parts",
                )
        return whole

    def skilled(self, weapon: Json, stats: Mapping[str, Any]) -> Json:
        """A weapon without a skill of its own takes that of its unit, where the edition has it on weapons."""
        if not self.notation.skills or not is_nothing(weapon.get(SKILL)):
            return weapon
        name = self.notation.skills[weapon.get(RANGE) == MELEE]
        return weapon if name not in stats else {**weapon, SKILL: stats[name]}

    # weapons

    def weapons(self, given: object, where: str) -> list[object]:
        """A weapon in the edition's form, as often as is written before or behind its name."""
        written = from_text(given) if isinstance(given, str) else None
        if isinstance(given, str) and written is None:
            return self._texts(given, where)
        saved = written if written is not None else given
        if not isinstance(saved, Mapping):
            return [given]
        own = self.notation.fields or self.notation.numbers  # without a notation a weapon has its own numbers under `stats`
        flat = flattened(saved) if own and self.learnt.layout(saved).nested else saved
        weapon, copies = self._fields(flat, where), self._count(flat)
        if isinstance(weapon.get(NAME), str):
            name, counted_copies = counted(unmarked(weapon[NAME]))
            copies = max(copies, counted_copies)
            if copies > 1:
                self.note(f"{where}.name", weapon[NAME], name, f"{copies} of them")
            weapon[NAME] = self._short(name, where)
        return [weapon] * copies

    def _count(self, given: Mapping[str, Any]) -> int:
        """How many there are of a weapon, by a field of its own."""
        counts = [dice(given[key]) for key in self.learnt.layout(given).counts]
        return next((n for n in counts if isinstance(n, int) and 1 <= n <= MOST_COPIES), 1)

    def _short(self, name: str, where: str) -> str:
        if len(name) <= MOST_NAME:
            return name
        self.note(f"{where}.name", name, name[:MOST_NAME], f"names have up to {MOST_NAME} letters")
        return name[:MOST_NAME]

    def _texts(self, text: str, where: str) -> list[object]:
        """A weapon as a line of text: the edition's own, or columns."""
        line, copies = counted(unmarked(headed(text)))
        if copies > 1:
            self.note(where, text, line, f"{copies} of them")
        refused = self._not_own(line, where) if self.notation.own_lines else None
        if self.notation.own_lines and refused is None:
            return [line] * copies
        try:
            columns = self.learnt.lines.read(line, where)
        except BadInput:
            if refused is None:
                raise
            raise refused from None
        columns = self._bracketed(columns, where)
        name, more = counted(columns[NAME])
        if more > 1:
            self.note(f"{where}.name", columns[NAME], name, f"{more} of them")
        if refused is not None:
            said = ", ".join(f"{key} {value}" for key, value in columns.items() if not isinstance(value, list))
            self.note(where, line, said, "a line by its columns")
        return [self._fields({**columns, NAME: self._short(name, where)}, where)] * (copies if copies > 1 else more)

    def _bracketed(self, columns: Json, where: str) -> Json:
        """Columns whose name has several rules of the edition in round brackets behind it, with these among its rules."""
        match = re.fullmatch(r"(.*\S)\s*\(([^()]*,[^()]*)\)", columns[NAME])
        if match is None or not all(self._reads(part.strip(), where) for part in match[2].split(",")):
            return columns
        return {**columns, NAME: match[1], RULES: [*columns[RULES], *match[2].split(",")]}

    def _not_own(self, line: str, where: str) -> BadInput | None:
        """Why a text is no weapon in the edition's own form; None if it is one, or the edition has none."""
        if self.own is not None:
            try:
                self.own(line, where)
            except BadInput as error:
                return error
        return None

    def _fields(self, given: Mapping[str, Any], where: str) -> Json:
        """The fields of a weapon by the edition's names, each in the edition's form."""
        found: Json = {}
        strikes = ""
        layout = self.learnt.layout(given)
        described = self._described(given, layout, where)
        if described is not None:
            layout = self.learnt.layout(given, described)
        for (key, said, name, beside, skilled), value in zip(layout.columns, given.values(), strict=True):
            if beside and (said not in TIMES or dice(value) == 1):
                strikes = "w" if said in KINDS and "melee" in str(value).casefold() else strikes
                if said not in COUNTS:
                    self.note(f"{where}.{key}", str(value)[:80], None, "it says nothing about the attacks")
                continue
            if skilled and not is_nothing(value):
                strikes = said[0]
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

    def _described(self, given: Mapping[str, Any], layout: Layout, where: str) -> str | None:
        """The field of a description, if that is where a weapon without rules has them."""
        if not layout.described:
            return None
        said = {column.said: value for column, value in zip(layout.columns, given.values(), strict=True)}
        ruled = any(FIELDS.get(name) == RULES and value for name, value in said.items())
        text = said.get(DESCRIPTION)
        if ruled or not isinstance(text, str):
            return None
        return DESCRIPTION if any(self._reads(str(part), where) for part in self.parts(text, where)) else None

    def _shots(self, rules: object, where: str) -> Json:
        """The attacks that stand behind the name of a weapon's type, and the rules without that number."""
        for k, rule in enumerate(_listed(rules)):
            name, _, number = rule.rpartition(" ") if isinstance(rule, str) else ("", "", "")
            if plain(name) in self.notation.shots and _SHOTS.fullmatch(number):
                self.note(f"{where}[{k}]", rule, name, f"{number} attacks")
                return {ATTACKS: dice(number), RULES: [*_listed(rules)[:k], name, *_listed(rules)[k + 1 :]]}
        return {}

    def _field(self, name: str, value: object, where: str) -> object:
        """A field in the edition's form; a number or text that was read before is read alike."""
        if name == RULES:
            return self.rules(value, where)
        if name == NAME:
            return even(value) if isinstance(value, str) else value
        if type(value) is not str and type(value) is not int:
            return self._new_field(name, value, where)
        known = self.learnt.values.get((name, value))
        if known is None:
            before, read = len(self.notes), self._new_field(name, value, where)
            if isinstance(value, int) or len(value) <= SHORT:
                self.learnt.values.keep((name, value), (read, self.notes[before] if len(self.notes) > before else None))
            return read
        read, note = known
        if note is not None:
            self.note(where, value, note.read, note.why)
        return read

    def _new_field(self, name: str, value: object, where: str) -> object:
        if name == RANGE:
            why = "a range, its least distance left out" if from_to(value) else "a range"
            return self._noted(where, value, reach(value), why)
        if name == AP and not is_nothing(value):
            return self._ap(value, where)
        if name in self.notation.numbers or name == AP:
            if is_nothing(value):
                self.note(where, value, None, "none")
                return None
            return self._noted(where, value, dice(value), "the same number")
        if name == SKILL:
            nothing = is_nothing(value) or str(value).casefold() in _AUTOMATIC
            said = re.sub(r"(?<=\d)s$", "+", value) if isinstance(value, str) else value
            return None if nothing else self._noted(where, value, unlabelled(said), "the same number")
        return value

    def _noted(self, where: str, given: object, read: object, why: str) -> object:
        if read != given and str(read) != str(given).strip().rstrip('"') and str(given).casefold() != MELEE:
            self.note(where, given, read, why)
        return read

    def _ap(self, value: object, where: str) -> object:
        """An AP with its sign; one without means what the edition's scale says."""
        text = unlabelled(value)
        unsigned = self.notation.unsigned_ap
        number = int(text) if isinstance(text, str) and re.fullmatch(r"[+-]?\d{1,2}", text) else text
        signed = isinstance(text, str) and text[:1] in "+-"
        if unsigned is None or not isinstance(number, int) or isinstance(number, bool) or number <= 0 or signed:
            return number if not signed or not isinstance(number, int) else min(number, -number)
        read = unsigned(number)
        clause = self.notation.ap_clause
        self.note(where, value, read, "an AP without a sign" + (f" ({clause})" if clause else ""))
        return read


def _listed(found: object) -> list[object]:
    return list(found) if isinstance(found, list) else [found]
