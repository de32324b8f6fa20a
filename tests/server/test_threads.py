"""Threads that read forms for the first time at the same moment."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import rolloff

BY_ITSELF = re.compile(r"msgspec\.convert\(|\.decode\(.*, type=")
FIRST = """
import sys, threading
from rolloff.server.catalogue import Library
sys.setswitchinterval(1e-6)
together = threading.Barrier(6)
def look():
    together.wait()
    Library().offers()
threads = [threading.Thread(target=look) for _ in range(6)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""


def test_forms_are_first_read_by_many_threads_at_once() -> None:
    """Six threads that look the catalogue up at the same moment, before anybody did, all get it: the process lives."""
    done = subprocess.run((sys.executable, "-c", FIRST), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_form_is_read_in_the_way_that_is_safe() -> None:
    """No module fits data into a form by itself: `rolloff.typed` does, which makes the form ready under a lock."""
    folder = Path(rolloff.__file__).parent
    texts = {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*.py")}
    alone = [name for name, text in texts.items() if BY_ITSELF.search(text)]
    assert alone == ["typed.py"]
