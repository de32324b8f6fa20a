"""A battle of whole-army turns in five phases, played in the page to its end."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from rolloff.record.lines import parse
from rolloff.record.verify import verify_lines
from rolloff.server.catalogue import Library
from tests.browser.conftest import Serve, record_of
from tests.browser.playing import Follower, begin

CHOICE = {
    "edition": "commentary-10",
    "army_a": "verdigris-mandate-500",
    "army_b": "hollow-tide-500",
    "table": "toll-crossing",
    "mission": "default",
}


def test_a_battle_in_phases_against_the_machine(page: Page, serve: Serve) -> None:
    """Five rounds by the page's own suggestions, and the record verifies."""
    begin(page, serve(Library()), CHOICE)
    player = Follower(page)
    player.play()
    assert {"choose-unit", "choose-action", "move"} <= set(player.kinds)
    log = page.get_by_role("region", name="Log")
    page.get_by_role("button", name="Show all").click()
    for line in ("gain 1 CP", "shoots at", "The battle is over"):
        expect(log).to_contain_text(line)
    assert verify_lines(parse(record_of(page), "battle"), "battle").verified
