"""More of a battle through the public way: wrecks, flying, aircraft, Auras, Stratagems, formations, start and end."""

from __future__ import annotations

import json
import struct
from typing import Any

import pytest

from rolloff.editions import registry
from rolloff.editions.commentary.command import control_together
from rolloff.editions.commentary.moving import move_of
from rolloff.errors import BadInput
from rolloff.lab.duel import Match, setup_of
from rolloff.lengths import INCH
from rolloff.oracle.dice import EnteredDice, SeededDice
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.rules.game import Game
from rolloff.rules.play import Play, play_step, play_talk
from rolloff.situations.forms import CaseForm, decode
from rolloff.situations.situation import read_situation
from rolloff.table.event import Placed, patched
from rolloff.table.state import RESERVE, TABLE, State
from tests.commentary.desk import EDITION, Json, blade, case, gun, shoot, squad
from tests.commentary.test_phases import HULL, asked, marks, row, rule

FAR = squad("b9", "B", 1, at=[(50, 40)], M=6)


def battle(a: str, b: str, table: str = "ledger-yard", points: int = 1000) -> Game:
    """A battle of two shipped lists."""
    match = Match(EDITION, ("random", "random"), (a, b), table, "", points, 1)
    return Game(registry.edition(EDITION), setup_of(match, 0))


def opened(game: Game, seed: bytes = b"opening", until: str = "command") -> State:
    """The state after everything before the battle, answered by default."""
    state, oracle = game.start(), Oracle(SeededDice(seed), Defaults())
    while state.clock.phase != until:
        state = play_step(game, state, oracle).state
    return state


# -- before the battle -----------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "MIS-1", "DICE-4", "CMD-6", "MIS-3")
def test_roll_offs() -> None:
    """The higher die is the Attacker, ties are rolled again, nobody has points yet; another roll-off gives the first turn."""
    game = battle("verdigris-mandate-500", "hollow-tide-500", "toll-crossing", 500)
    play = play_step(game, game.start(), Oracle(EnteredDice([3, 3, 2, 5]), Defaults()))
    assert [play.state.side_mark(side, "role") for side in (0, 1)] == ["defender", "attacker"]
    assert [play.state.side_mark(side, "cp") for side in (0, 1)] == [0, 0]
    state = opened(game, until="first-turn")
    assert play_step(game, state, Oracle(EnteredDice([6, 1]), Defaults())).state.clock.first == 0


@pytest.mark.clause("commentary-10", "MIS-2", "ABIL-7", "TRANS-2", "RSV-1", "AIR-1", "ARMY-6")
def test_formations_as_the_lists_say() -> None:
    """Leaders are attached, passengers inside, Reserves and AIRCRAFT off the table; an empty DEDICATED TRANSPORT is lost."""
    game = battle("verdigris-mandate-1000", "lantern-reach-1000")
    state = opened(game, until="deploy")
    at = {name: state.units[number] for name, number in game.numbers.items()}
    assert len(at["a3"].living) == 12 and at["a3"].where == game.numbers["a7"]
    assert at["a6"].where == RESERVE and at["b8"].where == RESERVE
    assert len(at["b3"].living) == 12

    class Walks(Defaults):
        """Nobody embarks."""

        def choose(self, request: Any, play: Any) -> object:
            facts = dict(request.facts)
            return "none" if facts.get("purpose") == "embark" else super().choose(request, play)

    state = game.start()
    oracle = Oracle(SeededDice(b"x"), Walks())
    while state.clock.phase != "deploy":
        state = play_step(game, state, oracle).state
    assert not state.units[game.numbers["a7"]].living


@pytest.mark.clause("commentary-10", "RSV-2", "RSV-6")
def test_how_much_may_wait_in_reserves() -> None:
    """Once a quarter of the battle size waits in Strategic Reserves, or half of the army in any, no more is offered."""
    game = battle("verdigris-mandate-1000", "hollow-tide-1000")
    waits: list[str] = []

    class Hides(Defaults):
        """Everybody waits who may."""

        def choose(self, request: Any, play: Any) -> object:
            facts = dict(request.facts)
            if facts.get("purpose") == "reserve":
                waits.append(str(request.about))
                return request.options[1]
            return "none" if facts.get("purpose") == "embark" else super().choose(request, play)

    state = game.start()
    while state.clock.phase != "deploy":
        state = play_step(game, state, Oracle(SeededDice(b"x"), Hides())).state
    for side in (0, 1):
        own = game.units_of[side]
        hidden = [k for k in own if state.units[k].where == RESERVE]
        strategic = [k for k in hidden if state.units[k].mark("waits") == "strategic reserves"]
        assert hidden
        assert 4 * sum(game.cards[k].points for k in strategic) <= 1000
        assert 2 * len(hidden) <= len(own)


@pytest.mark.clause("commentary-10", "MIS-6", "MIS-5", "ABIL-6")
def test_deployment_alternates() -> None:
    """The Attacker sets up first, then players alternate; Infiltrators stand outside their zone, far from the enemy's."""
    game = battle("lantern-reach-1000", "hollow-tide-1000")
    state, oracle, order = game.start(), Oracle(SeededDice(b"d"), Defaults()), []
    while state.clock.phase in ("sides", "declare", "deploy"):
        play = play_step(game, state, oracle)
        order += [game.side_of(int(str(e.fact("unit")))) for e in play.events if e.kind == "deployed-unit"]
        state = play.state
    attacker = 0 if state.side_mark(0, "role") == "attacker" else 1
    assert order[:4] == [attacker, 1 - attacker, attacker, 1 - attacker]
    scouts = state.units[game.numbers["a6"]]
    assert scouts.where == TABLE


@pytest.mark.clause("commentary-10", "MIS-8")
def test_conceding() -> None:
    """A player who concedes loses, whatever the points: the one who says so, as a server does, or who is named in a case."""
    game = battle("lantern-reach-500", "hollow-tide-500", "toll-crossing", 500)
    for said in ({"side": "A"}, {"by": "A"}, {"side": "B", "by": "A"}):
        play = play_talk(game, opened(game), Oracle(SeededDice(b""), Defaults()), "concede", said)
        assert play.events[-1].fact("winner") == "B"


@pytest.mark.clause("commentary-10", "MIS-8")
@pytest.mark.parametrize(
    "do",
    [{"concede": {"by": "A"}}, {"talk": {"concede": {"side": "A"}}}, {"talk": {"who": "A", "name": "concede", "said": {}}}],
)
def test_conceding_in_a_case(do: Json) -> None:
    """What players say stands in a case by its name, under talk, or as a record writes it."""
    units = [squad("a1", "A", 1, at=[(10, 10)], M=6), squad("b1", "B", 1, at=[(20, 10)], M=6)]
    assert rule(units, do).event("game-ended")["facts"]["winner"] == "B"
    with pytest.raises(BadInput, match="nothing that may be said"):
        rule(units, {"talk": {"sing": {}}})


@pytest.mark.clause("commentary-10", "ABIL-9", "SCOUT-1")
def test_scouts_go_the_shortest_of_their_distances() -> None:
    """TV-25: Scouts 6" among Scouts 9" go up to 6"; without the ability in every model nobody scouts."""
    from rolloff.editions.commentary.deploying import scouting
    from rolloff.situations.forms import CaseForm, decode
    from rolloff.situations.situation import read_situation

    for rules, expected in ((["Scouts 6"], 6000), ([], -1)):
        units = [
            squad("a1", "A", 3, at=row(3, 10), M=6, rules=["Scouts 9"]),
            squad("x", "A", 1, at=[(8, 10)], M=6, keywords=["CHARACTER"], rules=rules, leading="a1"),
            FAR,
        ]
        import json

        found = read_situation(decode(json.dumps({"edition": EDITION, "units": units}).encode(), CaseForm))
        play = Play(found.game, found.state, Oracle(SeededDice(b""), Defaults()))
        assert scouting(play, 0) == expected


# -- moving ----------------------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "FLY-2", "MOVE-2")
def test_flying_over_models() -> None:
    """Who flies crosses enemies and friends alike; on foot enemies are in the way, and big friends are for big models."""
    do = {"phase": "movement", "unit": "a1", "action": "normal"}
    go = [{"kind": "move", "value": {"a1.1": [[18, 10]]}}]
    for words, side, screen, legal in (
        (["FLY"], "B", ["INFANTRY"], True),
        (["INFANTRY"], "B", ["INFANTRY"], False),
        (["INFANTRY"], "A", ["VEHICLE"], True),
        (["VEHICLE"], "A", ["VEHICLE"], False),
    ):
        other = squad("x", side, 1, at=[(14, 10)], M=6, keywords=screen)
        units = [squad("a1", "A", 1, at=[(10, 10)], M=10, keywords=words), other, FAR]
        assert (rule(units, do, answers=go).refusal is None) is legal


@pytest.mark.clause("commentary-10", "STAT-1", "UNIT-2")
@pytest.mark.parametrize(("held", "need"), [([], 2), (["moved"], 3), (["advanced"], 3), (["arrived"], 3)])
def test_who_shows_no_move_in_the_shooting_phase_remained_stationary(held: list[str], need: int) -> None:
    """A situation in the Shooting phase says by marks who moved or was set up; everybody else of that side stood still,
    also who has no Move at all, and Heavy weapons say so.
    """
    for move in (6, "-"):
        units = [
            squad("a1", "A", 1, gun("Heavy", "Assault"), at=[(10, 10)], M=move, marks=held),
            squad("b1", "B", 1, at=[(20, 10)], W=9),
        ]
        found = rule(units, {"phase": "shooting", "unit": "a1", "action": "shoot"}, [1])
        assert found.needs("hit") == [need]


@pytest.mark.clause("commentary-10", "SHOOT-1")
def test_who_has_shot_is_asked_about_as_the_phase_would_have_it() -> None:
    """A unit marked as having shot is not eligible to shoot again; a marker asked for by no name fails alone."""
    units = [squad("a1", "A", 1, gun(), at=[(10, 10)], M=6, marks=["shot"]), squad("b1", "B", 1, at=[(20, 10)], W=9)]
    assert asked(units, {"control": ["o1"]}, {"eligible": ["a1", "shoot"]}) == [None, False]


@pytest.mark.clause("commentary-10", "STAT-1", "MOVE-4")
def test_who_does_not_move_remained_stationary() -> None:
    """At the end of Move Units whoever did not move Remained Stationary; who moved did not."""
    units = [squad("a1", "A", 1, at=[(10, 10)], M=6), squad("a2", "A", 1, at=[(20, 10)], M=6, marks=["moved"]), FAR]
    found = rule(units, {"phase": "movement"}, answers=[{"kind": "choose-unit", "value": "pass"}])
    assert "stationary" in marks(found, "a1") and "stationary" not in marks(found, "a2")


@pytest.mark.clause("commentary-10", "AIR-2", "AIR-3", "MIN-1")
def test_aircraft_fly_straight_or_leave() -> None:
    """At least 20" straight ahead; where that would cross the edge it goes into Reserves."""
    do = {"phase": "movement", "unit": "a1", "action": "normal"}
    for x, where in ((10, "table"), (45, "reserve")):
        units = [squad("a1", "A", 1, at=[(x, 20)], M="20+", keywords=["VEHICLE", "FLY", "AIRCRAFT"]), FAR]
        found = rule(units, do)
        assert found.unit("a1")["where"] == where
        if where == "table":
            assert found.model("a1.1")["at"][0] >= 30


@pytest.mark.clause("commentary-10", "MIN-1", "AIR-2")
def test_aircraft_that_nobody_selects_fly_all_the_same() -> None:
    """Who ends Move Units does not leave AIRCRAFT standing: they fly before it ends, unless they have moved or hover."""
    kite = {"at": [(10, 20)], "M": "20+", "keywords": ["VEHICLE", "FLY", "AIRCRAFT"]}
    end = [{"kind": "choose-unit", "value": "pass"}]
    for held, flies in (([], True), (["moved"], False), (["hovers"], False)):
        found = rule([squad("a1", "A", 1, marks=held, **kite), FAR], {"phase": "movement"}, answers=end)
        assert (found.model("a1.1")["at"][0] >= 30) is flies
        assert ("stationary" in marks(found, "a1")) is (held == ["hovers"])


@pytest.mark.clause("commentary-10", "TRANS-3", "TRANS-1", "EMB-1")
def test_embarking_after_a_move() -> None:
    """All models within 3" of a TRANSPORT with room may get in; not where it would be too many."""
    do = {"phase": "movement", "unit": "a2", "action": "normal"}
    stay = {"kind": "move", "value": "stay"}
    for room, where in ((12, "a1"), (2, "table")):
        hull = {**HULL, "rules": [f"Carries {room} INFANTRY"]}
        units = [squad("a1", "A", 1, at=[(20, 20)], M=12, **hull), squad("a2", "A", 3, at=row(3, 17.5, 18.5), M=6), FAR]
        answers = [stay, {"kind": "choose-option", "value": "a1"}] if room == 12 else [stay]
        assert rule(units, do, answers=answers).unit("a2")["where"] == where


@pytest.mark.clause("commentary-10", "TRANS-8")
def test_passengers_of_a_wreck() -> None:
    """DV-23: five passengers roll a die each, every 1 is a mortal wound; they are Battle-shocked and do not charge."""
    units = [
        squad("b1", "B", 1, gun("Torrent", S=20, D=20, AP=-6), at=[(10, 30)]),
        squad("a1", "A", 1, at=[(20, 20)], M=12, W=2, **HULL),
        squad("a2", "A", 5, M=6, where="a1"),
    ]
    found = shoot(units, dice=[2, 1, 3, 3, 5, 6])
    assert found.verdict == "legal"
    assert len([name for name in found.dead() if name.startswith("a2")]) == 1
    assert {"battle-shocked", "no-charge", "moved"} <= marks(found, "a2")


@pytest.mark.clause("commentary-10", "ABIL-2", "PRIO-3")
def test_deep_strike_and_who_denies_it() -> None:
    """TV-22: more than 9" from enemies, and more than 12" from one that denies Reinforcements."""
    do = {"phase": "reinforcements", "unit": "a1", "action": "arrive"}
    sides = {"A": {"marks": [{"role": "attacker"}]}, "B": {"marks": [{"role": "defender"}]}}
    for rules, x, legal in (
        ([], 20.2, True),
        ([], 19.8, False),
        (["Denies Reinforcements 12"], 22.9, False),
        (["Denies Reinforcements 12"], 23.2, True),
    ):
        units = [
            squad("a1", "A", 1, M=6, where="reserve", rules=["Deep Strike"], marks=[{"waits": "deep strike"}]),
            squad("a2", "A", 1, at=[(50, 5)]),
            squad("b1", "B", 1, at=[(10, 20)], rules=rules),
        ]
        found = rule(units, do, sides=sides, answers=[{"kind": "place", "value": {"a1.1": [x, 20]}}])
        assert (found.refusal is None) is legal


# -- reactions -------------------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "UNIT-8", "DUP-1")
def test_auras() -> None:
    """TIDE units within 6" of the bearer have Feel No Pain 6+, others do not; two bearers are no better."""
    aura = ["Aura 6 TIDE: Feel No Pain 6+"]
    for words, x, dice in ((["TIDE"], 25, [3, 4, 6]), (["TIDE"], 35, [3, 4]), (["OTHER"], 25, [3, 4])):
        units = [
            squad("a1", "A", 1, gun(), at=[(10, 10)]),
            squad("b1", "B", 1, at=[(20, 10)], keywords=words),
            squad("b2", "B", 1, at=[(x, 10)], rules=aura, keywords=["TIDE"]),
            squad("b3", "B", 1, at=[(x, 13)], rules=aura, keywords=["TIDE"]),
        ]
        assert shoot(units, dice=dice).verdict == "legal"


@pytest.mark.clause("commentary-10", "UNIT-8", "OC-1", "MOVE-5")
def test_auras_of_control_and_move_go_with_their_bearer() -> None:
    """In one battle a unit's OC and Move are raised while it stands in an Aura that raises them, and as printed without it."""
    units = [
        squad("a1", "A", 1, gun(), at=[(10, 10)], M=6, OC=2, keywords=["TIDE"]),
        squad("b1", "B", 1, at=[(50, 10)]),
        squad("a2", "A", 1, at=[(13, 10)], rules=["Aura 6 TIDE: Control(+1)", "Aura 6 TIDE: Move(+2)"], keywords=["TIDE"]),
    ]
    situation = read_situation(decode(json.dumps(case(units)).encode(), CaseForm))
    game, near = situation.game, situation.state
    far = patched(near, Placed((game.slots["a2.1"],), struct.pack("<2i", 30 * INCH, 30 * INCH), bytes(4), bytes(2)))
    for _ in range(2):
        found = [(control_together(game, state, state.owner_of(0), (0,)), move_of(game, state, 0)) for state in (near, far)]
        assert found == [(3, 8 * INCH), (2, 6 * INCH)]


@pytest.mark.clause("commentary-10", "CPCOST-1", "CPCOST-2")
def test_a_frugal_leader_pays_less_once() -> None:
    """TV-37: a Stratagem on its unit costs a point less, never below 0, once a battle round."""
    leader = squad("x", "B", 1, at=[(20, 8)], keywords=["CHARACTER"], rules=["Stratagem Discount 1"], leading="b1")
    answers = [{"kind": "choose-target", "value": "b1"}, {"kind": "react", "value": "Go to Ground"}]
    for used, verdict in (([], "legal"), ([{"used:discount": "end-round"}], "refused")):
        units = [squad("a1", "A", 1, gun(AP=-3), at=[(10, 10)]), squad("b1", "B", 3, at=row(3, 20), marks=used), leader]
        found = rule(units, {"phase": "shooting", "unit": "a1"}, [1], answers=answers, sides={"B": {"cp": 0}})
        assert found.verdict == verdict


@pytest.mark.clause("commentary-10", "CPCOST-2")
@pytest.mark.parametrize(("said", "left", "used"), [([], 2, True), ([True], 2, True), ([False], 1, False)])
def test_a_discount_may_be_saved(said: list[bool], left: int, used: bool) -> None:
    """DP-61: whoever can pay the whole cost is asked whether the discount is used; by default it is."""
    leader = squad("x", "B", 1, at=[(20, 8)], keywords=["CHARACTER"], rules=["Stratagem Discount 1"], leading="b1")
    units = [squad("a1", "A", 1, gun(AP=-3), at=[(10, 10)]), squad("b1", "B", 3, at=row(3, 20)), leader]
    answers: list[Json] = [{"kind": "choose-target", "value": "b1"}, {"kind": "react", "value": "Go to Ground"}]
    answers += [{"kind": "yes-no", "value": value} for value in said]
    found = rule(units, {"phase": "shooting", "unit": "a1"}, [1], answers=answers, sides={"B": {"cp": 2}})
    assert found.verdict == "legal", found.refusal
    assert found.json["after"]["sides"]["B"]["cp"] == left
    assert ("used:discount" in marks(found, "b1")) is used


@pytest.mark.clause("commentary-10", "CSTR-6")
def test_grenades() -> None:
    """Six dice, each 4+ a mortal wound, at a visible enemy within 8"."""
    units = [squad("a1", "A", 1, at=[(10, 10)], keywords=["INFANTRY", "GRENADES"]), squad("b1", "B", 5, at=row(5, 18))]
    answers = [{"kind": "react", "value": "Grenade"}]
    found = rule(units, {"phase": "shooting"}, [4, 5, 3, 1, 1, 6], answers=answers, sides={"A": {"cp": 1}})
    assert len(found.dead()) == 3


@pytest.mark.clause("commentary-10", "CSTR-10")
def test_rapid_ingress() -> None:
    """At the end of the enemy's Movement phase a unit arrives from Reserves; not in round one."""
    units = [
        squad("a1", "A", 1, at=[(30, 5)], M=6),
        squad("b1", "B", 1, M=6, where="reserve", marks=[{"waits": "strategic reserves"}]),
        squad("b2", "B", 1, at=[(30, 40)]),
    ]
    marked = {"A": {"marks": [{"role": "attacker"}]}, "B": {"marks": [{"role": "defender"}], "cp": 1}}
    answers = [{"kind": "choose-unit", "value": "pass"}, {"kind": "react", "value": "Rapid Ingress"}]
    found = rule(units, {"phase": "movement"}, answers=answers, sides=marked)
    assert found.verdict == "legal" and found.unit("b1")["where"] == "table"
    early = rule(units, {"phase": "movement"}, answers=answers[:1], sides=marked, round=1)
    assert early.unit("b1")["where"] == "reserve"


@pytest.mark.clause("commentary-10", "CSTR-3", "WPN-10")
def test_epic_challenge() -> None:
    """A CHARACTER selected to fight an Attached unit strikes with Precision: its wounds go to the Leader."""
    units = [
        squad("a1", "A", 1, blade(skill=2, S=9), at=[(10, 10)], M=6, keywords=["CHARACTER"]),
        squad("b1", "B", 3, at=[(11.5, 10), (11.5, 11.5), (11.5, 8.5)], M=6),
        squad("x", "B", 1, at=[(13, 10)], M=6, keywords=["CHARACTER"], W=3, leading="b1"),
    ]
    answers: list[Json] = [{"kind": "react", "value": "Epic Challenge"}]
    found = rule(units, {"phase": "fight", "unit": "a1"}, [6, 6], answers=answers, sides={"A": {"cp": 1}})
    assert found.verdict == "legal" and found.model("x.1")["wounds"] == 1


@pytest.mark.clause("commentary-10", "RUIN-6", "VIS-2")
def test_two_ruins() -> None:
    """A segment must pass every ruin; a unit is seen if one of its models is."""
    ruins = [
        {"id": f"r{k}", "types": ["ruin"], "polygon": [[x, 5], [x + 2, 5], [x + 2, 15], [x, 15]]}
        for k, x in enumerate((12, 20))
    ]
    watcher = squad("a1", "A", 1, at=[(13, 10)])
    hidden = squad("b1", "B", 1, at=[(28, 10)])
    assert asked([watcher, hidden], {"sight": ["a1", "b1"]}, table={"terrain": ruins}) == [False]
    assert asked([watcher, hidden], {"sight": ["a1", "b1"]}, table={"terrain": ruins[:1]}) == [True]
    wide = squad("b1", "B", 2, at=[(28, 10), (28, 25)])
    assert asked([watcher, wide], {"sight": ["a1", "b1"]}, table={"terrain": ruins}) == [True]


@pytest.mark.clause("commentary-10", "MIS-5")
def test_nobody_deploys_outside_the_own_zone() -> None:
    """A unit set up outside its deployment zone is refused, inside it stands."""
    units = [squad("a1", "A", 1, M=6, where="waiting"), squad("b1", "B", 1, M=6, where="waiting")]
    sides = {"A": {"marks": [{"role": "attacker"}]}, "B": {"marks": [{"role": "defender"}]}}
    for y, legal in ((9, True), (12, False)):
        answers = [{"kind": "place", "value": {"a1.1": [30, y]}}]
        clock = {"phase": "deploy", "first": "A"}
        found = rule(units, {"step": "deploy"}, answers=answers, sides=sides, clock=clock, mission="default", round=0)
        assert (found.refusal is None) is legal
        assert legal or (found.refusal is not None and found.refusal["clause"] == "MIS-5")
