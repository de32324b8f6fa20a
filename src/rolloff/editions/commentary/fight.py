"""Two units fight (FGT-1 to FGT-8): who is picked when, the attacks of each, what they leave, and the Battle-shock it leads to.

The same steps in a game and in odds. Nobody moves: piling in and consolidating are around it. Where nobody reads a log the
choices are policies and what the fallen inflict is owed and paid when the attacks are resolved, as in play.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions.commentary import places
from rolloff.editions.commentary.ability import MELEE
from rolloff.editions.commentary.aftermath import hazards, loss_patches, losses, peril_of, shocked, together
from rolloff.editions.commentary.attack import (
    DEMISE_REACH,
    Attack,
    attack_of,
    bearers_for,
    policy_of,
    target_of,
    touched_before,
    volleys_of,
)
from rolloff.editions.commentary.attack_sequence import attacks_by, declare
from rolloff.editions.commentary.choosing import Case
from rolloff.editions.commentary.lookups import Host, host_of, index_of, left_on
from rolloff.editions.commentary.target import Bearer, Company, TargetState
from rolloff.errors import IllegalCommand
from rolloff.oracle.roll import Spent
from rolloff.oracle.target import Ladder
from rolloff.rules.attack import AttackForm, FightResult, Plan
from rolloff.rules.citing import cites
from rolloff.rules.fights import AlternatePicks
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.state import State

ATTACKER, TARGET = 0, 1
FIRST, REMAINING = 0, 1
"""The steps of the Fight phase."""


class Fight(Struct, frozen=True, cache_hash=True):
    """A fight between two units: the attacks each makes, who of them fights first, and who they were when it began."""

    units: tuple[int, int]
    forms: tuple[tuple[AttackForm, ...], tuple[AttackForm, ...]]
    steps: tuple[int, int]
    active: int
    slots: tuple[tuple[int, ...], tuple[int, ...]]

    def side_of(self, unit: int) -> int:
        """Which of the two a unit is."""
        return ATTACKER if unit == self.units[ATTACKER] else TARGET


class Blows(Struct, frozen=True):
    """The attacks of one unit from a state, and how many Hazardous weapons it uses for them."""

    plan: Plan
    hazardous: int


def fight_of(game: Game, state: State, forms: Sequence[AttackForm]) -> Fight:
    """The fight that attacks of one unit on one other open, made one after the other; the other fights with all it has."""
    first = forms[0]
    hosts = [host_of(game, state, unit) for unit in (first.attacker, first.target)]
    units = hosts[ATTACKER].unit, hosts[TARGET].unit
    back = AttackForm(units[TARGET], units[ATTACKER], MELEE, everyone=first.everyone, charged=False)
    named = tuple(replace(form, attacker=units[0], target=units[1]) for form in forms)
    charged = Case(game, state, named[0]).charged()
    active = game.side_of(units[ATTACKER]) if charged else state.clock.active
    steps = step_of(game, hosts[ATTACKER], charged), step_of(game, hosts[TARGET], False)
    return Fight(units, (named, (back,)), steps, active, (hosts[ATTACKER].slots, hosts[TARGET].slots))


def joined(game: Game, state: State, forms: Sequence[AttackForm]) -> State:
    """ABIL-7: the state with Leaders among the models they lead, on both sides."""
    return together(game, together(game, state, forms[0].attacker), forms[0].target)


# who fights when


@cites("FGT-1")
def step_of(game: Game, host: Host, charged: bool) -> int:
    """FGT-1: units with Fights First before all others: who charged (CHG-5), or whose every model has it (ABIL-4)."""
    lookups = index_of(game)
    if charged:  # CHG-5
        return FIRST
    return FIRST if all(lookups.fighters[slot].has("Fights First") for slot in host.slots) else REMAINING  # ABIL-4


def due(play: Play, side: int, step: int, fought: tuple[int, ...], fight: Fight) -> tuple[int, ...]:
    """The units of a player that fight in a step and have not yet; one without an enemy left has nobody to fight."""
    if any(now_of(play.state, fight, own) < 0 for own in (ATTACKER, TARGET)):
        return ()
    found = [unit for unit, own in zip(fight.units, fight.steps, strict=True) if own == step and unit not in fought]
    return tuple(unit for unit in found if play.game.side_of(unit) == side)


@cites("FGT-2")
def picks_first(fight: Fight) -> int:
    """FGT-2: in each step the reactive player picks first."""
    return 1 - fight.active


# the fight


def resolve(play: Play, fight: Fight) -> FightResult:
    """FGT-4: one unit makes its attacks, then the other with what is left of it; then what the losses lead to."""
    began = wounds_of(play, fight)
    PICKING(play, fight)
    words = play.run(aftermath, fight)
    fallen = [len(slots) - len(living(play.state, fight, slots)) for slots in fight.slots]
    lost = [before - now for before, now in zip(began, wounds_of(play, fight), strict=True)]
    edge = lost[TARGET] - lost[ATTACKER]
    return FightResult(fallen[TARGET], fallen[ATTACKER], (edge > 0) - (edge < 0), words[ATTACKER], words[TARGET])


def living(state: State, fight: Fight, slots: tuple[int, ...]) -> tuple[int, ...]:
    """Who of some models is left, in a unit of the two or in one that has parted from it."""
    there = {slot for unit in state.units for slot in unit.living}
    return tuple(slot for slot in slots if slot in there)


def wounds_of(play: Play, fight: Fight) -> tuple[int, int]:
    """The wounds both sides have left."""
    ours, theirs = (
        sum(left_on(play.game, play.state, slot) for slot in living(play.state, fight, slots)) for slots in fight.slots
    )
    return ours, theirs


def fights(play: Play, unit: int, fight: Fight) -> None:
    """All attacks of one unit, and what its own Hazardous weapons do when they are resolved (RESOLVE-2)."""
    side, used = fight.side_of(unit), 0
    if play.logged:
        as_declared(play, side, fight)
        return
    for form in fight.forms[side]:
        ours, theirs = now_of(play.state, fight, side), now_of(play.state, fight, 1 - side)
        if ours >= 0 and theirs >= 0:
            used += play.run(strikes, replace(form, attacker=ours, target=theirs), side, fight)
    if used and now_of(play.state, fight, side) >= 0:
        play.run(endangered, side, used, fight)


def as_declared(play: Play, side: int, fight: Fight) -> None:
    """The same with a log: attacks are declared before any die, and players choose."""
    ours, theirs, declared = now_of(play.state, fight, side), now_of(play.state, fight, 1 - side), []
    for stated in fight.forms[side]:
        form = usable(play.state, replace(stated, attacker=ours, target=theirs))
        if play.once(blows_of, form) is not None:
            case = Case(play.game, play.state, form)
            attack = attack_of(case, asked=True)
            declare(play, case, attack)
            declared.append((form, attack))
    attacks_by(play, ours, declared)


PICKING = AlternatePicks(picks_first, due, fights, "FGT-2", steps=2)


def now_of(state: State, fight: Fight, side: int) -> int:
    """The unit one of the two is now: Leaders whose Bodyguard is gone are units of their own (LEAD-5); -1 for none."""
    alive = living(state, fight, fight.slots[side])
    return state.owner_of(alive[0]) if alive else -1


def strikes(play: Play, form: AttackForm, side: int, fight: Fight) -> int:
    """One event of attacks with the losses it leaves; how many Hazardous weapons were used."""
    blows: Blows | None = play.once(blows_of, form)
    if blows is None:
        return 0
    plan = blows.plan
    spent: Spent[TargetState, int] = play.dice.volley(plan.volleys, plan.target, plan.start)
    end = spent.state
    assert isinstance(plan.target, Ladder | Company)
    _taken(play, form.target, loss_patches(play.state, plan.target, plan.order, end))
    owed = end.owed if isinstance(plan.target, Company) else 0
    _paid(play, fight, side, owed)
    return blows.hazardous


def _taken(play: Play, unit: int, patches: Sequence[object]) -> None:
    if patches:
        play.emit("casualties", ("DEST-1",), *patches, unit=unit)  # type: ignore[arg-type]


def usable(state: State, form: AttackForm) -> AttackForm:
    """The attacks of a form by who is left to make them."""
    if form.weapons is None:
        return form
    alive = state.units[form.attacker].living
    return replace(form, weapons=tuple(pair for pair in form.weapons if pair[0] in alive))


def blows_of(play: Play, form: AttackForm) -> Blows | None:
    """The attacks of a form from a state; None where nobody may strike (FGT-8)."""
    form = usable(play.state, form)
    if form.weapons == ():
        return None
    try:
        case = Case(play.game, play.state, form)
        attack = attack_of(case, play.policies.get("rerolls", "failures"), asked=play.logged)
    except IllegalCommand:
        return None
    return _blows(play, case, attack)


def _blows(play: Play, case: Case, attack: Attack) -> Blows:
    attack = replace(attack, bearers=facing(play.game, case.state, attack.bearers, case.attacker))
    target, start, order = target_of(attack, policy_of(play.policies))
    used = sum(use.weapon.has("Hazardous") for use in attack.uses)
    return Blows(Plan(volleys_of(attack, rolled=False), target, start, order=order), used)


def _paid(play: Play, fight: Fight, side: int, owed: int) -> None:
    """Mortal wounds of Deadly Demise on one side; its own fallen may owe the other some."""
    while owed and now_of(play.state, fight, side) >= 0:
        company, start = company_of(play, fight, side)
        muster = company.mortals(play.dice, start, owed)
        _taken(play, now_of(play.state, fight, side), losses(play.state, company.bearers, muster))
        owed, side = muster.owed, 1 - side


def endangered(play: Play, side: int, weapons: int, fight: Fight) -> None:
    """WPN-14: what a unit's own weapons do to it."""
    unit = now_of(play.state, fight, side)
    company, start = company_of(play, fight, side)
    risk = peril_of(play.game, company, weapons)
    muster = hazards(play.dice, company, start, weapons, risk.bearing, risk.sturdy)
    _taken(play, unit, losses(play.state, company.bearers, muster))
    _paid(play, fight, 1 - side, muster.owed)


def company_of(play: Play, fight: Fight, side: int) -> tuple[Company, TargetState]:
    """One of the two as a target, model by model."""
    host = host_of(play.game, play.state, now_of(play.state, fight, side))
    enemy = host_of(play.game, play.state, fight.units[1 - side])
    bearers = facing(play.game, play.state, bearers_for(play.game, play.state, host), enemy)
    company = Company(bearers, policy_of(play.policies))
    return company, company.start(touched_before(play.state, host))


@cites("ABIL-1")
def facing(game: Game, state: State, bearers: tuple[Bearer, ...], enemy: Host) -> tuple[Bearer, ...]:
    """ABIL-1: whose end reaches the enemy: in a fight everybody's, unless positions say otherwise."""
    return tuple(
        replace(bearer, facing=True) if bearer.demise is not None and _close(game, state, bearer.slot, enemy) else bearer
        for bearer in bearers
    )


def _close(game: Game, state: State, slot: int, enemy: Host) -> bool:
    far = places.range_to(game, state, slot, enemy)
    return far == inf or places.within(far, DEMISE_REACH)


def aftermath(play: Play, fight: Fight) -> tuple[str, str]:
    """What becomes of both sides."""
    ours, theirs = (shocked(play.dice, play.game, play.state, unit) for unit in fight.units)
    return ours, theirs


@cites("FGT-8")
def check(game: Game, state: State, fight: Fight, policies: Mapping[str, str]) -> None:
    """FGT-8: a unit that can make no attacks makes none; but whoever asks for attacks must name some that can be made."""
    attack_of(Case(game, state, fight.forms[ATTACKER][0]), policies["rerolls"])
