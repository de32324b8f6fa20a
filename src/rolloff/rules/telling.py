"""How the log tells what the shared verbs write, so that an edition need only say what it says otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rolloff.rules.edition import EventKind

SENTENCES: Mapping[str, str] = {
    "activated": "{unit}: {action}",
    "attacked": "{attacks} attacks on {target}: {hits} hits, {blocked} stopped, {wounds} wounds",
    "cast": "{unit} tries {power} with {dice} dice",
    "casualties": "{unit} loses {removed} models",
    "charge-declared": "{unit} charges",
    "charge-failed": "{unit} does not get there",
    "control": "Control changes: {markers}",
    "deploying": "Player {side} places a unit",
    "disembarked": "{unit} gets out",
    "drawn": "{unit} is drawn",
    "embarked": "{unit} gets into {transport}",
    "fizzled": "{power} fails",
    "game-ended": "The game ends {score}: {winner}",
    "hurt": "{unit} takes {wounds} wounds",
    "held-back": "{unit} stays in reserve",
    "lost": "{unit} loses models that find no room",
    "manifested": "{power} takes hold of {target}",
    "morale-passed": "{unit} holds its nerve",
    "moved": '{unit} moves {longest}"',
    "next": "Player {side}",
    "passed": "Player {side} has enough",
    "picked": "{unit} is next",
    "picks-next": "{unit} must be next",
    "power-dice": "Player {side} has {dice} power dice",
    "reacted": "{unit} reacts: {reaction}",
    "removed": "Models of {unit} are removed",
    "reserved": "{unit} waits in reserve",
    "rolled": "{unit} rolls {purpose}: {faces}",
    "set-up": "{unit} is set up",
    "shot": "{unit} shoots at {target}",
    "strayed": "The marker of {unit} comes down",
}
"""Kinds of events the verbs write, with their sentences; facts are filled in by name."""


def plain_kinds(clauses: Iterable[str], **more: str) -> dict[str, EventKind]:
    """The kinds of events of an edition: those of the verbs and its own, each with its sentence; all may cite the clauses.

    A name with a dash is written with an underscore: ``smells_blood="..."`` is the kind ``smells-blood``.
    """
    cited = frozenset(clauses)
    own = {name.replace("_", "-"): says for name, says in more.items()}
    return {name: EventKind(cited, says) for name, says in {**SENTENCES, **own}.items()}
