"""How lucky was that? Every attack of a game record beside its exact odds, and the luck of each player over the game.

The record is played again, which also verifies it, and every attack is told with the plan its dice were rolled by. Of two
results the one with more models felled is better; of two with as many, the one with more wounds lost. A player's luck in an
attack is the chance of a worse result and half the chance of an equal one: between 0 and 1, and 1/2 on average whatever
the attack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from rolloff.errors import BadInput, RecordError
from rolloff.odds.ends import added, damage_of, ends, normalised_line
from rolloff.odds.results import Distribution, capped
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.law import Number
from rolloff.record.lines import Json, Line, load
from rolloff.record.verify import Differs, Replay
from rolloff.rules.attack import ResolvedAttack
from rolloff.rules.play import SIDES
from rolloff.situations.wire import called

Progress = Callable[[int, int], None]
"""Told how many lines of how many are read."""


class AttackLuck(Struct, frozen=True):
    """One attack of a record: what came of it, what could have, and the chance of a result at least as good.

    ``side`` is whose attack it was: none where nobody attacked, as on dangerous ground, or where a unit hurt its own side.
    ``kills`` and ``damage`` are laws; what was seen is ``killed`` models and ``lost`` wounds.
    """

    number: int
    line: int
    round: int
    attacker: str | None
    target: str
    side: str | None
    against: str
    kind: str
    killed: int
    lost: int
    kills: Distribution
    damage: Distribution
    at_least: Number
    better: Number
    luck: Number


class Share(Struct, frozen=True):
    """Some attacks together: how many, their mean luck, and what they did beside what was to be expected.

    ``unusual``: were the same attacks rolled again, the chance that the wounds lost come to as much above or below what is
    to be expected, or further; by twice the smaller tail, of equal sums half.
    """

    attacks: int
    luck: Number | None
    kills: int
    expected_kills: Number
    damage: int
    expected_damage: Number
    unusual: Number | None


class PlayerLuck(Struct, frozen=True):
    """One player over a game: the attacks made on the enemy, those suffered, and the luck in both."""

    side: str
    name: str
    luck: Number | None
    made: Share
    suffered: Share


class Luck(Struct, frozen=True):
    """The luck in a game: every attack, both players, and what the units are called by their ids."""

    edition: str
    attacks: tuple[AttackLuck, ...]
    players: tuple[PlayerLuck, PlayerLuck]
    names: Mapping[str, str]

    def attack(self, number: int) -> AttackLuck:
        """One attack by its number from 1 on; `BadInput` if there is none."""
        if not 1 <= number <= len(self.attacks):
            allowed = f"1 to {len(self.attacks)}" if self.attacks else "none: nobody attacks in this record"
            raise BadInput("no-such-attack", f"attack {number} is not in the record", where="--attack", allowed=allowed)
        return self.attacks[number - 1]


class _Watching(Replay):
    """A replay that keeps every attack, with the line that tells of it."""

    def __init__(self, lines: list[Line], progress: Progress | None) -> None:
        super().__init__(lines)
        self.made: list[tuple[ResolvedAttack, int]] = []
        self.progress = progress
        self._step: list[ResolvedAttack] = []
        self._places: dict[int, int] = {}
        self.watch = self._step.append

    def expect(self, expected: Json, kind: str) -> None:
        """Remember where each event of the step stands."""
        if expected["t"] in ("event", "roll"):
            self._places[self.shown] = self.at
        super().expect(expected, kind)

    def step(self) -> None:
        """One step, and the attacks in it."""
        self._step.clear()
        self._places.clear()
        super().step()
        self.made += [(made, self._places[made.event]) for made in self._step]
        if self.progress is not None:
            self.progress(self.at, len(self.lines))


def luck(record: Path | str | Sequence[Line], exact: bool = False, progress: Progress | None = None) -> Luck:
    """The luck in a game record: a file, or its lines. `exact` computes with rationals.

    Raises:
        RecordError: it is no record, or departs from the game it tells of.
        UnknownEdition: its edition is not installed.
    """
    lines = load(Path(record)) if isinstance(record, Path | str) else list(record)
    replay = _Watching(lines, progress)
    try:
        replay.run()
    except Differs as stop:
        raise RecordError("record-differs", stop.difference.message, where=f"line {stop.difference.line}") from None
    calculator = Calculator(exact)
    attacks = tuple(_attack(replay, calculator, at, *one) for at, one in enumerate(replay.made, 1))
    names = lines[0].get("players")
    sides = [_player(side, str(names[at]), attacks) for at, side in enumerate(SIDES)]
    return Luck(replay.game.edition.id, attacks, (sides[0], sides[1]), _called(replay, attacks))


def _called(replay: _Watching, attacks: Iterable[AttackLuck]) -> dict[str, str]:
    game = replay.game
    ids = dict.fromkeys(id for one in attacks for id in (one.attacker, one.target) if id is not None)
    return {id: called(game, game.cards[game.numbers[id]]) for id in ids}


def _attack(replay: _Watching, calculator: Calculator, number: int, made: ResolvedAttack, line: int) -> AttackLuck:
    game, plan = replay.game, made.plan
    law = ends(calculator, plan, plan.start)
    results = added(((plan.target.kills(end), damage_of(plan, end)), chance) for end, chance in law.items())
    seen = plan.target.kills(made.end), damage_of(plan, made.end)
    none = 0 * next(iter(law.values()))
    better = sum(sorted(chance for result, chance in results.items() if result > seen)) + none
    worse = sum(sorted(chance for result, chance in results.items() if result < seen)) + none
    same = results[seen]
    ours, theirs = made.attacker, game.side_of(made.target)
    enemy = ours >= 0 and game.side_of(ours) != theirs
    return AttackLuck(
        number=number,
        line=line,
        round=made.round,
        attacker=game.names[ours] if ours >= 0 else None,
        target=game.names[made.target],
        side=SIDES[1 - theirs] if enemy else None,
        against=SIDES[theirs],
        kind=made.kind,
        killed=seen[0],
        lost=seen[1],
        kills=_spread(results, 0),
        damage=_spread(results, 1),
        at_least=capped(better + same),
        better=better,
        luck=worse + same / 2,
    )


def _spread(results: dict[tuple[int, int], Number], at: int) -> Distribution:
    found = added((result[at], chance) for result, chance in results.items())
    none = 0 * next(iter(found.values()))
    return Distribution(found.get(k, none) for k in range(max(found) + 1))


def _player(side: str, name: str, attacks: tuple[AttackLuck, ...]) -> PlayerLuck:
    made = [one for one in attacks if one.side == side]
    suffered = [one for one in attacks if one.against == side]
    lucks = [*(one.luck for one in made), *(1 - one.luck for one in suffered)]
    return PlayerLuck(side, name, _mean(lucks), _share(made, False), _share(suffered, True))


def _mean(lucks: Sequence[Number]) -> Number | None:
    return sum(lucks) / len(lucks) if lucks else None


def _share(attacks: Sequence[AttackLuck], suffered: bool) -> Share:
    """What attacks came to, the luck of whoever made or suffered them."""
    return Share(
        attacks=len(attacks),
        luck=_mean([1 - one.luck if suffered else one.luck for one in attacks]),
        kills=sum(one.killed for one in attacks),
        expected_kills=sum(one.kills.mean for one in attacks),
        damage=sum(one.lost for one in attacks),
        expected_damage=sum(one.damage.mean for one in attacks),
        unusual=unusual((one.damage for one in attacks), sum(one.lost for one in attacks)) if attacks else None,
    )


def unusual(laws: Iterable[Distribution], seen: int) -> Number:
    """How far out the sum of independent numbers lies: twice the smaller tail, of the seen sum itself half; 1 at the most."""
    total = Distribution([1])
    for law in laws:
        total = total.plus(law)
    total = Distribution(normalised_line(list(total)))
    above = total.at_least(seen + 1) + total.exactly(seen) / 2
    below = sum(total.chances[:seen]) + total.exactly(seen) / 2
    return min(2 * min(above, below), 1)
