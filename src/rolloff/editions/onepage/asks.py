"""Questions about a situation, answered with their evidence and clauses."""

from __future__ import annotations

from typing import Any

from rolloff.editions.onepage.army_rules import may_merge
from rolloff.editions.onepage.book import book_of
from rolloff.editions.onepage.leading import best_look, leader_of, look, shape, within
from rolloff.editions.onepage.moving import coherency_of
from rolloff.editions.onepage.shooting import cover_for, sight_mode
from rolloff.editions.onepage.transport import unarrived
from rolloff.editions.onepage.vehicles import facing_of_attack
from rolloff.errors import BadInput
from rolloff.geometry.footprints import bases_of, shape_gap
from rolloff.geometry.measure import coherent
from rolloff.geometry.plain.measure import Stand
from rolloff.geometry.sight import Sight, watch
from rolloff.oracle.dice import EnteredDice
from rolloff.oracle.oracle import Answers, Oracle, Suspended
from rolloff.rules.citing import cites
from rolloff.rules.edition import Ask, Reply
from rolloff.rules.game import Game
from rolloff.rules.play import SIDES, Play
from rolloff.rules.reading import read_weapons
from rolloff.table.profile import Weapon
from rolloff.table.request import Request
from rolloff.table.state import NOWHERE, TABLE, State


def _play(game: Game, state: State) -> Play:
    return Play(game, state, Oracle(EnteredDice(()), Answers(())))


def _pair(value: Any, what: str) -> tuple[str, str]:
    if not isinstance(value, list | tuple) or len(value) != 2 or not all(isinstance(v, str) for v in value):
        raise BadInput("bad-ask", f"ask.{what}: two ids are needed", where=f"ask.{what}", allowed='["a1", "b1"]')
    return value[0], value[1]


def _on_table(game: Game, state: State, slot: int) -> int:
    if state.at(slot)[0] == NOWHERE:
        name = game.models[slot].id
        raise BadInput("no-position", f"{name} has no position: nothing can be measured to it", where=name, clause="MEAS-7")
    return slot


def _slots(game: Game, state: State, name: str) -> tuple[int, ...]:
    """The models a name stands for: one model, or a unit's."""
    if name in game.slots:
        return (_on_table(game, state, game.slots[name]),)
    living = state.units[game.unit_number(name, "ask")].living
    if not living:
        raise BadInput("no-position", f"{name} has no model left: nothing can be measured to it", where=name, clause="MEAS-7")
    return tuple(_on_table(game, state, slot) for slot in living)


@cites("MEAS-2", "MEAS-3", "MEAS-8")
def distance(game: Game, state: State, value: Any) -> Reply:
    """MEAS-2, MEAS-3: between the closest points of bases; units by their two closest models, MEAS-8: or by outlines."""
    a, b = _pair(value, "distance")
    play = _play(game, state)
    found = shape_gap(_measured(play, a), _measured(play, b))
    outlined = any(_outlined(play, name) for name in (a, b) if name not in game.slots)
    return Reply(round(found / 1000, 3), ("MEAS-2", "MEAS-3", "MEAS-8") if outlined else ("MEAS-2", "MEAS-3"))


def _measured(play: Play, name: str) -> tuple[Stand, ...]:
    """What a model or unit is measured by: a base, or a unit's bases or outline."""
    slots = _slots(play.game, play.state, name)
    return (
        bases_of(play.scene, slots) if name in play.game.slots or not _outlined(play, name) else shape(play, _unit(play, name))
    )


def _unit(play: Play, name: str) -> int:
    """The unit that a name says, or whose model it says."""
    slot = play.game.slots.get(name)
    return play.game.unit_number(name, "ask") if slot is None else play.state.owner_of(slot)


def _outlined(play: Play, name: str) -> bool:
    """Whether the outline of terrain stands for a unit (TERR-FOOT-1)."""
    return bool(book_of(play.game).leads and within(play, _unit(play, name)))


def _seen(game: Game, found: Sight, *more: str) -> Reply:
    places = game.field.ground.places
    blockers = tuple(places[k].id for k in found.pieces) + tuple(game.models[k].id for k in found.slots)
    line = None
    if found.line:
        x0, y0, x1, y1 = (round(v / 1000, 3) for v in found.line)
        line = ((x0, y0), (x1, y1))
    return Reply(found.visible, ("LOS-1", "LOS-3", *more), line, blockers)


def sight(game: Game, state: State, value: Any) -> Reply:
    """LOS-3, LOS-9: whether models, or units, see each other, with the clear line or what blocks it."""
    a, b = _pair(value, "sight")
    play = _play(game, state)
    ours, theirs = _slots(game, state, a), _slots(game, state, b)
    if not book_of(game).leads:
        return _seen(game, best_look(play, sight_mode(game), ours, theirs))
    if a not in game.slots:
        ours = (leader_of(game, state, _unit(play, a)),)
    outlines = ("LOS-11",) if _outlined(play, a) or _outlined(play, b) else ()
    return _seen(game, look(play, sight_mode(game), ours, theirs), *outlines)


def cover(game: Game, state: State, value: Any) -> Reply:
    """TERR-COVER-3: whether the second unit is in cover against the fire of the first."""
    a, b = _pair(value, "cover")
    play = _play(game, state)
    shooter, target = game.unit_number(a, "ask"), game.unit_number(b, "ask")
    _slots(game, state, a), _slots(game, state, b)
    seen = watch(play.scene, sight_mode(game), shooter, target)
    firing = [slot for slot, other in seen.items() if other >= 0] or list(seen)
    why = cover_for(play, shooter, firing, target)
    return Reply(bool(why), why or ("TERR-COVER-3",))


def coherent_(game: Game, state: State, value: Any) -> Reply:
    """COH-1, COH-2: whether a unit stands together; the strays are its evidence."""
    unit = game.unit_number(value, "ask.coherent")
    rule, slots = coherency_of(game, state, unit), _slots(game, state, game.names[unit])
    found = coherent(
        game.scene(state),
        slots,
        rule.link,
        rule.spread,
        connected=rule.connected,
        hub=rule.leader,
        tol=book_of(game).within,
    )
    return Reply(found.ok, ("COH-1", "COH-2"), None, tuple(game.models[slot].id for slot in found.strays))


def facing(game: Game, state: State, value: Any) -> Reply:
    """VDMG-10: which facing of the second unit the first attacks."""
    a, b = _pair(value, "facing")
    target = _slots(game, state, b)[0]
    return Reply(facing_of_attack(state, target, _slots(game, state, a)), ("VDMG-10", "VDMG-11"))


def options(game: Game, state: State, value: Any) -> Reply:
    """ACT-7: the actions a unit may take if it is activated now."""
    unit = game.unit_number(value, "ask.options")
    if not state.units[unit].living or state.units[unit].where < TABLE or unarrived(state, unit):
        return Reply([], ("TURN-7",))
    try:
        from rolloff.editions.onepage.activation import act

        play = Play(game, state, Oracle(EnteredDice(()), Answers(()), strict=True))
        play.acting = unit
        act(play, unit)
    except Suspended as pause:
        request = pause.request
        assert isinstance(request, Request)
        if request.kind == "choose-action":
            return Reply(list(request.options or ()), (request.clause,))
    return Reply(["idle"], ("ACT-6", "PIN-3"))


def score_(game: Game, state: State, value: Any) -> Reply:
    """SCORE-1: what a side would score now, by the mission of the game."""
    if value not in SIDES:
        raise BadInput("bad-ask", f"ask.score: {value!r} is no side", where="ask.score", allowed="A or B")
    return Reply(game.edition.score(game, state)[SIDES.index(value)], ("SCORE-1",))


def parse(game: Game, state: State, value: Any) -> Reply:
    """WPN-7: a weapon written out, read; of several copies one for each."""
    weapons, notes = read_weapons(game.edition, value, "ask.parse")
    shown = [_shown(weapon) for weapon in weapons]
    return Reply(shown[0] if len(shown) == 1 else shown, ("WPN-7",), notes=notes)


def _shown(weapon: Weapon) -> dict[str, object]:
    """A weapon as the answer to a question."""
    single = any(rule.name == "Single" for rule in weapon.rules)
    rules = [str(rule) for rule in weapon.rules if rule.name != "Single"]
    attacks: object = weapon.attacks.plus if weapon.attacks.fixed else str(weapon.attacks)
    reach = None if weapon.reach is None else weapon.reach / 1000
    return {"name": weapon.name, "range": reach, "attacks": attacks, "x": single, "rules": rules}


def merge(game: Game, state: State, value: Any) -> Reply:
    """JOIN-1, JOIN-2: whether two units may fight as one."""
    a, b = _pair(value, "merge")
    refused = may_merge(game.cards[game.unit_number(a, "ask")], game.cards[game.unit_number(b, "ask")])
    return Reply(refused is None, ("JOIN-1", "JOIN-2"))


ASKS: dict[str, Ask] = {
    "distance": distance,
    "sight": sight,
    "cover": cover,
    "coherent": coherent_,
    "facing": facing,
    "options": options,
    "score": score_,
    "parse": parse,
    "merge": merge,
}
