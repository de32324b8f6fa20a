"""The other pages: odds, rules, records and replay, the tutorial; for everyone: keys, touch, German, axe."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from rolloff.server.catalogue import Library
from tests.browser.conftest import INSTANT, PATIENCE, Serve
from tests.browser.playing import PATROLS, SMALL_BATTLES, Follower, Keys, Player, begin
from tests.server.coinflip import Coins

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
GRAVE = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
    .filter((one) => ["serious", "critical"].includes(one.impact))
    .map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(" ")).slice(0, 4).join(", ")}`)"""


def grave_faults(page: Page) -> list[str]:
    """What axe-core finds serious or critical on a page, in the light and in the dark theme."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: make page")
    found: list[str] = []
    for theme in ("light", "dark"):
        page.evaluate("theme => (document.documentElement.dataset.theme = theme)", theme)
        page.evaluate(AXE.read_text("utf-8"))
        found += [f"{theme} {fault}" for fault in page.evaluate(GRAVE)]
    return found


def test_odds_of_the_page_are_those_of_the_api(page: Page, serve: Serve) -> None:
    """The page shows what the API says of the same scenario, and its address asks the same again."""
    address = serve(Library())
    page.goto(f"{address}?page=odds")
    with page.expect_request("**/api/odds") as asked:
        page.get_by_role("button", name="Say the odds").click()
    shown = page.locator("[data-odds]")
    expect(shown).to_be_visible()
    body = asked.value.post_data or ""
    reply = httpx.post(f"{address}api/odds", content=body, headers={"content-type": "application/json"}).json()
    mean = reply["results"][0]["kills_summary"]["mean"]
    assert float(shown.get_attribute("data-mean") or 0) == mean
    assert grave_faults(page) == []
    page.goto(page.url)
    expect(shown).to_have_attribute("data-mean", str(mean))


def test_odds_are_asked_when_the_units_are_there(page: Page, serve: Serve) -> None:
    """Until the units of both armies came, the button waits; other rules bring armies of their own, and are asked about."""
    held: list[Route] = []
    waits = True

    def hold(route: Route) -> None:
        if waits:
            held.append(route)
        else:
            route.continue_()

    page.route("**/api/armies/**", hold)
    page.goto(f"{serve(Library())}?page=odds")
    say = page.get_by_role("button", name="Say the odds")
    expect(say).to_be_disabled()
    waits = False
    for route in held:
        route.continue_()
    expect(say).to_be_enabled()
    for edition in ("onepage-2.21", "commentary-10"):
        page.get_by_label("Rules").select_option(edition)
        expect(say).to_be_enabled()
        with page.expect_request("**/api/odds") as asked:
            say.click()
        expect(page.locator("[data-odds]")).to_be_visible()
        assert (asked.value.post_data_json or {})["edition"] == edition


def test_rules_are_found_and_compared(page: Page, serve: Serve) -> None:
    """A question in plain words finds clauses, and one of them is shown in every edition."""
    page.goto(f"{serve(Library())}?page=rules&edition=onepage-3.0")
    page.get_by_label("Ask in your own words").fill("how far may a unit walk")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("button", name="Compare editions").first.click()
    expect(page.locator("dt", has_text="onepage-2.21")).to_be_visible()
    assert grave_faults(page) == []


def test_a_replay_of_a_finished_battle(page: Page, serve: Serve, tmp_path: Path) -> None:
    """After the battle: verdict, report with luck and plots, scrubbing by activation, and one file that replays by itself."""
    begin(page, serve(Library()), PATROLS)
    Player(page).play(until="choose-action")
    page.locator("details.talk summary").click()
    page.get_by_role("button", name="Concede").click()
    page.get_by_role("button", name="Yes, the battle is lost").click()
    page.get_by_role("link", name="Replay and report").click()
    expect(page.get_by_role("region", name="Battle report")).to_contain_text("Levy Patrol wins")
    moment = page.get_by_role("slider", name="Moment")
    first = moment.input_value()
    page.get_by_role("button", name="Next activation").click()
    assert int(moment.input_value()) > int(first)
    moment.press("End")
    expect(page.locator(".said")).to_contain_text("The game ends")
    assert grave_faults(page) == []
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as one file").click()
    saved.value.save_as(tmp_path / "battle.html")
    page.goto((tmp_path / "battle.html").as_uri())
    expect(page.get_by_role("slider", name="Moment")).to_be_visible()
    expect(page.locator("g.token").or_(page.locator(".said")).first).to_be_visible()


def test_the_tutorial_to_its_end(page: Page, serve: Serve) -> None:
    """The tutorial is a battle that says at every step what to do, and its last word comes when it is over."""
    page.goto(f"{serve(Library())}?page=learn")
    page.get_by_role("button", name="Begin").click()
    coach = page.locator("[data-coach]")
    expect(coach).not_to_be_empty()
    Player(page).play()
    expect(coach).to_contain_text("That was all: you can play.")


@pytest.mark.parametrize("edition", ["onepage-3.0", "onepage-2.21"])
def test_a_whole_battle_by_keyboard_alone(page: Page, serve: Serve, edition: str) -> None:
    """A battle is played to its end without a mouse, in two rulebooks."""
    begin(page, serve(Library()), SMALL_BATTLES[edition])
    Keys(page).play()
    expect(page.get_by_role("region", name="Log")).to_contain_text("The game ends")


def test_touch_on_a_tablet_held_upright(browser: Browser, serve: Serve) -> None:
    """On a portrait tablet a question is answered and a unit moved by taps; nothing is wider than the screen."""
    context = browser.new_context(viewport={"width": 820, "height": 1180}, has_touch=True, is_mobile=True)
    context.add_init_script(INSTANT)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    begin(page, serve(Coins()), seed=5)
    page.get_by_role("button", name="Heads").tap()
    expect(page.get_by_role("region", name="Decision")).to_contain_text("Move Red")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("[data-do=suggestion]").tap()
    page.locator("[data-do=confirm]").tap()
    expect(page.get_by_role("region", name="Log")).to_contain_text("Red runs")
    context.close()


@pytest.mark.parametrize("size", [(1024, 700), (640, 400), (390, 800)])
def test_small_screens_show_the_question(page: Page, serve: Serve, size: tuple[int, int]) -> None:
    """At 1024x700, at 200 % zoom of a laptop and on a phone the question can be read and answered."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    begin(page, serve(Coins()), seed=5)
    heads = page.get_by_role("button", name="Heads")
    heads.scroll_into_view_if_needed()
    expect(heads).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    heads.click()
    expect(page.get_by_role("region", name="Decision")).to_contain_text("Move Red")


def test_no_grave_fault_on_any_page(page: Page, serve: Serve) -> None:
    """axe-core finds nothing serious or critical on the front page, the form, records, the tutorial and a battle."""
    address = serve(Library())
    page.goto(address)
    expect(page.get_by_role("button", name="Play now")).to_be_enabled()
    assert grave_faults(page) == []
    for name in ("new", "records", "learn", "nowhere"):
        page.goto(f"{address}?page={name}")
        expect(page.locator("h1")).to_be_visible()
        assert grave_faults(page) == [], name
    begin(page, address, PATROLS)
    player = Player(page)
    for kind in ("army-screen", "choose-unit", "choose-action", "move"):
        player.play(until=kind)
        assert grave_faults(page) == [], kind
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys and help")).to_be_visible()
    assert grave_faults(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_tab_goes_through_the_page_and_out_again(page: Page, serve: Serve) -> None:
    """No element keeps the focus: tabbing on from any of them reaches many others and comes round."""
    begin(page, serve(Coins()), seed=5)
    page.get_by_role("button", name="Heads").focus()
    seen: list[str] = []
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.outerHTML.slice(0, 90)"))
    assert len(set(seen)) >= 12
    assert all(one != other for one, other in pairwise(seen))


def test_the_table_as_text_and_in_german(page: Page, serve: Serve) -> None:
    """The table can be read as text, and the whole page speaks German when asked to."""
    begin(page, serve(Coins()), seed=5)
    expect(page.get_by_role("button", name="Heads")).to_be_visible()
    page.keyboard.press("t")
    expect(page.get_by_role("region", name="The table as text")).to_contain_text("Red A1: 1 model, at 10″ from the left")
    page.evaluate("localStorage.setItem('rolloff-language', 'de')")
    page.reload()
    expect(page.get_by_role("region", name="Entscheidung").get_by_role("button").first).to_be_visible()
    page.keyboard.press("t")
    expect(page.get_by_role("region", name="Der Tisch als Text")).to_contain_text("1 Modell")


ENGLISH = re.compile(r"\b(the|is|and|with|moves|shoots|rolls|begins|ends|attacks|wounds|choose|which)\b", re.IGNORECASE)
"""Words no German sentence has, and almost every English one."""


def test_a_battle_in_german_says_no_english_sentence(page: Page, serve: Serve) -> None:
    """Questions, notes, refusals and the log of a whole battle speak German; names alone stay as they are."""
    page.add_init_script("localStorage.setItem('rolloff-language', 'de')")
    page.goto(f"{serve(Library())}?page=new")
    for field, value in SMALL_BATTLES["apocalypse-3.3"].items():
        page.locator(f"input[name={field}][value='{value}']").check()
    page.locator("input[type=number]").fill("4")
    page.get_by_role("button", name="Schlacht beginnen").click()
    player, asked = Follower(page), set[str]()
    while player.answer_one():
        asked.update(page.locator("section.decision > header h2, section.decision > p.small, .note").all_inner_texts())
        assert page.locator("[lang=en]").all_inner_texts() == []
    page.get_by_role("button", name="Alle").first.click()
    said = page.locator("section.log li > span").all_inner_texts()
    assert len(said) > 100 and len(asked) > 10
    assert [text for text in (*said, *asked) if ENGLISH.search(text)] == []


def test_names_are_shown_as_text(page: Page, serve: Serve) -> None:
    """Markup in a name is text on the table, in the log, on the card and in the roster; nothing of it becomes an element."""
    from tests.browser.nasty import NASTY, Nasty

    begin(page, serve(Nasty()), seed=5)
    expect(page.get_by_role("region", name="Armies")).to_contain_text(NASTY)
    expect(page.get_by_role("region", name="Log")).to_contain_text(f"{NASTY} is set down")
    assert page.locator("img[src=x], b.nasty").count() == 0
    assert page.evaluate("window.nasty") is None
