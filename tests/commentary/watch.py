"""The invariants of Part E over whole games of the commentary edition: feed every step to `Invariants`, and it raises `Broken`.

What is checked is read off the cards, the events and the positions by plain arithmetic; no rule of the edition is called.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from rolloff.geometry.measure import coherent, crosses, gap, touching, unit_gaps
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.event import Marked, ModelMarked, Returned, Went
from rolloff.table.state import GONE, MERGED, NOWHERE, RESERVE, TABLE, State
from tests.properties.watching import Chart, Ledger, Moment, Step

INCH, LEEWAY = 1000, 10
ENGAGED = INCH + 1
PLACING = ("moved", "disembarked", "arrived", "deployed-unit", "redeployed", "set-up-again")
"""Events after which a unit stands coherent and outside Engagement Range; charges apart."""
CLOSING_UP = ("piled-in", "consolidated")
SCORE, CP, SHOCKED = "vp", "cp", "battle-shocked"


class Cards(Chart):
    """What the cards say, without the words of other editions."""

    def __init__(self, game: Game) -> None:
        """Keep the game."""
        self.game = game
        self.card_of = tuple(number for number, card in enumerate(game.cards) for _ in card.models)

    def words(self, unit: int) -> frozenset[str]:
        """The keywords of a unit's card."""
        return frozenset(word.upper() for word in self.game.cards[unit].keywords)

    def wounds(self, slot: int) -> int:
        """The wounds a model starts with."""
        return self.game.edition.wounds(self.game, slot)


class Invariants:
    """Watches one game from its first step to its last."""

    def __init__(self, game: Game, log: Ledger) -> None:
        """Nothing has happened yet."""
        self.chart, self.log = Cards(game), log
        self.acted: set[tuple[str, int]] = set()
        self.used: set[tuple[int, str]] = set()
        self.spent: set[tuple[int, int, str]] = set()
        self.rode: set[int] = set()
        self.score = [0, 0]
        self.started = False
        self.dead: set[int] = set()
        self.rooted: dict[int, bytes] = {}

    def see(self, before: State, play: Play) -> None:
        """One more step."""
        step = Step(self.chart, before, play)
        checks: tuple[Callable[[Step], None], ...] = (
            self.dice,
            self.models,
            self.places,
            self.standing,
            self.moves,
            self.charges,
            self.blasts,
            self.once,
            self.stratagems,
            self.markers,
            self.points,
            self.riders,
            self.requests,
        )
        for check in checks:
            check(step)

    # dice

    def dice(self, step: Step) -> None:
        """INV-2, INV-3, INV-5, INV-11: dice are dice, none is rolled twice again, ones fail and sixes do not."""
        for moment in step.of("rolled"):
            faces, rerolls = moment.event.fact("faces"), moment.event.fact("rerolls")
            assert isinstance(faces, tuple) and isinstance(rerolls, tuple)
            sides = moment.event.fact("sides") or 6
            again = [pair[0] for pair in rerolls if isinstance(pair, tuple)]
            self.log.hold("INV-2", len(set(again)) == len(again), moment.event)
            self.log.hold("INV-3", all(isinstance(f, int) and 1 <= f <= sides for f in faces), moment.event)  # type: ignore[operator]
            if moment.event.fact("purpose") in ("hit", "wound", "save") and not moment.event.fact("treated"):
                last = dict(enumerate(faces)) | {pair[0]: pair[1] for pair in rerolls if isinstance(pair, tuple)}
                ones, sixes = (sum(face == n for face in last.values()) for n in (1, 6))
                won = moment.number("successes")
                self.log.hold("INV-5", won <= len(last) - ones, "a 1 succeeds", moment.event)
                if moment.event.fact("purpose") != "save":
                    self.log.hold("INV-5", won >= sixes, "a 6 fails", moment.event)
        for moment in step.of("attacked"):
            counts = [moment.number(name) for name in ("attacks", "hits", "wounds", "blocked", "damage", "mortal")]
            self.log.hold("INV-11", min(counts) >= 0 and counts[3] <= counts[2], moment.event)

    # models and wounds

    def models(self, step: Step) -> None:
        """INV-12, INV-17 to INV-19, INV-39, INV-45: who lives has wounds left, nobody dies twice, everybody is in one place."""
        for moment in step.moments:
            self.dead -= {slot for p in moment.event.patches if isinstance(p, Returned) for slot in p.slots}
            for slot in moment.removed():
                self.log.hold("INV-18", slot not in self.dead, "destroyed twice", slot)
                self.dead.add(slot)
        for moment in step.of("lingers"):
            rest = step.moments[step.moments.index(moment) :]
            ends = [m for m in rest if m.event.kind != "stands-aside"]  # FIGHTDEATH-3: while others act, it comes back
            gone = [m for m in ends if moment.unit("model") in m.removed()]  # FIGHTDEATH-5, or its own Hazardous weapon before
            self.log.hold("INV-45", len(gone) == 1, "acted after death and stays", moment.event)
        after = step.after
        living = [slot for held in after.units for slot in held.living]
        self.dead -= set(living)
        self.log.hold("INV-39", len(set(living)) == len(living), "in two units")
        for slot in living:
            lost = after.wounds_on(slot)
            self.log.hold("INV-17", 0 <= lost < self.chart.wounds(slot), self.chart.game.models[slot].id, lost)
        sizes = [len(card.models) for card in self.chart.game.cards]
        for unit, held in enumerate(after.units):
            cards = {self.chart.card_of[slot] for slot in held.living}
            self.log.hold("INV-19", len(held.living) <= sum(sizes[k] for k in cards), self.chart.game.names[unit])
            if not held.living:
                self.log.hold("INV-18", held.where in (GONE, MERGED), self.chart.game.names[unit], held.where)
        left = {self.chart.card_of[slot] for slot in living}
        parts = {self.chart.card_of[slot] for held in step.before.units for slot in held.living} - left
        told = {
            moment.unit() for moment in (*step.of("unit-destroyed"), *step.of("lost"))
        }  # SETUP-3: the latter triggers nothing
        if not step.has("game-ended"):  # who has not arrived by then is lost with it
            self.log.hold("INV-18", parts <= told, "gone and not reported", parts - told)
        attacked = [moment for moment in step.moments if moment.event.kind in ("attacked", "attacked-late")]
        for at, moment in enumerate(attacked):
            self.harm(step, moment, attacked[at + 1] if at + 1 < len(attacked) else None)

    def harm(self, step: Step, moment: Moment, following: Moment | None) -> None:
        """INV-12: a unit loses no more wounds than the damage and mortal wounds of an attack."""
        target, attacker = moment.unit("target"), moment.unit("attacker")
        at = step.moments.index(moment)
        end = step.moments.index(following) if following else len(step.moments)
        fallen = [m for m in step.moments[at:end] if m.event.kind == "casualties" and m.unit() == target]
        found = next((m for m in fallen if m.unit("by") == attacker), None)
        if found is None:
            return
        slots = found.before.units[target].living
        lost = sum(self._left(found.before, s) for s in slots) - sum(
            self._left(found.after, s) for s in found.after.units[target].living
        )
        demise = any(m.event.fact("purpose") == "deadly demise" for m in step.of("rolled"))
        most = moment.number("damage") + moment.number("mortal")
        self.log.hold("INV-12", demise or lost <= most, "lost", lost, "of", most, moment.event)

    def _left(self, state: State, slot: int) -> int:
        return self.chart.wounds(slot) - state.wounds_on(slot)

    # where everybody is

    def places(self, step: Step) -> None:
        """INV-38, INV-39: on the table with a place, or off it without one; INV-49: who has no Move stays."""
        state = step.after
        for unit, held in enumerate(state.units):
            spots = [state.at(slot)[0] != NOWHERE for slot in held.living]
            if held.where == TABLE:
                self.log.hold("INV-39", all(spots), self.chart.game.names[unit], "has no place")
            else:
                self.log.hold("INV-38", not any(spots), self.chart.game.names[unit], "has a place off the table")
            if self.chart.game.cards[unit].stats.get("M") == "-" and held.where == TABLE and held.living:
                slot = held.living[0]
                here = state.xy[8 * slot : 8 * slot + 8]
                self.log.hold("INV-49", self.rooted.setdefault(unit, here) == here, self.chart.game.names[unit], "moved")
        for moment in step.moments:
            for patch in moment.event.patches:
                if isinstance(patch, Went) and patch.where == RESERVE:
                    self.log.hold("INV-49", "FORTIFICATION" not in self.chart.words(patch.unit), "a fortification waits")

    def standing(self, step: Step) -> None:
        """INV-20, INV-21: nobody overlaps or leaves the table; units are coherent after a turn."""
        state, scene = step.after, step.final_scene
        game = self.chart.game
        moved = [s for s in range(len(game.models)) if state.xy[8 * s : 8 * s + 8] != step.before.xy[8 * s : 8 * s + 8]]
        here = {s: state.at(s) for s in range(len(game.models)) if state.at(s)[0] != NOWHERE}
        heights = struct.unpack(f"<{len(game.models)}i", state.z)
        for slot in (s for s in moved if s in here):
            base, (x, y) = game.field.bases[slot], here[slot]
            r = base.r - LEEWAY
            inside = r <= x <= game.field.width - r and r <= y <= game.field.height - r
            self.log.hold("INV-21", inside, game.models[slot].id, "leaves the table", x, y, base)
            for other in here:
                if other == slot or (other in moved and other < slot):
                    continue
                low, high = sorted((slot, other), key=lambda s: heights[s])
                above = heights[high] >= heights[low] + game.models[low].height
                apart = above or gap(scene, slot, other) >= -LEEWAY
                self.log.hold("INV-21", apart, game.models[slot].id, game.models[other].id)
        if step.after.clock.active != step.before.clock.active and step.before.clock.round:
            for unit, held in enumerate(state.units):
                if held.where == TABLE and len(held.living) > 1:
                    self.log.hold("INV-20", self.together(state, held.living), game.names[unit], "is not coherent")

    def together(self, state: State, living: tuple[int, ...]) -> bool:
        """COH-1, COH-2 by arithmetic of their own."""
        need = 2 if len(living) >= 7 else 1
        scene = self.chart.game.scene(state)
        return coherent(scene, living, 2 * INCH, 1000 * INCH, connected=True, need=need, tol=LEEWAY).ok

    def near(self, state: State, unit: int) -> set[int]:
        """The enemy units in Engagement Range of a unit in plan, AIRCRAFT left out."""
        gaps, side = unit_gaps(self.chart.game.scene(state), unit), self.chart.game.side_of(unit)
        others = [k for k in self.chart.game.units_of[1 - side] if gaps[k] <= ENGAGED - 2]
        return {k for k in others if "AIRCRAFT" not in self.chart.words(k)}

    def across(self, state: State, unit: int, enemy: int) -> bool:
        """TER-4: whether models of two units stand within 2" of each other on the far sides of a barricade."""
        game, scene = self.chart.game, self.chart.game.scene(state)
        pieces = [k for k, piece in enumerate(game.table.terrain) if "barricade" in piece.types]
        pairs = [(one, other) for one in state.units[unit].living for other in state.units[enemy].living]
        near = [pair for pair in pairs if gap(scene, *pair) <= 2 * INCH + LEEWAY]
        return any(crosses(game.field.ground, k, *state.at(one), *state.at(other)) for one, other in near for k in pieces)

    def moves(self, step: Step) -> None:
        """INV-20, INV-22, INV-23, INV-28: ends of moves, by kind."""
        for moment in step.of(*PLACING, *CLOSING_UP):
            unit, action = moment.unit(), moment.event.fact("action")
            held = moment.after.units[unit]
            if unit < 0 or held.where != TABLE or not held.living or "AIRCRAFT" in self.chart.words(unit):
                continue
            moved = [s for s in held.living if moment.before.at(s) != moment.after.at(s)]
            if moved and len(held.living) > 1:
                self.log.hold("INV-20", self.together(moment.after, held.living), moment.event)
            if moment.event.kind in PLACING and action != "charge" and moved and not any(moment.after.z):
                self.log.hold("INV-22", not self.near(moment.after, unit), "engaged after", moment.event)
            longest = moment.event.fact("longest")
            if isinstance(longest, int | float) and not isinstance(longest, bool):
                far = max((self._far(moment, slot) for slot in moved), default=0.0)
                self.log.hold("INV-23", far <= longest + LEEWAY, "went", far, "by", longest, moment.event)

    @staticmethod
    def _far(moment: Moment, slot: int) -> float:
        (ax, ay), (bx, by) = moment.before.at(slot), moment.after.at(slot)
        return float(((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5)

    def charges(self, step: Step) -> None:
        """INV-27: a charge ends within Engagement Range of all its targets, and of nobody else it was not engaged with."""
        for moment in step.of("moved"):
            if moment.event.fact("action") != "charge":
                continue
            earlier = reversed(step.moments[: step.moments.index(moment)])
            declared = next(m for m in earlier if m.event.kind == "charge-declared")
            targets, unit = declared.event.fact("targets"), moment.unit()
            assert isinstance(targets, tuple)
            if any(moment.after.z):
                continue
            scene = self.chart.game.scene(moment.after)
            alive = [k for k in targets if isinstance(k, int) and moment.after.units[k].living]
            reached = all(touching(scene, unit, k, ENGAGED + LEEWAY) or self.across(moment.after, unit, k) for k in alive)
            self.log.hold("INV-27", reached, "not in reach of", alive, moment.event)
            others = self.near(moment.after, unit) - set(alive) - self.near(moment.before, unit)
            self.log.hold("INV-27", not others, "engages others", others, moment.event)

    def blasts(self, step: Step) -> None:
        """INV-32: no Blast weapon is fired at a unit in Engagement Range of the attacker's army."""
        for moment in step.of("shot"):
            unit, target, names = moment.unit(), moment.unit("target"), moment.event.fact("weapons")
            assert isinstance(names, tuple)
            models = [self.chart.game.models[slot] for slot in moment.before.units[unit].living]
            fired = {w.name for model in models for w in model.weapons if w.has("Blast")} & set(names)
            if fired and not any(moment.before.z):
                self.log.hold("INV-32", not self.near(moment.before, target), "Blast into a fight", moment.event)

    # who does what

    def once(self, step: Step) -> None:
        """INV-29: nobody is selected to shoot or fight twice in a phase, and once per battle happens once."""
        if step.before.clock.phase != step.after.clock.phase or step.before.clock.active != step.after.clock.active:
            self.acted, self.used, self.rode = set(), set(), set()
        for moment in step.of("activated"):
            action = str(moment.event.fact("action"))
            if action in ("shoot", "charge", "fight"):
                key = (action, moment.unit())
                self.log.hold("INV-29", key not in self.acted, moment.event)
                self.acted.add(key)
        for moment in step.moments:
            for patch in moment.event.patches:
                if isinstance(patch, Marked | ModelMarked) and patch.name.startswith("used:") and patch.value == "game":
                    unit, slot = (patch.unit, -1) if isinstance(patch, Marked) else (-1, patch.slot)
                    self.log.hold("INV-29", (unit, slot, patch.name) not in self.spent, "once per battle, twice", moment.event)
                    self.spent.add((unit, slot, patch.name))

    def stratagems(self, step: Step) -> None:
        """INV-33, INV-36: Command points never below 0, no Stratagem twice a phase, none on a Battle-shocked unit."""
        for side in (0, 1):
            self.log.hold("INV-36", int(step.after.side_mark(side, CP) or 0) >= 0, "in debt")
        for moment in step.of("stratagem"):
            name, side, unit = str(moment.event.fact("reaction")), moment.number("side"), moment.unit()
            self.log.hold("INV-36", (side, name) not in self.used, "twice a phase", moment.event)
            self.used.add((side, name))
            if unit >= 0 and moment.before.units[unit].mark(SHOCKED) is not None:
                self.log.hold("INV-33", name == "Insane Bravery", "on a Battle-shocked unit", moment.event)

        for moment in step.of("battle-shocked"):
            self.log.hold("INV-34", moment.before.units[moment.unit()].mark(SHOCKED) is None, "shocked twice", moment.event)

    def markers(self, step: Step) -> None:
        """INV-35: nobody shares a marker."""
        held = [{name for name, _ in marks if name.startswith("holds:")} for marks in step.after.sides]
        self.log.hold("INV-35", not held[0] & held[1], held)

    def points(self, step: Step) -> None:
        """INV-50, INV-51: both begin without Command points; points never fall, and nobody scores in the first round."""
        if not self.started and step.before.clock.round:
            self.started = True
            began = [int(step.before.side_mark(side, CP) or 0) for side in (0, 1)]
            self.log.hold("INV-50", began == [0, 0], began)
        now = [int(step.after.side_mark(side, SCORE) or 0) for side in (0, 1)]
        for side in (0, 1):
            self.log.hold("INV-51", now[side] >= self.score[side], now, self.score)
            if step.before.clock.round <= 1:
                self.log.hold("INV-51", now[side] == 0, "scored in round one")
        self.score = now

    def riders(self, step: Step) -> None:
        """INV-41: nobody embarks and disembarks in one phase, wrecks apart."""
        for moment in step.of("embarked", "disembarked"):
            wrecked = "TRANS-8" in moment.event.clauses or step.has("escaped")
            if step.before.clock.round and not wrecked:
                self.log.hold("INV-41", moment.unit() not in self.rode, moment.event)
                self.rode.add(moment.unit())

    def requests(self, step: Step) -> None:
        """INV-52: nobody was asked about nothing."""
        for request, _ in step.play.answers:
            self.log.hold("INV-52", request.options is None or len(request.options) > 0, request.kind)
