"""Single values of a profile as anybody may write them: counts, ranges, dice and characteristics."""

from __future__ import annotations

import re

from rolloff.pattern import Pattern, remembered
from rolloff.rules.rule_names import even, is_nothing
from rolloff.rules.weapon_lines import INCH_MARKS, MELEE

MOST_COPIES = 20
_INCHES = Pattern(r"\s*(?:\"|in(?:\.|ch(?:es)?)?)\s*(?:range\s*)?$", re.I)
_NUMBERED = Pattern(r"\d")
_COPIES = Pattern(
    r"^\s*(?:\(?(?P<n>\d{1,2})\s*[x\u00d7]\)?\s+(?P<name>.+)|(?P<last>.+?)\s+\(?[x\u00d7]\s*(?P<m>\d{1,2})\)?)\s*$", re.I
)
_COPIES_AMID = Pattern(r"^(?P<name>[^|,;:\t\"()]+?)\s+[x\u00d7]\s*(?P<m>\d{1,2})(?P<tail>\s*\(.*\))\s*$", re.I)
_PLAIN_COPIES = Pattern(r"^\s*(?P<n>\d{1,2})\s+(?P<name>[^\W\d]+(?:[ -][^\W\d]+)*)(?P<rest>.*)$", re.DOTALL)
_DICE = Pattern(r"^(?P<n>\d*)\s*[dD]\s*(?P<s>[3-9]|\d\d+)\s*(?:\+\s*(?P<k>\d+))?$")
_LABEL = Pattern(
    r"^(?!d(?:[3-9]|\d\d))(?:attacks|strength|damage|skill|ap|bs|ws|ct|a|s|d)\.?\s*[:=]?\s*(?=[+-]?\d|d[36]|\()", re.IGNORECASE
)
_BEHIND = Pattern(r"(?<=\d)\s*(?:attacks?|shots?|a|damage|dmg)$", re.IGNORECASE)
_FROM_TO = Pattern(r"^\d+\s*-\s*(?P<far>\d+)$")
_STRIKES = frozenset({"melee", "m", "close combat", "cc", "combat"})


def counted(text: str) -> tuple[str, int]:
    """A name without the number of copies before or behind it, and that number."""
    if not _NUMBERED.search(text):
        return text, 1
    match = _COPIES.match(_COPIES_AMID.sub(r"\g<name>\g<tail> x\g<m>", text))
    if match is not None:
        copies = int(match["n"] or match["m"])
        return (match["name"] or match["last"]), copies if 1 <= copies <= MOST_COPIES else 1
    match = _PLAIN_COPIES.match(text)
    if match is None or not (
        (1 < int(match["n"]) <= MOST_COPIES and match["name"].casefold().endswith("s")) or match["n"] == "1"
    ):
        return text, 1
    return match["name"] + match["rest"], int(match["n"])


def reach(value: object) -> object:
    """A range as a number of inches, or the word for strikes; anything else as it is."""
    if not isinstance(value, str):
        return None if value == 0 and not isinstance(value, bool) else value
    text = INCH_MARKS.sub('"', even(value))
    if text.casefold() in _STRIKES:
        return MELEE
    bare = _FROM_TO.sub(r"\g<far>", _INCHES.sub("", text))
    if is_nothing(bare) or bare == "0":
        return None
    return int(bare) if bare.isdecimal() and len(bare) < 5 else bare


def dice(value: object) -> object:
    """A number or dice as they are read: ``1D6``, ``d6 + 3`` and ``A4`` as ``D6``, ``D6+3`` and ``4``."""
    if isinstance(value, float) and value == int(value):
        return int(value)
    if not isinstance(value, str):
        return value
    text = unlabelled(value)
    match = _DICE.match(text) if isinstance(text, str) else None
    if match is None:
        return int(text) if isinstance(text, str) and text.isdecimal() and len(text) < 6 else text
    many = "" if match["n"] in ("", "1") else match["n"]
    return f"{many}D{match['s']}" + (f"+{match['k']}" if match["k"] else "")


def unlabelled(value: object) -> object:
    """A value without the name of its column before it: ``BS 3+`` as ``3+``."""
    return _unlabelled(value) if isinstance(value, str) else value


@remembered
def _unlabelled(value: str) -> str:
    text = even(value)
    if _DICE.match(text):
        return text
    return _BEHIND.sub("", _LABEL.sub("", text)).replace(" ", "").removeprefix("(").removesuffix(")")


def characteristic(value: object) -> object:
    """A characteristic without inch marks and the pluses of other editions: ``6"`` as 6, ``4++`` as ``4+``."""
    return _characteristic(value) if isinstance(value, str) else value


@remembered
def _characteristic(value: str) -> int | str:
    text = _INCHES.sub("", INCH_MARKS.sub('"', even(value)))
    text = re.sub(r"\++$", "+", text)
    return int(text) if text.isdecimal() and len(text) < 6 else text


def from_to(value: object) -> bool:
    """Whether a range has a least distance, too: ``6-36"``."""
    return isinstance(value, str) and _FROM_TO.match(_INCHES.sub("", INCH_MARKS.sub('"', even(value)))) is not None
