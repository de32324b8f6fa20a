"""Attacks rolled by hand roll no die three times, and give the odds of attacks left to habit."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rolloff.errors import DiceError
from rolloff.situations.adjudicate import adjudicate

Json = dict[str, Any]


def shot(dice: list[int], rules: str, again: bool | None = None) -> Json:
    """One shot by hand, with an answer to whether misses are rolled again if that is asked."""
    ours = {"id": "a", "side": "A", "quality": 4, "models": [{"id": "a1", "weapons": [f'Gun (24", A1, {rules})']}]}
    theirs = {"id": "b", "side": "B", "quality": 4, "models": [{"id": "b1"}, {"id": "b2"}]}
    attack = {"attacker": "a", "target": "b", "range": 10, "visible": True, "cover": False}
    case: Json = {"edition": "onepage-3.0", "units": [ours, theirs], "switches": {"auto_optional_rerolls": False}}
    answers = [] if again is None else [{"kind": "yes-no", "value": again}]
    case |= {"do": {"attack": attack}, "answers": answers, "unanswered": "stop", "dice": dice}
    found: Json = adjudicate(msgspec.json.encode(case))["attacks"][0]
    return found


@pytest.mark.clause("onepage-3.0", "DICE-8", "DICE-9")
@pytest.mark.parametrize(
    ("dice", "again", "hits"),
    [([2, 6, 6], True, 1), ([2, 1], True, 0), ([2], False, 0), ([6, 6, 6], None, 1), ([6, 1], None, 0)],
)
def test_each_die_is_thrown_again_once(dice: list[int], again: bool | None, hits: int) -> None:
    """Linked and Unwieldy together: a miss may be rolled again, a hit must be, and neither a third time."""
    assert shot(dice, "Linked, Unwieldy", again)["hits"] == hits


@pytest.mark.clause("onepage-3.0", "DICE-9")
def test_a_hit_thrown_again_that_misses_has_missed() -> None:
    """The second result is final: what was a hit and is none any more asks for no further die."""
    with pytest.raises(DiceError, match="never rolled"):
        shot([6, 1, 6], "Linked, Unwieldy")


def test_declined_misses_stay_misses() -> None:
    """Who would rather not roll again does not."""
    assert shot([2], "Linked", again=False)["hits"] == 0
