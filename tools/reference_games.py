"""Four hundred reference games: the hashes of their events and states, so that a refactoring can prove it changed none.

``python -m tools.reference_games`` plays them all and names those that differ; ``--some 40`` plays every tenth; ``--write``
writes the file anew, which is right only when a rule was meant to change: say in the commit which, and why.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from rolloff.lab.duel import Match, play_row

FILE = Path(__file__).resolve().parent.parent / "tests" / "golden" / "reference.txt"
EDITION = "onepage-3.0"
ARMIES = ("aegis-compact", "ashen-levy", "gearwright-synod", "thornkin-brood")
AGENTS = ("random", "closing")
GAMES = 200
"""Games of each opponent, in turn over every pair of armies."""


def matches() -> Iterator[tuple[Match, int]]:
    """Every game: its match and its number."""
    pairs = list(combinations(ARMIES, 2))
    for agent in AGENTS:
        for index in range(GAMES):
            yield Match(EDITION, (agent, agent), pairs[index % len(pairs)], seed=400), index


def row_of(match: Match, index: int) -> str:
    """One game as a line: who played, its number, and the hashes of what happened and of how it ended."""
    row = play_row(match, index)
    names = f"{match.agents[0]} {match.armies[0]} {match.armies[1]} {index}"
    return f"{names} {row['events'].removeprefix('sha256:')[:24]} {row['state'].removeprefix('sha256:')[:24]}"


def changed(every: int = 1) -> list[str]:
    """The kept lines of those games, of every ``every``-th, that go otherwise now."""
    kept = FILE.read_text("utf-8").splitlines()
    games = list(zip(kept, matches(), strict=True))[::every]
    return [line for line, (match, index) in games if row_of(match, index) != line]


def main() -> int:
    """Play and compare, or write; 1 if a game differs."""
    reader = argparse.ArgumentParser(prog="python -m tools.reference_games", description="four hundred reference games")
    reader.add_argument("--write", action="store_true", help="write the file anew")
    reader.add_argument("--some", type=int, default=GAMES * len(AGENTS), help="play only so many, spread over all")
    asked = reader.parse_args()
    if asked.write:
        FILE.write_text("".join(f"{row_of(match, index)}\n" for match, index in matches()), encoding="utf-8")
        return 0
    every = max(GAMES * len(AGENTS) // max(asked.some, 1), 1)
    differing = changed(every)
    print("\n".join(differing) if differing else f"{GAMES * len(AGENTS) // every} games: as they were")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
