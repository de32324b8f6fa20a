"""A game whose names try to be more than text."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.rules.game import Game
from rolloff.server.messages import GameForm
from tests.server.coinflip import EDITION, Coins

NASTY = '<img src=x onerror="window.nasty=1"><b class=nasty>[/x]</b>'


class Nasty(Coins):
    """Coin flips between units of such names."""

    def lay_out(self, form: GameForm, seed: int) -> Game:
        """The same two runners, otherwise called."""
        setup = super().lay_out(form, seed).setup
        cards = tuple(replace(card, name=NASTY) for card in setup.cards[:1]) + setup.cards[1:]
        return Game(EDITION, replace(setup, cards=cards, armies=(NASTY, "Greens")))
