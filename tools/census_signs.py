"""The signs by which a census sees that something acted which leaves no word of its own in an event."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from rolloff.editions.commentary.cards import words_of
from rolloff.editions.commentary.command import control_changes, dread
from rolloff.editions.commentary.detachments import DETACHMENT
from rolloff.editions.commentary.law import ENHANCEMENT
from rolloff.editions.commentary.lookups import GRANT, Host, host_of, index_of
from rolloff.editions.commentary.places import is_engaged, near_markers
from rolloff.editions.commentary.values import Op
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.event import Event
from rolloff.table.state import TABLE, State

Sign = tuple[str, str]


class Moment(Struct, frozen=True):
    """An event of a step that was played, with the state before the step."""

    play: Play
    before: State
    event: Event

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.play.game

    @property
    def unit(self) -> int:
        """The unit the event is about; -1 for none."""
        return self.number("unit")

    def number(self, name: str) -> int:
        """A unit an event names; -1 for none."""
        found = self.event.fact(name)
        return found if isinstance(found, int) and not isinstance(found, bool) else -1

    @property
    def purpose(self) -> str:
        """What a roll was for."""
        return str(self.event.fact("purpose")) if self.event.kind == "rolled" else ""

    @property
    def host(self) -> Host:
        """The unit with its Leaders, as it was before."""
        return host_of(self.game, self.before, self.unit)

    def has(self, name: str, unit: int | None = None) -> bool:
        """Whether a model of the unit's own datasheet, or of one it is part of, has an ability."""
        lookups = index_of(self.game)
        number = self.unit if unit is None else unit
        if number < 0:
            return False
        own = tuple(range(self.game.starts[number], self.game.starts[number + 1]))
        return bool(lookups.having((*own, *self.before.units[number].living), name))

    def wielded(self) -> set[str]:
        """The abilities of the weapons an attack is made with."""
        names = set(names_of(self.event)) if self.event.kind in ("shot", "struck") else set()
        lookups = index_of(self.game)
        slots = self.host.slots if self.unit >= 0 and names else ()
        return {
            rule.name
            for slot in slots
            for weapon in lookups.fighters[slot].weapons
            if weapon.name in names
            for rule in weapon.rules
        }

    def fields(self, detachment: str) -> bool:
        """Whether the unit's army fields a detachment."""
        return self.unit >= 0 and detachment in words_of(self.game.cards[self.unit], DETACHMENT)


def names_of(event: Event) -> tuple[str, ...]:
    """The weapons an attack is made with."""
    names = event.fact("weapons")
    return tuple(map(str, names)) if isinstance(names, tuple) else ()


WIELDED = {
    *("Assault", "Blast", "Extra Attacks", "Heavy", "Ignores Cover", "One Shot", "Pistol", "Psychic", "Rapid Fire", "Torrent"),
    "Twin-linked",
}
"""Abilities of weapons that act whenever the weapon is used."""
DONE: dict[str, tuple[str, ...]] = {
    "Fights First": ("picked",),
    "Firing Deck": ("firing-deck",),
    "Leader": ("attached",),
    "Second Leader": ("attached",),
    "Lone Operative": ("shot", "moved", "struck"),
}
"""Abilities that act when a unit that has them does one of these."""


def signs(moment: Moment) -> Iterator[Sign]:
    """Everything an event shows."""
    yield from (("abilities", name) for name in moment.wielded() & WIELDED)
    for name, kinds in DONE.items():
        if moment.event.kind in kinds and moment.has(name):
            yield "abilities", name
    yield from (("abilities", name) for name, sign in ABILITIES.items() if sign(moment))
    yield from (("enhancements", name) for name, sign in ENHANCEMENTS.items() if sign(moment))
    yield from (("detachments", name) for name, sign in DETACHMENTS.items() if sign(moment))


# -- abilities -------------------------------------------------------------------------------------


def _ignores_wounds(moment: Moment) -> bool:
    return moment.purpose == "feel no pain"


def _in_aura(moment: Moment) -> bool:
    """A Feel No Pain roll of a unit that has none of its own, is led by nobody and was granted none."""
    if not _ignores_wounds(moment) or moment.unit < 0 or moment.has("Feel No Pain") or moment.host.attached:
        return False
    return not any(name.startswith(f"{GRANT}Feel No Pain") for name, _ in moment.before.units[moment.unit].marks)


def _carries(moment: Moment) -> bool:
    return moment.event.kind == "embarked" and moment.has("Carries", moment.number("transport"))


def _control(op: Op) -> Callable[[Moment], bool]:
    """Whether the control of a marker was judged with somebody near whose OC is changed so."""

    def sign(moment: Moment) -> bool:
        if moment.event.kind != "control":
            return False
        game, state = moment.game, moment.play.state
        near = {slot for slots in near_markers(game, state).values() for slot in slots}
        return any(effect.op is op for slot in near for effect in control_changes(game, state, slot))

    return sign


def _denies(moment: Moment) -> bool:
    """Reinforcements were set up while an enemy stood there that denies them room."""
    if moment.event.kind not in ("arrived", "set-up-again") or moment.unit < 0:
        return False
    enemies = moment.game.units_of[1 - moment.game.side_of(moment.unit)]
    standing = [k for k in enemies if moment.before.units[k].where == TABLE]
    return any(moment.has("Denies Reinforcements", k) for k in standing)


def _again(moment: Moment) -> bool:
    """A die of an own rule was rolled again, not one of a Stratagem."""
    return bool(moment.event.fact("rerolls")) and "CSTR-1" not in moment.event.clauses


def _near_markers(moment: Moment) -> bool:
    return moment.purpose in ("hit", "wound") and _again(moment) and moment.has("Near Markers")


def _precise(moment: Moment) -> bool:
    target = moment.number("target")
    return "Precision" in moment.wielded() and target >= 0 and host_of(moment.game, moment.before, target).attached


def _ignores_modifiers(moment: Moment) -> bool:
    """Whoever may ignore modifiers shot at a target with Stealth, or while Locked in Combat: both would take 1 away."""
    target = moment.number("target")
    if moment.event.kind != "shot" or target < 0 or not moment.has("Ignore Modifiers"):
        return False
    hidden = moment.has("Stealth", target) or moment.before.units[target].mark("stealth") is not None
    return hidden or is_engaged(moment.game, moment.before, moment.host)


def _dreaded(moment: Moment) -> bool:
    """A Battle-shock test from which an enemy's Aura subtracts."""
    if moment.purpose != "battle-shock" or moment.unit < 0:
        return False
    return dread(Play(moment.game, moment.before, moment.play.oracle), moment.unit) > 0


ABILITIES: dict[str, Callable[[Moment], bool]] = {
    "Dread Aura": _dreaded,
    "Ignore Modifiers": _ignores_modifiers,
    "Aura": _in_aura,
    "Carries": _carries,
    "Control": _control(Op.ADD),
    "Denies Reinforcements": _denies,
    "Feel No Pain": _ignores_wounds,
    "Halves Control": _control(Op.DIVIDE),
    "Near Markers": _near_markers,
    "Precision": _precise,
}

# -- Enhancements and detachments ------------------------------------------------------------------


def _bears(moment: Moment, id: str, side: int) -> list[int]:
    """The units of a side with an Enhancement."""
    cards = moment.game.cards
    return [k for k in moment.game.units_of[side] if any(word.split()[0] == id for word in words_of(cards[k], ENHANCEMENT))]


def _orders(moment: Moment) -> bool:
    """ENH-M1: a unit was redeployed by the side of its bearer."""
    return moment.event.kind == "redeployed" and bool(_bears(moment, "ENH-M1", moment.game.side_of(moment.unit)))


def _choir(moment: Moment) -> bool:
    """ENH-T2: a Feel No Pain of 5+ rolled for the unit its bearer leads."""
    if not _ignores_wounds(moment) or moment.unit < 0 or moment.event.fact("need") != 5:
        return False
    return bool(set(_bears(moment, "ENH-T2", moment.game.side_of(moment.unit))) & set(moment.host.cards))


ENHANCEMENTS: dict[str, Callable[[Moment], bool]] = {"ENH-M1": _orders, "ENH-T2": _choir, "ENH-R2": _dreaded}


def _one_target(moment: Moment) -> bool:
    """DET-M: a unit of the column rolled to hit and shot at one target only."""
    if moment.purpose != "hit" or not moment.fields("foundry-column"):
        return False
    split = [event.fact("unit") for event in moment.play.events if event.kind == "split-fire"]
    shot = [event.fact("unit") for event in moment.play.events if event.kind == "shot"]
    return moment.unit in shot and moment.unit not in split


def _undertow(moment: Moment) -> bool:
    """DET-T: a Hit roll of a unit of the undertow was rolled again in the Fight phase."""
    return moment.purpose == "hit" and _again(moment) and moment.fields("rising-undertow")


DETACHMENTS: dict[str, Callable[[Moment], bool]] = {"DET-M": _one_target, "DET-T": _undertow}
