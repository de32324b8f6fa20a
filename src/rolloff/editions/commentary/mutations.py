"""The mutation table (AB-T8, G8): at the end of each battle round some units change until the end of the next."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from msgspec import Struct, field

from rolloff.editions.commentary.lookups import GRANT, index_of
from rolloff.editions.commentary.unit_values import full_wounds
from rolloff.files import shipped_table
from rolloff.oracle.contest import d66
from rolloff.rules.citing import cites
from rolloff.rules.deployment import roll_off
from rolloff.rules.effects import lasting
from rolloff.rules.play import Play
from rolloff.rules.turns import on_table
from rolloff.table.event import Patch, Wounded
from rolloff.typed import convert

MUTATES = "Mutates"
NEXT_ROUND = "next-round"
MUTATION = d66("mutation", [10 * tens + units for tens in range(1, 7) for units in range(1, 7)], "AB-T8", "D66-1")


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
    return convert(shipped_table("content/commentary/mutations.toml")["row"], tuple[Row, ...])


@cites("D66-1")
def mutate(play: Play) -> None:
    """AB-T8: at the end of the round each such unit on the battlefield rolls a D66."""
    lookups = index_of(play.game)
    if MUTATES not in lookups.printed:
        return
    due = [unit for side in (0, 1) for unit in on_table(play, side) if lookups.having(play.state.units[unit].living, MUTATES)]
    for unit in in_picked_order(play, due):
        play.rolled_by = unit
        found = play.dice.ask(MUTATION)
        row = next((row for row in table() if row.first <= found <= row.last), None)
        if row is not None:
            change(play, unit, row)


@cites("SEQ-2")
def in_picked_order(play: Play, due: list[int]) -> Iterator[int]:
    """SEQ-2: what happens at once at the end of a battle round comes in the order the winner of a roll-off picks."""
    picker = roll_off(play, "SEQ-2", "DICE-4") if len(due) > 1 else 0
    left = {play.game.names[unit]: unit for unit in due}
    while left:
        names = tuple(left)
        yield left.pop(str(play.choose(picker, "order", "SEQ-2", names, names[0], point="DP-7", purpose="mutation")))


@cites("REGAIN-1", "DRES-1")
def change(play: Play, unit: int, row: Row) -> None:
    """What a row does: abilities for the next round, or wounds regained, never above what a model began with (REGAIN-1)."""
    patches: list[Patch] = [lasting(play.game, unit, f"{GRANT}{ability}", NEXT_ROUND) for ability in row.gives]
    for slot in play.state.units[unit].living if row.heals else ():
        if not full_wounds(play.game, play.state, slot):
            patches.append(Wounded(slot, max(0, play.state.wounds_on(slot) - row.heals)))
    play.emit("mutated", ("D66-1", row.id), *patches, unit=unit, row=row.id)
