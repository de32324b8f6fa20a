"""What does not belong is turned away in one clear sentence: bad input, other sites, unknown games."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import Headers
from websockets.exceptions import ConnectionClosed, InvalidStatus

from rolloff.server.guard import trouble
from tests.record.conftest import play_coin
from tests.server.conftest import Table

JSON = {"content-type": "application/json"}


@pytest.mark.parametrize(
    ("host", "origin", "passes"),
    [
        ("127.0.0.1:8642", None, True),
        ("localhost:8642", "http://localhost:8642", True),
        ("[::1]:8642", "http://[::1]:8642", True),
        ("127.0.0.1:8642", "http://127.0.0.1:9999", False),
        ("127.0.0.1:8642", "https://example.org", False),
        ("127.0.0.1:8642", "null", False),
        ("rebound.example.org:8642", None, False),
        ("127.0.0.1.example.org", None, False),
        ("", None, False),
    ],
)
def test_only_pages_of_this_server_pass(host: str, origin: str | None, passes: bool) -> None:
    """The host must be a loopback name and an origin that same host."""
    headers = {"host": host} | ({"origin": origin} if origin is not None else {})
    assert (trouble(Headers(headers)) is None) is passes


def test_another_site_cannot_start_or_join(table: Table) -> None:
    """A request or connection with a foreign origin is refused before anything happens."""
    foreign = {"origin": "https://example.org"}
    reply = table.client.post("/api/games", json={}, headers=foreign)
    assert (reply.status_code, reply.json()["error"]["code"]) == (403, "forbidden")
    assert table.client.get("/api/games").json() == {"games": []}
    with pytest.raises(InvalidStatus), table.sit("any", origin="https://example.org"):
        pass


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", "bad-message"),
        (b"[]", "bad-message"),
        (b'{"cheat": true}', "bad-message"),
        (b'{"seed": "many"}', "bad-message"),
        (b'{"seed": 1e400}', "bad-message"),
        (b'{"seed": 99999999999999999999}', "bad-seed"),
        (b'{"edition": "chess"}', "unknown-edition"),
        (b'{"opponent": "oracle"}', "unknown-agent"),
        (b'{"seat": "C"}', "bad-seat"),
        (b'{"army_a": "../armies/mine.toml"}', "not-offered"),
        (b'{"mission": "sabotage"}', "not-offered"),
        (b"[" * 100_000, "bad-message"),
        (b" " * 300_000, "too-large"),
        (b"\xff\xfe", "bad-message"),
    ],
)
def test_bad_wishes_start_nothing(table: Table, body: bytes, code: str) -> None:
    """A game that cannot be is refused with a code and a sentence, and no game is left behind."""
    reply = table.client.post("/api/games", content=body, headers=JSON)
    assert 400 <= reply.status_code < 500
    error = reply.json()["error"]
    assert error["code"] == code
    assert error["message"]
    assert table.client.get("/api/games").json() == {"games": []}


def test_a_form_of_another_site_is_no_wish(table: Table) -> None:
    """A body that is not sent as JSON is not read, so that no plain form can start a game."""
    reply = table.client.post("/api/games", content=b"{}", headers={"content-type": "text/plain"})
    assert (reply.status_code, reply.json()["error"]["code"]) == (415, "bad-type")


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/api/games/nothing", "unknown-game"),
        ("/api/games/nothing/record", "unknown-game"),
        ("/api/clauses/chess/X-1", "unknown-edition"),
        ("/api/clauses/coin-flip/X-1", "unknown-clause"),
        ("/api/nonsense", "http"),
    ],
)
def test_unknown_things_are_not_found(table: Table, path: str, code: str) -> None:
    """What does not exist is answered with 404 and a sentence."""
    reply = table.client.get(path)
    assert (reply.status_code, reply.json()["error"]["code"]) == (404, code)


def test_what_somebody_sends_is_not_sent_back_at_length(table: Table) -> None:
    """A refusal quotes only so much of what it refuses."""
    reply = table.client.post("/api/games", json={"edition": "x" * 200_000})
    assert reply.status_code == 404 and len(reply.content) < 4000


def test_no_database_is_asked_for_what_is_no_id(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ids with signs no id has, zero signs among them, are unknown without a look into the database."""
    monkeypatch.setattr(table.hall.storage, "look", None)
    for name in ("%00", "a" * 33, "%F0%9F%8E%B2", "a%20b", "'%20OR%201=1"):
        assert table.client.get(f"/api/games/{name}").json()["error"]["code"] == "unknown-game"
        assert table.client.post(f"/api/games/{name}/join", json={"invite": "x"}).status_code == 404


@pytest.mark.parametrize("path", ["/api/records", "/api/records/report", "/api/records/export"])
def test_a_record_with_a_false_header_is_refused_with_its_line(table: Table, path: str) -> None:
    """A record of which not even the header is true is refused with 400 and the line, whatever is asked of it."""
    rows = play_coin().record.splitlines(keepends=True)
    forged = rows[0].replace(b'"size":', b'"size": ', 1)
    for body in (forged + b"".join(rows[1:]), forged):
        reply = table.client.post(path, content=body, headers={"content-type": "application/jsonl"})
        assert reply.status_code == 400, reply.text
        assert "line 1" in reply.json()["error"]["message"]


def test_wrong_method(table: Table) -> None:
    """A method that makes no sense is refused in the same form."""
    assert table.client.delete("/api/games").status_code == 405


def test_clause_text_and_catalogue(table: Table) -> None:
    """The words of a clause and what can be played are there for the page."""
    assert table.client.get("/api/clauses/coin-flip/FLIP-3").json()["text"].startswith("A runner")
    offers = table.client.get("/api/editions").json()
    assert [one["id"] for one in offers["opponents"]] == ["default", "person", "self"]


def test_situation_without_a_seat(table: Table) -> None:
    """A battle can be looked at over plain HTTP."""
    game = table.start()
    found = table.get(game).json()
    assert (found["request"]["kind"], found["seat"]) == ("choose-option", "none")


@pytest.mark.parametrize(
    "raw",
    ["", "{", "null", "[]", '{"type":"answer"}', '{"type":"fly"}', '{"type":"judge","id":"x","value":1}', "\ud7ff", "[" * 9999],
)
def test_bad_messages_get_a_sentence(table: Table, raw: str) -> None:
    """A message that cannot be read is answered with an error, and the game goes on."""
    with table.sit(table.start()) as seat:
        seat.heard()
        seat.line.send(raw)
        assert seat.heard()["type"] == "error"
        assert seat.ask(type="answer", value="heads")["type"] == "events"


def test_bytes_are_no_message(table: Table) -> None:
    """Binary frames are turned away."""
    with table.sit(table.start()) as seat:
        seat.heard()
        seat.line.send(b"{}")
        assert seat.heard()["message"] == "send text, not bytes"


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6) | st.just("shift"), inner, max_size=3),
    max_leaves=8,
)


def test_bytes_that_are_no_text_close_the_line_quietly(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    """A text that is not UTF-8 ends the connection, and leaves no traceback in the log."""
    game = table.start()
    with table.sit(game) as seat:
        seat.heard()
        seat.line.send(b"\xff\xfe", text=True)
        with pytest.raises(ConnectionClosed):
            list(iter(seat.heard, None))
    assert table.get(game).status_code == 200
    assert not [record for record in caplog.records if record.exc_info]


def test_any_answer_is_taken_or_refused(table: Table) -> None:
    """Whatever JSON is sent as an answer or to be judged, the reply is events, a refusal or a sentence."""
    with table.sit(table.start()) as seat:
        request = seat.heard()["request"]
        seat.say(type="answer", value="heads")
        request = seat.heard()["request"]
        assert request["kind"] == "move"

        @given(value=ANYTHING)
        def try_it(value: Any) -> None:
            seat.say(type="judge", id=1, value=value)
            assert seat.heard()["type"] == "judged"
            if value != "stay":
                assert seat.ask(type="answer", value=value)["type"] in ("events", "refused", "error")

        try_it()


def test_the_page_is_served_with_a_policy(table: Table) -> None:
    """The page comes with a content policy, or a sentence that says how to build it."""
    reply = table.client.get("/")
    assert reply.status_code in (200, 503)
    if reply.status_code == 200:
        assert "default-src 'self'" in reply.headers["content-security-policy"]
