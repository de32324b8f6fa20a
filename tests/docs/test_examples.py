"""What the documentation says can be typed, can be typed: Python blocks run, commands end well, links lead somewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, ROOT, as_module, blocks, commands

SLOW = ("make ", "rolloff play", "rolloff bench")
"""Commands that set up, stay, or measure: they have tests of their own."""
QUICK = [(page, line) for page in PAGES for line in commands(page) if not line.startswith(SLOW)]
LINK = re.compile(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)")
WRITTEN = sorted({*PAGES, "CONTRIBUTING.md", "CHANGELOG.md", *(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))})


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")])
def test_python_blocks_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python blocks of a page, one after the other, run without an error; tests among them pass."""
    monkeypatch.chdir(tmp_path)
    module = as_module(page, "rolloff_docs_" + re.sub(r"\W", "_", page))
    for name, found in list(vars(module).items()):
        if name.startswith("test_"):
            found()


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which commands run: the docs beside it, and the content the page on army books writes down."""
    folder = tmp_path_factory.mktemp("desk")
    (folder / "docs").symlink_to(ROOT / "docs")
    for text in blocks("docs/how-to-add-an-army-book.md", "toml"):
        path = folder / "my-content" / "my-armies" / text.splitlines()[0].removeprefix("# ")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


@pytest.mark.parametrize("page", sorted({page for page, _ in QUICK}))
def test_commands_end_well(page: str, desk: Path) -> None:
    """The commands of a page, in their order, end with exit code 0."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    for line in [line for where, line in QUICK if where == page]:
        report = subprocess.run(
            line, shell=True, cwd=desk, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
        )
        assert report.returncode == 0, f"{line}\n{report.stderr}"


@pytest.mark.parametrize("page", WRITTEN)
def test_links_lead_somewhere(page: str) -> None:
    """Every link of a page to a file of the repository finds it."""
    text = re.sub(r"^```.*?^```$", "", (ROOT / page).read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    missing = [link for link in LINK.findall(text) if not ((ROOT / page).parent / link).exists()]
    assert missing == []


def test_every_public_name_is_there() -> None:
    """Everything the package lists can be imported from it, and nothing is loaded before it is used."""
    report = subprocess.run(
        [sys.executable, "-c", "import sys, rolloff; print([m for m in sys.modules if m.startswith('rolloff.')])"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert report.stdout.strip() == "[]"
    import rolloff

    for name in rolloff.__all__:
        assert getattr(rolloff, name) is not None
    assert set(rolloff.__all__) <= set(dir(rolloff))


def test_the_example_of_the_package_works() -> None:
    """The example in the package's own docstring gives what it says."""
    import doctest

    import rolloff

    found = doctest.testmod(rolloff)
    assert found.attempted >= 4
    assert found.failed == 0
