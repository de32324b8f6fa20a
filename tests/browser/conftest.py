"""A browser, and servers for it to look at."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from threading import Event, Thread

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from rolloff.server.app import PAGE, create_app
from rolloff.server.hall import Catalogue, Hall
from rolloff.server.serve import address_of, make_server, take_port

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PATIENCE = 10_000
"""Milliseconds a control may take to appear."""

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


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh page that shows events at once and fails on any error of its own."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.add_init_script("localStorage.setItem('rolloff-speed', 'instant')")
    found = context.new_page()
    found.set_default_timeout(PATIENCE)
    errors: list[str] = []
    found.on("pageerror", lambda error: errors.append(str(error)))
    found.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    yield found
    context.close()
    assert errors == []


@contextmanager
def _served(catalogue: Catalogue) -> Iterator[str]:
    ready, listening = Event(), take_port(0)
    server = make_server(create_app(Hall(catalogue)), ready.set)
    thread = Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    assert ready.wait(10)
    yield address_of(listening)
    server.should_exit = True
    thread.join(10)
    listening.close()


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start a server of a catalogue on a free port; gives its address."""
    with ExitStack() as stack:
        yield lambda catalogue: stack.enter_context(_served(catalogue))
