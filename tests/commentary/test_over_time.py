"""Rules that last or come again: phases of either player, persisting effects, tokens, champions, layouts, lists."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from rolloff.editions import registry
from rolloff.editions.commentary.formations import CHAMPION, declare
from rolloff.editions.commentary.law import check_setup
from rolloff.errors import BadInput
from rolloff.lab.duel import Match, setup_of
from rolloff.oracle.dice import EnteredDice, SeededDice
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.rules.game import Game
from rolloff.rules.play import Play, play_step
from rolloff.table.setup import Terrain
from tests.commentary.desk import EDITION, gun, shoot, squad
from tests.commentary.test_more_phases import FAR, battle
from tests.commentary.test_phases import HULL, marks, rule
from tests.commentary.test_timing import at, react


@pytest.mark.clause("commentary-10", "STARTOF-1", "THEPH-1")
def test_the_phases_of_both_players() -> None:
    """TV-27, TV-28: what happens at the start of the Command phase, or at the end of the Movement phase, does so in each."""
    for phase, moment in (("command", "start-command"), ("movement", "end-movement")):
        for active in "AB":
            hurt = squad("a1", "A", 1, at=[(10, 10)], W=5, wounds=[3], rules=[f"Regains 1 {moment}"], M=6)
            found = rule([hurt, FAR], {"phase": phase}, active=active)
            assert found.wounds("a1") == [2], (phase, active)


@pytest.mark.clause("commentary-10", "WHEN-1")
def test_when_a_unit_is_selected() -> None:
    """Ripe Glands is used when a unit is selected to shoot: before its targets are, and for those very attacks."""
    words = ["BEASTS", "TIDE", "detachment:rising-undertow"]
    units = [squad("a1", "A", 1, gun(), at=[(10, 10)], keywords=words), squad("b1", "B", 1, at=[(20, 10)], W=9)]
    answers = [react("Ripe Glands a1"), at("b1")]
    found = rule(units, {"phase": "shooting", "unit": "a1"}, [6, 1, 1], answers=answers, sides={"A": {"cp": 1}})
    kinds = [event["kind"] for event in found.events]
    assert found.verdict == "legal" and kinds.index("stratagem") < kinds.index("shot") and found.attack["hits"] == 2


@pytest.mark.clause("commentary-10", "SEQ-2", "DICE-4")
def test_the_end_of_a_round_is_ordered_by_a_roll_off() -> None:
    """Two units mutate at once: the winner of a roll-off, whose ties are rolled again, says who rolls first."""
    units = [squad("a1", "A", 1, at=[(10, 10)], rules=["Mutates"]), squad("b1", "B", 1, at=[(40, 30)], rules=["Mutates"])]
    clock = {"phase": "round-end", "first": "A"}
    answers = [{"kind": "order", "value": "b1"}]
    found = rule(units, {"step": "round-end"}, [4, 4, 2, 5, 2, 4, 3, 1], answers=answers, active="B", clock=clock)
    rolled = [event["facts"]["unit"] for event in found.events if event["kind"] == "mutated"]
    assert found.verdict == "legal" and rolled == ["b1", "a1"]


@pytest.mark.clause("commentary-10", "PERSIST-1", "PERSIST-2")
def test_an_effect_goes_into_a_transport_and_out() -> None:
    """A unit that is slowed until somebody's turn embarks and is slowed still when it gets out."""
    slowed = [{"grant:Move(-2)": "other-turn"}]
    units = [squad("a1", "A", 1, at=[(20, 20)], M=12, **HULL), squad("a2", "A", 1, M=6, where="a1", marks=slowed), FAR]
    do = {"phase": "movement", "unit": "a2", "action": "disembark"}
    out = rule(units, do)
    assert "grant:Move(-2)" in marks(out, "a2")
    walked = [units[0], squad("a2", "A", 1, at=[(25, 20)], M=6, marks=[*slowed, "disembarked"]), FAR]
    go = {"phase": "movement", "unit": "a2", "action": "normal"}
    for far, legal in ((4, True), (5, False)):
        moved = rule(walked, go, answers=[{"kind": "move", "value": {"shift": [far, 0]}}])
        assert (moved.refusal is None) is legal


@pytest.mark.clause("commentary-10", "PERSIST-3")
def test_survivors_keep_an_effect() -> None:
    """An Attached unit is slowed; when its Bodyguard is gone its Leader is slowed for what is left of the time."""
    guard = squad("b1", "B", 1, marks=[{"grant:Move(-2)": "other-turn"}])
    boss = squad("x", "B", 1, keywords=["CHARACTER"], leading="b1")
    found = shoot([squad("a1", "A", 1, gun("Torrent", S=9)), guard, boss], [6])
    assert found.event("parted") and "grant:Move(-2)" in marks(found, "x")


@pytest.mark.clause("commentary-10", "TOKEN-1")
def test_a_token_is_spent_once() -> None:
    """AB-R6: the afterimage token makes one Hit roll a 1; the next is as it lies, and nobody is asked."""
    units = [squad("a1", "A", 1, gun(A=2, S=1), at=[(10, 10)]), squad("b1", "B", 1, at=[(20, 10)], rules=["Afterimage"])]
    answers = [at("b1"), react("Afterimage b1")]
    found = rule(units, {"phase": "shooting", "unit": "a1"}, [4, 4, 1], answers=answers)
    assert found.verdict == "legal" and found.attack["hits"] == 1
    assert {"used:Afterimage": "game"} in found.unit("b1")["marks"]
    twice = rule(units, {"phase": "shooting", "unit": "a1"}, [4, 4, 1], answers=[*answers, react("Afterimage b1")])
    assert twice.refusal is not None and twice.refusal["code"] == "nothing-asked"


@pytest.mark.clause("commentary-10", "TOKEN-2")
def test_a_token_is_in_nobodys_way() -> None:
    """A model ends its move where a token lies; on an objective marker it may not."""
    units = [squad("a1", "A", 1, at=[(10, 10)], M=6), FAR]
    go = {"phase": "movement", "unit": "a1", "action": "normal"}
    for kind, legal in (("token", True), ("objective", False)):
        piece = {"id": "t", "types": [kind], "disc": [14, 10, 0.5]}
        found = rule(units, go, answers=[{"kind": "move", "value": {"shift": [4, 0]}}], table={"terrain": [piece]})
        assert (found.refusal is None) is legal


@pytest.mark.clause("commentary-10", "ABIL-11", "MODCH-8")
def test_hovering() -> None:
    """Who hovers moves up to 20" like others, although its Move is printed as 20+"; as AIRCRAFT it flies straight on."""
    words = ["VEHICLE", "FLY", "AIRCRAFT"]
    go = {"phase": "movement", "unit": "a1", "action": "normal"}
    for far, legal in ((20, True), (20.1, False)):
        units = [squad("a1", "A", 1, at=[(10, 10)], M="20+", keywords=words, marks=["hovers"]), FAR]
        found = rule(units, go, answers=[{"kind": "move", "value": {"shift": [far, 0]}}])
        assert (found.refusal is None) is legal
    game = battle("verdigris-mandate-1000", "lantern-reach-1000")

    class Hovers(Defaults):
        """Declares Hover."""

        def choose(self, request: Any, play: Any) -> object:
            return True if dict(request.facts).get("purpose") == "hover" else super().choose(request, play)

    state = game.start()
    while state.clock.phase != "deploy":
        state = play_step(game, state, Oracle(SeededDice(b"x"), Hovers())).state
    assert state.units[game.numbers["b8"]].mark("hovers") == 1


@pytest.mark.clause("commentary-10", "CHAMP-1", "CHAMP-2", "CHAMP-3")
def test_unit_champions() -> None:
    """TV-46: of two Keepers the owner names one before the battle; a single Tallyman is it anyway, no Leader ever."""
    game = battle("verdigris-mandate-1000", "lantern-reach-1000")
    asked: list[tuple[object, ...]] = []

    class Second(Defaults):
        """Names the second candidate."""

        def choose(self, request: Any, play: Any) -> object:
            if dict(request.facts).get("purpose") == "champion":
                asked.append(request.options)
                return request.options[-1]
            return super().choose(request, play)

    state = play_step(game, game.start(), Oracle(EnteredDice([3, 2]), Defaults())).state
    play = Play(game, state, Oracle(SeededDice(b"x"), Second()))
    declare(play)
    assert asked == [("b3.1", "b3.6")]
    named = {game.models[slot].id: game.models[slot].name for slot, mark, _ in play.state.models if mark == CHAMPION}
    assert named["b3.6"] == "Keeper" and "b3.1" not in named and named["a4.1"] == "Tallyman"
    assert not any(id_.startswith(("a1.", "b1.")) for id_ in named)


@pytest.mark.clause("commentary-10", "MIS-9")
def test_layouts_that_fit_a_mission() -> None:
    """Every shipped table fits every mission of its size; a wall near a marker or one without its image does not."""
    for table, size in (("ledger-yard", 1000), ("drowned-terraces", 1000), ("toll-crossing", 500), ("glass-quarter", 500)):
        lists = (f"lantern-reach-{size}", f"hollow-tide-{size}")
        for mission in ("default", "four-corners", "sealed-instructions"):
            check_setup(setup_of(Match(EDITION, ("random", "random"), lists, table, mission, size, 1), 0))
    small = ("lantern-reach-500", "hollow-tide-500")
    setup = setup_of(Match(EDITION, ("random", "random"), small, "toll-crossing", "default", 500, 1), 0)
    near = tuple(
        Terrain(f"w{k}", ("wall",), polygon=((x, y), (x + 500, y), (x + 500, y + 500), (x, y + 500)), height=3000, solid=True)
        for k, (x, y) in enumerate(((21_700, 6_000), (21_800, 23_500)))
    )
    lone = Terrain("w", ("woods",), polygon=((20_000, 14_000), (21_000, 14_000), (21_000, 14_500)), height=3000)
    for pieces, word in ((near, "less than 3 inches"), ((lone,), "image")):
        bad = replace(setup, table=replace(setup.table, terrain=(*setup.table.terrain, *pieces)))
        with pytest.raises(BadInput, match=word) as caught:
            check_setup(bad)
        assert caught.value.clause == "MIS-9"


@pytest.mark.clause("commentary-10", "WARG-1", "WARG-2", "ARMYDEF-1")
def test_options_for_all_and_for_any_number() -> None:
    """All Rivet Bearers swap for hammers or none; of Ledger Guard any number has shock carbines. The army is its roster."""
    setup = setup_of(
        Match(EDITION, ("random", "random"), ("verdigris-mandate-1000", "hollow-tide-1000"), "ledger-yard", "", 1000, 1), 0
    )
    cards = {card.id: card for card in setup.cards}
    arms = {id_: [weapon.name for model in card.models for weapon in model.weapons] for id_, card in cards.items()}
    assert arms["a6"].count("hammers") == 5 and "gauntlets" not in arms["a6"]
    assert (arms["a5"].count("shock carbine"), arms["a5"].count("carbine")) == (4, 6)
    game = Game(registry.edition(EDITION), setup)
    assert [game.names[unit] for unit in game.units_of[0]] == [f"a{k}" for k in range(1, 10)]
