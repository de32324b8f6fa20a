"""A game of quite another shape in the same page: whole-army turns in phases."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace
from playwright.sync_api import Page, expect

from rolloff.agents import make
from rolloff.editions import registry
from rolloff.oracle.dice import Stream
from rolloff.oracle.oracle import Chooser
from rolloff.rules.game import Game
from rolloff.server.messages import GameForm
from rolloff.table.profile import Base, Card, Model
from rolloff.table.setup import Setup, Table, Terrain
from tests.browser.conftest import Serve
from tests.browser.playing import Player, begin
from tests.toy.skirmish import EDITION

GUN = {"name": "Gun", "range": 18, "A": 2, "skill": 3, "S": 4, "AP": 1, "D": 1, "rules": ["Linked"]}
AXE = {"name": "Axe", "range": "melee", "A": "D3", "skill": 4, "S": 5, "AP": 0, "D": 2, "rules": ["Cleave"]}


def _card(id_: str, side: int, size: int, name: str) -> Card:
    weapons = tuple(EDITION.read_weapon(weapon, id_) for weapon in (GUN, AXE))
    model = Model("", base=Base("circle", (1000,)), weapons=weapons)
    models = tuple(replace(model, id=f"{id_}.{k}") for k in range(1, size + 1))
    stats = {"M": 6, "T": 4, "Sv": 5, "W": 1}
    return Card(id_, side, models, name, stats=stats, points=50)


class Skirmishes:
    """A catalogue of one small skirmish."""

    def offers(self) -> dict[str, Any]:
        """One edition and the machine that closes in."""
        armies = [{"id": "", "name": "As they are"}]
        only = {"id": "skirmish", "name": "Skirmish", "armies": armies, "tables": [], "missions": [], "points": 100}
        return {"editions": [only], "opponents": [{"id": "random", "name": "Random"}]}

    def lay_out(self, form: GameForm, seed: int) -> Game:
        """Two units a side and a rock between them."""
        rock = Terrain("rock", ("impassable",), disc=(18_000, 12_000, 2_000), height=3_000, solid=True, name="Rock")
        sides = [(side, letter) for side, letter in enumerate("ab")]
        cards = tuple(_card(f"{letter}{k}", side, 4, f"Squad {k}") for side, letter in sides for k in (1, 2))
        return Game(EDITION, Setup("skirmish", Table((36_000, 24_000), (rock,)), cards, armies=("Hill", "Dale")))

    def install(self) -> None:
        """Make the edition known."""
        registry.register(EDITION)

    def opponent(self, name: str, seed: bytes, side: int) -> Chooser:
        """The machine asked for."""
        return make(name, Stream(seed), side)


def test_an_edition_of_phases_plays_in_the_same_page(page: Page, serve: Serve) -> None:
    """A rulebook the page has never heard of is played to its end with the same controls."""
    registry.register(EDITION)
    begin(page, serve(Skirmishes()), seed=3)
    player = Player(page, wants_odds=EDITION.form_of is not None)
    player.play()
    expect(page.get_by_role("region", name="Log")).to_contain_text("The game ends")
    assert player.drags >= 1
    assert {"choose-unit", "move", "place"} <= set(player.kinds)
