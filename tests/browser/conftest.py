"""A browser, and servers for it to look at."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from rolloff.server.app import PAGE
from rolloff.server.hall import Catalogue
from tests.server.conftest import coins_at

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PATIENCE = 20_000
"""Milliseconds a control may take to appear, or a question to give way to the next, on a busy machine."""

expect.set_options(timeout=PATIENCE)

INSTANT = """
    if (!localStorage.getItem("rolloff-settings"))
      localStorage.setItem("rolloff-settings", JSON.stringify({ speed: "instant", guard: 0 }));
"""
"""Events show at once and questions take answers at once, unless a test has set it otherwise."""

Serve = Callable[[Catalogue], str]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A headless Chromium."""
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    if not (PAGE / "index.html").exists():
        pytest.skip("the page is not built: make page")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield found
        found.close()


@contextmanager
def fresh_page(browser: Browser) -> Iterator[Page]:
    """A page in a browser of its own that shows events at once and fails on any error of its own.

    That a line to the server is lost is no error of the page: it comes back by itself. Nor is what the server refuses,
    or says while it is being stopped at the end of a test.
    """
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.add_init_script(INSTANT)
    found = context.new_page()
    found.set_default_timeout(PATIENCE)
    errors: list[str] = []
    found.on("pageerror", lambda error: errors.append(str(error)))
    found.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    yield found
    context.close()
    excused = ("WebSocket connection", "400 (Bad Request)", "503 (Service Unavailable)")
    assert [error for error in errors if not any(words in error for words in excused)] == []


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh page."""
    with fresh_page(browser) as found:
        yield found


@pytest.fixture
def other(browser: Browser) -> Iterator[Page]:
    """A page of somebody else, who holds no seat yet."""
    with fresh_page(browser) as found:
        yield found


def game_of(page: Page) -> str:
    """The game a page shows."""
    return parse_qs(urlparse(page.url).query)["game"][0]


def link(page: Page, kind: str) -> str:
    """The link a page hands on: invite or watch."""
    found = page.evaluate("game => JSON.parse(localStorage.getItem('rolloff-links'))[game]", game_of(page))
    return f"{page.url.split('?')[0]}?game={game_of(page)}#{kind}={found[kind]}"


def record_of(page: Page) -> bytes:
    """The record of the game a page shows, fetched with the token of its seat."""
    token = page.evaluate("game => JSON.parse(localStorage.getItem('rolloff-seats'))[game]", game_of(page))
    address = f"{page.url.split('?')[0]}api/games/{game_of(page)}/record"
    reply = httpx.get(address, headers={"authorization": f"Bearer {token}"}, timeout=10)
    assert reply.status_code == 200, reply.text
    return reply.content


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Start a server of a catalogue on a free port; gives its address."""
    with ExitStack() as stack:
        yield lambda catalogue: stack.enter_context(coins_at(tmp_path / "data", catalogue)).address
