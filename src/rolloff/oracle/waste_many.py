"""What very many attacks waste that deal two kinds of harm, the second after all of the first: in windows of what is likely.

How often both kinds arrive is marched through attack by attack, the first kind harm by harm; what is unlikely beyond measure is
left behind on the way. Then the second kind is borne from its greatest number down. Floats only.
"""

from __future__ import annotations

import numpy as np

from rolloff.errors import BadInput
from rolloff.oracle.counting import Attacks, FlowPlan
from rolloff.oracle.powers import Array
from rolloff.oracle.waste import Effect, Waste, added
from rolloff.oracle.windows import NOWHERE, Window, likely, pairs, spanning

WORK, ROOM = 20_000_000_000, 60_000_000
"""The most products of chances one such question may take, and the most chances it may keep."""


def moved(waste: Waste, effect: Effect, now: Window) -> tuple[Window, Array]:
    """One more harm on a window of standing states by what was wasted: the window after it, and what fell by what it wasted."""
    if not now.box.size:
        return now, np.zeros(0)
    height = len(now.box)
    along = [move.along for move in effect.moves]
    start, end = max(0, now.left + min(0, *along)), min(waste.size, now.right + max(0, *along))
    found = np.zeros((height + effect.most, end - start))
    for step, wasted, chances in effect.moves:
        first, last = max(now.left, -step), min(now.right, waste.size - step)
        if first < last:
            part = now.box[:, first - now.left : last - now.left] * chances[first:last]
            found[wasted : wasted + height, first + step - start : last + step - start] += part
    gone = waste.gone[start:end]
    fallen = np.concatenate((np.zeros(now.top), found[:, gone].sum(axis=1)))
    found[:, gone] = 0.0
    return likely(Window(now.top, start, found)), fallen


def many_wasted(waste: Waste, plan: FlowPlan, attacks: Attacks, ours: Effect, theirs: Effect, at: int) -> Array:
    """The law of what an event of very many attacks wastes; `BadInput` where even this would take too long."""
    counts = pairs(plan, attacks)
    often = np.flatnonzero(counts.any(axis=0))
    start = waste.start(at)
    now, gone = Window(0, 0, start.standing), start.gone
    fronts: list[tuple[int, Window, Array]] = []
    for first in range(int(often[-1]) + 1):
        if first >= often[0]:
            fronts.append((first, now, gone))
        now, fallen = moved(waste, ours, now)
        gone = added(np.convolve(gone, ours.beyond), fallen)
    rows, _ = spanning([window for _, window, _ in fronts])
    width = max(len(law) for _, _, law in fronts)
    _checked(len(counts), len(fronts), rows * waste.size + width, attacks.most)
    boxes, laws = np.zeros((len(fronts), rows, waste.size)), np.zeros((len(fronts), width))
    for at, (_, window, law) in enumerate(fronts):
        boxes[at, window.top : window.bottom, window.left : window.right] = window.box
        laws[at, : len(law)] = law
    shares = counts[:, [first for first, _, _ in fronts]]
    standing = (shares @ boxes.reshape(len(fronts), -1)).reshape(len(counts), rows, waste.size)
    return _borne_down(waste, theirs, standing, shares @ laws)


def _borne_down(waste: Waste, effect: Effect, standing: Array, fallen: Array) -> Array:
    """Page n of the standing and row n of the fallen bear n more harms; all together, from the greatest number down."""
    now, gone = NOWHERE, np.zeros(1)
    for page, law in zip(standing[::-1], fallen[::-1], strict=True):
        now, fell = moved(waste, effect, now)
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
