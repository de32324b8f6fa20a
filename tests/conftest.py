"""What every test shares: the `clause` and `soak` marks and a reproducible way of making up examples."""

from __future__ import annotations

import signal

import pytest
from hypothesis import settings

from tools.clause_plugin import ClauseLedger

settings.register_profile("rolloff", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("rolloff")


def pytest_configure(config: pytest.Config) -> None:
    """Make known the mark by which a test says which clauses it covers, and keep the ledger of them.

    A shell starts what runs in the background deaf to Ctrl-C, and programs started by tests would be so too.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    config.addinivalue_line(
        "markers",
        "clause(edition, *ids): the clauses of an edition that this test would miss if they were gone",
    )
    config.addinivalue_line("markers", "soak: takes long and runs only when asked for, with `-m soak`")
    config.pluginmanager.register(ClauseLedger(config), "clause-ledger")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the soak out of ordinary runs; it is no part of the whole suite, so nothing counts as deselected.

    What needs a browser comes last: its event loop goes on running in its process, where others could not start one.
    """
    if "soak" not in config.option.markexpr:
        items[:] = [item for item in items if item.get_closest_marker("soak") is None]
    items.sort(key=lambda item: "browser" in item.path.parts)
