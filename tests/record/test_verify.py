"""Records: a true one verifies, and whatever is altered is named with its line and kind."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rolloff.errors import RecordError
from rolloff.oracle.dice import EnteredDice, SeededDice
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.record.book import Recorder, RecordFile
from rolloff.record.fairness import Fairness
from rolloff.record.lines import parse, sealed, text
from rolloff.record.verify import Verdict, verify, verify_lines
from rolloff.rules.game import Game
from rolloff.rules.play import OVER, play_step
from tests.record.coin import COIN, coin_setup
from tests.record.conftest import SEED, Played, play_coin

Json = dict[str, Any]
Change = Callable[[Json], None]


def lines_of(record: bytes) -> list[Json]:
    """The lines of a record as JSON."""
    return [msgspec.json.decode(line) for line in record.splitlines()]


def first(lines: list[Json], type: str, **facts: Any) -> int:
    """Where the first line of a type stands, from 0 on."""
    wanted = {"t": type, **facts}
    return next(k for k, line in enumerate(lines) if wanted.items() <= line.items())


def verdict(lines: list[Json]) -> Verdict:
    """Verify lines."""
    return verify_lines(parse(text(lines), "game.jsonl"), "game.jsonl")


def found(lines: list[Json]) -> tuple[int, str]:
    """Line and kind of the first difference."""
    difference = verdict(lines).difference
    assert difference is not None
    assert difference.message
    return difference.line, difference.kind


def test_a_true_record_verifies(played: Played) -> None:
    """The replay ends in the state the game ended in."""
    report = verdict(lines_of(played.record))
    assert report.verified
    assert report.difference is None
    assert report.state == played.states[-1].digest()
    assert (report.dice, report.lines) == ("seeded", len(played.record.splitlines()))
    assert report.activations > 0


CHANGES: list[tuple[str, Change, str]] = [
    ("header", lambda line: line.update(rules="sha256:00"), "header"),
    ("header", lambda line: line.update(seed="00" * 32), "header"),
    ("step", lambda line: line.update(side="B"), "command"),
    ("step", lambda line: line.update(phase="toss"), "command"),
    ("answer", lambda line: line.update(value="a9"), "answer"),
    ("roll", lambda line: line.update(faces=[7 - line["faces"][0]]), "die"),
    ("event", lambda line: line.update(kind="ended"), "event"),
    ("event", lambda line: line["set"].pop(), "event"),
    ("check", lambda line: line.update(state="sha256:00"), "hash"),
    ("end", lambda line: line.update(rounds=9), "end"),
    ("event", lambda line: line.update(h="sha256:00"), "chain"),
    ("answer", lambda line: line.update(h="sha256:00"), "chain"),
    ("end", lambda line: line.update(h="sha256:00"), "chain"),
]


@pytest.mark.parametrize(("kind", "change", "named"), CHANGES)
def test_one_altered_line_is_named(played: Played, kind: str, change: Change, named: str) -> None:
    """One line changed and nothing else: that very line is named, with what was altered in it."""
    lines = lines_of(played.record)
    at = first(lines, kind)
    change(lines[at])
    assert found(lines) == (at + 1, named)


@pytest.mark.parametrize(("kind", "change", "named"), [row for row in CHANGES if row[2] not in ("chain", "answer")])
def test_an_altered_line_with_fresh_seals_is_named(played: Played, kind: str, change: Change, named: str) -> None:
    """The line is named although every seal after it was made anew."""
    lines = lines_of(played.record)
    at = first(lines, kind)
    change(lines[at])
    assert found(sealed(lines)) == (at + 1, named)


def test_an_answer_the_rules_refuse_is_named(played: Played) -> None:
    """An answer that was never legal is named with its line, fresh seals or not."""
    lines = lines_of(played.record)
    at = first(lines, "answer", kind="place")
    lines[at]["value"] = {name: [1, 23] for name in lines[at]["value"]}
    assert found(sealed(lines)) == (at + 1, "answer")


class Loaded:
    """Dice of a seed, one of them turned over."""

    def __init__(self, seed: bytes, die: int) -> None:
        """Turn over the die of that number."""
        self.honest = SeededDice(seed)
        self.die = die

    @property
    def drawn(self) -> int:
        """How many dice came so far."""
        return self.honest.drawn

    def faces(self, n: int, label: str, sides: int = 6) -> list[int]:
        """The next faces, the one among them turned over."""
        begun = self.honest.drawn
        faces = list(self.honest.faces(n, label, sides))
        if begun <= self.die < begun + n:
            faces[self.die - begun] = 7 - faces[self.die - begun]
        return faces


@pytest.mark.parametrize("die", [0, 2, 5])
def test_a_die_changed_with_everything_after_it_is_named(die: int) -> None:
    """A game honestly played on from one false die is refused at the line of that die."""
    game, out = Game(COIN, coin_setup()), io.BytesIO()
    recorder = Recorder(out, game, SEED)
    state, oracle = game.start(), Oracle(Loaded(SEED, die), Defaults())
    while state.clock.phase != OVER:
        play = play_step(game, state, oracle)
        recorder.step(play, state)
        state = play.state
    recorder.end(state)
    lines = lines_of(out.getvalue())
    rolls = [k for k, line in enumerate(lines) if line["t"] == "roll"]
    assert found(lines) == (rolls[die] + 1, "die")


@pytest.mark.parametrize("left", [1, 2, 10, -3, -1])
def test_a_truncated_record_has_no_end(played: Played, left: int) -> None:
    """A record cut after any line is refused for its missing end, at the line that is missing."""
    lines = lines_of(played.record)[:left]
    assert found(lines) == (len(lines) + 1, "end")


def test_a_line_cut_in_the_middle_is_named(played: Played) -> None:
    """A last line cut short is an end that is missing; one inside is named for what it should be."""
    raw = played.record[: len(played.record) - 40]
    report = verify_lines(parse(raw, "x"), "x").difference
    assert report is not None
    assert (report.line, report.kind) == (len(raw.splitlines()), "end")
    rows = played.record.splitlines(keepends=True)
    rows[4] = rows[4][:30] + b"\n"
    report = verify_lines(parse(b"".join(rows), "x"), "x").difference
    assert report is not None
    assert (report.line, report.kind) == (5, "event")


def test_lines_taken_out_put_in_or_added_are_named(played: Played) -> None:
    """A missing line, a doubled one and one after the end are each named where they show."""
    lines = lines_of(played.record)
    at = first(lines, "event")
    assert found(lines[:at] + lines[at + 1 :])[0] == at + 1
    assert found(lines[: at + 1] + lines[at:])[0] == at + 2
    assert found(sealed([*lines, lines[-1]])) == (len(lines) + 1, "end")


def test_a_seed_is_promised_first_and_shown_last() -> None:
    """A record may hold back its seed until the end; a seed that was not promised is refused."""
    lines = lines_of(play_coin(Fairness(SEED)).record)
    assert (lines[0]["seed"], lines[0]["practice"]) == (None, False)
    assert lines[-1]["seed"] == SEED.hex()
    assert verdict(lines).verified
    lines[-1]["seed"] = "00" * 32
    assert found(sealed(lines)) == (len(lines), "end")


def test_a_game_of_entered_dice_verifies_from_its_own_faces() -> None:
    """Dice that people threw stand in the record, and a replay uses them."""
    game, out = Game(COIN, coin_setup()), io.BytesIO()
    recorder, state = Recorder(out, game, None), game.start()
    while state.clock.phase != OVER:
        play = play_step(game, state, Oracle(EnteredDice([6, 6, 6]), Defaults()))
        recorder.step(play, state)
        state = play.state
    recorder.end(state)
    lines = lines_of(out.getvalue())
    report = verdict(lines)
    assert (report.verified, report.dice) == (True, "entered")
    at = next(k for k, line in enumerate(lines) if line.get("dice") == [6])
    lines[at]["dice"] = [6, 6]
    assert found(sealed(lines)) == (at + 1, "die")


def test_files_may_be_packed_and_appear_only_when_whole(played: Played, tmp_path: Path) -> None:
    """A packed record verifies, and a game that fails leaves no file behind."""
    path = tmp_path / "game.jsonl.gz"
    with RecordFile(path) as out:
        out.write(played.record)
    assert gzip.decompress(path.read_bytes()) == played.record
    assert verify(path).verified
    with pytest.raises(RuntimeError), RecordFile(tmp_path / "half.jsonl"):
        raise RuntimeError
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("raw", [b"", b"{}\n", b'{"t":"header"}\n', b"hello\n", b"\x1f\x8bnot really"])
def test_what_is_no_record_is_refused(raw: bytes) -> None:
    """A file that does not begin like a record is none."""
    with pytest.raises(RecordError):
        parse(raw, "x")
