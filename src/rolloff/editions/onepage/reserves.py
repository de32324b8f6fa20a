"""Deep Strike (RULE-DEEPSTRIKE): rolling for reserves, setting them down, and the enemy's shift."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rolloff.editions.onepage.book import book_of
from rolloff.editions.onepage.places import ARRIVAL_REFUSALS, zone_away
from rolloff.editions.onepage.transport import lose
from rolloff.errors import IllegalCommand
from rolloff.geometry.place import lawful_place
from rolloff.oracle.stage import Stage, check
from rolloff.rules.answers import Placement
from rolloff.rules.citing import cites
from rolloff.rules.deployment import SetUp
from rolloff.rules.moves import Setting, heights, refuse, standing
from rolloff.rules.play import Play
from rolloff.rules.reserves import Arrival, Reserves, reinforce, waiting
from rolloff.table.event import Placed
from rolloff.table.request import Request

if TYPE_CHECKING:
    from rolloff.geometry.moves import Zone


@cites("TURN-2", "RULE-DEEPSTRIKE-2")
def arrivals(play: Play, side: int, number: int) -> None:
    """RULE-DEEPSTRIKE-2: from round 2 on, one die for each unit in reserve, if its owner wants."""
    if number >= 2:
        for unit in waiting(play, side):
            reinforce(play, RESERVES, unit)


@cites("RULE-DEEPSTRIKE-3")
def is_sure(play: Play) -> bool:
    """RULE-DEEPSTRIKE-3: in the last round a unit arrives without a roll."""
    book = book_of(play.game)
    return bool(book.sure_at_last and play.state.clock.round + 1 >= book.rounds)


def die_for(play: Play, unit: int) -> Stage[bool] | None:
    """RULE-DEEPSTRIKE-2: the die of a unit in reserve."""
    return None if is_sure(play) else check("arrival", book_of(play.game).arrival, "RULE-DEEPSTRIKE-2")


def no_room(play: Play, unit: int) -> None:
    """RULE-DEEPSTRIKE-3: with nowhere to stand in the last round it is destroyed."""
    lose(play, unit, "RULE-DEEPSTRIKE-3")


@cites("RULE-DEEPSTRIKE-4")
def dropped(play: Play, unit: int) -> SetUp | None:
    """RULE-DEEPSTRIKE-4: anywhere on the table strictly over 12 inches from every enemy."""
    zone = zone_away(play, unit, book_of(play.game).arrival_gap)
    x, y = play.game.field.width // 2, play.game.field.height // 2
    why = "RULE-DEEPSTRIKE-3" if is_sure(play) else "RULE-DEEPSTRIKE-2"
    return SetUp(zone, x, y, "RULE-DEEPSTRIKE-4", 0, "DP-11", "arrived", (why, "RULE-DEEPSTRIKE-4"))


@cites("RULE-DEEPSTRIKE-5")
def maybe_shifted(play: Play, unit: int, how: str) -> None:
    """RULE-DEEPSTRIKE-5: on 1-2 the opponent may shift the whole formation by one straight vector of up to 12 inches."""
    play.rolled_by = unit
    if play.dice.ask(check("shift", book_of(play.game).shift_on + 1, "RULE-DEEPSTRIKE-5")):
        return
    still, zone = standing(play, unit), zone_away(play, unit, book_of(play.game).arrival_gap)
    facts = (("purpose", "shift"), ("allowance", book_of(play.game).arrival_shift / 1000))
    setting, enemy = Setting(still.slots, zone), 1 - play.game.side_of(unit)
    request = Request(enemy, "place", "RULE-DEEPSTRIKE-5", None, still, unit, "DP-12", setting, facts)
    moved = play.ask(request, lambda answer: judge_shift(play, zone, still, answer))
    if moved.xy != still.xy:
        shifted = Placed(still.slots, moved.xy, heights(play.game, moved.xy), still.facings)
        play.emit("shifted", ("RULE-DEEPSTRIKE-5",), shifted, unit=unit)


RESERVES = Reserves(
    (Arrival("deep-strike", dropped),),
    ARRIVAL_REFUSALS,
    maybe_shifted,
    "RULE-DEEPSTRIKE-2",
    die=die_for,
    no_room=no_room,
    rolls="DP-10",
)


def judge_shift(play: Play, zone: Zone, still: Placement, answer: object) -> Placement:
    """One vector for all, no longer than 12 inches, to where the unit could have been placed."""
    if not isinstance(answer, Placement) or answer.slots != still.slots:
        raise IllegalCommand("not-a-shift", "RULE-DEEPSTRIKE-5", "the whole formation is shifted together", None)
    before = [still.spots()[slot][:2] for slot in still.slots]
    after = [answer.spots()[slot][:2] for slot in still.slots]
    vectors = {(b[0] - a[0], b[1] - a[1]) for a, b in zip(before, after, strict=True)}
    if len(vectors) != 1 or answer.facings != still.facings:
        raise IllegalCommand(
            "not-a-shift", "RULE-DEEPSTRIKE-5", "every model is shifted by the same vector, and none turned", None
        )
    (dx, dy), book = vectors.pop(), book_of(play.game)
    far = book.arrival_shift + book.within
    if dx * dx + dy * dy > far * far:
        raise IllegalCommand("too-long", "RULE-DEEPSTRIKE-5", "the shift is longer than 12 inches", None)
    if dx or dy:
        verdict = lawful_place(play.scene, still.slots, zone, answer.xy, still.facings)
        if verdict.code:
            raise refuse(play.game, verdict, ARRIVAL_REFUSALS)
    return answer
