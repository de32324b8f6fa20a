"""How the tests play: starting a battle from the page, dragging, and a player that answers every question."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import game_of

MOST_DECISIONS = 400
OWN_SHOT = re.compile(r"\(A\d+\) shoots at")
"""A line of the log by which side A has shot."""
ACTIONS = ("assault", "walk", "hold")
"""What the player likes to do, best first."""
OPEN = "section[data-kind][data-busy=false]:not([data-hinted=false]), section[aria-label='Hand over']"
"""A question that takes an answer and has its suggestion, the army screen, or the page to be handed over."""


def middle(token: Locator) -> tuple[float, float]:
    """The middle of a token on the screen."""
    box = token.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, token: Locator, by: tuple[float, float]) -> None:
    """Drag a token by so many inches, y up, with the mouse."""
    table = page.get_by_role("group", name="The table")
    scale = table.evaluate("svg => svg.getScreenCTM().a")
    x, y = middle(token)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by[0] * scale / 2, y - by[1] * scale / 2, steps=3)
    page.mouse.move(x + by[0] * scale, y - by[1] * scale, steps=3)
    page.mouse.up()


def begin(page: Page, address: str, choice: Mapping[str, str] | None = None, seed: int = 4) -> str:
    """Choose a battle on the page and start it; its id. Choices are fields of the form with the value to pick."""
    page.goto(f"{address}?page=new")
    for field, value in (choice or {}).items():
        page.locator(f"input[name={field}][value='{value}']").check()
    page.get_by_label("Dice seed").fill(str(seed))
    page.get_by_role("button", name="Start the battle").click()
    page.wait_for_url("**game=**")
    return game_of(page)


PATROLS = {"army_a": "compact-patrol", "army_b": "levy-patrol", "table": "crossing"}
SMALL_BATTLES: dict[str, dict[str, str]] = {
    "onepage-3.0": PATROLS,
    "onepage-2.21": {
        "edition": "onepage-2.21",
        "army_a": "compact-patrol-221",
        "army_b": "levy-patrol-221",
        "table": "crossing",
    },
    "apocalypse-3.3": {
        "edition": "apocalypse-3.3",
        "army_a": "compact-patrol-apocalypse",
        "army_b": "levy-patrol-apocalypse",
        "table": "crossing",
    },
}
"""A small battle of each One Page edition, as the form is filled in."""


class Player:
    """Answers every question with the page's controls: drags where it can, tokens, buttons and keys elsewhere."""

    def __init__(self, page: Page, *, wants_odds: bool = True) -> None:
        """Sit down at a page that shows a battle; odds are looked at where the edition can tell them."""
        self.page = page
        self.wants_odds = wants_odds
        self.decision = page.locator("section.decision")
        self.over = page.locator("section.over")
        self.kinds: Counter[str] = Counter()
        self.drags = 0
        self.odds = 0

    def play(self, until: str = "") -> None:
        """Play to the end, or until a kind of question is open."""
        for _ in range(MOST_DECISIONS):
            if not self.answer_one(until):
                return
        raise AssertionError("the battle does not end")

    def answer_one(self, until: str = "") -> bool:
        """Answer the next question; False if the battle is over, or a kind of question is open that is waited for."""
        question = self.page.locator(OPEN)
        expect(question.or_(self.over).first).to_be_visible()
        if self.over.is_visible():
            return False
        kind = question.first.get_attribute("data-kind") or "hand-over"
        if kind == until:
            return False
        serial = question.first.get_attribute("data-serial")
        self.kinds[kind] += 1
        self.answer(kind)
        if serial:
            expect(self.page.locator(f"section[data-serial='{serial}'][data-kind][data-busy=false]")).to_have_count(0)
        return True

    def answer(self, kind: str) -> None:
        """Answer the question that is open."""
        answers = {"move": self.move, "place": self.place, "choose-target": self.target, "choose-action": self.act}
        answers |= {"army-screen": self.ready, "hand-over": self.sit_down}
        answers.get(kind, self.take_default)()

    def button(self, name: str) -> Locator:
        """A button of the question."""
        return self.decision.get_by_role("button", name=name)

    def ready(self) -> None:
        """The army as it is suggested."""
        self.page.locator("[data-do=ready]").click()

    def sit_down(self) -> None:
        """Take the page over."""
        self.page.get_by_role("region", name="Hand over").get_by_role("button").click()

    def take_default(self) -> None:
        """What is suggested is highlighted; a tray has no suggestion, its first unit will do."""
        self.decision.locator("[role=group] button.primary").or_(self.decision.locator("button.unit")).first.click()

    def act(self) -> None:
        """The first of the actions the player likes, by its button."""
        for action in ACTIONS:
            option = self.decision.locator(f"[data-option={action}]")
            if option.count():
                option.click()
                return
        self.take_default()

    def target(self) -> None:
        """Click the token of the suggested target, look at its odds, then take it by its button."""
        suggested = self.decision.locator("[role=group] button.primary")
        token = self.page.locator(f"[data-unit='{suggested.get_attribute('data-option')}']").first
        if token.count():
            token.click()
            if self.wants_odds and self.kinds["choose-target"] == 1:
                expect(self.decision).to_contain_text("removed on average")
            self.odds += self.decision.get_by_text("removed on average").count()
        suggested.click()

    def dragged(self, by: tuple[float, float]) -> bool:
        """Drag a model that can be dragged; whether the judge allows where it came to lie."""
        drag(self.page, self.page.locator("g.token.moving").first, by)
        expect(self.decision.get_by_text("allowed")).to_be_visible()
        expect(self.decision.locator("[data-judging=false]")).to_be_visible()
        return self.confirm.is_enabled()

    @property
    def confirm(self) -> Locator:
        """The button that commits."""
        return self.decision.locator("[data-do=confirm]")

    def move(self) -> None:
        """Drag the first units toward the middle of the table if that is allowed; else take the suggestion, or stay."""
        stay, suggestion = self.decision.locator("[data-do=stay]"), self.decision.locator("[data-do=suggestion]")
        up = height(self.page.locator("g.token.moving").first) < 24
        if self.drags < 4 and self.dragged((0, 3 if up else -3)):
            self.confirm.click()
            self.drags += 1
        elif suggestion.count():
            suggestion.click()
            self.confirm.click()
        else:
            stay.click()

    def place(self) -> None:
        """Drag the first unit along its zone; the others go where it is suggested."""
        if self.kinds["place"] == 1 and self.dragged((6, 0)):
            self.drags += 1
        else:
            self.decision.locator("[data-do=suggestion]").click()
        self.confirm.click()


class Follower(Player):
    """Takes whatever the page suggests, and leaves deployment to it."""

    def answer(self, kind: str) -> None:
        """The suggestion, by the fewest clicks."""
        suggestion, rest = self.page.locator("[data-do=suggestion]"), self.page.locator("[data-do=rest]")
        if rest.count():
            rest.click()
        elif kind in ("move", "place") and suggestion.count():
            suggestion.click()
            self.confirm.click()
        elif kind == "move":
            self.page.locator("[data-do=stay]").click()
        elif kind in ("army-screen", "hand-over"):
            super().answer(kind)
        else:
            self.take_default()


class Keys(Player):
    """Plays with the keyboard alone: digits, Enter, and the keys of the sheet."""

    def answer(self, kind: str) -> None:
        """One question by keys."""
        press = self.page.keyboard.press
        if kind in ("move", "place"):
            press("u")
            if self.page.locator("[data-do=suggestion]").count():
                expect(self.confirm).to_be_enabled()
                press("Enter")
            else:
                press("s")
        elif kind == "army-screen":
            expect(self.page.locator("[data-do=ready]")).to_be_focused()
            press("Enter")
        elif kind == "assign-weapons":
            press("Enter")
        else:
            press("1")


def height(token: Locator) -> float:
    """How high on the table a token stands, from its accessible name."""
    name = token.get_attribute("aria-label") or ""
    return float(name.split(" at ")[1].split(", ")[1])
