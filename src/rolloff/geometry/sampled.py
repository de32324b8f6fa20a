"""Sight by samples between whole units: who sees anybody of a unit, who sees all of a model, and what covers whom.

The bytes of each model say, by screen of the backdrop, whether it lifts that screen as an observer (``out_of``) or as a target
(``into``); its row says what each feature is to it.
"""

from __future__ import annotations

from rolloff.geometry import kernels
from rolloff.geometry.backdrop import COVERED, HIDING, OPEN, Backdrop
from rolloff.geometry.plain.sampled import Shots, between

if kernels.COMPILED:
    from rolloff.geometry.compiled.sampled import cover, in_aim, seen, whole
else:
    from rolloff.geometry.plain.sampled import cover, in_aim, seen, whole

__all__ = ["COVERED", "HIDING", "OPEN", "Backdrop", "Shots", "between", "cover", "in_aim", "seen", "whole"]
