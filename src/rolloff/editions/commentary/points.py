"""The decision points of Part D of questions that do not name theirs: who acts next, and windows in which rules may be used.

They are for who reads a question. What a question is called at the table goes by its kind and its moment.
"""

from __future__ import annotations

from rolloff.rules.windows import ORDER, REACT
from rolloff.table.request import Request

NEXT = {
    "REDEP-1": "DP-5",
    "ABIL-9": "DP-59",
    "CMD-4": "DP-11",
    "MOVE-1": "DP-13",
    "MOVE-10": "DP-20",
    "SHOOT-1": "DP-23",
    "CHG-1": "DP-41",
    "FGT-2": "DP-45",
}
"""Which unit is next, by the clause it is asked under."""
TARGETED = {"targets-chosen": "DP-27", "melee-targets-chosen": "DP-27"}
"""Moments at which every rule that may be used belongs to one point."""
RULES = {
    "Insane Bravery": "DP-12",
    "Fire Overwatch": "DP-21",
    "Rapid Ingress": "DP-22",
    "Command Re-roll": "DP-29",
    "Heroic Intervention": "DP-43",
    "Tank Shock": "DP-44",
    "Counter-offensive": "DP-46",
    "Epic Challenge": "DP-49",
    "Burrows": "DP-54",
    "Fold the Hour": "DP-54",
    "Replaced Once": "DP-54",
    "Sink Away": "DP-54",
    "Afterimage": "DP-62",
    "Echo Strike": "DP-62",
    "Echo Parry": "DP-63",
    "Dread": "DP-64",
    "Returns Models": "DP-65",
    "Lamp token": "DP-66",
    "New Orders": "DP-67",
}
"""Rules that have a point of their own, by their names."""
WINDOW, SAME_TIME = "DP-8", "DP-7"
"""Every window that is open to a player; the order of rules that come at once."""


def point_of(request: Request) -> str:
    """The decision point of a question; empty where the list has none. A window for rules of several points is a window."""
    if request.kind == "choose-unit":
        return NEXT.get(request.clause, "")
    if request.kind not in (REACT, ORDER):
        return ""
    facts = dict(request.facts)
    moment, offered = facts.get("moment"), facts.get("reactions")
    if not isinstance(offered, tuple):
        return ""
    if request.kind == ORDER:
        return SAME_TIME
    points = {RULES.get(str(name), WINDOW) for name in offered}
    return TARGETED.get(str(moment)) or (points.pop() if len(points) == 1 else WINDOW)
