"""A toy rulebook for testing records and rulings: place a unit each, then walk or toss a coin at the enemy, twice."""

from __future__ import annotations

import struct

from msgspec.structs import replace

from rolloff.errors import BadInput, IllegalCommand
from rolloff.geometry.measure import ground_z
from rolloff.geometry.moves import Coherency, Order, Stay, gaps
from rolloff.geometry.paths import judge
from rolloff.geometry.sight import Mode
from rolloff.oracle.stage import check
from rolloff.rules.answers import Placement
from rolloff.rules.edition import Edition, EventKind
from rolloff.rules.game import Game
from rolloff.rules.play import OVER, Play
from rolloff.rules.terms import Action, SituationDefaults
from rolloff.table.event import Done, Marked, ModelMarked, Placed, Removed, SideMarked, Went, Wounded
from rolloff.table.profile import Base, Card, DiceRoll, Model, Rule, Weapon
from rolloff.table.request import Request
from rolloff.table.setup import Setup, Table, Terrain
from rolloff.table.state import TABLE, WAITING, Clock, State

ROUNDS = 2


def read_weapon(given: object, where: str) -> Weapon:
    """A weapon is its name, or an object with a name."""
    if isinstance(given, dict) and isinstance(given.get("name"), str):
        given = given["name"]
    if not isinstance(given, str) or not given:
        raise BadInput("bad-weapon", f"{where}: {given!r} is no weapon", where=where)
    return Weapon(given, 12_000, DiceRoll(plus=1), (Rule("Shiny"),), (("AP", 1), ("AV", (3, 2, 1))))


def check_card(card: Card) -> None:
    """Only infantry plays."""
    if card.type != "infantry":
        raise BadInput("bad-type", f"{card.id}: {card.type} does not play", where=card.id, allowed="infantry")


def check_state(game: Game, state: State) -> None:
    """Two wounds remove a model."""
    for slot, model in enumerate(game.models):
        if state.wounds_on(slot) >= 2:
            raise BadInput("bad-wounds", f"{model.id} has too many wounds", where=model.id, allowed="0 or 1")


def ready(play: Play, side: int) -> list[int]:
    """Units that may still act."""
    units = play.state.units
    return [k for k in play.game.units_of[side] if units[k].where == TABLE and not units[k].done]


def place(play: Play) -> None:
    """Each side sets its units down, one after the other."""
    side = play.state.clock.active
    waiting = [k for k in play.game.units_of[side] if play.state.units[k].where == WAITING]
    names = tuple(play.game.names[k] for k in waiting)
    unit = play.game.numbers[str(play.choose(side, "choose-unit", "COIN-1", names, names[0]))]
    living = play.state.units[unit].living
    y = 2_000 if side == 0 else 20_000
    spots = {slot: (2_000 + 1_500 * slot, y, 900) for slot in living}
    default = Placement.of(spots)

    def inside(answer: object) -> Placement:
        if not isinstance(answer, Placement):
            raise IllegalCommand("no-place", "COIN-1", "that is no place", None)
        for x, at, _ in answer.spots().values():
            if not (0 <= x <= 24_000 and abs(at - y) <= 2_000):
                raise IllegalCommand("outside", "COIN-1", "that is not your edge", at / 1000)
        return answer

    found = play.ask(Request(side, "place", "COIN-1", None, default, unit), inside)
    z = b"".join(struct.pack("<i", ground_z(play.game.field.ground, x, at)) for x, at, _ in found.spots().values())
    patch = Placed(found.slots, found.xy, z, found.facings)
    play.emit("placed", ("COIN-1",), Went(unit, TABLE), patch, Marked(unit, "new", 1), unit=unit)
    left = [s for s in (1 - side, side) if any(play.state.units[k].where == WAITING for k in play.game.units_of[s])]
    if left:
        play.tick(replace(play.state.clock, active=left[0]), "turned", "COIN-1")
    else:
        play.tick(Clock("toss", 1, 0, 0, (("luck", "even"),)), "began", "COIN-1")


def walk(play: Play, unit: int) -> None:
    """Up to six inches."""
    gap = gaps(len(play.game.sides), 1000)
    order = Order(unit, 6_000, gap, gap, Coherency(2_000, 12_000))

    def lawful(answer: object) -> object:
        verdict = judge(play.scene, order, answer)  # type: ignore[arg-type]
        if verdict.code:
            raise IllegalCommand("no-way", "COIN-3", "there is no such way", verdict.code)
        return verdict

    request = Request(play.game.side_of(unit), "move", "COIN-3", None, Stay(), unit, order=order)
    verdict = play.ask(request, lawful)
    slots = tuple(sorted(play.state.units[unit].living))
    z = bytes(4 * len(slots))
    play.emit("walked", ("COIN-3",), Placed(slots, verdict.ends, z, verdict.facings), unit=unit)  # type: ignore[attr-defined]


def toss_at(play: Play, unit: int) -> None:
    """Heads hurts the target's first model; two wounds remove it."""
    side = play.game.side_of(unit)
    enemies = tuple(play.game.names[k] for k in play.game.units_of[1 - side] if play.state.units[k].where == TABLE)
    if not enemies:
        return
    target = play.game.numbers[str(play.choose(side, "choose-target", "COIN-4", enemies, enemies[0], unit))]
    play.rolled_by = unit
    heads = play.dice.ask(check("toss", 4, "COIN-4"))
    slot = play.state.units[target].living[0]
    total = play.state.wounds_on(slot) + heads
    facts = {"attacks": 1, "hits": int(heads), "wounds": int(heads)}
    play.emit("attacked", ("COIN-4",), attacker=unit, target=target, **facts)
    if heads:
        patch = Removed(slot, target) if total >= 2 else Wounded(slot, total)
        play.emit("hurt", ("COIN-5",), patch, ModelMarked(slot, "scar", "deep"), unit=target)


def toss(play: Play) -> None:
    """One unit acts, then the other side."""
    side = play.state.clock.active
    names = tuple(play.game.names[k] for k in ready(play, side))
    if names:
        unit = play.game.numbers[str(play.choose(side, "choose-unit", "COIN-2", names, names[0]))]
        new = play.state.units[unit].mark("new") is not None
        actions = ("walk", "hold", "toss") if not new else ("hold", "toss")
        action = str(play.choose(side, "choose-action", "COIN-2", actions, "toss", unit))
        patches = (Done(unit, True), Marked(unit, "new", None), SideMarked(side, "acted", play.state.clock.round))
        play.emit("activated", ("COIN-2",), *patches, unit=unit, action=action)
        if action == "walk":
            walk(play, unit)
        elif action == "toss":
            toss_at(play, unit)
    end_turn(play, side)


def end_turn(play: Play, side: int) -> None:
    """The other side is next; when nobody is left the round ends, and after the last the game."""
    clock = play.state.clock
    left = [s for s in (1 - side, side) if ready(play, s)]
    if left:
        play.tick(replace(clock, active=left[0]), "turned", "COIN-6")
    elif clock.round >= ROUNDS:
        play.tick(replace(clock, phase=OVER), "ended", "COIN-6")
    else:
        undone = [Done(k, False) for k, unit in enumerate(play.state.units) if unit.done]
        play.emit("rested", ("COIN-6",), *undone)
        play.tick(replace(clock, round=clock.round + 1, active=1), "turned", "COIN-6")


def score(game: Game, state: State) -> tuple[int, int]:
    """A point for each enemy model lost."""
    lost = [sum(len(game.cards[k].models) - len(state.units[k].living) for k in game.units_of[s]) for s in (0, 1)]
    return lost[1], lost[0]


_KINDS = ("placed", "turned", "began", "walked", "attacked", "hurt", "activated", "ended", "rested", "rolled")

COIN = Edition(
    id="coin-1",
    name="Coin",
    version="1",
    opening=Clock("place"),
    steps={"place": place, "toss": toss},
    kinds={kind: EventKind(frozenset({f"COIN-{k}" for k in range(1, 7)})) for kind in _KINDS},
    sight=Mode(),
    terrain={"wood": 1},
    specials={},
    read_weapon=read_weapon,
    check_card=check_card,
    check_state=check_state,
    prepare=lambda game: None,
    score=score,
    switches={"gravity": True},
    table_size=(24_000, 24_000),
    rounds=ROUNDS,
    actions=(Action("walk"), Action("hold"), Action("toss")),
    situation=SituationDefaults("toss", clause="COIN-2"),
)


def squad(name: str, side: int, models: int) -> Card:
    """A unit of that many models."""
    held = read_weapon("Penny", "weapon")
    cards = tuple(Model(f"{name}.{k}", base=Base("circle", (1000,)), weapons=(held,)) for k in range(models))
    return Card(name, side, cards, points=10 * models, rules=(Rule("Tough", 2),), start_size=models)


def coin_setup() -> Setup:
    """Two units a side and a wood."""
    cards = (squad("a1", 0, 2), squad("a2", 0, 1), squad("b1", 1, 2), squad("b2", 1, 1))
    wood = Terrain("t1", ("wood",), disc=(12_000, 12_000, 2_000), elevation=500, height=1_000)
    return Setup("coin-1", Table((24_000, 24_000), (wood,)), cards, {"gravity": False}, "heads", 30, ("Left", "Right"))
