"""How long a whole report takes, as people ask for it: one weapon against one unit, everything computed and written out.

The weapons are made up but realistic: 200 for each edition, against five targets, in `content/odds/weapons.json`. A question is
timed from the units in Python to the finished JSON; what one question leaves behind for the next (tables that both share) is
part of what a caller sees, and the first question of a process is among them.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

import msgspec

from rolloff import odds
from rolloff.errors import BadInput
from rolloff.odds.wire import odds_json

FILE = Path(__file__).parents[1] / "src" / "rolloff" / "content" / "odds" / "weapons.json"
NEAR = 6
"""The distance of the shots, within half range of most guns."""

Json = dict[str, Any]


def questions(given: Json) -> Iterator[tuple[Json, Json, Json]]:
    """Attacker, target and circumstances of every weapon of an edition against every target."""
    for row in given["weapons"]:
        weapon = row["weapon"]
        strikes = weapon["range"] == "melee" if isinstance(weapon, dict) else '"' not in weapon
        how: Json = {"kind": "melee", "charged": True} if strikes else {"range": NEAR}
        attacker = odds.unit(row["models"], weapons=[weapon], **given["attacker"])
        for target in given["targets"]:
            rest = {name: value for name, value in target.items() if name not in ("name", "models")}
            yield attacker, odds.unit(target["models"], **rest), {**how, "facing": "front"}


def times(edition: str, given: Json) -> tuple[list[float], int]:
    """Microseconds of every report, sorted, and how many questions were refused."""
    found, refused = [], 0
    gc.collect()
    for attacker, target, how in questions(given):
        begun = process_time()
        try:
            odds_json(odds.attack(attacker, target, edition=edition, **how))
        except BadInput:
            refused += 1
            continue
        found.append((process_time() - begun) * 1e6)
    return sorted(found), refused


def part(found: list[float], share: float) -> float:
    """The time that so great a share of the reports stays within."""
    return round(found[min(len(found) - 1, int(len(found) * share))], 1)


def measure() -> Iterator[Json]:
    """A row for each edition, and one of all medians together."""
    medians = []
    for edition, given in msgspec.json.decode(FILE.read_bytes()).items():
        found, refused = times(edition, given)
        medians.append(part(found, 0.5))
        work = {"weapons": len(given["weapons"]), "targets": len(given["targets"]), "refused": refused}
        tail = {"p90": part(found, 0.9), "p99": part(found, 0.99), "worst": round(found[-1], 1)}
        yield {"name": f"odds_report_us@{edition}", "unit": "us", "runs": medians[-1:], "workload": work | tail}
        yield {"name": f"odds_report_p99_us@{edition}", "unit": "us", "runs": [tail["p99"]], "workload": work}
    yield {"name": "odds_report_us", "unit": "us", "runs": medians, "workload": {"editions": len(medians)}}
