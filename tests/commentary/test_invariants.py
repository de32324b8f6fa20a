"""The invariants of the contract's Part E over whole games of the commentary edition, and over values and places."""

from __future__ import annotations

import random

import pytest

from rolloff.editions.commentary import places, resolving
from rolloff.editions.commentary.abilities import collapsed
from rolloff.editions.commentary.values import AP, ATTACKS, CONTROL, MOVE, SAVE, STRENGTH, TOUGHNESS, changed, evaluate
from rolloff.geometry import sampled
from rolloff.geometry.backdrop import Backdrop
from rolloff.geometry.measure import gap
from rolloff.geometry.moves import TOUCH, gaps
from rolloff.identity_cache import IdentityCache
from rolloff.lab.duel import Match
from rolloff.oracle.flow import BLOCKED, DAMAGE, HITS, WOUNDS, Tally
from rolloff.rules.play import Play
from rolloff.table.profile import Rule
from rolloff.table.state import State
from tests.commentary.desk import Json, gun, situation, squad
from tests.commentary.test_phases import asked, rule
from tests.commentary.watch import Invariants
from tests.commentary.watch_more import MoreInvariants
from tests.geometry.test_sampled import scene
from tests.properties.games import game_of, walk
from tests.properties.watching import Broken, Ledger

EDITION = "commentary-10"
SIZES = {500: ("toll-crossing", "glass-quarter"), 1000: ("ledger-yard", "drowned-terraces")}
ARMIES = ("verdigris-mandate", "hollow-tide", "lantern-reach")
LOOKED = {
    *("INV-2", "INV-3", "INV-5", "INV-11", "INV-12", "INV-17", "INV-18", "INV-19", "INV-20", "INV-21", "INV-22", "INV-23"),
    *("INV-29", "INV-35", "INV-36", "INV-38", "INV-39", "INV-50", "INV-51", "INV-52"),
    *("INV-4", "INV-10", "INV-13", "INV-15", "INV-31", "INV-37", "INV-40", "INV-42", "INV-44"),
}
"""What must come up in any thirty games."""


def watched(agents: str, index: int, log: Ledger, points: int = 500, seed: int = 21) -> None:
    """One game held against the invariants, and played again to the same state (INV-1); `Broken` says which it was."""
    one, other = ARMIES[index % 3], ARMIES[(index // 3) % 3]
    table = SIZES[points][index % 2]
    match = Match(EDITION, (agents, agents), (f"{one}-{points}", f"{other}-{points}"), table, "", points, seed)
    game = game_of(match, index)
    watchers, kinds = (Invariants(game, log), MoreInvariants(game, log)), game.edition.kinds

    def see(before: State, play: Play) -> None:
        for watcher in watchers:
            watcher.see(before, play)
        for event in play.events:
            assert event.clauses and kinds[event.kind].clauses.issuperset(event.clauses), event

    try:
        state, refused = walk(match, index, see, game)
        log.hold("INV-48", not refused, "an offer was refused")
        if index % 10 == 0:
            again, _ = walk(match, index, lambda before, play: None)
            log.hold("INV-1", again.digest() == state.digest(), "played again it ends otherwise")
    except AssertionError as broken:
        raise Broken(f"{agents} seed {seed} game {index}: {broken}") from broken


@pytest.mark.parametrize("part", range(10))
def test_random_games(part: int) -> None:
    """Three hundred games of 500 points answered by lot, thirty to a part: no invariant breaks, and each was looked at."""
    log = Ledger()
    for index in range(30 * part, 30 * part + 30):
        watched("random", index, log)
    assert set(log.looked) >= LOOKED


@pytest.mark.parametrize("agents", ["closing", "greedy"])
def test_games_that_meet(agents: str) -> None:
    """Games of armies that go for each other, so that charges, fights and wrecks come up: no invariant breaks."""
    log = Ledger()
    for index in range(6):
        watched(agents, index, log)
    assert all(log.looked[name] for name in ("INV-5", "INV-16", "INV-27", "INV-30", "INV-47"))


LEAST = {STRENGTH: 1, TOUGHNESS: 1, ATTACKS: 1, MOVE: 1, CONTROL: 0, SAVE: 2}


@pytest.mark.parametrize("seed", range(20))
def test_values_whatever_the_order(seed: int) -> None:
    """INV-6 to INV-9: the order of changes does not matter, none changes nothing, limits hold, and a change can be undone."""
    rng = random.Random(seed)
    for kind, least in LEAST.items():
        printed = rng.randint(3, 6)
        effects = [changed(kind, rng.choice("+-x/"), rng.randint(1, 3)) for _ in range(rng.randint(1, 4))]
        value = evaluate(kind, printed, tuple(effects))
        rng.shuffle(effects)
        assert evaluate(kind, printed, tuple(effects)) == value
        assert evaluate(kind, printed, ()) == printed
        assert isinstance(value, int) and value >= least
        assert evaluate(kind, printed, (changed(kind, "+", 1), changed(kind, "-", 1))) == printed
    worse = evaluate(AP, 0, (changed(AP, "-", 2),))
    assert isinstance(worse, int) and worse <= 0


def test_two_instances_of_a_core_ability_are_the_better_one() -> None:
    """INV-43: whichever comes first."""
    better, worse = Rule("Sustained Hits", 2), Rule("Sustained Hits", 1)
    assert collapsed((better, worse)) == collapsed((worse, better)) == collapsed((better,))


@pytest.mark.parametrize("seed", range(12))
def test_what_is_taken_away_hides_nothing(seed: int) -> None:
    """INV-26: who is fully visible is visible; without its solid parts a table hides nobody whom it showed."""
    moment, drop = scene(random.Random(seed))
    own, their = tuple(range(6)), tuple(range(12, 18))
    closed = bytes(24 * drop.wide)
    seen = sampled.seen(drop, moment, True, closed, own, their)
    bare = Backdrop(moment.field, drop.prisms[: drop.solids][::2], [], [])
    assert all(sampled.seen(bare, moment, True, b"", own, their)[k] for k, one in enumerate(seen) if one)
    for k, observer in enumerate(own):
        for target in their:
            if sampled.whole(drop, moment, True, closed, observer, target):
                assert seen[k]


def own_height(unit: Json) -> int:
    """The height at which the only model of a unit stands."""
    return int(unit["models"][0]["z"])


def base_of(unit: Json) -> Json:
    """What the only model of a unit stands on."""
    found: Json = unit["models"][0]["base"]
    return found


@pytest.mark.parametrize("seed", range(10))
def test_distances(seed: int) -> None:
    """INV-24: a distance is the same both ways, and no shorter than its horizontal or vertical part; within carries over."""
    luck = random.Random(seed)
    bases = [{"circle": 1.26}, {"oval": [1.4, 2.4]}, {"rect": [3.1, 4.7]}]
    units = []
    for k, side in enumerate("AB"):
        own = [{"base": luck.choice(bases), "z": luck.choice([0, 3, 6]), "facing": luck.randint(0, 359)}]
        spot = (luck.uniform(5, 20) + 25 * k, luck.uniform(5, 40))
        units.append(squad(f"{side.lower()}1", side, 1, at=[spot], own=own))
    found = situation(units)
    there, back = (places.distance(found.game, found.state, *pair) for pair in ((0, 1), (1, 0)))
    flat = max(gap(found.game.scene(found.state), 0, 1), 0.0)
    rise = abs(own_height(units[0]) - own_height(units[1])) if all("circle" in base_of(unit) for unit in units) else 0
    assert there == pytest.approx(back, abs=0.5) and there >= 0
    assert flat <= there + 0.5 and 1000 * rise <= there + 0.5
    assert all(places.within(there, limit) <= places.within(there, limit + 500) for limit in range(0, 60_000, 250))


@pytest.mark.parametrize("more", [-0.003, -0.001, 0.0, 0.001, 0.002, 0.003, 0.05])
def test_within_and_more_than_are_opposites(more: float) -> None:
    """INV-25: at every distance about 9 inches a unit is within 9 inches of an enemy, or may be set up there, never both."""
    enemy = squad("b1", "B", 1, at=[(20, 20)], M=6)
    arriving = squad("a1", "A", 1, where="reserve", rules=["Deep Strike"], M=6, marks=[{"waits": "deep strike"}])
    answer = {"kind": "place", "value": {"a1.1": [30 + more, 20]}}
    do = {"phase": "reinforcements", "unit": "a1", "action": "arrive"}
    units = [arriving, squad("a2", "A", 1, at=[(5, 5)], M=6), enemy]
    placed = rule(units, do, answers=[answer]).verdict == "legal"
    assert placed is not places.within(9000 + 1000 * more, 9000)


def test_tokens_are_nothing_but_tokens() -> None:
    """INV-46: a lamp token on a marker changes no distance, sight, engagement or control; cover only within range of it."""
    keywords = ["INFANTRY", "REACH", "detachment:lamplit-vigil"]
    units = [
        squad("a1", "A", 1, gun(), at=[(10, 10)], M=6, OC=1),
        squad("b1", "B", 1, at=[(20, 10)], M=6, OC=1, keywords=keywords),
        squad("b2", "B", 1, at=[(20, 30)], M=6, OC=1, keywords=keywords),
    ]
    same: list[Json] = [{"distance": ["a1", "b1"]}, {"visible": ["a1.1", "b1.1"]}, {"engaged": "a1"}, {"control": "o1"}]
    same += [{"reach": ["a1", "normal"]}, {"cover": ["a1", "b2"]}]
    marker = [{"id": "o1", "at": [20, 12]}]
    bare, lit = (asked(units, *same, {"cover": ["a1", "b1"]}, objectives=marker, sides=sides)
                 for sides in ({}, {"B": {"marks": [{"lamp:o1": "own-command"}]}}))  # fmt: skip
    assert bare[:-1] == lit[:-1]
    assert (bare[-1], lit[-1]) == (False, True)


@pytest.mark.parametrize("seed", range(12))
def test_further_waypoints_on_a_leg_change_nothing(seed: int) -> None:
    """INV-53: a way with points put in between on its legs is as legal as without them, and as long."""
    luck = random.Random(seed)
    base = luck.choice([{"circle": 1.26}, {"oval": [1.65, 2.95]}, {"rect": [3.15, 4.72]}])
    words = luck.choice([["INFANTRY"], ["VEHICLE"], ["MOUNTED", "FLY"]])
    wall = {"id": "w", "types": ["debris"], "polygon": [[14, 8], [15, 8], [15, 12], [14, 12]], "height": 3, "solid": True}
    units = [
        squad("a1", "A", 1, at=[(10, 10)], M=14, keywords=words, own=[{"base": base}]),
        squad("b1", "B", 1, at=[(luck.uniform(12, 22), luck.uniform(13, 18))], M=6),
    ]
    ends = [(luck.uniform(11, 18), luck.uniform(6, 14)) for _ in range(2)]
    legs, x, y = [], 10.0, 10.0
    for ex, ey in ends:
        legs.append([(round(x + (ex - x) * t / 4, 3), round(y + (ey - y) * t / 4, 3)) for t in (1, 2, 3, 4)])
        x, y = legs[-1][-1]
    rulings = []
    for path in ([leg[-1] for leg in legs], [spot for leg in legs for spot in leg]):
        answer = {"kind": "move", "value": {"a1.1": [list(spot) for spot in path]}}
        do = {"phase": "movement", "unit": "a1", "action": "normal"}
        rulings.append(rule(units, do, answers=[answer], table={"terrain": [wall]}))
    plain, finer = rulings
    assert plain.verdict == finer.verdict, (plain.refusal, finer.refusal)
    if plain.verdict == "legal":
        lengths = [found.event("moved")["facts"]["longest"] for found in rulings]
        assert lengths[0] == pytest.approx(lengths[1], abs=0.01)


def everywhere(play: Play, unit: int) -> bytes:
    """Reinforcements may stand anywhere but on somebody."""
    return gaps(len(play.game.sides), TOUCH, {})


def counting(what: Tally, instead: Tally) -> tuple[Tally, ...]:
    """What a log counts, with one number in place of another."""
    return tuple(instead if one is what else one for one in resolving.COUNTED)


FAULTS: dict[str, tuple[str, object]] = {
    "INV-10": ("rolloff.editions.commentary.resolving.COUNTED", counting(HITS, DAMAGE)),
    "INV-13": ("rolloff.editions.commentary.resolving.COUNTED", counting(WOUNDS, BLOCKED)),
    "INV-16": ("rolloff.editions.commentary.target._rank_and_file", lambda bearers, standing: ()),
    "INV-31": ("rolloff.editions.commentary.fighting.may_declare", lambda play, unit: True),
    "INV-37": ("rolloff.rules.windows.timely", lambda rule, moment, own, phase, by: True),
    "INV-40": ("rolloff.editions.commentary.travelling.reinforcement_gaps", everywhere),
    "INV-42": ("rolloff.editions.commentary.lookups.UnitIndex.words", lambda self, living: frozenset({"INFANTRY"})),
}
"""What each invariant is held against: a place in the rules, and what stands there instead."""


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_breaks_its_invariant(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a rule spoilt on purpose some game breaks the invariant that watches it."""
    where, instead = FAULTS[name]
    monkeypatch.setattr(where, instead)
    monkeypatch.setattr("rolloff.rules.windows._listenings", IdentityCache())  # what sound games found out does not count
    broken = []
    for index in range(30):
        try:
            watched("random", index, Ledger())
        except Broken as found:
            broken.append(str(found))
            if f"{name}:" in broken[-1]:
                return
    pytest.fail(f"{name} did not break, but {broken}")
