"""Who bears wounds: the choices of an attack put to players, and mortal wounds that come from no attack.

In a game players are asked, and whatever the end of a model does to other units is done at once. On a play nobody reads choices
are policies, and what the fallen inflict on the enemy before them is owed until the attacks that felled them are resolved.
"""

from __future__ import annotations

from functools import partial
from math import inf

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions.commentary import places
from rolloff.editions.commentary.aftermath import MADE, dying_now, losses, settle
from rolloff.editions.commentary.attack import policy_of
from rolloff.editions.commentary.bearing import DEMISE_REACH, PARRIED, bearers_for, touched_before
from rolloff.editions.commentary.lookups import Host, host_of
from rolloff.editions.commentary.saves import PARRY, SAVE_ROLL, no_pain, working
from rolloff.editions.commentary.target import (
    BY_THE_BOOK,
    NOBODY,
    TO_CHARACTER,
    TO_UNIT,
    Bearer,
    Company,
    Policy,
    TargetState,
    saving_by,
    throughout,
)
from rolloff.errors import IllegalCommand
from rolloff.oracle.flow import Harm
from rolloff.oracle.roll import Dice
from rolloff.oracle.stage import Stage
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.rules.losses import lose
from rolloff.rules.play import Play
from rolloff.rules.transports import passengers
from rolloff.rules.windows import Moment, listened, window
from rolloff.table.event import Removed
from rolloff.table.state import TABLE, State

DEMISE, FELLED = "demise", "felled"
"""The moments at which a model is destroyed: when its end may do something to others, and before that."""


class Due(Struct):
    """A unit whose losses are not settled yet: which of its models still stand, and the mortal wounds that wait for them."""

    standing: tuple[int, ...]
    wounds: int = 0


class Asked:
    """Puts the choices of an attack to the players, and carries out what the end of a model does to other units."""

    def __init__(self, play: Play, host: Host, attacker: int, owed: dict[int, Due], cause: str) -> None:
        """Ask on behalf of a unit; ``owed`` knows what is due to units whose losses are not settled yet.

        ``cause``: the kind of attack that is made, if one is.
        """
        self.play, self.host, self.attacker, self.owed, self.strict = play, host, attacker, owed, play.oracle.strict
        self.cause = cause if cause and listened(play, FELLED) else ""
        self.kind = cause
        self.taken: list[int] = []
        self.names: tuple[str, ...] = ()  # of its models, once somebody is asked about them
        self.spared = False
        self.pains: dict[tuple[int, ...], int] = {}  # which Feel No Pain is used, where these may be
        self.saved: dict[tuple[str, ...], str] = {}  # which save is taken, where these may be
        self.parried: set[int] = set()
        owed[host.unit] = Due(host.slots)

    def as_chosen(self, company: Company, muster: TargetState) -> Policy:
        """The choices that were made, as a policy: whoever was named first, then who fell or was hurt without a question."""
        hurt = sorted(range(company.models), key=lambda at: (company.stands(muster, at), not muster.lost[at], at))
        order = tuple(dict.fromkeys((*self.taken, *(at for at in hurt if muster.lost[at]))))
        return Policy(precision=TO_UNIT if self.spared else TO_CHARACTER, order=order)

    @property
    def told(self) -> bool:
        """Whether the owner said which saves or Feel No Pain are used."""
        return bool(self.pains or self.saved)

    def as_borne(self, bearers: tuple[Bearer, ...]) -> tuple[Bearer, ...]:
        """The models with the saves and the Feel No Pain they used, where some were said."""
        return tuple([throughout(bearer, self._as_borne) for bearer in bearers])

    def _as_borne(self, bearer: Bearer) -> Bearer:
        """The same of one of them."""
        if self.saved:
            bearer = saving_by(bearer, tuple(self.saved.items()))
        need = self.pains.get(tuple(working(bearer.pains, Harm())))
        return bearer if need is None else replace(bearer, rung=replace(bearer.rung, shrug=no_pain(need)))

    def paid(self, dice: Dice, company: Company, muster: TargetState) -> TargetState:
        """The muster of the unit after whatever became due to it meanwhile; its losses can then be settled."""
        due = self.owed[self.host.unit]
        while due.wounds:
            wounds, due.wounds = due.wounds, 0
            muster = company.mortals(dice, muster, wounds)
        del self.owed[self.host.unit]
        if self.play.unsettled:
            self.play.unsettled = tuple([slot for slot in self.play.unsettled if slot not in self.host.slots])
        return muster

    def pick(self, company: Company, muster: TargetState, options: tuple[int, ...], mortal: bool = False) -> int:
        """DP-32, DP-55: the owner allocates, mortal wounds too; by default to the model with the fewest wounds left."""
        clause, point = ("MW-3", "DP-55") if mortal else ("ATK-4", "DP-32")
        return self._allocated(company, muster, options, clause, point)

    def fails(self, company: Company, muster: TargetState, options: tuple[int, ...]) -> int:
        """DP-36: the owner says whose Hazardous weapon failed; by default that of the model with the fewest wounds left."""
        return self._allocated(company, muster, options, "WPN-14", "DP-36")

    def _allocated(self, company: Company, muster: TargetState, options: tuple[int, ...], clause: str, point: str) -> int:
        default = BY_THE_BOOK.pick(company, muster, options)
        names, play, unit = self._names(company, options), self.play, self.host.unit
        named = names[options.index(default)]
        why = partial(self._why_not, company, muster, options) if self.strict and clause == "ATK-4" else None
        answer = play.choose(play.game.sides[unit], "allocate", clause, names, named, unit, point, None, why)
        at = options[names.index(str(answer))]
        if len(options) > 1:
            self.taken.append(at)
        return at

    @cites("ATK-4", "ATK-5")
    def _why_not(self, company: Company, muster: TargetState, options: tuple[int, ...], said: object) -> IllegalCommand | None:
        """ATK-4, ATK-5: why a model that is still there may not be allocated an attack."""
        every = self._names(company, tuple(range(company.models)))
        at = every.index(said) if isinstance(said, str) and said in every else NOBODY
        if at == NOBODY or not company.stands(muster, at):
            return None
        if company.bearers[at].character and not company.bearers[options[0]].character:
            message = f"no attack is allocated to {said} while a Bodyguard model remains"
            return IllegalCommand("led", "ATK-5", message, said)
        message = f"who has lost wounds or was allocated attacks this phase comes before {said}"
        return IllegalCommand("begun", "ATK-4", message, said)

    def precise(self, company: Company, muster: TargetState, options: tuple[int, ...]) -> int:
        """DP-33: the attacker names a CHARACTER, or the unit to leave it to the owner; by default a CHARACTER."""
        default = BY_THE_BOOK.precise(company, muster, options)
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
        every = self.names
        if not every:
            models = self.play.game.models
            every = self.names = tuple([models[bearer.slot].id for bearer in company.bearers])
        return every if len(options) == len(every) else tuple(map(every.__getitem__, options))

    @cites("WHEN-1")
    def falls(self, bearer: Bearer) -> None:
        """WHEN-1: what is used when a model is destroyed by an attack comes first; only then is it gone."""
        play = self.play
        if self.cause:
            held, facts = (play.rolled_by, play.receiver), (("slot", bearer.slot), ("cause", self.cause))
            window(play, Moment(FELLED, self.host.unit, (), False, facts))
            play.rolled_by, play.receiver = held
        play.unsettled = (*play.unsettled, bearer.slot)

    @cites("FIGHTDEATH-3", "SHOOTDEATH-2")
    def lingers(self, bearer: Bearer) -> bool:
        """FIGHTDEATH-3, SHOOTDEATH-2: a destroyed model that may act does so before anything else its destruction brings.

        Where passengers wait for its end, nothing waits.
        """
        play, slot = self.play, bearer.slot
        if not self.kind or not listened(play, MADE) or passengers(play.state, self.host.unit):
            return False
        from rolloff.editions.commentary.afterlife import may_act  # which comes after attacks, as it makes them

        if not may_act(play, slot, self.kind):
            return False
        play.emit("demise-waits", ("FIGHTDEATH-3", "SHOOTDEATH-2"), unit=self.host.unit, model=slot)
        return True

    def surely(self, bearer: Bearer) -> bool:
        """ABIL-1: whether a rule lets the end of a model take effect without a die (AUTO-1)."""
        facts = (("slot", bearer.slot),)
        held = self.play.rolled_by, self.play.receiver
        found = window(self.play, Moment(DEMISE, self.host.unit, (), False, facts))
        self.play.rolled_by, self.play.receiver = held
        return any(result is True for result in found)

    def threatened(self, deadly: bool) -> None:
        """DP-63: who answers by default changes the Damage of what could destroy the model."""
        self.play.deadly = deadly

    def parries(self, bearer: Bearer, rolled: bool) -> bool:
        """AB-R10: whether the bearer of a wound that was not saved changes its Damage to 0; also if no save could succeed."""
        if not rolled:
            self.play.unrolled(SAVE_ROLL, PARRY)
        now = self.play.state.model_mark(bearer.slot, PARRIED) is not None and bearer.slot not in self.parried
        self.parried |= {bearer.slot} if now else set()
        return now

    def saves(self, bearer: Bearer, names: tuple[str, ...]) -> str:
        """DP-34: the owner says once for an attack which save is taken; by default by the better odds."""
        used, play, unit = self.saved.get(names), self.play, self.host.unit
        if used is None:
            facts = {"purpose": SAVE_ROLL}
            side = play.game.sides[unit]
            found = play.choose(side, "choose-option", "ATK-6", names, names[0], unit, "DP-34", None, None, **facts)
            used = self.saved[names] = str(found)
        return used

    def shrugs(self, bearer: Bearer, needs: list[int]) -> int:
        """DP-35: the owner says once for an attack which Feel No Pain is used, where the same may be; by default the best."""
        key, play, unit = tuple(needs), self.play, self.host.unit
        if key not in self.pains:
            options = tuple([f"{need}+" for need in needs])
            side = play.game.sides[unit]
            facts = {"purpose": "feel no pain"}
            found = play.choose(side, "choose-option", "ABIL-3", options, options[0], unit, "DP-35", None, None, **facts)
            self.pains[key] = needs[options.index(str(found))]
        return self.pains[key]

    def demise(self, bearer: Bearer) -> Stage[int]:
        """DUP-2, DP-31: of several Deadly Demise the owner says which is used each time; by default the best."""
        ends, play, unit = dict(bearer.demises), self.play, self.host.unit
        options, facts = tuple(ends), {"purpose": "deadly demise"}
        side = play.game.sides[unit]
        found = play.choose(side, "choose-option", "DUP-2", options, options[0], unit, "DP-31", None, None, **facts)
        return ends[str(found)]

    def beyond(self, dice: Dice, bearer: Bearer, standing: tuple[int, ...]) -> None:
        """ABIL-1: each other unit close to the destroyed model suffers its own number of mortal wounds, at once.

        Who is close is seen before the first of them does: an end that one of theirs has in turn saves no other from this.
        """
        assert bearer.demise is not None
        self.owed[self.host.unit].standing = standing
        for unit in self._near(bearer.slot):
            due = self.owed.get(unit)
            if not (without(self.play.state.units[unit].living, dying_now(self.play)) if due is None else due.standing):
                continue  # DICE-6: no die for who has no wounds left
            count = dice.ask(bearer.demise)
            if due is not None:
                due.wounds += count
            else:
                demised(self.play, unit, count, self.host.unit, self.owed)

    def _near(self, slot: int) -> list[int]:
        """The other units of which a model stands within reach of the end of one; not who is there only to act."""
        game, state, dying, found = self.play.game, self.play.state, dying_now(self.play), list[int]()
        for number, unit in enumerate(state.units):
            due = self.owed.get(number)
            living = without(unit.living, dying) if due is None else due.standing
            if number != self.host.unit and unit.where == TABLE and _close(game, state, slot, living):
                found.append(number)
        return found


def without(slots: tuple[int, ...], dying: tuple[int, ...]) -> tuple[int, ...]:
    """Those of some models that are not among the destroyed ones."""
    return tuple([slot for slot in slots if slot not in dying]) if dying else slots


def _close(game: Game, state: State, slot: int, others: tuple[int, ...]) -> bool:
    return places.within(places.apart(game, state, (slot,), others).nearest[slot], DEMISE_REACH)


def picker_of(play: Play, host: Host, attacker: int, owed: dict[int, Due] | None = None, cause: str = "") -> Asked | Policy:
    """Who chooses about the wounds of a unit: its players in a game, policies where nobody is asked."""
    return Asked(play, host, attacker, {} if owed is None else owed, cause) if play.logged else policy_of(play.policies)


@cites("ABIL-1")
def facing(play: Play, bearers: tuple[Bearer, ...], enemy: int) -> tuple[Bearer, ...]:
    """ABIL-1: whose end reaches the enemy, where it is owed: in a fight everybody's, unless positions say otherwise."""
    if play.logged or enemy == NOBODY:
        return bearers
    before = host_of(play.game, play.state, enemy)

    def faced(bearer: Bearer) -> Bearer:
        return replace(bearer, facing=True) if bearer.demise is not None and _reaches(play, bearer.slot, before) else bearer

    return tuple([throughout(bearer, faced) for bearer in bearers])


def _reaches(play: Play, slot: int, enemy: Host) -> bool:
    far = places.range_to(play.game, play.state, slot, enemy)
    return far == inf or places.within(far, DEMISE_REACH)


def demised(play: Play, unit: int, count: int, by: int, owed: dict[int, Due] | None = None) -> None:
    """Mortal wounds from the end of a model, settled at once (MW-4)."""
    mortal_wounds(play, unit, count, "deadly-demise", by, "ABIL-1", owed=owed)


def mortal_wounds(
    play: Play,
    unit: int,
    count: int,
    cause: str,
    by: int,
    *clauses: str,
    owed: dict[int, Due] | None = None,
    traits: tuple[str, ...] = (),
) -> None:
    """MW-2: mortal wounds that come from no attack, applied at once; what dice they bring its unit rolls."""
    host = host_of(play.game, play.state, unit)
    dying = dying_now(play) if play.logged else ()
    if dying:
        host = replace(host, slots=without(host.slots, dying), guests=without(host.guests, dying))  # FIGHTDEATH-3
    if not host.slots:
        return
    held, play.receiver = (play.rolled_by, play.receiver), host.unit
    picker = picker_of(play, host, by, owed)
    company = Company(facing(play, bearers_for(play.game, play.state, host), by), picker)
    start, dice = company.start(touched_before(play.game, play.state, host)), play.dice
    muster = dice.aside(lambda: picker.paid(dice, company, company.mortals(dice, start, count, traits=traits)))
    settle(play, unit, losses(play.state, company.bearers, muster), cause, by, *clauses, "MW-2")
    play.rolled_by, play.receiver = held
    if muster.owed:
        demised(play, by, muster.owed, unit)


@cites("TRANS-10", "ABIL-1")
def destroy(play: Play, slot: int, *clauses: str, kind: str = "destroyed") -> None:
    """A model is destroyed by no attack: what its end does to others (ABIL-1), then it is removed and passengers get out.

    ``kind`` is that of the event by which it is removed.
    """
    host = host_of(play.game, play.state, play.state.owner_of(slot))
    picker = picker_of(play, host, host.unit)
    company = Company(bearers_for(play.game, play.state, host), picker)
    play.rolled_by = play.receiver = host.unit
    at = [bearer.slot for bearer in company.bearers].index(slot)
    muster = company.destroy(play.dice, company.start(touched_before(play.game, play.state, host)), at)
    muster = picker.paid(play.dice, company, muster)
    harmed = losses(play.state, company.bearers, muster)
    others = [patch for patch in harmed if not (isinstance(patch, Removed) and patch.slot == slot)]
    settle(play, host.unit, others, "deadly-demise", host.unit, "ABIL-1", "MW-2")
    lose(play, kind, clauses, play.state.owner_of(slot), [slot], models=(slot,))
