"""From an attack form to volleys and a target: match-ups and numbers of attacks; who bears them is told in `bearing`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import count, groupby, pairwise
from operator import attrgetter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions.commentary import places
from rolloff.editions.commentary.abilities import BOOK, SPECIALS, collapsed
from rolloff.editions.commentary.ability import ATTACKER, OTHER, SHOOTING, Numbered
from rolloff.editions.commentary.attack_case import OVERWATCH, Case
from rolloff.editions.commentary.bearing import bearers_of, borne, remember, touched_before
from rolloff.editions.commentary.choosing import Use, uses_of, with_half
from rolloff.editions.commentary.conditions import SPLIT, STRONG, against_strong, expanded, plunging
from rolloff.editions.commentary.detachments import detachment_rules
from rolloff.editions.commentary.lookups import left_on, read_ability
from rolloff.editions.commentary.matchup import (
    FAILURES,
    FISHING,
    Strike,
    batched,
    flow_of,
    numbers_of,
    precise,
    random_strength,
    strength_of,
    toughness_of,
)
from rolloff.editions.commentary.saves import shared_damage
from rolloff.editions.commentary.target import (
    FEWEST,
    MOST,
    TO_CHARACTER,
    TO_UNIT,
    Bearer,
    Company,
    Picker,
    Policy,
    Veil,
    ladder_of,
)
from rolloff.editions.commentary.unit_values import (
    Fade,
    added_to,
    cover_granted,
    gear_of,
    is_below_half,
    is_stealthy,
    keepers_of,
    keywords,
    rules_of,
    shared_rules,
    shared_with,
    toughness,
    without,
)
from rolloff.editions.commentary.values import Effect
from rolloff.errors import BadInput
from rolloff.identity_cache import FormCache
from rolloff.oracle.flow import Flow, Volley
from rolloff.oracle.stage import Stage
from rolloff.oracle.target import Ladder
from rolloff.rules.citing import cites
from rolloff.table.profile import Card, Rule, carries

PRECISION, STEALTH = "Precision", "Stealth"
EXTRA_ATTACKS, MORE_ATTACKS = "Extra Attacks", "Attacks"
HALF_RANGE = "half_range"
BOOK_ORDER = "book"
POLICIES: Mapping[str, tuple[str, ...]] = {
    "rerolls": (FAILURES, FISHING),
    "allocation": (BOOK_ORDER, FEWEST, MOST),
    "precision": (TO_CHARACTER, TO_UNIT),
}
"""The choices odds can be asked under; the first of each is the default."""
DEFAULTS = {name: allowed[0] for name, allowed in POLICIES.items()}


class Attack(Struct, frozen=True, cache_hash=True):
    """An attack ready to be rolled or computed: each weapon with its match-up, and the models of the target."""

    uses: tuple[Use, ...]
    strikes: tuple[Strike, ...]
    bearers: tuple[Bearer, ...]
    touched: int
    waste: bool
    veil: Veil | None = None


def checked_policies(policies: Mapping[str, str]) -> dict[str, str]:
    """The policies in force, defaults filled in; `BadInput` for one nobody knows."""
    for name, value in policies.items():
        allowed = POLICIES.get(name)
        if allowed is None:
            raise BadInput("unknown-policy", f"no policy {name!r}", where=f"policies.{name}", allowed=", ".join(POLICIES))
        if value not in allowed:
            raise BadInput(
                "unknown-policy", f"{name}: no choice {value!r}", where=f"policies.{name}", allowed=", ".join(allowed)
            )
    return {**DEFAULTS, **policies}


Abilities = tuple[tuple[Rule, ...], tuple[Rule, ...]]
"""The abilities of an attack, and other instances of theirs with another number that are not used (DUP-2)."""


class Arms(Struct, frozen=True):
    """The weapons an attack is made with: all of them, one of each kind with its abilities, and the kind of each."""

    uses: tuple[Use, ...]
    kinds: tuple[tuple[Use, Abilities], ...]
    which: tuple[int, ...]


Faced = tuple[int, tuple[Rule, ...], tuple[Rule, ...], tuple[str, ...]]
"""What a target is to attacks by its kinds of models: the first four of a `Front`."""


class Front(Struct, frozen=True):
    """What a target is to every weapon of an attack; ``granted`` is what it has against strong ones."""

    toughness: int
    rules: tuple[Rule, ...]
    granted: tuple[Rule, ...]
    keywords: tuple[str, ...]
    taken: tuple[Effect, ...] | None
    bearers: tuple[Bearer, ...]


_arms: FormCache[Card, Arms] = FormCache()
_fronts: FormCache[Card, Front] = FormCache()
"""What cards brought to bare attacks lately, in which they and the form say it all."""


def attack_of(case: Case, rerolls: str = FAILURES, asked: bool = False, rolled: bool = False) -> Attack:
    """Everything about the form fixed before the first die.

    If it is only ``rolled``, whom terrain covers is found out once a wound comes for which that matters (`Sheltered`).
    """
    arms, front = _arms_of(case), _front_of(case, rolled)
    made = [strike_of(case, use, rules, front, rerolls, asked) for use, rules in arms.kinds]
    touched = touched_before(case.game, case.state, case.target)
    remember(case, front.bearers, touched)
    strikes = tuple([made[kind] for kind in arms.which])
    veil = veil_of(case) if case.form.kind == SHOOTING and len(case.target.slots) > 1 else None
    return Attack(arms.uses, strikes, front.bearers, touched, case.game.switches["precision_overkill_wasted"], veil)


def veil_of(case: Case) -> Veil | None:
    """ABIL-10: how the target may gain or lose Stealth in the middle of attacks; None if it may not."""
    game, state, target, lookups = case.game, case.state, case.target, case.lookups
    side, slots = game.sides[target.unit], target.slots
    lent = bool(lookups.items) or bool(lookups.auras_of[side])
    mixed = STEALTH in lookups.abilities[side] and len(lookups.sorts(slots)) > 1
    if not (lent or mixed or case.singled) or is_stealthy(state, target.unit):
        return None
    keepers = tuple([frozenset(group) for group, rule in keepers_of(game, state, target) if rule.name == STEALTH])
    without_it = [slot for slot in slots if not carries(_lasting(case, slot), STEALTH)]
    if not without_it or not (keepers or len(without_it) < len(slots)):
        return None
    return Veil(frozenset(without_it), keepers, bool(keepers))


def _lasting(case: Case, slot: int) -> tuple[Rule, ...]:
    """What a model has that goes with nobody else: not what an Aura or an item gives it."""
    lent = Fade((), tuple([rule for _, rule in keepers_of(case.game, case.state, case.target)]))
    own, given = case.lookups.fighters[slot].rules, added_to(case.game, case.state, case.target, slot)
    return own + without(given, (lent,))


def _arms_of(case: Case) -> Arms:
    """The weapons of an attack; of a bare one kept, unless which are used depends on the target."""
    form, slots = case.form, case.attacker.slots
    card = case.game.cards[form.attacker]
    if not case.bare or not (form.kind == SHOOTING or max([len(model.weapons) for model in card.models]) < 2):
        return _new_arms(case)
    key = form, slots, case.lone
    found = _arms.get(card, key)
    return _arms.put(card, key, _new_arms(case)) if found is None else found


def _new_arms(case: Case) -> Arms:
    uses = _by_profile(uses_of(case))
    if len(uses) == 1:
        held = _attacking(case, uses[0])
        use = with_half(case, uses[0]) if HALF_RANGE in BOOK.gone_by(held[0]) else uses[0]
        return Arms((use,), ((use, held),), (0,))
    likes = _circumstances(case, uses)
    firsts = _first_of_each(likes, uses)
    rules = {like: case.brought.get(use) or _attacking(case, use) for like, use in firsts.items()}
    halves = [like for like, held in rules.items() if HALF_RANGE in BOOK.gone_by(held[0])]
    if halves:
        uses = tuple([with_half(case, use) if like in halves else use for like, use in zip(likes, uses, strict=True)])
        near = [(like, use.half_range) for like, use in zip(likes, uses, strict=True)]
        rules = {like: rules[like[0]] for like in near}
        likes, firsts = list[object](near), _first_of_each(near, uses)
    if case.target.guests and any(carries(found, PRECISION) for found, _ in rules.values()):
        rows = [(like, use.slot, rules[like]) for like, use in zip(likes, uses, strict=True)]
        likes = [(like, case.hidden_from(slot) if carries(held[0], PRECISION) else None) for like, slot, held in rows]
        rules = {like: held for like, (_, _, held) in zip(likes, rows, strict=True)}
        firsts = _first_of_each(likes, uses)
    numbers = dict(zip(firsts, count()))
    kinds = tuple([(use, rules[like]) for like, use in firsts.items()])
    return Arms(uses, kinds, tuple(map(numbers.__getitem__, likes)))


def _first_of_each(likes: Sequence[object], uses: Sequence[Use]) -> dict[object, Use]:
    """The first use of each kind, in their order; ``likes`` are the kinds of all."""
    first, *others = dict.fromkeys(likes)
    if not others:
        return {first: uses[0]}
    found = dict(zip(reversed(likes), reversed(uses), strict=True))
    return {like: found[like] for like in (first, *others)}


def _front_of(case: Case, rolled: bool) -> Front:
    """What the target is to an attack; to a bare one kept."""
    if not case.bare:
        return _new_front(case, rolled)
    form, card = case.form, case.game.cards[case.form.target]
    key = form.kind, form.visible, form.cover, case.target, tuple(case.game.switches.values())
    found = _fronts.get(card, key)
    return _fronts.put(card, key, _new_front(case, rolled)) if found is None else found


def _new_front(case: Case, rolled: bool) -> Front:
    taken, bearers = borne(case, rolled)
    return front_of(case, taken, bearers)


def front_of(case: Case, taken: tuple[Effect, ...] | None, bearers: tuple[Bearer, ...]) -> Front:
    """What the target is to an attack, whose Damage its models take like this and which they bear like this."""
    return Front(*_faced(case), taken, bearers)


def _faced(case: Case) -> Faced:
    """What a target is to attacks by its kinds of models; kept, unless a model has an ability of its own for a while."""
    game, state, target, lookups = case.game, case.state, case.target, case.lookups
    slots = target.slots
    if case.singled:
        shared, first = shared_rules(game, state, target), rules_of(game, state, target, slots[0])
        return toughness(game, target), shared, _strong_ones(first), keywords(game, target)
    given, stealth, sorts = case.given, is_stealthy(state, target.unit), lookups.sorts(slots)
    key: tuple[object, ...] = given, stealth
    if len(sorts) == 1:  # as most: then all is said by the model
        known = lookups.fighters[slots[0]].faced
    else:
        known, key = lookups.faced, (sorts, target.characters(), given, stealth)
    found: Faced | None = known.get(key)
    if found is None:
        shared, first = shared_with(lookups, slots, given, stealth), lookups.fighters[slots[0]].rules + given
        found = known[key] = toughness(game, target), shared, _strong_ones(first), keywords(game, target)
    return found


def _strong_ones(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """What those of some abilities give that are against strong attacks."""
    return tuple([read_ability(str(rule.rating)) for rule in rules if rule.name == STRONG])


@cites("ATTR-2")
def _circumstances(case: Case, uses: tuple[Use, ...]) -> list[object]:
    """ATTR-2: what modifies one attack changes neither the weapon nor other attacks with it, so each has its own match-up."""
    state, own, again = case.state, case.attacker.slots, case.reopened
    if not case.placed and not state.models:  # then the same is true of like models
        return [(case.like(case.wielder(use.slot)), use.weapon, use.half_range, use.share) for use in uses]
    fighters, lost = case.lookups.fighters, memoryview(state.wounds).cast("H")
    alike = not case.singled and places.level(state.z)  # then like models bring the same, but for who splits his fire
    split = case.lookups.marked(state, SPLIT) if alike and state.models else ()
    slots = list(map(_slot_of, uses))
    if alike and not split and not again and set(slots).issubset(own):  # as mostly
        kinds = map(id, map(fighters.__getitem__, slots))
        return list(zip(kinds, map(lost.__getitem__, slots), map(_means_of, uses), strict=True))
    found: list[object] = []
    for use in uses:
        slot = use.slot
        wielder = slot if slot in own else own[0]
        same = id(fighters[wielder]), lost[wielder], _means_of(use), (slot, use.index) in again
        if alike:
            found.append((same, slot in split))
        else:
            case.brought[use] = _attacking(case, use)
            found.append((same, case.brought[use]))
    return found


_slot_of, _weapon_of, _means_of = attrgetter("slot"), attrgetter("weapon"), attrgetter("weapon", "half_range", "share")


@cites("SHOOT-4")
def _by_profile(uses: list[Use]) -> tuple[Use, ...]:
    """SHOOT-4: all weapons of one profile before another; profiles in the order they come up."""
    if len(set(map(_weapon_of, uses))) == 1:  # as most
        return tuple(uses)
    rows: dict[object, list[Use]] = {}
    for use in uses:
        rows.setdefault(use.weapon, []).append(use)
    return tuple([use for row in rows.values() for use in row])


# the match-up -------------------------------------------------------------------------------------


def strike_of(case: Case, use: Use, abilities: Abilities, front: Front, rerolls: str = FAILURES, asked: bool = False) -> Strike:
    """The match-up of one weapon: the snapshot every condition is read from (TCOND-1)."""
    rules, others = abilities
    game, then, shooting = case.game, case, case.form.kind == SHOOTING
    if case.before is not None:
        then = case.when_selected(use.slot, use.index)
        front = front if then is case else _front_then(then, front)
    wielder, against = case.wielder(use.slot), front.rules
    characters = case.target.characters() if case.target.guests and carries(rules, PRECISION) else ()
    hidden = case.hidden_from(use.slot) if characters else ()
    told = BOOK.gone_by(against + rules + front.granted if front.granted else against + rules)
    strike = Strike(
        kind=case.form.kind,
        weapon=use.weapon,
        toughness=front.toughness,
        bearer_toughness=case.lookups.fighters[wielder].profile.toughness,
        rules=rules,
        against=against,
        keywords=front.keywords if "keywords" in told else (),
        models=len(then.target.slots) if "models" in told else 1,
        half_range=HALF_RANGE in told and use.half_range,
        share=use.share,
        charged="charged" in told and then.charged(),
        stationary="stationary" in told and then.stationary(),
        unseen="unseen" in told and shooting and not then.seeing,  # WPN-9
        overwatch=case.mark(OVERWATCH),
        below_half="below_half" in told and is_below_half(game, then.state, then.target),
        damaged=left_on(game, case.state, wielder) if "damaged" in told else 0,
        hampered=hampered(case, use) if shooting and (case.locked or case.target_locked) else (),
        damage_taken=front.taken,
        characters=len(characters) if len(hidden) < len(characters) else 0,
        hidden=hidden if len(hidden) < len(characters) else (),
        rerolls=rerolls,
        asked=asked,
        spill=game.switches["devastating_wounds_spill"],
        convert_as_allocated=game.switches["dw_uses_allocation_damage_modifiers"],
        others=others if asked else (),
    )
    return _against(strike, front.granted) if front.granted else strike


@cites("UT-3", "KEYW-3", "TCOND-1")
def _front_then(then: Case, front: Front) -> Front:
    """UT-3, KEYW-3, TCOND-1: of what the target is now, that which is fixed as it was when it was selected."""
    game, target = then.game, then.target
    return replace(front, toughness=toughness(game, target), keywords=keywords(game, target))


def _against(strike: Strike, granted: tuple[Rule, ...]) -> Strike:
    """A match-up with what the target has against strong attacks, if this is one."""
    strength = None if random_strength(strike) is not None else strength_of(strike, BOOK)
    if not against_strong(strength, toughness_of(strike, BOOK)):
        return strike
    return replace(strike, against=(*strike.against, *granted))


@cites("ATTR-1")
def _attacking(case: Case, use: Use) -> Abilities:
    """ATTR-1: the abilities of the weapon, and those its bearer brings to the attack."""
    camp, wielder = detachment_rules(case.game, case.game.sides[case.attacker.unit]), case.wielder(use.slot)
    if case.singled:
        held = rules_of(case.game, case.state, case.attacker, wielder)
    else:
        held = case.lookups.fighters[wielder].rules + case.own
    held = held + _read_all(camp) if camp else held
    printed = use.weapon.rules
    if carries(printed, EXTRA_ATTACKS):
        printed, held = _own_number(printed), _own_number(held)
    rules = expanded(case, use, held)
    if plunging(case, use):
        rules += (read_ability("Penetration(+1)"),)
    return _counting(printed, rules, case.form.kind)


@cites("WPN-17")
def _own_number(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """WPN-17: of some abilities those that do not change a number of attacks; one that names the weapon stays (`expanded`)."""
    return tuple([rule for rule in rules if rule.name != MORE_ATTACKS])


@lru_cache(maxsize=64)
def _read_all(texts: tuple[str, ...]) -> tuple[Rule, ...]:
    """Some abilities from their texts."""
    return tuple([read_ability(text) for text in texts])


@lru_cache(maxsize=4096)
def _counting(printed: tuple[Rule, ...], brought: tuple[Rule, ...], kind: str) -> Abilities:
    """Of the abilities of a weapon and those its bearer brings the ones that count in an attack of a kind."""
    held = [rule for rule in brought if SPECIALS[rule.name].part == ATTACKER or SPECIALS[rule.name].on_weapon]
    found = collapsed((*printed, *held))
    kept = tuple(rule for rule in found if kind in SPECIALS[rule.name].kinds or SPECIALS[rule.name].part == OTHER)
    rest = dict.fromkeys(rule for rule in (*printed, *held) if rule not in found and isinstance(SPECIALS[rule.name], Numbered))
    return kept, tuple([rule for rule in rest if kind in SPECIALS[rule.name].kinds and carries(kept, rule.name)])


def hampered(case: Case, use: Use) -> tuple[str, ...]:
    """BGNT-3: each reason for which shooting in Engagement Range takes 1 from the Hit roll; Pistols are spared."""
    if use.weapon.has("Pistol"):
        return ()
    reasons: list[str] = []
    if case.locked and case.big:
        reasons.append("BGNT-3")
    if case.target_locked and case.big_target:
        reasons.append("BGNT-3")
    return tuple(reasons)


# volleys and targets ------------------------------------------------------------------------------


def volleys_of(attack: Attack, rolled: bool) -> tuple[Volley, ...]:
    """ATK-11: one weapon after the other, each number of attacks rolled as its turn comes; for odds like weapons together."""
    strikes = attack.strikes
    if strikes and strikes.count(strikes[0]) == len(strikes):  # as most
        rows = [(strikes[0], len(strikes))]
    else:
        rows = _batches([(strike, len(list(same))) for strike, same in groupby(strikes)])
    if attack.veil is not None:
        return tuple([_turning(one, strike) for strike, weapons in rows for one in _volleys(strike, weapons, rolled)])
    if len(rows) == 1:
        return _volleys(*rows[0], rolled)
    return tuple([volley for strike, weapons in rows for volley in _volleys(strike, weapons, rolled)])


@cites("PREC-2")
def _batches(rows: list[tuple[Strike, int]]) -> list[tuple[Strike, int]]:
    """PREC-2: the attacks of one profile are one batch, also where they differ: it goes on with the next of them."""
    if not any(batched(strike) for strike, _ in rows):
        return rows
    found = rows[-1:]
    for (strike, weapons), (then, _) in reversed(list(pairwise(rows))):
        on = then.weapon == strike.weapon and batched(strike) and batched(then)
        found = [(replace(strike, goes_on=True) if on else strike, weapons), *found]
    return found


@lru_cache(maxsize=4096)
def _volleys(strike: Strike, weapons: int, rolled: bool) -> tuple[Volley, ...]:
    """Some weapons of one match-up."""
    flow, count, more = _numbered(strike)
    numbers = [count] if more is None else [count, more]  # WPN-2
    if batched(strike) and not strike.goes_on:
        open_ = flow_of(replace(strike, goes_on=True), BOOK)
        *before, last = [Volley(open_, number, 1) for number in numbers] * weapons
        return (*before, replace(last, flow=flow))  # PREC-2
    if isinstance(count, int) or not rolled:
        return tuple([Volley(flow, number, weapons) for number in numbers])
    return tuple([Volley(flow, number, 1) for number in numbers] * weapons)  # DICE-5


@cites("ABIL-10")
def _turning(volley: Volley, strike: Strike) -> Volley:
    """ABIL-10, TCOND-1: Stealth is read at each Hit roll, so attacks that begin when it has come or gone have other dice."""
    others = tuple([rule for rule in strike.against if rule.name != STEALTH])
    against = others if len(others) < len(strike.against) else (*others, Rule(STEALTH))
    flow = flow_of(replace(strike, against=against), BOOK)
    return volley if flow == volley.flow else replace(volley, turned=flow)


@lru_cache(maxsize=4096)
def _numbered(strike: Strike) -> tuple[Flow, int | Stage[int], int | Stage[int] | None]:
    """The dice of a match-up, and how many attacks one weapon makes (`numbers_of`)."""
    return flow_of(strike, BOOK), *numbers_of(strike, BOOK)


def company_of(attack: Attack, picker: Picker) -> Company:
    """The target model by model, with somebody to choose."""
    return Company(attack.bearers, picker, attack.waste, veil=attack.veil)


def policy_of(policies: Mapping[str, str]) -> Policy:
    """The choices about who bears wounds, as policies name them."""
    allocation = policies.get("allocation", FEWEST)
    return Policy(FEWEST if allocation == BOOK_ORDER else allocation, policies.get("precision", TO_CHARACTER))


def needs_company(attack: Attack) -> bool:
    """Whether the order in which models fall is not known beforehand, or mortal wounds must remember whom they are for."""
    strikes = tuple(dict.fromkeys(attack.strikes))
    mixed = [one for one in strikes if one.damage_taken is None and one.spill and one.has("Devastating Wounds")]
    spreading = [one for one in attack.bearers if one.demise is not None and (one.near or one.facing)]
    return bool(mixed or spreading or [one for one in strikes if precise(one)])


def target_of(attack: Attack, policy: Policy) -> tuple[Ladder | Company, Any, tuple[int, ...]]:
    """The target for odds, the state it starts in, and its models as they are taken: a ladder wherever one will do."""
    ladder, order = ladder_of(attack.bearers, policy, attack.touched)
    slots = tuple([attack.bearers[at].slot for at in order])
    if needs_company(attack) or attack.veil is not None or _fades_early(attack.bearers, order):
        company = company_of(attack, policy)
        return company, company.start(attack.touched), slots
    return ladder, ladder.start(), slots


def _fades_early(bearers: tuple[Bearer, ...], order: tuple[int, ...]) -> bool:
    """Whether a unit whose models fall in this order may lose something it has before the last of them falls."""
    return any(not keepers >> order[-1] & 1 for keepers in bearers[0].whiles)


def expected_damage(case: Case, use: Use) -> Fraction:
    """The mean damage of one weapon on the target, computed exactly under the default policies."""
    from rolloff.oracle.calculator import kept  # numpy is loaded only when odds are wanted

    granted = cover_granted(case.game, case.state, case.target)
    gears = [gear_of(case.game, case.state, case.target, slot, granted) for slot in case.target.slots]
    taken = shared_damage(gears)
    bearers = bearers_of(case, gears, taken is None)
    strike = strike_of(case, use, _attacking(case, use), front_of(case, taken, bearers))
    attack = Attack((use,), (strike,), bearers, touched_before(case.game, case.state, case.target), True)
    target, start, _ = target_of(attack, Policy())
    law = kept(exact=True).after(volleys_of(attack, False), target, start)
    mean = law.mean(lambda state: state if isinstance(state, int) else sum(state.lost))
    return Fraction(mean)
