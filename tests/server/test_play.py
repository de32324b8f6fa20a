"""A battle over the wire: answers, refusals, seats, judgements, records."""

from __future__ import annotations

import msgspec

from tests.server.conftest import Json, Seat, Table


def play_out(seat: Seat, message: Json) -> Json:
    """Take every default until the game is over; the last message."""
    while message["over"] is None:
        seat.say(type="answer", value=message["request"]["default"], serial=message["request"]["serial"])
        message = seat.settled()
    return message


def test_greeting_tells_the_whole_situation(table: Table) -> None:
    """Whoever connects is told situation, log, open request and score."""
    with table.sit(table.start()) as seat:
        hello = seat.heard()
    assert (hello["type"], hello["seat"], hello["over"], hello["score"]) == ("hello", "A", None, [0, 0])
    assert [event["text"] for event in hello["log"]] == ["Red is set down", "Green is set down", "Side A is next"]
    assert hello["situation"]["units"][0]["models"][0]["at"] == [10.0, 10.0]
    assert hello["request"]["options"] == ["heads", "tails"]
    assert hello["request"]["text"] == "Call the coin; one die decides."


def test_a_whole_game_and_its_record(table: Table) -> None:
    """A game is played to its end over the wire, and its record holds every answer and the end."""
    game = table.start()
    with table.sit(game) as seat:
        last = play_out(seat, seat.heard())
    assert last["over"]["score"] == last["score"]
    assert last["over"]["winner"] in ("A", "B", "draw")
    lines = [msgspec.json.decode(line) for line in table.get(game, "/record").text.splitlines()]
    kinds = [line["t"] for line in lines]
    assert (kinds[0], kinds[-1], kinds.count("answer")) == ("header", "end", 8)
    assert lines[0]["players"] == ["person", "default"]


def test_same_seed_same_game(table: Table) -> None:
    """The same seed and the same answers give the same record, byte for byte."""
    records = []
    for _ in range(2):
        game = table.start()
        with table.sit(game) as seat:
            play_out(seat, seat.heard())
        records.append(table.get(game, "/record").content)
    assert records[0] == records[1]


def test_refused_answer_is_struck(table: Table) -> None:
    """A refused answer is told with its clause, changes nothing, and the request stands."""
    with table.sit(table.start()) as seat:
        seat.heard()
        moving = seat.answer("heads")
        refused = seat.ask(type="answer", value={"shift": [7, 0]})
        assert refused["type"] == "refused"
        assert refused["refusal"] == {
            "code": "too-long",
            "clause": "FLIP-3",
            "message": "the runner goes too far",
            "value": None,
        }
        seat.say(type="answer", value={"shift": [5, 0]}, serial=moving["request"]["serial"])
        ran = next(event for event in seat.heard()["events"] if event["kind"] == "ran")
    assert ran["set"][0] == ["red.1", "at", [15.0, 10.0]]


def test_judging_touches_nothing(table: Table) -> None:
    """However often an answer is judged, the dice that fall are those of a game that was never judged."""
    tosses = []
    for judged in (False, True):
        with table.sit(table.start()) as seat:
            seat.heard()
            for value in ("heads", "tails", "edge") if judged else ():
                verdict = seat.ask(type="judge", id=1, value=value)
                assert verdict["legal"] is (value != "edge")
                assert (verdict["refusal"] or {}).get("clause") == (None if verdict["legal"] else "FLIP-2")
            seat.say(type="answer", value="heads")
            events = seat.heard()["events"]
            for far, legal in ((3, True), (30, False)) if judged else ():
                assert seat.ask(type="judge", id=2, value={"shift": [far, 0]})["legal"] is legal
            seat.say(type="answer", value="stay")
            events += seat.heard()["events"]
            tosses.append([event["facts"]["faces"] for event in events if event["kind"] == "rolled"])
    assert tosses[0] == tosses[1]


def test_second_seat_and_spectator_see_the_same(table: Table) -> None:
    """Two players and a spectator on one game are told the same events, and each answers only for itself."""
    game = table.start(opponent="person")
    with table.sit(game, "A") as one, table.sit(game, "B") as two, table.sit(game, "none") as nobody:
        everybody = (one, two, nobody)
        assert [seat.heard()["seat"] for seat in everybody] == ["A", "B", "none"]
        for seat in (two, nobody):
            assert seat.ask(type="answer", value="heads")["message"] in (
                "this is for side A to decide",
                "who looks on does not answer",
            )
        one.say(type="answer", value="heads")
        tossed = [seat.heard() for seat in everybody]
        one.say(type="answer", value="stay")
        report = [seat.heard() for seat in everybody]
        assert tossed[0] == tossed[1] == tossed[2]
        assert report[0] == report[1] == report[2]
        assert report[0]["request"]["who"] == "B"
        assert two.answer("tails")["events"]


def test_one_player_with_both_hands(table: Table) -> None:
    """Who plays against nobody has both seats."""
    game = table.start(opponent="self")
    assert set(table.tokens[game]) == {"both", "none"}
    with table.sit(game, "both") as seat:
        assert play_out(seat, seat.heard())["over"] is not None


def test_late_answer_meets_no_other_question(table: Table) -> None:
    """An answer to a question that has been answered already is turned away."""
    with table.sit(table.start()) as seat:
        serial = seat.heard()["request"]["serial"]
        seat.say(type="answer", value="heads", serial=serial)
        seat.heard()
        seat.say(type="answer", value="heads", serial=serial)
        assert seat.heard()["message"] == "this question has been answered already"


def test_a_fault_of_the_rules_leaves_the_game_standing(table: Table) -> None:
    """If the engine breaks down over an answer, the page is told so in a sentence and may answer otherwise."""
    with table.sit(table.start(mission="broken", opponent="self"), "both") as seat:
        message = seat.heard()
        for value in ("heads", "stay", "heads", "stay"):
            seat.say(type="answer", value=value)
            message = seat.heard()
        assert message["request"]["who"] == "A"
        stumbled = {"type": "error", "message": "the referee stumbled over this; the game stands"}
        assert seat.ask(type="answer", value="tails") == stumbled
        assert seat.answer("heads")["type"] == "events"


def test_odds_of_what_is_no_attack(table: Table) -> None:
    """An option that is no attack has no odds; one that is not offered is an error."""
    with table.sit(table.start()) as seat:
        seat.heard()
        none = {"type": "odds", "id": 4, "option": "heads", "odds": None, "line": None}
        assert seat.ask(type="odds", id=4, option="heads") == none
        assert seat.ask(type="odds", id=5, option="edge") == {
            "type": "error",
            "id": 5,
            "message": "this is not among what is offered",
        }
