"""Choices in play: the players are asked where the rules leave something to them; for odds a policy answers instead."""

from __future__ import annotations

from rolloff.editions.compendium.hull import Hull
from rolloff.editions.compendium.resolve import Group
from rolloff.editions.compendium.squad import Policy, Squad
from rolloff.oracle.contest import draw
from rolloff.oracle.roll import Dice
from rolloff.rules.play import Play


class Asked:
    """Puts the questions of allocation to the players (DP-17, DP-18), and draws lost weapons."""

    def __init__(self, play: Play, attacker: int, target: int) -> None:
        """Know who owns what."""
        self.play = play
        self.attacker = attacker
        self.target = target
        self.drawn: list[tuple[int, int]] = []
        self.mastered: list[tuple[int, int]] = []

    def precise(self, squad: Squad, options: tuple[int, ...]) -> int:
        """The attacker says who bears a precise wound."""
        models = self.play.game.models
        names = tuple(models[squad.bodies[at].slot].id for at in options)
        default = names[options.index(Policy().precise(squad, options))]
        side = self.play.game.side_of(self.attacker)
        clause = "SR-PRECISION-STRIKES-1" if squad.kind == "melee" else "SR-PRECISION-SHOTS-1"
        answer = self.play.choose(side, "allocate", clause, names, default, self.target, "DP-17")
        return options[names.index(str(answer))]

    def look_out(self, squad: Squad, at: int) -> bool:
        """The owner says whether a Character tries to pass the wound on."""
        side = self.play.game.side_of(self.target)
        return bool(self.play.choose(side, "yes-no", "CF-ALLOC-2", (True, False), True, self.target, "DP-18"))

    def masters(self, part: Group) -> bool:
        """The owner says whether a Master-crafted weapon is tried again; what is used up is remembered."""
        side = self.play.game.side_of(self.attacker)
        clause = "SR-MASTER-CRAFTED-1"
        answer = self.play.choose(side, "yes-no", clause, (True, False), True, self.attacker, "DP-20", offer="Master-crafted")
        if answer:
            self.mastered.append(part.arms[0])
        return bool(answer)

    def weapon(self, dice: Dice, hull: Hull, arms: int) -> None:
        """CF-VEH-6: one weapon at random, by lot."""
        self.drawn.append((hull.slot, draw(dice, arms, "weapon", "CF-VEH-6")))
