"""Battles outlive the server: kills at random moments, restarts, resync, and disks that take no more."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import op

from rolloff.errors import BadInput
from rolloff.server import hall as hall_module
from rolloff.server.folder import make_folder
from rolloff.server.opening import open_hall
from rolloff.server.storage import BATTLES, FILE, HEAD, METADATA, TAPE, Storage, StorageError, file_of
from tests.server.coinflip import Coins
from tests.server.conftest import Table, coins_at, prepare, report
from tests.server.killing import any_seed, survive


@pytest.mark.parametrize(("seed", "opponent"), [(1, "default"), (2, "self")])
def test_kills_at_random_moments_lose_nothing(tmp_path: Path, seed: int, opponent: str) -> None:
    """After each of 25 kills everything acknowledged is there once, the battle goes on, and its record verifies."""
    found = survive(tmp_path, 25, seed, 0.05, {"opponent": opponent})
    assert found["kills"] == 25
    assert found["battles"] > 1 and found["acknowledged"] > 20


@pytest.mark.soak
@pytest.mark.parametrize("workers", [0, 2])
def test_many_kills_lose_nothing(tmp_path: Path, workers: int) -> None:
    """500 kills of coin flips, and 500 of battles against the usual opponent with workers, at other moments in every run."""
    wish = {"opponent": "greedy", "army_a": "compact-patrol", "army_b": "levy-patrol", "table": "crossing"}
    how: dict[str, Any] = {"workers": workers, "catalogue": "library"} if workers else {}
    found = survive(tmp_path, 500, any_seed(), 0.3 if workers else 0.05, wish if workers else {}, **how)
    report(f"kills with {workers} workers: {found}")
    assert found["kills"] == 500 and found["acknowledged"] > 500


@pytest.mark.soak
def test_kills_over_postgresql(tmp_path: Path, postgresql: str) -> None:
    """The same with PostgreSQL, on the same code path: 500 kills."""
    found = survive(tmp_path, 500, any_seed(), 0.05, {"opponent": "default"}, database=postgresql)
    report(f"kills over PostgreSQL: {found}")
    assert found["battles"] > 1 and found["acknowledged"] > 500


def test_a_restart_brings_back_the_open_question(tmp_path: Path) -> None:
    """The same id, the same question with the same serial, the same log; and what a page has not seen yet, no more."""
    with coins_at(tmp_path) as table:
        game = table.start(seed=None)
        with table.sit(game) as seat:
            seat.heard()
            before = seat.answer("heads")
    with coins_at(tmp_path) as again:
        again.tokens = table.tokens
        with again.sit(game) as seat:
            hello = seat.heard()
            assert hello["request"] == before["request"]
            seen = hello["seq"] - 1
        with again.sit(game, seen=seen) as seat:
            rest = seat.heard()
            assert (rest["type"], len(rest["events"]), rest["request"]) == ("events", 1, before["request"])
            assert rest["events"] == hello["log"][seen:]


def test_a_battle_with_many_others_is_let_go_and_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing live is evicted: battles beyond those held in memory are played on when somebody comes back to them."""
    monkeypatch.setattr(hall_module, "MOST_HELD", 3)
    with coins_at(tmp_path) as table:
        games = [table.start(opponent="self") for _ in range(8)]
        for game in games:
            with table.sit(game, "both") as seat:
                seat.heard()
                assert seat.answer("heads")["request"]["kind"] == "move"
        for game in games:
            with table.sit(game, "both") as seat:
                assert seat.heard()["request"]["kind"] == "move"


def test_finished_battles_are_kept_listed_and_exportable(tmp_path: Path) -> None:
    """After a restart a finished battle is among its owner's, and its record is the one that was written."""
    with coins_at(tmp_path) as table:
        game = table.start(opponent="self")
        with table.sit(game, "both") as seat:
            message = seat.heard()
            while message["over"] is None:
                message = seat.answer(message["request"]["default"])
        record = table.get(game, "/record").content
    with coins_at(tmp_path) as again:
        mine = again.client.post("/api/games/mine", json={"tokens": [table.tokens[game]["both"]]}).json()["games"]
        assert [(row["id"], row["over"], row["owner"]) for row in mine] == [(game, True, True)]
        again.tokens = table.tokens
        assert again.get(game, "/record").content == record


def test_a_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    """If the process that plays is killed, the next answer wakes another, and nothing is lost."""
    with coins_at(tmp_path, workers=1) as table:
        game = table.start(opponent="self")
        with table.sit(game, "both") as seat:
            seat.heard()
            before = seat.answer("heads")
            children = subprocess.run(["pgrep", "-P", str(os.getpid())], capture_output=True, text=True, check=False)
            workers = [pid for pid in children.stdout.split() if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
            assert workers
            for pid in workers:
                os.kill(int(pid), 9)
            after = seat.answer("stay")
            assert after["type"] == "events" and after["request"]["serial"] == before["request"]["serial"] + 1


# What goes wrong is said in a sentence


def test_a_second_server_is_told_who_has_the_folder(tmp_path: Path) -> None:
    """The folder is locked while a server uses it, and free when it is gone."""
    prepare(tmp_path)
    second = open_hall(Coins(), tmp_path, workers=0)
    said = rf"another server uses this folder already \(process {os.getpid()}"
    with open_hall(Coins(), tmp_path, workers=0), pytest.raises(BadInput, match=said), second:
        pass
    with open_hall(Coins(), tmp_path, workers=0):
        pass


@pytest.mark.parametrize("harm", ["garbage", "cut", "newer"])
def test_a_database_that_cannot_be_used_is_left_alone(tmp_path: Path, harm: str) -> None:
    """A corrupt database, or one of a newer version, is refused with a sentence, and not a byte of it is changed."""
    prepare(tmp_path)
    path = tmp_path / FILE
    raw = path.read_bytes()
    if harm == "garbage":
        path.write_bytes(raw[:4096] + b"\xff" * 4096 + raw[8192:])
    elif harm == "cut":
        path.write_bytes(raw[: len(raw) // 2])
    else:
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.close()
    before = path.read_bytes()
    with pytest.raises(StorageError, match=r"nothing was changed|newer version") as refused:
        Storage(file_of(tmp_path))
    assert "Traceback" not in refused.value.message
    assert path.read_bytes() == before


def test_migrations_make_the_tables_that_are_used(tmp_path: Path) -> None:
    """The steps of the migrations lead to the very tables the code knows, and the newest is the one it names."""
    from alembic.autogenerate import compare_metadata
    from alembic.runtime.migration import MigrationContext

    storage = Storage(file_of(tmp_path))

    def compare(connection: Any) -> tuple[list[Any], str | None]:
        context = MigrationContext.configure(connection)
        return compare_metadata(context, METADATA), context.get_current_revision()

    assert storage.wait(compare) == ([], HEAD)
    storage.close()


def test_a_first_start_that_breaks_off_is_begun_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are made all or none: a server that is killed while it makes them finds nothing in its way the next time."""
    make = op.create_table

    def break_off(name: str, *columns: Any) -> Any:
        if name == "tape":
            raise KeyboardInterrupt
        return make(name, *columns)

    with monkeypatch.context() as patch:
        patch.setattr(op, "create_table", break_off)
        with pytest.raises(KeyboardInterrupt):
            Storage(file_of(tmp_path))
    storage = Storage(file_of(tmp_path))
    assert storage.wait(lambda c: sa.inspect(c).has_table("tape"))
    storage.close()


def test_a_folder_that_cannot_be_written_to(tmp_path: Path) -> None:
    """A read-only folder is named with the reason, to whoever may not write everywhere anyhow."""
    tmp_path.chmod(0o500)
    plain = os.geteuid()
    if plain == 0:
        os.seteuid(65534)
    try:
        with pytest.raises(BadInput, match=r"cannot be kept .* permission denied"):
            make_folder(tmp_path)
    finally:
        os.seteuid(plain)
        tmp_path.chmod(0o700)


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    """A file where the folder should be is named with the reason."""
    (tmp_path / "file").write_text("x")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(BadInput, match="cannot be kept"):
            make_folder(folder)


@pytest.mark.parametrize("address", ["nonsense", "mysql://x/y", "://", "oracle+x://"])
def test_an_address_of_no_database_is_refused(tmp_path: Path, address: str) -> None:
    """Only SQLite and PostgreSQL keep battles; any other address is named with what would be right."""
    with pytest.raises(StorageError) as refused, open_hall(Coins(), tmp_path, address, workers=0):
        pass
    assert refused.value.code == "bad-database" and "postgresql://" in str(refused.value.allowed)


HARMS = {
    "plan": sa.update(BATTLES).values(plan=b"\xff\x00nonsense"),
    "numbers": sa.update(BATTLES).values(mixing="nonsense"),
    "no JSON": sa.update(TAPE).values(entry="nonsense"),
    "no list": sa.update(TAPE).values(entry="7"),
    "no answers": sa.update(TAPE).values(entry="[7]"),
    "nothing to take back": sa.update(TAPE).values(entry='[{"t":"back"}]'),
}
"""What a failing disk may make of a battle that the database itself cannot notice."""


@pytest.mark.parametrize("harm", HARMS)
def test_a_damaged_battle_is_said_and_harms_no_other(tmp_path: Path, harm: str, caplog: pytest.LogCaptureFixture) -> None:
    """Whoever comes back to it is told in a sentence, without a log of a fault; other battles go on, and lists are made."""
    with coins_at(tmp_path) as table:
        broken, sound = table.start(opponent="self"), table.start(opponent="self")
        column = BATTLES.c.id if HARMS[harm].table is BATTLES else TAPE.c.battle
        table.hall.storage.wait(lambda c: c.execute(HARMS[harm].where(column == broken)))
        table.hall.storage.wait(lambda c: c.execute(sa.update(BATTLES).where(BATTLES.c.id == broken).values(result="nonsense")))
    with coins_at(tmp_path) as again:
        again.tokens = table.tokens
        reply = again.get(broken, seat="both")
        assert (reply.status_code, reply.json()["error"]["code"]) == (503, "damaged")
        with again.sit(broken, "both") as seat:
            assert "is damaged" in seat.heard()["message"]
        tokens = [one["both"] for one in again.tokens.values()]
        assert len(again.client.post("/api/games/mine", json={"tokens": tokens}).json()["games"]) == 2
        with again.sit(sound, "both") as seat:
            seat.heard()
            assert seat.answer("heads")["type"] == "events"
    assert not caplog.records


def fill_up(connection: Any) -> None:
    """Let the database take not a page more, as a full disk would."""
    pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
    connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")


def test_a_full_disk_refuses_the_answer_and_loses_nothing(tmp_path: Path) -> None:
    """What cannot be kept has not happened: the player is told why, the question stands, and with room it goes on."""
    with coins_at(tmp_path) as table:
        game = table.start(opponent="self")
        table.hall.storage.wait(fill_up)
        with table.sit(game, "both") as seat:
            message = seat.heard()
            answers = 0
            while True:
                reply = seat.ask(type="answer", value=message["request"]["default"], serial=message["request"]["serial"])
                if reply["type"] == "error":
                    break
                answers, message = answers + 1, reply
                if reply["over"] is not None:
                    pytest.skip("the whole battle fitted into the room that was left")
            assert "database or disk is full" in reply["message"] and "nothing was changed" in reply["message"]
            table.hall.storage.wait(lambda c: c.exec_driver_sql("PRAGMA max_page_count=100000"))
            reply = seat.ask(type="answer", value=message["request"]["default"], serial=message["request"]["serial"])
            assert reply["type"] == "events" and reply["seq"] > message.get("seq", 0)
        with table.sit(game, "both") as seat:
            assert seat.heard()["seq"] == reply["seq"]


def test_a_start_on_a_full_disk_leaves_nothing(table: Table) -> None:
    """A battle that cannot be kept is not started, and the reason is said with 503."""
    table.start()
    table.hall.storage.wait(fill_up)
    wish = {"opponent": "self", "seed": 1}
    replies = (table.client.post("/api/games", json=wish) for _ in range(200))
    reply = next(reply for reply in replies if reply.status_code != 201)
    assert (reply.status_code, "full" in reply.json()["error"]["message"]) == (503, True)
