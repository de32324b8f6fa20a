"""From a book and a choice to a card (UNIT-2, ARMY-5): models with their kits, upgrades applied and paid for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from rolloff.armies.bodies import BODIES, Body, Footprints, by_keyword, read_base, usual
from rolloff.armies.forms import BookForm, EnhancementForm, EntryForm, ModelsForm, Number, OptionForm, ProfileForm, WeaponText
from rolloff.errors import ArmyError, BadInput
from rolloff.lengths import LengthError, inches
from rolloff.rules.citing import cites
from rolloff.rules.edition import Edition, Price
from rolloff.table.profile import Card, Model, Rule, Stat, Weapon, read_rule

FACTION, FOR_ALL, KNOWS = "faction:", "all:", "power:"
LEADS, BESIDE, CHAMPION, BATTLELINE, WARLORD_LAW = "leads:", "beside:", "champion:", "battleline:", "warlord:"
DETACHMENT, ENHANCEMENT, STARTS, WARLORD = "detachment:", "enhancement:", "starts:", "WARLORD"
"""How words begin that a card carries beside its keywords: what books and lists say of it."""
MOST_MODELS = 200

STEP = 5
"""Prices by formula are whole steps of so many points."""

ReadWeapon = Callable[[object, str], Weapon]


class Workshop(Struct, frozen=True):
    """How an edition builds units: how it reads a weapon, its usual footprints, its prices and the clauses behind them.

    ``price`` gives the exact price of models with common rules, a unit's basic figure and its type; without one a unit costs
    what its book or list says, else nothing.
    """

    read: ReadWeapon
    footprints: Footprints = ()
    larger: frozenset[str] = frozenset()
    price: Price | None = None
    size_clause: str | None = None
    upgrade_clause: str | None = None
    for_all: str | None = None
    for_each: str | None = None
    faction: str | None = None
    enhancements: str | None = None

    @classmethod
    def of(cls, edition: Edition) -> Workshop:
        """The workshop of an edition."""
        clauses = edition.engine
        return cls(
            edition.read_weapon,
            edition.footprints,
            edition.larger,
            edition.price,
            clauses.profiles or None,
            clauses.upgrades or None,
            clauses.for_all or clauses.upgrades or None,
            clauses.for_each or clauses.upgrades or None,
            clauses.faction or None,
            clauses.enhancements or None,
        )

    def cost(self, models: Sequence[Model], rules: tuple[Rule, ...], quality: int, type: str) -> Fraction:
        """The exact price of a unit; nothing where the edition has no prices."""
        return self.price(models, rules, quality, type) if self.price else Fraction(0)

    def points(self, models: Sequence[Model], rules: tuple[Rule, ...], quality: int, type: str) -> int:
        """The price as a list shows it."""
        return rounded(self.cost(models, rules, quality, type)) if self.price else 0


def rounded(price: Fraction) -> int:
    """To whole steps, halves up; nothing is free."""
    return max(STEP, STEP * int((price / STEP + Fraction(1, 2)) // 1))


class Kit(Struct, frozen=True):
    """A unit under construction: its profile's numbers, its models, its words and what it costs so far."""

    name: str
    type: str
    quality: int
    rules: tuple[Rule, ...]
    models: tuple[Model, ...]
    points: int
    words: tuple[str, ...] = ()
    stats: Mapping[str, Stat] = {}

    def card(self, id: str, side: int) -> Card:
        """The finished card under its roster id."""
        models = tuple(replace(model, id=f"{id}.{k}") for k, model in enumerate(self.models, 1))
        return Card(
            id=id,
            side=side,
            models=models,
            name=self.name,
            type=self.type,
            quality=self.quality,
            stats=self.stats,
            points=self.points,
            rules=self.rules,
            keywords=self.words,
            start_size=len(models),
        )


def _rules(texts: Sequence[str], where: str) -> tuple[Rule, ...]:
    return tuple(read_rule(text, where) for text in texts)


def _weapons(shop: Workshop, texts: Sequence[WeaponText], where: str) -> tuple[Weapon, ...]:
    return tuple(shop.read(text, where) for text in texts)


def _body(form: ProfileForm | ModelsForm, unit_type: str, larger: bool, where: str, usually: Body | None = None) -> Body:
    if form.body and form.body not in BODIES:
        allowed = ", ".join(BODIES)
        raise ArmyError("unknown-body", f"{where}: no body {form.body!r}", where=where, allowed=allowed)
    base, height = BODIES[form.body] if form.body else usually or usual(unit_type, larger)
    if form.base:
        base = read_base(form.base, where)
    return base, height if form.height is None else _height(form.height, where)


def _height(value: Number, where: str) -> int:
    try:
        return inches(value)
    except LengthError as error:
        raise ArmyError("bad-height", f"{where}: {error}", where=where) from None


def _size(profile: ProfileForm, size: int | None, clause: str | None, where: str) -> int:
    """The number of models the profile gives, or one between its least and greatest."""
    least, most = (profile.size, profile.size) if isinstance(profile.size, int) else profile.size
    wanted = least if size is None else size
    if not 1 <= least <= wanted <= most <= MOST_MODELS:
        allowed = str(least) if least == most else f"{least} to {most}"
        message = f"{where}: {profile.name} has {allowed} models, not {wanted}"
        raise ArmyError("bad-size", message, where=where, allowed=allowed, clause=clause)
    return wanted


def base_kit(book: BookForm, profile: ProfileForm, size: int | None, shop: Workshop, where: str) -> Kit:
    """A unit as its profile describes it, without upgrades."""
    rules = _rules(profile.rules, where)
    larger = any(rule.name in shop.larger for rule in rules)
    base, height = _body(profile, profile.type, larger, where, by_keyword(shop.footprints, profile.keywords))
    weapons = _weapons(shop, profile.weapons, where)
    model = Model("", profile.name, base, height, (), weapons)
    models = _with_champions(profile, (model,) * _size(profile, size, shop.size_clause, where))
    words = (FACTION + book.faction, *(KNOWS + name for name in profile.powers), *_printed_words(book, profile, where))
    stats = {name: tuple(value) if isinstance(value, list) else value for name, value in profile.stats.items()}
    points = _printed_price(shop, profile, models, rules)
    return Kit(profile.name, profile.type, profile.quality, rules, models, points, words, stats)


def _printed_price(shop: Workshop, profile: ProfileForm, models: tuple[Model, ...], rules: tuple[Rule, ...]) -> int:
    """What the book says a unit costs, else what the formula does."""
    if profile.points is not None:
        return profile.points
    if profile.each is not None:
        return profile.each * len(models)
    return shop.points(models, rules, profile.quality, profile.type)


def _with_champions(profile: ProfileForm, models: tuple[Model, ...]) -> tuple[Model, ...]:
    """The models with the names of those that lead the unit in spirit: the first, or one of so many."""
    if not profile.champion:
        return models
    every = profile.champion_per or len(models)
    return tuple(replace(model, name=profile.champion) if k % every == 0 else model for k, model in enumerate(models))


def _printed_words(book: BookForm, profile: ProfileForm, where: str) -> tuple[str, ...]:
    """The keywords of a profile, and what it says of leaders, champions and warlords."""

    def called(names: Sequence[str]) -> list[str]:
        return [_named(book, name, where).name for name in names]

    words = [*([book.keyword] if book.keyword else ()), *profile.keywords]
    words += [LEADS + name for name in called(profile.leads)] + [BESIDE + name for name in called(profile.beside)]
    words += [BATTLELINE + name for name in called(profile.battleline)]
    if profile.champion:
        words.append(CHAMPION + profile.champion)
    if profile.warlord:
        words.append(WARLORD_LAW + profile.warlord)
    return tuple(words)


@cites("ARMY-5")
def find_option(book: BookForm, profile: ProfileForm, wanted: str, shop: Workshop, where: str) -> OptionForm:
    """ARMY-5: upgrades come from the upgrade lists the unit's profile names."""
    options: dict[str, OptionForm] = {}
    for letter in profile.upgrades:
        if letter not in book.upgrades:
            allowed = ", ".join(book.upgrades) or "none"
            raise ArmyError("unknown-upgrades", f"{where}: no upgrade list {letter!r}", where=where, allowed=allowed)
        for option in book.upgrades[letter].options:
            options[f"{letter}.{option.id}"] = option
    found = [option for name, option in options.items() if wanted in (name, option.id)]
    if len(found) != 1:
        allowed = ", ".join(sorted(options)) or "no upgrades"
        message = f"{where}: {wanted!r} is no upgrade of {profile.name}"
        raise ArmyError("unknown-upgrade", message, where=where, allowed=allowed, clause=shop.upgrade_clause)
    return found[0]


def _bearers(kit: Kit, option: OptionForm, removed: Sequence[str], clause: str | None, where: str) -> list[int]:
    """Which models take an upgrade: all, the first, or the last that still carries what is replaced."""
    having = [k for k, model in enumerate(kit.models) if _carries(model, removed) and not _took(model, option)]
    if option.models == "all":
        able = _all_or_nothing(having, kit)
    elif option.models == "first":
        able = having[:1] if having[:1] == [0] else []
    else:
        able = having[-1:]
    if not able:
        raise ArmyError("no-bearer", f"{where}: no model can take {option.text!r}", where=where, clause=clause)
    return able


@cites("WARG-1")
def _all_or_nothing(having: list[int], kit: Kit) -> list[int]:
    """WARG-1: an option for all models is taken by every one of them, or not at all."""
    return having if len(having) == len(kit.models) else []


@cites("WARG-2")
def _times(option: OptionForm) -> int:
    """WARG-2: how many models of a unit may each take an option that any number may."""
    return option.most if option.models == "one" else 1


def _carries(model: Model, names: Sequence[str]) -> bool:
    held = [weapon.name for weapon in model.weapons]
    return all(held.count(name) >= names.count(name) for name in names)


def _took(model: Model, option: OptionForm) -> bool:
    """A rule that a model already has is not bought again."""
    had = {rule.name for rule in model.rules}
    return bool(option.rules) and all(read_rule(text).name in had for text in option.rules)


def _upgraded(model: Model, option: OptionForm, removed: Sequence[str], shop: Workshop, where: str) -> Model:
    weapons = list(model.weapons)
    for name in removed:
        weapons.remove(next(weapon for weapon in weapons if weapon.name == name))
    rules = (*model.rules, *_rules(option.rules, where))
    return replace(model, weapons=(*weapons, *_weapons(shop, option.add, where)), rules=rules)


def option_cost(kit: Kit, models: tuple[Model, ...], option: OptionForm, shop: Workshop) -> int:
    """What an upgrade costs: what its book says, else by how much it raises the price of the unit, to five points."""
    if option.cost is not None:
        return option.cost
    before = shop.cost(kit.models, kit.rules, kit.quality, kit.type)
    more = shop.cost(models, kit.rules, kit.quality, kit.type) - before
    return rounded(more) if more > 0 else 0


@cites("ARMY-5")
def upgrade(kit: Kit, option: OptionForm, shop: Workshop, where: str) -> Kit:
    """ARMY-5: a unit with one upgrade more, which adds its cost."""
    carried = {weapon.name for model in kit.models for weapon in model.weapons}
    removed = [text if text in carried else _read_name(shop, text, carried, where) for text in option.remove]
    bearers = _bearers(kit, option, removed, shop.upgrade_clause, where)
    models = tuple(
        _upgraded(model, option, removed, shop, where) if k in bearers else model for k, model in enumerate(kit.models)
    )
    words = [*kit.words, *(KNOWS + name for name in option.powers)]
    if option.models == "all":
        words.append(FOR_ALL + option.id)
    points = kit.points + option_cost(kit, models, option, shop)
    return replace(kit, models=models, words=tuple(words), points=points)


def _named(book: BookForm, name: str, where: str, clause: str | None = None) -> ProfileForm:
    """A unit of a book by the name of its table."""
    found = book.units.get(name)
    if found is None:
        allowed, message = ", ".join(book.units), f"{where}: {book.faction} has no unit {name!r}"
        raise ArmyError("unknown-unit", message, where=where, allowed=allowed, clause=clause)
    return found


def _read_name(shop: Workshop, text: str, carried: set[str], where: str) -> str:
    """The name of a weapon as its edition reads it, where it is not that under which a model carries it."""
    try:
        return shop.read(text, where).name
    except BadInput:
        message = f"{where}: no model carries {text!r}, which an upgrade removes"
        raise ArmyError("no-bearer", message, where=where, allowed=", ".join(sorted(carried))) from None


def from_book(book: BookForm, entry: EntryForm, shop: Workshop, where: str) -> Kit:
    """A unit of a list that is taken from a book."""
    profile = _named(book, entry.unit, where, shop.faction)
    kit = base_kit(book, profile, entry.size, shop, where)
    options = [find_option(book, profile, wanted, shop, where) for wanted in entry.upgrades]
    for option in options:
        if options.count(option) > _times(option):
            most, clause = _times(option), shop.for_all if option.models == "all" else shop.for_each
            message = f"{where}: {option.text!r} may be taken {'once' if most == 1 else f'{most} times'} at most"
            raise ArmyError("too-often", message, where=where, allowed=str(most), clause=clause)
    for option in sorted(options, key=lambda option: option.models != "all"):  # kits for all before those of single models
        kit = upgrade(kit, option, shop, where)
    return _enhanced(book, kit, entry, shop, where) if entry.enhancement else kit


def _enhanced(book: BookForm, kit: Kit, entry: EntryForm, shop: Workshop, where: str) -> Kit:
    """A unit whose first model bears an enhancement, which adds its cost and its rules."""
    found: EnhancementForm | None = book.enhancements.get(entry.enhancement)
    if found is None:
        allowed = ", ".join(book.enhancements) or "none"
        message = f"{where}: {book.faction} has no enhancement {entry.enhancement!r}"
        raise ArmyError("unknown-enhancement", message, where=where, allowed=allowed, clause=shop.enhancements)
    first, *others = kit.models
    bearer = replace(first, rules=(*first.rules, *_rules(found.rules, where)))
    words = (*kit.words, f"{ENHANCEMENT}{found.id} {found.bearer}" + (" with Leader" if found.leader else ""))
    return replace(kit, models=(bearer, *others), words=words, points=kit.points + found.points)


def said(entry: EntryForm, detachment: str) -> tuple[str, ...]:
    """The words a list adds to a unit: its detachment, whom it leads, how it starts, whether it is the warlord."""
    words = [DETACHMENT + detachment] if detachment else []
    if entry.leads:
        words.append(f"{STARTS}leads {entry.leads}")
    if entry.starts:
        words.append(STARTS + entry.starts)
    return (*words, WARLORD) if entry.warlord else tuple(words)


def _check_written_out(entry: EntryForm, where: str) -> None:
    """Refuse what only a unit of a book can have, and a price below nothing."""
    stray = [name for name in ("size", "upgrades", "enhancement") if getattr(entry, name)]
    if stray:
        message = f"{where}: a unit that is written out has no {stray[0]}, which is for units of a book"
        raise ArmyError("not-of-a-book", message, where=where, allowed="models, with all that they carry")
    if entry.points is not None and entry.points < 0:
        raise ArmyError("bad-points", f"{where}: {entry.points} points", where=where, allowed="0 or more")


def written_out(entry: EntryForm, shop: Workshop, where: str) -> Kit:
    """A unit of a list that stands there in full."""
    _check_written_out(entry, where)
    rules = _rules(entry.rules, where)
    larger = any(rule.name in shop.larger for rule in rules)
    models: list[Model] = []
    for form in entry.models:
        if not 1 <= form.count <= MOST_MODELS:
            raise ArmyError("bad-size", f"{where}: {form.count} models", where=where, allowed=f"1 to {MOST_MODELS}")
        base, height = _body(form, entry.type, larger, where)
        kit = _weapons(shop, form.weapons, where)
        own = tuple((name, tuple(value) if isinstance(value, list) else value) for name, value in form.stats.items())
        models += [Model("", form.name, base, height, _rules(form.rules, where), kit, own)] * form.count
    if not 1 <= len(models) <= MOST_MODELS:
        raise ArmyError("bad-size", f"{where}: {len(models)} models", where=where, allowed=f"1 to {MOST_MODELS}")
    points = entry.points
    if points is None:
        points = shop.points(models, rules, entry.quality, entry.type)
    words = (*entry.keywords, *(KNOWS + name for name in entry.powers))
    stats = {name: tuple(value) if isinstance(value, list) else value for name, value in entry.stats.items()}
    return Kit(entry.name, entry.type, entry.quality, rules, tuple(models), points, words, stats)


__all__ = [
    "STEP",
    "Kit",
    "Workshop",
    "base_kit",
    "find_option",
    "from_book",
    "option_cost",
    "rounded",
    "said",
    "upgrade",
    "written_out",
]
