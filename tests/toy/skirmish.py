"""Skirmish: a toy edition with whole-army turns in phases, to show that another game fits the frame.

Each turn one player moves, shoots, charges and fights with the whole army; a step of the game is one unit's part in a phase.
Attacks hit, wound, are saved and do damage, which spills only for weapons with Cleave. A unit that is charged may snap off a
volley in the enemy's turn, once a round. A Frenzied unit strikes harder for every model it has killed, which is a mark on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rolloff.errors import BadInput, IllegalCommand
from rolloff.geometry.measure import nearest, touching
from rolloff.geometry.moves import CLEAR, TOUCH, Code, Coherency, Order, Stay, Zone, gaps
from rolloff.geometry.paths import engage
from rolloff.geometry.place import muster
from rolloff.oracle.draft import Draft
from rolloff.oracle.flow import ATTACKS, BLOCKED, DAMAGE, HITS, WOUNDS, Flow, Harm, Volley, Wound
from rolloff.oracle.flow import Order as DiceOrder
from rolloff.oracle.roll import Spent
from rolloff.oracle.stage import Stage, number
from rolloff.oracle.target import Ladder, Rung
from rolloff.rules.answers import Placement
from rolloff.rules.attack import AttackForm, Plan
from rolloff.rules.edition import Edition, EventKind
from rolloff.rules.effects import Duration, Effects
from rolloff.rules.fire import Fire, FireOrder, Gun, Shot, eligible, firing
from rolloff.rules.fire import shoot as fire
from rolloff.rules.game import Game
from rolloff.rules.hooks import Special
from rolloff.rules.losses import lose
from rolloff.rules.moves import Setting, ask_move, ask_place, placed
from rolloff.rules.play import Play
from rolloff.rules.rows import Each
from rolloff.rules.specials.linked import Linked
from rolloff.rules.specials.marker import Marker
from rolloff.rules.terms import Action, Role, SituationDefaults
from rolloff.rules.turns import Step, Turns, on_table
from rolloff.rules.windows import ENEMY, UNIT, Limit, Moment, Reaction, Use, window
from rolloff.table.event import Done, Marked, Patch, Ticked, Went, Wounded
from rolloff.table.profile import Card, Throw, Weapon, read_throw
from rolloff.table.state import TABLE, WAITING, Clock, State

INCH = 1000
COHERENCY = Coherency(2 * INCH, -1)
REFUSALS = dict.fromkeys(Code, ("SK-MOVE", "{who} may not go there"))
BLOOD = "blood"


class Save(Struct, frozen=True):
    """A save that gets worse by the weapon's AP."""

    need: int

    def __call__(self, wound: Wound) -> Stage[bool] | None:
        """The save against this wound; none when it has become impossible."""
        need = max(2, self.need + wound.ap)
        return None if need > 6 else Draft("save", need, "SK-SAVE").check()


# -- attacks ------------------------------------------------------------------------------------------------------------


def _stat(card: Card, name: str) -> int:
    value = card.stats.get(name)
    assert isinstance(value, int)
    return value


def _figure(weapon: Weapon, name: str) -> int:
    value = weapon.stat(name)
    assert isinstance(value, int)
    return value


def _throw(throw: Throw, label: str, clause: str) -> int | Stage[int]:
    return throw.plus if throw.fixed else number(label, throw.count, throw.sides, throw.plus, clauses=(clause,))


def _wound_need(strength: int, toughness: int) -> int:
    return 2 if strength >= 2 * toughness else 3 if strength > toughness else 4 if strength == toughness else 5


def flow_of(specials: Mapping[str, Special], weapon: Weapon, target: Card, snap: bool) -> Flow:
    """Hit, wound, and what is left to be saved; one attack is rolled to its end before the next."""
    hit = Draft("hit", 6 if snap else _figure(weapon, "skill"), "SK-HIT", then=(HITS, "wound"))
    for rule in weapon.rules:
        specials[rule.name].alter("hit", hit, weapon)
    damage = _throw(read_throw(weapon.stat("D")), "damage", "SK-DAMAGE")
    harm = Harm(damage=damage, spills=weapon.has("Cleave"))
    leaves = Wound(harm, ap=_figure(weapon, "AP"))
    need = _wound_need(_figure(weapon, "S"), _stat(target, "T"))
    wound = Draft("wound", need, "SK-WOUND", then=(WOUNDS, leaves)).natural((1,), (6,), "SK-WOUND")
    return Flow((hit.stage(), wound.stage()), order=DiceOrder.BY_ATTACK)


def volleys_of(game: Game, state: State, form: AttackForm, who: tuple[int, ...], snap: bool = False) -> tuple[Volley, ...]:
    """One volley for each kind of weapon."""
    rows: dict[Weapon, int] = {}
    for slot in who:
        for index, weapon in enumerate(game.models[slot].weapons):
            wanted = form.weapons is None or (slot, index) in form.weapons
            if wanted and weapon.melee == (form.kind == "melee"):
                rows[weapon] = rows.get(weapon, 0) + 1
    extra = fury(game, state, form.attacker) if form.kind == "melee" else 0
    found = []
    for weapon, count in rows.items():
        flow = flow_of(game.edition.specials, weapon, game.cards[form.target], snap)
        attacks = replace(weapon.attacks, plus=weapon.attacks.plus + extra)
        found.append(Volley(flow, _throw(attacks, "attacks", "SK-ATTACKS"), count))
    return tuple(found)


def fury(game: Game, state: State, unit: int) -> int:
    """SK-FRENZY: one more attack for every model the unit has killed, two at the most."""
    if not game.cards[unit].has("Frenzied"):
        return 0
    return min(2, int(state.units[unit].mark(BLOOD) or 0))


def ladder_of(game: Game, state: State, unit: int) -> tuple[Ladder, tuple[int, ...]]:
    """The unit in the order its models fall: the wounded first."""
    order = tuple(sorted(state.units[unit].living, key=lambda slot: (-state.wounds_on(slot), slot)))
    card = game.cards[unit]
    guard = Save(_stat(card, "Sv"))
    rungs = tuple(Rung(wounds=_stat(card, "W") - state.wounds_on(slot), guard=guard) for slot in order)
    return Ladder(rungs), order


def attack(play: Play, form: AttackForm, who: tuple[int, ...], *, snap: bool = False) -> None:
    """Roll an attack and take its casualties off."""
    ladder, order = ladder_of(play.game, play.state, form.target)
    play.thrower = form.attacker
    volleys = volleys_of(play.game, play.state, form, who, snap)
    spent: Spent[int, int] = play.dice.volley(volleys, ladder, ladder.start(), ATTACKS, HITS, WOUNDS, BLOCKED, DAMAGE)
    attacks, hits, wounds, blocked, damage = spent.counts
    counts = {"attacks": attacks, "hits": hits, "wounds": wounds, "blocked": blocked, "damage": damage}
    play.emit("attacked", ("SK-HIT",), attacker=form.attacker, target=form.target, by=form.kind, ignored=0, **counts)
    kills = ladder.kills(spent.state)
    patches: list[Patch] = []
    if ladder.lost_on_next(spent.state):
        slot = order[kills]
        patches.append(Wounded(slot, play.state.wounds_on(slot) + ladder.lost_on_next(spent.state)))
    if kills or patches:
        lose(play, "casualties", ("SK-DAMAGE",), form.target, order[:kills], *patches, removed=kills, models=order[:kills])
    if kills and play.game.cards[form.attacker].has("Frenzied"):
        blood = int(play.state.units[form.attacker].mark(BLOOD) or 0) + kills
        play.emit("enraged", ("SK-FRENZY",), Marked(form.attacker, BLOOD, blood), unit=form.attacker)


class Sequence:
    """The attack form of the toy."""

    def run(self, play: Play, form: AttackForm) -> None:
        """Roll it."""
        attack(play, form, play.state.units[form.attacker].living)

    def plan(self, game: Game, state: State, form: AttackForm, policies: Mapping[str, str]) -> Plan:
        """The same for exact odds."""
        ladder, order = ladder_of(game, state, form.target)
        volleys = volleys_of(game, state, form, state.units[form.attacker].living)
        return Plan(volleys, ladder, ladder.start(), None, order, (), policies)


# -- phases -------------------------------------------------------------------------------------------------------------


def deploy(play: Play) -> None:
    """SK-DEPLOY: units are set up in turn, each army on its own short side."""
    side = play.state.clock.active
    waiting = [unit for unit in play.game.units_of[side] if play.state.units[unit].where == WAITING]
    if waiting:
        names = tuple(play.game.names[unit] for unit in waiting)
        unit = play.game.numbers[str(play.choose(side, "choose-unit", "SK-DEPLOY", names, names[0]))]
        width, height = play.game.field.width, play.game.field.height
        box = (0, 0, width // 4, height) if side == 0 else (width - width // 4, 0, width, height)
        slots = tuple(sorted(play.state.units[unit].living))
        zone = Zone(gaps(len(play.game.sides), INCH, {}), COHERENCY, inside=(box,))
        spot = muster(play.scene, slots, zone, (box[0] + box[2]) // 2, height // 2)
        if spot is None:
            lose(play, "casualties", ("SK-DEPLOY",), unit, slots, removed=len(slots), models=slots)
        else:
            default = Placement(slots, spot, bytes(2 * len(slots)))
            patch = ask_place(play, side, unit, Setting(slots, zone), default, "SK-DEPLOY", REFUSALS)
            play.emit("deployed", ("SK-DEPLOY",), Went(unit, TABLE), patch, unit=unit)
    still = [k for k, held in enumerate(play.state.units) if held.where == WAITING]
    other = any(play.game.side_of(k) == 1 - side for k in still)
    if still:
        play.emit("next", ("SK-TURN",), Ticked(replace(play.state.clock, active=1 - side if other else side)))
    else:
        play.emit("next", ("SK-TURN",), Ticked(TURNS.opening(0)))


def _acted(play: Play, unit: int, action: str) -> None:
    play.emit("activated", ("SK-TURN",), Done(unit, True), unit=unit, action=action)


def move(play: Play, unit: int) -> None:
    """SK-MOVE: up to M inches, no closer than an inch to anybody."""
    keep = gaps(len(play.game.sides), INCH, {})
    order = Order(unit, _stat(play.game.cards[unit], "M") * INCH, keep, keep, COHERENCY)
    verdict = ask_move(play, play.state.clock.active, order, Stay(), "SK-MOVE", REFUSALS)
    _acted(play, unit, "walk" if verdict.longest else "hold")
    play.emit("moved", ("SK-MOVE",), placed(play, unit, verdict), unit=unit, longest=verdict.longest)


def guns(play: Play, order: FireOrder) -> list[Gun]:
    """Every ranged weapon of the unit."""
    carried = [
        (slot, k, weapon)
        for slot in play.state.units[order.unit].living
        for k, weapon in enumerate(play.game.models[slot].weapons)
    ]
    return [Gun(slot, k, weapon.reach) for slot, k, weapon in carried if weapon.reach is not None]


def fire_at(play: Play, order: FireOrder, target: int, shots: list[Shot]) -> None:
    """SK-SHOOT: the attacks of what is in range and sees."""
    if not order.oop:
        play.emit("shot", ("SK-SHOOT",), unit=order.unit, target=target)
    form = AttackForm(order.unit, target, "shooting", tuple((shot.slot, shot.weapon) for shot in shots))
    attack(play, form, firing(shots), snap=order.oop)


FIRE = Fire(guns, fire_at, clauses=("SK-SHOOT", "SK-SHOOT"), asks_weapons=False)


def can_shoot(play: Play, side: int) -> list[int]:
    """Units with somebody in range and sight."""
    return [unit for unit in on_table(play, side) if eligible(play, FireOrder(unit))]


def shoot(play: Play, unit: int) -> None:
    """SK-SHOOT: one target for each unit."""
    _acted(play, unit, "hold")
    fire(play, FireOrder(unit))


def _charges(play: Play, unit: int) -> dict[int, tuple[Order, Any]]:
    found = {}
    for enemy in on_table(play, 1 - play.game.side_of(unit)):
        if nearest(play.scene, unit, enemy).gap > 8 * INCH:
            continue
        foes = dict.fromkeys(play.game.units_of[1 - play.game.side_of(unit)], CLEAR)
        keep = gaps(len(play.game.sides), INCH, {**foes, enemy: TOUCH})
        order = Order(unit, 8 * INCH, keep, keep, COHERENCY, targets=(enemy,), contact=True, closing=1)
        way = engage(play.scene, order)
        if way is not None:
            found[enemy] = (order, way)
    return found


def can_charge(play: Play, side: int) -> list[int]:
    """Units that can reach somebody."""
    return [unit for unit in on_table(play, side) if _charges(play, unit)]


def charge(play: Play, unit: int) -> None:
    """SK-CHARGE: into contact; whoever is charged may snap off a volley first (SK-SNAP)."""
    side = play.state.clock.active
    ways = _charges(play, unit)
    names = tuple(play.game.names[enemy] for enemy in ways)
    enemy = play.game.numbers[str(play.choose(side, "choose-target", "SK-CHARGE", names, names[0], unit))]
    _acted(play, unit, "assault")
    window(play, Moment("charge-declared", unit, (enemy,)))
    if not play.state.units[unit].living:
        return
    order, way = ways[enemy]
    if len(play.state.units[unit].living) != len(way.counts):
        way = engage(play.scene, order)
        if way is None:
            return
    verdict = ask_move(play, side, order, way, "SK-CHARGE", REFUSALS, target=enemy)
    play.emit("moved", ("SK-CHARGE",), placed(play, unit, verdict), unit=unit, longest=verdict.longest)


def snap_uses(play: Play, moment: Moment, side: int) -> tuple[Use, ...]:
    """SK-SNAP: those who are charged and see the charger."""
    charged = [unit for unit in moment.targets if play.game.side_of(unit) == side]
    return tuple(Use(unit, moment.unit) for unit in charged if eligible(play, FireOrder(unit, only=(moment.unit,))))


def snap(play: Play, moment: Moment, use: Use) -> None:
    """SK-SNAP: a volley that hits on sixes."""
    fire(play, FireOrder(use.unit, only=(use.target,), oop=True, must=True))


def can_fight(play: Play, side: int) -> list[int]:
    """Units in contact."""
    return [unit for unit in on_table(play, side) if _engaged(play, unit)]


def fight(play: Play, unit: int) -> None:
    """SK-FIGHT: units in contact strike, then what is left strikes back."""
    side = play.state.clock.active
    foes = _engaged(play, unit)
    names = tuple(play.game.names[enemy] for enemy in foes)
    enemy = play.game.numbers[str(play.choose(side, "choose-target", "SK-FIGHT", names, names[0], unit))]
    _acted(play, unit, "assault")
    for striker, struck in ((unit, enemy), (enemy, unit)):
        who = touching(play.scene, striker, struck, INCH)
        if who and play.state.units[struck].living:
            attack(play, AttackForm(striker, struck, "melee"), who)


def _engaged(play: Play, unit: int) -> list[int]:
    return [foe for foe in on_table(play, 1 - play.game.side_of(unit)) if nearest(play.scene, unit, foe).gap <= INCH]


def score(game: Game, state: State) -> tuple[int, int]:
    """SK-SCORE: the points of destroyed enemies."""
    totals = [0, 0]
    for unit, card in enumerate(game.cards):
        if not state.units[unit].living:
            totals[1 - card.side] += card.points
    return totals[0], totals[1]


def wiped_out(play: Play) -> str:
    """SK-SCORE: without an enemy the game is over."""
    return "" if all(on_table(play, side) for side in (0, 1)) else "wipeout"


TURNS = Turns(
    turn=(
        Step("move", Each(on_table, move, "SK-TURN")),
        Step("shoot", Each(can_shoot, shoot, "SK-TURN")),
        Step("charge", Each(can_charge, charge, "SK-TURN")),
        Step("fight", Each(can_fight, fight, "SK-TURN")),
    ),
    over=wiped_out,
    clause="SK-TURN",
    ends={"rounds": ("SK-SCORE",), "wipeout": ("SK-SCORE",)},
    rounds=3,
)
SNAP = Reaction(
    "Snap fire",
    frozenset({"charge-declared"}),
    "SK-SNAP",
    snap_uses,
    snap,
    whose=ENEMY,
    limit=Limit("end-round", of=UNIT),
    default=True,
    kind="snapped",
)


# -- cards --------------------------------------------------------------------------------------------------------------


def check_card(card: Card) -> None:
    """Every unit needs its five numbers and only rules that exist."""
    for name in ("M", "T", "Sv", "W"):
        if not isinstance(card.stats.get(name), int):
            raise BadInput("bad-stat", f"{card.id}: {name} is missing", where=card.id, allowed="a whole number")
    for rule in (*card.rules, *(rule for model in card.models for weapon in model.weapons for rule in weapon.rules)):
        if rule.name not in SPECIALS:
            raise IllegalCommand("unknown-rule", "SK-RULES", f"{card.id}: no rule {rule.name}", rule.name)


SPECIALS: dict[str, Special] = {"Linked": Linked("SK-LINKED"), "Cleave": Marker("SK-DAMAGE"), "Frenzied": Marker("SK-FRENZY")}


def _kind(says: str, *clauses: str) -> EventKind:
    return EventKind(frozenset(clauses), says)


EDITION = Edition(
    id="skirmish",
    name="Skirmish",
    version="1",
    opening=Clock("deploy"),
    steps={"deploy": deploy, **TURNS.steps()},
    turns=TURNS,
    reactions=(SNAP,),
    effects=Effects({"end-round": Duration("end-round")}),
    moments=("charge-declared", "targets-chosen", "shot"),
    fire=FIRE,
    kinds={
        "rolled": _kind(
            "{unit} rolls {purpose}: {faces}", "SK-HIT", "SK-WOUND", "SK-SAVE", "SK-DAMAGE", "SK-ATTACKS", "SK-LINKED"
        ),
        "deployed": _kind("{unit} is deployed", "SK-DEPLOY"),
        "next": _kind("The game goes on", "SK-TURN"),
        "activated": _kind("{unit}: {action}", "SK-TURN"),
        "moved": _kind('{unit} moves {longest}"', "SK-MOVE", "SK-CHARGE"),
        "shot": _kind("{unit} shoots at {target}", "SK-SHOOT"),
        "snapped": _kind("{unit} snaps off a volley", "SK-SNAP"),
        "attacked": _kind("{attacks} attacks on {target}: {hits} hits, {wounds} wounds, {damage} damage", "SK-HIT"),
        "casualties": _kind("{unit} loses {removed} models", "SK-DAMAGE", "SK-DEPLOY"),
        "enraged": _kind("{unit} smells blood", "SK-FRENZY"),
        "game-ended": _kind("The game ends {score}: {winner}", "SK-SCORE"),
    },
    specials=SPECIALS,
    hooks=frozenset({"alter"}),
    check_card=check_card,
    score=score,
    sequence=Sequence(),
    rounds=3,
    points=100,
    table_size=(36_000, 24_000),
    actions=(Action("hold", Role.HOLD), Action("walk", Role.STEADY), Action("assault", Role.CLOSE)),
    situation=SituationDefaults("shoot"),
)
