"""A fight between two units for odds: who fights first, what each leaves of the other, and the Battle-shock it leads to.

The same attacks as in play (`form`), in direct style over any dice; nobody moves. Who fights later fights with what is left.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions.commentary import places
from rolloff.editions.commentary.ability import MELEE
from rolloff.editions.commentary.aftermath import (
    hazards,
    left,
    losses,
    peril_of,
    shocked,
    together,
)
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
from rolloff.editions.commentary.choosing import Case
from rolloff.editions.commentary.company import Bearer, Company, Muster
from rolloff.editions.commentary.lore import Host, Lore, host_of, left_on
from rolloff.errors import IllegalCommand
from rolloff.oracle.roll import Dice, Spent
from rolloff.rules.attack import AttackForm, Clash, Plan
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.table.event import Event, apply
from rolloff.table.state import State

ATTACKER, TARGET = 0, 1
FIRST, REMAINING = 0, 1
"""The steps of the Fight phase."""


class Blows(Struct, frozen=True):
    """The attacks of one unit from a state, and how many Hazardous weapons it uses for them."""

    plan: Plan
    hazardous: int


class Brawl:
    """One fight between two units, opened by the attacks given."""

    def __init__(self, game: Game, state: State, forms: tuple[AttackForm, ...], policies: Mapping[str, str]) -> None:
        """The forms are attacks of one unit on one other, made one after the other; the other fights with all it has."""
        self.game, self.policies = game, dict(policies)
        first = forms[0]
        self.state = together(game, together(game, state, first.attacker), first.target)
        hosts = [host_of(game, self.state, unit) for unit in (first.attacker, first.target)]
        self.units = hosts[ATTACKER].unit, hosts[TARGET].unit
        self.slots = hosts[ATTACKER].slots, hosts[TARGET].slots
        back = AttackForm(self.units[TARGET], self.units[ATTACKER], MELEE, everyone=first.everyone, charged=False)
        self.forms = tuple(replace(form, attacker=self.units[0], target=self.units[1]) for form in forms), (back,)
        self._known: dict[tuple[AttackForm, State], Blows | None] = {}
        self._made(self.forms[ATTACKER][0], self.state)
        self.order = self._order(hosts)

    # who fights when

    def _order(self, hosts: list[Host]) -> tuple[int, ...]:
        """FGT-2: in each step the reactive player selects first; who charged belongs to the active player."""
        charged = Case(self.game, self.state, self.forms[ATTACKER][0]).charged()
        active = self.game.side_of(self.units[ATTACKER]) if charged else self.state.clock.active
        steps = [self._step(host, charged and side == ATTACKER) for side, host in enumerate(hosts)]
        return tuple(sorted((ATTACKER, TARGET), key=lambda side: (steps[side], self._late(side, active))))

    @cites("FGT-2", off=lambda self, side, active: side)
    def _late(self, side: int, active: int) -> bool:
        """FGT-2: whether a side's owner selects second."""
        return self.game.side_of(self.units[side]) == active

    @cites("FGT-1", off=REMAINING)
    def _step(self, host: Host, charged: bool) -> int:
        """FGT-1: units with Fights First before all others: who charged (CHG-5), or whose every model has it (ABIL-4)."""
        lore: Lore = self.game.lore
        if charged:  # CHG-5
            return FIRST
        return FIRST if all(lore.fighters[slot].has("Fights First") for slot in host.slots) else REMAINING  # ABIL-4

    # the fight

    def fight(self, dice: Dice) -> Clash:
        """FGT-4: one unit makes its attacks, then the other with what is left of it; then what the losses lead to."""
        state = self.state
        for side in self.order:
            state = dice.run(self._fights, state, side)
        words = dice.run(self._words, state)
        fallen = [len(slots) - len(self._living(state, slots)) for slots in self.slots]
        edge = self._wounds(state, TARGET) - self._wounds(state, ATTACKER)
        return Clash(fallen[TARGET], fallen[ATTACKER], (edge > 0) - (edge < 0), words[ATTACKER], words[TARGET])

    def _living(self, state: State, slots: tuple[int, ...]) -> tuple[int, ...]:
        living = {slot for unit in self.units for slot in state.units[unit].living}
        return tuple(slot for slot in slots if slot in living)

    def _wounds(self, state: State, side: int) -> int:
        """The wounds a side has lost in the fight."""
        before = sum(left_on(self.game, self.state, slot) for slot in self.slots[side])
        return before - sum(left_on(self.game, state, slot) for slot in self._living(state, self.slots[side]))

    def _fights(self, dice: Dice, state: State, side: int) -> State:
        """All attacks of one unit, and what its own Hazardous weapons do when they are resolved (RESOLVE-2)."""
        used = 0
        for form in self.forms[side]:
            blows = self._made(form, state)
            if blows is not None:
                state = dice.run(self._struck, state, form, side)
                used += blows.hazardous
        if used and state.units[self.units[side]].living:
            state = dice.run(self._endangered, state, side, used)
        return state

    def _made(self, form: AttackForm, state: State) -> Blows | None:
        """The attacks of a form by who is left; None where nobody is, or nobody may strike (FGT-8)."""
        key = form, state
        if key not in self._known:
            self._known[key] = self._planned(form, state)
        return self._known[key]

    def _planned(self, form: AttackForm, state: State) -> Blows | None:
        living = state.units[form.attacker].living
        if not living or not state.units[form.target].living:
            return None
        if form.weapons is not None:
            form = replace(form, weapons=tuple(pair for pair in form.weapons if pair[0] in living))
            if not form.weapons:
                return None
        try:
            case = Case(self.game, state, form)
            attack = attack_of(case, self.policies["rerolls"])
        except IllegalCommand:
            if self._opens(form, state):
                raise
            return None
        return self._blows(case, attack)

    @cites("FGT-8", off=True)
    def _opens(self, form: AttackForm, state: State) -> bool:
        """FGT-8: whether attacks that cannot be made are a mistake of whoever asked; else a unit just makes none."""
        return state is self.state and form.attacker == self.units[ATTACKER]

    def _blows(self, case: Case, attack: Attack) -> Blows:
        bearers = self._facing(case.state, attack.bearers, case.attacker)
        attack = replace(attack, bearers=bearers)
        target, start, order = target_of(attack, policy_of(self.policies))
        hazardous = sum(use.weapon.has("Hazardous") for use in attack.uses)
        return Blows(Plan(volleys_of(attack, rolled=False), target, start, order=order), hazardous)

    # what attacks do

    def _struck(self, dice: Dice, state: State, form: AttackForm, side: int) -> State:
        """One event of attacks, with the losses it leaves; what the fallen owe is paid at once (ABIL-1)."""
        blows = self._made(form, state)
        assert blows is not None
        plan = blows.plan
        spent: Spent[Muster, int] = dice.volley(plan.volleys, plan.target, plan.start)
        state = left(self.game, state, plan, spent.state)
        owed = spent.state.owed if isinstance(plan.target, Company) else 0
        return self._paid(dice, state, side, owed)

    def _paid(self, dice: Dice, state: State, side: int, owed: int) -> State:
        """Mortal wounds of Deadly Demise on one side; its own fallen may owe the other some."""
        while owed and state.units[self.units[side]].living:
            company, start = self._company(state, side)
            muster = company.mortals(dice, start, owed)
            state, owed, side = self._written(state, company, muster), muster.owed, 1 - side
        return state

    def _endangered(self, dice: Dice, state: State, side: int, weapons: int) -> State:
        """WPN-14: what a unit's own weapons do to it."""
        company, start = self._company(state, side)
        risk = peril_of(self.game, company, weapons)
        muster = hazards(dice, company, start, weapons, risk.bearing, risk.sturdy)
        return self._paid(dice, self._written(state, company, muster), 1 - side, muster.owed)

    def _company(self, state: State, side: int) -> tuple[Company, Muster]:
        host = host_of(self.game, state, self.units[side])
        enemy = host_of(self.game, state, self.units[1 - side])
        bearers = self._facing(state, bearers_for(self.game, state, host), enemy)
        company = Company(bearers, policy_of(self.policies))
        return company, company.start(touched_before(state, host))

    def _written(self, state: State, company: Company, muster: Muster) -> State:
        patches = losses(state, company.bearers, muster)
        return apply(state, Event("odds", (), tuple(patches))) if patches else state

    @cites("ABIL-1", off=lambda self, state, bearers, enemy: bearers)
    def _facing(self, state: State, bearers: tuple[Bearer, ...], enemy: Host) -> tuple[Bearer, ...]:
        """ABIL-1: whose end reaches the enemy: in a fight everybody's, unless positions say otherwise."""
        return tuple(
            replace(bearer, facing=True) if bearer.demise is not None and self._close(state, bearer.slot, enemy) else bearer
            for bearer in bearers
        )

    def _close(self, state: State, slot: int, enemy: Host) -> bool:
        others = [other for other in enemy.slots if places.stands(state, other)]
        if not others or not places.stands(state, slot):
            return True
        return any(places.within(places.distance(self.game, state, slot, other), DEMISE_REACH) for other in others)

    # what it leads to

    def _words(self, dice: Dice, state: State) -> tuple[str, str]:
        """What becomes of both sides."""
        ours, theirs = (shocked(dice, self.game, state, unit) for unit in self.units)
        return ours, theirs
