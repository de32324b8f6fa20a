"""The one part of the build that pyproject.toml cannot say: kernels are compiled where a compiler is found.

Without one the install still succeeds, and the plain Python twin of the kernels gives the same answers.
`ROLLOFF_KERNELS=off` leaves them out on purpose; the wheel then suits every machine.
"""

import os

from setuptools import setup
from setuptools.command.build_ext import build_ext

WANTED = os.environ.get("ROLLOFF_KERNELS", "").lower() != "off"


class BuildKernels(build_ext):
    """Compile the kernels if the machine can; go on without them if it cannot."""

    def finalize_options(self) -> None:
        """Mark every extension as one the install may do without."""
        super().finalize_options()
        for extension in self.extensions:
            extension.optional = True
            # One file name for every way of building, so that no stale twin can be imported first.
            extension.py_limited_api = False


setup(
    cffi_modules=["src/rolloff/geometry/build_kernels.py:ffibuilder"] if WANTED else [],
    cmdclass={"build_ext": BuildKernels},
)
