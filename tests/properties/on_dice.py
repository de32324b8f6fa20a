"""Invariants on dice, hits, wounds and casualties (INV-1 to INV-9, INV-22, INV-24, INV-26)."""

from __future__ import annotations

from collections.abc import Sequence

from rolloff.geometry.measure import gap
from tests.properties.watching import INCH, LEEWAY, Ledger, Moment, Step

AGAIN = ("RULE-UNWIELDY-1", "VDMG-6")
"""What makes successes be rolled again."""
SNIPED = "RULE-SNIPER-2"
"""What casualties cite that an attacker picked himself."""
MARKING = ("shot", "struck", "manifested", "moved", "disembarked", "attacked", "casualties", "cast", "routed")
"""Where the dice of the next attack begin."""


def check_dice(log: Ledger, step: Step) -> None:
    """INV-1, INV-2: no die twice again; Linked only failures, Unwieldy all successes."""
    for moment in step.of("rolled"):
        faces, rerolls, need = (moment.event.fact(name) for name in ("faces", "rerolls", "need"))
        assert isinstance(faces, tuple) and isinstance(rerolls, tuple)
        again = [int(pair[0]) for pair in rerolls if isinstance(pair, tuple) and isinstance(pair[0], int)]
        log.hold("INV-1", len(set(again)) == len(again) and all(0 <= at < len(faces) for at in again), moment.event)
        if moment.event.fact("purpose") != "hit" or not isinstance(need, int):
            continue
        good = {at for at, face in enumerate(faces) if isinstance(face, int) and face >= need}
        clauses = moment.event.clauses
        if any(clause in clauses for clause in AGAIN):
            log.hold("INV-2", good <= set(again), "successes left standing", moment.event)
        if set(again) - good:
            allowed = step.chart.terms.failures_again
            log.hold("INV-2", any(clause in clauses for clause in allowed), "failures rolled again", moment.event)
        if set(again) & good:
            log.hold("INV-2", any(clause in clauses for clause in AGAIN), "successes rolled again", moment.event)


def _came_out(roll: Moment) -> tuple[int, int]:
    """How many dice were rolled, and how many succeed when counted by hand."""
    faces, rerolls, need = (roll.event.fact(name) for name in ("faces", "rerolls", "need"))
    assert isinstance(faces, tuple) and isinstance(rerolls, tuple) and isinstance(need, int)
    last = dict(enumerate(faces))
    last.update(pair for pair in rerolls if isinstance(pair, tuple))  # type: ignore[misc]
    return len(faces), sum(1 for face in last.values() if isinstance(face, int) and face >= need)


def _rolls(rolls: Sequence[Moment], purpose: str) -> tuple[int, int]:
    found = [_came_out(roll) for roll in rolls if roll.event.fact("purpose") == purpose]
    return sum(pair[0] for pair in found), sum(pair[1] for pair in found)


def check_attacks(log: Ledger, step: Step) -> None:
    """INV-3, INV-4: each stage of an attack, counted again from its dice.

    Where the strikes of a step are rolled together, the dice of each side are kept by who struck until its sums are told.
    """
    rolls: list[Moment] = []
    struck: dict[int, list[Moment]] = {}
    for moment in step.moments:
        kind = moment.event.kind
        if kind == "rolled":
            rolls.append(moment)
        elif kind == "attacked":
            _check_sums(log, moment, struck.pop(moment.unit("attacker"), rolls))
        if kind in MARKING:
            rolls = []
        if kind == "struck" and step.chart.terms.steps:
            struck[moment.unit()] = rolls


def _check_sums(log: Ledger, moment: Moment, rolls: Sequence[Moment]) -> None:
    attacks, hits, ignored, blocked, wounds = (
        moment.number(name) for name in ("attacks", "hits", "ignored", "blocked", "wounds")
    )
    stages = (attacks, hits, ignored, blocked, wounds)
    log.hold("INV-3", min(stages) >= 0 and hits <= attacks, "stages", moment.event)
    sure = moment.event.fact("by") == "power" and not hits  # RES-5: wounds without hits
    log.hold("INV-3", wounds <= (attacks if sure else hits), "more wounds than hits", moment.event)
    tried, stopped = _rolls(rolls, "ignore")
    log.hold("INV-4", tried <= hits and stopped == ignored, "ignore dice", moment.event, tried, stopped)
    faced, parried = _rolls(rolls, "block")
    log.hold("INV-3", faced <= hits - ignored and parried == blocked, "block dice", moment.event, faced, parried)
    _, shrugged = _rolls(rolls, "regeneration")
    base = attacks if sure else hits
    log.hold("INV-3", wounds == base - ignored - blocked - shrugged, "what is left", moment.event, shrugged)


def check_casualties(log: Ledger, step: Step) -> None:
    """INV-8, INV-9: the partly wounded go first; a packet fells one model at the most."""
    attack: Moment | None = None
    for moment in step.moments:
        if moment.event.kind == "attacked":
            attack = moment
        if moment.event.kind != "casualties":
            continue
        unit = moment.unit()
        hurt = set(step.chart.hurt(moment.before, unit))
        touched = {*moment.removed(), *moment.wounded()}
        if hurt and touched - hurt and SNIPED not in moment.event.clauses:
            log.hold("INV-8", hurt <= set(moment.removed()), "others suffer before", hurt, moment.event)
        if attack is not None and attack.unit("target") == unit:
            packets = [packet for packet in attack.slots("packets") if packet]
            pooled = attack.number("wounds") - sum(packets)
            log.hold("INV-9", len(moment.removed()) <= pooled + len(packets), attack.event, moment.event)
            if packets:
                log.looked["INV-9 packets"] += 1


def check_wounds(log: Ledger, step: Step, excused: set[int]) -> None:
    """INV-6, INV-7: wounds below Tough; one partly wounded model a unit, unless something aimed at one model."""
    if not step.has("casualties", "backlash", "wounded-more", "healed"):
        return
    for unit, held in enumerate(step.after.units):
        for slot in held.living:
            wounds = step.after.wounds_on(slot)
            log.hold("INV-6", 0 <= wounds < step.chart.tough[slot], step.game.models[slot].id, wounds)
        if unit not in excused:
            log.hold("INV-7", len(step.chart.hurt(step.after, unit)) <= 1, step.game.names[unit])


def check_melee(log: Ledger, step: Step) -> None:
    """INV-22: the side that caused fewer wounds tests, and it alone."""
    result = next(step.of("melee-won", "melee-tied"), None)
    if result is None:
        return
    sides = (result.unit(), result.unit("target"))
    caused, last = dict.fromkeys(sides, 0), sides[0]
    for moment in step.moments[: step.moments.index(result)]:
        if moment.event.kind == "attacked" and moment.event.fact("by") == "melee":
            caused[moment.unit("attacker")] += moment.number("wounds")
            last = moment.unit("attacker")
        if moment.event.kind == "wounded-more":
            caused[last] += 1
    won = result.event.kind == "melee-won"
    report = (result.number("wounds"), result.number("against") if won else result.number("wounds"))
    log.hold("INV-22", tuple(caused[side] for side in sides) == report and (report[0] > report[1]) == won, caused, result.event)
    for moment in step.moments[step.moments.index(result) + 1 :]:
        if moment.event.kind in ("moved", "attacked", "stepped-back"):
            break
        if moment.event.kind in ("morale-passed", "pinned", "routed"):
            log.hold("INV-22", won and moment.unit() == sides[1], "the wrong side tests", moment.event)


def check_strikers(log: Ledger, step: Step) -> None:
    """INV-24: only who lives when it is its turn strikes, and only within two inches; only the living shoot."""
    for moment in step.of("struck", "shot"):
        unit, target = moment.unit(), moment.unit("target")
        living = set(moment.before.units[unit].living)
        log.hold("INV-24", set(moment.slots()) <= living, "the dead strike", moment.event)
        if moment.event.kind == "struck" and not step.chart.terms.leads:
            scene = step.game.scene(moment.before)
            for slot in moment.slots():
                near = min(gap(scene, slot, other) for other in moment.before.units[target].living)
                log.hold("INV-24", near <= 2 * INCH + LEEWAY, step.game.models[slot].id, "is too far off to strike", near)


def check_steps(log: Ledger, step: Step) -> None:
    """INV-24: in a step both sides strike before anybody falls. INV-25: no two sides strike first, nor last.

    Who strikes first or last strikes alone: two sides that strike in one step are in the ordinary one, and there is one
    such step in a melee. What one side strikes in it, the other does with everybody who stood when it began.
    """
    if not step.chart.terms.steps:
        return
    turns: list[list[Moment]] = []
    fallen = True
    for moment in step.of("struck", "attacked", "melee-won", "melee-tied"):
        if moment.event.kind == "struck":
            if fallen:
                turns.append([])
            turns[-1].append(moment)
            fallen = False
        else:
            fallen = True
    both = [turn for turn in turns if len({moment.unit() for moment in turn}) == 2]
    for turn in both:
        first, second = turn[0], turn[-1]
        log.hold("INV-24", first.before.units[second.unit()].living == second.before.units[second.unit()].living, second.event)
    log.hold("INV-25", len(both) <= 1 and len(turns) <= 3, "steps of a melee", [[m.event for m in turn] for turn in turns])


def _lives(moment: Moment) -> bool:
    """Whether the model an event speaks of is alive after it."""
    return moment.unit("model") in moment.after.units[moment.unit()].living


def check_vehicle_dice(log: Ledger, step: Step) -> None:
    """INV-26: damage dice as the edition has them for what was wounded and lives, more only while wounds follow; else none."""
    terms, waiting = step.chart.terms, -1
    for moment in step.moments:
        if moment.event.kind == "casualties":
            log.hold("INV-26", waiting < 0, "no damage die for", waiting)
            unit = moment.unit()
            breaks = step.game.cards[unit].type in terms.damaged
            waiting = unit if breaks and moment.wounded() and moment.after.units[unit].living else -1
        elif moment.event.kind == "wounded-more" and terms.steps and _lives(moment):
            waiting = moment.unit()  # VDMG-8: that wound is rolled for again
        elif moment.event.kind == "rolled" and moment.event.fact("purpose") == "damage":
            faces = moment.event.fact("faces")
            log.hold("INV-26", waiting >= 0 and isinstance(faces, tuple) and len(faces) in terms.damage, moment.event)
            waiting = -1
    log.hold("INV-26", waiting < 0, "no damage die for", waiting)
