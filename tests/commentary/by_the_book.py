"""The attack sequence once more, straight from the text of the rules: no stages, no flows, nothing shared with the engine.

One model attacks a unit of like models. Laws are spelt out attack by attack, in fractions; the engine must agree.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

F = Fraction
Law = dict[Any, Fraction]
Json = dict[str, Any]
DIE: Law = {face: F(1, 6) for face in range(1, 7)}
SAVED, MORTAL = "wound", "mortal"


def amount(text: Any) -> Law:
    """A number, or a D3 or D6 with something added."""
    if str(text).isdigit():
        return {int(text): F(1)}
    sides, plus = int(str(text)[1]), int(str(text)[3:] or 0)
    return {value + plus: F(1, sides) for value in range(1, sides + 1)}


def mixed(law: Mapping[Any, Fraction], then: Callable[[Any], Mapping[Any, Fraction]]) -> Law:
    """What comes of whatever came first."""
    found: Law = defaultdict(F)
    for first, chance in law.items():
        for result, share in then(first).items():
            found[result] += chance * share
    return found


def joined(one: Mapping[Any, Fraction], other: Mapping[Any, Fraction]) -> Law:
    """Both, one after the other."""
    return mixed(one, lambda first: {first + second: share for second, share in other.items()})


def need_to_wound(strength: int, toughness: int) -> int:
    """ATK-3."""
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength <= toughness else 5


def one_wound(weapon: Json, target: Json, form: Json) -> Law:
    """A hit: nothing, a wound to be saved, or mortal wounds."""
    rules = weapon["rules"]
    more = 1 if "Lance" in rules and form["charged"] else 0
    critical = min([6, *(need for word, need in weapon["anti"].items() if word in target["keywords"])])
    need = need_to_wound(weapon["S"], target["T"])

    def wounds(face: int) -> bool:
        return face >= critical or (face != 1 and face + more >= need)

    final = mixed(DIE, lambda face: DIE if "Twin-linked" in rules and not wounds(face) else {face: F(1)})

    def result(face: int) -> Law:
        if face >= critical and "Devastating Wounds" in rules:
            return {((MORTAL, points),): share for points, share in damage(weapon, form).items()}
        return {((SAVED, 1),) if wounds(face) else (): F(1)}

    return mixed(final, result)


def damage(weapon: Json, form: Json) -> Law:
    """WPN-12."""
    more = weapon["melta"] if form["half_range"] else 0
    return {points + more: share for points, share in amount(weapon["D"]).items()}


def one_attack(weapon: Json, target: Json, form: Json) -> Law:
    """An attack up to its wounds, in the order they come."""
    rules = weapon["rules"]
    wound = one_wound(weapon, target, form)
    if "Torrent" in rules:
        return wound
    by = (form["stationary"] and "Heavy" in rules) - ("Stealth" in target["rules"])
    by = max(-1, min(1, by - ("Indirect Fire" in rules and not form["visible"])))

    def result(face: int) -> Law:
        if face != 6 and (face == 1 or face + by < weapon["skill"]):
            return {(): F(1)}
        first = {((SAVED, 1),): F(1)} if face == 6 and "Lethal Hits" in rules else wound
        return joined(first, additional(weapon, wound) if face == 6 else {(): F(1)})

    return mixed(DIE, result)


def additional(weapon: Json, wound: Law) -> Law:
    """WPN-16: so many further hits, each with its own Wound roll."""

    def hits(count: int) -> Law:
        found: Law = {(): F(1)}
        for _ in range(count):
            found = joined(found, wound)
        return found

    return mixed(amount(weapon["sustained"]), hits)


def saves(weapon: Json, target: Json, form: Json) -> Fraction:
    """ATK-6, ATK-7, ATK-8, TER-1: the chance of the better save."""
    rules = weapon["rules"]
    covered = form["cover"] or ("Indirect Fire" in rules and not form["visible"])
    covered = covered and form["kind"] == "shooting" and "Ignores Cover" not in rules
    by = weapon["AP"] + (covered and not (weapon["AP"] == 0 and target["Sv"] <= 3))
    armour = F(sum(face + min(by, 1) >= target["Sv"] for face in range(2, 7)), 6)
    return max(armour, F(7 - target["Inv"], 6))


def suffered(target: Json, dead: int, lost: int, points: int) -> Law:
    """FNP-2: so many points on one model, each perhaps ignored; what is left over is lost."""
    ignored = F(7 - target["FNP"], 6)
    found: Law = {(dead, lost): F(1)}
    for _ in range(points):
        found = mixed(
            found,
            lambda now: {now: F(1)} if now[0] > dead else _point(now, target["W"], ignored),
        )
    return found


def _point(now: tuple[int, int], wounds: int, ignored: Fraction) -> Law:
    dead, lost = now
    after = (dead + 1, 0) if lost + 1 == wounds else (dead, lost + 1)
    return {now: ignored, after: 1 - ignored} if ignored else {after: F(1)}


def kills(weapons: list[Json], target: Json, form: Json) -> list[Fraction]:
    """How many models fall: all attacks of all weapons, then the mortal wounds that waited (MW-4)."""
    state: Law = {(0, 0, 0): F(1)}
    for weapon in weapons:
        attack, saved = one_attack(weapon, target, form), saves(weapon, target, form)
        more = (weapon["rapid"] if form["half_range"] else 0) + (target["models"] // 5 if "Blast" in weapon["rules"] else 0)

        def event(now: tuple[int, int, int], what: tuple[str, int], weapon: Json = weapon, saved: Fraction = saved) -> Law:
            dead, lost, waiting = now
            if what[0] == MORTAL:
                return {(dead, lost, waiting + what[1]): F(1)}
            if dead == target["models"]:
                return {now: F(1)}
            hurt = mixed(damage(weapon, form), lambda points: suffered(target, dead, lost, points))
            found: Law = defaultdict(F, {(*after, waiting): share * (1 - saved) for after, share in hurt.items()})
            found[now] += saved
            return found

        def attacks(count: int, state: Law = state, attack: Law = attack, event: Any = event) -> Law:
            for _ in range(count):
                state = mixed(state, lambda now: _events(now, attack, event))
            return state

        state = mixed({count + more: share for count, share in amount(weapon["A"]).items()}, attacks)
    ended = mixed(state, lambda now: _released(target, *now))
    return [ended.get(k, F(0)) for k in range(target["models"] + 1)]


def _events(now: Any, attack: Law, event: Callable[[Any, Any], Law]) -> Law:
    """One attack from a state."""

    def after(events: tuple[Any, ...]) -> Law:
        found: Law = {now: F(1)}
        for what in events:
            found = mixed(found, partial(_then, event, what))
        return found

    return mixed(attack, after)


def _then(event: Callable[[Any, Any], Law], what: Any, state: Any) -> Law:
    return event(state, what)


def _released(target: Json, dead: int, lost: int, waiting: int) -> Law:
    found: Law = {(dead, lost): F(1)}
    for _ in range(waiting):
        found = mixed(found, lambda now: {now: F(1)} if now[0] == target["models"] else suffered(target, now[0], now[1], 1))
    return mixed(found, lambda now: {now[0]: F(1)})


# random scenes


def drawn(seed: int) -> tuple[list[Json], Json, Json]:
    """Weapons, a target and a form."""
    luck = random.Random(seed)
    kind = luck.choice(["shooting", "melee"])
    weapons = [_weapon(luck, kind) for _ in range(luck.choice([1, 1, 2]) if kind == "shooting" else 1)]
    target: Json = {"models": luck.randint(1, 5), "T": luck.randint(2, 9), "Sv": luck.randint(2, 7), "W": luck.randint(1, 3)}
    target |= {"Inv": luck.choice([7, 7, 4, 5, 6]), "FNP": luck.choice([7, 7, 5, 6]), "keywords": ["INFANTRY"]}
    target["rules"] = ["Stealth"] if kind == "shooting" and luck.random() < 0.3 else []
    form: Json = {"kind": kind, **{name: luck.random() < 0.5 for name in ("stationary", "charged", "cover", "half_range")}}
    form["half_range"] &= kind == "shooting"
    form["visible"] = (
        not all("Indirect Fire" in weapon["rules"] for weapon in weapons) or kind == "melee" or luck.random() < 0.5
    )
    return weapons, target, form


def _weapon(luck: random.Random, kind: str) -> Json:
    names = ["Heavy", "Lance", "Twin-linked", "Devastating Wounds", "Lethal Hits", "Ignores Cover", "Indirect Fire"]
    shot = kind == "shooting"
    rules = [name for name in names if luck.random() < 0.3]
    rules += [name for name, often in (("Torrent", 0.15), ("Blast", 0.2)) if shot and luck.random() < often]
    found: Json = {"A": luck.choice([1, 2, 3, "D3"]), "skill": luck.randint(2, 6), "S": luck.randint(2, 9)}
    found |= {"AP": -luck.randint(0, 4), "D": luck.choice([1, 2, 3, "D3", "D3+1"]), "rules": rules}
    found |= {"sustained": luck.choice([0, 0, 1, 2, "D3"]), "anti": luck.choice([{}, {}, {"INFANTRY": 4}, {"VEHICLE": 2}])}
    return found | {"melta": luck.choice([0, 2]) * shot, "rapid": luck.choice([0, 1]) * shot}


def written(weapons: list[Json], target: Json, form: Json) -> Json:
    """The same as a scenario of the edition."""
    rows = []
    for at, weapon in enumerate(weapons):
        rules = weapon["rules"] + [f"Anti-{word} {need}+" for word, need in weapon["anti"].items()]
        rated = (("Sustained Hits", "sustained"), ("Melta", "melta"), ("Rapid Fire", "rapid"))
        rules += [f"{name} {weapon[key]}" for name, key in rated if weapon[key]]
        row = {name: weapon[name] for name in ("A", "skill", "S", "AP", "D")} | {"rules": rules, "name": f"arm {at}"}
        rows.append(row | {"range": 24 if form["kind"] == "shooting" else "melee"})
    stats = {name: target[name] for name in ("T", "Sv", "W")}
    stats |= {name: target[name] for name in ("Inv", "FNP") if target[name] < 7}
    attacker = {"id": "a", "side": "A", "stats": {"T": 4, "Sv": 3, "W": 3}, "models": [{"id": "a.1", "weapons": rows}]}
    models = [{"id": f"b.{k}"} for k in range(target["models"])]
    other = {"id": "b", "side": "B", "stats": stats, "keywords": target["keywords"], "rules": target["rules"], "models": models}
    said = form if form["kind"] == "shooting" else {name: form[name] for name in ("kind", "stationary", "charged", "cover")}
    return {"edition": "commentary-10", "units": [attacker, other], "attacks": [{"attacker": "a", "target": "b", **said}]}
