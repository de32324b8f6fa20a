"""Reading the documentation: the fenced blocks of its pages, by language."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
PAGES = (
    "README.md",
    "docs/tutorial.md",
    "docs/architecture.md",
    "docs/how-to-add-an-edition.md",
    "docs/how-to-add-a-special-rule.md",
    "docs/how-to-add-an-army-book.md",
    "docs/verbs.md",
    "docs/situations.md",
    "docs/from-my-list-to-the-odds.md",
    "docs/how-to-write-a-test.md",
)
"""The pages whose examples are run here."""

_FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(page: str, language: str) -> list[str]:
    """The blocks of a page in one language."""
    text = (ROOT / page).read_text("utf-8")
    return [found["text"] for found in _FENCE.finditer(text) if found["language"] == language]


def commands(page: str) -> list[str]:
    """The shell commands of a page, one a line."""
    return [line for block in blocks(page, "sh") for line in block.splitlines() if line.strip()]


def as_module(page: str, name: str) -> ModuleType:
    """The Python blocks of a page as one module, run from top to bottom."""
    module = ModuleType(name)
    sys.modules[name] = module
    exec(compile("\n\n".join(blocks(page, "python")), page, "exec"), vars(module))
    return module
