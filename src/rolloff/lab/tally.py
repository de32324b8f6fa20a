"""What is counted while a game is played: actions, shots, losses, decisions, and a hash of everything that happened."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from rolloff.rules.edition import Edition
from rolloff.rules.play import Play
from rolloff.table.event import Event, Removed

ACTIVATED = "activated"
_encode = msgspec.msgpack.Encoder().encode


class Tally:
    """The counts of one game: the actions and deeds its edition names, models removed, and what every game has."""

    def __init__(self, edition: Edition) -> None:
        """Begin at nothing."""
        self._actions = frozenset(action.name for action in edition.actions if action.counted)
        self._deeds = edition.deeds
        named = [action.name for action in edition.actions if action.counted]
        self.activations = 0
        self.decisions = 0
        self.counts: dict[str, int] = dict.fromkeys((*named, *edition.deeds.values(), "models_removed"), 0)
        self._hash = hashlib.sha256()

    def add(self, play: Play) -> None:
        """Count a step that was played."""
        self.decisions += play.asked
        self._hash.update(_encode(play.events))
        for event in play.events:
            kind = event.kind
            if kind == ACTIVATED:
                self._count_action(event)
            elif kind in self._deeds:
                self.counts[self._deeds[kind]] += 1
            if event.patches and Removed in map(type, event.patches):
                self.counts["models_removed"] += sum(type(patch) is Removed for patch in event.patches)

    def _count_action(self, event: Event) -> None:
        self.activations += 1
        action = event.fact("action")
        if action in self._actions:
            self.counts[str(action)] += 1

    def json(self) -> dict[str, Any]:
        """The counts as a duel prints them."""
        return {"activations": self.activations, "decisions": self.decisions, "counts": self.counts}

    @property
    def events(self) -> str:
        """The hash of all events in their order."""
        return "sha256:" + self._hash.hexdigest()
