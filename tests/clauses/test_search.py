"""Searching the rules: questions as players ask them."""

from __future__ import annotations

import pytest

from rolloff.editions.clauses import FAMILIES, clause_book
from rolloff.table.clause_search import Index, Vocabulary, WordFile
from tests.clauses.hard_questions import HARD_SETS
from tests.clauses.odd_questions import SETS
from tests.clauses.questions import ASKED
from tests.clauses.table_questions import COMMENTARY, TABLE_SETS

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
    ("commentary-10", "can my tank fire its gun while enemies are touching it", "BGNT-1 LIC-2"),
    ("commentary-10", "what number do I roll to hurt something tougher than my weapon", "ATK-3"),
    ("commentary-10", "leftover damage when a guy only has one life", "ATK-9"),
    ("commentary-10", "how far do I have to stay from the bad guys when I deep strike", "ABIL-2"),
    ("commentary-10", "my squad ran away from a fight, may it fire its guns", "SHOOT-1 MOVE-7"),
    ("commentary-10", "can two of my leaders join the same squad", "ATTACH-1 ABIL-7 LEAD-3"),
    ("compendium", "my gun overheats", "SR-GETS-HOT-1"),
    ("compendium", "who swings first in a brawl", "CF-ASLT-5"),
    ("compendium", "how do I shoot down a plane", "SR-SKYFIRE-1"),
    ("compendium", "vehicle damage table", "CF-VEH-6"),
    ("compendium", "lethal hits with sustained hits", "IX-2"),
    ("compendium", "deep strike mishap", "SR-DEEP-STRIKE-12"),
]


NEWCOMERS = [
    ("onepage-3.0", "my guys are in the woods, what do they get when someone shoots at them", "TERR-COVER-2"),
    ("onepage-3.0", "how close together do my men have to be", "COH-1 COH-2"),
    ("onepage-3.0", "are we stuck in combat after the charge", "MELEE-26"),
    ("onepage-3.0", "my truck got blown up with a squad in it", "RULE-TRANSPORT-8"),
    ("onepage-3.0", "do trees block bullets", "LOS-4 TERR-COVER-2"),
    ("onepage-3.0", "can I fire my gun from inside the transport", "RULE-TRANSPORT-4"),
    ("onepage-3.0", "how do I make my unit stop being pinned", "PIN-3"),
    ("onepage-3.0", "what happens if I lose half my squad to gunfire", "MORALE-2 MORALE-8"),
    ("onepage-3.0", "does the guy on the hill get an advantage when charged", "ELEV-3"),
    ("onepage-3.0", "can two of my units gang up on the same enemy in a fight", "MELEE-28"),
    ("onepage-3.0", "do soldiers in the back row get to swing", "MELEE-9"),
    ("onepage-3.0", "is there a minimum distance to other squads when walking", "MOVE-3"),
    ("onepage-3.0", "when does my unit run off the table", "MORALE-10 ROUT-1"),
    ("onepage-3.0", "how many bullets does my squad shoot", "SHOOT-8"),
    ("onepage-3.0", "can my tank drive over a wall", "TERR-IMP-1 MOVE-7"),
    ("onepage-3.0", "what do I roll to not die from a hit", "SHOOT-10 RES-8"),
    ("onepage-3.0", "who gets to pick which of my soldiers is killed", "CAS-2"),
    ("onepage-3.0", "can my wizard cast without seeing the target", "RULE-PSYKER-4"),
    ("onepage-3.0", "do I get points for a squad that is nearly dead", "SCORE-3"),
    ("onepage-3.0", "what if both players kill the same amount", "SCORE-2 MELEE-21"),
    ("onepage-3.0", "can I hit the back of a tank for more damage", "VDMG-4 VDMG-10"),
    ("onepage-3.0", "my boss wants to hang out with a squad", "JOIN-3"),
    ("onepage-3.0", "how big is the board", "TABLE-1"),
    ("onepage-3.0", "the mortar cannot see its target", "RULE-INDIRECT-1"),
    ("onepage-3.0", "do I have to move all my soldiers the full distance", "ACT-8 MOVE-8"),
    ("onepage-3.0", "what does tough mean for a monster", "RULE-TOUGH-1"),
    ("onepage-3.0", "can I come in from reserve right beside the enemy", "RULE-DEEPSTRIKE-4"),
    ("onepage-3.0", "does getting charged use up my turn", "MELEE-15"),
    ("onepage-3.0", "my opponent has fewer units and runs out of things to do", "TURN-5"),
    ("onepage-2.21", "how many tanks am I allowed", "ARMY-4"),
    ("onepage-2.21", "do models that are killed still swing back", "MELEE-16"),
    ("onepage-2.21", "walker gets hurt, which table", "TYPE-WALK-1 VDMG-1"),
    ("onepage-2.21", "does charging give more attacks", "MELEE-12"),
    ("onepage-2.21", "which fighter goes first with strikes first on both sides", "RULE-STRIKES-2 MELEE-17"),
    ("onepage-2.21", "is my reserve guaranteed to show up in the final round", "RULE-DEEPSTRIKE-3 RULE-DEEPSTRIKE-2"),
    ("apocalypse-3.3", "can an enemy walk into the forest my unit is in", "TERR-FOOT-4"),
    ("apocalypse-3.3", "do all my men need to see the target or just the leader", "SHOOT-4"),
    ("apocalypse-3.3", "how do I shuffle the rest of the squad around the leader", "MOVE-12"),
    ("apocalypse-3.3", "can the sniper choose his victim", "RULE-SNIPER-2"),
    ("apocalypse-3.3", "how far away is a unit that stands inside a building", "TERR-FOOT-3 TERR-FOOT-1 MEAS-8"),
]
"""Forty questions as somebody asks them who has not read the book."""


@pytest.mark.parametrize(("edition", "question", "answers"), [*QUESTIONS, *NEWCOMERS, *ASKED, *COMMENTARY])
def test_a_question_finds_its_clause(edition: str, question: str, answers: str) -> None:
    """The clause that answers a player's question is among the first three."""
    found = [hit.id for hit in clause_book(edition).search(question, 3)]
    assert set(answers.split()) & set(found), found


def test_stems_bring_forms_of_a_word_together() -> None:
    """Forms of one word have one trunk, irregular ones too; numbers in words are numbers; phrases are one word."""
    words = Vocabulary(
        WordFile(forms={"ran": "run", "two": "2", "movement": "move"}, phrases={"re-roll": "reroll", "re-rolled": "reroll"})
    )
    assert len({words.stem(word) for word in ("move", "moves", "moved", "moving", "movement")}) == 1
    assert len({words.stem(word) for word in ("run", "ran", "running", "runs")}) == 1
    assert words.terms("Two 6s, re-rolled!") == ["2", "6", words.stem("reroll")]


def test_every_known_question_is_about_a_clause_there_is() -> None:
    """The files of words name clauses that exist, and each clause is found by the first questions written down for it."""
    books = {family: [clause_book(e) for e, f in FAMILIES.items() if f == family] for family in FAMILIES.values()}
    for own in books.values():
        for id_, questions in own[0].vocabulary.asked.items():
            having = [book for book in own if id_ in book]
            assert having, id_
            for question in questions[:3]:
                assert id_ in [hit.id for hit in having[0].search(question, 3)], (id_, question)


def test_order_is_stable_and_limited() -> None:
    """Equal scores keep the order of the book, and no more than asked for comes back."""
    index = Index()
    for id_ in ("B-1", "A-1", "C-1"):
        index.add(id_, "", "the same words here")
    assert [hit.id for hit in index.search("words", 2)] == ["B-1", "A-1"]
    assert index.search("xylophone", 5) == []
    assert index.search("", 5) == []


ALL_SETS = SETS | TABLE_SETS | HARD_SETS


@pytest.mark.parametrize("name", sorted(ALL_SETS))
def test_most_odd_questions_find_their_clause(name: str) -> None:
    """Of forty questions, odd ones among them, at least thirty-six have their answer in the first three places."""
    missed = [
        asked
        for edition, asked, ids in ALL_SETS[name]
        if not {hit.id for hit in clause_book(edition).search(asked, 3)} & set(ids.split())
    ]
    assert len(ALL_SETS[name]) == 40
    assert len(missed) <= 4, missed


def test_everyday_words_are_read_as_the_words_of_the_book() -> None:
    """A word that says the same is taken for it in every form; other words stay what they are."""
    words = Vocabulary(WordFile(same={"vehicle": "lorry jeep"}))
    assert words.terms("lorries jeep vehicles tank") == ["vehicl", "vehicl", "vehicl", "tank"]


def test_a_common_word_stands_for_one_rare_word_at_most() -> None:
    """Two rare words akin to one common word do not make a known question of that word the nearest."""
    asked = {"HIDE-1": ["where is cover"], "STEALTH-1": ["what does a cloak do", "veil and cloak"]}
    index = Index(
        Vocabulary(WordFile(synonyms={"shroud mantle": "cover cloak"}, asked=asked, stop="where is what does a do and"))
    )
    for number in range(8):
        index.add(f"HIDE-{number + 1}", "", "cover for all")
    index.add("STEALTH-1", "cloak", "a cloak hides its bearer")
    assert index.search("shroud mantle", 1)[0].id == "STEALTH-1"
