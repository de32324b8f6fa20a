"""What a game looks up about models and units: characteristics, abilities, keywords, and who belongs together.

A CHARACTER attached to a unit is a card of its own whose models have joined it, or whose ``where`` names it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import attrgetter, is_
from typing import Any

from msgspec import Struct

from rolloff.editions.commentary.abilities import BOOK, READER, SPECIALS, collapsed
from rolloff.editions.commentary.ability import BEARER, TARGET
from rolloff.editions.commentary.cards import Fighter, fighter_of, keywords_of
from rolloff.editions.commentary.saves import Gear
from rolloff.editions.commentary.specials.characteristic import Changes
from rolloff.editions.commentary.values import LEADERSHIP, SAVE, TOUGHNESS, Effect, Value, better, evaluate
from rolloff.errors import BadInput
from rolloff.geometry.measure import base_gap
from rolloff.identity_cache import IdentityCache
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.rules.objectives import Spot
from rolloff.table.profile import Card, Rule, carries
from rolloff.table.state import MERGED, NOWHERE, Marks, State, Unit

CHARACTER, TRANSPORT, MONSTER, VEHICLE = "CHARACTER", "TRANSPORT", "MONSTER", "VEHICLE"


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
        return self.guests if self.attached else ()


GRANT = "grant:"
"""How the mark of a unit or model begins that has an ability for a while; the ability follows."""
AURA = "Aura"
LAMP = "lamp:"
"""How the mark of a player begins whose token lies on a marker; the marker's id follows."""
LAMP_REACH = 3001


class UnitIndex:
    """Everything looked up by roster slot."""

    def __init__(self, game: Game) -> None:
        """Read every card once."""
        squads = [_squad(card, number) for number, card in enumerate(game.cards)]
        self.fighters: tuple[Fighter, ...] = tuple([fighter for squad in squads for fighter in squad.fighters])
        self.book = BOOK
        self.flown: dict[object, object] = {}
        self.spots: tuple[Spot, ...] = tuple(
            Spot(piece.id, *piece.disc) for piece in game.table.terrain if "objective" in piece.types and piece.disc is not None
        )
        self.pieces = {piece.id: number for number, piece in enumerate(game.table.terrain)}
        self.halvers = frozenset([k for k, squad in enumerate(squads) if squad.halves])
        self.aircraft = tuple([k for k, squad in enumerate(squads) if squad.flies])
        self.items = any(squad.items for squad in squads)
        self.auras = tuple([start + at for start, squad in zip(game.starts, squads, strict=False) for at in squad.auras])
        self.leaders = tuple([k for k, squad in enumerate(squads) if squad.leads])
        self.carriers = frozenset([k for k, squad in enumerate(squads) if squad.carries])
        self.abilities = tuple(
            [
                frozenset().union(*[squad.abilities for k, squad in enumerate(squads) if game.sides[k] == side])
                for side in (0, 1)
            ]
        )
        self.hosts: dict[tuple[int, tuple[int, ...], tuple[int, ...]], Host] = {}
        self.joint: tuple[object, tuple[Unit, ...], dict[int, tuple[Unit, Host]]] = (None, (), {})  # as units are now
        self._granted: tuple[object, dict[int, tuple[Rule, ...]]] = (None, {})  # to single models, as their marks are now
        self.shared: dict[tuple[tuple[int, ...], tuple[Rule, ...], bool], tuple[Rule, ...]] = {}
        self.added: dict[tuple[Host, Marks], tuple[Rule, ...]] = {}
        self.armouries: dict[object, dict[tuple[int, int], Any]] = {}  # what may be fired in which circumstances (`choosing`)
        self.used: tuple[State, object, list[Any]] | None = None  # the weapons that attack, as found last (`choosing`)
        self.borne: tuple[State, object, tuple[Any, ...]] | None = None  # who bears an attack, as found last (`attack`)
        self.tough: dict[Host, int] = {}
        self.fielded: dict[int, str] = {}
        self.measured: Any = None  # what `places` measured last
        self.longest: dict[int, tuple[Unit, int]] = {}
        self._words: dict[tuple[int, ...], frozenset[str]] = {}
        self._sorted_words: dict[tuple[int, ...], tuple[str, ...]] = {}
        self._reach: dict[tuple[int, ...], int] = {}
        self._kinds: dict[tuple[int, ...], tuple[int, ...]] = {}
        self._armed: dict[tuple[tuple[int, ...], str], bool] = {}
        self._having: dict[tuple[tuple[int, ...], str], tuple[int, ...]] = {}
        self._every: dict[tuple[tuple[int, ...], str], bool] = {}

    def singled(self, state: State) -> dict[int, tuple[Rule, ...]]:
        """The abilities single models have for a while, by slot; read once while the marks of models stay the same."""
        kept = self._granted
        if kept[0] is not state.models:
            rows: dict[int, tuple[Rule, ...]] = {}
            for slot, name, _ in state.models:
                if name.startswith(GRANT):
                    rows[slot] = (*rows.get(slot, ()), read_ability(name.removeprefix(GRANT)))
            kept = self._granted = state.models, rows
        return kept[1]

    def kinds(self, state: State, slots: tuple[int, ...]) -> tuple[int, ...]:
        """One of each kind among some models: those of one kind have the same abilities and characteristics."""
        if state.models and self.singled(state):
            return slots
        found = self._kinds.get(slots)
        if found is None:
            found = self._kinds[slots] = tuple({id(self.fighters[slot]): slot for slot in reversed(slots)}.values())[::-1]
        return found

    @cites("KEYW-3")
    def words(self, living: tuple[int, ...]) -> frozenset[str]:
        """KEYW-3: the keywords of a unit whose living models these are: those of all of them."""
        found = self._words.get(living)
        if found is None:
            found = frozenset(word for slot in living for word in self.fighters[slot].keywords)
            self._words[living] = found
        return found

    def sorted_words(self, living: tuple[int, ...]) -> tuple[str, ...]:
        """The keywords of a unit in order."""
        found = self._sorted_words.get(living)
        if found is None:
            found = self._sorted_words[living] = tuple(sorted(self.words(living)))
        return found

    def every(self, living: tuple[int, ...], name: str) -> bool:
        """Whether every one of some models has an ability."""
        found = self._every.get((living, name))
        if found is None:
            found = bool(living) and all(self.fighters[slot].has(name) for slot in living)
            self._every[living, name] = found
        return found

    def armed(self, living: tuple[int, ...], name: str) -> bool:
        """Whether any of some models has a weapon with an ability."""
        found = self._armed.get((living, name))
        if found is None:
            found = any(weapon.has(name) for slot in living for weapon in self.fighters[slot].weapons)
            self._armed[living, name] = found
        return found

    def reach(self, living: tuple[int, ...]) -> int:
        """The longest printed Range among the weapons of some models, in thou."""
        found = self._reach.get(living)
        if found is None:
            ranges = [weapon.reach or 0 for slot in living for weapon in self.fighters[slot].weapons]
            found = self._reach[living] = max(ranges, default=0)
        return found

    def having(self, living: tuple[int, ...], name: str) -> tuple[int, ...]:
        """Those of some models that have an ability."""
        found = self._having.get((living, name))
        if found is None:
            found = self._having[living, name] = tuple(slot for slot in living if self.fighters[slot].has(name))
        return found


index_of: Callable[[Game], UnitIndex] = attrgetter("lookups")
"""What a game of this edition looks up: what its `prepare` made. As a getter, since it is asked for everywhere."""


@lru_cache(maxsize=1024)
def read_ability(text: str) -> Rule:
    """An ability from its text, which the edition wrote or checked itself."""
    return READER.rule(text, "ability")


class Squad(Struct, frozen=True):
    """The models of a card with its place in its game, and what a game asks of all cards."""

    number: int
    fighters: tuple[Fighter, ...]
    auras: tuple[int, ...]
    halves: bool
    flies: bool
    items: bool
    leads: bool
    carries: bool
    abilities: frozenset[str]


_squads: IdentityCache[Card, Squad] = IdentityCache()
"""The models of cards read lately."""


def _squad(card: Card, number: int) -> Squad:
    """The models of a card; models that are alike are the same fighter."""
    known = _squads.get(card)
    if known is None or known.number != number:
        known = _squads.put(card, _new_squad(card, number))
    return known


def _new_squad(card: Card, number: int) -> Squad:
    alike: dict[object, Fighter] = {}
    for model in card.models:
        key = model.rules, model.weapons
        if key not in alike:
            alike[key] = fighter_of(card, model, number)
    fighters = tuple(alike[model.rules, model.weapons] for model in card.models)
    words = keywords_of(card)
    return Squad(
        number,
        fighters,
        auras=tuple(at for at, fighter in enumerate(fighters) if fighter.has(AURA)),
        halves=any(fighter.has("Halves Control") for fighter in fighters),
        flies=any("AIRCRAFT" in fighter.keywords for fighter in fighters),
        items=any(fighter.carried for fighter in fighters),
        leads=CHARACTER in words,
        carries=TRANSPORT in words,
        abilities=frozenset(name for fighter in fighters for name in fighter.ratings),
    )


# who belongs together -----------------------------------------------------------------------------


def _leads(game: Game, state: State, guest: int, unit: int) -> bool:
    """Whether a unit that is inside another leads it, and does not merely ride in it."""
    lookups = index_of(game)
    return state.units[guest].where == unit and guest in lookups.leaders and unit not in lookups.carriers


def host_of(game: Game, state: State, unit: int) -> Host:
    """ABIL-7: a unit and the Leaders attached to it are one unit; named by either. Kept while it and all Leaders are as now."""
    lookups = index_of(game)
    units, joint = state.units, lookups.joint
    if joint[0] is not units:
        leading = tuple([units[leader] for leader in lookups.leaders])
        same = len(joint[1]) == len(leading) and all(map(is_, joint[1], leading))
        joint = lookups.joint = units, leading, joint[2] if same else {}
    held = units[unit]
    kept = joint[2].get(unit)
    if kept is not None and kept[0] is held:
        return kept[1]
    found = _host_of(game, state, unit)
    if held.where < 0 and held.where != MERGED:
        joint[2][unit] = held, found
    return found


def _host_of(game: Game, state: State, unit: int) -> Host:
    """The same, looked up."""
    lookups = index_of(game)
    around = state.units[unit].where
    if around == MERGED:
        unit = state.owner_of(game.starts[unit])
    if around >= 0 and _leads(game, state, unit, around):
        unit = around
    living, riding = state.units[unit].living, tuple[int, ...]()
    for other in lookups.leaders:
        if state.units[other].where == unit and other != unit and _leads(game, state, other, unit):
            riding += state.units[other].living
    key = unit, living, riding
    found = lookups.hosts.get(key)
    if found is None:
        found = lookups.hosts[key] = _host(lookups, *key)
    return found


def _host(lookups: UnitIndex, unit: int, living: tuple[int, ...], riding: tuple[int, ...]) -> Host:
    """A unit whose living models these are, with those of the Leaders inside it."""
    own = tuple(slot for slot in living if lookups.fighters[slot].card == unit)
    guests = (*(slot for slot in living if lookups.fighters[slot].card != unit), *riding)
    cards = dict.fromkeys(lookups.fighters[slot].card for slot in (*own, *guests))
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


# what a unit has as a unit ------------------------------------------------------------------------


def rules_of(game: Game, state: State, host: Host, slot: int) -> tuple[Rule, ...]:
    """The abilities of a model, with those its Leaders give while they lead, those granted for a while, and Auras."""
    lookups = index_of(game)
    more = added_to(game, state, host, slot)
    return lookups.fighters[slot].rules + more if more else lookups.fighters[slot].rules


def added_to(game: Game, state: State, host: Host, slot: int) -> tuple[Rule, ...]:
    """The abilities a model has beside those of its datasheet."""
    lookups = index_of(game)
    marks = persisting(state, host.unit)
    found = lookups.added.get((host, marks))
    if found is None:
        granted = tuple(read_ability(name.removeprefix(GRANT)) for name, _ in marks if name.startswith(GRANT))
        found = lookups.added[host, marks] = led_to(game, host) + carried_by(game, host) + granted
    if state.models:
        found += lookups.singled(state).get(slot, ())
    return found + standing_auras(game, state, host) if lookups.auras else found


class _Auras:
    """The Auras units stand in while everybody stands as now."""

    def __init__(self, state: State) -> None:
        """Remember for which positions."""
        self.xy, self.owner, self.z = state.xy, state.owner, state.z
        self.rows: dict[Host, tuple[Rule, ...]] = {}


def standing_auras(game: Game, state: State, host: Host) -> tuple[Rule, ...]:
    """The Auras a unit stands in, kept while nobody moves."""
    flown = index_of(game).flown
    kept = flown.get("auras")
    if not isinstance(kept, _Auras) or kept.xy is not state.xy or kept.owner is not state.owner or kept.z is not state.z:
        kept = flown["auras"] = _Auras(state)
    found = kept.rows.get(host)
    if found is None:
        found = kept.rows[host] = auras_on(game, state, host)
    return found


@cites("UNIT-10")
def carried_by(game: Game, host: Host) -> tuple[Rule, ...]:
    """UNIT-10: what the items of a unit give it while a model of it carries them, each once."""
    lookups = index_of(game)
    if not lookups.items:
        return ()
    return tuple(dict.fromkeys(rule for slot in host.slots for rule in lookups.fighters[slot].carried))


@cites("PERSIST-2")
def persisting(state: State, unit: int) -> Marks:
    """PERSIST-2: effects with a duration go with their unit into a TRANSPORT and out again, for what is left of it."""
    return state.units[unit].marks


@cites("UNIT-8")
def auras_on(game: Game, state: State, host: Host) -> tuple[Rule, ...]:
    """UNIT-8: the Auras a unit stands in, each kind once; the bearer's own unit is always in range."""
    from rolloff.editions.commentary.places import range_to, stands, within  # positions are measured between hosts

    lookups = index_of(game)
    found: dict[str, Rule] = {}
    for bearer in lookups.auras:
        owner = state.owner_of(bearer)
        if game.side_of(owner) != game.side_of(host.unit) or not stands(state, bearer):
            continue
        for rule in lookups.fighters[bearer].rules:
            if rule.name != AURA or str(rule.rating) in found:
                continue
            far, word, ability = aura_of(str(rule.rating))
            if word and word not in lookups.words(host.slots):
                continue
            if owner == host.unit or within(range_to(game, state, bearer, host), far):
                found[str(rule.rating)] = read_ability(ability)
    return tuple(found.values())


@lru_cache(maxsize=64)
def aura_of(rating: str) -> tuple[int, str, str]:
    """An Aura as it is written, ``6 TIDE: Feel No Pain 6+``: its reach in thou, the keyword it asks for, what it gives."""
    head, _, ability = rating.partition(":")
    reach, _, word = head.strip().partition(" ")
    return int(reach.rstrip('"')) * 1000, word.strip(), ability.strip()


def effects_on(game: Game, state: State, host: Host, slot: int, kind: str) -> tuple[Effect, ...]:
    """What changes one characteristic of a model: its abilities, and marks such as ``slowed:2``."""
    lookups = index_of(game)
    fighter, key = lookups.fighters[slot], (kind, added_to(game, state, host, slot))
    found = fighter.effects.get(key)
    if found is None:
        changes = [(SPECIALS[rule.name], rule) for rule in collapsed(fighter.rules + key[1])]
        made = [special.effect(rule) for special, rule in changes if isinstance(special, Changes) and special.kind == kind]
        found = fighter.effects[key] = tuple(made)
    return found


def _given(game: Game, host: Host) -> tuple[Rule, ...]:
    """LEAD-1, LEAD-2, LEAD-3: what each Leader gives while leading, to every model and so to itself."""
    lookups = index_of(game)
    rules: tuple[Rule, ...] = ()
    for guest in host.guests:
        rules += lookups.fighters[guest].leading  # LEAD-1, LEAD-2, LEAD-3
    return rules


@cites("LEAD-4")
def led_to(game: Game, host: Host) -> tuple[Rule, ...]:
    """LEAD-4: what Leaders give works only while their unit is an Attached unit."""
    return _given(game, host) if host.attached else ()


def shared_rules(game: Game, state: State, host: Host) -> tuple[Rule, ...]:
    """The abilities a unit has against attacks as a unit: those every model has."""
    lookups = index_of(game)
    stealth = state.units[host.unit].mark("stealth") is not None
    if state.models and lookups.singled(state):
        return _shared([rules_of(game, state, host, slot) for slot in host.slots], stealth)
    key = host.slots, added_to(game, state, host, host.slots[0]), stealth
    found = lookups.shared.get(key)
    if found is None:
        found = lookups.shared[key] = _shared([lookups.fighters[slot].rules + key[1] for slot in host.slots], stealth)
    return found


def _shared(rules: Sequence[tuple[Rule, ...]], stealth: bool) -> tuple[Rule, ...]:
    """Those of the abilities of models, row by row, that all of them have against attacks."""
    rows = [[rule for rule in row if SPECIALS[rule.name].part == TARGET] for row in rules]
    shared = [rule for rule in rows[0] if all(rule in row for row in rows[1:])]  # ABIL-10
    if stealth:
        shared.append(Rule("Stealth"))
    return collapsed(shared)


def gear_of(game: Game, state: State, host: Host, slot: int, cover: bool) -> Gear:
    """What a model brings against a wound, with or without the Benefit of Cover; kept, as it is only read."""
    lookups = index_of(game)
    fighter, key = lookups.fighters[slot], (added_to(game, state, host, slot), cover)
    gear = fighter.gears.get(key)
    if gear is None:
        profile = fighter.profile
        gear = fighter.gears[key] = Gear(profile.save, profile.ward, profile.no_pain, cover)
        for rule in collapsed(fighter.rules + key[0]):
            special = SPECIALS[rule.name]
            if special.part == BEARER:
                special.bear(rule, gear)
    return gear


@cites("COVER-2")
def cover_granted(game: Game, state: State, host: Host) -> bool:
    """COVER-2: whether a whole unit has the Benefit of Cover by a rule, whichever: a Stratagem, an ability, a lamp token."""
    if state.units[host.unit].mark("cover") is not None or lamplit(game, state, host):
        return True
    kinds = index_of(game).kinds(state, host.slots)
    return bool(kinds) and all(carries(rules_of(game, state, host, slot), "Benefit of Cover") for slot in kinds)


@cites("COVER-1")
def lamplit(game: Game, state: State, host: Host) -> bool:
    """DET-R, COVER-1: a unit within range of a marker on which its owner's lamp token lies has the Benefit of Cover."""
    side = game.side_of(host.unit)
    lit = [name.removeprefix(LAMP) for name, _ in state.sides[side] if name.startswith(LAMP)]
    if not lit:
        return False
    lookups = index_of(game)
    scene = game.scene(state)
    slots = [slot for slot in host.slots if state.at(slot)[0] != NOWHERE]
    return any(base_gap(scene, slot, lookups.pieces[id]) <= LAMP_REACH for slot in slots for id in lit if id in lookups.pieces)


@cites("KEYW-3")
def keywords(game: Game, host: Host) -> tuple[str, ...]:
    """KEYW-3: a unit whose models differ has the keywords of all of them."""
    lookups = index_of(game)
    return lookups.sorted_words(host.slots)


@cites("UT-3")
def toughness(game: Game, host: Host) -> int:
    """UT-1, UT-2: the highest among the Bodyguard models of an Attached unit, among all models of another.

    It is read when the unit is selected as a target and holds for all attacks of that unit (UT-3).
    """
    lookups = index_of(game)
    found = lookups.tough.get(host)
    if found is None:
        read = host.slots
        if host.attached:
            read = tuple(slot for slot in read if slot not in host.guests)  # UT-1
        found = lookups.tough[host] = best(TOUGHNESS, [lookups.fighters[slot].profile.toughness for slot in read])
    return found


@cites("BEST-1", "ULD-1", "UT-2")
def best(kind: str, values: Sequence[Value]) -> int:
    """BEST-1: the value that no other beats; symbols are passed over."""
    found: int | None = None
    for value in values:
        if isinstance(value, int) and (found is None or better(kind, value, found)):
            found = value
    assert found is not None
    return found


@cites("WORST-1")
def worst(kind: str, values: Sequence[Value]) -> int:
    """WORST-1: the value that all others equal or beat; symbols are passed over."""
    found = [value for value in values if isinstance(value, int)]
    return next(value for value in found if not any(better(kind, value, other) for other in found))


def saves_of(game: Game, state: State, host: Host) -> list[Value]:
    """USV-2: the Save of each model of a unit as modified."""
    lookups = index_of(game)
    return [
        evaluate(SAVE, lookups.fighters[slot].profile.save, effects_on(game, state, host, slot, SAVE)) for slot in host.slots
    ]


@cites("USV-1")
def common_save(saves: Sequence[Value]) -> Value:
    """USV-1, DP-37: a unit's Save is the most common among its models; of those that tie its owner takes the better."""
    most = max(saves.count(save) for save in saves)
    tied = [save for save in saves if saves.count(save) == most]
    return best(SAVE, tied) if any(isinstance(save, int) for save in tied) else tied[0]


def leadership(game: Game, state: State, host: Host) -> int | None:
    """ULD-1: the best Leadership among the models; None if no card says any."""
    lookups = index_of(game)
    values: list[Value] = []
    for slot in lookups.kinds(state, host.slots):
        profile = lookups.fighters[slot].profile
        if profile.leadership is None:
            continue
        found = evaluate(LEADERSHIP, profile.leadership, effects_on(game, state, host, slot, LEADERSHIP))
        values.append(found if isinstance(found, int) else profile.toughness)  # NULL-1
    return best(LEADERSHIP, values) if values else None


@cites("UNIT-6", "START-1")
def starting_strength(game: Game, cards: Sequence[int]) -> int:
    """UNIT-6, START-1: the models its parts that still have some were added to the army with."""
    return sum(game.cards[card].start_size or len(game.cards[card].models) for card in cards)


@cites("UNIT-5")
def below_half(strength: int, models: int, wounds_left: int, wounds: int) -> bool:
    """UNIT-5: fewer than half its models left, or for a single model fewer than half its wounds."""
    if strength == 1:
        return 2 * wounds_left < wounds
    return 2 * models < strength


@cites("BSS-1")
def below_starting(strength: int, models: int, unhurt: bool) -> bool:
    """BSS-1: fewer models than its Starting Strength."""
    return models < strength or hurt_alone(strength, unhurt)


@cites("BSS-2")
def hurt_alone(strength: int, unhurt: bool) -> bool:
    """BSS-2: with a Starting Strength of 1, fewer wounds than the model started with."""
    return strength == 1 and not unhurt


@cites("FULLW-1")
def full_wounds(game: Game, state: State, slot: int) -> bool:
    """FULLW-1: whether a model has all its wounds remaining."""
    return left_on(game, state, slot) == wounds(game, slot)


def is_below_starting(game: Game, state: State, host: Host) -> bool:
    """Whether a unit is Below Starting Strength now."""
    return below_starting(starting_strength(game, host.cards), len(host.slots), full_wounds(game, state, host.slots[0]))


def is_below_half(game: Game, state: State, host: Host) -> bool:
    """Whether a unit is Below Half-strength now."""
    lookups = index_of(game)
    first = host.slots[0]
    wounds = lookups.fighters[first].profile.wounds
    return below_half(starting_strength(game, host.cards), len(host.slots), left_on(game, state, first), wounds)


def wounds(game: Game, slot: int) -> int:
    """The wounds a model has when it is unhurt."""
    lookups = index_of(game)
    return lookups.fighters[slot].profile.wounds
