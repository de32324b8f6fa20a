"""The census of an edition of phases: what of its books acted in games, until all of it has or the games run out.

``python -m tools.census_phases`` plays games of every size, between random, closing and greedy opponents in turn, and stops as
soon as every datasheet, weapon, ability, reaction, Enhancement, detachment rule, card, mutation, mission and type of terrain
has acted. ``--agents`` with ``--games`` and ``--points`` counts games of one kind instead. The exit code is 1 if something
never came up or an offer was refused.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator

from rolloff.armies import library
from rolloff.editions import registry
from rolloff.editions.commentary.cards import words_of
from rolloff.editions.commentary.detachments import detachments
from rolloff.editions.commentary.ground import TERRAIN
from rolloff.editions.commentary.law import ENHANCEMENT
from rolloff.editions.commentary.lookups import index_of
from rolloff.editions.commentary.mutations import table as mutation_rows
from rolloff.editions.commentary.secondaries import cards as secondary_cards
from rolloff.editions.commentary.sight import sight_of
from rolloff.lab.duel import Match, Watched, chairs_of, setup_of
from rolloff.oracle.dice import SeededDice, seed_bytes
from rolloff.oracle.oracle import Oracle
from rolloff.rules.game import Game
from rolloff.rules.play import OVER, Play, play_step
from rolloff.table.event import Event
from rolloff.table.state import NOWHERE, State
from tools.census_signs import Moment, names_of, signs

EDITION = "commentary-10"
TABLES = {500: ("toll-crossing", "glass-quarter"), 1000: ("ledger-yard", "drowned-terraces")}
KINDS = (
    *("datasheets", "weapons", "abilities", "reactions", "enhancements", "detachments", "cards", "mutations"),
    *("missions", "terrain"),
)
CYCLE = (
    ("random", 1000, 12),
    ("random", 500, 6),
    ("random", 2000, 6),
    ("closing", 500, 3),
    ("closing", 1000, 2),
    ("greedy", 1000, 2),
)
"""The games of one round: opponents, points, how many."""
OWN_LISTS = {500: ("docs/examples/mandate-list.toml",)}
"""Lists written by hand, for what the ready-made ones seldom bring about: Leaders who fight without a squad."""


class Census:
    """What was seen of what there is."""

    def __init__(self) -> None:
        """Nothing was seen yet; what the edition has whatever is fielded is wanted from the start."""
        self.seen: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
        self.wanted: dict[str, set[str]] = {kind: set() for kind in KINDS}
        self.wanted["detachments"] = {found.id for found in detachments().values()}
        self.wanted["cards"] = {card.id for card in secondary_cards().values()}
        self.wanted["mutations"] = {row.id for row in mutation_rows()}
        self.games = self.refused = 0

    def want(self, game: Game) -> None:
        """What a game has to show."""
        lookups = index_of(game)
        self.wanted["datasheets"] |= {card.name for card in game.cards}
        self.wanted["weapons"] |= {weapon.name for model in game.models for weapon in model.weapons}
        self.wanted["abilities"] |= {rule.name for fighter in lookups.fighters for rule in (*fighter.rules, *fighter.leading)}
        self.wanted["abilities"] |= {r.name for f in lookups.fighters for w in f.weapons for r in w.rules}
        self.wanted["reactions"] |= {rule.name for rules in game.reactions.values() for rule in rules}
        self.wanted["enhancements"] |= {word.split()[0] for card in game.cards for word in words_of(card, ENHANCEMENT)}
        self.wanted["missions"].add(game.setup.mission or "default")
        self.wanted["terrain"] |= {name for piece in game.table.terrain for name in piece.types} & set(TERRAIN)

    def missing(self) -> dict[str, list[str]]:
        """What never acted, by kind."""
        found = {kind: sorted(name for name in wanted if not self.seen[kind][name]) for kind, wanted in self.wanted.items()}
        return {kind: names for kind, names in found.items() if names}

    def see(self, game: Game, before: State, play: Play) -> None:
        """Count one step."""
        for event in play.events:
            self._who(game, event)
            self._named(game, event)
            for kind, name in signs(Moment(play, before, event)):
                self.seen[kind][name] += 1
            if event.kind == "shot":
                self._terrain(game, before, event)

    def _who(self, game: Game, event: Event) -> None:
        for name in ("unit", "target", "into"):
            unit = event.fact(name)
            if isinstance(unit, int) and not isinstance(unit, bool) and unit >= 0:
                self.seen["datasheets"][game.cards[unit].name] += 1

    def _named(self, game: Game, event: Event) -> None:
        """What an event names itself: weapons, a reaction, content by its id, an ability by its clauses."""
        if event.kind in ("shot", "struck"):
            self.seen["weapons"].update(names_of(event))
        reaction = event.fact("reaction")
        if reaction is not None:
            self.seen["reactions"][str(reaction)] += 1
            self.seen["abilities"][str(reaction)] += 1
        for clause in event.clauses:
            kind = {"ENH": "enhancements", "DET": "detachments", "MUT": "mutations"}.get(clause.split("-")[0])
            if kind is not None:
                self.seen[kind][clause] += 1
        if event.kind == "card-scored":
            self.seen["cards"].update(clause for clause in event.clauses if clause.startswith("SEC-"))
        if event.kind == "scored":
            self.seen["missions"][game.setup.mission or "default"] += 1
        if event.kind == "control":
            self.seen["terrain"]["objective"] += 1
        for name, special in game.edition.specials.items():
            if any(clause in event.clauses for clause in special.clauses):
                self.seen["abilities"][name] += 1

    def _terrain(self, game: Game, before: State, event: Event) -> None:
        """The features that gave cover or were in the way of shots."""
        unit, target = event.fact("unit"), event.fact("target")
        if not isinstance(unit, int) or not isinstance(target, int):
            return
        sight = sight_of(game, before)
        sides = [tuple(s for s in before.units[k].living if before.at(s)[0] != NOWHERE) for k in (unit, target)]
        for feature in sight.covers(*sides).values():
            if feature >= 0:
                piece = game.table.terrain[sight.scenery.features[feature][0]]
                self.seen["terrain"].update(name for name in piece.types if name in TERRAIN)
                inside = f"{piece.id}."
                self.seen["terrain"].update(t for p in game.table.terrain if p.id.startswith(inside) for t in p.types)


def matches(agents: str, games: int, seed: int, points: int, first: int = 0) -> Iterator[tuple[Match, int]]:
    """Games between every pair of the lists of a size, on every table and mission in turn."""
    lists = [*(name for name in library.lists(EDITION) if name.endswith(f"-{points}")), *OWN_LISTS.get(points, ())]
    missions, tables = list(library.missions(EDITION)), TABLES[min(points, 1000)]
    for index in range(first, first + games):
        armies = lists[index % len(lists)], lists[(index // len(lists)) % len(lists)]
        mission, table = missions[(index + index // len(missions)) % len(missions)], tables[(index // 2) % len(tables)]
        yield Match(EDITION, (agents, agents), armies, table, mission, points, seed), index


def played(census: Census, match: Match, index: int) -> None:
    """One game, counted."""
    game = Game(registry.edition(EDITION), setup_of(match, index))
    census.want(game)
    seats = Watched(chairs_of(match, index))
    oracle, state = Oracle(SeededDice(seed_bytes(match.seed, index, "dice")), seats), game.start()
    while state.clock.phase != OVER:
        play = play_step(game, state, oracle)
        census.see(game, state, play)
        state = play.state
    census.refused += seats.offered_refused
    census.games += 1


def until_seen(seed: int, rounds: int) -> Census:
    """Rounds of games of every kind, until everything has acted."""
    census = Census()
    for number in range(rounds):
        for agents, points, games in CYCLE:
            for match, index in matches(agents, games, seed, points, number * games):
                played(census, match, index)
        never = [name for names in census.missing().values() for name in names]
        print(f"{census.games} games; never yet: {', '.join(never) or 'nothing'}", file=sys.stderr, flush=True)
        if not never:
            break
    return census


def report(census: Census, everything: bool) -> int:
    """Print what was seen; how much is missing."""
    missing = census.missing()
    for kind, wanted in census.wanted.items():
        never = missing.get(kind, [])
        print(f"{kind}: {len(wanted) - len(never)} of {len(wanted)}" + (f"; never: {', '.join(never)}" if never else ""))
        if everything:
            print("  " + ", ".join(f"{name} {census.seen[kind][name]}" for name in sorted(wanted)))
    print(f"{census.games} games, {census.refused} refused offers")
    return sum(map(len, missing.values()))


def main() -> int:
    """Print the census."""
    reader = argparse.ArgumentParser(prog="python -m tools.census_phases", description="what comes up in many games")
    reader.add_argument("--rounds", type=int, default=20, help="at most so many rounds of games of every kind")
    reader.add_argument("--agents", help="one name for both seats, and games of this kind alone")
    reader.add_argument("--games", type=int, default=90)
    reader.add_argument("--points", type=int, default=1000)
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--all", action="store_true", help="say how often each thing was seen")
    asked = reader.parse_args()
    began = time.monotonic()
    if asked.agents:
        census = Census()
        for match, index in matches(asked.agents, asked.games, asked.seed, asked.points):
            played(census, match, index)
    else:
        census = until_seen(asked.seed, asked.rounds)
    missing = report(census, asked.all)
    print(f"{time.monotonic() - began:.0f} s", file=sys.stderr)
    return 1 if missing or census.refused else 0


if __name__ == "__main__":
    sys.exit(main())
