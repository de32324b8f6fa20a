"""What is counted while a game is played: actions, shots, losses, decisions, and a hash of everything that happened."""

from __future__ import annotations

import hashlib
from itertools import chain
from operator import attrgetter
from typing import Any

import msgspec

from rolloff.rules.edition import Edition
from rolloff.rules.play import Play
from rolloff.table.event import Event, Removed

ACTIVATED = "activated"
_kind, _patches = attrgetter("kind"), attrgetter("patches")
_encode = msgspec.msgpack.Encoder().encode


class Tally:
    """The counts of one game: the actions and deeds its edition names, models removed, and what every game has."""

    def __init__(self, edition: Edition) -> None:
        """Begin at nothing."""
        self._actions = frozenset(action.name for action in edition.actions if action.counted)
        self._deeds = edition.deeds
        self._told = frozenset((ACTIVATED, *edition.deeds))
        named = [action.name for action in edition.actions if action.counted]
        self.activations = 0
        self.decisions = 0
        self.counts: dict[str, int] = dict.fromkeys((*named, *edition.deeds.values(), "models_removed"), 0)
        self._hash = hashlib.sha256()

    def add(self, play: Play) -> None:
        """Count a step that was played."""
        self.decisions += play.asked
        events = play.events
        self._hash.update(_encode(events))
        if not self._told.isdisjoint(map(_kind, events)):
            for event in events:
                if event.kind in self._told:
                    self._count(event)
        removed = list(map(type, chain.from_iterable(map(_patches, events)))).count(Removed)
        if removed:
            self.counts["models_removed"] += removed

    def _count(self, event: Event) -> None:
        """Count what an event tells of: an action, or a deed."""
        if event.kind != ACTIVATED:
            self.counts[self._deeds[event.kind]] += 1
            return
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
