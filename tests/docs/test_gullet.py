"""Gullet, an edition written from the docs: nerve, carts, rough ground, bombs and blows back, in play and in odds."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

import rolloff
from rolloff.cli import run
from rolloff.odds import read_scenario
from rolloff.oracle.calculator import Calculator
from rolloff.rules import verbs as v
from rolloff.table.setup import Table, Terrain
from tests.docs.gullet import ATTACKS, EDITION
from tests.oracle.brute import every_path

Json = dict[str, Any]
STATS = {"Stride": 5, "Grit": 3, "Hide": 7, "Nerve": 5, "Bulk": 1}
SLING = {"name": "Sling", "range": 18, "A": 2, "stats": {"Aim": 6, "Bite": 0}}
POT = {"name": "Bomb pot", "range": 20, "A": 1, "stats": {"Aim": 5, "Bite": 2}, "rules": ["Bomb"]}
PICK = {"name": "Pick", "range": "melee", "A": 1, "stats": {"Aim": 2, "Bite": 0}}


@pytest.fixture(autouse=True)
def _known() -> None:
    """The edition can be named."""
    rolloff.register(EDITION)


def units(count: int, gun: Json, near: float, **more: Any) -> list[Json]:
    """One model before some others, so far from them."""
    theirs = [{"id": f"b1.{k}", "at": [10 + 2 * k, 10 + near], "weapons": [PICK]} for k in range(count)]
    return [
        {"id": "a1", "side": "A", "stats": STATS, "models": [{"id": "a1.1", "at": [10, 10], "weapons": [gun, PICK]}]},
        {"id": "b1", "side": "B", "stats": STATS, "models": theirs, **more},
    ]


def scenario(kind: str, near: float, table: Json | None = None) -> Any:
    """The same as odds read it."""
    attack = {"attacker": "a1", "target": "b1", "kind": kind}
    given = {"edition": "gullet", "units": units(2, SLING, near), "attacks": [attack], "table": table or {"size": [36, 36]}}
    return read_scenario(json.dumps(given).encode())


def rule(do: Json, dice: list[object], gun: Json, near: float, **more: Any) -> Json:
    """What comes of it at the table."""
    case = {"edition": "gullet", "units": units(2, gun, near), "table": {"size": [36, 36]}, "do": do, "dice": dice, **more}
    return rolloff.adjudicate(json.dumps(case).encode())


def test_odds_tell_the_nerve_that_follows_losses() -> None:
    """What losses lead to in odds equals every way the dice of the test can fall, told by the code that plays it."""
    found = scenario("shooting", 10)
    plan = EDITION.sequence.plan(found.game, found.state, v.AttackForm(0, 1, v.SHOOTING), {})  # type: ignore[union-attr]
    assert plan.after is not None and isinstance(plan.target, v.Ladder)
    for end in range(plan.target.whole):
        assert dict(Calculator(exact=True).law(plan.after, 0, end)) == every_path(plan.after, 0, end)
    assert dict(Calculator(exact=True).law(plan.after, 0, 0)) == {"none": 1}
    assert set(Calculator(exact=True).law(plan.after, 0, 1)) == {"passed", "cowed"}


def test_an_attack_with_nothing_is_refused() -> None:
    """Where no weapon reaches, an attack by itself is refused with the clause of attacks, and odds say the same."""
    shown = rule({"attack": {"attacker": "a1", "target": "b1", "kind": "shooting"}}, [], SLING, 20)
    assert shown["refusal"]["clause"] == ATTACKS.clauses[0] and "nothing to attack b1 with" in shown["refusal"]["message"]


def test_a_word_nobody_knows_is_a_fault_of_the_edition() -> None:
    """A step after losses that gives a word which is none of the outcomes is named, with those there are."""
    odd = v.Attacks(ATTACKS.flow, ATTACKS.rung, ATTACKS.clauses, after=(lambda *_: "puzzled",))
    found = scenario("shooting", 10)
    plan = v.WeaponAttacks(odd).plan(found.game, found.state, v.AttackForm(0, 1, v.SHOOTING), {})
    assert plan.after is not None
    with pytest.raises(ValueError, match=r"'puzzled', which is none of its outcomes \(none, passed, cowed, fled\)"):
        Calculator().law(plan.after, 0, 1)


def test_an_attack_without_a_weapon_is_adjudicated_and_computed() -> None:
    """What an edition lists among the other attacks is rolled, ruled and computed by the kind of its form alone."""
    hail = v.Volley(v.Flow((v.Draft("hail", 9, "GU-4", then=(v.HITS, v.WOUNDS, v.Harm()), sides=10).stage(),)), 2)
    law = v.Attacks(ATTACKS.flow, lambda game, state, slot: v.Rung(1), ATTACKS.clauses, others={"power": lambda *_: (hail,)})
    rolloff.register(replace(EDITION, id="hail", sequence=v.WeaponAttacks(law)))
    attack = {"attacker": "a1", "target": "b1", "kind": "power"}
    case = {"edition": "hail", "units": units(2, SLING, 22), "do": {"attack": attack}, "dice": [9, 8]}
    assert rolloff.adjudicate(json.dumps(case).encode())["attacks"][0]["removed"] == ["b1.0"]
    found = read_scenario(json.dumps({"edition": "hail", "units": units(2, SLING, 22), "attacks": [attack]}).encode())
    plan = v.WeaponAttacks(law).plan(found.game, found.state, v.AttackForm(0, 1, "power"), {})
    assert Calculator(exact=True).after(plan.volleys, plan.target, plan.start).mean(plan.target.kills) * 5 == 2


def test_forms_name_the_attack_a_target_stands_for() -> None:
    """By the clause of the question: fire, blows, or an attack without a weapon; nothing elsewhere, nothing without weapons."""
    found = scenario("shooting", 10)
    play = v.Play(found.game, found.state, rolloff.Oracle(rolloff.SeededDice(rolloff.seed_bytes(1)), rolloff.Defaults()))
    forms = v.Forms(("GU-4",), ("GU-5",), lambda weapon: not weapon.has("Bomb"), {"GU-11": "power"})

    def asked(clause: str, kind: str = "choose-target") -> v.AttackForm | None:
        return forms(play, v.Request(0, kind, clause, ("b1",), "b1", 0), "b1")

    kinds = [form.kind if (form := asked(clause)) else None for clause in ("GU-4", "GU-5", "GU-11", "GU-9")]
    assert kinds == [v.SHOOTING, v.MELEE, "power", None] and asked("GU-4", "choose-unit") is None
    assert (
        v.Forms(("GU-4",), weapons=lambda weapon: False)(play, v.Request(0, "choose-target", "GU-4", ("b1",), "b1", 0), "b1")
        is None
    )


def test_a_power_that_attacks_is_known_by_its_name() -> None:
    """Of the powers asked for under one clause only those that are attacks have odds beside their targets."""
    found = scenario("shooting", 10)
    play = v.Play(found.game, found.state, rolloff.Oracle(rolloff.SeededDice(rolloff.seed_bytes(1)), rolloff.Defaults()))
    forms = v.Forms(powers={"Hail": "power"})

    def asked(power: str) -> v.AttackForm | None:
        return forms(play, v.Request(0, "choose-target", "GU-11", ("b1",), "b1", 0, facts=(("purpose", power),)), "b1")

    assert asked("Hail") == v.AttackForm(0, 1, "power") and asked("Fog") is None


def test_rows_of_turns_are_phases_of_situations() -> None:
    """Without a word of the edition a case plays a unit's part of a phase; of what is none of them those there are are told."""
    answers: list[Json] = [{"kind": "choose-target", "value": "b1"}, {"kind": "choose-action", "value": "stand"}]
    do = {"phase": "bag", "unit": "a1", "action": "fire"}
    shown = rule(do, ["1/2", 1, 1], SLING, 10, answers=answers)
    assert shown["verdict"] == "legal" and shown["events"][1]["facts"]["unit"] == "a1"
    with pytest.raises(rolloff.BadInput, match=r"no phase 'noon'") as refused:
        rule({"phase": "noon"}, [], SLING, 10)
    assert "bag" in str(refused.value.allowed)
    with pytest.raises(rolloff.BadInput, match=r"do: there is no field 'shoot'") as unknown:
        rule({"shoot": "a1"}, [], SLING, 10)
    assert str(unknown.value.allowed).startswith("activate, attack, phase, step")


def test_weapons_of_situations_are_those_of_lists() -> None:
    """A weapon with numbers of its own may leave out what cards leave out, and has the usual numbers beside them."""
    blow = {"name": "Fist", "stats": {"Aim": 2, "Bite": 0}}
    mixed = {"name": "Sling", "range": 18, "A": 2, "skill": 4, "stats": {"Aim": 6, "Bite": 0}}
    written = units(1, blow, 10)
    written[1]["models"][0]["weapons"] = [mixed]
    attack = {"attacker": "b1", "target": "a1", "kind": "shooting"}
    found = read_scenario(json.dumps({"edition": "gullet", "units": written, "attacks": [attack]}).encode())
    fist, sling = found.game.models[0].weapons[0], found.game.models[1].weapons[0]
    assert fist.melee and fist.attacks == v.DiceRoll(plus=1)
    assert [v.weapon_figure(sling, name) for name in ("skill", "Aim")] == [4, 6]


def test_cover_is_seen_from_those_who_fire() -> None:
    """A wood around a target makes its saves better; a form that states cover or none has its way."""
    wood = {"id": "wood", "types": ["cover"], "polygon": [[8, 18], [16, 18], [16, 22], [8, 22]]}
    found = scenario("shooting", 10, {"size": [36, 36], "terrain": [wood]})
    form = v.AttackForm(0, 1, v.SHOOTING)
    assert v.in_cover(found.game, found.state, form)
    assert not v.in_cover(found.game, found.state, v.AttackForm(0, 1, v.SHOOTING, cover=False))
    assert not v.in_cover(found.game, found.state, v.AttackForm(1, 0, v.SHOOTING))


def ground(*types: str) -> v.Play:
    """A unit four inches before a broad strip of some ground, as a play that answers by default."""
    strip = Terrain("strip", types, polygon=((0, 14_000), (36_000, 14_000), (36_000, 30_000), (0, 30_000)))
    found = scenario("shooting", 20)
    game = v.Game(EDITION, v.Setup("gullet", Table((36_000, 36_000), (strip,)), found.game.cards))
    return v.Play(game, found.state, rolloff.Oracle(rolloff.SeededDice(rolloff.seed_bytes(1)), rolloff.Defaults()))


def test_rough_ground_slows_and_harms() -> None:
    """Over difficult ground a move has at most its cap, over dangerous ground the verdict names who crossed which piece."""
    from rolloff.geometry.moves import Shift
    from rolloff.geometry.paths import judge

    walk = v.MoveKind("walk", "GU-3", lambda play, unit: 8_000, v.INCH, v.INCH, v.INCH, v.INCH)
    swim = v.MoveKind("swim", "GU-3", lambda play, unit: 8_000, v.INCH, v.INCH, v.INCH, v.INCH, ground=False)
    mud, lava = ground("difficult"), ground("dangerous")
    assert judge(mud.scene, v.order_for(mud, 0, walk, 8_000), Shift(8_000, 0)).legal
    assert not judge(mud.scene, v.order_for(mud, 0, walk, 8_000), Shift(0, 8_000)).legal
    assert judge(mud.scene, v.order_for(mud, 0, swim, 8_000), Shift(0, 8_000)).legal
    assert judge(lava.scene, v.order_for(lava, 0, walk, 8_000), Shift(0, 8_000)).dangerous == ((0, 0),)


def test_a_bomb_strays_and_is_told_so() -> None:
    """A bomb is aimed at a model of the target, scatters, and hits whoever is under it where it comes down."""
    answers: list[Json] = [{"kind": "choose-action", "value": "fire"}, {"kind": "choose-target", "value": "b1"}]
    answers += [{"kind": "point", "value": [10, 20]}, {"kind": "choose-action", "value": "stand"}]
    hit = rule({"activate": "a1"}, ["1/2", "arrow@180", 1, 1, 1], POT, 10, answers=answers)
    strayed = next(event for event in hit["events"] if event["kind"] == "strayed")
    assert strayed["facts"]["distance"] == 1 and hit["attacks"][0]["removed"] == ["b1.0"]
    far = rule({"activate": "a1"}, ["1/2", "arrow@180", 10], POT, 10, answers=answers)
    assert not far["attacks"] and any(event["kind"] == "strayed" for event in far["events"])


def test_units_are_named_in_odds(capsys: pytest.CaptureFixture[str]) -> None:
    """Units of the lists are attackers and targets by name; the heading has no policies, as the edition has none."""
    assert run(["odds", "--edition", "gullet", "--attacker", "slingers", "--target", "brutes", "--range", "12"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("gullet\n") and "cowed" in out
    armies = ["--army-a", "deep-guild", "--army-b", "pale-brood"]
    assert run(["odds", "compare", "--edition", "gullet", *armies, "--range", "7"]) == 0
    drum = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("Drum"))
    assert drum.split()[1:] == ["-"] * 4


def test_coverage_of_a_foreign_edition_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody counts the tests of another package, and the command says so."""
    assert run(["rules", "--edition", "gullet", "--coverage"]) == 2
    assert "comes from another package" in capsys.readouterr().err


def test_the_best_opponent_beats_chance() -> None:
    """Without advice of the edition the greedy opponent goes by odds, roles and markers, and wins nearly every game."""
    report = rolloff.duel(rolloff.Match("gullet", ("greedy", "random"), ("deep-guild", "pale-brood"), seed=5), first=0, games=6)
    assert sum(game["winner"] == "A" for game in report["games"]) >= 5
