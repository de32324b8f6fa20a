"""`rolloff odds compare`: every attacker against every target, as a heat map."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rolloff.cli import attacking as options
from rolloff.editions import USUAL

if TYPE_CHECKING:
    from rolloff.odds.lineup import Lineup

WIDE = 200
"""How wide maps are where no terminal says."""


def _chance(value: float) -> str:
    return f"{value:.0%}"


def _number(value: float) -> str:
    return f"{value:.2f}"


def _say(found: Lineup) -> None:
    from rich.console import Console

    from rolloff.cli.heat import heat_table

    piped = not sys.stdout.isatty()
    console = Console(highlight=False, markup=False, width=WIDE if piped else None, soft_wrap=piped)
    console.print(f"{found.edition}, {found.kind}{options.under(found.policies)}")
    rows, columns = [[entry.name for entry in side] for side in (found.attackers, found.targets)]
    console.print("\nmodels felled on average")
    console.print(heat_table(rows, columns, found.kills.values, _number))
    console.print("\nchance that nobody is left")
    console.print(heat_table(rows, columns, found.destroyed.values, _chance, 1.0))
    if any(value is not None for row in found.returns.values for value in row):
        console.print("\npoints felled for each point of the attacker")
        console.print(heat_table(rows, columns, found.returns.values, _number))
    options.say_notes(found.notes)


def compare(
    scenario: Annotated[str, typer.Option(help="A scenario: side A attacks, B is attacked.", show_default=False)] = "",
    army_a: Annotated[str, typer.Option(help="The attackers: an army by name, or a list file.", show_default=False)] = "",
    army_b: Annotated[str, typer.Option(help="The targets: an army by name, or a list file.", show_default=False)] = "",
    attacker: Annotated[list[str] | None, typer.Option(help="A profile that attacks; may be repeated.")] = None,
    target: Annotated[list[str] | None, typer.Option(help="A profile that is attacked; may be repeated.")] = None,
    profiles: options.Profiles = "",
    edition: Annotated[str, typer.Option(help="The rulebook of the armies or profiles.")] = USUAL,
    distance: Annotated[float | None, typer.Option("--range", help="Inches; 12 for armies.", min=0, show_default=False)] = None,
    cover: Annotated[bool, typer.Option("--cover", help="The targets are in cover.")] = False,
    melee: Annotated[bool, typer.Option("--melee", help="Strikes instead of shots.")] = False,
    charged: Annotated[bool, typer.Option("--charged", help="The attackers charged.")] = False,
    ignore_unknown: options.Ignoring = False,
    plot: Annotated[Path | None, typer.Option(help="Draw the maps to a PNG or SVG file.", show_default=False)] = None,
    json: options.AsJson = False,
) -> None:
    """Compare attackers and targets: every unit of one side against every unit of the other.

    For each pair: the models felled on average, the chance that nobody is left, and the points felled for each point of
    the attacker. The units are those of a scenario, whose first attack says the circumstances, of two army lists, or
    profiles by name (all of an edition where one side names none).

    \b
    Examples:
      rolloff odds compare --army-a levy-patrol --army-b compact-patrol --range 18 --cover
      rolloff odds compare --edition commentary-10 --attacker 'line guard' --attacker 'ember lances' --target 'great beast'
      rolloff odds compare --scenario front.json --melee --charged --plot map.png
    """
    from rolloff.cli.common import print_json, read_input
    from rolloff.errors import BadInput
    from rolloff.odds.lineup import army_lineup, profile_lineup, written_lineup

    given: dict[str, Any] = {"kind": "melee"} if melee else {}
    if distance is not None:
        given |= {"range": distance, "visible": True}
    given |= {name: True for name, chosen in (("cover", cover), ("charged", charged)) if chosen}
    if scenario:
        found = written_lineup(read_input(scenario), ignore_unknown=ignore_unknown, **given)
    elif army_a and army_b:
        stated = {} if melee else {"range": 12.0, "visible": True, "cover": False}
        found = army_lineup(edition, army_a, army_b, **{**stated, **given})
    elif attacker or target or profiles:
        stated = {} if melee else {"range": 12.0, "visible": True, "cover": False}
        given = {"facing": "front", "ignore_unknown": ignore_unknown, **stated, **given}
        found = profile_lineup(edition, attacker or [], target or [], profiles or None, **given)
    else:
        message = "give --scenario, both --army-a and --army-b, or profiles by --attacker and --target"
        raise BadInput("usage", message, where="--scenario", allowed="a file, two armies, or profiles")
    if plot is not None:
        from rolloff.odds.plots import draw_lineup

        draw_lineup(found, plot)
    if json:
        from rolloff.odds.wire import lineup_json

        print_json(lineup_json(found))
    else:
        _say(found)
