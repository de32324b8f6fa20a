"""Builds the compiled kernels: run this file, or name `ffibuilder` to a build backend.

The C source is put together from `csrc/`: `common.h` first, then what builds on it. Every `*.cdef` beside
them declares what Python may call. The integer sines come from `trig.py`, so both twins share one table.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

from cffi import FFI

HERE = Path(__file__).resolve().parent
CSRC = HERE / "csrc"
MODULE = "rolloff.geometry._kernels"

# These build on each other in this order; the rest follows by name.
FIRST = ["common.h", "measure.c", "arena.c", "shadows.c", "shards.c", "sweep.c", "look.c", "ends.c", "sight.c"]

# One operation, one rounding: the plain twin does the same steps in the same order.
FLAGS = ["-std=c11", "-O3", "-ffp-contract=off", "-fno-fast-math"]
# Nobody asks for errno or traps, and nothing outside calls in but through the module: not a bit changes by these.
FLAGS += ["-fno-math-errno", "-fno-trapping-math", "-fvisibility=hidden"]
# The same code whichever build of Python compiles it: some ask for a guard word in every frame.
FLAGS += ["-fno-stack-protector"]


def _beside(name: str) -> Any:
    """A module that lies beside this file, read without importing the package."""
    spec = importlib.util.spec_from_file_location(f"rolloff_{name}_for_build", HERE / f"{name}.py")
    if spec is None or spec.loader is None:
        raise RuntimeError(f"{name}.py cannot be read")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _trig_table() -> str:
    """The cosine table as C text."""
    trig = _beside("trig")
    numbers = ",".join(str(c) for c in trig.COS)
    return f"static const int32_t COSINES[{trig.FULL_TURN}] = {{{numbers}}};\n"


def source() -> str:
    """The whole C source, and the number of what it was put together from."""
    files = [CSRC / name for name in FIRST]
    files.extend(f for f in sorted(CSRC.glob("*.c")) if f.name not in FIRST)
    whole = "#include <stdint.h>\n" + _trig_table() + "\n".join(f.read_text("utf-8") for f in files)
    return f"{whole}\nuint32_t built_from(void) {{ return {_beside('kernel_sources').digest(str(HERE))}u; }}\n"


def declarations() -> str:
    """Everything Python may call; the shared structures first."""
    files = [CSRC / "common.cdef", *sorted(f for f in CSRC.glob("*.cdef") if f.name != "common.cdef")]
    return "\n".join(f.read_text("utf-8") for f in files)


def _builder() -> FFI:
    """A builder for the kernels as they stand in `csrc/`."""
    builder = FFI()
    builder.cdef(declarations())
    flags = [] if os.name == "nt" else FLAGS
    builder.set_source(MODULE, source(), extra_compile_args=flags)
    return builder


ffibuilder = _builder()


def build() -> str:
    """Compile in place and return the path of what was built."""
    return str(ffibuilder.compile(tmpdir=str(HERE.parents[1]), verbose=False))


if __name__ == "__main__":
    sys.stdout.write(build() + "\n")
