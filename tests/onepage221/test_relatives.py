"""What both relatives of the third edition share with it in setting up and around melee: one case for each of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from msgspec.structs import replace

from rolloff.armies import library
from rolloff.editions import registry
from rolloff.editions.onepage.apocalypse import LAW as LARGE_LAW
from rolloff.editions.onepage.army_rules import check_army, list_problems
from rolloff.editions.onepage.v221 import LAW as OLD_LAW
from rolloff.errors import ArmyError, BadInput
from rolloff.rules.army_law import ArmyLaw
from rolloff.table.setup import Table
from tests.armies.cards import card
from tests.onepage.desk import Desk, answer, box, unit

F = TypeVar("F", bound=Callable[..., Any])
OLD, LARGE = "onepage-2.21", "apocalypse-3.3"
FOE = unit("b1", "B", [(60, 40)])
both = pytest.mark.parametrize("edition", [OLD, LARGE])
laws = pytest.mark.parametrize("law", [OLD_LAW, LARGE_LAW])


def clause(*ids: str) -> Callable[[F], F]:
    """Marks for clauses of both editions."""

    def marked(test: F) -> F:
        found: F = pytest.mark.clause(OLD, *ids)(pytest.mark.clause(LARGE, *ids)(test))
        return found

    return marked


@laws
@clause("ARMY-2", "ARMY-6")
def test_lists_are_validated(law: ArmyLaw) -> None:
    """An empty list is refused, mixed factions are not unless agreed, and what is wrong is said before there is a game."""
    mixed = [card("a1", keywords=["faction:Ash"]), card("a2", keywords=["faction:Thorn"])]
    assert list_problems(law, mixed, 750) == ()
    assert [p.clause for p in list_problems(law, mixed, 750, one_faction=True)] == ["ARMY-2"]
    with pytest.raises(ArmyError) as caught:
        check_army(law, [], 750)
    assert caught.value.clause == "ARMY-2"


@both
@clause("ARMY-5")
def test_upgrades_come_from_the_named_lists(edition: str, tmp_path: Any) -> None:
    """An upgrade the unit's profile does not name is refused."""
    book = "aegis-compact-221" if edition == OLD else "aegis-compact"
    file = tmp_path / "list.toml"
    file.write_text(f'name = "X"\nedition = "{edition}"\nbook = "{book}"\n[[units]]\nunit = "marshal"\nupgrades = ["fusion"]\n')
    with pytest.raises(ArmyError) as caught:
        library.army(edition, str(file), 0)
    assert caught.value.clause == "ARMY-5"


@both
@clause("GEN-1")
def test_a_list_is_for_one_edition(edition: str, tmp_path: Any) -> None:
    """A list file of the third edition is refused: it says what it is for, by the clause of what is lacking if something is."""
    file = tmp_path / "list.toml"
    file.write_text('name = "X"\nedition = "onepage-3.0"\nbook = "aegis-compact"\n[[units]]\nunit = "marshal"\n')
    with pytest.raises(ArmyError, match=r"onepage-3\.0") as caught:
        library.setup_for(edition, str(file), str(file))
    assert caught.value.clause == ("WPN-7" if edition == OLD else "GEN-1")


@both
@clause("TABLE-1", "TABLE-2")
def test_the_table_and_its_pieces(edition: str) -> None:
    """Six feet by four; ten pieces in the second edition, five in Apocalypse."""
    setup = library.setup_for(edition, "random", "random", "crossing")
    check, pieces = registry.edition(edition).check_setup, setup.table.terrain
    assert check is not None
    seen: list[str] = []
    for table in (Table((48_000, 48_000), pieces), Table(setup.table.size, pieces[:4]), Table(setup.table.size, pieces[:7])):
        try:
            check(replace(setup, table=table))
            seen.append("")
        except BadInput as error:
            seen.append(error.clause or "")
    assert seen[:2] == ["TABLE-1", "TABLE-2"] and (seen[2] == "TABLE-2") is (edition == OLD)


@both
@clause("TABLE-3")
def test_generated_tables_are_the_same_from_both_sides(edition: str) -> None:
    """A generated table turned by half a circle is the same table."""
    table = library.table(edition, "random", 3, 1)
    middles = {(round(p.disc[0]), round(p.disc[1])) for p in table.terrain if p.disc}
    assert table.terrain and middles == {(table.size[0] - x, table.size[1] - y) for x, y in middles}


@both
@clause("MELEE-28", "MELEE-15")
@pytest.mark.parametrize("marks", [[], ["activated", "pinned"]])
def test_a_bystander_has_no_part_in_a_melee(edition: str, marks: list[str]) -> None:
    """Only assaulter and target strike: the target whatever its state, and it keeps or has lost its activation as before."""
    units = [
        unit("a1", "A", [(20, 10)], rules=["Tough(9)"]),
        unit("b1", "B", [(20, 14)], rules=["Tough(9)"], marks=marks),
        unit("b2", "B", [(22, 14)]),
    ]
    said = [answer("choose-target", "b1"), answer("move", {"a1.1": [[20, 13]]})]
    found = Desk(units, edition=edition).activate("a1", "assault", said, dice={"seed": 4})
    assert {event["facts"]["unit"] for event in found.events if event["kind"] == "struck"} == {"a1", "b1"}
    assert ("activated" in found.marks("b1")) is ("activated" in marks)


@both
@clause("MELEE-6", "TERR-DANG-5")
def test_mines_on_the_way_come_before_the_fight(edition: str) -> None:
    """The dangerous test of the assault move stands in the log before the first strike."""
    mines = box("m", 18, 11, 22, 12, "dangerous")
    units = [unit("a1", "A", [(20, 10)], rules=["Tough(9)"]), unit("b1", "B", [(20, 14)])]
    said = [answer("move", {"a1.1": [[20, 13]]})]
    found = Desk(units, [mines], edition=edition).activate("a1", "assault", said, dice={"seed": 4})
    order = [roll["purpose"] for roll in found.rolls]
    assert order.index("dangerous") < order.index("hit")


@both
@clause("MELEE-24", "MELEE-25")
@pytest.mark.parametrize(("far", "legal"), [(3, True), (3.1, False)])
def test_three_inches_for_the_victor(edition: str, far: float, legal: bool) -> None:
    """The assaulter that destroyed its target moves up to three inches."""
    units = [unit("a1", "A", [(20, 10)], q=2, weapons=["Axe (A9)"]), unit("b1", "B", [(20, 14)], q=6), FOE | {"id": "b2"}]
    units[2]["models"] = [{**units[2]["models"][0], "id": "b2.1"}]
    said = [answer("move", {"a1.1": [[20, 13]]}), answer("move", {"shift": [far, 0]})]
    found = Desk(units, edition=edition).activate("a1", "assault", said, dice={"seed": 1})
    assert (found.verdict == "legal") is legal


@both
@clause("RULE-FURIOUS-2")
@pytest.mark.parametrize(("rules", "offered"), [(["Furious"], True), ([], False)])
def test_the_furious_storm_out(edition: str, rules: list[str], offered: bool) -> None:
    """Passengers that are Furious to the last assault out of their transport."""
    truck = unit("a9", "A", [(20, 20)], type="vehicle", rules=["Transport(5)", "Tough(3)"])
    riders = unit("a1", "A", [None], where="a9", rules=rules)
    near = unit("b1", "B", [(27, 20)])
    assert ("assault" in Desk([truck, riders, near], edition=edition).ask(options="a1")) is offered
