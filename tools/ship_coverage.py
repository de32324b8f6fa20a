"""Pack the results of the last whole test run into the package, for those who have no tests at hand.

    python -m tools.ship_coverage             # the snapshot that goes into a wheel (not kept in version control)
    python -m tools.ship_coverage --summary   # how many clauses are covered and which are not (kept)

Only tests that passed are shipped: no other covers anything.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import msgspec

from rolloff.editions.clauses import FAMILIES
from rolloff.editions.clauses.coverage import RESULTS, SNAPSHOT, SUMMARY, coverage_of, summary_of

ROOT = Path(__file__).parent.parent
CLAUSES = ROOT / "src" / "rolloff" / "editions" / "clauses"


def snapshot(results: dict[str, object]) -> dict[str, object]:
    """What is kept of a run: the commit and, for each test that passed, its marks."""
    tests = results["tests"]
    assert isinstance(tests, dict)
    passed = {id_: test for id_, test in sorted(tests.items()) if test["result"] == "passed"}
    return {"commit": results["commit"], "complete": True, "tests": passed}


def main(words: list[str]) -> int:
    """Write the snapshot or the summary; refuse if the last run was not of the whole suite."""
    path = ROOT / RESULTS
    results = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"complete": False}
    if not results["complete"]:
        print("Run all tests first: make test")
        return 1
    if "--summary" in words:
        summary = msgspec.json.encode(summary_of(map(coverage_of, FAMILIES)))
        (CLAUSES / SUMMARY).write_bytes(msgspec.json.format(summary, indent=1) + b"\n")
        print(f"written: {SUMMARY}")
        return 0
    (CLAUSES / SNAPSHOT).write_text(json.dumps(snapshot(results), indent=0) + "\n", encoding="utf-8")
    print(f"written: {SNAPSHOT}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
