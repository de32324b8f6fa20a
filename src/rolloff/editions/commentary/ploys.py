"""Stratagems of detachments (G6): made from their data into reactions, present for who fields the detachment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec import Struct

from rolloff.editions.commentary import doings, places
from rolloff.editions.commentary.afterlife import fallen
from rolloff.editions.commentary.detachments import Detachment, Stratagem, detachment, detachment_of, detachments
from rolloff.editions.commentary.lookups import GRANT, UnitIndex, host_of, index_of
from rolloff.editions.commentary.stratagems import Bargain, Cheapest, Effect, Uses, costed, engaged, ours, spent
from rolloff.editions.commentary.unit_values import is_below_half
from rolloff.lengths import INCH
from rolloff.rules.citing import cites
from rolloff.rules.effects import lasting
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.rules.turns import on_table, table_of
from rolloff.rules.windows import EITHER, ENEMY, OWN, Limit, Moment, Reaction, Use
from rolloff.table.event import ModelMarked

ACTING = {"acting": OWN, "acting-model": OWN, "targeted": ENEMY, "hurt": ENEMY, "near": ENEMY}
"""Whose unit the moment is of at which a target of such a sort may be chosen."""
TURNS = {"own": OWN, "enemy": ENEMY, "other": EITHER, "either": EITHER}


@lru_cache(maxsize=1024)
def matches(words: frozenset[str], wanted: str) -> bool:
    """KEYW-6, KEYW-7: adjacent keywords are all needed, those on either side of "or" are alternatives."""
    return any(set(part.split()) <= words for part in wanted.split(" or "))


# -- whom it may be used on ------------------------------------------------------------------------


def candidates(play: Play, row: Stratagem, moment: Moment, side: int) -> Iterator[Use]:
    """The units (or models) a Stratagem may target at a moment, before keywords are asked."""
    lookups: UnitIndex = play.game.lookups
    if row.target == "acting":
        for unit in ours(play, side, (moment.unit,)):
            yield Use(unit)
    elif row.target == "acting-model":
        for unit in ours(play, side, (moment.unit,)):
            for slot in play.state.units[unit].living:
                if matches(frozenset(lookups.fighters[slot].keywords), row.keywords):
                    yield Use(unit, slot=slot)
    elif row.target == "targeted":
        for unit in ours(play, side, moment.targets):
            yield Use(unit, moment.unit)
    elif row.target == "hurt":
        hurt = dict(moment.facts).get("hurt")
        units = [k for k in hurt if isinstance(k, int)] if isinstance(hurt, tuple) else []
        yield from (Use(unit, moment.unit) for unit in ours(play, side, units))
    elif row.target == "near":
        gaps = places.gaps_from(play.game, play.state, moment.unit)
        near = [k for k in on_table(play, side) if places.within(gaps[k], row.within * INCH)]
        yield from (Use(unit, moment.unit) for unit in near)
    elif row.target == "free":
        calm = places.nobody_engaged(play.game, play.state)
        yield from [Use(unit) for unit in on_table(play, side) if calm or not engaged(play, unit)]
    elif row.target == "fallen":
        slots = _fallen_slots(play, moment, side)
        yield from (Use(unit, slot=slot) for unit, slot in slots if matches(_words_of(play, slot), row.keywords))
    elif row.target == "below-half":
        for unit in on_table(play, side):
            if is_below_half(play.game, play.state, host_of(play.game, play.state, unit)):
                yield Use(unit)


def _words_of(play: Play, slot: int) -> frozenset[str]:
    lookups: UnitIndex = play.game.lookups
    return frozenset(lookups.fighters[slot].keywords)


def _fallen_slots(play: Play, moment: Moment, side: int) -> list[tuple[int, int]]:
    """The models of a side whose destruction a moment is about, with their units."""
    facts = dict(moment.facts)
    if "since" in facts:
        return [(one.unit, one.slot) for one in fallen(play, moment, side)]
    slot = facts["slot"]
    return [(moment.unit, slot)] if isinstance(slot, int) and play.game.side_of(moment.unit) == side else []


def fits(play: Play, row: Stratagem, use: Use) -> bool:
    """Whether a unit is what the Stratagem asks for."""
    lookups, living = index_of(play.game), play.state.units[use.unit].living
    words = _words_of(play, use.slot) if row.target == "fallen" else lookups.words(living)
    if not matches(words, row.keywords) or (row.unless and matches(words, row.unless)):
        return False
    if row.equipment or row.armed:
        weapons = [weapon for kit in dict.fromkeys([lookups.fighters[slot].weapons for slot in living]) for weapon in kit]
        if row.equipment and not any(weapon.name == row.equipment for weapon in weapons):
            return False
        if row.armed and all(weapon.melee for weapon in weapons):
            return False
    if row.ability and not lookups.fighters[use.slot].has(row.ability):
        return False
    return row.engaged is None or engaged(play, use.unit) is row.engaged


def in_turn(play: Play, row: Stratagem, side: int) -> bool:
    """STR-M2: "the opponent's Shooting phase or either Fight phase" is no own Shooting phase, whoever shoots in it."""
    return row.turn != "other" or play.state.clock.active != side or table_of(play).phase(play.state.clock) == "fight"


def uses_of(row: Stratagem) -> Uses:
    """When and on whom a Stratagem may be used by a side that fields its detachment."""

    def found(play: Play, moment: Moment, side: int) -> Iterable[Use]:
        if (row.once and play.state.side_mark(side, used) is not None) or not in_turn(play, row, side):
            return []
        uses = [use for use in candidates(play, row, moment, side) if fits(play, row, use)]
        return uses if may is None else [use for use in uses if may(play, moment, use)]

    may, used = doings.MAY.get(row.does), f"used:{row.name}"
    return found


def effect_of(row: Stratagem) -> Effect:
    """What a Stratagem does: abilities for a while, or one of the doings."""

    def done(play: Play, moment: Moment, use: Use) -> object:
        give(play, row, use)
        return doings.DOINGS[row.does](play, moment, use) if row.does else None

    return done


@cites("YUNIT-1")
def give(play: Play, row: Stratagem, use: Use) -> None:
    """YUNIT-1: "your unit" is exactly what was chosen as the target: that unit, or that model of it."""
    names = [f"{GRANT}{ability}" for ability in row.gives]
    if names and use.slot >= 0:
        marks = [ModelMarked(use.slot, name, row.until) for name in names]
        play.emit("granted", (row.id, "YUNIT-1"), *marks, unit=use.unit)
    elif names:
        granted = [lasting(play.game, use.unit, name, row.until) for name in names]
        play.emit("granted", (row.id, "YUNIT-1"), *granted, unit=use.unit)


def reaction_of(row: Stratagem, name: str) -> Reaction:
    """A Stratagem of a detachment as a reaction."""
    return Reaction(
        row.name,
        frozenset(row.at),
        row.id,
        costed(uses_of(row), row.cost),
        spent(effect_of(row), row.cost),
        whose=TURNS[row.turn],
        phases=frozenset(row.phases),
        limit=Limit(row.once or "end-phase"),
        pay="cp",
        present=fielded(name),
        kind="stratagem",
        labels=row.labels,
        by=ACTING.get(row.target, EITHER),
        least=Cheapest(row.cost),
        bargain=Bargain(row.cost),
        about=row.about,
    )


class Fielded(Struct, frozen=True):
    """Whether a side fields a detachment."""

    name: str

    def __call__(self, game: Game, side: int) -> bool:
        """Ask a game."""
        return detachment_of(game, side) == self.name


fielded = lru_cache(maxsize=64)(Fielded)
"""What asks if a side fields a detachment: the same for all its Stratagems, so that a game is asked once."""


def reactions() -> tuple[Reaction, ...]:
    """The Stratagems of every shipped detachment."""
    return tuple(reaction_of(row, name) for name, found in detachments().items() for row in found.stratagems)


def brought(game: Game) -> tuple[Reaction, ...]:
    """The Stratagems of detachments from other content folders that somebody fields."""
    fielded = {detachment_of(game, side) for side in (0, 1)} - detachments().keys()
    camps = [(name, detachment(name)) for name in sorted(fielded) if name]
    return tuple(rule for name, camp in camps if camp is not None for rule in _brought(name, camp))


@lru_cache(maxsize=64)
def _brought(name: str, camp: Detachment) -> tuple[Reaction, ...]:
    """The same objects for the same detachment."""
    return tuple(reaction_of(row, name) for row in camp.stratagems)
