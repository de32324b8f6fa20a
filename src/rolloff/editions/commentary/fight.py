"""Two units fight (FGT-1 to FGT-8): who is picked when, the attacks of each, what they leave, and the Battle-shock it leads to.

The same steps in a game and in odds, and the attacks of a unit are those of `resolving` in both. Nobody moves: piling in and
consolidating are around it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions.commentary.ability import MELEE
from rolloff.editions.commentary.aftermath import RANKED, UNTOUCHED, shocked, together
from rolloff.editions.commentary.attack import Attack, attack_of
from rolloff.editions.commentary.attack_case import Case
from rolloff.editions.commentary.lookups import host_of, index_of, left_on
from rolloff.editions.commentary.matchup import FAILURES
from rolloff.editions.commentary.resolving import attacks_by, declare
from rolloff.errors import IllegalCommand
from rolloff.rules.attack import AttackForm, FightResult
from rolloff.rules.citing import cites
from rolloff.rules.fights import AlternatePicks
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.state import State, Unit

ATTACKER, TARGET = 0, 1
FIRST, REMAINING = 0, 1
"""The steps of the Fight phase."""
FIGHTS_FIRST = "fights-first"
"""The mark of a unit that some rule lets fight first."""
ALWAYS_FIRST = "Fights First"
"""The ability of models that always do."""


class Fight(Struct, frozen=True, cache_hash=True):
    """A fight between two units: the attacks each makes, who of them fights first, and who they were when it began."""

    units: tuple[int, int]
    forms: tuple[tuple[AttackForm, ...], tuple[AttackForm, ...]]
    steps: tuple[int, int]
    active: int
    slots: tuple[tuple[int, ...], tuple[int, ...]]

    def side_of(self, unit: int) -> int:
        """Which of the two a unit is."""
        return ATTACKER if unit == self.units[ATTACKER] else TARGET


def fight_of(game: Game, state: State, forms: Sequence[AttackForm]) -> Fight:
    """The fight that attacks of one unit on one other open, made one after the other; the other fights with all it has."""
    first = forms[0]
    hosts = [host_of(game, state, unit) for unit in (first.attacker, first.target)]
    units = hosts[ATTACKER].unit, hosts[TARGET].unit
    back = AttackForm(units[TARGET], units[ATTACKER], MELEE, everyone=first.everyone, charged=False)
    named = tuple(replace(form, attacker=units[0], target=units[1]) for form in forms)
    charged = Case(game, state, named[0]).charged()
    active = game.side_of(units[ATTACKER]) if charged else state.clock.active
    steps = step_of(game, state, units[ATTACKER], charged), step_of(game, state, units[TARGET], False)
    return Fight(units, (named, (back,)), steps, active, (hosts[ATTACKER].slots, hosts[TARGET].slots))


def joined(game: Game, state: State, forms: Sequence[AttackForm]) -> State:
    """ABIL-7: the state with Leaders among the models they lead, on both sides."""
    return together(game, together(game, state, forms[0].attacker), forms[0].target)


# who fights when


@cites("ABIL-4", "CHG-5")
def fights_first(game: Game, unit: Unit, charged: bool) -> bool:
    """ABIL-4, CHG-5: who charged and has the bonus for it, or whose every model has Fights First."""
    if charged:  # CHG-5
        return True
    return (bool(unit.marks) and unit.mark(FIGHTS_FIRST) is not None) or index_of(game).every(unit.living, ALWAYS_FIRST)


@cites("FGT-1")
def step_of(game: Game, state: State, unit: int, charged: bool) -> int:
    """FGT-1: units with Fights First before all others."""
    return FIRST if fights_first(game, state.units[unit], charged) else REMAINING


def due(play: Play, side: int, step: int, fought: tuple[int, ...], fight: Fight) -> tuple[int, ...]:
    """The units of a player that fight in a step and have not yet; one without an enemy left has nobody to fight."""
    if any(now_of(play.state, fight, own) < 0 for own in (ATTACKER, TARGET)):
        return ()
    found = [unit for unit, own in zip(fight.units, fight.steps, strict=True) if own == step and unit not in fought]
    return tuple(unit for unit in found if play.game.side_of(unit) == side)


@cites("FGT-2")
def picks_first(fight: Fight) -> int:
    """FGT-2: in each step the reactive player picks first."""
    return 1 - fight.active


# the fight


def resolve(play: Play, fight: Fight) -> FightResult:
    """FGT-4: one unit makes its attacks, then the other with what is left of it; then what the losses lead to."""
    began = wounds_of(play, fight)
    PICKING(play, fight)
    words = play.run(aftermath, fight)
    fallen = [len(slots) - len(living(play.state, fight, slots)) for slots in fight.slots]
    lost = [before - now for before, now in zip(began, wounds_of(play, fight), strict=True)]
    edge = lost[TARGET] - lost[ATTACKER]
    return FightResult(fallen[TARGET], fallen[ATTACKER], (edge > 0) - (edge < 0), words[ATTACKER], words[TARGET])


def living(state: State, fight: Fight, slots: tuple[int, ...]) -> tuple[int, ...]:
    """Who of some models is left, in a unit of the two or in one that has parted from it."""
    there = {slot for unit in state.units for slot in unit.living}
    return tuple(slot for slot in slots if slot in there)


def wounds_of(play: Play, fight: Fight) -> tuple[int, int]:
    """The wounds both sides have left."""
    ours, theirs = (
        sum(left_on(play.game, play.state, slot) for slot in living(play.state, fight, slots)) for slots in fight.slots
    )
    return ours, theirs


def fights(play: Play, unit: int, fight: Fight) -> None:
    """All attacks of one unit, declared before any die, and what follows when they are resolved."""
    side = fight.side_of(unit)
    ours, theirs = now_of(play.state, fight, side), now_of(play.state, fight, 1 - side)
    declared = []
    for stated in fight.forms[side]:
        form = usable(play.state, replace(stated, attacker=ours, target=theirs))
        attack: Attack | None = play.once(attack_by, form)
        if attack is not None:
            declare(play, form, attack)
            declared.append((form, attack))
    attacks_by(play, ours, declared)


PICKING = AlternatePicks(picks_first, due, fights, "FGT-2", steps=2)


def now_of(state: State, fight: Fight, side: int) -> int:
    """The unit one of the two is now: Leaders whose Bodyguard is gone are units of their own (LEAD-5); -1 for none."""
    alive = living(state, fight, fight.slots[side])
    return state.owner_of(alive[0]) if alive else -1


def usable(state: State, form: AttackForm) -> AttackForm:
    """The attacks of a form by who is left to make them."""
    if form.weapons is None:
        return form
    alive = state.units[form.attacker].living
    return replace(form, weapons=tuple(pair for pair in form.weapons if pair[0] in alive))


def attack_by(play: Play, form: AttackForm) -> Attack | None:
    """The attacks of a form from a state; None where nobody may strike (FGT-8)."""
    if form.weapons == ():
        return None
    try:
        case = Case(play.game, play.state, form)
        return attack_of(case, play.policies.get("rerolls", FAILURES), asked=play.logged)
    except IllegalCommand:
        return None


def aftermath(play: Play, fight: Fight) -> tuple[str, str]:
    """What becomes of both sides."""
    return _shock(play, fight, ATTACKER), _shock(play, fight, TARGET)


def _shock(play: Play, fight: Fight, side: int) -> str:
    """BSHOCK-6: the worst of the tests of one side, parted Leaders by themselves (UNIT-6)."""
    units = dict.fromkeys(play.state.owner_of(slot) for slot in living(play.state, fight, fight.slots[side]))
    words = [shocked(play.dice, play.game, play.state, unit) for unit in units]
    return max(words, key=RANKED.index, default=UNTOUCHED)


@cites("FGT-8")
def check(game: Game, state: State, fight: Fight, policies: Mapping[str, str]) -> None:
    """FGT-8: a unit that can make no attacks makes none; but whoever asks for attacks must name some that can be made."""
    attack_of(Case(game, state, fight.forms[ATTACKER][0]), policies["rerolls"])
