"""Opcodes, Python calls and kernel calls of a decision, counted exactly (`tools.opcodes`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tools.opcodes import counted

ROWS = {"random": "opcodes_per_decision", "closing": "opcodes_per_decision_closing"}


def measure() -> Iterator[dict[str, Any]]:
    """A row for each kind of game."""
    games = counted()["games"]
    for agent, name in ROWS.items():
        found = {key: value for key, value in games[agent].items() if key != "functions"}
        yield {"name": name, "unit": "n", "runs": [found["opcodes"]], "workload": found}
