"""Attacks with weapons as most rulebooks have them: like weapons together, one flow for each, losses taken in order.

An edition gives an `Attacks`: how one weapon's attack flows, and what a model can bear. Play, adjudication and exact odds take
the rest from it: `resolve` rolls, and `weapon_attacks.WeaponAttacks` is the edition's attack sequence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import field

from rolloff.errors import BadInput
from rolloff.geometry.measure import nearest, touching
from rolloff.lengths import INCH
from rolloff.oracle.dice import EnteredDice
from rolloff.oracle.flow import ATTACKS, BLOCKED, DAMAGE, HITS, WOUNDS, Flow, Volley
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.oracle.stage import number
from rolloff.oracle.target import Ladder, Rung
from rolloff.rules.attack import MELEE, SHOOTING, AttackForm, Plan, ResolvedAttack
from rolloff.rules.component import Component
from rolloff.rules.fire import FireOrder, shots_at
from rolloff.rules.losses import lose
from rolloff.rules.play import Play
from rolloff.table.event import Patch, Wounded
from rolloff.table.profile import DiceRoll, Weapon
from rolloff.table.state import NOWHERE, TABLE, State

if TYPE_CHECKING:
    from rolloff.oracle.roll import Spent
    from rolloff.rules.game import Game

COUNTED = {"attacks": ATTACKS, "hits": HITS, "wounds": WOUNDS, "blocked": BLOCKED, "damage": DAMAGE}
"""What an attack is told by."""
FIGHT = "fight"
"""The purpose for which targets of blows are asked."""
Attacking = tuple[tuple[int, int], ...]
"""Weapons that attack: the slot of a model and the number of its weapon."""


def printed(game: Game, state: State, form: AttackForm, slot: int, weapon: Weapon) -> DiceRoll:
    """The attacks a weapon has on its card."""
    return weapon.attacks


def wounded_first(game: Game, state: State, unit: int) -> tuple[int, ...]:
    """The models of a unit in the order they fall: the wounded first, then by roster."""
    return tuple(sorted(state.units[unit].living, key=lambda slot: (-state.wounds_on(slot), slot)))


class Attacks(Component, frozen=True, eq=False):
    """How weapons attack. Needed: the flow of one attack, what a model can bear, and the clauses of attack and losses.

    ``attacks`` is how many a weapon makes; ``order`` the order in which models fall; ``after`` is done with the number of
    models that fell, once all of them are off the table, and gives the word for what became of the target (`take_test` does),
    if it tested something: a word of the edition's `Outcomes`, which odds then know. ``within`` is how near a model strikes
    in melee, in thou. ``others`` are attacks that no weapon makes (a spell, a fall), by the kind of their form: the volleys of
    one, or what refuses it. ``ranged`` and ``close`` are the edition's own kinds of attack with weapons, besides ``shooting``
    and ``melee``.
    """

    flow: Callable[[Game, State, AttackForm, Weapon], Flow]
    rung: Callable[[Game, State, int], Rung]
    clauses: tuple[str, str]
    attacks: Callable[[Game, State, AttackForm, int, Weapon], DiceRoll] = printed
    order: Callable[[Game, State, int], tuple[int, ...]] = wounded_first
    after: tuple[Callable[[Play, AttackForm, int], str | None], ...] = ()
    within: int = INCH
    others: Mapping[str, Callable[[Game, State, AttackForm], tuple[Volley, ...]]] = field(default_factory=dict)
    ranged: tuple[str, ...] = ()
    close: tuple[str, ...] = ()


def attacking(game: Game, state: State, law: Attacks, form: AttackForm) -> Attacking:
    """The weapons that attack by a form: those it names, or all of its kind that reach the target from where they are.

    Raises:
        BadInput: the form states no range and the models have no positions.
    """
    melee, placed = form.kind in (MELEE, *law.close), all(has_positions(state, k) for k in (form.attacker, form.target))
    if not (melee or placed or form.range is not None):
        raise BadInput("no-range", "the attack needs a range or positions", where="range", allowed="inches, or models with at")
    if melee:
        found = _striking(game, state, law, form, placed)
    elif form.range is None:
        found = _firing(game, state, form)
    else:
        found = _within_range(game, state, form, form.range)
    return tuple(row for row in found if form.weapons is None or row in form.weapons)


def _striking(game: Game, state: State, law: Attacks, form: AttackForm, placed: bool) -> list[tuple[int, int]]:
    """The melee weapons of those who are near enough to strike."""
    living: Iterable[int] = state.units[form.attacker].living
    if placed and not form.everyone:
        living = touching(game.scene(state), form.attacker, form.target, law.within)
    return [(slot, k) for slot in living for k, weapon in enumerate(game.models[slot].weapons) if weapon.melee]


def _firing(game: Game, state: State, form: AttackForm) -> list[tuple[int, int]]:
    """The weapons that have the target in range and, unless the form states what is visible, in sight."""
    if game.edition.fire is None or form.visible is not None:
        return _within_range(game, state, form, int(nearest(game.scene(state), form.attacker, form.target).gap))
    shots = shots_at(Play(game, state, Oracle(EnteredDice(()), Defaults())), FireOrder(form.attacker), form.target)
    return [(shot.slot, shot.weapon) for shot in shots]


def _within_range(game: Game, state: State, form: AttackForm, far: int) -> list[tuple[int, int]]:
    """The weapons that reach so far."""
    held = ((slot, k, w) for slot in state.units[form.attacker].living for k, w in enumerate(game.models[slot].weapons))
    return [(slot, k) for slot, k, weapon in held if weapon.reach is not None and weapon.reach >= far]


def has_positions(state: State, unit: int) -> bool:
    """Whether every model of a unit stands somewhere on the table."""
    return all(state.at(slot)[0] != NOWHERE for slot in state.units[unit].living)


def volleys(game: Game, state: State, law: Attacks, form: AttackForm, rows: Attacking) -> tuple[Volley, ...]:
    """One volley for each kind of weapon and number of attacks, in the order they come."""
    groups: dict[tuple[Weapon, DiceRoll], int] = {}
    for slot, k in rows:
        weapon = game.models[slot].weapons[k]
        key = weapon, law.attacks(game, state, form, slot, weapon)
        groups[key] = groups.get(key, 0) + 1
    found = []
    for (weapon, dice_roll), count in groups.items():
        dice = number("attacks", dice_roll.count, dice_roll.sides, dice_roll.plus, clauses=law.clauses[:1])
        found.append(Volley(law.flow(game, state, form, weapon), dice_roll.plus if dice_roll.fixed else dice, count))
    return tuple(found)


def ladder_of(game: Game, state: State, law: Attacks, unit: int) -> tuple[Ladder, tuple[int, ...]]:
    """A unit as the target of an attack, and its models in the order they fall."""
    order = law.order(game, state, unit)
    return Ladder(tuple(law.rung(game, state, slot) for slot in order)), order


def fired_by(game: Game, state: State, law: Attacks, form: AttackForm, rows: Attacking | None = None) -> tuple[Volley, ...]:
    """The volleys of a form: of these weapons, of all that attack by it, or of what attacks without any."""
    other = law.others.get(form.kind)
    if other is not None:
        return other(game, state, form)
    return volleys(game, state, law, form, attacking(game, state, law, form) if rows is None else rows)


def resolve(play: Play, law: Attacks, form: AttackForm, rows: Attacking | None = None) -> int:
    """Roll the attacks of some weapons at one target, or of one of the `others`; how many models fell and were taken off."""
    return resolve_volleys(play, law, form, fired_by(play.game, play.state, law, form, rows))


def resolve_volleys(play: Play, law: Attacks, form: AttackForm, fired: tuple[Volley, ...]) -> int:
    """The same of volleys that were made otherwise, as by a template."""
    kills = _rolled(play, law, form, fired)
    follow(play, law, form, kills)
    return kills


def resolve_under(
    play: Play, law: Attacks, unit: int, weapon: Weapon, found: Mapping[int, tuple[int, ...]], kind: str = SHOOTING
) -> int:
    """What a template does (`lay`): each model under it suffers one attack of the weapon, by its flow, without cover.

    Gives how many models fell. The flow of such a weapon begins where a hit is certain.
    """
    kills = 0
    for other, slots in found.items():
        form = AttackForm(unit, other, kind, cover=False)
        flow = law.flow(play.game, play.state, form, weapon)
        kills += resolve_volleys(play, law, form, (Volley(flow, len(slots)),))
    return kills


def strike(play: Play, law: Attacks, form: AttackForm) -> tuple[int, str]:
    """One unit's attacks at another: how many models fell, and the word for what became of the rest."""
    kills = _rolled(play, law, form, fired_by(play.game, play.state, law, form))
    return kills, follow(play, law, form, kills)


def _rolled(play: Play, law: Attacks, form: AttackForm, fired: tuple[Volley, ...]) -> int:
    """The dice, and what they take off the table. Where nobody reads of it nothing is counted."""
    ladder, order = ladder_of(play.game, play.state, law, form.target)
    play.rolled_by, play.receiver = form.attacker, form.target
    counted = COUNTED if play.logged else {}
    spent: Spent[int, int] = play.dice.volley(fired, ladder, ladder.start(), *counted.values())
    if play.watch is not None:
        plan = Plan(fired, ladder, ladder.start(), order=order)
        now = len(play.events), play.state.clock.round
        play.watch(ResolvedAttack(form.attacker, form.target, form.kind, plan, spent.state, *now))
    sums = dict(zip(counted, spent.counts, strict=True))
    play.emit("attacked", law.clauses[:1], attacker=form.attacker, target=form.target, by=form.kind, **sums)
    kills, patches = fallen(play.state, ladder, order, spent.state)
    if kills or patches:
        lost = order[:kills]
        lose(play, "casualties", law.clauses[1:], form.target, lost, *patches, removed=kills, models=lost)
    return kills


def fallen(state: State, ladder: Ladder, order: tuple[int, ...], end: int) -> tuple[int, list[Patch]]:
    """How many models an end of the dice takes, in their order, and the patch that wounds the next one."""
    kills, lost = ladder.kills(end), ladder.lost_on_next(end)
    return kills, [Wounded(order[kills], state.wounds_on(order[kills]) + lost)] if lost else []


def follow(play: Play, law: Attacks, form: AttackForm, kills: int) -> str:
    """What losses lead to, and the word for it, the worst of several.

    Raises:
        ValueError: a word is none of the edition's outcomes, which is a fault of the edition.
    """
    outcomes = play.game.edition.outcomes
    worst = outcomes.untested
    for step in law.after:
        word = step(play, form, kills)
        if word is not None and word not in outcomes.words:
            known = ", ".join(outcomes.words)
            raise ValueError(f"{play.game.edition.id}: an attack leads to {word!r}, which is none of its outcomes ({known})")
        worst = worst if word is None else outcomes.worse(worst, word)
    return worst


def engaged(play: Play, unit: int, within: int = INCH) -> list[int]:
    """The enemy units within a distance of a unit: those it fights."""
    gaps, units = play.gaps_from(unit), play.state.units
    return [k for k in play.game.units_of[1 - play.game.side_of(unit)] if units[k].where == TABLE and gaps[k] <= within]


def can_fight(law: Attacks) -> Callable[[Play, int], list[int]]:
    """Who can fight: the units of a side that are engaged, as rows of turns ask for them."""

    def fighting(play: Play, side: int) -> list[int]:
        units = play.state.units
        return [k for k in play.game.units_of[side] if units[k].where == TABLE and engaged(play, k, law.within)]

    return fighting


def fight(play: Play, law: Attacks, unit: int, clause: str) -> None:
    """A unit strikes at an enemy it is engaged with, as its player says; then what is left strikes back."""
    names = tuple(play.game.names[enemy] for enemy in engaged(play, unit, law.within))
    answer = play.choose(play.game.side_of(unit), "choose-target", clause, names, names[0], unit, purpose=FIGHT)
    enemy = play.game.numbers[str(answer)]
    for striker, struck in ((unit, enemy), (enemy, unit)):
        if play.state.units[striker].living and play.state.units[struck].living:
            resolve(play, law, AttackForm(striker, struck, MELEE))
