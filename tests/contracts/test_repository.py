"""The repository keeps its promises to those who clone it: pinned, typed, and silent about registries."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import rolloff

ROOT = Path(__file__).resolve().parents[2]
PINS = sorted((ROOT / "requirements").glob("*.txt"))


@pytest.mark.parametrize("pins", PINS, ids=lambda path: path.name)
def test_every_pin_has_a_hash_and_no_address(pins: Path) -> None:
    """A requirements file pins each package to a version and its hashes, and names no registry."""
    text = pins.read_text("utf-8")
    packages = re.findall(r"^[a-z0-9].*$", text, flags=re.MULTILINE)
    assert packages
    assert all("==" in line and line.endswith("\\") for line in packages)
    assert not re.search(r"https?:|file:/|--index-url|--extra-index-url|--find-links", text)


def test_the_pins_of_play_and_of_checks_agree() -> None:
    """What the checks run on is, version for version, what people play on."""
    run, dev = (_versions(ROOT / "requirements" / name) for name in ("run.txt", "dev.txt"))
    assert run.items() <= dev.items()


def test_every_declared_package_is_pinned() -> None:
    """A package that pyproject.toml asks for is in the pinned files."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert _names(project["dependencies"]) <= _versions(ROOT / "requirements" / "run.txt").keys()
    assert _names(extras["dev"] + extras["plots"]) <= _versions(ROOT / "requirements" / "dev.txt").keys()


def test_the_page_is_locked_without_addresses() -> None:
    """The page's lock gives each package a hash and does not say where it was fetched."""
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text("utf-8"))["packages"]
    fetched = {name: entry for name, entry in packages.items() if name}
    assert fetched
    assert all("integrity" in entry and "resolved" not in entry for entry in fetched.values())


def test_one_version_everywhere() -> None:
    """The package, its metadata and the page carry the same version."""
    page = json.loads((ROOT / "web" / "package.json").read_text("utf-8"))
    assert rolloff.__version__ == metadata.version("rolloff") == page["version"]


def test_the_package_says_it_is_typed() -> None:
    """Type checkers of those who import Rolloff find its marker."""
    assert (Path(rolloff.__file__).parent / "py.typed").exists()


def test_odds_and_dice_are_typed() -> None:
    """Little in the rooms of odds and dice is of any type, and nothing there is probed for what it might have."""
    rooms = [path.read_text("utf-8") for room in ("odds", "oracle") for path in (ROOT / "src" / "rolloff" / room).rglob("*.py")]
    lines = [line for text in rooms for line in text.splitlines() if "import" not in line]
    assert sum(len(re.findall(r"\bAny\b", line)) for line in lines) < 60
    assert not any("hasattr(" in line or re.search(r"getattr\([^)]*, None\)", line) for line in lines)


def test_python_dash_m_is_the_command() -> None:
    """`python -m rolloff` answers as `rolloff` does."""
    report = subprocess.run([sys.executable, "-m", "rolloff", "--version"], capture_output=True, text=True, check=True)
    assert rolloff.__version__ in report.stdout


def _versions(pins: Path) -> dict[str, str]:
    """The version of each pinned package."""
    found = re.findall(r"^([a-z0-9._-]+)==([^\s;]+)", pins.read_text("utf-8"), flags=re.MULTILINE)
    return dict(found)


def _names(wanted: list[str]) -> set[str]:
    """The bare names of declared packages."""
    return {re.split(r"[<>=;\[ ]", line, maxsplit=1)[0] for line in wanted}
