"""Records of real games, one of each edition that plays: the true one is accepted, every forgery is refused at its line."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
import pytest

from rolloff import agents
from rolloff.armies import library
from rolloff.editions import registry
from rolloff.editions.clauses import with_clauses
from rolloff.lab.duel import play_game
from rolloff.oracle.dice import Stream
from rolloff.record.book import Recorder
from rolloff.record.fairness import Fairness
from rolloff.record.lines import parse, sealed, text
from rolloff.record.signing import Signer
from rolloff.record.verify import Difference, verify_lines
from rolloff.rules.game import Game
from tests.record.conftest import SEED

Json = dict[str, Any]
Lines = list[Json]
KEY = Signer(bytes(range(32)))
EDITIONS = [id_ for id_ in with_clauses() if "play" in registry.edition(id_).can]


@cache
def record_of(edition: str, signed: bool) -> bytes:
    """The record of a game between the two smallest lists of an edition."""
    rules = registry.edition(edition)
    by_cost = sorted(library.lists(edition), key=lambda name: library.army(edition, name, 0).points)
    a, b = by_cost[:2]
    game, out = Game(rules, library.setup_for(edition, a, b, seed=3)), io.BytesIO()
    chairs = [agents.make("random", Stream(bytes([side]) * 32), side) for side in (0, 1)]
    fair = Fairness(SEED)
    play_game(game, fair.dice, chairs, Recorder(out, game, fair, ("Ann", "Ben"), signer=KEY if signed else None))
    return out.getvalue()


def lines_of(edition: str, signed: bool = False) -> Lines:
    """Its lines, to be tampered with."""
    return [msgspec.json.decode(row) for row in record_of(edition, signed).splitlines()]


def difference(record: bytes) -> Difference | None:
    """What verifying finds first."""
    return verify_lines(parse(record, "game.jsonl"), "game.jsonl").difference


def at(lines: Lines, kind: str, which: int = 0) -> int:
    """Where the first (or another) line of a kind stands, from 0."""
    return [k for k, line in enumerate(lines) if line["t"] == kind][which]


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_true_record_of_each_edition_is_accepted(edition: str, signed: bool) -> None:
    """A game of each edition that plays verifies, signed or not, and says which."""
    record = record_of(edition, signed)
    report = verify_lines(parse(record, "game.jsonl"), "game.jsonl")
    assert report.verified, report.difference
    assert (report.proof, report.signer, report.practice) == (
        "signed" if signed else "unsigned",
        KEY.public if signed else None,
        False,
    )


def _header(change: Callable[[Json], object]) -> Callable[[Lines], int]:
    """A forgery of the header."""

    def forge(lines: Lines) -> int:
        change(lines[0])
        return 1

    return forge


def _die(lines: Lines) -> int:
    """Another face of the first die."""
    where = at(lines, "roll")
    faces = lines[where]["faces"]
    faces[0] = faces[0] % 6 + 1 if isinstance(faces[0], int) else faces[0]
    return where + 1


def _event(lines: Lines) -> int:
    """An event that did not happen so."""
    where = at(lines, "event", 3)
    lines[where]["kind"] = "forged"
    return where + 1


def _hash(lines: Lines) -> int:
    """Another state at a check."""
    where = at(lines, "check", 1)
    lines[where]["state"] = "sha256:" + "0" * 64
    return where + 1


def _dropped(lines: Lines) -> int:
    """A step left out, with all that came of it."""
    first, second = at(lines, "step", 1), at(lines, "step", 2)
    del lines[first:second]
    return first + 1


def _winner(lines: Lines) -> int:
    """Another winner."""
    lines[-1]["winner"] = "A" if lines[-1]["winner"] == "B" else "B"
    return len(lines)


def _score(lines: Lines) -> int:
    """Another score."""
    lines[-1]["score"] = [999, 0]
    return len(lines)


def _seed(lines: Lines) -> int:
    """Another seed than was committed to."""
    lines[-1]["seed"] = "00" * 32
    return len(lines)


def _concession(lines: Lines) -> int:
    """Cut after the second check, and ended by a concession nobody made."""
    where = at(lines, "check", 1)
    steps = sum(line["t"] == "step" for line in lines[: where + 1])
    end = lines[-1] | {"winner": "B", "end": "concede", "rounds": 1, "steps": steps, "dice": lines[where]["drawn"]}
    lines[where + 1 :] = [end]
    return where + 2


def _cut(lines: Lines) -> int:
    """Cut in the middle."""
    del lines[len(lines) // 2 :]
    return len(lines) + 1


FORGERIES: dict[str, Callable[[Lines], int]] = {
    "name of a unit": _header(lambda header: header["setup"]["units"][0].update(name="Renamed")),
    "names of the armies": _header(lambda header: header["setup"].update(armies=["Other", "Right"])),
    "name of the table": _header(lambda header: header["setup"]["table"].update(name="Elsewhere")),
    "points of a unit": _header(lambda header: header["setup"]["units"][0].update(points=1)),
    "hash of an army": _header(lambda header: header.update(armies=header["armies"][::-1])),
    "hash of the table": _header(lambda header: header.update(table="sha256:" + "0" * 64)),
    "hash of the rules": _header(lambda header: header.update(rules="sha256:" + "0" * 64)),
    "the promise of a seed": _header(lambda header: header.update(commitment="sha256:" + "0" * 64)),
    "a die": _die,
    "an event": _event,
    "a hash": _hash,
    "a step left out": _dropped,
    "the winner": _winner,
    "the score": _score,
    "the seed": _seed,
    "a concession": _concession,
    "cut": _cut,
}


@pytest.mark.parametrize("what", FORGERIES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_forgery_is_refused_at_its_line(edition: str, what: str) -> None:
    """Whatever is changed, with every seal made anew, the line that was changed is named, with a sentence."""
    lines = lines_of(edition)
    line = FORGERIES[what](lines)
    report = difference(text(sealed(lines)))
    assert report is not None and report.message
    assert report.line == line, report


@pytest.mark.parametrize("edition", EDITIONS)
def test_names_of_players_and_engine_are_bound_by_the_signature(edition: str) -> None:
    """What no game shows, who played and by which engine, cannot be changed in a signed record."""
    for change in ({"players": ["Me", "You"]}, {"engine": "9.9.9"}):
        lines = lines_of(edition, signed=True)
        lines[0].update(change)
        report = difference(text(sealed(lines)))
        assert report is not None and (report.line, report.kind) == (1, "header")


OTHER_BYTES: dict[str, Callable[[bytes], bytes]] = {
    "spaces": lambda row: row.replace(b'":', b'": ', 1),
    "escapes": lambda row: row.replace(b'"t"', b'"\\u0074"', 1),
    "doubled key": lambda row: row.replace(b'{"t":', b'{"t":"x","t":', 1),
    "carriage return": lambda row: row + b"\r",
}


@pytest.mark.parametrize("what", OTHER_BYTES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_other_bytes_are_refused_at_their_line(edition: str, what: str) -> None:
    """Doubled keys, blanks, escapes and other line ends are named as the chain, at that line."""
    rows = record_of(edition, signed=True).splitlines()
    rows[5] = OTHER_BYTES[what](rows[5])
    report = difference(b"\n".join(rows) + b"\n")
    assert report is not None and (report.line, report.kind) == (6, "chain")
