"""The attack form of the edition (`rules.attack`): shooting, or one unit's strikes in close combat, rolled or exact."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Sequence as SequenceOf
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions.compendium.abilities import BOOK
from rolloff.editions.compendium.ability import MELEE, SHOOTING
from rolloff.editions.compendium.aftermath import explode
from rolloff.editions.compendium.arms import arms_of
from rolloff.editions.compendium.asking import Asked
from rolloff.editions.compendium.blows import SMASH
from rolloff.editions.compendium.crew import CrewState
from rolloff.editions.compendium.fight import fight_of, met, picks, resolve_fight
from rolloff.editions.compendium.gathering import MASTERED, nameless
from rolloff.editions.compendium.hull import Fleet, Squadron
from rolloff.editions.compendium.lookups import Fighter
from rolloff.editions.compendium.losses import written
from rolloff.editions.compendium.matchup import CHARIOT
from rolloff.editions.compendium.outcome import report, write_firers, write_hulls, write_target
from rolloff.editions.compendium.own_losses import no_losses, own_losses
from rolloff.editions.compendium.picking import Asking, Policies, settled
from rolloff.editions.compendium.places import Places
from rolloff.editions.compendium.resolve import SUMS, Assault, Group, resolve
from rolloff.editions.compendium.sequence import rolls_of
from rolloff.editions.compendium.shots import USED, has_moved
from rolloff.editions.compendium.squad import Policy, Squad, Standing
from rolloff.editions.compendium.targets import crew_of, start_of, target_of, with_names
from rolloff.errors import BadInput, IllegalCommand
from rolloff.oracle.dice import EnteredDice
from rolloff.oracle.flow import Tally
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.oracle.roll import Dice, Spent
from rolloff.oracle.stage import Stage
from rolloff.rules.attack import AttackForm, AttackSequence, Change, FightResult, Plan
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.rules.transports import passengers
from rolloff.table.event import ModelMarked, Patch
from rolloff.table.state import TABLE, State

KINDS = (SHOOTING, MELEE)
MOST_FOLLOWED = 60
"""How many attacks are computed where some of them have to be followed one by one."""


class Ready(Struct, frozen=True):
    """An attack ready to be resolved: its groups, both sides as targets and how they stand, and the weapons used.

    Odds, which name nobody, do without the crew.
    """

    assault: Assault
    start: Any
    muster: CrewState | None
    used: tuple[tuple[int, int], ...]


class Sequence(AttackSequence):
    """Attacks of the edition by themselves. ``policies`` are the choices odds can be asked under, the default first."""

    policies: Mapping[str, tuple[str, ...]] = {
        "allocation": ("book",),
        "rerolls": ("failures",),
        "weapons": ("best", "first"),
        SMASH: ("best", "always", "never"),
        "look_out": ("always", "never"),
        "devastating": ("taken", "declined"),
    }

    def run(self, play: Play, form: AttackForm) -> None:
        """Roll it, with saves, Damage, the Vehicle Damage table and what rules roll at the end."""
        places = Places(play, form)
        asked = Asked(play, form.attacker, form.target)
        ready = prepare(places, Asking(play, form), asked)
        play.rolled_by, play.receiver = form.attacker, form.target
        _declare(play, places, ready)
        spent = play.dice.run(resolve, ready.assault, ready.start, ready.muster, SUMS)
        report(
            play, form.attacker, form.target, form.kind, spent.counts, "CF-SHOOT-3" if form.kind == SHOOTING else "CF-ASLT-7"
        )
        target = ready.assault.target
        for slot in write_hulls(play, form.target, target, ready.start, spent.state, asked):
            explode(play, form.target, slot)
        write_target(play, form.target, target, ready.start, spent.state)
        assert spent.firer is not None and ready.muster is not None
        write_firers(play, places, ready.muster, spent.firer)
        if asked.mastered:
            patches = [ModelMarked(slot, f"{MASTERED}{index}", 1) for slot, index in asked.mastered]
            play.emit("mastered", ("SR-MASTER-CRAFTED-1",), *patches, unit=form.attacker)

    def plan(self, game: Game, state: State, form: AttackForm, policies: Mapping[str, str]) -> Plan:
        """The same groups for exact odds, under the policies named."""
        play = Play(game, state, Oracle(EnteredDice(()), Defaults()))
        places = Places(play, form)
        picker = Policy(tries=policies.get("look_out", "always") != "never")
        ready = prepare(places, Policies(policies), picker, named=False)
        assault = replace(ready.assault, groups=nameless(ready.assault.groups))
        order = tuple([places.targets[at] for at in assault.target.places()])
        step = None if assault.plain else step_of(_computable(assault))
        own = own_losses(places, ready.assault, ready.start)
        return Plan(
            assault.volleys(),
            assault.target,
            ready.start,
            None,
            order,
            audit(assault.groups),
            policies,
            step=step,
            left=left,
            mortal=True,
            own_losses=no_losses if own is None else own[0],
            toll=None if own is None else own[1],
        )

    def exchange(
        self, game: Game, state: State, forms: SequenceOf[AttackForm], policies: Mapping[str, str]
    ) -> Callable[[Dice], FightResult]:
        """The Fight sub-phase between two units, for odds."""
        from rolloff.rules.laws import over_any_dice  # numpy is loaded only when odds are wanted

        state = met(state, forms[0])
        fight = fight_of(game, state, forms)
        picks(Play(game, state, Oracle(EnteredDice(()), Defaults())), fight)  # what cannot be is refused here
        return over_any_dice(game, state, policies, resolve_fight, fight)


def _computable(assault: Assault) -> Assault:
    """Refuse what would take too long: attacks that volleys do not tell are followed one by one."""
    most = sum(part.weapons * _most(part.count) for group in assault.groups for part in group.parts)
    if most > MOST_FOLLOWED:
        message = f"{most} attacks with Master-crafted or Deflagrate among them are too many to be computed"
        raise BadInput("too-large", message, where="attacks", allowed=f"up to {MOST_FOLLOWED} attacks")
    return assault


def _most(count: int | Stage[int]) -> int:
    return count if isinstance(count, int) else max(number for number, _ in count.law())


def step_of(assault: Assault) -> Callable[[Dice, Any, tuple[Tally, ...]], Spent[Any, Any]]:
    """An event that its volleys do not tell, as a step any dice can carry out."""

    def step(dice: Dice, start: Any, tallies: tuple[Tally, ...] = ()) -> Spent[Any, Any]:
        return resolve(dice, assault, start, None, tallies)

    return step


# getting ready


def prepare(places: Places, chooser: Policies | Asking, picker: Policy | Asked, named: bool = True) -> Ready:
    """Everything about an attack that is settled before the first die; ``named``: the models of the target have slots."""
    form = places.form
    _check(places)
    arms = arms_of(places, chooser)
    groups = settled(arms.groups, chooser)
    target = target_of(places, places.order(arms.firing), form.kind, picker, arms.lighting, named)
    if not target.order:
        raise IllegalCommand("no-shot", "CF-ALLOC-1", "no model of the target is in range and in sight", None)
    crew, muster = crew_of(places) if named else (None, None)
    return Ready(Assault(BOOK, groups, target, crew, True, picker), start_of(places, target), muster, arms.used)


def _check(places: Places) -> None:
    if places.form.kind not in KINDS:
        raise BadInput(
            "bad-kind",
            f"do.attack.kind: this edition resolves no {places.form.kind} by itself yet",
            where="do.attack.kind",
            allowed=", ".join(KINDS),
        )
    if not places.attackers or not places.targets:
        raise BadInput("no-models", "do.attack: both units need living models", where="do.attack", allowed="living models")
    game = places.play.game
    if game.side_of(places.form.attacker) == game.side_of(places.form.target):
        clause = "CF-SHOOT-1" if places.form.kind == SHOOTING else "CF-ASLT-6"
        raise IllegalCommand("no-enemy", clause, "the target is no enemy", game.names[places.form.target])
    fighters = places.unlike(places.targets)
    if len({fighter.vehicle for fighter in fighters}) > 1:
        raise BadInput(
            "mixed-unit", "a unit of vehicles and others is not resolved", where="do.attack.target", allowed="one kind"
        )
    _ridden(places, fighters)
    _on_the_table(places)
    if passengers(places.play.state, places.form.target):
        message = "do.attack.target: attacks on a Transport with units aboard are planned and not in force yet"
        raise BadInput("rule-planned", message, where="do.attack.target", allowed="an empty Transport", clause="CF-PROF-9")


def _on_the_table(places: Places) -> None:
    """Who is not on the table neither attacks nor is attacked; the fire of passengers is planned (CF-PROF-9)."""
    state, names = places.play.state, places.play.game.names
    for unit, where in ((places.form.attacker, "do.attack.attacker"), (places.form.target, "do.attack.target")):
        if state.units[unit].where >= 0:
            message = f"{where}: attacks by and on a unit aboard a Transport are planned and not in force yet"
            raise BadInput("rule-planned", message, where=where, allowed="a unit on the table", clause="CF-PROF-9")
        if state.units[unit].where != TABLE:
            message = f"{where}: {names[unit]} is not on the table"
            raise BadInput("not-on-table", message, where=where, allowed="a unit on the table")


@cites("CF-PROF-9")
def _ridden(places: Places, fighters: list[Fighter]) -> None:
    """CF-PROF-9: what a Chariot suffers, and its fire on the move, is planned: rider and Chariot are not told apart yet."""
    moving = places.form.kind == SHOOTING and has_moved(places)
    firing = [places.lookups.fighters[slot] for slot in places.attackers] if moving else []
    for fighter, where in [(one, "do.attack.target") for one in fighters] + [(one, "do.attack.attacker") for one in firing]:
        if CHARIOT in fighter.types:
            what = "attacks on a Chariot are" if where.endswith("target") else "the fire of a Chariot that moved is"
            message = f"{where}: {what} planned and not in force yet"
            raise BadInput("rule-planned", message, where=where, allowed="units without the type Chariot", clause="CF-PROF-9")


# telling


def _declare(play: Play, places: Places, ready: Ready) -> None:
    """SR-ONE-USE-ONLY-2: a weapon is spent when it is declared."""
    patches: list[Patch] = []
    for slot, index in dict.fromkeys(arm for group in ready.assault.groups for part in group.parts for arm in part.arms):
        if index >= 0 and places.lookups.fighters[slot].weapons[index].has("One Use Only"):
            patches.append(ModelMarked(slot, f"{USED}{index}", 1))  # SR-ONE-USE-ONLY-2
    form = places.form
    names = tuple(dict.fromkeys(group.name for group in ready.assault.groups))
    kind, clauses = ("shot", ("CF-SHOOT-1",)) if form.kind == SHOOTING else ("struck", ("CF-ASLT-5",))
    steps = tuple(group.step for group in ready.assault.groups)
    models = tuple(dict.fromkeys(slot for slot, _ in ready.used))
    play.emit(kind, clauses, *patches, unit=form.attacker, target=form.target, weapons=names, models=models, steps=steps)


def audit(groups: tuple[Group, ...]) -> tuple[Change, ...]:
    """What alters the plain numbers, line by line."""
    found: list[Change] = []
    for group in groups:
        for roll in (roll for part in group.parts for roll in rolls_of(part.strike, BOOK)):
            for change in roll.audit:
                found += [Change(change.what, change.before, change.after, clause) for clause in change.clauses[:1]]
    return tuple(dict.fromkeys(found))


def left(game: Game, state: State, plan: Plan, end: Standing | Fleet) -> State:
    """Where a planned attack leaves the game."""
    assert isinstance(plan.target, Squad | Squadron)
    return written(state, with_names(plan.target, plan.order), plan.start, end)
