"""Models that act before they are removed (FIGHTDEATH, SHOOTDEATH), and a model that fights again (INDIV)."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from operator import attrgetter
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions.commentary import places
from rolloff.editions.commentary.ability import MELEE, SHOOTING
from rolloff.editions.commentary.aftermath import ACTED, LINGERS, MADE, dying_now
from rolloff.editions.commentary.aiming import Weapons
from rolloff.editions.commentary.allocating import destroy
from rolloff.editions.commentary.closing_in import pile_in_distance
from rolloff.editions.commentary.detachments import detachment, detachment_of
from rolloff.editions.commentary.fighting import fight_alone
from rolloff.editions.commentary.lookups import GRANT, host_of, index_of
from rolloff.editions.commentary.moving import MOVED, STATIONARY, TURN
from rolloff.editions.commentary.shooting import FireOrder, shoot, targets_of
from rolloff.editions.commentary.unit_values import rules_of
from rolloff.geometry.place import Standing
from rolloff.identity_cache import IdentityCache
from rolloff.lengths import INCH
from rolloff.oracle.stage import check
from rolloff.rules.citing import cites
from rolloff.rules.effects import lasting
from rolloff.rules.game import Game
from rolloff.rules.losses import lose
from rolloff.rules.play import Play
from rolloff.rules.turns import on_table, table_of
from rolloff.rules.windows import Moment, Reaction, Use
from rolloff.table.event import Event, Marked, Patch, Placed, Removed, Returned, Went, Wounded, patched_by
from rolloff.table.profile import Card, read_roll
from rolloff.table.state import TABLE

FIGHTS, SHOOTS = "Fights On Death", "Shoots On Death"
LONGEST_ENGAGEMENT = 2 * INCH
"""How far a model may be from whom it attacks at most: across a barricade (TER-4)."""
ENDS_LATER = "demise-waits"
"""The event that says that what the end of a model does to others waits until it has acted."""
ANYHOW = 1
"""What a die must show for a right that needs none."""


class Dying(Struct, frozen=True):
    """A model an attack destroyed: its unit, where it stood, and by what kind of attack it fell."""

    slot: int
    unit: int
    spot: tuple[int, int, int]
    cause: str


class Right(Struct, frozen=True):
    """A rule that lets a destroyed model act: whether it fights or shoots, and the die it needs."""

    fights: bool
    need: int


def fallen(play: Play, moment: Moment, side: int) -> Iterator[Dying]:
    """The models of a side that the attacks just made have destroyed, in the order they were; not who acted so before."""
    since = dict(moment.facts)["since"]
    assert isinstance(since, int)
    for event in _of_kind(play.events[since:], "casualties"):
        unit = event.fact("unit")
        if not isinstance(unit, int) or play.game.sides[unit] != side:
            continue
        spots, cause = event.fact("spots"), str(event.fact("cause"))
        acted = {event.fact("model") for event in _of_kind(play.events, LINGERS)} if spots else ()  # FIGHTDEATH-2
        for spot in spots if isinstance(spots, tuple) else ():
            slot, x, y, facing = cast(tuple[int, int, int, int], spot)
            if slot not in acted:
                yield Dying(slot, unit, (x, y, facing), cause)


def _of_kind(events: Sequence[Event], kind: str) -> list[Event]:
    """Those of some events that are of a kind; most are dice."""
    return list(compress(events, map(kind.__eq__, map(_kind, events))))


_kind = attrgetter("kind")


def may_act(play: Play, slot: int, cause: str) -> bool:
    """Whether a model that an attack of a kind destroys now may act before it is removed."""
    return bool(rights(play, Dying(slot, play.state.owner_of(slot), (0, 0, 0), cause)))


def waiting_ends(play: Play, moment: Moment) -> set[object]:
    """The models destroyed by the attacks just made whose end does something to others when they have acted."""
    since = dict(moment.facts)["since"]
    assert isinstance(since, int)
    return {event.fact("model") for event in _of_kind(play.events[since:], ENDS_LATER)}


def rights(play: Play, one: Dying) -> list[Right]:
    """AB-T5, AB-T7: what a destroyed model may do: fight if its unit has not fought in this phase, shoot after any attack."""
    if one.cause not in (MELEE, SHOOTING):
        return []
    if not _could_have(play, one):
        return []
    host = host_of(play.game, play.state, one.unit)
    found = []
    for rule in rules_of(play.game, play.state, host, one.slot):
        if rule.name not in (FIGHTS, SHOOTS):
            continue
        need = read_roll(rule.rating or ANYHOW).plus
        if rule.name == SHOOTS:
            found.append(Right(False, need))
        elif may_fight_yet(play, one.unit, one.cause):
            found.append(Right(True, need))
    return found


def _could_have(play: Play, one: Dying) -> bool:
    """Whether a destroyed model could have such a rule: by its datasheet, by somebody else's, or for a while."""
    fighter, state = index_of(play.game).fighters[one.slot], play.state
    if fighter.has(FIGHTS) or fighter.has(SHOOTS) or lent(play.game, play.game.sides[one.unit]):
        return True
    marks = [*[name for name, _ in state.units[one.unit].marks], *[name for _, name, _ in state.models]]
    return any(name.startswith(GRANT) for name in marks)


def lent(game: Game, side: int) -> bool:
    """Whether a datasheet of a side gives such a rule to others: to whom it leads, carries something for or stands near."""
    known = index_of(game).flown
    found = known.get(("lent", side))
    if not isinstance(found, bool):
        spans = [(game.starts[unit], game.starts[unit + 1]) for unit in game.units_of[side] if _lingers(game, unit)]
        models = [one for first, last in spans for one in index_of(game).fighters[first:last]]
        auras = [rule for one in models for rule in one.rules if rule.name not in (FIGHTS, SHOOTS)]
        given = [str(rule) for rule in (*auras, *[rule for one in models for rule in (*one.leading, *one.carried)])]
        found = known["lent", side] = any(name in text for text in given for name in (FIGHTS, SHOOTS))
    return found


def may_fight_yet(play: Play, unit: int, cause: str) -> bool:
    """Whether a model of a unit fell to a melee attack in the Fight phase before its unit fought in it."""
    return cause == MELEE and _phase(play) == "fight" and not play.state.units[unit].done


def _phase(play: Play) -> str:
    return table_of(play).phase(play.state.clock)


@cites("FIGHTDEATH-2")
def used(play: Play, one: Dying, found: list[Right]) -> list[Right]:
    """FIGHTDEATH-2, SHOOTDEATH-1, DP-69: under several such rules it acts once, by the one its owner names.

    By default that is one that needs no die, else the lowest. The best of each kind is called by the kind alone.
    """
    if not found:
        return []
    kinds = list(dict.fromkeys(right.fights for right in found))
    offered: dict[str, Right] = {}
    for right in sorted(dict.fromkeys(found), key=lambda right: (right.need, kinds.index(right.fights))):
        word = "fight" if right.fights else "shoot"
        offered[f"{word} on {right.need}+" if word in offered else word] = right
    owner, options = play.game.side_of(one.unit), tuple(offered)
    answer = play.choose(owner, "choose-option", "FIGHTDEATH-2", options, options[0], one.unit, "DP-69", purpose="after death")
    return [offered[str(answer)]]


def dying_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """One use for a player some of whose destroyed models have such a right; of models alike one is asked about it."""
    dying = list(fallen(play, moment, side))
    if not dying:
        return
    lookups, known = index_of(play.game), dict[object, list[Right]]()
    single = lookups.singled(play.state) if play.state.models else ()
    late = waiting_ends(play, moment)
    for one in dying:
        alike = one.unit, one.cause, one.slot if single else id(lookups.fighters[one.slot])
        if alike not in known:
            known[alike] = rights(play, one)
        if one.slot in late or needed(play, one, known[alike]):
            yield Use(variant="before they are removed")
            return


def act(play: Play, moment: Moment, use: Use) -> None:
    """DP-53: destroyed models act, in the order their owner likes; whom they destroy in turn has a moment of its own.

    When all have acted, their ends do to others what waited for it (FIGHTDEATH-5).
    """
    models, outer, late = play.game.models, play.bystanders, waiting_ends(play, moment)
    aside = step_aside(play)
    others = (*outer, *waiting(aside))
    rows = [[one for one in fallen(play, moment, side) if one.slot in late or rights(play, one)] for side in (0, 1)]
    dying, ends = [{models[one.slot].id: one for one in row} for row in rows], list[Dying]()
    for side, left in enumerate(dying):
        while left:
            names = tuple(left)
            one = left.pop(str(play.choose(side, "order", "FIGHTDEATH-3", names, names[0], point="DP-53", purpose="dying")))
            play.bystanders = (*others, *waiting((*ends, *[one for rest in dying for one in rest.values()])))
            for right in used(play, one, needed(play, one, rights(play, one))):
                play.rolled_by = one.unit
                if right.need <= ANYHOW or play.dice.ask(check("after death", right.need, _acts_by(right.fights))):
                    one = acts(play, one, right.fights)
            ends += [one] if one.slot in late else []
    while ends:
        one = ends.pop(0)
        play.bystanders = (*others, *waiting(ends))
        end_of(play, one)
    play.bystanders = outer
    for one in aside:
        play.emit("stands-again", ("FIGHTDEATH-3",), *_back(play, one), unit=one.unit, model=one.slot)


@cites("FIGHTDEATH-3")
def step_aside(play: Play) -> tuple[Dying, ...]:
    """FIGHTDEATH-3: who acts before being removed is no target for those it destroyed in turn: it is off while these act."""
    state = play.state
    rows = [(slot, state.owner_of(slot)) for slot in dying_now(play)]
    aside = tuple([Dying(slot, unit, (*state.at(slot), state.facing_of(slot)), ACTED) for slot, unit in rows])
    for one in aside:
        play.emit("stands-aside", ("FIGHTDEATH-3",), Removed(one.slot, one.unit), unit=one.unit, model=one.slot)
    return aside


@cites("FIGHTDEATH-5")
def end_of(play: Play, one: Dying) -> None:
    """FIGHTDEATH-5, ABIL-1: what waited until a destroyed model had acted, from where it stood; then it is removed."""
    play.emit("demise-due", ("FIGHTDEATH-5",), *_back(play, one), unit=one.unit, model=one.slot)
    destroy(play, one.slot, "FIGHTDEATH-5", kind=ACTED)


@cites("FIGHTDEATH-3")
def waiting(dying: Iterable[Dying]) -> tuple[Standing, ...]:
    """FIGHTDEATH-3: destroyed models that have yet to act keep their place and block movement."""
    return tuple((one.slot, one.spot[:2], one.spot[2]) for one in dying)


@cites("DICE-6")
def needed(play: Play, one: Dying, found: list[Right]) -> list[Right]:
    """DICE-6: those of some rights that need no die, or whose die could bring something: a target to shoot or to fight."""
    if not found or all(right.need <= ANYHOW for right in found):
        return found
    gone = [Removed(slot, play.state.owner_of(slot)) for slot in dying_now(play)]
    there = Play(play.game, patched_by(play.state, (*gone, *_back(play, one))), play.oracle)
    could = {True: _could_fight, False: _could_shoot}
    return [right for right in found if right.need <= ANYHOW or could[right.fights](there, one)]


def _could_shoot(play: Play, one: Dying) -> bool:
    """Whether a dying model that is back where it stood may fire a weapon at somebody."""
    return bool(targets_of(play, FireOrder(one.unit, weapons=arms_of(play, one), oop=True)))


def _could_fight(play: Play, one: Dying) -> bool:
    """Whether an enemy is so near to a dying model that is back where it stood that it may reach him by piling in."""
    game, state = play.game, play.state
    if not any(weapon.melee for weapon in index_of(game).fighters[one.slot].weapons):
        return False
    reach = pile_in_distance(play, one.unit) + LONGEST_ENGAGEMENT
    enemies = [host_of(game, state, unit) for unit in on_table(play, 1 - game.sides[one.unit])]
    return any(places.within(places.range_to(game, state, one.slot, host), reach) for host in enemies)


def _back(play: Play, one: Dying) -> list[Patch]:
    """FIGHTDEATH-3: what brings a destroyed model back to where it stood: it has kept its place, its height too."""
    x, y, facing = one.spot
    back: list[Patch] = [Returned((one.slot,), one.unit, False)]
    if play.state.units[one.unit].where != TABLE:
        back.append(Went(one.unit, TABLE))
    z = play.state.z[4 * one.slot : 4 * one.slot + 4]  # which is left of who is removed
    back.append(Placed((one.slot,), struct.pack("<2i", x, y), z, struct.pack("<h", facing)))
    back.append(Wounded(one.slot, _whole(play.game, one.slot) - wounds_left(play.game, one.slot)))
    return back


def _acts_by(fights: bool) -> str:
    """The clause by which a destroyed model fights, or shoots."""
    return "FIGHTDEATH-1" if fights else "SHOOTDEATH-1"


def acts(play: Play, one: Dying, fights: bool) -> Dying:
    """A destroyed model is back where it stood, fights or shoots, and is then removed; where it stands in the end."""
    play.emit(LINGERS, (_acts_by(fights),), *_back(play, one), unit=one.unit, model=one.slot)
    if fights:
        fight_dying(play, one)
    else:
        shoot_dying(play, one)
    if one.slot in play.state.units[one.unit].living:
        one = replace(one, spot=(*play.state.at(one.slot), play.state.facing_of(one.slot)))
        lose(play, ACTED, ("FIGHTDEATH-5",), one.unit, [one.slot], models=(one.slot,))
    return one


def _whole(game: Game, slot: int) -> int:
    lookups = index_of(game)
    return lookups.fighters[slot].profile.wounds


@cites("FIGHTDEATH-4", "SHOOTDEATH-3")
def wounds_left(game: Game, slot: int) -> int:
    """FIGHTDEATH-4, SHOOTDEATH-3: meanwhile it is taken to have 1 wound remaining."""
    return 1


@cites("FIGHTDEATH-1")
def fight_dying(play: Play, one: Dying) -> None:
    """FIGHTDEATH-1, FIGHTDEATH-5: it piles in and makes its attacks, but does not consolidate."""
    fight_alone(play, one.unit, one.slot, consolidates=False)


@cites("SHOOTDEATH-1")
def shoot_dying(play: Play, one: Dying) -> None:
    """SHOOTDEATH-1: it shoots with its ranged weapons, at any legal target."""
    as_if_moved(play, one.unit)
    shoot(play, FireOrder(one.unit, weapons=arms_of(play, one), oop=out_of_phase()))


def arms_of(play: Play, one: Dying) -> Weapons:
    """The ranged weapons of a dying model."""
    arms = index_of(play.game).fighters[one.slot].weapons
    return tuple((one.slot, index) for index, weapon in enumerate(arms) if not weapon.melee)


@cites("SHOOTDEATH-3")
def as_if_moved(play: Play, unit: int) -> None:
    """SHOOTDEATH-3: its unit counts as having made a Normal move this turn."""
    marks = [lasting(play.game, unit, MOVED, TURN), Marked(unit, STATIONARY, None)]
    play.emit("reinforced", ("SHOOTDEATH-3",), *marks, unit=unit)


@cites("SHOOTDEATH-4")
def out_of_phase() -> bool:
    """SHOOTDEATH-4: to shoot before being removed is an out-of-phase rule."""
    return True


_lingering: IdentityCache[Card, bool] = IdentityCache()
"""Cards met lately, and whether a model of theirs could act before it is removed."""


def _lingers(game: Game, unit: int) -> bool:
    """Whether a datasheet says so of a model, or of whom it leads."""
    card, fighters = game.cards[unit], index_of(game).fighters[game.starts[unit] : game.starts[unit + 1]]
    found = _lingering.get(card)
    if found is None:
        written = [str(rule) for one in fighters for rule in (*one.rules, *one.leading, *one.carried)]
        found = _lingering.put(card, any(name in text for text in written for name in (FIGHTS, SHOOTS)))
    return found


def somebody_may(game: Game, side: int) -> bool:
    """Whether anybody of a side could act before being removed: by a datasheet, or by a detachment's Stratagem."""
    if any(_lingers(game, unit) for unit in game.units_of[side]):
        return True
    fielded = detachment(detachment_of(game, side))
    return fielded is not None and any(text.startswith((FIGHTS, SHOOTS)) for row in fielded.stratagems for text in row.gives)


DYING = Reaction(
    "After death",
    frozenset({MADE}),
    "FIGHTDEATH-3",
    dying_uses,
    act,
    must=True,
    present=somebody_may,
    kind="ability",
)
