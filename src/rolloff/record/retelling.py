"""A record told again from its beginning: the opening situation, and every event with the sentence a log would show."""

from __future__ import annotations

from typing import Any

from rolloff.errors import IllegalCommand, RecordError
from rolloff.record.lines import Json, Line
from rolloff.record.result import result_of
from rolloff.record.verify import Differs, Replay
from rolloff.rules.play import Play
from rolloff.situations.depiction import marker_rows, write_situation
from rolloff.situations.naming import sentence
from rolloff.situations.wire import event_json
from rolloff.table.state import State

SCHEMA = "rolloff.replay/1"


class Retelling(Replay):
    """A replay that writes every event down as it comes, and the score after every step."""

    def __init__(self, lines: list[Line]) -> None:
        """Take the lines."""
        super().__init__(lines)
        self.log: list[Json] = []
        self.scores: list[tuple[int, int, int]] = []
        self.opening: State
        self.begun = False

    def begin(self) -> None:
        """Keep the state the battle opens with."""
        super().begin()
        self.opening = self.state
        self.begun = True

    def tell(self, play: Play) -> None:
        """Write down what is new, then check it."""
        for event in play.events[self.shown :]:
            number = len(self.log)
            self.log.append(event_json(self.game, event, number) | {"text": sentence(self.game, event)})
        super().tell(play)

    def step(self) -> None:
        """One step, and the score after it."""
        super().step()
        self.scores.append((len(self.log), *self.game.edition.score(self.game, self.state)))


def retell(lines: list[Line]) -> tuple[Retelling, Json | None]:
    """Play a record as far as it is true: what was told, and the difference it stopped at, if any.

    Raises:
        RecordError: not even its header is true, so there is nothing to tell.
    """
    found = Retelling(lines)
    try:
        found.run()
    except IllegalCommand as error:
        raise RecordError("not-true", f"line {found.at}: {error.message}", where="record") from None
    except Differs as stop:
        difference = stop.difference
        if not found.begun:
            raise RecordError("not-true", difference.message, where="header") from None
        return found, {"line": difference.line, "kind": difference.kind, "message": difference.message}
    return found, None


def replay_json(lines: list[Line]) -> Json:
    """All a viewer needs to show a battle again without any rule: opening, events, scores, result.

    Raises:
        RecordError: it is no record.
        UnknownEdition: its edition is not installed.
    """
    replay, difference = retell(lines)
    game = replay.game
    players: Any = lines[0].get("players")
    result = result_of(game, replay.state) if difference is None else None
    return {
        "schema": SCHEMA,
        "title": f"{game.edition.name}: {game.setup.armies[0]} against {game.setup.armies[1]}",
        "edition": game.edition.id,
        "armies": list(game.setup.armies),
        "players": players if isinstance(players, list) else ["", ""],
        "opening": write_situation(game, replay.opening),
        "events": replay.log,
        "markers": marker_rows(game, replay.opening),
        "scores": [list(row) for row in replay.scores],
        "result": None if result is None else result.json(),
        "verified": difference is None,
        "difference": difference,
    }
