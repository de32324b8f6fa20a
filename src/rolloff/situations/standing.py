"""Whether a state can be at all: models on the table, none inside another, nobody aboard himself."""

from __future__ import annotations

import struct

from rolloff.errors import BadInput
from rolloff.geometry.measure import gap
from rolloff.geometry.shapes import core
from rolloff.rules.game import Game
from rolloff.table.state import NOWHERE, State

LEEWAY = 10
"""Thou by which a base may hang over the edge or into another: what rounding may do, and no more."""

UNPLACED = struct.pack("<2i", NOWHERE, 0)
"""The place of a model that has none."""


def _on_table(game: Game, state: State, slot: int) -> bool:
    x, y = state.at(slot)
    base = game.field.bases[slot]
    corners = core(x, y, state.facing_of(slot), base.hl, base.hw)
    width, height = game.field.width + LEEWAY - base.r, game.field.height + LEEWAY - base.r
    low = base.r - LEEWAY
    return all(low <= cx <= width and low <= cy <= height for cx, cy in corners)


def _apart_in_height(game: Game, state: State, one: int, other: int) -> bool:
    z = memoryview(state.z).cast("i")
    low, high = (one, other) if z[one] <= z[other] else (other, one)
    return z[low] + game.models[low].height <= z[high]


def _overlapping(game: Game, state: State) -> tuple[int, int] | None:
    """Two models inside one another, found by sweeping along x."""
    scene = game.scene(state)
    spans = []
    for slot, base in enumerate(game.field.bases):
        x, _ = state.at(slot)
        if x != NOWHERE:
            reach = base.hl + base.hw + base.r
            spans.append((x - reach, x + reach, slot))
    spans.sort()
    open_spans: list[tuple[int, int]] = []
    for left, right, slot in spans:
        open_spans = [span for span in open_spans if span[0] > left]
        for _, other in open_spans:
            if gap(scene, slot, other) < -LEEWAY and not _apart_in_height(game, state, slot, other):
                return other, slot
        open_spans.append((right, slot))
    return None


def _check_aboard(game: Game, state: State) -> None:
    for number in range(len(state.units)):
        seen = {number}
        host = state.units[number].where
        while host >= 0:
            if host in seen:
                name = game.names[number]
                raise BadInput("bad-where", f"{name} is aboard itself", where=name, allowed="another unit")
            seen.add(host)
            host = state.units[host].where


def check_standing(game: Game, state: State) -> None:
    """Raise `BadInput` for a state that no table could show."""
    if state.xy != UNPLACED * len(game.models):
        _check_places(game, state)
    _check_aboard(game, state)


def _check_places(game: Game, state: State) -> None:
    for slot, model in enumerate(game.models):
        if state.at(slot)[0] == NOWHERE:
            continue
        if not _on_table(game, state, slot):
            width, height = game.field.width / 1000, game.field.height / 1000
            allowed = f'wholly within {width:g}" by {height:g}"'
            raise BadInput("off-table", f"{model.id} stands off the table", where=model.id, allowed=allowed)
    pair = _overlapping(game, state)
    if pair:
        one, other = (game.models[slot].id for slot in pair)
        raise BadInput("overlap", f"{one} and {other} stand inside one another", where=one, allowed="a gap of 0 or more")
