"""Questions about a situation as this edition answers them: sight, cover, control, engagement, eligibility, values."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from rolloff.editions.commentary import coherency, command, fighting, places, shooting, travelling
from rolloff.editions.commentary.abilities import SPECIALS
from rolloff.editions.commentary.aircraft import LEAST, is_aircraft
from rolloff.editions.commentary.attack_case import MOVES
from rolloff.editions.commentary.lookups import Host, UnitIndex, host_of, index_of
from rolloff.editions.commentary.moving import KINDS, NORMAL, ROLLED, bounds, has_move, hovering, move_dice, rolled_move
from rolloff.editions.commentary.saves import ALWAYS
from rolloff.editions.commentary.sight import FULLY, NONE, VISIBLE, Sight, sight_of, visibility
from rolloff.editions.commentary.unit_values import (
    common_save,
    cover_granted,
    effects_on,
    gear_of,
    is_below_half,
    is_below_starting,
    leadership,
    rules_of,
    saves_of,
    starting_strength,
    toughness_now,
)
from rolloff.editions.commentary.values import CONTROL, LEADERSHIP, MOVE, SAVE, TOUGHNESS, Effect, Op, Value, evaluate, trail
from rolloff.errors import BadInput, IllegalCommand
from rolloff.geometry.templates import Area
from rolloff.geometry.templates import under as area_under
from rolloff.lengths import LengthError, inches
from rolloff.oracle.dice import SeededDice
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.rules.citing import cites
from rolloff.rules.edition import Reply
from rolloff.rules.effects import lasting
from rolloff.rules.game import Game
from rolloff.rules.objectives import holder, stronger
from rolloff.rules.play import SIDES, Play
from rolloff.table.event import patched
from rolloff.table.profile import Rating
from rolloff.table.state import State

NOTHING = "-"
"""What stands for a characteristic a model does not have."""
WHATS = {
    "shoot": "shooting",
    "charge": "charge",
    "fight": "fight",
    **dict.fromkeys(("normal", "advance", "fall-back", "stationary", "embark", "disembark"), "movement"),
    "arrive": "reinforcements",
}
"""What a unit may be asked about, each with its phase."""


def _pair(given: Any, where: str) -> tuple[Any, Any]:
    if isinstance(given, list) and len(given) == 2:
        return given[0], given[1]
    raise BadInput("bad-ask", f"{where}: two names are needed", where=where, allowed='["a1", "b1"]')


def _slots(game: Game, state: State, name: Any, where: str) -> tuple[int, ...]:
    """The models a unit's or model's id stands for, all on the table."""
    if isinstance(name, str) and name in game.slots:
        slots: tuple[int, ...] = (game.slots[name],)
    else:
        slots = host_of(game, state, game.unit_number(name, where)).slots
    if not slots or not all(places.stands(state, slot) for slot in slots):
        raise BadInput("no-position", f"{where}: {name} has no position", where=where, allowed="somebody on the table")
    return slots


def distance(game: Game, state: State, given: Any) -> Reply:
    """GEO-3: how far two models or units are from each other, over heights too, in inches."""
    one, other = _pair(given, "distance")
    mine, theirs = _slots(game, state, one, "distance"), _slots(game, state, other, "distance")
    least = min(places.distance(game, state, a, b) for a in mine for b in theirs)
    return Reply(round(least / 1000, 3), ("GEO-3", "HV-1"))


def _inches(line: tuple[tuple[float, float], tuple[float, float]]) -> tuple[tuple[float, float], tuple[float, float]]:
    (ax, ay), (bx, by) = line
    return (ax / 1000, ay / 1000), (bx / 1000, by / 1000)


def sight(game: Game, state: State, given: Any) -> Reply:
    """VIS-1: whether one sees another, with the clear line or what is in the way."""
    one, other = _pair(given, "sight")
    found = sight_of(game, state)
    pairs = [(a, b) for a in _slots(game, state, one, "sight") for b in _slots(game, state, other, "sight")]
    looks = [found.look(a, b) for a, b in pairs]
    best = next((look for look in looks if look.seen), looks[0])
    if best.line is not None:
        return Reply(True, ("VIS-1", "VIS-6"), _inches(best.line))
    return Reply(False, _why_hidden(game, best.piece), None, _blockers(game, found, best.piece, best.slot))


def _why_hidden(game: Game, piece: int) -> tuple[str, ...]:
    ruin = piece >= 0 and "ruin" in game.table.terrain[piece].types
    return ("VIS-1", "RUIN-1") if ruin else ("VIS-1", "VIS-6")


def _blockers(game: Game, found: Sight, piece: int, slot: int) -> tuple[str, ...]:
    if piece >= 0:
        return (game.table.terrain[piece].id,)
    return (game.models[slot].id,) if slot >= 0 else ()


def visible(game: Game, state: State, given: Any) -> Reply:
    """VIS-1, VIS-3: nothing, some of it, or fully; of units the least of what their models see (VIS-4)."""
    one, other = _pair(given, "visible")
    mine, theirs = _slots(game, state, one, "visible"), _slots(game, state, other, "visible")
    found = {visibility(game, state, a, b) for a in mine for b in theirs}
    if found == {NONE}:
        return Reply(NONE, ("VIS-1", "VIS-2"))
    return Reply(FULLY if wholly(found) else VISIBLE, ("VIS-1", "VIS-3", "VIS-4"))


@cites("VIS-4")
def wholly(found: set[str]) -> bool:
    """VIS-4: a unit is fully visible to a unit if each of its models is to each of the other's."""
    return found == {FULLY}


def cover(game: Game, state: State, given: Any) -> Reply:
    """Whether the second has the Benefit of Cover against the first, by place or grant; of a unit if every model has."""
    one, other = _pair(given, "cover")
    mine, theirs = _slots(game, state, one, "cover"), _slots(game, state, other, "cover")
    if cover_granted(game, state, host_of(game, state, state.owner_of(theirs[0]))):
        return Reply(True, ("COVER-1", "COVER-2"))
    found = [sight_of(game, state).covered(mine, slot) for slot in theirs]
    reasons = [reason for reason in found if reason is not None]
    whole = len(reasons) == len(found)
    clauses = tuple(dict.fromkeys(clause for clause, _ in reasons))
    pieces = tuple(dict.fromkeys(game.table.terrain[piece].id for _, piece in reasons))
    return Reply(whole, ("TER-1", *clauses), None, pieces)


def control(game: Game, state: State, given: Any) -> Reply:
    """Who controls a marker, with both levels: as it was judged last (OC-5), else as it would be judged now (OC-3, OC-4).

    The evidence says whose it is stored to be and who is stronger.
    """
    spots = {spot.id: spot for spot in index_of(game).spots}
    if not isinstance(given, str) or given not in spots:
        raise BadInput("bad-ask", f"control: no marker {given!r}", where="control", allowed=", ".join(spots) or "none here")
    levels = [command.level(game, state, spots[given], side) for side in (0, 1)]
    stored, now = holder(state, given), stronger(game, state, spots[given])
    side, why = (now, "OC-3" if now >= 0 else "OC-4") if stored < 0 else (stored, "OC-5")
    value = {"holder": _side(side), "levels": dict(zip(SIDES, levels, strict=True))}
    return Reply(value, ("OC-1", why), seen=(("stored", _side(stored)), ("stronger", _side(now))))


def _side(side: int) -> str | None:
    """A side as situations name it; None where a marker is contested."""
    return None if side < 0 else SIDES[side]


def engaged(game: Game, state: State, given: Any) -> Reply:
    """ER-1: the enemy units within Engagement Range of a unit."""
    host = host_of(game, state, game.unit_number(given, "engaged"))
    return Reply([game.names[k] for k in places.enemies_engaged(game, state, host)], ("ER-1",))


ACTED = {"shoot": "shot", "fight": "fought"}
"""The marks of units that have had their part of a phase."""


def _aside(game: Game, state: State) -> Play:
    return Play(game, state, Oracle(SeededDice(b""), Defaults()))


def eligible(game: Game, state: State, given: Any) -> Reply:
    """Whether a unit may shoot, charge, fight, arrive, get out or make a kind of move; if not, why, and who is in the way."""
    name, what = _pair(given, "eligible")
    if not isinstance(what, str) or what not in WHATS:
        raise BadInput("bad-ask", f"eligible: nobody asks for {what!r}", where="eligible", allowed=", ".join(WHATS))
    unit = host_of(game, state, game.unit_number(name, "eligible")).unit
    play = _aside(game, _in_phase(game, state, unit, WHATS[what], ACTED.get(what, "")))
    if what == "shoot":
        return _because(play, unit, shooting.why_not(play, unit), "SHOOT-1", "ELIG-2")
    if what == "charge":
        near = not play.state.units[unit].done and fighting.may_declare(play, unit) and bool(fighting.chargeable(play, unit))
        return _because(play, unit, None if near else fighting.why_not(play, unit), "CHG-1")
    if what == "fight":
        return _because(play, unit, fighting.why_no_fight(play, unit), "FGT-1")
    if what == "arrive":
        return _because(play, unit, travelling.why_not_now(play, unit), "MOVE-10")
    if what == "embark":
        return _because(play, unit, travelling.why_not_in(play, unit), "TRANS-3")
    if what == "disembark":
        return _because(play, unit, travelling.why_not_out(play, unit), "TRANS-4")
    return _because(play, unit, _why_no_move(play, unit, what), "MOVE-1")


def _in_phase(game: Game, state: State, unit: int, phase: str, acted: str) -> State:
    """The state as a question about a phase takes it: that a unit was selected counts in the phase the clock shows alone, and
    a mark that it ``acted`` says so too.
    """
    turns, held = game.edition.turns, state.units[unit]
    done = bool(acted) and held.mark(acted) is not None
    done = done or (held.done and (turns is None or turns.phase(state.clock) == phase))
    if held.done == done:
        return state
    return replace(state, units=(*state.units[:unit], replace(held, done=done), *state.units[unit + 1 :]))


def _why_no_move(play: Play, unit: int, what: str) -> IllegalCommand | None:
    """MOVE-1: why a unit may not make a kind of move in Move Units, in which each is selected once; None if it may."""
    why = travelling.why_not(play, unit)
    if why is not None:
        return why
    name, held = play.game.names[unit], play.state.units[unit]
    if any(held.mark(move) is not None for move in MOVES):
        return IllegalCommand("done", "MOVE-1", f"{name} has moved this turn", name)
    able = travelling.actions(play, unit)
    return None if what in able else IllegalCommand("not-now", travelling.limited_by(play, unit, able), "not now")


def _because(play: Play, unit: int, why: IllegalCommand | None, *clauses: str) -> Reply:
    """A yes with its clauses, or a no with the clause that forbids it and the enemies within Engagement Range."""
    if why is None:
        return Reply(True, clauses)
    enemies = places.enemies_engaged(play.game, play.state, host_of(play.game, play.state, unit))
    return Reply(False, (why.cited,), None, tuple(play.game.names[k] for k in enemies))


def thou(length: Any, where: str) -> int:
    """A length of a question in thou."""
    try:
        return inches(length)
    except (LengthError, TypeError, ValueError) as error:
        raise BadInput("bad-number", f"{where}: {error}", where=where, allowed='at most 1000"') from None


def reach(game: Game, state: State, given: Any) -> Reply:
    """How far every model of a unit may go with a kind of move, in inches; with a roll in it the least and the most."""
    name, what = _pair(given, "reach")
    unit = host_of(game, state, game.unit_number(name, "reach")).unit
    play = _aside(game, state)
    kind = KINDS.get(what) if isinstance(what, str) else None
    if kind is None:
        raise BadInput("bad-ask", f"reach: no move {what!r}", where="reach", allowed=", ".join(KINDS))
    if is_aircraft(play, unit):
        return _flight(what)
    if not has_move(game, state, unit):
        return Reply(0.0, ("UNIT-2",))
    far = near = kind.distance(play, unit) / 1000
    unrolled = [dice for dice in move_dice(game, state, host_of(game, state, unit)) if rolled_move(state, unit, dice) is None]
    if unrolled:  # DICE-5: as if the least had been rolled
        lows = [lasting(game, unit, f"{ROLLED}{dice}={bounds(dice)[0]}", "end-phase") for dice in unrolled]
        near = kind.distance(_aside(game, patched(state, *lows)), unit) / 1000
    elif kind.dice is None:
        return Reply(far, (kind.clause,))
    least, most = (0, 0) if kind.dice is None else bounds(kind.dice)
    return Reply({"least": near + least, "most": far + most}, (kind.clause, "DICE-5") if unrolled else (kind.clause,))


@cites("AIR-2", "MIN-1")
def _flight(what: str) -> Reply:
    """AIR-2, MIN-1: AIRCRAFT make a Normal move of 20" at least, without an upper limit, and no other."""
    return Reply({"least": float(LEAST), "most": None}, ("AIR-2", "MIN-1")) if what == NORMAL else Reply(0.0, ("AIR-2",))


def under(game: Game, state: State, given: Any) -> Reply:
    """The models a disc laid on the table touches; this rulebook has no other templates."""
    disc = given.get("disc") if isinstance(given, dict) and set(given) == {"disc"} else None
    if not isinstance(disc, list) or len(disc) != 3:
        raise BadInput("bad-ask", "under: a disc is needed", where="under", allowed='{"disc": [x, y, radius]}')
    x, y, r = (thou(length, "under.disc") for length in disc)
    found = area_under(game.scene(state), Area.disc(x, y, r))
    return Reply([game.models[slot].id for slot in found], ("GEO-3",))


def coherent(game: Game, state: State, given: Any) -> Reply:
    """COH-1, COH-2: whether a unit stands in one coherent group; those without enough fellows near them are its evidence."""
    host = host_of(game, state, game.unit_number(given, "coherent"))
    play, slots = _aside(game, state), _slots(game, state, game.names[host.unit], "coherent")
    whole = coherency.together(play, slots)
    lost = [] if whole else coherency.strays(play, slots)
    return Reply(whole, ("COH-1", "COH-2"), None, tuple(game.models[slot].id for slot in lost))


def strength(game: Game, state: State, given: Any) -> Reply:
    """What is left of a unit: its models, its Starting Strength, and whether it is below it or Below Half-strength."""
    host = host_of(game, state, game.unit_number(given, "strength"))
    if not host.slots:
        return Reply({"models": 0, "start": 0, "word": "destroyed"}, ("DEST-2",))
    half, below = is_below_half(game, state, host), is_below_starting(game, state, host)
    word = "below-half" if half else "below-starting" if below else "full"
    start = starting_strength(game, host.cards)
    return Reply({"models": len(host.slots), "start": start, "word": word}, ("UNIT-5", "BSS-1", "BSS-2"))


def value(game: Game, state: State, given: Any) -> Reply:
    """A characteristic of a model after everything that changes it, with each change and its clause."""
    name, what = _pair(given, "value")
    if isinstance(name, str) and name in game.numbers:
        return _unit_value(game, state, game.numbers[name], what)
    slot = game.slot_number(name, "value")
    host = host_of(game, state, state.owner_of(slot))
    if isinstance(what, str) and what in BEST_OF:
        return _best_of(game, state, host, slot, what)
    lookups = index_of(game)
    printed = _printed(lookups, slot, what)
    effects = changes(game, state, host, slot, what)
    lines = trail(what, printed, effects, what == MOVE and lookups.fighters[slot].move_dice is not None)
    audit = [{"change": line.what, "from": line.before, "to": line.after, "clauses": list(line.clauses)} for line in lines]
    cited = dict.fromkeys(["UNIT-2", *[clause for line in lines for clause in line.clauses]])
    return Reply({"value": evaluate(what, printed, effects), "printed": printed, "audit": audit}, tuple(cited))


BEST_OF = {"Inv": "Invulnerable Save", "FNP": "Feel No Pain"}
"""Characteristics of which a model uses the best it has, and the ability that is one more of each."""


def _best_of(game: Game, state: State, host: Host, slot: int, what: str) -> Reply:
    """A model's invulnerable save, or its Feel No Pain against every wound, with the abilities that give one (ABIL-3, ATK-7).

    A Feel No Pain against some wounds only stands in the audit, and is not the value.
    """
    profile = index_of(game).fighters[slot].profile
    gear = gear_of(game, state, host, slot, cover=False)
    printed = profile.ward if what == "Inv" else profile.no_pain
    needs = gear.wards if what == "Inv" else [need for need, against in gear.no_pain if against == ALWAYS]
    given = [rule for rule in rules_of(game, state, host, slot) if rule.name == BEST_OF[what]]
    clauses = ("ATK-7",) if what == "Inv" else ("ABIL-3", "FNP-1")
    audit, best = [], printed or NOTHING
    for rule in given:
        before, best = best, _better_of(best, rule.rating)
        audit.append({"change": str(rule), "from": before, "to": best, "clauses": list(SPECIALS[rule.name].clauses)})
    return Reply({"value": min(needs, default=NOTHING), "printed": printed or NOTHING, "audit": audit}, clauses)


def _better_of(best: Value, rating: Rating) -> Value:
    """The better of what a model has and one more; one that works against some wounds only changes nothing (BETTER-1)."""
    if not isinstance(rating, int):
        return best
    return min(best, rating) if isinstance(best, int) else rating


def _unit_value(game: Game, state: State, unit: int, what: Any) -> Reply:
    """What a unit has as a unit: its Save (USV-1), Toughness (UT-1, UT-2) or Leadership (ULD-1)."""
    host = host_of(game, state, unit)
    if what == SAVE:
        return Reply({"value": common_save(saves_of(game, state, host))}, ("USV-1",))
    if what == TOUGHNESS:
        return Reply({"value": toughness_now(game, state, host)}, ("UT-1", "UT-2"))
    if what == LEADERSHIP:
        return Reply({"value": leadership(game, state, host)}, ("ULD-1",))
    allowed = ", ".join((SAVE, TOUGHNESS, LEADERSHIP))
    raise BadInput("bad-ask", f"value: no characteristic {what!r} of a unit", where="value", allowed=allowed)


def changes(game: Game, state: State, host: Host, slot: int, what: str) -> tuple[Effect, ...]:
    """Everything that changes a characteristic of a model now."""
    if what == CONTROL:
        return command.control_changes(game, state, slot)
    if what != MOVE:
        return effects_on(game, state, host, slot, what)
    dice = index_of(game).fighters[slot].move_dice
    far = None if dice is None else rolled_move(state, host.unit, dice)
    shown = () if far is None else (Effect(MOVE, Op.SET, far, ("DICE-5",)),)
    return shown + effects_on(game, state, host, slot, what) + hovering(state, host.unit)


def _printed(lookups: UnitIndex, slot: int, what: Any) -> Value:
    profile = lookups.fighters[slot].profile
    table: dict[str, Value] = {
        MOVE: profile.move,
        TOUGHNESS: profile.toughness,
        SAVE: profile.save,
        "W": profile.wounds,
        "Ld": profile.leadership if profile.leadership is not None else "-",
        CONTROL: profile.control,
    }
    if not isinstance(what, str) or what not in table:
        allowed = ", ".join((*table, *BEST_OF))
        raise BadInput("bad-ask", f"value: no characteristic {what!r}", where="value", allowed=allowed)
    return table[what]


ASKS = {
    "distance": distance,
    "sight": sight,
    "visible": visible,
    "cover": cover,
    "control": control,
    "coherent": coherent,
    "engaged": engaged,
    "eligible": eligible,
    "value": value,
    "reach": reach,
    "under": under,
    "strength": strength,
}
