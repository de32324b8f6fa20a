"""Snipers (RULE-SNIPER): which model of the target each of them names."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from rolloff.editions.onepage.attack import Group
from rolloff.editions.onepage.lookups import index_of
from rolloff.editions.onepage.planning import casualty_order
from rolloff.rules.citing import cites
from rolloff.rules.play import Play

SPREAD, CHARACTER = "spread", "character"
"""Whom Snipers name: each another model, in the order of casualties; or all the first Hero or Psyker there is."""


def snipes(group: Group) -> bool:
    """Whether a group is the fire of a Sniper."""
    return any(rule.name == "Sniper" for rule in group.rules)


@cites("RULE-SNIPER-2")
def named(play: Play, unit: int, target: int, groups: list[Group]) -> list[Group]:
    """RULE-SNIPER-2: for each Sniper weapon the attacker names one model of the target, before any die is rolled."""
    count = sum(map(snipes, groups))
    if not count:
        return groups
    wishes = iter(_wishes(play, target, SPREAD, count))
    return [_named(play, unit, target, group, next(wishes)) if snipes(group) else group for group in groups]


def _named(play: Play, unit: int, target: int, group: Group, wish: int) -> Group:
    models, owner = play.game.models, play.game.side_of(unit)
    options = tuple(models[slot].id for slot in play.state.units[target].living)
    answer = play.choose(owner, "choose-model", "RULE-SNIPER-2", options, models[wish].id, unit, "DP-20", item=group.name)
    return replace(group, aim=play.game.slots[str(answer)])


def named_by(play: Play, target: int, groups: list[Group], policies: Mapping[str, str]) -> list[Group]:
    """The same as a policy says."""
    count = sum(map(snipes, groups))
    if not count:
        return groups
    wishes = iter(_wishes(play, target, policies.get("sniper", SPREAD), count))
    return [replace(group, aim=next(wishes)) if snipes(group) else group for group in groups]


def _wishes(play: Play, target: int, policy: str, count: int) -> list[int]:
    """The models so many Snipers name."""
    order = casualty_order(play.game, play.state, target, {})
    if policy == CHARACTER:
        lookups = index_of(play.game)
        order = tuple(slot for slot in order if {"Hero", "Psyker"} & set(lookups.fighters[slot].rules))[:1] or order
    return [order[k % len(order)] for k in range(count)]
