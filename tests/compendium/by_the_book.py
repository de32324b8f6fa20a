"""The attack sequence once more, straight from the text of the book: no tables, no flows, nothing shared with the engine.

One model attacks a unit of like models, or one vehicle. Laws are spelt out attack by attack, in fractions.
"""

from __future__ import annotations

import random
from collections import defaultdict
from fractions import Fraction
from functools import partial
from typing import Any

from tests.commentary.by_the_book import DIE, F, Json, Law, amount, joined, mixed

MORTAL, BECOMES, WOUND = "mortal", "becomes", "wound"
GLANCE, PENETRATE, HAYWIRE = "glance", "penetrate", "haywire"


def again(faces: Law, rolled: Any, second: Law = DIE) -> Law:
    """CF-DICE-3: some faces rolled once more."""
    return mixed(faces, lambda face: second if rolled(face) else {face: F(1)})


def need_to_wound(strength: int, toughness: int) -> int:
    """CF-WOUND-1; 9 is impossible."""
    by = strength - toughness
    return 2 if by >= 2 else {1: 3, 0: 4, -1: 5, -2: 6, -3: 6}.get(by, 9)


def hits(scene: Json) -> tuple[Law, int]:
    """The final To Hit die, and the number it needs."""
    weapon, form = scene["weapon"], scene["form"]
    melee = form["kind"] == "melee"
    own, other = scene["striker"]["WS"], scene["target"].get("WS", 1)
    need = max(2, 7 - scene["striker"]["CT"])
    if melee:
        need = 3 if own > other else 5 if other > 2 * own else 4
    need -= not melee and "Heavy" in weapon["rules"] and form["stationary"]
    every = bool({"Twin-linked", "Blade Whip"} & set(weapon["rules"])) or "Hatred" in scene["striker"]["rules"]
    ones = "Preferred Enemy" in scene["striker"]["rules"]
    missed = again(DIE, lambda face: (face == 1 and ones) or (every and (face == 1 or (face != 6 and face < need))))
    return missed, need


def one_wound(scene: Json) -> Law:
    """A hit on flesh up to its wounds."""
    weapon, form, toughness = scene["weapon"], scene["form"], scene["target"]["T"]
    rules, melee, strength = weapon["rules"], form["kind"] == "melee", strength_of(scene)
    more = 1 if lanced(scene) else 0
    table = need_to_wound(strength, toughness)
    fixed = [number for name, number in (("Fleshbane", 2), ("Neural Shock", 4), ("Sniper", 4)) if name in rules]
    fixed += [min(weapon["poison"], table)] if weapon["poison"] else []
    need = min(fixed) if fixed else table
    sure = bool({"Bladestorm", "Entropic Strike"} & set(rules))
    devastates, rends = "Devastating Wounds" in rules, "Rending" in rules

    def wounds(face: int) -> bool:
        return (face == 6 and sure) or (face != 1 and need < 9 and face + more >= need)

    every = "Shred" in rules or (weapon["poison"] and melee and strength > toughness)
    ones = "Preferred Enemy" in scene["striker"]["rules"] or "Impale" in rules

    def rolled(face: int) -> bool:
        return not wounds(face) and bool(every or (face == 1 and ones))

    def result(face: int) -> Law:
        six = face == 6
        ap = min(weapon["AP"], -4) if six and {"Bladestorm", "Sniper"} & set(rules) else weapon["AP"]
        events: tuple[Any, ...] = ()
        if six and devastates:
            events = ((BECOMES,),)
        elif wounds(face):
            events = ((WOUND, ap, six and "Pulverise" in rules),)
        events += ((MORTAL,),) if six and rends else ()
        events += ((WOUND, weapon["AP"], False),) if six and "Wrath of Angels" in rules and wounds(6) else ()
        return {events: F(1)}

    return mixed(again(DIE, rolled), result)


def lanced(scene: Json) -> bool:
    """SR-LANCE-4: whether a Lance strikes home from a charge."""
    return scene["form"]["kind"] == "melee" and bool(scene["form"]["charged"]) and "Lance" in scene["weapon"]["rules"]


def strength_of(scene: Json) -> int:
    """SR-LANCE-3."""
    return min(10, scene["weapon"]["S"] + 2) if lanced(scene) else int(scene["weapon"]["S"])


def one_attack(scene: Json, wound: Law, automatic: tuple[Any, ...]) -> Law:
    """An attack up to its wounds; a lethal 6 has one of its own, a sustained 6 further hits."""
    dice, need = hits(scene)
    rules, more = scene["weapon"]["rules"], scene["weapon"]["sustained"]

    def result(face: int) -> Law:
        if face == 1 or (face != 6 and face < need):
            return {(): F(1)}
        found = {automatic: F(1)} if face == 6 and "Lethal Hits" in rules else wound
        for _ in range(more if face == 6 else 0):
            found = joined(found, wound)
        return found

    return mixed(dice, result)


def saves(scene: Json, ap: int) -> Fraction:
    """CF-SAVE-1, CF-SAVE-2: the chance of the best save."""
    target, form = scene["target"], scene["form"]
    found = [
        F(sum(face + ap >= target["Sv"] for face in range(2, 7)), 6) if target["Sv"] < 7 else F(0),
        F(7 - target["Inv"], 6),
    ]
    if form["kind"] == "shooting" and "Ignores Cover" not in scene["weapon"]["rules"]:
        cover = (5 if form["cover"] else 7) - ("Stealth" in target["rules"]) - 2 * ("Shrouded" in target["rules"])
        found.append(F(7 - max(2, cover), 6))
    return max(found)


def kills(scene: Json) -> list[Fraction]:
    """How many models fall: the group's wounds one by one, then the mortal wounds on the unit (CF-DMG-4)."""
    target, weapon = scene["target"], scene["weapon"]
    attack = one_attack(scene, one_wound(scene), ((WOUND, weapon["AP"], False),))
    state: Law = {(0, 0, ()): F(1)}
    for _ in range(scene["attacks"]):
        state = mixed(state, lambda now: _events(now, attack, partial(_borne, scene)))
    ended: Law = defaultdict(F)
    for (dead, lost, waiting), chance in state.items():
        for points, share in _points(waiting, weapon).items():
            for after, part in _mortals(target, dead, lost, points).items():
                ended[after] += chance * share * part
    return [ended.get(k, F(0)) for k in range(target["models"] + 1)]


def _events(now: Any, attack: Law, event: Any) -> Law:
    def after(events: tuple[Any, ...]) -> Law:
        found: Law = {now: F(1)}
        for what in events:
            found = mixed(found, partial(event, what))
        return found

    return mixed(attack, after)


def _points(waiting: tuple[str, ...], weapon: Json) -> Law:
    found: Law = {0: F(1)}
    for what in waiting:
        found = joined(found, amount(weapon["D"]) if what == BECOMES else {1: F(1)})
    return found


def _borne(scene: Json, what: tuple[Any, ...], now: Any) -> Law:
    """One wound: save, Feel No Pain, Instant Death or Damage."""
    target, weapon = scene["target"], scene["weapon"]
    dead, lost, waiting = now
    if what[0] != WOUND:
        return {(dead, lost, (*waiting, what[0])): F(1)}
    if dead == target["models"]:
        return {now: F(1)}
    saved = saves(scene, what[1])
    deadly = what[2] or "Instant Death" in weapon["rules"] or strength_of(scene) >= 2 * target["T"]
    ignored = F(0) if deadly else F(7 - target["FNP"], 6)
    points = amount(weapon["D"])
    if deadly:
        points = {1 if "Eternal Warrior" in target["rules"] else target["W"]: F(1)}
    found: Law = defaultdict(F, {now: saved + (1 - saved) * ignored})
    for taken, share in points.items():
        after = (dead + 1, 0) if lost + taken >= target["W"] else (dead, lost + taken)
        found[(*after, waiting)] += (1 - saved) * (1 - ignored) * share
    return found


def _mortals(target: Json, dead: int, lost: int, points: int) -> Law:
    ignored = F(7 - target["FNP"], 6)

    def one(now: tuple[int, int]) -> Law:
        if now[0] == target["models"]:
            return {now: F(1)}
        after = (now[0] + 1, 0) if now[1] + 1 == target["W"] else (now[0], now[1] + 1)
        return {now: ignored, after: 1 - ignored}

    found: Law = {(dead, lost): F(1)}
    for _ in range(points):
        found = mixed(found, one)
    return mixed(found, lambda now: {now[0]: F(1)})


# vehicles


def one_hit(scene: Json) -> Law:
    """A hit on a vehicle: the armour roll (CF-VEH-1)."""
    weapon, rules = scene["weapon"], scene["weapon"]["rules"]
    if HAYWIRE.title() in rules:
        return {((HAYWIRE,),): F(1)}
    armour = min(13, scene["target"]["AV"]) if "Lance" in rules else scene["target"]["AV"]
    die = mixed(DIE, lambda one: mixed(DIE, lambda other: {max(one, other): F(1)})) if "Ordnance" in rules else DIE
    devastates, rends = "Devastating Wounds" in rules, "Rending" in rules
    must = "Shred" in rules or "Tank Hunters" in scene["striker"]["rules"]

    def rolled(face: int) -> bool:
        acting = face == 6 and (devastates or rends)
        if acting and "Ordnance" in rules:  # the lower of two dice: the 6 stays what it is
            return False
        return face + weapon["S"] < armour and (must or ("Sunder" in rules and not acting))

    def result(face: int) -> Law:
        over = face + weapon["S"] - armour
        events: tuple[Any, ...] = ()
        if face == 6 and devastates:
            events = ((BECOMES,),)
        elif over >= 0:
            events = ((PENETRATE if over else GLANCE,),)
        return {events + (((MORTAL,),) if face == 6 and rends else ()): F(1)}

    return mixed(again(die, rolled, die), result)


def destroyed(scene: Json) -> Fraction:
    """The chance that no Hull Point is left."""
    lethal = HAYWIRE if HAYWIRE.title() in scene["weapon"]["rules"] else GLANCE  # every hit of Haywire rolls on its table
    attack = one_attack(scene, one_hit(scene), ((lethal,),))
    target = scene["target"]
    state: Law = {(target["HP"], target["arms"], False, ()): F(1)}
    for _ in range(scene["attacks"]):
        state = mixed(state, lambda now: _events(now, attack, partial(_struck, scene)))
    found = F(0)
    for (left, _, _, waiting), chance in state.items():
        points = _points(waiting, scene["weapon"])
        found += chance * sum((share for taken, share in points.items() if taken >= left), F(0))
    return found


def _struck(scene: Json, what: tuple[Any, ...], now: Any) -> Law:
    """One thing that befalls a vehicle: saves, Damage with its dice, the Vehicle Damage table."""
    weapon, rules = scene["weapon"], scene["weapon"]["rules"]
    left, arms, still, waiting = now
    if left == 0:
        return {now: F(1)}
    if what[0] in (MORTAL, BECOMES):
        return {(left, arms, still, (*waiting, what[0])): F(1)}
    if what[0] == HAYWIRE:
        jolt = mixed(DIE, lambda face: {0: F(1)} if face == 1 else amount("D3" if face < 6 else "D3+3"))
        return mixed(jolt, lambda taken: {(max(0, left - taken), arms, still, waiting): F(1)})
    points = amount(weapon["D"])
    points = joined(points, DIE) if "Armourbane" in rules else points
    points = joined(points, DIE) if "Melta" in rules and scene["form"]["half_range"] else points
    points = joined(points, amount("D3")) if "Tank Hunters" in scene["striker"]["rules"] else points
    saved = max(F(2, 6) if scene["form"]["cover"] and "Ignores Cover" not in rules else F(0), F(7 - scene["target"]["Inv"], 6))
    hurt = mixed(points, lambda taken: _shaken(scene, what[0], max(0, left - taken), arms, still))
    found: Law = defaultdict(F, {(*after, waiting): (1 - saved) * share for after, share in hurt.items()})
    found[now] += saved
    return found


def _shaken(scene: Json, what: str, left: int, arms: int, still: bool) -> Law:
    """CF-VEH-6: the table a penetrating hit rolls on."""
    if what == GLANCE:
        return {(left, arms, still): F(1)}
    ap = scene["weapon"]["AP"]
    plus = (2 if ap <= -5 else 1 if ap == -4 else 0) + scene["target"]["open"]

    def row(face: int) -> Law:
        total = face + plus
        if total >= 7:
            return {(0, arms, still): F(1)}
        if total == 5 and arms:
            return {(left, arms - 1, still): F(1)}
        if total >= 5:
            return {(max(0, left - 1), arms, True) if still else (left, arms, True): F(1)}
        return {(left, arms, still): F(1)}

    return mixed(DIE, row)


# random scenes

SHOT = ["Twin-linked", "Fleshbane", "Neural Shock", "Devastating Wounds", "Rending", "Shred", "Pulverise", "Wrath of Angels"]
SHOT += ["Lethal Hits", "Ignores Cover", "Instant Death", "Heavy", "Sniper", "Bladestorm"]
BLOW = ["Blade Whip", "Fleshbane", "Neural Shock", "Devastating Wounds", "Rending", "Shred", "Pulverise", "Wrath of Angels"]
BLOW += ["Lethal Hits", "Instant Death", "Lance", "Entropic Strike", "Impale"]
PLATE = ["Twin-linked", "Lance", "Ordnance", "Devastating Wounds", "Rending", "Shred", "Sunder", "Armourbane", "Melta"]
PLATE += ["Ignores Cover", "Haywire", "Lethal Hits"]


def drawn(seed: int, vehicle: bool) -> Json:
    """A weapon, who uses it, a target and a form."""
    luck = random.Random(seed)
    kind = "shooting" if vehicle else luck.choice(["shooting", "melee"])
    pool = PLATE if vehicle else SHOT if kind == "shooting" else BLOW
    weapon: Json = {"S": luck.randint(3, 10), "AP": -luck.randint(0, 5), "D": luck.choice([1, 2, "D3", "D6"])}
    weapon |= {"rules": luck.sample(pool, luck.randint(0, 3)), "sustained": luck.choice([0, 0, 0, 1, 2])}
    weapon["poison"] = 0 if vehicle else luck.choice([0, 0, 0, 2, 4])
    own = ["Tank Hunters"] if vehicle else ["Preferred Enemy"] if kind == "shooting" else ["Preferred Enemy", "Hatred"]
    striker: Json = {"WS": luck.randint(1, 8), "CT": luck.randint(1, 5), "rules": [name for name in own if luck.random() < 0.3]}
    form: Json = {"kind": kind, **{name: luck.random() < 0.5 for name in ("charged", "cover", "stationary", "half_range")}}
    form["charged"] &= kind == "melee"
    form["stationary"] |= vehicle  # who moved fires no Ordnance
    target: Json = {"Inv": luck.choice([7, 7, 4, 5]), "rules": []}
    if vehicle:
        target |= {"AV": luck.randint(9, 14), "HP": luck.randint(1, 6), "arms": luck.randint(0, 2), "open": luck.random() < 0.3}
    else:
        target |= {"WS": luck.randint(1, 8), "T": luck.randint(2, 8), "W": luck.randint(1, 3), "Sv": luck.randint(2, 7)}
        target |= {"models": luck.randint(1, 4), "FNP": luck.choice([7, 7, 5, 6])}
        target["rules"] = [name for name in ("Stealth", "Shrouded", "Eternal Warrior") if luck.random() < 0.25]
    printed = luck.randint(1, 3)
    scene: Json = {"weapon": weapon, "striker": striker, "target": target, "form": form, "printed": printed}
    return scene | {"attacks": printed + form["charged"]}


def written(scene: Json) -> Json:
    """The same as a scenario of the edition."""
    weapon, target, form, striker = scene["weapon"], scene["target"], scene["form"], scene["striker"]
    rules = weapon["rules"] + ([f"Sustained Hits {weapon['sustained']}"] if weapon["sustained"] else [])
    rules += [f"Poisoned {weapon['poison']}+"] if weapon["poison"] else []
    row: Json = {"name": "arm", "range": 24 if form["kind"] == "shooting" else "melee", "A": scene["printed"], "rules": rules}
    row |= {name: weapon[name] for name in ("S", "AP", "D")}
    stats: Json = {"M": 6, "S": 3, "T": 4, "W": 1, "I": 4, "A": scene["printed"], "Ld": 8, "Sv": "3+"}
    own: Json = {"id": "a", "side": "A", "type": "infantry", "stats": stats | {name: striker[name] for name in ("WS", "CT")}}
    own |= {"rules": striker["rules"], "models": [{"id": "a.1", "weapons": [row]}]}
    ward = {"Inv": target["Inv"]} if target["Inv"] < 7 else {}
    other: Json = {"id": "b", "side": "B", "rules": list(target["rules"])}
    if "AV" in target:
        guns = [{"name": f"gun {k}", "range": 24, "A": 1, "S": 4} for k in range(target["arms"])]
        other |= {"type": "vehicle, open-topped" if target["open"] else "vehicle", "models": [{"id": "b.1", "weapons": guns}]}
        other["stats"] = {"M": 9, "CT": 3, "AV": [target["AV"], 10, 10], "HP": target["HP"], **ward}
    else:
        numbers = stats | {"CT": 3, "A": 1} | {name: target[name] for name in ("WS", "T", "W")}
        other |= {"type": "infantry", "models": [{"id": f"b.{k}"} for k in range(target["models"])]}
        other["stats"] = numbers | {"Sv": target["Sv"] if target["Sv"] < 7 else "-", **ward}
        other["rules"] += [f"Feel No Pain({target['FNP']}+)"] if target["FNP"] < 7 else []
    said: Json = {"attacker": "a", "target": "b", "kind": form["kind"], "cover": form["cover"]}
    if form["kind"] == "shooting":
        said |= {"visible": True, "half_range": form["half_range"], "stationary": form["stationary"], "facing": "front"}
    else:
        said["charged"] = form["charged"]
    return {"edition": "compendium", "units": [own, other], "attacks": [said], "policies": {"weapons": "first"}}
