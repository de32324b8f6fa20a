"""`rolloff odds luck`: how lucky the attacks of a game record were, and its players."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from rolloff.odds.record_luck import AttackLuck, Luck, Share

RARE = 0.05
"""Luck this near to 0 or 1 is shown in colour."""

PIPED = 160
"""How wide tables are where no terminal says."""


@contextmanager
def _progress(file: Path) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on standard error while the record is played again, for people only."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(file.name, total=None)
        yield lambda done, all_: bar.update(task, completed=done, total=all_)


def _hue(luck: float) -> str:
    return "green" if luck > 1 - RARE else "red" if luck < RARE else ""


def _table(console: Console, found: Luck, attacks: tuple[AttackLuck, ...]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 1, 0, 0))
    for head, width in (("", 2), ("rd", 2), ("who", 8), ("whom", 8), ("what", 8)):
        table.add_column(head, no_wrap=True, min_width=width)
    for head, width in (("felled", 9), ("wounds", 9), ("at least", 8), ("luck", 5)):
        table.add_column(head, no_wrap=True, min_width=width, justify="right")
    for one in attacks:
        who = f"{one.side or '-'} {found.names[one.attacker] if one.attacker else 'nobody'}"
        seen = (f"{one.killed} of {one.kills.mean:.2f}", f"{one.lost} of {one.damage.mean:.2f}", f"{one.at_least:.2%}")
        cells = (one.number, one.round, who, f"{one.against} {found.names[one.target]}", one.kind, *seen)
        table.add_row(*(Text(str(cell)) for cell in cells), Text(f"{one.luck:.3f}", _hue(float(one.luck))))
    console.print(table)


def _share(what: str, share: Share) -> str:
    if not share.attacks:
        return f"{what} no attacks"
    felled = f"{share.kills} models fell where {share.expected_kills:.2f} were to be expected"
    wounds = f"{share.damage} wounds where {share.expected_damage:.2f}"
    again = f"rolled again, {share.unusual:.1%} lie as far out"
    return f"{what} {share.attacks} attacks, luck {share.luck:.3f}: {felled}, {wounds}; {again}"


def _say(found: Luck, attack: int | None) -> None:
    from rich.console import Console

    piped = not sys.stdout.isatty()
    console = Console(highlight=False, markup=False, width=PIPED if piped else None, soft_wrap=piped)
    if attack is not None:
        one = found.attack(attack)
        _table(console, found, (one,))
        console.print(f"\nmodels felled: exactly, at least; {one.killed} fell (line {one.line} of the record)")
        for k, bar in enumerate(one.kills.histogram().splitlines()):
            console.print(("> " if k == one.killed else "  ") + bar, markup=False)
        return
    _table(console, found, found.attacks)
    console.print("\nfelled and wounds: seen, of what was to be expected; at least: the chance of so many models, then wounds,")
    console.print("or more; luck: the chance of fewer, and half of the same; 0.5 on average")
    for player in found.players:
        luck = "none to tell" if player.luck is None else f"{player.luck:.3f}"
        console.print(f"{player.side} {player.name}: luck {luck}", markup=False)
        console.print(f"  {_share('made', player.made)}\n  {_share('suffered', player.suffered)}", markup=False)


def luck(
    record: Annotated[Path, typer.Argument(help="A game record.", show_default=False)],
    attack: Annotated[int | None, typer.Option(help="One attack by its number.", show_default=False)] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object instead of text.")] = False,
) -> None:
    """Say how lucky every attack of a game record was, and its players.

    The record is played again and verified; each attack is set beside the exact odds of the dice that were rolled for it,
    with the choices as they were made. Luck is the chance of a worse result and half the chance of an equal one.

    \b
    Examples:
      rolloff odds luck games/game-000000.jsonl
      rolloff odds luck games/game-000000.jsonl --attack 7
    """
    from rolloff.cli.common import print_json
    from rolloff.odds.record_luck import luck as luck_of

    with _progress(record) as progress:
        found: Any = luck_of(record, progress=progress)
    if attack is not None:
        found.attack(attack)  # refused before anything is printed
    if json:
        from rolloff.odds.wire import luck_json

        print_json(luck_json(found, record.name, attack))
    else:
        _say(found, attack)
