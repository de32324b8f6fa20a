"""The mutation table (AB-T8, G8): at the end of each battle round some units change until the end of the next."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct, field

from rolloff.editions.commentary.lore import GRANT, Lore, full_wounds
from rolloff.oracle.contest import d66
from rolloff.rules.citing import cites
from rolloff.rules.deployment import roll_off
from rolloff.rules.effects import lasting
from rolloff.rules.play import Play
from rolloff.rules.turns import on_table
from rolloff.table.event import Patch, Wounded

MUTATES = "Mutates"
NEXT_ROUND = "next-round"
MUTATION = d66("mutation", [10 * tens + units for tens in range(1, 7) for units in range(1, 7)], "D66-1")


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """One row: the results it is for, the abilities it gives, and the wounds each model regains at once."""

    id: str
    first: int = field(name="from")
    last: int = field(name="to")
    gives: tuple[str, ...] = ()
    heals: int = 0


@cache
def table() -> tuple[Row, ...]:
    """The table."""
    text = files("rolloff").joinpath("content/commentary/mutations.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text)["row"], tuple[Row, ...])


@cites("D66-1", "SEQ-2")
def mutate(play: Play) -> None:
    """AB-T8, SEQ-2: each such unit on the battlefield rolls a D66; if both players have some a roll-off says whose first."""
    lore: Lore = play.game.lore
    due = [[unit for unit in on_table(play, side) if lore.having(play.state.units[unit].living, MUTATES)] for side in (0, 1)]
    first = roll_off(play, "SEQ-2", "DICE-4") if all(due) else 0
    for unit in (*due[first], *due[1 - first]):
        play.thrower = unit
        found = play.dice.ask(MUTATION)
        row = next((row for row in table() if row.first <= found <= row.last), None)
        if row is not None:
            change(play, unit, row)


@cites("REGAIN-1", "DRES-1")
def change(play: Play, unit: int, row: Row) -> None:
    """What a row does: abilities for the next round, or wounds regained, never above what a model began with (REGAIN-1)."""
    patches: list[Patch] = [lasting(play.game, unit, f"{GRANT}{ability}", NEXT_ROUND) for ability in row.gives]
    for slot in play.state.units[unit].living if row.heals else ():
        if not full_wounds(play.game, play.state, slot):
            patches.append(Wounded(slot, max(0, play.state.wounds_on(slot) - row.heals)))
    play.emit("mutated", ("D66-1", row.id), *patches, unit=unit, row=row.id)
