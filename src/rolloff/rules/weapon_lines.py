"""A weapon as a line of text, read into an object: a row of a table, a line of a list to be shared, words of one's own.

A line is a name, a range, columns and rules. A column goes by its label (``S5``, ``AP: -1``, ``2 shots``) or, without one, by
the order of the columns. What is no column is a rule. A line that could mean two things is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

from rolloff.errors import BadInput
from rolloff.pattern import Pattern, either, which
from rolloff.rules.rule_names import even, is_nothing

NAME, RANGE, ATTACKS, RULES, AP, SKILL, STRENGTH, DAMAGE = "name", "range", "A", "rules", "AP", "skill", "S", "D"
MELEE = "melee"

Json = dict[str, Any]

INCH_MARKS = Pattern("[\u201c\u201d\u201e\u201f\u2033\u02ba\uff02]|''|\u2019\u2019|\u2032\u2032|\u00b4\u00b4|``")
DICE = r"\d*d\s*(?:[3-9]|\d\d)(?!\d)(?:\s*\+\s*\d+)?"
_AMOUNT = rf"(?:{DICE}|\d+(?!\s*\+(?!\s*\d)))"
_INCHES = r"\d+(?:\.\d+)?\s*(?:\"|in\b\.?|inch(?:es)?\b)"
_FAR = rf"(?:\d+\s*-\s*)?{_INCHES}|(?:melee|template|hellstorm|cc)\b|(?<=[\s|(,;])M(?=[\s|,;])"
_USER = r"user(?:\s*[+x]\s*\d+)?|\+\s?\d+|x\d+"
_DASH = r"-(?![\d\w])"
_END = r"(?=$|[\s,;:|/()\[\].])"
_LAST = r"(?=\s*(?:$|[,;|/)\]])|\s+[a-z]{2})"

LABELS = {
    RANGE: r"range|rng|reach|r",
    ATTACKS: r"no\.? of attacks|attacks?|shots?|att|atk|a",
    SKILL: r"ballistic skill|weapon skill|hits? on|skill|bs|ws|ct",
    STRENGTH: r"strength|str|s",
    AP: r"armou?r penetration|ap|pa",
    DAMAGE: r"damage|dmg|dam|d",
}
_VALUES = {
    RANGE: rf"{_FAR}|\d+(?:\.\d+)?|{_DASH}|n/a",
    ATTACKS: rf"{_AMOUNT}\s*[px\u0440]?|{_DASH}|n/a",
    SKILL: rf"\d\s*\+|\ds|n/a|auto(?:matic)?|\*|{_DASH}|\d",
    STRENGTH: rf"{_AMOUNT}|{_USER}|{_DASH}|n/a|\*|[xd]\b",
    AP: rf"[+-]?\s*\d+|\(-?\d+\)|{_DASH}|n/a",
    DAMAGE: rf"(?:{_AMOUNT}|{_DASH}|n/a)(?!\s*(?:damage|dmg)\b)",
}
_LABELLED = {name: Pattern(rf"(?:{label})\s*[:=]?\s*(?P<value>{_VALUES[name]}){_END}", re.I) for name, label in LABELS.items()}
_TURNED = {
    RANGE: Pattern(rf"(?P<value>{_INCHES})\s*range{_END}", re.I),
    ATTACKS: Pattern(rf"(?P<value>{_AMOUNT})\s*(?:attacks?|shots?|a){_END}", re.I),
    SKILL: Pattern(rf"(?P<value>\d\s*\+|n/a)(?:\s+(?:bs|ws){_LAST}|(?:bs|ws|\s+to hit){_END})", re.I),
    STRENGTH: Pattern(rf"(?P<value>{_AMOUNT})(?:\s+(?:strength|str|s){_LAST}|s{_END})", re.I),
    AP: Pattern(rf"(?P<value>[+-]?\s*\d+)(?:\s+ap{_LAST}|ap{_END})", re.I),
    DAMAGE: Pattern(rf"(?P<value>{_AMOUNT})(?:\s*(?:damage|dmg){_END}|\s+d{_LAST}|d{_END})", re.I),
}
"""The number first: ``2 shots``; a label that could stand before the next number does not count."""
_SELF = Pattern(rf"(?P<value>{_FAR}){_END}", re.I)
"""A range that shows itself, by its inch mark or its word."""
_AUTO = Pattern(rf"(?P<value>auto)(?:matic(?:ally)?)?[ -]hits?{_END}", re.I)
_ALONE = {RANGE: (_SELF,), SKILL: (_AUTO,)}
"""What needs no label."""
_VALUE = Pattern(rf"(?P<value>{_AMOUNT}\s*[px\u0440]?|\d+\s*\+|[+-]\s?\d+|{_USER}|n/a|\*|{_DASH}|[xd]){_END}", re.I)
_GAP = Pattern(r"[\s,;:|/()\[\].]+")
_RULES_LABEL = Pattern(r"(?:(?:keywords?|kws?|abilities|special rules|rules|special|type)\s*[:=]|keywords?\b)\s*", re.I)
_WORD = Pattern(r"[^\s,;|()\[\]]+")
_RATING = Pattern(rf"\s*(?:\([^()]*\)|\d+/\d+|{DICE}|\d+\s*\+?){_END}", re.I)
_CHUNK = Pattern(r"(?:[^,;|()\[\]]|\([^()]*\))+")
_BULLET = Pattern(r"^[\s>#*\u2022\u25e6\u25aa\u2023\u27a4\u00b7-]+(?=\S)")
_NAME_LABEL = Pattern(r"^(?:name|weapon|profile)\s*:\s*", re.I)
_IN_BRACKETS = Pattern(r"\[([^\[\]]*)\]")

_AMID_DICE = Pattern(r"(?<=\d)\s+(?=d\d)", re.I)
_STRENGTH_FIRST = Pattern(r"(?<=\s)-\s+(?=(?:user|x\d|\+\s?\d|\d)[^|]*\s(?:melee)\b)", re.I)
"""A dash for the range of a weapon that strikes, before its Strength: ``- User 3 Melee``."""
_METRIC = Pattern(r".*\d\s*(?:cm|mm|m)$", re.I)
"""A name that ends with a length which is not in inches."""
NAMELESS = "weapon"
LEAST_CELLS = 4
"""How many marks between cells make a row."""

_BARE = Pattern(r"(?:\d+|-)\s*,")
_OPENING = Pattern(r"[(\[]\s*")
_PLACE = r"(?<![\w\"'+-])(?=[\w-])(?={})"
"""Where a column begins: behind a gap."""
_SELF_AT = either([_SELF], _PLACE)
_REACH_AT = either([_SELF, _LABELLED[RANGE], _TURNED[RANGE]], _PLACE)
_OF_COLUMN = {name: Pattern(values, re.I) for name, values in _VALUES.items()}
_DICE = Pattern(DICE, re.I)
_SHOOTS = Pattern(r"\b(?:bs|ballistic skill)(?![a-z])", re.I)
_WORD_GAP = Pattern(r" +(?=[^\s(])")
_NUMBERS = Pattern(r"(?<=[\s(])(?:-\s+)?(?:-|\d+|d\d)(?=[\s,+])")
_LINE_ENDS = Pattern(r"<br\s*/?>|[\r\n]+", re.I)
_EMPHASIS = Pattern(r"</?[a-z]+\s*/?>|\*\*|`(?!`)|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)", re.I)
_QUOTED = Pattern(r',\s*"[^"]')
_BETWEEN_DASHES = Pattern(r"\s-\s+")
_HOW_MANY = Pattern(r"\[\s*(x\s*\d+|\d+\s*x)\s*\]", re.I)
_RANGE_LABEL = Pattern(r"\b(?:range|rng|r|ranged(?: weapons?)?)\s*[:=]?\s*$", re.I)


class _Read(NamedTuple):
    """What was found in a line behind its name."""

    columns: dict[str, str]
    values: list[str]
    rules: list[str]


class LineReader:
    """Reads lines by the columns of one edition."""

    def __init__(self, columns: Sequence[str], optional: Sequence[str], shots: Sequence[str]) -> None:
        """``optional``: columns a line may leave out; ``shots``: rules behind which the attacks may stand."""
        self.columns = (RANGE, *columns)
        self.optional = frozenset((RANGE, *optional))
        self._typed = Pattern(rf"(?:{'|'.join(shots)})\s+[\dd]", re.I) if shots else None
        self._known = [(name, one) for name in self.columns for one in (_LABELLED[name], _TURNED[name], *_ALONE.get(name, ()))]
        self._any = either([pattern for _, pattern in self._known])
        self._ahead = either([*[_LABELLED[name] for name in self.columns[1:]], _TURNED[ATTACKS]], _PLACE)

    def read(self, text: str, where: str) -> Json:
        """The weapon of a line as an object.

        Raises:
            BadInput: columns are missing, or it is not clear which is which; the message says so.
        """
        cells = _cells(levelled(text))
        line = cells[0]
        name, found = self._row(cells) if len(cells) > 1 else self._words(line)
        missing = self._missing(found)
        ways = next((ways for values in _takes(found.values) if (ways := _alike(self._ways(values, missing)))), [])
        if len(ways) != 1:
            raise self._refused(text, where, found, missing, len(ways))
        columns = {**found.columns, **ways[0]}
        if RANGE not in columns and (len(columns) == 0 or self._shoots(" ".join(cells)) or _METRIC.match(name)):
            raise self._refused(text, where, found, [RANGE], 0)
        columns.setdefault(RANGE, MELEE)
        return {NAME: name or NAMELESS, **columns, RULES: [rule for rule in found.rules if rule]}

    def _shoots(self, line: str) -> bool:
        return _SHOOTS.search(line) is not None

    def _missing(self, found: _Read) -> list[str]:
        """The columns that no label named, in their order; attacks may stand behind the type of a weapon."""
        typed = self._typed is not None and any(self._typed.match(rule) for rule in found.rules)
        return [name for name in self.columns if name not in found.columns and not (typed and name == ATTACKS)]

    def _ways(self, values: Sequence[str], missing: Sequence[str]) -> Iterator[dict[str, str]]:
        """Every way to give the values to the missing columns in order, leaving out only what may be left out."""
        free = [name for name in missing if name in self.optional]
        less = len(missing) - len(values)
        if less < 0 and all(is_nothing(value) for value in values[less:]):
            values, less = values[:less], 0
        for left_out in combinations(free, less) if 0 <= less <= len(free) else ():
            names = [name for name in missing if name not in left_out]
            if all(_fits(name, value) for name, value in zip(names, values, strict=True)):
                yield dict(zip(names, values, strict=True))

    def _refused(self, text: str, where: str, found: _Read, missing: Sequence[str], ways: int) -> BadInput:
        form = 'Name 24" ' + " ".join(self.columns[1:]) + " [Rules]"
        needed = [name for name in missing if name not in self.optional] or list(missing)
        said = f" behind {found.columns}" if found.columns else ""
        why = (
            "it can be read in more than one way"
            if ways
            else f"{', '.join(needed) or 'a column'} cannot be told from {', '.join(found.values) or 'the rest'}{said}"
        )
        allowed = f"{form}, columns with their names, or an object"
        return BadInput("bad-weapon", f"{where}: {text[:80]!r} is no weapon: {why}", where=where, allowed=allowed)

    # a row of a table

    def _row(self, cells: list[str]) -> tuple[str, _Read]:
        whole = not _starts(cells[0], _SELF_AT)
        name, found = (_named(cells[0])[0], _Read({}, [], _named(cells[0])[1])) if whole else self._words(cells[0])
        for k, written in enumerate(cells[1:]):
            cell = _AMID_DICE.sub("", written)
            if _RULES_LABEL.match(cell):
                found.rules.append(_RULES_LABEL.sub("", cell))
            elif several := self._several(written, found.columns) or self._several(cell, found.columns):
                found.columns.update(several)
            elif k == 0 and is_nothing(cell):
                found.columns.setdefault(RANGE, MELEE)
            elif is_nothing(cell) or any(_fits(column, cell) for column in self.columns[1:]) or (k == 0 and _fits(RANGE, cell)):
                found.values.append(cell)
            else:
                found.rules.append(cell)
        return name, found

    def _several(self, cell: str, have: dict[str, str]) -> dict[str, str] | None:
        """A cell of one column or several, each with its label: ``S10 AP-4 D6``; None if it is something else."""
        found: dict[str, str] = {}
        at = 0
        while at < len(cell):
            known = {**have, **found}
            labelled = self._labelled(cell, at, known, bare_damage=not {STRENGTH, AP}.isdisjoint(known))
            if labelled is None:
                return None
            found[labelled[0]] = labelled[1]
            gap = _GAP.match(cell, labelled[2])
            at = gap.end() if gap else labelled[2]
        return found or None

    # words

    def _words(self, line: str) -> tuple[str, _Read]:
        start = self._start(line)
        name, rules = _named(line[:start])
        found = _Read({}, [], rules)
        at = start
        while at < len(line):
            gap = _GAP.match(line, at)
            at = gap.end() if gap else at
            if at < len(line):
                at = self._next(line, at, found)
        return name, found

    def _next(self, line: str, at: int, found: _Read) -> int:
        """Read one column, value or rule, and say where it ends."""
        label = _RULES_LABEL.match(line, at)
        if label:
            return label.end()
        labelled = self._labelled(line, at, found.columns, bare_damage=not {STRENGTH, AP}.isdisjoint(found.columns))
        if labelled is not None:
            found.columns[labelled[0]] = labelled[1]
            return labelled[2]
        value = _VALUE.match(line, at)
        if value and len(found.values) + len(found.columns) < len(self.columns) + 1:
            found.values.append(value["value"].strip())
            return value.end()
        return self._rule(line, at, found)

    def _rule(self, line: str, at: int, found: _Read) -> int:
        """A rule: up to the next comma, or while columns are missing, words and one rating."""
        if len(found.values) + len(found.columns) >= len(self.columns):
            chunk = _CHUNK.match(line, at)
            end = chunk.end() if chunk else at + 1
        else:
            end = at
            while word := _WORD.match(line, end):
                if end > at and (self._labelled(line, end, found.columns, True) or _VALUE.match(line, end)):
                    break
                end = word.end()
                gap = _WORD_GAP.match(line, end)
                if gap is None:
                    break
                end = gap.end()
            rating = _RATING.match(line, end)
            end = rating.end() if rating else max(end, at + 1)
        found.rules.append(line[at:end].strip(" .:"))
        return end

    def _labelled(self, line: str, at: int, have: dict[str, str], bare_damage: bool) -> tuple[str, str, int] | None:
        """A column by its label or by itself: its name, its value, and where it ends."""
        any_match = self._any.match(line, at)
        if any_match is None:
            return None
        first = which(any_match)
        for name, pattern in self._known[first:]:
            if name in have:
                continue
            match = any_match if pattern is self._known[first][1] else pattern.match(line, at)
            if match and not (name == DAMAGE and not bare_damage and _DICE.fullmatch(match.group())):
                return name, match[match.lastgroup or 0], match.end()
        return None

    def _start(self, line: str) -> int:
        """Where the name ends: before the range, or before columns that stand ahead of it."""
        dash = _STRENGTH_FIRST.search(line)
        if dash is not None:
            return dash.end()
        reach = next(iter(_starts(line, _REACH_AT)), None)
        end = len(line) if reach is None else reach
        ahead = _starts(line[:end], self._ahead)
        enough = 1 if reach is None else 2
        end = min(end, ahead[0]) if len(ahead) >= enough else self._bare(line) if reach is None else end
        columns = (_BARE, self._ahead)
        opened = _OPENING.places(line[:end])
        return next((start for start, behind in opened if any(one.match(line, behind) for one in columns)), end)

    def _bare(self, line: str) -> int:
        """Where the numbers begin, if nothing has a label."""
        match = _NUMBERS.search(line)
        return match.start() if match else len(line)


def _starts(line: str, columns: Pattern) -> list[int]:
    """Where columns stand in a line, each behind a gap."""
    return [start for start, _ in columns.places(line) if start]


def _alike(ways: Iterator[dict[str, str]]) -> list[dict[str, str]]:
    """Ways to read a line without those that differ from another only in which empty column is which."""
    return list({repr({name: value for name, value in way.items() if not is_nothing(value)}): way for way in ways}.values())


@lru_cache(maxsize=4096)
def _fits(column: str, value: str) -> bool:
    return is_nothing(value) or _OF_COLUMN[column].fullmatch(value) is not None


def _takes(values: list[str]) -> Iterator[list[str]]:
    """The values, and what they are if a dash only parts them from what stands before."""
    apart = [part for value in values for part in (("-", value[2:]) if value.startswith("- ") else (value,))]
    for taken in (values, apart):
        yield taken
        if "-" in taken:
            first = taken.index("-")
            yield [*taken[:first], *taken[first + 1 :]]
            yield [value for value in taken if value != "-"]


_MARKED = Pattern(r"[<*`&\\\r\n]|^[\s>#\u2022\u25e6\u25aa\u2023\u27a4\u00b7-]")
"""What a text needs for anything in it to be a mark."""


def unmarked(text: str) -> str:
    """A line without bullets, tags, escapes and marks of emphasis."""
    if not _MARKED.search(text):
        return text
    line = _LINE_ENDS.sub("; ", _unescaped(text).replace('\\"', '"'))
    return _BULLET.sub("", _EMPHASIS.sub("", line))


def levelled(text: str) -> str:
    """A line with one kind of dash, cross and bracket, without bullets and marks of emphasis."""
    return even(unmarked(text).replace("{", "[").replace("}", "]"))


def _cells(line: str) -> list[str]:
    """The cells of a row: between bars, tabs, semicolons, dashes, or commas where texts are quoted; one if it is no row."""
    if "|" in line or "\t" in line:
        cells = re.split(r"[|\t]", _unbracketed(line).strip("| "))
    elif line.startswith('"') or _QUOTED.search(line):
        import csv

        cells = next(csv.reader([line], skipinitialspace=True))
    elif line.partition("(")[0].count(";") >= LEAST_CELLS:
        cells = line.split(";")
    else:
        cells = _dashed(line)
    return [INCH_MARKS.sub('"', cell).strip() for cell in (cells if len(cells) != 2 else [line])]


def _unbracketed(line: str) -> str:
    """A row whose cells stand in one pair of brackets behind the name, without them: ``Gun (24" | A2 | S4)``."""
    inside = re.fullmatch(r"([^|(]*)\(([^()]*\|[^()]*)\)([^|]*)", line)
    return line if inside is None else f"{inside[1]}|{inside[2]}|{inside[3]}"


def _dashed(line: str) -> list[str]:
    """Cells with dashes between them; dashes within the name are its own."""
    cells = _BETWEEN_DASHES.split(INCH_MARKS.sub('"', line))
    if len(cells) <= LEAST_CELLS:
        return [line]
    columns = (*_LABELLED.values(), _SELF)
    first = next((k for k, cell in enumerate(cells) if k and any(one.fullmatch(cell.strip()) for one in columns)), 0)
    if not first or any(not cell.strip() for cell in cells):
        return [line]
    return [" - ".join(cells[:first]), *cells[first:]]


def _named(text: str) -> tuple[str, list[str]]:
    """A name without what is around it, and the rules that stand behind it in square brackets."""
    text = _HOW_MANY.sub(r"\1", text)  # how many, not a rule
    rules = [rule for group in _IN_BRACKETS.findall(text) for rule in group.split(",")]
    bare = _NAME_LABEL.sub("", _IN_BRACKETS.sub("", text))
    bare = _RANGE_LABEL.sub("", bare)
    return _BULLET.sub("", bare.strip(' |,;:([-/\t"')), [rule.strip() for rule in rules]


def _unescaped(text: str) -> str:
    """A text with its HTML entities read."""
    if "&" not in text:
        return text
    from html import unescape  # few lines have any, and all of them are a long list

    return unescape(text)
