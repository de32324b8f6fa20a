"""Further invariants of Part E over whole games: dice and wounds of attacks, who is offered and picked, timing, arrivals.

As in `watch`, what is checked is read off cards, events and positions; the rules are asked nothing but what phase it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rolloff.editions.commentary.lookups import index_of
from rolloff.geometry.measure import unit_gaps
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.state import TABLE, State
from tests.commentary.by_the_book import need_to_wound
from tests.commentary.watch import ENGAGED, INCH, Cards
from tests.properties.watching import Ledger, Moment, Step

ATTACKS = ("shot", "struck")
BIG = {"MONSTER", "VEHICLE"}


class Volley:
    """The events of one unit's attacks on one target: what was fired, the dice, and what it says came of them."""

    def __init__(self, fired: Moment, inner: list[Moment], attacked: Moment) -> None:
        """Keep them."""
        self.fired, self.attacked = fired, attacked
        self.rolls = [moment for moment in inner if moment.event.kind == "rolled"]
        names = fired.event.fact("weapons")
        self.weapons = [str(name) for name in names] if isinstance(names, tuple) else []

    def dice(self, purpose: str) -> list[Moment]:
        """The rolls for a purpose."""
        return [moment for moment in self.rolls if moment.event.fact("purpose") == purpose]

    def needs(self, purpose: str) -> set[int]:
        """The numbers that were needed for it."""
        return {need for need in (m.event.fact("need") for m in self.dice(purpose)) if isinstance(need, int)}


def volleys(step: Step) -> Iterator[Volley]:
    """The attacks of a step, one target after the other."""
    declared: dict[tuple[int, int], Moment] = {}
    since = 0
    for at, moment in enumerate(step.moments):
        if moment.event.kind in ATTACKS:
            declared[moment.unit(), moment.unit("target")] = moment
            since = at + 1
        elif moment.event.kind == "attacked":
            fired = declared.get((moment.unit("attacker"), moment.unit("target")))
            if fired is not None:
                yield Volley(fired, step.moments[since:at], moment)
            since = at + 1


class MoreInvariants:
    """Watches one game from its first step to its last."""

    def __init__(self, game: Game, log: Ledger) -> None:
        """Nothing has happened yet."""
        self.chart, self.log, self.game = Cards(game), log, game
        self.picked: tuple[object, int] = (None, -1)

    def see(self, before: State, play: Play) -> None:
        """One more step."""
        step = Step(self.chart, before, play)
        checks: tuple[Callable[[Step], None], ...] = (
            self.attacks,
            self.pools,
            self.allocation,
            self.picks,
            self.offers,
            self.phases,
            self.arrivals,
            self.keywords,
        )
        for check in checks:
            check(step)

    # attacks

    def attacks(self, step: Step) -> None:
        """INV-4, INV-10, INV-13, INV-44: the dice of an attack, and how many models it can touch."""
        for volley in volleys(step):
            self.rolls_of(volley)
            hits, wounds = volley.attacked.number("hits"), volley.attacked.number("wounds")
            self.log.hold("INV-10", len(volley.dice("wound")) <= hits, "more Wound dice than hits", volley.attacked.event)
            self.touched(step, volley, wounds - volley.attacked.number("blocked"))

    def rolls_of(self, volley: Volley) -> None:
        """Needs within one of what weapon and target say, none for automatic hits, and one for each weapon."""
        unit, target = volley.fired.unit(), volley.fired.unit("target")
        slots = volley.fired.before.units[unit].living
        arms = [w for slot in slots for w in self.game.models[slot].weapons if w.name in volley.weapons]
        if not arms or len({w.name for w in arms}) < len(set(volley.weapons)):
            return  # weapons of passengers
        if all(weapon.has("Torrent") for weapon in arms):
            self.log.hold("INV-10", not volley.dice("hit"), "a die for an automatic hit", volley.attacked.event)
            return
        snap = volley.fired.before.units[unit].mark("overwatch") is not None
        skills = {int(str(w.stat("skill")).rstrip("+")) for w in arms if str(w.stat("skill")).rstrip("+").isdigit()}
        near = {skill + by for skill in skills for by in (-1, 0, 1)} | ({6, 7} if snap else set())
        self.log.hold("INV-4", volley.needs("hit") <= near | {2}, volley.needs("hit"), skills, volley.attacked.event)
        cards = {self.chart.card_of[slot] for slot in slots}
        kinds = len({weapon.name for weapon in arms})
        if len(cards) == 1 and not any(slot in slots for slot, _, _ in volley.fired.before.models):
            self.log.hold("INV-44", len(volley.needs("hit")) <= kinds, "Hit rolls change", volley.attacked.event)
            self.log.hold("INV-44", len(volley.needs("wound")) <= 2 * kinds, "Wound rolls change", volley.attacked.event)
        tough = [self.game.cards[self.chart.card_of[s]].stats.get("T") for s in volley.fired.before.units[target].living]
        strong = [weapon.stat("S") for weapon in arms]
        table = {
            need_to_wound(s + more, t + up) + by
            for s in strong
            for t in tough
            if isinstance(s, int) and isinstance(t, int)
            for more in (0, 1)
            for up in (0, 1)
            for by in (-1, 0, 1)
        }
        if table and not any(w.has("Anti") or "Anti" in str(w.rules) for w in arms):
            self.log.hold("INV-4", volley.needs("wound") <= table | {2}, volley.needs("wound"), volley.attacked.event)

    def touched(self, step: Step, volley: Volley, unsaved: int) -> None:
        """INV-13: an unsaved wound touches one model; each mortal wound at most one more."""
        at, target = step.moments.index(volley.attacked), volley.attacked.unit("target")
        following = step.moments[at + 1 : at + 2]
        if following and following[0].event.kind == "casualties" and following[0].unit() == target:
            models = len(following[0].removed()) + len(following[0].wounded())
            most = unsaved + volley.attacked.number("mortal")
            blast = any(m.event.fact("purpose") == "deadly demise" for m in step.of("rolled"))
            self.log.hold("INV-13", blast or models <= most, models, "models touched by", most, volley.attacked.event)

    def pools(self, step: Step) -> None:
        """INV-14: once mortal wounds that waited are applied, no further attack of those declared is made."""
        late: set[int] = set()
        for moment in step.moments:
            attacker = moment.unit("attacker") if moment.event.kind.startswith("attacked") else moment.unit()
            if moment.event.kind in ATTACKS:
                late.discard(attacker)
            elif moment.event.kind == "attacked-late":
                late.add(attacker)
            elif moment.event.kind == "attacked":
                self.log.hold("INV-14", attacker not in late, moment.event)

    def allocation(self, step: Step) -> None:
        """INV-15, INV-16: one wounded model at a time, and no CHARACTER before the Bodyguard without Precision."""
        precise = any(self.precise(moment) for moment in step.of(*ATTACKS))
        healed = step.has("regained", "returned", "mutated", "replaced", "lingers", "set-up-again")
        for moment in step.of("casualties"):
            unit, cause = moment.unit(), str(moment.event.fact("cause"))
            before, after = moment.before.units[unit].living, moment.after.units[unit].living
            leaders = {s for s in before if self.leads(s, unit)}
            if cause == "hazardous" or precise or healed:
                continue
            for group in (set(before) - leaders, leaders):
                hurt = [sum(1 for s in living if s in group and state.wounds_on(s))
                        for living, state in ((before, moment.before), (after, moment.after))]  # fmt: skip
                self.log.hold("INV-15", hurt[1] <= max(1, hurt[0], len(leaders) if group is leaders else 1), moment.event)
            if leaders and set(after) - leaders:
                lost = [s for s in leaders if s not in after or moment.after.wounds_on(s) > moment.before.wounds_on(s)]
                self.log.hold("INV-16", not lost, "a CHARACTER before its Bodyguard", moment.event)

    def leads(self, slot: int, unit: int) -> bool:
        """Whether a model is a CHARACTER in a unit of another datasheet."""
        card = self.chart.card_of[slot]
        return card != unit and "CHARACTER" in self.chart.words(card)

    def precise(self, moment: Moment) -> bool:
        """Whether an attack may be sent to a CHARACTER; a TRANSPORT also fires the weapons of its passengers."""
        names, side = moment.event.fact("weapons"), self.game.side_of(moment.unit())
        own = [card for card in self.game.cards if card.side == side]
        arms = [weapon for card in own for model in card.models for weapon in model.weapons]
        granted = any(name == "grant:Precision" for _, name, _ in moment.before.models)
        return granted or any(w.has("Precision") for w in arms if isinstance(names, tuple) and w.name in names)

    # who is offered and picked

    def near(self, state: State, unit: int) -> bool:
        """Whether a unit is plainly within Engagement Range of an enemy."""
        gaps = unit_gaps(self.game.scene(state), unit)
        return any(gaps[k] <= ENGAGED - 2 for k in self.game.units_of[1 - self.game.side_of(unit)])

    def may_fight(self, state: State, unit: int, row: str) -> bool:
        """Whether a unit plainly has to be picked in a step of the Fight phase."""
        held = state.units[unit]
        if held.where != TABLE or held.done or not held.living:
            return False
        charged = held.mark("charged") is not None
        first = charged and held.mark("no-charge-bonus") is None and held.mark("fights-later") is None
        return (charged or self.near(state, unit)) and (row != "fights-first" or first)

    def picks(self, step: Step) -> None:
        """INV-30: in each Fight step the reactive player picks first, and nobody twice while the other has a unit to pick."""
        clock = step.before.clock
        if clock.phase not in ("fights-first", "fights") or any(step.before.z):
            return
        row = clock.phase, clock.round, clock.active
        for moment in step.of("picked"):
            side = self.game.side_of(moment.unit())
            other = any(self.may_fight(step.before, k, clock.phase) for k in self.game.units_of[1 - side])
            begun = self.picked[0] == row
            countered = any(name in ("next", "picks") for name, _ in clock.marks)
            turn = self.picked[1] != side if begun else side != clock.active
            self.log.hold("INV-30", turn or countered or not other, "picks out of turn", moment.event)
            self.picked = row, side

    def offers(self, step: Step) -> None:
        """INV-31: whoever is offered for shooting, charging or fighting is plainly eligible."""
        state = step.before
        if any(state.z):
            return
        for request, _ in step.play.answers[:1]:
            if request.kind != "choose-unit" or request.clause not in ("SHOOT-1", "CHG-1", "FGT-2"):
                continue
            for name in request.options or ():
                if str(name) in self.game.numbers:
                    self.log.hold(
                        "INV-31", self.eligible(state, self.game.numbers[str(name)], request.clause), name, request.clause
                    )

    def eligible(self, state: State, unit: int, clause: str) -> bool:
        """SHOOT-1, CHG-1, FGT-1 off the marks and positions."""
        held, words, locked = state.units[unit], self.words(state, unit), self.near(state, unit)
        arms = [weapon for slot in held.living for weapon in self.game.models[slot].weapons]
        ran, fled = held.mark("advanced") is not None, held.mark("fell-back") is not None
        if clause == "SHOOT-1":
            free = not locked or bool(words & BIG) or any(w.has("Pistol") for w in arms)
            return not fled and free and (not ran or any(w.has("Assault") for w in arms))
        if clause == "CHG-1":
            gaps = unit_gaps(self.game.scene(state), unit)
            far = 12 * INCH + 1 + self.hull(state, unit)
            close = any(gaps[k] <= far + self.hull(state, k) for k in self.game.units_of[1 - self.game.side_of(unit)])
            return close and not (ran or fled or locked) and self.game.cards[unit].stats.get("M") != "-"
        across = held.where == TABLE and any("barricade" in piece.types for piece in self.game.table.terrain)
        return locked or held.mark("charged") is not None or across

    def hull(self, state: State, unit: int) -> int:
        """B2B-2: by how much at most a unit is nearer than its bases: a hull of 150 by 120 mm over a base of 60 mm."""
        return 2_600 if "AIRCRAFT" in self.words(state, unit) else 0

    def words(self, state: State, unit: int) -> set[str]:
        """The keywords of everybody in a unit."""
        return {word for slot in state.units[unit].living for word in self.chart.words(self.chart.card_of[slot])}

    # timing

    def phases(self, step: Step) -> None:
        """INV-37, INV-47: a rule of a phase is used in that phase, and when the phase ends only what waits for its end."""
        turns = self.game.edition.turns
        assert turns is not None
        phase, closing = turns.phase(step.before.clock), turns.closes(step.before.clock)
        rules = {rule.name: rule for found in self.game.reactions.values() for rule in found}
        for moment in step.of("stratagem", "ability"):
            rule = rules[str(moment.event.fact("reaction"))]
            self.log.hold("INV-37", not rule.phases or phase in rule.phases, phase, moment.event)
            if closing and rule.phases:
                same = [one for found in self.game.reactions.values() for one in found if one.name == rule.name]
                self.log.hold("INV-47", any(closing in one.at for one in same), closing, moment.event)

    def arrivals(self, step: Step) -> None:
        """INV-40: who arrives stands more than 9" from all enemies, further from those who deny it, and has moved."""
        for moment in step.of("arrived"):
            unit = moment.unit()
            gaps = unit_gaps(self.game.scene(moment.after), unit)
            for enemy in self.game.units_of[1 - self.game.side_of(unit)]:
                if moment.after.units[enemy].where == TABLE:
                    denies = any("Denies Reinforcements" in str(rule) for rule in self.game.cards[enemy].rules)
                    far = (12 if denies else 9) * INCH
                    self.log.hold("INV-40", gaps[enemy] > far, self.game.names[unit], "arrives near", self.game.names[enemy])
            held = step.after.units[unit]
            gone = held.where != TABLE or any(m.event.kind in ("reserved", "taken-up") for m in step.moments)
            self.log.hold("INV-40", gone or held.mark("moved") is not None, self.game.names[unit], "has not moved")

    def keywords(self, step: Step) -> None:
        """INV-42: a unit has the keywords of its living models, and losing one never adds any."""
        lookups = index_of(self.game)
        for unit, held in enumerate(step.after.units):
            before = step.before.units[unit]
            if held.living is before.living or not held.living:
                continue
            words = lookups.words(held.living)
            union = frozenset(word for slot in held.living for word in lookups.fighters[slot].keywords)
            self.log.hold("INV-42", words == union, self.game.names[unit], words ^ union)
            if set(held.living) <= set(before.living):
                self.log.hold("INV-42", words <= lookups.words(before.living), self.game.names[unit], "gains a keyword")
