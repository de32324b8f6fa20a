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
from rolloff.lazy import lazy
from rolloff.rules.citing import cites
from rolloff.table.profile import Card, Model, Rule, Stat, Weapon

STATS = ("M", "T", "Sv", "W", "Ld", "OC", "Inv", "FNP")
NONE = "-"
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


class Fighter(Struct, frozen=True, dict=True):
    """One model as the rules see it."""

    profile: Profile
    weapons: tuple[Weapon, ...]
    rules: tuple[Rule, ...]
    leading: tuple[Rule, ...]
    carried: tuple[Rule, ...]
    keywords: tuple[str, ...]
    card: int

    @cites("WITHX-1")
    def has(self, name: str) -> bool:
        """WITHX-1: whether it has an ability, whatever number stands behind the name."""
        return name in self.ratings

    def rating(self, name: str) -> int | str | None:
        """The number behind an ability's name, or None."""
        return self.ratings.get(name)

    @lazy
    def guns(self) -> tuple[int, ...]:
        """The places of its ranged weapons among its weapons."""
        return tuple(index for index, weapon in enumerate(self.weapons) if not weapon.melee)

    @lazy
    def weapon_abilities(self) -> frozenset[str]:
        """The names of the abilities some of its weapons have."""
        return frozenset([rule.name for weapon in self.weapons for rule in weapon.rules])

    @lazy
    def reach(self) -> int:
        """The longest printed Range among its weapons, in thou."""
        return max([weapon.reach or 0 for weapon in self.weapons], default=0)

    @lazy
    def wholes(self) -> tuple[int, ...]:
        """Of each of its weapons the place of the whole weapon it is a profile of: that of the first profile (UNIT-3)."""
        names = [weapon.stat(OF) for weapon in self.weapons]
        return tuple([at if of is None else names.index(of) for at, of in enumerate(names)])

    @lazy
    def gears(self) -> dict[tuple[tuple[Rule, ...], bool], Gear]:
        """What it brings against wounds with more abilities, in cover or not: as far as somebody asked (`lookups`)."""
        return {}

    @lazy
    def effects(self) -> dict[tuple[str, tuple[Rule, ...]], tuple[Effect, ...]]:
        """What changes a characteristic of it with more abilities: as far as somebody asked (`lookups`)."""
        return {}

    @lazy
    def armed(self) -> dict[Hashable, Any]:
        """Its ranged weapons as they may be fired in some circumstances: as far as somebody asked (`choosing`)."""
        return {}

    @lazy
    def faced(self) -> dict[Hashable, Any]:
        """What a unit of such models alone is to attacks with more abilities: as far as somebody asked (`attack`)."""
        return {}

    @lazy
    def ratings(self) -> dict[str, int | str | None]:
        """The abilities it has, by name, with the number behind each; the first where there are several."""
        return {rule.name: rule.rating for rule in reversed(collapsed(self.rules))}


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
    return Fighter(
        profile=body.profile,
        weapons=tuple([READER.checked(weapon, f"{model.id}.weapons[{k}]") for k, weapon in enumerate(model.weapons)]),
        rules=body.rules,
        leading=body.leading,
        carried=body.carried,
        keywords=keywords_of(card),
        card=0,
    )


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
    """A Move in inches, with or without the mark; ``20+"`` and ``-`` stand for themselves (MODCH-8)."""
    text = given.strip().rstrip('"') if isinstance(given, str) else given
    if isinstance(text, str) and text.endswith("+"):
        return f'{text}"'
    return whole(text, where, 0, 99, (NONE, "*"))


def check_card(card: Card) -> None:
    """Refuse a card that the edition cannot use."""
    if not card.models:
        raise BadInput("no-models", f"{card.id} has no models", where=card.id, allowed="at least one model")
    fighters_of(card)
