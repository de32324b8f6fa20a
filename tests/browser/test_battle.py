"""A person plays a whole battle against the machine, through the page alone."""

from __future__ import annotations

from collections import Counter

from playwright.sync_api import Locator, Page, expect

from rolloff.record.lines import parse
from rolloff.record.verify import verify_lines
from rolloff.server.catalogue import Library
from tests.browser.conftest import Serve, record_of
from tests.browser.test_controls import drag

MOST_DECISIONS = 400
ACTIONS = ("assault", "walk", "hold")
"""What the player likes to do, best first."""


class Player:
    """Answers every question with the page's controls: drags where it can, tokens, buttons and keys elsewhere."""

    def __init__(self, page: Page, *, wants_odds: bool = True) -> None:
        """Sit down at a page that shows a battle; odds are looked at where the edition can tell them."""
        self.page = page
        self.wants_odds = wants_odds
        self.decision = page.get_by_role("region", name="Decision")
        self.over = page.get_by_role("region", name="The battle is over")
        self.kinds: Counter[str] = Counter()
        self.drags = 0
        self.refused_drags = 0
        self.odds = 0

    def play(self) -> None:
        """Play to the end."""
        open_question = self.page.locator("section.decision[data-kind][data-busy=false]")
        for _ in range(MOST_DECISIONS):
            expect(open_question.or_(self.over).first).to_be_visible()
            if self.over.is_visible():
                return
            serial = self.decision.get_attribute("data-serial")
            kind = self.decision.get_attribute("data-kind") or ""
            self.kinds[kind] += 1
            {"move": self.move, "place": self.place, "choose-target": self.target, "choose-action": self.act}.get(
                kind, self.take_default
            )()
            moved_on = self.page.locator(f"section.decision:not([data-serial='{serial}'])")
            expect(moved_on.or_(self.over).first).to_be_attached()
        raise AssertionError("the battle does not end")

    def button(self, name: str) -> Locator:
        """A button of the question."""
        return self.decision.get_by_role("button", name=name)

    def take_default(self) -> None:
        """What is suggested is highlighted."""
        self.decision.locator("button.primary").click()

    def act(self) -> None:
        """The first of the actions the player likes, by its button."""
        for action in ACTIONS:
            option = self.decision.locator(f"[data-option={action}]")
            if option.count():
                option.click()
                return
        self.take_default()

    def target(self) -> None:
        """Look at the odds of the suggested target, then click its token twice."""
        suggested = self.decision.locator("button.primary").get_attribute("data-option")
        token = self.page.locator(f"[data-unit='{suggested}']").first
        if not token.count():
            self.take_default()
            return
        token.click()
        if self.wants_odds and self.kinds["choose-target"] == 1:
            expect(self.decision).to_contain_text("removed on average")
        self.odds += self.decision.get_by_text("removed on average").count()
        token.click()

    def _dragged(self, by: tuple[float, float]) -> bool:
        """Drag a model that can be dragged; whether the judge allows where it came to lie."""
        token = self.page.locator("g.token.moving").first
        drag(self.page, token, by)
        expect(self.decision.get_by_text("allowed")).to_be_visible()
        return self.button("Confirm").or_(self.button("Place here")).first.is_enabled()

    def move(self) -> None:
        """Drag the first units toward the middle of the table if that is allowed; else take the suggestion, or stay."""
        stay, suggestion = self.button("Stay"), self.button("Use suggestion")
        token = self.page.locator("g.token.moving").first
        up = self._height(token) < 24
        if self.drags < 4 and self._dragged((0, 3 if up else -3)):
            self.button("Confirm").click()
            self.drags += 1
        elif suggestion.count():
            suggestion.click()
        elif stay.is_enabled():
            self.refused_drags += 1
            stay.click()
        else:
            raise AssertionError("no way to answer a move")

    def _height(self, token: Locator) -> float:
        """How high on the table a token stands, from its accessible name."""
        name = token.get_attribute("aria-label") or ""
        return float(name.split(" at ")[1].split(", ")[1])

    def place(self) -> None:
        """Drag the first unit along its zone; the others go where it is suggested."""
        if self.kinds["place"] == 1 and self._dragged((6, 0)):
            self.button("Place here").click()
            self.drags += 1
        else:
            self.button("Use suggestion").click()


def test_a_whole_battle_against_the_machine(page: Page, serve: Serve) -> None:
    """A battle is played from the form to the result with drags, tokens and buttons, and its record verifies."""
    page.goto(serve(Library()))
    page.get_by_label("Army A").select_option("compact-patrol")
    page.get_by_label("Army B").select_option("levy-patrol")
    page.get_by_label("Table").select_option("crossing")
    page.get_by_label("Dice seed").fill("4")
    page.get_by_role("button", name="Start the battle").click()
    player = Player(page)
    player.play()

    log = page.get_by_role("region", name="Log")
    page.get_by_role("button", name="Show all").click()
    for line in ("Round 1 begins", "Round 4 begins", "moves (walk", "shoots at", "The game ends"):
        expect(log).to_contain_text(line)
    ours, theirs = (int(page.locator(f"[data-score={side}]").inner_text()) for side in "AB")
    expect(log).to_contain_text(f"The game ends: {ours}, {theirs}")
    expect(player.over).to_contain_text("You win" if ours > theirs else "You lose" if ours < theirs else "A draw")
    assert player.drags >= 2
    assert player.odds >= 1
    assert {"choose-unit", "choose-action", "choose-target", "move", "place"} <= set(player.kinds)

    assert verify_lines(parse(record_of(page), "battle"), "battle").verified
