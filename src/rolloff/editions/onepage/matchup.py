"""One group of like attacks against one target, as a flow of stages: hit, ignore, block, wound, Regeneration.

The flow is built once for each match-up by the rules that alter it, and is used alike by the dice in play and by exact odds.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from rolloff.oracle.draft import Draft, Reroll
from rolloff.oracle.flow import BLOCKED, HITS, IGNORED, WOUNDS, Flow, Fork, Harm, Nodes, Volley, Wave
from rolloff.oracle.stage import Stage, fixed, number
from rolloff.rules.citing import cites
from rolloff.rules.hooks import Special
from rolloff.table.profile import DiceRoll, Rule

AUTOMATIC, HIT, IGNORE, BLOCK, REGENERATION = "automatic", "hit", "ignore", "block", "regeneration"
OPTIONAL = ("Linked", "Hatred")
"""DICE-9: rules by which failed dice may be rolled again, all of them unless the player would rather not."""
REROLLS = "rerolls"
PIERCE_ARMOR, PIERCE_BLOCKS, NO_PIERCING = "ignore-armored", "re-roll-blocks", ""


class Strike(Struct, frozen=True):
    """A match-up: everything about weapon, striker and target that decides the stages."""

    kind: str
    quality: int
    block: int
    rules: tuple[Rule, ...] = ()
    enters: str = HIT
    hampered: tuple[str, ...] = ()
    shaken: bool = False
    armored: bool = False
    cover: tuple[str, ...] = ()
    regeneration: bool = False
    type: str = "infantry"
    piercing: str | None = None
    aim: int = -1
    guards: tuple[Rule, ...] = ()
    did: tuple[str, ...] = ()
    asks: bool = False

    def has(self, name: str) -> bool:
        """Whether the attacks carry a rule."""
        return any(rule.name == name for rule in self.rules)

    def target_did(self, action: str) -> bool:
        """Whether the target's last action was this one; only known if a rule of it remembers that."""
        return action in self.did


class Figures(Struct, frozen=True):
    """The book's numbers a flow is built with."""

    armored: int
    cover: int
    regeneration: int
    cover_armors: bool = False
    piercing_fixed: bool = False


@cites("TERR-COVER-2")
def armored(strike: Strike, figures: Figures) -> bool:
    """Whether Armored counts: the target's own, or, where cover is that same rule, by cover (TERR-COVER-2)."""
    return strike.armored or (figures.cover_armors and bool(strike.cover))


def pierces(strike: Strike, specials: Mapping[str, Special]) -> bool:
    """Whether a rule of these attacks is Piercing against this target, or counts as it."""
    return any(specials[rule.name].pierces(strike) for rule in strike.rules)


def piercing_by(strike: Strike, specials: Mapping[str, Special]) -> tuple[str, ...]:
    """What pierces here, as clauses: Piercing, and what merely counts as it where Piercing itself is not there (GEN-3)."""
    piercing = [specials[rule.name] for rule in strike.rules if specials[rule.name].pierces(strike)]
    found = dict.fromkeys(clause for special in piercing for clause in special.clauses)
    return ("RULE-PIERCING-1",) if "RULE-PIERCING-1" in found else ("RULE-PIERCING-1", *found)


@cites("GEN-2", "WPN-9", "WPN-10")
def _altered(draft: Draft, strike: Strike, specials: Mapping[str, Special]) -> Draft:
    """GEN-2, WPN-9: the rules of these attacks go before the general rule of the stage."""
    for rule in strike.rules:
        if strike.asks and rule.name in OPTIONAL:
            draft.offering(REROLLS, "DICE-9", point="DP-21")
        specials[rule.name].alter(draft.label, draft, strike)
        draft.offering("")
    return guarded(draft, strike, specials)


def guarded(draft: Draft, strike: Strike, specials: Mapping[str, Special]) -> Draft:
    """The rules of the target have their say in a stage."""
    for rule in strike.guards:
        specials[rule.name].defend(draft.label, draft, strike)
    return draft


@cites("RES-4", "DICE-4", "DICE-5", "DICE-12")
def _hit(strike: Strike, specials: Mapping[str, Special]) -> Stage[Nodes]:
    """SHOOT-9, MELEE-13, RES-4: a Quality test; each success is a hit."""
    clause = "SHOOT-9" if strike.kind == "shooting" else "MELEE-13"
    draft = _altered(Draft(HIT, strike.quality, clause, then=(HITS, IGNORE)), strike, specials)
    if strike.hampered:
        draft.reroll(Reroll.SUCCESSES, *strike.hampered)
    if strike.shaken:
        draft.reroll(Reroll.SUCCESSES, "VDMG-6")
    return draft.stage()


def ignore_options(strike: Strike, figures: Figures) -> list[tuple[int, tuple[str, ...]]]:
    """RES-6: what may ignore a hit: Armored unless pierced, and cover against shooting."""
    options: list[tuple[int, tuple[str, ...]]] = []
    if armored(strike, figures) and strike.piercing != PIERCE_ARMOR:
        by_cover = () if strike.armored else ("TERR-COVER-2", *strike.cover)
        options.append((figures.armored, ("RULE-ARMORED-1", *by_cover)))
    if strike.cover and not figures.cover_armors:
        options.append((figures.cover, ("TERR-COVER-2", *strike.cover)))
    return options


@cites("RES-7")
def better(options: list[tuple[int, tuple[str, ...]]]) -> tuple[int, tuple[str, ...]]:
    """RES-7: Armored and cover never stack; the defender uses the better."""
    need, why = min(options)
    return need, (*why, "RES-7") if len(options) > 1 else why


@cites("RES-6", "RES-2", "RULE-PIERCING-4")
def _ignore(strike: Strike, figures: Figures, specials: Mapping[str, Special]) -> Stage[Nodes]:
    """RES-6: one die for each hit before it is blocked, if anything ignores hits."""
    options = ignore_options(strike, figures)
    if not options:
        return fixed(IGNORE, (BLOCK,))
    need, why = better(options)
    draft = Draft(IGNORE, need, "RES-6", *why, then=(IGNORED,), otherwise=(BLOCK,))
    return guarded(draft, strike, specials).stage()


def blocking(kind: str) -> str:
    """What has a hit blocked: SHOOT-10 in shooting, MELEE-13 in melee, and RES-8 for powers, wrecks and dangerous ground."""
    return {"shooting": "SHOOT-10", "melee": "MELEE-13"}.get(kind, "RES-8")


@cites("RES-8", "RES-9")
def _block(strike: Strike, figures: Figures, specials: Mapping[str, Special]) -> Stage[Nodes]:
    """RES-8: one Quality test for each hit left; Piercing or Poison may make successes be rolled again."""
    pierced = piercing_by(strike, specials) if armored(strike, figures) and strike.piercing == PIERCE_ARMOR else ()
    draft = Draft(BLOCK, strike.block, blocking(strike.kind), *pierced, then=(BLOCKED,), otherwise=(REGENERATION,))
    _altered(draft, strike, specials)
    if strike.piercing == PIERCE_BLOCKS:
        draft.reroll(Reroll.SUCCESSES, *piercing_by(strike, specials))
    return draft.stage()


@cites("RES-10", "GEN-4")
def _regeneration(strike: Strike, figures: Figures, harm: Harm, specials: Mapping[str, Special]) -> Stage[Nodes]:
    """RES-10: Regeneration works besides whatever else stopped or did not stop the hit (GEN-4)."""
    if not strike.regeneration:
        return fixed(REGENERATION, (WOUNDS, harm))
    draft = Draft(REGENERATION, figures.regeneration, "RULE-REGEN-1", otherwise=(WOUNDS, harm))
    return guarded(draft, strike, specials).stage()


@cites("RES-5")
def entry(strike: Strike) -> str:
    """RES-5: automatic hits take no to-hit roll, automatic wounds neither ignore roll nor block."""
    return strike.enters


def stopping(strike: Strike, figures: Figures, specials: Mapping[str, Special]) -> tuple[Stage[Nodes], ...]:
    """What may stop a hit that no weapon's rule is behind: ignore roll, block, Regeneration."""
    regeneration = _regeneration(strike, figures, harm_of(strike), specials)
    return _ignore(strike, figures, specials), _block(strike, figures, specials), regeneration


def harm_of(strike: Strike) -> Harm:
    """CAS-4, CAS-5: what a wound does: pooled, one of a packet, or one of a packet for the model a Sniper has named."""
    if strike.aim >= 0:
        return Harm(wave=Wave.AIMED, packet=True, aim=strike.aim)
    single = strike.has("Single")
    return Harm(wave=Wave.PACKETS if single else Wave.AFTER_UNIT, packet=single)


@lru_cache(maxsize=4096)
def _flow(strike: Strike, figures: Figures, book: Registry) -> Flow:
    """RES-2: hit, ignore, block, Regeneration; an attack that enters late skips only what lies before."""
    stages = (
        fixed(AUTOMATIC, (HITS, IGNORE)),
        _hit(strike, book.specials),
        _ignore(strike, figures, book.specials),
        _block(strike, figures, book.specials),
        _regeneration(strike, figures, harm_of(strike), book.specials),
    )
    return Flow(stages, start=entry(strike))


class Registry:
    """A registry of special rules, hashed by identity: one to an edition."""

    def __init__(self, specials: Mapping[str, Special]) -> None:
        self.specials = specials


_books: dict[int, Registry] = {}


def registry(specials: Mapping[str, Special]) -> Registry:
    """The registry of some special rules."""
    book = _books.get(id(specials))
    if book is None or book.specials is not specials:
        book = _books[id(specials)] = Registry(specials)
    return book


def flow_of(strike: Strike, figures: Figures, specials: Mapping[str, Special]) -> Flow:
    """The flow of a match-up, its Piercing settled."""
    book = registry(specials)
    if strike.piercing is None:
        strike = _settled(strike, figures, book)
    return _flow(strike, figures, book)


def best_mode(strike: Strike, figures: Figures, specials: Mapping[str, Special]) -> str:
    """The Piercing mode taken unless the attacker says otherwise."""
    return _settled(strike, figures, registry(specials)).piercing or NO_PIERCING


@cites("RULE-PIERCING-2")
def forking(strike: Strike, figures: Figures, specials: Mapping[str, Special]) -> Flow:
    """RULE-PIERCING-2: the attacker picks the mode with the hits on the table, before the defender rolls."""
    flow, best = flow_of(strike, figures, specials), best_mode(strike, figures, specials)
    if figures.piercing_fixed or not pierces(strike, specials):
        return flow
    flows = tuple((mode, flow_of(with_mode(strike, mode), figures, specials)) for mode in (PIERCE_ARMOR, PIERCE_BLOCKS))
    return Flow(flow.stages, start=flow.start, fork=Fork(IGNORE, flows, best, "RULE-PIERCING-2", "DP-22"))


@lru_cache(maxsize=4096)
@cites("RULE-PIERCING-3", "RULE-PIERCING-1")
def _settled(strike: Strike, figures: Figures, book: Registry) -> Strike:
    """RULE-PIERCING-3: the mode with the higher expected wounds for each hit; ignoring Armored where they are equal."""
    if not pierces(strike, book.specials):
        return with_mode(strike, NO_PIERCING)
    armor, blocks = with_mode(strike, PIERCE_ARMOR), with_mode(strike, PIERCE_BLOCKS)
    if not armored(strike, figures):
        return blocks
    if figures.piercing_fixed:  # RULE-PIERCING-5
        return armor
    better_blocks = _wounds_a_hit(blocks, figures, book) > _wounds_a_hit(armor, figures, book)
    return blocks if better_blocks else armor


def with_mode(strike: Strike, mode: str) -> Strike:
    """The match-up with its Piercing settled."""
    return replace(strike, piercing=mode)


def _wounds_a_hit(strike: Strike, figures: Figures, book: Registry) -> Fraction:
    from rolloff.oracle.calculator import kept  # numpy is loaded only when odds are wanted

    flow = _flow(strike, figures, book)
    start = flow if strike.enters != HIT else Flow(flow.stages, start=IGNORE)
    found = kept(exact=True).spread(Volley(start, 1, 1), WOUNDS)
    return sum((Fraction(value) * k for k, value in enumerate(found)), Fraction(0))


@cites("DICE-2", "DICE-3", "WPN-2")
def count_stage(fixed_attacks: int, rolls: tuple[DiceRoll, ...], *clauses: str) -> int | Stage[int]:
    """The attacks of a group as one number or one roll; its dice are all of one kind (see `pooled`)."""
    if not rolls:
        return fixed_attacks
    (sides,) = {roll.sides for roll in rolls}
    dice, plus = sum(roll.count for roll in rolls), fixed_attacks + sum(roll.plus for roll in rolls)
    return number("attacks", dice, sides, plus, clauses=clauses)
