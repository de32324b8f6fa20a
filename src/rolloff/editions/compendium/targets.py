"""The units of an attack as targets: flesh or hulls on one side, the firing crew on the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from rolloff.editions.compendium.ability import Wards
from rolloff.editions.compendium.crew import Crew, CrewState, Hand
from rolloff.editions.compendium.harm import Body
from rolloff.editions.compendium.hull import NO_DRAW, Draw, Fleet, Hull, Squadron
from rolloff.editions.compendium.lookups import jinks
from rolloff.editions.compendium.matchup import CHARACTER, DAEMON, INDEPENDENT, MONSTER, PSYKER, VEHICLE
from rolloff.editions.compendium.places import Places
from rolloff.editions.compendium.saves import NONE
from rolloff.editions.compendium.squad import BY_THE_BOOK, Picker, Policy, Squad, Standing
from rolloff.errors import BadInput
from rolloff.identity_cache import IdentityCache
from rolloff.rules.citing import cites
from rolloff.table.profile import Card

if TYPE_CHECKING:
    from rolloff.editions.compendium.asking import Asked

LIT, IMMOBILE, LOST = "luminagen", "immobile", "lost:"
JINKING, SMOKE, GROUND = "jinking", "smoke", "gone-to-ground"


@cites("CF-ALLOC-2", "SR-INDEPENDENT-CHARACTER-7")
def look_out_need(types: frozenset[str]) -> int:
    """CF-ALLOC-2: 4+ for a Character, 2+ for an Independent Character."""
    if INDEPENDENT in types:
        return 2
    return 4 if CHARACTER in types else NONE


def _wards(places: Places, slot: int) -> Wards:
    """Profile, rules and terrain of one model, and what its unit did to protect itself."""
    found = places.lookups.wards(slot, places.targets, places.ground(slot))
    found.cover = min(found.cover, places.cover(slot))
    unit = places.play.state.units[places.form.target]
    fighter = places.lookups.fighters[slot]
    if unit.mark(JINKING) is not None and jinks(places.play.state, fighter, slot):
        riding = any(places.lookups.fighters[one].has("Skilled Rider") for one in places.targets)
        found.cover = min(found.cover, jink_cover(riding))
    if unit.mark(SMOKE) is not None:
        found.cover = min(found.cover, 5)  # SR-SMOKE-LAUNCHER-2
    if unit.mark(GROUND) is not None:
        found.shift += 1
    return found


@cites("SR-JINK-2")
def jink_cover(riding: bool) -> int:
    """SR-JINK-2: 4+ for a model that jinks; SR-SKILLED-RIDER-2: one better for a Skilled Rider."""
    return 3 if riding else 4  # SR-SKILLED-RIDER-2


def squad_of(
    places: Places,
    order: tuple[int, ...],
    kind: str,
    picker: Picker = BY_THE_BOOK,
    lighting: bool = True,
    named: bool = True,
) -> Squad:
    """A unit of models with Wounds as a target; ``lighting``: the attack may light it up; ``named``: its models have slots."""
    bodies = []
    alike: dict[tuple[int, int], Body] = {}
    for at, slot in enumerate(places.targets):
        like = places.like(slot)
        body = alike.get(like)
        if body is None:
            body = alike[like] = _body(places, slot)
        if body.look_out < NONE:
            body = replace(body, fellows=places.fellows(at))
        bodies.append(replace(body, slot=slot) if named else body)
    lit = places.play.state.units[places.form.target].mark(LIT) is not None
    return Squad(tuple(bodies), order, kind, picker, (False, True) if lighting else (lit,))


def _body(places: Places, slot: int) -> Body:
    """One model as harm finds it, but for where it stands."""
    fighter, wards = places.lookups.fighters[slot], _wards(places, slot)
    return Body(
        wounds=fighter.profile.wounds,
        toughness=fighter.profile.toughness,
        armour=wards.armour,
        invulnerable=wards.invulnerable,
        cover=wards.cover,
        shift=wards.shift,
        pain=wards.pain,
        eternal=wards.eternal,
        swarm=wards.swarm,
        tainted=bool(fighter.types & {DAEMON, PSYKER}),
        look_out=look_out_need(fighter.types),
        worth=fighter.worth + (1 if CHARACTER in fighter.types else 0),
    )


def squadron_of(places: Places, order: tuple[int, ...], kind: str, draw: Draw = NO_DRAW, named: bool = True) -> Squadron:
    """A unit of vehicles as a target; unlike ones cannot be hit by one armour roll. ``named``: they have slots."""
    hulls = []
    state = places.play.state
    for slot in places.targets:
        fighter, wards = places.lookups.fighters[slot], _wards(places, slot)
        if fighter.profile.hull != places.lookups.fighters[places.targets[0]].profile.hull:
            raise BadInput(
                "mixed-unit",
                "a unit of unlike vehicles is not resolved by itself",
                where="do.attack.target",
                allowed="like vehicles",
            )
        lost = sum(name.startswith(LOST) for at, name, _ in state.models if at == slot)
        hulls.append(
            Hull(
                points=fighter.profile.wounds,
                armour=wards.armour,
                invulnerable=wards.invulnerable,
                cover=wards.cover,
                shift=wards.shift,
                open_topped=fighter.has("Open-topped") or "open-topped" in fighter.types,
                tainted=bool(fighter.types & {DAEMON, PSYKER}),
                arms=len(places.play.game.models[slot].weapons) - lost,
                immobile=state.model_mark(slot, IMMOBILE) is not None,
                slot=slot if named else 0,
            )
        )
    return Squadron(tuple(hulls), order, kind, draw)


def target_of(
    places: Places,
    order: tuple[int, ...],
    kind: str,
    picker: Policy | Asked,
    lighting: bool = True,
    named: bool = True,
) -> Squad | Squadron:
    """A unit as a target; ``picker`` chooses, and a player who is asked also draws which weapons vehicles lose.

    Odds ask for targets whose models are not ``named``: those of one question are then those of the next.
    """
    if named or not isinstance(picker, Policy) or not places.bare:
        return _new_target(places, order, kind, picker, lighting, named)
    known, key = _kept(places), (places.form, places.targets, order, picker, lighting)
    found = known.get(key)
    if found is None:
        if len(known) >= MOST_FORMS:
            known.clear()
        found = known[key] = _new_target(places, order, kind, picker, lighting, named)
    return found


_targets: IdentityCache[Card, dict[object, Squad | Squadron]] = IdentityCache()
"""Targets of odds met lately, by the card of the unit: where nobody stands anywhere, it and the form say it all."""
MOST_FORMS = 32


def _kept(places: Places) -> dict[object, Squad | Squadron]:
    card = places.play.game.cards[places.form.target]
    known = _targets.get(card)
    return _targets.put(card, {}) if known is None else known


def _new_target(
    places: Places, order: tuple[int, ...], kind: str, picker: Policy | Asked, lighting: bool, named: bool
) -> Squad | Squadron:
    if places.lookups.fighters[places.targets[0]].vehicle:
        return squadron_of(places, order, kind, NO_DRAW if isinstance(picker, Policy) else picker, named)
    return squad_of(places, order, kind, picker, lighting, named)


def start_of(places: Places, target: Squad | Squadron) -> Standing | Fleet:
    """How the target stands before the attack."""
    state, slots = places.play.state, places.targets
    lit = state.units[state.owner_of(slots[0])].mark(LIT) is not None
    if not places.hurt:
        return target.start(lit=lit)
    whole = [one.wounds for one in target.bodies] if isinstance(target, Squad) else [one.points for one in target.hulls]
    return target.start(*[points - state.wounds_on(slot) for points, slot in zip(whole, slots, strict=True)], lit=lit)


def with_names(target: Squad | Squadron, slots: Sequence[int]) -> Squad | Squadron:
    """A target whose models have slots again, given as `losses` goes through them."""
    by_place = dict(zip(target.places(), slots, strict=True))
    if isinstance(target, Squad):
        return replace(target, bodies=tuple(replace(one, slot=by_place[at]) for at, one in enumerate(target.bodies)))
    return replace(target, hulls=tuple(replace(one, slot=by_place[at]) for at, one in enumerate(target.hulls)))


def _hand(places: Places, slot: int) -> Hand:
    fighter, wards = places.lookups.fighters[slot], places.lookups.wards(slot, places.attackers)
    sturdy = bool(fighter.types & {CHARACTER, MONSTER, VEHICLE})
    return Hand(fighter.profile.wounds, wards.armour, wards.invulnerable, wards.pain, fighter.vehicle, sturdy)


def crew_of(places: Places) -> tuple[Crew, CrewState]:
    """The attackers as targets of their own weapons, and how they stand."""
    hands, left = [], []
    known: dict[int, Hand] = {}
    for slot in places.attackers:
        fighter = places.lookups.fighters[slot]
        if id(fighter) not in known:
            known[id(fighter)] = _hand(places, slot)
        hands.append(known[id(fighter)])
        left.append(fighter.profile.wounds - places.play.state.wounds_on(slot))
    crew = Crew(tuple(hands))
    return crew, crew.start(*left)
