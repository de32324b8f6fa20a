"""How many weapons a vehicle fires at full CT (CF-MOVE-5), and which; the others are Snap Shots, or are not fired at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rolloff.editions.compendium.lookups import Fighter, is_a
from rolloff.editions.compendium.matchup import WALKER
from rolloff.errors import IllegalCommand
from rolloff.rules.citing import cites
from rolloff.table.profile import Weapon

if TYPE_CHECKING:
    from rolloff.editions.compendium.shots import Shooting

Pair = tuple[int, int]
"""A model by its slot, and one of its weapons."""
ORDNANCE = "Ordnance"
UNAIMED = ("Blast", "Template", ORDNANCE)
ALL = 1000


def aimed(shooting: Shooting, chosen: list[Pair], named: bool) -> tuple[list[Pair], frozenset[Pair]]:
    """The weapons that fire, and those of them that are Snap Shots for the speed of their vehicle or its Ordnance."""
    kept: set[Pair] = set(chosen)
    snapped: set[Pair] = set()
    for slot in dict.fromkeys(slot for slot, _ in chosen):
        if shooting.lookups.fighters[slot].vehicle:
            gun_deck = Deck(shooting, slot, [pair for pair in chosen if pair[0] == slot])
            kept -= set(gun_deck.pairs)
            firing, snaps = gun_deck.as_named() if named else gun_deck.best()
            kept |= set(firing)
            snapped |= snaps
    ordered = [pair for pair in chosen if pair in kept]
    return _ordnance_last(shooting, ordered, named), frozenset(snapped)


class Deck:
    """The weapons of one vehicle that are to be fired."""

    def __init__(self, shooting: Shooting, slot: int, pairs: list[Pair]) -> None:
        """Know what its speed allows."""
        self.shooting, self.pairs = shooting, pairs
        self.fighter = shooting.lookups.fighters[slot]
        self.line = 0 if shooting.shaken(slot) else self._speed_line()
        self.spirit = self.fighter.has("Power of the Machine Spirit")

    def _speed_line(self) -> int:
        """How many weapons the speed leaves at full CT."""
        if WALKER in self.fighter.types or is_a(self.fighter, "Heavyweights") or not self.shooting.moved:
            return ALL
        return cruising_line(self.fighter) if self.shooting.cruising else combat_line(self.fighter)

    def weapon(self, pair: Pair) -> Weapon:
        """One of its weapons."""
        return self.fighter.weapons[pair[1]]

    def full(self, ordnance: bool) -> int:
        """How many fire at full CT, Ordnance among them or not."""
        line = self.line
        if ordnance:
            line = after_ordnance(line)
        return line + machine_spirit(self.spirit)

    def as_named(self) -> tuple[list[Pair], set[Pair]]:
        """All that were named, those first at full CT that cannot be fired otherwise; refused if that is not allowed."""
        must = [pair for pair in self.pairs if self.unaimed(pair)]
        room = self.full(any(self.weapon(pair).has(ORDNANCE) for pair in self.pairs))
        if len(must) > room:
            what = self.weapon(must[room]).name
            raise IllegalCommand("snap-shot", "CF-SHOOT-4", f"{what} is never a Snap Shot", must[room][1])
        chosen = sorted(self.pairs, key=lambda pair: pair not in must)[:room]
        return self.pairs, {pair for pair in self.pairs if pair not in chosen}

    def best(self) -> tuple[list[Pair], set[Pair]]:
        """DP-10: what promises most, with one weapon of Ordnance among them or without."""
        heavy = [pair for pair in self.pairs if self.weapon(pair).has(ORDNANCE)]
        light = [pair for pair in self.pairs if pair not in heavy]
        ways = [self._way(light, False)] if light or not heavy else []
        ways += [self._way([one, *light], True) for one in heavy if self.full(True)]
        if len(ways) < 2:
            return ways[0] if ways else ([], set())
        return max(ways, key=lambda way: self.shooting.worth(way[0], frozenset(way[1])))

    def _way(self, pairs: list[Pair], ordnance: bool) -> tuple[list[Pair], set[Pair]]:
        """The weapons in one way to fire: those at full CT that gain most by it; of the rest those that can be Snap Shots."""
        room = self.full(ordnance)
        if len(pairs) <= room:
            return pairs, set()
        first = pairs[:1] if ordnance else []
        rest = sorted((pair for pair in pairs if pair not in first), key=lambda pair: -self._gain(pair))
        chosen = (first + rest)[:room]
        firing = [pair for pair in pairs if pair in chosen or not self.unaimed(pair)]
        return firing, {pair for pair in firing if pair not in chosen}

    def _gain(self, pair: Pair) -> float:
        whole = self.shooting.worth([pair])
        return whole if self.unaimed(pair) else whole - self.shooting.worth([pair], frozenset({pair}))

    def unaimed(self, pair: Pair) -> bool:
        """CF-SHOOT-4: whether a weapon is never a Snap Shot."""
        return any(self.weapon(pair).has(name) for name in UNAIMED)


@cites("CF-MOVE-5")
def combat_line(fighter: Fighter) -> int:
    """CF-MOVE-5: at Combat Speed one weapon; a Fast vehicle as if Stationary (SR-FAST-2)."""
    return ALL if is_a(fighter, "Fast") else 1  # SR-FAST-2


@cites("CF-MOVE-5")
def cruising_line(fighter: Fighter) -> int:
    """CF-MOVE-5: at Cruising Speed none; a Fast vehicle two (SR-FAST-3)."""
    return 2 if is_a(fighter, "Fast") else 0  # SR-FAST-3, SR-FAST-4


@cites("SR-ORDNANCE-5")
def after_ordnance(line: int) -> int:
    """SR-ORDNANCE-5: a vehicle that fires Ordnance fires its other weapons as Snap Shots."""
    return min(line, 1)


@cites("SR-POTMS-1")
def machine_spirit(has: bool) -> int:
    """SR-POTMS-1: one weapon more at full CT than the vehicle otherwise could."""
    return 1 if has else 0


def _ordnance_last(shooting: Shooting, chosen: list[Pair], named: bool) -> list[Pair]:
    """SR-ORDNANCE-3: a model that is no vehicle is done shooting when it has fired Ordnance, so that comes last."""
    last: list[Pair] = []
    for slot, index in chosen:
        fighter = shooting.lookups.fighters[slot]
        if fighter.vehicle:
            continue
        if fighter.weapons[index].has(ORDNANCE):
            last.append((slot, index))
        elif named and any(one == slot for one, _ in last):
            raise IllegalCommand("ordnance", "SR-ORDNANCE-3", "a model that fired Ordnance is done shooting", index)
    return [pair for pair in chosen if pair not in last] + last if last else chosen
