"""How fast the reference games are played: the same games in every commit that has them, so two commits compare like for like.

``python -m bench.games_bench`` prints games a second of processor time for each opponent as JSON. ``make bench BASE=commit``
asks it of both trees when ``--only reference_games`` is given. It needs nothing but `play_row`, which old commits have too.
"""

from __future__ import annotations

import gc
import json
import time

from tools.reference_games import AGENTS, GAMES, matches, row_of

PLAYED = 24
"""Games of each opponent that are timed, after one that warms the process up."""


def rates() -> list[dict[str, object]]:
    """A row for each opponent, as `rolloff bench` writes its own."""
    games = list(matches())
    rows: list[dict[str, object]] = []
    for place, agent in enumerate(AGENTS):
        own = games[place * GAMES : (place + 1) * GAMES]
        row_of(*own[PLAYED])
        gc.collect()
        began = time.process_time()
        for match, index in own[:PLAYED]:
            row_of(match, index)
        rows.append({"name": f"reference_games_{agent}", "runs": [PLAYED / (time.process_time() - began)]})
    return rows


if __name__ == "__main__":
    print(json.dumps(rates()))
