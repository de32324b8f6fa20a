"""What players may do at any time (DP-34): raise a dispute, propose an override, concede."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rolloff.editions.onepage.book import book_of
from rolloff.editions.onepage.lookups import tough
from rolloff.editions.onepage.morale import PINNED
from rolloff.editions.onepage.places import PLACE_REFUSALS
from rolloff.errors import BadInput, IllegalCommand
from rolloff.geometry.moves import NEVER, TOUCH, Code, Zone, gaps
from rolloff.geometry.place import lawful_place
from rolloff.lengths import LengthError, inches
from rolloff.oracle.stage import table
from rolloff.rules.answers import speaker
from rolloff.rules.citing import cites
from rolloff.rules.moves import heights, refuse
from rolloff.rules.play import SIDES, Play
from rolloff.rules.turns import end_game
from rolloff.table.event import Marked, Patch, Placed, SideMarked, Wounded
from rolloff.table.state import NOWHERE

RULING = "ruling:"
BY_HAND_REFUSALS = {**PLACE_REFUSALS, Code.GAP_UNIT: ("BASE-3", "{who} would stand on {what}")}


def _text(said: Mapping[str, Any], name: str) -> str:
    value = said.get(name)
    if not isinstance(value, str) or not 1 <= len(value) <= 200:
        raise BadInput("bad-talk", f"{name}: a short text is needed", where=name, allowed="1 to 200 characters")
    return value


@cites("GEN-7")
def dispute(play: Play, said: Mapping[str, Any]) -> None:
    """GEN-7: one die: on 1-3 player A decides, on 4-6 player B; it holds for the match and is not rolled again."""
    topic, text = _text(said, "topic"), _text(said, "text")
    for side in range(len(SIDES)):
        ruled = play.state.side_mark(side, RULING + topic)
        if ruled is not None:
            raise IllegalCommand("ruled-already", "GEN-7", f"{topic} was decided in this match: {SIDES[side]}: {ruled}", topic)
    play.rolled_by = -1
    decides = play.dice.ask(table("dispute", [0, 0, 0, 1, 1, 1], "GEN-7"))
    play.emit("ruled", ("GEN-7",), SideMarked(decides, RULING + topic, text), side=decides, topic=topic, text=text)


@cites("GEN-6")
def override(play: Play, said: Mapping[str, Any]) -> None:
    """GEN-6: a change by hand (move a model, set wounds, set or lift a condition) that the other player agrees to."""
    by = speaker(said)
    patches, what = _change(play, said)
    agreed = play.choose(1 - by, "yes-no", "GEN-6", (True, False), False, point="DP-34", purpose="consent", what=what)
    if not agreed:
        play.emit("not-agreed", ("GEN-6",), side=by, what=what)
        return
    play.emit("overridden", ("GEN-6",), *patches, side=by, what=what)


def _change(play: Play, said: Mapping[str, Any]) -> tuple[list[Patch], str]:
    found: list[tuple[Callable[[Play, Any], Patch], Any, str]] = [
        (change, said[name], name) for name, change in _CHANGES.items() if name in said
    ]
    if len(found) != 1:
        raise BadInput("bad-override", "name exactly one change", where="override", allowed=", ".join(_CHANGES))
    change, value, name = found[0]
    if not isinstance(value, list | tuple):
        raise BadInput("bad-override", f"{name}: a list is needed", where=name, allowed='["a1.1", ...]')
    return [change(play, value)], _said(name, value)


def _said(name: str, value: Sequence[Any]) -> str:
    """A change as the players are asked about it."""
    if name == "move":
        return f"{value[0]} stands at {value[1]:g}″, {value[2]:g}″"
    if name == "wounds":
        return f"{value[0]} has {value[1]} {'wound' if value[1] == 1 else 'wounds'}"
    return f"{value[0]} is {'' if value[1] else 'not '}pinned"


def _move(play: Play, value: Any) -> Patch:
    """Put one model where it does not overlap anything."""
    try:
        name, x, y = value
        spot = struct.pack("<2i", inches(x), inches(y))
    except (ValueError, LengthError, TypeError):
        raise BadInput("bad-override", "move: a model and a place are needed", where="move", allowed='["a1.1", x, y]') from None
    slot = play.game.slot_number(name, "move")
    if play.state.at(slot)[0] == NOWHERE:
        raise IllegalCommand("not-on-table", "MEAS-7", f"{name} is not on the table", name)
    zone = Zone(gaps(len(play.game.sides), TOUCH, {}), book_of(play.game).coherency, cohere=NEVER)
    facing = struct.pack("<h", play.state.facing_of(slot))
    verdict = lawful_place(play.scene, (slot,), zone, spot, facing)
    if verdict.code:
        raise refuse(play.game, verdict, BY_HAND_REFUSALS)
    return Placed((slot,), spot, heights(play.game, spot), facing)


def _wounds(play: Play, value: Any) -> Patch:
    """Set the wounds of one living model, short of killing it."""
    try:
        name, count = value
    except ValueError:
        raise BadInput("bad-override", "wounds: a model and a number", where="wounds", allowed='["a1.1", 1]') from None
    slot = play.game.slot_number(name, "wounds")
    if slot not in play.state.units[play.state.owner_of(slot)].living:
        raise IllegalCommand("not-living", "GEN-6", f"{name} is out of the game", name)
    if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count < tough(play.game, slot):
        raise IllegalCommand("bad-wounds", "RULE-TOUGH-1", f"{name} can bear 0 to {tough(play.game, slot) - 1} wounds", count)
    return Wounded(slot, count)


def _pin(play: Play, value: Any) -> Patch:
    """Set or lift Pinned."""
    try:
        name, on = value
    except ValueError:
        raise BadInput("bad-override", "pinned: a unit and yes or no", where="pinned", allowed='["a1", true]') from None
    return Marked(play.game.unit_number(name, "pinned"), PINNED, 1 if on else None)


_CHANGES: dict[str, Callable[[Play, Any], Patch]] = {"move": _move, "wounds": _wounds, "pinned": _pin}


def concede(play: Play, said: Mapping[str, Any]) -> None:
    """DP-34: a player gives up; the game ends, is counted as it stands, and the other player has won."""
    side = speaker(said)
    play.emit("conceded", ("SCORE-1",), side=side)
    end_game(play, "concede", side)


TALK = {"dispute": dispute, "override": override, "concede": concede}
