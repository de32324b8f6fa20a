"""Running a test with each twin of the kernels."""

from __future__ import annotations

import pytest

from rolloff.geometry import kernels

BUILT = kernels.COMPILED
"""Whether the compiled kernels are there at all."""

needs_both = pytest.mark.skipif(not BUILT, reason="the compiled kernels were not built")


@pytest.fixture(params=["compiled", "plain"])
def twin(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of the twin in use for one test."""
    if request.param == "compiled" and not BUILT:
        pytest.skip("the compiled kernels were not built")
    monkeypatch.setattr(kernels, "COMPILED", request.param == "compiled")
    return str(request.param)
