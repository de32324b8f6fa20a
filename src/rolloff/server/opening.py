"""Opening a server's hall over its data folder: the lock, the key, the storage and the workers, and closing them again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from rolloff.errors import BadInput
from rolloff.record.signing import private_key
from rolloff.server.folder import KEY, locked, make_folder
from rolloff.server.hall import Catalogue, Hall
from rolloff.server.storage import Storage, file_of
from rolloff.server.workers import Workers

MOST_WORKERS = 4


def usual_workers() -> int:
    """A worker for each core, within reason."""
    return max(1, min(MOST_WORKERS, os.cpu_count() or 1))


@contextmanager
def open_hall(catalogue: Catalogue, folder: Path, database: str = "", workers: int | None = None) -> Iterator[Hall]:
    """The hall of a data folder; a database elsewhere may be named by its address.

    Raises:
        BadInput: the folder cannot be used, or another server uses it.
        StorageError: the database cannot be used.
    """
    with ExitStack() as stack:
        make_folder(folder)
        stack.enter_context(locked(folder))
        key = private_key(folder / KEY)
        storage = Storage(database or file_of(folder))
        stack.callback(storage.close)
        if not stack.enter_context(storage.locked()):
            raise BadInput("folder-in-use", f"another server uses {storage.name} already", where="--database")
        found = Workers(usual_workers() if workers is None else workers, catalogue, key)
        stack.callback(found.close)
        yield Hall(catalogue, storage, found)
