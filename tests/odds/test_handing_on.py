"""What an attack leaves of whoever made or bore it is handed on to that unit's later attacks: Hazardous, Gets Hot, Pinned."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from rolloff import odds
from rolloff.editions.compendium import own_losses
from rolloff.odds.compute import odds_of
from rolloff.odds.results import Odds
from rolloff.odds.scenarios import read_scenario
from rolloff.odds.wire import odds_json

TENTH, SEVENTH = "commentary-10", "compendium"
Json = dict[str, Any]
BODY: dict[str, Json] = {
    TENTH: {"T": 4, "Sv": "-", "W": 1, "Ld": "7+"},
    SEVENTH: {"WS": 4, "CT": 4, "S": 4, "T": 4, "W": 1, "I": 4, "A": 1, "Ld": 8, "Sv": "-"},
}


def gun(edition: str, *rules: str, **more: Any) -> Json:
    """A gun that hits and wounds half the time, or in the older book hits two times in three."""
    found = {"name": "gun", "range": 24, "A": 1, "S": 4, "AP": 0, "D": 1, "rules": list(rules)} | more
    return found | ({"skill": "4+"} if edition == TENTH else {})


def asked(edition: str, units: dict[str, tuple[int, Sequence[Json]]], attacks: Sequence[tuple[str, str]], **more: Any) -> Json:
    """Units of some models with some weapons, those that attack against those that do not."""
    found = []
    for name, (count, weapons) in units.items():
        unit = odds.unit(count, stats=BODY[edition], weapons=list(weapons))
        models = [{**model, "id": f"{name}.{k}"} for k, model in enumerate(unit["models"], 1)]
        found.append({**unit, "id": name, "side": "A" if any(name == who for who, _ in attacks) else "B", "models": models})
    form = {"kind": "shooting", "range": 6, "visible": True, "cover": False, "moved": False} | more
    return {"edition": edition, "units": found, "attacks": [{"attacker": a, "target": b, **form} for a, b in attacks]}


def exactly(written: Json) -> Odds:
    """All odds as rationals."""
    return odds_of(read_scenario(msgspec.json.encode(written)), True)


@pytest.mark.clause(TENTH, "WPN-14", "RESOLVE-2")
@pytest.mark.parametrize("second", ["b", "c"])
def test_whoever_a_hazardous_weapon_destroyed_attacks_no_more(second: str) -> None:
    """One gunner of one shot kills a quarter of the time; five times in six he is there to shoot again, at whomever."""
    units: dict[str, tuple[int, Sequence[Json]]] = {"a": (1, [gun(TENTH, "Hazardous")]), "b": (5, []), "c": (5, [])}
    first, again = exactly(asked(TENTH, units, [("a", "b"), ("a", second)])).results
    assert first.kills.mean == Fraction(1, 4)
    assert again.kills.mean == Fraction(1, 4) * Fraction(5, 6) + (first.kills.mean if second == "b" else 0)
    assert again.own_losses is not None
    assert list(again.own_losses) == [Fraction(25, 36), Fraction(11, 36)]
    assert again.attacks.mean == Fraction(5, 6) + (1 if second == "b" else 0)


@pytest.mark.clause(SEVENTH, "SR-GETS-HOT-1", "SR-HAZARDOUS-1")
@pytest.mark.parametrize(("rule", "burnt"), [("Gets Hot", Fraction(1, 6)), ("Hazardous", Fraction(1, 6))])
def test_whoever_burnt_attacks_no_more(rule: str, burnt: Fraction) -> None:
    """Without a save a 1 is the end of the firer: a 1 To Hit, so that who burnt has also missed, or a die of its own."""
    units: dict[str, tuple[int, Sequence[Json]]] = {"a": (1, [gun(SEVENTH, rule)]), "b": (5, [])}
    first, again = exactly(asked(SEVENTH, units, [("a", "b"), ("a", "b")])).results
    assert first.own_losses is not None and again.own_losses is not None
    assert list(first.own_losses) == [1 - burnt, burnt]
    assert again.own_losses.mean == burnt + (1 - burnt) * burnt
    hit = Fraction(1, 3)  # hits and wounds
    both = hit * hit * (1 if rule == "Gets Hot" else 1 - burnt)  # who hit has not burnt by Gets Hot, and may by Hazardous
    assert list(again.kills)[2] == both
    assert again.kills.mean == hit + hit * (1 - burnt)


@pytest.mark.clause(SEVENTH, "SR-GETS-HOT-1", "SR-HAZARDOUS-1")
@pytest.mark.parametrize("weapons", [[gun(SEVENTH, "Gets Hot", A=2)], [gun(SEVENTH, "Hazardous", "Gets Hot", "Rending")]])
def test_attackers_one_by_one_are_the_attack_as_it_is_rolled(weapons: list[Json], monkeypatch: pytest.MonkeyPatch) -> None:
    """The quick way gives the very rationals of the way that follows every attacker through the event."""

    def report() -> list[object]:
        units: dict[str, tuple[int, Sequence[Json]]] = {"a": (2, weapons), "b": (3, []), "c": (2, [])}
        found = exactly(asked(SEVENTH, units, [("a", "b"), ("a", "c")]))
        return [list(law or ()) for one in found.results for law in (one.kills, one.own_losses, one.hits, one.wasted)]

    quick = report()
    monkeypatch.setattr(own_losses, "_turns", lambda *args: None)
    assert report() == quick


@pytest.mark.clause(TENTH, "ATK-5")
def test_leader_and_bodyguard_are_told_apart_after_several_attacks() -> None:
    """Two attacks of three sure wounds each: two Bodyguards fall, then the Leader loses what is left, cumulatively."""
    body = BODY[TENTH] | {"T": 2}
    sure = {"name": "gun", "range": 24, "A": 3, "skill": "N/A", "S": 8, "AP": 0, "D": 1, "rules": ["Torrent", "Twin-linked"]}
    written = asked(TENTH, {"a": (1, [sure]), "b": (2, [])}, [("a", "b"), ("a", "b")])
    leader = {**odds.unit(1, stats=body | {"W": 6}, keywords=["CHARACTER"]), "id": "l", "side": "B", "where": "b"}
    leader["models"] = [{**leader["models"][0], "id": "l.1"}]
    written["units"].append(leader)
    found = exactly(written)
    for result, shown in zip(found.results, odds_json(found)["results"], strict=True):
        parts = result.parts
        assert set(shown["parts"]) == {"leader", "bodyguard"}
        assert sum(parts[name][0].mean for name in parts) == result.kills.mean
        assert sum(parts[name][1].mean for name in parts) == result.damage.mean
    assert found.results[1].parts["leader"][1].mean > found.results[0].parts["leader"][1].mean


def pinned_or_not(marks: list[str], *attacks: Json) -> Json:
    """A gun, a big beast with an axe, which bears such marks, and those it strikes: the exact odds of some attacks."""
    sides: tuple[tuple[str, str, list[str], list[str], int], ...] = (
        ("gun", "A", [], ['Gun (24", A3)'], 1),
        ("beast", "B", ["Tough(6)"], ["Axe (A4)"], 1),
        ("line", "A", [], [], 5),
    )
    units = [
        {"id": id, "side": side, "type": "infantry", "quality": 4, "rules": rules, "marks": marks if id == "beast" else []}
        | {"models": [{"id": f"{id}.{k}", "weapons": weapons} for k in range(models)]}
        for id, side, rules, weapons, models in sides
    ]
    raw = msgspec.json.encode({"edition": "onepage-3.0", "units": units, "attacks": list(attacks)})
    return odds_json(odds_of(read_scenario(raw), exact=True))


@pytest.mark.clause("onepage-3.0", "PIN-2")
@pytest.mark.clause("onepage-3.0", "MORALE-8")
def test_a_unit_that_was_pinned_strikes_as_one() -> None:
    """Shot at first, a unit strikes with the penalty of the Pinned as often as the shots pin it."""
    shot: Json = {"attacker": "gun", "target": "beast", "kind": "shooting", "range": 10, "visible": True, "cover": False}
    struck: Json = {"attacker": "beast", "target": "line", "kind": "melee", "charged": False}
    found = pinned_or_not([], shot, struck)["targets"]
    pinned, dead = Fraction(found["beast"]["morale"]["pinned"]), Fraction(found["beast"]["destroyed"])
    free = pinned_or_not([], struck)["targets"]["line"]["kills"]
    bound = pinned_or_not(["pinned"], struck)["targets"]["line"]["kills"]
    assert pinned > 0 and free != bound
    mixed = [pinned * Fraction(one) + (1 - pinned - dead) * Fraction(other) for one, other in zip(bound, free, strict=True)]
    assert [Fraction(chance) for chance in found["line"]["kills"]] == [mixed[0] + dead, *mixed[1:]]
