"""What the compiled kernels are built from, as one number: the library keeps it, and whoever loads it compares."""

from __future__ import annotations

import os
import zlib

CSRC = "csrc"
BESIDE = ("build_kernels.py", "trig.py")
"""What changes the library besides the C sources and their declarations: how it is built, and the table of sines."""


def digest(here: str) -> int | None:
    """A number that is another one as soon as the sources in a folder are; None where no sources lie, as once installed."""
    folder = os.path.join(here, CSRC)
    if not os.path.isdir(folder):
        return None
    number = 0
    for path in [
        *(os.path.join(folder, name) for name in sorted(os.listdir(folder))),
        *(os.path.join(here, k) for k in BESIDE),
    ]:
        with open(path, "rb") as file:
            number = zlib.crc32(file.read(), number)
    return number
