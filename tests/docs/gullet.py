"""Gullet: d10s, tokens from a bag, opposed blows, nerve, carts, fire, bombs and holes in the ground. Written from the docs."""

from __future__ import annotations

from functools import cache
from typing import Any

from rolloff.rules import verbs as v

CLAUSES = {
    "GU-1": "Gangs set up one unit each in turn in opposite corners, 14 inches square. Burrowers wait below.",
    "GU-2": "Each round every unit's token is drawn from one bag. The unit takes two different actions.",
    "GU-3": "Creep: up to Stride inches. Dash: twice that, and no fire afterwards. Keep an inch from everybody.",
    "GU-4": "Fire: one enemy unit in range and sight. Roll a d10 for each shot: the weapon's Aim or more hits.",
    "GU-5": "Blows are opposed: d10 and Skill against d10 and Grit. More hits; five more is a telling blow of two damage.",
    "GU-6": "Each hit is turned by the model's Hide or more on a d10, made worse by the weapon's Bite.",
    "GU-7": "Rush: at one or two enemies within 12 inches, d10 and 3 inches, then the gang fights at once.",
    "GU-8": "Each gang has three Breath a round. Return fire costs two, a dive (Hide two better for now) one.",
    "GU-9": "A unit that loses models rolls a d10: below its Nerve it flees if less than half is left, else it is cowed.",
    "GU-10": "Cowed units take one action, until their token has been drawn.",
    "GU-11": "Gout: a teardrop of 8 inches over everybody, no roll to hit. Bomb: a disc of 2 inches that strays a d10.",
    "GU-12": "From the second round Burrowers come up anywhere more than 9 inches from enemies.",
    "GU-13": "A seam is held by the gang with more models within 3 inches. Each held at the end of a round is a point of ore.",
    "GU-14": "Carts carry up to six models. A unit within 2 inches may get in as an action, and out as another.",
    "GU-15": "Shellback: Hide one better against fire. Drummer: own units within 6 inches are one better at Nerve.",
    "GU-16": "Furious: a wounded model makes one blow more. Bulk is the wounds of a model.",
    "GU-17": "Most ore after four rounds wins; a gang wiped out has lost.",
    "GU-18": "Rules on cards are those of this book.",
    "GU-19": "Cover makes Hide one better against fire. A move over difficult ground goes no further than 4 inches.",
    "GU-20": "Whoever crosses dangerous ground rolls a d10 for each model that did: it takes a hit on a one.",
}
TOGETHER = v.Coherency(2 * v.INCH)
REFUSALS = dict.fromkeys(v.Code, ("GU-3", "{who} may not stand there"))
REFUSALS[v.Code.OUTSIDE_ZONE] = ("GU-1", "{who} is outside its corner")


class Shellback(v.Special):
    """GU-15: one better against fire."""

    def defend(self, stage: str, draft: v.Draft, strike: Any) -> None:
        """Plus one."""
        if stage == "hide" and v.SHOOTING in strike.traits:
            draft.modify(1, *self.clauses)


class Furious(v.Special):
    """GU-16: one blow more when wounded."""

    def extra_attacks(self, assaulting: bool) -> int:
        """One."""
        return 1


SPECIALS: dict[str, v.Special] = {
    "Shellback": Shellback("GU-15"), "Furious": Furious("GU-16"), "Drummer": v.Marker("GU-15"), "Burrower": v.Marker("GU-12"),
    "Cart": v.Marker("GU-14"), "Gout": v.Marker("GU-11", on_weapon=True), "Bomb": v.Marker("GU-11", on_weapon=True),
}  # fmt: skip


@cache
def guard(need: int, rules: tuple[str, ...], dived: bool) -> Any:
    """GU-6: how a model turns hits."""

    def save(wound: v.Wound) -> v.Stage[bool]:
        draft = v.Draft("hide", need, "GU-6", sides=10).modify(-wound.ap, "GU-6")
        if "cover" in wound.traits:
            draft.modify(1, "GU-19")
        for name in rules:
            SPECIALS[name].defend("hide", draft, wound)
        return (draft.modify(2, "GU-8") if dived else draft).check()

    return save


def rung(game: v.Game, state: v.State, slot: int) -> v.Rung:
    """GU-16: what is left of its Bulk, behind its Hide."""
    unit = state.owner_of(slot)
    rules = tuple(rule.name for rule in game.cards[unit].rules)
    save = guard(v.figure(game, slot, "Hide"), rules, state.units[unit].mark("dived") is not None)
    return v.Rung(v.figure(game, slot, "Bulk") - state.wounds_on(slot), guard=save)


def hurt(kind: str, bite: int, damage: int = 1, cover: bool = False) -> tuple[Any, ...]:
    """What a hit does."""
    return (v.HITS, v.WOUNDS, v.Wound(v.Harm(damage), bite, (kind, "cover") if cover else (kind,)))


def flow(game: v.Game, state: v.State, form: v.AttackForm, weapon: v.Weapon) -> v.Flow:
    """GU-4, GU-5, GU-19: shots against a number, blows against each other."""
    aim, bite = v.weapon_figure(weapon, "Aim"), v.weapon_figure(weapon, "Bite")
    if form.kind == v.SHOOTING:
        then = hurt(form.kind, bite, cover=v.in_cover(game, state, form))
        hit = v.Draft("aim", aim, "GU-4", then=then, sides=10)
        return v.Flow(((hit.automatic("GU-11") if template(weapon) else hit).stage(),))
    theirs = v.Hand("parry", v.unit_figure(game, form.target, "Grit"), sides=10)

    def read(by: int) -> tuple[Any, ...]:
        return hurt(form.kind, bite, 2 if by >= 5 else 1) if by > 0 else ()

    return v.Flow((v.opposed(v.Hand("blow", aim, sides=10), theirs, read, "GU-5"),))


def blows(game: v.Game, state: v.State, form: v.AttackForm, slot: int, weapon: v.Weapon) -> v.DiceRoll:
    """GU-16: the wounded are furious."""
    wild = form.kind == v.MELEE and state.wounds_on(slot) and game.card_of[slot].has("Furious")
    return v.DiceRoll(weapon.attacks.count, weapon.attacks.sides, weapon.attacks.plus + 1) if wild else weapon.attacks


def nerve(play: v.Play, unit: int) -> v.Stage[bool]:
    """GU-9, GU-15: Nerve or more, a Drummer near by."""
    draft = v.Draft("nerve", v.unit_figure(play.game, unit, "Nerve"), "GU-9", sides=10)
    near = play.gaps_from(unit)
    if any(
        play.game.cards[k].has("Drummer") and near[k] <= 6 * v.INCH
        for k in v.on_table(play, play.game.side_of(unit))
        if k != unit
    ):
        draft.modify(1, "GU-15")
    return draft.check()


def flees(play: v.Play, unit: int, clauses: tuple[str, ...]) -> None:
    """GU-9: gone."""
    v.lose(play, "fled", clauses, unit, play.state.units[unit].living)


def cowers(play: v.Play, unit: int, clauses: tuple[str, ...]) -> None:
    """GU-10: until its token has been drawn."""
    play.emit("cowed", clauses, v.lasting(play.game, unit, "cowed", "activation"), unit=unit)


def broken(play: v.Play, unit: int) -> bool:
    """GU-9: below half."""
    return 2 * len(play.state.units[unit].living) < len(play.game.cards[unit].models)


NERVE = v.MoraleTest(nerve, ("GU-9",), (v.Failure("fled", flees, ("GU-9",), broken), v.Failure("cowed", cowers, ("GU-10",))))


def tested(play: v.Play, form: v.AttackForm, fallen: int) -> str | None:
    """GU-9: whoever lost models."""
    if fallen and v.alive(play, form.target):
        return v.take_test(play, NERVE, form.target)
    return None


ATTACKS = v.Attacks(flow, rung, ("GU-4", "GU-6"), attacks=blows, after=(tested,))


def corner(play: v.Play, side: int) -> v.Rectangle:
    """GU-1: 14 inches square."""
    width, height, deep = play.game.field.width, play.game.field.height, 14 * v.INCH
    return (0, 0, deep, deep) if side == 0 else (width - deep, height - deep, width, height)


def hole(play: v.Play, unit: int) -> v.SetUp | None:
    """GU-12: from the second round."""
    return v.anywhere(play, unit, TOGETHER, 9 * v.INCH, "GU-12") if play.state.clock.round > 1 else None


def stride(times: int) -> Any:
    """GU-3: so many Strides."""
    return lambda play, unit: times * v.unit_figure(play.game, unit, "Stride") * v.INCH


def rushed(play: v.Play, unit: int, targets: tuple[int, ...], *_: Any) -> None:
    """GU-7: the gang fights at once."""
    v.fight(play, ATTACKS, unit, "GU-7")


SET_UP = v.Alternating(corner, TOGETHER, REFUSALS, "GU-1", reserve=lambda play, unit: play.game.cards[unit].has("Burrower"))
RESERVES = v.Reserves((v.Arrival("hole", hole),), REFUSALS, lambda play, unit, name: None, "GU-12")
CREEP = v.MoveKind("creep", "GU-3", stride(1), v.INCH, v.INCH, v.INCH, v.INCH)
DASH = v.MoveKind("dash", "GU-3", stride(2), v.INCH, v.INCH, v.INCH, v.INCH)
CLOSE = v.MoveKind(
    "rush", "GU-7", stride(1), v.INCH, v.CLEAR, v.INCH, v.CLEAR, v.TOUCH, contact=True, closing=1,
    propose=lambda play, order: v.engage(play.scene, order),
)  # fmt: skip
RUSH = v.Charge(
    CLOSE, 12 * v.INCH, 2, v.DiceRoll(1, 10, 3), lambda play, unit, enemy: not v.engaged(play, unit), rushed, "GU-7", "GU-7"
)


def by_cart(play: v.Play, unit: int) -> v.Zone:
    """GU-14: an inch from everybody."""
    return v.Zone(v.keep_apart(play.game, unit, v.INCH, v.INCH), TOGETHER)


def seats(game: v.Game, state: v.State, hull: int) -> int:
    """GU-14: six in a cart."""
    return 6 if game.cards[hull].has("Cart") else 0


def rides(game: v.Game, state: v.State, unit: int, hull: int) -> bool:
    """GU-14: everybody but carts."""
    return not game.cards[unit].has("Cart")


CARTS = v.Transports(seats, rides, by_cart, 3 * v.INCH, "GU-14", "GU-14", REFUSALS, wholly=False)


def template(weapon: v.Weapon) -> bool:
    """GU-11: whether it is laid on the table."""
    return weapon.has("Gout") or weapon.has("Bomb")


def fire_at(play: v.Play, order: v.FireOrder, target: int, shots: list[v.Shot]) -> None:
    """GU-4, GU-11: templates one by one, then the rest as one volley."""
    play.emit("shot", ("GU-4",), unit=order.unit, target=target)
    held = {(shot.slot, shot.weapon): play.game.models[shot.slot].weapons[shot.weapon] for shot in shots}
    for (slot, _), weapon in held.items():
        if template(weapon) and play.state.units[target].living and slot in play.state.units[order.unit].living:
            burst(play, order.unit, target, slot, weapon)
    rows = tuple(row for row, weapon in held.items() if not template(weapon) and row[0] in play.state.units[order.unit].living)
    if rows and play.state.units[target].living:
        v.resolve(play, ATTACKS, v.AttackForm(order.unit, target, v.SHOOTING, rows), rows)


def burst(play: v.Play, unit: int, target: int, slot: int, weapon: v.Weapon) -> None:
    """GU-11: the teardrop or the disc, over everybody."""
    (x, y), bomb = play.state.at(slot), weapon.has("Bomb")

    def area(spot: tuple[int, int]) -> v.Area:
        turn = v.direction(spot[0] - x, spot[1] - y)
        return v.Area.disc(*spot, 2 * v.INCH) if bomb else v.Area.teardrop(x, y, turn, (700, 250), (7_000, 1_250))

    strays = v.Scatter(v.DiceRoll(1, 10)) if bomb else None
    for other, slots in v.lay(play, unit, target, area, "GU-11", strays, own=bomb).items():
        form = v.AttackForm(unit, other, v.SHOOTING, cover=False)
        v.resolve_volleys(play, ATTACKS, form, (v.Volley(flow(play.game, play.state, form, weapon), len(slots)),))


def harmed(play: v.Play, unit: int, models: int) -> None:
    """GU-20: dangerous ground hits on a one."""
    slip = v.Draft("slip", 2, "GU-20", otherwise=hurt("ground", 0), sides=10)
    v.resolve_volleys(play, ATTACKS, v.AttackForm(unit, unit, "ground"), (v.Volley(v.Flow((slip.stage(),)), models),))


def fired_at(play: v.Play, moment: v.Moment, side: int) -> list[int]:
    """GU-8: own units that are fired at."""
    return [k for k in moment.targets if play.game.side_of(k) == side and v.alive(play, k) and not moment.oop]


def back(play: v.Play, moment: v.Moment, side: int) -> list[v.Use]:
    """GU-8: fire back for two Breath."""
    able = [k for k in fired_at(play, moment, side) if v.eligible(play, v.FireOrder(k, only=(moment.unit,), oop=True))]
    return [v.Use(k, moment.unit, cost=2) for k in able]


def dive(play: v.Play, moment: v.Moment, side: int) -> list[v.Use]:
    """GU-8: dive for one Breath."""
    return [v.Use(k, cost=1) for k in fired_at(play, moment, side) if play.state.units[k].mark("dived") is None]


def dives(play: v.Play, moment: v.Moment, use: v.Use) -> None:
    """GU-8: Hide two better."""
    play.emit("dived", ("GU-8",), v.lasting(play.game, use.unit, "dived", "activation"), unit=use.unit)


def fires_back(play: v.Play, moment: v.Moment, use: v.Use) -> None:
    """GU-8: at whoever fired."""
    v.shoot(play, v.FireOrder(use.unit, only=(use.target,), oop=True, must=True))


REACTIONS = (
    v.Reaction("Return fire", frozenset({"shot"}), "GU-8", back, fires_back, v.ENEMY, pay="breath", default=True),
    v.Reaction("Dive", frozenset({"targets-chosen"}), "GU-8", dive, dives, v.ENEMY, pay="breath"),
)


def seams(game: v.Game) -> list[v.Objective]:
    """GU-13: three on the other diagonal."""
    return [
        v.Objective(f"seam {k}", k * game.field.width // 4, (4 - k) * game.field.height // 4, 3 * v.INCH) for k in (1, 2, 3)
    ]


def weight(game: v.Game, state: v.State, spot: v.Objective, side: int) -> int:
    """GU-13: models within 3 inches."""
    return v.models_near(game, state, side, spot.x, spot.y, spot.radius)


def ore(play: v.Play) -> None:
    """GU-13: a point for each seam."""
    for side in (0, 1):
        gain = len(v.held_by(play.game, play.state, side))
        if gain:
            play.emit(
                "ore", ("GU-13",), v.SideMarked(side, "ore", v.purse(play, side, "ore") + gain), side="AB"[side], gain=gain
            )


def score(game: v.Game, state: v.State) -> tuple[int, int]:
    """GU-17: ore."""
    a, b = (int(state.side_mark(side, "ore") or 0) for side in (0, 1))
    return a, b


def breathe(play: v.Play) -> None:
    """GU-8: three a round."""
    play.emit("breath", ("GU-8",), *(v.SideMarked(side, "breath", 3) for side in (0, 1)))


def able(play: v.Play, side: int) -> list[int]:
    """GU-2: whoever is on the table, in a cart, or may come up."""
    aboard = [k for k in play.game.units_of[side] if play.state.units[k].where >= 0 and play.state.units[k].living]
    return sorted([*v.on_table(play, side), *aboard, *v.can_arrive(play, RESERVES, side)])


def carts(play: v.Play, unit: int) -> list[int]:
    """GU-14: own carts within 2 inches with room."""
    if not free(play, unit):
        return []
    own = [k for k in v.on_table(play, play.game.side_of(unit)) if k != unit and v.fits(play.game, play.state, unit, k)]
    return [k for k in own if play.gaps_from(unit)[k] <= 2 * v.INCH]


def aboard(play: v.Play, unit: int) -> bool:
    """GU-14: in a cart."""
    return play.state.units[unit].where >= 0


def free(play: v.Play, unit: int) -> bool:
    """GU-2: on the table and not fighting."""
    return not aboard(play, unit) and not v.engaged(play, unit)


def fights(play: v.Play, unit: int) -> bool:
    """GU-5: who touches enemies."""
    return not aboard(play, unit) and bool(v.engaged(play, unit))


def can_fire(play: v.Play, unit: int) -> bool:
    """GU-4: somebody in range and sight."""
    return free(play, unit) and bool(v.eligible(play, v.FireOrder(unit)))


def can_rush(play: v.Play, unit: int) -> bool:
    """GU-7: somebody in reach."""
    return free(play, unit) and bool(v.charge_targets(play, RUSH, unit))


DEEDS = (
    v.Deed("creep", lambda play, unit: v.make(play, unit, CREEP), v.Role.STEADY, free),
    v.Deed("dash", lambda play, unit: v.make(play, unit, DASH), v.Role.RUSH, free),
    v.Deed("rush", lambda play, unit: v.charge(play, RUSH, v.ChargeOrder(unit)), v.Role.CLOSE, can_rush),
    v.Deed("fire", lambda play, unit: v.shoot(play, v.FireOrder(unit)), v.Role.CLOSE, can_fire),
    v.Deed("fight", lambda play, unit: v.fight(play, ATTACKS, unit, "GU-5"), v.Role.CLOSE, fights),
    v.Deed("get in", lambda play, k: v.board(play, k, carts(play, k)[0], "GU-14"), can=lambda play, k: bool(carts(play, k))),
    v.Deed("get out", lambda play, k: v.leave(play, k, play.state.units[k].where), can=aboard),
    v.Deed("stand", lambda play, unit: None, v.Role.REST),
)


def token(play: v.Play, unit: int) -> None:
    """GU-2, GU-3, GU-10: two different actions, one if it is cowed, no fire after a dash; then its marks end."""
    taken: list[str] = []
    if play.state.units[unit].where == v.RESERVE:
        v.arrive(play, RESERVES, unit)
        return
    for _ in range(1 if play.state.units[unit].mark("cowed") else 2):
        if play.state.units[unit].living:
            taken.append(v.act(play, unit, DEEDS, "GU-2", [*taken, "fire"] if "dash" in taken else taken))
    v.cross(play, v.Boundary("end-activation", play.game.side_of(unit), unit), "recovered", "GU-10")


def wins(play: v.Play, how: str) -> str:
    """GU-17: a gang wiped out has lost."""
    standing = [any(play.state.units[k].living for k in own) for own in play.game.units_of]
    return "" if how != "wipeout" else "A" if standing[0] else "B"


TURNS = v.Turns(
    v.wiped_out, "GU-2", {"rounds": ("GU-17",), "wipeout": ("GU-17",)}, rounds=4, wins=wins,
    before=(
        v.Step("breath", v.Once((breathe,))), v.Step("bag", v.Drawn(able, token, "GU-2")),
        v.Step("end", v.Ends("round-ends", first=v.control, last=ore)),
    ),
)  # fmt: skip


def gun(name: str, reach: int | str, attacks: int | str, aim: int, bite: int = 0, *rules: str) -> dict[str, Any]:
    """A weapon as cards write it."""
    return {"name": name, "range": reach, "A": attacks, "stats": {"Aim": aim, "Bite": bite}, "rules": list(rules)}


PICK, CLAW = gun("Pick", "melee", 1, 2), gun("Claw", "melee", 2, 3, 2)
SLING, TUBE, POT = gun("Sling", 18, 1, 6), gun("Gout tube", 8, 1, 5, 1, "Gout"), gun("Bomb pot", 20, 1, 5, 2, "Bomb")


def gang(
    name: str, count: int, held: Any, points: int, *rules: str, hide: int = 7, bulk: int = 1, boss: int = 0
) -> dict[str, Any]:
    """Some models of one kind, perhaps with a bulkier boss."""
    stats = {"Stride": 5, "Grit": 3, "Hide": hide, "Nerve": 5, "Bulk": bulk}
    models: list[dict[str, Any]] = [{"count": count, "weapons": held}]
    models += [{"count": 1, "weapons": [CLAW, *held], "stats": {"Bulk": boss}}] if boss else []
    return {"name": name, "points": points, "stats": stats, "rules": list(rules), "models": models}


GUILD = (
    gang("Slingers", 5, [SLING, PICK], 60, boss=2),
    gang("Bombers", 3, [POT, PICK], 70),
    gang("Tortoises", 4, [SLING, CLAW], 80, "Shellback", hide=5),
    gang("Drum", 1, [PICK], 40, "Drummer", bulk=3),
    gang("Ore cart", 1, [PICK], 50, "Cart", hide=4, bulk=4),
)
BROOD = (
    gang("Spitters", 4, [TUBE, PICK], 80),
    gang("Brutes", 3, [CLAW], 90, "Furious", bulk=3),
    gang("Moles", 5, [SLING, PICK], 70, "Burrower", boss=2),
    gang("Broodlings", 6, [SLING, PICK], 60, hide=9),
)
LISTS = {
    "deep-guild": {"name": "Deep Guild", "edition": "gullet", "points": 300, "units": list(GUILD)},
    "pale-brood": {"name": "Pale Brood", "edition": "gullet", "points": 300, "units": list(BROOD)},
}
OUTCOMES = v.Outcomes(
    (
        v.Outcome("none"),
        v.Outcome("passed", "morale-passed"),
        v.Outcome("cowed", "cowed", marks=True),
        v.Outcome("fled", "fled", breaks=True),
    )
)
KINDS = v.plain_kinds(
    CLAUSES, cowed="{unit} is cowed", fled="{unit} flees", dived="{unit} dives for cover", recovered="{unit} recovers",
    ore="Player {side} digs {gain} ore", breath="Both gangs take breath",
)  # fmt: skip
PLAIN = v.Forms(weapons=lambda weapon: not template(weapon))

EDITION = v.Edition(
    id="gullet", name="Gullet", version="1", opening=v.Clock("deploy"), score=score, rounds=4, points=300, lists=LISTS,
    steps={"deploy": SET_UP, **TURNS.steps()}, turns=TURNS, clauses=CLAUSES, kinds=KINDS,
    specials=SPECIALS, hooks=frozenset({"defend", "extra_attacks"}),
    check_card=v.Checks(("Stride", "Grit", "Hide", "Nerve", "Bulk"), SPECIALS, "GU-18"),
    sequence=v.WeaponAttacks(ATTACKS), form_of=PLAIN, defender_rolls=frozenset({"hide", "parry"}),
    fire=v.Fire(v.guns_of, fire_at, ("GU-4", "GU-4"), asks_weapons=False), transports=CARTS,
    movement=v.Movement(lambda game, state, unit: TOGETHER, REFUSALS, ground=v.RoughGround(4 * v.INCH, harm=harmed)),
    objectives=v.Objectives(seams, weight, 0, "GU-13"), markers=v.markers, reactions=REACTIONS,
    effects=v.Effects({"activation": v.Duration("end-activation", v.BEARER)}, marks={"cowed": "", "dived": ""}),
    moments=("targets-chosen", "shot"), outcomes=OUTCOMES, actions=v.actions_of(DEEDS),
    wounds=lambda game, slot: v.figure(game, slot, "Bulk"),
    table_size=(36 * v.INCH, 36 * v.INCH), situation=v.SituationDefaults("bag", purse="breath", score="ore"),
)  # fmt: skip
