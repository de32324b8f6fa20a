"""Moments about who sees whom, re-rolls, units set up again and the end of a battle, each decided from the contract's words."""

from __future__ import annotations

from typing import Any

import pytest

from tests.commentary.desk import Json, blade, gun, squad
from tests.commentary.referee import FAR, Moment, at, judge, move, part, place, react, says

SHOOT = part("shooting", "a1", "shoot")
FIGHT = part("fight", "a1", "fight")
ARRIVALS = {"phase": "reinforcements"}
STOP = {"unanswered": "stop"}
RICH = {"sides": {"A": {"cp": 3}, "B": {"cp": 3}}}
MINE = {"sides": {"A": {"cp": 3}, "B": {"cp": 0}}}
AGAIN = {"who": "A", "options": ["Command Re-roll a1", "pass"]}


def wall(x0: float, y0: float, x1: float, y1: float) -> Json:
    """A table with one sealed wall nobody sees through."""
    spots = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
    piece = {"id": "w", "types": ["sealed structure"], "polygon": spots, "height": 6, "solid": True}
    return {"table": {"size": [60, 44], "terrain": [piece]}}


HIDES_X = wall(12.1, 17.6, 25, 18.2)
"""A wall between a1.1 and the Leader x, that leaves the Bodyguards of b1 and the second Leader y in sight."""


def guarded(*weapons: Json, shooters: Any = ((10, 10),), second: bool = False, **more: Any) -> list[Json]:
    """A unit of A before Bodyguards with the Leader x at the far end, and perhaps the Leader y at the near one."""
    ours = squad("a1", "A", len(shooters), *weapons, at=shooters, M=6, **more)
    theirs = [squad("b1", "B", 2, at=[(11, 19.5), (12.3, 19.5)], M=6), hero("x", 13.9)]
    return [ours, *theirs, *([hero("y", 9.4, rules=["Second Leader"])] if second else []), FAR]


def hero(id: str, x: float, y: float = 19.5, **more: Any) -> Json:
    """A Leader of b1."""
    return squad(id, "B", 1, at=[(x, y)], keywords=["INFANTRY", "CHARACTER"], leading="b1", M=6, W=4, **more)


RIFLE = gun("Precision", skill=2, AP=-9)
HIDDEN = [
    says(
        "a CHARACTER behind a wall bears no precise wound though its unit is seen",
        "WPN-10 PREC-1",
        guarded(RIFLE),
        SHOOT,
        {"dead": ["b1.1"], "wounds": {"x": [0]}},
        [2, 4],
        [at("b1")],
        **HIDES_X,
    ),
    says(
        "nor the mortal wounds of a precise attack",
        "MW-5 WPN-10",
        guarded(gun("Precision", "Devastating Wounds", skill=2)),
        SHOOT,
        {"dead": ["b1.1"], "wounds": {"x": [0]}},
        [2, 6],
        [at("b1")],
        **HIDES_X,
    ),
    says(
        "of two CHARACTERS the one in sight bears them all",
        "PREC-1 PREC-2",
        guarded(gun("Precision", A=2, skill=2, AP=-9), second=True),
        SHOOT,
        {"dead": [], "wounds": {"x": [0], "y": [2]}},
        [2, 4, 2, 4],
        [at("b1")],
        **HIDES_X,
    ),
    says(
        "sight is each model's own: who stands where x is seen hits x, his fellow a Bodyguard",
        "WPN-10 ATTR-2",
        guarded(RIFLE, shooters=((10, 10), (30, 19.5))),
        SHOOT,
        {"dead": ["b1.1"], "wounds": {"x": [1]}},
        [2, 4, 2, 4],
        [at("b1")],
        **HIDES_X,
    ),
    says(
        "in melee too the attacking model has to see the CHARACTER",
        "WPN-10",
        [
            squad("a1", "A", 1, blade("Precision", skill=2), at=[(10, 10)], M=6),
            squad("b1", "B", 2, at=[(11, 10), (12.4, 10)], M=6),
            hero("x", 12.4, 8.3),
            FAR,
        ],
        FIGHT,
        {"dead": ["b1.1"], "wounds": {"x": [0]}},
        [2, 4],
        [],
        **wall(5, 9.2, 20, 9.3),
    ),
]
MORTAR = gun("Indirect Fire", range=48, skill=4)
UNSEEN = [
    says(
        "who does not see the target fires as if he did where a fellow sees it",
        "WPN-9 TCOND-1",
        [squad("a1", "A", 2, MORTAR, at=[(10, 10), (12, 10)], M=6), squad("b1", "B", 1, at=[(10, 30)], M=6, Sv=4, W=9), FAR],
        SHOOT,
        {"needs": {"hit": [4, 4]}},
        [1, 1],
        [at("b1")],
        **wall(5, 14, 11, 15),
    ),
    says(
        "where nobody of the unit sees it all hit worse",
        "WPN-9",
        [squad("a1", "A", 2, MORTAR, at=[(8, 10), (9.5, 10)], M=6), squad("b1", "B", 1, at=[(8, 30)], M=6, Sv=4, W=9), FAR],
        SHOOT,
        {"needs": {"hit": [5, 5]}},
        [1, 1],
        [at("b1")],
        **wall(1, 14, 16, 15),
    ),
]


def duel(*weapons: Json, **more: Any) -> list[Json]:
    """One model of A ten inches from one of B."""
    return [
        squad("a1", "A", 1, *weapons, at=[(10, 10)], M=6, **more),
        squad("b1", "B", 1, gun(), at=[(20, 10)], M=6, W=9, Sv=2),
        FAR,
    ]


OVERWATCH = react("Fire Overwatch b1 a1")
SURGE = squad("a1", "A", 1, at=[(10, 10)], M=6, keywords=["INFANTRY", "TIDE", "detachment:rising-undertow"])
REROLLS = [
    says(
        "a natural 1 misses however easy the Hit roll is, and may be rolled again",
        "CSTR-1 ATK-2",
        duel(gun(skill=2), rules=["To Hit(+1)"]),
        SHOOT,
        {"verdict": "pending", "pending": AGAIN},
        [1],
        [at("b1")],
        **STOP,
        **MINE,
    ),
    says(
        "the need that is told is 2, as a natural 1 always fails",
        "ATK-2",
        duel(gun(skill=2), rules=["To Hit(+1)"]),
        SHOOT,
        {"needs": {"hit": [2]}},
        [1],
        [at("b1")],
    ),
    says(
        "so is a Wound roll of 1 that needs no more",
        "CSTR-1 ATK-3",
        [
            squad("a1", "A", 1, blade("Lance", S=8), at=[(10, 10)], M=6, marks=["charged"]),
            squad("b1", "B", 1, at=[(11, 10)], W=9),
            FAR,
        ],
        FIGHT,
        {"verdict": "pending", "pending": AGAIN, "rolls": ["hit"]},
        [6, 1],
        [{"kind": "move", "value": "stay"}],
        **STOP,
        **RICH,
    ),
    says(
        "a save of 1 may be rolled again where any other face saves",
        "CSTR-1 ATK-6",
        [duel(gun())[0], squad("b1", "B", 1, at=[(20, 10)], W=9, Sv=2, rules=["Save Against Damage 1"]), FAR],
        SHOOT,
        {"verdict": "pending", "pending": {"who": "B", "options": ["Command Re-roll b1", "pass"]}},
        [6, 6, 1],
        [at("b1"), react()],
        **STOP,
        sides={"A": {"cp": 0}, "B": {"cp": 1}},
    ),
    says(
        "a critical hit is none that failed, whatever was needed",
        "CSTR-1 CRIT-1",
        duel(gun(skill=6, S=1), rules=["To Hit(-1)"]),
        SHOOT,
        {"rolls": ["hit", "wound", "save"]},
        [6, 6, 6],
        [at("b1")],
        **STOP,
        **MINE,
    ),
    says(
        "Overwatch needs a 6, and a miss may be rolled again",
        "CSTR-1 CSTR-5 CRIT-2 OOP-2",
        duel(),
        move(),
        {"needs": {"hit": [6]}, "cp": {"B": 1}, "rolls": ["hit", "wound"]},
        [2, 6, 1],
        [OVERWATCH, react("Command Re-roll b1")],
        **RICH,
    ),
    says(
        "all dice of a surging Charge roll may be rolled again, before the lowest is discarded",
        "CSTR-1 DISCARD-1 REROLL-2",
        [SURGE, squad("b1", "B", 1, at=[(20, 10)], W=9), FAR],
        part("charge", "a1", "charge"),
        {"cp": {"A": 1}, "marked": {"a1": ["charged"]}, "rolls": ["charge"]},
        [1, 2, 3, 4, 5, 6],
        [react("Headlong Surge a1"), react("Command Re-roll a1")],
        **RICH,
    ),
]


def maw(**more: Any) -> Json:
    """A unit that burrows."""
    words = {"keywords": ["MONSTER", "TIDE"], "rules": ["Burrows"], "M": 6, "W": 9, **more}
    return squad("a1", "A", 1, gun("Heavy", skill=4), **{"at": [(10, 10)], **words})


def folded(**more: Any) -> Json:
    """A unit whose army may fold the hour."""
    words = {"keywords": ["INFANTRY", "REACH", "detachment:lamplit-vigil"], "M": 6, **more}
    return squad("a1", "A", 1, at=[(10, 10)], **words)


WATCHER = squad("b1", "B", 1, gun(), at=[(45, 20)], M=6, W=9)
SHOT_AT = {"verdict": "pending", "pending": {"who": "B", "options": ["Fire Overwatch b1 a1", "pass"]}}
THERE = place(a1_1=(30, 20))
AGAINST = [
    says(
        "a unit that burrows is set up, and may be shot at for it",
        "CSTR-5 REPOS-2 OOP-2",
        [maw(), WATCHER],
        ARRIVALS,
        SHOT_AT,
        (),
        [react("Burrows a1"), THERE],
        **STOP,
        **RICH,
    ),
    says(
        "so is one that folds the hour",
        "CSTR-5 REPOS-2",
        [folded(), WATCHER],
        ARRIVALS,
        SHOT_AT,
        (),
        [react("Fold the Hour a1"), THERE],
        **STOP,
        **RICH,
    ),
    says(
        "and one that is replaced",
        "CSTR-5 REPLACE-2",
        [squad("a1", "A", 1, at=[(10, 10)], M=6, rules=["Replaced Once"]), squad("b1", "B", 1, gun(), at=[(30, 16)], W=9)],
        ARRIVALS,
        SHOT_AT,
        (),
        [react("Replaced Once a1"), place(a1_1=(30, 2))],
        **STOP,
        **RICH,
    ),
    says(
        "what arrived in this phase may burrow",
        "REPOS-1 MOVE-10",
        [maw(at=(), where="reserve", rules=["Burrows", "Deep Strike"], marks=[{"waits": "deep-strike"}]), FAR],
        ARRIVALS,
        {"at": {"a1.1": [30.0, 20.0]}, "events": {"arrived": 1, "taken-up": 1}},
        (),
        [{"kind": "choose-unit", "value": "a1"}, place(a1_1=(20, 20)), react("Burrows a1"), THERE],
    ),
    says(
        "in the whole Movement phase it is asked once before anybody arrives",
        "REPOS-1",
        [maw(), FAR],
        {"phase": "movement"},
        {"events": {"taken-up": 0}, "marked": {"a1": ["stationary"]}},
        (),
        [{"kind": "choose-unit", "value": "a1"}, {"kind": "choose-action", "value": "stationary"}, react()],
        **STOP,
    ),
    says(
        "who is set up again made a Normal move: Heavy weapons fire as after one",
        "REPOS-3 WPN-13",
        [maw(marks=["stationary"]), FAR],
        ARRIVALS,
        {"marked": {"a1": ["moved"]}, "unmarked": {"a1": ["stationary"]}},
        (),
        [react("Burrows a1"), THERE],
    ),
]
SAVELESS = squad("b1", "B", 1, at=[(20, 10)], W=2, Sv=6, rules=["Echo Parry"])
ENDS = [
    says(
        "the last model of an army falls to a unit's shots, and the battle is over at once",
        "MIS-4 MIS-8",
        [duel(gun())[0], squad("b1", "B", 1, at=[(20, 10)])],
        SHOOT,
        {"events": {"game-ended": 1}, "dead": ["b1.1"]},
        [6, 6],
        [at("b1")],
    ),
    says(
        "in the step of all units as well, before another acts",
        "MIS-4 MIS-8",
        [duel(gun())[0], squad("a2", "A", 1, gun(), at=[(10, 14)], M=6), squad("b1", "B", 1, at=[(20, 10)])],
        {"step": "shoot"},
        {"events": {"game-ended": 1, "activated": 1}},
        [6, 6],
        [{"kind": "choose-unit", "value": "a1"}, at("b1")],
    ),
    says(
        "where nobody else is on the table a unit's part ends nothing",
        "MIS-4",
        [squad("a1", "A", 1, at=[(10, 10)], M=6)],
        move(),
        {"events": {"game-ended": 0}},
    ),
    says(
        "a save that cannot succeed has failed: Echo Parry takes the Damage",
        "MODCH-4 ATK-6",
        [duel(gun(AP=-3, S=9, D=6))[0], SAVELESS, FAR],
        SHOOT,
        {"wounds": {"b1": [0]}, "rolls": ["hit", "wound"], "events": {"ability": 1}},
        [6, 6],
        [at("b1"), react("Echo Parry b1.1")],
        **STOP,
    ),
    says(
        "no die lies there that could be rolled again",
        "CSTR-1 AUTO-1",
        [duel(gun(AP=-3, S=9))[0], squad("b1", "B", 1, at=[(20, 10)], W=2, Sv=6), FAR],
        SHOOT,
        {"wounds": {"b1": [1]}},
        [6, 6],
        [at("b1"), react()],
        **STOP,
        sides={"A": {"cp": 0}, "B": {"cp": 3}},
    ),
]


@pytest.mark.parametrize("moment", HIDDEN)
def test_precision_reaches_whom_the_attacking_model_sees(moment: Moment) -> None:
    """A precise wound goes to a CHARACTER only if the model that attacks sees it."""
    judge(moment)


@pytest.mark.parametrize("moment", UNSEEN)
def test_indirect_fire_goes_by_what_the_unit_sees(moment: Moment) -> None:
    """Indirect Fire is worse only against a target nobody of the attacking unit sees."""
    judge(moment)


@pytest.mark.parametrize("moment", REROLLS)
def test_rolls_that_failed_may_be_rolled_again(moment: Moment) -> None:
    """Command Re-roll is offered after a roll that failed, whatever number was needed, in and out of phase."""
    judge(moment)


@pytest.mark.parametrize("moment", AGAINST)
def test_units_that_are_set_up_again(moment: Moment) -> None:
    """The whole Reinforcements step allows it, the enemy may react to it, and it counts as a Normal move."""
    judge(moment)


@pytest.mark.parametrize("moment", ENDS)
def test_ends_of_battles_and_saves_nobody_rolls(moment: Moment) -> None:
    """A battle ends when an army's last model falls; a save that cannot succeed counts as failed without a die."""
    judge(moment)
