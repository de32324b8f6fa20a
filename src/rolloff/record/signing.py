"""Signatures: a server signs the records it keeps with an Ed25519 key of its own."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from rolloff.errors import BadInput

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SCHEME = "ed25519:"
SIGNED = ("header", "check", "end")
"""The types of lines that are signed."""


class Signer:
    """A key that signs seals. The same seal gives the same signature, so that a record is the same bytes again."""

    def __init__(self, private: bytes) -> None:
        """Take the 32 bytes of the private key."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        self._key: Ed25519PrivateKey = Ed25519PrivateKey.from_private_bytes(private)
        self.public = SCHEME + self._key.public_key().public_bytes_raw().hex()

    def sign(self, seal: str) -> str:
        """The signature of a line's seal, which stands for all lines up to it."""
        return SCHEME + self._key.sign(seal.encode()).hex()


def _bytes_of(text: object, length: int) -> bytes | None:
    """What a key or signature says in so many bytes; None if it is not written the one way it is written."""
    try:
        found = bytes.fromhex(text.removeprefix(SCHEME)) if isinstance(text, str) else b""
    except ValueError:
        return None
    return found if len(found) == length and text == SCHEME + found.hex() else None


def is_key(text: object) -> bool:
    """Whether this is written like a public key."""
    return _bytes_of(text, 32) is not None


def signed_by(public: object, seal: str, signature: object) -> bool:
    """Whether a seal was signed with the private key that belongs to a public one."""
    key, raw = _bytes_of(public, 32), _bytes_of(signature, 64)
    if key is None or raw is None:
        return False
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(key).verify(raw, seal.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def keep_key(path: Path, key: bytes) -> None:
    """Write a private key for its owner's eyes alone; the file is there when it is whole, whatever happens meanwhile."""
    part = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(key.hex().encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def private_key(path: Path) -> bytes:
    """The private key in a file, which is made, for its owner's eyes alone, if it is not there yet.

    Raises:
        BadInput: the file holds no key, or cannot be read or written.
    """
    try:
        if not path.exists():
            keep_key(path, os.urandom(32))
        found = bytes.fromhex(path.read_bytes()[:200].decode("ascii").strip())
        if len(found) != 32:
            raise ValueError(found)
    except OSError as error:
        raise BadInput("no-key", f"{path.name}: {error.strerror}", where=path.name) from None
    except ValueError:
        raise BadInput("no-key", f"{path.name} holds no signing key", where=path.name, allowed="64 hex digits") from None
    return found
