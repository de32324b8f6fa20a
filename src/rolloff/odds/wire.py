"""Odds as the interface writes them: one JSON object, rationals as text."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec

from rolloff.errors import BadInput
from rolloff.json_value import Json
from rolloff.odds.compute import odds_of
from rolloff.odds.results import AttackOdds, Distribution, ExchangeOdds, Odds
from rolloff.odds.scenarios import read_scenario
from rolloff.oracle.flow import ATTACKS, BLOCKED, HITS, IGNORED, WOUNDS
from rolloff.oracle.law import Number

if TYPE_CHECKING:
    from rolloff.odds.lineup import Lineup
    from rolloff.odds.record_luck import AttackLuck, Luck
    from rolloff.odds.sweeps import Row, Sweep

SCHEMA, LUCK, COMPARE, SWEEP = "rolloff.odds/1", "rolloff.luck/1", "rolloff.odds-compare/1", "rolloff.sweep/1"
DISTRIBUTIONS = ("attacks", "hits", "ignored", "blocked", "wounds", "damage", "kills", "wasted", "left_on_next")


def number_json(value: Number, exact: bool) -> float | str:
    """A chance or a mean: a float, or n/d in lowest terms."""
    if not exact:
        return float(value)
    whole = Fraction(value)
    try:
        return f"{whole.numerator}/{whole.denominator}"
    except ValueError:  # Python writes out no number as long as this
        message = "these fractions have too many digits to write; ask for fewer attacks, or without --exact"
        raise BadInput("too-large", message, where="attacks", allowed=f"{sys.get_int_max_str_digits():,} digits") from None


def summary_json(kills: Distribution, exact: bool) -> Json:
    """Mean, median, the likely range, and the chance of k or more for each k."""
    tails = kills.tails()
    low, median, high = kills.quantiles(0.1, 0.5, 0.9)
    return {
        "mean": number_json(kills.mean, exact) if exact else float(kills.mean),
        "median": median,
        "p10": low,
        "p90": high,
        "at_least": [number_json(chance, exact) for chance in tails] if exact else list(map(float, tails)),
    }


def _words(words: Mapping[str, Number], exact: bool) -> Json:
    return {word: number_json(chance, exact) if exact else float(chance) for word, chance in words.items()}


def _list(found: Distribution, exact: bool) -> list[float | str]:
    if not exact:
        return list(map(float, found.chances))
    return [number_json(chance, exact) for chance in found]


def _distributions(found: AttackOdds, exact: bool) -> Json:
    """The chances of everything that is counted or lost, by name."""
    tables, count = found.tables, found.tables.count
    counts = count(ATTACKS), count(HITS), count(IGNORED), count(BLOCKED), count(WOUNDS)
    laws = *counts, tables.damage(), tables.kills(), found.wasted, tables.left_on_next()
    lines: list[Any]
    if exact:
        lines = [_list(law, exact) for law in laws]
    else:
        lines = [list(map(float, law.chances)) for law in laws]
    return dict(zip(DISTRIBUTIONS, lines, strict=True))


def attack_json(found: AttackOdds, exact: bool) -> Json:
    """One attack, with those before it; its tables are asked themselves, as nobody else needs them kept."""
    tables = found.tables
    audit = [{"what": line.what, "from": line.before, "to": line.after, "clause": line.clause} for line in found.audit]
    stages = [
        {"name": row.name, "p": number_json(row.p, exact) if exact else row.p, "clauses": list(row.clauses)}
        for row in tables.stages()
    ]
    more: Json = {}
    for name, law in (("mortal", tables.mortal()), ("own_losses", tables.own_losses())):
        if law is not None:
            more[name] = _list(law, exact)
    parts = tables.parts()
    if parts:
        more["parts"] = {
            part: {"kills": _list(kills, exact), "damage": _list(damage, exact)} for part, (kills, damage) in parts.items()
        }
    return {
        "attack": found.attack,
        "target": found.target,
        **_distributions(found, exact),
        **more,
        "destroyed": number_json(tables.destroyed(), exact) if exact else float(tables.destroyed()),
        "kills_summary": summary_json(tables.kills(), exact),
        "stages": stages,
        "audit": audit,
    }


def exchange_json(found: ExchangeOdds | None, exact: bool) -> Json | None:
    """An exchange: rows of models felled by the attacker, by the target, and the chance."""
    if found is None:
        return None
    return {
        "joint": [[*pair, number_json(chance, exact)] for pair, chance in found.joint.items()],
        **{name: number_json(getattr(found, name), exact) for name in ("win", "tie", "lose", "rout_a", "rout_b")},
        "morale_a": _words(found.morale_a, exact),
        "morale_b": _words(found.morale_b, exact),
        "charged": found.charged,
    }


def odds_json(found: Odds) -> Json:
    """The whole output of `rolloff odds`."""
    exact = found.exact
    targets = {
        name: {
            "kills": _list(target.kills, exact),
            "destroyed": number_json(target.destroyed, exact),
            "morale": _words(target.morale, exact),
        }
        for name, target in found.targets.items()
    }
    return {
        "schema": SCHEMA,
        "edition": found.edition,
        "exact": exact,
        "policies": dict(found.policies),
        "results": [attack_json(result, exact) for result in found.results],
        "targets": targets,
        "exchange": exchange_json(found.exchange, exact),
        "notes": [note.json() for note in found.notes],
    }


def luck_json(found: Luck, file: str, attack: int | None = None) -> Json:
    """The whole output of `rolloff odds luck`; ``attack`` leaves out all others."""
    shown = found.attacks if attack is None else (found.attack(attack),)
    return {
        "schema": LUCK,
        "file": file,
        "edition": found.edition,
        "names": dict(found.names),
        "attacks": [_attack_luck(one) for one in shown],
        "players": [msgspec.to_builtins(player) for player in found.players],
    }


def _attack_luck(found: AttackLuck) -> Json:
    row: Json = {name: getattr(found, name) for name in ("number", "line", "round", "attacker", "target", "side", "against")}
    return row | {
        "by": found.kind,
        "kills": found.killed,
        "damage": found.lost,
        "expected_kills": float(found.kills.mean),
        "expected_damage": float(found.damage.mean),
        "at_least": float(found.at_least),
        "better": float(found.better),
        "luck": float(found.luck),
        "kills_law": _list(found.kills, False),
        "damage_law": _list(found.damage, False),
    }


def lineup_json(found: Lineup) -> Json:
    """The whole output of `rolloff odds compare`; rows are attackers, and null stands where there is no attack."""
    return {
        "schema": COMPARE,
        "edition": found.edition,
        "policies": dict(found.policies),
        "kind": found.kind,
        "attackers": [msgspec.to_builtins(entry) for entry in found.attackers],
        "targets": [msgspec.to_builtins(entry) for entry in found.targets],
        "kills": found.kills.values,
        "destroyed": found.destroyed.values,
        "return": found.returns.values,
        "notes": [note.json() for note in found.notes],
    }


def sweep_json(found: Sweep, exact: bool = False) -> Json:
    """The whole output of `rolloff odds sweep`: a row for each value."""
    return {
        "schema": SWEEP,
        "edition": found.edition,
        "policies": dict(found.policies),
        "over": found.over,
        "rows": [_row(row, exact) for row in found.rows],
        "notes": [note.json() for note in found.notes],
    }


def _row(row: Row, exact: bool) -> Json:
    if row.odds is None:
        return {"value": row.value, "kills": None, "destroyed": None, "kills_summary": None, "why": row.why}
    return {
        "value": row.value,
        "kills": _list(row.odds.kills, exact),
        "destroyed": number_json(row.odds.destroyed, exact),
        "kills_summary": summary_json(row.odds.kills, exact),
        "why": None,
    }


def odds(raw: bytes, exact: bool = False) -> Json:
    """The odds of a scenario given as JSON.

    Raises:
        BadInput: the input is unusable: malformed, unknown, out of bounds or impossible.
    """
    return odds_json(odds_of(read_scenario(raw), exact))
