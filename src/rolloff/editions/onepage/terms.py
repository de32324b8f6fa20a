"""The family's words for what units do and what becomes of them."""

from __future__ import annotations

from rolloff.editions.onepage.morale import NONE, PINS, ROUTS
from rolloff.editions.onepage.moving import ASSAULT, HOLD, RUN, WALK
from rolloff.rules.morale import PASSED
from rolloff.rules.terms import Action, EngineClauses, Outcome, Outcomes, Role

ACTIONS = (
    Action(HOLD, Role.HOLD),  # ACT-1
    Action(WALK, Role.STEADY),  # ACT-2
    Action(RUN, Role.RUSH),  # ACT-3
    Action(ASSAULT, Role.CLOSE),  # ACT-4
    Action("idle"),  # ACT-6
    Action("stay", counted=False),  # RULE-TRANSPORT-5
)
OUTCOMES = Outcomes(
    (
        Outcome(NONE),
        Outcome(PASSED, event="morale-passed"),  # MORALE-7
        Outcome(PINS, event="pinned", marks=True),  # MORALE-8
        Outcome(ROUTS, event="routed", marks=True, breaks=True),  # MORALE-10
    )
)
DEEDS = {"shot": "shoot", "cast": "cast"}
"""Further events that are counted, and as what."""
ENGINE = EngineClauses(
    choice="GEN-8",
    edition="GEN-1",  # GEN-1
    profiles="UNIT-2",
    upgrades="ARMY-5",
    size="ARMY-1",
)
