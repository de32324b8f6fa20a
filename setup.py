"""The one part of the build that pyproject.toml cannot say: kernels are compiled where a compiler is found.

Without one the install still succeeds, and the plain Python twin of the kernels gives the same answers.
"""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_ext import build_ext

KERNELS = Path(__file__).parent / "src" / "rolloff" / "geometry" / "build_kernels.py"


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
    cffi_modules=[f"{KERNELS.relative_to(Path(__file__).parent)}:ffibuilder"] if KERNELS.exists() else [],
    cmdclass={"build_ext": BuildKernels},
)
