"""What a battle came to: who did what, how lucky both players were, where it turned, and how the armies melted away."""

from __future__ import annotations

from rolloff.odds.record_luck import AttackLuck, Luck, PlayerLuck, luck
from rolloff.oracle.law import Number
from rolloff.record.lines import Json, Line
from rolloff.record.retelling import Retelling, retell
from rolloff.rules.game import Game
from rolloff.rules.play import SIDES
from rolloff.situations.naming import names_of

SCHEMA = "rolloff.report/1"
TURNING = 6
"""So many turning points are told."""


def report_json(lines: list[Line]) -> Json:
    """The report of a record that is true.

    Raises:
        RecordError: it is no record, or departs from the game it tells of.
    """
    found = luck(lines)
    replay, _ = retell(lines)
    return {
        "schema": SCHEMA,
        "players": [_player(one) for one in found.players],
        "units": _units(replay, found),
        "turning": _turning(replay.game, lines, found),
        "strength": _strength(replay),
        "scores": [list(row) for row in replay.scores],
    }


def _number(value: Number | None) -> float | None:
    return None if value is None else round(float(value), 4)


def _player(one: PlayerLuck) -> Json:
    return {
        "side": one.side,
        "name": one.name,
        "luck": _number(one.luck),
        "kills": one.made.kills,
        "expected_kills": _number(one.made.expected_kills),
        "lost": one.suffered.kills,
        "expected_lost": _number(one.suffered.expected_kills),
    }


def _units(replay: Retelling, found: Luck) -> list[Json]:
    """Every unit with what it felled and what it lost; units that joined others are told by themselves."""
    game, state = replay.game, replay.state
    living = {slot for unit in state.units for slot in unit.living}
    rows = []
    for number, card in enumerate(game.cards):
        start = game.starts[number]
        left = sum(start + k in living for k in range(len(card.models)))
        made = [one for one in found.attacks if one.attacker == card.id and one.side is not None]
        value = sum(one.killed * _worth(game, one.target) for one in made)
        rows.append(
            {
                "id": card.id,
                "side": SIDES[card.side],
                "name": names_of(game)[card.id],
                "points": card.points,
                "size": len(card.models),
                "lost": len(card.models) - left,
                "kills": sum(one.killed for one in made),
                "value": round(value),
                "fate": "destroyed" if left == 0 else "unhurt" if left == len(card.models) else "stands",
            }
        )
    return rows


def _worth(game: Game, unit: str) -> float:
    """The points of one model of a unit."""
    card = game.cards[game.numbers[unit]]
    return card.points / max(1, len(card.models))


def _turning(game: Game, lines: list[Line], found: Luck) -> list[Json]:
    """The attacks that went furthest from what was to be expected, by points felled; in the order of the battle."""
    names = names_of(game)

    def swing(one: AttackLuck) -> float:
        return (one.killed - float(one.kills.mean)) * _worth(game, one.target)

    most = sorted((one for one in found.attacks if one.side is not None), key=lambda one: -abs(swing(one)))[:TURNING]
    rows = []
    for one in sorted(most, key=lambda one: one.line):
        lucky = one.side if swing(one) > 0 else one.against
        expected = f"{float(one.kills.mean):.1f}"
        text = f"{names.get(one.attacker or '', 'Nobody')} felled {one.killed} of {names[one.target]}"
        rows.append(
            {
                "n": sum(line.type in ("event", "roll") for line in lines[: one.line - 1]),
                "round": one.round,
                "side": lucky,
                "text": f"{text} ({expected} were to be expected)",
                "swing": round(swing(one), 1),
            }
        )
    return rows


def _strength(replay: Retelling) -> list[list[int]]:
    """After so many events so many models are left on each side, at the end of every step."""
    side_of = {model.id: card.side for card in replay.game.cards for model in card.models}
    left = [sum(side == which for side in side_of.values()) for which in (0, 1)]
    rows, ends, at = [[0, *left]], [row[0] for row in replay.scores], 0
    for number, event in enumerate(replay.log, 1):
        for id_, field, value in event["set"]:
            if field == "removed" and value is True:
                left[side_of[id_]] -= 1
        if at < len(ends) and number == ends[at]:
            rows.append([number, *left])
            at += 1
    return rows
