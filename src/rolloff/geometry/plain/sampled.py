"""Sight by samples between whole units, the plain twin: what stands between two models, and what each sees of the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rolloff.geometry.backdrop import COVERED, HIDING, Backdrop
from rolloff.geometry.field import Scene
from rolloff.geometry.plain.measure import owners_here
from rolloff.geometry.plain.samples import Prism, clear_pair, first_unseen
from rolloff.geometry.plain.spans import Bodies, Limits, spans
from rolloff.geometry.reaches import Reaches
from rolloff.geometry.samples import body_of, facing_samples, near, samples_of

NOT_CLOSE = Limits(-1.0, -1.0, -1.0)
"""Nobody asks here who is near or touches."""


class Shots(NamedTuple):
    """Weapons of some models: of each whose it is (his number among them), how far it reaches, and if it is fired unseen."""

    bearers: tuple[int, ...]
    reach: tuple[float, ...]
    unseen: bytes


def between(
    drop: Backdrop, scene: Scene, opaque: bool, rows: bytes, observer: int, target: int, full: bool = False
) -> list[tuple[Prism, int, int]]:
    """What could stand between two models: prisms, each with its number in the backdrop or (after -1) its model.

    Solid parts and bodies count if the world is ``opaque``, but none of the observer's own unit; screens that neither of the
    two lifts. For ``full`` visibility the target's fellows do not count, and woody screens do.
    """
    a, b = body_of(scene, observer), body_of(scene, target)
    found: list[tuple[Prism, int, int]] = []
    if opaque:
        found += [(drop.prisms[k], k, -1) for k in near(drop.prisms[: drop.solids], a, b)]
        owners = owners_here(scene)
        out = {owners[observer], owners[target]} if full else {owners[observer]}
        others = [slot for slot, owner in owners.items() if owner not in out and slot != target]
        bodies = [body_of(scene, slot) for slot in others]
        found += [(bodies[k], -1, others[k]) for k in near(bodies, a, b)]
    out_of, into = _out_of(drop, rows, observer), _into(drop, rows, target)
    screens = [k for k in range(drop.solids, len(drop.prisms)) if _stands(drop, k, out_of, into, full)]
    return found + [(drop.prisms[screens[k]], screens[k], -1) for k in near([drop.prisms[k] for k in screens], a, b)]


def _out_of(drop: Backdrop, rows: bytes, slot: int) -> bytes:
    """Which screens a model lifts as an observer."""
    return rows[drop.wide * slot : drop.wide * slot + drop.screens]


def _into(drop: Backdrop, rows: bytes, slot: int) -> bytes:
    """Which screens a model lifts as a target."""
    return rows[drop.wide * slot + drop.screens : drop.wide * slot + 2 * drop.screens]


def _stands(drop: Backdrop, prism: int, out_of: bytes, into: bytes, full: bool) -> bool:
    """Whether a screen's prism is there for two models."""
    screen = drop.screen[prism]
    return (full or not drop.woody[screen]) and not out_of[screen] and not into[screen]


def _whole(scene: Scene, prisms: Sequence[Prism], observer: int, target: int) -> bool:
    """Whether every sample of a model that faces another has a clear segment from it."""
    if not prisms:
        return True
    corners = body_of(scene, observer).corners
    axis = sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)
    return first_unseen(prisms, samples_of(scene, observer), facing_samples(scene, target, axis)) < 0


def seen(drop: Backdrop, scene: Scene, opaque: bool, rows: bytes, observers: Sequence[int], targets: Sequence[int]) -> bytes:
    """For each observer 1 if it sees any of the targets, else 0."""

    def sees(observer: int, target: int) -> bool:
        prisms = [prism for prism, _, _ in between(drop, scene, opaque, rows, observer, target)]
        if not prisms:
            return True
        return isinstance(clear_pair(prisms, samples_of(scene, observer), samples_of(scene, target)), tuple)

    return bytes([any(sees(one, other) for other in targets) for one in observers])


def in_aim(
    drop: Backdrop,
    scene: Scene,
    opaque: bool,
    bodies: Bodies,
    rows: bytes,
    observers: Sequence[int],
    groups: Sequence[Sequence[int]],
    shots: Shots,
) -> list[bytes]:
    """For each of some groups of targets, of each of some shots: 1 if one is near enough for it and, where it must be, seen."""
    return [_in_aim(drop, scene, opaque, bodies, rows, observers, targets, shots) for targets in groups]


def _in_aim(
    drop: Backdrop,
    scene: Scene,
    opaque: bool,
    bodies: Bodies,
    rows: bytes,
    observers: Sequence[int],
    targets: Sequence[int],
    shots: Shots,
) -> bytes:
    """The same for one group."""

    def aimed(at: int, reach: float, unseen: int) -> bool:
        near = _in_reach(scene, bodies, observers[at], targets, reach)
        return bool(near and (unseen or seen(drop, scene, opaque, rows, (observers[at],), near)[0]))

    asked = list(zip(shots.bearers, shots.reach, shots.unseen, strict=True))
    found = {shot: aimed(*shot) for shot in dict.fromkeys(asked)}
    return bytes([found[shot] for shot in asked])


def _in_reach(scene: Scene, bodies: Bodies, observer: int, targets: Sequence[int], reach: float) -> list[int]:
    """Those of some targets that are no further from a model."""
    far = [spans(scene, bodies, (observer,), (target,), NOT_CLOSE).nearest[0] for target in targets]
    return [target for target, apart in zip(targets, far, strict=True) if apart <= reach]


def aiming(
    drop: Backdrop,
    scene: Scene,
    opaque: bool,
    bodies: Bodies,
    rows: bytes,
    reaches: Reaches,
    shooters: Sequence[Sequence[int]],
    kinds: Sequence[int],
    groups: Sequence[Sequence[int]],
    sure: int,
) -> bytes:
    """For each of some groups of models 2 if one has a weapon, by its row of them, that may be fired at one of other groups.

    So it is for as many of those as are ``sure``, the first; if it may be fired only at one of the rest it is 1, else 0.
    """

    def aims(observers: Sequence[int], first: int, targets: Sequence[int]) -> bool:
        near = list(zip(observers, spans(scene, bodies, observers, targets, NOT_CLOSE).nearest, strict=True))
        if any(far <= reaches.unseen[first + slot] for slot, far in near):
            return True
        lookers = [slot for slot, far in near if far <= reaches.seen[first + slot]]
        return any(
            seen(drop, scene, opaque, rows, (slot,), _in_reach(scene, bodies, slot, targets, reaches.seen[first + slot]))[0]
            for slot in lookers
        )

    def found(observers: Sequence[int], first: int) -> int:
        if any(aims(observers, first, targets) for targets in groups[:sure]):
            return 2
        return int(any(aims(observers, first, targets) for targets in groups[sure:]))

    n = scene.field.n
    return bytes([found(observers, n * kind) for observers, kind in zip(shooters, kinds, strict=True)])


def whole(drop: Backdrop, scene: Scene, opaque: bool, rows: bytes, observer: int, target: int) -> bool:
    """Whether one model sees all that faces it of another."""
    prisms = [prism for prism, _, _ in between(drop, scene, opaque, rows, observer, target, full=True)]
    return _whole(scene, prisms, observer, target)


def cover(drop: Backdrop, scene: Scene, rows: bytes, observers: Sequence[int], targets: Sequence[int]) -> list[int]:
    """For each target the first feature that covers it by its row, or hides part of it from an observer; -1 for none."""

    def hidden(feature: int, target: int) -> bool:
        b, into = body_of(scene, target), _into(drop, rows, target)
        for observer in observers:
            out = _out_of(drop, rows, observer)
            parts = [k for k in drop.parts[feature] if k < drop.solids or _stands(drop, k, out, into, full=True)]
            prisms = [drop.prisms[parts[k]] for k in near([drop.prisms[k] for k in parts], body_of(scene, observer), b)]
            if prisms and not _whole(scene, prisms, observer, target):
                return True
        return False

    def first(target: int) -> int:
        for feature, state in enumerate(rows[drop.wide * target + 2 * drop.screens : drop.wide * (target + 1)]):
            if state == COVERED or (state == HIDING and hidden(feature, target)):
                return feature
        return -1

    return [first(target) for target in targets]
