"""Opponents: from the one that answers by lot to the one that weighs its options."""

from __future__ import annotations

from rolloff.agents.agent import Agent
from rolloff.agents.chance import Chance
from rolloff.agents.closing import Closing
from rolloff.agents.greedy import Greedy
from rolloff.errors import BadInput
from rolloff.oracle.dice import Stream, seed_bytes

AGENTS: dict[str, type[Agent]] = {"random": Chance, "closing": Closing, "greedy": Greedy}
"""The opponents by name."""

__all__ = ["AGENTS", "Agent", "make"]


def make(name: str, stream: Stream | int = 0, side: int = 1) -> Agent:
    """An opponent by its name, for a side, with a stream of its own to draw choices from, or the seed of one.

    Raises:
        BadInput: nobody is called that.
    """
    if name not in AGENTS:
        raise BadInput("unknown-agent", f"no opponent {name!r}", where="agent", allowed=", ".join(AGENTS))
    own = Stream(seed_bytes(stream, side, "opponent")) if isinstance(stream, int) else stream
    return AGENTS[name](own, side)
