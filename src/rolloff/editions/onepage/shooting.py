"""Shooting (SHOOT): one target, the models that see it with a weapon in range, cover settled when it is declared."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterable
from functools import partial

from msgspec import Struct

from rolloff.editions.onepage.attack import SHOOTING, Group, alone, attack_event, figures, pooled, strike_of
from rolloff.editions.onepage.leading import leader_sees, led_into_cover, led_onto_heights, unit_range
from rolloff.editions.onepage.lore import Lore, has, quality
from rolloff.editions.onepage.sniping import named
from rolloff.editions.onepage.strike import Strike, flow_of
from rolloff.editions.onepage.vehicles import attack_facing, eye_of, has_arcs, shaken
from rolloff.errors import IllegalCommand
from rolloff.geometry.measure import reach
from rolloff.geometry.sight import Mode, aims, covered, watch
from rolloff.oracle.flow import WOUNDS, Volley
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.event import ModelMarked, Patch
from rolloff.table.profile import Rule, Throw, Weapon
from rolloff.table.request import Later, Request
from rolloff.table.state import TABLE, State

HOLD_FIRE = "hold-fire"
USED = "used:"
GRANT_WEAPONS = "grant-weapons:"


class Shot(Struct, frozen=True):
    """A weapon that may fire: who carries it, which it is, and whether its bearer sees the target."""

    slot: int
    weapon: int
    seen: bool


def sight_mode(game: Game) -> Mode:
    """LOS-5: how sight works in this game; other units block it unless the players agreed otherwise."""
    mode = game.edition.sight
    return mode if game.switches["models_block_los"] else mode._replace(models=0)


def enemies(play: Play, unit: int) -> Iterable[int]:
    """SHOOT-11: enemy units on the table."""
    units = play.state.units
    return [k for k in play.game.units_of[1 - play.game.side_of(unit)] if units[k].where == TABLE]


@cites("RULE-LIMITED-1", off=lambda state, slot, weapon, index: False)
def spent(state: State, slot: int, weapon: Weapon, index: int) -> bool:
    """RULE-LIMITED-1: a Limited weapon works once a game."""
    return weapon.has("Limited") and state.model_mark(slot, f"{USED}{index}") is not None


def _led(play: Play, unit: int, target: int) -> list[Shot]:
    """SHOOT-4, SHOOT-5: where leaders see for their units, all weapons in range of the unit, whoever carries them."""
    lore: Lore = play.game.lore
    furthest = unit_range(play, unit, target) - play.game.edition.book.within
    seen = leader_sees(play, sight_mode(play.game), unit, target)
    found = []
    for slot in play.state.units[unit].living:
        for index in lore.fighters[slot].ranged:
            weapon = lore.fighters[slot].weapons[index]
            if furthest <= (weapon.reach or 0) and not spent(play.state, slot, weapon, index):
                found.append(Shot(slot, index, seen))
    return [shot for shot in found if shot.seen or _indirect(lore, shot)]


@cites("SHOOT-13", off=lambda play, unit, target: dict.fromkeys(play.state.units[unit].living, 0.0))
def ranges(play: Play, unit: int, target: int) -> dict[int, float]:
    """SHOOT-13: how far each model is from the target, measured from its own base, whatever it stands in."""
    return reach(play.scene, unit, target)


@cites("SHOOT-2", "SHOOT-3", "SHOOT-5")
def shots_at(play: Play, unit: int, target: int) -> list[Shot]:
    """SHOOT-2, SHOOT-3: the weapons of models that see the target unit and have it in range."""
    if play.game.edition.book.leads:
        return _led(play, unit, target)
    lore: Lore = play.game.lore
    gaps = ranges(play, unit, target)
    leeway = play.game.edition.book.within
    near = [
        (slot, index)
        for slot, gap in gaps.items()
        for index in lore.fighters[slot].ranged
        if gap <= (lore.fighters[slot].weapons[index].reach or 0) + leeway
        and not spent(play.state, slot, lore.fighters[slot].weapons[index], index)
    ]
    if not near:
        return []
    return [shot for shot in _seen(play, unit, target, near) if shot.seen or _indirect(lore, shot)]


def _indirect(lore: Lore, shot: Shot) -> bool:
    """RULE-INDIRECT-1: may be fired at enemies out of sight."""
    return lore.fighters[shot.slot].weapons[shot.weapon].has("Indirect")


def _seen(play: Play, unit: int, target: int, near: list[tuple[int, int]]) -> list[Shot]:
    """LOS-1, LOS-10: each model sees for itself; a vehicle's weapon from its barrel into its arc."""
    mode = sight_mode(play.game)
    if has_arcs(play.game, unit):
        lore: Lore = play.game.lore
        return [
            Shot(slot, index, aims(play.scene, mode, eye_of(play, slot, lore.fighters[slot].weapons[index]), target) >= 0)
            for slot, index in near
        ]
    viewers = tuple(dict.fromkeys(slot for slot, _ in near))
    seen = watch(play.scene, mode, unit, target, viewers)
    return [Shot(slot, index, seen[slot] >= 0) for slot, index in near]


def gaps_to(play: Play, unit: int, target: int) -> dict[int, float]:
    """SHOOT-5: how far the target is for each model: from itself, or where leaders lead one distance for the unit."""
    if play.game.edition.book.leads:
        return dict.fromkeys(play.state.units[unit].living, unit_range(play, unit, target))
    return ranges(play, unit, target)


def sights_of(play: Play, unit: int, target: int, weapons: list[tuple[int, int]]) -> list[Shot]:
    """LOS-1: whether these weapons see the target: by their own models, or where leaders lead by the leader."""
    if play.game.edition.book.leads:
        seen = leader_sees(play, sight_mode(play.game), unit, target)
        return [Shot(slot, index, seen) for slot, index in weapons]
    return _seen(play, unit, target, weapons)


@cites("LOS-9", off=lambda play, unit: {})
def targets_of(play: Play, unit: int) -> dict[int, list[Shot]]:
    """Every valid target with the weapons that could fire at it."""
    lore: Lore = play.game.lore
    furthest = lore.furthest(play.state.units[unit].living)
    if not furthest:
        return {}
    found = {}
    gaps, furthest = play.gaps_from(unit), furthest + play.game.edition.book.within
    for enemy in enemies(play, unit):
        if gaps[enemy] > furthest:
            continue
        shots = shots_at(play, unit, enemy)
        if shots:
            found[enemy] = shots
    return found


@cites("TERR-COVER-3", "TERR-COVER-4", "TERR-COVER-5", "TERR-COVER-1", off=lambda play, firing, target: False)
def behind_cover(play: Play, firing: Iterable[int], target: int) -> bool:
    """TERR-COVER-3: strictly more than half of the living models within or behind cover."""
    near = play.game.edition.book.cover_near
    found = covered(play.scene, sight_mode(play.game), tuple(firing), target, near=near, tol=play.game.edition.book.within)
    return 2 * sum(1 for piece in found.values() if piece >= 0) > len(found)


@cites("ELEV-2")
def level(state: State, unit: int) -> int:
    """ELEV-2: the highest ground at or above which more than half of its models stand."""
    grounds = sorted((struct.unpack_from("<i", state.z, 4 * slot)[0] for slot in state.units[unit].living), reverse=True)
    return int(grounds[len(grounds) // 2]) if grounds else 0


@cites("ELEV-1", off=lambda play, unit, other: False)
def above(play: Play, unit: int, other: int) -> bool:
    """ELEV-1, ELEV-2: whether a unit stands at least an inch higher than another."""
    step: int = play.game.edition.book.elevated
    return level(play.state, unit) - level(play.state, other) >= step


@cites("ELEV-4", off=lambda play, shooter, target: False)
def looked_down_on(play: Play, shooter: int, target: int) -> bool:
    """ELEV-4: a target shot at from lower ground counts as in cover."""
    return above(play, target, shooter)


@cites("RULE-STEALTH-1", off=lambda play, target: False)
def stealthy(play: Play, target: int) -> bool:
    """RULE-STEALTH-1: a unit with Stealth is in cover from shooting wherever it stands."""
    return has(play.game, play.state, target, "Stealth")


@cites("TERR-COVER-6", "SHOOT-12")
def cover_for(play: Play, shooter: int, firing: Iterable[int], target: int) -> tuple[str, ...]:
    """What puts the target in cover, as clauses: one effect, whatever the sources (TERR-COVER-6)."""
    if stealthy(play, target):
        return ("RULE-STEALTH-1",)
    if play.game.edition.book.leads:
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
    lore: Lore = play.game.lore
    if cover is None:
        cover = cover_for(play, unit, dict.fromkeys(shot.slot for shot in shots), target)
    skill = quality(play.game, unit)
    rows: dict[tuple[object, ...], Group] = {}
    for shot in shots:
        weapon = lore.fighters[shot.slot].weapons[shot.weapon]
        hidden = hidden_by(shot, cover)
        rules = weapon_rules(play, unit, weapon)
        if weapon.has("Sniper"):
            hidden = ()  # RULE-SNIPER-1
        single = (shot.slot, shot.weapon) if alone(weapon) else ()
        rattled = shaken(play.state, shot.slot)
        start = Group(rules, weapons=0, shaken=rattled, cover=hidden, name=weapon.name, quality=skill)
        pooled(rows, (rules, hidden, single, rattled), start, weapon.attacks)
    return list(rows.values())


def expected_wounds(play: Play, strike: Strike, throw: Throw) -> float:
    """The wounds a weapon would cause on average, by the exact evaluator."""
    return throw.mean * wounds_an_attack(strike, play)


def wounds_an_attack(strike: Strike, play: Play) -> float:
    """Wounds of one attack on average, by the exact evaluator, remembered by match-up."""
    lore: Lore = play.game.lore
    key = ("wounds", strike)
    found = lore.flown.get(key)
    if found is None:
        from rolloff.oracle.calculator import kept  # numpy is loaded only when odds are wanted

        flow = flow_of(strike, figures(play.game), play.game.edition.specials)
        spread = kept().spread(Volley(flow, 1, 1), WOUNDS)
        found = lore.flown[key] = float(sum(k * chance for k, chance in enumerate(spread)))
    assert isinstance(found, float)
    return found


@cites("SHOOT-6", "RULE-RELENTLESS-1")
def fires_all(play: Play, slot: int, walked: bool) -> bool:
    """SHOOT-6, RULE-RELENTLESS-1: whether a model fires all its weapons: on Hold, by the book or if it is Relentless."""
    return not walked and (play.game.edition.book.all_weapons_on_hold or "Relentless" in play.game.lore.fighters[slot].rules)


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
    lore: Lore = play.game.lore
    for shot in shots:
        if shot.slot not in choosing:
            continue
        weapon = lore.fighters[shot.slot].weapons[shot.weapon]
        rattled, hidden = shaken(play.state, shot.slot), hidden_by(shot, cover)
        group = Group(weapon_rules(play, unit, weapon), shaken=rattled, cover=hidden, quality=skill)
        worth = expected_wounds(play, strike_of(play.game, play.state, group, target, SHOOTING), weapon.attacks)
        if shot.slot not in best or worth > best[shot.slot][0]:
            best[shot.slot] = (worth, shot)
    chosen = {shot for _, shot in best.values()}
    return [shot for shot in shots if shot in chosen or shot.slot not in choosing]


def choose_shots(play: Play, unit: int, target: int, shots: list[Shot], walked: bool) -> list[Shot]:
    """DP-19: which weapons fire; firing is optional for each model."""
    models = play.game.models
    by_name = {(models[shot.slot].id, shot.weapon): shot for shot in shots}
    lore: Lore = play.game.lore

    def judge(answer: object) -> list[Shot]:
        if not isinstance(answer, tuple | list) or not answer:
            raise IllegalCommand("no-weapons", "SHOOT-6", "name at least one weapon to fire", None)
        picked: list[Shot] = []
        for item in answer:
            shot = by_name.get(tuple(item)) if isinstance(item, tuple | list) else None
            if shot is None or shot in picked:
                raise IllegalCommand("cannot-fire", "SHOOT-3", f"{item!r} is no weapon that may fire at this target", str(item))
            picked.append(shot)
        if walked and len({shot.slot for shot in picked}) < len(picked):
            raise IllegalCommand("one-weapon", "SHOOT-6", "a model that walked fires one weapon only", None)
        return [shot for shot in shots if shot in picked]

    if len(shots) == 1:
        return shots
    told = tuple((models[shot.slot].id, shot.weapon, lore.fighters[shot.slot].weapons[shot.weapon].name) for shot in shots)
    facts = (("weapons", told), ("most", 1 if walked else 0), ("target", target))
    aside = play.aside()
    answer = Later(lambda: tuple((models[s.slot].id, s.weapon) for s in default_shots(aside(), unit, target, shots, walked)))
    request = Request(play.game.side_of(unit), "assign-weapons", "SHOOT-6", None, answer, unit, "DP-19", shots, facts)
    return play.ask(request, judge)


def best_target(play: Play, unit: int, targets: dict[int, list[Shot]], walked: bool) -> int:
    """The target with the most expected wounds."""
    return max(targets, key=lambda enemy: (target_worth(play, unit, enemy, targets[enemy], walked), -enemy))


def target_worth(play: Play, unit: int, target: int, shots: list[Shot], walked: bool) -> float:
    """Expected wounds of all the fire a unit can bring on a target."""
    worth = 0.0
    for group in groups_of_shots(play, unit, target, default_shots(play, unit, target, shots, walked)):
        strike = strike_of(play.game, play.state, group, target, SHOOTING)
        mean = group.attacks + sum(throw.mean for throw in group.throws)
        worth += mean * wounds_an_attack(strike, play)
    return worth


def no_target(play: Play, unit: int, name: object) -> IllegalCommand | None:
    """Why a unit cannot be shot at: no enemy on the table, out of range of every weapon, out of its arc, or not seen."""
    target = play.game.numbers.get(name) if isinstance(name, str) else None
    if target is None:
        return None
    if target not in enemies(play, unit):
        return IllegalCommand("no-enemy", "SHOOT-11", f"{name} is no enemy unit on the table", name)
    lore: Lore = play.game.lore
    leeway = play.game.edition.book.within
    near = [
        (slot, weapon)
        for slot, gap in reach(play.scene, unit, target).items()
        for weapon in (lore.fighters[slot].weapons[k] for k in lore.fighters[slot].ranged)
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


@cites("SHOOT-1", "SHOOT-7", "ACT-1", "ACT-2", "MOVE-10")
def shoot(play: Play, unit: int, walked: bool) -> None:
    """SHOOT-1: pick one target, or hold fire; then all that may fire at it does."""
    targets = targets_of(play, unit)
    names = tuple(play.game.names[enemy] for enemy in targets)
    aside = play.aside()
    default = Later(lambda: play.game.names[best_target(aside(), unit, targets, walked)] if targets else HOLD_FIRE)
    owner = play.game.side_of(unit)
    why = partial(no_target, play, unit)
    options = (*names, HOLD_FIRE)
    answer = play.choose(owner, "choose-target", "SHOOT-1", options, default, unit, "DP-18", targets, why, walked=walked)
    if answer == HOLD_FIRE:
        return
    target = play.game.numbers[str(answer)]
    shots = choose_shots(play, unit, target, targets[target], walked)
    fire(play, unit, target, shots)


def fire(play: Play, unit: int, target: int, shots: list[Shot]) -> None:
    """One shooting event, from the declaration to the target's morale (SHOOT-14)."""
    lore: Lore = play.game.lore
    firing = tuple(dict.fromkeys(shot.slot for shot in shots))
    groups = named(play, unit, target, groups_of_shots(play, unit, target, shots))
    facing = attack_facing(play, target, firing)
    used: list[Patch] = [
        ModelMarked(shot.slot, f"{USED}{shot.weapon}", 1)
        for shot in shots
        if lore.fighters[shot.slot].weapons[shot.weapon].has("Limited")
    ]
    names = tuple(dict.fromkeys(lore.fighters[shot.slot].weapons[shot.weapon].name for shot in shots))
    limited = ("RULE-LIMITED-1",) if used else ()
    play.emit("shot", ("SHOOT-1", "SHOOT-8", *limited), *used, unit=unit, target=target, models=firing, weapons=names)
    attack_event(play, unit, target, groups, SHOOTING, "SHOOT-9", "SHOOT-10", "SHOOT-14", facing=facing)
