"""Make the pictures of the README and the documents: `python -m tools.pictures`. They are taken of the page as it is built."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, expect, sync_playwright

from rolloff.server.catalogue import Library
from tests.browser.playing import Follower, begin
from tests.server.conftest import coins_at

IMAGES = Path(__file__).parents[1] / "docs" / "images"
SETTINGS = 'localStorage.setItem("rolloff-settings", JSON.stringify({ speed: "instant", guard: 0 }))'
ARMIES = {"army_a": "aegis-compact", "army_b": "ashen-levy", "table": "broken-town"}


def take(page: Page, name: str) -> None:
    """Save what the page shows."""
    page.wait_for_timeout(700)
    page.screenshot(path=IMAGES / f"{name}.png")
    print(f"docs/images/{name}.png")


def battle(page: Page, address: str) -> None:
    """A battle from the army screen to the first target."""
    begin(page, address, ARMIES, seed=1)
    player = Follower(page)
    player.play(until="army-screen")
    take(page, "army")
    player.ready()
    player.play(until="choose-action")
    take(page, "table")
    suggestion = page.locator("[data-do=suggestion]")
    player.play(until="move")
    while not suggestion.count():
        player.answer_one()
        player.play(until="move")
    suggestion.click()
    expect(page.locator("[data-do=confirm]")).to_be_enabled()
    take(page, "move")
    player.confirm.click()
    player.play(until="choose-target")
    take(page, "target")


def main() -> None:
    """Take all pictures."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with TemporaryDirectory() as folder, coins_at(Path(folder) / "data", Library()) as table, sync_playwright() as player:
        browser = player.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        page.add_init_script(SETTINGS)
        page.goto(table.address)
        expect(page.get_by_role("button", name="Play now")).to_be_enabled(timeout=30_000)
        take(page, "home")
        battle(page, table.address)
        browser.close()


if __name__ == "__main__":
    main()
