"""Models that come back (RETURN, ADD): Bodyguard models in the Command step, and a bearer that is born a second time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from rolloff.editions.commentary import places
from rolloff.editions.commentary.ability import MELEE, SHOOTING
from rolloff.editions.commentary.afterlife import fallen
from rolloff.editions.commentary.deploying import clear_of_enemies, zone
from rolloff.editions.commentary.formations import CHAMPION
from rolloff.editions.commentary.lookups import FIRED, host_of, index_of
from rolloff.editions.commentary.moving import REFUSALS, coherency_for
from rolloff.editions.commentary.storeys import standing_heights
from rolloff.editions.commentary.unit_values import starting_strength
from rolloff.geometry.moves import TOUCH, Code, gaps
from rolloff.oracle.stage import check, number
from rolloff.rules.citing import cites
from rolloff.rules.effects import USED
from rolloff.rules.game import Game
from rolloff.rules.losses import Fallen
from rolloff.rules.play import Play
from rolloff.rules.returning import Adding, ask_places, places_missing
from rolloff.rules.windows import Moment, Use
from rolloff.table.event import ModelMarked, Patch, Placed, Returned, Went, Wounded
from rolloff.table.profile import read_roll
from rolloff.table.state import TABLE, State

ADDED = "added"
FELL = "fell"
BY_ATTACK, BY_NO_ATTACK = "attack", "else"
"""The mark of a model that may yet return: where it fell in this phase, and whether by an attack."""
RETURNS, BIRTH = "Returns Models", "Second Birth"


def dead_of(game: Game, state: State, card: int) -> list[int]:
    """The destroyed models of a datasheet."""
    first, after = game.starts[card], game.starts[card + 1]
    owners = memoryview(state.owner).cast("h")[first:after]
    return [slot for slot, unit in enumerate(owners, first) if slot not in state.units[unit].living]


# -- adding models to a unit -----------------------------------------------------------------------


@cites("ADD-1")
def beside(play: Play, unit: int) -> tuple[int, ...]:
    """ADD-1: those whom added models are set up beside: who was there, without models added earlier in this phase."""
    state = play.state
    return tuple(slot for slot in state.units[unit].living if state.model_mark(slot, ADDED) is None)


@cites("ADD-2")
def gaps_of_added(play: Play, unit: int) -> bytes:
    """ADD-2: within Engagement Range only of enemies that are already within Engagement Range of the unit."""
    engaged = places.enemies_engaged(play.game, play.state, host_of(play.game, play.state, unit))
    table = dict(enumerate(memoryview(clear_of_enemies(play, unit)).cast("i")))
    return gaps(len(play.game.sides), TOUCH, {**table, **dict.fromkeys(engaged, TOUCH)})


def add(play: Play, unit: int, slots: Sequence[int], *clauses: str, among: Sequence[int] = ()) -> None:
    """ADD-1 to ADD-3: models are set up beside those who were there; for whom there is no room counts as destroyed.

    Of those ``among`` whom they are, if any, the owner may pick others, or fewer (DP-52).
    """
    size = len(play.state.units[unit].living) + len(slots)
    rule = coherency_for(size)
    where = zone(play, unit, gaps_of_added(play, unit))
    law = Adding(where, beside(play, unit), rule.need, rule.link, "ADD-1", point="DP-52", among=tuple(among), rise=places.RISE)
    patches = ask_places(play, unit, slots, law, {**REFUSALS, Code.GAP_UNIT: ("ADD-2", REFUSALS[Code.GAP_UNIT][1])})
    placed = [slot for patch in patches or () if isinstance(patch, Placed) for slot in patch.slots]
    left = tuple(slot for slot in places_missing(play, slots, law) if slot not in placed) if len(placed) < len(slots) else ()
    if placed:
        back = Returned(tuple(placed), unit, False), *as_new(play.state, placed)
        marks = [ModelMarked(slot, ADDED, "end-phase") for slot in placed]
        play.emit("returned", (*clauses, "ADD-1"), *back, *(patches or ()), *marks, unit=unit, models=tuple(placed))
    if left:
        play.emit("no-room", ("ADD-3",), unit=unit, models=left)


@cites("RETURN-3")
def as_new(state: State, slots: Sequence[int]) -> list[Patch]:
    """RETURN-3: a returned model has lost no wounds and had no attacks allocated."""
    return [*(Wounded(slot, 0) for slot in slots), *without_effects(state, slots)]


FOR_GOOD = (USED, FIRED, CHAMPION)
"""How marks of models begin that are no effects on them: what is used up stays so, and who is named stays named."""


def without_effects(state: State, slots: Sequence[int], but: tuple[str, ...] = FOR_GOOD) -> list[Patch]:
    """The patches that rid models of effects on them; what may be used once a battle is not given back to them."""
    held = [(slot, name) for slot, name, _ in state.models if slot in slots]
    return [ModelMarked(slot, name, None) for slot, name in held if not name.startswith(but)]


# -- Bodyguard models return (AB-M3) ---------------------------------------------------------------


def return_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """AB-M3: in the own Command step, while leading a unit that has lost Bodyguard models."""
    lookups, game, state = index_of(play.game), play.game, play.state
    for unit in lookups.holders(state, side, RETURNS):
        held = state.units[unit]
        bearers = held.where == TABLE and lookups.having(held.living, RETURNS)
        if bearers and host_of(game, state, unit).attached and dead_of(game, state, unit):
            yield Use(unit)


def return_models(play: Play, moment: Moment, use: Use) -> None:
    """RETURN-1: so many destroyed Bodyguard models return with full wounds and what they began with."""
    lookups = index_of(play.game)
    bearer = lookups.having(play.state.units[use.unit].living, RETURNS)[0]
    roll = read_roll(lookups.fighters[bearer].rating(RETURNS) or 1)
    play.rolled_by = use.unit
    count = play.dice.ask(number("returning models", roll.count, roll.sides, roll.plus, clauses=("AB-M3",)))
    dead = dead_of(play.game, play.state, use.unit)
    add(play, use.unit, dead[: room_for(play, use.unit, count)], "RETURN-1", among=dead)


@cites("RETURN-2")
def room_for(play: Play, unit: int, count: int) -> int:
    """RETURN-2: a unit never grows beyond its Starting Strength; surplus is ignored."""
    own = [slot for slot in play.state.units[unit].living if index_of(play.game).fighters[slot].card == unit]
    return min(count, max(0, starting_strength(play.game, [unit]) - len(own)))


# -- the bearer is born again (ENH-T1) -------------------------------------------------------------


def birth_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """ENH-T1: the bearer was destroyed by the attacks just made."""
    lookups = index_of(play.game)
    for one in fallen(play, moment, side):
        if lookups.fighters[one.slot].has(BIRTH) and one.slot in dead_of(
            play.game, play.state, lookups.fighters[one.slot].card
        ):
            yield Use(one.unit, slot=one.slot)


def late_birth_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """ENH-T1: the bearer was destroyed in this phase, by no attack: at its end."""
    lookups = index_of(play.game)
    for unit in play.game.units_of[side]:
        for slot in dead_of(play.game, play.state, unit):
            if lookups.fighters[slot].has(BIRTH) and str(play.state.model_mark(slot, FELL)).endswith(BY_NO_ATTACK):
                yield Use(unit, slot=slot)


SILENT = ("lost", "out-of-coherency")
"""How models are destroyed without triggering anything (SETUP-3, COH-4)."""


def note_spot(play: Play, losses: Fallen) -> None:
    """ENH-T1: where a bearer falls is noted until the end of the phase, the last moment at which it may return."""
    lookups = index_of(play.game)
    if losses.kind in SILENT or BIRTH not in lookups.abilities[play.game.side_of(losses.unit)]:
        return
    left = play.state.units[losses.unit].living
    gone = [(slot, at) for slot, at, _ in losses.hulls if slot not in left and lookups.fighters[slot].has(BIRTH)]
    for slot, (x, y) in gone:
        how = BY_ATTACK if losses.cause in (MELEE, SHOOTING) else BY_NO_ATTACK
        z = memoryview(play.state.z).cast("i")[slot]
        play.emit(
            "fell",
            ("ENH-T1",),
            ModelMarked(slot, FELL, f"{x} {y} {z} {how}" if z else f"{x} {y} {how}"),
            unit=losses.unit,
            model=slot,
        )


def born_again(play: Play, moment: Moment, use: Use) -> None:
    """ENH-T1, RETURN-4: on a 2+ it returns with D3 wounds, to its Bodyguard unit if that is on the battlefield, else alone."""
    lookups = index_of(play.game)
    fighter = lookups.fighters[use.slot]
    play.rolled_by = use.unit
    if not play.dice.ask(check("second birth", read_roll(fighter.rating(BIRTH) or 2).plus, "ENH-T1")):
        return
    wounds = play.dice.ask(number("second birth wounds", 1, 3, 0, clauses=("ENH-T1",)))
    unit = home_of(play, use.slot)
    if unit is not None:
        add(play, unit, [use.slot], "RETURN-1", "RETURN-4")
    else:
        alone(play, use.slot)
    if use.slot in play.state.units[play.state.owner_of(use.slot)].living:
        lost = max(0, fighter.profile.wounds - wounds)
        play.emit("regained", ("ENH-T1",), Wounded(use.slot, lost), unit=play.state.owner_of(use.slot), model=use.slot)


@cites("RETURN-4")
def home_of(play: Play, slot: int) -> int | None:
    """RETURN-4: the Bodyguard unit a returned Leader must rejoin, if that is on the battlefield."""
    lookups = index_of(play.game)
    unit = play.state.owner_of(slot)
    led = unit != lookups.fighters[slot].card
    return unit if led and play.state.units[unit].where == TABLE and play.state.units[unit].living else None


def alone(play: Play, slot: int) -> None:
    """RETURN-4, ACAP-1: as its own unit, as close as possible to where it fell and outside Engagement Range."""
    card = index_of(play.game).fighters[slot].card
    x, y, *z, _ = str(play.state.model_mark(slot, FELL)).split()
    law = Adding(zone(play, card, clear_of_enemies(play, card)), (), 0, 0, "RETURN-4", (int(x), int(y)), "DP-52", "ACAP-1")
    if z:
        law = replace(law, height=int(z[0]), heights=standing_heights(play.game))
    patches = ask_places(play, card, [slot], law, REFUSALS)
    if patches:
        back = Returned((slot,), card, False), *as_new(play.state, [slot]), Went(card, TABLE)
        play.emit("returned", ("RETURN-1", "RETURN-4"), *back, *patches, unit=card, models=(slot,))
