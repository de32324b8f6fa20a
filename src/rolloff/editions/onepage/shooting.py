"""Shooting (SHOOT): one target, the models that see it with a weapon in range, cover settled when it is declared."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from rolloff.editions.onepage.attack import SHOOTING, Group, alone, attack_event, figures, pooled, strike_of
from rolloff.editions.onepage.book import book_of
from rolloff.editions.onepage.leading import leader_sees, led_into_cover, led_onto_heights, unit_range
from rolloff.editions.onepage.lookups import has, index_of, quality
from rolloff.editions.onepage.matchup import Strike, flow_of
from rolloff.editions.onepage.sniping import named
from rolloff.editions.onepage.vehicles import attack_facing, eye_of, has_arcs, shaken
from rolloff.errors import IllegalCommand
from rolloff.geometry.measure import reach
from rolloff.geometry.sight import Mode, aims, covered, watch
from rolloff.oracle.flow import WOUNDS, Volley
from rolloff.rules.citing import cites
from rolloff.rules.fire import Fire, FireOrder, Gun, Shot, Targets, eligible, enemies, fire_of
from rolloff.rules.fire import shoot as fire_by_order
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.event import Event, Fact, ModelMarked, Patch
from rolloff.table.profile import DiceRoll, Rule, Weapon
from rolloff.table.state import State

WALKED = "walked"
"""How a unit fires that has moved."""
USED = "used:"
GRANT_WEAPONS = "grant-weapons:"


def sight_mode(game: Game) -> Mode:
    """LOS-5: how sight works in this game; other units block it unless the players agreed otherwise."""
    mode = game.edition.sight
    return mode if game.switches["models_block_los"] else mode._replace(models=0)


@cites("RULE-LIMITED-1")
def spent(state: State, slot: int, weapon: Weapon, index: int) -> bool:
    """RULE-LIMITED-1: a Limited weapon works once a game."""
    return weapon.has("Limited") and state.model_mark(slot, f"{USED}{index}") is not None


@cites("SHOOT-2", "SHOOT-3")
def guns_of(play: Play, order: FireOrder) -> tuple[Gun, ...]:
    """SHOOT-2: the ranged weapons of a unit's models that are not used up."""
    lookups = index_of(play.game)
    living = play.state.units[order.unit].living
    if not lookups.furthest(living):
        return ()
    state, fighters = play.state, lookups.fighters
    return tuple(
        Gun(slot, index, fighters[slot].weapons[index].reach or 0)
        for slot in sorted(living)
        for index in fighters[slot].ranged
        if not spent(state, slot, fighters[slot].weapons[index], index)
    )


@cites("SHOOT-13")
def ranges(play: Play, unit: int, target: int) -> dict[int, float]:
    """SHOOT-13: how far each model is from the target, measured from its own base, whatever it stands in."""
    return reach(play.scene, unit, target)


@cites("RULE-INDIRECT-1")
def indirect(play: Play, shot: Gun | Shot) -> bool:
    """RULE-INDIRECT-1: may be fired at enemies out of sight."""
    found: bool = index_of(play.game).fighters[shot.slot].weapons[shot.weapon].has("Indirect")
    return found


@cites("LOS-9")
def each_sees(play: Play, unit: int, target: int, guns: Sequence[Gun]) -> list[Shot]:
    """LOS-1, LOS-9: each model sees for itself, and one of the target is enough; LOS-10: a vehicle's weapon from its barrel."""
    mode = sight_mode(play.game)
    if has_arcs(play.game, unit):
        lookups = index_of(play.game)
        eyes = [eye_of(play, gun.slot, lookups.fighters[gun.slot].weapons[gun.weapon]) for gun in guns]
        found = [aims(play.scene, mode, eye, target) >= 0 for eye in eyes]
        return [Shot(gun.slot, gun.weapon, seen) for gun, seen in zip(guns, found, strict=True)]
    seen = watch(play.scene, mode, unit, target, tuple(dict.fromkeys(gun.slot for gun in guns)))
    return [Shot(gun.slot, gun.weapon, seen[gun.slot] >= 0) for gun in guns]


@cites("ARC-6")
def led_sight(play: Play, unit: int, target: int, guns: Sequence[Gun]) -> list[Shot]:
    """LOS-1, SHOOT-4: the leader sees for all; ARC-6: whatever way a gun is mounted."""
    seen = leader_sees(play, sight_mode(play.game), unit, target)
    return [Shot(gun.slot, gun.weapon, seen) for gun in guns]


def led_gaps(play: Play, unit: int, target: int) -> Mapping[int, float]:
    """SHOOT-5: one distance for the whole unit."""
    return dict.fromkeys(play.state.units[unit].living, unit_range(play, unit, target))


def targets_of(play: Play, unit: int) -> Targets:
    """Every valid target with the weapons that could fire at it."""
    return eligible(play, FireOrder(unit))


@cites("TERR-COVER-3", "TERR-COVER-4", "TERR-COVER-5", "TERR-COVER-1")
def behind_cover(play: Play, firing: Iterable[int], target: int) -> bool:
    """TERR-COVER-3: strictly more than half of the living models within or behind cover."""
    near = book_of(play.game).cover_near
    found = covered(play.scene, sight_mode(play.game), tuple(firing), target, near=near, tol=book_of(play.game).within)
    return 2 * sum(1 for piece in found.values() if piece >= 0) > len(found)


@cites("ELEV-2")
def level(state: State, unit: int) -> int:
    """ELEV-2: the highest ground at or above which more than half of its models stand."""
    grounds = sorted((struct.unpack_from("<i", state.z, 4 * slot)[0] for slot in state.units[unit].living), reverse=True)
    return int(grounds[len(grounds) // 2]) if grounds else 0


@cites("ELEV-1")
def above(play: Play, unit: int, other: int) -> bool:
    """ELEV-1, ELEV-2: whether a unit stands at least an inch higher than another."""
    step: int = book_of(play.game).elevated
    return level(play.state, unit) - level(play.state, other) >= step


@cites("ELEV-4")
def looked_down_on(play: Play, shooter: int, target: int) -> bool:
    """ELEV-4: a target shot at from lower ground counts as in cover."""
    return above(play, target, shooter)


@cites("RULE-STEALTH-1")
def stealthy(play: Play, target: int) -> bool:
    """RULE-STEALTH-1: a unit with Stealth is in cover from shooting wherever it stands."""
    return has(play.game, play.state, target, "Stealth")


@cites("TERR-COVER-6", "SHOOT-12")
def cover_for(play: Play, shooter: int, firing: Iterable[int], target: int) -> tuple[str, ...]:
    """What puts the target in cover, as clauses: one effect, whatever the sources (TERR-COVER-6)."""
    if stealthy(play, target):
        return ("RULE-STEALTH-1",)
    if book_of(play.game).leads:
        return led_onto_heights(play, target) or led_into_cover(play, target)
    if looked_down_on(play, shooter, target):
        return ("ELEV-4",)
    if behind_cover(play, firing, target):
        return ("TERR-COVER-3",)
    return ()


def weapon_rules(play: Play, unit: int, weapon: Weapon) -> tuple[Rule, ...]:
    """WPN-9: the weapon's own rules, and what is granted to the unit's weapons; the same rule once (GEN-3)."""
    rules = {rule.name: rule for rule in weapon.rules}
    for name, _ in play.state.units[unit].marks:
        if name.startswith(GRANT_WEAPONS):
            granted = name.removeprefix(GRANT_WEAPONS)
            rules.setdefault(granted, Rule(granted))
    return tuple(sorted(rules.values()))


def hidden_by(shot: Shot, cover: tuple[str, ...]) -> tuple[str, ...]:
    """What covers the target from a shot: its own cover, or else that it is out of sight (one effect, TERR-COVER-6)."""
    return cover or (() if shot.seen else ("RULE-INDIRECT-1",))


@cites("RES-3")
def groups_of_shots(
    play: Play, unit: int, target: int, shots: Iterable[Shot], cover: tuple[str, ...] | None = None
) -> list[Group]:
    """RES-3: like weapons pooled, in the order of the unit's equipment; every single-model weapon a group of its own."""
    shots = list(shots)
    lookups = index_of(play.game)
    if cover is None:
        cover = cover_for(play, unit, dict.fromkeys(shot.slot for shot in shots), target)
    skill = quality(play.game, unit)
    rows: dict[tuple[object, ...], Group] = {}
    for shot in shots:
        weapon = lookups.fighters[shot.slot].weapons[shot.weapon]
        hidden = hidden_by(shot, cover)
        rules = weapon_rules(play, unit, weapon)
        if weapon.has("Sniper"):
            hidden = ()  # RULE-SNIPER-1
        single = (shot.slot, shot.weapon) if alone(weapon) else ()
        rattled = shaken(play.state, shot.slot)
        start = Group(rules, weapons=0, shaken=rattled, cover=hidden, name=weapon.name, quality=skill)
        pooled(rows, (rules, hidden, single, rattled), start, weapon.attacks)
    return list(rows.values())


def expected_wounds(play: Play, strike: Strike, roll: DiceRoll) -> float:
    """The wounds a weapon would cause on average, by the exact evaluator."""
    return roll.mean * wounds_an_attack(strike, play)


def wounds_an_attack(strike: Strike, play: Play) -> float:
    """Wounds of one attack on average, by the exact evaluator, remembered by match-up."""
    lookups = index_of(play.game)
    key = ("wounds", strike)
    found = lookups.flown.get(key)
    if found is None:
        from rolloff.oracle.calculator import kept  # numpy is loaded only when odds are wanted

        flow = flow_of(strike, figures(play.game), play.game.edition.specials)
        spread = kept().spread(Volley(flow, 1, 1), WOUNDS)
        found = lookups.flown[key] = float(sum(k * chance for k, chance in enumerate(spread)))
    assert isinstance(found, float)
    return found


@cites("SHOOT-6", "RULE-RELENTLESS-1")
def fires_all(play: Play, slot: int, walked: bool) -> bool:
    """SHOOT-6, RULE-RELENTLESS-1: whether a model fires all its weapons: on Hold, by the book or if it is Relentless."""
    return not walked and (book_of(play.game).all_weapons_on_hold or relentless(play, slot))


@cites("SHOOT-6")
def default_shots(
    play: Play, unit: int, target: int, shots: list[Shot], walked: bool, covered: tuple[str, ...] | None = None
) -> list[Shot]:
    """SHOOT-6: of a model that fires one weapon only, the one with the most expected wounds."""
    carried = Counter(shot.slot for shot in shots)
    choosing = {slot for slot, count in carried.items() if count > 1 and not fires_all(play, slot, walked)}
    if not choosing:
        return shots
    cover = cover_for(play, unit, carried, target) if covered is None else covered
    skill = quality(play.game, unit)
    best: dict[int, tuple[float, Shot]] = {}
    lookups = index_of(play.game)
    for shot in shots:
        if shot.slot not in choosing:
            continue
        weapon = lookups.fighters[shot.slot].weapons[shot.weapon]
        rattled, hidden = shaken(play.state, shot.slot), hidden_by(shot, cover)
        group = Group(weapon_rules(play, unit, weapon), shaken=rattled, cover=hidden, quality=skill)
        worth = expected_wounds(play, strike_of(play.game, play.state, group, target, SHOOTING), weapon.attacks)
        if shot.slot not in best or worth > best[shot.slot][0]:
            best[shot.slot] = (worth, shot)
    chosen = {shot for _, shot in best.values()}
    return [shot for shot in shots if shot in chosen or shot.slot not in choosing]


def best_target(play: Play, order: FireOrder, targets: Targets) -> int:
    """The target with the most expected wounds."""
    unit, walked = order.unit, order.mode == WALKED
    return max(targets, key=lambda enemy: (target_worth(play, unit, enemy, targets[enemy], walked), -enemy))


def target_worth(play: Play, unit: int, target: int, shots: list[Shot], walked: bool) -> float:
    """Expected wounds of all the fire a unit can bring on a target."""
    worth = 0.0
    for group in groups_of_shots(play, unit, target, default_shots(play, unit, target, shots, walked)):
        strike = strike_of(play.game, play.state, group, target, SHOOTING)
        mean = group.attacks + sum(roll.mean for roll in group.rolls)
        worth += mean * wounds_an_attack(strike, play)
    return worth


def no_target_for(play: Play, order: FireOrder, name: object) -> IllegalCommand | None:
    """Why a name is no target of this fire."""
    return no_target(play, order.unit, name)


def no_target(play: Play, unit: int, name: object) -> IllegalCommand | None:
    """Why a unit cannot be shot at: no enemy on the table, out of range of every weapon, out of its arc, or not seen."""
    target = play.game.numbers.get(name) if isinstance(name, str) else None
    if target is None:
        return None
    if target not in enemies(play, unit):
        return IllegalCommand("no-enemy", "SHOOT-11", f"{name} is no enemy unit on the table", name)
    lookups = index_of(play.game)
    leeway = book_of(play.game).within
    near = [
        (slot, weapon)
        for slot, gap in fire_of(play).gaps(play, unit, target).items()
        for weapon in (lookups.fighters[slot].weapons[k] for k in lookups.fighters[slot].ranged)
        if gap <= (weapon.reach or 0) + leeway
    ]
    if not near:
        return IllegalCommand("out-of-range", "SHOOT-5", f"{name} is out of range of every weapon", name)
    if has_arcs(play.game, unit) and any(_would_see(play, slot, weapon, target) for slot, weapon in near):
        return IllegalCommand("out-of-arc", "ARC-1", f"{name} is in the arc of no weapon that has it in range", name)
    return IllegalCommand("out-of-sight", "SHOOT-2", f"no model with {name} in range sees it", name)


def _would_see(play: Play, slot: int, weapon: Weapon, target: int) -> bool:
    """Whether a vehicle's weapon would see a unit if it could turn all round."""
    return aims(play.scene, sight_mode(play.game), eye_of(play, slot, weapon)._replace(arc=None), target) >= 0


@cites("SHOOT-1", "ACT-1", "ACT-2", "MOVE-10")
def shoot(play: Play, unit: int, walked: bool) -> None:
    """SHOOT-1: pick one target, or hold fire; then all that may fire at it does."""
    fire_by_order(play, FireOrder(unit, mode=WALKED if walked else "", facts=(("walked", walked),)))


@cites("SHOOT-7")
def no_other_target(play: Play, order: FireOrder, slot: int, weapon: int) -> bool:
    """SHOOT-7: every weapon fires at the one target."""
    return False


@cites("SHOOT-7")
def own_target(play: Play, order: FireOrder, slot: int, weapon: int) -> bool:
    """SHOOT-7, RULE-RELENTLESS-1: each weapon of a Relentless model that holds may have a target of its own; no other may."""
    return order.mode != WALKED and relentless(play, slot)


@cites("RULE-RELENTLESS-1")
def relentless(play: Play, slot: int) -> bool:
    """RULE-RELENTLESS-1: whether a model fires all its weapons on Hold, even at different targets."""
    return "Relentless" in index_of(play.game).fighters[slot].rules


def weapons_at_once(play: Play, order: FireOrder, slot: int) -> int:
    """SHOOT-6: one weapon, or all."""
    return 0 if fires_all(play, slot, order.mode == WALKED) else 1


def usual_shots(play: Play, order: FireOrder, target: int, shots: list[Shot]) -> list[Shot]:
    """SHOOT-6: the weapons of owners who are not asked."""
    return default_shots(play, order.unit, target, shots, order.mode == WALKED)


def fire_at(play: Play, order: FireOrder, target: int, shots: list[Shot]) -> None:
    """One shooting event, from the declaration to the target's morale (SHOOT-14)."""
    unit = order.unit
    lookups = index_of(play.game)
    firing = tuple(dict.fromkeys(shot.slot for shot in shots))
    groups = named(play, unit, target, groups_of_shots(play, unit, target, shots))
    facing = attack_facing(play, target, firing)
    used: list[Patch] = [
        ModelMarked(shot.slot, f"{USED}{shot.weapon}", 1)
        for shot in shots
        if lookups.fighters[shot.slot].weapons[shot.weapon].has("Limited")
    ]
    names = tuple(dict.fromkeys(lookups.fighters[shot.slot].weapons[shot.weapon].name for shot in shots))
    why = (*(("RULE-LIMITED-1",) if used else ()), *by_relentless(play, unit, shots))
    play.emit("shot", ("SHOOT-1", "SHOOT-8", *why), *used, unit=unit, target=target, models=firing, weapons=names)
    attack_event(play, unit, target, groups, SHOOTING, "SHOOT-9", "SHOOT-10", "SHOOT-14", facing=facing)


def by_relentless(play: Play, unit: int, shots: Sequence[Shot]) -> tuple[str, ...]:
    """RULE-RELENTLESS-1: what lets a model fire another weapon, now or after its first, where others fire one."""
    if book_of(play.game).all_weapons_on_hold:
        return ()
    before = [event for event in play.events if event.kind == "shot" and event.fact("unit") == unit]
    fired = Counter(shot.slot for shot in shots)
    more = [slot for slot, n in fired.items() if n > 1 or any(slot in models_of(event) for event in before)]
    return ("RULE-RELENTLESS-1",) if more else ()


def models_of(event: Event) -> tuple[Fact, ...]:
    """The models that an event says took part."""
    found = event.fact("models")
    return found if isinstance(found, tuple) else ()


FIRE = Fire(
    guns_of,
    fire_at,
    clauses=("SHOOT-1", "SHOOT-6"),
    points=("DP-18", "DP-19"),
    cannot="SHOOT-3",
    together="SHOOT-7",
    gaps=ranges,
    sight=each_sees,
    unseen=indirect,
    splits=no_other_target,
    most=weapons_at_once,
    best=best_target,
    pick=usual_shots,
    why=no_target_for,
    leeway=10,  # MEAS-5
)
"""Each model measures and sees for itself."""

SPLIT_FIRE = replace(FIRE, splits=own_target)
"""SHOOT-7: whoever is Relentless may split its fire."""

LED_FIRE = replace(FIRE, gaps=led_gaps, sight=led_sight, bounded=False)
"""SHOOT-4, SHOOT-5: one distance for the unit, and the leader sees for all."""
