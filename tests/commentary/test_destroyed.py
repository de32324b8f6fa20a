"""Models that are destroyed: whose work it was, who acts before being removed, who shoots again, and who comes back."""

from __future__ import annotations

import pytest

from tests.commentary.desk import Json, Ruling, blade, gun, squad
from tests.commentary.referee import FAR
from tests.commentary.test_phases import HULL, row, rule
from tests.commentary.test_timing import MANDATE, REACH, TIDE, at, react

STAY: Json = {"kind": "move", "value": "stay"}
FIGHT: Json = {"phase": "fight", "unit": "a1", "action": "fight"}
SHOOT: Json = {"phase": "shooting", "unit": "a1"}


def kinds(found: Ruling) -> list[str]:
    """The kinds of events, in order."""
    return [event["kind"] for event in found.events]


# -- whose work it was -----------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "DEST-2", "DEST-3", "UNIT-7")
def test_a_unit_is_destroyed_with_its_last_model() -> None:
    """Not before; whoever's attack did it is named, and Leader and Bodyguard are reported apart."""
    shooter = squad("a1", "A", 1, gun("Torrent", S=9, A=2), at=[(10, 10)])
    found = rule(
        [shooter, squad("b1", "B", 2, at=row(2, 20))], SHOOT, [6, 6], answers=[at("b1"), {"kind": "allocate", "value": "b1.1"}]
    )
    facts = found.event("unit-destroyed")["facts"]
    assert (facts["unit"], facts["destroyer"], facts["cause"]) == ("b1", "A", "shooting")
    alive = rule(
        [shooter, squad("b1", "B", 2, at=row(2, 20))], SHOOT, [6, 1], answers=[at("b1"), {"kind": "allocate", "value": "b1.1"}]
    )
    assert "unit-destroyed" not in kinds(alive)
    boss = squad("x", "B", 1, at=[(21.5, 10)], keywords=["CHARACTER"], leading="b1")
    led = rule([shooter, squad("b1", "B", 1, at=[(20, 10)]), boss], SHOOT, [6, 6], answers=[at("b1")])
    assert [event["facts"]["unit"] for event in led.events if event["kind"] == "unit-destroyed"] == ["b1", "x"]


@pytest.mark.clause("commentary-10", "DEST-4")
def test_who_kills_itself_was_destroyed_by_nobody() -> None:
    """A model lost to its own Hazardous weapon, or to the end of a friend, was destroyed by nobody."""
    units = [squad("a1", "A", 1, gun("Hazardous", skill=6), at=[(10, 10)]), squad("b1", "B", 1, at=[(20, 10)])]
    found = rule(units, SHOOT, [1, 1], answers=[at("b1")])
    assert found.event("unit-destroyed")["facts"]["destroyer"] is None
    units = [
        squad("a1", "A", 1, gun("Torrent", S=9, D=9), at=[(10, 10)]),
        squad("b1", "B", 1, at=[(20, 10)], rules=["Deadly Demise 1"]),
        squad("b2", "B", 1, at=[(22, 10)]),
    ]
    found = rule(units, SHOOT, [6, 6], answers=[at("b1")])
    whose = {event["facts"]["unit"]: event["facts"]["destroyer"] for event in found.events if event["kind"] == "unit-destroyed"}
    assert whose == {"b1": "A", "b2": None}


# -- fighting and shooting before being removed ----------------------------------------------------


def duel(*rules: str, wounds: int = 1, more: tuple[Json, ...] = (), **second: object) -> list[Json]:
    """Two engaged units; the second may act when destroyed."""
    ours = squad("a1", "A", 1, blade(S=9, D=9, skill=2), at=[(10, 10)], M=6, W=9)
    return [ours, squad("b1", "B", 1, blade(A=1, S=9, skill=3), at=[(11, 10)], M=6, W=wounds, rules=rules, **second), *more]


@pytest.mark.clause("commentary-10", "FIGHTDEATH-1", "FIGHTDEATH-3", "FIGHTDEATH-5")
def test_a_destroyed_model_fights_before_it_is_removed() -> None:
    """On 4+ it makes its attacks when those on it are resolved and before their maker consolidates; then it is removed."""
    found = rule(duel("Fights On Death 4+"), FIGHT, [6, 6, 4, 6, 6], answers=[STAY, STAY])
    assert found.verdict == "legal" and found.wounds("a1") == [1] and found.unit("b1")["where"] == "destroyed"
    order = kinds(found)
    assert order.index("casualties") < order.index("lingers") < order.index("gone-after-acting")
    assert order.count("consolidated") <= 1 and found.dead() == ["b1.1", "b1.1"]
    failed = rule(duel("Fights On Death 4+"), FIGHT, [6, 6, 3], answers=[STAY])
    assert failed.verdict == "legal" and failed.wounds("a1") == [0]
    fought = rule(duel("Fights On Death 4+", marks=["activated"]), FIGHT, [6, 6], answers=[STAY])
    assert fought.verdict == "legal" and "lingers" not in kinds(fought)


@pytest.mark.clause("commentary-10", "FIGHTDEATH-3", "FIGHTDEATH-5", "ABIL-1")
@pytest.mark.parametrize(("die", "rolls", "lost"), [(4, ["hit", "wound"], 3), (3, [], 2)])
def test_deadly_demise_waits_until_the_model_has_fought(die: int, rolls: list[str], lost: int) -> None:
    """A model that may fight when destroyed does so, or fails its die, before its Deadly Demise; then it is removed."""
    dice = [6, 6, die, *[6] * len(rolls), 6]
    found = rule(duel("Fights On Death 4+", "Deadly Demise 2"), FIGHT, dice, answers=[STAY, STAY][: 1 + bool(rolls)])
    assert found.verdict == "legal", found.refusal
    assert found.purposes() == ["hit", "wound", "after death", *rolls, "deadly demise"]
    assert (found.wounds("a1"), found.unit("b1")["where"]) == ([lost], "destroyed")
    order = kinds(found)
    assert order.index("demise-due") < len(order) - 1 - order[::-1].index("gone-after-acting")


@pytest.mark.clause("commentary-10", "FIGHTDEATH-3", "ABIL-1")
def test_deadly_demise_does_not_wait_for_who_may_not_act() -> None:
    """A unit that has fought acts no more: the die is rolled at once, before the next attack."""
    ours = squad("a1", "A", 1, blade(S=9, A=2, skill=2), at=[(10, 10)], M=6, W=9)
    theirs = squad(
        "b1", "B", 2, blade(S=9), at=[(11.5, 10), (11.5, 11.2)], M=6, rules=["Fights On Death 4+", "Deadly Demise 1"]
    )
    fought = rule([ours, {**theirs, "marks": ["activated"]}], FIGHT, [6, 6, 5, 6, 6, 5], answers=[STAY])
    assert fought.purposes() == ["hit", "wound", "deadly demise"] * 2
    waits = rule([ours, theirs], FIGHT, [6, 6, 6, 6, 3, 3, 5, 5], answers=[STAY])
    assert waits.purposes() == ["hit", "wound", "hit", "wound", "after death", "after death", "deadly demise", "deadly demise"]


@pytest.mark.clause("commentary-10", "SHOOTDEATH-2", "ABIL-1")
def test_deadly_demise_waits_until_the_model_has_shot() -> None:
    """A model that may shoot when destroyed does so before its Deadly Demise, also where its weapons reach nobody."""
    beside = squad("a2", "A", 1, at=[(23, 10)], M=6, W=9)
    units = [*shots("Shoots On Death 4+", "Deadly Demise 3"), beside]
    found = rule(units, SHOOT, [6, 4, 4, 6, 6], answers=[at("b1"), at("a1")])
    assert found.purposes() == ["wound", "after death", "hit", "wound", "deadly demise"]
    assert (found.wounds("a1"), found.wounds("a2"), found.unit("b1")["where"]) == ([1], [3], "destroyed")
    short = squad("b1", "B", 1, gun(range=1), at=[(20, 10)], M=6, rules=["Shoots On Death 4+", "Deadly Demise 3"])
    found = rule([units[0], short, beside], SHOOT, [6, 6], answers=[at("b1")])
    assert (found.purposes(), found.wounds("a2")) == (["wound", "deadly demise"], [3])


@pytest.mark.clause("commentary-10", "FIGHTDEATH-2")
def test_it_fights_once_under_several_rules() -> None:
    """Thrash in the Net on a model that fights on 4+ anyway: once, by the rule that needs the lower die."""
    units = duel("Fights On Death 4+", keywords=["BEASTS", *TIDE])
    answers = [STAY, react("Thrash in the Net b1 a1")]
    found = rule(units, FIGHT, [6, 6, 3, 6, 6], answers=answers, sides={"B": {"cp": 1}})
    assert found.verdict == "legal" and found.wounds("a1") == [1] and kinds(found).count("lingers") == 1


@pytest.mark.clause("commentary-10", "FIGHTDEATH-2", "SHOOTDEATH-1")
def test_its_owner_says_which_of_several_rules_is_used() -> None:
    """DP-69: also where they are of one kind; the best of each is called by its kind, and the lowest die is the default."""
    units = duel("Fights On Death 4+", keywords=["BEASTS", *TIDE])
    units[1]["models"][0]["weapons"].append(gun("Pistol", name="spit"))
    thrash = [STAY, react("Thrash in the Net b1 a1")]

    def ruled(dice: list[int], *named: str, kinds: tuple[str, ...] = ("Fights On Death 4+",), **more: str) -> Ruling:
        units[1]["rules"] = list(kinds)
        answers = [*thrash, *[{"kind": "choose-option", "value": word} for word in named]]
        return rule(units, FIGHT, dice, answers=answers, sides={"B": {"cp": 1}}, **more)

    asked = ruled([6, 6], unanswered="stop")
    assert asked.pending is not None and (asked.pending["who"], asked.pending["point"]) == ("B", "DP-69")
    assert (asked.pending["options"], asked.pending["default"]) == (["fight", "fight on 4+"], "fight")
    assert ruled([6, 6, 3, 1], "fight").needs("after death") == [3]
    assert ruled([6, 6, 3], "fight on 4+").needs("after death") == [4]
    several = ruled([6, 6], kinds=("Fights On Death 4+", "Fights On Death 2+", "Shoots On Death 2+"), unanswered="stop")
    assert several.pending is not None
    assert several.pending["options"] == ["fight", "shoot", "fight on 3+", "fight on 4+"]
    assert ruled([6, 6, 1], kinds=("Fights On Death 3+",)).needs("after death") == [3]


@pytest.mark.clause("commentary-10", "FIGHTDEATH-4")
def test_it_has_one_wound_meanwhile() -> None:
    """A model that hits worse with one wound left does so when it fights after its death."""
    found = rule(duel("Fights On Death 4+", "Damaged 1", wounds=3), FIGHT, [6, 6, 4, 3], answers=[STAY, STAY])
    assert found.verdict == "legal" and found.wounds("a1") == [0]


@pytest.mark.clause("commentary-10", "FIGHTDEATH-1", "STRAT-1")
def test_the_entry_stands() -> None:
    """STR-M3: a MANDATE CHARACTER destroyed in melee that has not fought fights before it is removed, without a roll."""
    units = duel(keywords=["INFANTRY", "CHARACTER", *MANDATE])
    answers = [STAY, react("pass"), react("The Entry Stands b1.1"), STAY]
    found = rule(units, FIGHT, [6, 6, 6, 6], answers=answers, sides={"B": {"cp": 1}})
    assert found.verdict == "legal" and found.wounds("a1") == [1]
    assert rule(units, FIGHT, [6, 6], answers=answers, sides={"B": {"cp": 0}}).refusal is not None


@pytest.mark.clause("commentary-10", "WHEN-1", "FIGHTDEATH-3")
def test_the_entry_stands_is_used_when_a_model_falls() -> None:
    """STR-M3 is asked about before the next attack is rolled; the model fights when all of them are resolved."""
    fallen = squad("b1", "B", 2, blade(S=9), at=[(11.5, 10), (11.5, 11.2)], M=6, keywords=["INFANTRY", "CHARACTER", *MANDATE])
    units = [squad("a1", "A", 1, blade(S=9, A=2), at=[(10, 10)], M=6, W=9), fallen]
    told: Json = {"sides": {"A": {"cp": 0}, "B": {"cp": 1}}, "unanswered": "stop"}
    first = [STAY, react("pass"), {"kind": "allocate", "value": "b1.1"}]
    asked = rule(units, FIGHT, [6, 6], answers=first, **told)
    assert asked.pending is not None, asked.refusal
    assert asked.pending["options"] == ["The Entry Stands b1.1", "pass"]
    found = rule(units, FIGHT, [6, 6, 6, 6, 6, 1], answers=[*first, react("The Entry Stands"), STAY], sides=told["sides"])
    steps = [event["kind"] for event in found.events if event["kind"] in ("stratagem", "rolled", "attacked", "lingers")]
    assert steps == [*["rolled"] * 2, "stratagem", *["rolled"] * 2, "attacked", "lingers", *["rolled"] * 2, "attacked"]


@pytest.mark.clause("commentary-10", "CPCOST-2", "WHEN-1")
def test_a_discount_is_there_when_its_bearer_falls() -> None:
    """AB-M2: The Entry Stands on the Tally-Marshal itself costs nothing, as it is used before he is removed."""
    units = duel("Stratagem Discount 1", keywords=["INFANTRY", "CHARACTER", *MANDATE])
    found = rule(units, FIGHT, [6, 6, 6, 6], answers=[STAY, react("The Entry Stands"), STAY], sides={"B": {"cp": 0}})
    assert found.verdict == "legal" and found.wounds("a1") == [1] and "discounted" in kinds(found)


@pytest.mark.clause("commentary-10", "CPCOST-2", "DEST-1")
def test_a_discount_is_gone_with_its_bearer() -> None:
    """AB-M2: a save rolled after the Tally-Marshal fell to the same attacks is not rolled again for nothing."""
    lord = squad(
        "x", "B", 1, at=[(20, 8.8)], M=6, rules=["Leader", "Stratagem Discount 1"], keywords=["CHARACTER"], leading="b1"
    )
    units = [
        squad("a1", "A", 1, gun("Precision", A=2), at=[(10, 10)], M=6),
        squad("b1", "B", 2, at=[(20, 10), (20, 11.2)], Sv=4, keywords=["BEASTS"]),
    ]
    told: Json = {"sides": {"A": {"cp": 0}, "B": {"cp": 0}}, "unanswered": "stop"}
    aimed = [at("b1"), {"kind": "choose-option", "value": "x.1"}]
    found = rule([*units, lord], SHOOT, [6, 6, 6, 6, 1], answers=[*aimed, {"kind": "allocate", "value": "b1.1"}], **told)
    assert found.verdict == "legal" and found.dead() == ["b1.1", "x.1"], (found.pending, found.refusal)


def shots(*rules: str, **more: object) -> list[Json]:
    """A firer and a target that may shoot when destroyed."""
    ours = squad("a1", "A", 1, gun("Torrent", S=9), at=[(10, 10)], M=6, W=9)
    return [ours, squad("b1", "B", 1, gun("Heavy", S=9, skill=4), at=[(20, 10)], M=6, rules=rules, **more)]


@pytest.mark.clause("commentary-10", "SHOOTDEATH-1", "SHOOTDEATH-2")
def test_a_destroyed_model_shoots_before_it_is_removed() -> None:
    """TV-44: on 4+ it shoots once more at any legal target, before anything else that its destruction brings."""
    found = rule(shots("Shoots On Death 4+"), SHOOT, [6, 4, 4, 6], answers=[at("b1"), at("a1")])
    assert found.verdict == "legal" and found.wounds("a1") == [1] and found.unit("b1")["where"] == "destroyed"
    assert rule(shots("Shoots On Death 4+"), SHOOT, [6, 3], answers=[at("b1")]).wounds("a1") == [0]


@pytest.mark.clause("commentary-10", "SHOOTDEATH-1", "DICE-6")
def test_no_die_is_rolled_for_who_could_shoot_nobody() -> None:
    """AB-T7: a destroyed model whose weapons reach nobody has no die, and no moment of its own; one that reaches has."""
    short = squad("b1", "B", 1, gun(range=6), at=[(20, 10)], M=6, rules=["Shoots On Death 4+"])
    found = rule([shots()[0], short], SHOOT, [6], answers=[at("b1")])
    assert found.verdict == "legal" and found.purposes() == ["wound"]
    assert "ability" not in [event["kind"] for event in found.events]
    two = squad("b1", "B", 2, gun(range=9), at=[(21, 10), (19, 10)], M=6, rules=["Shoots On Death 4+"])
    ours = squad("a1", "A", 1, gun("Torrent", S=9, A=2), at=[(10, 10)], M=6, W=9)
    assert rule([ours, two], SHOOT, [6, 6, 3], answers=[at("b1")]).purposes() == ["wound", "wound", "after death"]


@pytest.mark.clause("commentary-10", "FIGHTDEATH-1", "DICE-6")
@pytest.mark.parametrize(("fallen", "dice"), [("b1.5", [6, 6]), ("b1.2", [6, 6, 3])])
def test_no_die_is_rolled_for_who_could_fight_nobody(fallen: str, dice: list[int]) -> None:
    """AB-T5: a model that falls at the far end of its unit, out of reach even of a Pile-in move, has no die to fight by."""
    row = [(11.5 + 1.5 * k, 10) for k in range(5)]
    theirs = squad("b1", "B", 5, blade(), at=row, M=6, rules=["Fights On Death 4+"])
    ours = squad("a1", "A", 1, blade(S=9, skill=2), at=[(10, 10)], M=6, W=9)
    found = rule([ours, theirs], FIGHT, dice, answers=[STAY, {"kind": "allocate", "value": [fallen]}])
    assert found.verdict == "legal" and found.dead() == [fallen], found.refusal


@pytest.mark.clause("commentary-10", "FIGHTDEATH-2", "SHOOTDEATH-1")
@pytest.mark.parametrize(("die", "acting"), [(3, ["a1.1"]), (4, ["a1.1", "b1.1"])])
def test_who_falls_to_a_dying_model_has_one_try(die: int, acting: list[str]) -> None:
    """A dying model destroys its slayer, who has such a right too: one die for each of them, and each acts once at most."""
    armed = {"M": 6, "rules": ["Shoots On Death 4+"]}
    places = (("a1", "A", (10, 10)), ("b1", "B", (20, 10)))
    units = [squad(id, side, 1, gun("Torrent", S=9), at=[spot], **armed) for id, side, spot in places]
    units.append(squad("a2", "A", 1, at=[(20, 20)], M=6, W=9))
    dice = {"wound": [6] * (1 + len(acting)), "after death": [4, die]}
    found = rule(units, {"phase": "shooting", "unit": "b1"}, dice, answers=[at("a1"), at("b1")], active="B")
    assert found.verdict == "legal"
    there = [event for event in found.events if event["kind"] == "lingers" and event["clauses"] == ["SHOOTDEATH-1"]]
    assert [event["facts"]["model"] for event in there] == acting
    assert len([event for event in found.events if event["facts"].get("purpose") == "after death"]) == 2


@pytest.mark.clause("commentary-10", "SHOOTDEATH-3")
def test_it_shoots_as_one_that_moved() -> None:
    """Its unit counts as having made a Normal move, so a Heavy weapon loses its bonus, although it stood still in its turn."""
    lobber = squad(
        "a1", "A", 1, gun("Heavy", S=9, skill=4), at=[(10, 10)], M=6, marks=["stationary"], rules=["Shoots On Death 4+"]
    )
    enemy = squad("b1", "B", 1, gun("Torrent", S=9), at=[(20, 10)], M=6, W=9, keywords=["INFANTRY", *MANDATE])
    answers = [at("b1"), react("Counted Reply b1 a1"), at("a1"), at("b1")]
    found = rule([lobber, enemy], SHOOT, [3, 6, 6, 4, 1], answers=answers, sides={"A": {"cp": 0}, "B": {"cp": 3}})
    assert found.verdict == "legal" and found.needs("hit") == [3, 4], found.refusal


@pytest.mark.clause("commentary-10", "SHOOTDEATH-4", "OOP-2")
def test_shooting_on_death_is_out_of_phase() -> None:
    """A Lobber destroyed by a Counted Reply in its own Shooting phase shoots, but Ripe Glands is not for that."""
    words = ["BEASTS", *TIDE]
    lobber = squad("a1", "A", 1, gun("Torrent", S=9), at=[(10, 10)], M=6, keywords=words, rules=["Shoots On Death 4+"])
    enemy = squad("b1", "B", 1, gun("Torrent", S=9), at=[(20, 10)], M=6, W=9, keywords=["INFANTRY", *MANDATE])
    rich = {"A": {"cp": 3}, "B": {"cp": 3}}
    pass_ = react("pass")
    answers = [pass_, at("b1"), pass_, react("Counted Reply b1 a1"), at("a1")]
    found = rule([lobber, enemy], SHOOT, [6, 6, 4, 6], answers=[*answers, at("b1")], sides=rich)
    assert found.verdict == "legal", found.refusal
    refused = rule([lobber, enemy], SHOOT, [6, 6, 4, 6], answers=[*answers, react("Ripe Glands a1")], sides=rich)
    assert refused.refusal is not None and refused.refusal["code"] == "nothing-asked"


@pytest.mark.clause("commentary-10", "OOP-2", "CSTR-7", "JUST-2")
def test_who_is_shot_at_out_of_phase_reacts_by_the_real_phase() -> None:
    """A dying Lobber's shots may be met by what is for the opponent's Shooting phase or any Fight phase, in these alone."""
    rich: Json = {"sides": {"A": {"cp": 9}, "B": {"cp": 9}}, "unanswered": "stop"}
    words, guard = ["BEASTS", *TIDE], ["INFANTRY", *MANDATE]
    lobber = squad("a1", "A", 1, gun("Torrent", S=9), at=[(10, 10)], M=6, keywords=words, rules=["Shoots On Death 4+"])
    enemy = squad("b1", "B", 1, gun("Torrent", S=9), at=[(20, 10)], M=6, W=9, keywords=guard)
    no = react("pass")
    replied = [no, at("b1"), no, react("Counted Reply b1 a1"), at("a1"), at("b1")]
    found = rule([lobber, enemy], SHOOT, [6, 6, 4, 6], answers=replied, **rich)
    assert found.pending is not None, found.refusal
    assert (found.pending["who"], found.pending["options"]) == ("B", ["Go to Ground b1", "Close the Ranks b1 a1", "pass"])
    prey = squad("b1", "B", 1, at=[(20, 10)], M=6, keywords=words, rules=["Shoots On Death 4+"])
    prey["models"][0]["weapons"] = [gun("Torrent", S=9, range=24)]
    hunter = squad("a1", "A", 1, gun("Torrent", S=9), at=[(10, 10)], M=6, W=9, keywords=guard)
    own = rule([hunter, prey, FAR], SHOOT, [6, 4, 6], answers=[at("b1"), at("a1")], **rich)
    assert own.verdict == "legal" and kinds(own).count("shot") == 2, own.pending
    striker = squad("a1", "A", 1, blade(S=9, skill=2), at=[(18.6, 10)], M=6, W=9, keywords=guard)
    prey["models"][0]["weapons"] = [gun("Torrent", "Pistol", S=9)]
    fought = rule([striker, prey, FAR], FIGHT, [6, 6, 4, 6], answers=[STAY, at("b1"), no, at("a1")], **rich)
    assert fought.pending is not None, fought.refusal
    assert (fought.pending["who"], fought.pending["options"]) == ("A", ["Close the Ranks a1 b1", "pass"])


# -- shooting again --------------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "SHOOTAGAIN-1", "SHOOTAGAIN-2", "SHOOTAGAIN-3", "SHOOTAGAIN-5", "SHOT-1")
def test_a_unit_shoots_again() -> None:
    """AB-R8: when all is resolved it fires the weapons it has shot once more, not the one it kept back; not if it fell back."""
    one, two = gun("Torrent", S=9, name="one"), gun("Torrent", S=9, name="two")
    firer = squad("a1", "A", 1, one, two, at=[(10, 10)], rules=["Shoots Again"])
    units = [firer, squad("b1", "B", 1, at=[(20, 10)], W=9)]
    only = {"kind": "assign-weapons", "value": [["a1.1", 0]]}
    found = rule(units, SHOOT, [6, 6], answers=[at("b1"), only, react("Shoots Again a1"), at("b1")])
    assert found.verdict == "legal"
    assert [event["facts"]["weapons"] for event in found.events if event["kind"] == "shot"] == [["one"], ["one"]]
    order = kinds(found)
    assert order.index("attacked") < order.index("ability")
    dead = [firer, squad("b1", "B", 1, at=[(20, 10)])]
    assert rule(dead, SHOOT, [6], answers=[at("b1"), only, react("Shoots Again a1")]).refusal is not None


@pytest.mark.clause("commentary-10", "SHOOTAGAIN-4", "SHOOTAGAIN-1", "WPN-3")
def test_a_weapon_shoots_again() -> None:
    """STR-R1: one weapon of a REACH VEHICLE that has shot is shot once more, without cover for its target."""
    lamp = gun("Torrent", S=9, name="lamp")
    units = [
        squad("a1", "A", 1, lamp, at=[(10, 10)], keywords=["VEHICLE", *REACH]),
        squad("b1", "B", 1, at=[(20, 10)], W=9, Sv=4, marks=["cover"]),
    ]
    answers = [at("b1"), react("Turn the Lens a1"), at("b1")]
    found = rule(units, SHOOT, [6, 3, 6, 3], answers=answers, sides={"A": {"cp": 1}})
    assert found.verdict == "legal" and found.wounds("b1") == [1]


# -- the firing deck -------------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "ABIL-5")
def test_firing_from_the_deck() -> None:
    """Up to X passengers fire one ranged weapon each, measured from the TRANSPORT; a One Shot weapon is used up by it."""
    hull = {"keywords": HULL["keywords"], "rules": [*HULL["rules"], "Firing Deck 2"]}
    gunner = gun("One Shot", "Torrent", S=9, name="rocket")
    units = [
        squad("a1", "A", 1, at=[(20, 20)], M=12, **hull),
        squad("a2", "A", 3, gunner, gun(name="rifle"), where="a1", M=6),
        squad("b1", "B", 1, at=[(30, 20)], W=9),
    ]
    two = {"kind": "assign-weapons", "value": [["a2.1", 0], ["a2.2", 0]]}
    found = rule(units, SHOOT, [6, 6], answers=[two, at("b1"), two])
    assert found.verdict == "legal" and found.attack["attacks"] == 2 and found.wounds("b1") == [2]
    assert "fired:0" in str(found.model("a2.1")["marks"]) and "deck:" not in str(found.unit("a1")["marks"])
    three = {"kind": "assign-weapons", "value": [["a2.1", 0], ["a2.2", 0], ["a2.3", 0]]}
    for wrong in (three, {"kind": "assign-weapons", "value": [["a2.1", 0], ["a2.1", 1]]}):
        refused = rule(units, SHOOT, [6, 6], answers=[wrong, at("b1")])
        assert refused.refusal is not None and refused.refusal["clause"] == "ABIL-5"
    plain = [squad("a1", "A", 1, at=[(20, 20)], M=12, **HULL), *units[1:]]
    assert rule(plain, SHOOT, [6, 6], answers=[two, at("b1")]).refusal is not None


@pytest.mark.clause("commentary-10", "ABIL-5", "WPN-14")
def test_a_hazardous_weapon_on_the_deck() -> None:
    """The TRANSPORT is equipped with what is fired from it: on a 1 it suffers three mortal wounds, its passengers nothing."""
    hull = {"keywords": HULL["keywords"], "rules": [*HULL["rules"], "Firing Deck 2"]}
    units = [
        squad("a1", "A", 1, at=[(20, 20)], W=9, **hull),
        squad("a2", "A", 2, gun("Torrent", "Hazardous"), where="a1", W=4),
        squad("b1", "B", 1, at=[(30, 20)], W=9),
    ]
    one = {"kind": "assign-weapons", "value": [["a2.1", 0]]}
    for die, lost in ((1, 3), (2, 0)):
        found = rule(units, SHOOT, [1, die], answers=[one, at("b1")])
        assert found.verdict == "legal" and found.wounds("a1") == [lost] and found.wounds("a2") == [0, 0]
    bare = [squad("a1", "A", 1, gun("Torrent"), at=[(20, 20)], W=9, **hull), *units[1:]]
    kept = rule(bare, SHOOT, [1], answers=[{"kind": "assign-weapons", "value": []}, at("b1")])
    assert kept.purposes() == ["wound"]


# -- models that come back -------------------------------------------------------------------------

COMMAND: Json = {"phase": "command"}


def proctor(models: int, gone: int, start: int = 0, **more: object) -> list[Json]:
    """A unit that lost models, led by one who brings them back."""
    own: list[Json] = [{"removed": True, "wounds": 1} if k >= models - gone else {} for k in range(models)]
    spots = row(models - gone, 10)
    guard = squad("a1", "A", models, at=spots, W=2, start_size=start or models, own=own, M=6, Ld=7, **more)
    boss = squad("x", "A", 1, at=[(11.2, 10)], keywords=["INFANTRY", "CHARACTER"], leading="a1", rules=["Returns Models 3"])
    return [guard, boss, squad("b1", "B", 1, at=[(40, 30)])]


@pytest.mark.clause("commentary-10", "RETURN-1", "RETURN-3", "CMD-3", "ADD-1")
def test_bodyguard_models_return() -> None:
    """AB-M3: in the Command step up to so many come back unhurt, beside models that were there; nowhere else."""
    answers = [react("Returns Models a1")]
    found = rule(proctor(6, 2), COMMAND, answers=answers)
    assert found.verdict == "legal" and found.event("returned")["facts"]["models"] == ["a1.5", "a1.6"]
    assert found.wounds("a1") == [0] * 6
    far = {"kind": "place", "value": {"a1.5": [14, 13], "a1.6": [30, 30]}}
    refused = rule(proctor(6, 2), COMMAND, answers=[*answers, far])
    assert refused.refusal is not None and refused.refusal["clause"] == "ADD-1"


@pytest.mark.clause("commentary-10", "RETURN-2")
def test_never_beyond_the_starting_strength() -> None:
    """Of two destroyed models one comes back to a unit that began with five of its six."""
    found = rule(proctor(6, 2, start=5), COMMAND, answers=[react("Returns Models a1")])
    assert found.verdict == "legal" and len(found.event("returned")["facts"]["models"]) == 1


@pytest.mark.clause("commentary-10", "RETURN-1", "RETURN-2", "START-1")
def test_models_that_nobody_listed_return() -> None:
    """A unit written with who is left of it and its Starting Strength gets models back that are like those, and no more."""
    units = proctor(4, 0, start=6)
    found = rule(units, COMMAND, answers=[react("Returns Models a1")])
    assert found.event("returned")["facts"]["models"] == ["a1.5", "a1.6"] and len(found.wounds("a1")) == 6
    assert rule(proctor(4, 0), COMMAND, answers=[react("Returns Models a1")]).refusal is not None
    taken = squad("a1.5", "A", 1, at=[(50, 40)])
    taken["models"][0]["id"] = "a1.5"
    other = rule([*units, taken], COMMAND, answers=[react("Returns Models a1")])
    assert other.event("returned")["facts"]["models"] == ["a1.6", "a1.7"]
    plain = rule([squad("a1", "A", 2, at=row(2, 10), start_size=5), units[2]], COMMAND, {"battle-shock": [6, 6]})
    assert len(plain.unit("a1")["models"]) == 2


@pytest.mark.clause("commentary-10", "ADD-1")
def test_no_chain_of_added_models() -> None:
    """A model that was itself added in this phase is nobody to stand beside."""
    units = proctor(4, 1)
    units[0]["models"][2]["marks"] = [{"added": "end-phase"}]
    units[0]["models"][2]["at"] = [10, 14.5]
    beside = {"kind": "place", "value": {"a1.4": [10, 17]}}
    refused = rule(units, COMMAND, answers=[react("Returns Models a1"), beside])
    assert refused.refusal is not None and refused.refusal["clause"] == "ADD-1"


@pytest.mark.clause("commentary-10", "ADD-2")
def test_added_models_and_engagement() -> None:
    """An added model may stand within Engagement Range of an enemy that is engaged with its unit, of no other."""
    for x, legal in ((8.5, True), (6.6, False)):
        units = [*proctor(3, 1)[:2], squad("b1", "B", 1, at=[(x, 10)])]
        spot = {"kind": "place", "value": {"a1.3": [8.3, 11.4]}} if legal else {"kind": "place", "value": {"a1.3": [8.0, 10.6]}}
        found = rule(units, COMMAND, answers=[react("Returns Models a1"), spot])
        assert (found.refusal is None) is legal, found.refusal


@pytest.mark.clause("commentary-10", "ADD-3")
def test_no_room_for_a_model() -> None:
    """Where friends stand shoulder to shoulder, a model that would return finds no room and is lost, without anything else."""
    units = proctor(2, 1)
    units[1]["models"][0]["at"] = [10, 11.05]
    crowd = [(10 + 1.05 * i, 10 + 1.05 * j) for i in range(-6, 7) for j in range(-6, 8) if (i, j) not in ((0, 0), (0, 1))]
    friends = squad("a9", "A", len(crowd), at=crowd)
    found = rule([*units, friends], COMMAND, answers=[react("Returns Models a1")])
    assert found.verdict == "legal" and found.event("no-room")["facts"]["models"] == ["a1.2"]


@pytest.mark.clause("commentary-10", "RETURN-4", "RETURN-1")
def test_a_leader_is_born_again() -> None:
    """ENH-T1: it returns on 2+ with D3 wounds: to its Bodyguard unit if that stands, else alone where it fell."""
    killer = squad("a1", "A", 1, gun("Torrent", "Precision", S=9, D=9), at=[(10, 10)])
    boss = squad("x", "B", 1, at=[(25, 11.3)], keywords=["CHARACTER"], leading="b1", rules=["Second Birth 2+"], W=4)
    guard = squad("b1", "B", 2, at=[(25, 10), (25, 12.6)])
    again = react("Second Birth x.1")
    target = {"kind": "choose-option", "value": "x.1"}
    led = rule([killer, guard, boss], SHOOT, [6, 2, 5], answers=[at("b1"), target, again])
    assert led.verdict == "legal" and led.event("returned")["facts"]["unit"] == "b1"
    assert led.model("x.1")["wounds"] == 1
    lone = {**boss, "id": "b1"}
    lone.pop("leading")
    lone["models"] = [{**boss["models"][0], "id": "b1.1"}]
    alone = rule([killer, lone], SHOOT, [6, 2, 5], answers=[at("b1"), react("Second Birth b1.1")])
    assert alone.verdict == "legal" and alone.unit("b1")["where"] == "table" and alone.model("b1.1")["wounds"] == 1


# -- what else destruction and Stratagems set off ---------------------------------------------------


@pytest.mark.clause("commentary-10", "AUTO-4", "ABIL-1", "WITHX-1")
def test_a_last_spasm() -> None:
    """STR-T4: Deadly Demise of a TIDE MONSTER takes effect without the D6; without a point the die is rolled."""
    beast = squad("b1", "B", 1, at=[(20, 10)], keywords=["MONSTER", *TIDE], rules=["Deadly Demise 2"])
    units = [squad("a1", "A", 1, gun("Torrent", S=9), at=[(10, 10)]), squad("a2", "A", 3, at=row(3, 24)), beast]
    answers = [at("b1"), react("Last Spasm b1.1"), {"kind": "allocate", "value": "a2.1"}, {"kind": "allocate", "value": "a2.2"}]
    found = rule(units, SHOOT, [6], answers=answers, sides={"B": {"cp": 1}})
    assert found.verdict == "legal" and {"a2.1", "a2.2"} <= set(found.dead())
    assert rule(units, SHOOT, [6, 5], answers=[at("b1")]).dead() == ["b1.1"]


@pytest.mark.clause("commentary-10", "CMD-2", "LABEL-1", "YSTRAT-1", "RESV-4")
def test_a_standing_audit() -> None:
    """ENH-M2: on 4+ a point for a Strategic Ploy the opponent paid for, once a round; in Reserves too, but not embarked."""
    clerk = squad("a2", "A", 1, at=[(50, 40)], keywords=["CHARACTER"], rules=["Taxes Strategic Ploy"])
    units = [squad("a1", "A", 1, at=[(10, 10)], M=6), clerk, squad("b1", "B", 1, gun(), at=[(20, 10)], M=6)]
    do = {"phase": "movement", "unit": "a1", "action": "normal"}
    answers = [react("Fire Overwatch b1 a1"), react("Taxes a2")]
    for more, points in (({}, 1), ({"marks": [{"did:gained-cp": "end-round"}]}, 0)):
        found = rule(units, do, [4, 1], answers=answers, sides={"A": {"cp": 0, **more}, "B": {"cp": 1}})
        assert found.verdict == "legal" and ("gained-point" in kinds(found)) is bool(points)
    hidden = [units[0], {**clerk, "where": "reserve"}, units[2]]
    assert rule(hidden, do, [4, 1], answers=answers, sides={"B": {"cp": 1}}).verdict == "legal"
    aboard = [units[0], {**clerk, "where": "a3"}, squad("a3", "A", 1, at=[(50, 40)], M=12, **HULL), units[2]]
    assert rule(aboard, do, [4, 1], answers=answers, sides={"B": {"cp": 1}}).refusal is not None


@pytest.mark.clause("commentary-10", "INDIV-1", "INDIV-2", "INDIV-3")
def test_an_afterglow() -> None:
    """ENH-R1: when its unit has fought the bearer alone piles in, attacks and consolidates; its fellow does nothing."""
    ours = squad("a1", "A", 2, blade(S=9), at=[(10, 10), (8, 11)], M=6, own=[{}, {"rules": ["Fights Again"]}])
    units = [ours, squad("b1", "B", 1, at=[(11, 10)], M=6, W=9)]
    found = rule(units, FIGHT, [6, 6, 6, 6], answers=[STAY, STAY, react("Fights Again a1.2")])
    assert found.verdict == "legal" and found.wounds("b1") == [2] and found.model("a1.1")["at"] == [10.0, 10.0]
    assert kinds(found).count("piled-in") == 2 and kinds(found).count("consolidated") == 2


@pytest.mark.clause("commentary-10", "TREAT-1", "CRIT-1")
def test_an_echo_strike() -> None:
    """AB-R11: one missed Hit roll of the bearer's own counts as a natural 6, once a battle; not one of its fellows'."""
    ours = squad("a1", "A", 1, blade("Sustained Hits 1", A=2, S=1), at=[(10, 10)], M=6, rules=["Echo Strike"])
    units = [ours, squad("b1", "B", 1, at=[(11, 10)], M=6, W=9)]
    found = rule(units, FIGHT, [1, 1, 1, 1], answers=[STAY, react("Echo Strike a1.1")])
    assert found.verdict == "legal" and found.attack["hits"] == 2
    plain = [squad("a1", "A", 1, blade(S=1), at=[(10, 10)], M=6), units[1]]
    assert rule(plain, FIGHT, [1], answers=[STAY, react("Echo Strike a1.1")]).refusal is not None


@pytest.mark.clause("commentary-10", "MODCH-4", "DICE-6")
def test_an_echo_parry() -> None:
    """AB-R10: after a failed save the Damage of that attack is 0 and not even rolled; the next one hurts."""
    units = [
        squad("a1", "A", 1, gun("Torrent", A=2, S=9, D="D3"), at=[(10, 10)]),
        squad("b1", "B", 1, at=[(20, 10)], W=5, Sv=4, rules=["Echo Parry"]),
    ]
    found = rule(units, SHOOT, [6, 1, 6, 1, 3], answers=[at("b1"), react("Echo Parry b1.1")])
    assert found.verdict == "legal" and found.wounds("b1") == [2]
    saved = rule(units, SHOOT, [6, 4, 6, 4], answers=[at("b1")])
    assert saved.wounds("b1") == [0] and saved.attack["blocked"] == 2


@pytest.mark.clause("commentary-10", "TREAT-1", "MODCH-4")
def test_echoes_are_cited_where_they_act() -> None:
    """AB-R10, AB-R11: rolls at which nobody uses them do not cite them; the event of a use does, and nothing else."""
    ours = squad("a1", "A", 1, blade(A=2, S=9), at=[(10, 10)], M=6, rules=["Echo Strike"])
    units = [ours, squad("b1", "B", 1, at=[(11, 10)], M=6, W=9, Sv=4, rules=["Echo Parry"])]

    def citing(*dice: int, answers: list[Json]) -> list[str]:
        found = rule(units, FIGHT, list(dice), answers=[STAY, *answers])
        assert found.verdict == "legal"
        rows = [*found.json["rolls"], *found.events]
        return [clause for row in rows for clause in row["clauses"] if clause in ("AB-R10", "AB-R11")]

    passed = {"kind": "react", "value": "pass"}
    assert citing(5, 5, 1, 5, 5, 5, answers=[passed] * 3) == []
    assert citing(1, 5, 5, 5, 5, 5, answers=[react("Echo Strike a1.1")]) == ["AB-R11"]
    assert citing(5, 5, 1, 5, 5, 5, answers=[passed, react("Echo Parry b1.1"), passed]) == ["AB-R10"]
