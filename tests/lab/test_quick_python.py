"""Which build of Python `make` sets up `.venv` with."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools import quick_python


def _takes(monkeypatch: pytest.MonkeyPatch, **taken: float) -> None:
    """Let builds take so many seconds; one that is not named is no candidate."""
    monkeypatch.setattr(quick_python, "seconds", taken.get)


def test_a_much_quicker_build_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three builds the quickest is taken, not the first that is quicker than the one given."""
    _takes(monkeypatch, given=0.10, quick=0.07, quickest=0.05)
    assert quick_python.quickest("given", ["quick", "quickest"]) == "quickest"


def test_a_build_hardly_quicker_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Less than a tenth is not worth another Python than the one somebody put first on the path."""
    _takes(monkeypatch, given=0.10, other=0.095)
    assert quick_python.quickest("given", ["other"]) == "given"


def test_a_build_that_cannot_make_an_environment_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """A build without what `.venv` needs has no time and is not taken; nor is one, where the one given has none."""
    _takes(monkeypatch, given=0.10)
    assert quick_python.quickest("given", ["broken"]) == "given"
    _takes(monkeypatch, other=0.10)
    assert quick_python.quickest("given", ["other"]) == "given"


def test_programs_that_are_no_python_are_no_candidates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script under the name of a Python, this very build under another path and a missing file are not tried."""
    name = "python{}.{}".format(*sys.version_info[:2])
    for folder in ("script", "same", "nothing"):
        (tmp_path / folder).mkdir()
    (tmp_path / "script" / name).write_text("#!/bin/sh\necho 0.001\n", "utf-8")
    (tmp_path / "script" / name).chmod(0o755)
    (tmp_path / "same" / name).symlink_to(Path(sys.executable).resolve())
    monkeypatch.setenv("PATH", ":".join(str(tmp_path / folder) for folder in ("script", "same", "nothing")))
    assert not [build for build in quick_python.builds() if build.startswith(str(tmp_path))]
    assert quick_python.seconds(str(tmp_path / "nothing" / name)) is None
