"""How the page bears up in Chromium: start, the way to the first shot, dragging a big unit, verdicts, and its size.

Run against a server of its own: ``python -m bench.page_bench [--seconds 4] [--battles 3] [--hold]``; ``make page-bench``.
"""

from __future__ import annotations

import argparse
import gzip
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any

import httpx
import msgspec
from playwright.sync_api import Browser, Page, expect, sync_playwright
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from bench.server_bench import start
from rolloff.server.app import PAGE
from tests.browser.conftest import CHROMIUM
from tests.browser.playing import OWN_SHOT, Follower, middle

Json = dict[str, Any]
BIG: Json = {"edition": "apocalypse-3.3", "army_a": "ashen-levy-3000", "army_b": "aegis-compact-3000", "table": "broken-town"}
"""The largest battle that comes with the installation: 3000 points a side."""
MODELS = 20
MERGE, WALK, MOVE, UNIT, ACTION = "DP-3", "walk", "move", "choose-unit", "choose-action"
INSTANT = 'localStorage.setItem("rolloff-settings", JSON.stringify({ speed: "instant", guard: 0 }))'
COUNTING = "window.clicks = 0; addEventListener('pointerdown', () => window.clicks++, true)"
FRAMES = """
    () => {
      window.frames_ = [];
      let last = performance.now();
      const tick = (now) => {
        window.frames_.push(now - last);
        last = now;
        window.ticking = requestAnimationFrame(tick);
      };
      window.ticking = requestAnimationFrame(tick);
    }
"""
"""Write down how long each frame stands."""
VERDICT = """
    () => new Promise((done) => {
      addEventListener("pointerup", () => {
        const dropped = performance.now();
        const look = () => {
          const state = document.querySelector("[data-judging]");
          if (state?.dataset.judging === "false" && state.querySelector(".fine, .no")) done(performance.now() - dropped);
          else setTimeout(look, 1);
        };
        setTimeout(look, 0);
      }, { once: true, capture: true });
    })
"""
"""How long after the unit is let go its verdict stands, in milliseconds."""


class Row(msgspec.Struct, frozen=True):
    """One number, and what is to be held."""

    name: str
    value: float
    unit: str
    hold: float
    most: bool
    note: str = ""

    @property
    def held(self) -> bool:
        """Whether it is."""
        return self.value <= self.hold if self.most else self.value >= self.hold

    def __str__(self) -> str:
        """A line of the table."""
        hold = f"{'at most' if self.most else 'at least'} {self.hold:g}"
        return (
            f"{self.name:<28} {self.value:>8.4g} {self.unit:<9} hold {hold:<13} {'yes' if self.held else 'NO':<4} {self.note}"
        )


@contextmanager
def server(data: str) -> Iterator[str]:
    """A server over a folder; its address."""
    program, address = start(data)
    try:
        yield address
    finally:
        program.send_signal(signal.SIGINT)
        try:
            program.wait(60)
        except subprocess.TimeoutExpired:
            program.kill()


def fresh(browser: Browser) -> Page:
    """A page of its own, with previews on and nothing shown slowly."""
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.add_init_script(INSTANT)
    page.add_init_script(COUNTING)
    page.set_default_timeout(60_000)
    return page


def size() -> float:
    """The page and all it loads, packed as the server packs it, in KB."""
    return sum(len(gzip.compress(file.read_bytes(), 9)) for file in PAGE.rglob("*") if file.is_file()) / 1024


def time_to_play(browser: Browser, data: str) -> float:
    """From the command to a page that can be played, in seconds."""
    page = fresh(browser)
    began = time.perf_counter()
    with server(data) as address:
        page.goto(address)
        expect(page.get_by_role("button", name="Play now")).to_be_enabled(timeout=60_000)
        took = time.perf_counter() - began
        page.context.close()
    return took


def clicks_to_shoot(browser: Browser, address: str) -> int:
    """Clicks and drags from the front page to the first shot, taking what is suggested; the dice are any."""
    page = fresh(browser)
    page.goto(address)
    page.get_by_role("button", name="Play now").click()
    log = page.get_by_role("region", name="Log")
    follower = Follower(page)
    while not log.get_by_text(OWN_SHOT).count():
        follower.answer_one()
    clicks: int = page.evaluate("window.clicks")
    page.context.close()
    return clicks


def answer_for(request: Json, chosen: str) -> Any:
    """The default, but two units of ten go together and walk."""
    options = request["options"] or []
    if request["point"] == MERGE and request["about"] == chosen and len(options) > 1:
        return next(option for option in options if option != request["default"])
    if request["kind"] == UNIT and chosen in options and request["point"] == "DP-13":
        return chosen
    if request["kind"] == ACTION and request["about"] == chosen and WALK in options:
        return WALK
    return request["default"]


def _standing(socket: ClientConnection) -> Json:
    """The next message that says how things stand."""
    while True:
        message: Json = msgspec.json.decode(socket.recv(timeout=120))
        if message["type"] in ("refused", "error"):
            raise AssertionError(message)
        if message["type"] in ("hello", "events") and not message.get("thinking"):
            return message


def big_battle(address: str, chosen: str = "a6") -> Json:
    """A battle of 3000 points at the point where a merged unit of twenty is asked to walk."""
    begun: Json = httpx.post(f"{address}api/games", json={**BIG, "opponent": "random", "seed": 3}, timeout=60).json()
    with connect(f"ws{address[4:]}ws/{begun['id']}", origin=Origin(address.rstrip("/")), max_size=None) as socket:
        socket.send(msgspec.json.encode({"type": "sit", "token": begun["token"]}).decode())
        request = _standing(socket)["request"]
        while not (request["kind"] == MOVE and request["about"] == chosen):
            answer = {"type": "answer", "value": answer_for(request, chosen), "serial": request["serial"]}
            socket.send(msgspec.json.encode(answer).decode())
            request = _standing(socket)["request"]
        assert len(request["models"]) == MODELS, request["models"]
    return begun


def drag(page: Page, seconds: float) -> tuple[float, float, float]:
    """Drag a unit to and fro: frames a second, the longest frame and the time from drop to verdict in milliseconds."""
    token = page.locator("g.token.moving").first
    expect(token).to_be_visible()
    x, y = middle(token)
    page.mouse.move(x, y)
    page.mouse.down()
    page.evaluate(FRAMES)
    end, step = time.perf_counter() + seconds, 0
    while time.perf_counter() < end:
        step += 1
        page.mouse.move(x + 30 * ((step % 60) / 30 - 1), y - 20 * ((step % 40) / 20 - 1))
    frames: list[float] = page.evaluate("() => { cancelAnimationFrame(window.ticking); return window.frames_; }")
    page.mouse.move(x + 6, y - 12)
    page.evaluate(f"() => {{ window.verdict = ({VERDICT})(); }}")
    page.mouse.up()
    verdict: float = page.evaluate("() => window.verdict")
    return 1000 * len(frames) / sum(frames), max(frames), verdict


def dragging(browser: Browser, address: str, seconds: float) -> list[Row]:
    """A unit of twenty on a table of 3000 points, previews on."""
    begun = big_battle(address)
    page = fresh(browser)
    page.goto(f"{address}?game={begun['id']}#seat={begun['token']}")
    runs = [drag(page, seconds) for _ in range(3)]
    models = page.locator("g.token").count()
    page.context.close()
    note = f"{models} models on the table, longest frame {max(run[1] for run in runs):.0f} ms"
    return [
        Row("frames while dragging", median(run[0] for run in runs), "1/s", 50, False, note),
        Row("drop to verdict", median(run[2] for run in runs), "ms", 250, True, "judge and redraw, the unit of twenty"),
    ]


def measure(seconds: float, battles: int) -> Iterator[Row]:
    """All the numbers, one after the other."""
    yield Row("bundle, packed", size(), "KB", 120, True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as data:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        time_to_play(browser, data)
        yield Row("play to a playable page", median(time_to_play(browser, data) for _ in range(3)), "s", 2, True)
        with server(data) as address:
            worst = max(clicks_to_shoot(browser, address) for _ in range(battles))
            yield Row("clicks to the first shot", worst, "clicks", 10, True, f"the most of {battles} battles, any dice")
            yield from dragging(browser, address, seconds)
        browser.close()


def main() -> int:
    """Print the numbers; with --hold fail if one is not held."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=4.0, help="how long each drag lasts")
    parser.add_argument("--battles", type=int, default=3, help="how many battles are started for the first shot")
    parser.add_argument("--hold", action="store_true", help="exit 1 if a number is not held")
    given = parser.parse_args()
    expect.set_options(timeout=60_000)
    rows = []
    for row in measure(given.seconds, given.battles):
        print(row, flush=True)
        rows.append(row)
    return 1 if given.hold and not all(row.held for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
