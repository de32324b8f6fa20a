"""Skirmish: a toy edition with whole-army turns in phases, to show that another game fits the frame.

Each turn one player brings in reserves, moves, shoots, charges and fights with the whole army, among rocks, for markers to be
held. Attacks hit, wound, are saved and do damage, which spills only for weapons with Cleave. Whoever is charged may snap off a
volley, once a round; mortars drop a marker that strays; a Frenzied unit strikes harder for every model it killed.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rolloff.rules import verbs as v

CLAUSES = [f"SK-{n}" for n in ("DEPLOY", "TURN", "MOVE", "SHOOT", "BLAST", "CHARGE", "SNAP", "FIGHT", "HIT", "WOUND", "SAVE")]
CLAUSES += [f"SK-{name}" for name in ("DAMAGE", "FRENZY", "LINKED", "RESERVE", "HOLD", "SCORE", "RULES")]
TOGETHER = v.Coherency(2 * v.INCH, -1)
REFUSALS = dict.fromkeys(v.Code, ("SK-MOVE", "{who} may not go there"))
MARKED = {"Cleave": "SK-DAMAGE", "Frenzied": "SK-FRENZY", "Blast": "SK-BLAST", "Ambush": "SK-RESERVE"}
SPECIALS: dict[str, v.Special] = {"Linked": v.Linked("SK-LINKED"), **{name: v.Marker(id) for name, id in MARKED.items()}}


class Save(Struct, frozen=True):
    """SK-SAVE: a save that gets worse by the weapon's AP."""

    need: int

    def __call__(self, wound: v.Wound) -> v.Stage[bool] | None:
        """The save against this wound; none when it has become impossible."""
        need = max(2, self.need + wound.ap)
        return None if need > 6 else v.Draft("save", need, "SK-SAVE").check()


def wounding(game: v.Game, form: v.AttackForm, weapon: v.Weapon) -> v.Stage[Any]:
    """SK-WOUND: strength against toughness; a natural 6 wounds, a 1 does not."""
    roll = v.read_roll(weapon.stat("D"))
    damage = roll.plus if roll.fixed else v.number("damage", roll.count, roll.sides, roll.plus, clauses=("SK-DAMAGE",))
    leaves = v.Wound(v.Harm(damage, spills=weapon.has("Cleave")), ap=v.weapon_figure(weapon, "AP"))
    strong, tough = v.weapon_figure(weapon, "S"), v.unit_figure(game, form.target, "T")
    need = 2 if strong >= 2 * tough else 3 if strong > tough else 4 if strong == tough else 5
    return v.Draft("wound", need, "SK-WOUND", then=(v.WOUNDS, leaves)).natural((1,), (6,), "SK-WOUND").stage()


def flow(game: v.Game, state: v.State, form: v.AttackForm, weapon: v.Weapon) -> v.Flow:
    """SK-HIT: hit, wound, and what is left to be saved; snap shots hit on sixes (SK-SNAP)."""
    hit = v.Draft("hit", 6 if form.afraid else v.weapon_figure(weapon, "skill"), "SK-HIT", then=(v.HITS, "wound"))
    for rule in weapon.rules:
        SPECIALS[rule.name].alter("hit", hit, weapon)
    return v.Flow((hit.stage(), wounding(game, form, weapon)), order=v.DiceOrder.BY_ATTACK)


def rung(game: v.Game, state: v.State, slot: int) -> v.Rung:
    """A model's wounds and its save, its own or its unit's."""
    return v.Rung(v.figure(game, slot, "W") - state.wounds_on(slot), guard=Save(v.figure(game, slot, "Sv")))


def swings(game: v.Game, state: v.State, form: v.AttackForm, slot: int, weapon: v.Weapon) -> v.DiceRoll:
    """SK-FRENZY: one more attack for every model the unit has killed, two at the most."""
    blood = int(state.units[form.attacker].mark("blood") or 0) if form.kind == v.MELEE else 0
    return replace(weapon.attacks, plus=weapon.attacks.plus + min(2, blood))


def enrage(play: v.Play, form: v.AttackForm, kills: int) -> None:
    """SK-FRENZY: a Frenzied unit remembers whom it felled."""
    if kills and play.game.cards[form.attacker].has("Frenzied"):
        blood = int(play.state.units[form.attacker].mark("blood") or 0) + kills
        play.emit("enraged", ("SK-FRENZY",), v.Marked(form.attacker, "blood", blood), unit=form.attacker)


ATTACKS = v.Attacks(flow, rung, ("SK-HIT", "SK-DAMAGE"), attacks=swings, after=(enrage,))


def zone(play: v.Play, side: int) -> v.Rectangle:
    """SK-DEPLOY: a quarter of the table at each army's own short side."""
    width, height = play.game.field.width, play.game.field.height
    return (0, 0, width // 4, height) if side == 0 else (width - width // 4, 0, width, height)


def ambush(play: v.Play, unit: int) -> v.SetUp | None:
    """SK-RESERVE: from the second round, anywhere more than 9 inches from enemies."""
    return v.anywhere(play, unit, TOGETHER, 9 * v.INCH, "SK-RESERVE") if play.state.clock.round > 1 else None


def pace(play: v.Play, unit: int) -> int:
    """SK-MOVE: M inches."""
    return v.unit_figure(play.game, unit, "M") * v.INCH


RESERVES = v.Reserves((v.Arrival("ambush", ambush),), REFUSALS, lambda play, unit, name: None, "SK-RESERVE")
MOVE = v.MoveKind("move", "SK-MOVE", pace, v.INCH, v.INCH, v.INCH, v.INCH)
RUSH = v.MoveKind(
    "charge", "SK-CHARGE", pace, v.INCH, v.CLEAR, v.INCH, v.CLEAR, v.TOUCH, contact=True, closing=1,
    propose=lambda play, order: v.engage(play.scene, order),
)  # fmt: skip
FREE = lambda play, unit, enemy: not v.engaged(play, unit)  # noqa: E731  SK-CHARGE: whoever is not fighting already
CHARGE = v.Charge(RUSH, 8 * v.INCH, 1, v.DiceRoll(1, 6, 4), FREE, lambda *_: None, "SK-CHARGE", "SK-CHARGE")


def fire_at(play: v.Play, order: v.FireOrder, target: int, shots: list[v.Shot]) -> None:
    """SK-SHOOT: mortars first, then the rest as one volley; snap shots are no mortars' (SK-SNAP)."""
    play.emit("shot", ("SK-SHOOT",), unit=order.unit, target=target)
    held = {(shot.slot, shot.weapon): play.game.models[shot.slot].weapons[shot.weapon] for shot in shots}
    for weapon in [weapon for weapon in held.values() if weapon.has("Blast") and not order.oop]:
        bombard(play, order.unit, target, weapon)
    rows = tuple(row for row, weapon in held.items() if not weapon.has("Blast"))
    if rows and play.state.units[target].living:
        v.resolve(play, ATTACKS, v.AttackForm(order.unit, target, v.SHOOTING, rows, afraid=order.oop), rows)


def bombard(play: v.Play, unit: int, target: int, weapon: v.Weapon) -> None:
    """SK-BLAST: a marker over a model of the target, which strays; every model under it is hit, friends too."""
    side, models = play.game.side_of(unit), [play.state.at(slot) for slot in play.state.units[target].living]
    if not models:
        return
    spots = v.best_spots(play, side, lambda spot: v.Area.disc(*spot, 1500), models)
    wrong = v.IllegalCommand("not-a-target", "SK-BLAST", "a marker is aimed at a model of the target", None)
    aim = v.ask_point(play, side, unit, spots, lambda at: None if (at.x, at.y) in models else wrong, "SK-BLAST", radius=1.5)
    play.rolled_by = unit
    landing = v.scatter(play, aim, v.Scatter(v.DiceRoll(1)), "SK-BLAST")
    play.emit("strayed", ("SK-BLAST",), unit=unit, distance=landing.strayed)
    hit = {} if landing.lost else v.units_under(play, v.Area.disc(landing.x, landing.y, 1500))
    for other, slots in hit.items():
        form = v.AttackForm(unit, other, v.SHOOTING)
        blast = v.Flow((wounding(play.game, form, weapon),), order=v.DiceOrder.BY_ATTACK)
        v.resolve_volleys(play, ATTACKS, form, (v.Volley(blast, len(slots)),))


def snap_uses(play: v.Play, moment: v.Moment, side: int) -> list[v.Use]:
    """SK-SNAP: those who are charged and see the charger."""
    charged = [unit for unit in moment.targets if play.game.side_of(unit) == side]
    return [v.Use(k, moment.unit) for k in charged if v.eligible(play, v.FireOrder(k, only=(moment.unit,), oop=True))]


def snap(play: v.Play, moment: v.Moment, use: v.Use) -> None:
    """SK-SNAP: a volley that hits on sixes."""
    v.shoot(play, v.FireOrder(use.unit, only=(use.target,), oop=True, must=True))


def level(game: v.Game, state: v.State, spot: v.Objective, side: int) -> int:
    """SK-HOLD: models within 3 inches of a marker."""
    return v.models_near(game, state, side, spot.x, spot.y, spot.radius)


def spots(game: v.Game) -> list[v.Objective]:
    """SK-HOLD: two markers on the middle line."""
    return [v.Objective(f"marker {k}", game.field.width // 2, k * game.field.height // 3, 3 * v.INCH) for k in (1, 2)]


def score(game: v.Game, state: v.State) -> tuple[int, int]:
    """SK-SCORE: the points of destroyed enemies, and 50 for each marker held."""
    lost = [sum(game.cards[k].points for k in units if not state.units[k].living) for units in game.units_of]
    return lost[1] + 50 * len(v.held_by(game, state, 0)), lost[0] + 50 * len(v.held_by(game, state, 1))


def can_shoot(play: v.Play, side: int) -> list[int]:
    """SK-SHOOT: units with somebody in range and sight."""
    return [unit for unit in v.on_table(play, side) if v.eligible(play, v.FireOrder(unit))]


def can_charge(play: v.Play, side: int) -> list[int]:
    """SK-CHARGE: units with an enemy in reach."""
    return [unit for unit in v.on_table(play, side) if v.charge_targets(play, CHARGE, unit)]


def phase(name: str, able: Any, act: Any) -> v.Step:
    """SK-TURN: each able unit does its part once, and is then done."""
    return v.Step(name, v.Each(able, act, "SK-TURN", picked="picked"))


TURNS = v.Turns(
    v.wiped_out, "SK-TURN", {"rounds": ("SK-SCORE",), "wipeout": ("SK-SCORE",)}, rounds=3,
    turn=(
        phase("reserves", lambda play, side: v.can_arrive(play, RESERVES, side), lambda play, k: v.arrive(play, RESERVES, k)),
        phase("move", v.on_table, lambda play, unit: v.make(play, unit, MOVE)),
        phase("shoot", can_shoot, lambda play, unit: v.shoot(play, v.FireOrder(unit))),
        phase("charge", can_charge, lambda play, unit: v.charge(play, CHARGE, v.ChargeOrder(unit))),
        phase("fight", v.can_fight(ATTACKS), lambda play, unit: v.fight(play, ATTACKS, unit, "SK-FIGHT")),
        v.Step("end", v.Ends("turn-ends", first=v.control)),
    ),
)  # fmt: skip
ONCE = v.Limit("end-round", v.UNIT)
SNAP = v.Reaction("Snap fire", frozenset({"charge-declared"}), "SK-SNAP", snap_uses, snap, v.ENEMY, limit=ONCE, default=True)
SET_UP = v.Alternating(zone, TOGETHER, REFUSALS, "SK-DEPLOY", reserve=lambda play, k: play.game.cards[k].has("Ambush"))
EDITION = v.Edition(
    id="skirmish", name="Skirmish", version="1", opening=v.Clock("deploy"), score=score, rounds=3, points=100,
    steps={"deploy": SET_UP, **TURNS.steps()}, turns=TURNS, kinds=v.plain_kinds(CLAUSES, enraged="{unit} smells blood"),
    specials=SPECIALS, hooks=frozenset({"alter"}), check_card=v.Checks(("M", "T", "Sv", "W"), SPECIALS, "SK-RULES"),
    sequence=v.WeaponAttacks(ATTACKS), fire=v.Fire(v.guns_of, fire_at, ("SK-SHOOT", "SK-SHOOT"), asks_weapons=False),
    movement=v.Movement(lambda game, state, unit: TOGETHER, REFUSALS), objectives=v.Objectives(spots, level, 0, "SK-HOLD"),
    markers=v.markers, reactions=(SNAP,), effects=v.Effects({"end-round": v.Duration("end-round")}),
    form_of=v.Forms(weapons=lambda weapon: not weapon.has("Blast")),
    moments=(
        "set-up", "move-starts", "move-ended", "targets-chosen", "shot", "charge-declared", "charge-starts", "charge-ended",
        "charged", "turn-ends",
    ),
    actions=(v.Action("move", v.Role.STEADY), v.Action("charge", v.Role.CLOSE)), table_size=(36_000, 24_000),
    situation=v.SituationDefaults("shoot"),
)  # fmt: skip
