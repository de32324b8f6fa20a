"""What the owner of a data folder does with its battles: list, export, import, delete, back up and restore them."""

from __future__ import annotations

import gzip
import os
import time
import zlib
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated, Any

import msgspec
import sqlalchemy as sa
from msgspec import Struct

from rolloff.errors import BadInput
from rolloff.record.fairness import Fairness
from rolloff.record.lines import Line, load
from rolloff.record.signing import Signer, keep_key, private_key
from rolloff.record.verify import Replay, verify_lines
from rolloff.server.battle import OVER
from rolloff.server.catalogue import Library
from rolloff.server.folder import KEY, locked, make_folder
from rolloff.server.live import BattlePlan, read_plan, read_result
from rolloff.server.referee import Referee
from rolloff.server.seats import BOTH, INVITE, WATCH, hash_of, new_id, new_token
from rolloff.server.storage import BATTLES, HEAD, METADATA, TAPE, TOKENS, Storage, file_of
from rolloff.typed import convert

FORMAT = "rolloff.backup/1"
MOST_BYTES = 4 * 1024 * 1024 * 1024
"""No backup may be larger than this when unpacked."""
LONGEST_ROW = 128 * 1024 * 1024
"""No row of a backup is longer, in bytes: the longest hold a record."""

Json = dict[str, Any]


class Row(Struct):
    """A battle in the list of its keeper."""

    id: str
    title: str
    status: str
    made: int
    answers: int
    result: Json | None


@contextmanager
def storage_of(folder: Path, database: str = "", *, alone: bool = False) -> Iterator[Storage]:
    """The storage of a data folder; ``alone`` where no server may use it meanwhile."""
    make_folder(folder)
    if alone:
        with locked(folder), _opened(folder, database) as found:
            yield found
    else:
        with _opened(folder, database) as found:
            yield found


@contextmanager
def _opened(folder: Path, database: str) -> Iterator[Storage]:
    storage = Storage(database or file_of(folder))
    try:
        yield storage
    finally:
        storage.close()


def rows(storage: Storage) -> list[Row]:
    """Every battle, the newest first."""
    tapes = sa.select(TAPE.c.battle, sa.func.count().label("answers")).group_by(TAPE.c.battle).subquery()
    shown = (BATTLES.c[name] for name in ("id", "title", "status", "made", "result"))
    query = sa.select(*shown, tapes.c.answers).outerjoin(tapes, tapes.c.battle == BATTLES.c.id).order_by(BATTLES.c.made.desc())
    found = storage.wait(lambda c: c.execute(query).all())
    return [Row(row.id, row.title, row.status, row.made, row.answers or 0, read_result(row.result)) for row in found]


def _row(storage: Storage, id_: str) -> Any:
    found = storage.wait(lambda c: c.execute(sa.select(BATTLES).where(BATTLES.c.id == id_)).first())
    if found is None:
        from difflib import get_close_matches

        known = [row.id for row in rows(storage)]
        near = ", ".join(get_close_matches(id_, known, 1, 0.4)) or "one that rolloff battles list shows"
        raise BadInput("unknown-game", f"there is no battle {id_!r}", where="battle", allowed=near)
    return found


def export(storage: Storage, folder: Path, id_: str) -> bytes:
    """The record of a battle: the one that was kept at its end, or as far as it has come."""
    row = _row(storage, id_)
    if row.record is not None:
        return bytes(row.record)
    tape = storage.wait(
        lambda c: list(c.execute(sa.select(TAPE.c.entry).where(TAPE.c.battle == id_).order_by(TAPE.c.n)).scalars())
    )
    if not tape:
        raise BadInput("not-begun", f"battle {id_} has not begun", where="battle")
    referee = Referee(Library(), Signer(private_key(folder / KEY)))
    referee.open(read_plan(row.plan), tape)
    return referee.record(id_)


def import_record(storage: Storage, path: Path) -> str:
    """Keep a finished battle from its record; its id. `BadInput` if the record is not true."""
    lines = load(path)
    verdict = verify_lines(lines, path.name)
    if verdict.difference is not None:
        raise BadInput(
            "not-true", f"{path.name}: {verdict.difference.message}", where=path.name, allowed="a record that verifies"
        )
    plan = _plan_of(lines)
    entry = msgspec.json.encode([_written(line) for line in lines if line.type in ("answer", "talk")]).decode()
    end = {key: lines[-1].get(key) for key in ("winner", "score", "rounds", "end")}
    now = int(time.time())
    record = b"".join(line.raw + b"\n" for line in lines)
    row = {"id": plan.id, "made": now, "changed": now, "title": plan.title, "status": OVER, "listed": False, "mixing": "{}"}
    row |= {"plan": msgspec.msgpack.encode(plan), "result": msgspec.json.encode(end).decode(), "record": record}

    def write(c: sa.Connection) -> None:
        c.execute(sa.insert(BATTLES).values(**row))
        c.execute(sa.insert(TAPE).values(battle=plan.id, n=1, entry=entry))

    storage.wait(write)
    return plan.id


def _written(line: Line) -> Json:
    return {key: value for key, value in (line.found or {}).items() if key not in ("h", "s")}


def _plan_of(lines: list[Line]) -> BattlePlan:
    replay = Replay(lines)
    if not isinstance(replay.fairness, Fairness):
        raise BadInput("dice-entered", "a record of dice entered by hand cannot be kept as a battle", where="dice")
    replay.begin()
    names = lines[0].get("players")
    a, b = replay.game.setup.armies
    title = f"{replay.game.edition.name}: {a} against {b}"
    setup = msgspec.json.encode(lines[0].get("setup"))
    return BattlePlan(new_id(), title, setup, ("", ""), (names[0], names[1]), replay.fairness)


def delete(storage: Storage, id_: str) -> None:
    """Delete a battle for good."""
    _row(storage, id_)

    def write(c: sa.Connection) -> None:
        for table in (TAPE, TOKENS):
            c.execute(sa.delete(table).where(table.c.battle == id_))
        c.execute(sa.delete(BATTLES).where(BATTLES.c.id == id_))

    storage.wait(write)


def link(storage: Storage, id_: str, seat: str) -> str:
    """A new token for a seat, for whoever lost theirs; the old one opens nothing any more. The end of an address."""
    plan = read_plan(_row(storage, id_).plan)
    people = [side for side, machine in zip("AB", plan.machines, strict=True) if not machine]
    known = storage.wait(lambda c: list(c.execute(sa.select(TOKENS.c.seat).where(TOKENS.c.battle == id_)).scalars()))
    seats = [BOTH, WATCH] if BOTH in known else [*people, WATCH]
    if seat not in seats:
        raise BadInput("bad-seat", f"battle {id_} has no seat {seat!r}", where="--seat", allowed=", ".join(seats))
    token = new_token()

    def write(c: sa.Connection) -> None:
        mine = sa.and_(TOKENS.c.battle == id_, TOKENS.c.seat.in_((seat, INVITE + seat)))
        owner = bool(c.execute(sa.select(sa.func.count()).select_from(TOKENS).where(mine, TOKENS.c.owner)).scalar())
        if seat != WATCH:
            c.execute(sa.delete(TOKENS).where(mine))
        c.execute(sa.insert(TOKENS).values(hash=hash_of(token), battle=id_, seat=seat, owner=owner))

    storage.wait(write)
    return f"?game={id_}#{'watch' if seat == WATCH else 'seat'}={token}"


# Backups


def back_up(storage: Storage, folder: Path, out: Path) -> int:
    """Write every battle, with its tokens and its tape, and the signing key, into one file; how many battles."""
    if out.exists() and not out.is_file():
        raise BadInput("not-written", f"{out.name} is no file", where=out.name, allowed="a file")
    part = out.with_name(f"{out.name}.tmp")
    try:
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as raw:
            with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed:
                count = storage.wait(lambda c: _write_rows(c, packed, private_key(folder / KEY)))
            raw.flush()
            os.fsync(raw.fileno())
        part.replace(out)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise BadInput("not-written", f"{out.name} cannot be written: {error.strerror}", where=out.name) from None
    return count


def _write_rows(connection: sa.Connection, out: IO[bytes] | gzip.GzipFile, key: bytes) -> int:
    count = 0
    out.write(msgspec.json.encode({"format": FORMAT, "form": HEAD, "key": key}) + b"\n")
    for table in METADATA.sorted_tables:
        for row in connection.execute(sa.select(table)).mappings():
            out.write(
                msgspec.json.encode({"table": str(table.name), "row": {str(name): value for name, value in row.items()}})
                + b"\n"
            )
            count += table is BATTLES
    out.write(msgspec.json.encode({"end": count}) + b"\n")
    return count


def restore(storage: Storage, folder: Path, path: Path) -> int:
    """Put a backup back into a folder without battles, all of it or nothing; how many battles."""
    if rows(storage):
        raise BadInput("not-empty", "there are battles in this folder", where="--data", allowed="an empty folder")
    if not path.is_file():
        raise BadInput("unreadable", f"{path.name} is no file", where=path.name, allowed="a backup")
    with _reading(path.name), gzip.open(path) as packed:
        lines = _lines(packed, path.name)
        header = convert(next(lines, None), _Header)
        if (header.format, header.form) != (FORMAT, HEAD):
            message = f"{path.name} was made by another version (form {header.form[:20]}, this one reads {HEAD})"
            raise BadInput("other-form", message, where=path.name, allowed=FORMAT)
        count = storage.wait(lambda c: _read_rows(c, lines, path.name))
    keep_key(folder / KEY, header.key)
    return count


class _Header(Struct):
    """The first line of a backup."""

    format: str
    form: str
    key: Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]


@contextmanager
def _reading(name: str) -> Iterator[None]:
    """Whatever a file that is no backup leads to is said in a sentence."""
    try:
        yield
    except (OSError, EOFError, zlib.error, msgspec.MsgspecError, LookupError, TypeError, ValueError):
        raise BadInput("not-a-backup", f"{name} is no whole backup", where=name, allowed=FORMAT) from None


def _lines(packed: gzip.GzipFile, name: str) -> Iterator[Any]:
    """The lines of a backup; `BadInput` if they are too many or too long."""
    size = 0
    while raw := packed.readline(LONGEST_ROW):
        size += len(raw)
        if size > MOST_BYTES or len(raw) == LONGEST_ROW:
            raise BadInput("too-large", f"{name} is larger than a backup may be", where=name, allowed="4 GiB, 128 MiB in a row")
        yield msgspec.json.decode(raw)


def _read_rows(connection: sa.Connection, lines: Iterator[Any], name: str) -> int:
    count, ended = 0, False
    with _reading(name):
        for line in lines:
            if ended:
                raise ValueError(line)
            if "end" in line:
                ended = line["end"] == count
                continue
            table = METADATA.tables[line["table"]]
            row = {column: _read_value(table.columns[column], value) for column, value in dict(line["row"]).items()}
            connection.execute(sa.insert(table).values(**row))
            count += table is BATTLES
    if not ended:
        raise BadInput("not-a-backup", f"{name} is no whole backup", where=name, allowed=FORMAT)
    return count


def _read_value(column: sa.Column[Any], value: Any) -> Any:
    """A value of a backup as the column takes it: bytes are written in base 64."""
    return b64decode(value, validate=True) if isinstance(column.type, sa.LargeBinary) and value is not None else value
