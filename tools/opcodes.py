"""How much work a decision is, counted exactly: opcodes, Python calls and kernel calls of fixed games.

Times swing by half on a shared machine; these counts do not. ``python -m tools.opcodes`` compares this tree with the golden
file and says which functions a difference comes from; ``--write`` writes the file anew (then say in the commit why it grew).
Games are played in a process of its own with fixed hashing, one to warm up and one that is counted.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import BuiltinMethodType, CodeType, FrameType
from typing import Any

from rolloff.editions import registry
from rolloff.geometry import kernels
from rolloff.lab.duel import Match, chairs_of, play_game, setup_of
from rolloff.oracle.dice import seed_bytes
from rolloff.rules.game import Game

FILE = Path(__file__).resolve().parent.parent / "tests" / "golden" / "opcodes.json"
EDITION = "onepage-3.0"
AGENTS = ("random", "closing")
SLACK = 0.02
"""By which share a decision may grow before it must be explained."""

SHOWN = 12
Counts = dict[str, Any]


class WorkCounter:
    """Counts opcodes and calls by function, and calls of compiled kernels by name."""

    def __init__(self) -> None:
        """Nothing is counted yet."""
        self.opcodes: Counter[CodeType] = Counter()
        self.calls: Counter[CodeType] = Counter()
        self.kernels: Counter[str] = Counter()

    def trace(self, frame: FrameType, event: str, given: object) -> Any:
        """What `sys.settrace` is given: each new frame tells its opcodes and no lines."""
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        self.calls[frame.f_code] += 1
        return self._within

    def _within(self, frame: FrameType, event: str, given: object) -> Any:
        if event == "opcode":
            self.opcodes[frame.f_code] += 1
        return self._within

    def profile(self, frame: FrameType, event: str, given: object) -> None:
        """What `sys.setprofile` is given: calls of C functions are those of the kernels if they come from there."""
        if event == "c_call" and isinstance(given, BuiltinMethodType) and given.__self__ is kernels.lib:
            self.kernels[given.__name__] += 1


def _play(agent: str, index: int) -> int:
    """Play one game; how many decisions it took."""
    match = Match(EDITION, (agent, agent), seed=1)
    game = Game(registry.edition(match.edition), setup_of(match, index))
    return play_game(game, seed_bytes(match.seed, index, "dice"), chairs_of(match, index)).tally.decisions


def _name(code: CodeType) -> str:
    path = Path(code.co_filename)
    at = path.parts.index("rolloff") if "rolloff" in path.parts else -1
    return ("/".join(path.parts[at:]) if at >= 0 else path.name) + ":" + code.co_qualname


def count(agent: str) -> Counts:
    """The counts of one game between two such opponents, for each decision and by function."""
    for _ in range(2):  # what is compiled, imported or remembered once does not count
        _play(agent, 0)
    counter = WorkCounter()
    sys.setprofile(counter.profile)
    sys.settrace(counter.trace)
    try:
        decisions = _play(agent, 0)
    finally:
        sys.settrace(None)
        sys.setprofile(None)
    named: Counter[str] = Counter()
    for code, n in counter.opcodes.items():
        named[_name(code)] += n
    return {
        "decisions": decisions,
        "opcodes": round(sum(named.values()) / decisions, 1),
        "calls": round(sum(counter.calls.values()) / decisions, 2),
        "kernel_calls": round(sum(counter.kernels.values()) / decisions, 3),
        "functions": {name: n for name, n in named.most_common() if n >= decisions},
    }


def counted() -> Counts:
    """The counts of this tree, from a process whose hashing is fixed."""
    command = [sys.executable, "-m", "tools.opcodes", "--count"]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env={**os.environ, "PYTHONHASHSEED": "0"})
    found: Counts = json.loads(done.stdout)
    return found


def grown(before: Counts, after: Counts) -> list[str]:
    """What has grown by more than it may, a sentence each."""
    found = []
    for agent in AGENTS:
        for what in ("opcodes", "calls", "kernel_calls"):
            old, new = before["games"][agent][what], after["games"][agent][what]
            if new > old * (1 + SLACK):
                found.append(f"{agent}: {what} for each decision were {old:,} and are {new:,} ({new / old - 1:+.1%})")
    return found


def explained(before: Counts, after: Counts) -> list[str]:
    """The functions a difference comes from, the greatest first, in opcodes for each decision."""
    lines = []
    for agent in AGENTS:
        old, new = before["games"][agent], after["games"][agent]
        rows = dict.fromkeys((*old["functions"], *new["functions"]), 0.0)
        for name in rows:
            rows[name] = new["functions"].get(name, 0) / new["decisions"] - old["functions"].get(name, 0) / old["decisions"]
        lines.append(f"{agent}: {old['opcodes']:,} opcodes for each decision before, {new['opcodes']:,} now")
        for name, change in sorted(rows.items(), key=lambda row: -abs(row[1]))[:SHOWN]:
            if abs(change) >= 1:
                lines.append(f"  {change:+9.1f}  {name}")
    return lines


def comparable(before: Counts) -> bool:
    """Whether counts of this interpreter and these kernels can be held against the file's."""
    return bool(before["python"] == _python() and before["kernels"] == kernels.NAME)


def _python() -> str:
    return f"{sys.version_info[0]}.{sys.version_info[1]}"


def written(found: Counts) -> str:
    """The file's text."""
    return json.dumps(found, indent=1) + "\n"


def main() -> int:
    """Compare, write or count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the golden file anew")
    parser.add_argument("--count", action="store_true", help="count in this process, and print JSON")
    given = parser.parse_args()
    if given.count:
        games = {agent: count(agent) for agent in AGENTS}
        print(json.dumps({"python": _python(), "kernels": kernels.NAME, "edition": EDITION, "games": games}))
        return 0
    after = counted()
    before = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else after
    print("\n".join(explained(before, after)))
    if given.write:
        FILE.write_text(written(after), encoding="utf-8")
        return 0
    if not comparable(before):
        print(f"the file was counted with Python {before['python']} and {before['kernels']} kernels: nothing to compare")
        return 0
    found = grown(before, after)
    print("\n".join(found) or "nothing has grown")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
