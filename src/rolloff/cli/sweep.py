"""`rolloff odds sweep`: the odds while one thing about an attack changes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rolloff.cli import attacking as options
from rolloff.editions import USUAL

if TYPE_CHECKING:
    from rolloff.odds.sweeps import Sweep

NAMES = (
    "range, cover, moved, charged, stationary, half-range, models, attacks, quality, target-models, target-quality, "
    "wounds, stat.NAME, target-stat.NAME"
)


def _say(found: Sweep) -> None:
    from rich.console import Console

    from rolloff.cli.heat import bar, sparkline

    console = Console(highlight=False, soft_wrap=True)
    console.print(f"{found.edition}{options.under(found.policies)}")
    options.say_notes(found.notes)
    console.print()
    means = [None if mean is None else float(mean) for mean in found.kills.values()]
    most = max(mean for mean in means if mean is not None)
    names = [("yes" if row.value else "no") if isinstance(row.value, bool) else f"{row.value:g}" for row in found.rows]
    wide = max(len(found.over), *map(len, names))
    console.print(f"{found.over:>{wide}}   kills    likely  destroyed", markup=False)
    for name, row, mean in zip(names, found.rows, means, strict=True):
        if row.odds is None or mean is None:
            console.print(f"{name:>{wide}}  {row.why}", markup=False)
            continue
        likely = f"{row.odds.kills.quantile(0.1)} to {row.odds.kills.quantile(0.9)}"
        text = f"{name:>{wide}}  {mean:6.3f}  {likely:>8}  {float(row.odds.destroyed):9.2%}  {bar(mean, most)}"
        console.print(text, markup=False)
    gone = [None if chance is None else float(chance) for chance in found.destroyed.values()]
    console.print(f"\nkills {sparkline(means)}  destroyed {sparkline(gone, 1.0)}", markup=False)


def sweep(
    ctx: typer.Context,
    over: Annotated[str, typer.Argument(metavar="NAME[=VALUES]", help=f"What changes: {NAMES}.", show_default=False)],
    scenario: options.File = "",
    exact: options.Exact = False,
    plot: Annotated[Path | None, typer.Option(help="Draw the sweep to a PNG or SVG file.", show_default=False)] = None,
    edition: options.Edition = USUAL,
    attacker: options.Attacker = "",
    target: options.Target = "",
    profiles: options.Profiles = "",
    weapon: options.Weapon = "",
    attacks: options.Attacks = None,
    models: options.Models = None,
    quality: options.Quality = 4,
    rules: options.Rules = "",
    stats: options.Stats = "",
    target_quality: options.TargetQuality = 4,
    target_models: options.TargetModels = None,
    target_rules: options.TargetRules = "",
    target_stats: options.TargetStats = "",
    distance: options.Distance = 3,
    cover: options.Cover = False,
    facing: options.Facing = "",
    melee: options.Melee = False,
    charged: options.Charged = False,
    switch: options.Switch = "",
    ignore_unknown: options.Ignoring = False,
    json: options.AsJson = False,
) -> None:
    """Say the odds of an attack while one thing about it changes.

    Values are written 3,6,12 or 1..10 or 6..36/6 (in steps of six) or no,yes; without any, the usual ones are taken. A
    circumstance changes in every attack of a scenario, a unit is the attacker or the target of the first.

    \b
    Examples:
      rolloff odds sweep range=6..36/6 --scenario volley.json
      rolloff odds sweep models=1..20 --weapon 'Rifle (24", A1)' --target-rules Armored --plot models.svg
      rolloff odds sweep range=3..24/3 --attacker 'levy rifles' --target 'line guard'
      rolloff odds sweep cover --weapon 'Rifle (24", A1)' --models 10 --json
    """
    from rolloff.cli.common import print_json
    from rolloff.odds.sweeps import read_values
    from rolloff.odds.sweeps import sweep as swept

    name, _, text = over.partition("=")
    values = read_values(name, text)
    found = swept(options.written(scenario, {**ctx.params, "exchange": False}), name, values or None, exact)
    if plot is not None:
        from rolloff.odds.plots import draw_sweep

        draw_sweep(found, plot)
    if json:
        from rolloff.odds.wire import sweep_json

        print_json(sweep_json(found, exact))
    else:
        _say(found)
