"""Golden playthroughs and counts: whole games told as text with their clauses, and sums over many games.

``python -m tools.golden`` says what has changed; ``--write`` writes the files anew (then read the difference before you
commit it: each line is a statement about the rules); ``--all`` takes in the counts over twenty games as well.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from rolloff.editions import registry
from rolloff.lab.duel import Match, chairs_of, play_row, setup_of
from rolloff.oracle.dice import SeededDice, seed_bytes
from rolloff.oracle.oracle import Oracle, Seats
from rolloff.rules.game import Game
from rolloff.rules.play import OVER, SIDES, play_step
from rolloff.situations.wire import tell

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "golden"
EDITION = "onepage-3.0"
ARMIES = ("aegis-compact", "ashen-levy", "gearwright-synod", "thornkin-brood")
PLAYED = {
    "closing": Match(EDITION, ("closing", "closing"), ("aegis-compact", "thornkin-brood"), "broken-town", seed=11),
    "greedy": Match(EDITION, ("greedy", "greedy"), ("gearwright-synod", "ashen-levy"), "thornwood", seed=12),
    "second-edition": Match(
        "onepage-2.21", ("closing", "closing"), ("aegis-compact-221", "thornkin-brood-221"), "crossing", seed=14
    ),
    "apocalypse": Match(
        "apocalypse-3.3",
        ("closing", "closing"),
        ("compact-patrol-apocalypse", "levy-patrol-apocalypse"),
        "thornwood",
        points=750,
        seed=15,
    ),
    "commentary": Match(
        "commentary-10", ("greedy", "closing"), ("verdigris-mandate-500", "hollow-tide-500"), "toll-crossing", "", 500, 16
    ),
    "random": Match(EDITION, ("random", "random"), ("ashen-levy", "aegis-compact"), "crossing", seed=13),
}
AGENTS = ("random", "closing", "greedy")
FEW, MANY = 2, 20
"""Games a row of the quick and of the long counts."""
OPENING = frozenset({"round-began", "turns-began", "activated", "sides-chosen", "game-ended", "deploying", "declaring"})
"""Kinds that begin a paragraph."""


def _titles(match: Match, game: Game) -> Iterator[str]:
    yield f"{game.edition.name} ({game.edition.id}), table {game.setup.table.name}, seed {match.seed}"
    for side, letter in enumerate(SIDES):
        yield f"{letter}: {game.setup.armies[side]}, played by {match.agents[side]}"
        for card in game.cards:
            if card.side == side:
                rules = ", ".join(str(rule) for rule in card.rules)
                head = f"   {card.id} {card.name}, {len(card.models)} models, Q{card.quality}+, {card.points} points"
                yield f"{head}, {rules}" if rules else head


def report(match: Match) -> str:
    """One game from the roll-off to the score: a sentence an event, with the clauses it rests on."""
    game = Game(registry.edition(match.edition), setup_of(match, 0))
    oracle = Oracle(SeededDice(seed_bytes(match.seed, 0, "dice")), Seats(chairs_of(match, 0)))
    lines, state = list(_titles(match, game)), game.start()
    while state.clock.phase != OVER:
        play = play_step(game, state, oracle)
        for event in play.events:
            if event.kind in OPENING:
                lines.append("")
            indent = "" if event.kind in OPENING else "  "
            lines.append(f"{indent}{tell(game, event)} [{' '.join(event.clauses)}]")
        state = play.state
    return "\n".join(lines) + "\n"


def counted(games: int) -> str:
    """Sums over games of every pair of armies and every opponent: a change of behaviour shows as a difference."""
    lines = [f"{EDITION}: {games} games a row, seed 21", ""]
    for agent in AGENTS:
        for one, a in enumerate(ARMIES):
            for b in ARMIES[one + 1 :]:
                lines.append(_row(Match(EDITION, (agent, agent), (a, b), seed=21), games))
    return "\n".join(lines) + "\n"


def _row(match: Match, games: int) -> str:
    sums: Counter[str] = Counter()
    for index in range(games):
        row = play_row(match, index)
        sums.update({f"won by {row['winner']}": 1, "activations": row["activations"], "decisions": row["decisions"]})
        sums.update({"dice": row["dice"], "A scored": row["score"][0], "B scored": row["score"][1]})
        sums.update(row["counts"])
    head = f"{match.agents[0]} {match.armies[0]} against {match.armies[1]}"
    return head + ": " + ", ".join(f"{name} {sums[name]}" for name in sorted(sums) if sums[name])


def texts(everything: bool) -> Iterator[tuple[Path, str]]:
    """Every golden file with what it should say."""
    for name, match in PLAYED.items():
        yield FOLDER / f"{name}.txt", report(match)
    yield FOLDER / "counts.txt", counted(FEW)
    if everything:
        yield FOLDER / "counts-20.txt", counted(MANY)


def difference(path: Path, text: str) -> list[str]:
    """What a file says otherwise than the game does now."""
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    kept, now = f"{path.name} (kept)", f"{path.name} (now)"
    return list(difflib.unified_diff(old.splitlines(), text.splitlines(), kept, now, lineterm=""))


def main() -> int:
    """Compare or write; 1 if something differs."""
    reader = argparse.ArgumentParser(prog="python -m tools.golden", description="golden playthroughs and counts")
    reader.add_argument("--write", action="store_true", help="write the files anew")
    reader.add_argument("--all", action="store_true", help="the counts over twenty games too (minutes)")
    asked = reader.parse_args()
    differs = 0
    for path, text in texts(asked.all):
        if asked.write:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            continue
        lines = difference(path, text)
        differs += bool(lines)
        print("\n".join(lines) if lines else f"{path.name}: as it was")
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
