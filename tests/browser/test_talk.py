"""Two people at two pages talk: a dispute is rolled, a change agreed on, the battle conceded. What the table shows of it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from rolloff.record.lines import parse
from rolloff.record.verify import verify_lines
from rolloff.server.catalogue import Library
from tests.browser.conftest import Serve, link, record_of
from tests.browser.playing import PATROLS, Player, begin

EDITION = "onepage-3.0"
MOST_DECISIONS = 60


def start(page: Page, address: str, opponent: str, mission: str = "") -> str:
    """Start a battle of patrols and give its id."""
    return begin(page, address, {**PATROLS, "opponent": opponent} | ({"mission": mission} if mission else {}))


def question(page: Page) -> Locator:
    """The question that is open at a page."""
    return page.locator("section[data-kind][data-busy=false]")


def who_is_asked(pages: tuple[Page, ...]) -> Page:
    """The page at which a question opens next."""
    for _ in range(200):
        for one in pages:
            if question(one).count():
                return one
        pages[0].wait_for_timeout(50)
    raise AssertionError("nobody is asked anything")


def until(kind: str, *pages: Page) -> Page:
    """Take what is suggested at whichever page is asked, until a question of a kind is open; the page it is open at."""
    for _ in range(MOST_DECISIONS):
        asked = who_is_asked(pages)
        found = question(asked).get_attribute("data-kind")
        if found == kind:
            return asked
        serial = question(asked).get_attribute("data-serial")
        Player(asked).answer(found or "")
        expect(asked.locator(f"section[data-serial='{serial}'][data-busy=false][data-kind]")).to_have_count(0)
    raise AssertionError(f"nobody is asked for {kind}")


def talk(page: Page) -> Locator:
    """The panel for what may be said at any time, opened."""
    panel = page.locator("details.talk")
    if panel.get_attribute("open") is None:
        panel.locator("summary").click()
    return panel


def log_of(page: Page) -> Locator:
    """The log of a page."""
    return page.get_by_role("region", name="Log")


@pytest.mark.clause(EDITION, "GEN-6", "GEN-7")
def test_a_dispute_an_agreed_change_and_a_concession(page: Page, other: Page, serve: Serve) -> None:
    """One page disputes, one proposes a change the other agrees to, one concedes; both see it, and the record verifies."""
    start(page, serve(Library()), "person")
    other.goto(link(page, "invite"))
    asked = until("choose-action", page, other)
    heading = question(asked).locator("h2").inner_text()

    for word in ("the gate", "the gate"):
        dispute = talk(other).get_by_role("form", name="Dispute")
        dispute.get_by_label("About").fill(word)
        dispute.get_by_label("Claim").fill("it is open")
        dispute.get_by_role("button", name="Roll for it").click()
        for one in (page, other):
            expect(log_of(one)).to_contain_text("The die is cast")
    expect(other.locator("[data-unsaid]")).to_contain_text("was decided in this match")
    expect(talk(page).get_by_role("list", name="Decided in this match")).to_contain_text("the gate: ")

    change = talk(page).get_by_role("form", name="Change by hand")
    change.get_by_label("Unit", exact=True).select_option("a2")
    change.get_by_label("From the left").fill("8")
    change.get_by_label("From the bottom").fill("24")
    change.get_by_role("button", name="Propose").click()
    expect(question(other)).to_contain_text("Do you agree?")
    expect(question(other)).to_contain_text("Sentinels A2.1 stands at 8″, 24″")
    question(other).get_by_role("button", name="Agreed").click()
    for one in (page, other):
        expect(log_of(one)).to_contain_text("By agreement: Sentinels A2.1 stands at 8″, 24″")
        expect(one.locator("[data-model='a2.1']")).to_have_accessible_name("Sentinels A2.1, side A, at 8.0, 24.0")
    expect(question(asked).locator("h2")).to_have_text(heading)

    talk(page).get_by_role("button", name="Concede").click()
    talk(page).get_by_role("button", name="Yes, the battle is lost").click()
    expect(page.get_by_role("region", name="The battle is over")).to_contain_text("You lose")
    expect(other.get_by_role("region", name="The battle is over")).to_contain_text("You win")
    expect(page.locator("details.talk")).to_have_count(0)

    lines = parse(record_of(page), "record")
    assert [line.get("name") for line in lines if line.type == "talk"] == ["dispute", "override", "concede"]
    assert (lines[-1].get("winner"), lines[-1].get("end")) == ("B", "concede")
    assert verify_lines(lines, "record").verified


def test_a_change_that_is_not_agreed_to(page: Page, serve: Serve) -> None:
    """Who plays both sides says for which one, and may refuse the own proposal; then nothing changes."""
    start(page, serve(Library()), "self")
    until("choose-action", page)
    talk(page).get_by_label("Say it for").select_option("B")
    change = talk(page).get_by_role("form", name="Change by hand")
    change.get_by_label("What to change").select_option("+pinned")
    change.get_by_label("Unit", exact=True).select_option("a2")
    change.get_by_role("button", name="Propose").click()
    expect(question(page).locator("h2.side-a")).to_have_text("Do you agree?")
    question(page).locator("[data-option=false]").click()
    expect(log_of(page)).to_contain_text("Not agreed: Sentinels (A2) is pinned")


def test_the_line_of_a_shot_and_the_markers_are_drawn(page: Page, serve: Serve) -> None:
    """A target looked at shows the line of sight, so does a shot in the log when asked; markers lie on the table."""
    start(page, serve(Library()), "closing", "hold-the-ground")
    until("choose-unit", page)
    expect(page.get_by_role("img", name="Marker")).to_have_count(5)
    expect(page.get_by_role("img", name="Marker 1, held by nobody")).to_be_attached()
    until("choose-target", page)
    sight = page.get_by_role("img", name="Line of sight")
    question(page).locator("[role=group] button.primary").hover()
    expect(sight).to_be_attached()
    drawn = sight.get_attribute("d")
    question(page).locator("[role=group] button.primary").click()
    expect(log_of(page)).to_contain_text("shoots at")
    until("choose-unit", page)
    lines = set()
    for shot in log_of(page).get_by_role("button", name="Line of sight").all():
        shot.click()
        lines.add(sight.get_attribute("d"))
    assert drawn in lines
