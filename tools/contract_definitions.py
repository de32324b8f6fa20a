"""Clauses in which nothing can be switched off: vocabulary, names, and markers without an effect.

Everything else is a rule, and its code must be missed by a test when it is gone.
"""

from __future__ import annotations

DEFINITIONS: dict[str, frozenset[str]] = {
    "onepage": frozenset(
        {
            "GEN-5",  # where the condensed sheet is silent: a reading aid, worked into the other clauses
            "GEN-9",  # what "unit" and "model" cover
            "GEN-11",  # nothing is hidden
            "DICE-1",  # the basic die
            "MEAS-1",  # inches, measured freely
            "UNIT-1",  # what a unit is
            "UNIT-2",  # what a profile lists
            "MORALE-1",  # names the two triggers; MORALE-2 and MELEE-20 do the work
            "PIN-1",  # Pinned is a yes or a no
            "TERR-OPEN-1",  # open ground does nothing
            "TYPE-HERO-1",  # a marker; ARMY-3 and JOIN-3 do the work
            "TYPE-VEH-1",  # points to the vehicle clauses
            "GEN-10",  # two sides: the frame itself has no third
            "DICE-13",  # one source of dice: the frame itself, the same for every edition
            "UNIT-5",  # what completely destroyed means
            "MEAS-6",  # plan view: no vertical measure exists to be left out
            "LOS-2",  # no facing limits sight; ARC does for vehicles
            "ACT-10",  # facing is free; nothing in this edition reads it
            "MOVE-11",  # no cost for climbing exists
            "COH-8",  # one model has nobody to stand by
            "ROUT-3",  # wounds are compared before anybody routs
            "TERR-GEN-1",  # names the types; the TERR clauses do the work
            "TERR-GEN-2",  # what within and touching mean
            "TERR-IMP-2",  # sight asks for solid and for nothing else
            "TERR-COVER-7",  # only shooting knows cover
            "TYPE-INF-1",  # the type of whatever is no vehicle
            "TYPE-VEH-8",  # vehicles are units like any other
            "ARC-5",  # only vehicles have arcs
            "RULE-TRANSPORT-6",  # nothing of the transport's state reaches its passengers
            "VDMG-5",  # Glanced does nothing
        }
    ),
    "commentary": frozenset(
        {
            "ACTIVE-1",
            "AGAINST-1",
            "ANY-1",
            "ARMYDEF-1",
            "BASE-1",
            "BEARER-1",
            "CHAMP-1",
            "CHAMP-3",
            "CHARGE-1",
            "CHARGE-3",
            "CHARGE-4",
            "CTRL-1",
            "DICE-2",
            "DMGROLL-1",
            "DRES-1",
            "EDGE-1",
            "FIGHT-1",
            "FIRING-1",
            "LABEL-1",
            "MPHASE-1",
            "NDMG-1",
            "OOP-1",
            "PERSIST-1",
            "PRIO-1",
            "RESOLVE-1",
            "SETUP-1",
            "TARGET-1",
            "TARGET-2",
            "UEQ-1",
            "UNIT-1",
            "UNIT-2",
            "WOUNDS-1",
            "WPN-20",
            "YOU-1",
            "YSTRAT-1",
        }
    ),
    "compendium": frozenset(
        {
            "CF-PROF-1",  # what a profile lists
            "CF-PROF-5",  # the names of types
            "SR-PSYCHIC-3",  # a flag for other rules
        }
    ),
}
