"""Errors that cross from a worker process to whoever started it."""

from __future__ import annotations

import pickle

from rolloff.errors import BadInput, IllegalCommand


def test_a_refusal_survives_the_way_between_processes() -> None:
    """Code, clause, sentence and value of a refusal are the same after pickling."""
    sent = IllegalCommand("out-of-range", "SHOOT-5", "too far", 13)
    came = pickle.loads(pickle.dumps(sent))
    assert (came.code, came.cited, came.message, came.value, str(came)) == ("out-of-range", "SHOOT-5", "too far", 13, "too far")
    assert pickle.loads(pickle.dumps(BadInput("a", "b", where="c"))).where == "c"
