"""Where a clause can be switched off, and what is left of the code then."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from rolloff.rules.citing_scan import read_citations
from tests.clauses.conftest import RULES, SWITCHES
from tools.citing_places import Module
from tools.switching_off import compiled


def switched_off(source: str, clause: str, number: int = 0) -> tuple[str, dict[str, Any]]:
    """Run a source with a clause switched off in one way; what the way is called, and the names it leaves."""
    module = Module(source, tomllib.loads(SWITCHES)["tiny.rules"])
    way = module.ways(clause)[number]
    way.edit()
    names: dict[str, Any] = {"__name__": "tiny"}
    exec(compiled(module.tree, "tiny.py"), names)
    return way.what, names


def test_a_guarded_refusal_is_never_made() -> None:
    """An `if` whose only statement cites is never true."""
    what, names = switched_off(RULES, "TINY-1")
    assert (what, names["shoot"](5, running=True)) == ("never true", ["shot"])


def test_a_refusal_among_other_statements_is_left_out() -> None:
    """Only the statement that cites goes; the rest of its block stays."""
    assert switched_off(RULES, "TINY-2")[1]["shoot"](13) == ["far", "shot"]


def test_an_event_is_left_out() -> None:
    """A statement that cites does not happen."""
    assert switched_off(RULES, "TINY-3")[1]["shoot"](5) == []


def test_an_offer_is_left_out_of_its_list() -> None:
    """An element made by a call that cites is missing; its neighbours are not."""
    assert switched_off(RULES, "TINY-4")[1]["offers"]() == [("walk", "TINY-5")]


def test_a_function_answers_what_it_states() -> None:
    """What `switches.toml` says of a function is called with its arguments."""
    assert switched_off(RULES, "TINY-6")[1]["regenerate"](2) == 2


def test_a_yes_or_no_is_answered_both_ways() -> None:
    """Without a switch a function answers the empty value of its type; a bool may be either."""
    assert switched_off(RULES, "TINY-10", 0)[1]["pinned"](1, 4) is False
    assert switched_off(RULES, "TINY-10", 1)[1]["pinned"](4, 4) is True


def test_a_figure_becomes_what_it_states() -> None:
    """The value of a line that `switches.toml` repeats is replaced."""
    assert switched_off(RULES, "TINY-7")[1]["WEAPONS_ON_HOLD"] == 1


def test_a_rule_in_a_table_keeps_its_place_but_not_its_hooks() -> None:
    """The value stays of its kind and has the methods of its base."""
    names = switched_off(RULES, "TINY-8")[1]
    rule = names["SPECIALS"]["Furious"]
    assert isinstance(rule, names["Furious"])
    assert (rule.attacks(), rule.clauses) == (0, ("TINY-8",))


def test_a_class_that_names_its_clause_loses_its_hooks() -> None:
    """The public methods go back to the base class."""
    assert switched_off(RULES, "TINY-9")[1]["Fierce"]().attacks() == 0


def test_a_comment_cites_a_figure() -> None:
    """A figure with ids beside it is made nothing and made vast; a flag is turned."""
    assert switched_off(RULES, "TINY-12", 0)[1]["Book"].walk == 0
    assert switched_off(RULES, "TINY-12", 1)[1]["Book"].walk > 6
    assert switched_off(RULES, "TINY-13")[1]["Book"].flies is False


def test_a_comment_cites_a_statement() -> None:
    """Beside an `if` it is never true; beside a conditional value the other arm is taken."""
    assert switched_off(RULES, "TINY-15")[1]["strike"](1, True) == 4
    assert switched_off(RULES, "TINY-16")[1]["strike"](1, True) == 3


def test_a_constant_of_ids_cites_where_it_is_used() -> None:
    """The event that uses the constant goes, not the constant."""
    names = switched_off(RULES, "TINY-14")[1]
    assert (names["TWICE"], names["strike"](1, False)) == (("TINY-14",), 1)


INFORMING = """
KINDS = {"pinned": EventKind(frozenset({"A-1"})), "routed": _kind("{unit} routs", "A-1")}
def need(options: list[int]) -> tuple[int, tuple[str, ...]]:
    why = ("A-1",) if options else ()
    return 4, (*why, "A-1")
"""


def test_what_only_informs_is_no_place() -> None:
    """A tuple handed on and the clauses of an event kind change nothing that could be missed."""
    assert Module(INFORMING).ways("A-1") == []


MANY = """
from rolloff.rules.citing import cites

def found(items: list[int]) -> tuple[int, ...]:
    best = max(items)
    best = capped(best, 6, "A-1")
    for item in worth(items, "A-2"):
        best += item
    best += bonus(items, "A-3")
    return tuple(item for item in items if allowed(item, "A-4")) + (best,)

def refusal(far: bool) -> str | None:
    if near(far):
        return None
    return refuse("too far", "A-5")

@cites("A-6")
def count(items: list[int]) -> object:
    return [item for item in items if item > 2] if items else None

class Walls:
    @cites("A-7")
    def block(self) -> bool:
        return True

    @cites("A-8")
    def cover(self) -> bool:
        return True

REFUSALS = {1: ("A-11", "too far"), 2: ("A-12", "too near")}

TABLE = Figures(
    walk=6,  # A-9
    run=12,
)

def choose(wounds: int) -> int:
    return halved(wounds, "A-10") if wounds > 1 else wounds

capped = min
def worth(items, clause): return items
def bonus(items, clause): return len(items)
def allowed(item, clause): return item > 1
def near(far): return not far
def refuse(why, clause): return why
def halved(wounds, clause): return wounds // 2
"""
MANY = MANY.replace("capped = min", "def capped(value, most, clause): return min(value, most)").replace(
    "TABLE = ", "def Figures(**figures): return figures\nTABLE = "
)


@pytest.mark.parametrize(
    ("clause", "number", "call", "left"),
    [
        ("A-1", 0, "found([9])", (9, 19)),
        ("A-2", 0, "found([2])", (2, 3)),
        ("A-3", 0, "found([2])", (2, 4)),
        ("A-4", 0, "found([1])", (1, 3)),
        ("A-5", 0, "refusal(True)", None),
        ("A-6", 0, "count([1])", [1]),
        ("A-6", 1, "count([1])", []),
        ("A-7", 0, "Walls().block()", False),
        ("A-9", 0, "TABLE", {"walk": 0, "run": 12}),
        ("A-10", 0, "choose(4)", 4),
        ("A-11", 0, "REFUSALS", {2: ("A-12", "too near")}),
    ],
)
def test_other_places(clause: str, number: int, call: str, left: object) -> None:
    """Assignments, loops, sums, filters, returns, conditions, methods and figures of calls can go as well."""
    ways = [Module(MANY).ways(clause)[n].what for n in range(len(Module(MANY).ways(clause)))]
    results = [eval(call, switched_off(MANY, clause, n)[1]) for n in range(len(ways))]
    assert left in results, list(zip(ways, results, strict=True))
    assert number < len(results)


def test_a_switch_brings_its_imports() -> None:
    """What a switch needs beyond the names of its module is imported with it, behind the docstring."""
    module = Module('"""Rooms."""\nAWAY = 3  # A-1\n', {"AWAY = 3  # A-1": "math.inf", "import": "import math"})
    module.ways("A-1")[0].edit()
    names: dict[str, Any] = {}
    exec(compiled(module.tree, "rooms.py"), names)
    assert (names["AWAY"], names["__doc__"]) == (float("inf"), "Rooms.")


def test_the_list_of_ways_is_the_same_each_time() -> None:
    """The number of a mutant means the same edit in every run."""
    first, second = ([(way.line, way.what) for way in Module(RULES).ways("TINY-10")] for _ in range(2))
    assert first == second


def test_citations_name_their_function() -> None:
    """Literals, comments and decorators are found with the function, class or constant they stand in."""
    where = {(found.clause, found.where) for found in read_citations(RULES, "tiny.rules")}
    assert {
        ("TINY-1", "tiny.rules:shoot"),
        ("TINY-6", "tiny.rules:regenerate"),
        ("TINY-7", "tiny.rules:WEAPONS_ON_HOLD"),
        ("TINY-9", "tiny.rules:Fierce.clauses"),
        ("TINY-12", "tiny.rules:Book.walk"),
        ("TINY-15", "tiny.rules:strike"),
    } <= where
