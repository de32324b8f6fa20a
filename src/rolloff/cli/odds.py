"""`rolloff odds`: the exact odds of attacks, before they are made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from rolloff.cli import attacking as options
from rolloff.editions import USUAL

if TYPE_CHECKING:
    from rolloff.odds.results import AttackOdds, Distribution, Odds
    from rolloff.rules.attack import Change


class Asked(Protocol):
    """What a command line says beside the options: whether one of the commands under this one is meant."""

    @property
    def invoked_subcommand(self) -> str | None:
        """Its name."""


def _change(line: Change) -> str:
    """A line of the audit; of a reading that a switch turns, how to turn it."""
    if line.before is None:
        return f"{line.what}: {line.after}"
    if not str(line.after).startswith('"switches"'):
        return f"{line.what}: {line.before} to {line.after}"
    value = "false" if "false" in str(line.after) else "true"
    return f"{line.what}: {line.before}; --switch {line.what}={value} for the other reading"


def _rows(result: AttackOdds) -> Iterator[tuple[str, Distribution]]:
    """What is told of an attack, by name."""
    yield from (("hits", result.hits), ("wounds", result.wounds), ("damage", result.damage), ("wasted", result.wasted))
    yield "kills", result.kills
    if result.mortal is not None:
        yield "mortal wounds", result.mortal
    if result.own_losses is not None:
        yield "own losses", result.own_losses
    for part, (kills, damage) in result.parts.items():
        yield from ((f"{part} kills", kills), (f"{part} damage", damage))


def _say(found: Odds) -> None:
    """Odds as a person reads them."""
    print(f"{found.edition}{options.under(found.policies)}")
    options.say_notes(found.notes)
    for result in found.results:
        print(f"\nattack {result.attack + 1} on {result.target}")
        for row in result.stages:
            print(f"  {row.name:<14}{float(row.p):7.2%}  {', '.join(row.clauses)}")
        for line in result.audit:
            print(f"  {_change(line)} ({line.clause})")
        for name, law in _rows(result):
            likely = f"{law.quantile(0.1)} to {law.quantile(0.9)}"
            print(f"  {name:<14}mean {float(law.mean):.3f}, likely {likely}")
    for name, target in found.targets.items():
        print(f"\nmodels lost by {name}: exactly, at least")
        print(target.kills.histogram())
        words = ", ".join(f"{word} {float(chance):.2%}" for word, chance in target.morale.items())
        print(f"destroyed {float(target.destroyed):.2%}; morale: {words}")
    if found.exchange is not None:
        exchange = found.exchange
        chances = f"wins {float(exchange.win):.2%}, ties {float(exchange.tie):.2%}, loses {float(exchange.lose):.2%}"
        how = "charges and" if exchange.charged else "does not charge and"
        print(f"\nwith strikes back the attacker {how} {chances}; routs {float(exchange.rout_a):.2%}, ", end="")
        print(f"its enemy routs {float(exchange.rout_b):.2%}")


def odds(
    ctx: Asked | None,
    *,
    scenario: options.File = "",
    exact: options.Exact = False,
    plot: options.Plot = "",
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
    exchange: options.Exchange = False,
    switch: options.Switch = "",
    ignore_unknown: options.Ignoring = False,
    json: options.AsJson = False,
) -> None:
    """Say the exact odds of attacks before they are made.

    The attacks come from a scenario file (--scenario volley.json), from two profiles by name, or from one weapon against one
    unit. Weapons are read as catalogues write them; what was read otherwise, or left out, is listed with the result.

    \b
    Examples, one for each edition:
      rolloff odds --attacker 'levy rifles' --target 'line guard' --range 12
      rolloff odds --weapon 'Rifle (30", A1, Linked)' --attacks 10 --target-quality 5 --target-models 10
      rolloff odds --weapon 'Axe (A2, Rending)' --models 5 --melee --charged --exchange --target-rules Armored
      rolloff odds --edition onepage-2.21 --weapon 'Rifle (24", A1)' --models 5 --target 'shock wardens'
      rolloff odds --edition apocalypse-3.3 --attacker 'ember lances' --target 'gun carriage' --range 9
      rolloff odds --edition commentary-10 --attacker 'line guard' --weapon 'Gun 24" 2 3+ 4 -1 1 [HEAVY]' --target 'great beast'
      rolloff odds --edition compendium --attacker 'ember lances' --target 'gun carriage' --facing side
    """
    given = locals()
    options.answer_once()
    if ctx is not None and ctx.invoked_subcommand is not None:
        return
    import msgspec

    from rolloff.cli.common import print_json
    from rolloff.odds.compute import odds_of
    from rolloff.odds.scenarios import read_scenario
    from rolloff.odds.wire import odds_json

    with options.naming_options(not scenario):
        read = read_scenario(msgspec.json.encode(options.written(scenario, given)))
        found = odds_of(read, exact)
    if plot:
        from pathlib import Path

        from rolloff.odds.plots import draw_kills

        draw_kills(found, Path(plot))
    if json:
        print_json(odds_json(found))
    else:
        _say(found)
