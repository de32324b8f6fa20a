"""The attack form of the edition (`rules.attack`): rolled with all that follows, or made ready for exact odds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Sequence as SequenceOf

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions.commentary import places
from rolloff.editions.commentary.abilities import BOOK
from rolloff.editions.commentary.ability import MELEE, SHOOTING
from rolloff.editions.commentary.aftermath import (
    MADE,
    Peril,
    hazards,
    left,
    left_by,
    peril_of,
    rejoined,
    separate,
    settle,
    shock_class,
    shock_step,
    shocked,
)
from rolloff.editions.commentary.attack import (
    DEMISE_REACH,
    PARRIED,
    POLICIES,
    Attack,
    attack_of,
    bearers_for,
    bearers_now,
    checked_policies,
    company_of,
    policy_of,
    target_of,
    touched_before,
    volleys_of,
)
from rolloff.editions.commentary.choosing import FIRED, Case, borrowed
from rolloff.editions.commentary.lookups import Host, host_of
from rolloff.editions.commentary.matchup import AT_LAST, audit_of, flow_of
from rolloff.editions.commentary.saves import Guard, armour_draft
from rolloff.editions.commentary.target import NOBODY, TO_CHARACTER, TO_UNIT, Bearer, Company, Policy, TargetState
from rolloff.errors import BadInput
from rolloff.oracle.flow import ATTACKS, BLOCKED, DAMAGE, HITS, MORTAL, WOUNDS, Wound, harm_of
from rolloff.oracle.roll import Dice, Spent
from rolloff.oracle.stage import Change as Altered
from rolloff.rules.attack import AttackForm, AttackSequence, Change, FightResult, Plan, ResolvedAttack, Toll
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.rules.windows import Moment, window
from rolloff.table.event import Joined, ModelMarked
from rolloff.table.state import TABLE, State

KINDS = (SHOOTING, MELEE)
NO_PAIN, DEMISE = "feel no pain", "demise"
DEFENDING = frozenset({"save", NO_PAIN, "deadly demise", "demise wounds"})


class Asked:
    """Puts the choices of an attack to the players, and carries out what the end of a model does to other units."""

    def __init__(self, play: Play, host: Host, attacker: int, owed: dict[int, int]) -> None:
        """Ask on behalf of a unit; ``owed`` counts mortal wounds due to units whose losses are not settled yet."""
        self.play, self.host, self.attacker, self.owed = play, host, attacker, owed
        self.taken: list[int] = []
        self.spared = False
        self.parried: set[int] = set()
        owed[host.unit] = 0

    def as_chosen(self, company: Company, muster: TargetState) -> Policy:
        """The choices that were made, as a policy: whoever was named first, then who fell or was hurt without a question."""
        hurt = sorted(range(company.models), key=lambda at: (company.stands(muster, at), not muster.lost[at], at))
        order = tuple(dict.fromkeys((*self.taken, *(at for at in hurt if muster.lost[at]))))
        return Policy(precision=TO_UNIT if self.spared else TO_CHARACTER, order=order)

    def paid(self, dice: Dice, company: Company, muster: TargetState) -> TargetState:
        """The muster of the unit after whatever became due to it meanwhile; its losses can then be settled."""
        while self.owed[self.host.unit]:
            due, self.owed[self.host.unit] = self.owed[self.host.unit], 0
            muster = company.mortals(dice, muster, due)
        del self.owed[self.host.unit]
        return muster

    def pick(self, company: Company, muster: TargetState, options: tuple[int, ...]) -> int:
        """DP-32: the owner allocates; by default to the model with the fewest wounds left."""
        default = Policy().pick(company, muster, options)
        names = self._names(company, options)
        owner = self.play.game.side_of(self.host.unit)
        answer = self.play.choose(owner, "allocate", "ATK-4", names, self._name(company, default), self.host.unit, "DP-32")
        at = options[names.index(str(answer))]
        self.taken.append(at)
        return at

    def precise(self, company: Company, muster: TargetState, options: tuple[int, ...]) -> int:
        """DP-33: the attacker names a CHARACTER, or the unit to leave it to the owner; by default a CHARACTER."""
        default = Policy().precise(company, muster, options)
        names = self._names(company, options)
        unit = self.play.game.names[self.host.unit]
        shooter = self.play.game.side_of(self.attacker)
        answer = self.play.choose(
            shooter, "choose-option", "WPN-10", (*names, unit), self._name(company, default), self.host.unit, "DP-33"
        )
        at = NOBODY if answer == unit else options[names.index(str(answer))]
        self.spared = self.spared or (at == NOBODY and not self.taken)
        if at != NOBODY:
            self.taken.append(at)
        return at

    def _name(self, company: Company, at: int) -> str:
        return self.play.game.models[company.bearers[at].slot].id

    def _names(self, company: Company, options: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(self._name(company, at) for at in options)

    def surely(self, bearer: Bearer) -> bool:
        """ABIL-1: whether a rule lets the end of a model take effect without a die (AUTO-1)."""
        facts = (("slot", bearer.slot),)
        held = self.play.rolled_by, self.play.receiver
        found = window(self.play, Moment(DEMISE, self.host.unit, (), False, facts))
        self.play.rolled_by, self.play.receiver = held
        return any(result is True for result in found)

    def parries(self, bearer: Bearer) -> bool:
        """AB-R10: whether the bearer of a wound that was not saved changes its Damage to 0."""
        now = self.play.state.model_mark(bearer.slot, PARRIED) is not None and bearer.slot not in self.parried
        self.parried |= {bearer.slot} if now else set()
        return now

    def beyond(self, dice: Dice, bearer: Bearer) -> None:
        """ABIL-1: each other unit close to the destroyed model suffers its own number of mortal wounds, at once."""
        assert bearer.demise is not None
        game, play = self.play.game, self.play
        for number, unit in enumerate(play.state.units):
            if number == self.host.unit or unit.where != TABLE or not _close(game, play.state, bearer.slot, unit.living):
                continue
            count = dice.ask(bearer.demise)
            if number in self.owed:
                self.owed[number] += count
            else:
                demised(play, number, count, self.host.unit, self.owed)


def _close(game: Game, state: State, slot: int, others: tuple[int, ...]) -> bool:
    return places.within(places.apart(game, state, (slot,), others).nearest[slot], DEMISE_REACH)


def demised(play: Play, unit: int, count: int, by: int, owed: dict[int, int]) -> None:
    """Mortal wounds from the end of a model, settled at once (MW-4)."""
    mortal_wounds(play, unit, count, "deadly-demise", by, "ABIL-1", owed=owed)


def mortal_wounds(
    play: Play, unit: int, count: int, cause: str, by: int, *clauses: str, owed: dict[int, int] | None = None
) -> None:
    """MW-2: mortal wounds that come from no attack, applied at once."""
    host = host_of(play.game, play.state, unit)
    if not host.slots:
        return
    picker = Asked(play, host, by, {} if owed is None else owed)
    company = Company(bearers_for(play.game, play.state, host), picker)
    start, dice = company.start(touched_before(play.state, host)), play.dice
    muster = dice.aside(lambda: picker.paid(dice, company, company.mortals(dice, start, count)))
    settle(play, unit, company.bearers, muster, cause, by, *clauses, "MW-2")
    separate(play, host)


class Sequence(AttackSequence):
    """Attacks of the edition: shooting, or one unit's melee attacks."""

    policies = POLICIES

    def run(self, play: Play, form: AttackForm) -> None:
        """Roll the attack: allocation, saves, damage, then mortal wounds, then what follows from it."""
        _known_kind(form)
        _attach(play, form)
        case = Case(play.game, play.state, form)
        attack = attack_of(case, asked=True)
        declare(play, case, attack)
        attacks_by(play, form.attacker, [(form, attack)])

    def plan(self, game: Game, state: State, form: AttackForm, policies: Mapping[str, str]) -> Plan:
        """The same attack for exact odds, under policies for whatever may be chosen."""
        _known_kind(form)
        held = checked_policies(policies)
        case = Case(game, state, form)
        attack = attack_of(case, held["rerolls"])
        target, start, order = target_of(attack, policy_of(held))
        alike = shock_class(game, state, case.target, target)
        after = shock_step(game, state, case.target, target, order, alike)
        shielded = case.target.characters()  # ATK-5
        own = own_losses(case, attack, policy_of(held))
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


def attacks_by(play: Play, unit: int, declared: SequenceOf[tuple[AttackForm, Attack]]) -> None:
    """A unit makes the attacks it declared, one target after the other; then what follows when all are resolved."""
    hosts, since = [], len(play.events)
    pools: list[Pool] | None = [] if len(declared) > 1 else None
    for form, stated in declared:
        target = host_of(play.game, play.state, form.target)
        there = bool(target.slots) and play.state.units[target.unit].where == TABLE
        attack = by_the_living(play, unit, stated)
        if there and attack.uses and still_made(play, form):
            hosts.append(resolve(play, form, attack, pools))
    for pool in pools or ():
        release(play, pool)  # MW-4
    targets = tuple(host.unit for host in hosts)
    window(play, Moment(MADE, unit, targets, facts=(("since", since),)))  # FIGHTDEATH-3, SHOOTDEATH-2
    for host in hosts:
        separate(play, host)
    hazardous = sum(use.weapon.has("Hazardous") for _, attack in declared for use in attack.uses)
    _hazardous(play, unit, hazardous)  # RESOLVE-2


def by_the_living(play: Play, unit: int, attack: Attack) -> Attack:
    """DEST-1: the attacks of a form that models make which are still there."""
    living = host_of(play.game, play.state, unit).slots
    deck = borrowed(play.state, unit) if living else ()
    kept = [k for k, use in enumerate(attack.uses) if use.slot in living or (use.slot, use.index) in deck]
    if len(kept) == len(attack.uses):
        return attack
    return replace(attack, uses=tuple(attack.uses[k] for k in kept), strikes=tuple(attack.strikes[k] for k in kept))


@cites("SHOOT-5")
def still_made(play: Play, form: AttackForm) -> bool:
    """SHOOT-5: attacks declared legally are resolved, even if the target is no longer visible or in range by then."""
    return True


class Pool(Struct, frozen=True):
    """Mortal wounds that wait until all attacks of a unit are made: the attack they are of, for whom first and how many."""

    form: AttackForm
    attack: Attack
    wounds: tuple[tuple[int, int, tuple[str, ...]], ...]

    def meant_for(self, at: int, slots: tuple[int, ...]) -> int:
        """Who of the models that are left some wounds are meant for first; NOBODY if he has died (MW-5)."""
        slot = self.attack.bearers[at].slot if at != NOBODY else NOBODY
        return slots.index(slot) if slot in slots else NOBODY


@cites("MW-4")
def release(play: Play, pool: Pool) -> None:
    """MW-4: the mortal wounds of attacks on one target, when the last attack on any target is made."""
    host = host_of(play.game, play.state, pool.form.target)
    if not host.slots or play.state.units[host.unit].where != TABLE:
        return
    case = Case(play.game, play.state, pool.form)
    picker = Asked(play, host, case.attacker.unit, {})
    company = company_of(replace(pool.attack, bearers=bearers_now(case)), picker)
    slots = tuple(bearer.slot for bearer in company.bearers)
    wounds = tuple((pool.meant_for(at, slots), count, traits) for at, count, traits in pool.wounds)
    start = company.start(touched_before(play.state, host))._replace(pool=wounds)
    play.rolled_by, play.receiver = case.attacker.unit, host.unit
    end = picker.paid(play.dice, company, company.released(play.dice, start))
    hurt, who = company.damage(start, end), (case.attacker.unit, host.unit)
    play.emit("attacked-late", ("MW-4",), attacker=who[0], target=who[1], by=pool.form.kind, mortal=hurt, damage=hurt)
    settle(play, host.unit, company.bearers, end, pool.form.kind, case.attacker.unit, "MW-2")


def resolve(play: Play, form: AttackForm, attack: Attack, pools: list[Pool] | None = None) -> Host:
    """All attacks of one unit against one target, as they were declared, on whoever is there now.

    With ``pools`` it has other targets too, and mortal wounds wait there (MW-4).
    """
    case = Case(play.game, play.state, form)
    attack = replace(attack, bearers=bearers_now(case), touched=touched_before(play.state, case.target))
    picker = Asked(play, case.target, case.attacker.unit, {})
    company = replace(company_of(attack, picker), waits=pools is not None)
    tallies = (ATTACKS, HITS, BLOCKED, WOUNDS, DAMAGE, MORTAL)
    play.rolled_by, play.receiver = case.attacker.unit, case.target.unit
    dice = play.dice
    since = len(play.events)
    spent: Spent[TargetState, int] = dice.volley(
        volleys_of(attack, rolled=True), company, company.start(attack.touched), *tallies
    )
    if play.watch is not None:
        play.watch(made(play, case, attack, company, picker, spent.state))
    if pools is not None and spent.state.pool:
        pools.append(Pool(form, attack, spent.state.pool))
    muster = picker.paid(dice, company, spent.state)
    attacks, hits, blocked, wounds, damage, mortal = spent.counts
    ignored = _ignored(play, since)
    play.emit(
        "attacked",
        ("ATK-1",),
        attacker=case.attacker.unit,
        target=case.target.unit,
        by=form.kind,
        attacks=attacks,
        hits=hits,
        ignored=ignored,
        blocked=saved(blocked),
        wounds=wounds,
        damage=damage,
        mortal=mortal,
        suffered=suffered(damage, ignored),
    )
    why = ("ATK-9", "MW-2") if mortal else ("ATK-9",)
    settle(play, case.target.unit, attack.bearers, muster, form.kind, case.attacker.unit, *why)
    return case.target


def made(play: Play, case: Case, attack: Attack, company: Company, picker: Asked, end: TargetState) -> ResolvedAttack:
    """An attack as it was resolved, for whoever watches: the plan whose dice were rolled, and where they left the target."""
    policy = picker.as_chosen(company, end)
    target, start, order = target_of(attack, policy)
    if company.waits and any(
        harm_of(one).wave is AT_LAST for strike in attack.strikes for one in flow_of(strike, BOOK).exits()
    ):
        target = replace(company_of(attack, policy), waits=True)
        start = target.start(attack.touched)
    plan = Plan(volleys_of(attack, rolled=False), target, start, order=order, mortal=True)
    left = end if isinstance(target, Company) else target.start(company.kills(end), company.lost_on_next(end))
    who = case.attacker.unit, case.target.unit, case.form.kind
    return ResolvedAttack(*who, plan, left, len(play.events), play.state.clock.round)


@cites("SAVED-1")
def saved(blocked: int) -> int:
    """SAVED-1: the attacks a saving throw of any kind kept from doing damage."""
    return blocked


@cites("SUFFER-1")
def suffered(damage: int, ignored: int) -> int:
    """SUFFER-1: the damage that was suffered, wounds that were not lost in the end included."""
    return damage + ignored


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


def declare(play: Play, case: Case, attack: Attack) -> None:
    """The weapons are named before any die; One Shot weapons are spent by it (WPN-19)."""
    spent = [ModelMarked(use.slot, f"{FIRED}{use.index}", 1) for use in attack.uses if use.weapon.has("One Shot")]
    names = tuple(use.weapon.name for use in attack.uses)
    unit, target = case.attacker.unit, case.target.unit
    if case.form.kind == SHOOTING:
        play.emit("shot", ("SHOOT-2", "WPN-19"), *spent, unit=unit, target=target, weapons=names)
    else:
        play.emit("struck", ("FGT-6",), unit=unit, target=target, weapons=names)


def _ignored(play: Play, since: int) -> int:
    """FNP-1: the wounds that were not lost after all."""
    rolls = [event for event in play.events[since:] if event.kind == "rolled" and event.fact("purpose") == NO_PAIN]
    return sum(int(str(event.fact("successes"))) for event in rolls)


def _hazardous(play: Play, unit: int, weapons: int) -> None:
    """RESOLVE-2: Hazardous tests come just after the unit has resolved its attacks."""
    host = host_of(play.game, play.state, unit)
    if not weapons or not host.slots:
        return
    picker = Asked(play, host, host.unit, {})
    company = Company(bearers_for(play.game, play.state, host), picker)
    risk = peril_of(play.game, company, weapons)
    start = company.start(touched_before(play.state, host))
    muster = hazards(play.dice, company, start, weapons, risk.bearing, risk.sturdy)
    muster = picker.paid(play.dice, company, muster)
    settle(play, host.unit, company.bearers, muster, "hazardous", -1, "WPN-14")
    separate(play, host)


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
    weapons = sum([use.weapon.has("Hazardous") for use in attack.uses])
    if not weapons:
        return _none
    company = Company(bearers_for(case.game, case.state, case.attacker), policy)
    return OwnLosses(peril_of(case.game, company, weapons), company.start(touched_before(case.state, case.attacker)))


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
        for guard in dict.fromkeys(bearer.rung.guard for bearer in attack.bearers):
            assert isinstance(guard, Guard)
            drafts = [armour_draft(guard, wound) for wound in wounds]
            found += [
                change for draft in drafts if draft is not None for change in draft.audit if change.after != change.before
            ]
    lines = [Change(line.what, line.before, line.after, clause) for line in found for clause in (*line.clauses, "ATK-6")[:1]]
    return tuple(dict.fromkeys(lines))
