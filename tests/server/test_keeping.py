"""`rolloff battles`: what the owner of a data folder does with its battles."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from rolloff.cli import run
from rolloff.lab.duel import Match, play_row
from rolloff.record.verify import verify
from rolloff.server import keeping
from rolloff.server.catalogue import Library
from rolloff.server.folder import KEY, usual_folder
from rolloff.server.opening import open_hall
from rolloff.server.seats import new_id
from rolloff.server.storage import FILE
from tests.server.conftest import coins_at, served

Battles = Callable[..., tuple[int, str, str]]
WISH = {"edition": "onepage-3.0", "army_a": "compact-patrol", "army_b": "levy-patrol", "table": "crossing", "opponent": "self"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder."""
    return tmp_path / "data"


@pytest.fixture
def battles(folder: Path, capsys: pytest.CaptureFixture[str]) -> Battles:
    """The command on that folder: exit code, output, errors."""

    def said(*words: str, data: Path = folder) -> tuple[int, str, str]:
        code = run(["battles", *words, "--data", str(data)])
        found = capsys.readouterr()
        return code, found.out, found.err

    return said


def played(folder: Path, answers: int) -> tuple[str, str]:
    """A battle of which so many questions were answered; its id and the token of its seat."""
    with coins_at(folder, Library()) as table:
        game = table.start(**WISH)
        with table.sit(game, "both") as seat:
            message = seat.heard()
            for _ in range(answers):
                message = seat.answer(message["request"]["default"])
        return game, table.tokens[game]["both"]


def test_listing_exporting_and_deleting(folder: Path, battles: Battles, tmp_path: Path) -> None:
    """A battle under way is listed, exported as far as it has come, and gone when it is deleted."""
    game, _ = played(folder, 3)
    code, out, _ = battles("list", "--json")
    rows = msgspec.json.decode(out)["rows"]
    assert (code, rows[0]["id"], rows[0]["status"], rows[0]["answers"]) == (0, game, "open", 4)
    assert game in battles("list")[1]
    out_file = tmp_path / "out.jsonl"
    assert battles("export", game, "--out", str(out_file))[0] == 0
    report = verify(out_file).difference
    assert report is not None and report.kind == "end"
    assert battles("export", "nothing")[0] == 2
    code, _, said = battles("export", game, "--out", "/proc/nowhere.jsonl")
    assert (code, "nowhere.jsonl cannot be written" in said) == (2, True)
    assert battles("delete", game)[0] == 0
    assert battles("list")[1] == "No battles are kept here.\n"
    assert battles("delete", game)[0] == 2


def test_importing_a_record(folder: Path, battles: Battles, tmp_path: Path) -> None:
    """A record that verifies is kept and can be looked at; a forged one is refused and nothing is kept."""
    match = Match("onepage-3.0", ("random", "random"), ("compact-patrol", "levy-patrol"), "crossing", record=str(tmp_path))
    file = tmp_path / str(play_row(match, 0)["record"])
    code, out, _ = battles("import", str(file))
    assert code == 0
    game = out.rsplit(" ", 1)[1].strip()
    assert battles("export", game, "--out", str(tmp_path / "again.jsonl"))[0] == 0
    assert (tmp_path / "again.jsonl").read_bytes() == file.read_bytes()
    link = battles("link", game, "--seat", "watch")[1].rsplit("=", 1)[1].strip()
    with open_hall(Library(), folder, workers=0) as hall, served(hall) as table, table.sit(game, token=link) as seat:
        hello = seat.heard()
        assert hello["over"] and len(hello["log"]) > 100
    file.write_bytes(file.read_bytes().replace(b'"winner":"', b'"winner":"x', 1))
    code, _, errors = battles("import", str(file))
    assert (code, "does not end like this" in errors or "line" in errors) == (2, True)
    assert len(msgspec.json.decode(battles("list", "--json")[1])["rows"]) == 1


def test_a_new_link_for_a_lost_seat(folder: Path, battles: Battles) -> None:
    """The new token opens the seat, the old one nothing; a seat that is not there is refused."""
    game, old = played(folder, 1)
    code, out, _ = battles("link", game, "--seat", "both")
    token = out.rsplit("=", 1)[1].strip()
    assert (code, battles("link", game, "--seat", "B")[0]) == (0, 2)
    with coins_at(folder, Library()) as table:
        with table.sit(game, token=token) as seat:
            hello = seat.heard()
            assert (hello["seat"], hello["owner"]) == ("both", True)
        with table.sit(game, token=old) as seat:
            assert seat.heard()["code"] == "no-seat"


def test_backup_and_restore(folder: Path, battles: Battles, tmp_path: Path) -> None:
    """A backup put back into an empty folder brings every battle, seat and key back; the battle goes on there."""
    game, token = played(folder, 3)
    file, fresh = tmp_path / "backup.gz", tmp_path / "fresh"
    assert battles("backup", str(file))[:2] == (0, "backup.gz: 1 battles\n")
    assert file.stat().st_mode & 0o077 == 0
    assert battles("restore", str(file))[0] == 2
    assert battles("restore", str(file), data=fresh)[:2] == (0, "1 battles are back\n")
    assert (fresh / KEY).read_bytes() == (folder / KEY).read_bytes()
    with coins_at(fresh, Library()) as table, table.sit(game, token=token) as seat:
        message = seat.heard()
        assert seat.answer(message["request"]["default"])["type"] == "events"


def test_half_a_backup_changes_nothing(folder: Path, battles: Battles, tmp_path: Path) -> None:
    """A backup that is cut, or none at all, is refused, and the folder stays empty."""
    played(folder, 1)
    whole, fresh = tmp_path / "backup.gz", tmp_path / "fresh"
    battles("backup", str(whole))
    rows = gzip.decompress(whole.read_bytes()).splitlines(keepends=True)
    for raw in (gzip.compress(b"".join(rows[:-1])), whole.read_bytes()[:-20], b"nonsense", gzip.compress(b'{"format":"x"}\n')):
        (tmp_path / "bad.gz").write_bytes(raw)
        assert battles("restore", str(tmp_path / "bad.gz"), data=fresh)[0] == 2
        assert battles("list", data=fresh)[1] == "No battles are kept here.\n"


HOSTILE = (
    b"[]",
    b"7",
    b'{"format":"rolloff.backup/1","form":"0001","key":"eA=="}',
    b'{"format":1}',
    b"{}\n[]",
    b"%H\n[]",
    b"%H\n7",
    b'%H\n{"table":"alembic_version","row":{"version_num":"9"}}\n{"end":0}',
    b'%H\n{"table":"battles","row":{"nothing":1}}\n{"end":1}',
    b'%H\n{"table":"battles","row":[1]}\n{"end":1}',
    b'%H\n{"table":"battles","row":{"id":{}}}\n{"end":1}',
    b'%H\n{"table":"battles","row":{"id":"x","plan":7}}\n{"end":1}',
    b'%H\n{"end":"x"}',
    b'%H\n{"end":0}\n{"end":0}',
)
"""What somebody might pass off as a backup; %H stands for a true header."""


@pytest.mark.parametrize("raw", HOSTILE)
def test_no_hostile_backup_leaves_a_trace(
    battles: Battles, tmp_path: Path, raw: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """One sentence, no log of a fault, and neither battles nor a key are left in the folder."""
    header = msgspec.json.encode({"format": "rolloff.backup/1", "form": "0001", "key": bytes(32)})
    (tmp_path / "bad.gz").write_bytes(gzip.compress(raw.replace(b"%H", header)))
    code, _, said = battles("restore", str(tmp_path / "bad.gz"))
    assert (code, len(said.splitlines()), caplog.records) == (2, 1, [])
    assert battles("list")[1] == "No battles are kept here.\n"
    assert not (tmp_path / "data" / KEY).exists()


def test_only_files_are_backups(battles: Battles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither is a pipe waited for or written over, nor does a row that unpacks for ever take the memory."""
    os.mkfifo(tmp_path / "pipe")
    assert battles("restore", str(tmp_path / "pipe"))[::2] == (2, "pipe is no file (allowed: a backup)\n")
    assert battles("backup", str(tmp_path / "pipe"))[::2] == (2, "pipe is no file (allowed: a file)\n")
    assert (tmp_path / "pipe").is_fifo()
    monkeypatch.setattr(keeping, "LONGEST_ROW", 2**20)
    (tmp_path / "bomb.gz").write_bytes(gzip.compress(b" " * 2**22))
    code, _, said = battles("restore", str(tmp_path / "bomb.gz"))
    assert code == 2 and "larger than a backup may be" in said


def test_what_must_not_happen_under_a_server(folder: Path, battles: Battles, tmp_path: Path) -> None:
    """While a server runs, battles are listed and backed up but not deleted or restored."""
    with coins_at(folder) as table:
        game = table.start()
        assert battles("list")[0] == battles("backup", str(tmp_path / "b.gz"))[0] == 0
        code, _, errors = battles("delete", game)
        assert (code, "another server uses this folder" in errors) == (2, True)


def test_where_battles_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The folder is named by ROLLOFF_DATA, else it is the platform's place for a user's data."""
    monkeypatch.setenv("ROLLOFF_DATA", str(tmp_path))
    assert usual_folder() == tmp_path
    monkeypatch.delenv("ROLLOFF_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert usual_folder() in (tmp_path / "rolloff", usual_folder())


def test_a_corrupt_database_is_said_by_the_command(folder: Path, battles: Battles) -> None:
    """The command says what is wrong in a sentence, without a traceback."""
    folder.mkdir()
    (folder / FILE).write_bytes(b"no database at all" * 300)
    code, _, errors = battles("list")
    assert code == 2 and "cannot be used" in errors and "Traceback" not in errors


def test_a_battle_is_never_named_like_an_option() -> None:
    """A thousand names of battles: none begins with a dash, which a command line would take for an option."""
    names = {new_id() for _ in range(1000)}
    assert len(names) == 1000
    assert all(name.isalnum() for name in names)
