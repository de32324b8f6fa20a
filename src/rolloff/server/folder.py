"""The data folder: where it is, and the lock that keeps a second server out of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rolloff.errors import BadInput

LOCK = "server.lock"
KEY = "signing.key"


def usual_folder() -> Path:
    """Where battles are kept unless somebody says otherwise: ROLLOFF_DATA, else the platform's place for a user's data."""
    named = os.environ.get("ROLLOFF_DATA")
    if named:
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "rolloff"
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/rolloff"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "rolloff"


def make_folder(folder: Path) -> None:
    """Make the folder, for its owner alone; `BadInput` if it cannot be made or written to."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        trial = folder / f".trial-{os.getpid()}"
        trial.write_bytes(b"x")
        trial.unlink()
    except OSError as error:
        message = f"battles cannot be kept in {folder.name}: {(error.strerror or 'it is no folder').lower()}"
        raise BadInput("bad-folder", message, where="--data", allowed="a folder that can be written to") from None


def _take(handle: int) -> bool:
    """Take the lock of an open file, if nobody has it; it goes with the process, however that ends."""
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder; `BadInput` if another process does."""
    path = folder / LOCK
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise BadInput("bad-folder", f"{path.name}: {error.strerror}", where="--data") from None
    try:
        if not _take(handle):
            who = os.read(handle, 20).decode("ascii", "replace").strip()
            message = f"another server uses this folder already (process {who or 'unknown'})"
            raise BadInput("folder-in-use", message, where="--data", allowed="stop that server, or name another folder")
        os.ftruncate(handle, 0)
        os.write(handle, str(os.getpid()).encode())
        yield
    finally:
        os.close(handle)
