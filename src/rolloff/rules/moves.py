"""Moving and placing as every edition asks for it: one request, one judge, one event. Editions say which clause refuses."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rolloff.errors import IllegalCommand
from rolloff.geometry.field import IMPASSABLE
from rolloff.geometry.measure import heights_at
from rolloff.geometry.moves import FREE, WISHES, Code, March, Order, Stay, Verdict, Wish, Zone
from rolloff.geometry.paths import judge, slots_of
from rolloff.geometry.place import Standing, lawful_place, with_standing
from rolloff.rules.answers import Placement
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.event import Placed
from rolloff.table.request import Request

Refusals = Mapping[Code, tuple[str, str]]
STANDS = "stands"
"""What is measured (`Play.measured`) of a placing in a zone that the judge of placings has let stand already."""


class Setting(Struct, frozen=True):
    """What a placement must obey: who is placed (slots ascending), where it may be, and the way it faces by itself.

    ``standing`` are models that are taken off only afterwards; ``others`` are zones in which all may be placed instead.
    """

    slots: tuple[int, ...]
    zone: Zone
    facing: int = 0
    standing: tuple[Standing, ...] = ()
    others: tuple[Zone, ...] = ()


def refuse(game: Game, verdict: Verdict, refusals: Refusals) -> IllegalCommand:
    """The refusal of a verdict that is not legal, in a sentence."""
    code = Code(verdict.code)
    if code is Code.IMPASSABLE and Code.BARRED in refusals and not game.field.ground.places[verdict.what].kinds & IMPASSABLE:
        code = Code.BARRED
    friendly = _friendly(game, verdict, code)
    code = friendly if friendly in refusals else code
    clause, sentence = refusals[code]
    if code is Code.IMPASSABLE:
        clause = _barring(game, verdict.slot, verdict.what) or clause
    who = game.models[verdict.slot].id if 0 <= verdict.slot < len(game.models) else "the unit"
    what = _what(game, code, verdict.what)
    name = code.name.lower().replace("_", "-")
    return IllegalCommand(name, clause, sentence.format(who=who, what=what), who)


FRIENDLY = {Code.GAP_UNIT: Code.ON_FRIEND, Code.PASSED_BY: Code.THROUGH_FRIEND}
UNITS = (Code.GAP_UNIT, Code.NO_CONTACT, Code.ON_TARGET, *FRIENDLY, *FRIENDLY.values())


def _friendly(game: Game, verdict: Verdict, code: Code) -> Code:
    """The code that speaks of a friend in the way, where it is one."""
    known = 0 <= verdict.slot < len(game.models) and 0 <= verdict.what < len(game.sides)
    friends = known and game.sides[verdict.what] == game.card_of[verdict.slot].side
    return FRIENDLY[code] if code in FRIENDLY and (friends or verdict.what >= len(game.sides)) else code


def _barring(game: Game, slot: int, place: int) -> str:
    """The clause by which a model does not end on a piece of terrain; nothing where the edition names none."""
    movement, places = game.edition.movement, game.field.ground.places
    if movement is None or movement.ends_on is None or not 0 <= place < len(places):
        return ""
    return movement.ends_on(game, slot, places[place].kinds)


def _what(game: Game, code: Code, what: int) -> str:
    if code in UNITS and what >= 0:
        return game.names[what] if what < len(game.names) else "a model that is not removed yet"
    if code is Code.OVERLAP and 0 <= what < len(game.models):
        return game.models[what].id
    if code in (Code.IMPASSABLE, Code.BARRED) and 0 <= what < len(game.field.ground.places):
        return game.field.ground.places[what].id
    return "it"


def judge_move(play: Play, order: Order, refusals: Refusals, answer: object) -> Verdict:
    """The pure check of a move: the facts play goes on with, or a refusal."""
    if not isinstance(answer, WISHES):
        raise IllegalCommand("not-a-move", refusals[Code.NO_SUCH_MODEL][0], "this is not a move", None)
    verdict = judged(play, order, answer)
    if not verdict.code:
        return verdict
    if verdict.code == Code.GAP_UNIT and Code.PASSED_BY in refusals:
        end = _end_alone(play, order, answer)
        verdict = end if end.code == Code.GAP_UNIT else replace(verdict, code=int(Code.PASSED_BY))
    if verdict.code == Code.GAP_UNIT and verdict.what in order.targets and Code.ON_TARGET in refusals:
        verdict = replace(verdict, code=int(Code.ON_TARGET))
    if verdict.code == Code.TOO_LONG and verdict.what < order.allowance and Code.CAPPED in refusals:
        verdict = replace(verdict, code=int(Code.CAPPED))
    raise refuse(play.game, verdict, refusals)


def judged(play: Play, order: Order, answer: Wish) -> Verdict:
    """What the edition's own judge finds, or the plain one."""
    movement = play.game.edition.movement
    special = movement.judge if movement is not None else None
    return special(play, order, answer) if special is not None else judge(play.scene, order, answer)


def _end_alone(play: Play, order: Order, answer: Wish) -> Verdict:
    """The verdict on a move if nobody minded the way to its end."""
    free = struct.pack(f"<{len(order.way) // 4}i", *[FREE] * (len(order.way) // 4))
    return judged(play, order.for_all(way=free), answer)


def ask_move(
    play: Play,
    who: int,
    order: Order,
    default: Wish,
    clause: str,
    refusals: Refusals,
    point: str = "",
    also: Callable[[Verdict], None] | None = None,
    may_stay: bool = False,
    **facts: Any,
) -> Verdict | None:
    """Ask where a unit goes; the verdict on the answer says what the way touched and where it ends.

    ``also`` may refuse what the judge lets pass. Where it ``may_stay``, who answers so and ends as no such move may makes none.
    """
    given = tuple({"allowance": (order.allowance + order.kept_back) / 1000, **facts}.items())
    request = Request(who, "move", clause, None, default, order.unit, point, order, given)

    def checked(answer: object) -> Verdict | None:
        try:
            verdict = judge_move(play, order, refusals, answer)
            if also is not None:
                also(verdict)
        except IllegalCommand:
            if may_stay and (isinstance(answer, Stay) or (isinstance(answer, March) and not any(answer.counts))):
                return None
            raise
        return verdict

    return play.ask(request, checked)


def heights(game: Game, xy: bytes) -> bytes:
    """The ground under each position."""
    ground = game.field.ground
    if ground.flat:
        return bytes(len(xy) // 2)
    return heights_at(ground, xy)


def placed(play: Play, unit: int, verdict: Verdict) -> Placed:
    """The patch that sets a moved unit down where the verdict says."""
    slots = play.state.units[unit].living
    if len(verdict.ends) == 8 * len(slots):  # all who live are on the table, as nearly always
        slots = tuple(sorted(slots))
    else:
        slots = slots_of(play.scene, unit)
    return Placed(slots, verdict.ends, verdict.levels or heights(play.game, verdict.ends), verdict.facings)


def standing(play: Play, unit: int) -> Placement:
    """Where a unit stands now, as a placement."""
    state = play.state
    return Placement.of({slot: (*state.at(slot), state.facing_of(slot)) for slot in sorted(state.units[unit].living)})


def judge_place(play: Play, setting: Setting, refusals: Refusals, answer: object) -> Placement:
    """The pure check of a placement; one that no zone lets stand is refused for what is wrong with it in the first."""
    try:
        return _judge_in_zone(play, setting, refusals, answer)
    except IllegalCommand:
        for zone in setting.others:
            with suppress(IllegalCommand):
                return _judge_in_zone(play, replace(setting, zone=zone), refusals, answer)
        raise


def _judge_in_zone(play: Play, setting: Setting, refusals: Refusals, answer: object) -> Placement:
    """The same in the one zone of a setting."""
    if not isinstance(answer, Placement) or answer.slots != setting.slots:
        raise IllegalCommand("not-a-place", refusals[Code.NO_SUCH_MODEL][0], "every model must be placed", None)
    scene, movement = play.scene, play.game.edition.movement
    stands = not setting.standing and (STANDS, setting.slots, setting.zone, answer.xy, answer.facings) in play.measured
    verdict = None
    if not stands:
        scene = with_standing(scene, setting.standing)
        verdict = lawful_place(scene, setting.slots, setting.zone, answer.xy, answer.facings)
    barred = verdict is not None and verdict.code == Code.IMPASSABLE
    if movement is not None and movement.place and (barred or answer.levels or scene.z != bytes(len(scene.z))):
        verdict, answer = movement.place(play, setting, answer, scene)
    if movement is not None and movement.clear and (verdict is None or verdict.legal):
        verdict = movement.clear(play, setting.zone, answer, scene)
    if verdict is not None and verdict.code:
        raise refuse(play.game, verdict, refusals)
    return answer


def ask_place(
    play: Play,
    who: int,
    unit: int,
    setting: Setting,
    default: Placement,
    clause: str,
    refusals: Refusals,
    point: str = "",
    **facts: Any,
) -> Placed:
    """Ask where a unit is set down, and give the patch that does it."""
    given = tuple(facts.items())
    request = Request(who, "place", clause, None, default, unit, point, setting, given)
    found = play.ask(request, lambda answer: judge_place(play, setting, refusals, answer))
    return Placed(setting.slots, found.xy, found.levels or heights(play.game, found.xy), found.facings)
