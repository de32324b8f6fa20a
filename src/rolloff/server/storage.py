"""Where battles are kept: the tables, how they are opened and migrated, and writes that are durable before they count.

A battle is its row, the tokens of its seats and its tape: what was answered, entry by entry. One thread does all writing;
writes that wait while another is under way become durable together. A second looks things up meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from rolloff.errors import RolloffError

HEAD = "0001"
"""The newest migration in ``migrations``."""
FILE = "battles.sqlite"
TOGETHER = 64
"""So many waiting writes become durable in one go at most."""
PATIENCE = 3.0
"""Seconds to wait for the lock of a database."""

T = TypeVar("T")
_log = logging.getLogger(__name__)

METADATA = sa.MetaData()
BATTLES = sa.Table(
    "battles",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("made", sa.BigInteger, nullable=False),
    sa.Column("changed", sa.BigInteger, nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),
    sa.Column("plan", sa.LargeBinary, nullable=False),
    sa.Column("mixing", sa.Text, nullable=False),
    sa.Column("result", sa.Text, nullable=True),
    sa.Column("record", sa.LargeBinary, nullable=True),
)
TOKENS = sa.Table(
    "tokens",
    METADATA,
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("battle", sa.String(32), sa.ForeignKey("battles.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("seat", sa.String(16), nullable=False),
    sa.Column("owner", sa.Boolean, nullable=False),
)
TAPE = sa.Table(
    "tape",
    METADATA,
    sa.Column("battle", sa.String(32), sa.ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("entry", sa.Text, nullable=False),
)


class StorageError(RolloffError):
    """What was asked for could not be kept, so it did not happen."""


def _why(error: Exception) -> str:
    """The database's own reason in a few words."""
    reason = str(error.orig) if isinstance(error, DBAPIError) and error.orig is not None else str(error)
    return reason.strip().splitlines()[0][:200] if reason.strip() else type(error).__name__


def trouble(error: Exception, where: str) -> StorageError:
    """A sentence for something the database would not do."""
    return StorageError("not-kept", f"{where}: {_why(error)}; nothing was changed", where=where)


def file_of(folder: Path) -> str:
    """The address of the database in a data folder."""
    return f"sqlite:///{folder / FILE}"


def _read_url(url: str) -> sa.URL:
    """The address of a database; `StorageError` for any that is neither SQLite's nor PostgreSQL's."""
    with suppress(SQLAlchemyError, ValueError):
        found = sa.engine.make_url(url)
        if found.get_backend_name() in ("sqlite", "postgresql"):
            return found
    kind = url.partition(":")[0][:40]
    message = f"{kind!r} is no kind of database that battles can be kept in"
    raise StorageError("bad-database", message, where="--database", allowed="postgresql://user@host/name")


def shown(url: str) -> str:
    """An address as people may see it: a file's name, or a server without its password."""
    found = _read_url(url)
    return (
        Path(found.database or "").name if found.get_backend_name() == "sqlite" else found.render_as_string(hide_password=True)
    )


def _engine(url: str) -> sa.Engine:
    found = _read_url(url)
    if found.get_backend_name() != "sqlite":
        return sa.create_engine(found.set(drivername="postgresql+psycopg"), pool_size=2, pool_pre_ping=True)
    engine = sa.create_engine(found, poolclass=sa.pool.SingletonThreadPool)

    @sa.event.listens_for(engine, "connect")
    def _set_up(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # the driver begins nothing by itself: it would leave the making of tables out
        for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
            connection.execute(f"PRAGMA {setting}")

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    return engine


def migrate(connection: sa.Connection) -> None:
    """Bring the tables to the newest form. `StorageError` if they were made by a newer version."""
    known = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar() if _versioned(connection) else None
    if known == HEAD:
        return
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    try:
        if known is not None:
            ScriptDirectory.from_config(config).get_revision(known)
    except CommandError:
        message = f"these battles were kept by a newer version of Rolloff (form {known}, this one knows {HEAD})"
        raise StorageError("newer-form", message, where="data", allowed="a newer Rolloff, or another --data") from None
    command.upgrade(config, "head")


def _take_within(seconds: float, connection: sa.Connection) -> bool:
    """Take the lock of the database, if it is free within so many seconds."""
    until = time.monotonic() + seconds
    query = sa.text("SELECT pg_try_advisory_lock(20610001)")
    while not (free := bool(connection.execute(query).scalar())) and time.monotonic() < until:
        time.sleep(0.1)
    return free


def _versioned(connection: sa.Connection) -> bool:
    return bool(sa.inspect(connection).has_table("alembic_version"))


class _Clerk:
    """A thread with a connection of its own that does all it is given in order; what waits is done in one transaction."""

    def __init__(self, engine: sa.Engine, name: str) -> None:
        self.done = 0
        self._engine = engine
        self._name = name
        self._queue: queue.SimpleQueue[tuple[Callable[[sa.Connection], Any], Future[Any]] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def put(self, work: Callable[[sa.Connection], T]) -> Future[T]:
        future: Future[T] = Future()
        self._queue.put((work, future))
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="storage", daemon=True)
            self._thread.start()
        return future

    def leave(self) -> None:
        """Finish what is under way and end."""
        self._queue.put(None)
        if self._thread is not None:
            self._thread.join(10)

    def _run(self) -> None:
        while (first := self._queue.get()) is not None:
            batch = [first]
            while len(batch) < TOGETHER and not self._queue.empty():
                following = self._queue.get()
                if following is None:
                    self._commit(batch)
                    return
                batch.append(following)
            self._commit(batch)

    def _commit(self, batch: list[tuple[Callable[[sa.Connection], Any], Future[Any]]]) -> None:
        """All of a batch in one transaction; if it fails, each by itself, so that one cannot spoil another."""
        try:
            with self._engine.begin() as connection:
                found = [work(connection) for work, _ in batch]
        except Exception as error:  # noqa: BLE001  (whatever it is, whoever waits must hear of it)
            if len(batch) > 1:
                for one in batch:
                    self._commit([one])
                return
            known = isinstance(error, RolloffError)
            batch[0][1].set_exception(error if known else trouble(error, self._name))
            if not isinstance(error, RolloffError | SQLAlchemyError):
                _log.exception("a fault while working on %s", self._name)
            return
        self.done += 1
        for (_, future), value in zip(batch, found, strict=True):
            future.set_result(value)


class Storage:
    """An open database. `do` runs work on it in its own thread and returns when it is durable."""

    def __init__(self, url: str) -> None:
        """Open, check and migrate; `StorageError` if the database cannot be used."""
        self.url = url
        self.name = shown(url)
        try:
            self._engine = _engine(url)
            with self._engine.begin() as connection:
                migrate(connection)
                connection.execute(sa.select(sa.func.count()).select_from(BATTLES)).scalar()
                self._check(connection)
        except SQLAlchemyError as error:
            raise self._unusable(error) from None
        except ModuleNotFoundError:
            message = "PostgreSQL needs a driver: pip install 'rolloff[postgresql]'"
            raise StorageError("no-driver", message, where="data") from None
        self._writing = _Clerk(self._engine, self.name)
        self._looking = _Clerk(self._engine, self.name)

    def _check(self, connection: sa.Connection) -> None:
        if self._engine.dialect.name == "sqlite":
            found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
            if found != "ok":
                raise self._unusable(SQLAlchemyError(str(found)))

    def _unusable(self, error: Exception) -> StorageError:
        message = f"{self.name} cannot be used: {_why(error)}; nothing was changed"
        return StorageError(
            "storage", message, where=self.name, allowed="another --data, or a backup put back by rolloff battles restore"
        )

    async def do(self, work: Callable[[sa.Connection], T]) -> T:
        """Do work on the database; when this returns it is durable. `StorageError` if it is not."""
        return await asyncio.wrap_future(self._writing.put(work))

    async def look(self, work: Callable[[sa.Connection], T]) -> T:
        """Only look something up, without a wait for what is being written."""
        return await asyncio.wrap_future(self._looking.put(work))

    def wait(self, work: Callable[[sa.Connection], T]) -> T:
        """As `do`, for those who may wait."""
        return self._writing.put(work).result()

    @property
    def writes(self) -> int:
        """How often something was made durable."""
        return self._writing.done

    @contextmanager
    def locked(self) -> Iterator[bool]:
        """A lock in the database against a second server, where it is not a file; whether it was free.

        The lock of a server that was killed is free as soon as the database notices, which may take a moment.
        """
        if self._engine.dialect.name != "postgresql":
            yield True
            return
        with self._engine.connect() as connection:
            yield _take_within(PATIENCE, connection)

    def close(self) -> None:
        """Finish what is under way and let go."""
        self._writing.leave()
        self._looking.leave()
        self._engine.dispose()
