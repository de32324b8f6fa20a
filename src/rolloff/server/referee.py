"""The referee: plays the games of one worker, each from its plan and its tape, and one thing at a time."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from rolloff.errors import IllegalCommand, RolloffError
from rolloff.oracle.dice import stream_seed
from rolloff.oracle.oracle import Chooser
from rolloff.record.signing import Signer
from rolloff.server.giving_way import GivesWay
from rolloff.server.live import BattlePlan, LiveGame, Outcome
from rolloff.situations.naming import named

MOST_GAMES = 100
"""So many games are held ready; the others are played up to their last answer when they are wanted."""

T = TypeVar("T")
_log = logging.getLogger(__name__)


class Opponents(Protocol):
    """Whoever knows the machines by their names."""

    def install(self) -> None:
        """Make what is to be played known in this process."""
        ...

    def opponent(self, name: str, seed: bytes, side: int) -> Chooser:
        """A machine player, or `BadInput`."""
        ...


class EngineFault(RolloffError):
    """The engine broke down over something; the game stands as it was."""


class NotOpen(RolloffError):
    """The worker does not hold this game: it must be opened first."""


class Referee:
    """The games of one worker."""

    def __init__(self, opponents: Opponents, signer: Signer | None) -> None:
        """Begin with none."""
        opponents.install()
        self._opponents = opponents
        self._signer = signer
        self._games: OrderedDict[str, LiveGame] = OrderedDict()

    def open(self, plan: BattlePlan, tape: list[str]) -> Outcome:
        """Play a game up to where its tape ends."""
        machines = [self._machine(plan, side, name, len(tape)) for side, name in enumerate(plan.machines)]
        live = LiveGame(plan, (machines[0], machines[1]), self._signer)
        found = self._guard(plan.id, lambda: live.open(tape))
        self._games[plan.id] = live
        while len(self._games) > MOST_GAMES:
            self._games.popitem(last=False)
        return found

    def _machine(self, plan: BattlePlan, side: int, name: str, entries: int) -> Chooser | None:
        if not name:
            return None
        return GivesWay(self._opponents.opponent(name, stream_seed(plan.fairness.secret, "choices", side, entries), side))

    def close(self, id_: str) -> None:
        """Let a game go."""
        self._games.pop(id_, None)

    def act(self, id_: str, what: str, *given: Any) -> Outcome:
        """Let something happen in a game: answer, talk, carry_on, take_back. If it is refused or breaks, nothing has."""
        live = self._find(id_)
        return self._guard(id_, lambda: ACTS[what](live, *given), live)

    def ask(self, id_: str, kind: str, value: Any) -> dict[str, Any]:
        """Something about the open question that changes nothing."""
        live = self._find(id_)
        return self._guard(id_, lambda: live.ask(kind, value), live)

    def hello(self, id_: str) -> bytes:
        """What a newcomer must know of a game besides its log."""
        return self._find(id_).hello()

    def record(self, id_: str) -> bytes:
        """The record of a game so far."""
        return self._find(id_).record()

    def ready(self) -> None:
        """Nothing: whoever asks wants to know that this worker is awake."""

    def _find(self, id_: str) -> LiveGame:
        found = self._games.get(id_)
        if found is None:
            raise NotOpen("not-open", f"game {id_!r} is not open here")
        self._games.move_to_end(id_)
        return found

    def _guard(self, id_: str, work: Callable[[], T], live: LiveGame | None = None) -> T:
        try:
            return work()
        except RolloffError as error:
            if live is not None and isinstance(error, IllegalCommand):
                error.message = named(live.game, error.message)
            raise
        except Exception as error:
            _log.exception("the engine broke down in battle %s", id_)
            raise EngineFault("engine-fault", "the referee stumbled over this; the game stands") from error


ACTS: dict[str, Callable[..., Outcome]] = {
    "answer": LiveGame.answer,
    "talk": LiveGame.talk,
    "carry_on": LiveGame.carry_on,
    "take_back": LiveGame.take_back,
}
"""What may happen in a game."""
