"""An attack form with what it is about: both units whole, and what the moment before the first die says (TCOND-1)."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from rolloff.editions.commentary import places
from rolloff.editions.commentary.ability import SHOOTING
from rolloff.editions.commentary.lookups import BIG, Host, UnitIndex, host_of
from rolloff.editions.commentary.sight import sight_of
from rolloff.editions.commentary.unit_values import added_to
from rolloff.errors import BadInput, IllegalCommand
from rolloff.geometry.sampled import Shots
from rolloff.lazy import lazy
from rolloff.rules.attack import AttackForm
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.table.profile import Rule
from rolloff.table.state import TABLE, Marks, State

ADVANCED, FELL_BACK, CHARGED, STATIONARY, OVERWATCH = "advanced", "fell-back", "charged", "stationary", "overwatch"
MOVES = ("moved", ADVANCED, FELL_BACK)
"""The marks of a unit that has made a move in its turn: it did not Remain Stationary, whatever other marks say (STAT-1)."""


DECK, FIRING_DECK = "deck:", "Firing Deck"
END_ATTACKS = "end-attacks"


ALLOCATED = "allocated"


LONE = "Lone Operative"


class Barred(NamedTuple):
    """What forbids a weapon to fire: a code, the clause, and a sentence about ``{name}``."""

    code: str
    clause: str
    says: str


class Gun(NamedTuple):
    """A ranged weapon in an attack: its place, how far a target may be, if it fires unseen or only once, what forbids it."""

    at: int
    reach: int
    indirect: bool
    single: bool
    barred: Barred | None


class Arsenal(Struct, frozen=True):
    """The ranged weapons of a unit as they may be fired at a target, each with whose it is.

    Of those not barred to all also the slots and places alone, of which some are fired only ``once``, and what distance and
    sight ask of them: nothing where some are fired from the deck. ``everyone``: whose weapons they are, the deck's too.
    """

    rows: Sequence[tuple[int, Gun]] = ()
    everyone: tuple[int, ...] = ()
    pairs: tuple[tuple[int, int], ...] = ()
    once: tuple[tuple[int, int], ...] = ()
    shots: Shots | None = None

    def gun(self, slot: int, index: int) -> Gun:
        """The one of a slot and place."""
        return next(gun for bearer, gun in self.rows if bearer == slot and gun.at == index)


NOTHING_REOPENED: frozenset[tuple[int, int]] = frozenset()


class Case:
    """An attack form with what it is about: both units whole, and what the moment before the first die says (TCOND-1)."""

    before: Case | None
    """The attack when its target was selected, where what conditions are read from has changed since (`selected_in`)."""
    reopened: frozenset[tuple[int, int]]
    """Weapons whose target was selected after that change (ELIG-1)."""
    able: tuple[tuple[int, int], ...]
    """Weapons that were judged before, and which nothing forbids to be fired at the target."""
    arms: Arsenal | None
    """The ranged weapons of the attacker, once somebody asked (`choosing`)."""
    borrowed: tuple[tuple[int, int], ...]
    """ABIL-5: weapons of embarked models the attacker counts as equipped with."""
    everyone: tuple[int, ...]
    """The attacker's models and those whose weapons it borrows."""
    singled: bool
    """Whether some model has an ability of its own for a while."""
    placed: bool
    """Whether both units stand on the table."""
    standing: tuple[int, ...]
    """The attacker's models with a place on the table; an attached model without one looks and measures from them."""
    bare: bool
    """Whether cards and form say it all: two whole units by themselves, unhurt, unmarked and nowhere on an empty table."""
    locked: bool
    """LIC-1: whether the attacker is within Engagement Range of an enemy."""
    target_locked: bool
    """Whether the target is within Engagement Range of the attacker's army."""

    def __init__(self, game: Game, state: State, form: AttackForm) -> None:
        """Look at a form; `BadInput` for one about nobody."""
        self.game, self.state, self.form = game, state, form
        lookups: UnitIndex = game.lookups
        self.lookups = lookups
        self.before, self.reopened, self.able, self.arms, self.borrowed = None, NOTHING_REOPENED, (), None, ()
        attacker = self.attacker = host_of(game, state, form.attacker)
        target = self.target = host_of(game, state, form.target)
        held, sides, slots = state.units[attacker.unit], game.sides, attacker.slots
        self.marks = held.marks
        if not slots or held.where != TABLE:
            raise _not_there("attacker", "EMB-1")
        if not target.slots or state.units[target.unit].where != TABLE:
            raise _not_there("target", "EMB-2")
        if sides[attacker.unit] == sides[target.unit]:
            raise IllegalCommand("own-unit", "SHOOT-2", "the target of an attack is an enemy unit", game.names[form.target])
        here = places.on_table(state.xy)
        if here.issuperset(slots) and here.issuperset(target.slots):  # as in a game nearly always
            self.placed, self.standing, self.bare = True, slots, False
        else:
            self.placed = places.placed(state, attacker, target)
            self.standing = slots if here.issuperset(slots) else tuple([slot for slot in slots if slot in here])
            self.bare = self._is_bare()
        self.locked = self.target_locked = False
        if not self.bare and not places.nobody_engaged(game, state):
            self.locked = places.is_engaged(game, state, attacker)
            self.target_locked = places.is_engaged(game, state, target)
        self.singled = bool(state.models) and bool(lookups.singled(state))
        self.everyone = slots
        if held.marks and (deck := borrowed(state, attacker.unit)):
            self.borrowed, self.everyone = deck, with_deck(slots, deck)

    def named(self, form: AttackForm) -> Case:
        """The same attack by a form that names other weapons, with what was found out about both units so far."""
        case = Case.__new__(Case)
        case.__dict__.update(self.__dict__)
        case.form, case.brought, case.aimed = form, {}, {}
        case.before, case.reopened = None, frozenset()
        return case

    @lazy
    def brought(self) -> dict[object, tuple[tuple[Rule, ...], tuple[Rule, ...]]]:
        """The abilities of attacks, by the use of a weapon (`attack`)."""
        return {}

    @lazy
    def aimed(self) -> dict[object, bool]:
        """Whether like models with a weapon are within half its range."""
        return {}

    def selected_in(self, state: State, reopened: frozenset[tuple[int, int]] = frozenset()) -> Case:
        """The same case, its target selected in an earlier state, but for the weapons whose selection was re-opened."""
        now = self.state
        if state is not now and not (state.xy == now.xy and state.z == now.z and state.wounds == now.wounds):
            self.before, self.reopened = Case(self.game, state, self.form), reopened
        return self

    @cites("TCOND-1", "TCOND-2", "ELIG-1")
    def when_selected(self, slot: int, index: int) -> Case:
        """TCOND-1: the moment conditions of a weapon's attacks are read from: when its target was selected."""
        return self if self.before is None or (slot, index) in self.reopened else self.before

    def _is_bare(self) -> bool:
        """Whether cards and form say it all: two whole units by themselves, unhurt, unmarked and nowhere on an empty table."""
        state, lookups = self.state, self.lookups
        units = state.units
        if len(units) != 2 or state.models or units[0].marks or units[1].marks or any(state.sides) or any(state.wounds):
            return False
        whole = len(self.attacker.slots) + len(self.target.slots) == len(lookups.fighters)
        return whole and not lookups.auras and not self.game.table.terrain and not places.on_table(state.xy)

    @lazy
    def hurt(self) -> bool:
        """Whether anybody has lost wounds."""
        return any(self.state.wounds)

    @lazy
    def face_to_face(self) -> bool:
        """Whether attacker and target are within Engagement Range of each other; without positions, if both are engaged."""
        if not self.placed:
            return self.locked and self.target_locked
        return self.target.unit in places.enemies_engaged(self.game, self.state, self.attacker)

    @lazy
    def big(self) -> bool:
        """LIC-2: whether the attacker is a MONSTER or VEHICLE."""
        return is_big(self.lookups, self.attacker)

    @lazy
    def big_target(self) -> bool:
        """LIC-2: whether the target is a MONSTER or VEHICLE."""
        return is_big(self.lookups, self.target)

    @lazy
    def seeing(self) -> Collection[int]:
        """Who of the attacker and on its deck sees the target: as the form says, or over open ground as positions do."""
        if self.form.visible is not None:
            return self.everyone if self.form.visible else ()
        if not self.placed:
            return self.everyone
        seers = sight_of(self.game, self.state).seers(self.standing, self.target)
        return seers if self.standing is self.everyone else seeing_too(self.state, seers, self.everyone)

    def aims(self, slot: int, reach: int) -> bool:
        """Whether a model that sees the target sees one of it so near; what the form says of sight and range is so of all."""
        if not self.placed or self.form.visible is not None or self.form.range is not None:
            return True
        return sees_near(self.game, self.state, self.standing, self.target, slot, reach)

    @lazy
    def watched(self) -> Mapping[int, Collection[int]]:
        """Who of the attacker sees each CHARACTER of an Attached target; one without a place is seen where its unit is."""
        sight, target = sight_of(self.game, self.state), self.target
        alone = {slot: (slot,) for slot in target.characters() if places.stands(self.state, slot)}
        return {
            slot: sight.watchers(self.standing, alone[slot]) if slot in alone else sight.seers(self.standing, target)
            for slot in target.characters()
        }

    @cites("WPN-10", "PREC-1")
    def hidden_from(self, slot: int) -> tuple[int, ...]:
        """WPN-10, PREC-1: the CHARACTERS of an Attached target that the model which attacks with a weapon does not see."""
        characters, shooting = self.target.characters(), self.form.kind == SHOOTING
        if not characters or (shooting and not self.seeing):
            return characters
        if not self.placed or (shooting and self.form.visible is not None):
            return ()
        wielder = self.wielder(slot)
        lookers = {wielder} if places.stands(self.state, wielder) else set(self.standing)
        return tuple([one for one, seers in self.watched.items() if lookers.isdisjoint(seers)])

    @lazy
    def far(self) -> Mapping[int, float | None]:
        """How far the target is from each of the attacker and on its deck, if anything tells."""
        form = self.form
        if form.range is None and self.placed:
            ranges = places.apart(self.game, self.state, self.standing, self.target.slots).nearest
            return ranges if self.standing is self.everyone else far_too(ranges, self.everyone)
        if form.range is None and form.visible is None and form.half_range is None:
            raise needs("range")
        return dict.fromkeys(self.everyone, form.range)

    @lazy
    def lone(self) -> bool:
        """Whether the target is a Lone Operative."""
        return is_lone(self.lookups, self.target)

    @lazy
    def covers(self) -> dict[int, int]:
        """TER-1: the terrain feature that covers each model of the target that stands on the table; -1 for none."""
        theirs, here = self.target.slots, places.on_table(self.state.xy)
        if not here.issuperset(theirs):
            theirs = tuple(slot for slot in theirs if slot in here)
        return sight_of(self.game, self.state).covers(self.standing, theirs)

    def wielder(self, slot: int) -> int:
        """Whose abilities, wounds and Toughness count for a weapon: its bearer's, or for a borrowed one the TRANSPORT's."""
        return slot if slot in self.attacker.slots else self.attacker.slots[0]

    def like(self, slot: int) -> tuple[int, int]:
        """Models of which the same is true: the very model where positions or marks of models tell them apart."""
        if self.placed or self.state.models:
            return slot, -1
        return id(self.lookups.fighters[slot]), self.state.wounds_on(slot) if self.hurt else 0

    def circumstances(self) -> Hashable:
        """All that a ranged weapon of one of these models depends on as it may be fired, whatever the distance and sight."""
        added = self.own
        if not self.locked and not self.target_locked and not self.mark(ADVANCED):
            return calm(added)
        engaged = (self.big, self.face_to_face) if self.locked else None
        return added, self.mark(ADVANCED), engaged, self.target_locked

    @lazy
    def own(self) -> tuple[Rule, ...]:
        """The abilities every model of the attacker has beside those of its datasheet, where none has one of its own."""
        return added_to(self.game, self.state, self.attacker, self.attacker.slots[0])

    @lazy
    def given(self) -> tuple[Rule, ...]:
        """The abilities every model of the target has beside those of its datasheet, where none has one of its own."""
        return added_to(self.game, self.state, self.target, self.target.slots[0])

    @lazy
    def marked(self) -> Mapping[str, object]:
        """The marks of the attacker by name."""
        return dict(self.marks)

    def mark(self, name: str) -> bool:
        """Whether the attacker has a mark."""
        return bool(self.marks) and name in self.marked

    def stationary(self) -> bool:
        """Whether the attacker Remained Stationary, as the form or the unit's marks say; who has moved since did not."""
        if self.form.stationary is not None:
            return self.form.stationary
        if self.form.moved is not None:
            return not self.form.moved
        if not self.mark(STATIONARY) or any(self.mark(name) for name in MOVES):
            return False
        return in_own_turn(self.game, self.state, self.attacker.unit)

    def charged(self) -> bool:
        """CHARGE-5: whether the attacker made a Charge move this turn."""
        return self.mark(CHARGED) if self.form.charged is None else self.form.charged


@cites("STAT-1")
def in_own_turn(game: Game, state: State, unit: int) -> bool:
    """STAT-1: a unit Remained Stationary in its owner's turn; in the opponent's turn it did not."""
    return game.sides[unit] == state.clock.active


def calm(added: tuple[Rule, ...]) -> Hashable:
    """The same of a unit with these abilities besides its own that has not Advanced, where nobody is Locked in Combat."""
    return added, False, None, False


def seeing_too(state: State, seers: tuple[int, ...], everyone: tuple[int, ...]) -> tuple[int, ...]:
    """Some models that see a target, with those of the unit and its deck that have no place: they see it if any does."""
    return (*seers, *[slot for slot in everyone if not places.stands(state, slot)]) if seers else seers


def sees_near(game: Game, state: State, standing: tuple[int, ...], target: Host, slot: int, reach: int) -> bool:
    """Whether a model that sees a target, and reaches one, sees one that it reaches.

    A model of the unit or its deck that has no place does so if any that stands does.
    """
    if len(target.slots) == 1:
        return True
    lookers = (slot,) if places.stands(state, slot) else standing
    return sight_of(game, state).aims(places.bodies_of(game), lookers, target, reach)


def far_too(ranges: dict[int, float], everyone: tuple[int, ...]) -> dict[int, float]:
    """How far a target is from some models, and from those of the unit and its deck that have no place: as from the nearest."""
    return {**dict.fromkeys(everyone, min(ranges.values())), **ranges}


def is_lone(lookups: UnitIndex, host: Host) -> bool:
    """ABIL-8: whether a unit is a Lone Operative that is not part of an Attached unit."""
    return bool(lookups.having(host.slots, LONE)) and not host.attached


def _not_there(what: str, clause: str) -> BadInput:
    """The sentence for a form about nobody."""
    where = f"do.attack.{what}"
    message, allowed = f"{where} has no models on the table", "a unit on the table"
    return BadInput("not-there", message, where=where, allowed=allowed, clause=clause)


def with_deck(slots: tuple[int, ...], deck: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """The models of a unit and those whose weapons it borrows."""
    return (*slots, *[slot for slot, _ in deck]) if deck else slots


@cites("ABIL-5")
def borrowed(state: State, unit: int) -> tuple[tuple[int, int], ...]:
    """ABIL-5: the weapons of passengers that fire from a TRANSPORT's deck until its attacks are resolved."""
    return _on_deck(state.units[unit].marks)


@lru_cache(maxsize=512)
def _on_deck(marks: Marks) -> tuple[tuple[int, int], ...]:
    """The weapons that marks of a unit say are on its deck."""
    decks = [name.removeprefix(DECK).split(":") for name, _ in marks if name.startswith(DECK)]
    return tuple([(int(slot), int(index)) for slot, index in decks])


@cites("LIC-2")
def is_big(lookups: UnitIndex, host: Host) -> bool:
    """LIC-2: whether a unit is a MONSTER or VEHICLE."""
    return not BIG.isdisjoint(lookups.words(host.slots))


def needs(what: str, why: str = "is neither given nor to be had from positions") -> BadInput:
    """The sentence for a form that leaves out what nothing else tells."""
    where = f"do.attack.{what}"
    return BadInput("attack-incomplete", f"{where} {why}", where=where, allowed="a value, or models with positions")
