"""Searching the rules: questions as players ask them."""

from __future__ import annotations

import pytest

from rolloff.editions.clauses import clause_book
from rolloff.table.clause_search import Index, stem, terms

QUESTIONS = [
    ("onepage-3.0", "can I shoot after running", "ACT-3"),
    ("onepage-3.0", "what does pinned do", "PIN-2 PIN-3"),
    ("onepage-3.0", "how many weapons can a model shoot", "SHOOT-6"),
    ("onepage-3.0", "who goes first in the second round", "TURN-6"),
    ("onepage-3.0", "do friendly models block line of sight", "LOS-5"),
    ("onepage-3.0", "can I split fire", "SHOOT-7"),
    ("onepage-3.0", "how do I win", "SCORE-1"),
    ("onepage-3.0", "what happens when a transport is destroyed", "RULE-TRANSPORT-8"),
    ("onepage-3.0", "can I premeasure", "MEAS-1"),
    ("onepage-3.0", "does cover stack with armored", "RES-7"),
    ("onepage-3.0", "who chooses casualties", "CAS-2"),
    ("onepage-3.0", "tie in melee", "MELEE-21"),
    ("onepage-3.0", "can I reroll a die twice", "DICE-8"),
    ("onepage-3.0", "when does deep strike arrive", "RULE-DEEPSTRIKE-2 RULE-DEEPSTRIKE-3"),
    ("onepage-3.0", "can I charge out of a transport", "RULE-FURIOUS-2 RULE-TRANSPORT-5"),
    ("onepage-3.0", "can vehicles turn on the spot", "TYPE-VEH-4"),
    ("onepage-3.0", "do I have to activate a unit, can I pass", "TURN-4"),
    ("onepage-3.0", "what is difficult terrain", "TERR-DIFF-1"),
    ("onepage-3.0", "can a unit be pinned by losing a melee", "MORALE-9 MORALE-10"),
    ("commentary-10", "how often can a die be rerolled", "REROLL-1"),
    ("commentary-10", "do lethal hits trigger devastating wounds", "AUTO-3"),
    ("commentary-10", "who controls an objective", "OC-3 OC-1"),
    ("commentary-10", "does cover help invulnerable saves", "TER-1"),
    ("compendium", "vehicle damage table", "CF-VEH-6"),
    ("compendium", "lethal hits with sustained hits", "IX-2"),
    ("compendium", "deep strike mishap", "SR-DEEP-STRIKE-12"),
]


@pytest.mark.parametrize(("edition", "question", "answers"), QUESTIONS)
def test_a_question_finds_its_clause(edition: str, question: str, answers: str) -> None:
    """The clause that answers a player's question is among the first three."""
    found = [hit.id for hit in clause_book(edition).search(question, 3)]
    assert set(answers.split()) & set(found), found


def test_stems_bring_forms_of_a_word_together() -> None:
    """Forms of one word have one trunk; numbers in words are numbers."""
    assert len({stem(word) for word in ("move", "moves", "moved", "moving", "movement")}) == 1
    assert len({stem(word) for word in ("run", "ran", "running", "runs")}) == 1
    assert terms("Two 6s, re-rolled!") == ["2", "6", "reroll"]


def test_order_is_stable_and_limited() -> None:
    """Equal scores keep the order of the book, and no more than asked for comes back."""
    index = Index()
    for id_ in ("B-1", "A-1", "C-1"):
        index.add(id_, "", "the same words here")
    assert [hit.id for hit in index.search("words", 2)] == ["B-1", "A-1"]
    assert index.search("nothing of the kind", 5) == []
    assert index.search("", 5) == []
