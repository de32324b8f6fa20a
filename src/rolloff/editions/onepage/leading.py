"""Leaders (UNIT-6): where an edition sees, measures and takes cover by the leader and the unit, not model by model."""

from __future__ import annotations

from rolloff.editions.onepage.lore import Lore
from rolloff.errors import BadInput
from rolloff.geometry.field import COVER, ELEVATION, Place
from rolloff.geometry.measure import nearest
from rolloff.geometry.sight import Mode, watch
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.state import State

LEADER = "leader"
"""The mark of a unit's leader."""


@cites("UNIT-6")
def leader_of(game: Game, state: State, unit: int) -> int:
    """UNIT-6: the model that is marked, else a Hero, else the first that lives."""
    living = state.units[unit].living
    lore: Lore = game.lore
    marked = [slot for slot in living if state.model_mark(slot, LEADER) is not None]
    heroes = [slot for slot in living if "Hero" in lore.fighters[slot].rules]
    return (marked or heroes or list(living))[0]


@cites("TERR-FOOT-2", off=lambda play, unit: [])
def within(play: Play, unit: int) -> list[Place]:
    """TERR-FOOT-2: the pieces a unit is within: those its leader's base centre is in."""
    x, y = play.state.at(leader_of(play.game, play.state, unit))
    return [place for place in play.game.field.ground.places if place.contains(x, y)]


def _outside(play: Play, *units: int) -> None:
    """Ranges and sight of a unit within terrain go by the outline of the piece; those a form has to state."""
    for unit in units:
        if within(play, unit):
            name = play.game.names[unit]
            message = f"do.attack: {name} is within terrain, so range and visible must be stated"
            raise BadInput("attack-incomplete", message, where="do.attack.range", allowed="range and visible")


@cites("SHOOT-5")
def unit_range(play: Play, unit: int, target: int) -> float:
    """SHOOT-5: one distance for the unit, from its nearest model to the nearest of the target."""
    _outside(play, unit, target)
    return float(nearest(play.scene, unit, target).gap)


@cites("LOS-1", "SHOOT-4", off=lambda play, mode, unit, target: True)
def leader_sees(play: Play, mode: Mode, unit: int, target: int) -> bool:
    """LOS-1, SHOOT-4: if the leader sees a model of the target, the whole unit does."""
    _outside(play, unit, target)
    leader = leader_of(play.game, play.state, unit)
    return watch(play.scene, mode, unit, target, (leader,))[leader] >= 0


@cites("TERR-COVER-3", off=lambda play, target: ())
def led_into_cover(play: Play, target: int) -> tuple[str, ...]:
    """TERR-COVER-3: a unit within a piece of cover has it, whoever shoots; standing behind it gives nothing."""
    return ("TERR-COVER-3",) if any(place.kinds & COVER for place in within(play, target)) else ()


@cites("ELEV-4", off=lambda play, target: ())
def led_onto_heights(play: Play, target: int) -> tuple[str, ...]:
    """ELEV-4: units within a piece of elevation count as in cover against all shooting."""
    return ("ELEV-4",) if any(place.kinds & ELEVATION for place in within(play, target)) else ()


@cites("ELEV-3", off=lambda play, unit, target: False)
def led_uphill(play: Play, unit: int, target: int) -> bool:
    """ELEV-3: whether a unit assaults one within a piece of elevation that it is not within itself."""
    ours = within(play, unit)
    return any(place.kinds & ELEVATION for place in within(play, target) if place not in ours)
