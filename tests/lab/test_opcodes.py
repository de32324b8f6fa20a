"""How much work a decision is may not grow unseen: exact counts of fixed games, held against a golden file."""

from __future__ import annotations

import json

import pytest

from tools.opcodes import FILE, comparable, counted, explained, grown


def test_a_decision_is_no_more_work_than_the_golden_file_says() -> None:
    """Opcodes, calls and kernel calls of a decision stay within 2 % of the file, or the functions that grew are named."""
    before = json.loads(FILE.read_text(encoding="utf-8"))
    if not comparable(before):
        pytest.skip("counted with another interpreter, or without compiled kernels")
    after = counted()
    assert not grown(before, after), "\n".join((*grown(before, after), *explained(before, after)))


def test_growth_is_seen_and_explained_by_function() -> None:
    """A function that does more work is named as the cause, and a count beyond its limit is told."""
    before = json.loads(FILE.read_text(encoding="utf-8"))
    after = json.loads(FILE.read_text(encoding="utf-8"))
    played = after["games"]["random"]
    name = next(iter(played["functions"]))
    played["opcodes"] *= 1.1
    played["functions"][name] += 100 * played["decisions"]
    assert len(grown(before, after)) == 1
    assert name in explained(before, after)[1]
