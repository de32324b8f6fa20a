"""One weapon against one target as a flow: hit, wound, and the wound that leaves it for whoever bears it.

The tables are built once for each match-up by the abilities of both sides and serve dice and odds alike. Attacks are rolled
one after the other (DICE-7, ATK-11).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions.commentary.ability import NO_THROW, SHOOTING, Ability
from rolloff.editions.commentary.rolls import Roll
from rolloff.editions.commentary.traits import (
    ASSIGNED,
    CONVERTED,
    HIDDEN,
    MORTAL,
    PRECISE,
    PSYCHIC,
    RANGED,
    RELEASED,
    RESOLVED,
    UNHARMED,
)
from rolloff.editions.commentary.values import (
    AP,
    ATTACKS,
    DAMAGE,
    ONES,
    SKILL,
    STRENGTH,
    TOUGHNESS,
    Effect,
    Op,
    Value,
    evaluate,
    figure,
    heeded,
    modifiers,
    number_and_roll,
    rolled_number,
    trail,
)
from rolloff.errors import BadInput
from rolloff.oracle.draft import Draft
from rolloff.oracle.flow import HITS, WOUNDS, Exit, Flow, Harm, Nodes, Order, Wave, Wound
from rolloff.oracle.offers import Offer
from rolloff.oracle.stage import Change, Stage, fixed, number
from rolloff.rules.citing import cites
from rolloff.table.profile import DiceRoll, Rule, Weapon, carries, read_roll

HIT, SUSTAINED, WOUND, WOUNDED, DEVASTATED = "hit", "sustained", "wound", "wounded", "damage"
STRONG = "strength"
IGNORING = "Ignore Modifiers"
FAILURES, FISHING = "failures", "not-critical"
AT_LAST = Wave.AFTER_UNIT  # MW-4
"""When the mortal wounds of attacks are applied."""
SCORED: Nodes = (WOUNDS,)  # SCORE-1
"""A wound was scored, whatever becomes of it."""


class Strike(Struct, frozen=True, cache_hash=True):
    """A match-up: everything about weapon, attacker, target and circumstances that decides the tables.

    The circumstances from ``keywords`` to ``damaged`` are told where an ability goes by them (`AbilityRegistry.gone_by`): other
    match-ups are the same whatever they are. ``damage_taken`` is what every model of the target makes of Damage, None where
    they differ; ``characters`` is how many CHARACTER models an Attached unit has, 0 where the attacking model sees none;
    ``hidden`` are those it does not see; ``asked`` is set where a person decides at each Critical Wound; ``share``
    is how many of a weapon's attacks are meant, if the others go at another unit; ``goes_on`` is set where other weapons of its
    batch follow. ``others`` are instances of abilities that
    are not used (DUP-2), told where somebody is asked; ``kept`` is what its player says is left of modifiers he may
    ignore, where that is not what he would keep anyway (`kept_of`).
    """

    kind: str
    weapon: Weapon
    toughness: int
    bearer_toughness: int = 4
    rules: tuple[Rule, ...] = ()
    against: tuple[Rule, ...] = ()
    keywords: tuple[str, ...] = ()
    models: int = 1
    half_range: bool = False
    share: int = 0
    charged: bool = False
    stationary: bool = False
    unseen: bool = False
    overwatch: bool = False
    below_half: bool = False
    damaged: int = 0
    hampered: tuple[str, ...] = ()
    damage_taken: tuple[Effect, ...] | None = ()
    characters: int = 0
    hidden: tuple[int, ...] = ()
    rerolls: str = FAILURES
    asked: bool = False
    spill: bool = True
    convert_as_allocated: bool = True
    waste: bool = True
    goes_on: bool = False
    others: tuple[Rule, ...] = ()
    kept: tuple[tuple[str, int], ...] = ()

    def has(self, name: str) -> bool:
        """Whether the attack has an ability."""
        return carries(self.rules, name)

    def ratings(self, name: str) -> tuple[int | str | None, ...]:
        """The ratings of an ability, on either side."""
        return tuple([rule.rating for rule in (*self.against, *self.rules) if rule.name == name])

    def ignores(self, what: str) -> bool:
        """IGN-1: whether the attacker may ignore modifiers of something."""
        return carries(self.rules, IGNORING) and Rule(IGNORING, what) in self.rules

    def kept_of(self, what: str) -> int | None:
        """IGN-2: what is left of modifiers: of a roll their sum, of a value those kept, one bit each; None: the good ones."""
        return dict(self.kept).get(what) if self.kept else None


class AbilityRegistry:
    """A registry of abilities, hashed by identity: one to an edition."""

    def __init__(self, specials: Mapping[str, Ability]) -> None:
        """Hold the abilities by name."""
        self.specials = specials

    def altered(self, draft: Draft, strike: Strike) -> Draft:
        """PRIO-2: the target's abilities speak first, so that in a contradiction the attacker's stand."""
        for rule in _spoken(strike.against, strike.rules):
            self.specials[rule.name].alter(draft.label, draft, strike)
        return draft

    def effects(self, strike: Strike, kind: str) -> tuple[Effect, ...]:
        """Everything that changes a characteristic of the attack (MOD-1), harmful ones left out where they are ignored."""
        changes = _changes(self, strike)
        if not changes:
            return changes
        found = tuple([effect for effect in changes if effect.kind == kind])
        return heeded(found, strike.kept_of(kind)) if found and strike.ignores(kind) else found

    def every_effect(self, strike: Strike, kind: str) -> tuple[Effect, ...]:
        """The same, those included that are ignored, and of Damage what every model of the target makes of it."""
        found = _changes_of(self, strike, kind)
        if kind != DAMAGE or not strike.damage_taken:
            return found
        taken = strike.damage_taken
        return (*[effect for effect in taken if effect.op is Op.SET], *found, *modifiers(taken))  # PRIO-2

    def damage_effects(self, strike: Strike, taken: tuple[Effect, ...]) -> tuple[Effect, ...]:
        """PRIO-2: what changes the Damage, the target's first; those are left out that are ignored (IGN-1)."""
        own = self.effects(strike, DAMAGE)
        if not taken:
            return own
        if strike.ignores(DAMAGE):
            kept, counted = strike.kept_of(DAMAGE), len(modifiers(_changes_of(self, strike, DAMAGE)))
            taken = heeded(taken, None if kept is None else kept >> counted)
        return taken + own

    def more_attacks(self, strike: Strike) -> DiceRoll:
        """WPN-2: a random number of attacks added to the weapon's own; the greatest where there are several (DUP-2)."""
        if not strike.rules:
            return NO_THROW
        found = [self.specials[rule.name].more_attacks(rule, strike) for rule in strike.rules]
        thrown = [roll for roll in found if roll is not NO_THROW]
        return max(thrown, key=lambda roll: roll.mean) if thrown else NO_THROW

    def gone_by(self, rules: tuple[Rule, ...]) -> frozenset[str]:
        """The circumstances of a match-up that some of these abilities go by."""
        return _gone_by(self, rules)

    def traits(self, strike: Strike) -> tuple[str, ...]:
        """What the abilities of an attack put on its wounds."""
        found = [RANGED] if strike.kind == SHOOTING else []
        for rule in strike.rules:
            found += self.specials[rule.name].traits(strike)
        return tuple(dict.fromkeys(found)) if len(found) > 1 else tuple(found)


@lru_cache(maxsize=1024)
def _gone_by(book: AbilityRegistry, rules: tuple[Rule, ...]) -> frozenset[str]:
    return frozenset([name for rule in rules for name in book.specials[rule.name].goes_by])


@lru_cache(maxsize=1024)
def _changes(book: AbilityRegistry, strike: Strike) -> tuple[Effect, ...]:
    """Everything that changes any characteristic of an attack, the target's abilities first."""
    rules = (*strike.against, *strike.rules)
    return tuple([effect for rule in rules for effect in book.specials[rule.name].changes(rule, strike)])


def _changes_of(book: AbilityRegistry, strike: Strike, kind: str) -> tuple[Effect, ...]:
    """Everything the abilities of an attack and against it change about one characteristic."""
    return tuple([effect for effect in _changes(book, strike) if effect.kind == kind])


@cites("PRIO-2")
def _spoken(against: tuple[Rule, ...], rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    return (*against, *rules)


class AttackRoll(Roll):
    """A Hit or Wound roll: natural 1 fails, natural 6 is critical, modifiers are totalled and clipped."""

    ignoring = False
    settled = False
    stated: tuple[int, ...] = ()
    """All modifiers there are, those that are ignored included."""

    def modify(self, by: int, *clauses: str, what: str = "modifier") -> Draft:
        """Add to the roll, unless it is harmful and ignored, or its player has said what is left of all (IGN-2)."""
        self.stated += (by,)
        if self.settled or (by < 0 and self.ignoring):
            return self.mark("ignored", by, 0, "IGN-2")
        return super().modify(by, *clauses, what=what)

    @cites("IGN-2")
    def leave(self, left: int) -> None:
        """IGN-2: all, some or none of the modifiers are ignored: so much is left of them."""
        super().modify(left, "IGN-2", what="kept")
        self.settled = True


def _roll(label: str, need: int | None, strike: Strike, then: Nodes, *clauses: str) -> AttackRoll:
    draft = AttackRoll(label, need, *clauses, then=then)
    draft.natural((1,), ())  # ATK-2, ATK-3
    draft.limit(-1, 1, "MODROLL-4")
    if strike.ignores(label):
        draft.ignoring, left = True, strike.kept_of(label)  # IGN-1, IGN-2
        if left is not None:
            draft.leave(left)
    return draft


# characteristics ----------------------------------------------------------------------------------


def skill_of(strike: Strike, book: AbilityRegistry) -> int | None:
    """ATK-2: BS or WS as modified; None where the weapon has none."""
    found = evaluate(SKILL, _printed(strike, SKILL), book.effects(strike, SKILL))
    return found if isinstance(found, int) else None


def _printed(strike: Strike, name: str) -> Value:
    found = strike.weapon.stat(name)
    assert isinstance(found, int | str)
    return found


def strength_of(strike: Strike, book: AbilityRegistry, rolled: int | None = None) -> int:
    """The attack's Strength; a weapon without one uses its bearer's Toughness as it is (NULL-1, NULL-2).

    ``rolled`` is what the dice of a random Strength came to.
    """
    printed = _printed(strike, STRENGTH) if rolled is None else rolled
    if isinstance(printed, str):
        return strike.bearer_toughness  # NULL-1, NULL-2
    return figure(evaluate(STRENGTH, printed, book.effects(strike, STRENGTH)), "S")


def random_strength(strike: Strike) -> DiceRoll | None:
    """The dice of a weapon whose Strength is random; None for one whose Strength is printed."""
    printed = _printed(strike, STRENGTH)
    return read_roll(printed) if isinstance(printed, str) and "D" in printed else None


def toughness_of(strike: Strike, book: AbilityRegistry) -> int:
    """The target's Toughness as modified."""
    return figure(evaluate(TOUGHNESS, strike.toughness, book.effects(strike, TOUGHNESS)), "T")


def ap_of(strike: Strike, book: AbilityRegistry) -> int:
    """The attack's AP as modified."""
    return figure(evaluate(AP, _printed(strike, AP), book.effects(strike, AP)), "AP")


def attacks_of(strike: Strike, book: AbilityRegistry) -> int | Stage[int]:
    """The attacks a weapon makes with dice of its own."""
    return numbers_of(strike, book)[0]


@cites("SHOOT-6")
def numbers_of(strike: Strike, book: AbilityRegistry) -> tuple[int | Stage[int], int | Stage[int] | None]:
    """SHOOT-6, FGT-6: a weapon makes A attacks, or its share of them, and those rolled with other dice (see `apart`)."""
    if strike.share:
        return strike.share, None
    effects = book.effects(strike, ATTACKS)
    own, more = strike.weapon.attacks, book.more_attacks(strike)
    if more is NO_THROW:
        return rolled_number(ATTACKS, own, effects, ("DICE-5",)), None
    if own.fixed or _stated(effects):
        return number_and_roll(ATTACKS, own.plus, more, effects, ("DICE-5",)), None
    besides = apart(strike, book)
    roll = summed(own, more) if besides is None else own
    return rolled_number(ATTACKS, roll, effects, ("DICE-5",)), besides


def _stated(effects: tuple[Effect, ...]) -> bool:
    """MOD-2: whether some changes state a value."""
    return any(effect.op is Op.SET for effect in effects)


def summed(roll: DiceRoll, more: DiceRoll) -> DiceRoll:
    """Two rolls of the same dice as one."""
    return DiceRoll(roll.count + more.count, more.sides if roll.fixed else roll.sides, roll.plus + more.plus)


def apart(strike: Strike, book: AbilityRegistry) -> int | Stage[int] | None:
    """Attacks that are rolled by themselves; None where one roll will do.

    They have other dice than the weapon's own, or what multiplies or divides those leaves them alone (MOD-3).
    """
    own, more = strike.weapon.attacks, book.more_attacks(strike)
    effects = book.effects(strike, ATTACKS)
    if own.fixed or more.fixed or _stated(effects):
        return None
    if own.sides == more.sides and all(effect.op in (Op.ADD, Op.SUBTRACT) for effect in effects):
        return None
    return rolled_number(ATTACKS, more, (), ("DICE-5",))


def damage_of(strike: Strike, effects: tuple[Effect, ...]) -> int | Stage[int]:
    """The attack's Damage under these changes: a number, or the Damage roll."""
    ratings = strike.ratings("Re-roll Damage")
    again = str(ratings[0]) if ratings else ""
    roll = read_roll(strike.weapon.stat(DAMAGE))
    if again == ONES and roll.count > 1:
        name = strike.weapon.name
        raise BadInput(
            "several-dice", f"{name}: ones of {roll} cannot be rolled again", where=name, allowed="Damage of one die"
        )
    return rolled_number(DAMAGE, roll, effects, ("DICE-5",), again)


@cites("ATK-3")
def wound_need(strength: int, toughness: int) -> int:
    """ATK-3: the Wound roll that is needed."""
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength <= toughness else 5


# what leaves the flow -----------------------------------------------------------------------------


def precise(strike: Strike) -> bool:
    """Whether the attacker may send wounds to a CHARACTER."""
    return strike.characters > 0 and strike.has("Precision")


def batched(strike: Strike) -> bool:
    """PREC-2: with more than one CHARACTER all wounds of a Precision weapon are allocated before any save."""
    return strike.characters > 1 and strike.has("Precision")


def _harm(strike: Strike, book: AbilityRegistry, *traits: str) -> Harm:
    """The damage of one attack; where the target's models take it differently, with the changes it carries."""
    own = _borne(strike, book)
    if strike.damage_taken is None:
        ignoring = (UNHARMED,) if strike.ignores(DAMAGE) else ()  # IGN-1
        changes = book.effects(strike, DAMAGE)
        stating = tuple([effect for effect in changes if effect.op is Op.SET])  # MOD-2
        return Harm(damage_of(strike, stating), (*own, *map(str, changes), *ignoring, *traits))
    return Harm(damage_of(strike, book.damage_effects(strike, strike.damage_taken)), (*own, *traits))


def _borne(strike: Strike, book: AbilityRegistry) -> tuple[str, ...]:
    """The traits that matter after the save."""
    if precise(strike):
        kept = tuple([trait for trait in book.traits(strike) if trait in (PSYCHIC, PRECISE)])
        return kept + _unseen(strike)
    return tuple([trait for trait in book.traits(strike) if trait == PSYCHIC])


def _unseen(strike: Strike) -> tuple[str, ...]:
    """WPN-10: the words for the CHARACTERS a wound may not be sent to."""
    return tuple([f"{HIDDEN}{slot}" for slot in strike.hidden]) if strike.hidden else ()


def wounding(strike: Strike, book: AbilityRegistry) -> Nodes:
    """SCORE-1: an attack that wounds goes on to allocation and the save of whoever bears it."""
    assigned = (ASSIGNED,) if batched(strike) else ()
    saved = tuple([trait for trait in book.traits(strike) if trait not in (PSYCHIC, PRECISE)])
    return (*SCORED, Wound(_harm(strike, book, *assigned), ap_of(strike, book), saved))


def devastation(strike: Strike, book: AbilityRegistry) -> Stage[Nodes]:
    """WPN-15: a Critical Wound as mortal wounds to the attack's Damage; nothing is allocated or saved."""
    if not strike.spill:
        return fixed(DEVASTATED, (*SCORED, _harm(strike, book)), "WPN-15")
    if strike.damage_taken is None or batched(strike) or (strike.asked and precise(strike)):
        released = Harm(0, (RELEASED,), AT_LAST, packet=True)
        return fixed(DEVASTATED, (*SCORED, _conversion(strike, book), released), "WPN-15", "MW-4")
    damage = converted_damage(strike, book)
    if isinstance(damage, int):
        return fixed(DEVASTATED, _points(strike, book, damage), "WPN-15", "MW-4")
    return _in_points(strike, book, damage)


def _conversion(strike: Strike, book: AbilityRegistry) -> Harm:
    """Damage that becomes mortal wounds; with the switch of MODDW-1 off it is the attack's own, whoever bears it."""
    if strike.convert_as_allocated:
        return _harm(strike, book, CONVERTED)
    return Harm(converted_damage(strike, book), (*_borne(strike, book), MORTAL, CONVERTED))


def _in_points(strike: Strike, book: AbilityRegistry, damage: Stage[int]) -> Stage[Nodes]:
    """A Damage roll whose result leaves as mortal wounds, and a re-roll it may have too."""
    read: list[Nodes | Offer[Nodes]] = []
    for entry in damage.read:
        result = entry.keep if isinstance(entry, Offer) else entry
        assert isinstance(result, int)
        keep = _points(strike, book, result)
        if isinstance(entry, Offer):
            again = _in_points(strike, book, entry.again)
            read.append(Offer(keep, again, entry.name, entry.clause, entry.default, entry.point))
        else:
            read.append(keep)
    return Stage(damage.label, read, why=damage.why, good=damage.good, dice=damage.dice, sides=damage.sides)


def converted_damage(strike: Strike, book: AbilityRegistry) -> int | Stage[int]:
    """MODDW-1: what becomes mortal wounds is the Damage as changed, also by whoever it would be allocated to."""
    taken = strike.damage_taken or ()
    if not strike.convert_as_allocated:
        taken = ()
    return damage_of(strike, book.damage_effects(strike, taken))


@cites("MW-1")
def _point(own: tuple[str, ...]) -> Exit:
    """MW-1: one mortal wound: harm, and no wound that could be saved."""
    return Harm(1, (*own, MORTAL), AT_LAST)


@cites("MW-2", "ATK-10")
def _points(strike: Strike, book: AbilityRegistry, damage: int) -> Nodes:
    """MW-2, MW-4: so many mortal wounds, applied one at a time when all normal damage is done."""
    return (*SCORED, *(_point(_borne(strike, book)),) * damage)


def more_mortals(strike: Strike, count: int) -> Nodes:
    """MODCH-9: mortal wounds in addition to normal damage; no change of Damage touches them."""
    own = tuple(trait for trait, held in ((PSYCHIC, strike.has("Psychic")), (PRECISE, precise(strike))) if held)
    if not precise(strike):
        return (_point(own),) * count
    own += _unseen(strike)
    if not (strike.asked or batched(strike)):
        return (_point(own),) * count
    return (Harm(count, (*own, MORTAL, CONVERTED)), Harm(0, (RELEASED,), AT_LAST, packet=True))  # MW-5


# the flow -----------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def hit_draft(strike: Strike, book: AbilityRegistry) -> Draft:
    """ATK-2: the Hit roll. A natural 6 is a Critical Hit (CRIT-1)."""
    draft = _roll(HIT, skill_of(strike, book), strike, (HITS, WOUND), "ATK-2")
    draft.critical(6, "CRIT-1")
    for reason in strike.hampered:
        draft.modify(-1, reason, what="engaged")
    book.altered(draft, strike)
    if strike.overwatch:
        draft.set_need(None, "CRIT-2", what="overwatch").only_critical(6, "CRIT-2")
    return draft


@lru_cache(maxsize=1024)
def wound_draft(strike: Strike, book: AbilityRegistry, rolled: int | None = None) -> Draft:
    """ATK-3: the Wound roll. A natural 6 is a Critical Wound (CRIT-3)."""
    need = wound_need(strength_of(strike, book, rolled), toughness_of(strike, book))
    draft = _roll(WOUND, need, strike, (WOUNDED,), "ATK-3")
    draft.critical(6, "CRIT-3")
    return book.altered(draft, strike)


def wound_stage(strike: Strike, book: AbilityRegistry, roll: DiceRoll | None) -> Stage[Nodes]:
    """The Wound roll; before it the dice of a random Strength, rolled for each attack as it is needed (DICE-5)."""
    if roll is None:
        return wound_draft(strike, book).stage()
    raw = number(STRONG, roll.count, roll.sides, roll.plus, clauses=("DICE-5",))
    read = [wound_draft(strike, book, rolled).stage() for rolled in raw.read if isinstance(rolled, int)]
    return Stage(STRONG, read, why=raw.why, good=raw.good, dice=raw.dice, sides=raw.sides)


def by_strength(stage: Stage[Nodes]) -> Stage[Nodes]:
    """A stage that leads to the dice of a random Strength wherever it led to the Wound roll."""
    return _changed(stage, lambda nodes: tuple([STRONG if node == WOUND else node for node in nodes]))


CLOSED: Nodes = (Harm(0, (RESOLVED,), Wave.AFTER_GROUP, packet=True),)
"""The wounds of a batch are allocated and saved when its last attack is made."""


@cites("PREC-2")
def closing(stage: Stage[Nodes]) -> Stage[Nodes]:
    """PREC-2: the Hit roll of the last weapon of a batch: whatever it comes to, the batch is resolved after it."""
    return _changed(stage, lambda nodes: (*nodes, *CLOSED))


def _changed(stage: Stage[Nodes], change: Callable[[Nodes], Nodes]) -> Stage[Nodes]:
    """A stage with another thing happening at each of its entries, re-rolls and choices of one included."""

    def entry_of(entry: Nodes | Stage[Nodes] | Offer[Nodes]) -> Nodes | Stage[Nodes] | Offer[Nodes]:
        if isinstance(entry, Stage):
            return _changed(entry, change)
        if isinstance(entry, Offer):
            return replace(entry, keep=change(entry.keep), again=_changed(entry.again, change))
        return change(entry)

    read = list(map(entry_of, stage.read))
    shape: dict[str, Any] = {"need": stage.need, "dice": stage.dice, "keep": stage.keep, "sides": stage.sides}
    return Stage(stage.label, read, why=stage.why, good=stage.good, audit=stage.audit, signs=stage.signs, **shape)


@lru_cache(maxsize=4096)
def flow_of(strike: Strike, book: AbilityRegistry) -> Flow:
    """ATK-1: hit, wound, and what leaves for allocation; a step that fails ends the attack."""
    return _flow_of(_standing_for(strike, book), book)


def _standing_for(strike: Strike, book: AbilityRegistry) -> Strike:
    """The match-up that stands for all that are rolled alike: of those that need the same to wound the least Toughness.

    How many attacks are made changes nothing about one of them.
    """
    if random_strength(strike) is not None or book.effects(strike, TOUGHNESS):
        return strike
    strength = strength_of(strike, book)
    own = strike.bearer_toughness if isinstance(_printed(strike, STRENGTH), str) else 4
    if strike.others:
        strike = replace(strike, others=())
    return replace(strike, toughness=_least_toughness(strength, strike.toughness), bearer_toughness=own, models=1, share=0)


@lru_cache(maxsize=1024)
def _least_toughness(strength: int, toughness: int) -> int:
    """The least Toughness against which a Strength needs the same Wound roll."""
    need = wound_need(strength, toughness)
    return next((least for least in range(1, toughness) if wound_need(strength, least) == need), toughness)


@lru_cache(maxsize=4096)
def _flow_of(strike: Strike, book: AbilityRegistry) -> Flow:
    """The same, made once for all match-ups one stands for."""
    between = [stage for rule in strike.rules for stage in book.specials[rule.name].stages(rule)]
    hit = hit_draft(strike, book).stage()
    if batched(strike) and not strike.goes_on:
        hit = closing(hit)
    before, strength = [hit, *between], random_strength(strike)
    if strength is not None:
        before = [by_strength(stage) for stage in before]
    stages = [*before, wound_stage(strike, book, strength)]
    stages.append(fixed(WOUNDED, wounding(strike, book)))
    if strike.has("Devastating Wounds"):
        stages.append(devastation(strike, book))
    return Flow(
        stages,
        order=Order.BY_ATTACK,  # ATK-11, DICE-7
    )


def audit_of(strike: Strike, book: AbilityRegistry) -> tuple[Change, ...]:
    """What altered the plain numbers of a match-up, line by line."""
    drafts = (hit_draft(strike, book), wound_draft(strike, book))
    found = [line for draft in drafts for line in draft.audit_but("critical", 6)]
    if strike.share:
        found.append(Change(ATTACKS, str(strike.weapon.attacks), strike.share, ("FGT-6",)))
    if not strike.damage_taken and not _changes(book, strike):
        return tuple(found)
    for kind in (SKILL, STRENGTH, TOUGHNESS, AP, DAMAGE, ATTACKS):
        effects = book.damage_effects(strike, strike.damage_taken or ()) if kind == DAMAGE else book.effects(strike, kind)
        if effects:
            roll = _dice_of(strike, kind)
            lines = trail(kind, _shown(strike, kind, roll), effects, roll is not None)
            found += [Change(kind, line.before, line.after, line.clauses) for line in lines]
    return tuple(found)


def _shown(strike: Strike, kind: str, roll: DiceRoll | None) -> Value:
    if roll is not None:
        return roll.plus if roll.fixed else str(roll)
    return strike.toughness if kind == TOUGHNESS else _printed(strike, kind)


def _dice_of(strike: Strike, kind: str) -> DiceRoll | None:
    """The dice a characteristic of an attack may be."""
    if kind == ATTACKS:
        return strike.weapon.attacks
    if kind == DAMAGE:
        return read_roll(strike.weapon.stat(DAMAGE))
    return random_strength(strike) if kind == STRENGTH else None
