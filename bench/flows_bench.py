"""How long flows take: exact, cold and warm, without and with harm that spills; and rolled. A companion of `odds_bench`.

The target is ten models of two wounds. Twenty attacks re-roll ones to hit and failures to wound, score an extra hit and
wound by themselves on critical hits, pass the save on critical wounds, do D3 damage, and every point may be shrugged off.
Cold: nothing is remembered, not even a stage. Warm: one parameter changes with every call, by a walk that hardly ever comes
back to where it was, and no result is remembered; the stages are drafted, joined and checked anew each time.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from time import process_time
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the arrays are small: more threads only get in each other's way

from msgspec import Struct, structs

from rolloff.oracle import draft, flow, stage, target
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.draft import Draft, Reroll, When
from rolloff.oracle.flow import BLOCKED, HITS, IGNORED, WOUNDS, Flow, Harm, Nodes, Order, Volley, Wave
from rolloff.oracle.roller import Roller
from rolloff.oracle.stage import Stage, check, fixed, number, table
from rolloff.oracle.target import Ladder, Rung

TEN = Ladder((Rung(2, 10, shrug=check("feel no pain", 5)),))
SQUAD = Ladder((Rung(1, 10),))
DAMAGE = number("damage", sides=3)
PLAIN = Harm(DAMAGE)
POINT = Harm(1, ("mortal",), Wave.AFTER_UNIT)
CALLS = 400


class Query(Struct, frozen=True):
    """The parameters that may change from call to call."""

    attacks: int = 20
    skill: int = 3
    wound: int = 4
    save: int = 4
    ap: int = -1
    spills: bool = False

    def volley(self) -> Volley:
        """The attacks, drafted from the rules."""
        hit = Draft("hit", self.skill, "ATK-2", then=(HITS, "wound")).natural().critical(6, "CRIT-1")
        hit.reroll(Reroll.ONES, "REROLL-3").react(When.CRITICAL, "WPN-16", add=(HITS, "wound"))
        hit.react(When.CRITICAL, "WPN-7", become=(HITS, WOUNDS, "save"))
        wound = Draft("wound", self.wound, "ATK-3", then=(WOUNDS, "save")).natural().critical(6, "CRIT-3")
        wound.reroll(Reroll.FAILURES, "WPN-4")
        wound.react(When.CRITICAL, "WPN-15", become=(WOUNDS, "mortal") if self.spills else (WOUNDS, PLAIN))
        save = Draft("save", self.save, "ATK-6", then=(BLOCKED,), otherwise=(PLAIN,))
        save.modify(self.ap, "ATK-6").natural((1,), ())
        stages = [hit.stage(), wound.stage(), save.stage()]
        if self.spills:
            results: list[Nodes] = [(POINT,) * points for points in (1, 1, 2, 2, 3, 3)]
            stages.append(table("mortal", results, "WPN-15"))
        return Volley(Flow(stages, Order.BY_ATTACK), self.attacks)


class Quality(Struct, frozen=True):
    """Thirty attacks on 4+ with failures re-rolled, an ignore roll of 4+, blocks on 5+."""

    attacks: int = 30
    quality: int = 4
    block: int = 5

    def volley(self) -> Volley:
        """The attacks, drafted from the rules."""
        harm = Harm(wave=Wave.AFTER_UNIT)
        hit = Draft("hit", self.quality, "SHOOT-9", then=(HITS, "ignore")).reroll(Reroll.FAILURES, "RULE-LINKED-1")
        ignore = Draft("ignore", 4, "RES-6", then=(IGNORED,), otherwise=("block",))
        block = Draft("block", self.block, "SHOOT-10", then=(BLOCKED,), otherwise=("wound",))
        last: Stage[Nodes] = fixed("wound", (WOUNDS, harm))
        return Volley(Flow((hit.stage(), ignore.stage(), block.stage(), last)), self.attacks)


RANGES: dict[str, range] = {
    "attacks": range(0),  # around those asked for
    "skill": range(2, 7),
    "wound": range(2, 7),
    "save": range(2, 7),
    "ap": range(-3, 1),
    "quality": range(2, 7),
    "block": range(2, 7),
}


def walk(query: Any, calls: int) -> list[Any]:
    """Queries of which each differs from the one before in one parameter."""
    luck = random.Random(1)
    names = [name for name in RANGES if hasattr(query, name)]
    ranges = {**RANGES, "attacks": range(query.attacks - 4, query.attacks + 5)}
    found = []
    for _ in range(calls):
        name = luck.choice(names)
        values = [value for value in ranges[name] if value != getattr(query, name)]
        query = structs.replace(query, **{name: luck.choice(values)})
        found.append(query)
    return found


def answer(calculator: Calculator, query: Any, ladder: Ladder) -> list[Any]:
    """The law of the models that fall."""
    return calculator.spread_after(query.volley(), ladder, 0, ladder.kills)


def forget() -> None:
    """Nothing is remembered from before."""
    for shelf in (draft._shelf, stage._shelf, flow._joined):
        shelf.clear()
    for cached in (stage.chances, target._steps, target.single, target.packet):
        cached.cache_clear()


def cold_us(query: Any, ladder: Ladder, runs: int = 9) -> list[float]:
    """Microseconds of one answer when nothing is remembered."""
    found = []
    for _ in range(runs):
        forget()
        begun = process_time()
        answer(Calculator(), query, ladder)
        found.append((process_time() - begun) * 1e6)
    return found


def warm_us(query: Any, ladder: Ladder, runs: int = 5) -> list[float]:
    """Microseconds of one answer when the one before differed in one parameter."""
    queries = walk(query, CALLS)
    found = []
    for _ in range(runs):
        best = float("inf")
        for _ in range(3):  # the least of three: what other work on the machine adds is no part of it
            calculator = Calculator()
            for one in queries[: CALLS // 4]:
                answer(calculator, one, ladder)
            begun = process_time()
            for one in queries[CALLS // 4 :]:
                answer(calculator, one, ladder)
            best = min(best, (process_time() - begun) / (CALLS - CALLS // 4))
        found.append(best * 1e6)
    return found


def icepool_kills(query: Query) -> list[float]:
    """The same law by icepool, as its user would write it."""
    from icepool import Die, d
    from icepool import map as mapped

    needed = max(query.save - query.ap, 2)
    unsaved = d(6).map(lambda face: int(face == 1 or face < needed))
    sure = unsaved

    def wounded(face: int) -> Any:
        return 1 if face == 6 else unsaved if face >= query.wound else 0

    wound = mapped(wounded, d(6).reroll(lambda face: face < query.wound, depth=1))

    def struck(face: int) -> Any:
        return sure + wound if face == 6 else wound if face >= query.skill else 0

    attack = mapped(struck, d(6).reroll([1], depth=1))
    felt = d(6).map(lambda face: int(face < 5))

    def harmed(lost: int) -> Any:
        left = 2 - lost % 2
        return lost if lost >= 20 else mapped(lambda points: lost + min(points, left), d(3) @ felt)

    states: list[Any] = [Die([0])]
    harms = query.attacks @ attack
    while len(states) <= harms.max_outcome():
        states.append(states[-1].map(harmed))
    kills = harms.map(lambda count: states[count]).map(lambda lost: lost // 2)
    return [float(kills.probability(count)) for count in range(11)]


def icepool_ms(query: Query) -> float:
    """Milliseconds of one answer by icepool, after checking that it is the same answer."""
    theirs, ours = icepool_kills(query), answer(Calculator(), query, TEN)
    assert all(abs(one - other) < 1e-9 for one, other in zip(theirs, ours, strict=True)), "the two must agree"
    times = []
    for skill in (2, 3, 4, 5, 6):
        begun = process_time()
        icepool_kills(structs.replace(query, skill=skill))
        times.append((process_time() - begun) * 1e3)
    return min(times)


def rolled_us() -> list[float]:
    """Microseconds of ten dice rolled through two stages at a squad, without and with the log."""
    faces = bytes(random.Random(1).randint(1, 6) for _ in range(512))
    at = iter(lambda: random.getrandbits(8), -1)

    def source(n: int, label: str, sides: int = 6) -> bytes:
        first = next(at)
        return faces[first : first + n]

    hit = Draft("hit", 4, then=(HITS, "block")).stage()
    block = Draft("block", 4, then=(BLOCKED,), otherwise=(WOUNDS, Harm(wave=Wave.AFTER_UNIT))).stage()
    volley = Volley(Flow((hit, block)), 10)
    return [_timed(Roller(source, log), volley) for log in (None, list[Any]().append)]


def _timed(roller: Roller, volley: Volley, calls: int = 5_000) -> float:
    """The least of a few runs: what other work on the machine adds is no part of it."""
    best = float("inf")
    for _ in range(5):
        begun = process_time()
        for _ in range(calls):
            roller.volley(volley, SQUAD, 0, HITS, WOUNDS)
        best = min(best, (process_time() - begun) / calls)
    return best * 1e6


def measure() -> Iterator[dict[str, Any]]:
    """All rows."""
    work = {"attacks": 20, "models": 10, "wounds": 2, "damage": "D3", "result_cache": False}
    spilling = {**work, "mortal wounds": "after normal damage, spilling"}
    thirty = {"attacks": 30, "models": 10, "result_cache": False}
    rows: list[tuple[str, Callable[[], list[float]], dict[str, Any]]] = [
        ("flows_cold_us", lambda: cold_us(Query(), TEN), work),
        ("flows_warm_us", lambda: warm_us(Query(), TEN), {**work, "calls": CALLS}),
        ("flows_spilling_cold_us", lambda: cold_us(Query(spills=True), TEN), spilling),
        ("flows_spilling_warm_us", lambda: warm_us(Query(spills=True), TEN), {**spilling, "calls": CALLS}),
        ("flows_quality_cold_us", lambda: cold_us(Quality(), SQUAD), thirty),
        ("flows_quality_warm_us", lambda: warm_us(Quality(), SQUAD), {**thirty, "calls": CALLS}),
    ]
    warm = 0.0
    for name, run, workload in rows:
        runs = run()
        if name == "flows_warm_us":
            warm = sorted(runs)[len(runs) // 2]
        yield {"name": name, "unit": "us", "runs": runs, "workload": workload}
    theirs = icepool_ms(Query())
    yield {
        "name": "flows_icepool_ratio",
        "unit": "x",
        "runs": [theirs * 1e3 / warm],
        "workload": {**work, "icepool_ms": round(theirs, 1)},
    }
    silent, logged = rolled_us()
    yield {"name": "volley_rolled_us", "unit": "us", "runs": [silent], "workload": {"dice": 10, "stages": 2, "log": False}}
    yield {"name": "volley_logged_us", "unit": "us", "runs": [logged], "workload": {"dice": 10, "stages": 2, "log": True}}


if __name__ == "__main__":
    for row in measure():
        runs = sorted(row["runs"])
        print(f"{row['name']:24} {runs[len(runs) // 2]:10.1f} {row['unit']:3} {row['workload']}")
