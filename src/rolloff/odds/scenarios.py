"""A scenario: a situation, the attacks made in it in firing order, and the policies its choices follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from rolloff.errors import BadInput, IllegalCommand
from rolloff.identity_cache import Recent
from rolloff.rules.attack import AttackForm, AttackSequence, Exchange, Plan
from rolloff.rules.game import Game
from rolloff.rules.notes import Note
from rolloff.situations.case_steps import read_attack
from rolloff.situations.forms import MOST_BYTES, SituationForm, UnitForm, decode
from rolloff.situations.forms import AttackForm as WrittenAttack
from rolloff.situations.situation import read_situation
from rolloff.table.state import State
from rolloff.typed import read_json

MOST_ATTACKS = 100
"""How many attack forms a scenario may hold."""

MELEE = "melee"


class ScenarioForm(SituationForm, forbid_unknown_fields=True, omit_defaults=True):
    """What `rolloff odds` takes: a situation, attacks in firing order, whether the enemy strikes back, policies."""

    attacks: list[WrittenAttack] = field(default_factory=list)
    exchange: bool = False
    policies: dict[str, str] = field(default_factory=dict)


class Refused(BadInput):
    """An attack of a scenario that the rules do not allow."""


class Scenario(Struct, frozen=True):
    """A scenario read: the game, the state it starts from, the attacks, and what was read otherwise than written."""

    game: Game
    state: State
    forms: tuple[AttackForm, ...]
    exchange: bool
    policies: Mapping[str, str]
    notes: tuple[Note, ...] = ()

    @property
    def sequence(self) -> AttackSequence:
        """What the edition does with an attack."""
        found = self.game.edition.sequence
        assert found is not None
        return found

    def plan(self, index: int, state: State) -> Plan:
        """One of the attacks, made ready from a state; what is wrong with it is said of that attack."""
        return self.plan_of(index, self.forms[index], state)

    def plan_of(self, index: int, form: AttackForm, state: State) -> Plan:
        """The same with the form of the attack as it has become."""
        try:
            return self.sequence.plan(self.game, state, form, self.policies)
        except (IllegalCommand, BadInput) as error:
            raise _retold(error, f"attacks[{index}]") from None

    def strikes_back(self) -> tuple[Exchange, int]:
        """The edition's exchange, and the first of the attacks that belong to it.

        Raises:
            BadInput: the edition has none, or the last attack is no melee.
        """
        exchange = self.sequence.exchange
        if exchange is None:
            message = f"exchange: {self.game.edition.id} has no exchange of blows"
            raise BadInput("no-exchange", message, where="exchange", allowed="false")
        last = self.forms[-1]
        if last.kind != MELEE:
            raise BadInput("no-melee", "exchange: the last attack is no melee", where="exchange", allowed="a melee")
        first = len(self.forms) - 1
        while first and _same(self.forms[first - 1], last):
            first -= 1
        return exchange, first


def _same(form: AttackForm, last: AttackForm) -> bool:
    return (form.kind, form.attacker, form.target) == (last.kind, last.attacker, last.target)


@contextmanager
def speaking_of(place: str) -> Iterator[None]:
    """Say of this place what rules say of the attack they were given."""
    try:
        yield
    except (IllegalCommand, BadInput) as error:
        raise _retold(error, place) from None


def _retold(error: IllegalCommand | BadInput, place: str) -> BadInput:
    """What rules say of the attack they were given, said of a place."""
    if isinstance(error, IllegalCommand):
        message = f"{place}: {error.message}"
        return Refused(error.code, message, where=place, allowed="an attack the rules allow", clause=error.clause)
    where = (error.where or place).replace("do.attack", place)
    message = error.message.replace("do.attack", place)
    return BadInput(error.code, message, where=where, allowed=error.allowed, clause=error.clause)


def read_policies(sequence: AttackSequence, given: Mapping[str, str]) -> dict[str, str]:
    """The policies in force: what is given, the edition's defaults for the rest; `BadInput` for others."""
    known = sequence.policies
    for name, value in given.items():
        if name not in known:
            message, allowed = f"policies: there is no policy {name!r}", ", ".join(known)
            raise BadInput("unknown-policy", message, where=f"policies.{name}", allowed=allowed)
        if value not in known[name]:
            message, allowed = f"policies.{name}: {value!r} is not known", ", ".join(known[name])
            raise BadInput("unknown-policy", message, where=f"policies.{name}", allowed=allowed)
    return {name: given.get(name, options[0]) for name, options in known.items()}


def scenario_of(form: ScenarioForm) -> Scenario:
    """A written scenario as a game, a state and attacks.

    Raises:
        BadInput: it names what nobody knows, is impossible, or has no attack.
    """
    found = read_situation(form)
    if not 1 <= len(form.attacks) <= MOST_ATTACKS:
        allowed = f"1 to {MOST_ATTACKS} attacks"
        raise BadInput("no-attacks", f"attacks: {len(form.attacks)} attacks are given", where="attacks", allowed=allowed)
    sequence = found.game.edition.sequence
    if sequence is None:
        message = f"edition: {found.game.edition.id} has no odds"
        raise BadInput("no-odds", message, where="edition", allowed="an edition that resolves attacks")
    forms = tuple(read_attack(found.game, attack, f"attacks[{k}]") for k, attack in enumerate(form.attacks))
    if form.exchange:  # whoever strikes first in an exchange has come to it by a charge, unless the form denies it
        forms = tuple(replace(one, charged=True) if one.kind == MELEE and one.charged is None else one for one in forms)
    policies = read_policies(sequence, form.policies)
    return Scenario(found.game, found.state, forms, form.exchange, policies, found.notes)


class _Outline(ScenarioForm, forbid_unknown_fields=True, omit_defaults=True):
    """A scenario whose units are still as they were written."""

    units: list[msgspec.Raw]  # type: ignore[assignment]  # read or found before anybody else sees them


_units: Recent[bytes, UnitForm] = Recent()
"""Units read lately, by what was written: the same ones come again in question after question, and are the same form."""

UNFIT = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What reading says of JSON that does not fit."""


def unit_form(written: bytes) -> UnitForm:
    """One unit as it is written; one of `UNFIT` if it does not fit."""
    return _units.get(written) or _units.keep(written, read_json(written, UnitForm))


def form_around(outline: bytes, units: list[UnitForm]) -> ScenarioForm:
    """A scenario of units that were read already, from what is written around them; one of `UNFIT` if that does not fit."""
    form = _outlines.get(outline) or _outlines.keep(outline, read_json(outline, ScenarioForm))
    return replace(form, units=units)


_outlines: Recent[bytes, ScenarioForm] = Recent()
"""What was written around units lately."""


def _read_form(raw: bytes) -> ScenarioForm:
    """A scenario as it is written; whatever does not fit is found by reading it as a whole."""
    if len(raw) <= MOST_BYTES:
        with suppress(*UNFIT):
            outline = read_json(raw, _Outline)
            outline.units = [unit_form(bytes(unit)) for unit in outline.units]  # type: ignore[misc]
            return outline
    return decode(raw, ScenarioForm)


def read_scenario(raw: bytes) -> Scenario:
    """Read a scenario from JSON; `BadInput` names what does not fit."""
    return scenario_of(_read_form(raw))
