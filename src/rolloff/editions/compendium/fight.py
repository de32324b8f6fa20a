"""Two units fight: Fear, blows by Initiative step, the combat result, Morale and Sweeping Advance (CF-ASLT).

The same steps in a game and in odds; nobody moves in them. Blows of one step are simultaneous: whoever falls in it has struck
in it. Weapons are chosen before the first blow. Where nobody reads a log the choices are policies.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions.compendium.abilities import BOOK
from rolloff.editions.compendium.ability import MELEE
from rolloff.editions.compendium.aftermath import explode
from rolloff.editions.compendium.asking import Asked
from rolloff.editions.compendium.blows import CHARGED_ON, CONCUSSED, FIRST_STEP, Fighting
from rolloff.editions.compendium.crew import CrewState
from rolloff.editions.compendium.gathering import MASTERED, gathered
from rolloff.editions.compendium.losses import all_patches, dazed, losses
from rolloff.editions.compendium.morale import NONE, afraid_of, locks, swept, tested
from rolloff.editions.compendium.outcome import report, write_firers, write_hulls, write_target
from rolloff.editions.compendium.picking import Asking, Pick, Policies, picks_of, settled
from rolloff.editions.compendium.places import Places
from rolloff.editions.compendium.resolve import SUMS, Assault, Group, resolve
from rolloff.editions.compendium.squad import Policy, Squad
from rolloff.editions.compendium.targets import crew_of, target_of
from rolloff.oracle.dice import EnteredDice
from rolloff.oracle.flow import MORTAL, UNSAVED
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.oracle.roll import Dice, Spent
from rolloff.oracle.stage import table
from rolloff.rules.attack import AttackForm, FightResult
from rolloff.rules.citing import cites
from rolloff.rules.fights import ByInitiative, Scores
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.event import Event, Marked, ModelMarked, Patch, apply
from rolloff.table.state import State

ATTACKER, TARGET = 0, 1
Blow = tuple[int, int]
"""A model by its slot, and which of the things it does."""
Struck = frozenset[Blow]
Picks = tuple[tuple[int, Pick], ...]
_AMONG = {n: table("weapon", tuple(range(n)), "CF-VEH-6", sides=n) for n in (2, 3, 6)}


class Fight(Struct, frozen=True, cache_hash=True):
    """A fight between two units: the strikes of each, whose are rolled first, who locks, what they chose, who is afraid."""

    units: tuple[int, int]
    forms: tuple[AttackForm, AttackForm]
    sides: tuple[int, int]
    locked: tuple[bool, bool]
    picks: tuple[Picks, Picks] = ((), ())
    afraid: tuple[bool, bool] = (False, False)


def fight_of(game: Game, state: State, forms: Sequence[AttackForm]) -> Fight:
    """The fight that strikes of one unit at one other open; the other strikes with all it has."""
    first = merged(tuple(forms))
    back = AttackForm(first.target, first.attacker, MELEE, facing="front", everyone=first.everyone, charged=False)
    active = first.charged or game.side_of(first.attacker) == state.clock.active
    units = first.attacker, first.target
    ours, theirs = (locks(game, state, unit) for unit in units)
    return Fight(
        units,
        (replace(first, facing=first.facing or "front"), back),
        (ATTACKER, TARGET) if active else (TARGET, ATTACKER),
        (ours, theirs),
    )


def places_of(play: Play, state: State, form: AttackForm) -> Places:
    """Who stands where in a state, for one side's strikes."""
    return Places(Play(play.game, state, Oracle(EnteredDice(()), Defaults())), form)


# the fight


def resolve_fight(play: Play, fight: Fight) -> FightResult:
    """CF-ASLT-5: Fear tests, then Initiative steps 10 down to 1, then the result."""
    began = [len(play.state.units[unit].living) for unit in fight.units]
    afraid = play.run(fears, fight)
    fight = replace(fight, afraid=afraid, picks=play.once(picks, fight))
    scores = BY_INITIATIVE(play, fight)
    fallen = [before - len(play.state.units[unit].living) for before, unit in zip(began, fight.units, strict=True)]
    edge, ours, theirs = play.run(result, scores, fight)
    return FightResult(fallen[TARGET], fallen[ATTACKER], edge, ours, theirs)


def fears(play: Play, fight: Fight) -> tuple[bool, bool]:
    """Whether either side is afraid of the other."""
    found = []
    for unit, other in (fight.units, fight.units[::-1]):
        play.rolled_by = unit
        afraid = afraid_of(play.dice, play.game, play.state, unit, other)
        if afraid:
            play.emit("feared", ("SR-FEAR-1",), unit=unit)
        found.append(afraid)
    return found[0], found[1]


def picks(play: Play, fight: Fight) -> tuple[Picks, Picks]:
    """DP-23: the weapon of each model of both sides, before the first blow."""
    ours, theirs = (_picks(play, fight, side) for side in (ATTACKER, TARGET))
    return ours, theirs


def _picks(play: Play, fight: Fight, side: int) -> Picks:
    """The choices of one side; a vehicle that never locks strikes none (CF-VEH-13)."""
    if side == TARGET and not fight.locked[TARGET]:  # CF-VEH-13
        return ()
    fighting = Fighting(places_of(play, play.state, fight.forms[side]))
    if side == TARGET and not any(fighting.lookups.fighters[slot].profile.weapon_skill for slot in fighting.places.strikers()):
        return ()
    return tuple(picks_of(fighting, chooser_of(play, fight.forms[side])).items())


def chooser_of(play: Play, form: AttackForm) -> Asking | Policies:
    """Who chooses among ways to strike: the player, or the policies."""
    return Asking(play, form) if play.logged else Policies(play.policies)


def next_step(play: Play, before: int, struck: Struck, fight: Fight) -> int:
    """The next Initiative step below another at which somebody strikes; 0 if there is none."""
    blows = [blow for side in fight.sides for blow in play.once(blows_of, side, fight)]
    steps = {group.step for blow, group in blows if blow not in struck and 0 < group.step < before}
    return max(steps, default=0)


def blows_of(play: Play, side: int, fight: Fight) -> tuple[tuple[Blow, Group], ...]:
    """Everything the models of a side do from this state, each thing for itself; nothing where one side is gone."""
    if not all(play.state.units[unit].living for unit in fight.units):
        return ()
    places, chosen = places_of(play, play.state, fight.forms[side]), dict(fight.picks[side])
    fighting, found = Fighting(places), list[tuple[Blow, Group]]()
    strikers = places.strikers() if places.attackers and places.targets else ()
    for slot in strikers:
        if slot in chosen:
            index, smash = chosen[slot]
            held = fighting.held(slot)
            groups = fighting.hammer(slot) + fighting.strikes(slot, index if index in held else held[0], smash)
            found += [((slot, at), group) for at, group in enumerate(groups)]
    return tuple(found)


def strikes_at(play: Play, step: int, struck: Struck, fight: Fight) -> tuple[Scores, Struck]:
    """One Initiative step: both sides strike as they stood at its beginning."""
    begin, points = play.state, [0, 0]
    blows = [play.once(blows_of, side, fight) for side in (ATTACKER, TARGET)]
    for side in fight.sides:
        due = [(blow, group) for blow, group in blows[side] if group.step == step and blow not in struck]  # CF-ASLT-5
        if due and play.state.units[fight.units[1 - side]].living:
            points[side], slow = strike(play, begin, side, due, fight)
            struck = slowed(play, begin, 1 - side, step, struck, slow, blows[1 - side], fight)
    return (points[0], points[1]), struck


BY_INITIATIVE = ByInitiative(FIRST_STEP, next_step, strikes_at)  # CF-ASLT-5


def strike(play: Play, begin: State, side: int, due: list[tuple[Blow, Group]], fight: Fight) -> tuple[int, list[int]]:
    """The blows of one side at one step, on the enemy as earlier ones of the step left it: the score, and who is slowed."""
    form = fight.forms[side]
    places = places_of(play, begin, form)
    asked = Asked(play, form.attacker, form.target) if play.logged else None
    picker: Policy | Asked = asked or Policy(tries=play.policies.get("look_out", "always") != "never")
    groups = gathered([_cowed(group, fight.afraid[side], fight.afraid[1 - side]) for _, group in due])
    groups = settled(groups, chooser_of(play, form))
    target: Any = target_of(places, places.order([(slot, 0) for (slot, _), _ in due]), MELEE, picker)
    start = target.start(*_left(places, play.state, places.targets))
    crew, _ = crew_of(places)
    muster = crew.start(*_left(places, play.state, places.attackers))
    assault = Assault(BOOK, groups, target, crew, True, picker)
    play.rolled_by, play.receiver = form.attacker, form.target
    spent: Spent[Any, CrewState] = play.dice.run(resolve, assault, start, muster, SUMS if play.logged else (UNSAVED, MORTAL))
    assert spent.firer is not None
    slow = dazed(target, spent.state) if isinstance(target, Squad) else []
    if asked is None:
        _note_quietly(play, places, target, (start, muster), spent)
        return sum(spent.counts), slow
    counts = dict(zip(SUMS, spent.counts, strict=True))
    report(play, form.attacker, form.target, MELEE, spent.counts, "CF-ASLT-7")
    for slot in write_hulls(play, form.target, target, start, spent.state, asked):
        explode(play, form.target, slot)
    write_target(play, form.target, target, start, spent.state)
    write_firers(play, places, muster, spent.firer)
    if asked.mastered:
        patches = [ModelMarked(slot, f"{MASTERED}{index}", 1) for slot, index in asked.mastered]
        play.emit("mastered", ("SR-MASTER-CRAFTED-1",), *patches, unit=form.attacker)
    return counts[UNSAVED] + counts[MORTAL], slow


def _note_quietly(play: Play, places: Places, target: Any, began: tuple[Any, CrewState], spent: Spent[Any, CrewState]) -> None:
    """The same losses where nobody reads of them."""
    assert spent.firer is not None
    start, muster = began
    patches = all_patches(play.state, target, start, spent.state, partial(_lost, play.dice))
    play.emit("casualties", ("CF-DMG-1",), *patches)
    play.emit(
        "burnt", ("SR-GETS-HOT-1",), *losses(play.state, zip(places.attackers, muster.left, spent.firer.left, strict=True))
    )


@cites("SR-CONCUSSIVE-2")
def slowed(
    play: Play,
    begin: State,
    side: int,
    step: int,
    struck: Struck,
    slow: list[int],
    blows: tuple[tuple[Blow, Group], ...],
    fight: Fight,
) -> Struck:
    """SR-CONCUSSIVE-2: who has not struck yet drops to step 1; what a model has done it does not do again."""
    patches: list[Patch] = []
    for slot in slow:
        own = [(blow, group.step) for blow, group in blows if blow[0] == slot and blow not in struck]
        if begin.model_mark(slot, CONCUSSED) is None and all(at >= step for _, at in own):
            patches.append(ModelMarked(slot, CONCUSSED, None))
        else:
            struck |= {blow for blow, at in own if at >= step}
    if patches:
        play.emit("concussed", ("SR-CONCUSSIVE-2",), *patches, unit=fight.units[side], models=())
    return struck


# the result


@cites("CF-ASLT-9")
def result(play: Play, scores: Scores, fight: Fight) -> tuple[int, str, str]:
    """CF-ASLT-9: the lower score loses and takes a Morale check; without a second side that locks there is no result."""
    edge = (scores[0] > scores[1]) - (scores[0] < scores[1])
    if not edge or not all(fight.locked):  # CF-VEH-13
        play.emit("combat-tied", ("CF-ASLT-9",), unit=fight.units[0], target=fight.units[1])
        return 0, NONE, NONE
    loser = TARGET if edge > 0 else ATTACKER
    own, by = fight.units[loser], fight.units[1 - loser]
    play.rolled_by = own
    word = tested(play.dice, play.game, play.state, own, abs(scores[0] - scores[1]))
    word = swept(play.dice, play.game, play.state, word, own, by)
    play.emit("combat-won", ("CF-ASLT-9",), unit=by, target=own, by=abs(scores[0] - scores[1]), word=word)
    return (edge, NONE, word) if loser == TARGET else (edge, word, NONE)


def merged(forms: tuple[AttackForm, ...]) -> AttackForm:
    """Several strikes of one unit at one other as one: all weapons they name."""
    named = [form.weapons for form in forms]
    if any(weapons is None for weapons in named):
        return replace(forms[0], weapons=None)
    return replace(forms[0], weapons=tuple(dict.fromkeys(pair for weapons in named for pair in weapons or ())))


def met(state: State, form: AttackForm) -> State:
    """The state with the target marked as charged, if it is (SR-COUNTER-ATTACK-1)."""
    return apply(state, Event("odds", (), (Marked(form.target, CHARGED_ON, 1),))) if form.charged else state


def _left(places: Places, now: State, slots: tuple[int, ...]) -> list[int]:
    """What some models have left in a state, 0 for the fallen."""
    living = {slot for unit in now.units for slot in unit.living}
    return [places.lookups.fighters[slot].profile.wounds - now.wounds_on(slot) if slot in living else 0 for slot in slots]


def _lost(dice: Dice, weapons: int) -> int:
    """CF-VEH-6: which weapon of a Walker is destroyed; of numbers no roll of one or two dice shares out evenly, the first."""
    if weapons == 4:
        return 2 * dice.ask(_AMONG[2]) + dice.ask(_AMONG[2])
    return dice.ask(_AMONG[weapons]) if weapons in _AMONG else 0


@cites("SR-FEAR-2")
def _cowed(group: Group, striker: bool, target: bool) -> Group:
    """SR-FEAR-2: who is afraid has WS 1, striking and being struck."""
    strike = group.strike
    if target and strike.enemy.weapon_skill:
        strike = replace(strike, enemy=replace(strike.enemy, weapon_skill=1))
    if striker and not strike.automatic:
        strike = replace(strike, skill=1)
    return replace(group, strike=strike)
