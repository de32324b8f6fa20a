"""What secondary cards count (G9): units by where they stand, markers by who holds them, and what was destroyed this turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rolloff.editions.commentary import places
from rolloff.editions.commentary.cards import keywords_of
from rolloff.editions.commentary.command import SHOCKED, counts_in, no_mans_land
from rolloff.editions.commentary.destruction import FELLED, FELLED_LEADER, LOST
from rolloff.editions.commentary.lookups import MONSTER, VEHICLE
from rolloff.editions.commentary.missions import zone_of
from rolloff.geometry.moves import Rectangle
from rolloff.geometry.plain.convex import core_distance
from rolloff.geometry.shapes import core
from rolloff.lengths import INCH
from rolloff.rules.objectives import Spot, held_by
from rolloff.rules.play import Play
from rolloff.rules.turns import on_table

CENTRE = 6 * INCH
Count = Callable[[Play, int, str], int]


def _middle(play: Play) -> tuple[int, int]:
    return play.game.field.width // 2, play.game.field.height // 2


def _near_middle(play: Play, unit: int) -> float:
    """How far the nearest part of a unit is from the centre of the table."""
    return min(_from_middle(play, slot)[0] for slot in play.state.units[unit].living)


def _from_middle(play: Play, slot: int) -> tuple[float, float]:
    """How far the nearest and the farthest part of a model are from the centre of the table."""
    base, (x, y) = play.game.field.bases[slot], play.state.at(slot)
    corners = core(x, y, play.state.facing_of(slot), base.hl, base.hw)
    at = _middle(play)
    far = max(core_distance(((float(cx), float(cy)),), *at) for cx, cy in corners)
    return max(0.0, core_distance(tuple((float(cx), float(cy)) for cx, cy in corners), *at) - base.r), far + base.r


def _whole_table(play: Play) -> Rectangle:
    return 0, 0, play.game.field.width, play.game.field.height


def quarters(play: Play, side: int, named: str) -> int:
    """SEC-1, QUART-1: the quarters with an own unit wholly within, more than 6" from the centre."""
    (mx, my), (_, _, width, height) = _middle(play), _whole_table(play)
    boxes = [(x0, y0, x1, y1) for x0, x1 in ((0, mx), (mx, width)) for y0, y1 in ((0, my), (my, height))]
    away = [unit for unit in on_table(play, side) if not places.within(_near_middle(play, unit), CENTRE)]
    return sum(any(counts_in(play, unit, box) for unit in away) for box in boxes)


def centre(play: Play, side: int, named: str) -> int:
    """SEC-2, WITHIN-2, WITHIN-3: an own unit wholly within 6" of the centre, and no enemy unit within."""
    table = _whole_table(play)
    ours = [unit for unit in on_table(play, side) if counts_in(play, unit, table)]
    held = [
        unit for unit in ours if all(places.within(_from_middle(play, s)[1], CENTRE) for s in play.state.units[unit].living)
    ]
    theirs = [unit for unit in on_table(play, 1 - side) if counts_in(play, unit, table)]
    return int(bool(held) and not any(places.within(_near_middle(play, unit), CENTRE) for unit in theirs))


def open_country(play: Play, side: int, named: str) -> int:
    """SEC-3, NML-1: whether more markers in No Man's Land are controlled by a side than by the other."""
    x0, y0, x1, y1 = no_mans_land(play)
    ours, theirs = (
        sum(x0 <= spot.x <= x1 and y0 <= spot.y <= y1 for spot in held_by(play.game, play.state, who))
        for who in (side, 1 - side)
    )
    return int(ours > theirs)


def enemy_zone(play: Play, side: int, named: str) -> int:
    """SEC-4: own units wholly within the enemy deployment zone."""
    box = zone_of(play.game, play.state, 1 - side)
    return sum(counts_in(play, unit, box) for unit in on_table(play, side))


def _felled(play: Play, side: int) -> list[str]:
    """DEST-3: the enemy units a side destroyed this turn."""
    return [name.removeprefix(FELLED) for name, _ in play.state.sides[side] if name.startswith(FELLED)]


def leaders_felled(play: Play, side: int, named: str) -> int:
    """SEC-5: whether a CHARACTER or Unit Champion was destroyed by a side this turn."""
    return int(play.state.side_mark(side, FELLED_LEADER) is not None)


def heavies_felled(play: Play, side: int, named: str) -> int:
    """SEC-6: MONSTER and VEHICLE units destroyed by a side this turn."""
    cards = [play.game.cards[play.game.numbers[name]] for name in _felled(play, side)]
    return sum(bool({MONSTER, VEHICLE} & set(keywords_of(card))) for card in cards)


def units_felled(play: Play, side: int, named: str) -> int:
    """SEC-7: enemy units destroyed by a side this turn, Leader and Bodyguard apart (UNIT-7)."""
    return len(_felled(play, side))


def enemies_shaken(play: Play, side: int, named: str) -> int:
    """SEC-8: enemy units on the battlefield that are Battle-shocked."""
    return sum(play.state.units[unit].mark(SHOCKED) is not None for unit in on_table(play, 1 - side))


def own_door(play: Play, side: int, named: str) -> int:
    """SEC-9: a side controls the marker in its own zone, and no enemy unit is wholly within that zone."""
    x0, y0, x1, y1 = box = zone_of(play.game, play.state, side)
    held = any(x0 <= spot.x <= x1 and y0 <= spot.y <= y1 for spot in held_by(play.game, play.state, side))
    return int(held and not any(counts_in(play, unit, box) for unit in on_table(play, 1 - side)))


def markers_taken(play: Play, side: int, named: str) -> int:
    """SEC-10: markers a side controls that the other controlled at the start of the turn."""
    held: list[Spot] = list(held_by(play.game, play.state, side))
    return sum(play.state.side_mark(1 - side, f"had:{spot.id}") is not None for spot in held)


def light_losses(play: Play, side: int, named: str) -> int:
    """SEC-11: no own unit was destroyed this turn, and one is wholly within the half that holds the enemy zone."""
    if any(name.startswith(LOST) for name, _ in play.state.sides[side]):
        return 0
    x0, y0, x1, _ = zone_of(play.game, play.state, 1 - side)
    (mx, my), (_, _, width, height) = _middle(play), _whole_table(play)
    if x1 - x0 < width:
        half: Rectangle = (0, 0, mx, height) if x0 < mx else (mx, 0, width, height)
    else:
        half = (0, 0, width, my) if y0 < my else (0, my, width, height)
    return int(any(counts_in(play, unit, half) for unit in on_table(play, side)))


def named_felled(play: Play, side: int, named: str) -> int:
    """SEC-12: whether the unit the enemy named was destroyed by a side this turn."""
    return int(named in _felled(play, side))


COUNTS: Mapping[str, Count] = {
    "quarters": quarters,
    "centre": centre,
    "open-country": open_country,
    "enemy-zone": enemy_zone,
    "leaders-felled": leaders_felled,
    "heavies-felled": heavies_felled,
    "units-felled": units_felled,
    "enemies-shaken": enemies_shaken,
    "own-door": own_door,
    "markers-taken": markers_taken,
    "light-losses": light_losses,
    "named-felled": named_felled,
}
