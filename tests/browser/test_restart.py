"""Two people at two pages, and a server that is killed while one of them decides."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlparse

import httpx
from playwright.sync_api import Page, expect

from rolloff.record.lines import parse
from rolloff.record.verify import verify_lines
from tests.browser.conftest import link, record_of
from tests.server.coinflip import Coins
from tests.server.killing import Victim


def answer(page: Page, name: str) -> None:
    """Press a button of the open question."""
    page.get_by_role("region", name="Decision").get_by_role("button", name=name).first.click()


def test_two_browsers_play_on_through_a_kill_in_the_middle_of_a_decision(page: Page, other: Page, tmp_path: Path) -> None:
    """Both pages come back by themselves to the same question, the battle goes on to its end, and its record is signed."""
    Coins().install()
    victim = Victim(tmp_path)
    port = urlparse(victim.address).port or 0
    try:
        started = httpx.post(f"{victim.address}api/games", json={"opponent": "person"}, timeout=10).json()
        game = started["id"]
        page.goto(f"{victim.address}?game={game}#seat={started['token']}")
        page.evaluate(
            "([game, links]) => localStorage.setItem('rolloff-links', JSON.stringify({[game]: links}))",
            [game, {"invite": started["invite"], "watch": started["watch"]}],
        )
        other.goto(link(page, "invite"))
        answer(page, "Heads")
        confirm = page.get_by_role("region", name="Decision").locator("button.primary").first
        expect(confirm).to_be_visible()

        victim.kill()
        expect(page.get_by_text("connection", exact=False).first).to_be_visible(timeout=15_000)
        victim = Victim(tmp_path, port=port)
        for one in (page, other):
            expect(one.get_by_text("connection was lost", exact=False)).to_have_count(0, timeout=20_000)
        page.wait_for_timeout(1000)
        expect(confirm).to_be_enabled(timeout=20_000)
        play_out(page, other)
        verdict = verify_lines(parse(record_of(page), "x"), "x")
        assert verdict.verified and verdict.proof == "signed" and "both players" in verdict.statement
    finally:
        victim.kill()


def play_out(*pages: Page) -> None:
    """Take what is suggested at whichever page is asked until the battle is over at both."""
    for _ in range(400):
        if all(one.get_by_role("region", name="The battle is over").count() for one in pages):
            return
        for one in pages:
            question = one.locator("section.decision[data-kind][data-busy=false]")
            button = question.get_by_role("button", name="Use suggestion").or_(question.locator("button.primary"))
            if button.count() and button.first.is_enabled():
                button.first.click()
        pages[0].wait_for_timeout(50)
    raise AssertionError("the battle did not come to its end")
