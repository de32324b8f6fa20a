"""How long exact odds take, cold and warm, beside icepool computing the same.

Query (i): 30 attacks that hit on 4+ and roll failures again, Armored, block 5+: the law of the wounds. Query (ii): 20
attacks with re-rolled ones, sustained hits, lethal hits, devastating wounds, a save, D3 damage and feel no pain on ten
models of two wounds: the law of the kills. Warm: one parameter changes with each call, nothing is read from a result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from time import process_time
from typing import Any

from rolloff.oracle.calculator import Calculator
from rolloff.oracle.draft import Draft, Reroll
from rolloff.oracle.flow import BLOCKED, HITS, IGNORED, WOUNDS, Flow, Harm, Volley, Wound
from rolloff.oracle.stage import Stage, check, number
from rolloff.oracle.target import Ladder, Rung

RUNS = 5


def flow_i() -> Flow:
    """Query (i) as a flow."""
    hit = Draft("hit", 4, "SHOOT-9", then=(HITS, "ignore")).reroll(Reroll.FAILURES, "RULE-LINKED-1")
    ward = Draft("ignore", 4, "RES-6", then=(IGNORED,), otherwise=("block",))
    block = Draft("block", 5, "SHOOT-10", then=(BLOCKED,), otherwise=(WOUNDS, Harm()))
    return Flow((hit.stage(), ward.stage(), block.stage()))


def wounds_i(calculator: Calculator, attacks: int) -> list[Any]:
    """The law of the wounds of query (i)."""
    return calculator.spread(Volley(flow_i(), attacks), WOUNDS)


def _save(wound: Wound) -> Stage[bool]:
    """A save of 4+, whatever the wound."""
    return check("save", 4, "ATK-5")


def flow_ii() -> Flow:
    """Query (ii) as a flow: critical hits give one more hit and wound by themselves, critical wounds pass the save."""
    damage = number("damage", sides=3, clauses=("ATK-6",))
    normal = Wound(Harm(damage), 0)
    hit = Draft("hit", 3, "ATK-1", then=(HITS, "wound")).reroll(Reroll.ONES, "RR-1")
    hit.react(6, "WPN-SUSTAINED", become=(HITS, "wound", HITS, WOUNDS, normal))
    wound = Draft("wound", 4, "ATK-3", then=(WOUNDS, normal))
    wound.react(6, "WPN-DEVASTATING", become=(WOUNDS, Harm(damage)))
    return Flow((hit.stage(), wound.stage()))


@cache
def squad(models: int = 10) -> Ladder:
    """Ten models of two wounds, with a save and feel no pain."""
    return Ladder((Rung(wounds=2, models=models, guard=_save, shrug=check("feel no pain", 5, "FNP-1")),))


def kills_ii(calculator: Calculator, attacks: int) -> list[Any]:
    """The law of the kills of query (ii)."""
    target = squad()
    return calculator.spread_after(Volley(flow_ii(), attacks), target, target.start(), target.kills)


def _us(run: Callable[[int], Any], sizes: list[int]) -> float:
    """Microseconds of one call, over calls that each ask for another number of attacks."""
    begun = process_time()
    for attacks in sizes:
        run(attacks)
    return (process_time() - begun) / len(sizes) * 1e6


def cold_us() -> float:
    """A calculator that has seen nothing; the stage tables of the match-up are remembered by the process."""
    return _us(lambda attacks: kills_ii(Calculator(), attacks), [20] * 20)


def warm_us(query: Callable[[Calculator, int], Any], base: int) -> float:
    """A calculator that knows the match-up, asked for other numbers of attacks."""
    calculator = Calculator()
    sizes = [base + k for k in range(-5, 6)] * 10
    _us(lambda attacks: query(calculator, attacks), sizes)
    return min(_us(lambda attacks: query(calculator, attacks), sizes) for _ in range(3))


def icepool_steps() -> list[Any]:
    """Query (ii) by a general dice library: what one attack does to each state, which depends on no number of attacks."""
    from icepool import d

    harm = d(3).map(lambda points: points @ (d(6) <= 4))
    hurt = [harm.map(lambda points, s=state: min(20, s + min(points, 2 - s % 2))) for state in range(21)]
    saved = [(d(6) >= 4).map(lambda passed, s=state: s if passed else hurt[s]) for state in range(21)]
    wounded = [d(6).map(dict(enumerate([s, s, s, saved[s], saved[s], hurt[s]], start=1))) for s in range(21)]
    face = d(6).map(dict(enumerate([d(6), 2, 3, 4, 5, 6], start=1)))
    sixth = [wounded[s].map(lambda then: saved[then]) for s in range(21)]
    return [face.map(dict(enumerate([s, s, wounded[s], wounded[s], wounded[s], sixth[s]], start=1))) for s in range(21)]


def icepool_kills(attacks: int, step: list[Any] | None = None) -> Any:
    """The law of the kills, attack after attack; ``step`` is what was kept from an earlier question."""
    from icepool import Die

    steps = icepool_steps() if step is None else step
    law = Die([0])
    for _ in range(attacks):
        law = law.map(lambda state: steps[state])
    return law.map(lambda state: state // 2)


def same() -> bool:
    """Whether both compute the same law."""
    theirs, ours = icepool_kills(20), kills_ii(Calculator(), 20)
    return all(abs(float(theirs.probability(k)) - chance) < 1e-12 for k, chance in enumerate(ours))


def icepool_us() -> tuple[list[float], list[float]]:
    """Query (ii) by icepool, like for like with ours: with the effect of one attack kept, and with nothing kept."""
    kept = icepool_steps()
    sizes = [18, 19, 20, 21, 22]
    _us(lambda attacks: icepool_kills(attacks, kept), sizes)
    warm = [_us(lambda attacks: icepool_kills(attacks, kept), sizes) for _ in range(3)]
    return warm, [_us(icepool_kills, sizes) for _ in range(3)]


def measure() -> Iterator[dict[str, Any]]:
    """The rows of odds; a ratio is icepool's time by ours, warm to warm and cold to cold."""
    work = {"attacks": 20, "models": [10], "wounds": 2, "result_cache": False}
    cold = [cold_us() for _ in range(RUNS)]
    yield {"name": "odds_cold_us", "unit": "us", "runs": cold, "workload": work}
    warm = [warm_us(kills_ii, 20) for _ in range(RUNS)]
    plain = [round(warm_us(wounds_i, 30), 1) for _ in range(RUNS)]
    changed = {**work, "changed": "attacks, 15 to 25", "query_i_us": plain}
    yield {"name": "odds_warm_us", "unit": "us", "runs": warm, "workload": changed}
    try:
        if not same():
            raise RuntimeError("icepool computes another law: the comparison would mean nothing")
        theirs = icepool_us()
    except ImportError:
        return
    names = (("icepool_ratio_warm", "odds_icepool_ratio"), ("icepool_ratio_cold",))
    for ours, taken, rows in zip((warm, cold), theirs, names, strict=True):
        ratios = [one / sorted(ours)[len(ours) // 2] for one in taken]
        for name in rows:
            yield {"name": name, "unit": "x", "runs": ratios, "workload": {**work, "icepool_us": taken}}
