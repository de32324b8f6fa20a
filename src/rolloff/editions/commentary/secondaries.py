"""Secondary cards (MSN-3, G9): each player draws them, scores by them at the end of turns, and may exchange or give them up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Literal

from msgspec import Struct

from rolloff.editions.commentary.feats import COUNTS
from rolloff.editions.commentary.lookups import host_of
from rolloff.editions.commentary.missions import CARD_POINTS, FIRST_SCORED, MISSIONS, POINTS
from rolloff.errors import BadInput
from rolloff.files import shipped_table
from rolloff.oracle.contest import draw
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.rules.objectives import held_by
from rolloff.rules.play import Play
from rolloff.rules.turns import on_table
from rolloff.rules.windows import Moment, Use
from rolloff.table.event import Patch, SideMarked
from rolloff.typed import convert

DECK, ACTIVE, HAD = "deck", "card:", "had:"
"""Marks of a player: the cards still to be drawn; one that is active (with the unit it names); a marker held at the start."""
HAND = 2
KEEP = "none"


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    """One card: when it is judged, what it counts, the points by steps, and whether the enemy names a unit for it."""

    id: str
    name: str
    about: str
    judged: Literal["own", "enemy", "each"]
    asks: str
    points: tuple[tuple[int, int], ...]
    names: bool = False

    def worth(self, count: int) -> int:
        """The points of the highest step that is reached."""
        return max((points for least, points in self.points if count >= least), default=0)


@cache
def cards() -> Mapping[str, Card]:
    """Every card by its id."""
    rows = shipped_table("content/commentary/secondaries.toml")["card"]
    return {card.id: card for card in convert(rows, tuple[Card, ...])}


def played(play: Play) -> int:
    """The most points a player scores by cards in this battle; 0 where the mission has none."""
    return MISSIONS.of(play.game.setup).scoring.cards


def deck_of(play: Play, side: int) -> list[str]:
    """The cards a player has not drawn yet: where nobody says which, those that do not lie before the player."""
    held = play.state.side_mark(side, DECK)
    if held is None:
        return [id_ for id_ in cards() if id_ not in active(play, side)]
    return [_known(id_, DECK) for id_ in str(held).split()]


def _known(id_: str, mark: str) -> str:
    """A card that a situation names, or `BadInput`."""
    if id_ not in cards():
        raise BadInput("unknown-card", f"{mark}: no card {id_!r}", where=mark, allowed=", ".join(cards()))
    return id_


def active(play: Play, side: int) -> dict[str, str]:
    """The cards that lie face up before a player, each with the unit it names."""
    marks = [(name, value) for name, value in play.state.sides[side] if name.startswith(ACTIVE)]
    return {_known(name.removeprefix(ACTIVE), name): str(value) for name, value in marks}


# -- drawing ---------------------------------------------------------------------------------------


def draw_cards(play: Play) -> None:
    """MSN-3: in the own Command step a player draws until two cards are active, while the deck lasts."""
    if not played(play):
        return
    side = play.state.clock.active
    theirs = held_by(play.game, play.state, 1 - side)
    if theirs:
        play.emit("cards-noted", ("MSN-3",), *(SideMarked(1 - side, HAD + spot.id, "end-turn") for spot in theirs))
    while len(active(play, side)) < HAND and deck_of(play, side):
        draw_one(play, side)


def draw_one(play: Play, side: int) -> None:
    """One card, each of those left as likely."""
    deck = deck_of(play, side)
    play.rolled_by = -1
    card = cards()[deck[draw(play.dice, len(deck), "card", "MSN-3")]]
    left = " ".join(id_ for id_ in deck if id_ != card.id)
    named = name_unit(play, side) if card.names else card.id
    marks: list[Patch] = [SideMarked(side, DECK, left), SideMarked(side, ACTIVE + card.id, named)]
    play.emit("card-drawn", ("MSN-3", card.id), *marks, side=side, card=card.name)


def name_unit(play: Play, side: int) -> str:
    """SEC-12, DP-68: the opponent names one of their units on the battlefield, by default the cheapest."""
    units = sorted(on_table(play, 1 - side), key=lambda unit: (_worth(play, unit), unit))
    names = tuple(play.game.names[unit] for unit in units)
    if not names:
        return KEEP
    answer = play.choose(1 - side, "choose-unit", "SEC-12", names, names[0], point="DP-68", purpose="named debt")
    return str(answer)


def _worth(play: Play, unit: int) -> int:
    """POINTS-1: what a unit costs, Leaders that are part of it included."""
    return sum(play.game.cards[card].points for card in host_of(play.game, play.state, unit).cards)


# -- scoring ---------------------------------------------------------------------------------------


def score_cards(play: Play) -> None:
    """MSN-3: at the end of a turn each card that is due scores and is discarded, up to what cards may bring in a battle.

    In round one nobody scores (MIS-4): a card whose condition holds then stays active.
    """
    most = played(play)
    if not most or play.state.clock.round < FIRST_SCORED:
        return
    mover = play.state.clock.active
    for side in (mover, 1 - mover):
        due = ("own", "each") if side == mover else ("enemy", "each")
        for id_, named in active(play, side).items():
            card = cards()[id_]
            if card.judged in due:
                _score(play, side, card, named, most)


def _score(play: Play, side: int, card: Card, named: str, most: int) -> None:
    worth = card.worth(COUNTS[card.asks](play, side, named))
    if not worth:
        return
    so_far = int(play.state.side_mark(side, CARD_POINTS) or 0)
    gained = min(worth, most - so_far)
    total = int(play.state.side_mark(side, POINTS) or 0) + gained
    marks = [
        SideMarked(side, POINTS, total),
        SideMarked(side, CARD_POINTS, so_far + gained),
        SideMarked(side, ACTIVE + card.id, None),
    ]
    play.emit("card-scored", ("MSN-3", card.id), *marks, side=side, card=card.name, points=gained, total=total)


def give_up(play: Play) -> None:
    """MSN-3, DP-67: at the end of the own turn, when all is scored, a player may give up active cards."""
    side = play.state.clock.active
    if not played(play):
        return
    while active(play, side):
        names = {cards()[id_].name: id_ for id_ in active(play, side)}
        answer = str(play.choose(side, "choose-option", "MSN-3", (KEEP, *names), KEEP, point="DP-67", purpose="give up"))
        if answer == KEEP:
            return
        play.emit("card-given-up", ("MSN-3",), SideMarked(side, ACTIVE + names[answer], None), side=side, card=answer)


# -- New Orders ------------------------------------------------------------------------------------


@cites("STRAT-4")
def needs_no_unit(play: Play, side: int) -> bool:
    """STRAT-4: it targets a card and no unit, so it is usable even if every own unit is Battle-shocked."""
    return True


def plays_cards(game: Game, side: int) -> bool:
    """Whether the mission of a battle has cards at all."""
    return MISSIONS.of(game.setup).scoring.cards > 0


def orders_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """CSTR-12: one of the active cards, while there is another to draw."""
    if played(play) and deck_of(play, side) and needs_no_unit(play, side):
        yield from (Use(variant=cards()[id_].name, cost=1) for id_ in active(play, side))


def new_orders(play: Play, moment: Moment, use: Use) -> None:
    """CSTR-12: it is discarded, and another is drawn."""
    side = play.state.clock.active
    id_ = next(id_ for id_ in active(play, side) if cards()[id_].name == use.variant)
    marks = [SideMarked(side, ACTIVE + id_, None)]
    if play.state.side_mark(side, DECK) is None:
        marks.append(SideMarked(side, DECK, " ".join(deck_of(play, side))))
    play.emit("card-given-up", ("CSTR-12",), *marks, side=side, card=use.variant)
    draw_one(play, side)
