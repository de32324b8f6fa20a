"""What a One Page game looks up about its models: toughness, weapons, rules, and how rules carry over to the unit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter

from msgspec import Struct

from rolloff.editions.onepage.book import Book, book_of
from rolloff.editions.onepage.matchup import Figures
from rolloff.identity_cache import IdentityCache
from rolloff.rules.citing import cites
from rolloff.rules.edition import Edition
from rolloff.rules.game import Game
from rolloff.rules.hooks import Special, overridden
from rolloff.rules.traits import carried
from rolloff.table.profile import Card, Model, Rule, Weapon, read_roll
from rolloff.table.state import State

VEHICLE = "vehicle"
INFANTRY = "infantry"
GRANT = "grant:"


class Fighter(Struct, frozen=True, gc=False):
    """One model as its rules see it."""

    tough: int
    weapons: tuple[Weapon, ...]
    ranged: tuple[int, ...]
    melee: tuple[int, ...]
    rules: Mapping[str, Rule]
    card: int
    lent: tuple[Rule, ...] = ()


class UnitIndex:
    """Everything looked up by roster slot, and the rules of units as they stand, remembered by who lives."""

    def __init__(self, game: Game) -> None:
        """Read every card once."""
        book: Book = book_of(game)
        squads = [_squad(card, game.edition, book, number) for number, card in enumerate(game.cards)]
        self.fighters: tuple[Fighter, ...] = tuple([fighter for squad in squads for fighter in squad])
        self.figures = Figures(book.armored, book.cover, book.regeneration, book.cover_armors, book.piercing_fixed)
        self.specials = game.edition.specials
        self._having: dict[tuple[str, tuple[int, ...]], list[int]] = {}
        self._furthest: dict[tuple[int, ...], int] = {}
        self._traits: dict[tuple[int, ...], frozenset[str]] = {}
        self._ordered: dict[tuple[int, ...], list[str]] = {}
        self.flown: dict[object, object] = {}
        self.melees: dict[object, tuple[float, float]] = {}
        self.quick: object = None  # a calculator for opponents, made when it is first wanted
        # Models with room for others. By model, not by card: a unit may gain one by being joined.
        self.guarding, self.remembering = _guarding.get(self.specials) or _guarding.put(self.specials, _looked(self.specials))
        self.carriers = frozenset(k for k, fighter in enumerate(self.fighters) if "Transport" in fighter.rules)

    def traits(self, living: tuple[int, ...]) -> frozenset[str]:
        """The rules a unit of these models has as a unit."""
        found = self._traits.get(living)
        if found is None:
            found = self._traits[living] = self._carried(living)
        return found

    def ordered(self, living: tuple[int, ...]) -> list[str]:
        """The same, in a fixed order."""
        found = self._ordered.get(living)
        if found is None:
            found = self._ordered[living] = sorted(self.traits(living))
        return found

    def having(self, name: str, living: tuple[int, ...]) -> list[int]:
        """Which of some models have a rule themselves."""
        key = name, living
        found = self._having.get(key)
        if found is None:
            found = self._having[key] = [slot for slot in living if name in self.fighters[slot].rules]
        return found

    def furthest(self, living: tuple[int, ...]) -> int:
        """The longest range of the weapons of some models; 0 without one."""
        found = self._furthest.get(living)
        if found is None:
            ranges = [self.fighters[slot].weapons[k].reach or 0 for slot in living for k in self.fighters[slot].ranged]
            found = self._furthest[living] = max(ranges, default=0)
        return found

    @cites("JOIN-5", "RULE-ARMORED-2")
    def _carried(self, living: tuple[int, ...]) -> frozenset[str]:
        """JOIN-5: some rules need every model, some half of them, some one; the rest stay with their model."""
        models = [self.fighters[slot].rules for slot in living]
        return carried(self.specials, {name for rules in models for name in rules}, models)


index_of: Callable[[Game], UnitIndex] = attrgetter("lookups")
"""What a game of this edition looks up: what its `prepare` made. As a getter, since it is asked for everywhere."""


def _looked(specials: Mapping[str, Special]) -> tuple[tuple[str, ...], bool]:
    """The rules that have a say in attacks on their unit, and whether any remembers actions."""
    guarding = tuple(name for name, special in specials.items() if "defend" in overridden(special))
    return guarding, any(special.remembers for special in specials.values())


_guarding: IdentityCache[Mapping[str, Special], tuple[tuple[str, ...], bool]] = IdentityCache()
"""The same for the rules of each edition."""


_squads: IdentityCache[Card, tuple[Edition, int, tuple[Fighter, ...]]] = IdentityCache()
"""The models of cards read lately: those of ready-made armies come again with every game."""


def _squad(card: Card, edition: Edition, book: Book, number: int) -> tuple[Fighter, ...]:
    """The models of a card, the so-manyth of a game."""
    known = _squads.get(card)
    if known is None or known[0] is not edition or known[1] != number:
        alike: dict[object, Fighter] = {}
        for model in card.models:
            if (model.rules, model.weapons) not in alike:
                alike[model.rules, model.weapons] = _fighter(card, model, book, edition.specials, number)
        squad = tuple([alike[model.rules, model.weapons] for model in card.models])
        known = _squads.put(card, (edition, number, squad))
    return known[2]


@cites("TYPE-VEH-2", "TYPE-VEH-9", "WPN-3", "MELEE-11")
def _fighter(card: Card, model: Model, book: Book, specials: Mapping[str, Special], number: int) -> Fighter:
    """One model's card with its unit's rules, innate rules and, if it has none, the default melee weapon."""
    rules: dict[str, Rule] = {}
    for rule in (*card.rules, *model.rules, *book.innate.get(card.type, ())):
        rules[rule.name] = _higher(rules.get(rule.name), rule)
    weapons = model.weapons
    if not [weapon for weapon in weapons if weapon.melee]:
        weapons = (*weapons, book.default_melee)
    ranged = tuple([k for k, weapon in enumerate(weapons) if not weapon.melee])
    melee = tuple([k for k, weapon in enumerate(weapons) if weapon.melee])
    tough = rules.get("Tough")
    lent = tuple(rule for name, rule in rules.items() if specials[name].lends(True))
    return Fighter(int(tough.rating or 1) if tough else 1, weapons, ranged, melee, rules, number, lent)


@cites("GEN-3")
def _higher(old: Rule | None, new: Rule) -> Rule:
    """GEN-3: the same rule twice is one rule, with the higher rating; a die counts as its average."""
    if old is None or old.rating is None or new.rating is None:
        return new
    return old if read_roll(old.rating).mean >= read_roll(new.rating).mean else new


def has(game: Game, state: State, unit: int, name: str, living: tuple[int, ...] | None = None) -> bool:
    """Whether a unit has a rule as a unit now, by its models or granted to it; ``living`` if not all who live now count."""
    held = state.units[unit]
    if held.marks and held.mark(GRANT + name) is not None:
        return True
    return name in index_of(game).traits(held.living if living is None else living)


def guards_of(game: Game, state: State, unit: int) -> tuple[Rule, ...]:
    """The rules of a unit that have a say in attacks on it, with their ratings."""
    lookups = index_of(game)
    found = []
    for name in lookups.guarding:
        if has(game, state, unit, name):
            rules = (lookups.fighters[slot].rules.get(name) for slot in state.units[unit].living)
            found.append(next((rule for rule in rules if rule is not None), Rule(name)))
    return tuple(found)


def is_vehicle(game: Game, unit: int) -> bool:
    """Whether a unit moves and suffers as a vehicle."""
    return game.cards[unit].type == VEHICLE


def is_infantry(game: Game, unit: int) -> bool:
    """TYPE-INF-1: whether a unit is neither a vehicle nor of another special type."""
    return game.cards[unit].type == INFANTRY


@cites("UNIT-3")
def quality(game: Game, unit: int) -> int:
    """UNIT-3: the one number for every test of the unit."""
    return game.cards[unit].quality


def tough(game: Game, slot: int) -> int:
    """Wounds it takes to remove a model."""
    return index_of(game).fighters[slot].tough


def start_size(game: Game, state: State, unit: int) -> int:
    """UNIT-4: models the unit was deployed with, joined ones included."""
    joined = state.units[unit].mark("start_size")
    if isinstance(joined, int):
        return joined
    card = game.cards[unit]
    return card.start_size or len(card.models)
