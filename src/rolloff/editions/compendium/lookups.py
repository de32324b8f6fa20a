"""What a game of this edition looks up about its models, and how rules carry over in a unit (CF-PROF-6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter

from msgspec import Struct

from rolloff.editions.compendium.ability import MELEE, Ability, Scope, Wards
from rolloff.editions.compendium.cards import Profile, profile_of, rules_of, types_of
from rolloff.editions.compendium.matchup import MONSTER, WALKER, Enemy, singular
from rolloff.editions.compendium.names import collapsed
from rolloff.editions.compendium.weapons import checked, read_weapon
from rolloff.errors import BadInput
from rolloff.identity_cache import IdentityCache
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.table.profile import Card, Rule, Weapon
from rolloff.table.state import State

BARE_HANDS = read_weapon({"name": "bare hands", "range": "melee", "S": "User"}, "bare hands")
"""What a model without a Melee weapon fights with (CF-ASLT-8)."""

OWN = (Scope.MODEL, Scope.MODEL_OR_WEAPON, Scope.VEHICLE, Scope.TYPE)


class Fighter(Struct, frozen=True):
    """One model as its rules see it; ``worth`` is its share of its unit's points."""

    profile: Profile
    types: frozenset[str]
    rules: tuple[Rule, ...]
    weapons: tuple[Weapon, ...]
    ranged: tuple[int, ...]
    melee: tuple[int, ...]
    worth: int
    card: int

    def has(self, name: str) -> bool:
        """Whether the model itself has a rule."""
        return any(rule.name == name for rule in self.rules)

    @property
    def borne(self) -> tuple[Rule, ...]:
        """The rules of the model and of everything it carries."""
        return (*self.rules, *(rule for weapon in self.weapons for rule in weapon.rules))

    @property
    def vehicle(self) -> bool:
        """Whether it is a vehicle."""
        return self.profile.hull is not None


class UnitIndex:
    """Everything looked up by roster slot."""

    def __init__(self, game: Game) -> None:
        """Read every card once."""
        self.specials: Mapping[str, Ability] = game.edition.specials  # type: ignore[assignment]
        squads = [_squad(card, number) for number, card in enumerate(game.cards)]
        self.fighters: tuple[Fighter, ...] = tuple([fighter for squad in squads for fighter in squad])
        self._carried: dict[tuple[int, ...], tuple[Rule, ...]] = {}
        self._attacking: dict[tuple[int, int, tuple[int, ...], str], tuple[Weapon, tuple[Rule, ...]]] = {}

    def carried(self, living: Iterable[int]) -> tuple[Rule, ...]:
        """CF-PROF-6: the rules a unit has as a whole: ``unit-any`` if one model has it, ``unit-all`` if every model does."""
        slots = tuple(living)
        known = self._carried.get(slots)
        if known is not None:
            return known
        found: list[Rule] = []
        for slot in slots:
            for rule in self.fighters[slot].rules:
                scope = self.specials[rule.name].scope
                if scope is Scope.UNIT_ANY or (scope is Scope.UNIT_ALL and self._all(slots, rule.name)):
                    found.append(rule)
        known = self._carried[slots] = collapsed(found)
        return known

    @cites("SR-FIGHT-FIRST-1")
    def _all(self, slots: tuple[int, ...], name: str) -> bool:
        return all(self.fighters[slot].has(name) for slot in slots)

    def attack_rules(self, slot: int, weapon: Weapon, living: Iterable[int], kind: str) -> tuple[Rule, ...]:
        """The rules of an attack: the weapon's, the model's as far as they cover it, and the unit's."""
        key = id(self.fighters[slot]), id(weapon), tuple(living), kind
        known = self._attacking.get(key)
        if known is None:
            own = [rule for rule in self.fighters[slot].rules if self._covers(rule, kind)]
            found = collapsed((*weapon.rules, *own, *self.carried(key[2])))
            # the weapon is kept beside its rules, so that no other can take its identity
            known = weapon, tuple(rule for rule in found if kind in self.specials[rule.name].kinds)
            self._attacking[key] = known
        return known[1]

    @cites("CF-PROF-6")
    def _covers(self, rule: Rule, kind: str) -> bool:
        """CF-PROF-6: a melee-model-or-weapon rule on a model affects its melee attacks only."""
        scope = self.specials[rule.name].scope
        return scope in OWN or (scope is Scope.MELEE_MODEL_OR_WEAPON and kind == MELEE)

    def serves(self, slot: int, weapon: Weapon) -> bool:
        """Whether a model can use a weapon it carries, for what it is."""
        return all(self.specials[rule.name].serves(self.fighters[slot].types) for rule in weapon.rules)

    def wards(self, slot: int, living: Iterable[int], ground: frozenset[str] = frozenset()) -> Wards:
        """What a model brings against a wound: its profile, its own rules and those of its unit."""
        profile = self.fighters[slot].profile
        found = Wards(profile.armour, profile.invulnerable, profile.cover, ground=ground)
        own = [rule for rule in self.fighters[slot].rules if self.specials[rule.name].scope in OWN]
        for rule in collapsed((*own, *self.carried(living))):
            self.specials[rule.name].ward(rule, found)
        return found


index_of: Callable[[Game], UnitIndex] = attrgetter("lookups")
"""What a game of this edition looks up: what its `prepare` made. As a getter, since it is asked for everywhere."""


_squads: IdentityCache[Card, tuple[int, tuple[Fighter, ...]]] = IdentityCache()
"""The models of cards read lately, with the place of the card in its game."""


def _squad(card: Card, number: int) -> tuple[Fighter, ...]:
    """The models of a card; models that are alike are the same fighter."""
    known = _squads.get(card)
    if known is None or known[0] != number:
        alike: dict[object, Fighter] = {}
        for k, model in enumerate(card.models):
            if (model.rules, model.weapons) not in alike:
                alike[model.rules, model.weapons] = _fighter(card, k, number)
        known = _squads.put(card, (number, tuple([alike[model.rules, model.weapons] for model in card.models])))
    return known[1]


def _fighter(card: Card, k: int, number: int) -> Fighter:
    model = card.models[k]
    weapons = tuple([checked(weapon, f"{model.id}.weapons[{at}]") for at, weapon in enumerate(model.weapons)])
    ranged = tuple([at for at, weapon in enumerate(weapons) if not weapon.melee])
    melee = tuple([at for at, weapon in enumerate(weapons) if weapon.melee])
    melee, weapons = melee or (len(weapons),), (*weapons, BARE_HANDS)  # CF-ASLT-8
    rules = rules_of(card, k)
    worth = card.points * 1000 // len(card.models)
    return Fighter(profile_of(card), types_of(card, rules), rules, weapons, ranged, melee, worth, number)


@cites("CF-DICE-6")
def majority(values: Iterable[int]) -> int:
    """CF-DICE-6: the value held by most; of several the higher."""
    held = Counter(values)
    return max(held, key=lambda value: (held[value], value), default=0)


def shared_types(kinds: list[frozenset[str]]) -> frozenset[str]:
    """SR-ANTI-3: what most of the models are."""
    every = frozenset().union(*kinds) if kinds else frozenset()
    return frozenset(name for name in every if 2 * sum(name in one for one in kinds) > len(kinds))  # SR-ANTI-3


def enemy_of(game: Game, state: State, unit: int, kind: str, facing: str) -> Enemy:
    """What of the target decides the rolls; the Armour Value is that of the facing attacked."""
    lookups = index_of(game)
    living = state.units[unit].living
    if not state.models and len({id(lookups.fighters[slot]) for slot in living}) == 1:
        return _alike(lookups.fighters[living[0]], kind, facing)
    fighters = [lookups.fighters[slot] for slot in living]
    initiative = majority(initiative_of(lookups, state, slot) for slot in living)
    immobile = any(state.model_mark(slot, "immobile") is not None for slot in living)
    return _enemy(fighters, initiative, immobile, kind, facing)


_enemies: IdentityCache[Fighter, dict[tuple[str, str], Enemy]] = IdentityCache()
"""Units of models all alike that are marked with nothing, by one of them."""


def _alike(fighter: Fighter, kind: str, facing: str) -> Enemy:
    """A unit of models that are all alike is as one of them."""
    known = _enemies.get(fighter)
    if known is None:
        known = _enemies.put(fighter, {})
    found = known.get((kind, facing))
    if found is None:
        found = known[kind, facing] = _enemy([fighter], fighter.profile.initiative, False, kind, facing)
    return found


def _enemy(fighters: list[Fighter], initiative: int, immobile: bool, kind: str, facing: str) -> Enemy:
    profiles = [fighter.profile for fighter in fighters]
    types = shared_types([fighter.types for fighter in fighters])
    hull = profiles[0].hull
    skill = majority(profile.weapon_skill for profile in profiles)
    fights = skill if WALKER in types else 1
    return Enemy(
        weapon_skill=max(fights, 1) if hull else skill,  # CF-VEH-9
        toughness=majority(profile.toughness for profile in profiles),
        initiative=initiative,
        save=majority(profile.armour for profile in profiles),
        armour=0 if hull is None else hull[("front", "side", "rear").index(facing)],
        vehicle=hull is not None,
        types=types,
        helpless=kind == MELEE and (immobile and WALKER not in types if hull else skill == 0),
    )


def initiative_of(lookups: UnitIndex, state: State, slot: int) -> int:
    """The Initiative a model has now: 1 while it is concussed (SR-CONCUSSIVE-1)."""
    printed = lookups.fighters[slot].profile.initiative
    return min(printed, 1) if state.model_mark(slot, "concussed") is not None else printed  # SR-CONCUSSIVE-1


def is_a(fighter: Fighter, name: str) -> bool:
    """Whether a model is of a type, said as its type, as a keyword or among its rules."""
    return singular(name) in fighter.types


def jinks(state: State, fighter: Fighter, slot: int) -> bool:
    """Whether a model can Jink: by its own rule, or as a Skimmer that is neither Heavyweights nor Immobilised."""
    if state.model_mark(slot, "immobile") is not None or state.model_mark(slot, "stunned") is not None:  # SR-JINK-3
        return False
    return fighter.has("Jink") or hovers(fighter)


@cites("SR-SKIMMER-6")
def hovers(fighter: Fighter) -> bool:
    """SR-SKIMMER-6: a Skimmer has Jink unless it is Heavyweights."""
    return is_a(fighter, "Skimmer") and not is_a(fighter, "Heavyweights")


def allowance(fighter: Fighter) -> int:
    """CF-SHOOT-2: how many weapons a model may fire in a phase; vehicles are limited by their speed instead."""
    if fighter.vehicle:
        return len(fighter.ranged)
    return 2 if MONSTER in fighter.types else 1  # CF-SHOOT-2


def wounds(game: Game, slot: int) -> int:
    """The wounds a model has when it is unhurt."""
    lookups = index_of(game)
    return lookups.fighters[slot].profile.wounds


def check_state(game: Game, state: State) -> None:
    """A living model has at least one Wound or Hull Point left."""
    fighters = index_of(game).fighters
    for number, unit in enumerate(state.units if any(state.wounds) else ()):  # everybody has one at least (`profile_of`)
        for slot in unit.living:
            whole_ = fighters[slot].profile.wounds
            if state.wounds_on(slot) >= whole_:
                name = game.models[slot].id
                message = f"{name} of {game.names[number]} has no Wounds left"
                raise BadInput("bad-wounds", message, where=name, allowed=f"0 to {whole_ - 1}")
