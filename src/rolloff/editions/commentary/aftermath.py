"""What follows the attacks of a unit: who is taken off, Hazardous weapons, parts that separate, Battle-shock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rolloff.editions.commentary.choosing import ALLOCATED
from rolloff.editions.commentary.company import Bearer, Company, Muster
from rolloff.editions.commentary.lore import Host, Lore, below_half, host_of, leadership, starting_strength
from rolloff.oracle.roll import Dice
from rolloff.oracle.stage import Stage, check
from rolloff.oracle.target import Ladder
from rolloff.rules.citing import cited, cites
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.event import ModelMarked, Parted, Patch, Removed, Went, Wounded
from rolloff.table.state import GONE, State

HAZARD = check("hazardous", 2, "WPN-14")
HAZARD_WOUNDS = cited(3, "WPN-14", off=0)
UNTOUCHED, PASSED, SHOCKED = "none", "passed", "battle-shocked"


def settle(play: Play, unit: int, bearers: Sequence[Bearer], muster: Muster, cause: str, by: int, *clauses: str) -> None:
    """DEST-1: whoever has no wounds left is removed; the others keep what they lost, and that attacks came to them (ATK-4)."""
    removed: list[int] = []
    patches: list[Patch] = []
    for at, bearer in enumerate(bearers):
        slot, lost = bearer.slot, muster.lost[at]
        if lost >= bearer.rung.wounds:
            removed.append(slot)
            patches.append(Removed(slot, play.state.owner_of(slot)))  # DEST-1
        elif lost:
            patches.append(Wounded(slot, play.state.wounds_on(slot) + lost))
        elif muster.touched >> at & 1 and not play.state.wounds_on(slot) and play.state.model_mark(slot, ALLOCATED) is None:
            patches.append(ModelMarked(slot, ALLOCATED, 1))  # ATK-4
    if patches:
        play.emit(
            "casualties",
            (*clauses, "DEST-1"),
            *patches,
            unit=unit,
            models=tuple(removed),
            removed=len(removed),
            cause=cause,
            by=by,
        )


def hazards(
    dice: Dice, company: Company, muster: Muster, weapons: int, bearing: tuple[int, ...], sturdy: tuple[int, ...]
) -> Muster:
    """WPN-14: a die for each Hazardous weapon used; for each 1 a model that bears one is destroyed or suffers mortal wounds."""
    failed = sum(not dice.ask(HAZARD) for _ in range(weapons))
    for _ in range(failed):
        options = tuple(at for at in company.standing(muster) if at in bearing)
        if not options:
            break
        at = options[0] if len(options) == 1 else company.picker.pick(company, muster, options)
        if at in sturdy:
            muster = company.mortals(dice, muster, HAZARD_WOUNDS, at)
        else:
            muster = company.destroy(dice, muster, at)
    return muster


def separate(play: Play, before: Host) -> None:
    """LEAD-5, UNIT-6: when the attacks are resolved, Leaders without their Bodyguard are units of their own again."""
    if not before.attached:
        return
    lore: Lore = play.game.lore
    living = play.state.units[before.unit].living
    if any(slot not in before.guests for slot in living) or not living:
        return
    parts: dict[int, list[int]] = {}
    for slot in living:
        parts.setdefault(lore.fighters[slot].card, []).append(slot)
    patches: list[Patch] = [Parted(tuple(slots), before.unit, card) for card, slots in parts.items()]
    play.emit("parted", ("LEAD-5", "UNIT-6"), *patches, Went(before.unit, GONE), unit=before.unit, parts=len(parts))


# Battle-shock -------------------------------------------------------------------------------------


def standing_of(target: Ladder | Company, order: tuple[int, ...], state: Any) -> tuple[tuple[int, ...], int]:
    """The models left in a state of the target, and the wounds the first of them has lost in the attack."""
    if isinstance(target, Ladder):
        return order[target.kills(state) :], target.lost_on_next(state)
    left = target.standing(state)
    return tuple(target.bearers[at].slot for at in left), state.lost[left[0]] if left else 0


def shock_step(
    game: Game, state: State, host: Host, target: Ladder | Company, order: tuple[int, ...]
) -> Callable[[Dice, Any, Any], str] | None:
    """BSHOCK-1: what the losses lead to in the owner's next Command phase, as a step any dice can carry out.

    A unit the attack does not bring Below Half-strength, or destroys, takes no test for it.
    """
    if leadership(game, host) is None:
        return None

    def step(dice: Dice, start: Any, end: Any) -> str:
        after, before = (_left(game, state, host, target, order, moment) for moment in (end, start))
        if after is None or not after[1] or before is None or before[1]:
            return UNTOUCHED
        need = leadership(game, after[0])
        assert need is not None
        return PASSED if dice.ask(shock_test(need)) else SHOCKED

    return step


def _left(
    game: Game, state: State, host: Host, target: Ladder | Company, order: tuple[int, ...], moment: Any
) -> tuple[Host, bool] | None:
    """Who is left of a unit in a state of the target, and whether that is Below Half-strength; None if nobody."""
    lore: Lore = game.lore
    slots, lost = standing_of(target, order, moment)
    if not slots:
        return None
    cards = tuple(dict.fromkeys(lore.fighters[slot].card for slot in slots))
    left = Host(host.unit, slots, tuple(slot for slot in slots if slot in host.guests), cards)
    wounds = lore.fighters[slots[0]].profile.wounds
    remaining = wounds - state.wounds_on(slots[0]) - lost
    return left, below_half(starting_strength(game, cards), len(slots), remaining, wounds)


@cites("LDTEST-1", "BSHOCK-1")
def shock_test(need: int) -> Stage[bool]:
    """LDTEST-1: 2D6 against the best Leadership of the unit."""
    return check("battle-shock", need, "BSHOCK-1", "LDTEST-1", dice=2)


def rejoined(game: Game, state: State, unit: int) -> tuple[int, ...]:
    """The units that lead another and still stand beside it on paper: those whose ``where`` names it."""
    host = host_of(game, state, unit)
    lore: Lore = game.lore
    held = state.units[host.unit].living
    return tuple(dict.fromkeys(lore.fighters[slot].card for slot in host.guests if slot not in held))
