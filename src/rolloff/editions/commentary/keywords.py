"""Keywords (KEYW): whether what a rule asks for fits the keywords of a unit."""

from __future__ import annotations

import re
from collections.abc import Collection

from rolloff.rules.citing import cites

NON = "NON-"
NAMED = frozenset({
    "AIRCRAFT", "BATTLELINE", "BEASTS", "CHARACTER", "DEDICATED TRANSPORT", "EPIC HERO", "FORTIFICATION", "GRENADES",
    "INFANTRY", "MONSTER", "MOUNTED", "PSYKER", "SMOKE", "SWARM", "TITANIC", "TOWERING", "TRANSPORT", "VEHICLE", "WALKER",
})  # fmt: skip
"""The keywords rules ask for, as they write them."""
_OR = re.compile(r"\s*,\s*(?:OR\s+)?|\s+OR\s+")


def other_number(word: str) -> str:
    """A keyword in the other grammatical number."""
    return word[:-1] if word.endswith("S") else f"{word}S"


@cites("UNIT-4")
def written(word: str) -> str:
    """UNIT-4: a keyword as rules write it, whichever grammatical number a datasheet uses."""
    return other_number(word) if word not in NAMED and other_number(word) in NAMED else word


@cites("KEYW-7")
def _every(keywords: Collection[str], asked: str) -> bool:
    """KEYW-7: adjacent keywords ask for all of them; a keyword may itself be of several words."""
    if asked in keywords or other_number(asked) in keywords:  # KEYW-1
        return True
    if asked.startswith(NON):
        return asked.removeprefix(NON) not in keywords  # KEYW-2
    words = asked.split()
    parts = ((" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words)))
    return any(first in keywords and _every(keywords, rest) for first, rest in parts)


@cites("KEYW-6")
def fits(keywords: Collection[str], asked: str) -> bool:
    """KEYW-6: a comma list, or "or" between keywords, asks for any one of them."""
    return any(_every(keywords, one) for one in _OR.split(asked.upper().strip()))
