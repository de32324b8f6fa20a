"""Games written down for the tests of luck: whole ones by the seed, and short ones whose dice and answers are set."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from rolloff.editions import registry
from rolloff.lab.duel import Match, chairs_of, play_game, setup_of
from rolloff.oracle.dice import seed_bytes
from rolloff.oracle.oracle import Oracle, Question
from rolloff.record.book import Recorder
from rolloff.record.lines import Line, parse
from rolloff.rules.answers import read_answer
from rolloff.rules.game import Game
from rolloff.rules.play import OVER, Play, play_step
from rolloff.situations.forms import SituationForm, decode
from rolloff.situations.situation import read_situation
from rolloff.table.request import Request

EDITION = "onepage-3.0"
Json = dict[str, Any]


def game_lines(match: Match, index: int, **switches: bool) -> list[Line]:
    """One game of a match, as its record."""
    setup = setup_of(match, index)
    game = Game(registry.edition(match.edition), replace(setup, switches={**setup.switches, **switches}))
    seed, out = seed_bytes(match.seed, index, "dice"), io.BytesIO()
    play_game(game, seed, chairs_of(match, index), Recorder(out, game, seed, match.agents))
    return parse(out.getvalue(), "game")


class SetDice:
    """The same face for every die of a roll, by its label; entered dice, as a record keeps them."""

    def __init__(self, faces: Mapping[str, int]) -> None:
        """Take a face for each label, and threes for others."""
        self.by_label, self.given, self.drawn = faces, list[int](), 0

    def faces(self, n: int, label: str, sides: int = 6) -> Sequence[int]:
        """So many dice."""
        found = [self.by_label.get(label, 3)] * n
        self.given += found
        self.drawn += n
        return found


class Set:
    """Answers by their kind, as records write them; the default of whatever is not named."""

    def __init__(self, game: Game, answers: Mapping[str, Any]) -> None:
        """Take an answer for each kind."""
        self.game, self.answers = game, answers

    def choose(self, request: Question, play: object) -> object:
        """The answer set for this kind, where it is among what is offered."""
        assert isinstance(request, Request) and isinstance(play, Play)
        value = self.answers.get(request.kind)
        if value is None or (request.options is not None and value not in request.options):
            return request.default
        return read_answer(self.game, play.state, request, value)

    def refused(self, request: Question, answer: object, error: Exception) -> bool:
        """Nothing of this is refused."""
        return False


def unit(id: str, side: str, models: int, at: tuple[float, float], **more: Any) -> Json:
    """A row of models, an inch and a half apart."""
    body = {key: more.pop(key) for key in ("weapons",) if key in more} | {"base": {"circle": 1}}
    rows = [{"id": f"{id}.{k + 1}", "at": [at[0] + 1.5 * k, at[1]], **body} for k in range(models)]
    return {"id": id, "name": id, "side": side, "quality": 4, "points": 100, "models": rows} | more


def scripted(units: Sequence[Json], faces: Mapping[str, int], answers: Mapping[str, Any], **more: Any) -> list[Line]:
    """The last round of a game between these units, as its record."""
    written = {"edition": EDITION, "round": 4, "active": "A", "units": list(units)} | more
    found = read_situation(decode(msgspec.json.encode(written), SituationForm))
    game, state, out = found.game, found.state, io.BytesIO()
    recorder = Recorder(out, game, None, ("Ann", "Ben"), state=state)
    while state.clock.phase != OVER:
        play = play_step(game, state, Oracle(SetDice(faces), Set(game, answers)))
        recorder.step(play, state)
        state = play.state
    recorder.end(state)
    return parse(out.getvalue(), "game")
