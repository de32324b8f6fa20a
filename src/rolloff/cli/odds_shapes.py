"""What the commands about odds print, as types (`shapes` has the others)."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, field

Side = Literal["A", "B"]

Chance = float | str
"""A float, or n/d where rationals were asked for."""


class KillsSummary(Struct):
    """The kills in short; at_least[k] is the chance of k or more."""

    mean: Chance
    median: int
    p10: int
    p90: int
    at_least: list[Chance]


class OddsStage(Struct):
    """One roll: how likely it succeeds, and the clauses in its table."""

    name: str
    p: Chance
    clauses: list[str]


class AuditLine(Struct):
    """One number that was altered."""

    what: str
    from_: Any = field(name="from")
    to: Any
    clause: str


class OddsNote(Struct):
    """Something that was read otherwise than it was written; to is null where it was left out."""

    where: str
    from_: Any = field(name="from")
    to: Any
    why: str


class OddsResult(Struct):
    """One attack with those before it on its target."""

    attack: int
    target: str
    attacks: list[Chance]
    hits: list[Chance]
    ignored: list[Chance]
    blocked: list[Chance]
    wounds: list[Chance]
    damage: list[Chance]
    kills: list[Chance]
    wasted: list[Chance]
    left_on_next: list[Chance]
    destroyed: Chance
    kills_summary: KillsSummary
    stages: list[OddsStage]
    audit: list[AuditLine]


class OddsTarget(Struct):
    """One target after the last attack."""

    kills: list[Chance]
    destroyed: Chance
    morale: dict[str, Chance]


class OddsExchange(Struct):
    """A melee with strikes back; joint rows: models felled by the attacker, by the target, and the chance."""

    joint: list[tuple[int, int, Chance]]
    win: Chance
    tie: Chance
    lose: Chance
    rout_a: Chance
    rout_b: Chance
    morale_a: dict[str, Chance]
    morale_b: dict[str, Chance]
    charged: bool


class OddsOutput(Struct):
    """What `rolloff odds` prints."""

    schema: Literal["rolloff.odds/1"]
    edition: str
    exact: bool
    policies: dict[str, str]
    results: list[OddsResult]
    targets: dict[str, OddsTarget]
    exchange: OddsExchange | None


class LuckAttack(Struct):
    """One attack of a record: what came of it, what was to be expected, the chance of at least that; luck is 1/2 on average."""

    number: int
    line: int
    round: int
    attacker: str | None
    target: str
    side: Side | None
    against: Side
    by: str
    kills: int
    damage: int
    expected_kills: float
    expected_damage: float
    at_least: float
    better: float
    luck: float
    kills_law: list[float]
    damage_law: list[float]


class LuckShare(Struct):
    """Attacks made or suffered, together; unusual is the chance of sums as far out if the same attacks were rolled again."""

    attacks: int
    luck: float | None
    kills: int
    expected_kills: float
    damage: int
    expected_damage: float
    unusual: float | None


class LuckPlayer(Struct):
    """One player over the game."""

    side: Side
    name: str
    luck: float | None
    made: LuckShare
    suffered: LuckShare


class LuckOutput(Struct):
    """What `rolloff odds luck --json` prints; names are what units are called, by their ids."""

    schema: Literal["rolloff.luck/1"]
    file: str
    edition: str
    names: dict[str, str]
    attacks: list[LuckAttack]
    players: tuple[LuckPlayer, LuckPlayer]


class LineupUnit(Struct):
    """A unit of a line-up."""

    id: str
    name: str
    points: int
    models: int


class CompareOutput(Struct):
    """What `rolloff odds compare --json` prints: rows by attacker, columns by target; null where there is no such attack.

    kills are means, destroyed is a chance, return is points felled for each point of the attacker.
    """

    schema: Literal["rolloff.odds-compare/1"]
    edition: str
    policies: dict[str, str]
    kind: str
    attackers: list[LineupUnit]
    targets: list[LineupUnit]
    kills: list[list[float | None]]
    destroyed: list[list[float | None]]
    return_: list[list[float | None]] = field(name="return")
    notes: list[OddsNote] = []


class SweepRow(Struct):
    """The odds at one value; where the rules know no such attack, why."""

    value: float | bool
    kills: list[Chance] | None
    destroyed: Chance | None
    kills_summary: KillsSummary | None
    why: str | None


class SweepOutput(Struct):
    """What `rolloff odds sweep --json` prints."""

    schema: Literal["rolloff.sweep/1"]
    edition: str
    policies: dict[str, str]
    over: str
    rows: list[SweepRow]
