"""Every unit of one side against every unit of the other: my list against theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rolloff.armies.library import army
from rolloff.editions import registry
from rolloff.errors import BadInput, IllegalCommand
from rolloff.json_value import Json
from rolloff.odds.build import placed
from rolloff.odds.compare import Matrix
from rolloff.odds.ends import added, ends
from rolloff.odds.named_profiles import profile, profiles
from rolloff.odds.results import Distribution, capped
from rolloff.odds.scenarios import ScenarioForm, read_policies, speaking_of
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.law import Number
from rolloff.rules.attack import AttackForm, AttackSequence
from rolloff.rules.game import Game
from rolloff.rules.notes import Note
from rolloff.situations.case_steps import read_attack
from rolloff.situations.forms import AttackForm as WrittenAttack
from rolloff.situations.forms import decode
from rolloff.situations.situation import read_situation
from rolloff.situations.wire import called
from rolloff.table.setup import Setup, Table
from rolloff.table.state import TABLE, State

Circumstances = Json


class Entry(Struct, frozen=True):
    """A unit of a line-up: what it is called, what it costs, and how many models it has."""

    id: str
    name: str
    points: int
    models: int


class Lineup(Struct, frozen=True):
    """One attack of each attacker on each target; a cell is None where the rules know no such attack.

    ``returns``: points of the target that fall on average for each point of the attacker; None where a unit costs nothing.
    """

    edition: str
    policies: Mapping[str, str]
    kind: str
    attackers: tuple[Entry, ...]
    targets: tuple[Entry, ...]
    kills: Matrix[Number | None]
    destroyed: Matrix[Number | None]
    returns: Matrix[Number | None]
    notes: tuple[Note, ...] = ()
    """What in it was read otherwise than written, or left out."""


def lineup(
    game: Game, state: State, like: AttackForm, policies: Mapping[str, str] | None = None, exact: bool = False
) -> Lineup:
    """Every unit of A against every unit of B, each by itself and from the same state; ``like`` has the circumstances.

    Raises:
        BadInput: the edition has no odds, a side has no unit, or an attack is too much to compute.
    """
    sequence = game.edition.sequence
    if sequence is None:
        message = f"edition: {game.edition.id} has no odds"
        raise BadInput("no-odds", message, where="edition", allowed="an edition that resolves attacks")
    chosen = read_policies(sequence, policies or {})
    ours, theirs = ([unit for unit in game.units_of[side] if state.units[unit].living] for side in (0, 1))
    if not ours or not theirs:
        raise BadInput("no-units", "units: both sides need a unit", where="units", allowed="attackers on A, targets on B")
    calculator = Calculator(exact)
    forms = [[replace(like, attacker=unit, target=enemy, weapons=None) for enemy in theirs] for unit in ours]
    cells = [[_cell(game, state, sequence, form, chosen, calculator) for form in row] for row in forms]
    entries = [tuple(_entry(game, state, unit) for unit in side) for side in (ours, theirs)]
    names = [tuple(entry.name for entry in side) for side in entries]
    kills, destroyed, returns = (
        Matrix(names[0], names[1], tuple(tuple(cell[at] for cell in row) for row in cells)) for at in range(3)
    )
    return Lineup(game.edition.id, chosen, like.kind, entries[0], entries[1], kills, destroyed, returns)


def _entry(game: Game, state: State, unit: int) -> Entry:
    card = game.cards[unit]
    return Entry(card.id, called(game, card), card.points, len(state.units[unit].living))


def _cell(
    game: Game,
    state: State,
    sequence: AttackSequence,
    form: AttackForm,
    policies: Mapping[str, str],
    calculator: Calculator,
) -> tuple[Number | None, Number | None, Number | None]:
    """Mean kills, the chance that nobody is left, and the return, of one attack by itself."""
    try:
        plan = sequence.plan(game, state, form, policies)
    except IllegalCommand:
        return None, None, None
    with speaking_of(f"{game.names[form.attacker]} against {game.names[form.target]}"):
        law = ends(calculator, plan, plan.start)
    none = 0 * next(iter(law.values()))
    fallen = added((plan.target.kills(end), chance) for end, chance in law.items())
    kills = Distribution(fallen.get(k, none) for k in range(max(fallen) + 1)).mean
    destroyed = capped(sum((chance for end, chance in law.items() if plan.target.gone(end)), none))
    ours, theirs = game.cards[form.attacker], game.cards[form.target]
    worth = theirs.points * kills / len(theirs.models) if theirs.models else none
    return kills, destroyed, worth / ours.points if ours.points and theirs.points else None


def written_lineup(raw: bytes, exact: bool = False, ignore_unknown: bool = False, **given: Any) -> Lineup:
    """The line-up of a scenario file: its first attack says the circumstances, and ``given`` says more.

    ``ignore_unknown``: special rules nobody knows are left out and noted, instead of refused.

    Raises:
        BadInput: the file cannot be used.
    """
    form = decode(raw, ScenarioForm)
    form.ignore_unknown = form.ignore_unknown or ignore_unknown
    found = read_situation(form)
    ours, theirs = (next((unit.id for unit in form.units if unit.side == side), "") for side in ("A", "B"))
    first = form.attacks[0] if form.attacks else WrittenAttack(ours, theirs)
    stated = WrittenAttack(ours, theirs, **{name: getattr(first, name) for name in STATED} | given)
    if not ours or not theirs:
        raise BadInput("no-units", "units: both sides need a unit", where="units", allowed="attackers on A, targets on B")
    made = lineup(found.game, found.state, read_attack(found.game, stated, "attacks[0]"), form.policies, exact)
    return replace(made, notes=found.notes)


def profile_lineup(
    edition: str, attackers: Sequence[str], targets: Sequence[str], file: str | None = None, exact: bool = False, **given: Any
) -> Lineup:
    """The line-up of profiles by name, shipped or of a file; without names, of all there are.

    Raises:
        BadInput: a name nobody knows, or a profile that cannot be used.
    """
    every = tuple(profiles(edition, file))
    rows = [(name, "A", k) for k, name in enumerate(attackers or every)] + [
        (name, "B", k) for k, name in enumerate(targets or every)
    ]
    units = [placed(profile(name, edition, file), f"{side.lower()}{k + 1}", side) for name, side, k in rows]
    return written_lineup(msgspec.json.encode({"edition": edition, "units": units}), exact, **given)


STATED = ("kind", "range", "visible", "cover", "facing", "moved", "charged", "stationary", "half_range")
"""What the first attack of a file says for all."""


def army_lineup(edition: str, army_a: str, army_b: str, exact: bool = False, **given: Any) -> Lineup:
    """The line-up of two army lists, by name or file, as if each unit stood ready by itself; ``given`` has the circumstances.

    Raises:
        UnknownEdition, ArmyError, BadInput: a name nobody knows, or a list that cannot be used.
    """
    rules = registry.edition(edition)
    cards = army(rules, army_a, 0).cards + army(rules, army_b, 1).cards
    game = Game(rules, Setup(edition=rules.id, table=Table(rules.table_size, (), "bare"), cards=cards))
    stated = WrittenAttack(game.names[game.units_of[0][0]], game.names[game.units_of[1][0]], **given)
    return lineup(game, _ready(game.start()), read_attack(game, stated, "--range"), None, exact)


def _ready(state: State) -> State:
    """The same with every unit on the table, at no place: who still waits to be set up neither attacks nor is attacked."""
    return replace(state, units=tuple(replace(unit, where=TABLE) for unit in state.units))
