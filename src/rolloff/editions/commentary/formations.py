"""Before the battle (MIS-1, MIS-2): sides, and the formations both players declare in secret and then reveal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from rolloff.editions.commentary.cards import keywords_of, words_of
from rolloff.editions.commentary.lookups import index_of
from rolloff.editions.commentary.missions import ATTACKER, DEFENDER, ROLE
from rolloff.editions.commentary.roster import (
    AIRCRAFT,
    DEEP_STRIKE,
    HOVER,
    SHARE,
    STARTS,
    STRATEGIC,
    ZONE,
    capacity,
    is_leader,
    may_lead,
    start_of,
    takes,
    wish_of,
)
from rolloff.rules.citing import cites
from rolloff.rules.declarations import name_other
from rolloff.rules.deployment import roll_off
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.event import Joined, Marked, ModelMarked, Patch, Removed, SideMarked, Went
from rolloff.table.state import RESERVE, WAITING, Clock

CHAMPION = "champion"
"""The mark of the model that is its unit's Unit Champion (CHAMP-1); leading a unit is something else (CHAMP-3)."""
HOVERS, WAITS = "hovers", "waits"
REPOSITIONED, MUST_ARRIVE = "repositioned", "must-arrive"
"""Marks of a unit that was removed from the battlefield, and of one that has to come back as soon as it can."""
"""Marks of a unit: it was declared to hover; and by which rule it waits in Reserves."""

WAITING_BY = {STRATEGIC: "RSV-2", DEEP_STRIKE: "ABIL-2", AIRCRAFT: "AIR-1"}
"""The clause by which a unit waits in Reserves."""


def begin(play: Play) -> None:
    """MIS-1, DP-56: the winner of a roll-off is the Attacker, with the Attacker's zone; nobody has CP yet (CMD-6)."""
    winner = roll_off(play, "MIS-1", "DICE-4")
    sides: list[Patch] = []
    for side in (0, 1):
        sides += [SideMarked(side, ROLE, ATTACKER if side == winner else DEFENDER), SideMarked(side, "cp", 0)]
    play.emit("sides-chosen", ("MIS-1", "CMD-6"), *sides, side=winner)
    play.tick(Clock("declare", 0, winner, winner), "declaring", "MIS-2", side=winner)


def candidates(game: Game, unit: int) -> list[int]:
    """CHAMP-1: the differently named models that lead a unit thematically; some units have none."""
    words = words_of(game.cards[unit], "champion:")
    return (
        []
        if not words
        else [slot for slot in range(game.starts[unit], game.starts[unit + 1]) if game.models[slot].name in words]
    )


class Formation:
    """What one player declares, step by step; nothing happens before both have."""

    def __init__(self, play: Play, side: int) -> None:
        """Begin with nothing declared."""
        self.play, self.game, self.side = play, play.game, side
        self.own: Sequence[int] = play.game.units_of[side]
        self.champions: dict[int, int] = {}
        self.hovering: set[int] = set()
        self.led: dict[int, int] = {}
        self.aboard: dict[int, int] = {}
        self.reserves: dict[int, str] = {}
        self._army: list[int] = []  # all but AIRCRAFT and who is aboard, once everything but Reserves is declared
        self._points = 0  # what those are worth
        self._waiting, self._worth_waiting = 0, 0  # how many of them wait in Reserves, and what they are worth
        self._worth_strategic = 0  # what those are worth that wait in Strategic Reserves

    @cites("MIS-2")
    def declare(self) -> None:
        """MIS-2: Hover, attachments, embarkations, Reserves, in this order; before all that, Unit Champions are named."""
        self._name_champions()
        self._hover()
        self._attach()
        self._embark()
        self._reserve()

    def _choose(self, unit: int, clause: str, options: tuple[str, ...], default: str, purpose: str) -> str:
        answer = self.play.choose(self.side, "choose-option", clause, options, default, unit, "DP-3", purpose=purpose)
        return str(answer)

    @cites("CHAMP-2")
    def _name_champions(self) -> None:
        """CHAMP-2, DP-2: of several candidates in a unit its owner names one Unit Champion."""
        for unit in self.own:
            slots = candidates(self.game, unit)
            if slots:
                names = {self.game.models[slot].id: slot for slot in slots}
                first = next(iter(names))
                answer = self.play.choose(
                    self.side, "choose-option", "CHAMP-2", tuple(names), first, unit, "DP-2", purpose="champion"
                )
                self.champions[unit] = names[str(answer)]

    # the four declarations

    @cites("ABIL-11")
    def _hover(self) -> None:
        """ABIL-11: declared first of all."""
        lookups = index_of(self.game)
        for unit in self.own if "Hover" in lookups.printed else ():
            able = lookups.fighters[self.game.starts[unit]].has("Hover")
            wish = able and HOVER in words_of(self.game.cards[unit], STARTS)
            if able and self.play.choose(self.side, "yes-no", "ABIL-11", (True, False), wish, unit, "DP-3", purpose="hover"):
                self.hovering.add(unit)

    def _attach(self) -> None:
        for unit in [unit for unit in self.own if is_leader(self.game, unit)]:
            hosts = [k for k in self.own if k not in self.led and may_lead(self.game, unit, k, self._leaders(k))]
            if hosts:
                self._named(unit, "ABIL-7", hosts, "attach", wish_of(self.game, unit, "leads"), self.led)

    def _embark(self) -> None:
        hulls = index_of(self.game).hulls
        carriers = [k for k in self.own if k in hulls and capacity(self.game, k)[0]]
        for unit in self.own if carriers else ():
            if unit in self.led or unit in carriers:
                continue
            roomy = [k for k in carriers if self._room(unit, k)]
            if roomy:
                self._named(unit, "TRANS-2", roomy, "embark", wish_of(self.game, unit, "in"), self.aboard)

    def _named(self, unit: int, clause: str, options: list[int], purpose: str, wish: int | None, into: dict[int, int]) -> None:
        named = name_other(self.play, unit, options, clause, "DP-3", purpose, wish)
        if named is not None:
            into[unit] = named

    def _reserve(self) -> None:
        out = {part for k in self.own if self._is_aircraft(k) for part in self._group(k)}
        self._army = [k for k in self.own if k not in out]
        self._points = self._worth(self._army)
        for unit in self.own:
            if unit in self.led or unit in self.aboard:
                continue
            if self._is_aircraft(unit):  # AIR-1
                self.reserves[unit] = AIRCRAFT
                continue
            group = self._group(unit)
            options = self._may_wait(unit, group) if self._within_half(group) else []
            if options:
                wish = start_of(self.game, unit)
                default = wish if wish in options else ZONE
                answer = self._choose(unit, "RSV-2", (ZONE, *options), default, "reserve")
                if answer != ZONE:
                    self.reserves[unit] = answer
                    self._note(group, answer)

    def _note(self, group: list[int], mode: str) -> None:
        """Some more wait in Reserves."""
        worth = self._worth(group)
        self._waiting += len(group)
        self._worth_waiting += worth
        if mode == STRATEGIC:
            self._worth_strategic += worth

    # what is allowed

    def _leaders(self, unit: int) -> tuple[int, ...]:
        return tuple([guest for guest, host in self.led.items() if host == unit]) if self.led else ()

    def _parts(self, unit: int) -> list[int]:
        """A unit with its Leaders."""
        return [unit, *self._leaders(unit)]

    def _group(self, unit: int) -> list[int]:
        """A unit with its Leaders, and everybody embarked in it."""
        parts = self._parts(unit)
        if self.aboard:
            parts += [part for k, hull in self.aboard.items() if hull == unit for part in self._parts(k)]
        return parts

    def _room(self, unit: int, transport: int) -> bool:
        state, cards, room = self.play.state, self.game.cards, capacity(self.game, transport)[0]
        boarding = self._parts(unit)
        room -= sum([len(cards[k].models) for k in boarding])
        if room < 0 or not all(takes(self.game, state, k, transport) for k in boarding):
            return False
        inside = [part for k, hull in self.aboard.items() if hull == transport for part in self._parts(k)]
        return sum([len(cards[k].models) for k in inside]) <= room

    def _is_aircraft(self, unit: int) -> bool:
        return "AIRCRAFT" in keywords_of(self.game.cards[unit]) and unit not in self.hovering

    def _may_wait(self, unit: int, group: list[int]) -> list[str]:
        """The Reserves a unit may wait in; Deep Strike leaves the worth of Strategic Reserves as it is."""
        if "FORTIFICATION" in keywords_of(self.game.cards[unit]):  # RSV-2, MIS-5
            return []
        modes = [STRATEGIC] if self._within_share(group) else []
        return [*modes, DEEP_STRIKE] if self._deep(unit) else modes

    @cites("ABIL-2")
    def _deep(self, unit: int) -> bool:
        """ABIL-2: every model has Deep Strike."""
        lookups, starts = index_of(self.game), self.game.starts
        if not lookups.fighters[starts[unit]].has("Deep Strike"):
            return False
        slots = [s for k in self._parts(unit) for s in range(starts[k], starts[k + 1])]
        return lookups.every(tuple(slots), "Deep Strike")

    @cites("RSV-2")
    def _within_share(self, group: list[int]) -> bool:
        """RSV-2: Strategic Reserves are worth a quarter of the battle size at most; AIRCRAFT do not count."""
        return SHARE * (self._worth_strategic + self._worth(group)) <= self._size()

    @cites("RSV-6")
    def _within_half(self, group: list[int]) -> bool:
        """RSV-6: half of the units and half of the points at most wait in Reserves; AIRCRAFT count on neither side."""
        if 2 * (self._waiting + len(group)) > len(self._army):
            return False
        return 2 * (self._worth_waiting + self._worth(group)) <= self._points

    def _worth(self, units: Iterable[int]) -> int:
        """The points of some units."""
        cards = self.game.cards
        return sum([cards[unit].points for unit in units])

    def _size(self) -> int:
        return self.game.setup.points or self._worth(self.own)

    # what happens then

    def reveal(self) -> None:
        """Both have declared: it happens."""
        emit = self.play.emit
        for unit, slot in self.champions.items():
            emit("champion", ("CHAMP-1", "CHAMP-2"), ModelMarked(slot, CHAMPION, 1), unit=unit, model=slot)
        for unit in sorted(self.hovering):
            emit("hovering", ("ABIL-11",), Marked(unit, HOVERS, 1), unit=unit)
        for guest, host in self.led.items():
            emit("attached", ("ABIL-7",), Joined(guest, host), unit=guest, into=host)
        for unit, hull in self.aboard.items():
            emit("embarked", ("TRANS-2",), Went(unit, hull), unit=unit, transport=hull)
        for unit, mode in self.reserves.items():
            emit("reserved", (WAITING_BY[mode], "RSV-1"), Went(unit, RESERVE), Marked(unit, WAITS, mode), unit=unit, how=mode)
        for unit in self.own:
            self._empty_transport(unit)

    @cites("ARMY-6")
    def _empty_transport(self, unit: int) -> None:
        """ARMY-6: a DEDICATED TRANSPORT with nobody aboard is not deployed and counts as destroyed."""
        dedicated = "DEDICATED TRANSPORT" in keywords_of(self.game.cards[unit])
        if dedicated and unit not in self.aboard.values():
            lost = self.play.state.units[unit].living
            removed = [Removed(slot, unit) for slot in lost]
            self.play.emit("lost", ("ARMY-6",), *removed, unit=unit, models=lost)


def declare(play: Play) -> None:
    """MIS-2: both players declare, the Attacker first; then everything is revealed."""
    clock = play.state.clock
    plans = [Formation(play, side) for side in (clock.active, 1 - clock.active)]
    for plan in plans:
        plan.declare()
    for plan in plans:
        plan.reveal()
    play.tick(replace(clock, phase="deploy"), "deploying", "MIS-6", side=clock.active)


def _all_in_hand(play: Play, side: int) -> list[int]:
    units = play.state.units
    return [k for k in play.game.units_of[side] if units[k].living and (units[k].where == WAITING or units[k].where >= 0)]


@cites("MIS-7")
def to_place(play: Play, side: int) -> list[int]:
    """MIS-7: an Attached unit is one unit, a TRANSPORT and all in it one deployment; Reserves take no turn."""
    units = play.state.units
    return [k for k in play.game.units_of[side] if units[k].where == WAITING]
