"""A fight between two units for odds: Fear, blows by Initiative step, the combat result, Morale and Sweeping Advance.

The same blows as in play (`blows`, `resolve`), in direct style over any dice; nobody moves. Blows of one step are simultaneous:
whoever falls in it has struck in it. Weapons are chosen before the first blow.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from rolloff.editions.compendium.abilities import BOOK
from rolloff.editions.compendium.ability import MELEE
from rolloff.editions.compendium.blows import CHARGED_ON, CONCUSSED, FIRST_STEP, Fighting
from rolloff.editions.compendium.crew import Muster
from rolloff.editions.compendium.gathering import gathered
from rolloff.editions.compendium.morale import NONE, afraid_of, locks, swept, tested
from rolloff.editions.compendium.picking import Pick, Policies, picks_of, settled
from rolloff.editions.compendium.places import Places
from rolloff.editions.compendium.resolve import Assault, Group, resolve
from rolloff.editions.compendium.squad import Policy, Squad
from rolloff.editions.compendium.targets import crew_of, target_of
from rolloff.editions.compendium.wake import dazed, losses, written
from rolloff.oracle.dice import EnteredDice
from rolloff.oracle.flow import MORTAL, UNSAVED
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.oracle.roll import Dice, Spent
from rolloff.oracle.stage import table
from rolloff.rules.attack import AttackForm, Clash
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.event import Event, Marked, ModelMarked, Patch, Wounded, apply
from rolloff.table.state import State

ATTACKER, TARGET = 0, 1
Blow = tuple[int, int]
"""A model by its slot, and which of the things it does."""
Struck = frozenset[Blow]
Scores = tuple[int, int]
_AMONG = {n: table("weapon", tuple(range(n)), "CF-VEH-6", sides=n) for n in (2, 3, 6)}


class Brawl:
    """One fight between two units, opened by the strikes given."""

    def __init__(self, game: Game, state: State, forms: tuple[AttackForm, ...], policies: Mapping[str, str]) -> None:
        """The forms are strikes of one unit at one other; the other strikes with all it has."""
        self.game = game
        self.chooser = Policies(policies)
        self.picker = Policy(tries=policies.get("look_out", "always") != "never")
        first = _merged(forms)
        self.units = first.attacker, first.target
        back = AttackForm(first.target, first.attacker, MELEE, facing="front", everyone=first.everyone, charged=False)
        self.forms = replace(first, facing=first.facing or "front"), back
        self.state = _met(state, first)
        active = first.charged or game.side_of(first.attacker) == state.clock.active
        self.sides = (ATTACKER, TARGET) if active else (TARGET, ATTACKER)
        self.fighting = [locks(game, self.state, unit) for unit in self.units]
        self.picks = self._picks(ATTACKER), self._picks(TARGET)
        self._known: dict[tuple[State, int], tuple[tuple[Blow, Group], ...]] = {}
        self._steps: dict[tuple[State, int, Struck], int] = {}

    def _picks(self, side: int) -> dict[int, Pick]:
        """DP-23: the weapon of each model, before the first blow; a vehicle that never locks strikes none (CF-VEH-13)."""
        if side == TARGET and not self.fighting[TARGET]:  # CF-VEH-13
            return {}
        fighting = Fighting(self._places(self.state, side))
        if side == TARGET and not any(fighting.lore.fighters[slot].profile.weapon_skill for slot in fighting.places.strikers()):
            return {}
        return picks_of(fighting, self.chooser)

    def _places(self, state: State, side: int) -> Places:
        return Places(Play(self.game, state, Oracle(EnteredDice(()), Defaults())), self.forms[side])

    # the fight

    def fight(self, dice: Dice) -> Clash:
        """CF-ASLT-5: Fear tests, then Initiative steps 10 down to 1, then the result."""
        afraid = dice.run(self._fears)
        state, scores, struck = self.state, (0, 0), Struck()
        step = self._next(state, FIRST_STEP + 1, struck)
        while step:
            state, more, struck = dice.run(self._step, state, step, struck, afraid)
            scores = scores[0] + more[0], scores[1] + more[1]
            step = self._next(state, step, struck)
        fallen = [len(self.state.units[unit].living) - len(state.units[unit].living) for unit in self.units]
        edge, ours, theirs = dice.run(self._result, state, scores)
        return Clash(fallen[TARGET], fallen[ATTACKER], edge, ours, theirs)

    def _fears(self, dice: Dice) -> tuple[bool, bool]:
        """Whether either side is afraid of the other."""
        ours, theirs = self.units
        return afraid_of(dice, self.game, self.state, ours, theirs), afraid_of(dice, self.game, self.state, theirs, ours)

    def _next(self, state: State, before: int, struck: Struck) -> int:
        """The next Initiative step below another at which somebody strikes; 0 if there is none."""
        key = state, before, struck
        if key not in self._steps:
            due = (
                step for step in range(before - 1, 0, -1) if any(self._due(state, side, step, struck) for side in self.sides)
            )
            self._steps[key] = next(due, 0)
        return self._steps[key]

    def _blows(self, state: State, side: int) -> tuple[tuple[Blow, Group], ...]:
        """Everything the models of a side do, each thing for itself."""
        key = state, side
        if key not in self._known:
            places = self._places(state, side)
            fighting, found = Fighting(places), []
            strikers = places.strikers() if places.attackers and places.targets else ()
            for slot in strikers:
                if slot in self.picks[side]:
                    index, smash = self._pick(fighting, side, slot)
                    groups = fighting.hammer(slot) + fighting.strikes(slot, index, smash)
                    found += [((slot, at), group) for at, group in enumerate(groups)]
            self._known[key] = tuple(found)
        return self._known[key]

    def _pick(self, fighting: Fighting, side: int, slot: int) -> Pick:
        """The weapon a model has chosen, or what it holds if that is destroyed."""
        index, smash = self.picks[side][slot]
        held = fighting.held(slot)
        return (index if index in held else held[0]), smash

    def _due(self, state: State, side: int, step: int, struck: Struck) -> list[tuple[Blow, Group]]:
        """What a side does at a step; a model fights once."""
        if not state.units[self.units[ATTACKER]].living or not state.units[self.units[TARGET]].living:
            return []
        blows = self._blows(state, side)
        return [(blow, group) for blow, group in blows if group.step == step and blow not in struck]  # CF-ASLT-5

    def _step(
        self, dice: Dice, begin: State, step: int, struck: Struck, afraid: tuple[bool, bool]
    ) -> tuple[State, Scores, Struck]:
        """One Initiative step: both sides strike as they stood at its beginning."""
        state, points = begin, [0, 0]
        for side in self.sides:
            due = self._due(begin, side, step, struck)
            if due and state.units[self.units[1 - side]].living:
                state, points[side], slow = self._strikes(dice, begin, state, side, due, afraid)
                state, struck = self._slowed(begin, state, 1 - side, step, struck, slow)
        return state, (points[0], points[1]), struck

    def _strikes(
        self, dice: Dice, begin: State, now: State, side: int, due: list[tuple[Blow, Group]], afraid: tuple[bool, bool]
    ) -> tuple[State, int, list[int]]:
        """The blows of one side at one step, on the enemy as earlier blows of the step have left it."""
        places = self._places(begin, side)
        groups = settled(gathered([_cowed(group, afraid[side], afraid[1 - side]) for _, group in due]), self.chooser)
        target: Any = target_of(places, places.order([(slot, 0) for (slot, _), _ in due]), MELEE, self.picker)
        start = target.start(*_left(places, now, places.targets))
        crew, _ = crew_of(places)
        muster = crew.start(*_left(places, now, places.attackers))
        assault = Assault(BOOK, groups, target, crew, True)
        spent: Spent[Any, Any] = dice.run(resolve, assault, start, muster, (UNSAVED, MORTAL))
        state = written(now, target, start, spent.state, partial(_lost, dice))
        assert spent.firer is not None
        slow = dazed(target, spent.state) if isinstance(target, Squad) else []
        return _drunk(places, state, muster, spent.firer, spent.state.drunk), sum(spent.counts), slow

    @cites("SR-CONCUSSIVE-2", off=lambda self, begin, state, side, step, struck, slow: (state, struck))
    def _slowed(
        self, begin: State, state: State, side: int, step: int, struck: Struck, slow: list[int]
    ) -> tuple[State, Struck]:
        """SR-CONCUSSIVE-2: who has not struck yet drops to step 1; what a model has done it does not do again."""
        patches: list[Patch] = []
        for slot in slow:
            own = [(blow, group.step) for blow, group in self._blows(begin, side) if blow[0] == slot and blow not in struck]
            if begin.model_mark(slot, CONCUSSED) is None and all(at >= step for _, at in own):
                patches.append(ModelMarked(slot, CONCUSSED, None))
            else:
                struck |= {blow for blow, at in own if at >= step}
        return (apply(state, Event("odds", (), tuple(patches))) if patches else state), struck

    # the result

    @cites("CF-ASLT-9", off=(0, NONE, NONE))
    def _result(self, dice: Dice, state: State, scores: Scores) -> tuple[int, str, str]:
        """CF-ASLT-9: the lower score loses and takes a Morale check; without a second side that locks there is no result."""
        edge = (scores[0] > scores[1]) - (scores[0] < scores[1])
        if not edge or not all(self.fighting):  # CF-VEH-13
            return 0, NONE, NONE
        loser = TARGET if edge > 0 else ATTACKER
        own, by = self.units[loser], self.units[1 - loser]
        word = tested(dice, self.game, state, own, abs(scores[0] - scores[1]))
        word = swept(dice, self.game, state, word, own, by)
        return (edge, NONE, word) if loser == TARGET else (edge, word, NONE)


def _merged(forms: tuple[AttackForm, ...]) -> AttackForm:
    """Several strikes of one unit at one other as one: all weapons they name."""
    named = [form.weapons for form in forms]
    if any(weapons is None for weapons in named):
        return replace(forms[0], weapons=None)
    return replace(forms[0], weapons=tuple(dict.fromkeys(pair for weapons in named for pair in weapons or ())))


def _met(state: State, form: AttackForm) -> State:
    """The state with the target marked as charged, if it is (SR-COUNTER-ATTACK-1)."""
    return apply(state, Event("odds", (), (Marked(form.target, CHARGED_ON, 1),))) if form.charged else state


def _left(places: Places, now: State, slots: tuple[int, ...]) -> list[int]:
    """What some models have left in a state, 0 for the fallen."""
    living = {slot for unit in now.units for slot in unit.living}
    return [places.lore.fighters[slot].profile.wounds - now.wounds_on(slot) if slot in living else 0 for slot in slots]


def _drunk(places: Places, state: State, start: Muster, end: Muster, drunk: tuple[tuple[int, int], ...]) -> State:
    """The state after what the strikers' own weapons did to them, and what leeching ones restored."""
    patches = losses(state, zip(places.attackers, start.left, end.left, strict=True))
    for at, restored in drunk:
        slot, lost = places.attackers[at], start.left[at] - end.left[at]
        if end.left[at] and restored:
            patches.append(Wounded(slot, max(0, state.wounds_on(slot) + lost - restored)))
    return apply(state, Event("odds", (), tuple(patches))) if patches else state


def _lost(dice: Dice, weapons: int) -> int:
    """CF-VEH-6: which weapon of a Walker is destroyed; of numbers no throw of one or two dice shares out evenly, the first."""
    if weapons == 4:
        return 2 * dice.ask(_AMONG[2]) + dice.ask(_AMONG[2])
    return dice.ask(_AMONG[weapons]) if weapons in _AMONG else 0


@cites("SR-FEAR-2", off=lambda group, striker, target: group)
def _cowed(group: Group, striker: bool, target: bool) -> Group:
    """SR-FEAR-2: who is afraid has WS 1, striking and being struck."""
    strike = group.strike
    if target and strike.foe.weapon_skill:
        strike = replace(strike, foe=replace(strike.foe, weapon_skill=1))
    if striker and not strike.automatic:
        strike = replace(strike, skill=1)
    return replace(group, strike=strike)
