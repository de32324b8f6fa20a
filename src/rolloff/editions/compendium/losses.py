"""What the end of an attack means for the state of the game: who fell, who bears wounds, what else befell them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rolloff.editions.compendium.blows import CONCUSSED
from rolloff.editions.compendium.hull import Fleet, Squadron, Wreck
from rolloff.editions.compendium.squad import Squad, Standing
from rolloff.editions.compendium.targets import IMMOBILE, LIT, LOST
from rolloff.table.event import Event, Marked, ModelMarked, Patch, Removed, Wounded, apply
from rolloff.table.state import State

Row = tuple[int, int, int]
"""A model by its slot, and the Wounds or Hull Points it had left before and has left after."""


def losses(state: State, rows: Iterable[Row]) -> list[Patch]:
    """Who is removed, and who bears wounds."""
    patches: list[Patch] = []
    for slot, before, after in rows:
        if after != before:
            removed = Removed(slot, state.owner_of(slot))
            patches.append(removed if not after else Wounded(slot, state.wounds_on(slot) + before - after))
    return patches


def rows_of(target: Squad | Squadron, start: Standing | Fleet, end: Standing | Fleet) -> list[Row]:
    """What the models of a target had left before and after."""
    found = target.losses(start, end, ())  # type: ignore[arg-type]
    return [(slot, whole, whole - lost) for slot, lost, whole in found]


def dazed(target: Squad, end: Standing) -> list[int]:
    """SR-CONCUSSIVE-1: the models that drop to Initiative 1."""
    return [body.slot for at, body in enumerate(target.bodies) if end.dazed >> at & 1 and end.left[at]]


def written(state: State, target: Any, start: Any, end: Any, choose: Callable[[int], int] = lambda n: 0) -> State:
    """The state an attack leaves; ``choose`` says which of so many weapons a hull has lost, by default the first."""
    patches = all_patches(state, target, start, end, choose)
    return apply(state, Event("odds", (), tuple(patches))) if patches else state


def all_patches(state: State, target: Any, start: Any, end: Any, choose: Callable[[int], int] = lambda n: 0) -> list[Patch]:
    """Everything the end of an attack changes."""
    patches = losses(state, rows_of(target, start, end))
    if end.lit and not start.lit:
        first = (target.bodies if isinstance(target, Squad) else target.hulls)[0].slot
        patches.append(Marked(state.owner_of(first), LIT, 1))
    if isinstance(target, Squad):
        patches += [ModelMarked(slot, CONCUSSED, 1) for slot in dazed(target, end)]
    else:
        for hull, before, after in zip(target.hulls, start.wrecks, end.wrecks, strict=True):
            if after.left:
                patches += _shattered(state, hull.slot, before, after, choose)
    return patches


def _shattered(state: State, slot: int, before: Wreck, after: Wreck, choose: Callable[[int], int]) -> list[Patch]:
    found: list[Patch] = []
    if after.immobile and not before.immobile:
        found.append(ModelMarked(slot, IMMOBILE, 1))
    if after.crew:
        found.append(ModelMarked(slot, ("shaken", "stunned")[after.crew - 1], 1))
    gone = {name for at, name, _ in state.models if at == slot and name.startswith(LOST)}
    whole = [f"{LOST}{at}" for at in range(before.arms + len(gone)) if f"{LOST}{at}" not in gone]
    for _ in range(before.arms - after.arms):
        found.append(ModelMarked(slot, whole.pop(choose(len(whole))), 1))
    return found
