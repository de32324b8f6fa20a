"""The clauses of every edition, as data files, read when somebody asks.

``onepage.json``, ``commentary.json`` and ``compendium.json`` hold the wording of a rulebook family each;
``status/<edition>.toml`` says which of its clauses an edition plays by and which are planned; ``words/`` how players
ask for them: the same for all in ``general.toml``, and a file for each family.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from rolloff.editions import registry
from rolloff.errors import UnknownEdition
from rolloff.table.clause import ClauseBook

FAMILIES = {
    "onepage-2.21": "onepage",
    "onepage-3.0": "onepage",
    "apocalypse-3.3": "onepage",
    "commentary-10": "commentary",
    "compendium": "compendium",
}
DEFAULT_EDITION = "onepage-3.0"


def clause_book(edition: str) -> ClauseBook:
    """The clauses of an edition, of this package or another; `UnknownEdition` if there is none of that id, or it has none."""
    if edition in FAMILIES:
        return _read(edition, FAMILIES[edition])
    known = with_clauses()
    if edition not in known:
        message = f"there is no edition {edition!r} with clauses"
        raise UnknownEdition("unknown-edition", message, where="edition", allowed=", ".join(known))
    return ClauseBook.plain(edition, registry.edition(edition).clauses)


def with_clauses() -> tuple[str, ...]:
    """The editions that have clauses: those of this package, then those of others that bring some along."""
    others = [id_ for id_ in registry.editions() if id_ not in FAMILIES]
    return (*FAMILIES, *(id_ for id_ in others if registry.edition(id_).clauses))


@cache
def _read(edition: str, family: str) -> ClauseBook:
    here = files(__name__)
    book = here.joinpath(f"{family}.json").read_bytes()
    status = here.joinpath("status", f"{edition}.toml").read_bytes()
    words = tuple(here.joinpath("words", f"{name}.toml").read_bytes() for name in ("general", family))
    return ClauseBook.read(book, status, edition, words)
