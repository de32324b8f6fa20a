"""Cards as their owners write them: the characteristics, abilities and weapons of each model, every number checked."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from rolloff.editions.commentary.abilities import READER, collapsed
from rolloff.editions.commentary.keywords import written
from rolloff.editions.commentary.saves import Gear
from rolloff.editions.commentary.values import Effect, Value
from rolloff.editions.commentary.weapons import OF, target_number, whole
from rolloff.errors import BadInput
from rolloff.identity_cache import FormCache, IdentityCache
from rolloff.rules.citing import cites
from rolloff.table.profile import Card, DiceRoll, Model, Rule, Stat, Weapon, read_roll

STATS = ("M", "T", "Sv", "W", "Ld", "OC", "Inv", "FNP")
NONE = "-"
MOST_MOVE = 99
_OWN_STAT = re.compile(rf"^(?P<name>{'|'.join(STATS)})\s*[( ]\s*(?P<value>[^()]+?)\s*\)?$")


class Profile(Struct, frozen=True):
    """The characteristics of one model."""

    toughness: int
    save: Value
    wounds: int
    leadership: Value | None = None
    control: Value = 0
    ward: Value = NONE
    no_pain: Value = NONE
    move: Value = NONE


class Fighter:
    """One model as the rules see it; nothing of it changes but what is kept of answers about it."""

    __slots__ = (
        "armed",
        "card",
        "carried",
        "effects",
        "faced",
        "gears",
        "guns",
        "keywords",
        "leading",
        "move_dice",
        "profile",
        "ratings",
        "reach",
        "rules",
        "weapon_abilities",
        "weapons",
        "wholes",
    )

    def __init__(self, body: Body, weapons: tuple[Weapon, ...], keywords: tuple[str, ...], card: int = 0) -> None:
        """A body with its weapons, of a card with this number in its game."""
        self.profile, self.rules, self.leading, self.carried = body.profile, body.rules, body.leading, body.carried
        self.weapons, self.keywords, self.card = weapons, keywords, card
        self.ratings: dict[str, int | str | None] = {rule.name: rule.rating for rule in reversed(collapsed(self.rules))}
        """The abilities it has, by name, with the number behind each; the first where there are several."""
        self.move_dice = _move_dice(self.profile.move)
        """DICE-5: the dice its Move is rolled with; None where it is a number or a symbol."""
        self.guns: tuple[int, ...] = tuple([index for index, weapon in enumerate(weapons) if not weapon.melee])
        """The places of its ranged weapons among its weapons."""
        self.weapon_abilities = frozenset([rule.name for weapon in weapons for rule in weapon.rules])
        """The names of the abilities some of its weapons have."""
        self.reach: int = max([weapon.reach or 0 for weapon in weapons], default=0)
        """The longest printed Range among its weapons, in thou."""
        self.wholes = _wholes(weapons)
        """Of each of its weapons the place of the whole weapon it is a profile of: that of the first profile (UNIT-3)."""
        self.gears: dict[tuple[tuple[Rule, ...], bool], Gear] = {}
        """What it brings against wounds with more abilities, in cover or not: as far as somebody asked (`lookups`)."""
        self.effects: dict[tuple[str, tuple[Rule, ...]], tuple[Effect, ...]] = {}
        """What changes a characteristic of it with more abilities: as far as somebody asked (`lookups`)."""
        self.armed: dict[Hashable, Any] = {}
        """Its ranged weapons as they may be fired in some circumstances: as far as somebody asked (`choosing`)."""
        self.faced: dict[Hashable, Any] = {}
        """What a unit of such models alone is to attacks with more abilities: as far as somebody asked (`attack`)."""

    def of_card(self, number: int) -> Fighter:
        """The same model of a card with another number."""
        return Fighter(Body(self.profile, self.rules, self.leading, self.carried), self.weapons, self.keywords, number)

    @cites("WITHX-1")
    def has(self, name: str) -> bool:
        """WITHX-1: whether it has an ability, whatever number stands behind the name."""
        return name in self.ratings

    def rating(self, name: str) -> int | str | None:
        """The number behind an ability's name, or None."""
        return self.ratings.get(name)


def _move_dice(move: Value) -> DiceRoll | None:
    return read_roll(move) if isinstance(move, str) and "D" in move else None


def _wholes(weapons: tuple[Weapon, ...]) -> tuple[int, ...]:
    names = [weapon.stat(OF) for weapon in weapons]
    return tuple([at if of is None else names.index(of) for at, of in enumerate(names)])


class Body(Struct, frozen=True):
    """One model as the rules see it, but for its weapons and its place."""

    profile: Profile
    rules: tuple[Rule, ...]
    leading: tuple[Rule, ...]
    carried: tuple[Rule, ...]


_bodies: FormCache[Mapping[str, Stat], Body] = FormCache()
"""Models read lately, by the characteristics of their cards, which cards alike share, and then by their abilities."""


def _body(card: Card, model: Model) -> Body:
    """A model without its weapons; one like it was perhaps read before."""
    key = card.rules, model.rules, model.stats
    return _bodies.get(card.stats, key) or _bodies.put(card.stats, key, _new_body(card, model))


def _new_body(card: Card, model: Model) -> Body:
    stats: dict[str, object] = {**card.stats, **dict(model.stats)}
    rules = [READER.printed(rule, f"{card.id}.rules") for rule in card.rules]
    for rule in model.rules:
        own = _OWN_STAT.match(str(rule))
        if own:
            stats[own["name"]] = own["value"]
        else:
            rules.append(READER.printed(rule, f"{model.id}.rules"))
    leading = [READER.rule(rule.rating, f"{model.id}.rules") for rule in rules if rule.name == "While Leading"]
    carried = [READER.rule(rule.rating, f"{model.id}.rules") for rule in rules if rule.name == "While Carried"]
    return Body(
        profile=profile_of(stats, model.id if model.stats else card.id),
        rules=tuple(rule for rule in rules if rule.name not in ("While Leading", "While Carried")),
        leading=tuple(leading),
        carried=tuple(carried),
    )


def _fighter(card: Card, model: Model) -> Fighter:
    """A model with the abilities of its card and its own; `BadInput` for anything the edition does not know."""
    body = _body(card, model)
    weapons = tuple([READER.checked(weapon, f"{model.id}.weapons[{k}]") for k, weapon in enumerate(model.weapons)])
    return Fighter(body, weapons, keywords_of(card))


Kind = tuple[tuple[Rule, ...], tuple[Weapon, ...], tuple[tuple[str, Stat], ...]]
"""What models of a card that are alike have in common."""


def kind_of(model: Model) -> Kind:
    """What a model has that another of its card may not have."""
    return model.rules, model.weapons, model.stats


_fighters: IdentityCache[Card, dict[Kind, Fighter]] = IdentityCache()
"""The models of cards read lately, one of each kind, as on the first card of a game."""


def fighters_of(card: Card) -> dict[Kind, Fighter]:
    """The models of a card, one of each kind; `BadInput` for anything the edition does not know."""
    found = _fighters.get(card)
    if found is None:
        kinds = {kind_of(model): model for model in reversed(card.models)}
        found = _fighters.put(card, {kind: _fighter(card, model) for kind, model in kinds.items()})
    return found


def keywords_of(card: Card) -> tuple[str, ...]:
    """KEYW-1: the keywords of a card; one without any has its type for a keyword. Words with a colon are its list's."""
    return _keywords(card.keywords, card.type)


@lru_cache(maxsize=1024)
def _keywords(words: tuple[str, ...], unit_type: str) -> tuple[str, ...]:
    said = {written(word.strip().upper()) for word in words if ":" not in word}
    return tuple(sorted(said or {unit_type.upper()}))


def words_of(card: Card, prefix: str) -> tuple[str, ...]:
    """What a book or list says of a card beside its keywords, by how the word begins."""
    return _said(card.keywords, prefix)


@lru_cache(maxsize=1024)
def _said(words: tuple[str, ...], prefix: str) -> tuple[str, ...]:
    return tuple([word.removeprefix(prefix) for word in words if word.startswith(prefix)])


def profile_of(stats: dict[str, object], unit: str) -> Profile:
    """UNIT-2: the characteristics of a model; `BadInput` names one that is missing or out of bounds."""
    where = f"{unit}.stats"
    for name in stats:
        if name not in STATS:
            raise BadInput(
                "unknown-stat", f"{where}: no characteristic {name!r}", where=f"{where}.{name}", allowed=", ".join(STATS)
            )
    for name in ("T", "Sv", "W"):
        if name not in stats:
            raise BadInput("missing-stat", f"{where}: {name} is missing", where=f"{where}.{name}", allowed="a number")
    toughness, wounds = whole(stats["T"], f"{where}.T", 1, 99), whole(stats["W"], f"{where}.W", 1, 200)
    assert isinstance(toughness, int) and isinstance(wounds, int)
    return Profile(
        toughness=toughness,
        save=target_number(stats["Sv"], f"{where}.Sv", 2, 7, (NONE,)),
        wounds=wounds,
        leadership=target_number(stats["Ld"], f"{where}.Ld", 2, 12, (NONE,)) if "Ld" in stats else None,
        control=whole(stats.get("OC", 0), f"{where}.OC", 0, 99, (NONE,)),
        ward=target_number(stats.get("Inv", NONE), f"{where}.Inv", 2, 6, (NONE, "")),
        no_pain=target_number(stats.get("FNP", NONE), f"{where}.FNP", 2, 6, (NONE, "")),
        move=_move(stats.get("M", NONE), f"{where}.M"),
    )


def _move(given: object, where: str) -> Value:
    """A Move in inches, with or without the mark, or dice (DICE-5); ``20+"`` and ``-`` stand for themselves (MODCH-8)."""
    text = given.strip().rstrip('"') if isinstance(given, str) else given
    if isinstance(text, str) and "d" in text.casefold():
        roll = read_roll(text, where)
        most = roll.count * roll.sides + roll.plus
        return str(roll) if not roll.fixed and most <= MOST_MOVE else whole(most, where, 0, MOST_MOVE)
    if isinstance(text, str) and text.endswith("+"):
        return f'{text}"'
    return whole(text, where, 0, MOST_MOVE, (NONE, "*"))


def check_card(card: Card) -> None:
    """Refuse a card that the edition cannot use."""
    if not card.models:
        raise BadInput("no-models", f"{card.id} has no models", where=card.id, allowed="at least one model")
    fighters_of(card)
