"""Cases of the third edition that hold in its relatives too: each is run there as well, and covers the clauses they share."""

from __future__ import annotations

from functools import cache

import pytest

from rolloff.editions.clauses import clause_book
from tests.onepage import desk
from tests.onepage.relatives import DIFFERS

THIRD = "onepage-3.0"


@cache
def shared(edition: str) -> frozenset[str]:
    """The clauses that an edition has in the very words of the third."""
    ours, theirs = clause_book(THIRD), clause_book(edition)
    return frozenset(
        id for id in ours if id in theirs and ours[id].text == theirs[id].text and ours[id].rulings == theirs[id].rulings
    )


def _marked(marks: list[pytest.Mark]) -> set[str]:
    return {id for mark in marks if mark.name == "clause" and mark.args[0] == THIRD for id in mark.args[1:]}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a case in every edition whose words are the same and that does not differ elsewhere."""
    ids = _marked(list(metafunc.definition.iter_markers("clause")))
    name = metafunc.function.__name__
    others = [edition for edition, apart in DIFFERS.items() if name not in apart and ids & shared(edition)]
    if others and "at_the_desk" in metafunc.fixturenames:
        metafunc.parametrize("at_the_desk", [THIRD, *others], indirect=True)


@pytest.fixture(autouse=True)
def at_the_desk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The edition whose situations the desk lays out."""
    edition = str(getattr(request, "param", THIRD))
    monkeypatch.setattr(desk, "EDITION", edition)
    return edition


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A case run in another edition covers the clauses of that edition."""
    for item in items:
        played = getattr(item, "callspec", None)
        edition = played.params.get("at_the_desk", THIRD) if played else THIRD
        if edition != THIRD:
            ids = sorted(_marked(item.own_markers) & shared(edition))
            rest = [mark for mark in item.own_markers if mark.name != "clause"]
            item.own_markers[:] = [*rest, pytest.mark.clause(edition, *ids).mark]
