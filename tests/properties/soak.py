"""Many games held against every invariant: ``python -m tests.properties.soak --games 20000 --agents random --jobs 2``
(with ``--edition`` and ``--points``).

A game that breaks one is named with its seed and number, and the rest go on; the exit code is 1 if any did.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from multiprocessing import get_context

from tests.commentary.test_invariants import watched
from tests.properties.games import EDITION, watched_game
from tests.properties.invariants import Broken, Ledger, in_force

BATCH = 20
PHASES = "commentary-10"
"""The edition whose invariants are those of another contract."""
Task = tuple[str, int, range, str, int]


def batch(task: Task) -> tuple[Counter[str], list[str]]:
    """Some games: how often each invariant was looked at, and what broke."""
    agents, seed, indexes, edition, points = task
    log, broken = Ledger(), []
    for index in indexes:
        try:
            if edition == PHASES:
                watched(agents, index, log, points or 500, seed)
            else:
                watched_game(agents, seed, index, log, edition, points)
        except Broken as error:
            broken.append(str(error)[:600])
    return log.looked, broken


def main() -> int:
    """Play, and say what was found."""
    reader = argparse.ArgumentParser(prog="python -m tests.properties.soak", description="games held against the invariants")
    reader.add_argument("--games", type=int, default=20_000)
    reader.add_argument("--agents", default="random")
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--first", type=int, default=0)
    reader.add_argument("--jobs", type=int, default=1)
    reader.add_argument("--edition", default=EDITION)
    reader.add_argument("--points", type=int, default=0, help="points a side; 0: as the edition has it")
    asked = reader.parse_args()
    every = range(asked.first, asked.first + asked.games)
    batches = [every[k : k + BATCH] for k in range(0, len(every), BATCH)]
    tasks: list[Task] = [(asked.agents, asked.seed, some, asked.edition, asked.points) for some in batches]
    looked: Counter[str] = Counter()
    broken: list[str] = []
    with get_context("spawn").Pool(asked.jobs) as pool:
        for seen, found in pool.imap(batch, tasks):
            looked += seen
            broken += found
            for line in found:
                sys.stdout.write(line + "\n")
                sys.stdout.flush()
    held = set(looked) if asked.edition == PHASES else in_force(asked.edition)
    names = sorted(held, key=lambda name: int(name.partition("-")[2]))
    counts = ", ".join(f"{name} {looked[name]}" for name in names)
    games = f"{asked.games} {asked.agents} games of {asked.edition} from seed {asked.seed}"
    sys.stdout.write(f"{games}: {len(broken)} broke an invariant\n{counts}\n")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
