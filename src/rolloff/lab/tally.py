"""What is counted while a game is played: actions, shots, losses, decisions, and a hash of everything that happened."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
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
    """The counts of one game: the actions and deeds its edition names, models removed, and what every game has.

    What happened is kept step by step, and counted at once when somebody asks.
    """

    def __init__(self, edition: Edition) -> None:
        """Begin at nothing."""
        self._actions = [action.name for action in edition.actions if action.counted]
        self._deeds = edition.deeds
        self._steps: list[list[Event]] = []
        self._counted = 0, Counter[str]()
        self.decisions = 0

    def add(self, play: Play) -> None:
        """Count a step that was played."""
        self.decisions += play.asked
        self._steps.append(play.events)

    def _happened(self) -> Iterable[Event]:
        return chain.from_iterable(self._steps)

    @property
    def activations(self) -> int:
        """How often a unit was activated."""
        return self._kinds()[ACTIVATED]

    def _kinds(self) -> Counter[str]:
        """How often what happened; counted once while nothing is added."""
        steps, kinds = self._counted
        if steps != len(self._steps):
            kinds = Counter(map(_kind, self._happened()))
            self._counted = len(self._steps), kinds
        return kinds

    @property
    def counts(self) -> dict[str, int]:
        """How often each action was taken and each deed done, and how many models were removed."""
        actions = Counter([event.fact("action") for event in self._happened() if event.kind == ACTIVATED])
        kinds = self._kinds()
        removed = list(map(type, chain.from_iterable(map(_patches, self._happened())))).count(Removed)
        found = dict.fromkeys((*self._actions, *self._deeds.values()), 0)
        for name in self._actions:
            found[name] += actions[name]
        for kind, deed in self._deeds.items():
            found[deed] += kinds[kind]
        return found | {"models_removed": removed}

    def json(self) -> dict[str, Any]:
        """The counts as a duel prints them."""
        return {"activations": self.activations, "decisions": self.decisions, "counts": self.counts}

    @property
    def events(self) -> str:
        """The hash of all events in their order."""
        return "sha256:" + hashlib.sha256(b"".join(map(_encode, self._steps))).hexdigest()
