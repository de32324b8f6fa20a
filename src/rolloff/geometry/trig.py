"""Sines and cosines of whole tenths of a degree as integers, scaled by 2**30.

The table is computed here in wide integers, so it is the same on every machine: no trigonometry of the
platform's mathematical library ever decides a rule.
"""

from __future__ import annotations

from typing import Final

FULL_TURN: Final = 3600
SCALE_BITS: Final = 30
SCALE: Final = 1 << SCALE_BITS
_HALF: Final = SCALE >> 1

_BITS = 120
_ONE = 1 << _BITS


def _pi() -> int:
    """Pi, scaled by 2**120, from Machin's formula."""

    def arctan_of_inverse(n: int) -> int:
        term = (_ONE << 16) // n
        total, odd, sign = term, 1, 1
        while term:
            term //= n * n
            odd += 2
            sign = -sign
            total += sign * (term // odd)
        return total

    return (16 * arctan_of_inverse(5) - 4 * arctan_of_inverse(239)) >> 16


def _first_step() -> tuple[int, int]:
    """Cosine and sine of a tenth of a degree, scaled by 2**120, from their series."""
    angle = _pi() // 1800
    cosine = sine = 0
    term, k = _ONE, 0
    while term:
        sign = -1 if k & 2 else 1
        if k & 1:
            sine += sign * term
        else:
            cosine += sign * term
        k += 1
        term = (term * angle >> _BITS) // k
    return cosine, sine


def _table() -> tuple[int, ...]:
    """Cosines of 0.0 to 359.9 degrees."""
    c1, s1 = _first_step()
    c, s = _ONE, 0
    shift = _BITS - SCALE_BITS
    quarter = []
    for _ in range(901):
        quarter.append((c + (1 << (shift - 1))) >> shift)
        c, s = (c * c1 - s * s1) >> _BITS, (c * s1 + s * c1) >> _BITS
    quarter[900] = 0
    half_turn = quarter + [-quarter[1800 - k] for k in range(901, 1801)]
    return tuple(half_turn + [half_turn[3600 - k] for k in range(1801, 3600)])


COS: Final = _table()
"""COS[k] is cos(k / 10 degrees) * 2**30, rounded."""

SIN: Final = tuple(COS[(k - 900) % FULL_TURN] for k in range(FULL_TURN))
"""SIN[k] is sin(k / 10 degrees) * 2**30, rounded."""


def rounded(scaled: int) -> int:
    """Take off the scale and round, halves away from zero, so that opposite offsets stay opposite."""
    if scaled < 0:
        return -((-scaled + _HALF) >> SCALE_BITS)
    return (scaled + _HALF) >> SCALE_BITS


def turned(along: int, across: int, facing: int) -> tuple[int, int]:
    """Turn an offset in a model's own frame (along its facing, across to its left) into table axes."""
    c, s = COS[facing], SIN[facing]
    x, y = along * c - across * s, along * s + across * c
    return (  # as `rounded` does: asked too often to call it
        (x + _HALF) >> SCALE_BITS if x >= 0 else -((_HALF - x) >> SCALE_BITS),
        (y + _HALF) >> SCALE_BITS if y >= 0 else -((_HALF - y) >> SCALE_BITS),
    )
