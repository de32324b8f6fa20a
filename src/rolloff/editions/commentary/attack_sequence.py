"""The attack form of the edition (`rules.attack`): rolled with all that follows, or made ready for exact odds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Sequence as SequenceOf
from functools import lru_cache
from typing import Any

from msgspec import Struct

from rolloff.editions.commentary.abilities import BOOK
from rolloff.editions.commentary.ability import MELEE, SHOOTING
from rolloff.editions.commentary.aftermath import (
    Peril,
    Weakened,
    hazards,
    left,
    left_by,
    peril_of,
    rejoined,
    shock_class,
    shock_step,
    shocked,
)
from rolloff.editions.commentary.attack import POLICIES, Attack, attack_of, checked_policies, policy_of, target_of, volleys_of
from rolloff.editions.commentary.attack_case import Case
from rolloff.editions.commentary.bearing import bearers_for, touched_before
from rolloff.editions.commentary.lookups import host_of
from rolloff.editions.commentary.matchup import audit_of, flow_of
from rolloff.editions.commentary.resolving import NO_PAIN, attacks_by, declare
from rolloff.editions.commentary.saves import Guard, armour_draft
from rolloff.editions.commentary.target import Company, Policy, TargetState
from rolloff.errors import BadInput
from rolloff.identity_cache import FormCache
from rolloff.oracle.flow import Wound
from rolloff.oracle.roll import Dice
from rolloff.oracle.stage import Change as Altered
from rolloff.oracle.target import Ladder
from rolloff.rules.attack import AttackForm, AttackSequence, Change, FightResult, Plan, Toll
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.event import Joined
from rolloff.table.profile import Card
from rolloff.table.state import State

KINDS = (SHOOTING, MELEE)
DEFENDING = frozenset({"save", NO_PAIN, "deadly demise", "demise wounds"})


class Sequence(AttackSequence):
    """Attacks of the edition: shooting, or one unit's melee attacks."""

    policies = POLICIES

    def run(self, play: Play, form: AttackForm) -> None:
        """Roll the attack: allocation, saves, damage, then mortal wounds, then what follows from it."""
        _known_kind(form)
        _attach(play, form)
        case = Case(play.game, play.state, form)
        attack = attack_of(case, asked=True)
        declare(play, form, attack)
        attacks_by(play, form.attacker, [(form, attack)])

    def plan(self, game: Game, state: State, form: AttackForm, policies: Mapping[str, str]) -> Plan:
        """The same attack for exact odds, under policies for whatever may be chosen."""
        _known_kind(form)
        held = checked_policies(policies)
        case = Case(game, state, form)
        policy = policy_of(held)
        attack = attack_of(case, held["rerolls"])
        target, start, order = target_of(attack, policy)
        after, alike = _shock_of(case, target, order)
        shielded = case.target.characters()  # ATK-5
        own = own_losses(case, attack, policy)
        return Plan(
            volleys_of(attack, rolled=False),
            target,
            start,
            after,
            order,
            audit(attack) + readings(attack),
            held,
            shielded=shielded,
            tested_by=alike,
            tests_kept=alike is not None,
            mortal=True,
            own_losses=own,
            left=left,
            toll=toll_of(case, own),
        )

    def tests(self, game: Game, before: State, unit: int) -> Callable[[Dice, State], str]:
        """BSHOCK-6: one test for all attacks since a state, by those who are left after the last of them."""
        return lambda dice, now: shocked(dice, game, now, unit)

    def exchange(
        self, game: Game, state: State, forms: SequenceOf[AttackForm], policies: Mapping[str, str]
    ) -> Callable[[Dice], FightResult]:
        """The Fight phase between two units, for odds."""
        from rolloff.editions.commentary import fight  # which comes after attacks, as it makes them
        from rolloff.rules.laws import over_any_dice  # numpy is loaded only when odds are wanted

        held, state = checked_policies(policies), fight.joined(game, state, forms)
        found = fight.fight_of(game, state, forms)
        fight.check(game, state, found, held)
        return over_any_dice(game, state, held, fight.resolve, found)


Shock = tuple[Callable[[Dice, Any, Any], str] | None, Weakened | None]
_shocks: FormCache[Card, Shock] = FormCache()
"""The tests that cards brought to bare attacks lately."""


def _shock_of(case: Case, target: Ladder | Company, order: tuple[int, ...]) -> Shock:
    """BSHOCK-6: the test that follows an attack, and what of its end that depends on; kept where card and target say it all."""
    card, key = case.game.cards[case.form.target], (case.target, target)
    found = _shocks.get(card, key) if case.bare else None
    if found is None:
        alike = shock_class(case.game, case.state, case.target, target)
        found = shock_step(case.game, case.state, case.target, target, order, alike), alike
        if case.bare and alike is not None:
            _shocks.put(card, key, found)
    return found


def _known_kind(form: AttackForm) -> None:
    if form.kind not in KINDS:
        raise BadInput(
            "unknown-kind", f"do.attack.kind: no {form.kind} attacks here", where="do.attack.kind", allowed=", ".join(KINDS)
        )


def _attach(play: Play, form: AttackForm) -> None:
    """ABIL-7: Leaders that a situation names as leading a unit are part of it."""
    for unit in (form.attacker, form.target):
        host = host_of(play.game, play.state, unit)
        for guest in rejoined(play.game, play.state, unit):
            play.emit("attached", ("ABIL-7",), Joined(guest, host.unit), unit=guest, into=host.unit)


class OwnLosses(Struct, frozen=True, cache_hash=True):
    """WPN-14, RESOLVE-2: how many models the attacker loses to Hazardous weapons it has used."""

    risk: Peril
    start: TargetState

    def __call__(self, dice: Dice) -> int:
        """Take the tests."""
        return self.risk.company.kills(self.left(dice))

    def left(self, dice: Dice) -> TargetState:
        """Take the tests, and say how the attacker stands then."""
        company, weapons, bearing, sturdy = self.risk.company, self.risk.weapons, self.risk.bearing, self.risk.sturdy
        return hazards(dice, company, self.start, weapons, bearing, sturdy)


def own_losses(case: Case, attack: Attack, policy: Policy) -> OwnLosses | Callable[[Dice], int]:
    """The same for one attack."""
    hazardous = [weapon for weapon in dict.fromkeys([use.weapon for use in attack.uses]) if weapon.has("Hazardous")]
    if not hazardous:
        return _none
    weapons = sum([use.weapon in hazardous for use in attack.uses])
    company = Company(bearers_for(case.game, case.state, case.attacker), policy)
    return OwnLosses(
        peril_of(case.game, case.state, company, weapons), company.start(touched_before(case.game, case.state, case.attacker))
    )


def toll_of(case: Case, own: OwnLosses | Callable[[Dice], int]) -> Toll | None:
    """WPN-14: what Hazardous weapons leave of the unit that used them, for its later attacks."""
    if not isinstance(own, OwnLosses):
        return None
    company = own.risk.company

    def paid(state: State, end: TargetState) -> State:
        return left_by(case.game, state, company, tuple(bearer.slot for bearer in company.bearers), end)

    return Toll(paid, alone=own.left)


def _none(dice: Dice) -> int:
    """No weapon endangers who uses it."""
    return 0


@lru_cache(maxsize=4096)
def _saves_altered(guard: Guard, wound: Wound) -> tuple[Altered, ...]:
    """What alters the save of one kind of models against one wound."""
    draft = armour_draft(guard, wound)
    return () if draft is None else tuple([change for change in draft.audit if change.after != change.before])


def readings(attack: Attack) -> tuple[Change, ...]:
    """Which reading of a contested rule was used where it changes much, and how to ask for the other."""
    devastating = [strike for strike in dict.fromkeys(attack.strikes) if strike.has("Devastating Wounds")]
    if not devastating:
        return ()
    spills = devastating[0].spill
    text = "mortal wounds spill over to other models" if spills else "mortal wounds stay on one model"
    other = f'"switches": {{"devastating_wounds_spill": {"false" if spills else "true"}}} for the other reading'
    return (Change("devastating_wounds_spill", text, other, "WPN-15"),)


def audit(attack: Attack) -> tuple[Change, ...]:
    """What alters the plain numbers, line by line: of the rolls to hit and wound, the characteristics, and the saves."""
    found: list[Altered] = []
    for strike in dict.fromkeys(attack.strikes):
        found += audit_of(strike, BOOK)
        wounds = [leaving for leaving in flow_of(strike, BOOK).exits() if isinstance(leaving, Wound)]
        for guard in dict.fromkeys([bearer.rung.guard for bearer in attack.bearers]):
            assert isinstance(guard, Guard)
            for wound in wounds:
                found += _saves_altered(guard, wound)
    lines = [Change(line.what, line.before, line.after, clause) for line in found for clause in (*line.clauses, "ATK-6")[:1]]
    return tuple(dict.fromkeys(lines))
