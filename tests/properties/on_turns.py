"""Invariants on turns, states of units, powers, transports and the score (INV-14 to INV-21, INV-28 to INV-32, INV-39)."""

from __future__ import annotations

from rolloff.table.event import Done, Marked, ModelMarked, Removed, Went, Wounded
from rolloff.table.state import GONE, MERGED, RESERVE, State
from tests.properties.watching import ABOARD, Chart, Ledger, Step, is_out, needs_turn

DEEDS = ("moved", "shot", "struck", "cast", "boarded", "disembarked")
QUIET = frozenset({"activated", "moved", "finished", "turn-passed", "recovered", "boarded", "disembarked"})


class Turns:
    """Whose turn it was, who has acted, and who ran out of units first, kept apart from the game's own clock."""

    def __init__(self, chart: Chart) -> None:
        """Before the first round."""
        self.chart = chart
        self.acted: set[int] = set()
        self.last = -1
        self.out: list[int] = []
        self.first = -1
        self.activations = 0
        self.casts: dict[tuple[int, str], int] = {}
        self.dice = [0, 0]
        self.used: set[tuple[int, str]] = set()

    def ready(self, state: State, side: int) -> bool:
        """Whether a player has a unit that has not acted."""
        units = self.chart.game.units_of[side]
        return any(needs_turn(state, unit) and unit not in self.acted for unit in units)

    def note_out(self, state: State, acted: int) -> None:
        """Who has just run out of units; of two at once the one who did not act comes first."""
        fresh = [side for side in (0, 1) if side not in self.out and not self.ready(state, side)]
        self.out += sorted(fresh, key=lambda side: side == acted)

    def begin_round(self, log: Ledger, step: Step) -> None:
        """INV-16: whoever ran out first has the first turn."""
        began = next(step.of("round-began"), None)
        if began is None:
            return
        turn = next(step.of("turns-began")).number("side")
        if self.out and len(self.out) == 2:
            expected = self.first if self.idle else self.out[0]
            log.hold("INV-16", turn == expected, "first turn", turn, "expected", expected)
        self.acted, self.last, self.out, self.first, self.casts = set(), -1, [], turn, {}
        self.idle = False
        self.dice = [0, 0]
        for moment in step.of("power-dice"):
            self.dice[moment.number("side")] = moment.number("dice")
            log.hold("INV-29", moment.number("dice") <= self.chart.terms.pool, "too many power dice", moment.event)
        fresh = [side for side in (0, 1) if not self.ready(step.after, side)]
        self.idle = len(fresh) == 2
        self.note_out(step.after, -1)

    idle = False


def check_activation(log: Ledger, step: Step, turns: Turns) -> None:
    """INV-14, INV-15, INV-39: once a round each, in turns."""
    unit = step.acting
    if unit < 0:
        return
    side = step.game.side_of(unit)
    log.hold("INV-14", sum(1 for _ in step.of("activated")) == 1 and unit not in turns.acted, step.game.names[unit])
    log.hold("INV-15", turns.last != side or not turns.ready(step.before, 1 - side), "two turns running for", side)
    turns.acted.add(unit)
    turns.last = side
    turns.activations += 1
    turns.note_out(step.after, side)
    log.hold("INV-39", turns.activations <= 4 * len(step.game.cards), turns.activations)
    if step.has("round-ended") or any(m.event.fact("how") == "rounds" for m in step.of("game-ended")):
        log.hold("INV-14", not turns.ready(step.after, 0) and not turns.ready(step.after, 1), "a unit was left out")


def check_actions(log: Ledger, step: Step) -> None:
    """INV-17, INV-18: no shots with a run or assault; a Pinned unit idles, and only that frees it."""
    unit = step.acting
    if unit < 0:
        return
    shooters = {moment.unit() for moment in step.of("shot")}
    log.hold("INV-17", shooters <= {unit}, "somebody else shoots", shooters)
    log.hold("INV-17", not shooters or step.action in ("hold", "walk"), step.action, "and shot")
    was = step.before.units[unit].mark("pinned") is not None
    log.hold("INV-18", (step.action == "idle") == was, "pinned", was, "but", step.action)
    if was:
        log.hold("INV-18", not step.has(*DEEDS), "an idle unit did something")
        log.hold("INV-18", step.after.units[unit].mark("pinned") is None, "still pinned")
    for moment in step.moments:
        for mark in moment.marks("pinned"):
            if mark.value is None:
                log.hold("INV-18", was and mark.unit == unit, "freed without idling", moment.event)


def check_dead(log: Ledger, step: Step) -> None:
    """INV-19: what is destroyed or merged before a step appears nowhere in it."""
    gone = {unit for unit in range(len(step.game.cards)) if step.before.units[unit].where in (GONE, MERGED)}
    if not gone:
        return
    for moment in step.moments:
        named = {moment.unit(name) for name in ("unit", "target", "attacker", "into", "transport")}
        for patch in moment.event.patches:
            if isinstance(patch, Marked | Removed | Went) or (isinstance(patch, Done) and patch.done):
                named.add(patch.unit)
            if isinstance(patch, Wounded | ModelMarked):
                named.add(step.before.owner_of(patch.slot))
        log.hold("INV-19", not named & gone, "the dead appear", moment.event)


def count(chart: Chart, state: State) -> list[int]:
    """Points of the enemy's units destroyed or Pinned; parts of a joined unit count with it."""
    game = chart.game
    host = {}
    for unit, held in enumerate(state.units):
        if held.where == MERGED:
            host[unit] = state.owner_of(game.starts[unit])
    totals = [0, 0]
    for unit, card in enumerate(game.cards):
        whole = host.get(unit, unit)
        lost = state.units[whole].where == GONE or not state.units[whole].living
        if lost or state.units[whole].mark("pinned") is not None:
            totals[1 - card.side] += card.points
    return totals


def check_score(log: Ledger, step: Step) -> None:
    """INV-20, INV-21: the score is what was destroyed or is Pinned; moves alone change nothing."""
    if step.activated is not None and {moment.event.kind for moment in step.moments} <= QUIET:
        log.hold("INV-21", count(step.chart, step.before) == count(step.chart, step.after), "a move scored")
    for moment in step.of("game-ended"):
        report = moment.event.fact("score")
        found = count(step.chart, step.after)
        log.hold("INV-20", report == tuple(found), report, found)
        for side in (0, 1):
            most = sum(card.points for card in step.game.cards if card.side != side)
            log.hold("INV-21", 0 <= found[side] <= most, found[side], most)


def check_shaken(log: Ledger, step: Step) -> None:
    """INV-28: Shaken ends with the first activation that begins after it came, and not before."""
    for slot, name, _ in step.before.models:
        if name != "shaken" or not any(slot in unit.living for unit in step.after.units):
            continue
        anew = any(moment.unit("model") == slot for moment in step.of("shaken"))
        still = step.after.model_mark(slot, "shaken") is not None
        acts = step.before.owner_of(slot) == step.acting
        log.hold("INV-28", still == (anew or not acts), "shaken still", still, "acts", acts, "anew", anew)
    for slot, name, _ in step.after.models:
        if name == "shaken" and step.before.model_mark(slot, "shaken") is None:
            log.hold("INV-28", any(moment.unit("model") == slot for moment in step.of("shaken")), "from nowhere")
    for moment in step.of("recovered"):
        report = [step.after.model_mark(slot, "shaken") for slot in step.after.units[moment.unit()].living]
        log.hold("INV-28", not any(report), "told as recovered but still shaken", moment.event)


def check_powers(log: Ledger, step: Step, turns: Turns) -> None:
    """INV-29: no more dice than were received, no power twice a round."""
    for moment in step.of("cast"):
        side, power = step.game.side_of(moment.unit()), str(moment.event.fact("power"))
        turns.dice[side] -= moment.number("dice")
        log.hold("INV-29", turns.dice[side] >= 0, "more dice than there were")
        log.hold("INV-29", (side, power) not in turns.casts, power, "tried twice")
        turns.casts[side, power] = 1


def check_aboard(log: Ledger, step: Step) -> None:
    """INV-30: passengers fit, and neither act nor suffer from inside."""
    loads: dict[int, int] = {}
    for held in step.after.units:
        if held.where >= ABOARD:
            loads[held.where] = loads.get(held.where, 0) + len(held.living)
    for host, load in loads.items():
        places = sum(step.chart.places[slot] for slot in step.after.units[host].living)
        log.hold("INV-30", load <= places, step.game.names[host], load, "aboard of", places)
    for moment in step.of("shot", "struck", "cast", "attacked"):
        for name in ("unit", "target", "attacker"):
            unit = moment.unit(name)
            inside = unit >= 0 and moment.before.units[unit].where >= ABOARD
            if inside:
                log.hold("INV-30", moment.event.fact("by") == "wreck", "from aboard", moment.event)


def check_limited(log: Ledger, step: Step, turns: Turns) -> None:
    """INV-31: a Limited weapon is used once."""
    for moment in step.of("shot", "struck"):
        for patch in moment.event.patches:
            if isinstance(patch, ModelMarked) and patch.name.startswith("used:"):
                key = (patch.slot, patch.name)
                log.hold("INV-31", key not in turns.used, "used twice", moment.event)
                turns.used.add(key)
        if moment.event.kind == "shot":
            _check_told(log, step, moment.event.fact("weapons"), moment.slots(), turns)


def _check_told(log: Ledger, step: Step, report: object, slots: tuple[int, ...], turns: Turns) -> None:
    """A weapon told by its name that only Limited ones bear has been used by one of those who fired."""
    assert isinstance(report, tuple)
    for name in report:
        bearing = [
            (slot, k, weapon.has("Limited"))
            for slot in slots
            for k, weapon in enumerate(step.game.models[slot].weapons)
            if weapon.name == name
        ]
        if bearing and all(limited for _, _, limited in bearing):
            log.hold("INV-31", any((slot, f"used:{k}") in turns.used for slot, k, _ in bearing), name, "left no mark")


def check_reserve(log: Ledger, step: Step) -> None:
    """INV-32: nobody is in reserve once the last round has begun, unless the book lets units wait for ever."""
    if not step.chart.terms.late and any(moment.event.fact("round") == 4 for moment in step.of("turns-began")):
        waiting = [unit for unit, held in enumerate(step.after.units) if held.where == RESERVE and held.living]
        log.hold("INV-32", not waiting, "still in reserve", waiting)


def check_models(log: Ledger, step: Step, removed: set[int]) -> None:
    """INV-5: every model either lives in exactly one unit or was removed, once."""
    for moment in step.moments:
        for slot in moment.removed():
            log.hold("INV-5", slot not in removed, "removed twice", slot)
            removed.add(slot)
    living = [slot for unit in step.after.units for slot in unit.living]
    whole = len(living) == len(set(living)) and not removed & set(living)
    log.hold("INV-5", whole and len(living) + len(removed) == len(step.game.models), len(living), len(removed))
    for unit, held in enumerate(step.after.units):
        if not held.living:
            log.hold("INV-5", is_out(step.after, unit), unit, "has nobody and is there")
