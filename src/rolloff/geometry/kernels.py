"""Which twin of the kernels is in use: the compiled one, or the plain one.

The choice is made once, at import. The compiled kernels are used where they were built, unless the
environment says `ROLLOFF_KERNELS=off`. Both twins give the same answers. Kernels that were built from other
sources than those that lie here are left alone, and a sentence says so.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any, Final

from rolloff.geometry.kernel_sources import digest

STALE: Final = (
    "The compiled kernels were built from other sources: run `make kernels`. "
    "Until then the plain twin gives the same answers, slower.\n"
)


def _is_stale(lib: Any) -> bool:
    """Whether a library was built from other sources than those that lie here, if any do."""
    sources = digest(os.path.dirname(os.path.abspath(__file__)))
    if sources is None:
        return False
    try:
        built: int = lib.built_from()
    except AttributeError:  # older than the question
        return True
    return built != sources


def _load() -> tuple[Any, Any]:
    """The compiled module's `ffi` and `lib`, or two Nones."""
    if os.environ.get("ROLLOFF_KERNELS", "").lower() == "off":
        return None, None
    try:
        module = import_module("rolloff.geometry._kernels")
    except ImportError:
        return None, None
    if _is_stale(module.lib):
        sys.stderr.write(STALE)
        return None, None
    return module.ffi, module.lib


_loaded = _load()

ffi: Final[Any] = _loaded[0]
"""cffi's view of the compiled kernels; None with the plain twin."""

lib: Final[Any] = _loaded[1]
"""The compiled kernels themselves; None with the plain twin."""

COMPILED: Final[bool] = lib is not None

NAME: Final[str] = "compiled" if COMPILED else "plain"

_OUT_OF_MEMORY: Final = -3
"""What a kernel answers that could not get the memory it needed."""


def checked(answer: int) -> int:
    """An answer of a kernel, unless it could not get the memory it needed."""
    if answer == _OUT_OF_MEMORY:
        raise MemoryError
    return answer
