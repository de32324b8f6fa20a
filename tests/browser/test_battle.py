"""A person plays a whole battle against the machine, through the page alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from rolloff.record.lines import parse
from rolloff.record.verify import verify_lines
from rolloff.server.catalogue import Library
from tests.browser.conftest import Serve, record_of
from tests.browser.playing import SMALL_BATTLES, Player, begin


@pytest.mark.parametrize("edition", SMALL_BATTLES)
def test_a_whole_battle_against_the_machine(page: Page, serve: Serve, edition: str) -> None:
    """A battle is played from the form to the result with drags, tokens and buttons, and its record verifies."""
    begin(page, serve(Library()), SMALL_BATTLES[edition])
    player = Player(page)
    player.play()

    log = page.get_by_role("region", name="Log")
    page.get_by_role("button", name="Show all").click()
    for line in ("Round 1 begins", "Round 2 begins", "moves (walk", "shoots at", "The game ends"):
        expect(log).to_contain_text(line)
    ours, theirs = (int(page.locator(f"[data-score={side}]").inner_text()) for side in "AB")
    expect(log).to_contain_text(f"The game ends: {ours}, {theirs}")
    expect(player.over).to_contain_text("You win" if ours > theirs else "You lose" if ours < theirs else "A draw")
    assert player.drags >= 1
    assert {"choose-unit", "choose-action", "choose-target", "move", "place"} <= set(player.kinds)

    lines = parse(record_of(page), "battle")
    assert verify_lines(lines, "battle").verified and edition in str(lines[0])
