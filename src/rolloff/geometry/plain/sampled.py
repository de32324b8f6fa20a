"""Sight by samples between whole units, the plain twin: what stands between two models, and what each sees of the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rolloff.geometry.backdrop import COVERED, HIDING, Backdrop
from rolloff.geometry.field import Scene
from rolloff.geometry.plain.measure import owners_here
from rolloff.geometry.plain.samples import Prism, clear_pair, first_unseen
from rolloff.geometry.plain.spans import Bodies, Limits, spans
from rolloff.geometry.samples import body_of, facing_samples, near, samples_of

NOT_CLOSE = Limits(-1.0, -1.0, -1.0)
"""Nobody asks here who is near or touches."""


class Shots(NamedTuple):
    """Weapons of some models: of each whose it is (his number among them), how far it reaches, and if it is fired unseen."""

    bearers: tuple[int, ...]
    reach: tuple[float, ...]
    unseen: bytes


def between(
    drop: Backdrop, scene: Scene, opaque: bool, observer: int, out_of: bytes, target: int, into: bytes, full: bool = False
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
    screens = [k for k in range(drop.solids, len(drop.prisms)) if _stands(drop, k, out_of, into, full)]
    return found + [(drop.prisms[screens[k]], screens[k], -1) for k in near([drop.prisms[k] for k in screens], a, b)]


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


def seen(
    drop: Backdrop,
    scene: Scene,
    opaque: bool,
    observers: Sequence[int],
    out_of: Sequence[bytes],
    targets: Sequence[int],
    into: Sequence[bytes],
) -> bytes:
    """For each observer 1 if it sees any of the targets, else 0."""

    def sees(observer: int, out: bytes, target: int, lifted: bytes) -> bool:
        prisms = [prism for prism, _, _ in between(drop, scene, opaque, observer, out, target, lifted)]
        if not prisms:
            return True
        return isinstance(clear_pair(prisms, samples_of(scene, observer), samples_of(scene, target)), tuple)

    rows = list(zip(targets, into, strict=True))
    return bytes([any(sees(*one, *other) for other in rows) for one in zip(observers, out_of, strict=True)])


def in_aim(
    drop: Backdrop,
    scene: Scene,
    opaque: bool,
    bodies: Bodies,
    observers: Sequence[int],
    out_of: Sequence[bytes],
    targets: Sequence[int],
    into: Sequence[bytes],
    shots: Shots,
) -> bytes:
    """For each of some shots 1 if one of the targets is near enough for it, and seen where it must be, else 0."""
    nearest = spans(scene, bodies, observers, targets, NOT_CLOSE).nearest
    near = [nearest[at] <= reach for at, reach in zip(shots.bearers, shots.reach, strict=True)]
    rows = list(zip(shots.bearers, near, shots.unseen, strict=True))
    looking = list(dict.fromkeys([at for at, reached, unseen in rows if reached and not unseen]))
    sees = seen(drop, scene, opaque, [observers[at] for at in looking], [out_of[at] for at in looking], targets, into)
    seers = {at for at, found in zip(looking, sees, strict=True) if found}
    return bytes([reached and (bool(unseen) or at in seers) for at, reached, unseen in rows])


def whole(drop: Backdrop, scene: Scene, opaque: bool, observer: int, out_of: bytes, target: int, into: bytes) -> bool:
    """Whether one model sees all that faces it of another."""
    prisms = [prism for prism, _, _ in between(drop, scene, opaque, observer, out_of, target, into, full=True)]
    return _whole(scene, prisms, observer, target)


def cover(
    drop: Backdrop,
    scene: Scene,
    observers: Sequence[int],
    out_of: Sequence[bytes],
    targets: Sequence[int],
    into: Sequence[bytes],
    rows: Sequence[bytes],
) -> list[int]:
    """For each target the first feature that covers it by its row, or hides part of it from an observer; -1 for none."""

    def hidden(feature: int, target: int, lifted: bytes) -> bool:
        b = body_of(scene, target)
        for observer, out in zip(observers, out_of, strict=True):
            parts = [k for k in drop.parts[feature] if k < drop.solids or _stands(drop, k, out, lifted, full=True)]
            prisms = [drop.prisms[parts[k]] for k in near([drop.prisms[k] for k in parts], body_of(scene, observer), b)]
            if prisms and not _whole(scene, prisms, observer, target):
                return True
        return False

    def first(target: int, lifted: bytes, row: bytes) -> int:
        for feature, state in enumerate(row):
            if state == COVERED or (state == HIDING and hidden(feature, target, lifted)):
                return feature
        return -1

    return [first(target, lifted, row) for target, lifted, row in zip(targets, into, rows, strict=True)]
