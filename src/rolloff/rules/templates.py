"""Templates in play: a point on the table is asked for, a marker scatters, and units take what lands on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from rolloff.errors import IllegalCommand
from rolloff.geometry.shapes import Point
from rolloff.geometry.templates import Area, shifted, under
from rolloff.lengths import INCH, to_inches
from rolloff.oracle.dice import CIRCLE, HIT_FACES
from rolloff.oracle.roll import Dice
from rolloff.oracle.stage import Keep, numbers, table
from rolloff.rules.answers import POINT, Spot
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.event import Fact
from rolloff.table.profile import DiceRoll
from rolloff.table.request import Request
from rolloff.table.state import State, Unit

Judge = Callable[[Spot], IllegalCommand | None]
DIRECTION = "scatter:direction"


class Aim(Struct, frozen=True):
    """What an answer to a request for a point is judged by; ``spots`` are some that pass, the default first.

    ``areas`` are the templates as they would lie at these spots, for whoever draws them.
    """

    spots: tuple[Spot, ...]
    judge: Judge
    areas: tuple[Area, ...] = ()


def ask_point(
    play: Play,
    who: int,
    unit: int,
    spots: Sequence[Point],
    judge: Judge,
    clause: str,
    point: str = "",
    area_of: Callable[[Point], Area] | None = None,
    **facts: Fact,
) -> Spot:
    """Ask for a point on the table. ``judge`` gives a refusal or None; the first of ``spots``, all legal, is the default.

    With ``area_of`` the page shows what would lie there.
    """
    areas = tuple(area_of(spot) for spot in spots) if area_of else ()
    aim = Aim(tuple(Spot(x, y) for x, y in spots), judge, areas)
    request = Request(who, POINT, clause, None, aim.spots[0], unit, point, aim, tuple(facts.items()))

    def judged(answer: object) -> Spot:
        if not isinstance(answer, Spot):
            raise IllegalCommand("not-a-point", clause, "this is not a point on the table", None)
        refusal = off_table(play, answer, clause) or judge(answer)
        if refusal is not None:
            raise refusal
        return answer

    return play.ask(request, judged)


def off_table(play: Play, spot: Spot, clause: str) -> IllegalCommand | None:
    """The refusal of a point beyond the edge of the table."""
    if 0 <= spot.x <= play.game.field.width and 0 <= spot.y <= play.game.field.height:
        return None
    shown = f"{to_inches(spot.x):g}, {to_inches(spot.y):g}"
    return IllegalCommand("off-table", clause, f"({shown}) is beyond the edge of the table", shown)


class Scatter(Struct, frozen=True):
    """How a marker strays: the dice of its distance in inches, and what is taken off, in thou (a gunner's skill).

    With ``always`` no scatter die is rolled, on which it might not stray at all.
    """

    distance: DiceRoll = DiceRoll(2)
    less: int = 0
    always: bool = False


class Landing(Struct, frozen=True):
    """Where a marker came down: the direction in degrees and the thou it strayed; ``lost`` beyond the edge of the table."""

    x: int
    y: int
    hit: bool
    direction: int
    strayed: int
    lost: bool


def stray(dice: Dice, spot: Spot, how: Scatter, size: Point, *clauses: str) -> Landing:
    """Scatter a marker: the scatter die, its direction, then the distance, all rolled whatever the first shows.

    Direct style, so that odds run it too: a hit branches no further, an arrow into each direction and distance.
    """
    hit = not how.always and dice.ask(table("scatter", [face < HIT_FACES for face in range(6)], *clauses))
    turns = [0 if hit else face % CIRCLE for face in range(1, CIRCLE + 1)]
    heading = dice.ask(table(DIRECTION, turns, *clauses, sides=CIRCLE))
    rolled = how.distance
    far = [0 if hit else max(0, (n + rolled.plus) * INCH - how.less) for n in numbers(rolled.count, Keep.SUM, rolled.sides)]
    distance = dice.ask(table("distance", far, *clauses, dice=rolled.count, sides=rolled.sides))
    x, y = shifted(spot.x, spot.y, heading * 10, distance)
    return Landing(x, y, hit, heading, distance, not (0 <= x <= size[0] and 0 <= y <= size[1]))


def scatter(play: Play, spot: Spot, how: Scatter, *clauses: str) -> Landing:
    """The same on the table of a play."""
    return stray(play.dice, spot, how, (play.game.field.width, play.game.field.height), *clauses)


def units_under(play: Play, area: Area, among: Iterable[int] | None = None) -> Mapping[int, tuple[int, ...]]:
    """The units under a template, in their order, with the slots of the models that are."""
    found: dict[int, list[int]] = {}
    for slot in under(play.scene, area, among):
        found.setdefault(play.state.owner_of(slot), []).append(slot)
    return {unit: tuple(found[unit]) for unit in sorted(found)}


def best_spots(play: Play, side: int, area_of: Callable[[Point], Area], spots: Iterable[Point]) -> list[Point]:
    """Points ordered by how many enemies less friends would be under a template there; of equals the first given first."""

    def worth(spot: Point) -> int:
        units = units_under(play, area_of(spot))
        return sum(len(slots) * (-1 if play.game.side_of(unit) == side else 1) for unit, slots in units.items())

    return sorted(spots, key=lambda spot: -worth(spot))


def lay(
    play: Play,
    unit: int,
    target: int,
    area_of: Callable[[Point], Area],
    clause: str,
    strays: Scatter | None = None,
    own: bool = False,
) -> Mapping[int, tuple[int, ...]]:
    """A unit aims a template at a model of its target; who is under it where it comes down, by unit, its own only with ``own``.

    ``area_of`` lays it at a point. By default it is aimed where most enemies and fewest friends are under it. With ``strays``
    it scatters, which is the event ``strayed``; nobody is under one that leaves the table.
    """
    state = play.state
    models = [state.at(slot) for slot in state.units[target].living]
    wrong = IllegalCommand("not-a-target", clause, "it must be aimed at a model of the target", None)
    spots = best_spots(play, play.game.side_of(unit), area_of, models)
    owner = play.game.side_of(unit)
    aim = ask_point(play, owner, unit, spots, lambda at: None if (at.x, at.y) in models else wrong, clause, area_of=area_of)
    spot = aim.x, aim.y
    if strays is not None:
        play.rolled_by = unit
        landing = scatter(play, aim, strays, clause)
        play.emit("strayed", (clause,), unit=unit, distance=landing.strayed)
        if landing.lost:
            return {}
        spot = landing.x, landing.y
    others = [slot for slot in range(len(play.game.models)) if own or state.owner_of(slot) != unit]
    return units_under(play, area_of(spot), others)


def models_near(
    game: Game, state: State, side: int, x: int, y: int, distance: int, but: Callable[[Unit], bool] | None = None
) -> int:
    """How many models of a side are within a distance of a point, as markers are held; ``but`` says whose do not count."""
    units = [state.units[unit] for unit in game.units_of[side]]
    slots = [slot for unit in units if but is None or not but(unit) for slot in unit.living]
    return len(under(game.scene(state), Area.disc(x, y, distance), slots))
