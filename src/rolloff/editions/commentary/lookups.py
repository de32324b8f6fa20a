"""What a game looks up about models and units: characteristics, abilities, keywords, and who belongs together.

A CHARACTER attached to a unit is a card of its own whose models have joined it, or whose ``where`` names it.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import compress
from operator import attrgetter, is_not
from typing import Any, NamedTuple

from msgspec import Struct

from rolloff.editions.commentary.abilities import BOOK, READER
from rolloff.editions.commentary.cards import Fighter
from rolloff.editions.commentary.squads import answers_of, squad_of
from rolloff.errors import BadInput
from rolloff.geometry.moves import Zone
from rolloff.geometry.spans import Bodies
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.rules.objectives import Spot
from rolloff.table.profile import Rule, Weapon
from rolloff.table.setup import Terrain
from rolloff.table.state import MERGED, Marks, State, Unit, Value

MONSTER, VEHICLE = "MONSTER", "VEHICLE"
BIG = frozenset({MONSTER, VEHICLE})
"""MOVE-2, LIC-2: who does not cross his like, and may shoot and be shot at in a fight."""
SLIPPING = frozenset({"INFANTRY", "BEASTS"})
"""TER-8: who passes through the walls and floors of ruins."""


class Host(Struct, frozen=True, cache_hash=True):
    """A unit with everyone attached to it: the models still there, Bodyguard first, and where each part comes from."""

    unit: int
    slots: tuple[int, ...]
    guests: tuple[int, ...]
    cards: tuple[int, ...]

    @property
    def attached(self) -> bool:
        """Whether it is an Attached unit: both a Bodyguard and a CHARACTER part have models."""
        return 0 < len(self.guests) < len(self.slots)

    def characters(self) -> tuple[int, ...]:
        """ATK-5: the models no attack may be allocated to while a Bodyguard model remains."""
        guests = self.guests
        return guests if guests and len(guests) < len(self.slots) else ()


GRANT = "grant:"
"""How the mark of a unit or model begins that has an ability for a while; the ability follows."""
ONE_MORE = " #"
"""What the mark of a second such ability has after it, which adds to the first, and its number (`one_more`)."""
FIRED = "fired:"
"""How the mark of a model begins that has fired a One Shot weapon; the place of the weapon follows."""
LAMP = "lamp:"
"""How the mark of a player begins whose token lies on a marker; the marker's id follows."""
ModelMark = tuple[int, str, Value]
"""A mark of a single model, as a state has it."""


class Gait(NamedTuple):
    """How a model goes: it has FLY, passes walls (TER-8), is in the way of its like (MOVE-2), has no number as its Move."""

    flies: bool
    slips: bool
    big: bool
    rooted: bool


class UnitIndex:
    """Everything looked up by roster slot."""

    def __init__(self, game: Game) -> None:
        """Read every card once."""
        squads = [squad_of(card, number) for number, card in enumerate(game.cards)]
        self.fighters: tuple[Fighter, ...] = tuple([fighter for squad in squads for fighter in squad.fighters])
        self.book = BOOK
        self.flown: dict[object, object] = {}
        pieces = game.table.terrain
        self.spots: tuple[Spot, ...] = _spots(pieces) if pieces else ()
        self.pieces = {piece.id: number for number, piece in enumerate(pieces)} if pieces else {}
        self.marker_ids = tuple([spot.id for spot in self.spots])
        self.markers = tuple([self.pieces[id] for id in self.marker_ids])
        army = answers_of(tuple([squad.kind for squad in squads]), game.starts, game.sides)
        self.halvers, self.aircraft, self.items = army.halvers, army.aircraft, army.items
        self.may_fly, self.random_moves = army.may_fly, army.random_moves
        self.auras, self.auras_of = army.auras, army.auras_of
        self.leaders, self.carriers, self.hulls = army.leaders, army.carriers, army.hulls
        self.abilities, self.printed, self.keywords = army.abilities, army.printed, army.keywords
        self.hosts: dict[tuple[int, tuple[int, ...], tuple[int, ...]], Host] = {}
        self.joined: tuple[Unit, ...] | None = None  # the units for whom is kept who belongs together (`host_of`)
        self.leading: tuple[tuple[int, tuple[int, ...]], ...] = ()  # where their Leaders are, and who of each lives
        self.ridden: tuple[object, bool] = (None, False)  # whether they are inside somebody as who they are (`ridden`)
        self.stays: tuple[list[tuple[int, ...]], list[int]] = ([], [])  # who of each of them lives, and where they are
        self.joint: dict[int, Host] = {}  # by unit: all of it together
        self._granted: dict[int, tuple[Rule, ...]] = {}  # to single models, as their marks are now
        self._granted_by: object = None  # those marks
        self._marked: tuple[object, dict[str, tuple[int, ...]]] = (None, {})  # single models by their marks, likewise
        self._armoury: tuple[object, tuple[ModelMark, ...]] = (None, ())  # the marks about weapons of single models, likewise
        self.added: dict[tuple[Host, Marks], tuple[Rule, ...]] = {}
        self.arsenals: dict[object, Any] = {}  # what may be fired in which circumstances (`choosing`)
        self.at_ease: dict[tuple[Host, Marks, tuple[Rule, ...]], Any] = {}  # the same of units nothing bothers (`aiming`)
        self.reaches: Any = None  # how far the weapons of all models reach, once somebody asked (`shooters`)
        self.used: tuple[State, object, list[Any]] | None = None  # the weapons that attack, as found last (`choosing`)
        self.borne: tuple[State | None, dict[int, Any]] = None, {}  # who bears the attacks of a state (`attack`)
        self.faced: dict[object, Any] = {}  # what units are to attacks by their kinds of models (`attack`)
        self.tough: dict[Host, int] = {}
        self.halves: dict[Host, bool] = {}  # whether units of several models are Below Half-strength (`unit_values`)
        self.alone: dict[Host, int] = {}  # the wounds of units that began as a single model
        self.moves: dict[object, tuple[int, dict[int, int]]] = {}  # by what a unit has besides (`moving`)
        self.controls: dict[object, int] = {}  # the OC of models together, by all that changes it (`command`)
        self.contested: tuple[object, bytes, Any] | None = None  # who was near markers, whose all were, and that (`command`)
        self.contended: tuple[object, object, tuple[Unit, ...], object] | None = None  # what levels depend on (`command`)
        self.survivors: tuple[int, int] | None = None  # a unit of each army that had models when it was looked at (`command`)
        self.fielded: dict[int, str] = {}
        self.measured: Any = None  # what `places` measured last
        self.bodies: Bodies | None = None  # what heights say about distances (`places`)
        self.overhung: tuple[int, ...] | None = None if army.aircraft else ()  # whose hulls hang over bases (`places`)
        self.barred: dict[
            tuple[bool, bool, bool], bytes
        ] = {}  # what pieces are to who flies, or slips through walls (`ground`)
        self.zones: dict[object, Zone] = {}  # where units may be set up, by all it depends on (`deploying`)
        self.arrivals: dict[object, Any] = {}  # where who arrives, by who lives and what it keeps away from (`travelling`)
        self._words: dict[tuple[int, ...], frozenset[str]] = {}
        self.blades: dict[int, tuple[list[int], list[int]]] = {}  # the melee weapons of each kind of model (`choosing`)
        self.closing: dict[object, int] = {}  # how far units pile in and consolidate, by all that changes it (`closing_in`)
        self._mobile: dict[tuple[int, ...], bool] = {}
        self.opposed: tuple[tuple[Unit, ...] | None, dict[int, Any]] = None, {}  # whom units close in on (`closing_in`)
        self._sorted_words: dict[tuple[int, ...], tuple[str, ...]] = {}
        self._reach: dict[tuple[int, ...], int] = {}
        self._kinds: dict[tuple[int, ...], tuple[int, ...]] = {}
        self._sorts: dict[tuple[int, ...], tuple[int, ...]] = {}
        self._gaits: dict[tuple[int, ...], tuple[tuple[Gait, tuple[int, ...]], ...]] = {}
        self._armed: dict[tuple[tuple[int, ...], str], bool] = {}
        self._having: dict[tuple[tuple[int, ...], str], tuple[int, ...]] = {}
        self._bearing: dict[str, frozenset[int]] | None = None  # who has which ability, once somebody asked
        self._every: dict[tuple[tuple[int, ...], str], bool] = {}
        self._sides = game.sides
        self._owned: tuple[bytes, dict[tuple[int, str], tuple[int, ...]]] = (b"", {})  # whose models are, and `holders`

    def singled(self, state: State) -> dict[int, tuple[Rule, ...]]:
        """The abilities single models have for a while, by slot; read once while the marks of models stay the same."""
        if self._granted_by is not state.models:
            rows: dict[int, tuple[Rule, ...]] = {}
            for slot, name, _ in state.models:
                if name.startswith(GRANT):
                    rows[slot] = (*rows.get(slot, ()), read_grant(name))
            self._granted_by, self._granted = state.models, rows
        return self._granted

    def marked(self, state: State, name: str) -> tuple[int, ...]:
        """The single models that have a mark of a name; read once while the marks of models stay the same."""
        marks, known = self._marked
        if marks is not state.models:
            known = {}
            self._marked = state.models, known
        found = known.get(name)
        if found is None:
            found = known[name] = tuple([slot for slot, mark, _ in state.models if mark == name])
        return found

    def marks_of_weapons(self, state: State) -> tuple[ModelMark, ...]:
        """The marks of single models that say what they may fire: abilities they have for a while, and what was fired."""
        kept = self._armoury
        if kept[0] is not state.models:
            marks = [mark for mark in state.models if mark[1].startswith((GRANT, FIRED))]
            kept = self._armoury = state.models, tuple(marks)
        return kept[1]

    def fired(self, state: State) -> list[int]:
        """The single models that have fired a weapon which is fired only once."""
        return [slot for slot, name, _ in state.models if name.startswith(FIRED)] if self.marks_of_weapons(state) else []

    def kinds(self, state: State, slots: tuple[int, ...]) -> tuple[int, ...]:
        """One of each kind among some models: those of one kind have the same abilities and characteristics."""
        if state.models and self.singled(state):
            return slots
        found = self._kinds.get(slots)
        if found is None:
            back = slots[::-1]
            firsts = dict(zip(map(id, map(self.fighters.__getitem__, back)), back, strict=True))
            found = self._kinds[slots] = tuple(firsts.values())[::-1]
        return found

    def _kinds_among(self, slots: tuple[int, ...]) -> dict[int, Fighter]:
        """One of each kind of some models, by the number of the kind."""
        models = list(map(self.fighters.__getitem__, slots))
        return dict(zip(map(id, models), models, strict=True))

    def sorts(self, slots: tuple[int, ...]) -> tuple[int, ...]:
        """The kinds there are among some models, in their order: the same wherever the same datasheets are left."""
        found = self._sorts.get(slots)
        if found is None:
            found = self._sorts[slots] = tuple(dict.fromkeys(map(id, map(self.fighters.__getitem__, slots))))
        return found

    @cites("KEYW-3")
    def words(self, living: tuple[int, ...]) -> frozenset[str]:
        """KEYW-3: the keywords of a unit whose living models these are: those of all of them."""
        found = self._words.get(living)
        if found is None:
            kinds = self._kinds_among(living)
            words = [_words(fighter.keywords) for fighter in kinds.values()]
            found = self._words[living] = words[0] if len(words) == 1 else frozenset().union(*words)
        return found

    @cites("KEYW-4")
    def gaits(self, living: tuple[int, ...]) -> tuple[tuple[Gait, tuple[int, ...]], ...]:
        """KEYW-4: how models go by what they have themselves, and who goes so; one row where all go alike."""
        found = self._gaits.get(living)
        if found is None:
            kinds = self._kinds_among(living).items()
            gaits = {kind: _gait(one.keywords, not isinstance(one.profile.move, int)) for kind, one in kinds}
            rows = dict.fromkeys(gaits.values(), living)
            if len(rows) > 1:
                own = {slot: gaits[id(self.fighters[slot])] for slot in living}
                rows = {gait: tuple([slot for slot in living if own[slot] is gait]) for gait in dict.fromkeys(own.values())}
            found = self._gaits[living] = tuple(rows.items())
        return found

    def sorted_words(self, living: tuple[int, ...]) -> tuple[str, ...]:
        """The keywords of a unit in order."""
        found = self._sorted_words.get(living)
        if found is None:
            found = self._sorted_words[living] = tuple(sorted(self.words(living)))
        return found

    def mobile(self, living: tuple[int, ...]) -> bool:
        """Whether a number is printed as the Move of every one of some models."""
        found = self._mobile.get(living)
        if found is None:
            found = self._mobile[living] = bool(living) and not any(gait.rooted for gait, _ in self.gaits(living))
        return found

    def every(self, living: tuple[int, ...], name: str) -> bool:
        """Whether every one of some models has an ability."""
        if name not in self.printed:
            return False
        found = self._every.get((living, name))
        if found is None:
            found = bool(living) and self.bearing(name).issuperset(living)
            self._every[living, name] = found
        return found

    def armed(self, living: tuple[int, ...], name: str) -> bool:
        """Whether any of some models has a weapon with an ability."""
        found = self._armed.get((living, name))
        if found is None:
            found = any(name in fighter.weapon_abilities for fighter in self._kinds_among(living).values())
            self._armed[living, name] = found
        return found

    def reach(self, living: tuple[int, ...]) -> int:
        """The longest printed Range among the weapons of some models, in thou."""
        found = self._reach.get(living)
        if found is None:
            fighters = self.fighters
            found = self._reach[living] = max([fighters[slot].reach for slot in living], default=0)
        return found

    def having(self, living: tuple[int, ...], name: str) -> tuple[int, ...]:
        """Those of some models that have an ability."""
        if name not in self.printed:
            return ()
        found = self._having.get((living, name))
        if found is None:
            bearing = self.bearing(name)
            found = () if bearing.isdisjoint(living) else tuple([slot for slot in living if slot in bearing])
            self._having[living, name] = found
        return found

    def bearing(self, name: str) -> frozenset[int]:
        """All models that have an ability printed, dead or alive; every ability is looked up at once."""
        if self._bearing is None:
            self._bearing = _bearing(self.fighters)
        return self._bearing.get(name, frozenset())

    def holders(self, state: State, side: int, name: str) -> tuple[int, ...]:
        """The units of a side that models with an ability belong to, dead or alive; kept while none goes over to another."""
        if name not in self.abilities[side]:
            return ()
        owner, kept = self._owned
        if owner is not state.owner:
            kept = {}
            self._owned = state.owner, kept
        found = kept.get((side, name))
        if found is None:
            owners = memoryview(state.owner).cast("h")
            having = {owners[slot] for slot in self.bearing(name)}
            found = kept[side, name] = tuple(sorted([unit for unit in having if self._sides[unit] == side]))
        return found


@lru_cache(maxsize=1024)
def _words(keywords: tuple[str, ...]) -> frozenset[str]:
    """The keywords of a model as a set."""
    return frozenset(keywords)


@lru_cache(maxsize=1024)
def _gait(keywords: tuple[str, ...], rooted: bool) -> Gait:
    """How a model with such keywords goes: the same thing again for the same."""
    words = _words(keywords)
    return Gait("FLY" in words, not words.isdisjoint(SLIPPING), not words.isdisjoint(BIG), rooted)


@lru_cache(maxsize=1024)
def weapon_words(weapons: tuple[Weapon, ...]) -> frozenset[str]:
    """The abilities that any of some weapons has."""
    return frozenset([rule.name for weapon in weapons for rule in weapon.rules])


def _bearing(fighters: tuple[Fighter, ...]) -> dict[str, frozenset[int]]:
    """The models with each ability that is printed on one; those of a kind are asked once."""
    kinds: dict[int, list[int]] = {}
    for slot, number in enumerate(map(id, fighters)):
        if number in kinds:
            kinds[number].append(slot)
        else:
            kinds[number] = [slot]
    found: dict[str, list[int]] = {}
    for slots in kinds.values():
        for name in fighters[slots[0]].ratings:
            found.setdefault(name, []).extend(slots)
    return {name: frozenset(slots) for name, slots in found.items()}


index_of: Callable[[Game], UnitIndex] = attrgetter("lookups")
"""What a game of this edition looks up: what its `prepare` made. As a getter, since it is asked for everywhere."""


@lru_cache(maxsize=1024)
def read_ability(text: str) -> Rule:
    """An ability from its text, which the edition wrote or checked itself."""
    return READER.rule(text, "ability")


@lru_cache(maxsize=1024)
def read_grant(mark: str) -> Rule:
    """The ability a mark says somebody has for a while, whichever of several alike it is."""
    return read_ability(mark.removeprefix(GRANT).partition(ONE_MORE)[0])


@cites("MOD-1")
def one_more(unit: Unit, ability: str) -> str:
    """MOD-1: the mark of an ability for a while that adds to the same one from somebody else's use of a rule."""
    found, number = f"{GRANT}{ability}", 1
    while unit.mark(found) is not None:
        number += 1
        found = f"{GRANT}{ability}{ONE_MORE}{number}"
    return found


def _spots(pieces: tuple[Terrain, ...]) -> tuple[Spot, ...]:
    """The markers of a table."""
    return tuple(Spot(piece.id, *piece.disc) for piece in pieces if "objective" in piece.types and piece.disc is not None)


# who belongs together -----------------------------------------------------------------------------


def leads(game: Game, state: State, guest: int, unit: int) -> bool:
    """Whether a unit that is inside another leads it, and does not merely ride in it."""
    lookups: UnitIndex = game.lookups
    return state.units[guest].where == unit and guest in lookups.leaders and unit not in lookups.carriers


def host_of(game: Game, state: State, unit: int) -> Host:
    """ABIL-7: a unit and the Leaders attached to it are one unit; named by either.

    Kept while the same models of it live and all Leaders live and are where they are now; not for who is inside another.
    """
    lookups: UnitIndex = game.lookups
    if lookups.joined is not state.units:
        _lead_on(lookups, state.units)
    kept = lookups.joint.get(unit)
    return _host_of(game, state, unit) if kept is None else kept


def hosts_of(game: Game, state: State, units: Iterable[int]) -> list[Host]:
    """The same of several units."""
    lookups: UnitIndex = game.lookups
    held = state.units
    if lookups.joined is not held:
        _lead_on(lookups, held)
    joint, found = lookups.joint, []
    for unit in units:
        kept = joint.get(unit)
        found.append(_host_of(game, state, unit) if kept is None else kept)
    return found


def ridden(lookups: UnitIndex, units: tuple[Unit, ...]) -> bool:
    """Whether a Leader is with a unit without having become one with it: on paper alone; asked once while no Leader changes."""
    now = leading(lookups, units)
    if lookups.ridden[0] is not now:
        lookups.ridden = now, any(where >= 0 and where not in lookups.carriers for where, _ in lookups.leading)
    return lookups.ridden[1]


def leading(lookups: UnitIndex, units: tuple[Unit, ...]) -> object:
    """Where all Leaders are and who of them lives: the same thing again while that is the same."""
    if lookups.joined is not units:
        _lead_on(lookups, units)
    return lookups.leading


def staying(lookups: UnitIndex, units: tuple[Unit, ...]) -> object:
    """Where all units are and who of them lives: the same thing again while that is the same."""
    if lookups.joined is not units:
        _lead_on(lookups, units)
    return lookups.stays


def led_units(game: Game, state: State) -> frozenset[int]:
    """The units with Leaders inside, who may be there on paper alone; and whatever those ride in."""
    lookups, units = index_of(game), state.units
    if lookups.joined is not units:
        _lead_on(lookups, units)
    return frozenset([where for where, _ in lookups.leading])


def _lead_on(lookups: UnitIndex, units: tuple[Unit, ...]) -> None:
    """Units have changed: who belongs together is as it was unless they lost models, or a Leader went somewhere."""
    known, lookups.joined = lookups.joined, units
    if known is None:
        living, where = [unit.living for unit in units], [unit.where for unit in units]
    else:
        others = []
        for k in compress(range(len(units)), map(is_not, known, units)):  # one or two of them, mostly by marks alone
            was, now = known[k], units[k]
            if was.where != now.where or (was.living is not now.living and was.living != now.living):
                others.append(k)
        if not others:
            return
        living, where = lookups.stays[0].copy(), lookups.stays[1].copy()
        for k in others:
            living[k], where[k] = units[k].living, units[k].where
            lookups.joint.pop(k, None)
    lookups.stays = living, where
    leading = tuple([(where[k], living[k]) for k in lookups.leaders])
    if lookups.leading != leading:
        lookups.leading, lookups.joint = leading, {}


def _host_of(game: Game, state: State, unit: int) -> Host:
    """The same, looked up; where Leaders are is known by now."""
    lookups: UnitIndex = game.lookups
    named, around = unit, state.units[unit].where
    if around == MERGED:
        unit = state.owner_of(game.starts[unit])
    if around >= 0 and leads(game, state, unit, around):
        unit = around
    living = state.units[unit].living
    riding: tuple[int, ...] = ()
    if unit not in lookups.carriers:
        for leader, (where, models) in zip(lookups.leaders, lookups.leading, strict=True):
            if where == unit and leader != unit:
                riding += models
    key = unit, living, riding
    found = lookups.hosts.get(key)
    if found is None:
        found = lookups.hosts[key] = joint_host(game.starts, *key)
    if around < 0 and state.units[named].living:
        lookups.joint[named] = found
    return found


@lru_cache(maxsize=2048)
def joint_host(starts: tuple[int, ...], unit: int, living: tuple[int, ...], riding: tuple[int, ...] = ()) -> Host:
    """A unit whose living models these are, with those of the Leaders inside it; cards begin at these slots."""
    printed = range(starts[unit], starts[unit + 1])
    own = tuple([slot for slot in living if slot in printed])
    guests = (*[slot for slot in living if slot not in printed], *riding)
    cards = dict.fromkeys([bisect(starts, slot) - 1 for slot in (*own, *guests)])
    return Host(unit, (*own, *guests), guests, tuple(cards))


@cites("ATTACH-1")
def check_state(game: Game, state: State) -> None:
    """ATTACH-1: never a third Leader; whether a second may join, lists say of their datasheets, and a moment need not."""
    lookups = index_of(game)
    hurt = any(state.wounds)
    for unit in range(len(state.units)):
        host = host_of(game, state, unit)
        if not host.guests and not hurt:
            continue
        cards = {lookups.fighters[slot].card: slot for slot in host.characters()}
        if len(cards) > 2:
            raise BadInput(
                "too-many-leaders",
                f"{game.names[unit]} is led by {len(cards)} units",
                where=game.names[unit],
                allowed="one Leader, or two",
                clause="ATTACH-1",
            )
        for slot in host.slots if hurt else ():
            lost, wounds = state.wounds_on(slot), lookups.fighters[slot].profile.wounds
            if lost >= wounds:
                name = game.models[slot].id
                raise BadInput(
                    "no-wounds-left", f"{name} has lost {lost} of {wounds} wounds", where=name, allowed=f"0 to {wounds - 1}"
                )


def left_on(game: Game, state: State, slot: int) -> int:
    """The wounds a model has left."""
    lookups = index_of(game)
    return lookups.fighters[slot].profile.wounds - state.wounds_on(slot)


def wounds(game: Game, slot: int) -> int:
    """The wounds a model has when it is unhurt."""
    lookups = index_of(game)
    return lookups.fighters[slot].profile.wounds
