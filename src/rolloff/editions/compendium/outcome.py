"""What came of an attack, written into the game: who fell, who bears wounds, what crews and firers suffered."""

from __future__ import annotations

from rolloff.editions.compendium.asking import Asked
from rolloff.editions.compendium.blows import CONCUSSED
from rolloff.editions.compendium.crew import CrewState
from rolloff.editions.compendium.hull import Fleet, Squadron, Wreck
from rolloff.editions.compendium.losses import dazed, losses, rows_of
from rolloff.editions.compendium.places import Places
from rolloff.editions.compendium.squad import Squad, Standing
from rolloff.editions.compendium.targets import IMMOBILE, LIT, LOST
from rolloff.rules.play import Play
from rolloff.table.event import Marked, ModelMarked, Removed


def write_target(play: Play, unit: int, target: Squad | Squadron, start: Standing | Fleet, end: Standing | Fleet) -> None:
    """The target's losses, and what else befell it."""
    flesh = isinstance(target, Squad)
    clauses = ("CF-DMG-1", "CF-ALLOC-1") if flesh else ("CF-VEH-3", "CF-VEH-7")
    patches = losses(play.state, sorted(rows_of(target, start, end)))
    if patches:
        removed = tuple(patch.slot for patch in patches if isinstance(patch, Removed))
        play.emit("casualties", clauses, *patches, unit=unit, models=removed, removed=len(removed))
    if end.lit and not start.lit:
        play.emit("lit", ("SR-LUMINAGEN-1",), Marked(unit, LIT, 1), unit=unit)
    if isinstance(end, Standing) and isinstance(target, Squad):
        _concussed(play, unit, target, end)


def _concussed(play: Play, unit: int, target: Squad, end: Standing) -> None:
    slow = dazed(target, end)
    if slow:
        patches = [ModelMarked(slot, CONCUSSED, 1) for slot in slow]
        play.emit("concussed", ("SR-CONCUSSIVE-1",), *patches, unit=unit, models=tuple(slow))


def report(play: Play, attacker: int, target: int, kind: str, counts: tuple[int, ...], clause: str) -> None:
    """Tell what the rolls of an attack came to."""
    attacks, hits, wounds, blocked, ignored, unsaved, damage, mortal = counts
    play.emit(
        "attacked",
        (clause,),
        attacker=attacker,
        target=target,
        by=kind,
        attacks=attacks,
        hits=hits,
        ignored=ignored,
        blocked=blocked,
        wounds=wounds,
        unsaved=unsaved,
        damage=damage,
        mortal=mortal,
    )


def write_hulls(
    play: Play, unit: int, target: Squad | Squadron, start: Standing | Fleet, end: Standing | Fleet, asked: Asked
) -> list[int]:
    """The results of the Vehicle Damage table; the hulls that exploded."""
    if not (isinstance(target, Squadron) and isinstance(start, Fleet) and isinstance(end, Fleet)):
        return []
    exploded = []
    for hull, before, after in zip(target.hulls, start.wrecks, end.wrecks, strict=True):
        if after.exploded:
            exploded.append(hull.slot)
        if after.left:
            _crew(play, unit, hull.slot, before, after)
            _weapons(play, unit, hull.slot, before, after, [at for slot, at in asked.drawn if slot == hull.slot])
    return exploded


def _crew(play: Play, unit: int, slot: int, before: Wreck, after: Wreck) -> None:
    if after.crew > before.crew:
        play.emit("shaken", ("CF-VEH-6",), ModelMarked(slot, "shaken", 1), unit=unit, model=slot)
    if after.crew == 2 and before.crew < 2:
        play.emit("stunned", ("CF-VEH-6",), ModelMarked(slot, "stunned", 1), unit=unit, model=slot)
    if after.immobile and not before.immobile:
        play.emit("immobile", ("CF-VEH-6",), ModelMarked(slot, IMMOBILE, 1), unit=unit, model=slot)


def _weapons(play: Play, unit: int, slot: int, before: Wreck, after: Wreck, drawn: list[int]) -> None:
    held = range(len(play.game.models[slot].weapons))
    whole = [index for index in held if play.state.model_mark(slot, f"{LOST}{index}") is None]
    for k in range(before.arms - after.arms):
        index = whole.pop(drawn[k] if k < len(drawn) else 0)
        play.emit("disarmed", ("CF-VEH-6",), ModelMarked(slot, f"{LOST}{index}", 1), unit=unit, model=slot, weapon=index)


def write_firers(play: Play, places: Places, start: CrewState, end: CrewState) -> None:
    """What the attackers' own weapons did to them, and what leeching ones restored."""
    unit = places.form.attacker
    rows = list(zip(places.attackers, start.left, end.left, strict=True))
    patches = losses(play.state, [row for row in rows if row[2] < row[1]])
    if patches:
        removed = tuple(patch.slot for patch in patches if isinstance(patch, Removed))
        play.emit("burnt", ("SR-GETS-HOT-1", "SR-HAZARDOUS-1"), *patches, unit=unit, models=removed, removed=len(removed))
    healed = losses(play.state, [row for row in rows if row[2] > row[1]])
    if healed:
        play.emit("leeched", ("SR-SOUL-LEECH-1",), *healed, unit=unit)
