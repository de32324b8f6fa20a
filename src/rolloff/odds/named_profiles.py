"""Units by name: the generic profiles that ship for every edition, and those of a file of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from importlib import resources
from pathlib import Path

from rolloff.errors import BadInput
from rolloff.json_value import Json
from rolloff.record.forms import decode_json

Profiles = Mapping[str, Json]


@cache
def _shipped() -> dict[str, dict[str, Json]]:
    found: dict[str, dict[str, Json]] = decode_json((resources.files("rolloff") / "content/odds/profiles.json").read_bytes())
    return found


def _read(file: str | Path) -> Json:
    """One's own file: profiles by name, or by edition and name."""
    try:
        found = decode_json(Path(file).read_bytes())
    except OSError as error:
        name = Path(file).name
        raise BadInput("unreadable", f"{name} cannot be read: {error.strerror}", where=name) from None
    if not isinstance(found, dict) or not all(isinstance(row, dict) for row in found.values()):
        raise BadInput("bad-profiles", "profiles are units by name", where=str(Path(file).name), allowed='{"name": {unit}}')
    return found


def profiles(edition: str, file: str | Path | None = None) -> dict[str, Json]:
    """All profiles of an edition by name; those of a file come before the shipped ones.

    A profile is a unit as `odds.unit` takes it: ``models``, ``stats`` or ``quality``, ``rules``, ``keywords``, ``weapons``.

    Raises:
        BadInput: the file cannot be read.
    """
    own: Json = {} if file is None else _read(file)
    if edition in own:
        own = own[edition]
    elif any(name in own for name in _shipped()):
        own = {}
    return {**_shipped().get(edition, {}), **own}


def profile(name: str, edition: str = "onepage-3.0", file: str | Path | None = None) -> Json:
    """A unit by its name, whatever its case; `BadInput` names the nearest and all there are."""
    from rolloff.odds.build import unit

    known = profiles(edition, file)
    by_case = {one.casefold(): one for one in known}
    found = by_case.get(" ".join(name.casefold().replace("-", " ").split()))
    if found is None:
        near = get_close_matches(name.casefold(), by_case, 1)
        hint = f"; the nearest is {by_case[near[0]]}" if near else ""
        allowed = ", ".join(known) or "a file with --profiles"
        message = f"{edition} has no profile {name!r}{hint}"
        raise BadInput("unknown-profile", message, where="profile", allowed=allowed)
    try:
        return {"name": found, **unit(**known[found])}
    except TypeError as error:
        message = f"profile {found!r}: {str(error).partition(') ')[2] or error}"
        raise BadInput("bad-profiles", message, where=found, allowed="what odds.unit takes") from None
