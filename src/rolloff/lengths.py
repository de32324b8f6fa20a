"""Lengths and angles as whole numbers: thousandths of an inch ("thou") and tenths of a degree.

Whole numbers hash, compare and replay exactly. People write inches, millimetres and degrees; this module
is the only place where those become thou and tenths.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Final

INCH: Final = 1000
"""Thou in one inch."""

FULL_TURN: Final = 3600
"""Tenths of a degree in one full turn."""

LIMIT: Final = 1000
"""No length or coordinate may be larger than this many inches."""

NOWHERE: Final = -(2**31)
"""The x of a model that has no place on the table: removed, in reserve or aboard."""

_MM_IN_INCH = Decimal("25.4")


class LengthError(ValueError):
    """A length or an angle that is no number, or is too large to mean anything on a table."""


def _number(value: float | int | str) -> Decimal:
    """Read a number exactly as it was written."""
    if isinstance(value, bool):
        raise LengthError(f"{value!r} is not a number")
    try:
        number = Decimal(value) if isinstance(value, (int, str)) else Decimal(repr(value))
    except InvalidOperation:
        raise LengthError(f"{value!r} is not a number") from None
    if not number.is_finite():
        raise LengthError(f"{value!r} is not a finite number")
    return number


def _whole(number: Decimal) -> int:
    """Round to a whole number, halves away from zero."""
    return int(number.to_integral_value(rounding=ROUND_HALF_UP))


def inches(value: float | int | str) -> int:
    """Turn inches into thou, rounded to 0.001".

    Raises:
        LengthError: the value is no finite number, or larger than 1000" either way.
    """
    if type(value) is int and -LIMIT <= value <= LIMIT:
        return value * INCH
    number = _number(value)
    if abs(number) > LIMIT:
        raise LengthError(f"{value!r} inches is more than {LIMIT}")
    return _whole(number * INCH)


def to_inches(thou: int) -> float:
    """Turn thou into inches; reads back as the same thou."""
    return thou / INCH


def millimetres(value: float | int | str) -> int:
    """Turn millimetres into thou (1 inch is 25.4 mm).

    Raises:
        LengthError: the value is no finite number, or larger than 1000" either way.
    """
    number = _number(value) / _MM_IN_INCH
    if abs(number) > LIMIT:
        raise LengthError(f"{value!r} mm is more than {LIMIT} inches")
    return _whole(number * INCH)


def degrees(value: float | int | str) -> int:
    """Turn degrees into tenths of a degree from 0 to 3599.

    Raises:
        LengthError: the value is no finite number, or larger than 1000 full turns.
    """
    number = _number(value)
    if abs(number) > LIMIT * 360:
        raise LengthError(f"{value!r} degrees is more than {LIMIT} turns")
    return _whole(number * 10) % FULL_TURN


def to_degrees(tenths: int) -> float:
    """Turn tenths of a degree into degrees."""
    return tenths / 10


def half(length: int) -> int:
    """Halve a length in thou, halves rounded up: the radius of a base of that diameter."""
    return (length + 1) // 2
