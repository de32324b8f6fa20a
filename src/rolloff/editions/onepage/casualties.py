"""Wounds and casualties (CAS, RULE-TOUGH): the owner of the wounded unit says who suffers, within the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from msgspec import Struct

from rolloff.editions.onepage.book import book_of
from rolloff.editions.onepage.lookups import index_of, tough
from rolloff.editions.onepage.moving import coherency_of
from rolloff.errors import IllegalCommand
from rolloff.oracle.flow import Harm
from rolloff.oracle.pool import Aimed
from rolloff.oracle.target import Ladder, Rung
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.rules.losses import lose
from rolloff.rules.play import Play
from rolloff.rules.survivors import Survivors
from rolloff.table.event import Fact, Patch, Wounded
from rolloff.table.state import NOWHERE

ORDINARY_FIRST, TOUGH_FIRST = "ordinary-first", "tough-first"


class Casualties(Struct, frozen=True):
    """What an event did to a unit: who was removed, who bears how many wounds and lives, and in which order they fell."""

    removed: tuple[int, ...] = ()
    wounded: int = -1
    lost: int = 0
    order: tuple[int, ...] = ()

    def and_then(self, other: Casualties) -> Casualties:
        """This and what followed it in the same event."""
        return other if not self.removed else Casualties(self.removed + other.removed, other.wounded, other.lost, other.order)


def allocate(play: Play, unit: int, packets: tuple[int, ...], pooled: int, cause: str) -> Casualties:
    """CAS-4: the packets of single-model weapons first, then the pooled rest; models leave when all is allocated (CAS-7)."""
    if (not pooled and not any(packets)) or not play.state.units[unit].living:
        return Casualties()
    order = _order(play, unit, packets, pooled)
    ladder = Ladder(tuple(Rung(wounds=_left(play, slot)) for slot in order))
    state = pooled_rest(play, ladder, packets_first(play, ladder, packets), pooled)
    dying = order[: ladder.kills(state)]
    lost = ladder.lost_on_next(state)
    removed = _who_goes(play, unit, order, len(dying))
    patches: tuple[Patch, ...] = ()
    wounded = -1
    if lost:
        wounded = _who_bears(play, unit, order, len(dying), removed)
        patches = (Wounded(wounded, play.state.wounds_on(wounded) + lost),)
    clauses = ("CAS-1", "CAS-2", "CAS-7", "RULE-TOUGH-1") if lost else ("CAS-1", "CAS-2", "CAS-7")
    gone = tuple(removed)
    lose(play, "casualties", clauses, unit, gone, *patches, models=gone, removed=len(gone), lost=lost, cause=cause)
    return Casualties(tuple(removed), wounded, lost, order)


@cites("CAS-4", "RULE-SNIPER-2")
def aimed_first(play: Play, unit: int, aimed: Aimed, cause: str) -> Casualties:
    """CAS-4, RULE-SNIPER-2: before all others each packet of a Sniper goes to the model it named; what is too much is lost."""
    left = {slot: _left(play, slot) for slot in play.state.units[unit].living}
    for slot, wounds in aimed:
        left[slot] = max(0, left[slot] - wounds)
    removed = tuple(slot for slot, rest in left.items() if not rest)
    hurt = {slot: rest for slot, rest in left.items() if 0 < rest < _left(play, slot)}
    if not removed and not hurt:
        return Casualties()
    patches = [Wounded(slot, tough(play.game, slot) - rest) for slot, rest in hurt.items()]
    lost = sum(_left(play, slot) - rest for slot, rest in hurt.items())
    clauses = ("CAS-1", "CAS-4", "CAS-7", "RULE-SNIPER-2")
    lose(play, "casualties", clauses, unit, removed, *patches, models=removed, removed=len(removed), lost=lost, cause=cause)
    return Casualties(removed)


def hurt(play: Play, kind: str, clauses: tuple[str, ...], unit: int, slot: int, count: int, **facts: Fact) -> Casualties:
    """One model takes wounds that are its own: they are written down, or it is removed."""
    total = play.state.wounds_on(slot) + count
    if total >= tough(play.game, slot):
        lose(play, kind, clauses, unit, (slot,), model=slot, **facts)
        return Casualties((slot,))
    play.emit(kind, clauses, Wounded(slot, total), unit=unit, model=slot, **facts)
    return Casualties(wounded=slot, lost=count) if count else Casualties()


@cites("CAS-4", "CAS-6", "CAS-5")
def packets_first(play: Play, ladder: Ladder, packets: tuple[int, ...]) -> int:
    """CAS-4 to CAS-6: each packet goes to one model that still lives; what it does not need is lost."""
    state = ladder.start()
    for packet in packets:
        if packet:
            state = ladder.take(play.dice, state, Harm(damage=packet))
    return state


@cites("RES-13")
def pooled_rest(play: Play, ladder: Ladder, state: int, pooled: int) -> int:
    """RES-13: the pooled wounds, one after the other, until nobody is left; the rest is discarded."""
    return ladder.take(play.dice, state, Harm(), pooled) if pooled else state


@cites("RULE-TOUGH-5")
def _left(play: Play, slot: int) -> int:
    """RULE-TOUGH-5: what a model can still bear; old wounds stay."""
    return tough(play.game, slot) - play.state.wounds_on(slot)


def _is_tough(play: Play, slot: int) -> bool:
    return tough(play.game, slot) > 1


@cites("RULE-TOUGH-2", "RULE-TOUGH-3", "RULE-TOUGH-4")
def _order(play: Play, unit: int, packets: tuple[int, ...], pooled: int) -> tuple[int, ...]:
    """RULE-TOUGH-3: a partly wounded model first, then ordinary or Tough models as the owner picks."""
    living = play.state.units[unit].living
    hurt = [slot for slot in living if play.state.wounds_on(slot)]
    if len(hurt) > 1:
        hurt = _first_of_hurt(play, unit, hurt)
    ordinary = [slot for slot in living if not _is_tough(play, slot)]
    sturdy = [slot for slot in living if _is_tough(play, slot) and slot not in hurt]
    sturdy.sort(key=lambda slot: (tough(play.game, slot), worth(play.game, slot), -slot))
    if not sturdy or not _falling(play, hurt, packets, pooled).more:
        return (*hurt, *ordinary, *sturdy)
    orders = {ORDINARY_FIRST: (*hurt, *ordinary, *sturdy), TOUGH_FIRST: (*hurt, *sturdy, *ordinary)}
    pick = ORDINARY_FIRST
    if ordinary:
        options = _keeping(play, unit, orders, packets, pooled)
        owner = play.game.side_of(unit)
        why = partial(_scatters, orders)
        pick = str(play.choose(owner, "choose-option", "RULE-TOUGH-3", options, options[0], unit, "DP-24", None, why))
    return _kinds_in_turn(play, unit, orders[pick], sturdy, packets, pooled)


class Falling(Struct, frozen=True):
    """How wounds fall on models in a given order: how many die, what the next one bears, and whether any were left over."""

    deaths: int
    borne: int
    more: bool


def _falling(play: Play, order: Sequence[int], packets: tuple[int, ...], pooled: int) -> Falling:
    """CAS-4 to CAS-6 without a die: packets first, each on one model, then the pooled wounds one after the other."""
    deaths, borne, more = 0, 0, False
    for spills, wounds in [*((False, packet) for packet in packets), (True, pooled)]:
        left = wounds
        while left and deaths < len(order):
            taken = min(left, _left(play, order[deaths]) - borne)
            borne, left = borne + taken, left - taken if spills else 0
            if borne == _left(play, order[deaths]):
                deaths, borne = deaths + 1, 0
        more = more or left > 0
    return Falling(deaths, borne, more)


@cites("CAS-3")
def _keeping(
    play: Play, unit: int, orders: Mapping[str, Sequence[int]], packets: tuple[int, ...], pooled: int
) -> tuple[str, ...]:
    """CAS-3: the orders that can leave the survivors coherent, or all of them if none can."""
    if _nowhere(play, unit):
        return tuple(orders)
    rest = play.once(_survivors, unit)
    everyone = rest.mask(rest.slots)

    def keeps(order: Sequence[int]) -> bool:
        deaths, at = _falling(play, order, packets, pooled).deaths, 0
        while at < deaths:
            same = _like(play, order, at)
            if len(same) > deaths - at:
                return rest.can_lose(everyone ^ rest.mask(order[:at]), rest.mask(same), deaths - at)
            at += len(same)
        return rest.coherent(everyone ^ rest.mask(order[:deaths]))

    return tuple(name for name, order in orders.items() if keeps(order)) or tuple(orders)


@cites("RULE-TOUGH-2")
def _kinds_in_turn(
    play: Play, unit: int, order: tuple[int, ...], sturdy: Sequence[int], packets: tuple[int, ...], pooled: int
) -> tuple[int, ...]:
    """RULE-TOUGH-2: among Tough models that bear unlike many wounds the owner picks which kind suffers first."""
    first, kinds = order.index(sturdy[0]), dict.fromkeys(tough(play.game, slot) for slot in sturdy)
    falling = _falling(play, order, packets, pooled)
    untouched = (falling.deaths, falling.borne) <= (first, 0)
    if len(kinds) < 2 or untouched or falling.deaths >= first + len(sturdy):
        return order
    orders = {}
    for kind in kinds:
        turn = sorted(sturdy, key=lambda slot: tough(play.game, slot) != kind)
        lead = play.game.models[turn[0]].id
        orders[lead] = (*order[:first], *turn, *order[first + len(sturdy) :])
    options = _keeping(play, unit, orders, packets, pooled)
    owner, why = play.game.side_of(unit), partial(_scatters, orders)
    pick = play.choose(owner, "choose-model", "RULE-TOUGH-2", options, options[0], unit, "DP-24", None, why)
    return orders[str(pick)]


def _scatters(orders: Mapping[str, Sequence[int]], name: object) -> IllegalCommand | None:
    """Why an order is not among what is offered: the survivors would not be coherent, though they can be."""
    return IllegalCommand("scatters", "CAS-3", f"{name} would scatter the survivors", str(name)) if name in orders else None


def _first_of_hurt(play: Play, unit: int, hurt: list[int]) -> list[int]:
    """RULE-TOUGH-3: if two models are partly wounded, the owner picks which goes first."""
    models = play.game.models
    options = tuple(models[slot].id for slot in hurt)
    first = play.choose(play.game.side_of(unit), "choose-model", "RULE-TOUGH-3", options, options[0], unit, "DP-24")
    return sorted(hurt, key=lambda slot: models[slot].id != first)


def worth(game: Game, slot: int) -> float:
    """How much its owner would miss a model: the attacks it brings."""
    lookups = index_of(game)
    return sum(weapon.attacks.mean for weapon in lookups.fighters[slot].weapons)


@cites("CAS-2", "CAS-3")
def _who_goes(play: Play, unit: int, order: tuple[int, ...], deaths: int) -> list[int]:
    """CAS-2, CAS-3: among like models the owner picks who goes; the survivors stay coherent if any choice leaves them so."""
    removed: list[int] = []
    at = 0
    while at < deaths:
        same = _like(play, order, at)
        goes = min(deaths - at, len(same))
        if goes == len(same) or play.state.wounds_on(order[at]):
            removed += same[:goes]
        else:
            removed += _pick(play, unit, removed, same, goes)
        at += goes
    return removed


def _like(play: Play, order: Sequence[int], at: int) -> list[int]:
    """The run of models from ``at`` on that the owner may choose among: all ordinary, or Tough and unhurt."""
    if play.state.wounds_on(order[at]):
        return [order[at]]
    sturdy = tough(play.game, order[at])
    run = []
    for slot in order[at:]:
        if tough(play.game, slot) != sturdy or play.state.wounds_on(slot):
            break
        run.append(slot)
    return run


def _survivors(play: Play, unit: int) -> Survivors:
    """Who of a unit stands together with whom, by the coherency the players agreed on (COH-3)."""
    return Survivors(
        play.scene, play.state.units[unit].living, coherency_of(play.game, play.state, unit), book_of(play.game).within
    )


def _nowhere(play: Play, unit: int) -> bool:
    """Whether a unit has no positions, as in odds apart from a table: then nobody can be out of coherency."""
    return play.state.at(play.state.units[unit].living[0])[0] == NOWHERE


def _preferred(play: Play, unit: int, gone: list[int], same: list[int], count: int) -> list[int]:
    """Whom owners let go who are not asked: the first they would miss least, of those who may."""
    order = sorted(same, key=lambda slot: (worth(play.game, slot), -slot))
    if _nowhere(play, unit):
        return order[:count]
    rest: Survivors = play.once(_survivors, unit)
    mask, from_ = rest.mask(rest.slots) ^ rest.mask(gone), rest.mask(same)
    picked: list[int] = []
    for left in range(count, 0, -1):
        slot = rest.first(mask, from_, left, order)
        picked.append(slot)
        mask, from_ = mask ^ rest.bit[slot], from_ ^ rest.bit[slot]
    return picked


def _pick(play: Play, unit: int, gone: list[int], same: list[int], count: int) -> list[int]:
    if not play.logged:
        return _preferred(play, unit, gone, same, count)
    rest = _survivors(play, unit)
    mask, from_ = rest.mask(rest.slots) ^ rest.mask(gone), rest.mask(same)
    picked: list[int] = []
    models = play.game.models
    while count:
        slots = rest.choices(mask, from_, count)
        default = min(slots, key=lambda slot: (worth(play.game, slot), -slot))
        options = tuple(models[slot].id for slot in slots)
        answer = play.choose(
            play.game.side_of(unit), "allocate", "CAS-3", options, models[default].id, unit, "DP-24", left=count
        )
        slot = play.game.slots[str(answer)]
        picked.append(slot)
        mask ^= rest.bit[slot]
        from_ ^= rest.bit[slot]
        count -= 1
    return picked


def _who_bears(play: Play, unit: int, order: tuple[int, ...], deaths: int, removed: list[int]) -> int:
    """Who bears the wounds that kill nobody: among like models the owner's pick."""
    if play.state.wounds_on(order[deaths]):
        return order[deaths]
    same = [slot for slot in _like(play, order, deaths) if slot not in removed]
    same += [
        slot for slot in order[:deaths] if slot not in removed and tough(play.game, slot) == tough(play.game, order[deaths])
    ]
    options = tuple(play.game.models[slot].id for slot in dict.fromkeys(same))
    answer = play.choose(play.game.side_of(unit), "choose-model", "RULE-TOUGH-2", options, options[0], unit, "DP-24")
    return play.game.slots[str(answer)]
