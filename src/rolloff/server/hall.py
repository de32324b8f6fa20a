"""The hall: all battles of this server, and the catalogue new ones are put together from."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, Protocol

from rolloff.errors import BadInput
from rolloff.oracle.dice import seed_bytes
from rolloff.oracle.oracle import Chooser
from rolloff.rules.game import Game
from rolloff.rules.play import SIDES
from rolloff.server.battle import BOTH, Battle
from rolloff.server.messages import GameForm

MOST_BATTLES = 64
PERSON, ALONE = "person", "self"
"""Opponents that are no machine: somebody at another page, or the same player with both hands."""


class Catalogue(Protocol):
    """What can be played, and how it is laid out."""

    def offers(self) -> dict[str, Any]:
        """Editions with their armies, tables and missions, and the machine's opponents, the usual first."""
        ...

    def lay_out(self, form: GameForm, seed: int) -> Game:
        """The game somebody wants, or `BadInput`."""
        ...

    def opponent(self, name: str, seed: int, side: int) -> Chooser:
        """A machine player, or `BadInput`."""
        ...


class Hall:
    """Opens battles and finds them again."""

    def __init__(self, catalogue: Catalogue) -> None:
        """Begin empty."""
        self.catalogue = catalogue
        self._battles: dict[str, Battle] = {}

    @property
    def battles(self) -> Mapping[str, Battle]:
        """The battles by id, oldest first."""
        return self._battles

    def find(self, id_: str) -> Battle:
        """A battle by id, or `BadInput`."""
        found = self._battles.get(id_)
        if found is None:
            raise BadInput("unknown-game", f"there is no game {id_!r}", where="game")
        return found

    def offers(self) -> dict[str, Any]:
        """The catalogue, with the ways to play against no machine."""
        offered = self.catalogue.offers()
        people = [
            {"id": PERSON, "name": "A person at another page"},
            {"id": ALONE, "name": "Nobody: you play both sides"},
        ]
        return offered | {"opponents": [*offered["opponents"], *people]}

    def _check_offered(self, form: GameForm) -> None:
        """`BadInput` for an army, a table or a mission that the catalogue does not name: no page opens files."""
        editions = {one["id"]: one for one in self.offers()["editions"]}
        shelf = editions.get(form.edition) if form.edition else next(iter(editions.values()), None)
        for field, kind in (("army_a", "armies"), ("army_b", "armies"), ("table", "tables"), ("mission", "missions")):
            wanted, known = getattr(form, field), [one["id"] for one in (shelf or {}).get(kind, ())]
            if shelf is not None and wanted and wanted not in known:
                message = f"nothing called {wanted!r} is offered"
                raise BadInput("not-offered", message, where=field, allowed=", ".join(known) or "nothing")

    async def open(self, form: GameForm, *, files: bool = False) -> tuple[Battle, str]:
        """Lay out a battle and play up to its first question; the battle, and the seat of whoever asked.

        With ``files`` armies and tables may be files on this machine.
        """
        if form.seat not in SIDES:
            raise BadInput("bad-seat", f"there is no side {form.seat!r}", where="seat", allowed=", ".join(SIDES))
        if form.seed is not None and abs(form.seed) >= 2**63:
            raise BadInput("bad-seed", "this seed is too large", where="seed", allowed="a 64-bit number")
        if not files:
            self._check_offered(form)
        self._make_room()
        seed = secrets.randbits(48) if form.seed is None else form.seed
        form.opponent = form.opponent or self.offers()["opponents"][0]["id"]
        battle = self._battle(form, seed)
        await battle.begin()
        self._battles[battle.id] = battle
        return battle, BOTH if form.opponent == ALONE else form.seat

    def _battle(self, form: GameForm, seed: int) -> Battle:
        game = self.catalogue.lay_out(form, seed)
        seats: list[Chooser | None] = [None, None]
        players = ["person", "person"]
        if form.opponent not in (PERSON, ALONE):
            other = 1 - SIDES.index(form.seat)
            seats[other] = self.catalogue.opponent(form.opponent, seed, other)
            players[other] = form.opponent
        return Battle(secrets.token_urlsafe(6), game, seed_bytes(seed, "game", 0), seats, (players[0], players[1]))

    def _make_room(self) -> None:
        """Past the cap the oldest battle that nobody watches goes; finished ones go first."""
        if len(self._battles) < MOST_BATTLES:
            return
        idle = [battle for battle in self._battles.values() if not battle.viewers]
        if not idle:
            raise BadInput("too-many", "too many battles are being played", allowed=str(MOST_BATTLES))
        gone = min(idle, key=lambda battle: not battle.over)
        del self._battles[gone.id]
