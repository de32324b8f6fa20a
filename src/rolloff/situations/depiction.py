"""From a game and a state to a written situation that reads back as exactly that state."""

from __future__ import annotations

import struct
from typing import Any

from rolloff.lengths import to_degrees, to_inches
from rolloff.rules.game import Game
from rolloff.rules.play import SIDES
from rolloff.situations.situation import ACTED, Weapons
from rolloff.table.profile import Base, Card, Model, Stat, Weapon
from rolloff.table.setup import Table, Terrain
from rolloff.table.state import GONE, MERGED, NOWHERE, WHERE_NAMES, Marks, State

Json = dict[str, Any]


def write_marks(marks: Marks) -> list[Any]:
    """Marks as people write them: a name alone stands for the value 1."""
    return [name if value == 1 and type(value) is int else {name: value} for name, value in marks]


def _stat(value: Stat) -> Any:
    return list(value) if isinstance(value, tuple) else value


def write_weapon(weapon: Weapon) -> Json:
    """A weapon in the form every edition's situations read."""
    attacks = weapon.attacks.plus if weapon.attacks.fixed else str(weapon.attacks)
    return {
        "name": weapon.name,
        "range": "melee" if weapon.reach is None else to_inches(weapon.reach),
        "A": attacks,
        "rules": [str(rule) for rule in weapon.rules],
        "stats": {name: _stat(value) for name, value in weapon.stats},
        "mount": weapon.mount,
        "barrel": [to_inches(length) for length in weapon.barrel],
    }


def _base(base: Base) -> Json:
    size = [to_inches(length) for length in base.size]
    return {base.kind: size[0] if base.kind == "circle" else size}


def _piece(piece: Terrain) -> Json:
    found: Json = {"id": piece.id, "types": list(piece.types)}
    if piece.polygon is not None:
        found["polygon"] = [[to_inches(x), to_inches(y)] for x, y in piece.polygon]
    if piece.disc is not None:
        found["disc"] = [to_inches(length) for length in piece.disc]
    found |= {
        "height": to_inches(piece.height),
        "elevation": to_inches(piece.elevation),
        "solid": piece.solid,
    }
    if piece.bottom:
        found["bottom"] = to_inches(piece.bottom)
    return found | ({"name": piece.name} if piece.name else {})


def write_table(table: Table) -> Json:
    """A table as situations write it."""
    found: Json = {
        "size": [to_inches(length) for length in table.size],
        "terrain": [_piece(piece) for piece in table.terrain],
    }
    return found | ({"name": table.name} if table.name else {})


def _model(model: Model, slot: int, unit: int, game: Game, state: State, weapons: Weapons | None) -> Json:
    x, y = state.at(slot)
    owner = state.owner_of(slot)
    given = list(weapons[slot]) if weapons is not None else [write_weapon(weapon) for weapon in model.weapons]
    marks = tuple((name, value) for where, name, value in state.models if where == slot)
    found: Json = {"id": model.id}
    if model.name:
        found["name"] = model.name
    if x != NOWHERE:
        found["at"] = [to_inches(x), to_inches(y)]
    found |= {
        "z": to_inches(struct.unpack_from("<i", state.z, slot * 4)[0]),
        "facing": to_degrees(state.facing_of(slot)),
        "base": _base(model.base),
        "height": to_inches(model.height),
        "wounds": state.wounds_on(slot),
        "rules": [str(rule) for rule in model.rules],
        "weapons": given,
    }
    if model.stats:
        found["stats"] = {name: list(value) if isinstance(value, tuple) else value for name, value in model.stats}
    if marks:
        found["marks"] = write_marks(marks)
    if slot not in state.units[owner].living:
        found["removed"] = True
    if owner != unit:
        found["unit"] = game.names[owner]
    return found


def _unit(card: Card, number: int, game: Game, state: State, weapons: Weapons | None) -> Json:
    unit = state.units[number]
    acted = [ACTED] if unit.done else []
    found: Json = {"id": card.id, "side": SIDES[card.side]}
    if card.name:
        found["name"] = card.name
    found |= {
        "type": card.type,
        "quality": card.quality,
        "stats": {name: _stat(value) for name, value in card.stats.items()},
        "points": card.points,
        "rules": [str(rule) for rule in card.rules],
        "keywords": list(card.keywords),
        "start_size": card.start_size or len(card.models),
        "where": game.names[unit.where] if unit.where >= 0 else WHERE_NAMES[unit.where],
        "marks": [*acted, *write_marks(unit.marks)],
    }
    if list(unit.living) != sorted(unit.living):
        found["living"] = [game.models[slot].id for slot in unit.living]
    start = game.starts[number]
    host = state.owner_of(start)
    if unit.where == MERGED and host != number:
        found["leading"] = game.names[host]
        own, left = range(start, start + len(card.models)), state.units[host].living
        if game.edition.situation.leads is not None and not any(slot in own for slot in left):
            found["where"] = WHERE_NAMES[GONE]  # by whom it led it is read back as part of that unit
    found["models"] = [_model(model, start + k, number, game, state, weapons) for k, model in enumerate(card.models)]
    return found


def write_situation(game: Game, state: State, weapons: Weapons | None = None) -> Json:
    """The whole of a setup and a state; ``weapons`` are their owner's own words, by slot, if at hand."""
    setup, clock = game.setup, state.clock
    return {
        "edition": setup.edition,
        "switches": dict(setup.switches),
        "mission": setup.mission,
        "points": setup.points,
        "armies": list(setup.armies),
        "round": clock.round,
        "active": SIDES[clock.active],
        "clock": {"phase": clock.phase, "first": SIDES[clock.first], "marks": write_marks(clock.marks)},
        "sides": {side: {"marks": write_marks(marks)} for side, marks in zip(SIDES, state.sides, strict=True)},
        "table": write_table(setup.table),
        "units": [_unit(card, number, game, state, weapons) for number, card in enumerate(game.cards)],
    }


def marker_rows(game: Game, state: State) -> list[Json]:
    """What is to be held: places, reaches and boxes in inches, and who holds it."""
    found = game.edition.markers(game, state) if game.edition.markers else ()
    return [
        {
            "at": [to_inches(marker.x), to_inches(marker.y)],
            "reach": to_inches(marker.reach),
            "holder": SIDES[marker.holder] if marker.holder >= 0 else None,
            "box": None if marker.box is None else [to_inches(length) for length in marker.box],
        }
        for marker in found
    ]
