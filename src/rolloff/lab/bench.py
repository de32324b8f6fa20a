"""Measuring the numbers the design holds: games, decisions, forks, start-up, and what `bench/` adds from a clone.

Nothing that was computed once is read again: every game is played anew and every fork is run. Each row says what
its workload was and what happened in it, so that a fast row of empty games cannot pass unseen.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import resources, util
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
from msgspec import Struct

import rolloff
from rolloff.armies import library
from rolloff.editions import USUAL, registry
from rolloff.errors import BadInput
from rolloff.geometry import kernels
from rolloff.lab.duel import Match, Played, chairs_of, play_game, setup_of, without_collector
from rolloff.lab.tally import Tally
from rolloff.oracle.dice import SeededDice, seed_bytes
from rolloff.oracle.oracle import Answers, Oracle, Suspended
from rolloff.rules.game import Game
from rolloff.rules.play import OVER, Play, play_step
from rolloff.table.state import State
from rolloff.typed import convert, read_json

SCHEMA = "rolloff.bench/1"
PLAIN = "_plain"
ROOT = Path(__file__).parents[3]

HOLDS: dict[str, float] = tomllib.loads((resources.files("rolloff") / "content/bench.toml").read_text("utf-8"))
"""What the design promises; rates are to be reached, times not to be exceeded."""

Work = dict[str, Any]


class Measured(Struct, frozen=True):
    """A number measured several times, and on what."""

    name: str
    unit: str
    runs: list[float]
    workload: Work

    @property
    def median(self) -> float:
        """The middle one."""
        return median(self.runs)

    def json(self) -> Work:
        """The row as it is printed."""
        hold = HOLDS.get(self.name)
        rate = self.unit in ("1/s", "x")
        held = None if hold is None else self.median >= hold if rate else self.median <= hold
        return {
            "name": self.name,
            "unit": self.unit,
            "median": round(self.median, 4),
            "runs": [round(run, 4) for run in self.runs],
            "hold": hold,
            "held": held,
            "workload": {**self.workload, "result_cache": False},
        }


def _sizes(game: Game) -> Work:
    models = [sum(len(card.models) for card in game.cards if card.side == side) for side in (0, 1)]
    points = [sum(card.points for card in game.cards if card.side == side) for side in (0, 1)]
    return {"models": models, "points": points, "terrain": len(game.setup.table.terrain)}


def _play(match: Match, index: int) -> tuple[Game, Played]:
    game = Game(registry.edition(match.edition), setup_of(match, index))
    return game, play_game(game, seed_bytes(match.seed, index, "dice"), chairs_of(match, index))


@without_collector()
def _tally(match: Match, index: int) -> Tally:
    """What is counted in a game that is let go at once, as `play_row` does."""
    return _play(match, index)[1].tally


def _games(
    agent: str, runs: int = 5, games: int = 20, edition: str = USUAL, points: int = 0
) -> tuple[list[float], list[float], Work]:
    """Games and decisions a second of processor time, and what was played."""
    match = Match(edition, (agent, agent), points=points, seed=1)
    game, _ = _play(match, 0)  # whatever is compiled or imported once does not count
    rates, paces, counts = [], [], dict[str, int]()
    decisions = activations = 0
    for run in range(runs):
        begun, made = time.process_time(), 0
        for index in range(run * games, (run + 1) * games):
            tally = _tally(match, index)
            made += tally.decisions
            activations += tally.activations
            for name, count in tally.counts.items():
                counts[name] = counts.get(name, 0) + count
        spent = time.process_time() - begun
        rates.append(games / spent)
        paces.append(made / spent)
        decisions += made
    total = {"games": runs * games, "agents": agent, **_sizes(game), "decisions": decisions, "counts": counts}
    total["activations"] = activations
    return rates, paces, total


def games_per_second(agent: str, name: str) -> Iterator[Measured]:
    """How many whole games a core plays in a second."""
    rates, _, work = _games(agent)
    yield Measured(name, "1/s", rates, work)


def sizes() -> Iterator[tuple[str, int]]:
    """Every edition that is played, with each size it has ready-made lists for."""
    for edition in registry.editions():
        if "play" in registry.edition(edition).can:
            forms = [library.find_list(edition, name) for name in library.lists(edition)]
            yield from ((edition, points) for points in sorted({form.points for form in forms if form.book and form.points}))


def random_at(edition: str, points: int, runs: int = 5, games: int = 20) -> Iterator[Measured]:
    """Random games and decisions a second of an edition, with armies of a size: as many games as of the usual edition."""
    rates, paces, work = _games("random", runs, games, edition, points)
    yield Measured(f"games_per_second{_at(edition, points)}", "1/s", rates, work)
    yield Measured(f"decisions_per_second{_at(edition, points)}", "1/s", paces, work)


def closing_at(edition: str, points: int, runs: int = 5, games: int = 2) -> Iterator[Measured]:
    """Games of opponents who close in, and what one activation of them takes; once more by the size alone."""
    rates, _, work = _games("closing", runs, games, edition, points)
    each = max(work["activations"], 1) / (runs * games)
    times = [1e6 / rate / each for rate in rates]
    yield Measured(f"games_per_second_closing{_at(edition, points)}", "1/s", rates, work)
    yield Measured(f"activation_us{_at(edition, points)}", "us", times, work)
    if (edition, points) in _usual_sizes():
        yield Measured(f"activation_us@{points}", "us", times, {"edition": edition, **work})


def _at(edition: str, points: int) -> str:
    return f"@{edition}@{points}"


def _usual_sizes() -> set[tuple[str, int]]:
    """For every size one edition: the usual one where it is played at that size, else the first by name."""
    first = dict[int, str]()
    for edition, points in sorted(sizes(), key=lambda size: (size[0] != USUAL, size)):
        first.setdefault(points, edition)
    return {(edition, points) for points, edition in first.items()}


def decisions_per_second() -> Iterator[Measured]:
    """How many decisions are taken in a second of such games."""
    _, paces, work = _games("random", runs=3)
    yield Measured("decisions_per_second", "1/s", paces, work)


def _steps(match: Match, index: int) -> Iterator[tuple[Game, State, int, list[object]]]:
    """The steps of a game: the state each begins from, the dice used before it, and its answers."""
    game = Game(registry.edition(match.edition), setup_of(match, index))
    dice = SeededDice(seed_bytes(match.seed, index, "dice"))
    from rolloff.lab.duel import Watched

    seats, state = Watched(chairs_of(match, index)), game.start()
    while state.clock.phase != OVER:
        drawn = dice.drawn
        play = play_step(game, state, Oracle(dice, seats))
        yield game, state, drawn, [answer for _, answer in play.answers]
        state = play.state


def _fork_at(game: Game, state: State, seed: bytes, drawn: int, answers: list[object]) -> None:
    """Come to the decision after these answers, from the snapshot."""
    try:
        play_step(game, state, Oracle(SeededDice(seed, drawn), Answers(answers)))
    except Suspended:
        return


def forks() -> Iterator[Measured]:
    """What it costs to branch off: between commands, and at any decision inside one."""
    match = Match(USUAL, ("closing", "closing"), seed=1)
    seed = seed_bytes(match.seed, 0, "dice")
    steps = list(_steps(match, 0))
    between, inside = [], []
    forked = 0
    for _ in range(5):
        begun = time.process_time()
        for game, state, drawn, _answers in steps:
            Play(game, state, Oracle(SeededDice(seed, drawn), Answers(())))
        between.append((time.process_time() - begun) / len(steps) * 1e6)
        begun, forked = time.process_time(), 0
        for game, state, drawn, answers in steps:
            for k in range(len(answers)):
                _fork_at(game, state, seed, drawn, answers[:k])
                forked += 1
        inside.append((time.process_time() - begun) / max(1, forked) * 1e6)
    work = {"games": 1, "agents": "closing", **_sizes(steps[0][0]), "commands": len(steps), "decisions": forked}
    yield Measured("fork_us", "us", between, work)
    yield Measured("fork_decision_us", "us", inside, work)


def _spent(*args: str) -> float:
    """Processor seconds of a process of its own: what other work on the machine adds is no part of it."""
    begun = os.times()
    subprocess.run([sys.executable, *args], check=True, stdout=subprocess.DEVNULL)
    ended = os.times()
    return ended.children_user + ended.children_system - begun.children_user - begun.children_system


def start_up(name: str, *args: str) -> Iterator[Measured]:
    """How long a fresh process takes, from its start to its end."""
    _spent(*args)
    yield Measured(name, "s", [_spent(*args) for _ in range(7)], {"command": " ".join(("python", *args))})


def in_plain(name: str) -> Iterator[Measured]:
    """A row measured with the plain twin of the kernels, in a process of its own."""
    command = [sys.executable, "-m", "rolloff.lab.bench", name.removesuffix(PLAIN)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env={**os.environ, "ROLLOFF_KERNELS": "off"})
    for row in read_json(done.stdout, list[Measured]):
        yield Measured(name, row.unit, row.runs, row.workload)


def from_clone(file: str) -> Iterator[Measured]:
    """Rows of a module of ``bench/``, which a clone has and an installed package has not."""
    path = ROOT / "bench" / f"{file}.py"
    if not path.exists():
        return
    spec = util.spec_from_file_location(f"bench.{file}", path)
    assert spec is not None and spec.loader is not None
    module = util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    for row in module.measure():
        yield convert(row, Measured)


Bench = Callable[[], Iterator[Measured]]

BENCHES: dict[tuple[str, ...], Bench] = {
    ("games_per_second",): lambda: games_per_second("random", "games_per_second"),
    ("games_per_second_closing",): lambda: games_per_second("closing", "games_per_second_closing"),
    ("games_per_second_plain",): lambda: in_plain("games_per_second_plain"),
    ("games_per_second_closing_plain",): lambda: in_plain("games_per_second_closing_plain"),
    ("decisions_per_second",): decisions_per_second,
    ("fork_us", "fork_decision_us"): forks,
    ("sight_us", "sight_dense_us"): lambda: from_clone("sight_bench"),
    ("path_us",): lambda: from_clone("path_bench"),
    ("odds_cold_us", "odds_warm_us", "odds_icepool_ratio", "icepool_ratio_warm", "icepool_ratio_cold"): lambda: from_clone(
        "odds_bench"
    ),
    ("odds_report_us",): lambda: from_clone("reports_bench"),
    ("opcodes_per_decision", "opcodes_per_decision_closing"): lambda: from_clone("opcodes_bench"),
    ("import_s",): lambda: start_up("import_s", "-c", "import rolloff"),
    ("help_s",): lambda: start_up("help_s", "-m", "rolloff", "--help"),
    ("odds_shell_s",): lambda: start_up("odds_shell_s", "-m", "rolloff", "odds", "--weapon", 'Rifle (24", A1)', "--json"),
}
"""What can be measured without knowing the editions: the rows a measurement gives, and the measurement."""


def benches() -> dict[tuple[str, ...], Bench]:
    """All that can be measured: `BENCHES`, and the games of every edition that plays at each of its sizes."""
    found, usual = dict(BENCHES), _usual_sizes()
    for edition, points in sizes():
        at = _at(edition, points)
        by_size = (f"activation_us@{points}",) if (edition, points) in usual else ()
        found[(f"games_per_second{at}", f"decisions_per_second{at}")] = partial(random_at, edition, points)
        found[(f"games_per_second_closing{at}", f"activation_us{at}", *by_size)] = partial(closing_at, edition, points)
    return found


def all_names() -> tuple[str, ...]:
    """Every row that can be asked for."""
    return tuple(name for names in benches() for name in names)


def chosen(only: Iterable[str]) -> Iterator[Measured]:
    """The rows that were asked for, or all; `BadInput` for a name that is none."""
    offered = all_names()
    wanted = set(only) or set(offered)
    unknown = sorted(wanted - set(offered))
    if unknown:
        raise BadInput("unknown-row", f"there is no row {unknown[0]!r}", where="--only", allowed=", ".join(offered))
    for names, bench in benches().items():
        if wanted & set(names):
            yield from (row for row in bench() if row.name in wanted or row.name not in offered)


def missing(only: Iterable[str], rows: Iterable[Measured]) -> list[str]:
    """Rows that were to be measured and were not: an installed package, or a clone, without that bench."""
    wanted = set(only) or set(all_names())
    return [name for name in all_names() if name in wanted - {row.name for row in rows}]


def commit() -> str:
    """The commit of the clone this runs from, or nothing."""
    try:
        done = subprocess.run(
            ["git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def report(rows: Iterable[Measured]) -> Work:
    """The whole output of `rolloff bench`."""
    return {
        "schema": SCHEMA,
        "version": rolloff.__version__,
        "commit": commit(),
        "kernels": kernels.NAME,
        "python": platform.python_version(),
        "cores": os.cpu_count() or 1,
        "rows": [row.json() for row in rows],
    }


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.encode(list(chosen(sys.argv[1:]))))
