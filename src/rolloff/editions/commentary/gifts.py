"""Abilities of datasheets that act at a moment (G4): slowed targets, dread, burrowing, shooting again, bombs, afterimages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from msgspec import Struct

from rolloff.editions.commentary import places
from rolloff.editions.commentary.afterlife import DYING
from rolloff.editions.commentary.aftermath import MADE, left_of
from rolloff.editions.commentary.allocating import mortal_wounds
from rolloff.editions.commentary.command import gain_more, shock
from rolloff.editions.commentary.detachments import detachment_rules
from rolloff.editions.commentary.doings import BURROWS, REPLACED, after_set_up, again_at, replace_unit, replace_uses
from rolloff.editions.commentary.fighting import fight_alone
from rolloff.editions.commentary.lookups import LAMP, host_of, index_of, one_more
from rolloff.editions.commentary.recovery import (
    BIRTH,
    RETURNS,
    birth_uses,
    born_again,
    late_birth_uses,
    return_models,
    return_uses,
)
from rolloff.editions.commentary.saves import PARRY
from rolloff.editions.commentary.shooting import SHOT, FireOrder, may_again, shoot, unit_again
from rolloff.editions.commentary.sight import sight_of
from rolloff.editions.commentary.specials.conditional import Timed
from rolloff.editions.commentary.specials.echo_strike import ECHO
from rolloff.editions.commentary.traits import PSYCHIC
from rolloff.geometry.templates import Area
from rolloff.lengths import INCH, millimetres
from rolloff.oracle.offers import Treat
from rolloff.oracle.stage import check, number
from rolloff.rules.citing import cites
from rolloff.rules.deployment import find_place
from rolloff.rules.effects import USED, lasting
from rolloff.rules.game import Game
from rolloff.rules.movement import alive
from rolloff.rules.objectives import Spot, held_by
from rolloff.rules.play import Play
from rolloff.rules.templates import units_under
from rolloff.rules.turns import on_table
from rolloff.rules.windows import EITHER, ENEMY, MODEL, OWN, PAID, ROLLED, UNIT, Limit, Moment, Reaction, Use, fell_short
from rolloff.table.event import SideMarked, Wounded
from rolloff.table.state import RESERVE, TABLE

ONCE = Limit("game", of=MODEL)
Uses = Callable[[Play, Moment, int], Iterable[Use]]
Effect = Callable[[Play, Moment, Use], object]


class Carried(Struct, frozen=True):
    """Whether some model of a side has an ability."""

    name: str

    def __call__(self, game: Game, side: int) -> bool:
        """Ask a game."""
        lookups = index_of(game)
        return self.name in lookups.abilities[side]


class Rolls(Struct, frozen=True):
    """Whether the unit that rolls dice, or the one that receives what they bring, has a model with an ability.

    ``unspent``: and has not used it, where that is once for a unit.
    """

    name: str
    receives: bool = False
    unspent: bool = False

    def __call__(self, play: Play, unit: int) -> bool:
        """Ask a play in which dice are rolled."""
        bearer = play.receiver if self.receives else play.rolled_by
        if bearer < 0:
            return False
        held = play.state.units[bearer]
        if not index_of(play.game).having(held.living, self.name):
            return False
        return not self.unspent or held.mark(USED + self.name) is None


ABOUT = {
    "Fights Again": "The bearer alone fights again, once a battle.",
    RETURNS: "Destroyed Bodyguard models return with all their wounds.",
    BIRTH: "The bearer may return with D3 wounds, once a battle.",
    "Taxes": "On a 4+ you gain 1 CP.",
    "Slows": "One unit that was hit has less Move until your next turn begins.",
    "Dread": "One enemy unit takes a Battle-shock test; if it fails it also suffers D3 mortal wounds.",
    BURROWS: "It is removed and set up again, more than 9 inches from all enemies.",
    REPLACED: "It is removed, and a new full unit is set up as from Strategic Reserves; once a battle.",
    "Shoots Again": "It shoots again, once a battle.",
    "Bombs": "A die for each enemy unit it flew over: on a 4+ it suffers D3 mortal wounds.",
    "Afterimage": "This Hit roll counts as a 1, once a battle.",
    "Echo Strike": "This Hit roll counts as a 6, once a battle.",
    "Echo Parry": "The Damage of this attack is changed to 0, once a battle.",
}
"""What players read of abilities, which no clause tells."""


def gift(
    ability: str,
    clause: str,
    at: str,
    uses: Uses,
    effect: Effect,
    whose: str = OWN,
    phases: Iterable[str] = (),
    until: str = "end-phase",
    default: bool = True,
    limit: Limit | None = None,
    topics: frozenset[str] = frozenset(),
    by: str = EITHER,
    short: frozenset[str] = frozenset(),
    made: frozenset[str] = frozenset(),
    cited: str = "",
    concerned: Callable[[Play, int], bool] | None = None,
) -> Reaction:
    """An ability that may be used at a moment, as a reaction without a cost."""
    limit = limit or Limit(until, of=UNIT)
    return Reaction(
        ability,
        frozenset({at}),
        clause,
        uses,
        effect,
        whose=whose,
        phases=frozenset(phases),
        limit=limit,
        default=default,
        present=Carried(ability),
        kind="ability",
        topics=topics,
        by=by,
        short=short,
        made=made,
        cited=cited,
        concerned=concerned,
        about=ABOUT.get(ability, ""),
    )


def bearers(play: Play, side: int, ability: str) -> list[tuple[int, int]]:
    """The units of a side on the table with a model that has an ability they have not used up, and that model."""
    lookups, state = index_of(play.game), play.state
    found = []
    for unit in lookups.holders(state, side, ability):
        held = state.units[unit]
        having = lookups.having(held.living, ability) if held.where == TABLE else ()
        if having and held.mark(USED + ability) is None:
            found.append((unit, having[0]))
    return found


def bears(play: Play, unit: int, side: int, ability: str) -> bool:
    """Whether a unit is among those `bearers`."""
    if unit < 0 or play.game.sides[unit] != side:
        return False
    held = play.state.units[unit]
    having = held.where == TABLE and index_of(play.game).having(held.living, ability)
    return bool(having) and held.mark(USED + ability) is None


# -- the Mortar's target is slowed (AB-M6) ---------------------------------------------------------


def slow_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """AB-M6: just after it has shot in its own phase, one enemy unit it hit."""
    if bears(play, moment.unit, side, "Slows"):
        for target in moment.targets:
            if _hit(play, moment.unit, target):
                yield from (Use(moment.unit, part) for part in left_of(play, target)[:1])


def _hit(play: Play, unit: int, target: int) -> bool:
    return any(
        event.kind == "attacked" and event.fact("attacker") == unit and event.fact("target") == target and event.fact("hits")
        for event in play.events
    )


def slow(play: Play, moment: Moment, use: Use) -> None:
    """AB-M6, PERSIST-1: so many inches less Move until the start of the Mortar's owner's next turn."""
    whole = [left_of(play, target) for target in moment.targets]
    lookups = index_of(play.game)
    bearer = lookups.having(play.state.units[use.unit].living, "Slows")[0]
    slower = f"Move(-{lookups.fighters[bearer].rating('Slows')})"
    for part in next(parts for parts in whole if use.target in parts):  # PERSIST-3
        mark = lasting(play.game, part, one_more(play.state.units[part], slower), "other-turn")
        play.emit("granted", ("AB-M6", "PERSIST-1"), mark, unit=part)


# -- the Sovereign's dread (AB-R2) -----------------------------------------------------------------


def dread_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """AB-R2: at the start of the own Shooting phase one enemy unit within 12" and visible."""
    lookups = index_of(play.game)
    for unit, slot in bearers(play, side, "Dread"):
        reach = int(lookups.fighters[slot].rating("Dread") or 0) * INCH
        gaps, most = play.gaps_from(unit), reach + places.OVERHANG + INCH  # whoever is further away is so from the model too
        perhaps = [enemy for enemy in on_table(play, 1 - side) if gaps[enemy] <= most]
        for enemy in sorted(perhaps, key=gaps.__getitem__):  # DP-64: the nearest first
            host = host_of(play.game, play.state, enemy)
            near = places.within(places.range_to(play.game, play.state, slot, host), reach)
            if near and sight_of(play.game, play.state).sees_unit(slot, host):
                yield Use(unit, enemy)


def fear(play: Play, moment: Moment, use: Use) -> None:
    """AB-R2, BSHOCK-3, BSHOCK-4: a Battle-shock test; who fails also suffers D3 mortal wounds, a Psychic Attack (PSY-2)."""
    if not shock(play, use.target, "BSHOCK-3"):
        play.rolled_by = use.unit
        count = play.dice.ask(number("dread", 1, 3, 0, clauses=("AB-R2",)))
        mortal_wounds(play, use.target, count, "dread", use.unit, "AB-R2", "PSY-2", traits=(PSYCHIC,))


# -- burrowing (AB-T6), shooting again (AB-R8) -----------------------------------------------------


def burrow_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """AB-T6: in the own Reinforcements step, if there is room somewhere."""
    for unit, _ in bearers(play, side, BURROWS):
        if find_place(play, unit, again_at(play, unit)) is not None:
            yield Use(unit)


def again_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """AB-R8, SHOOTAGAIN-1: just after it has shot in its own phase, if it is still eligible and has a target."""
    if bears(play, moment.unit, side, "Shoots Again") and may_again(play, moment.unit, unit_again(moment)):
        yield Use(moment.unit)


def shoot_again(play: Play, moment: Moment, use: Use) -> None:
    """AB-R8: it shoots again, when all its attacks are resolved."""
    shoot(play, FireOrder(use.unit, weapons=unit_again(moment)))


# -- bombs (AB-R9) ---------------------------------------------------------------------------------

BOMB = check("bomb", 4, "AB-R9")


def bomb_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """AB-R9: just after its straight leg, where it passed over somebody."""
    if bears(play, moment.unit, side, "Bombs") and passed_over(play, moment):
        yield Use(moment.unit)


LINE_WIDTH = millimetres(1)


@cites("LINE-1")
def passed_over(play: Play, moment: Moment) -> list[int]:
    """LINE-1: the enemy units over whose models a straight line 1 mm wide passes, from start to end."""
    facts = dict(moment.facts)
    start, end = facts["from"], facts["to"]
    assert isinstance(start, tuple) and isinstance(end, tuple)
    ends = [(int(str(x)), int(str(y))) for x, y in (start, end)]
    under = units_under(play, Area.line(ends[0], ends[1], LINE_WIDTH))
    return [enemy for enemy in on_table(play, 1 - play.game.side_of(moment.unit)) if enemy in under]


def drop(play: Play, moment: Moment, use: Use) -> None:
    """AB-R9: a die for each enemy unit passed over; on 4+ it suffers D3 mortal wounds. None for who fell meanwhile (DICE-6)."""
    for enemy in passed_over(play, moment):
        if not alive(play, enemy):
            continue
        play.rolled_by = use.unit
        if play.dice.ask(BOMB):
            count = play.dice.ask(number("bomb wounds", 1, 3, 0, clauses=("AB-R9",)))
            mortal_wounds(play, enemy, count, "bomb", use.unit, "AB-R9", "LINE-1")


HITTING, SAVING = frozenset({"hit"}), frozenset({"save"})

# -- afterimage (AB-R6) ----------------------------------------------------------------------------


def image_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """AB-R6, TOKEN-1: a Hit roll for an attack at the unit that would hit."""
    if play.receiver < 0 or play.game.side_of(play.receiver) != side:
        return
    if fell_short(moment):
        return
    held = play.state.units[play.receiver]
    if held.where == TABLE and index_of(play.game).having(held.living, "Afterimage"):
        yield Use(play.receiver)


def image(play: Play, moment: Moment, use: Use) -> object:
    """TREAT-1: the roll is treated as a natural 1."""
    return Treat(0, 1)


@cites("TOKEN-1")
def one_token() -> Limit:
    """TOKEN-1: a token reminds of a use that is limited: it is spent once a battle."""
    return Limit("game", of=UNIT)


# -- echoes (AB-R10, AB-R11) -----------------------------------------------------------------------

SIX = 6
"""What a Hit roll is treated as."""


def _own_roll(play: Play, moment: Moment, unit: int, side: int, clause: str) -> bool:
    """Whether the dice on the table are a side's, by a clause."""
    if unit < 0 or play.game.side_of(unit) != side:
        return False
    clauses = dict(moment.facts)["clauses"]
    return isinstance(clauses, tuple) and clause in clauses


def echo_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """AB-R11: any Hit roll of the bearer's own but a 6, its re-rolls made; by default one that missed (DP-62)."""
    lookups = index_of(play.game)
    if _own_roll(play, moment, play.rolled_by, side, ECHO) and dict(moment.facts)["faces"] != (SIX,):
        bearer = lookups.having(play.state.units[play.rolled_by].living, "Echo Strike")
        yield from (Use(play.rolled_by, slot=slot, wanted=fell_short(moment)) for slot in bearer[:1])


def echo(play: Play, moment: Moment, use: Use) -> object:
    """TREAT-1, CRIT-1: the roll is treated as a natural 6."""
    return Treat(0, SIX)


def parry_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """AB-R10: just after a failed save against an attack allocated to the bearer."""
    lookups = index_of(play.game)
    if _own_roll(play, moment, play.receiver, side, PARRY):
        bearer = lookups.having(play.state.units[play.receiver].living, "Echo Parry")
        yield from (Use(play.receiver, slot=slot, wanted=play.deadly) for slot in bearer[:1])  # DP-63


def parry(play: Play, moment: Moment, use: Use) -> None:
    """MODCH-4: the Damage of that attack is changed to 0, which the mark of its one use says to whoever resolves it."""


# -- regaining wounds at the start or the end of phases --------------------------------------------

EDGES = Timed.moments


@cites("STARTOF-1")
def at_every_start(play: Play, side: int) -> bool:
    """STARTOF-1: a rule at the start of a phase triggers at the start of every one, of either player."""
    return True


@cites("THEPH-1")
def in_every_phase(play: Play, side: int) -> bool:
    """THEPH-1: "the phase", without whose, means both players'."""
    return True


def regain_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """Models of a side that have lost wounds and regain some at this moment."""
    lookups = index_of(play.game)
    due = at_every_start if moment.name.startswith("start-") else in_every_phase
    standing = on_table(play, side) if due(play, side) else ()
    for unit in lookups.holders(play.state, side, "Regains"):
        for slot in lookups.having(play.state.units[unit].living, "Regains") if unit in standing else ():
            if play.state.wounds_on(slot) and str(lookups.fighters[slot].rating("Regains")).endswith(f" {moment.name}"):
                yield Use(unit, slot=slot)


def regain(play: Play, moment: Moment, use: Use) -> None:
    """REGAIN-1: up to so many lost wounds, never more than it has lost."""
    lookups = index_of(play.game)
    count = int(str(lookups.fighters[use.slot].rating("Regains")).split()[0])
    lost = max(0, play.state.wounds_on(use.slot) - count)
    play.emit("regained", ("REGAIN-1",), Wounded(use.slot, lost), unit=use.unit, model=use.slot)


REGAINS = Reaction(
    "Regains",
    frozenset(EDGES),
    "REGAIN-1",
    regain_uses,
    regain,
    must=True,
    present=Carried("Regains"),
    kind="ability",
)

# -- lamp tokens (DET-R) ---------------------------------------------------------------------------


def lamp_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """DET-R, ENDCMD-1: at the end of the own Command phase, a marker the owner controls; those near own units first (DP-66)."""
    if "Lamp Tokens" in detachment_rules(play.game, side):
        held = held_by(play.game, play.state, side)
        if len(held) > 1:
            points = [play.state.at(slot) for unit in on_table(play, side) for slot in play.state.units[unit].living]
            held = sorted(held, key=partial(_from_own, points))
        yield from (Use(variant=spot.id) for spot in held)


def _from_own(points: list[tuple[int, int]], spot: Spot) -> int:
    """The square of how far the middle of a marker is from the nearest of some models."""
    return min([(x - spot.x) ** 2 + (y - spot.y) ** 2 for x, y in points], default=0)


def lay_lamp(play: Play, moment: Moment, use: Use) -> None:
    """DET-R, TOKEN-1: a token lies on the marker until the owner's next Command phase."""
    side = play.state.clock.active
    play.emit("lamp", ("ENDCMD-1", "DET-R"), SideMarked(side, f"{LAMP}{use.variant}", "own-command"), side=side)


def lamps_fielded(game: Game, side: int) -> bool:
    """Whether a side has lamp tokens."""
    return "Lamp Tokens" in detachment_rules(game, side)


LAMPS = Reaction(
    "Lamp token",
    frozenset({"end-command"}),
    "DET-R",
    lamp_uses,
    lay_lamp,
    whose=OWN,
    phases=frozenset({"command"}),
    limit=Limit("end-phase"),
    default=True,
    present=lamps_fielded,
    kind="ability",
    about="A token lies on this marker until your next Command phase; own units within range of it have the Benefit of Cover.",
)

# -- fighting again (ENH-R1), acting after death, models that return ------------------------------


def encore_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """ENH-R1: just after the bearer's unit has fought; a bearer left alone by then was part of it (LEAD-5)."""
    fought = left_of(play, moment.unit)
    for unit, slot in bearers(play, side, "Fights Again"):
        if unit in fought:
            yield Use(unit, slot=slot)


def encore(play: Play, moment: Moment, use: Use) -> None:
    """ENH-R1, INDIV-1 to INDIV-3: the bearer alone fights again."""
    fight_alone(play, use.unit, use.slot)


# -- points from others' Stratagems (ENH-M2) -------------------------------------------------------


@cites("RESV-4")
def works_in() -> tuple[int, ...]:
    """RESV-4, EMB-1: where an ability that needs no position works: on the battlefield and in Reserves, not embarked."""
    return TABLE, RESERVE


AUDIT = check("audit", 4, "ENH-M2")


def audit_uses(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """ENH-M2, YSTRAT-1: the opponent paid for a Stratagem with that label; the bearer is on the battlefield or in Reserves."""
    facts = dict(moment.facts)
    labels = facts["labels"]
    if facts["side"] == side or not isinstance(labels, tuple):
        return
    lookups = index_of(play.game)
    for unit in lookups.holders(play.state, side, "Taxes"):
        held = play.state.units[unit]
        for slot in lookups.having(held.living, "Taxes"):
            if held.where in works_in() and lookups.fighters[slot].rating("Taxes") in labels:
                yield Use(unit)
                return


def audit(play: Play, moment: Moment, use: Use) -> None:
    """ENH-M2: on a 4+ its owner gains 1 CP."""
    play.rolled_by = use.unit
    side = play.game.side_of(use.unit)
    if play.dice.ask(AUDIT):
        gain_more(play, side, "ENH-M2")


GIFTS = (
    DYING,
    gift("Fights Again", "ENH-R1", "fought", encore_uses, encore, whose=EITHER, phases=["fight"], until="game", default=False),
    gift(RETURNS, "AB-M3", "command-step", return_uses, return_models, phases=["command"], until="end-turn"),
    gift(BIRTH, "ENH-T1", MADE, birth_uses, born_again, whose=EITHER, limit=ONCE),
    *(
        gift(BIRTH, "ENH-T1", moment, late_birth_uses, born_again, whose=EITHER, limit=ONCE)
        for moment in EDGES
        if moment.startswith("end-") and moment != "end-turn"
    ),
    gift("Taxes", "ENH-M2", PAID, audit_uses, audit, whose=EITHER, until="end-round"),
    LAMPS,
    gift("Slows", "AB-M6", SHOT, slow_uses, slow, phases=["shooting"]),
    gift("Dread", "AB-R2", "shooting-starts", dread_uses, fear, phases=["shooting"], until="end-turn"),
    gift(BURROWS, "AB-T6", "reinforcements", burrow_uses, after_set_up, phases=["movement"], until="end-turn", default=False),
    gift(REPLACED, "AB-T3", "reinforcements", replace_uses, replace_unit, phases=["movement"], until="game", default=False),
    gift("Shoots Again", "AB-R8", SHOT, again_uses, shoot_again, phases=["shooting"], until="game", default=False),
    gift("Bombs", "AB-R9", "flown", bomb_uses, drop, phases=["movement"], until="end-turn"),
    gift(
        "Afterimage",
        "AB-R6",
        ROLLED,
        image_uses,
        image,
        whose=EITHER,
        limit=one_token(),
        topics=HITTING,
        by=ENEMY,
        made=HITTING,
        concerned=Rolls("Afterimage", receives=True, unspent=True),
    ),
    gift(
        "Echo Strike",
        "AB-R11",
        ROLLED,
        echo_uses,
        echo,
        whose=EITHER,
        limit=ONCE,
        topics=HITTING,
        by=OWN,
        cited=ECHO,
        concerned=Rolls("Echo Strike"),
    ),
    gift(
        "Echo Parry",
        "AB-R10",
        ROLLED,
        parry_uses,
        parry,
        whose=EITHER,
        limit=ONCE,
        topics=SAVING,
        by=OWN,
        short=SAVING,
        cited=PARRY,
        concerned=Rolls("Echo Parry", receives=True),
    ),
    REGAINS,
)
