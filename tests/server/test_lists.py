"""Lists that people bring along: in the body of a wish, as JSON or as the text of a file, within bounds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from rolloff.armies.content_files import stored_list
from rolloff.armies.library import army
from rolloff.errors import ArmyError, BadInput
from rolloff.record.lines import parse
from rolloff.record.verify import verify_lines
from rolloff.server.catalogue import Library
from rolloff.server.messages import GameForm
from tests.server.conftest import Table, coins_at

Json = dict[str, Any]
EDITION = "onepage-3.0"
TEXT = """
name = "The Night Watch"
edition = "onepage-3.0"

[[units]]
name = "Watch"
quality = 4
models = [{count = 5, weapons = ["Rifle (24\\", A1)"]}]
"""


def brought(**changes: Any) -> Json:
    """A ready-made list as somebody would send it, changed."""
    found: Json = msgspec.to_builtins(stored_list("compact-patrol"))
    return found | changes


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A server of what is installed."""
    with coins_at(tmp_path_factory.mktemp("lists"), Library()) as found:
        yield found


def wish(**more: Any) -> Json:
    """A battle against oneself on a known table."""
    return {"edition": EDITION, "opponent": "self", "table": "crossing", "seed": 5, **more}


@pytest.mark.parametrize("sent", [brought(name="Mine"), msgspec.json.encode(brought(name="Mine")).decode(), TEXT])
def test_a_list_of_ones_own_is_played(table: Table, sent: Json | str) -> None:
    """A list in the body, as JSON or as the text of a file, makes the army; the record of that battle verifies."""
    reply = table.client.post("/api/games", json=wish(list_a=sent, army_b="levy-patrol"))
    assert reply.status_code == 201, reply.text
    started = reply.json()
    name = "The Night Watch" if sent == TEXT else "Mine"
    assert name in started["title"]
    with table.sit(started["id"], token=started["token"]) as seat:
        units = [unit for unit in seat.heard()["situation"]["units"] if unit["side"] == "A"]
        assert len(units) == (1 if sent == TEXT else len(brought()["units"]))
        seat.ask(type="talk", name="concede", said={}, by="A")
    headers = {"authorization": f"Bearer {started['token']}"}
    record = table.client.get(f"/api/games/{started['id']}/record", headers=headers).content
    assert verify_lines(parse(record, "x"), "x").verified


UNIT: Json = {"name": "Watch", "models": [{"weapons": ['Rifle (24", A1)']}]}
REFUSED: dict[str, tuple[Any, str]] = {
    "an army of 420 units": (brought(units=[UNIT] * 420), "420 units are more than an army may have"),
    "too many models": (brought(units=[{"name": "Horde", "models": [{"count": 200}]}] * 6), "1200 models are more"),
    "a crowd in one unit": (brought(units=[{"name": "Horde", "models": [{"count": 10**9}]}]), "more than an army may have"),
    "too many upgrades": (brought(units=[{"unit": "x", "upgrades": ["a"] * 51}]), "51 upgrades are more"),
    "too many weapons": (
        brought(units=[{"name": "W", "models": [{"weapons": ["Gun"] * 3000}]}]),
        "weapons, rules and upgrades are more",
    ),
    "a negative number of models": (brought(units=[{"name": "W", "models": [{"count": -5}]}]), "-5 models"),
    "nothing": (brought(units=[]), ""),
    "another edition": (brought(edition="apocalypse-3.3"), "legal in apocalypse-3.3"),
    "an unknown unit": (brought(units=[{"unit": "dragon", "book": "ashen-levy"}]), "has no unit 'dragon'"),
    "a path for a book": (brought(units=[{"unit": "x", "book": "/etc/passwd"}]), "book"),
    "an unknown rule": (brought(units=[UNIT | {"rules": ["Invincible"]}]), "Invincible"),
    "more points than the game": (brought(points=100), "points are more than 100"),
    "a game of any size": (brought(points=10**6), "too large"),
    "a long name": (brought(name="x" * 101), "too many characters"),
    "a name with a zero sign": (brought(name="The\x00Watch"), "cannot be shown"),
    "a name that rings": (brought(units=[UNIT | {"name": "\x1b[2J"}]), "cannot be shown"),
    "a long word": (brought(units=[UNIT | {"rules": ["x" * 501]}]), "too many characters"),
    "a large number": (brought(units=[UNIT | {"points": 10**12}]), "too large"),
    "half a text": (TEXT[: len(TEXT) // 2], "list_a"),
    "no list": ("just some words", "list_a"),
    "a deep text": ('{"a":' * 5000, "list_a"),
    "a misspelt field": (msgspec.json.encode(brought(unist=[])).decode(), "unist"),
    "lone surrogates": ("\ud800", "cannot be read"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_list_that_cannot_be_is_refused_with_a_sentence(table: Table, what: str) -> None:
    """Whatever is wrong with a list is said in one sentence with 400, and no battle is left behind."""
    sent, said = REFUSED[what]
    before = table.client.get("/api/health").json()["battles"]
    body = msgspec.json.encode(wish(list_a=sent, army_b="levy-patrol")) if what != "lone surrogates" else b""
    raw = body or b'{"edition":"onepage-3.0","opponent":"self","list_a":"\\ud800"}'
    reply = table.client.post("/api/games", content=raw, headers={"content-type": "application/json"})
    assert reply.status_code == 400, reply.text
    message = reply.json()["error"]["message"]
    assert message and "\n" not in message and len(message) < 400
    assert said in message
    assert table.client.get("/api/health").json()["battles"] == before


def test_a_name_and_a_list_are_one_too_many(table: Table) -> None:
    """Who sends a list does not name an army beside it."""
    reply = table.client.post("/api/games", json=wish(list_a=brought(), army_a="compact-patrol"))
    assert (reply.status_code, reply.json()["error"]["code"]) == (400, "two-armies")


def test_an_army_of_420_units_is_refused_before_it_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sizes are looked at before anything is priced: not one unit of it is built."""
    from rolloff.armies import library

    def built(*_given: object) -> None:
        raise AssertionError("a unit was built")

    monkeypatch.setattr(library, "from_book", built)
    form = stored_list("aegis-compact")
    form = msgspec.structs.replace(form, units=(form.units * 60)[:420])
    with pytest.raises(ArmyError, match="420 units"):
        army(EDITION, form, 0)


def test_the_armies_say_how_large_a_battle_is_where_the_rules_know_sizes() -> None:
    """Armies of 2000 points meet in a battle of that size; armies and tables tell what size they are for."""
    shelf = next(one for one in Library().offers()["editions"] if one["id"] == "commentary-10")
    assert shelf["sizes"] == [500, 1000, 2000]
    assert {one["id"]: one.get("sizes") for one in shelf["tables"]}["toll-crossing"] == [500]

    def points(**wish: Any) -> int:
        return Library().lay_out(GameForm(edition="commentary-10", **wish), 1).setup.points

    assert points(army_a="hollow-tide-2000", army_b="lantern-reach-2000") == 2000
    assert points(army_a="hollow-tide-500", army_b="lantern-reach-500") == 500
    assert points(army_a="hollow-tide-500", army_b="lantern-reach-500", points=1000) == 1000
    assert points() == 1000
    with pytest.raises(ArmyError):
        points(army_a="hollow-tide-1000", points=500)
    with pytest.raises(BadInput):
        points(points=-1)
