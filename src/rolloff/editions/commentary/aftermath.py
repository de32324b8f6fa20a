"""What follows the attacks of a unit: who is taken off, Hazardous weapons, parts that separate, Battle-shock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from rolloff.editions.commentary.ability import MELEE, SHOOTING
from rolloff.editions.commentary.attack_case import ALLOCATED, FIRING_DECK, borrowed
from rolloff.editions.commentary.cards import Fighter
from rolloff.editions.commentary.lookups import MONSTER, VEHICLE, Host, UnitIndex, host_of, joint_host
from rolloff.editions.commentary.squads import CHARACTER
from rolloff.editions.commentary.target import Bearer, Company, TargetState
from rolloff.editions.commentary.unit_values import below_half, is_below_half, leadership, starting_strength
from rolloff.oracle.roll import Dice
from rolloff.oracle.stage import Stage, check
from rolloff.oracle.target import Ladder
from rolloff.rules.attack import Plan
from rolloff.rules.citing import cites
from rolloff.rules.effects import USED
from rolloff.rules.game import Game
from rolloff.rules.losses import Fallen, lose
from rolloff.rules.play import Play
from rolloff.rules.windows import listened
from rolloff.table.event import Done, Event, Fact, Joined, Marked, ModelMarked, Parted, Patch, Removed, Went, Wounded, apply
from rolloff.table.state import GONE, State, Value

HAZARD = check("hazardous", 2, "WPN-14")
HAZARD_WOUNDS = 3  # WPN-14
STURDY = (CHARACTER, MONSTER, VEHICLE)
MADE = "attacks-made"
"""The moment at which a unit has made its attacks: who was destroyed by them may act before what else follows.

There is none where nobody was destroyed: whoever listens to it goes by who fell.
"""
CASUALTIES = "casualties"
"""The event by which models go that attacks destroyed, or lose wounds."""
LINGERS, ACTED = "lingers", "gone-after-acting"
"""The events by which a destroyed model is there to act, and by which it goes when it has."""
UNTOUCHED, PASSED, SHOCKED = RANKED = "none", "passed", "battle-shocked"
"""What a Battle-shock test may come to, the worst last."""


def settle(play: Play, unit: int, patches: Sequence[Patch], cause: str, by: int, *clauses: str) -> None:
    """DEST-1: whoever has no wounds left is removed; the others keep what they lost, and that attacks came to them (ATK-4)."""
    if patches:
        removed = [patch.slot for patch in patches if isinstance(patch, Removed)]
        others = [patch for patch in patches if not isinstance(patch, Removed)]
        why, models = _came_of(removed, others, clauses), tuple(removed)
        spots: dict[str, Fact] = {"spots": tuple([_spot(play, slot) for slot in removed])} if listened(play, MADE) else {}
        lose(play, CASUALTIES, why, unit, removed, *others, models=models, removed=len(models), cause=cause, by=by, **spots)


def _came_of(removed: Sequence[int], others: Sequence[Patch], clauses: tuple[str, ...]) -> tuple[str, ...]:
    """DEST-1, ATK-4: the clauses of what attacks came to: models that go, wounds that are lost, or allocation alone."""
    if removed:
        return (*clauses, "DEST-1")
    return clauses if any(isinstance(patch, Wounded) for patch in others) else ("ATK-4",)


def _spot(play: Play, slot: int) -> tuple[int, int, int, int]:
    """A model and where it stands, for whoever acts before it is removed."""
    return slot, *play.state.at(slot), play.state.facing_of(slot)


@cites("FIGHTDEATH-3")
def dying_now(play: Play) -> tuple[int, ...]:
    """FIGHTDEATH-3: the destroyed models that are there to act; nothing is allocated to them."""
    found: dict[Fact, None] = {}
    for event in play.events:
        if event.kind == LINGERS:
            found[event.fact("model")] = None
        elif event.kind == ACTED and found:
            for slot in [patch.slot for patch in event.patches if isinstance(patch, Removed)]:
                found.pop(slot, None)
    slots = [slot for slot in found if isinstance(slot, int)]
    return tuple([slot for slot in slots if slot in play.state.units[play.state.owner_of(slot)].living])


def losses(state: State, bearers: Sequence[Bearer], muster: TargetState) -> list[Patch]:
    """What the way a unit stands after an attack means for the state before it."""
    patches: list[Patch] = []
    touched = muster.touched
    if not touched and not any(muster.lost):
        return patches
    for at, lost in enumerate(muster.lost):
        if not lost and not touched >> at & 1:
            continue
        bearer = bearers[at]
        slot = bearer.slot
        if lost >= bearer.rung.wounds:
            patches.append(Removed(slot, state.owner_of(slot)))  # DEST-1
        elif lost:
            patches.append(Wounded(slot, state.wounds_on(slot) + lost))
        elif not state.wounds_on(slot) and state.model_mark(slot, ALLOCATED) is None:
            patches.append(ModelMarked(slot, ALLOCATED, 1))  # ATK-4
    return patches


def together(game: Game, state: State, unit: int) -> State:
    """ABIL-7: the state with the Leaders that a situation names as leading a unit among its models."""
    host = host_of(game, state, unit)
    patches = [Joined(guest, host.unit) for guest in rejoined(game, state, unit)]
    return apply(state, Event("odds", ("ABIL-7",), tuple(patches))) if patches else state


def left(game: Game, state: State, plan: Plan, end: Any) -> State:
    """Where an attack planned from a state leaves the game: wounds, the fallen, and who was allocated attacks (ATK-4)."""
    assert isinstance(plan.target, Ladder | Company)
    return left_by(game, state, plan.target, plan.order, end)


def left_by(game: Game, state: State, target: Ladder | Company, order: tuple[int, ...], end: Any) -> State:
    """The same of a target and the order in which its models are taken."""
    state = together(game, state, state.owner_of(order[0]))
    patches = loss_patches(state, target, order, end)
    return apply(state, Event("odds", (), tuple(patches))) if patches else state


def loss_patches(state: State, target: Ladder | Company, order: tuple[int, ...], end: Any) -> list[Patch]:
    """What the end of a target means for the state its attack was planned from."""
    if isinstance(target, Company):
        return losses(state, target.bearers, end)
    kills, lost = target.kills(end), target.lost_on_next(end)
    patches: list[Patch] = [Removed(slot, state.owner_of(slot)) for slot in order[:kills]]
    if lost:
        patches.append(Wounded(order[kills], state.wounds_on(order[kills]) + lost))
    return patches


class Peril(Struct, frozen=True):
    """The Hazardous weapons a unit has used: how many, and who of it bears one or is sturdy enough to suffer mortal wounds."""

    company: Company
    weapons: int
    bearing: tuple[int, ...]
    sturdy: tuple[int, ...]


def peril_of(game: Game, state: State, company: Company, weapons: int) -> Peril:
    """Look who may be harmed by a unit's own weapons."""
    lookups: UnitIndex = game.lookups
    fighters = [lookups.fighters[bearer.slot] for bearer in company.bearers]
    lent = borrowed(state, state.owner_of(company.bearers[0].slot))
    return Peril(company, weapons, bearing_ones(game, fighters, lent), sturdy_ones(fighters))


@cites("ABIL-5")
def bearing_ones(game: Game, fighters: Sequence[Fighter], lent: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """WPN-14, ABIL-5: who has a Hazardous weapon; a TRANSPORT is equipped with those that were fired from its deck."""
    lookups: UnitIndex = game.lookups
    deck = any(lookups.fighters[slot].weapons[index].has("Hazardous") for slot, index in lent)
    return tuple(
        at
        for at, one in enumerate(fighters)
        if any(weapon.has("Hazardous") for weapon in one.weapons) or (deck and one.has(FIRING_DECK))
    )


@cites("KEYW-4")
def sturdy_ones(fighters: Sequence[Fighter]) -> tuple[int, ...]:
    """KEYW-4: a rule for models with a keyword is in a mixed unit for those models alone that have it."""
    return tuple(at for at, one in enumerate(fighters) if any(word in one.keywords for word in STURDY))


def hazards(
    dice: Dice, company: Company, muster: TargetState, weapons: int, bearing: tuple[int, ...], sturdy: tuple[int, ...]
) -> TargetState:
    """WPN-14: a die for each Hazardous weapon used; for each 1 a model that bears one is destroyed or suffers mortal wounds."""
    for _ in range(failures(dice, weapons)):
        options = tuple(at for at in company.standing(muster) if at in bearing)
        if not options:
            break
        at = options[0] if len(options) == 1 else company.picker.fails(company, muster, options)
        if at in sturdy:
            muster = company.mortals(dice, muster, HAZARD_WOUNDS, at)
        else:
            muster = company.destroy(dice, muster, at)
    return muster


def failures(dice: Dice, weapons: int) -> int:
    """How many Hazardous weapons fail: in halves, so that odds meet the same numbers again."""
    if weapons < 2:
        return sum(not dice.ask(HAZARD) for _ in range(weapons))
    return dice.run(failures, weapons // 2) + dice.run(failures, weapons - weapons // 2)


@cites("LEAD-4", "UNIT-6")
def part_at_once(play: Play, fallen: Fallen) -> None:
    """LEAD-4, UNIT-6: whatever takes the last Bodyguard, Leaders are units of their own again; attacks are resolved first.

    That goes for attacks of anybody: those declared at the unit, or made by it, go on.
    """
    if by_attacks(fallen):
        return
    host = joint_host(play.game.starts, fallen.unit, tuple([slot for slot, _, _ in fallen.hulls]))
    if play.afterwards is None:
        separate(play, host, "LEAD-4")
    elif host.attached:
        play.afterwards.append(lambda later: separate(later, host))


@cites("LEAD-5")
def by_attacks(fallen: Fallen) -> bool:
    """LEAD-5: whether models went through attacks, those included that acted before they were removed."""
    return fallen.kind == ACTED or fallen.cause in (MELEE, SHOOTING)


def separate(play: Play, before: Host, why: str = "LEAD-5") -> None:
    """UNIT-6: Leaders without their Bodyguard are units of their own again; by LEAD-5 when the attacks are resolved."""
    if not before.attached:
        return
    lookups: UnitIndex = play.game.lookups
    living = play.state.units[before.unit].living
    if any(slot not in before.guests for slot in living) or not living:
        return
    parts: dict[int, list[int]] = {}
    for slot in living:
        parts.setdefault(lookups.fighters[slot].card, []).append(slot)
    patches: list[Patch] = [Parted(tuple(slots), before.unit, card) for card, slots in parts.items()]
    patches += [Done(card, play.state.units[before.unit].done) for card in parts]
    patches += [Marked(card, name, value) for card in parts for name, value in inherited(play, before.unit)]
    play.emit(PARTED, (why, "UNIT-6"), *patches, Went(before.unit, GONE), unit=before.unit, parts=len(parts))


PARTED = "parted"
"""The event by which what is left of an Attached unit becomes units of their own."""


@cites("LEAD-5")
def left_of(play: Play, unit: int) -> tuple[int, ...]:
    """LEAD-5: a unit, or what is left of one that has fallen apart in the attacks just made; nobody if it was destroyed.

    What is used just after they were resolved is used on it as on the unit it was part of (Part J, steps 6 and 7).
    """
    if play.state.units[unit].living:
        return (unit,)
    apart = [event for event in play.events if event.kind == PARTED and event.fact("unit") == unit]
    parts = [patch.into for event in apart[-1:] for patch in event.patches if isinstance(patch, Parted)]
    return tuple([part for part in parts if play.state.units[part].living])


@cites("PERSIST-3")
def inherited(play: Play, unit: int) -> list[tuple[str, Value]]:
    """PERSIST-3: the effects with a duration that the survivors of an Attached unit keep, for all of it.

    What the unit has used up, be it once a battle, is used up for them too.
    """
    effects, marks = play.game.edition.effects, play.state.units[unit].marks
    return [(name, value) for name, value in marks if name.startswith(USED) or effects.duration(name, value) is not None]


# Battle-shock -------------------------------------------------------------------------------------


def shock_step(
    game: Game, state: State, host: Host, target: Ladder | Company, order: tuple[int, ...], weakened: Weakened | None
) -> Callable[[Dice, Any, Any], str] | None:
    """BSHOCK-6: what the losses of one attack lead to, as a step any dice can carry out from the ends of the target.

    ``weakened`` is what `shock_class` says of it.
    """
    need = leadership(game, state, host)
    if need is None:
        return None
    if weakened is not None:
        return ShockStep(need, weakened)

    def step(dice: Dice, start: Any, end: Any) -> str:
        return shocked(dice, game, left_by(game, state, target, order, end), host.unit)

    return step


class Weakened(Struct, frozen=True, cache_hash=True):
    """UNIT-5: whether a unit of one kind of models is left Below Half-strength, read off an end of its ladder."""

    target: Ladder
    strength: int
    wounds: int

    def __call__(self, end: int) -> bool:
        """Whether it is at this end."""
        target = self.target
        return below_half(self.strength, target.models - target.kills(end), target.whole - end, self.wounds)


class ShockStep(Struct, frozen=True, cache_hash=True):
    """BSHOCK-6: the test of such a unit; equal to any other that needs the same."""

    need: int
    weakened: Weakened

    def __call__(self, dice: Dice, start: int, end: int) -> str:
        """Take it."""
        return UNTOUCHED if self.weakened.target.gone(end) else tested(dice, self.need, self.weakened(end))


def shock_class(game: Game, state: State, host: Host, target: Ladder | Company) -> Weakened | None:
    """What of an end the test of `shock_step` depends on; None where that is everything.

    A unit of one kind of models is Below Half-strength or not (UNIT-5), by how many are left or the wounds of its only one.
    """
    lookups: UnitIndex = game.lookups
    if host.guests or not isinstance(target, Ladder) or len(lookups.kinds(state, host.slots)) > 1:
        return None
    return Weakened(target, starting_strength(game, host.cards), lookups.fighters[host.slots[0]].profile.wounds)


def shocked(dice: Dice, game: Game, now: State, unit: int) -> str:
    """BSHOCK-6: the test a unit that is left Below Half-strength takes in its owner's next Command phase.

    Whether it was so before makes no difference; one that is destroyed takes none; Leaders left alone take their own
    (UNIT-6).
    """
    host = host_of(game, now, unit)
    if not host.slots:
        return UNTOUCHED
    words = [tested(dice, leadership(game, now, part), is_below_half(game, now, part)) for part in _parts(game, host)]
    return max(words, key=RANKED.index)


@cites("BSHOCK-6")
def tested(dice: Dice, need: int | None, weakened: bool) -> str:
    """BSHOCK-6: the test of a unit that is Below Half-strength and has a Leadership; others take none."""
    if need is None or not weakened:
        return UNTOUCHED
    return PASSED if dice.ask(shock_test(need)) else SHOCKED


def _parts(game: Game, host: Host) -> list[Host]:
    """The units a host is when the attacks are resolved: Leaders without a Bodyguard are units of their own (LEAD-5)."""
    lookups: UnitIndex = game.lookups
    if len(host.guests) < len(host.slots):
        return [host]
    by_card: dict[int, tuple[int, ...]] = {}
    for slot in host.slots:
        card = lookups.fighters[slot].card
        by_card[card] = (*by_card.get(card, ()), slot)
    return [Host(host.unit, slots, (), (card,)) for card, slots in by_card.items()]


@cites("LDTEST-1", "BSHOCK-1")
def shock_test(need: int, *clauses: str) -> Stage[bool]:
    """LDTEST-1: 2D6 against the best Leadership of the unit; ``clauses`` are those of what changes the need."""
    return check("battle-shock", need, "BSHOCK-1", "LDTEST-1", *clauses, dice=2)


def rejoined(game: Game, state: State, unit: int) -> tuple[int, ...]:
    """The units that lead another and still stand beside it on paper: those whose ``where`` names it."""
    host = host_of(game, state, unit)
    lookups: UnitIndex = game.lookups
    held = state.units[host.unit].living
    return tuple(dict.fromkeys(lookups.fighters[slot].card for slot in host.guests if slot not in held))
