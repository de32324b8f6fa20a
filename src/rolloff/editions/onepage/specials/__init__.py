"""Special rules of the family that stand in a file of their own. A file that is put here is found by itself.

Each has ``RULES``: for an edition's id the rules it gains, by name. See docs/how-to-add-a-special-rule.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules

from rolloff.rules.hooks import Special


def listed(edition: str) -> Mapping[str, Special]:
    """The rules the files of this folder give an edition, by name."""
    found: dict[str, Special] = {}
    for module in sorted(module.name for module in iter_modules(__path__)):
        rules: Mapping[str, Mapping[str, Special]] = import_module(f"{__name__}.{module}").RULES
        found.update(rules.get(edition, {}))
    return found
