"""Stratagems (CSTR, STRAT): who may use which at what moment, what it costs, whom it affects, what it does.

Each is a `Reaction`: limits are marks that end by themselves, costs are Command points. A Battle-shocked unit is affected by
none of its owner's (STRAT-3), and one that is led by a frugal Leader pays one point less once a battle round.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions.commentary import places
from rolloff.editions.commentary.aircraft import is_aircraft
from rolloff.editions.commentary.allocating import mortal_wounds
from rolloff.editions.commentary.command import CP, SHOCKED
from rolloff.editions.commentary.fighting import CHARGE, SELECTED, fighters, may_declare
from rolloff.editions.commentary.lookups import GRANT, UnitIndex, host_of, index_of
from rolloff.editions.commentary.matchup import STRONG
from rolloff.editions.commentary.moving import TURN
from rolloff.editions.commentary.secondaries import new_orders, orders_uses, plays_cards
from rolloff.editions.commentary.shooters import shooters
from rolloff.editions.commentary.shooting import CHOSEN, FireOrder, shoot
from rolloff.editions.commentary.sight import sight_of
from rolloff.editions.commentary.travelling import RESERVES
from rolloff.editions.commentary.unit_values import effects_on, toughness_now
from rolloff.editions.commentary.values import STRENGTH, evaluate, figure
from rolloff.lengths import INCH
from rolloff.oracle.offers import Again
from rolloff.oracle.stage import check, number
from rolloff.rules.charges import ChargeOrder, charge, targets_of
from rolloff.rules.citing import cites
from rolloff.rules.effects import lasting
from rolloff.rules.game import Game
from rolloff.rules.movement import alive
from rolloff.rules.play import Play
from rolloff.rules.reserves import able, arrive
from rolloff.rules.turns import on_table, pick_next
from rolloff.rules.windows import EITHER, ENEMY, OWN, ROLLED, Limit, Moment, Reaction, Use, purse
from rolloff.table.event import ModelMarked
from rolloff.table.profile import DiceRoll, Weapon, read_roll

PHASE = "end-phase"
TACTIC, DEED, PLOY, WARGEAR = "Battle Tactic", "Epic Deed", "Strategic Ploy", "Wargear"
LABELS = {
    "Command Re-roll": TACTIC,
    "Counter-offensive": PLOY,
    "Epic Challenge": DEED,
    "Insane Bravery": DEED,
    "Fire Overwatch": PLOY,
    "Grenade": WARGEAR,
    "Go to Ground": TACTIC,
    "Tank Shock": PLOY,
    "Smokescreen": WARGEAR,
    "Rapid Ingress": PLOY,
    "Heroic Intervention": PLOY,
    "New Orders": PLOY,
}
"""LABEL-1: the words under the titles of the core Stratagems."""
THRIFT = "used:discount"
DISCOUNT = "Stratagem Discount"
Uses = Callable[[Play, Moment, int], Iterable[Use]]
Effect = Callable[[Play, Moment, Use], object]


@cites("NSEL-1")
def not_selected(play: Play, unit: int) -> bool:
    """NSEL-1: it has not been selected to shoot in this Shooting phase, or to fight in this Fight phase."""
    return not play.state.units[unit].done


@cites("STRAT-3", "STRAT-1")
def affected(play: Play, unit: int) -> bool:
    """STRAT-1, STRAT-3: a target is affected, and no Stratagem of its owner affects a Battle-shocked unit."""
    return play.state.units[unit].mark(SHOCKED) is None


@cites("CPCOST-1", "CPCOST-2")
def price(play: Play, unit: int, cost: int) -> int:
    """CPCOST-1, CPCOST-2: what a use costs: one less for a unit with a frugal Leader, once a battle round, never below 0."""
    return max(0, cost - 1) if frugal(play, unit) else cost


def frugal(play: Play, unit: int) -> bool:
    """AB-M2: whether a unit's discount is there and not used this round."""
    lookups: UnitIndex = play.game.lookups
    if DISCOUNT not in lookups.abilities[play.game.sides[unit]]:
        return False
    held = play.state.units[unit]
    return bool(lookups.having(still_there(play, held.living), DISCOUNT)) and held.mark(THRIFT) is None


def still_there(play: Play, slots: tuple[int, ...]) -> tuple[int, ...]:
    """DEST-1: those of some models that have not fallen to the attacks under way."""
    return tuple([slot for slot in slots if slot not in play.unsettled]) if play.unsettled else slots


def costed(uses: Uses, cost: int) -> Uses:
    """Uses on units their owner's Stratagems may affect, at what they cost."""

    def found(play: Play, moment: Moment, side: int) -> Iterable[Use]:
        rows = [use for use in uses(play, moment, side) if affected(play, use.unit)]
        if not rows:
            return rows
        paid, cheaper, found = cost, DISCOUNT in index_of(play.game).abilities[side], []
        for use in rows:
            if cheaper:
                paid = price(play, use.unit, cost)
            found.append(Use(use.unit, use.target, use.slot, use.variant, paid, use.wanted))
        return found

    return found


class Cheapest(Struct, frozen=True):
    """What a Stratagem costs a player at least on any unit: with a discount if some unit of the army has one."""

    cost: int

    def __call__(self, game: Game, side: int) -> int:
        """Ask a game."""
        return self.cost - 1 if DISCOUNT in index_of(game).abilities[side] else self.cost


class Affords(Struct, frozen=True):
    """Whether the player of a unit can pay for a Stratagem on it."""

    cost: int

    def __call__(self, play: Play, unit: int) -> bool:
        """Ask a play."""
        held = int(play.game.players(play.state)[play.game.sides[unit]].get(CP, 0))
        return held >= self.cost or held >= price(play, unit, self.cost)


class Bargain(Struct, frozen=True):
    """AB-M2, DP-61: whoever can pay the whole cost says whether a discount is used for it; by default it is."""

    cost: int

    def __call__(self, play: Play, use: Use) -> Use:
        """Ask the player of the unit."""
        side = play.game.sides[use.unit] if use.unit >= 0 else -1
        if use.cost >= self.cost or purse(play, side, CP) < self.cost:
            return use
        kept = play.choose(side, "yes-no", "CPCOST-2", (True, False), True, use.unit, "DP-61", purpose="discount")
        return use if kept else replace(use, cost=self.cost)


def spent(effect: Effect, cost: int) -> Effect:
    """An effect that notes a discount which was used for it."""

    def done(play: Play, moment: Moment, use: Use) -> object:
        if use.cost < cost:
            play.emit("discounted", ("CPCOST-2", "AB-M2"), lasting(play.game, use.unit, THRIFT, "end-round"), unit=use.unit)
        return effect(play, moment, use)

    return done


def stratagem(
    name: str,
    cost: int,
    clause: str,
    at: Collection[str],
    uses: Uses,
    effect: Effect,
    whose: str = EITHER,
    phases: Iterable[str] = (),
    until: str = PHASE,
    shocked: bool = False,
    by: str = EITHER,
    topics: frozenset[str] = frozenset(),
    short: frozenset[str] = frozenset(),
    made: frozenset[str] = frozenset(),
    present: Callable[[Game, int], bool] | None = None,
) -> Reaction:
    """A Stratagem as a reaction; CSTR-13: paid on use, the same one at most once a phase. ``shocked`` lifts STRAT-3."""
    return Reaction(
        name,
        frozenset(at),
        clause,
        uses if shocked else costed(uses, cost),
        spent(effect, cost),
        whose=whose,
        phases=frozenset(phases),
        limit=once(until),
        pay=CP,
        kind="stratagem",
        labels=(LABELS[name],),
        least=Cheapest(cost),
        by=by,
        topics=topics,
        short=short,
        made=made,
        present=present,
        concerned=Affords(cost) if ROLLED in at and by == OWN else None,
        bargain=Bargain(cost),
    )


@cites("CSTR-13")
def once(until: str) -> Limit | None:
    """CSTR-13: a player uses the same Stratagem at most once a phase, or as often as it says."""
    return Limit(until)


class Has(Struct, frozen=True):
    """Whether some model of an army has a keyword."""

    word: str

    def __call__(self, game: Game, side: int) -> bool:
        """Ask a game."""
        return self.word in index_of(game).keywords[side]


def own_units(play: Play, side: int, word: str) -> list[int]:
    """The units of a side on the table that have a keyword."""
    lookups, units = index_of(play.game), play.state.units
    return [unit for unit in on_table(play, side) if word in lookups.words(units[unit].living)]


def ours(play: Play, side: int, units: Iterable[int]) -> list[int]:
    """Those of some units that are a side's and alive."""
    return [unit for unit in units if unit >= 0 and play.game.sides[unit] == side and alive(play, unit)]


def engaged(play: Play, unit: int) -> bool:
    """Whether a unit is within Engagement Range of an enemy."""
    return places.is_engaged(play.game, play.state, host_of(play.game, play.state, unit))


# -- Counter-offensive, Epic Challenge -------------------------------------------------------------


def counter_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """CSTR-2: just after an enemy unit fought, own units within Engagement Range not selected yet."""
    return [Use(unit) for unit in fighters(play, side) if engaged(play, unit)]


def counter(play: Play, moment: Moment, use: Use) -> None:
    """CSTR-2: it fights next."""
    pick_next(play, use.unit, "CSTR-2")


def challenge_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """CSTR-3: a CHARACTER of the unit selected to fight, within Engagement Range of an Attached unit."""
    lookups: UnitIndex = play.game.lookups
    for unit in ours(play, side, (moment.unit,)):
        enemies = places.enemies_engaged(play.game, play.state, host_of(play.game, play.state, unit))
        if any(host_of(play.game, play.state, k).attached for k in enemies):
            for slot in play.state.units[unit].living:
                if "CHARACTER" in lookups.fighters[slot].keywords:
                    yield Use(unit, slot=slot)


def epic(play: Play, moment: Moment, use: Use) -> None:
    """CSTR-3: the melee attacks of that model have PRECISION until the end of the phase."""
    play.emit("granted", ("CSTR-3",), ModelMarked(use.slot, f"{GRANT}Precision", PHASE), unit=use.unit)


# -- Insane Bravery --------------------------------------------------------------------------------


def brave_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """CSTR-4: the unit that just failed its test, also if Battle-shocked before."""
    yield from (Use(unit, cost=price(play, unit, 1)) for unit in ours(play, side, (moment.unit,)))


def brave(play: Play, moment: Moment, use: Use) -> bool:
    """CSTR-4: the test counts as passed."""
    return True


# -- Fire Overwatch --------------------------------------------------------------------------------


def overwatch_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """CSTR-5: own units within 24" of the enemy that would be eligible to shoot it."""
    enemy = moment.unit
    if not alive(play, enemy):
        return []
    near = places.units_within(play.game, play.state, enemy, on_table(play, side), 24 * INCH)
    return [Use(unit, enemy) for unit in shooters(play, near, (enemy,))] if near else []


def overwatch(play: Play, moment: Moment, use: Use) -> None:
    """CSTR-5: it shoots that unit and nothing else, hitting on natural 6s only."""
    shoot(play, FireOrder(use.unit, use.target, oop=True, snap=True))


# -- Grenade, Tank Shock ---------------------------------------------------------------------------

GRENADES, SMOKE = "GRENADES", "SMOKE"
BANG = check("grenade", 4, "CSTR-6")
RAM = check("tank shock", 5, "CSTR-8")


def grenade_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """CSTR-6: a GRENADES unit outside Engagement Range not yet selected; a visible enemy within 8", not engaged."""
    able = [unit for unit in own_units(play, side, GRENADES) if not_selected(play, unit)]
    foes = on_table(play, 1 - side)
    for unit in places.with_enemies_within(play.game, play.state, able, 8 * INCH) if able else ():
        for enemy in () if engaged(play, unit) else places.units_within(play.game, play.state, unit, foes, 8 * INCH):
            if not engaged(play, enemy) and _sees(play, unit, enemy):
                yield Use(unit, enemy)


def _sees(play: Play, unit: int, enemy: int) -> bool:
    sight, host = sight_of(play.game, play.state), host_of(play.game, play.state, enemy)
    return bool(sight.seers(play.state.units[unit].living, host))


def grenade(play: Play, moment: Moment, use: Use) -> None:
    """CSTR-6: six dice, each 4+ is a mortal wound."""
    play.rolled_by = use.unit
    hurt = sum(play.dice.ask(BANG) for _ in range(6))
    if hurt:
        mortal_wounds(play, use.target, hurt, "grenade", use.unit, "CSTR-6")


def ram_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """CSTR-8: a VEHICLE that just ended a Charge move, and an enemy within Engagement Range; by its strongest weapon."""
    lookups: UnitIndex = play.game.lookups
    for unit in ours(play, side, (moment.unit,)):
        if "VEHICLE" not in lookups.words(play.state.units[unit].living):
            continue
        blades = _blades(play, unit)
        for enemy in places.enemies_engaged(play.game, play.state, host_of(play.game, play.state, unit)):
            yield from (Use(unit, enemy, variant=name) for name in blades)


def _blades(play: Play, unit: int) -> dict[str, tuple[int, Weapon]]:
    """The melee weapons of a unit by name, the strongest first, each with the model that has the strongest of that name."""
    fighters, living = index_of(play.game).fighters, play.state.units[unit].living
    rows = [(slot, weapon) for slot in living for weapon in fighters[slot].weapons if weapon.melee]
    means = {row: _strength(play, *row).mean for row in rows}
    found: dict[str, tuple[int, Weapon]] = {}
    for row in sorted(rows, key=lambda row: (-means[row], row[1].name)):
        found.setdefault(row[1].name, row)
    return found


@cites("NULL-1")
def _strength(play: Play, slot: int, weapon: Weapon) -> DiceRoll:
    """NULL-1: the Strength of a model's weapon as it is rolled; without one its Toughness stands in."""
    return read_roll(index_of(play.game).fighters[slot].profile.toughness if _unstated(weapon) else weapon.stat(STRENGTH))


def _unstated(weapon: Weapon) -> bool:
    """Whether a weapon has no Strength of its own, neither a number nor dice."""
    value = weapon.stat(STRENGTH)
    return isinstance(value, str) and "D" not in value


@cites("NULL-2")
def _dice_of(play: Play, slot: int, weapon: Weapon) -> int:
    """MOD-1, DICE-5: the Strength of a model's weapon, rolled if it is random, as modified; what stands in is not (NULL-2)."""
    roll = _strength(play, slot, weapon)
    rolled = roll.plus if roll.fixed else play.dice.ask(number(STRONG, roll.count, roll.sides, roll.plus, clauses=("DICE-5",)))
    if _unstated(weapon):
        return rolled
    host = host_of(play.game, play.state, play.state.owner_of(slot))
    return figure(evaluate(STRENGTH, rolled, effects_on(play.game, play.state, host, slot, STRENGTH)), STRENGTH)


def ram(play: Play, moment: Moment, use: Use) -> None:
    """CSTR-8: as many dice as its Strength, two more if that exceeds their Toughness; each 5+ a mortal wound, six at most."""
    play.rolled_by = use.unit
    strength = _dice_of(play, *_blades(play, use.unit)[use.variant])
    tough = toughness_now(play.game, play.state, host_of(play.game, play.state, use.target))
    hurt = sum(play.dice.ask(RAM) for _ in range(strength + (2 if strength > tough else 0)))
    if hurt:
        mortal_wounds(play, use.target, min(hurt, 6), "tank-shock", use.unit, "CSTR-8")


# -- Go to Ground, Smokescreen ---------------------------------------------------------------------


def _targeted(play: Play, moment: Moment, side: int, word: str) -> Iterable[Use]:
    lookups: UnitIndex = play.game.lookups
    for unit in ours(play, side, moment.targets):
        if word in lookups.words(play.state.units[unit].living):
            yield Use(unit)


def ground_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """CSTR-7: a targeted INFANTRY unit."""
    return _targeted(play, moment, side, "INFANTRY")


def to_ground(play: Play, moment: Moment, use: Use) -> None:
    """CSTR-7: a 6+ invulnerable save and the Benefit of Cover until the end of the phase."""
    marks = [lasting(play.game, use.unit, name, PHASE) for name in ("cover", f"{GRANT}Invulnerable Save 6+")]
    play.emit("granted", ("CSTR-7", "COVER-1"), *marks, unit=use.unit)


def smoke_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """CSTR-9: a targeted SMOKE unit."""
    return _targeted(play, moment, side, SMOKE)


def smoke(play: Play, moment: Moment, use: Use) -> None:
    """CSTR-9: the Benefit of Cover and Stealth until the end of the phase."""
    marks = [lasting(play.game, use.unit, name, PHASE) for name in ("cover", "stealth")]
    play.emit("granted", ("CSTR-9", "COVER-1"), *marks, unit=use.unit)


# -- Rapid Ingress, Heroic Intervention ------------------------------------------------------------


def ingress_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """CSTR-10: an own unit in Reserves that could arrive in this round."""
    return (Use(unit) for unit in able(play, RESERVES, side))


def ingress(play: Play, moment: Moment, use: Use) -> None:
    """CSTR-10: it arrives as in its owner's Reinforcements step."""
    arrive(play, RESERVES, use.unit, oop=True)


def heroic_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """CSTR-11: an own unit within 6" of the charger that could declare a charge at it; a VEHICLE only if WALKER."""
    lookups: UnitIndex = play.game.lookups
    if not alive(play, moment.unit):
        return
    gaps = places.gaps_from(play.game, play.state, moment.unit)
    for unit in on_table(play, side):
        words = lookups.words(play.state.units[unit].living)
        if not places.within(gaps[unit], 6 * INCH) or ("VEHICLE" in words and "WALKER" not in words):
            continue
        if may_declare(play, unit) and moment.unit in targets_of(play, CHARGE, unit) and not is_aircraft(play, unit):
            yield Use(unit, moment.unit)


def heroic(play: Play, moment: Moment, use: Use) -> None:
    """CSTR-11: it charges that unit only, without the Charge bonus."""
    charge(play, CHARGE, ChargeOrder(use.unit, (use.target,), oop=True, bonus=False))


# -- Command Re-roll -------------------------------------------------------------------------------

TESTED = frozenset({"hit", "wound", "save", "desperate escape", "hazardous"})
THROWN = frozenset({"damage", "attacks", "advance", "charge"})
AGAINST = frozenset({"save"})


def reroll_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """CSTR-1, STRAT-2: a roll of an own unit; no die twice (REROLL-1)."""
    facts, unit = dict(moment.facts), moment.unit
    if facts["faces"] and not facts["again"] and affected_by_reroll(play, unit):
        return (Use(unit, cost=price(play, unit, 1)),)
    return ()


@cites("STRAT-2")
def affected_by_reroll(play: Play, unit: int) -> bool:
    """STRAT-2: a re-rolled roll affects the unit it is made for."""
    return affected(play, unit)


def reroll(play: Play, moment: Moment, use: Use) -> object:
    """REROLL-2: the whole roll is rolled again."""
    faces = dict(moment.facts)["faces"]
    return tuple(Again(die) for die in range(len(faces))) if isinstance(faces, tuple) else None


EVERY_ROLL = "reroll_successes"
"""The switch under which players are asked about rolls that succeeded as well."""


@cites("CSTR-1")
def asked_of_successes(game: Game, side: int) -> bool:
    """CSTR-1, DP-29: a roll may be rolled again whether it succeeded or not; by default players are asked about failures."""
    return game.switches[EVERY_ROLL]


MOVES = [f"{kind}-{end}" for kind in ("normal", "advance", "fall-back", "charge") for end in ("starts", "ended")]
command_reroll = partial(stratagem, "Command Re-roll", 1, "CSTR-1", [ROLLED], reroll_uses, reroll, shocked=True, by=OWN)
CORE = (
    command_reroll(topics=TESTED | THROWN, short=TESTED),
    command_reroll(topics=TESTED, made=TESTED, present=asked_of_successes),
    stratagem("Counter-offensive", 2, "CSTR-2", ["fought"], counter_uses, counter, EITHER, ["fight"], by=ENEMY),
    stratagem("Epic Challenge", 1, "CSTR-3", [SELECTED], challenge_uses, epic, EITHER, ["fight"], by=OWN),
    stratagem("Insane Bravery", 1, "CSTR-4", ["shock-failed"], brave_uses, brave, OWN, ["command"], shocked=True, by=OWN),
    stratagem(
        "Fire Overwatch",
        1,
        "CSTR-5",
        ["set-up", *MOVES],
        overwatch_uses,
        overwatch,
        ENEMY,
        ["movement", "charge"],
        TURN,
        by=ENEMY,
    ),
    stratagem(
        "Grenade", 1, "CSTR-6", ["shooting-starts", "has-shot"], grenade_uses, grenade, OWN, ["shooting"], present=Has(GRENADES)
    ),
    stratagem("Go to Ground", 1, "CSTR-7", [CHOSEN], ground_uses, to_ground, ENEMY, ["shooting"]),
    stratagem("Tank Shock", 1, "CSTR-8", ["charged"], ram_uses, ram, OWN, ["charge"], by=OWN),
    stratagem("Smokescreen", 1, "CSTR-9", [CHOSEN], smoke_uses, smoke, ENEMY, ["shooting"], present=Has(SMOKE)),
    stratagem("Rapid Ingress", 1, "CSTR-10", ["end-movement"], ingress_uses, ingress, ENEMY, ["movement"]),
    stratagem(
        "New Orders",
        1,
        "CSTR-12",
        ["end-command"],
        orders_uses,
        new_orders,
        OWN,
        ["command"],
        shocked=True,
        present=plays_cards,
    ),
    stratagem("Heroic Intervention", 2, "CSTR-11", ["charged"], heroic_uses, heroic, ENEMY, ["charge"], by=ENEMY),
)
