"""Print the quickest Python that `.venv` can be made of; `make` asks when it sets up.

    python3 tools/quick_python.py

Builds of the same Python differ: one compiled with profiles plays a tenth to a quarter more games a second than one
compiled without, and a machine often has both, the plain one first on the path. Tried are other builds of the version
this one has, able to make an environment and to compile kernels; one less than a tenth quicker is not worth a surprise.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

WORTH_IT = 1.1
ROUNDS = 5

# Runs in every build: what a game does all day, calls, attributes, tuples and dictionaries. A build that cannot make an
# environment or has no headers to compile kernels against fails at its first lines and drops out.
TRIAL = """
import ensurepip, sys, sysconfig, time, venv
from pathlib import Path
if sys.implementation.name != "cpython" or sys.version_info[:2] != (%d, %d):
    sys.exit("another version")
if not Path(sysconfig.get_paths()["include"], "Python.h").exists():
    sys.exit("no headers")

class Model:
    def __init__(self, wounds, marks):
        self.wounds = wounds
        self.marks = marks
    def after(self, damage):
        return Model((self.wounds + damage) %% 7, (*self.marks[-3:], damage))
    def standing(self):
        return self.wounds > 0

def battle(rounds):
    models = {f"m{number}": Model(number %% 7, (number,)) for number in range(40)}
    for damage in range(rounds):
        models = {key: model.after(damage) for key, model in models.items()}
        sum(len(model.marks) for model in models.values() if model.standing())
        sorted(models, key=lambda key: models[key].wounds)

start = time.process_time()
battle(2000)
print(time.process_time() - start)
"""


def seconds(python: str) -> float | None:
    """What one build takes for the trial, or None where it is no candidate."""
    trial = TRIAL % sys.version_info[:2]
    try:
        ran = subprocess.run([python, "-I", "-c", trial], capture_output=True, text=True, timeout=30, check=True)
        return float(ran.stdout)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


def builds() -> list[str]:
    """The other builds of this version, in the order of the path: `/usr/bin/python3.11` and its like, each once."""
    name = "python{}.{}".format(*sys.version_info[:2])
    folders = [*os.get_exec_path(), "/usr/local/bin", "/usr/bin"]
    known = {os.path.realpath(sys.executable)}
    found = []
    for folder in folders:
        path = Path(folder, name)
        # A manager of versions puts a script that starts the build of its choice: that is the one that asks.
        if not os.access(path, os.X_OK) or path.read_bytes()[:2] == b"#!" or (real := os.path.realpath(path)) in known:
            continue
        known.add(real)
        found.append(str(path))
    return found


def quickest(given: str, others: list[str]) -> str:
    """The build to take, by the best of a few rounds in turn: load comes and goes, and meets all alike."""
    best: dict[str, float] = {}
    for _ in range(ROUNDS):
        for python in [given, *others]:
            if (taken := seconds(python)) is not None:
                best[python] = min(taken, best.get(python, taken))
    first = min(best, key=lambda python: best[python], default=given)
    return first if given in best and best[given] > WORTH_IT * best[first] else given


def main() -> None:
    """Print the one to take."""
    others = builds() if sys.prefix == sys.base_prefix else []
    print(quickest(sys.executable, others) if others else sys.executable)


if __name__ == "__main__":
    main()
