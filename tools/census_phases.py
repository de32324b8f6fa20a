"""The census of an edition of phases: which datasheets, weapons, abilities, reactions, missions and terrain acted in games.

``python -m tools.census_phases --games 90 --agents greedy --points 1000``. An ability counts as seen when an event cites one
of its clauses, when a reaction of its name is used, or when a model that has it acts in the way ``SHOWS`` names. The exit
code is 1 if something never came up or an offer was refused.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping

from rolloff.armies import library
from rolloff.editions import registry
from rolloff.editions.commentary.ground import TERRAIN
from rolloff.editions.commentary.lookups import UnitIndex
from rolloff.editions.commentary.sight import sight_of
from rolloff.lab.duel import Match, Watched, chairs_of, setup_of
from rolloff.oracle.dice import SeededDice, seed_bytes
from rolloff.oracle.oracle import Oracle
from rolloff.rules.game import Game
from rolloff.rules.play import OVER, Play, play_step
from rolloff.table.event import Event
from rolloff.table.state import NOWHERE, State

EDITION = "commentary-10"
TABLES = {500: ("toll-crossing", "glass-quarter"), 1000: ("ledger-yard", "drowned-terraces")}
SHOWS: Mapping[str, tuple[str, ...]] = {
    "Assault": ("shot",),
    "Blast": ("shot",),
    "Carries": ("embarked",),
    "Control": ("control",),
    "Extra Attacks": ("struck",),
    "Feel No Pain": ("casualties", "attacked"),
    "Fights First": ("picked",),
    "Firing Deck": ("shot",),
    "Halves Control": ("control",),
    "Heavy": ("shot",),
    "Ignores Cover": ("shot",),
    "Leader": ("attached",),
    "Lone Operative": ("shot", "moved"),
    "One Shot": ("shot",),
    "Pistol": ("shot",),
    "Psychic": ("shot", "struck"),
    "Rapid Fire": ("shot",),
    "Torrent": ("shot",),
    "Twin-linked": ("shot", "struck"),
}
"""Abilities that leave no clause of their own in an event: what somebody who has them does when they act."""


class Census:
    """What was seen."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.seen: dict[str, Counter[str]] = {
            kind: Counter() for kind in ("datasheets", "weapons", "abilities", "reactions", "missions", "terrain")
        }
        self.wanted: dict[str, set[str]] = {kind: set() for kind in self.seen}
        self.refused = 0

    def want(self, game: Game) -> None:
        """What a game has to show."""
        edition, lookups = game.edition, game.lookups
        self.wanted["datasheets"] |= {card.name for card in game.cards}
        self.wanted["weapons"] |= {weapon.name for model in game.models for weapon in model.weapons}
        self.wanted["abilities"] |= {rule.name for fighter in lookups.fighters for rule in (*fighter.rules, *fighter.leading)}
        self.wanted["abilities"] |= {r.name for f in lookups.fighters for w in f.weapons for r in w.rules}
        self.wanted["reactions"] |= {rule.name for rules in game.reactions.values() for rule in rules}
        self.wanted["missions"].add(game.setup.mission or "default")
        names = {name for piece in game.table.terrain for name in piece.types} & set(TERRAIN)
        self.wanted["terrain"] |= names
        assert edition.id == EDITION

    def see(self, game: Game, before: State, play: Play) -> None:
        """Count one step."""
        for event in play.events:
            self._who(game, event)
            self._abilities(game, event)
            if event.kind in ("shot", "struck"):
                self.seen["weapons"].update(str(name) for name in _names(event))
            reaction = event.fact("reaction")
            if reaction is not None:
                self.seen["reactions"][str(reaction)] += 1
                self.seen["abilities"][str(reaction)] += 1
            if event.kind == "scored":
                self.seen["missions"][game.setup.mission or "default"] += 1
            if event.kind == "control":
                self.seen["terrain"]["objective"] += 1
            if event.kind == "shot":
                self._terrain(game, before, event)

    def _who(self, game: Game, event: Event) -> None:
        for name in ("unit", "target", "into"):
            unit = event.fact(name)
            if isinstance(unit, int) and not isinstance(unit, bool) and unit >= 0:
                self.seen["datasheets"][game.cards[unit].name] += 1

    def _abilities(self, game: Game, event: Event) -> None:
        lookups: UnitIndex = game.lookups
        for name, special in game.edition.specials.items():
            if any(clause in event.clauses for clause in special.clauses):
                self.seen["abilities"][name] += 1
        unit = event.fact("unit")
        if not isinstance(unit, int) or isinstance(unit, bool) or unit < 0:
            return
        slots = range(game.starts[unit], game.starts[unit + 1])
        weapons = set(_names(event)) if event.kind in ("shot", "struck") else set()
        for slot in slots:
            fighter = lookups.fighters[slot]
            names = {rule.name for rule in (*fighter.rules, *fighter.leading)}
            names |= {rule.name for weapon in fighter.weapons if weapon.name in weapons for rule in weapon.rules}
            for name in names:
                if event.kind in SHOWS.get(name, ()):
                    self.seen["abilities"][name] += 1

    def _terrain(self, game: Game, before: State, event: Event) -> None:
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


def _names(event: Event) -> tuple[object, ...]:
    names = event.fact("weapons")
    return names if isinstance(names, tuple) else ()


def count(agents: str, games: int, seed: int, points: int) -> Census:
    """Play every pair of the ready-made lists of a size, on every table and mission in turn, and count."""
    census = Census()
    lists = [name for name in library.lists(EDITION) if name.endswith(f"-{points}")]
    missions, tables = list(library.missions(EDITION)), TABLES[min(points, 1000)]
    for index in range(games):
        armies = lists[index % len(lists)], lists[(index // len(lists)) % len(lists)]
        mission, table = missions[index % len(missions)], tables[(index // 2) % len(tables)]
        match = Match(EDITION, (agents, agents), armies, table, mission, points, seed)
        game = Game(registry.edition(EDITION), setup_of(match, index))
        census.want(game)
        seats = Watched(chairs_of(match, index))
        oracle, state = Oracle(SeededDice(seed_bytes(seed, index, "dice")), seats), game.start()
        while state.clock.phase != OVER:
            play = play_step(game, state, oracle)
            census.see(game, state, play)
            state = play.state
        census.refused += seats.offered_refused
    return census


def main() -> int:
    """Print the census."""
    reader = argparse.ArgumentParser(prog="python -m tools.census_phases", description="what comes up in many games")
    reader.add_argument("--games", type=int, default=90)
    reader.add_argument("--agents", default="greedy", help="one name for both seats")
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--points", type=int, default=1000)
    reader.add_argument("--all", action="store_true", help="say how often each thing was seen")
    asked = reader.parse_args()
    census = count(asked.agents, asked.games, asked.seed, asked.points)
    print(f"{asked.games} games of {EDITION}, {asked.points} points, {asked.agents} against {asked.agents}, seed {asked.seed}")
    missing = 0
    for kind, wanted in census.wanted.items():
        never = sorted(name for name in wanted if not census.seen[kind][name])
        missing += len(never)
        print(f"{kind}: {len(wanted) - len(never)} of {len(wanted)}" + (f"; never: {', '.join(never)}" if never else ""))
        if asked.all:
            print("  " + ", ".join(f"{name} {census.seen[kind][name]}" for name in sorted(wanted)))
    print(f"{census.refused} refused offers")
    return 1 if missing or census.refused else 0


if __name__ == "__main__":
    sys.exit(main())
