"""What this installation offers: editions with ready-made armies, tables and missions, and machine opponents."""

from __future__ import annotations

from typing import Any

from rolloff import agents
from rolloff.armies import library
from rolloff.armies.forms import ListForm, read_list
from rolloff.armies.limits import check_sizes, check_words
from rolloff.editions import registry
from rolloff.editions.clauses import DEFAULT_EDITION
from rolloff.errors import ArmyError
from rolloff.oracle.dice import Stream
from rolloff.oracle.oracle import Chooser
from rolloff.rules.game import Game
from rolloff.server.messages import GameForm

Json = dict[str, Any]
USUAL = "greedy"
"""The opponent a player meets unless another is asked for."""
LARGEST_GAME = 10_000
"""Points of the largest game a list that is sent may be for."""
LEVELS = {
    "random": ("Recruit", "Easy: does anything that is allowed. Good for learning the rules."),
    "closing": ("Raider", "Medium: comes straight at you, shoots and assaults."),
    "greedy": ("Captain", "Hard: weighs what it could do by the exact odds."),
}
"""Machines as players know them: a name, and how good it is."""
EASY = "patrol"
"""Lists of this ending are for a first battle, and stand first."""


def _armies(edition: str) -> list[Json]:
    found = []
    for name in sorted(library.lists(edition), key=lambda name: (not name.endswith(EASY), name)):
        army = library.army(edition, name, 0)
        found.append({"id": name, "name": army.name, "note": f"{army.points} points"})
    return found


def _tables(edition: str) -> list[Json]:
    laid = [{"id": name, "name": library.table(edition, name, 0, 0).name or name} for name in library.tables(edition)]
    return [*laid, {"id": library.RANDOM, "name": "A fresh table"}]


def _missions(edition: str) -> list[Json]:
    found = [(name, library.mission(edition, name)) for name in library.missions(edition)]
    return [{"id": name, "name": mission["name"], "note": mission.get("about", "")} for name, mission in found]


def _opponents() -> list[Json]:
    """The machines a player may meet, the usual first, each with its level and what it is like."""
    names = sorted(agents.AGENTS, key=lambda name: (name != USUAL, name))
    known = {name: (name.capitalize(), _in_a_line(agents.AGENTS[name])) for name in names} | LEVELS
    return [{"id": name, "name": known[name][0], "note": known[name][1]} for name in names]


def _in_a_line(agent: type[agents.Agent]) -> str:
    return (agent.__doc__ or "").strip().partition("\n")[0]


def brought(found: ListForm | str | None, where: str) -> ListForm | None:
    """A list that somebody sent, itself or as the text of its file; `ArmyError` if it is none or is too large."""
    if found is None:
        return None
    form = read_list(found.encode("utf-8", "replace"), where) if isinstance(found, str) else found
    check_sizes(form)
    check_words(form)
    if not 0 <= form.points <= LARGEST_GAME:
        message = f"{where}: no game is played at {form.points} points"
        raise ArmyError("bad-points", message, where=where, allowed=f"0 to {LARGEST_GAME}")
    return form


class Library:
    """The catalogue of what is installed."""

    def offers(self) -> Json:
        """Every edition that has ready-made armies, and every machine opponent."""
        editions = []
        for id_ in sorted(registry.editions(), key=lambda id_: (id_ != DEFAULT_EDITION, id_)):
            edition = registry.edition(id_)
            armies = _armies(id_) if "play" in edition.can else []
            if armies:
                shelf = {"armies": armies, "tables": _tables(id_), "missions": _missions(id_)}
                editions.append({"id": id_, "name": edition.name, "points": edition.points, **shelf})
        return {"editions": editions, "opponents": _opponents()}

    def lay_out(self, form: GameForm, seed: int) -> Game:
        """The game of the names in the form; armies and tables may be files, and what is empty is the usual."""
        edition = registry.edition(form.edition or self.offers()["editions"][0]["id"])
        armies = brought(form.list_a, "list_a") or form.army_a, brought(form.list_b, "list_b") or form.army_b
        size = max(one.points if isinstance(one, ListForm) else 0 for one in armies)
        setup = library.setup_for(edition, *armies, form.table, form.mission, size, seed)
        return Game(edition, setup)

    def install(self) -> None:
        """Editions and opponents are found by their names: nothing is to be done."""

    def opponent(self, name: str, seed: bytes, side: int) -> Chooser:
        """A machine whose choices move no die."""
        return agents.make(name, Stream(seed), side)
