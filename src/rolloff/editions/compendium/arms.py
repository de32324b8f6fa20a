"""The weapons of an attack as groups; those of bare attacks are kept, and turned against one target after another."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions.compendium.ability import SHOOTING, Ability
from rolloff.editions.compendium.blows import Fighting
from rolloff.editions.compendium.lookups import Fighter
from rolloff.editions.compendium.matchup import INDEPENDENT, Enemy
from rolloff.editions.compendium.picking import Asking, Policies, picks_of
from rolloff.editions.compendium.places import Places
from rolloff.editions.compendium.resolve import Group
from rolloff.editions.compendium.shots import Shooting
from rolloff.identity_cache import FormCache
from rolloff.table.profile import Card, Rule


class Arms(Struct, frozen=True):
    """The weapons of an attack: as groups, by slot and index, and by slot and reach; ``lighting``: they may light a target up.

    ``snaps`` are the rules that could leave nothing but Snap Shots, and whether they did.
    """

    groups: tuple[Group, ...]
    used: tuple[tuple[int, int], ...]
    firing: tuple[tuple[int, int], ...]
    lighting: bool
    snaps: tuple[tuple[Rule, bool], ...] = ()


class Front(Struct, frozen=True):
    """What a target is to every weapon of a bare attack: by its front, as it is struck, and whether it breaks a charge.

    ``usual``: neither does a rule protect it from being chosen, nor is its facing unknown.
    """

    usual: bool
    first: Enemy | None = None
    enemy: Enemy | None = None
    broken: bool = False


Specials = Mapping[str, Ability]
_arms: FormCache[Card, tuple[Specials, Arms]] = FormCache()
_fronts: FormCache[Card, tuple[Specials, Front]] = FormCache()
"""What cards brought to bare attacks lately, in which they and the form say it all, under the rules of their edition."""


def arms_of(places: Places, chooser: Policies | Asking) -> Arms:
    """The weapons of an attack; where nothing is chosen and nobody stands anywhere only the enemy differs by the target."""
    if not isinstance(chooser, Policies) or not places.bare or places.form.weapons is not None:
        return _new_arms(places, chooser)
    front = _front_of(places)
    if not front.usual:
        return _new_arms(places, chooser)
    card, specials = places.play.game.cards[places.form.attacker], places.lookups.specials
    key = places.form, places.attackers, front.broken
    kept = _arms.get(card, key)
    if kept is None or kept[0] is not specials:
        found = _new_arms(places, chooser)
        if _settled(places, found):
            _arms.put(card, key, (specials, replace(found, snaps=_snaps(specials, found, front))))
        return found
    found = kept[1]
    if found.snaps and found.snaps != _snaps(specials, found, front):
        return _new_arms(places, chooser)
    assert front.enemy is not None
    enemy = front.enemy
    return replace(found, groups=tuple([_against(group, enemy) for group in found.groups]))


def _settled(places: Places, arms: Arms) -> bool:
    """Whether the same weapons are used in the same way against any target that is met alike: there is nothing to choose."""
    if places.form.kind != SHOOTING:
        return not [fighter for fighter in places.unlike(places.attackers) if not _one_way(fighter)]
    guns = [len(places.lookups.fighters[slot].ranged) for slot in places.attackers]
    return max(guns) == 1 and len(arms.used) == sum(guns)


def _one_way(fighter: Fighter) -> bool:
    """Whether a model has one way to strike, and nothing that finds another facing of its target than its blows."""
    return len(fighter.melee) == 1 and not fighter.has("Smash") and not fighter.has("Hammer of Wrath")


def _snaps(specials: Specials, arms: Arms, front: Front) -> tuple[tuple[Rule, bool], ...]:
    """The rules of the weapons, and whether they leave nothing but Snap Shots at a target."""
    rules = [rule for group in arms.groups for part in group.parts if part.strike.shooting for rule in part.strike.rules]
    assert front.first is not None
    return tuple([(rule, specials[rule.name].snaps(rule, front.first)) for rule in dict.fromkeys(rules)])


def _against(group: Group, enemy: Enemy) -> Group:
    """A group turned against another target."""
    strike, fire = replace(group.strike, enemy=enemy), group.deflagrates
    if fire is None and not group.fellows:
        return replace(group, strike=strike)
    fellows = tuple([_against(fellow, enemy) for fellow in group.fellows])
    return replace(group, strike=strike, deflagrates=fire and replace(fire, enemy=enemy), fellows=fellows)


def _new_arms(places: Places, chooser: Policies | Asking) -> Arms:
    if places.form.kind == SHOOTING:
        shooting = Shooting(places)
        fired = shooting.fired()
        groups = shooting.groups(fired, shooting.snapped)
        return Arms(groups, tuple(fired), tuple(shooting.reaches(fired)), _lights(groups))
    fighting = Fighting(places)
    picks = picks_of(fighting, chooser)
    groups, used = fighting.gathered(picks), tuple([(slot, index) for slot, (index, _) in picks.items()])
    return Arms(groups, used, tuple([(slot, 0) for slot, _ in used]), _lights(groups))


def _lights(groups: tuple[Group, ...]) -> bool:
    return bool([part for group in groups for part in group.parts if part.strike.has("Luminagen")])


def _front_of(places: Places) -> Front:
    """What the target is to a bare attack, kept by its card."""
    form, specials = places.form, places.lookups.specials
    card = places.play.game.cards[form.target]
    key = form.kind, form.facing, places.targets
    kept = _fronts.get(card, key)
    if kept is None or kept[0] is not specials:
        kept = _fronts.put(card, key, (specials, _new_front(places)))
    return kept[1]


def _new_front(places: Places) -> Front:
    first = places.lookups.fighters[places.targets[0]]
    if places.form.kind != SHOOTING:
        fighting = Fighting(places)
        return Front(True, fighting.enemy, fighting.enemy, fighting.broken())
    if INDEPENDENT in first.types or (first.vehicle and places.form.facing is None):
        return Front(False)
    shooting = Shooting(places)
    return Front(True, shooting.enemy, shooting.faced(places.attackers[0]))
