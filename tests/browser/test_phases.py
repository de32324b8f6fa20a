"""A battle of whole-army turns in five phases, played in the page to its end."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from playwright.sync_api import Page, expect

from rolloff.record.lines import parse
from rolloff.record.verify import verify_lines
from rolloff.server.catalogue import Library
from tests.browser.conftest import Serve, record_of
from tests.browser.playing import Follower, begin

CHOICE = {
    "edition": "commentary-10",
    "size": "500",
    "army_a": "verdigris-mandate-500",
    "army_b": "hollow-tide-500",
    "table": "toll-crossing",
    "mission": "default",
}
QUICK = {**CHOICE, "opponent": "random"}
"""The same against an opponent that does not think."""


def test_a_battle_in_phases_against_the_machine(page: Page, serve: Serve) -> None:
    """Five rounds by the page's own suggestions; each phase is headed once, the record verifies and is replayed."""
    begin(page, serve(Library()), CHOICE)
    player = Follower(page)
    player.play()
    assert {"choose-unit", "choose-action", "move"} <= set(player.kinds)
    log = page.get_by_role("region", name="Log")
    page.get_by_role("button", name="Show all").click()
    for line in ("gain 1 CP", "Shooting phase · Verdigris Mandate 500", "shoots at", "The battle is over"):
        expect(log).to_contain_text(line)
    heads = [said for said in log.locator("li.clock > span").all_inner_texts() if " · " in said or said.startswith("Fight")]
    assert "End of the turn · Hollow Tide 500" in heads and all(one != other for one, other in pairwise(heads))
    assert verify_lines(parse(record_of(page), "battle"), "battle").verified
    markers = page.get_by_role("img", name="Marker", exact=False)
    count = markers.count()
    page.locator("section.over").get_by_text("Replay and report").click()
    page.wait_for_url("**page=replay**")
    expect(page.get_by_text("verified: every die")).to_be_visible()
    expect(markers).to_have_count(count)


def test_windows_are_passed_by_a_key_or_never_asked(page: Page, serve: Serve) -> None:
    """Passing stands first and P does it; what is never asked about is remembered, and asked again if wished."""
    begin(page, serve(Library()), QUICK)
    player = Follower(page)
    player.play(until="react")
    expect(page.get_by_role("region", name="Log")).to_contain_text("phase · ")
    decision, panel = page.locator("section.decision"), page.locator("details.windows")
    name = str(decision.locator("[data-never]").first.get_attribute("data-never"))
    expect(decision.get_by_role("heading")).to_contain_text("?")
    expect(decision.locator("[data-option]").first).to_contain_text("Pass")
    expect(decision.locator("[data-do=pass-phase]")).to_be_in_viewport(ratio=1)
    serial = page.locator("section[data-serial]").get_attribute("data-serial")
    page.keyboard.press("p")
    expect(page.locator(f"section[data-serial='{serial}'][data-kind=react][data-busy=false]")).to_have_count(0)
    panel.locator("summary").click()
    for row in panel.locator("select").all():
        row.select_option("never")
    page.reload()
    panel.locator("summary").click()
    expect(panel.locator(f"select[data-window='{name}']")).to_have_value("never")
    player.kinds.clear()
    for _ in range(12):
        if not player.answer_one():
            break
    assert player.kinds["react"] == 0 and sum(player.kinds.values()) > 5
    panel.locator(f"select[data-window='{name}']").select_option("ask")
    page.reload()
    panel.locator("summary").click()
    expect(panel.locator(f"select[data-window='{name}']")).to_have_value("ask")


def test_questions_of_phases_in_german(page: Page, serve: Serve) -> None:
    """Which unit, and whether to react, are asked in the player's language; the phase stands in the head of the page."""
    begin(page, serve(Library()), QUICK)
    page.evaluate("localStorage.setItem('rolloff-language', 'de')")
    page.reload()
    Follower(page).play(until="choose-action")
    expect(page.locator("header.head")).to_contain_text("Bewegungsphase")
    page.keyboard.press("z")
    expect(page.locator("section.decision").get_by_role("heading")).to_have_text("Welche Einheit bewegst du jetzt?")


def test_a_battle_of_two_thousand_points_is_begun_from_the_page(page: Page, serve: Serve) -> None:
    """The size chooses armies and tables; a phone shows it all, datasheets in rows, and the secondary cards."""
    address = serve(Library())
    page.set_viewport_size({"width": 390, "height": 844})
    large = {"army_a": "lantern-reach-2000", "army_b": "hollow-tide-2000", "table": "ledger-yard"}
    begin(page, address, QUICK | {"size": "2000"} | large | {"mission": "sealed-instructions"})
    Follower(page).play(until="choose-action")
    table = page.get_by_role("group", name="The table").bounding_box()
    assert table is not None and table["width"] > 370 and table["height"] > 250
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("[data-roster=a12]").click()
    card = page.get_by_role("region", name="Unit card")
    expect(card).to_contain_text("Prism Colossus")
    expect(card.get_by_role("columnheader")).to_have_text(["Weapons", "Range", "A", "Skill", "S", "AP", "D"])
    expect(page.locator("[data-held=A] button")).to_have_count(2)
    page.locator("[data-held=A] button").first.click()
    expect(page.get_by_role("dialog")).to_contain_text("(secondary card)")


def test_a_list_of_ones_own_is_brought_as_a_file(page: Page, serve: Serve) -> None:
    """What is wrong with it is said on the form; one that is legal is played, at the size that holds both armies."""
    page.goto(f"{serve(Library())}?page=new")
    for field, value in (QUICK | {"army_a": "own-list"}).items():
        page.locator(f"input[name={field}][value='{value}']").check()
    file, start = page.get_by_label("The file of the list"), page.get_by_role("button", name="Start the battle")
    text = (Path(__file__).parents[2] / "docs" / "examples" / "tide-list.toml").read_text("utf-8")
    with page.expect_response("**/api/games") as refused:
        file.set_input_files(
            {"name": "tide.toml", "mimeType": "text/plain", "buffer": text.replace("burrow", "borrow").encode()}
        )
        start.click()
    assert refused.value.status == 400
    expect(page.get_by_role("alert")).to_contain_text("Hollow Tide has no unit 'borrow-maw'")
    file.set_input_files({"name": "tide.toml", "mimeType": "text/plain", "buffer": text.encode()})
    start.click()
    page.wait_for_url("**game=**")
    expect(page.locator("header.head")).to_contain_text("Low Tide")
