"""The page's controls, tried on a toy: the page knows kinds of decisions, not editions."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from rolloff.editions import registry
from tests.browser.conftest import Serve, link
from tests.browser.playing import begin, drag, middle
from tests.server.coinflip import EDITION, Coins


@pytest.fixture
def toss(page: Page, serve: Serve) -> Page:
    """A game of coin flips, at its first question."""
    registry.register(EDITION)
    begin(page, serve(Coins()), seed=5)
    expect(page.get_by_role("region", name="Decision")).to_contain_text("Call: Red")
    return page


def test_new_game_shows_table_log_and_question(toss: Page) -> None:
    """The form leads to a table with a token for every model, a log that says what happened, and a question."""
    expect(toss.get_by_role("button", name="Red A1.1")).to_be_visible()
    expect(toss.get_by_role("button", name="Green B1.1")).to_be_visible()
    expect(toss.get_by_role("region", name="Log")).to_contain_text("Red is set down")
    expect(toss.get_by_role("button", name="Heads")).to_be_focused()


def test_drag_is_judged_as_it_goes(toss: Page) -> None:
    """A drag too far is refused on the spot with the reason; a shorter one can be confirmed and moves the model."""
    toss.keyboard.press("Enter")
    token = toss.locator("[data-model='red.1']")
    decision = toss.get_by_role("region", name="Decision")
    expect(decision).to_contain_text("Move Red")
    drag(toss, token, (8, 0))
    expect(decision).to_contain_text("the runner goes too far")
    expect(decision.get_by_role("button", name="Confirm")).to_be_disabled()
    drag(toss, token, (-4, 0))
    expect(decision).to_contain_text("Allowed")
    toss.keyboard.press("Enter")
    expect(toss.get_by_role("region", name="Log")).to_contain_text("Red runs")
    expect(token).to_have_accessible_name("Red A1.1, side A, at 14.0, 10.0")


def test_keys_alone_play_a_turn(toss: Page) -> None:
    """A turn can be played without a mouse: a number picks, arrows nudge, Enter confirms."""
    toss.keyboard.press("2")
    decision = toss.get_by_role("region", name="Decision")
    expect(decision).to_contain_text("Move Red")
    for _ in range(4):
        toss.keyboard.press("ArrowUp")
    expect(decision).to_contain_text("2″")
    expect(decision).to_contain_text("Allowed")
    decision.get_by_role("button", name="Confirm").press("Enter")
    expect(toss.locator("[data-model='red.1']")).to_have_accessible_name("Red A1.1, side A, at 10.0, 12.0")


def test_why_shows_the_clause(toss: Page) -> None:
    """Every line of the log and every refusal can be asked why, and the clause answers."""
    toss.keyboard.press("Enter")
    drag(toss, toss.locator("[data-model='red.1']"), (8, 0))
    toss.get_by_role("button", name="Why: the runner goes too far").click()
    expect(toss.get_by_role("dialog", name="Why")).to_contain_text("A runner goes no further than six inches.")
    toss.keyboard.press("Escape")
    expect(toss.get_by_role("dialog", name="Why")).to_have_count(0)


def test_measuring_on_empty_ground(toss: Page) -> None:
    """A drag on empty ground measures."""
    table = toss.get_by_role("group", name="The table")
    scale = table.evaluate("svg => svg.getScreenCTM().a")
    x, y = middle(toss.locator("[data-model='red.1']"))
    toss.mouse.move(x + 5 * scale, y)
    toss.mouse.down()
    toss.mouse.move(x + 12 * scale, y, steps=4)
    expect(toss.locator("[data-measure]")).to_have_text("7″")
    toss.mouse.up()


def test_a_spectator_sees_what_happens_and_is_asked_nothing(toss: Page, other: Page) -> None:
    """A second page on the same game, without a seat, follows every event at its own pace."""
    watching = other
    watching.goto(link(toss, "watch"))
    watching.get_by_label("Speed").select_option("calm")
    decision = watching.get_by_role("region", name="Decision")
    expect(decision).to_contain_text("Reds decides")
    toss.get_by_role("button", name="Heads").click()
    expect(decision).to_contain_text("Watch what happens")
    decision.get_by_role("button", name="Skip").click()
    expect(watching.get_by_role("region", name="Log")).to_contain_text("Red tosses")
    expect(decision).to_contain_text("Reds decides")
    expect(watching.get_by_role("button", name="Heads")).to_have_count(0)


def test_the_suggestion_to_the_end_and_back_after_a_reload(toss: Page) -> None:
    """Suggestions lead to the end; a page loaded again in between shows the same game."""
    decision = toss.get_by_role("region", name="Decision")
    for turn in range(2):
        toss.get_by_role("button", name="Heads").click()
        decision.get_by_role("button", name="Use suggestion").click()
        expect(toss.locator("[data-model='red.1']")).not_to_have_accessible_name(
            "Red A1.1, side A, at 10.0, 10.0, can be dragged"
        )
        decision.get_by_role("button", name="Confirm").click()
        if turn == 0:
            expect(decision).to_contain_text("Call: Red")
            toss.reload()
    over = toss.get_by_role("region", name="The battle is over")
    expect(over).to_be_visible()
    expect(toss.get_by_role("region", name="Dice")).to_contain_text("Toss")
