"""What an attacker decides before the dice of an attack: which modifiers are ignored (DP-30), which instance is used (DP-31).

Nobody is asked where all answers come to the same tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from msgspec.structs import replace

from rolloff.editions.commentary.abilities import BOOK, SPECIALS, is_same
from rolloff.editions.commentary.attack import Attack
from rolloff.editions.commentary.matchup import (
    HIT,
    IGNORING,
    WOUND,
    AttackRoll,
    Strike,
    flow_of,
    hit_draft,
    numbers_of,
    random_strength,
    wound_draft,
)
from rolloff.editions.commentary.values import (
    AP,
    ATTACKS,
    DAMAGE,
    SKILL,
    STRENGTH,
    TARGET_NUMBERS,
    Effect,
    evaluate,
    heeded,
    modifiers,
    worsens,
)
from rolloff.oracle.offers import Offer
from rolloff.oracle.stage import Stage
from rolloff.rules.citing import cites
from rolloff.rules.play import Play
from rolloff.table.profile import Rule, carries, read_roll

Ways = dict[str, Strike]
"""How an attack may be made, by what players read; the default first."""
Answers = dict[tuple[object, ...], str]
ROLLS = {HIT: "Hit roll", WOUND: "Wound roll"}
MOST = 6
"""So many modifiers of one value at most are looked at one by one; of more all but the first stay as they are by default."""


def decided(play: Play, unit: int, attack: Attack) -> Attack:
    """An attack as its player wants it; asked once for all weapons alike."""
    open_ones = [one for one in dict.fromkeys(attack.strikes) if one.others or carries(one.rules, IGNORING)]
    if not open_ones:
        return attack
    answers: Answers = {}
    found = {strike: _decided(play, unit, strike, answers) for strike in open_ones}
    return replace(attack, strikes=tuple([found.get(strike, strike) for strike in attack.strikes]))


def _decided(play: Play, unit: int, strike: Strike, answers: Answers) -> Strike:
    strike = _instances(play, unit, strike, answers)
    for what in (SKILL, HIT, STRENGTH, WOUND, AP, DAMAGE, ATTACKS):
        if strike.ignores(what):
            name = ROLLS.get(what, what)
            ways = _apart(left_of_roll(strike, what) if what in ROLLS else left_of_value(strike, what))
            strike = _asked(play, unit, "IGN-2", "DP-30", name, ways, answers)
    return strike


@cites("DUP-2")
def _instances(play: Play, unit: int, strike: Strike, answers: Answers) -> Strike:
    """DUP-2: of an ability it has with several numbers the owner chooses one, each time."""
    others, strike = strike.others, replace(strike, others=())
    for rule in strike.rules:
        same = [other for other in others if is_same(rule, other, SPECIALS[rule.name])]
        if same:
            ways = {_shown(rule): strike}
            for other in same:
                ways[_shown(other)] = replace(strike, rules=tuple([other if one == rule else one for one in strike.rules]))
            strike = _asked(play, unit, "DUP-2", "DP-31", rule.name, _apart(iter(ways.items())), answers)
    return strike


def _shown(rule: Rule) -> str:
    return f"{rule.name} {rule.rating}"


def left_of_roll(strike: Strike, what: str) -> Iterator[tuple[str, Strike]]:
    """IGN-2: what may be left of the modifiers of a roll, clipped: the good ones by default."""
    if what == WOUND and random_strength(strike) is not None:
        yield "", strike
        return
    draft = hit_draft(strike, BOOK) if what == HIT else wound_draft(strike, BOOK)
    assert isinstance(draft, AttackRoll)
    sums = {0}
    for by in draft.stated:
        sums |= {total + by for total in sums}
    best = _clipped(sum([by for by in draft.stated if by > 0]))
    yield _signed(best), strike
    for left in sorted({_clipped(total) for total in sums} - {best}, reverse=True):
        yield _signed(left), replace(strike, kept=(*strike.kept, (what, left)))


def _clipped(total: int) -> int:
    """MODROLL-4: totals are limited after modifiers are ignored."""
    return max(-1, min(1, total))


def _signed(total: int) -> str:
    return f"{total:+d}" if total else "0"


def left_of_value(strike: Strike, what: str) -> Iterator[tuple[str, Strike]]:
    """IGN-2: what a characteristic may be, whichever of its modifiers are ignored; without the harmful ones by default."""
    effects = BOOK.every_effect(strike, what)
    changes = modifiers(effects)
    good = sum([1 << at for at, effect in enumerate(changes) if not worsens(effect)])
    yield _value(strike, what, heeded(effects, good)), strike
    for kept in range(1 << min(len(changes), MOST)):
        mask = kept | good >> MOST << MOST
        if mask != good:
            yield _value(strike, what, heeded(effects, mask)), replace(strike, kept=(*strike.kept, (what, mask)))


def _value(strike: Strike, what: str, effects: tuple[Effect, ...]) -> str:
    """A characteristic as players read it: the number, or what is rolled and what changes it."""
    printed = strike.weapon.stat(what)
    if what in (ATTACKS, DAMAGE):
        roll = strike.weapon.attacks if what == ATTACKS else read_roll(printed)
        printed = roll.plus if roll.fixed else str(roll)
    value = evaluate(what, printed, effects) if isinstance(printed, int | str) else ""
    if isinstance(value, int):
        return f"{value}+" if what in TARGET_NUMBERS else str(value)
    return " ".join([str(value), *map(str, effects)])


def _apart(ways: Iterator[tuple[str, Strike]]) -> Ways:
    """Those of some ways to attack that come to tables of their own, the first of each."""
    found: Ways = {}
    known: list[object] = []
    for label, strike in ways:
        tables = [_shape(stage) for stage in flow_of(strike, BOOK).stages], *map(_shape, numbers_of(strike, BOOK))
        if tables not in known:
            known.append(tables)
            found[next(name for name in _names(label) if name not in found)] = strike
    return found


def _shape(stage: object) -> object:
    """A table by what its dice come to, whatever rules made it so."""
    if isinstance(stage, Offer):
        return _shape(stage.keep), _shape(stage.again), stage.name, stage.default
    if not isinstance(stage, Stage):
        return stage
    return stage.label, stage.dice, stage.die, stage.keep, stage.good, [_shape(entry) for entry in stage.read]


def _names(label: str) -> Iterator[str]:
    """A label, and others where it is taken."""
    yield label
    yield from (f"{label} ({number})" for number in count(2))


def _asked(play: Play, unit: int, clause: str, point: str, what: str, ways: Ways, answers: Answers) -> Strike:
    """Ask whose unit it is, if there is anything to choose; what was answered for a weapon stands for others alike."""
    options = tuple(ways)
    if len(options) == 1:
        return ways[options[0]]
    weapon = next(iter(ways.values())).weapon.name
    key = point, what, weapon, options
    if key not in answers:
        side = play.game.sides[unit]
        answers[key] = str(
            play.choose(side, "choose-option", clause, options, options[0], unit, point, what=what, weapon=weapon)
        )
    return ways[answers[key]]
