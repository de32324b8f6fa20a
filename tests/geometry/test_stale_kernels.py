"""Compiled kernels know the sources they were built from: those of other sources are not used."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from rolloff.geometry import kernel_sources, kernels

HERE = Path(kernels.__file__).parent


def _loaded(monkeypatch: pytest.MonkeyPatch, lib: object) -> tuple[object, object]:
    """What is loaded where a library like this one was built."""
    monkeypatch.delenv("ROLLOFF_KERNELS", raising=False)
    monkeypatch.setitem(sys.modules, "rolloff.geometry._kernels", SimpleNamespace(ffi="ffi", lib=lib))
    return kernels._load()


@pytest.mark.parametrize("lib", [SimpleNamespace(built_from=lambda: -1), SimpleNamespace()], ids=["other", "older"])
def test_stale_kernels_give_one_sentence_and_the_plain_twin(
    lib: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A library of other sources, or one that does not even know its own, is left alone, and a sentence says what to run."""
    assert _loaded(monkeypatch, lib) == (None, None)
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "make kernels" in said


def test_kernels_of_these_sources_are_used(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A library that was built from the sources that lie here is loaded without a word."""
    lib = SimpleNamespace(built_from=lambda: kernel_sources.digest(str(HERE)))
    assert _loaded(monkeypatch, lib) == ("ffi", lib)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("name", ["csrc/common.h", "csrc/measure.cdef", "trig.py", "build_kernels.py"])
def test_every_source_changes_the_number(name: str, tmp_path: Path) -> None:
    """A line more in the C sources, their declarations, the sines or the way of building makes another number."""
    shutil.copytree(HERE / "csrc", tmp_path / "csrc")
    for beside in kernel_sources.BESIDE:
        shutil.copy(HERE / beside, tmp_path)
    before = kernel_sources.digest(str(tmp_path))
    with (tmp_path / name).open("a") as file:
        file.write("\n")
    assert before == kernel_sources.digest(str(HERE)) != kernel_sources.digest(str(tmp_path))


def test_an_installed_package_without_sources_asks_nothing(tmp_path: Path) -> None:
    """Where no sources lie there is nothing to compare with, and the library is taken as it is."""
    assert kernel_sources.digest(str(tmp_path)) is None
