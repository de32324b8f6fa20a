"""Sight by samples between whole units: who sees anybody of a unit, who sees all of a model, and what covers whom.

The row of each model says, by screen of the backdrop, whether it lifts that screen as an observer, then whether it does as a
target, and then what each feature is to it. ``rows`` are those of all models of the field, one behind the other.
"""

from __future__ import annotations

from rolloff.geometry import kernels
from rolloff.geometry.backdrop import COVERED, HIDING, OPEN, Backdrop
from rolloff.geometry.plain.sampled import Shots, between
from rolloff.geometry.reaches import Reaches

if kernels.COMPILED:
    from rolloff.geometry.compiled.sampled import aiming, cover, in_aim, seen, whole
else:
    from rolloff.geometry.plain.sampled import aiming, cover, in_aim, seen, whole

__all__ = ["COVERED", "HIDING", "OPEN", "Backdrop", "Reaches", "Shots", "aiming", "between", "cover", "in_aim", "seen", "whole"]
