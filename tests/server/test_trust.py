"""Attacks on seats, dice and files: what a stranger, a spectator, an opponent or the host may not do."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed

from rolloff.oracle.dice import block_of, seed_bytes, stream_seed
from rolloff.record.fairness import mixed
from rolloff.record.lines import parse
from rolloff.record.verify import verify_lines
from rolloff.server import live as live_module
from rolloff.server.hall import Hall
from rolloff.server.messages import GameForm
from tests.server.conftest import Json, Seat, Table, coins_at

# Seats


@pytest.mark.parametrize("token", ["", "guess", "A" * 32])
def test_without_a_token_nobody_sits_or_looks(table: Table, token: str) -> None:
    """A battle is closed to whoever holds none of its tokens: no seat, no situation, no record."""
    game = table.start()
    with table.sit(game, token=token) as seat:
        reply = seat.heard()
        assert (reply["type"], reply["code"]) == ("error", "no-seat")
        with pytest.raises(ConnectionClosed):
            seat.heard()
    for path in ("", "/record"):
        refused = table.client.get(f"/api/games/{game}{path}", headers={"authorization": f"Bearer {token or 'x'}"})
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "no-seat")


def test_a_token_of_one_battle_opens_no_other(table: Table) -> None:
    """Tokens are bound to their battle."""
    one, other = table.start(), table.start()
    with table.sit(one, token=table.tokens[other]["A"]) as seat:
        assert seat.heard()["code"] == "no-seat"


def test_first_a_page_shows_its_token(table: Table) -> None:
    """Whoever begins with anything else is turned away."""
    from websockets.sync.client import connect

    game = table.start()
    with connect(f"{table.address.replace('http', 'ws', 1)}ws/{game}") as line:
        line.send('{"type":"answer","value":"heads"}')
        assert "ask for a seat first" in str(line.recv(timeout=10))
        with pytest.raises(ConnectionClosed):
            line.recv(timeout=10)


def test_each_seat_acts_for_itself_alone(table: Table) -> None:
    """A spectator answers, talks and takes back nothing; a player nothing of the other's; both hands only alone."""
    game = table.start(opponent="person")
    assert set(table.tokens[game]) == {"A", "B", "none"}
    with table.sit(game, "none") as watching, table.sit(game, "B") as other:
        for seat in (watching, other):
            seat.heard()
            assert seat.ask(type="answer", value="heads")["type"] == "error"
            assert seat.ask(type="talk", name="concede", said={}, by="A")["type"] == "unsaid"
            assert seat.ask(type="take-back")["type"] == "unsaid"
        assert watching.ask(type="promise", hash="sha256:" + "0" * 64)["type"] == "error"
    assert table.get(game).json()["seq"] == 3


def test_an_invitation_is_taken_once(table: Table) -> None:
    """The second who brings it gets no seat, and it is no seat's token itself."""
    started = table.client.post("/api/games", json={"opponent": "person"}).json()
    path = f"/api/games/{started['id']}/join"
    with table.sit(started["id"], token=started["invite"]) as seat:
        assert seat.heard()["code"] == "no-seat"
    first, second = (table.client.post(path, json={"invite": started["invite"]}) for _ in range(2))
    assert (first.status_code, first.json()["seat"]) == (201, "B")
    assert (second.status_code, second.json()["error"]["code"]) == (403, "no-invitation")
    assert len({started["token"], started["invite"], started["watch"], first.json()["token"]}) == 4


def test_battles_are_unlisted_until_their_owner_shares_them(table: Table) -> None:
    """Nobody finds a battle by a list unless it is shared; then anybody may watch, and still nobody else may act."""
    game = table.start()
    assert table.client.get("/api/games").json() == {"games": []}
    watch = {"authorization": f"Bearer {table.tokens[game]['none']}"}
    assert table.client.post(f"/api/games/{game}/share", json={"listed": True}, headers=watch).status_code == 403
    owner = {"authorization": f"Bearer {table.tokens[game]['A']}"}
    assert table.client.post(f"/api/games/{game}/share", json={"listed": True}, headers=owner).status_code == 200
    rows = table.client.get("/api/games").json()["games"]
    assert [(row["id"], row["seat"], row["owner"]) for row in rows] == [(game, "none", False)]
    with table.sit(game, token="") as seat:
        assert seat.heard()["seat"] == "none"
        assert seat.ask(type="answer", value="heads")["type"] == "error"


def test_only_the_owner_deletes_and_not_under_a_players_hands(table: Table) -> None:
    """Spectators and guests delete nothing, the owner not while another person plays; what is deleted is gone."""
    game = table.start(opponent="person")

    def delete(seat: str) -> tuple[int, str]:
        headers = {"authorization": f"Bearer {table.tokens[game][seat]}"}
        reply = table.client.delete(f"/api/games/{game}", headers=headers)
        return reply.status_code, reply.json()["error"]["code"] if reply.content else ""

    assert delete("none") == (403, "not-owner")
    assert delete("B") == (403, "not-owner")
    assert delete("A") == (409, "under-way")
    game = table.start()
    assert delete("A") == (204, "")
    assert table.get(game).status_code == 404


def test_who_is_here_is_told(table: Table) -> None:
    """Everybody hears when a player or a spectator comes or goes."""
    game = table.start(opponent="person")
    with table.sit(game, "A") as one:
        hello = one.heard()
        assert hello["present"] == {"A": True, "B": False, "watching": 0}
        with table.sit(game, "B"):
            assert one.next()["present"] == {"A": True, "B": True, "watching": 0}
        assert one.next()["present"]["B"] is False


# Dice


def payloads(seat: Seat, first: Json) -> list[Json]:
    """Everything a seat is told while it takes every default to the end."""
    found = [first]
    while found[-1].get("over") is None:
        if found[-1].get("request"):
            request = found[-1]["request"]
            seat.say(type="answer", value=request["default"], serial=request["serial"])
        found.append(seat.heard())
    return found


def secrets_of(secret: bytes, added: tuple[bytes, ...] = ()) -> list[str]:
    """Everything from which a die could be computed, in every form it might be written in."""
    dice = mixed(secret, added)
    found = [secret, dice, block_of(dice, 0), stream_seed(secret, "table"), stream_seed(secret, "choices", 1, 0)]
    return [form for one in found for form in (one.hex(), str(int.from_bytes(one, "big")), str(list(one[:16]))[1:-1])]


def test_nothing_told_before_the_end_gives_a_die_away(table: Table) -> None:
    """No payload of page, API or record holds the seed or anything derived from it, until the end reveals it."""
    game = table.start(seed=None)
    report: list[str] = [table.get(game).text, table.client.get("/api/games").text]
    with table.sit(game) as seat:
        first = seat.heard()
        assert (first["fairness"]["seed"], first["fairness"]["practice"]) == (None, False)
        report.append(table.get(game, "/record").text)
        messages = payloads(seat, first)
    report += [msgspec.json.encode(message).decode() for message in messages[:-1]]
    shown = messages[-1]["fairness"]["seed"]
    secret = bytes.fromhex(shown)
    assert len(secret) == 32
    assert "sha256:" + hashlib.sha256(secret).hexdigest() == first["fairness"]["commitment"]
    for form in secrets_of(secret):
        assert not any(form in one for one in report)
    record = table.get(game, "/record").content
    assert verify_lines(parse(record, "x"), "x").verified
    assert msgspec.json.decode(record.splitlines()[-1])["seed"] == shown


def test_the_seed_of_a_server_is_fresh_each_time(table: Table) -> None:
    """Two battles share no commitment, and none is that of a seed somebody could try out."""
    found = {table.client.post("/api/games", json={"opponent": "self"}).json()["commitment"] for _ in range(4)}
    guesses = {"sha256:" + hashlib.sha256(seed_bytes(seed, "game", 0)).hexdigest() for seed in range(200)}
    assert len(found) == 4 and not found & guesses


def test_a_chosen_seed_is_practice(table: Table) -> None:
    """Whoever chooses the seed plays for practice, and everybody can see it: greeting, list and record."""
    game = table.start(opponent="self", seed=7)
    with table.sit(game, "both") as seat:
        hello = seat.heard()
        assert hello["fairness"]["practice"] is True
        payloads(seat, hello)
    verdict = verify_lines(parse(table.get(game, "/record").content, "x"), "x")
    assert (verdict.verified, verdict.practice) == (True, True)


def test_two_people_mix_their_numbers_before_the_first_die(table: Table) -> None:
    """Nothing is asked until both have promised and shown; numbers that were not promised are refused; the dice use both."""
    game = table.start(opponent="person", seed=None)
    with table.sit(game, "A") as one, table.sit(game, "B") as two:
        first = one.heard()
        assert (first["request"], first["fairness"]["stage"]) == (None, "promise")
        two.heard()
        assert one.ask(type="answer", value="heads")["type"] == "error"
        one.promise()
        assert one.heard()["fairness"]["promised"].keys() == {"A"}
        assert one.ask(type="number", number=one.number.hex())["type"] == "error"
        two.promise()
        assert one.heard()["fairness"]["stage"] == "number"
        assert one.ask(type="number", number="00" * 32)["type"] == "error"
        one.show()
        assert one.heard()["request"] is None
        two.show()
        hello = one.heard()
        assert hello["request"]["who"] == "A"
        numbers = (one.number, two.number)
        seats = {"A": one, "B": two}
        while not (found := table.get(game).json())["over"]:
            request = found["request"]
            seat = seats[request["who"]]
            seat.say(type="answer", value=request["default"], serial=request["serial"])
            while seat.heard().get("seq", 0) <= found["seq"]:
                pass
    lines = parse(table.get(game, "/record").content, "x")
    verdict = verify_lines(lines, "x")
    assert verdict.verified and "both players" in verdict.statement
    assert [row["number"] for row in lines[0].get("added")] == [number.hex() for number in numbers]
    rolled = [line.get("faces") for line in lines if line.type == "roll"]
    seed = mixed(bytes.fromhex(lines[-1].get("seed")), numbers)
    assert [face for faces in rolled for face in faces] == list(block_of(seed, 0)[: len(rolled)])


# Files


@pytest.mark.parametrize("edition", ["", "coin-flip", "compendium", "onepage-3.0", "/etc"])
@pytest.mark.parametrize("field", ["army_a", "army_b", "table", "mission"])
def test_no_page_opens_a_file(table: Table, edition: str, field: str) -> None:
    """A path is no name of the catalogue, whatever the edition, and is refused unread."""
    reply = table.client.post("/api/games", json={"edition": edition, field: "/etc/passwd"})
    assert reply.status_code in (400, 404)
    assert reply.json()["error"]["code"] in ("not-offered", "unknown-edition")
    assert "root" not in reply.text


def test_editions_without_lists_open_no_file() -> None:
    """Even where an edition is offered without any army, only names of the catalogue are taken."""

    class Bare:
        """A catalogue with nothing on its shelves."""

        def offers(self) -> Json:
            """One edition, nothing else."""
            return {"editions": [{"id": "bare"}], "opponents": [{"id": "self"}]}

    from rolloff.errors import BadInput

    hall: Any = Hall.__new__(Hall)
    for field in ("army_a", "army_b", "table", "mission"):
        with pytest.raises(BadInput, match="is offered"):
            hall._check_offered(replace(GameForm("bare"), **{field: "list.toml"}), Bare().offers())


# Taking back


def test_an_answer_is_taken_back_until_a_die_falls(table: Table) -> None:
    """The last answer of a step can be taken back by whoever gave it, and everybody sees the table as it was; no die can."""
    game = table.start(mission="two-calls", opponent="self", seed=None)
    with table.sit(game, "both") as seat, table.sit(game, "none") as watching:
        first = seat.heard()
        watching.heard()
        assert first["can_take_back"] == "nothing was answered in this step" or first["take_back_by"] is None
        called = seat.answer("heads")
        assert (called["can_take_back"], called["take_back_by"]) == (True, "A")
        watching.heard()
        assert watching.ask(type="take-back")["type"] == "unsaid"
        back = seat.ask(type="take-back")
        assert (back["type"], back["seq"], back["cuts"]) == ("hello", first["seq"], 1)
        assert back["request"]["options"] == ["heads", "tails"]
        assert watching.heard()["request"] == back["request"]
        seat.answer("tails")
        rolled = seat.answer("sure")
        assert rolled["can_take_back"] == "dice have been rolled since"
        refused = seat.ask(type="take-back")
        assert (refused["type"], refused["refusal"]["message"]) == ("unsaid", "dice have been rolled since")
        while rolled["over"] is None:
            rolled = seat.answer(rolled["request"]["default"])
    lines = parse(table.get(game, "/record").content, "x")
    assert verify_lines(lines, "x").verified
    assert [line.get("value") for line in lines if line.type == "answer"][:2] == ["tails", "sure"]


def test_answers_are_not_taken_back_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Past the limit an answer stands, with a sentence, also after a restart; the battle goes on."""
    monkeypatch.setattr(live_module, "MOST_BACK", 3)
    with coins_at(tmp_path) as table:
        game = table.start(mission="two-calls", opponent="self", seed=None)
        with table.sit(game, "both") as seat:
            seat.heard()
            for _ in range(3):
                assert seat.answer("heads")["can_take_back"] is True
                assert seat.ask(type="take-back")["type"] == "hello"
            assert "from here on they stand" in seat.answer("heads")["can_take_back"]
    with coins_at(tmp_path) as again:
        again.tokens = table.tokens
        with again.sit(game, "both") as seat:
            seat.heard()
            refused = seat.ask(type="take-back")
            assert (refused["type"], refused["refusal"]["code"]) == ("unsaid", "too-often")
            assert seat.answer("sure")["type"] == "events"
