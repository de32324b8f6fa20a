"""What was read before changes nothing in what is read next: neither the notes, nor the refusals, nor what is alike."""

from __future__ import annotations

from typing import Any

import pytest

from rolloff import odds
from rolloff.errors import BadInput

Json = dict[str, Any]
TENTH, SEVENTH, PAGE = "commentary-10", "compendium", "onepage-3.0"
BODY = {"T": 4, "Sv": "3+", "W": 2, "Ld": "6+"}
TARGET = odds.unit(5, stats=BODY)


def gun(name: str, **more: object) -> Json:
    """A weapon of the tenth."""
    return {"name": name, "range": 24, "A": 2, "BS": "3+", "S": 4, "AP": 2, "D": 1, "rules": ["Heavy"], **more}


def notes(*weapons: Json, models: int = 3) -> list[tuple[str, object]]:
    """Where something was read otherwise than written, and as what."""
    found = odds.scenario(odds.unit(models, stats=BODY, weapons=list(weapons)), TARGET, edition=TENTH)
    return [(note.where, note.read) for note in found.notes]


def refusal(*weapons: Json, stats: Json = BODY, edition: str = TENTH, models: int = 3) -> str:
    """The sentence that refuses a unit with these weapons."""
    with pytest.raises(BadInput) as caught:
        odds.scenario(odds.unit(models, stats=stats, weapons=list(weapons)), TARGET, edition=edition)
    return caught.value.message


def test_every_note_names_its_own_place() -> None:
    """A value that was read before is noted again, at the weapon where it stands now."""
    places = [f"units[0].models[0].weapons[{k}].AP" for k in range(2)]
    for _ in range(2):
        found = notes(gun("First"), gun("Second"))
        assert [note for note in found if note[0].endswith("AP")] == [(place, -2) for place in places]
    assert (places[1], -2) not in notes(gun("First"), gun("Third", AP=-2))


def test_numbers_and_truths_are_not_confused() -> None:
    """A number that was read before does not make a truth of the same value pass."""
    notes(gun("Plain", A=1, D=1))
    for field in ("A", "D", "S"):
        assert f"{field}: True" in refusal(gun("Odd", **{field: True}))


def test_a_refusal_comes_again_and_again() -> None:
    """What is refused is refused in the same words after a unit alike but for it was read."""
    notes(gun("Plain"))
    for _ in range(2):
        assert "there is no ability 'Hazzle'" in refusal(gun("Odd", rules=["Heavy", "Hazzle"]))
        assert "attacker.stats: no characteristic 'X'" in refusal(gun("Plain"), stats={**BODY, "X": 1})
        assert "1001 models" in refusal(gun("Plain"), models=996)


def test_a_line_reads_alike_after_others() -> None:
    """A line of text gives the weapon of its columns, whichever lines were read before it."""
    lines = ['Salt rifle 24" 2 2+ 4 -2 2 [Heavy, Lethal Hits]', 'Salt rifle | 24" | 2 | 2+ | 4 | -2 | 2 | Heavy, Lethal Hits']
    lines += [
        'Salt rifle 24" A2 BS2+ S4 AP-2 D2 [Heavy, Lethal Hits]',
        'Salt rifle (24", A: 2, BS: 2+, S: 4, AP: -2, D: 2) Heavy, Lethal Hits',
    ]
    units = [odds.unit(1, stats=BODY, weapons=[line]) for line in (*lines, *reversed(lines))]
    assert len({odds.scenario(one, TARGET, edition=TENTH).game.models[0].weapons for one in units}) == 1


@pytest.mark.parametrize("edition", [PAGE, SEVENTH])
def test_two_models_of_one_name_are_refused(edition: str) -> None:
    """Rosters that were laid out before do not hide that two models share a name."""
    stats = {} if edition == PAGE else {"WS": 4, "CT": 4, "S": 4, "T": 4, "W": 1, "I": 4, "A": 1, "Ld": 8, "Sv": "3+"}
    weapon = 'Rifle (24", A1)' if edition == PAGE else {"name": "Gun", "range": 24, "S": 4}
    good = odds.unit(2, stats=stats, weapons=[weapon])
    odds.scenario(good, good, edition=edition)
    same = {**good, "models": [{**row, "id": "attacker.1"} for row in good["models"]]}
    with pytest.raises(BadInput, match="share an id"):
        odds.scenario(same, good, edition=edition)
