"""What an army may be: cards, lists, merging and joining, each refusal with its clause."""

from __future__ import annotations

import pytest

from rolloff.editions import registry
from rolloff.editions.onepage.army_rules import USUAL_MODELS, check_army, may_join, may_merge
from rolloff.editions.onepage.army_rules import list_problems as problems
from rolloff.editions.onepage.lookups import index_of
from rolloff.editions.onepage.specials import listed
from rolloff.editions.onepage.v30 import EDITION as THIRD
from rolloff.editions.onepage.v30 import LAW as LAW_30
from rolloff.errors import ArmyError
from rolloff.rules.game import Game
from rolloff.table.profile import Base, Card, DiceRoll, Weapon
from rolloff.table.setup import Setup, Table
from tests.armies.cards import card

EDITION = "onepage-3.0"


def refusal(one: Card) -> ArmyError:
    """Why a card is refused."""
    with pytest.raises(ArmyError) as caught:
        THIRD.check_card(one)
    return caught.value


def test_a_card_with_every_rule_is_accepted() -> None:
    """Each rule of the edition is accepted where it belongs."""
    rated = {name: "(D6)" if special.by_dice else "(3)" for name, special in LAW_30.on_units.items() if special.rated}
    units = [name + rated.get(name, "") for name in LAW_30.on_units]
    weapons = [f'Gun{k} (18", A1, {name})' for k, name in enumerate(LAW_30.on_weapons) if name != "Single"]
    THIRD.check_card(card(rules=units, kits=[[*weapons, 'Lance (12", A3x)']]))


def test_the_law_knows_the_rules_the_edition_plays() -> None:
    """What a card may carry and what the rules can play are the same names, with those of the folder of special rules."""
    assert {*LAW_30.on_units, *LAW_30.on_weapons, *listed(EDITION)} == set(THIRD.specials)


@pytest.mark.clause(EDITION, "RULE-GEN-1")
@pytest.mark.parametrize(
    ("rule", "near"),
    [
        ("Scope", "Precise"),
        ("Sniper", "Precise"),
        ("Strikes Last", "Unwieldy"),
        ("Hatred", "Linked"),
        ("Relentless", "holds"),
        ("Monster", "Tough"),
        ("Walker", "Tough"),
        ("Armoured", "Armored"),
        ("fearles", "Fearless"),
    ],
)
def test_a_rule_the_edition_lacks_is_refused_with_the_nearest(rule: str, near: str) -> None:
    """A card with a foreign rule is refused, and the refusal names what comes nearest."""
    error = refusal(card(rules=[rule]))
    assert (error.code, error.clause) == ("unknown-rule", "RULE-GEN-1")
    assert near in error.message and near in str(error.allowed)


@pytest.mark.clause(EDITION, "RULE-GEN-1")
def test_foreign_rules_are_found_on_models_and_weapons() -> None:
    """A model's own rules and its weapons' rules are looked at as well."""
    assert refusal(card(model_rules=[["Nimble"]])).where == "a1.1"
    error = refusal(card(kits=[['Gun (18", A1, Scope)']]))
    assert error.code == "unknown-rule" and "Precise" in error.message


def test_rules_stand_where_they_belong() -> None:
    """A weapon's rule on a unit, or a unit's rule on a weapon, is refused."""
    assert refusal(card(rules=["Rending"])).code == "misplaced-rule"
    assert refusal(card(kits=[["Claw (A2, Furious)"]])).code == "misplaced-rule"


@pytest.mark.parametrize(
    "rule", ["Tough", "Tough(0)", "Tough(D3)", "Fear(2)", "Psyker", "Transport(x)", "Impact", "Impact(D0)"]
)
def test_ratings_must_make_sense(rule: str) -> None:
    """Rated rules need a number from 1 on, Impact a number or a die, and plain rules none."""
    assert refusal(card(rules=[rule])).code == "bad-rating"


@pytest.mark.clause(EDITION, "GEN-3")
def test_the_same_rule_from_two_sources_counts_once_with_the_higher_rating() -> None:
    """A model that is Tough by its unit and by itself has the higher of the two, and not their sum."""
    squad = card(kits=[["Rifle"], ["Rifle"]], rules=["Tough(3)"], model_rules=[["Tough(2)"], ["Tough(5)"]])
    setup = Setup(EDITION, Table(), (squad, card("b1", side=1)))
    fighters = index_of(Game(registry.edition(EDITION), setup)).fighters
    assert [fighter.tough for fighter in fighters] == [3, 5, 1]


@pytest.mark.clause(EDITION, "TYPE-GEN-1")
def test_only_infantry_and_vehicles() -> None:
    """3.0 knows two types of unit."""
    THIRD.check_card(card(type="vehicle"))
    error = refusal(card(type="monster"))
    assert (error.clause, error.allowed) == ("TYPE-GEN-1", "infantry, vehicle")


@pytest.mark.clause(EDITION, "DICE-6")
@pytest.mark.parametrize("quality", [1, 7, 0, -3])
def test_quality_is_two_to_six(quality: int) -> None:
    """No Quality is so good or so bad that a die decides nothing."""
    THIRD.check_card(card(quality=2))
    THIRD.check_card(card(quality=6))
    assert refusal(card(quality=quality)).clause == "DICE-6"


@pytest.mark.clause(EDITION, "UNIT-1")
def test_a_unit_has_models() -> None:
    """A list may not hold a unit without models."""
    assert [p.clause for p in problems(LAW_30, [card(kits=[])], 750)] == ["UNIT-1"]


@pytest.mark.clause(EDITION, "RULE-PSYKER-9")
def test_known_powers_must_exist() -> None:
    """A profile may list the shipped powers and no others."""
    THIRD.check_card(card(rules=["Psyker(1)"], keywords=["power:Foresight"]))
    error = refusal(card(rules=["Psyker(1)"], keywords=["power:Levitation"]))
    assert error.clause == "RULE-PSYKER-9" and "Foresight" in str(error.allowed)


def test_numbers_of_other_families_are_refused() -> None:
    """Units and weapons here have no further numbers."""
    other = Card("a1", 0, card().models, stats={"T": 4})
    assert refusal(other).code == "bad-stats"
    odd = Weapon("Bolt", 24_000, DiceRoll(plus=1), (), (("S", 4),))
    model = card().models[0]
    assert refusal(Card("a1", 0, (type(model)("a1.1", weapons=(odd,)),))).code == "bad-stats"


@pytest.mark.clause(EDITION, "BASE-1", "BASE-2")
def test_usual_bases() -> None:
    """Infantry stands on 32 mm and is an inch high; a hull is 3 by 5 inches and two and a half high."""
    assert (USUAL_MODELS["infantry"].base, USUAL_MODELS["infantry"].height) == (Base("circle", (1260,)), 1000)
    assert (USUAL_MODELS["vehicle"].base, USUAL_MODELS["vehicle"].height) == (Base("rect", (3000, 5000)), 2500)


@pytest.mark.clause(EDITION, "ARMY-1")
def test_the_limit_of_points() -> None:
    """Exactly at the limit is legal, a point more is not; any size up to 750 points may be agreed, and none above."""
    units = [card("a1", points=400), card("a2", points=350)]
    assert problems(LAW_30, units, 750) == ()
    over = problems(LAW_30, [*units, card("a3", points=1)], 750)
    assert [(p.code, p.clause) for p in over] == [("over-limit", "ARMY-1")]
    assert problems(LAW_30, units[:1], 400) == ()
    assert [p.code for p in problems(LAW_30, units, 500)] == ["over-limit"]
    assert [[p.code for p in problems(LAW_30, units, size)] for size in (751, 1500, 0, -5)] == [["bad-limit"]] * 4


@pytest.mark.clause(EDITION, "ARMY-2")
def test_an_army_has_a_unit_and_may_mix_factions() -> None:
    """Any selection is legal but an empty one; one faction only is for those who agreed on it."""
    mixed = [card("a1", keywords=["faction:Ash"]), card("a2", keywords=["faction:Thorn"])]
    assert problems(LAW_30, mixed, 750) == ()
    assert [p.clause for p in problems(LAW_30, mixed, 750, one_faction=True)] == ["ARMY-2"]
    assert problems(LAW_30, mixed[:1], 750, one_faction=True) == ()
    assert [(p.code, p.clause) for p in problems(LAW_30, [], 750)] == [("no-units", "ARMY-2")]


@pytest.mark.clause(EDITION, "ARMY-3")
def test_one_hero() -> None:
    """One Hero is legal, two are not, whether the rule stands on the unit or on a model."""
    hero = card("a1", rules=["Hero"])
    other = card("a2", model_rules=[["Hero"]])
    assert problems(LAW_30, [hero], 750) == ()
    assert [(p.code, p.clause, p.where) for p in problems(LAW_30, [hero, other], 750)] == [("too-many-heroes", "ARMY-3", "a2")]


@pytest.mark.clause(EDITION, "ARMY-6")
def test_a_list_is_validated() -> None:
    """A list with something wrong is refused before anything is deployed, and the refusal says what."""
    check_army(LAW_30, [card()], 750)
    with pytest.raises(ArmyError) as caught:
        check_army(LAW_30, [card(points=800)], 750)
    assert caught.value.clause == "ARMY-1"
    with pytest.raises(ArmyError) as caught:
        check_army(LAW_30, [card(rules=["Scope"])], 750)
    assert caught.value.clause == "RULE-GEN-1"


FIVE = [["Pistol", "Medium CCW"]] * 5


@pytest.mark.clause(EDITION, "JOIN-1")
def test_two_copies_of_one_infantry_unit_merge() -> None:
    """The same infantry unit twice may merge; another unit, another army's or the same card may not."""
    assert may_merge(card("a1", FIVE), card("a2", FIVE)) is None
    for other in (
        card("a2", FIVE, name="Others"),
        card("a2", FIVE, quality=3),
        card("b1", FIVE, side=1),
        card("a1", FIVE),
    ):
        reason = may_merge(card("a1", FIVE), other)
        assert reason is not None and reason.clause == "JOIN-1"


@pytest.mark.clause(EDITION, "TYPE-INF-2")
def test_vehicles_neither_merge_nor_join() -> None:
    """Only Infantry may be merged or joined."""
    tank, twin = card("a1", type="vehicle"), card("a2", type="vehicle")
    for reason in (
        may_merge(tank, twin),
        may_join(card("a3", rules=["Hero"]), tank),
        may_join(card("a3", rules=["Psyker(1)"], type="vehicle"), card("a4")),
    ):
        assert reason is not None and reason.clause == "TYPE-INF-2"


@pytest.mark.clause(EDITION, "JOIN-2")
def test_upgrades_for_all_models_must_be_bought_for_both() -> None:
    """A copy with pistols and a copy with rifles for all do not merge (TV-D25)."""
    reason = may_merge(card("a1", FIVE), card("a2", [["Rifle"]] * 5))
    assert reason is not None and reason.clause == "JOIN-2"
    armored = may_merge(card("a1", FIVE), card("a2", FIVE, rules=["Armored"]))
    assert armored is not None and armored.clause == "JOIN-2"


@pytest.mark.clause(EDITION, "JOIN-2")
def test_upgrades_of_single_models_may_differ() -> None:
    """One flamer in one copy does not keep two units apart."""
    flamer = [*FIVE[:4], ["Flamer", "Medium CCW"]]
    assert may_merge(card("a1", FIVE), card("a2", flamer)) is None
    assert may_merge(card("a1", flamer), card("a2", FIVE)) is None


@pytest.mark.clause(EDITION, "JOIN-2")
def test_cards_of_a_book_say_what_was_bought_for_all() -> None:
    """Units built from a book are compared by the upgrades bought for all their models."""
    words = ["faction:Ash"]
    one = card("a1", FIVE, keywords=words)
    each = [["Flamer", "Medium CCW"]] * 5
    assert may_merge(one, card("a2", each, keywords=words)) is None
    reason = may_merge(one, card("a2", FIVE, keywords=[*words, "all:plate"]))
    assert reason is not None and reason.clause == "JOIN-2" and "plate" in reason.message


@pytest.mark.clause(EDITION, "JOIN-3", "TYPE-HERO-1")
def test_heroes_and_psykers_join_infantry_of_their_quality() -> None:
    """A Hero or Psyker of the same Quality joins a friendly unit; nobody else does, and nobody of another Quality."""
    host = card("a2", FIVE, quality=3)
    assert may_join(card("a1", rules=["Hero"], quality=3), host) is None
    assert may_join(card("a1", model_rules=[["Psyker(2)"]], quality=3), host) is None
    for guest in (
        card("a1", quality=3),
        card("a1", rules=["Hero"], quality=4),
        card("b1", rules=["Hero"], quality=3, side=1),
        card("a2", rules=["Hero"], quality=3),
    ):
        reason = may_join(guest, host)
        assert reason is not None and reason.clause == "JOIN-3"
