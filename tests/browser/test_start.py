"""From the front page to the first shot, and what must not happen on the way: a click that spends, a lost battle."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlparse

import pytest
from playwright.sync_api import Page, Route, expect

from rolloff.server.catalogue import Library
from tests.browser.conftest import Serve
from tests.browser.playing import OWN_SHOT, PATROLS, Follower, Player, begin
from tests.server.coinflip import Coins
from tests.server.conftest import coins_at

MOST_CLICKS = 10
COUNTING = "window.clicks = 0; addEventListener('pointerdown', () => window.clicks++, true)"
GUARDED = 'localStorage.setItem("rolloff-settings", JSON.stringify({ speed: "instant", guard: 400 }))'


def with_seed(page: Page, seed: int) -> None:
    """Let battles start with known dice."""

    def started(route: Route) -> None:
        body = json.loads(route.request.post_data or "{}")
        route.continue_(post_data=json.dumps({**body, "seed": seed}))

    page.route("**/api/games", lambda route: started(route) if route.request.method == "POST" else route.continue_())


@pytest.mark.parametrize("seed", [6, 14])
def test_play_now_to_the_first_shot_in_ten_clicks(page: Page, serve: Serve, seed: int) -> None:
    """One click starts a battle; whoever takes what is suggested shoots within ten clicks and drags."""
    page.add_init_script(COUNTING)
    with_seed(page, seed)
    page.goto(serve(Library()))
    page.get_by_role("button", name="Play now").click()
    log = page.get_by_role("region", name="Log")
    follower = Follower(page)
    while not log.get_by_text(OWN_SHOT).count():
        follower.answer_one()
        assert page.evaluate("window.clicks") <= MOST_CLICKS


def test_a_double_click_spends_nothing(page: Page, serve: Serve) -> None:
    """The second click of a double click on a unit does not land on what that unit could do."""
    begin(page, serve(Library()), PATROLS)
    player = Player(page)
    player.play(until="choose-unit")
    page.locator("[data-do=rest]").click()
    expect(page.locator("section.decision[data-kind=choose-unit][data-busy=false] [data-option]").first).to_be_visible()
    page.evaluate(GUARDED)
    page.reload()
    option = page.locator("section.decision[data-kind=choose-unit][data-busy=false] [data-option]").first
    option.dblclick()
    expect(page.locator("section.decision[data-kind=choose-action]")).to_be_visible()
    page.wait_for_timeout(700)
    expect(page.locator("section.decision[data-kind=choose-action][data-busy=false]")).to_be_visible()


def test_taking_back_and_when_it_is_too_late(page: Page, serve: Serve) -> None:
    """A choice can be taken back until a die falls; then the page says why not."""
    begin(page, serve(Coins()), seed=5)
    decision = page.get_by_role("region", name="Decision")
    back = decision.locator("[data-do=take-back]")
    expect(back).to_be_disabled()
    decision.get_by_role("button", name="Heads").click()
    expect(decision).to_contain_text("Move Red")
    expect(back).to_be_disabled()
    expect(decision.locator("[data-no-way-back]")).to_contain_text("dice have been rolled")


def test_taking_back_without_a_die(page: Page, serve: Serve) -> None:
    """Unit and action are chosen, taken back by key and by button, and can be chosen anew."""
    begin(page, serve(Library()), PATROLS)
    player = Player(page)
    player.play(until="choose-action")
    page.locator("[data-option=walk]").click()
    expect(page.locator("section.decision[data-kind=move][data-busy=false]")).to_be_visible()
    page.keyboard.press("z")
    expect(page.locator("section.decision[data-kind=choose-action][data-busy=false]")).to_be_visible()
    page.locator("[data-do=take-back]").click()
    expect(page.locator("section.decision[data-kind=choose-unit][data-busy=false]")).to_be_visible()


def test_two_at_one_page_hand_it_over(page: Page, serve: Serve) -> None:
    """In hot-seat a question shows only when its player has taken the page over; the title says whose turn it is."""
    begin(page, serve(Coins()), {"opponent": "hot-seat"}, seed=5)
    over = page.get_by_role("region", name="Hand over")
    expect(over).to_contain_text("Hand the page to Reds")
    expect(page.get_by_role("region", name="Decision")).to_have_count(0)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Heads").click()
    page.locator("[data-do=stay]").click()
    expect(over).to_contain_text("Hand the page to Greens")
    over.get_by_role("button").click()
    expect(page.get_by_role("button", name="Tails")).to_be_visible()
    expect(page).to_have_title("Your turn · Coin flip: Reds against Greens")


def test_a_battle_outlives_a_reload_and_the_server(page: Page, tmp_path: Path) -> None:
    """In the middle of a decision the page is loaded anew, then the server is stopped and started: the question stands."""
    with coins_at(tmp_path / "data") as table:
        begin(page, table.address, seed=5)
        port = urlparse(table.address).port or 0
        page.get_by_role("button", name="Heads").click()
        page.reload()
        decision = page.get_by_role("region", name="Decision")
        expect(decision).to_contain_text("Move Red")
    expect(page.get_by_text("Connection lost")).to_be_visible()
    with coins_at(tmp_path / "data", port=port):
        expect(page.get_by_text("Connection lost")).to_have_count(0, timeout=20_000)
        page.locator("[data-do=stay]").click()
        expect(page.get_by_role("region", name="Log")).to_contain_text("Red runs")
        page.goto(f"http://127.0.0.1:{port}/")
        page.get_by_role("link", name="Play on as side A").click()
        expect(decision).to_contain_text("Call: Red")


def test_the_army_screen_and_the_tray(page: Page, serve: Serve) -> None:
    """Who joins is chosen on one screen and changes it; a unit is dragged from the tray to where it shall stand."""
    begin(page, serve(Library()), {"army_a": "aegis-compact", "army_b": "levy-patrol", "table": "crossing"}, seed=1)
    player = Player(page)
    player.play(until="army-screen")
    rides = page.get_by_label("Marshal A1: Rides in")
    expect(rides).to_be_visible()
    page.get_by_label("Marshal A1: Joins").select_option(label="Sentinels · A2")
    expect(rides).to_have_count(0)
    page.locator("[data-do=ready]").click()
    expect(page.get_by_role("region", name="Log")).to_contain_text("Marshal joins Sentinels (A2)")
    player.play(until="choose-unit")
    unit = page.locator("button.unit").first
    name = unit.get_attribute("data-option")
    table = page.get_by_role("group", name="The table").bounding_box()
    assert table is not None
    spot = page.locator("polygon.zone").first
    unit.hover()
    page.mouse.down()
    page.mouse.move(table["x"] + table["width"] * 0.3, table["y"] + table["height"] * 0.9, steps=4)
    page.mouse.up()
    expect(page.locator("section.decision[data-kind=place]")).to_be_visible()
    expect(spot).to_be_attached()
    token = page.locator(f"g.token[data-unit={name}]").first.bounding_box()
    assert token is not None
    assert abs(token["x"] - (table["x"] + table["width"] * 0.3)) < 0.15 * table["width"]


def test_a_bad_address_leads_home(page: Page, serve: Serve) -> None:
    """A battle that is not there, a page that is not there and a path that is not there all have a way home."""
    address = serve(Coins())
    for bad in ("?game=nobody", "?page=nowhere"):
        page.goto(address + bad)
        expect(page.get_by_role("link", name="To the front page")).to_be_visible()
    page.get_by_role("link", name="To the front page").click()
    expect(page.get_by_role("button", name="Play now")).to_be_enabled()
