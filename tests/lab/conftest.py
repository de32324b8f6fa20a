"""The toy edition, known to the tests of matches."""

from __future__ import annotations

import pytest

from rolloff.editions import registry
from tests.record.coin import COIN


@pytest.fixture(scope="session", autouse=True)
def _coin() -> None:
    """Make the toy edition known."""
    registry.register(COIN)
