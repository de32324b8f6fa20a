"""The census: which special rules, weapons and powers appear in the events of many games.

``python -m tools.census --games 500 --agents random``. A rule counts as seen when an event cites its clause (or, for the
two that have none of their own, shows its effect); a weapon when it is fired, or struck with by a model in reach; a power
when it is tried, and again when it takes hold. ``--verify`` writes every record and plays it again. The exit code is 1
if something never came up, an offer was refused or a record did not verify.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections import Counter
from collections.abc import Mapping, Sequence

from rolloff.armies import library
from rolloff.editions import registry
from rolloff.editions.clauses import DEFAULT_EDITION
from rolloff.editions.onepage.book import FamilyEdition
from rolloff.editions.onepage.lookups import index_of
from rolloff.lab.duel import Match, chairs_of, play_game, setup_of
from rolloff.oracle.dice import seed_bytes
from rolloff.record.book import Recorder
from rolloff.record.lines import parse
from rolloff.record.verify import verify_lines
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.event import Event
from rolloff.table.state import State

TRACES: Mapping[str, tuple[str, ...]] = {
    "Deep Strike": ("RULE-DEEPSTRIKE-4",),
    "Flying": ("RULE-FLYING-1", "RULE-FLYING-2"),
    "Hero": ("JOIN-3",),
    "Psyker": ("RULE-PSYKER-5",),
    "Transport": ("RULE-TRANSPORT-2", "RULE-TRANSPORT-3", "RULE-TRANSPORT-5", "RULE-TRANSPORT-8"),
}
"""Where a rule shows under other clauses than its first."""


class Census:
    """What was seen."""

    def __init__(self, edition: str) -> None:
        """Nothing yet; what there is to see comes from the edition's tables and the lists' cards."""
        self.edition = registry.edition(edition)
        self.rules: Counter[str] = Counter()
        self.weapons: Counter[str] = Counter()
        self.powers: Counter[str] = Counter()
        self.held: Counter[str] = Counter()
        self.refused = self.unverified = self.games = 0

    def traces(self, rule: str) -> tuple[str, ...]:
        """The clauses by which a rule shows."""
        return TRACES.get(rule, self.edition.specials[rule].clauses[:1])

    def see(self, game: Game, play: Play) -> None:
        """Count one step."""
        for event in play.events:
            for rule in self.edition.specials:
                if rule == "Single":
                    self.rules[rule] += event.fact("packets") is not None
                elif any(clause in event.clauses for clause in self.traces(rule)):
                    self.rules[rule] += 1
            self._arms(game, event)

    def _arms(self, game: Game, event: Event) -> None:
        if event.kind == "shot":
            names = event.fact("weapons")
            assert isinstance(names, tuple)
            self.weapons.update(str(name) for name in names)
        elif event.kind == "struck":
            slots = event.fact("models")
            assert isinstance(slots, tuple)
            struck = {
                w.name for slot in slots if isinstance(slot, int) for w in index_of(game).fighters[slot].weapons if w.melee
            }
            self.weapons.update(struck)
        elif event.kind == "cast":
            self.powers[str(event.fact("power"))] += 1
        elif event.kind == "manifested":
            self.held[str(event.fact("power"))] += 1


class Watching(Recorder):
    """A recorder that shows every step to the census as well."""

    def __init__(self, census: Census, out: io.BytesIO, game: Game, seed: bytes, agents: tuple[str, str]) -> None:
        """Write to memory."""
        super().__init__(out, game, seed, agents)
        self.census = census

    def step(self, play: Play, before: State) -> None:
        """Write the step down and count it."""
        super().step(play, before)
        self.census.see(self.game, play)


def expected(edition: str, sizes: Sequence[int]) -> tuple[set[str], set[str], set[str]]:
    """What there is to see: the edition's rules, every weapon of the full ready-made lists, every power."""
    rules = registry.edition(edition)
    names = {name for points in sizes for name in library.full_lists(rules, points or rules.points)}
    cards = [card for name in sorted(names) for card in library.army(rules, name, 0).cards]
    weapons = {weapon.name for card in cards for model in card.models for weapon in model.weapons}
    assert isinstance(rules, FamilyEdition)
    return set(rules.specials), weapons, set(rules.book.powers)


def count(edition: str, agents: tuple[str, str], games: int, seed: int, verify: bool, sizes: Sequence[int]) -> Census:
    """Play games of these sizes in turn, count and (if asked) verify."""
    census = Census(edition)
    for index in range(games):
        match = Match(edition, agents, seed=seed, points=sizes[index % len(sizes)])
        game = Game(census.edition, setup_of(match, index))
        dice, out = seed_bytes(seed, index, "dice"), io.BytesIO()
        played = play_game(game, dice, chairs_of(match, index), Watching(census, out, game, dice, agents))
        census.games += 1
        census.refused += played.offered_refused + (not played.finished)
        if verify and not verify_lines(parse(out.getvalue(), f"game {index}"), f"game {index}").verified:
            census.unverified += 1
    return census


def _table(title: str, found: Mapping[str, int], wanted: set[str]) -> list[str]:
    never = sorted(wanted - {name for name, n in found.items() if n})
    print(f"{title}: {len(wanted) - len(never)} of {len(wanted)}")
    for name in sorted(set(found) | wanted):
        print(f"  {name:24} {found.get(name, 0):7}")
    if never:
        print(f"  never: {', '.join(never)}")
    return never


def main() -> int:
    """Print the census."""
    reader = argparse.ArgumentParser(prog="python -m tools.census", description="what comes up in many games")
    reader.add_argument("--games", type=int, default=500)
    reader.add_argument("--agents", default="random", help="one name for both seats")
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--edition", default=DEFAULT_EDITION)
    reader.add_argument("--points", type=int, nargs="+", default=[0], help="points a side, in turn; 0: as the edition has it")
    reader.add_argument("--verify", action="store_true", help="play every record again")
    asked = reader.parse_args()
    census = count(asked.edition, (asked.agents, asked.agents), asked.games, asked.seed, asked.verify, asked.points)
    rules, weapons, powers = expected(asked.edition, asked.points)
    print(f"{census.games} games of {asked.edition}, {asked.agents} against {asked.agents}, seed {asked.seed}")
    never = _table("special rules", census.rules, rules)
    never += _table("weapons", census.weapons, weapons)
    never += _table("powers tried", census.powers, powers)
    never += _table("powers that took hold", census.held, powers)
    verified = f", {census.unverified} records not verified" if asked.verify else ""
    print(f"{census.refused} refused offers or unfinished games{verified}")
    return 1 if never or census.refused or census.unverified else 0


if __name__ == "__main__":
    sys.exit(main())
