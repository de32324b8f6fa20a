"""What conformance finds in an edition that does not keep its word: the sentence says what is wrong."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

import rolloff
from rolloff.rules import verbs as v
from tests.conformance import test_editions as conformance
from tests.docs import lanes


def registered(**other: object) -> rolloff.Edition:
    """Lanes with something else in it."""
    return rolloff.register(replace(lanes.EDITION, id="odd", **other))


def test_an_event_nobody_declared_is_refused_where_it_happens() -> None:
    """The first event of a kind the edition does not list stops the game with a sentence that names it and what to do."""

    def fire_at(play: v.Play, order: v.FireOrder, target: int, shots: list[v.Shot]) -> None:
        play.emit("smoke-rises", ("LN-2",), unit=order.unit)

    fire = v.Fire(v.guns_of, fire_at, ("LN-2", "LN-2"), asks_weapons=False)
    registered(fire=fire)
    said = r"odd: the event 'smoke-rises' is none of its kinds; declare it, as by plain_kinds\(CLAUSES, smoke_rises="
    with pytest.raises(ValueError, match=said):
        conformance.test_plays_to_an_end_by_its_own_account("odd", "closing")
    registered(fire=fire, kinds=v.plain_kinds(lanes.CLAUSES, smoke_rises="Smoke rises from {unit}"))
    conformance.test_plays_to_an_end_by_its_own_account("odd", "closing")


def test_odds_of_other_dice_than_those_rolled_are_found() -> None:
    """Odds beside a target that count one weapon where all of them fire are named with unit and target."""

    def first_gun(play: v.Play, request: v.Request, option: object) -> v.AttackForm | None:
        form = v.Forms()(play, request, option)
        return form and replace(form, weapons=form.weapons and form.weapons[:1])

    registered(form_of=first_gun)
    with pytest.raises(AssertionError, match=r"odds shown beside \w+ are not those of the dice \w+ then rolled \(shooting\)"):
        conformance.test_odds_shown_are_those_of_the_dice("odd")


def test_odds_that_nobody_sees_are_found() -> None:
    """An edition whose targets are never an attack to whoever looks is told that nothing could be compared."""
    registered(form_of=lambda play, request, option: None)
    with pytest.raises(AssertionError, match="does form_of know its questions"):
        conformance.test_odds_shown_are_those_of_the_dice("odd")


def test_an_attack_of_a_kind_of_its_own_can_be_written_down() -> None:
    """Words an edition has for its attacks are kinds of a written attack; another word is refused with those there are."""
    law = v.Attacks(lanes.ATTACKS.flow, lanes.ATTACKS.rung, lanes.ATTACKS.clauses, ranged=("salvo",))
    registered(sequence=v.WeaponAttacks(law))
    stone = {"name": "Stone", "range": 12, "A": 1}
    units = [{"id": id, "side": id[0].upper(), "models": [{"id": f"{id}.1", "weapons": [stone]}]} for id in ("a1", "b1")]

    def ruled(kind: str) -> dict[str, object]:
        attack = {"attacker": "a1", "target": "b1", "kind": kind, "range": 6}
        case = {"edition": "odd", "units": units, "do": {"attack": attack}, "dice": [5]}
        return rolloff.adjudicate(json.dumps(case).encode())

    assert ruled("salvo")["verdict"] == "legal" and len(ruled("salvo")["attacks"]) == 1  # type: ignore[arg-type]
    with pytest.raises(rolloff.BadInput, match="no kind of attack 'volley'") as refused:
        ruled("volley")
    assert refused.value.allowed == "shooting, melee, salvo"
