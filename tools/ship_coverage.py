"""Pack the results of the last whole test run into the package, for those who have no tests at hand.

    python -m tools.ship_coverage

Only tests that passed are shipped: no other covers anything.
"""

from __future__ import annotations

import json
from pathlib import Path

from rolloff.editions.clauses.coverage import RESULTS, SNAPSHOT

ROOT = Path(__file__).parent.parent


def snapshot(results: dict[str, object]) -> dict[str, object]:
    """What is kept of a run: the commit and, for each test that passed, its marks."""
    tests = results["tests"]
    assert isinstance(tests, dict)
    passed = {id_: test for id_, test in sorted(tests.items()) if test["result"] == "passed"}
    return {"commit": results["commit"], "complete": True, "tests": passed}


def main() -> int:
    """Write the snapshot; refuse if the last run was not of the whole suite."""
    path = ROOT / RESULTS
    results = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"complete": False}
    if not results["complete"]:
        print("Run all tests first: make test")
        return 1
    target = ROOT / "src" / "rolloff" / "editions" / "clauses" / SNAPSHOT
    target.write_text(json.dumps(snapshot(results), indent=0) + "\n", encoding="utf-8")
    print(f"written: {SNAPSHOT}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
