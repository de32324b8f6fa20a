"""Why a reaction that a case names is refused: what bars it, by the clause that says so."""

from __future__ import annotations

from typing import Any

import pytest

from tests.commentary.desk import EDITION, Json, gun, squad
from tests.commentary.test_phases import rule
from tests.commentary.test_timing import at, react

SHOOT = {"phase": "shooting", "unit": "a1", "action": "shoot"}
MOVE = {"phase": "movement", "unit": "a1", "action": "normal"}


def units(*marks: str, shots: int = 1) -> list[Json]:
    """A unit with a gun and another 10" away that may bear marks; both may move."""
    shooter = squad("a1", "A", 1, gun(A=shots), at=[(10, 10)], M=6)
    return [shooter, squad("b1", "B", 1, gun(), at=[(20, 10)], M=6, Sv=4, W=5, marks=marks)]


def barred(on_table: list[Json], do: Json, dice: Any, answers: list[Json], **more: Any) -> tuple[str, str]:
    """The clause and the words of a refusal."""
    found = rule(on_table, do, dice, answers=answers, **more)
    assert found.refusal is not None and found.refusal["code"] == "nothing-asked"
    return found.refusal["clause"], found.refusal["message"].rpartition(": ")[2]


@pytest.mark.clause(EDITION, "CSTR-13", "JUST-3")
def test_a_stratagem_that_cannot_be_paid_for() -> None:
    """Without enough points no window opens for a Stratagem: it is refused by what says so, whatever dice are given."""
    wanted = ("CSTR-13", "its player has too few points for it")
    ground = [at("b1"), react("Go to Ground")]
    for sides in ({}, {"B": {"cp": 0}}, {"A": {"cp": 9}}):
        for dice in ([1], [3, 3]):
            assert barred(units(), SHOOT, dice, ground, sides=sides) == wanted
    again = [at("b1"), react("Command Re-roll b1")]
    assert barred(units(), SHOOT, [3, 4, 1], again) == wanted


@pytest.mark.clause(EDITION, "CSTR-13", "CSTR-5")
def test_a_stratagem_that_was_used_before() -> None:
    """The same Stratagem once a phase, Fire Overwatch once a turn: in the situation or by an earlier answer."""
    ground, marked = [at("b1"), react("Go to Ground")], {"cp": 3, "marks": [{"used:Go to Ground": "end-phase"}]}
    wanted = ("CSTR-13", "it was used before")
    assert barred(units(), SHOOT, [1], ground, sides={"B": marked}) == wanted
    assert barred(units(), SHOOT, [1], [*ground, react("Go to Ground")], sides={"B": {"cp": 3}}) == wanted
    twice = [at("b1"), react("Command Re-roll"), react("Command Re-roll")]
    assert barred(units(shots=2), SHOOT, [1, 1, 1], twice, sides={"A": {"cp": 3}}) == wanted
    watched = [react("Fire Overwatch"), {"kind": "move", "value": {"shift": [0, 1]}}, react("Fire Overwatch")]
    assert barred(units(), MOVE, [1], watched, sides={"B": {"cp": 3}}) == ("CSTR-5", "it was used before")


@pytest.mark.clause(EDITION, "STRAT-3", "CMD-5")
def test_a_stratagem_for_a_unit_that_is_battle_shocked() -> None:
    """DV-32: a Battle-shocked unit is affected by none of its owner's Stratagems, Command Re-roll for its saves included."""
    wanted = ("STRAT-3", "it affects nobody who is battle-shocked")
    for name, dice, more in (
        ("Go to Ground", [1], {}),
        ("Go to Ground", [1], {"unanswered": "stop"}),
        ("Command Re-roll b1", [3, 4, 1], {}),
    ):
        answers = [at("b1"), react(name)]
        assert barred(units("battle-shocked"), SHOOT, dice, answers, sides={"B": {"cp": 1}}, **more) == wanted


@pytest.mark.clause(EDITION, "CSTR-7", "CSTR-9", "CSTR-5")
def test_a_stratagem_nothing_else_bars() -> None:
    """Whom it is not for, or in a phase that is not its own, a Stratagem is refused by its own clause."""
    rich = {"A": {"cp": 3}, "B": {"cp": 3}}
    for answer, clause in (
        (react("Go to Ground a1"), "CSTR-7"),
        (react("Smokescreen"), "CSTR-9"),
        (react("Fire Overwatch"), "CSTR-5"),
    ):
        found = rule(units(), SHOOT, [1], answers=[at("b1"), answer], sides=rich)
        assert found.refusal is not None and found.refusal["clause"] == clause
        assert found.refusal["message"].endswith("cannot be used here")
