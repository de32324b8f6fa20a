"""Who bears an attack: the models of a target as they face it, what each brings against it, and whom terrain covers."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from rolloff.editions.commentary import places
from rolloff.editions.commentary.attack_case import ALLOCATED, Case
from rolloff.editions.commentary.choosing import covered, perhaps_covered
from rolloff.editions.commentary.lookups import Host, index_of
from rolloff.editions.commentary.saves import Gear, Guard, Sheltered, shared_damage
from rolloff.editions.commentary.sight import Sight, sight_of
from rolloff.editions.commentary.target import Bearer, fade, guarded, throughout
from rolloff.editions.commentary.unit_values import (
    MOST_FADES,
    NOTHING_FADES,
    Fade,
    cover_granted,
    fading,
    gear_of,
    geared,
    parting,
    without,
)
from rolloff.editions.commentary.values import Effect
from rolloff.oracle.stage import Stage, number
from rolloff.oracle.target import Rung
from rolloff.rules.attack import AttackForm
from rolloff.rules.game import Game
from rolloff.table.profile import Rule, read_roll
from rolloff.table.state import State

DEMISE_REACH = 6 * places.INCH
PARRY = "Echo Parry"
PARRIED = "used:Echo Parry"
"""The mark of a model that has changed the Damage of an attack to 0 in this battle (AB-R10)."""


def remember(case: Case, bearers: tuple[Bearer, ...], touched: int) -> None:
    """Keep who bears an attack while the state is the same: most are resolved in the one they are declared in."""
    lookups = case.lookups
    if lookups.borne[0] is not case.state:
        lookups.borne = case.state, {}
    lookups.borne[1][id(case.form)] = case.form, bearers, touched


def bearers_now(game: Game, state: State, form: AttackForm, rolled: bool) -> tuple[tuple[Bearer, ...], int]:
    """The models of the target as they stand when the attacks begin, and those begun on before (`touched_before`).

    ``rolled``: as `attack_of` has it.
    """
    kept, known = index_of(game).borne
    found: tuple[AttackForm, tuple[Bearer, ...], int] | None = known.get(id(form)) if kept is state else None
    if found is not None:
        return found[1:]
    case = Case(game, state, form)
    _, bearers = borne(case, rolled)
    return bearers, touched_before(game, state, case.target)


def borne(case: Case, rolled: bool) -> tuple[tuple[Effect, ...] | None, tuple[Bearer, ...]]:
    """What all models of the target make of Damage alike, None if they differ; and the models as they face the attack."""
    fades = fading(case.game, case.state, case.target)
    if not fades:  # as mostly
        worn = _worn(case, rolled)
        taken = shared_damage(worn.gears)
        return taken, _wearing(case, worn, taken is None)
    rows = [_worn(case, rolled, lapsed) for lapsed in _lapses(fades)]
    taken = shared_damage([gear for worn in rows for gear in worn.gears])
    return taken, fade([_wearing(case, worn, taken is None) for worn in rows], _whiles(fades, case.target))


def _lapses(fades: tuple[Fade, ...]) -> list[tuple[Fade, ...]]:
    """Whatever may have faded: nothing, the first, the second, both, and so on."""
    return [tuple([one for k, one in enumerate(fades) if number >> k & 1]) for number in range(1 << len(fades))]


def _whiles(fades: tuple[Fade, ...], host: Host) -> tuple[int, ...]:
    """Of whom one must be left for each not to fade, one bit each."""
    return tuple([sum([1 << at for at, slot in enumerate(host.slots) if slot in one.keepers]) for one in fades])


class Worn(NamedTuple):
    """What each model of a target brings against an attack, and who knows whom terrain covers; and what it is given."""

    gears: list[Gear]
    cover: Cover | None
    given: tuple[Rule, ...]


def _worn(case: Case, rolled: bool, lapsed: tuple[Fade, ...] = ()) -> Worn:
    """The same, where some of it has lapsed."""
    given = without(case.given, lapsed)
    hidden = _granted(case, given, lapsed)
    cover = _cover_of(case) if rolled and hidden is None else None
    gears = _gears(case, () if cover is not None else covered(case) if hidden is None else hidden, given, lapsed)
    return Worn(gears, cover, given)


def _wearing(case: Case, worn: Worn, mixed: bool) -> tuple[Bearer, ...]:
    """The models of the target with what they bring."""
    bearers = bearers_of(case, worn.gears, mixed)
    return bearers if worn.cover is None else _sheltered(case, worn.cover, bearers, mixed, worn.given)


def _granted(case: Case, given: tuple[Rule, ...], lapsed: tuple[Fade, ...]) -> tuple[int, ...] | None:
    """The models of the target, if a rule gives the whole unit the Benefit of Cover; else None: terrain may give it to some."""
    granted = cover_granted(case.game, case.state, case.target, None if case.singled else given, lapsed)
    return case.target.slots if granted else None


def _gears(case: Case, hidden: Collection[int], given: tuple[Rule, ...], lapsed: tuple[Fade, ...]) -> list[Gear]:
    """What each model of the target brings against this attack, where these of them have the Benefit of Cover."""
    target = case.target
    slots = target.slots
    if case.singled:
        return [gear_of(case.game, case.state, target, slot, slot in hidden, lapsed) for slot in slots]
    fighters = case.lookups.fighters
    if len(hidden) in (0, len(slots)) and len(case.lookups.sorts(slots)) == 1:
        return [geared(fighters[slots[0]], given, bool(hidden))] * len(slots)
    models = list(map(fighters.__getitem__, slots))
    likes = list(zip(map(id, models), map(hidden.__contains__, slots), strict=True))
    known = {like: geared(model, given, like[1]) for like, model in dict(zip(likes, models, strict=True)).items()}
    return list(map(known.__getitem__, likes))


class Cover(Struct, frozen=True):
    """The question which models of a target terrain covers against an attacker, in the moment the attack is declared."""

    sight: Sight
    observers: tuple[int, ...]

    def has(self, slot: int) -> bool:
        """Whether a model has the Benefit of Cover: asked of it alone, as most models bear no wound."""
        return self.sight.covers(self.observers, (slot,))[slot] >= 0


def _cover_of(case: Case) -> Cover | None:
    """What terrain is asked about an attack; None where it covers nobody, or single models have abilities for a while."""
    if case.singled or not perhaps_covered(case) or not places.on_table(case.state.xy).issuperset(case.target.slots):
        return None
    return Cover(sight_of(case.game, case.state), case.standing)


def _sheltered(
    case: Case, cover: Cover, bearers: tuple[Bearer, ...], mixed: bool, given: tuple[Rule, ...]
) -> tuple[Bearer, ...]:
    """The models of a target, each with the saving throw it takes if terrain covers it beside the one it takes if not."""
    net, fighters = case.game.switches["save_cap_net"], case.lookups.fighters
    guards: dict[int, object] = {}
    found = []
    for one in bearers:
        rung, slot = one.rung, one.slot
        plain, better = rung.guard, guards.get(id(rung))
        if better is None:
            better = guards[id(rung)] = geared(fighters[slot], given, True).rung(rung.wounds, mixed, net).guard
        if isinstance(plain, Guard) and isinstance(better, Guard):
            rung = Rung(rung.wounds, 1, Sheltered(cover, slot, plain, better), rung.shrug, rung.blunt)
        found.append(Bearer(rung, slot, one.character, one.demise, one.near, one.facing, one.parry, one.pains, one.demises))
    return tuple(found)


def settled(bearers: tuple[Bearer, ...]) -> tuple[Bearer, ...]:
    """The models of a target with the saving throws they take: whom terrain covers is looked up."""
    return tuple([throughout(one, _settled) for one in bearers])


def _settled(bearer: Bearer) -> Bearer:
    guard = bearer.rung.guard
    return guarded(bearer, guard.taken()) if isinstance(guard, Sheltered) else bearer


def bearers_of(case: Case, gears: list[Gear], mixed: bool) -> tuple[Bearer, ...]:
    """The models of the target as they face this attack."""
    return _bearers(case.game, case.state, case.target, gears, mixed)


def bearers_for(game: Game, state: State, host: Host) -> tuple[Bearer, ...]:
    """The models of a unit as they face mortal wounds that come from no attack; Leaders give nothing once it is parted."""
    led = parting(game, host) if host.guests else NOTHING_FADES
    fades = (led + fading(game, state, host))[:MOST_FADES]
    variants = []
    for faded in _lapses(fades):
        parted = bool(led) and led[0] in faded  # what all of them give went with it
        lapsed = tuple([one for one in faded if not one.led]) if parted else faded
        granted = cover_granted(game, state, host, lapsed=lapsed)
        gears = [gear_of(game, state, host, slot, granted, lapsed) for slot in host.slots]
        variants.append(_bearers(game, state, host, gears, True))
    return fade(variants, _whiles(fades, host)) if fades else variants[0]


def _bearers(game: Game, state: State, host: Host, gears: list[Gear], mixed: bool) -> tuple[Bearer, ...]:
    net, fighters, characters = game.switches["save_cap_net"], index_of(game).fighters, host.characters()
    slots, special = host.slots, False
    likes = list(zip(gears, map(memoryview(state.wounds).cast("H").__getitem__, slots), strict=True))
    rungs: dict[tuple[Gear, int], Rung] = {}
    for like, slot in dict(zip(likes, slots, strict=True)).items():
        fighter, gear = fighters[slot], like[0]
        rungs[like] = gear.rung(fighter.profile.wounds - like[1], mixed, net)
        special = special or bool(gear.demises) or fighter.has(PARRY) or bool(gear.pains)
    if special:
        rows = zip(slots, likes, strict=True)
        return tuple([_special(game, state, host, rungs[like], slot, slot in characters, like[0]) for slot, like in rows])
    return tuple(map(Bearer, map(rungs.__getitem__, likes), slots, map(characters.__contains__, slots)))


def _special(game: Game, state: State, host: Host, rung: Rung, slot: int, character: bool, gear: Gear) -> Bearer:
    """A model that may do more than bear an attack: its end harms others, or it changes the Damage."""
    ends = tuple([(str(rating), _demise(rating)) for rating in gear.demises])
    demise, near = (ends[0][1], _near(game, state, host, slot)) if ends else (None, 0)
    parry = index_of(game).fighters[slot].has(PARRY) and state.model_mark(slot, PARRIED) is None
    return Bearer(rung, slot, character, demise, near, False, parry, gear.pains, ends if len(ends) > 1 else ())


@lru_cache(maxsize=64)
def _demise(rating: int | str) -> Stage[int]:
    """ABIL-1: the mortal wounds the end of a model inflicts on each unit close by."""
    roll = read_roll(rating)
    return number("demise wounds", roll.count, roll.sides, roll.plus, clauses=("ABIL-1",))


def _near(game: Game, state: State, host: Host, slot: int) -> int:
    """The fellows of a model within reach of its end, one bit each."""
    if len(host.slots) == 1:
        return 0
    far, mask = places.apart(game, state, host.slots, (slot,)).nearest, 0
    for at, other in enumerate(host.slots):
        if other != slot and places.within(far[other], DEMISE_REACH):
            mask |= 1 << at
    return mask


def touched_before(game: Game, state: State, host: Host) -> int:
    """ATK-4: the models that have lost wounds or were allocated attacks this phase, one bit each."""
    marked = index_of(game).marked(state, ALLOCATED) if state.models else ()
    slots = host.slots
    lost = list(map(memoryview(state.wounds).cast("H").__getitem__, slots))
    if marked and not set(slots).isdisjoint(marked):
        return sum([1 << at for at, slot in enumerate(slots) if lost[at] or slot in marked])
    return sum([1 << at for at, wounds in enumerate(lost) if wounds]) if any(lost) else 0
