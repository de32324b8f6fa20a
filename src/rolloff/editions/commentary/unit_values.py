"""What a unit has as a unit: the abilities its models have or are given, characteristics, keywords, and how strong it is."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from rolloff.editions.commentary.abilities import SPECIALS, collapsed
from rolloff.editions.commentary.ability import BEARER, TARGET
from rolloff.editions.commentary.cards import Fighter
from rolloff.editions.commentary.lookups import (
    GRANT,
    LAMP,
    Host,
    UnitIndex,
    index_of,
    left_on,
    read_ability,
    read_grant,
    wounds,
)
from rolloff.editions.commentary.places import Measured, apart, measured, near_markers, range_to, stands, within
from rolloff.editions.commentary.saves import Gear
from rolloff.editions.commentary.specials.characteristic import Changes
from rolloff.editions.commentary.squads import AURA
from rolloff.editions.commentary.values import CONTROL, LEADERSHIP, SAVE, TOUGHNESS, Effect, Value, better, evaluate, figure
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.table.profile import Rule, carries
from rolloff.table.state import Marks, State

NO_PAIN, DEMISE = "Feel No Pain", "Deadly Demise"
COVER = "Benefit of Cover"


def rules_of(game: Game, state: State, host: Host, slot: int) -> tuple[Rule, ...]:
    """The abilities of a model, with those its Leaders give while they lead, those granted for a while, and Auras."""
    lookups: UnitIndex = game.lookups
    more = added_to(game, state, host, slot)
    return lookups.fighters[slot].rules + more if more else lookups.fighters[slot].rules


def added_to(game: Game, state: State, host: Host, slot: int) -> tuple[Rule, ...]:
    """The abilities a model has beside those of its datasheet."""
    lookups: UnitIndex = game.lookups
    found = given_to(game, state, host, slot)
    return found + standing_auras(game, state, host) if lookups.auras and lookups.auras_of[game.sides[host.unit]] else found


def given_to(game: Game, state: State, host: Host, slot: int) -> tuple[Rule, ...]:
    """Those of them it has wherever it stands."""
    lookups: UnitIndex = game.lookups
    marks = persisting(state, host.unit)
    if marks:
        marks = _granting(marks)
    found = lookups.added.get((host, marks))
    if found is None:
        granted = tuple([read_grant(name) for name, _ in marks])
        found = lookups.added[host, marks] = led_to(game, host) + carried_by(game, host) + granted
    if state.models and (single := lookups.singled(state)):
        found += single.get(slot, ())
    return found


@lru_cache(maxsize=512)
def _granting(marks: Marks) -> Marks:
    """Those marks of a unit that give it an ability for a while."""
    return tuple([mark for mark in marks if mark[0].startswith(GRANT)])


def standing_auras(game: Game, state: State, host: Host) -> tuple[Rule, ...]:
    """The Auras a unit stands in, kept while nobody moves."""
    kept: Measured | None = index_of(game).measured
    if kept is None or kept.state is not state:
        kept = measured(game, state)
    found = kept.auras.get(host)
    if found is None:
        found = kept.auras[host] = auras_on(game, state, host)
    return found


def auras_for(game: Game, state: State, host: Host, kind: str) -> tuple[Rule, ...]:
    """The Auras a unit stands in, where one of its army's changes a characteristic of some kind; else none of them matters."""
    return standing_auras(game, state, host) if auras_change(game, game.sides[host.unit], kind) else ()


def control_auras(game: Game, side: int) -> bool:
    """Whether an Aura of an army changes OC."""
    return auras_change(game, side, CONTROL)


def auras_change(game: Game, side: int, kind: str) -> bool:
    """Whether an Aura of an army changes a characteristic of some kind; found once a game."""
    lookups: UnitIndex = game.lookups
    if not lookups.auras_of[side]:
        return False
    known = lookups.flown.get(("aura", side, kind))
    if not isinstance(known, bool):
        bearers = [lookups.fighters[slot].rules for slot in lookups.auras_of[side]]
        given = [read_ability(aura_of(str(rule.rating))[2]) for rules in bearers for rule in rules if rule.name == AURA]
        specials = [SPECIALS[rule.name] for rule in given]
        known = any(isinstance(special, Changes) and special.kind == kind for special in specials)
        lookups.flown["aura", side, kind] = known
    return known


@cites("UNIT-10")
def carried_by(game: Game, host: Host) -> tuple[Rule, ...]:
    """UNIT-10: what the items of a unit give it while a model of it carries them, each once."""
    lookups: UnitIndex = game.lookups
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
    lookups: UnitIndex = game.lookups
    found: dict[str, Rule] = {}
    for bearer in lookups.auras_of[game.sides[host.unit]]:
        if not stands(state, bearer):
            continue
        owner = state.owner_of(bearer)
        for rule in lookups.fighters[bearer].rules:
            if rule.name != AURA or str(rule.rating) in found:
                continue
            far, word, ability = aura_of(str(rule.rating))
            if word and word not in lookups.words(host.slots):
                continue
            if owner == host.unit or within(range_to(game, state, bearer, host), far):
                found[str(rule.rating)] = read_ability(ability)
    return tuple(found.values())


class Fade(NamedTuple):
    """What models of a unit have against attacks only while some of them are left: abilities, or the light of a lamp token.

    ``led``: what a Leader gives that is there while it is left; all of it is only while there is a Bodyguard.
    """

    keepers: tuple[int, ...]
    rules: tuple[Rule, ...] = ()
    lamp: bool = False
    led: bool = False


NOTHING_FADES: tuple[Fade, ...] = ()
MOST_FADES = 4
"""How many things may fade by themselves; any more last until the attacks are resolved."""


@cites("UNIT-8", "UNIT-10")
def fading(game: Game, state: State, host: Host) -> tuple[Fade, ...]:
    """UNIT-8, UNIT-10: what a unit has because of some of its models, and loses with the last of those while others are left.

    Who bears an Aura or carries an item, or alone stands within range of an Aura or a lamp token.
    """
    slots, side = host.slots, game.sides[host.unit]
    kept: dict[tuple[int, ...], list[Rule]] = {}
    for keepers, rule in keepers_of(game, state, host):
        kept.setdefault(keepers, []).append(rule)
    lit = _in_light(game, state, host) if lamps(state.sides[side]) else ()
    if not kept and not lit:
        return NOTHING_FADES
    rows = [(keepers, tuple([rule for rule in rules if _guards(rule)])) for keepers, rules in kept.items()]
    found = [Fade(keepers, rules) for keepers, rules in rows if rules and len(keepers) < len(slots)]
    if 0 < len(lit) < len(slots):
        found.append(Fade(lit, lamp=True))
    return tuple(found[:MOST_FADES])


def keepers_of(game: Game, state: State, host: Host) -> list[tuple[tuple[int, ...], Rule]]:
    """What Auras and items give a unit, each with those of its models without whom it would not have it."""
    lookups: UnitIndex = game.lookups
    slots, found = host.slots, list[tuple[tuple[int, ...], Rule]]()
    if len(slots) > 1 and lookups.auras and lookups.auras_of[game.sides[host.unit]] and standing_auras(game, state, host):
        found += _aura_keepers(game, state, host)
    if lookups.items:
        fighters = lookups.fighters
        found += [(tuple([slot for slot in slots if rule in fighters[slot].carried]), rule) for rule in carried_by(game, host)]
    return found


@cites("LEAD-4")
def parting(game: Game, host: Host) -> tuple[Fade, ...]:
    """LEAD-4: what Leaders give their unit, which goes with the last Bodyguard or with who gives it; not so in attacks."""
    if not host.attached:
        return NOTHING_FADES
    fighters = index_of(game).fighters
    given = [(guest, tuple([rule for rule in fighters[guest].leading if _guards(rule)])) for guest in host.guests]
    found = [Fade((guest,), rules, led=True) for guest, rules in given if rules]
    if not found:
        return NOTHING_FADES
    body = tuple([slot for slot in host.slots if slot not in host.guests])
    return Fade(body, tuple([rule for _, rules in given for rule in rules])), *found


def _guards(rule: Rule) -> bool:
    """Whether an ability is something a model brings against a wound."""
    return SPECIALS[rule.name].part == BEARER or rule.name == COVER


def _aura_keepers(game: Game, state: State, host: Host) -> list[tuple[tuple[int, ...], Rule]]:
    """The Auras a unit stands in, each with those of its models without whom it would not: the bearer, or who is in range."""
    lookups: UnitIndex = game.lookups
    found: dict[str, set[int]] = {}
    for bearer in lookups.auras_of[game.sides[host.unit]]:
        ratings = [str(rule.rating) for rule in lookups.fighters[bearer].rules if rule.name == AURA]
        for rating in ratings if stands(state, bearer) else ():
            far, word, _ = aura_of(rating)
            if word and word not in lookups.words(host.slots):
                continue
            if state.owner_of(bearer) == host.unit:
                found.setdefault(rating, set()).add(bearer)
            else:
                nearest = apart(game, state, host.slots, (bearer,)).nearest
                found.setdefault(rating, set()).update([slot for slot in host.slots if within(nearest[slot], far)])
    rows = [(tuple([slot for slot in host.slots if slot in keepers]), rating) for rating, keepers in found.items()]
    return [(keepers, read_ability(aura_of(rating)[2])) for keepers, rating in rows if keepers]


def without(rules: tuple[Rule, ...], lapsed: Collection[Fade]) -> tuple[Rule, ...]:
    """Some abilities less those that have faded, each once: the same may be there for another reason too."""
    if not lapsed:
        return rules
    left = list(rules)
    for rule in [rule for fade in lapsed for rule in fade.rules if rule in left]:
        left.remove(rule)
    return tuple(left)


@lru_cache(maxsize=64)
def aura_of(rating: str) -> tuple[int, str, str]:
    """An Aura as it is written, ``6 TIDE: Feel No Pain 6+``: its reach in thou, the keyword it asks for, what it gives."""
    head, _, ability = rating.partition(":")
    reach, _, word = head.strip().partition(" ")
    return int(reach.rstrip('"')) * 1000, word.strip(), ability.strip()


def effects_on(game: Game, state: State, host: Host, slot: int, kind: str) -> tuple[Effect, ...]:
    """What changes one characteristic of a model: its abilities, and marks such as ``slowed:2``."""
    lookups: UnitIndex = game.lookups
    added = given_to(game, state, host, slot)
    if lookups.auras:
        added += auras_for(game, state, host, kind)
    fighter, key = lookups.fighters[slot], (kind, added)
    found = fighter.effects.get(key)
    if found is None:
        changes = [(SPECIALS[rule.name], rule) for rule in collapsed(fighter.rules + key[1])]
        made = [special.effect(rule) for special, rule in changes if isinstance(special, Changes) and special.kind == kind]
        found = fighter.effects[key] = tuple(made)
    return found


def changing(game: Game, state: State, host: Host, kind: str) -> tuple[object, ...]:
    """What a characteristic of a kind depends on besides a unit's models, unless single ones have abilities for a while."""
    marks = persisting(state, host.unit)
    return _granting(marks) if marks else (), auras_for(game, state, host, kind)


def _given(game: Game, host: Host) -> tuple[Rule, ...]:
    """LEAD-1, LEAD-2, LEAD-3: what each Leader gives while leading, to every model and so to itself."""
    lookups: UnitIndex = game.lookups
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
    lookups, stealth = index_of(game), is_stealthy(state, host.unit)
    if state.models and lookups.singled(state):
        return _shared([rules_of(game, state, host, slot) for slot in host.slots], stealth)
    return shared_with(lookups, host.slots, added_to(game, state, host, host.slots[0]), stealth)


def shared_with(lookups: UnitIndex, slots: tuple[int, ...], added: tuple[Rule, ...], stealth: bool) -> tuple[Rule, ...]:
    """The same of models that have some abilities besides their own, none of them something else."""
    models = list(map(lookups.fighters.__getitem__, slots))
    kinds = dict(zip(map(id, models), models, strict=True))
    return _shared([fighter.rules + added for fighter in kinds.values()], stealth)


def is_stealthy(state: State, unit: int) -> bool:
    """Whether a unit has Stealth for a while."""
    marks = state.units[unit].marks
    return bool(marks) and "stealth" in dict(marks)


def _shared(rules: Sequence[tuple[Rule, ...]], stealth: bool) -> tuple[Rule, ...]:
    """Those of the abilities of models, row by row, that all of them have against attacks."""
    rows = [[rule for rule in row if SPECIALS[rule.name].part == TARGET] for row in rules]
    shared = [rule for rule in rows[0] if all(rule in row for row in rows[1:])]  # ABIL-10
    if stealth:
        shared.append(Rule("Stealth"))
    return collapsed(shared)


def gear_of(game: Game, state: State, host: Host, slot: int, cover: bool, lapsed: tuple[Fade, ...] = ()) -> Gear:
    """What a model brings against a wound, with or without the Benefit of Cover; kept, as it is only read.

    What has ``lapsed`` it brings no more.
    """
    return geared(index_of(game).fighters[slot], without(added_to(game, state, host, slot), lapsed), cover)


def geared(fighter: Fighter, added: tuple[Rule, ...], cover: bool) -> Gear:
    """The same of a model that has some abilities besides its own."""
    key = added, cover
    gear = fighter.gears.get(key)
    if gear is None:
        profile = fighter.profile
        gear = fighter.gears[key] = Gear(profile.save, profile.ward, profile.no_pain, cover)
        printed = list(gear.no_pain)
        for rule in collapsed(fighter.rules + added):
            special = SPECIALS[rule.name]
            if special.part == BEARER:
                special.bear(rule, gear)
        gear.pains = _every_pain(printed, fighter.rules + added)
        gear.demises = _every_demise(fighter.rules + added)
    return gear


def _every_demise(rules: tuple[Rule, ...]) -> tuple[int | str, ...]:
    """DUP-1, DUP-2: the numbers of all instances of Deadly Demise, from any source, the best first."""
    found = dict.fromkeys([rule.rating for rule in rules if rule.name == DEMISE and rule.rating is not None])
    return tuple(sorted(found, key=SPECIALS[DEMISE].worth, reverse=True)) if found else ()


def _every_pain(printed: list[tuple[int, str]], rules: tuple[Rule, ...]) -> tuple[tuple[int, str], ...]:
    """DUP-2, ABIL-3: all instances of Feel No Pain, if their owner has one to choose; they differ in what they need."""
    everything = Gear(0, None, None, False)
    for rule in rules:
        if rule.name == NO_PAIN:
            SPECIALS[NO_PAIN].bear(rule, everything)
    found = tuple(dict.fromkeys((*printed, *everything.no_pain)))
    return found if len({need for need, _ in found}) > 1 else ()


@cites("COVER-2")
def cover_granted(
    game: Game, state: State, host: Host, given: tuple[Rule, ...] | None = None, lapsed: tuple[Fade, ...] = ()
) -> bool:
    """COVER-2: whether a whole unit has the Benefit of Cover by a rule, whichever: a Stratagem, an ability, a lamp token.

    ``given`` is what its models have beside their datasheets, if that is known and of none of them something else; what has
    ``lapsed`` gives none.
    """
    if state.units[host.unit].mark("cover") is not None:
        return True
    if not any(fade.lamp for fade in lapsed) and lamplit(game, state, host):
        return True
    lookups, slots = index_of(game), host.slots
    if given is None and lookups.singled(state):
        return bool(slots) and all(carries(without(rules_of(game, state, host, slot), lapsed), COVER) for slot in slots)
    if not slots or lookups.every(slots, COVER):
        return bool(slots)
    return carries(without(added_to(game, state, host, slots[0]) if given is None else given, lapsed), COVER)


@lru_cache(maxsize=512)
def lamps(marks: Marks) -> tuple[str, ...]:
    """The markers on which the lamp tokens of a player with these marks lie."""
    return tuple([name.removeprefix(LAMP) for name, _ in marks if name.startswith(LAMP)])


@cites("COVER-1")
def lamplit(game: Game, state: State, host: Host) -> bool:
    """DET-R, COVER-1: a unit within range of a marker on which its owner's lamp token lies has the Benefit of Cover."""
    return bool(lamps(state.sides[game.sides[host.unit]]) and _in_light(game, state, host))


def _in_light(game: Game, state: State, host: Host) -> tuple[int, ...]:
    """OC-2: the models of a unit within range of a marker with a lamp token of its owner's, heights and hulls included."""
    near = near_markers(game, state)
    lit = {slot for id in lamps(state.sides[game.sides[host.unit]]) for slot in near.get(id, ())}
    return tuple([slot for slot in host.slots if slot in lit])


@cites("KEYW-3")
def keywords(game: Game, host: Host) -> tuple[str, ...]:
    """KEYW-3: a unit whose models differ has the keywords of all of them."""
    lookups: UnitIndex = game.lookups
    return lookups.sorted_words(host.slots)


_toughness_of = attrgetter("profile.toughness")


@cites("UT-3")
def toughness(game: Game, host: Host) -> int:
    """UT-1, UT-2: the highest among the Bodyguard models of an Attached unit, among all models of another.

    It is read when the unit is selected as a target and holds for all attacks of that unit (UT-3).
    """
    lookups: UnitIndex = game.lookups
    found = lookups.tough.get(host)
    if found is None:
        read = host.slots
        if host.attached:
            read = tuple([slot for slot in read if slot not in host.guests])  # UT-1
        values = dict.fromkeys(map(_toughness_of, map(lookups.fighters.__getitem__, read)))  # in their order, each once
        found = lookups.tough[host] = best(TOUGHNESS, tuple(values))
    return found


@cites("MODUNIT-1")
def toughness_now(game: Game, state: State, host: Host) -> int:
    """MODUNIT-1: the Toughness of a unit as what all its models have modifies it."""
    rows = [(SPECIALS[rule.name], rule) for rule in shared_rules(game, state, host)]
    effects = [special.effect(rule) for special, rule in rows if isinstance(special, Changes) and special.kind == TOUGHNESS]
    return figure(evaluate(TOUGHNESS, toughness(game, host), tuple(effects)), TOUGHNESS)


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
    lookups: UnitIndex = game.lookups
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
    lookups: UnitIndex = game.lookups
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
    """Whether a unit is Below Half-strength now; of units of several models, whose wounds do not matter, the answer is kept."""
    lookups: UnitIndex = game.lookups
    kept = lookups.halves.get(host)
    if kept is not None:
        return kept
    wounds = lookups.alone.get(host)
    if wounds is None:
        strength = starting_strength(game, host.cards)
        if strength > 1:
            kept = lookups.halves[host] = below_half(strength, len(host.slots), 0, 0)
            return kept
        wounds = lookups.alone[host] = lookups.fighters[host.slots[0]].profile.wounds
    return below_half(1, 1, wounds - state.wounds_on(host.slots[0]), wounds)
