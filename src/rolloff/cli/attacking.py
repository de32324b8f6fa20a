"""Attacks as options: the scenario that `odds` and `odds sweep` are given, from a file or from one weapon and one target."""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

if TYPE_CHECKING:
    from rolloff.rules.notes import Note

Json = dict[str, Any]


class Option(NamedTuple):
    """An option of a command: its help, how it is written where not as its parameter is called, and its values.

    Options are declared apart from Typer, so that a plain question is answered without it (`plain_options`).
    """

    help: str
    name: str = ""
    min: float | None = None
    max: float | None = None
    metavar: str | None = None
    show_default: bool = True


File = Annotated[str, Option("A scenario as JSON; - reads standard input.", show_default=False)]
Edition = Annotated[str, Option("The rulebook, without a scenario.")]
Weapon = Annotated[str, Option("A weapon: text, or a JSON object.", show_default=False)]
Attacks = Annotated[int | None, Option("Attacks instead of the weapon's own.", show_default=False)]
Attacker = Annotated[str, Option("The attacker: a profile by name, with its weapons.", show_default=False)]
Target = Annotated[str, Option("The target: a profile by name.", show_default=False)]
Profiles = Annotated[str, Option("A JSON file of your own profiles.", show_default=False)]
Models = Annotated[
    int | None, Option("How many models attack; 1, or those of the profile.", min=1, max=500, show_default=False)
]
Quality = Annotated[int, Option("The attacker's Quality.")]
Rules = Annotated[str, Option("The attacker's rules, with commas.")]
Stats = Annotated[str, Option("The attacker's characteristics: T=4,W=1,...")]
TargetQuality = Annotated[int, Option("The target's Quality.")]
TargetModels = Annotated[
    int | None, Option("The target's models; 5, or those of the profile.", min=1, max=500, show_default=False)
]
TargetRules = Annotated[str, Option("The target's rules, with commas.")]
TargetStats = Annotated[str, Option("The target's characteristics: T=4,Sv=3,W=2,...")]
Distance = Annotated[float, Option("The distance in inches.", "--range", min=0)]
Cover = Annotated[bool, Option("The target is in cover.", "--cover")]
Facing = Annotated[str, Option("Where the attack comes from: front, side or rear.", show_default=False)]
Melee = Annotated[bool, Option("Strikes instead of shots.", "--melee")]
Charged = Annotated[bool, Option("The attacker charged.", "--charged")]
Exchange = Annotated[bool, Option("The target strikes back.", "--exchange")]
Exact = Annotated[bool, Option("Rationals instead of floats.", "--exact")]
Switch = Annotated[str, Option("Another reading of a rule: NAME=VALUE, with commas.", show_default=False)]
Plot = Annotated[str, Option("Draw the kills to a PNG or SVG file.", metavar="<path>", show_default=False)]
Ignoring = Annotated[bool, Option("Leave out rules nobody knows, and name them.", "--ignore-unknown")]
AsJson = Annotated[bool, Option("One JSON object instead of text.", "--json")]


def _weapon(text: str, attacks: int | None, edition: str) -> str | Json:
    """A weapon as text or a JSON object, with a number of attacks of its own."""
    from rolloff.errors import BadInput
    from rolloff.odds.sweeps import with_attacks
    from rolloff.situations.forms import decode_json

    if attacks is not None and not 1 <= attacks <= 10_000:
        raise BadInput("bad-number", f"--attacks: {attacks} is out of bounds", where="--attacks", allowed="1 to 10000")
    found: str | Json = decode_json(text.encode()) if text.lstrip().startswith("{") else text
    return found if attacks is None else with_attacks(found, attacks, edition)


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


def _listed(text: str) -> list[str]:
    """Names with commas between them; a comma inside brackets belongs to the name."""
    return [name.strip() for name in re.split(r",(?![^(]*\))", text) if name.strip()]


def written(scenario: str, given: Json) -> Json:
    """The scenario of a file, or of the options by their names.

    Raises:
        BadInput: neither is given, or what is given cannot be read.
    """
    from rolloff.cli.common import read_input
    from rolloff.errors import BadInput
    from rolloff.odds.build import unit
    from rolloff.odds.build import written as built
    from rolloff.situations.forms import decode_json

    if scenario:
        found = decode_json(read_input(scenario))
        if not isinstance(found, dict):
            raise BadInput("bad-field", "this is no scenario", where=None, allowed="a JSON object")
        return found | ({"ignore_unknown": True} if given.get("ignore_unknown") else {})
    if not given["weapon"] and not given["attacker"]:
        message = "give --scenario, --attacker or --weapon"
        raise BadInput("usage", message, where="--scenario", allowed="a file, a profile, or a weapon")
    if given["attacks"] is not None and not given["weapon"]:
        message = "--attacks says how many attacks the weapon of --weapon makes, and there is none"
        raise BadInput("usage", message, where="--attacks", allowed="--weapon besides")
    blows = given["melee"] or given["exchange"]
    kind: Json = {"kind": "melee"} if blows else {"kind": "shooting", "range": given["distance"], "visible": True}
    weapons = [_weapon(given["weapon"], given["attacks"], given["edition"])] if given["weapon"] else []
    ours, theirs = _stats(given["stats"], "--stats"), _stats(given["target_stats"], "--target-stats")
    attacker = unit(given["models"] or 1, quality=given["quality"], rules=_listed(given["rules"]), weapons=weapons, stats=ours)
    if given["attacker"]:
        attacker = _sized(_named(given["attacker"], given, _listed(given["rules"]), ours, weapons), given["models"])
    target = unit(
        given["target_models"] or 5, quality=given["target_quality"], rules=_listed(given["target_rules"]), stats=theirs
    )
    if given["target"]:
        target = _sized(_named(given["target"], given, _listed(given["target_rules"]), theirs, []), given["target_models"])
    more: Json = {**kind, "cover": given["cover"], "charged": given["charged"] or given["exchange"]}
    if given["facing"]:
        more["facing"] = given["facing"]
    found = built(attacker, target, edition=given["edition"], exchange=given["exchange"], **more)
    found |= {"switches": _switches(given["switch"])} if given.get("switch") else {}
    return found | ({"ignore_unknown": True} if given.get("ignore_unknown") else {})


def _sized(found: Json, models: int | None) -> Json:
    """A profile with so many models, if a number is given."""
    own = found["models"]
    return found if models is None else {**found, "models": [own[k % len(own)] for k in range(models)]}


def _switches(text: str) -> Json:
    """Readings such as ``devastating_wounds_spill=false``."""
    from rolloff.errors import BadInput

    words = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
    found: dict[str, bool] = {}
    for part in filter(None, text.split(",")):
        name, _, value = (word.strip() for word in part.partition("="))
        if value.casefold() not in words:
            message = f"--switch: {value!r} is no value of {name}"
            raise BadInput("bad-field", message, where="--switch", allowed=f"{name}=true or {name}=false")
        found[name] = words[value.casefold()]
    return found


def answer_once() -> None:
    """A process that answers one question and ends: garbage is looked for seldom, and small arrays need no second thread."""
    gc.set_threshold(100_000, 50, 100)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # which numpy reads when it is first imported


def say_notes(notes: Iterable[Note]) -> None:
    """What was read otherwise than it was written, line by line."""
    for note in notes:
        read = "left out" if note.read is None else f"read as {note.read}"
        print(f"  {note.where}: {note.given!r} {read} ({note.why})")


def under(policies: Mapping[str, str]) -> str:
    """The policies odds were computed under, as a heading goes on; nothing where an edition has none."""
    return f", under these policies: {', '.join(f'{name} {value}' for name, value in policies.items())}" if policies else ""


def _named(name: str, given: Json, rules: list[str], stats: Json, weapons: list[str | Json]) -> Json:
    """A profile by name, with more rules, other characteristics or another weapon if options give them."""
    from rolloff.odds.named_profiles import profile

    found = profile(name, given["edition"], given["profiles"] or None)
    found = {**found, "rules": [*found["rules"], *rules], "stats": {**found["stats"], **stats}}
    if weapons:
        found["models"] = [{**model, "weapons": weapons} for model in found["models"]]
    return found


_STAT = re.compile(r"(?:do\.)?(?P<role>attacker|target)\.(?:stats|models\[\d+\])\.?(?P<name>\w*)$")


@contextmanager
def naming_options(asked: bool) -> Iterator[None]:
    """Say which option sets a characteristic that is missing or wrong, if the question came from options."""
    from rolloff.errors import BadInput

    try:
        yield
    except BadInput as error:
        match = _STAT.match(error.where or "") if asked else None
        if match is None:
            raise
        option = "--stats" if match["role"] == "attacker" else "--target-stats"
        message = f"{error.message}; {option} {match['name']}=... sets it"
        raise BadInput(error.code, message, where=option, allowed=error.allowed, clause=error.clause) from None
