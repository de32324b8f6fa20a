"""What players are told: sentences instead of clauses, names instead of ids, the questions of one screen, previews."""

from __future__ import annotations

import re
from typing import Any

import pytest

from rolloff.agents import make
from rolloff.armies import library
from rolloff.editions import registry
from rolloff.errors import IllegalCommand
from rolloff.odds.quick import preview
from rolloff.oracle.dice import Stream, seed_bytes
from rolloff.oracle.oracle import Question
from rolloff.record.session import Session
from rolloff.rules.answers import write_answer
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.rules.windows import REACT
from rolloff.server.previews import look
from rolloff.server.prompts import clause_json, gist, prompt_json, rules_in, words_json
from rolloff.server.survey import survey
from rolloff.situations.naming import named, sentence
from rolloff.table.event import Event
from rolloff.table.request import Request

Json = dict[str, Any]
IDS = re.compile(r"\b[ab]\d+(\.\d+)?\b")


def session(seed: int = 1, rules: str = "onepage-3.0", points: int = 0) -> Session:
    """A battle of the usual armies, at its first question to a person on side A."""
    edition = registry.edition(rules)
    game = Game(edition, library.setup_for(edition, "", "", "", "", points, seed=seed))
    found = Session(game, seed_bytes(seed, "game", 0), [None, make("greedy", Stream(seed_bytes(seed, 0, "choices", 1)), 1)])
    found.advance()
    return found


def asked(table: Session) -> Json:
    """The open question as a page shows it."""
    assert table.request is not None
    return prompt_json(table.game, table.now, table.request, 0, table.play)


def play_until(table: Session, kind: str, action: str = "walk") -> None:
    """Answer by default, and with one action where it is offered, until a kind of question comes up."""
    while table.request is not None and table.request.kind != kind:
        wants = table.request.options and action in table.request.options
        table.answer(action if wants else table.request.default)


def test_what_reactions_are_paid_from_has_a_name() -> None:
    """A page shows of a player's marks those with a name: the edition's own, else what its reactions are paid from."""
    from tests.docs.gullet import EDITION

    assert words_json(EDITION)["marks"]["breath"] == "{value} breath"
    assert words_json(registry.edition("commentary-10"))["marks"]["cp"] == "{value} CP"


def test_a_clause_cut_short_ends_in_an_ellipsis_and_a_whole_one_in_a_stop() -> None:
    """What a note says of a rule has one mark at its end, whether the rule fits or not."""
    edition = registry.edition("commentary-10")
    assert gist(edition, "CSTR-1").endswith("number-of-attacks…")
    assert gist(edition, "DICE-2").endswith("range.") and gist(edition, "CSTR-99") == ""


def test_a_stratagem_of_a_book_says_what_it_does() -> None:
    """Beside a Stratagem of a detachment stands what its book says of it; beside any other and any ability something too."""
    table, notes = session(2, "commentary-10", 500), dict[str, str]()
    while table.request is not None:
        if table.request.kind == "react":
            notes |= asked(table)["notes"]
        table.answer(table.request.default)
    told = {option.rstrip("0123456789ab. "): note for option, note in notes.items()}
    assert told["Sink Away"].startswith("A unit outside Engagement Range goes into Strategic Reserves")
    assert told["Fire Overwatch"] == "The unit shoots at it at once; only natural sixes hit."
    assert told["Replaced Once"].startswith("It is removed, and a new full unit") and all(told.values())


def test_every_question_of_a_battle_is_a_sentence_without_ids() -> None:
    """A whole battle asks nothing without a title and a sentence, and no id is in what a player reads."""
    table = session()
    while table.request is not None:
        shown = asked(table)
        assert shown["title"] and shown["text"], shown["point"]
        read = [shown["title"], shown["text"], *shown["words"].values(), *shown["notes"].values()]
        read += [row["why"] for row in shown["missing"]]
        assert not any(IDS.search(text) for text in read), read
        wants = table.request.options and "walk" in table.request.options
        table.answer("walk" if wants else table.request.default)


def test_actions_say_how_far_and_why_one_is_missing() -> None:
    """Each action says its distance and what follows; an assault that is not offered says why."""
    table = session()
    play_until(table, "choose-action")
    shown = asked(table)
    assert shown["notes"]["walk"] == "up to 6″, then shoot with one weapon each"
    assert {"option": "assault", "why": "no enemy can be reached within 12″"} in shown["missing"]


def test_a_refusal_names_models_and_terrain() -> None:
    """Ids in a sentence become names; whatever else stands in it stays as it is."""
    game = session().game
    piece = game.setup.table.terrain[0]
    said = named(game, f"a2.3 would enter {piece.id}.wall-1, not [/x] or <b>")
    assert said == f"{game.cards[1].name} A2.3 would enter {piece.name}, not [/x] or <b>"


def test_the_army_screen_changes_with_its_rows() -> None:
    """Who joins a unit is no longer asked whether it rides; the plan is shown in the rows, and nothing has happened."""
    table = session()
    while table.request is not None and asked(table)["row"] == "":
        table.answer(table.request.default)
    before = table.now
    plain = survey(table, {})
    joined = survey(table, {"DP-3:join:a1": "a2"})
    assert [row["value"] for row in plain if row["row"] == "Joins"] == ["none"]
    assert [row["value"] for row in joined if row["row"] == "Joins"] == ["a2"]
    assert {row["about"] for row in plain} - {row["about"] for row in joined} == set()
    assert "DP-4:board:a1" in {row["key"] for row in plain} - {row["key"] for row in joined}
    assert table.now is before


def test_a_look_ahead_gives_the_odds_the_shot_will_have() -> None:
    """Targets, ranges and odds shown for a move are those of the question that follows it."""
    table, ahead = session(), Json()
    while not ahead.get("targets"):
        play_until(table, "move")
        assert table.request is not None
        value = write_answer(table.game, table.now, table.request, table.request.default)
        ahead = look(table, value)
        table.answer(table.request.default)
    assert table.request is not None and table.request.kind == "choose-target"
    assert {row["unit"] for row in ahead["targets"]} == set(table.request.options or ()) - {"hold-fire"}
    for row in ahead["targets"]:
        assert table.play is not None
        assert row["odds"] == preview(table.play, table.request, row["unit"])
    assert all(row["range"] > 0 for row in ahead["seen_by"])


def test_a_look_at_a_refused_move_is_refused() -> None:
    """Where a move is illegal there is nothing to see, and the refusal says why."""
    table = session()
    play_until(table, "move")
    with pytest.raises(IllegalCommand):
        look(table, {"shift": [60, 0]})


def test_one_of_a_thing_is_one_and_a_name_in_brackets_keeps_its_tag() -> None:
    """The log says 1 hit, not 1 hits, and a unit that shares its name is told apart by the tag on its tokens."""
    table = session()
    kind = table.game.edition.kinds["attacked"]
    facts = (("attacks", 1), ("target", 1), ("hits", 1), ("ignored", 0), ("blocked", 0), ("wounds", 11))
    said = sentence(table.game, Event("attacked", tuple(kind.clauses), (), facts))
    assert said == "1 attack on Sentinels (A2): 1 hit, 0 ignored, 0 blocked, 11 wounds"


def test_what_no_unit_in_particular_did_its_side_did() -> None:
    """A rule that a player has to use as a whole is told of the player, not of nobody."""
    edition = registry.edition("commentary-10")
    setup = library.setup_for(edition, "hollow-tide-500", "verdigris-mandate-500", "toll-crossing", "default", 500, 5)
    facts = (("reaction", "After death"), ("unit", None), ("side", "B"))
    assert sentence(Game(edition, setup), Event("ability", ("FIGHTDEATH-3",), (), facts)) == "B uses After death"


class Listener:
    """A machine that keeps what each kind of question looks like on a page before it answers."""

    def __init__(self, side: int, seen: dict[tuple[str, str], Json]) -> None:
        """Answer by lot for a side."""
        self.agent = make("random", Stream(seed_bytes(5, side)), side)
        self.seen = seen

    def choose(self, request: Question, play: object) -> object:
        """Note the question, then answer it."""
        assert isinstance(request, Request) and isinstance(play, Play)
        found = prompt_json(play.game, play.state, request, 0, play)
        self.seen[request.kind, str(dict(request.facts).get("moment", request.point))] = found
        return self.agent.choose(request, play)

    def refused(self, request: Question, answer: object, error: Exception) -> bool:
        """Think again."""
        return self.agent.refused(request, answer, error)


def test_every_question_of_a_battle_in_phases_is_asked_in_words() -> None:
    """Each has a title without ids; who may use a rule reads what it does, what it costs, and the dice it would change."""
    edition = registry.edition("commentary-10")
    seen: dict[tuple[str, str], Json] = {}
    for armies in (("lantern-reach-1000", "hollow-tide-1000"), ("verdigris-mandate-1000", "lantern-reach-1000")):
        setup = library.setup_for(edition, *armies, "drowned-terraces", "sealed-instructions", 1000, 5)
        Session(Game(edition, setup), seed_bytes(5, "dice"), [Listener(side, seen) for side in (0, 1)]).advance()
    assert len(seen) > 25
    for found in seen.values():
        said = [found["title"], found["text"], *found["words"].values(), *found["notes"].values()]
        assert found["title"] and [text for text in said if IDS.search(text) or "objective-" in text or "{" in text] == []
    reactions = [found for found in seen.values() if found["kind"] == REACT]
    assert all(found["notes"][option] for found in reactions for option in found["options"] if option != "pass")
    assert any(cost.endswith(" CP") for found in reactions for cost in found["costs"].values())
    assert re.search(r" rolls \w[\w -]*( \d\+)?: \d", seen[REACT, "rolled"]["title"])


def test_rules_of_the_books_have_words() -> None:
    """A Stratagem, an ability, an Enhancement and a card are explained by their ids, and a rule of a card as it is printed."""
    edition = registry.edition("commentary-10")
    assert clause_json(edition, "STR-M1")["text"].startswith("Stoke the Bellows (1 CP, Foundry Column, Wargear): Its bellows")
    assert all(clause_json(edition, id_)["text"] for id_ in ("AB-R11", "ENH-M2", "DET-R", "SEC-12"))
    assert rules_in(edition, "Scouts 6") == ["ABIL-9"]
    assert rules_in(edition, "Fights On Death 4+") == ["AB-T5", "FIGHTDEATH-1"]
    assert rules_in(edition, "No Such Rule") == []
