"""Deep Strike (RULE-DEEPSTRIKE): rolling for reserves, setting them down, and the enemy's shift."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rolloff.editions.onepage.places import ARRIVAL_REFUSALS, zone_away
from rolloff.editions.onepage.spots import find_spot
from rolloff.editions.onepage.transport import lose
from rolloff.errors import IllegalCommand
from rolloff.geometry.place import lawful_place
from rolloff.oracle.stage import check
from rolloff.rules.answers import Placement
from rolloff.rules.citing import cites
from rolloff.rules.moves import Setting, ask_place, heights, refuse
from rolloff.rules.play import Play
from rolloff.table.event import Placed, Went
from rolloff.table.request import Request
from rolloff.table.state import RESERVE, TABLE

if TYPE_CHECKING:
    from rolloff.geometry.moves import Zone


@cites("TURN-2", "RULE-DEEPSTRIKE-2")
def arrivals(play: Play, side: int, number: int) -> None:
    """RULE-DEEPSTRIKE-2: from round 2 on, one die for each unit in reserve, if its owner wants."""
    if number < 2:
        return
    for unit in play.game.units_of[side]:
        if play.state.units[unit].where != RESERVE:
            continue
        if number >= play.game.edition.book.rounds and play.game.edition.book.sure_at_last:
            last_chance(play, side, unit)
        else:
            maybe_arrive(play, side, unit)


@cites("RULE-DEEPSTRIKE-3")
def last_chance(play: Play, side: int, unit: int) -> None:
    """RULE-DEEPSTRIKE-3: in the last round it arrives without a roll; with nowhere to stand it is destroyed."""
    if not arrive(play, side, unit, "RULE-DEEPSTRIKE-3"):
        lose(play, unit, "RULE-DEEPSTRIKE-3")


def maybe_arrive(play: Play, side: int, unit: int) -> None:
    """RULE-DEEPSTRIKE-2: rolling is optional, and so is coming on a success."""
    if not play.choose(side, "yes-no", "RULE-DEEPSTRIKE-2", (True, False), True, unit, "DP-10", purpose="roll"):
        return
    play.thrower = unit
    if not play.dice.ask(check("arrival", play.game.edition.book.arrival, "RULE-DEEPSTRIKE-2")):
        play.emit("held-back", ("RULE-DEEPSTRIKE-2",), unit=unit)
        return
    if play.choose(side, "yes-no", "RULE-DEEPSTRIKE-2", (True, False), True, unit, "DP-10", purpose="arrive"):
        arrive(play, side, unit, "RULE-DEEPSTRIKE-2")


@cites("RULE-DEEPSTRIKE-4")
def arrive(play: Play, side: int, unit: int, clause: str) -> bool:
    """RULE-DEEPSTRIKE-4: anywhere on the table strictly over 12 inches from every enemy; then the shift die."""
    zone = zone_away(play, unit, play.game.edition.book.arrival_gap)
    x, y = play.game.field.width // 2, play.game.field.height // 2
    default = find_spot(play, unit, zone, x, y)
    if default is None:
        return False
    setting = Setting(default.slots, zone)
    patch = ask_place(play, side, unit, setting, default, "RULE-DEEPSTRIKE-4", ARRIVAL_REFUSALS, "DP-11")
    play.emit("arrived", (clause, "RULE-DEEPSTRIKE-4"), Went(unit, TABLE), patch, unit=unit)  # RULE-DEEPSTRIKE-6
    maybe_shifted(play, side, unit, zone, patch)
    return True


@cites("RULE-DEEPSTRIKE-5")
def maybe_shifted(play: Play, side: int, unit: int, zone: Zone, patch: Placed) -> None:
    """RULE-DEEPSTRIKE-5: on 1-2 the opponent may shift the whole formation by one straight vector of up to 12 inches."""
    play.thrower = unit
    if play.dice.ask(check("shift", play.game.edition.book.shift_on + 1, "RULE-DEEPSTRIKE-5")):
        return
    still = Placement(patch.slots, patch.xy, patch.facing)
    told = (("purpose", "shift"), ("allowance", play.game.edition.book.arrival_shift / 1000))
    setting = Setting(patch.slots, zone)
    request = Request(1 - side, "place", "RULE-DEEPSTRIKE-5", None, still, unit, "DP-12", setting, told)
    moved = play.ask(request, lambda answer: judge_shift(play, zone, patch, answer))
    if moved.xy != patch.xy:
        shifted = Placed(patch.slots, moved.xy, heights(play.game, moved.xy), patch.facing)
        play.emit("shifted", ("RULE-DEEPSTRIKE-5",), shifted, unit=unit)


def judge_shift(play: Play, zone: Zone, patch: Placed, answer: object) -> Placement:
    """One vector for all, no longer than 12 inches, to where the unit could have been placed."""
    if not isinstance(answer, Placement) or answer.slots != patch.slots:
        raise IllegalCommand("not-a-shift", "RULE-DEEPSTRIKE-5", "the whole formation is shifted together", None)
    before = [Placement(patch.slots, patch.xy, patch.facing).spots()[slot][:2] for slot in patch.slots]
    after = [answer.spots()[slot][:2] for slot in patch.slots]
    vectors = {(b[0] - a[0], b[1] - a[1]) for a, b in zip(before, after, strict=True)}
    if len(vectors) != 1 or answer.facings != patch.facing:
        raise IllegalCommand(
            "not-a-shift", "RULE-DEEPSTRIKE-5", "every model is shifted by the same vector, and none turned", None
        )
    (dx, dy), book = vectors.pop(), play.game.edition.book
    far = book.arrival_shift + book.within
    if dx * dx + dy * dy > far * far:
        raise IllegalCommand("too-long", "RULE-DEEPSTRIKE-5", "the shift is longer than 12 inches", None)
    if dx or dy:
        verdict = lawful_place(play.scene, patch.slots, zone, answer.xy, patch.facing)
        if verdict.code:
            raise refuse(play.game, verdict, ARRIVAL_REFUSALS)
    return answer
