"""Forgeries: what an unsigned record cannot hide, what only a signature shows, and bytes that are not a record's own."""

from __future__ import annotations

import gzip
import io
import os
import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rolloff.editions import registry
from rolloff.errors import BadInput, IllegalCommand, RecordError
from rolloff.lab.duel import play_game
from rolloff.oracle.dice import SeededDice, Stream
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.record import lines as record_lines
from rolloff.record.book import Recorder, end_line, header_line
from rolloff.record.fairness import Fairness, Mixing, commitment, new_secret
from rolloff.record.lines import load, parse, sealed, text
from rolloff.record.result import result_of
from rolloff.record.signing import Signer, is_key, private_key, signed_by
from rolloff.record.verify import Verdict, verify_lines
from rolloff.rules.game import Game
from rolloff.rules.play import OVER, play_step
from rolloff.table.setup import Setup, Table
from rolloff.table.state import State
from tests.record.coin import COIN, coin_setup
from tests.record.conftest import SEED, Fickle, play_coin

Json = dict[str, Any]
KEY, OTHER = Signer(bytes(range(32))), Signer(bytes(32))
FAIR = Fairness(SEED)


def lines_of(record: bytes) -> list[Json]:
    """The lines of a record as JSON."""
    return [msgspec.json.decode(line) for line in record.splitlines()]


def verdict(record: bytes, key: str | None = None) -> Verdict:
    """Verify a record."""
    return verify_lines(parse(record, "game.jsonl"), "game.jsonl", key)


def found(record: bytes) -> tuple[int, str]:
    """Line and kind of the first difference."""
    difference = verdict(record).difference
    assert difference is not None and difference.message
    return difference.line, difference.kind


@pytest.fixture(scope="module")
def signed() -> bytes:
    """A game signed by the server that kept it."""
    return play_coin(FAIR, KEY).record


def test_a_signed_record_says_by_whom(signed: bytes) -> None:
    """It verifies, names its signer, is no practice, and is the same bytes whenever it is written."""
    report = verdict(signed)
    assert (report.verified, report.proof, report.signer, report.practice) == (True, "signed", KEY.public, False)
    assert f"signed by {KEY.public}" in report.statement
    assert play_coin(FAIR, KEY).record == signed


def test_what_is_proved_is_said_in_a_sentence() -> None:
    """Unsigned, practice, and numbers of both players are told apart."""
    practice = verdict(play_coin().record)
    assert (practice.proof, practice.signer, practice.practice) == ("unsigned", None, True)
    assert "practice" in practice.statement and "unsigned" in practice.statement
    both = verdict(play_coin(Fairness(SEED, (bytes(32), bytes(range(32))))).record)
    assert both.verified and "both players" in both.statement


def test_a_key_may_be_asked_for(signed: bytes) -> None:
    """Who asks for a key gets a difference in the header where another signed, or nobody."""
    assert verdict(signed, KEY.public).verified
    for record in (signed, play_coin(FAIR).record):
        report = verdict(record, OTHER.public).difference
        assert report is not None and (report.line, report.kind) == (1, "header")


HEADERS: list[Callable[[Json], object]] = [
    lambda header: header.update(players=["me", "you"]),
    lambda header: header.update(engine="9.9.9"),
    lambda header: header["setup"]["units"][0]["models"][0].update(name="Renamed"),
    lambda header: header["setup"].update(armies=["Other", "Right"]),
    lambda header: header["setup"]["table"].update(name="Elsewhere"),
    lambda header: header.update(armies=header["armies"][::-1]),
    lambda header: header.update(table="sha256:" + "0" * 64),
]


@pytest.mark.parametrize("change", HEADERS)
def test_a_signed_header_cannot_be_changed(signed: bytes, change: Callable[[Json], object]) -> None:
    """Players, engine, names of units, armies and tables are bound by the signature, with fresh seals or without."""
    lines = lines_of(signed)
    change(lines[0])
    assert found(text(sealed(lines))) == (1, "header")


@pytest.mark.parametrize("change", HEADERS[2:])
def test_an_unsigned_header_binds_armies_and_table(change: Callable[[Json], object]) -> None:
    """Even without a signature the setup must fit the hashes of the armies and of the table."""
    lines = lines_of(play_coin(FAIR).record)
    change(lines[0])
    assert found(text(sealed(lines))) == (1, "header")


def test_other_answers_on_the_same_seed_are_told_apart(signed: bytes) -> None:
    """A game played otherwise on the revealed seed, with the old signatures, fails at the first check after it departs."""
    old, forged = lines_of(signed), lines_of(play_coin(FAIR, KEY, taste=b"another").record)
    departs = next(k for k, (one, other) in enumerate(zip(old, forged, strict=False)) if one != other)
    signatures = iter([line["s"] for line in old if "s" in line])
    for line in forged:
        if "s" in line:
            line["s"] = next(signatures, "ed25519:00")
    check = next(k for k, row in enumerate(forged, 1) if k > departs and row["t"] == "check")
    assert found(text(forged)) == (check, "hash")
    unsigned = [{key: value for key, value in line.items() if key != "s"} for line in forged]
    assert found(text(unsigned)) == (1, "header")


def test_signatures_stand_only_where_they_belong(signed: bytes) -> None:
    """An event with a signature, and a signature in an unsigned record, are refused."""
    lines = lines_of(signed)
    at = next(k for k, line in enumerate(lines) if line["t"] == "event")
    lines[at]["s"] = lines[0]["s"]
    assert found(text(lines)) == (at + 1, "chain")
    plain = lines_of(play_coin(FAIR).record)
    plain[0]["s"] = lines[0]["s"]
    assert found(text(plain)) == (1, "chain")


CONCESSIONS: list[Json] = [{}, {"by": "machine"}, {"conceded": "A"}]


@pytest.mark.parametrize("at", [0, -1])
@pytest.mark.parametrize("blank", [" ", "\n", "\t"])
def test_a_signature_is_written_in_one_way(signed: bytes, at: int, blank: str) -> None:
    """Blanks between the digits of a signature, which no seal covers, are refused at their line."""
    lines = lines_of(signed)
    lines[at]["s"] = lines[at]["s"][:10] + blank + lines[at]["s"][10:]
    assert found(text(lines))[0] == (1 if at == 0 else len(lines))


@pytest.mark.parametrize(
    "fairness",
    [Fairness(b"x"), Fairness(bytes(33)), Fairness(SEED, (SEED,)), Fairness(SEED, (b"", b"")), Fairness(SEED, (SEED,) * 3)],
)
def test_seeds_and_numbers_have_256_bits(fairness: Fairness) -> None:
    """A seed that could be guessed, or the number of one player alone, proves nothing: the header is refused."""
    assert found(play_coin(fairness, KEY).record)[0] == 1


@pytest.mark.parametrize("more", CONCESSIONS)
@pytest.mark.parametrize("sealed_seed", [False, True])
def test_a_forged_concession_is_refused_after_any_check(more: Json, sealed_seed: bool) -> None:
    """A record cut after a check and ended by a concession nobody made is refused at that end."""
    lines = lines_of(play_coin(FAIR if sealed_seed else None).record)
    for at in [k for k, line in enumerate(lines) if line["t"] == "check"][:-1]:
        steps = sum(line["t"] == "step" for line in lines[: at + 1])
        end = {"t": "end", "winner": "B", "score": [0, 0], "rounds": 1, "end": "concede", "steps": steps}
        end |= {"dice": lines[at]["drawn"], **more} | ({"seed": SEED.hex()} if sealed_seed else {})
        line, kind = found(text(sealed([*lines[: at + 1], end])))
        assert (line, kind) == (at + 2, "command")


@pytest.mark.parametrize("why", ["refused", "steps"])
def test_a_machine_that_is_not_stuck_cannot_be_made_to_give_up(why: str) -> None:
    """A made-up line by which a machine gives up is refused: the rules take its default, and few steps were played."""
    lines = lines_of(play_coin().record)
    at = [k for k, line in enumerate(lines) if line["t"] == "answer"][2]
    line = {"t": "gave-up", "who": lines[at]["who"], "why": why}
    end = {"t": "end", "winner": "B", "score": [0, 0], "rounds": 1, "end": "concede", "steps": 1, "dice": 0, "by": "machine"}
    assert found(text(sealed([*lines[:at], line, end]))) == (at + 1, "answer")


def test_what_a_machine_gives_up_is_marked_and_verifies(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine refused even its default gives up in a line of its own, and the record says by whom it ended."""
    game, out = Game(COIN, coin_setup()), io.BytesIO()
    steps = dict(COIN.steps)

    def jammed(play: Any) -> None:
        if play.state.clock.round == 2:
            play.choose(1, "choose-option", "COIN-9", ("a", "b"), "c")
        steps["toss"](play)

    monkeypatch.setitem(COIN.steps, "toss", jammed)
    played = play_game(game, SEED, [Fickle(Stream(SEED)), Defaults()], Recorder(out, game, SEED))
    lines = lines_of(out.getvalue())
    assert (played.finished, lines[-2]["t"], lines[-2]["who"]) == (False, "gave-up", "B")
    assert (lines[-1]["by"], lines[-1]["winner"], lines[-1]["end"]) == ("machine", "A", "concede")
    assert verdict(out.getvalue()).verified


NOT_CANONICAL: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("spaces", lambda row: row.replace(b'":', b'": ', 1)),
    ("escapes", lambda row: row.replace(b'"t"', b'"\\u0074"', 1)),
    ("doubled key", lambda row: row.replace(b'{"t":', b'{"t":"x","t":', 1)),
    ("carriage return", lambda row: row + b"\r"),
    ("seal first", lambda row: msgspec.json.encode(dict(reversed(list(msgspec.json.decode(row).items()))))),
    ("trailing blank", lambda row: row + b" "),
]


@pytest.mark.parametrize(("name", "change"), NOT_CANONICAL)
@pytest.mark.parametrize("at", [0, 3, -1])
def test_other_bytes_for_the_same_content_are_refused(name: str, change: Callable[[bytes], bytes], at: int) -> None:
    """There is one way to write a line; any other is named as the chain, at that line, sealed or not."""
    rows = play_coin().record.splitlines()
    rows[at] = change(rows[at])
    line = at + 1 if at >= 0 else len(rows)
    assert found(b"\n".join(rows) + b"\n") == (line, "chain")


def test_every_line_with_a_carriage_return_and_blank_lines(signed: bytes) -> None:
    """A record saved with other line ends, or with a blank line at its end, is refused; one that lost its last byte is cut."""
    assert found(signed.replace(b"\n", b"\r\n")) == (1, "chain")
    rows = len(signed.splitlines())
    assert found(signed + b"\n") == (rows + 1, "chain")
    assert found(signed[:-1]) == (rows, "end")


def test_older_records_are_refused_with_the_reason() -> None:
    """A record of the first format says why it is not read."""
    old = play_coin().record.replace(b"rolloff.record/2", b"rolloff.record/1", 1)
    with pytest.raises(RecordError, match="older format") as refused:
        parse(old, "x")
    assert refused.value.code == "old-format"


def test_newer_records_are_not_called_none() -> None:
    """A record of a format to come says that another version is needed."""
    with pytest.raises(RecordError, match="does not know") as refused:
        parse(play_coin().record.replace(b"rolloff.record/2", b"rolloff.record/3", 1), "x")
    assert "newer" in str(refused.value.allowed)


def report(game: Game, state: State) -> Verdict:
    """What is found in a record of nothing but a beginning and an end, every seal and hash of it right."""
    fair = Fairness(SEED, practice=True)
    header = header_line(game, state, fair, ("Ann", "Ben"))
    return verdict(text(sealed([header, end_line(result_of(game, state), 0, 0, fair)])))


def test_a_game_that_was_never_played_is_refused() -> None:
    """A setup that is over already, and one of an edition that plays no games, tell of no game, whatever end they claim."""
    game = Game(COIN, coin_setup())
    start = game.start()
    over = msgspec.structs.replace(start, clock=msgspec.structs.replace(start.clock, phase=OVER))
    found = report(game, over)
    assert (found.verified, found.statement) == (False, "line 1: this game is over before it has begun")
    edition = next(edition for edition in map(registry.edition, registry.editions()) if not edition.steps)
    unplayed = Game(edition, Setup(edition.id, Table(), ()))
    found = report(unplayed, unplayed.start())
    assert not found.verified and "plays no whole games" in found.statement


def test_the_front_of_a_game_cannot_be_left_out_unsaid() -> None:
    """A record that begins in the middle of a game says so before anything else."""
    played, out = play_coin(), io.BytesIO()
    game, state = played.game, played.states[1]
    recorder, oracle = Recorder(out, game, SEED, state=state), Oracle(SeededDice(SEED), Defaults())
    while state.clock.phase != OVER:
        play = play_step(game, state, oracle)
        recorder.step(play, state)
        state = play.state
    recorder.end(state)
    assert verdict(out.getvalue()).statement.startswith("it tells of a game from the middle on")
    assert verdict(played.record).statement.startswith("the rules allow")


def test_reading_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files too large, packed or not, with too many or too long lines, and what is no file, are refused before any work."""
    header = play_coin().record.splitlines(keepends=True)[0]
    with pytest.raises(RecordError, match="no file"):
        load(Path("/dev/zero"))
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(RecordError, match="no file"):
        load(tmp_path / "pipe")
    with pytest.raises(RecordError, match="larger"):
        parse(header + b"{}\n" * record_lines.MOST_LINES, "x")
    monkeypatch.setattr(record_lines, "MOST_BYTES", 1 << 20)
    monkeypatch.setattr(record_lines, "LONGEST_LINE", 1 << 16)
    with pytest.raises(RecordError, match="larger"):
        parse(gzip.compress(bytes(1 << 22)), "x")
    with pytest.raises(RecordError, match="larger"):
        parse(header + b"[" * (1 << 17) + b"\n", "x")


def test_a_dispute_moves_no_die_of_the_game() -> None:
    """What is said rolls dice of a stream of its own, which tells nothing of the game's."""
    dice = SeededDice(SEED, 7)
    dice.apart("talk", 1).faces(100, "talk")
    assert dice.drawn == 7
    assert dice.apart("talk", 1).faces(60, "x") == dice.apart("talk", 1).faces(60, "x")
    assert len({dice.apart("talk", k).seed for k in range(9)} | {SEED}) == 10


def test_two_players_mix_their_numbers_by_promise_and_proof() -> None:
    """Nobody shows a number before both have promised theirs, and only what was promised is taken."""
    mixing, numbers = Mixing(), {"A": new_secret(), "B": new_secret()}
    mixing.promise("A", commitment(numbers["A"]))
    with pytest.raises(BadInput, match="both players"):
        mixing.show("A", numbers["A"].hex())
    with pytest.raises(BadInput, match="another"):
        mixing.promise("A", commitment(numbers["B"]))
    with pytest.raises(BadInput, match="no number"):
        mixing.promise("B", "sha256:short")
    with pytest.raises(BadInput, match="the other player has promised this number"):
        mixing.promise("B", commitment(numbers["A"]))
    mixing.promise("B", commitment(numbers["B"]))
    with pytest.raises(BadInput, match="not the number"):
        mixing.show("B", numbers["A"].hex())
    assert mixing.stage == "number"
    for side, number in numbers.items():
        mixing.show(side, number.hex())
    assert mixing.stage == "done"
    seeds = {Fairness(SEED, mixing.added).dice, Fairness(SEED, mixing.added[::-1]).dice, Fairness(SEED).dice}
    assert len(seeds) == 3


def test_keys_are_kept_for_their_owner(tmp_path: Path) -> None:
    """A key is made once, readable by its owner alone; a file without one is refused with a sentence."""
    key = private_key(tmp_path / "key")
    made = Signer(key)
    assert private_key(tmp_path / "key") == key
    assert (tmp_path / "key").stat().st_mode & 0o077 == 0
    assert is_key(made.public) and not is_key("ed25519:zz") and not is_key(None)
    assert signed_by(made.public, "x", made.sign("x")) and not signed_by(made.public, "y", made.sign("x"))
    (tmp_path / "bad").write_text("nonsense")
    for name in ("bad", "missing/key"):
        with pytest.raises(BadInput):
            private_key(tmp_path / name)


def test_a_key_is_there_when_it_is_whole(tmp_path: Path) -> None:
    """A disk that takes no byte of a new key leaves no file that is none; with room the key is made."""
    least, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, most))
    try:
        with pytest.raises(BadInput, match="too large"):
            private_key(tmp_path / "key")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (least, most))
    assert len(private_key(tmp_path / "key")) == 32


def test_a_refusal_outside_any_answer_leaves_no_end() -> None:
    """Where the rules themselves break down, no result is claimed, and the record does not verify."""
    game, out = Game(COIN, coin_setup()), io.BytesIO()

    class Broken(Defaults):
        def choose(self, request: Any, play: object) -> object:
            raise IllegalCommand("x", "COIN-1", "no", None)

    assert not play_game(game, SEED, [Broken(), Broken()], Recorder(out, game, SEED)).finished
    assert found(out.getvalue()) == (2, "end")


def test_what_follows_the_end_is_found_where_it_begins(signed: bytes) -> None:
    """The lines of another game after the end, seed and all, are refused at the first of them, not at their end."""
    other = play_coin(Fairness(bytes(32)), KEY).record
    tail = b"".join(row + b"\n" for row in other.splitlines()[1:])
    assert found(signed + tail)[0] == signed.count(b"\n") + 1


def test_a_last_line_that_is_mangled_is_named(signed: bytes) -> None:
    """A byte behind the last line, or one cut off it, is a difference at that line."""
    for other in (signed[:-1] + b"\x00\n", signed[:-2] + b"\n"):
        assert found(other) == (signed.count(b"\n"), "end")
