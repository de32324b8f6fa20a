"""What very many attacks waste that deal two kinds of harm, the second after all of the first: in windows of what is likely.

How often both kinds arrive is marched through attack by attack, the first kind harm by harm; what is unlikely beyond measure is
left behind on the way. Then the second kind is borne from its greatest number down. Floats only.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rolloff.errors import BadInput
from rolloff.oracle.counting import Attacks, FlowPlan
from rolloff.oracle.effects import Effect, Move, added
from rolloff.oracle.powers import Array, multiplied
from rolloff.oracle.waste import Waste
from rolloff.oracle.windows import NOWHERE, Window, likely, pairs, spanning

WORK, ROOM = 20_000_000_000, 60_000_000
"""The most products of chances one such question may take, and the most chances it may keep."""

BAND = 32
"""So many rows of windows are mixed at once."""


class Stride(NamedTuple):
    """A move with where it can begin at all: from a first state to a last, every so many, as models of so many wounds stand."""

    along: int
    wasted: int
    chances: Array
    first: int
    last: int
    every: int


class March(NamedTuple):
    """An effect for a long march: its moves with where they begin, and how far back and on they lead."""

    effect: Effect
    strides: tuple[Stride, ...]
    back: int
    on: int


def march_of(effect: Effect) -> March:
    """An effect made ready for a long march."""
    strides = tuple(_stride(move) for move in effect.moves if move.chances.any())
    along = [stride.along for stride in strides]
    return March(effect, strides, min(0, *along, 0), max(0, *along, 0))


def _stride(move: Move) -> Stride:
    there = np.flatnonzero(move.chances)
    gaps = np.unique(np.diff(there))
    return Stride(*move, int(there[0]), int(there[-1]) + 1, int(gaps[0]) if len(gaps) == 1 else 1)


def moved(waste: Waste, march: March, now: Window) -> tuple[Window, Array]:
    """One more harm on a window of standing states by what was wasted: the window after it, and what fell by what it wasted."""
    if not now.box.size:
        return now, np.zeros(0)
    height = len(now.box)
    start, end = max(0, now.left + march.back), min(waste.size, now.right + march.on)
    found = np.zeros((end - start, height + march.effect.most)).T  # what one state wastes lies side by side
    for along, wasted, chances, low, high, every in march.strides:
        first, last = low + max(0, -((low - now.left) // every)) * every, min(high, now.right)
        if first < last:
            part = now.box[:, first - now.left : last - now.left : every] * chances[first:last:every]
            found[wasted : wasted + height, first + along - start : last + along - start : every] += part
    gone = waste.gone[start:end]
    fallen = np.concatenate((np.zeros(now.top), found[:, gone].sum(axis=1)))
    found[:, gone] = 0.0
    return likely(Window(now.top, start, found)), fallen


def many_wasted(waste: Waste, plan: FlowPlan, attacks: Attacks, ours: Effect, theirs: Effect, at: int) -> Array:
    """The law of what an event of very many attacks wastes; `BadInput` where even this would take too long."""
    counts = pairs(plan, attacks)
    often = np.flatnonzero(counts.any(axis=0))
    start, march = waste.start(at), march_of(ours)
    now, gone = Window(0, 0, start.standing), start.gone
    fronts: list[tuple[int, Window, Array]] = []
    for first in range(int(often[-1]) + 1):
        if first >= often[0]:
            fronts.append((first, now, gone))
        now, fallen = moved(waste, march, now)
        gone = added(np.convolve(gone, ours.beyond), fallen)
    rows, _ = spanning([window for _, window, _ in fronts])
    width = max(len(law) for _, _, law in fronts)
    _checked(len(counts), len(fronts), rows * waste.size + width, attacks.most)
    laws = np.zeros((len(fronts), width))
    for line, (_, _, law) in zip(laws, fronts, strict=True):
        line[: len(law)] = law
    shares = counts[:, [first for first, _, _ in fronts]]
    standing = _mixed(shares, [window for _, window, _ in fronts], rows, waste.size)
    return _borne_down(waste, theirs, standing, multiplied(shares, laws))


def _mixed(shares: Array, windows: list[Window], rows: int, size: int) -> Array:
    """By each row of shares the sum of windows, each so often: band by band of rows, of those windows that reach into it."""
    found = np.zeros((len(shares), rows, size))
    for top in range(0, rows, BAND):
        bottom = min(top + BAND, rows)
        within = [at for at, window in enumerate(windows) if window.top < bottom and window.bottom > top]
        if not within:
            continue
        left, right = min(windows[at].left for at in within), max(windows[at].right for at in within)
        parts = np.zeros((len(within), bottom - top, right - left))
        for part, at in zip(parts, within, strict=True):
            window = windows[at]
            first, last = max(top, window.top), min(bottom, window.bottom)
            part[first - top : last - top, window.left - left : window.right - left] = window.box[
                first - window.top : last - window.top
            ]
        mixed = multiplied(shares[:, within], parts.reshape(len(within), -1))
        found[:, top:bottom, left:right] = mixed.reshape(len(shares), bottom - top, right - left)
    return found


def _borne_down(waste: Waste, effect: Effect, standing: Array, fallen: Array) -> Array:
    """Page n of the standing and row n of the fallen bear n more harms; all together, from the greatest number down."""
    now, gone, march = NOWHERE, np.zeros(1), march_of(effect)
    for page, law in zip(standing[::-1], fallen[::-1], strict=True):
        now, fell = moved(waste, march, now)
        gone = added(added(np.convolve(gone, effect.beyond), fell), law)
        box = np.zeros((max(now.bottom, len(page)), waste.size))
        box[: len(page)] = page
        box[now.top : now.bottom, now.left : now.right] += now.box
        now = likely(Window(0, 0, box))
    return added(np.concatenate((np.zeros(now.top), now.box.sum(axis=1))), gone)


def _checked(pages: int, fronts: int, places: int, attacks: int) -> None:
    """Refuse at once what would take too long, or too much room."""
    if pages * fronts * places > WORK or (pages + fronts) * places > ROOM:
        message = f"{attacks:,} attacks whose damage partly waits are too many for damage that is wasted; ask for fewer"
        raise BadInput("too-large", message, where="attacks", allowed="fewer attacks, or a smaller damage roll")
