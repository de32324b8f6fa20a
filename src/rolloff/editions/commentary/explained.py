"""What rules do, in a sentence for whoever may use them: the core Stratagems, and everything the books bring."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from rolloff.editions.commentary.detachments import detachments
from rolloff.editions.commentary.moving import ADVANCE, FALL_BACK, NORMAL, STATIONARY, move_of
from rolloff.editions.commentary.secondaries import cards
from rolloff.files import shipped_names, shipped_table
from rolloff.lengths import to_inches
from rolloff.rules.play import Play
from rolloff.rules.words import Explained, Notes
from rolloff.table.request import Request

CORE = {
    "CSTR-1": "Roll these dice again; the new result counts.",
    "CSTR-2": "This unit fights next.",
    "CSTR-3": "The CHARACTER's melee attacks have Precision until the end of the phase.",
    "CSTR-4": "The test counts as passed, and the unit is not Battle-shocked.",
    "CSTR-5": "The unit shoots at it at once; only natural sixes hit.",
    "CSTR-6": "Six dice at an enemy unit within 8 inches: each 4+ is a mortal wound.",
    "CSTR-7": "A 6+ invulnerable save and the Benefit of Cover until the end of the phase.",
    "CSTR-8": "A die for each point of Strength, two more if it exceeds the Toughness: each 5+ is a mortal wound, six at most.",
    "CSTR-9": "The Benefit of Cover and Stealth until the end of the phase.",
    "CSTR-10": "The unit arrives now, as it would in your own turn.",
    "CSTR-11": "The unit charges it; it gets nothing else for having charged.",
    "CSTR-12": "Discard this card and draw another.",
}
"""The core Stratagems, briefly: when they may be used, and what they cost, is seen at the table."""


@cache
def explained() -> Mapping[str, Explained]:
    """What the core Stratagems and all rules of the content do, by their ids."""
    return {**{id_: Explained(text) for id_, text in CORE.items()}, **dict(_of_content())}


def _of_content() -> Iterator[tuple[str, Explained]]:
    for id_, row in shipped_table("content/commentary/abilities.toml").items():
        yield id_, Explained(row["about"], row["about"], row.get("rule", ""))
    for one in detachments().values():
        yield one.id, Explained(one.about, f"{one.name}: {one.about}")
        for use in one.stratagems:
            yield use.id, Explained(use.about, f"{use.name} ({use.cost} CP, {', '.join(use.labels)}): {use.about}")
    for file in shipped_names("content/commentary/books"):
        for row in shipped_table(file).get("enhancements", {}).values():
            about = str(row["about"])
            yield row["id"], Explained(about, f"{row['name']} (Enhancement, {row['points']} points): {about}")
    for card in cards().values():
        yield card.id, Explained(card.about, f"{card.name} (secondary card): {card.about}")


def keywords() -> Mapping[str, str]:
    """What stands on a card for keywords that are written for programs; those that tell nobody anything are left out."""
    found = {"leads": "may lead {name}", "beside": "may join beside {name}", "champion": "Unit Champion: {name}"}
    found |= dict.fromkeys(("starts", "warlord", "battleline", "all"), "")
    found |= {f"detachment:{name}": f"Detachment: {one.name}" for name, one in detachments().items()}
    for file in shipped_names("content/commentary/books"):
        for row in shipped_table(file).get("enhancements", {}).values():
            leads = " with Leader" if row.get("leader") else ""
            found[f"enhancement:{row['id']} {row['bearer']}{leads}"] = f"Enhancement: {row['name']}"
    return found


def notes(play: Play, request: Request) -> Notes:
    """What the options of a question mean here and now: how far a unit goes and what it may still do, what a card asks for."""
    if request.point == "DP-14" and STATIONARY in (request.options or ()):
        return _of_actions(play, request.about)
    if request.point == "DP-67":
        return {card.name: card.about for card in cards().values() if card.name in (request.options or ())}
    return {}


def _of_actions(play: Play, unit: int) -> Notes:
    far = max(0, move_of(play.game, play.state, unit))
    reach = f'{to_inches(far):g}"'
    return {
        STATIONARY: "no move; Heavy weapons hit better",
        NORMAL: f"up to {reach}, then it may shoot and charge",
        ADVANCE: f"up to {reach} and a D6; it neither shoots nor charges, but for Assault weapons",
        FALL_BACK: f"up to {reach}, away from the enemy; it neither shoots nor charges",
    }
