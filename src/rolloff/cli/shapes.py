"""What the commands print, as types: the JSON Schemas come from these, and tests hold the output to them."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, field

from rolloff.cli.odds_shapes import CompareOutput, LuckOutput, OddsOutput, SweepOutput
from rolloff.editions.clauses.comparing import Comparison, EditionDifference
from rolloff.odds.scenarios import ScenarioForm
from rolloff.record.uses import Used
from rolloff.situations.forms import CaseForm, SituationForm
from rolloff.situations.refusals import Error

Side = Literal["A", "B"]
Winner = Literal["A", "B", "draw"]
Hash = str


class Army(Struct):
    """An army of a duel."""

    name: str
    points: int
    hash: Hash


class GameRow(Struct):
    """One game of a duel."""

    index: int
    winner: Winner
    score: tuple[int, int]
    rounds: int
    end: Literal["rounds", "wipeout", "concede"]
    activations: int
    decisions: int
    dice: int
    offered_refused: int
    counts: dict[str, int]
    events: Hash
    state: Hash
    record: str | None
    armies: tuple[str, str]
    table: str
    finished: bool


class Totals(Struct):
    """Who won how often."""

    games: int
    A: int
    B: int
    draw: int
    offered_refused: int


class Duel(Struct):
    """What `rolloff duel --json` prints."""

    schema: Literal["rolloff.duel/1"]
    version: str
    edition: str
    rules: Hash
    seed: int
    agents: tuple[str, str]
    armies: tuple[Army, Army]
    games: list[GameRow]
    totals: Totals


class Refusal(Struct):
    """Why a command or an answer is refused, and by which clause."""

    code: str
    clause: str
    message: str
    value: Any


class Pending(Struct):
    """A decision nobody has taken yet."""

    who: Side
    kind: str
    options: list[Any] | None
    default: Any
    clause: str
    point: str
    about: str | None
    facts: dict[str, Any]


class Roll(Struct):
    """A handful of dice."""

    purpose: str
    unit: str | None
    need: int | None
    faces: list[int]
    rerolls: list[tuple[int, int]]
    successes: int | None
    clauses: list[str]


class Attack(Struct):
    """One attack, its sums and what came of it."""

    attacker: str | None
    target: str | None
    attacks: int
    hits: int
    ignored: int
    blocked: int
    wounds: int
    damage: int
    mortal: int
    removed: list[str]
    morale: str


class Event(Struct):
    """Something that happened, and the patches [id, field, value] by which a viewer shows it."""

    n: int
    kind: str
    clauses: list[str]
    set: list[tuple[str, str, Any]]
    facts: dict[str, Any]


class Evidence(Struct):
    """What proves an answer: a clear line, or who and what blocks it."""

    line: tuple[tuple[float, float], tuple[float, float]] | None
    blockers: list[str]


class Answer(Struct):
    """The answer to a question about a situation."""

    ask: dict[str, Any]
    value: Any
    evidence: Evidence
    clauses: list[str]


class Adjudication(Struct):
    """What `rolloff adjudicate` prints."""

    schema: Literal["rolloff.adjudicate/1"]
    edition: str
    verdict: Literal["legal", "refused", "pending"]
    refusal: Refusal | None
    pending: Pending | None
    rolls: list[Roll]
    attacks: list[Attack]
    events: list[Event]
    answers: list[Answer]
    after: SituationForm
    state: Hash
    dice_used: int


class Difference(Struct):
    """Where a record departs from the game it tells of."""

    line: int
    kind: Literal["header", "chain", "command", "answer", "die", "event", "hash", "end"]
    expected: Any
    found: Any
    message: str


class Verified(Struct):
    """What came of verifying one record."""

    file: str
    verified: bool
    lines: int
    activations: int
    dice: Literal["seeded", "entered"]
    state: Hash | None
    difference: Difference | None
    proof: Literal["signed", "unsigned"]
    signer: str | None
    practice: bool
    statement: str


class Verify(Struct):
    """What `rolloff record verify --json` prints."""

    schema: Literal["rolloff.verify/1"]
    files: list[Verified]


class RecordLine(Struct):
    """A line of a game record; what else it holds depends on its type."""

    t: Literal["header", "step", "answer", "talk", "gave-up", "roll", "event", "check", "end"]
    h: Hash
    s: str = ""


class CoveringTest(Struct):
    """A test that covers a clause."""

    id: str
    result: str


class CoveredClause(Struct):
    """A clause, its tests and the code that cites it."""

    id: str
    kind: Literal["rule", "definition"]
    text: str
    status: Literal["in-force", "planned"]
    tests: list[CoveringTest]
    code: list[str]


class CoverageCounts(Struct):
    """How many clauses are in force, covered and planned."""

    in_force: int
    covered: int
    planned: int


class Coverage(Struct):
    """What `rolloff rules --coverage --json` prints."""

    schema: Literal["rolloff.coverage/1"]
    edition: str
    source: Literal["collected", "shipped"]
    commit: str
    clauses: list[CoveredClause]
    uncovered: list[str]
    counts: CoverageCounts


class Hit(Struct):
    """A clause that answers."""

    id: str
    edition: str
    score: float


class Rules(Struct):
    """What `rolloff rules WORDS --json` prints."""

    schema: Literal["rolloff.rules/1"]
    hits: list[Hit]


class BenchRow(Struct):
    """One measured number."""

    name: str
    unit: str
    median: float
    runs: list[float]
    hold: float | None
    held: bool | None
    workload: dict[str, Any]


class Bench(Struct):
    """What `rolloff bench --json` prints."""

    schema: Literal["rolloff.bench/1"]
    version: str
    commit: str
    kernels: Literal["compiled", "plain"]
    python: str
    cores: int
    rows: list[BenchRow]


class Shown(CaseForm):
    """What `rolloff record show --json` prints: a case that `adjudicate` takes, and the decision in it."""

    decision: Pending | None = field(default=None)


class ListRow(Struct):
    """One name another command takes."""

    id: str
    name: str
    edition: str | None
    points: int | None
    note: str


class Listing(Struct):
    """What `rolloff list --json` prints."""

    schema: Literal["rolloff.list/1"]
    what: str
    rows: list[ListRow]


class ReportPlayer(Struct):
    """One player over a battle."""

    side: Side
    name: str
    luck: float | None
    kills: int
    expected_kills: float
    lost: int
    expected_lost: float


class ReportUnit(Struct):
    """What a unit did, and what became of it."""

    id: str
    side: Side
    name: str
    points: int
    size: int
    lost: int
    kills: int
    value: int
    fate: str


class TurningPoint(Struct):
    """An attack that went far from what was to be expected."""

    n: int
    round: int
    side: Side
    text: str
    swing: float


class BattleReport(Struct):
    """What `rolloff record report --json` prints."""

    schema: Literal["rolloff.report/1"]
    players: list[ReportPlayer]
    units: list[ReportUnit]
    turning: list[TurningPoint]
    strength: list[tuple[int, int, int]]
    scores: list[tuple[int, int, int]]


SHAPES: dict[str, type] = {
    "situation": SituationForm,
    "case": CaseForm,
    "scenario": ScenarioForm,
    "odds": OddsOutput,
    "odds-compare": CompareOutput,
    "sweep": SweepOutput,
    "luck": LuckOutput,
    "adjudicate": Adjudication,
    "duel": Duel,
    "verify": Verify,
    "show": Shown,
    "record": RecordLine,
    "coverage": Coverage,
    "rules": Rules,
    "compare": Comparison,
    "diff": EditionDifference,
    "used": Used,
    "bench": Bench,
    "list": Listing,
    "report": BattleReport,
    "error": Error,
}
"""Everything `rolloff schema` knows, by name; ``situation``, ``case`` and ``scenario`` are input."""
