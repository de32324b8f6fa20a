"""Where the number of a roll came from, as viewers are told it."""

from __future__ import annotations

import pytest

from rolloff.oracle.dice import seed_bytes
from rolloff.oracle.draft import BASE, LEAST
from rolloff.record.session import Session
from rolloff.rules.play import Play
from rolloff.server.catalogue import Library
from rolloff.server.evidence import line_json
from rolloff.server.messages import GameForm
from rolloff.table.state import State

STEADY = ("re-roll", "offered", "critical", "automatic", "treated", "ignored")
"""Lines of an audit that leave the number as it is."""


def trails_of(form: GameForm) -> list[tuple[int, list[list[object]]]]:
    """The number of every roll that has a trail, with the trail as viewers get it, over a battle of two machines."""
    library = Library()
    game = library.lay_out(form, 1)
    found: list[tuple[int, list[list[object]]]] = []

    def watch(play: Play, _: State) -> None:
        for at, trail in play.trails.items():
            need = play.events[at].fact("need")
            if isinstance(need, int):
                found.append((need, [line_json(game.edition, line) for line in trail]))

    machines = [library.opponent("closing", seed_bytes(side), side) for side in (0, 1)]
    Session(game, seed_bytes(2), machines, watch=watch).advance()
    return found


@pytest.mark.parametrize(
    ("edition", "army_a", "army_b"),
    [
        ("onepage-3.0", "aegis-compact", "ashen-levy"),
        ("commentary-10", "lantern-reach-500", "hollow-tide-500"),
        ("commentary-10", "lantern-reach-500", "lantern-reach-1000"),
    ],
)
def test_the_lines_of_a_roll_add_up_to_its_number(edition: str, army_a: str, army_b: str) -> None:
    """The plain number less what each line adds is the number the dice needed; every line has a clause or is named.

    Where a line takes the number away (Overwatch), a critical is needed; no line makes it better than the least.
    """
    found = trails_of(GameForm(edition=edition, army_a=army_a, army_b=army_b))
    assert len(found) > 20
    for need, (base, *steps) in found:
        assert base[0] == BASE and isinstance(base[2], int)
        sums = [line for line in steps if line[0] not in STEADY and not str(line[0]).startswith("on ")]
        if any(line[2] is None for line in sums):
            assert need == [line[2] for line in steps if line[0] == "critical"][-1]
        else:
            added = sum(int(str(line[2])) - int(str(line[1])) for line in sums if line[0] != LEAST)
            least = [int(str(line[2])) for line in sums if line[0] == LEAST]
            assert max([base[2] - added, *least]) == need
        assert all(line[3] or line[0] == "AP" for line in steps)


def test_a_special_rule_is_named() -> None:
    """A line that a special rule wrote carries the rule's name beside its clause."""
    found = trails_of(GameForm(edition="onepage-3.0", army_a="aegis-compact", army_b="ashen-levy"))
    named = {str(line[4]): line[3] for _, trail in found for line in trail if line[4] is not None}
    assert "RULE-PIERCING-1" in str(named["Piercing"])
