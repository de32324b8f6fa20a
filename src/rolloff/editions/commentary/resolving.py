"""Attacks as they are resolved: one target after the other, mortal wounds that wait, and what a unit's own weapons do to it.

The same code in a game and in odds: what differs is who chooses (`allocating`), that a ladder stands for a unit whose models
fall in a known order where nobody is asked, and that only a game counts what its log shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from operator import attrgetter, itemgetter

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions.commentary.abilities import BOOK
from rolloff.editions.commentary.ability import SHOOTING
from rolloff.editions.commentary.aftermath import (
    CASUALTIES,
    MADE,
    hazards,
    left_of,
    loss_patches,
    losses,
    peril_of,
    separate,
    settle,
)
from rolloff.editions.commentary.allocating import Asked, demised, facing, picker_of
from rolloff.editions.commentary.attack import Attack, company_of, target_of, volleys_of
from rolloff.editions.commentary.attack_case import borrowed
from rolloff.editions.commentary.bearing import bearers_for, bearers_now, settled, touched_before
from rolloff.editions.commentary.choosing import Use
from rolloff.editions.commentary.deciding import decided
from rolloff.editions.commentary.lookups import FIRED, Host, host_of
from rolloff.editions.commentary.matchup import AT_LAST, flow_of
from rolloff.editions.commentary.target import NOBODY, Company, Policy, TargetState
from rolloff.oracle.flow import ATTACKS, BLOCKED, DAMAGE, HITS, MORTAL, WOUNDS, Volley, harm_of
from rolloff.oracle.roll import Spent
from rolloff.oracle.target import AnyTarget, Ladder
from rolloff.rules.attack import AttackForm, Plan, ResolvedAttack
from rolloff.rules.citing import cites
from rolloff.rules.play import NOTHING_KEPT, Play
from rolloff.rules.windows import Moment, window
from rolloff.table.event import Fact, ModelMarked
from rolloff.table.state import TABLE

NO_PAIN = "feel no pain"
PAINLESS = "purpose", NO_PAIN
"""What the event of such a roll says first."""
_slot_of, _weapon_of = attrgetter("slot"), attrgetter("weapon")
_kind_of, _facts_of, _first = attrgetter("kind"), attrgetter("facts"), itemgetter(0)
COUNTED = (ATTACKS, HITS, BLOCKED, WOUNDS, DAMAGE, MORTAL)


def declare(play: Play, form: AttackForm, attack: Attack) -> None:
    """The weapons are named before any die; One Shot weapons are spent by it (WPN-19)."""
    spent = [ModelMarked(use.slot, f"{FIRED}{use.index}", 1) for use in with_ability(attack, "One Shot")]
    names = tuple([use.weapon.name for use in attack.uses])
    game, state = play.game, play.state
    unit, target = host_of(game, state, form.attacker).unit, host_of(game, state, form.target).unit
    if form.kind == SHOOTING:
        play.emit("shot", ("SHOOT-2", "WPN-19") if spent else ("SHOOT-2",), *spent, unit=unit, target=target, weapons=names)
    else:
        play.emit("struck", ("FGT-6",), unit=unit, target=target, weapons=names)


def with_ability(attack: Attack, name: str) -> list[Use]:
    """Those of the weapons of an attack that have an ability."""
    weapons = [weapon for weapon in set(map(_weapon_of, attack.uses)) if weapon.has(name)]
    return [use for use in attack.uses if use.weapon in weapons] if weapons else []


def attacks_by(play: Play, unit: int, declared: Sequence[tuple[AttackForm, Attack]]) -> None:
    """A unit makes the attacks it declared, one target after the other; then what follows when all are resolved."""
    hosts: list[Host] = []
    pools: list[Pool] = []
    since, waits = len(play.events), len(declared) > 1
    outer, play.afterwards = play.afterwards, []
    for form, stated in declared:
        target = host_of(play.game, play.state, form.target)
        there = bool(target.slots) and play.state.units[target.unit].where == TABLE
        attack = by_the_living(play, unit, stated)
        if there and attack.uses and still_made(play, form):
            pools += play.run(resolve, form, attack, waits)
            hosts.append(target)
    for pool in pools:
        play.run(release, pool)  # MW-4
    targets = tuple(host.unit for host in hosts)
    if anybody_fell(play, since):
        window(play, Moment(MADE, unit, targets, facts=(("since", since),)))  # FIGHTDEATH-3, SHOOTDEATH-2
    for host in hosts:
        separate(play, host)
    later, play.afterwards = play.afterwards, outer
    for part in later:
        part(play)
    risky = [use for _, attack in declared for use in with_ability(attack, "Hazardous")]
    hazardous = {(use.slot, use.index) for use in risky}
    if hazardous:
        for tested, weapons in tested_units(play, unit, [slot for slot, _ in hazardous]):
            play.run(endangered, tested, weapons, targets[0] if targets else NOBODY)  # RESOLVE-2


@cites("WPN-14")
def tested_units(play: Play, unit: int, bearers: Sequence[int]) -> list[tuple[int, int]]:
    """WPN-14: who tests for the Hazardous weapons of models: their unit, or what is left of one that parted, for its own."""
    if host_of(play.game, play.state, unit).slots:
        return [(unit, len(bearers))]
    parts = [(part, play.state.units[part].living) for part in left_of(play, unit)]
    counts = [(part, sum([slot in living for slot in bearers])) for part, living in parts]
    return [(part, weapons) for part, weapons in counts if weapons]


def anybody_fell(play: Play, since: int) -> bool:
    """Whether models were destroyed since so many events: of them alone is the moment at which attacks are made."""
    events = play.events[since:]
    losses = list(compress(events, map(CASUALTIES.__eq__, map(_kind_of, events))))
    return bool(losses) and any(event.fact("models") for event in losses)


def by_the_living(play: Play, unit: int, attack: Attack) -> Attack:
    """DEST-1: the attacks of a form that models make which are still there."""
    living = host_of(play.game, play.state, unit).slots
    if set(map(_slot_of, attack.uses)).issubset(living):
        return attack
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
    attacker = host_of(play.game, play.state, pool.form.attacker).unit
    picker = picker_of(play, host, attacker, cause=pool.form.kind)
    bearers, touched = bearers_now(play.game, play.state, pool.form, play.logged)
    company = company_of(replace(pool.attack, bearers=facing(play, bearers, attacker)), picker)
    slots = tuple(bearer.slot for bearer in company.bearers)
    wounds = tuple((pool.meant_for(at, slots), count, traits) for at, count, traits in pool.wounds)
    start = company.start(touched)._replace(pool=wounds)
    play.rolled_by, play.receiver, since = attacker, host.unit, len(play.events)
    end = company.released(play.dice, start)
    hurt, ignored = company.damage(start, end), _ignored(play, host.unit, since, len(play.events))
    end = picker.paid(play.dice, company, end)
    facts: dict[str, Fact] = {"mortal": hurt, "damage": hurt, "ignored": ignored}
    play.emit("attacked-late", ("MW-4",), attacker=attacker, target=host.unit, by=pool.form.kind, **facts)
    settle(play, host.unit, losses(play.state, company.bearers, end), pool.form.kind, attacker, "MW-2")
    if end.owed:
        demised(play, attacker, end.owed, host.unit)


class Readied(Struct, frozen=True):
    """One attack of a unit on one target as it stands now: its dice, who takes the harm, and who chooses about it."""

    attacker: int
    receiver: int
    attack: Attack
    volleys: tuple[Volley, ...]
    target: Ladder | Company
    start: int | TargetState
    order: tuple[int, ...]
    picker: Asked | Policy


def readied(play: Play, form: AttackForm, stated: Attack, waits: bool) -> Readied:
    """An attack on whoever is there now; in a game model by model, in odds by the order they fall in where that is known."""
    game, state, attack = play.game, play.state, stated
    unit, host = host_of(game, state, form.attacker).unit, host_of(game, state, form.target)
    bearers, touched = bearers_now(game, state, form, play.logged)
    bearers = facing(play, bearers, unit)
    if bearers is not stated.bearers or touched != stated.touched:
        attack = replace(stated, bearers=bearers, touched=touched)
    if play.logged:
        attack = decided(play, unit, attack)
    picker = picker_of(play, host, unit, cause=form.kind)
    if isinstance(picker, Policy):
        plan = planned(attack, picker, waits)
        assert isinstance(plan.target, Ladder | Company)
        return Readied(unit, host.unit, attack, plan.volleys, plan.target, plan.start, plan.order, picker)
    company = Company(bearers, picker, attack.waste, waits, attack.veil)
    volleys = volleys_of(attack, rolled=True)
    return Readied(unit, host.unit, attack, volleys, company, company.start(touched), host.slots, picker)


def resolve(play: Play, form: AttackForm, stated: Attack, waits: bool = False) -> tuple[Pool, ...]:
    """All attacks of one unit against one target, as they were declared, on whoever is there now.

    If it ``waits`` it has other targets too, and mortal wounds are handed back to be dealt at the end (MW-4).
    """
    now: Readied = play.once(readied, form, stated, waits)
    since, attacker, target = len(play.events), now.attacker, now.receiver
    play.rolled_by, play.receiver, play.kept_to = attacker, target, NOTHING_KEPT
    counted = COUNTED if play.logged else ()
    who: AnyTarget = now.target
    spent: Spent[int | TargetState, int] = play.dice.volley(now.volleys, who, now.start, *counted)
    upto = len(play.events)
    if play.watch is not None:
        play.watch(made(play, form, now, spent.state))
    end = spent.state
    pools = (Pool(form, now.attack, end.pool),) if waits and isinstance(end, TargetState) and end.pool else ()
    if isinstance(now.target, Company) and isinstance(end, TargetState):
        end = now.picker.paid(play.dice, now.target, end)
    mortal = play.logged and report(play, form, now, spent.counts, _ignored(play, target, since, upto))
    why = ("ATK-9", "MW-2") if mortal else ("ATK-9",)
    settle(play, target, loss_patches(play.state, now.target, now.order, end), form.kind, attacker, *why)
    if isinstance(end, TargetState) and end.owed:
        demised(play, attacker, end.owed, target)
    return pools


def report(play: Play, form: AttackForm, now: Readied, counts: tuple[int, ...], ignored: int) -> bool:
    """Write down what attacks came to; whether there were mortal wounds among it."""
    attacks, hits, blocked, wounds, damage, mortal = counts
    play.emit(
        "attacked",
        ("ATK-1",),
        attacker=now.attacker,
        target=now.receiver,
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
    return mortal > 0


def planned(attack: Attack, policy: Policy, waits: bool) -> Plan:
    """An attack as odds have it; one that ``waits`` puts by the mortal wounds that come last."""
    target, start, order = target_of(attack, policy)
    if waits and any(harm_of(one).wave is AT_LAST for strike in attack.strikes for one in flow_of(strike, BOOK).exits()):
        target = replace(company_of(attack, policy), waits=True)
        start = target.start(attack.touched)
    return Plan(volleys_of(attack, rolled=False), target, start, order=order, mortal=True)


def made(play: Play, form: AttackForm, now: Readied, end: int | TargetState) -> ResolvedAttack:
    """An attack as it was resolved, for whoever watches: the plan whose dice were rolled, and where they left the target."""
    company = now.target
    assert isinstance(company, Company) and isinstance(end, TargetState) and isinstance(now.picker, Asked)
    bearers = settled(now.attack.bearers)
    attack = replace(now.attack, bearers=now.picker.as_borne(bearers) if now.picker.told else bearers)
    plan = planned(attack, now.picker.as_chosen(company, end), company.waits)
    left = plan.target.start(company.kills(end), company.lost_on_next(end)) if isinstance(plan.target, Ladder) else end
    clock = play.state.clock
    return ResolvedAttack(now.attacker, now.receiver, form.kind, plan, left, len(play.events), clock.round)


@cites("SAVED-1")
def saved(blocked: int) -> int:
    """SAVED-1: the attacks a saving throw of any kind kept from doing damage."""
    return blocked


@cites("SUFFER-1")
def suffered(damage: int, ignored: int) -> int:
    """SUFFER-1: the damage that was suffered, wounds that were not lost in the end included."""
    return damage + ignored


def _ignored(play: Play, unit: int, since: int, upto: int) -> int:
    """FNP-1: the wounds a unit did not lose after all between two events; others may have rolled meanwhile."""
    events = play.events[since:upto]
    if PAINLESS not in map(_first, filter(None, map(_facts_of, events))):  # as mostly
        return 0
    rolls = [event for event in events if event.kind == "rolled" and event.facts[0] == PAINLESS]
    return sum([int(str(event.fact("successes"))) for event in rolls if event.fact("unit") == unit])


def endangered(play: Play, unit: int, weapons: int, enemy: int) -> None:
    """RESOLVE-2: Hazardous tests come just after the unit has resolved its attacks (WPN-14)."""
    host = host_of(play.game, play.state, unit)
    if not host.slots:
        return
    play.rolled_by = play.receiver = host.unit
    picker = picker_of(play, host, host.unit)
    company = Company(facing(play, bearers_for(play.game, play.state, host), enemy), picker)
    risk = peril_of(play.game, play.state, company, weapons)
    start = company.start(touched_before(play.game, play.state, host))
    muster = hazards(play.dice, company, start, weapons, risk.bearing, risk.sturdy)
    muster = picker.paid(play.dice, company, muster)
    settle(play, host.unit, losses(play.state, company.bearers, muster), "hazardous", -1, "WPN-14")
    if muster.owed:
        demised(play, enemy, muster.owed, host.unit)
