"""Whatever is commanded and answered: the state stays valid, refusals cite, and nothing is raised but our errors."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from rolloff.editions.clauses import clause_book
from rolloff.errors import RolloffError
from rolloff.situations.adjudicate import adjudicate
from tests.record.test_onepage import case, unit

Json = dict[str, Any]

HERO = unit("a2", "A", 1, (20, 10), rules=["Hero", "Fear"])
TANK = unit("b2", "B", 1, (30, 30), type="vehicle", rules=["Transport(6)"])
TANK["models"][0] |= {"base": {"rect": [3, 5]}, "rules": ["Tough(6)"]}
WOODS = {"id": "t1", "types": ["cover", "difficult", "dangerous"], "disc": [14, 14, 3], "height": 2}
UNITS = (unit("a1", "A", 3, (10, 10)), HERO, unit("b1", "B", 3, (10, 17), marks=["pinned"]), TANK)
NAMES = st.sampled_from(["a1", "a2", "b1", "b2", "b9", "hold-fire", "none", ""])
ACTING = st.sampled_from(["a1", "a1", "a1", "a2", "b1", "b2", "b9"])
POINT = st.lists(st.floats(-5, 80) | st.integers(0, 60), min_size=1, max_size=3)
MOVES = st.one_of(
    st.just("stay"),
    st.builds(lambda dx, dy: {"shift": [dx, dy]}, st.floats(-13, 13), st.floats(-13, 13)),
    st.builds(lambda dx, dy: {"shift": [dx, dy]}, st.integers(-3, 3), st.integers(-3, 3)),
    st.dictionaries(st.sampled_from(["a1.1", "a1.2", "a1.3", "a2.1", "b1.1"]), st.lists(POINT, max_size=3), max_size=3),
)
VALUES = st.one_of(
    NAMES,
    MOVES,
    st.booleans(),
    st.integers(-3, 9),
    st.lists(st.lists(st.sampled_from(["a1.1", "a1.2", 0, 1]), max_size=2), max_size=3),
    st.none(),
)
KINDS = st.sampled_from(
    ["move", "choose-target", "assign-weapons", "choose-unit", "choose-action", "allocate", "yes-no", "number", "x"]
)
MOVED = st.fixed_dictionaries({"kind": st.just("move"), "value": MOVES})
AIMED = st.fixed_dictionaries({"kind": st.just("choose-target"), "value": NAMES})
ANSWERS = st.one_of(
    st.lists(st.fixed_dictionaries({"kind": KINDS, "value": VALUES}), max_size=4),
    st.tuples(MOVED).map(list),
    st.tuples(AIMED).map(list),
    st.tuples(MOVED, AIMED).map(list),
    st.just([]),
)
ACTIONS = st.sampled_from(["hold", "walk", "run", "assault", "idle"])
DEEDS = st.one_of(
    st.fixed_dictionaries({"activate": ACTING, "action": ACTIONS}),
    st.fixed_dictionaries({"activate": ACTING}),
    st.fixed_dictionaries({"step": st.sampled_from(["activate", "round", "deploy", "scout", "declare", "roll-off"])}),
    st.fixed_dictionaries(
        {
            "attack": st.fixed_dictionaries(
                {"attacker": ACTING, "target": ACTING, "kind": st.sampled_from(["shooting", "melee", "danger"])},
                optional={"range": st.floats(0, 60), "visible": st.booleans(), "cover": st.booleans()},
            )
        }
    ),
)
CLAUSES = frozenset(clause_book("onepage-3.0"))


def ruled(asked: Json) -> Json | RolloffError:
    """The ruling on a case, or the error it is met with."""
    try:
        return adjudicate(msgspec.json.encode(asked))
    except RolloffError as error:
        return error


@settings(max_examples=300)
@given(DEEDS, ANSWERS, st.sampled_from(["default", "stop"]), st.integers(0, 99), st.sampled_from(["A", "B"]))
def test_any_command_and_any_answers(do: Json, answers: list[Json], rest: str, seed: int, side: str) -> None:
    """A ruling has a verdict: refused ones cite a clause and change nothing, others lead to a state that reads back."""
    asked = case(*UNITS, do=do, answers=answers, unanswered=rest, dice={"seed": seed}, table={"terrain": [WOODS]})
    report = ruled(asked | {"active": side})
    if isinstance(report, RolloffError):
        assert report.message
    elif report["verdict"] == "refused":
        assert report["refusal"]["clause"] in CLAUSES
        assert report["after"]["units"] == msgspec.json.decode(msgspec.json.encode(list(UNITS)))
    else:
        again = adjudicate(msgspec.json.encode(report["after"]))
        assert again["state"] == report["state"]
