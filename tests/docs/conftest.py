"""Editions that examples register are forgotten after each test, so that no other test meets them."""

from __future__ import annotations

import pytest

from rolloff.editions import registry


@pytest.fixture(autouse=True)
def _forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register into a copy."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
