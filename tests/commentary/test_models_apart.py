"""Units whose models differ: what is said of a model counts for that model, whatever its fellows are."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rolloff.errors import ArmyError, BadInput
from rolloff.situations.adjudicate import adjudicate
from tests.commentary.desk import Json, gun, shoot, squad
from tests.commentary.referee import FAR, Moment, at, judge, move, part, says, way

RIFLE, PISTOL = gun(name="rifle"), gun("Pistol", range=12, name="pistol")
WALKER = ["VEHICLE", "WALKER", "CHARACTER"]
BOTH = [{"kind": "assign-weapons", "value": [["a1.1", 0], ["a1.1", 1]]}]
THEIRS = [{"kind": "assign-weapons", "value": [["a2.1", 0], ["a2.1", 1]]}]
ENEMY = squad("b1", "B", 1, at=[(10, 18)], W=9)


def led(*guns: Json) -> list[Json]:
    """A foot soldier with a rifle and a pistol, led by a walker, and an enemy before them."""
    walker = squad("a2", "A", 1, *guns, at=[(7.5, 10)], M=6, W=9, keywords=WALKER, leading="a1")
    return [squad("a1", "A", 1, RIFLE, PISTOL, at=[(10, 10)], M=6), walker, ENEMY]


MOMENTS = [
    says(
        "a foot soldier led by a walker fires its Pistol or its rifle, not both",
        "WPN-5 KEYW-4",
        led(),
        part("shooting", "a1", "shoot"),
        {"refused": "WPN-5"},
        answers=[at("b1"), *BOTH],
    ),
    says(
        "by default it fires the rifle alone, and the walker all it has",
        "WPN-5 KEYW-4",
        led(RIFLE, PISTOL),
        part("shooting", "a1", "shoot"),
        {"rolls": ["hit", "hit", "hit"]},
        dice=[1, 1, 1],
        answers=[at("b1")],
    ),
    says(
        "the walker fires both where it is told to",
        "WPN-5",
        led(RIFLE, PISTOL),
        part("shooting", "a1", "shoot"),
        {"rolls": ["hit", "hit"]},
        dice=[1, 1],
        answers=[at("b1"), *THEIRS],
    ),
    says(
        "who has no Move makes no Scout move",
        "UNIT-2 ABIL-9",
        [squad("a1", "A", 1, at=[(10, 10)], M="-", rules=["Scouts 6"], keywords=["FORTIFICATION", "VEHICLE"]), FAR],
        {"step": "scouts"},
        {"refused": "ABIL-9"},
        answers=[{"kind": "choose-unit", "value": "a1"}],
    ),
    says(
        "nor does its TRANSPORT for it, if that has none",
        "UNIT-2 ABIL-9",
        [
            squad(
                "a2", "A", 1, at=[(10, 10)], M="-", keywords=["VEHICLE", "DEDICATED TRANSPORT"], rules=["Carries 12 INFANTRY"]
            ),
            squad("a1", "A", 1, M=6, rules=["Scouts 6"], where="a2"),
            FAR,
        ],
        {"step": "scouts"},
        {"refused": "ABIL-9"},
        answers=[{"kind": "choose-unit", "value": "a2"}],
    ),
]


def foes(*spots: tuple[float, float]) -> Json:
    """Enemies at some spots."""
    return squad("b1", "B", len(spots), at=list(spots), M=6)


def chief(x: float, y: float, stride: Any) -> Json:
    """A Leader of a1 with a Move of his own."""
    return squad("x", "A", 1, at=[(x, y)], M=stride, keywords=["INFANTRY", "CHARACTER"], rules=["Leader"], leading="a1")


RETREATS = [
    says(
        "models fall back beside a Leader who cannot move, if he stands clear of enemies",
        "UNIT-2 MOVE-2 MOVE-7",
        [squad("a1", "A", 2, at=[(10, 10), (10, 11.5)], M=6), chief(8, 10.5, "-"), foes((11.8, 10.5))],
        move("fall-back"),
        {"marked": {"a1": ["fell-back"]}, "at": {"x.1": [8, 10.5]}},
    ),
    says(
        "each as its player wants, ending coherent with him",
        "UNIT-2 MOVE-2 MOVE-7",
        [squad("a1", "A", 1, at=[(10, 10)], M=6), chief(8, 10, "-"), foes((11.8, 10))],
        move("fall-back"),
        {"at": {"a1.1": [8, 12], "x.1": [8, 10]}},
        answers=[way(a1_1=(8, 12))],
    ),
    says(
        "not away from him",
        "COH-3 MOVE-7",
        [squad("a1", "A", 1, at=[(10, 10)], M=6), chief(8, 10, "-"), foes((11.8, 10))],
        move("fall-back"),
        {"refused": "COH-3"},
        answers=[way(a1_1=(8, 14))],
    ),
    says(
        "enemies on both sides of him: each finds a way of its own",
        "UNIT-2 MOVE-2 MOVE-7",
        [
            squad("a1", "A", 2, at=[(12, 10), (8, 10)], M=6),
            chief(10, 10, "-"),
            foes((12, 11.9), (13.9, 10), (8, 8.1), (6.1, 10)),
        ],
        move("fall-back"),
        {"marked": {"a1": ["fell-back"]}, "at": {"x.1": [10, 10]}},
    ),
    says(
        "if he stands within Engagement Range himself the unit cannot",
        "UNIT-2 MOVE-7",
        [squad("a1", "A", 1, at=[(8, 10)], M=6), chief(10, 10, "-"), foes((11.8, 10))],
        move("fall-back"),
        {"refused": "MOVE-1"},
    ),
    says(
        "models that are alike go their own ways where they cannot go as one",
        "MOVE-2 MOVE-7",
        [
            squad("a1", "A", 3, at=[(20, 20), (20, 21.6), (21.6, 20.8)], M=3),
            foes((21, 18), (23.5, 21), (22, 22), (18, 20.5), (18.5, 23)),
        ],
        move("fall-back"),
        {"marked": {"a1": ["fell-back"]}, "left": {"a1": 3}},
        {"desperate escape": [6]},
    ),
    says(
        "those alone who must, where others need not",
        "MOVE-2 MOVE-7",
        [
            squad("a1", "A", 2, at=[(20, 20), (20, 22.9)], M=3),
            foes((18.5, 20.5), (21.5, 20), (19.5, 26), (22.5, 17), (23.5, 23), (22.5, 27.5), (20.5, 26.5), (23.5, 26)),
        ],
        move("fall-back"),
        {"marked": {"a1": ["fell-back"]}, "at": {"a1.2": [20, 22.9]}},
    ),
    says(
        "nor by such ways if all of them are shut in",
        "MOVE-2 MOVE-7",
        [
            squad("a1", "A", 2, at=[(20, 20), (20, 21.2)], M=1),
            foes((21.5, 20.5), (18.5, 20.5), (20, 18.5), (20, 22.7)),
        ],
        move("fall-back"),
        {"refused": "MOVE-1"},
    ),
    says(
        "a quick model gets out past a slow one that need not go as far",
        "MOVE-5 MOVE-7",
        [squad("a1", "A", 1, at=[(10, 10)], M=10), chief(7.5, 10, 1), foes((11.6, 10), (10, 11.6), (10, 8.4))],
        move("fall-back"),
        {"marked": {"a1": ["fell-back"]}},
    ),
]


@pytest.mark.parametrize("moment", [*MOMENTS, *RETREATS])
def test_models_that_differ(moment: Moment) -> None:
    """What is said of models counts for those alone that are so."""
    judge(moment)


@pytest.mark.clause("commentary-10", "UT-2", "UNIT-2")
def test_a_model_has_characteristics_of_its_own() -> None:
    """The Toughness written of one model is its own, and an attack on its unit is made against the highest."""
    attacker = squad("a1", "A", 1, gun(S=5))
    for own, needed in (([{}, {}, {"stats": {"T": 6}}], 5), ([{}, {}, {}], 3)):
        target = squad("b1", "B", 3, own=own)
        assert shoot([attacker, target], dice=[3, 1]).needs("wound") == [needed]


def test_characteristics_of_a_model_that_are_none_are_refused() -> None:
    """A name that is no characteristic is refused with the model it stands at."""
    target = squad("b1", "B", 2, own=[{}, {"stats": {"Luck": 3}}])
    with pytest.raises(BadInput) as refused:
        shoot([squad("a1", "A", 1, gun()), target])
    assert refused.value.where == "b1.2.stats.Luck"


@pytest.mark.parametrize("edition", ["onepage-3.0", "compendium"])
def test_editions_whose_models_share_their_numbers_say_so(edition: str) -> None:
    """Numbers of a single model are refused in a sentence, not passed over."""
    stats = (
        {} if edition == "onepage-3.0" else {"M": 6, "WS": 4, "CT": 4, "S": 3, "T": 3, "W": 1, "I": 3, "A": 1, "Ld": 7, "Sv": 5}
    )
    unit = {"id": "a1", "side": "A", "type": "infantry", "quality": 4, "stats": stats}
    model = {"id": "a1.1", "at": [10, 10], "base": {"circle": 1.0}, "stats": {"T": 5}}
    case = {"edition": edition, "units": [{**unit, "models": [model]}], "ask": [{"coherent": "a1"}]}
    with pytest.raises((BadInput, ArmyError), match=r"a1\.1"):
        adjudicate(json.dumps(case).encode())
