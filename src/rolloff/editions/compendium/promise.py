"""What an attack promises on average, by the same odds as everything else: how unattended choices are made."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from rolloff.editions.compendium.abilities import BOOK
from rolloff.editions.compendium.hull import Fleet
from rolloff.editions.compendium.places import Places
from rolloff.editions.compendium.resolve import Assault, Group
from rolloff.editions.compendium.squad import BY_THE_BOOK, Standing
from rolloff.editions.compendium.targets import start_of, target_of


def promise(places: Places, groups: tuple[Group, ...]) -> float:
    """The Wounds or Hull Points some groups take off the target on average, every model of it in reach."""
    from rolloff.oracle.calculator import kept  # numpy is loaded only when odds are wanted

    parts = [part for group in groups for part in group.parts]
    plain = tuple(Group(replace(part.strike, marks=(), pooled=False), part.count, part.weapons) for part in parts)
    target: Any = target_of(places, tuple(range(len(places.targets))), places.form.kind, BY_THE_BOOK, named=False)
    law = kept().after(Assault(BOOK, plain, target).volleys(), target, start_of(places, target))
    return float(law.mean(lambda state: target.whole - _left(state)))


def _left(state: Standing | Fleet) -> int:
    return sum(state.left) if isinstance(state, Standing) else sum(wreck.left for wreck in state.wrecks)
