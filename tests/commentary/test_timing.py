"""When rules act: windows, who is asked first, ends of phases, out of phase, Stratagems and whom they affect."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from rolloff.editions import registry
from rolloff.oracle.dice import SeededDice
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.rules.game import Game
from rolloff.rules.play import Play, play_step
from rolloff.rules.windows import Limit, Moment, Reaction, Use, window
from rolloff.situations.forms import CaseForm, decode
from rolloff.situations.situation import read_situation
from rolloff.table.state import Clock
from tests.commentary.desk import EDITION, Json, blade, gun, squad
from tests.commentary.test_more_phases import FAR, battle, opened
from tests.commentary.test_phases import PASS, asked, marks, row, rule

REACH = ["REACH", "detachment:lamplit-vigil"]
TIDE = ["TIDE", "detachment:rising-undertow"]
MANDATE = ["MANDATE", "detachment:foundry-column"]


def react(name: str) -> Json:
    """An answer that uses a reaction."""
    return {"kind": "react", "value": name}


def at(target: str) -> Json:
    """An answer that names a target."""
    return {"kind": "choose-target", "value": target}


def probed(units: list[Json], *probes: Reaction, **clock: Any) -> Play:
    """A play at some moment of a situation whose edition has further reactions."""
    import json

    found = read_situation(decode(json.dumps({"edition": EDITION, "units": units}).encode(), CaseForm))
    edition = registry.edition(EDITION)
    game = Game(replace(edition, reactions=(*edition.reactions, *probes)), found.game.setup)
    state = replace(found.state, clock=Clock(**{"phase": "shoot", "round": 2, **clock}))
    return Play(game, state, Oracle(SeededDice(b""), Defaults()))


def noting(name: str, seen: list[str], **more: Any) -> Reaction:
    """A reaction both players have, which notes that it was used."""

    def use(play: Play, moment: Moment, side: int) -> tuple[Use, ...]:
        return (Use(variant="AB"[side]),)

    def done(play: Play, moment: Moment, use: Use) -> None:
        seen.append(f"{name} {use.variant}")

    moments = frozenset({more.pop("at", "targets-chosen")})
    return Reaction(name, moments, "JUST-1", use, done, default=True, kind="stratagem", **more)


@pytest.mark.clause("commentary-10", "JUST-1", "ACTIVE-1")
def test_the_active_player_is_asked_first() -> None:
    """Optional rules at one moment are offered to the player whose turn it is, then to the other, until both pass."""
    for active, expected in ((0, ["late A", "late B"]), (1, ["late B", "late A"])):
        seen: list[str] = []
        play = probed([squad("a1", "A"), squad("b1", "B")], noting("late", seen, limit=Limit("end-phase")), active=active)
        window(play, Moment("targets-chosen"))
        assert seen == expected


@pytest.mark.clause("commentary-10", "SEQ-1")
def test_the_active_player_orders_what_happens_at_once() -> None:
    """Rules of both players that act by themselves at one moment come in the order the active player picks."""
    seen: list[str] = []

    class Backwards(Defaults):
        """Picks the last rule first."""

        def choose(self, request: Any, play: Any) -> object:
            assert request.who == 1
            return request.options[-1]

    rules = [noting(name, seen, must=True, limit=Limit("end-phase")) for name in ("one", "two")]
    play = probed([squad("a1", "A"), squad("b1", "B")], *rules, active=1)
    play.oracle = Oracle(SeededDice(b""), Backwards())
    window(play, Moment("targets-chosen"))
    assert seen == ["two A", "one A", "two B", "one B"]


@pytest.mark.clause("commentary-10", "JUST-1", "JUST-2", "TARGET-1")
def test_reactions_to_targets_come_before_the_first_die() -> None:
    """TV-26: a rule just after targets are selected is resolved before the first Hit roll, and asks only who is a target."""
    units = [
        squad("a1", "A", 1, gun(AP=-3), at=[(10, 10)]),
        squad("b1", "B", 1, at=[(20, 10)], M=6),
        squad("b2", "B", 1, at=[(30, 10)], M=6),
    ]
    do = {"phase": "shooting", "unit": "a1"}
    found = rule(units, do, [3, 4, 6], answers=[at("b1"), react("Go to Ground")], sides={"B": {"cp": 1}})
    kinds = [event["kind"] for event in found.events]
    assert kinds.index("stratagem") < kinds.index("rolled") and "cover" in marks(found, "b1")
    wrong = rule(units, do, [3, 4], answers=[at("b1"), react("Go to Ground b2")], sides={"B": {"cp": 1}})
    assert wrong.refusal is not None


@pytest.mark.clause("commentary-10", "ENDOF-2")
def test_when_a_phase_ends_its_other_rules_are_too_late() -> None:
    """What the end of the Movement phase sets off opens no window any more for a rule of that phase."""
    for row_name, expected in (("movement-end", []), ("move", ["late A", "late B"])):
        seen: list[str] = []
        late = noting("late", seen, at="set-up", phases=frozenset({"movement"}), limit=Limit("end-phase"))
        play = probed([squad("a1", "A"), squad("b1", "B")], late, phase=row_name)
        window(play, Moment("set-up"))
        assert seen == expected


@pytest.mark.clause("commentary-10", "ENDOF-3")
def test_a_phase_ends_when_all_its_last_rules_are_resolved() -> None:
    """Whoever used a rule at the end of a phase is asked again, until nobody has anything left."""
    seen: list[str] = []
    rules = [noting(name, seen, at="end-shooting", limit=Limit("end-phase")) for name in ("one", "two")]
    play = probed([squad("a1", "A"), squad("b1", "B")], *rules, phase="shooting-end")
    window(play, Moment("end-shooting"))
    assert seen == ["one A", "one B", "two A", "two B"]


@pytest.mark.clause("commentary-10", "OOP-2", "MPHASE-1")
def test_nothing_else_of_a_phase_out_of_phase() -> None:
    """TV-20: a Mortar slows its target after shooting in its owner's Shooting phase, not after Fire Overwatch."""
    mortar = squad("b1", "B", 1, gun("Torrent", S=4), at=[(20, 10)], rules=["Slows 2"], M=6)
    units = [squad("a1", "A", 1, at=[(10, 10)], M=6, W=3), mortar]
    do = {"phase": "movement", "unit": "a1", "action": "normal"}
    found = rule(units, do, [6], answers=[react("Fire Overwatch")], sides={"B": {"cp": 1}})
    assert found.attack["hits"] == 1 and "grant:Move(-2)" not in marks(found, "a1")
    own = rule(units, {"phase": "shooting", "unit": "b1"}, [6], active="B", answers=[at("a1"), react("Slows b1 a1")])
    assert "grant:Move(-2)" in marks(own, "a1")


@pytest.mark.clause("commentary-10", "STRAT-1", "UNIT-6")
def test_who_may_reply_lost_a_wound_to_the_attacks() -> None:
    """STR-M4 is for a unit that lost a wound to the attacks, or what is left of it; not for one that a wreck hurt."""
    told: Json = {"sides": {"A": {"cp": 0}, "B": {"cp": 2}}, "unanswered": "stop"}
    shooter = squad("a1", "A", 1, gun(S=12, AP=-9, A=2, skill=2), at=[(10, 10)], M=6)
    wreck = squad("b1", "B", 1, at=[(20, 10)], M=6, keywords=["VEHICLE", *MANDATE], rules=["Deadly Demise 1"])
    beside = squad("b2", "B", 2, gun(), at=[(23, 10), (24.5, 10)], M=6, keywords=["BEASTS", *MANDATE])
    do = {"phase": "shooting", "unit": "a1", "action": "shoot"}
    allocated = {"kind": "allocate", "value": "b2.1"}
    found = rule([shooter, wreck, beside], do, [2, 2, 6], answers=[at("b1"), allocated], **told)
    assert found.verdict == "legal" and sorted(found.dead()) == ["b1.1", "b2.1"]
    words = ["BEASTS", "CHARACTER", *MANDATE]
    guard = squad("b1", "B", 1, gun(), at=[(20, 10)], M=6, keywords=["BEASTS", *MANDATE])
    leader = squad("x", "B", 1, gun(), at=[(21.5, 10)], W=3, M=6, keywords=words, rules=["Leader"], leading="b1")
    for dice, options in (([2, 2, 2, 2], True), ([2, 2, 1], True), ([1, 1], False)):
        found = rule([shooter, guard, leader, FAR], do, dice, answers=[at("b1")], **told)
        named = ["Counted Reply x a1", "pass"] if options else None
        assert (found.pending and found.pending["options"]) == named


@pytest.mark.clause("commentary-10", "STRAT-1", "WPN-14")
def test_nobody_replies_to_who_fell_to_its_own_weapon() -> None:
    """STR-M4 is not offered against a unit that its own Hazardous weapon destroyed; against one that lives it is."""
    told: Json = {"sides": {"A": {"cp": 0}, "B": {"cp": 2}}, "unanswered": "stop"}
    shooter = squad("a1", "A", 1, gun("Hazardous", S=12, AP=-9, skill=2), at=[(10, 10)], M=6)
    hurt = squad("b1", "B", 2, gun(), at=[(20, 10), (21.5, 10)], M=6, keywords=["BEASTS", *MANDATE])
    do = {"phase": "shooting", "unit": "a1", "action": "shoot"}
    for die, options in ((1, None), (2, ["Counted Reply b1 a1", "pass"])):
        dice = {"hit": [6], "wound": [6], "hazardous": [die]}
        found = rule([shooter, hurt], do, dice, answers=[at("b1"), {"kind": "allocate", "value": "b1.1"}], **told)
        assert (found.pending and found.pending["options"]) == options, found.refusal


@pytest.mark.clause("commentary-10", "PERSIST-3", "LEAD-5")
def test_what_is_left_of_a_unit_that_was_hit_is_slowed() -> None:
    """AB-M6: the Mortar may slow a Leader whose squad its attacks destroyed, and two Leaders together."""
    mortar = squad("b1", "B", 1, gun("Torrent", S=9, AP=-9), at=[(30, 10)], rules=["Slows 2"], M=6)
    lead: Json = {"M": 6, "W": 3, "keywords": ["INFANTRY", "CHARACTER"], "leading": "a1"}
    first = squad("x", "A", 1, at=[(11.5, 10)], rules=["Leader"], **lead)
    second = squad("y", "A", 1, at=[(10, 11.5)], rules=["Second Leader"], **lead)
    for leaders in ([first], [first, second]):
        units = [mortar, squad("a1", "A", 1, at=[(10, 10)], M=6), *leaders]
        do = {"phase": "shooting", "unit": "b1"}
        found = rule(units, do, [2], active="B", answers=[at("a1"), react("Slows b1 x")])
        assert found.dead() == ["a1.1"], found.refusal
        assert all("grant:Move(-2)" in marks(found, row["id"]) for row in leaders)


@pytest.mark.clause("commentary-10", "OOP-2", "OOP-1", "YSTRAT-1")
def test_a_stratagem_of_the_shooting_phase_is_not_for_shots_out_of_phase() -> None:
    """Close the Ranks is for the opponent's Shooting phase: not against a Counted Reply in the own one."""
    ours = squad("a1", "A", 1, gun("Torrent"), at=[(10, 10)], keywords=["INFANTRY", *MANDATE], M=6, W=3)
    theirs = squad("b1", "B", 1, gun("Torrent"), at=[(20, 10)], keywords=["INFANTRY", *MANDATE], M=6, W=3)
    rich = {"A": {"cp": 3}, "B": {"cp": 3}}
    do = {"phase": "shooting", "unit": "a1"}
    answers = [at("b1"), PASS, react("Counted Reply b1 a1"), at("a1"), react("Close the Ranks a1 b1")]
    found = rule([ours, theirs], do, [6, 6], answers=answers[:4], sides=rich)
    assert sum(event["kind"] == "shot" for event in found.events) == 2
    refused = rule([ours, theirs], do, [6, 6], answers=answers, sides=rich)
    assert refused.refusal is not None and refused.refusal["code"] == "nothing-asked"
    other = {"phase": "shooting", "unit": "b1"}
    enemy = rule([ours, theirs], other, [6], active="B", sides=rich, answers=[at("a1"), react("Close the Ranks a1 b1")])
    assert enemy.verdict == "legal" and enemy.event("granted")["clauses"] == ["STR-M2", "YUNIT-1"]


# -- rounds and phases -----------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "ROUND-1")
def test_a_round_is_a_turn_for_each_player() -> None:
    """Command, Movement, Shooting, Charge, Fight in this order; each ends before the next; the same player is first."""
    game = battle("lantern-reach-500", "hollow-tide-500", "toll-crossing", 500)
    state, oracle, seen = opened(game), Oracle(SeededDice(b"order"), Defaults()), list[tuple[int, int, str]]()
    first = state.clock.first
    while state.clock.round <= 2:
        phase = game.edition.turns.phase(state.clock) if game.edition.turns else ""
        now = (state.clock.round, state.clock.active, phase)
        if now not in seen[-1:] and phase in ("command", "movement", "shooting", "charge", "fight"):
            seen.append(now)
        state = play_step(game, state, oracle).state
    phases = ["command", "movement", "shooting", "charge", "fight"]
    assert seen == [(n, side, phase) for n in (1, 2) for side in (first, 1 - first) for phase in phases]


@pytest.mark.clause("commentary-10", "ENDOF-1", "ENDCMD-1", "COVER-1")
def test_the_end_of_the_command_phase_waits_for_battle_shock() -> None:
    """A lamp token is laid when the Battle-shock step is over: not by who lost the marker through that step."""
    units = [
        squad("a1", "A", 4, at=row(4, 19, 17), OC=2, start_size=10, Ld=7, keywords=["INFANTRY", *REACH]),
        squad("b1", "B", 1, at=[(40, 30)]),
    ]
    marker = [{"id": "o1", "at": [17, 19], "holder": "A"}]
    do = {"phase": "command"}
    lit = rule(units, do, [4, 4], objectives=marker, answers=[PASS, react("Lamp token o1")])
    assert lit.event("lamp")["clauses"] == ["ENDCMD-1", "DET-R"]
    kinds = [event["kind"] for event in lit.events]
    assert kinds.index("shock-passed") < kinds.index("lamp") < kinds.index("scored")
    shaken = rule(units, do, [1, 1], objectives=marker, answers=[PASS, PASS, react("Lamp token o1")])
    assert shaken.refusal is not None and shaken.refusal["code"] == "nothing-asked"


# -- Stratagems and whom they affect ---------------------------------------------------------------


@pytest.mark.clause("commentary-10", "CSTR-2")
def test_counter_offensive() -> None:
    """Just after an enemy unit fought, an own engaged unit fights next, although it is another's pick; it costs two points."""
    units = [
        squad("a1", "A", 1, blade(), at=[(10, 10)], M=6, W=9, rules=["Fights First"]),
        squad("a2", "A", 1, blade(), at=[(30, 10)], M=6, W=9, rules=["Fights First"]),
        squad("b1", "B", 1, blade(), at=[(11.5, 10)], M=6, W=9),
        squad("b2", "B", 1, blade(), at=[(31.5, 10)], M=6, W=9),
    ]
    stay = {"kind": "move", "value": "stay"}
    answers = [{"kind": "choose-unit", "value": "a1"}, stay, stay, react("Counter-offensive b2")]
    found = rule(units, {"phase": "fight"}, {"seed": 1}, answers=answers, sides={"B": {"cp": 2}})
    order = [event["facts"]["unit"] for event in found.events if event["kind"] == "picked"]
    assert found.verdict == "legal" and order[:2] == ["a1", "b2"]
    poor = rule(units, {"phase": "fight"}, {"seed": 1}, answers=answers, sides={"B": {"cp": 1}})
    assert poor.refusal is not None and poor.refusal["code"] in ("nothing-asked", "wrong-kind")


@pytest.mark.clause("commentary-10", "STRAT-1", "YUNIT-1")
def test_a_stratagem_affects_exactly_its_target() -> None:
    """Of two targeted units the one chosen has what it gives; one that is Battle-shocked cannot be chosen."""
    words = ["INFANTRY", *REACH]
    units = [
        squad("a1", "A", 1, gun(S=8, name="one"), gun(S=8, name="two"), at=[(10, 10)], M=6),
        squad("b1", "B", 1, at=[(20, 10)], keywords=words),
        squad("b2", "B", 1, at=[(20, 15)], keywords=words),
    ]
    first = {"kind": "assign-weapons", "value": [["a1.1", 0]]}
    answers = [at("b1"), first, at("b2"), react("Refraction b2 a1")]
    do = {"phase": "shooting", "unit": "a1"}
    found = rule(units, do, [3, 3, 3, 3], answers=answers, sides={"B": {"cp": 1}})
    assert found.verdict == "legal" and found.needs("wound") == [2, 3]
    units[2]["marks"] = ["battle-shocked"]
    assert rule(units, do, [3, 3, 3, 3], answers=answers, sides={"B": {"cp": 1}}).refusal is not None


@pytest.mark.clause("commentary-10", "NSEL-1")
def test_not_been_selected_to_shoot() -> None:
    """TV-40: a unit that was selected to shoot in this phase may not throw grenades; one that was not may."""
    do = {"phase": "shooting"}
    for state, legal in (([], True), (["activated"], False)):
        rolled_by = squad("a1", "A", 1, at=[(10, 10)], keywords=["INFANTRY", "GRENADES"], marks=state)
        units = [rolled_by, squad("b1", "B", 3, at=row(3, 15), W=3)]
        found = rule(units, do, [4, 4, 1, 1, 1, 1], answers=[react("Grenade a1 b1")], sides={"A": {"cp": 1}})
        assert (found.refusal is None) is legal


@pytest.mark.clause("commentary-10", "AUTO-4")
def test_passing_without_a_roll() -> None:
    """Shield the Flame: a unit Below Half-strength passes the test of this step, and no die is rolled."""
    units = [squad("a1", "A", 4, at=row(4, 10), start_size=10, Ld=7, keywords=["INFANTRY", *REACH]), FAR]
    found = rule(units, {"phase": "command"}, [], answers=[react("Shield the Flame a1")], sides={"A": {"cp": 1}})
    assert found.verdict == "legal" and found.dice_used == 0
    assert found.event("shock-passed")["clauses"] == ["AUTO-4"]


@pytest.mark.clause("commentary-10", "UEQ-1", "BEARER-1", "LABEL-1")
def test_the_equipment_of_a_unit() -> None:
    """Stoke the Bellows asks for a unit whose equipment includes a bellows projector, and changes that weapon alone."""
    bellows = gun("Torrent", name="bellows projector", S=5, AP=-1)
    words = ["INFANTRY", *MANDATE]
    own: list[Json] = [{}, {"weapons": [bellows]}]
    do = {"phase": "shooting", "unit": "a1"}
    answers = [react("Stoke the Bellows a1"), at("b1")]
    units = [
        squad("a1", "A", 2, gun(S=5), at=row(2, 10), own=own, keywords=words, M=6),
        squad("b1", "B", 9, at=row(9, 18), T=5),
    ]
    found = rule(units, do, [3, 4, 3], answers=answers, sides={"A": {"cp": 1}})
    assert found.verdict == "legal" and found.needs("wound") == [4, 3]
    plain = [squad("a1", "A", 2, gun(S=5), at=row(2, 10), keywords=words, M=6), units[1]]
    assert rule(plain, do, [3, 4, 3], answers=answers, sides={"A": {"cp": 1}}).refusal is not None


@pytest.mark.clause("commentary-10", "ELIG-1", "JUST-2")
def test_a_target_that_slips_away() -> None:
    """Into the Cracks: shots at a unit that moved out of range may be given another target; without one they are lost."""
    swarm = squad("b1", "B", 1, at=[(21.5, 10)], keywords=["SWARM", *TIDE], M=6)
    gunner = squad("a1", "A", 1, gun(range=12), at=[(10, 10)], M=6)
    do = {"phase": "shooting", "unit": "a1"}
    away = [at("b1"), react("Into the Cracks b1 a1"), {"kind": "move", "value": {"shift": [5, 0]}}]
    lost = rule([gunner, swarm], do, [6], answers=away, sides={"B": {"cp": 1}})
    assert lost.verdict == "legal" and not any(event["kind"] == "shot" for event in lost.events)
    other = squad("b2", "B", 1, at=[(10, 20)], M=6)
    found = rule([gunner, swarm, other], do, [6, 3, 4], answers=[*away, at("b2")], sides={"B": {"cp": 1}})
    assert [event["facts"]["target"] for event in found.events if event["kind"] == "shot"] == ["b2"]


@pytest.mark.clause("commentary-10", "ANY-1", "OTHER-1", "CTRL-1", "YOU-1")
def test_another_unit_of_the_army() -> None:
    """DET-T: re-rolls of 1 at a unit that another TIDE unit, also of the same datasheet, is within Engagement Range of."""
    words = ["BEASTS", *TIDE]
    ours = squad("a1", "A", 1, blade(A=2), at=[(10, 10)], keywords=words, M=6)
    friend = squad("a2", "A", 1, blade(A=2), at=[(13, 10)], keywords=words, M=6)
    foe = squad("b1", "B", 1, at=[(11.5, 10)], M=6, W=9)
    do = {"phase": "fight", "unit": "a1", "action": "fight"}
    stay = {"kind": "move", "value": "stay"}
    found = rule([ours, friend, foe], do, [1, 2, 2], answers=[stay])
    assert [roll["rerolls"] for roll in found.json["rolls"] if roll["purpose"] == "hit"] == [[[0, 2]], []]
    alone = rule([ours, foe], do, [1, 2], answers=[stay])
    assert [roll["rerolls"] for roll in alone.json["rolls"] if roll["purpose"] == "hit"] == [[], []]


@pytest.mark.clause("commentary-10", "KEYW-5")
def test_a_detachment_of_one_keyword() -> None:
    """DET-M: +1 to hit at a single target, in an army in which every model has the keyword; one that has it not ends that."""
    ours = squad("a1", "A", 1, gun(), at=[(10, 10)], keywords=["INFANTRY", *MANDATE], M=6)
    foe = squad("b1", "B", 1, at=[(20, 10)])
    do = {"phase": "shooting", "unit": "a1"}
    assert rule([ours, foe], do, [2, 1]).attack["hits"] == 1
    stranger = squad("a2", "A", 1, at=[(5, 5)], keywords=["INFANTRY"])
    assert rule([ours, stranger, foe], do, [2]).attack["hits"] == 0
    welcome = squad("a2", "A", 1, at=[(5, 5)], keywords=["INFANTRY"], rules=["Breaks No Detachment"])
    assert rule([ours, welcome, foe], do, [2, 1]).attack["hits"] == 1
    assert asked([ours, foe], {"eligible": ["a1", "shoot"]}) == [True]


def test_answers_may_leave_out_what_has_a_default() -> None:
    """A way given after the target of a charge goes to the charge move, though whether others are charged too is asked between;
    an answer that nothing asks for is still refused, and so is one out of turn where a case stops at what is unanswered.
    """
    units = [
        squad("a1", "A", 1, blade(), at=[(10, 10)], M=6),
        squad("b1", "B", 1, blade(), at=[(14, 10)], M=6, W=9),
        squad("b2", "B", 1, blade(), at=[(10, 16)], M=6, W=9),
    ]
    charge = {"phase": "charge", "unit": "a1", "action": "charge"}
    way = {"kind": "move", "value": {"a1.1": [[10, 10], [13, 10]]}}
    found = rule(units, charge, {"charge": [2, 2]}, answers=[at("b1"), way])
    assert found.verdict == "legal" and found.model("a1.1")["at"] == [13, 10]
    never = rule(units, charge, {"charge": [2, 2]}, answers=[at("b1"), {"kind": "assign-weapons", "value": []}])
    assert never.refusal is not None and never.refusal["code"] == "wrong-kind"
    strict = rule(units, charge, {"charge": [2, 2]}, answers=[at("b1"), way], unanswered="stop")
    assert strict.refusal is not None and strict.refusal["code"] == "wrong-kind"
