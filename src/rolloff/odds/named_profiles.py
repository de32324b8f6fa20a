"""Units by name: the generic profiles that ship, those of a file of one's own, and the units of ready-made lists."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from rolloff.editions import USUAL
from rolloff.errors import BadInput
from rolloff.files import read_file, shipped
from rolloff.json_value import Json
from rolloff.situations.forms import decode_json
from rolloff.table.profile import Card

if TYPE_CHECKING:
    from pathlib import Path

Profiles = Mapping[str, Json]


@cache
def _shipped() -> dict[str, dict[str, Json]]:
    found: dict[str, dict[str, Json]] = decode_json(shipped("content/odds/profiles.json"))
    return found


def _read(file: str | Path) -> Json:
    """One's own file: profiles by name, or by edition and name."""
    from pathlib import Path

    found = decode_json(read_file(Path(file)))
    if not isinstance(found, dict) or not all(isinstance(row, dict) for row in found.values()):
        raise BadInput("bad-profiles", "profiles are units by name", where=str(Path(file).name), allowed='{"name": {unit}}')
    return found


def profiles(edition: str, file: str | Path | None = None) -> dict[str, Json]:
    """All profiles of an edition by name; those of a file before the shipped ones, else the units of its lists.

    A profile is a unit as `odds.unit` takes it: ``models``, ``stats`` or ``quality``, ``rules``, ``keywords``, ``weapons``.

    Raises:
        BadInput: the file cannot be read.
    """
    own: Json = {} if file is None else _read(file)
    if edition in own:
        own = own[edition]
    elif any(name in own for name in _shipped()):
        own = {}
    return {**_shipped().get(edition, {}), **own} or listed(edition)


def _plain(name: str) -> str:
    return " ".join(name.casefold().replace("-", " ").split())


def listed(edition: str) -> dict[str, Json]:
    """The units of an edition's ready-made lists by name, as `odds.unit` takes them; of several of one name the first."""
    from rolloff.armies.library import army, lists  # lists are read only for a name no profile has

    found: dict[str, Json] = {}
    for name in lists(edition):
        for card in army(edition, name, 0).cards:
            found.setdefault(card.name, _written(card))
    return found


def _written(card: Card) -> Json:
    from rolloff.situations.depiction import write_weapon

    models = [
        {
            "weapons": [write_weapon(weapon) for weapon in model.weapons],
            "rules": [str(rule) for rule in model.rules],
            "stats": dict(model.stats),
        }
        for model in card.models
    ]
    stats, rules, keywords = dict(card.stats), [str(rule) for rule in card.rules], list(card.keywords)
    return {
        "models": models,
        "quality": card.quality,
        "type": card.type,
        "stats": stats,
        "rules": rules,
        "keywords": keywords,
    }


def profile(name: str, edition: str = USUAL, file: str | Path | None = None) -> Json:
    """A unit by its name, whatever its case, from profiles or lists; `BadInput` names the nearest and all profiles."""
    from rolloff.odds.build import unit

    known = profiles(edition, file)
    asked = _plain(name)
    by_case = {_plain(one): one for one in known}
    if asked not in by_case:
        known = {**listed(edition), **known}
        by_case = {_plain(one): one for one in known}
    found = by_case.get(asked)
    if found is None:
        from difflib import get_close_matches

        near = get_close_matches(asked, by_case, 1)
        hint = f"; the nearest is {by_case[near[0]]}" if near else ""
        allowed = ", ".join(profiles(edition, file)) or "a file with --profiles"
        message = f"{edition} has no profile {name!r}{hint}"
        raise BadInput("unknown-profile", message, where="profile", allowed=allowed)
    try:
        return {"name": found, **unit(**known[found])}
    except TypeError as error:
        message = f"profile {found!r}: {str(error).partition(') ')[2] or error}"
        raise BadInput("bad-profiles", message, where=found, allowed="what odds.unit takes") from None
