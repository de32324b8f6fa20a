"""What this installation offers: editions with ready-made armies, tables and missions, and machine opponents."""

from __future__ import annotations

from typing import Any

from rolloff import agents
from rolloff.armies import library
from rolloff.armies.content_files import tables_for
from rolloff.armies.forms import ListForm, read_list
from rolloff.armies.limits import check_sizes, check_words
from rolloff.editions import registry
from rolloff.editions.clauses import DEFAULT_EDITION
from rolloff.errors import ArmyError, BadInput
from rolloff.oracle.dice import Stream
from rolloff.oracle.oracle import Chooser
from rolloff.rules.edition import Edition
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


def _armies(edition: Edition) -> list[Json]:
    """The ready-made armies, each with the size of battle it is for where the rules know sizes."""
    found = []
    for name in sorted(library.lists(edition.id), key=lambda name: (not name.endswith(EASY), name)):
        army = library.army(edition, name, 0)
        size = {"size": _size_for(edition, [army.points])} if edition.sizes else {}
        found.append({"id": name, "name": army.name, "note": f"{army.points} points", **size})
    return found


def _tables(edition: Edition, sizes: list[int]) -> list[Json]:
    """The tables, each with the sizes of battle it is laid out for; then a fresh one, or one of them by lot."""
    fit = {size: tables_for(edition.id, size) for size in sizes}
    laid: list[Json] = []
    for name in library.tables(edition.id):
        for_sizes = {"sizes": [size for size in sizes if name in fit[size]]} if sizes else {}
        laid.append({"id": name, "name": library.table(edition, name, 0, 0).name or name, **for_sizes})
    lot = {"id": library.RANDOM, "name": "One of these", "note": "Drawn by lot."}
    return [*laid, {"id": library.RANDOM, "name": "A fresh table"} if library.lays_out(edition) or not laid else lot]


def _size_for(edition: Edition, costs: list[int]) -> int:
    """The smallest size of battle that holds armies of these points; 0 if there is none, or the rules know no sizes."""
    return next((size for size in edition.sizes if size >= max(costs, default=0)), 0)


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


def _points(edition: Edition, form: GameForm, armies: tuple[ListForm | str, ...]) -> int:
    """The points a battle is played at: as wished, else the size that holds both armies; 0 for the usual."""
    if form.points:
        if not 0 < form.points <= LARGEST_GAME:
            message = f"no game is played at {form.points} points"
            raise BadInput("bad-points", message, where="points", allowed=f"0 to {LARGEST_GAME}")
        return form.points
    costs = [one.points for one in armies if isinstance(one, ListForm)]
    if not edition.sizes:
        return max(costs, default=0)
    named = [one for one in armies if isinstance(one, str) and one not in ("", library.RANDOM)]
    costs += [library.army(edition, name, 0).points for name in named]
    return _size_for(edition, costs) if any(costs) else 0


class Library:
    """The catalogue of what is installed."""

    def offers(self) -> Json:
        """Every edition that has ready-made armies, and every machine opponent."""
        editions = []
        for id_ in sorted(registry.editions(), key=lambda id_: (id_ != DEFAULT_EDITION, id_)):
            edition = registry.edition(id_)
            armies = _armies(edition) if "play" in edition.can else []
            if armies:
                sizes = [size for size in edition.sizes if any(army["size"] == size for army in armies)]
                shelf = {"armies": armies, "tables": _tables(edition, sizes), "missions": _missions(id_), "sizes": sizes}
                editions.append({"id": id_, "name": edition.name, "points": edition.points, **shelf})
        return {"editions": editions, "opponents": _opponents()}

    def lay_out(self, form: GameForm, seed: int) -> Game:
        """The game of the names in the form; armies and tables may be files, and what is empty is the usual."""
        edition = registry.edition(form.edition or self.offers()["editions"][0]["id"])
        armies = brought(form.list_a, "list_a") or form.army_a, brought(form.list_b, "list_b") or form.army_b
        setup = library.setup_for(edition, *armies, form.table, form.mission, _points(edition, form, armies), seed)
        return Game(edition, setup)

    def install(self) -> None:
        """Editions and opponents are found by their names: nothing is to be done."""

    def opponent(self, name: str, seed: bytes, side: int) -> Chooser:
        """A machine whose choices move no die."""
        return agents.make(name, Stream(seed), side)
