"""`rolloff odds`: the exact odds of attacks, before they are made."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from rolloff.cli.luck import luck

app = typer.Typer(no_args_is_help=True)
app.command()(luck)

Json = dict[str, Any]


def _say(found: Any) -> None:
    """Odds as a person reads them."""
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    chosen = ", ".join(f"{name} {value}" for name, value in found.policies.items())
    console.print(f"{found.edition}, under these policies: {chosen}")
    for result in found.results:
        console.print(f"\nattack {result.attack + 1} on {result.target}")
        for row in result.stages:
            console.print(f"  {row.name:<14}{float(row.p):7.2%}  {', '.join(row.clauses)}", markup=False)
        for line in result.audit:
            console.print(f"  {line.what}: {line.before} to {line.after} ({line.clause})", markup=False)
        for name in ("hits", "wounds", "damage", "wasted", "kills"):
            law = getattr(result, name)
            likely = f"{law.quantile(0.1)} to {law.quantile(0.9)}"
            console.print(f"  {name:<14}mean {float(law.mean):.3f}, likely {likely}", markup=False)
    for name, target in found.targets.items():
        console.print(f"\nmodels lost by {name}: exactly, at least")
        console.print(target.kills.histogram(), markup=False)
        words = ", ".join(f"{word} {float(chance):.2%}" for word, chance in target.morale.items() if chance)
        console.print(f"destroyed {float(target.destroyed):.2%}; morale: {words}")
    if found.exchange is not None:
        told = found.exchange
        chances = f"wins {float(told.win):.2%}, ties {float(told.tie):.2%}, loses {float(told.lose):.2%}"
        console.print(f"\nwith strikes back the attacker {chances}; routs {float(told.rout_a):.2%}, ", end="")
        console.print(f"its enemy routs {float(told.rout_b):.2%}")


def _weapon(text: str, attacks: int | None) -> str | Json:
    """A weapon as text or a JSON object, with a number of attacks of its own."""
    import re

    from rolloff.errors import BadInput
    from rolloff.record.forms import decode_json

    if attacks is not None and not 1 <= attacks <= 10_000:
        raise BadInput("bad-number", f"--attacks: {attacks} is out of bounds", where="--attacks", allowed="1 to 10000")
    if text.lstrip().startswith("{"):
        found: Json = decode_json(text.encode())
        return found if attacks is None else {**found, "A": attacks}
    return text if attacks is None else re.sub(r"\bA[0-9D+]+", f"A{attacks}", text, count=1)


def _stats(text: str, where: str) -> Json:
    """Characteristics such as ``T=4,Sv=3``."""
    from rolloff.errors import BadInput

    found: Json = {}
    for part in filter(None, text.split(",")):
        name, equals, value = part.partition("=")
        if not equals:
            raise BadInput("bad-field", f"{where}: {part!r} is no characteristic", where=where, allowed="T=4,Sv=3,W=2")
        found[name.strip()] = int(value) if value.strip().lstrip("-").isdigit() else value.strip()
    return found


@app.callback(invoke_without_command=True)
def odds(
    ctx: typer.Context,
    scenario: Annotated[str, typer.Option(help="A scenario as JSON; - reads standard input.", show_default=False)] = "",
    exact: Annotated[bool, typer.Option("--exact", help="Rationals instead of floats.")] = False,
    plot: Annotated[Path | None, typer.Option(help="Draw the kills to a PNG or SVG file.", show_default=False)] = None,
    edition: Annotated[str, typer.Option(help="The rulebook, without a scenario.")] = "onepage-3.0",
    weapon: Annotated[str, typer.Option(help="A weapon: text, or a JSON object.", show_default=False)] = "",
    attacks: Annotated[int | None, typer.Option(help="Attacks instead of the weapon's own.", show_default=False)] = None,
    models: Annotated[int, typer.Option(help="How many models use it.", min=1, max=500)] = 1,
    quality: Annotated[int, typer.Option(help="The attacker's Quality.")] = 4,
    rules: Annotated[str, typer.Option(help="The attacker's rules, with commas.")] = "",
    stats: Annotated[str, typer.Option(help="The attacker's characteristics: T=4,W=1,...")] = "",
    target_quality: Annotated[int, typer.Option(help="The target's Quality.")] = 4,
    target_models: Annotated[int, typer.Option(help="The target's models.", min=1, max=500)] = 5,
    target_rules: Annotated[str, typer.Option(help="The target's rules, with commas.")] = "",
    target_stats: Annotated[str, typer.Option(help="The target's characteristics: T=4,Sv=3,W=2,...")] = "",
    distance: Annotated[float, typer.Option("--range", help="The distance in inches.", min=0)] = 3,
    cover: Annotated[bool, typer.Option("--cover", help="The target is in cover.")] = False,
    melee: Annotated[bool, typer.Option("--melee", help="Strikes instead of shots.")] = False,
    charged: Annotated[bool, typer.Option("--charged", help="The attacker charged.")] = False,
    exchange: Annotated[bool, typer.Option("--exchange", help="The target strikes back.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object instead of text.")] = False,
) -> None:
    """Say the exact odds of attacks before they are made.

    The attacks come from a scenario file, or from the options: one weapon against one unit.

    \b
    Examples:
      rolloff odds --scenario volley.json --json --exact
      rolloff odds --weapon 'Rifle (30", A1, Linked)' --attacks 10 --target-quality 5 --target-models 10
      rolloff odds --weapon 'Axe (A2, Rending)' --models 5 --melee --charged --exchange --target-rules Armored
    """
    if ctx.invoked_subcommand is not None:
        return
    from rolloff.cli.common import print_json, read_input
    from rolloff.errors import BadInput
    from rolloff.odds.build import scenario as built
    from rolloff.odds.build import unit
    from rolloff.odds.compute import odds_of
    from rolloff.odds.scenario import read_scenario
    from rolloff.odds.wire import odds_json

    if scenario:
        read = read_scenario(read_input(scenario))
    elif weapon:
        kind: Json = {"kind": "melee"} if melee or exchange else {"kind": "shooting", "range": distance, "visible": True}
        ours = _stats(stats, "--stats")
        theirs = _stats(target_stats, "--target-stats")
        attacker = unit(models, quality=quality, rules=_listed(rules), weapons=[_weapon(weapon, attacks)], stats=ours)
        target = unit(target_models, quality=target_quality, rules=_listed(target_rules), stats=theirs)
        more: Json = {**kind, "cover": cover, "charged": charged or exchange}
        read = built(attacker, target, edition=edition, exchange=exchange, **more)
    else:
        raise BadInput("usage", "give --scenario or --weapon", where="--scenario", allowed="a file, or a weapon")
    found = odds_of(read, exact)
    if plot is not None:
        from rolloff.odds.plots import draw_kills

        draw_kills(found, plot)
    if json:
        print_json(odds_json(found))
    else:
        _say(found)


def _listed(text: str) -> list[str]:
    """Names with commas between them; a comma inside brackets belongs to the name."""
    import re

    return [name.strip() for name in re.split(r",(?![^(]*\))", text) if name.strip()]
