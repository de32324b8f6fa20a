"""Loaded by every Python that runs with this folder on its path: puts one mutant in the place of one module.

``ROLLOFF_MUTANT`` is ``module=file``; the file holds the module's mutated code, marshalled. The sources stay
as they are, and programs that the tests start are mutated like the tests themselves.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType


class MutantLoader(SourceFileLoader):
    """Loads a module whose code was changed."""

    def get_code(self, fullname: str) -> CodeType:
        """The mutated code."""
        code = marshal.loads(Path(os.environ["ROLLOFF_MUTANT"].partition("=")[2]).read_bytes())
        assert isinstance(code, CodeType)
        return code


class MutantFinder(MetaPathFinder):
    """Finds the one module there is a mutant of."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Where the module is, to be loaded as a mutant."""
        if fullname != os.environ["ROLLOFF_MUTANT"].partition("=")[0]:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.origin is not None:
            spec.loader = MutantLoader(fullname, spec.origin)
        return spec


if "=" in os.environ.get("ROLLOFF_MUTANT", ""):
    sys.meta_path.insert(0, MutantFinder())
