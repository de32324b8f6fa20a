"""Chits: units drawn from a bag; opposed rolls, return fire, ambush and markers. Written from the pages of the docs."""

from __future__ import annotations

from typing import Any

from rolloff.rules import verbs as v

CLAUSES = {
    "CH-1": "Players set up one unit each in turn in their own third. Units with Ambush wait.",
    "CH-2": "Units are drawn from a bag; the unit that is drawn moves, then fires, or strikes whom it touches. Four rounds.",
    "CH-3": "A unit moves up to 6 inches and keeps an inch from everybody; a unit that fights stays.",
    "CH-4": "A unit fires at one enemy unit in range and sight.",
    "CH-5": "Each attack is an opposed roll: D10 and the weapon's skill against D10 and the target's Guard.",
    "CH-6": "An attack that wins removes a model; one that wins by 5 removes two.",
    "CH-7": "Once a round a unit that was fired at may return the fire.",
    "CH-8": "From the second round a unit in ambush arrives when it is drawn, more than 6 inches from enemies.",
    "CH-9": "Each marker is held by the side with more models within 3 inches at a round's end, and counts 2; a unit lost 1.",
    "CH-10": "Units have only the rules of this book.",
}
TOGETHER = v.Coherency(2 * v.INCH)
REFUSALS = dict.fromkeys(v.Code, ("CH-3", "{who} may not go there"))
SPECIALS: dict[str, v.Special] = {"Ambush": v.Marker("CH-8")}


def flow(game: v.Game, state: v.State, form: v.AttackForm, weapon: v.Weapon) -> v.Flow:
    """CH-5, CH-6: an opposed roll for each attack."""

    def read(by: int) -> tuple[Any, ...]:
        return () if by <= 0 else (v.HITS, v.WOUNDS, v.Harm()) if by < 5 else (v.HITS, v.WOUNDS, v.WOUNDS, v.Harm(), v.Harm())

    ours = v.Hand("strike", v.weapon_figure(weapon, "skill"), sides=10)
    return v.Flow(
        (v.opposed(ours, v.Hand("guard", v.unit_figure(game, form.target, "Guard"), sides=10), read, "CH-5", "CH-6"),)
    )


ATTACKS = v.Attacks(flow, lambda game, state, slot: v.Rung(1), ("CH-5", "CH-6"))


def third(play: v.Play, side: int) -> v.Rectangle:
    """CH-1: a third of the table each."""
    width, height = play.game.field.width, play.game.field.height
    return (0, 0, width // 3, height) if side == 0 else (width - width // 3, 0, width, height)


def ambush(play: v.Play, unit: int) -> v.SetUp | None:
    """CH-8: from the second round."""
    return v.anywhere(play, unit, TOGETHER, 6 * v.INCH, "CH-8") if play.state.clock.round > 1 else None


RESERVES = v.Reserves((v.Arrival("ambush", ambush),), REFUSALS, lambda play, unit, name: None, "CH-8")
MOVE = v.MoveKind("move", "CH-3", lambda play, unit: 6 * v.INCH, v.INCH, v.INCH, v.INCH, v.INCH)


def in_the_bag(play: v.Play, side: int) -> list[int]:
    """CH-2, CH-8: whoever stands on the table, and whoever may arrive."""
    return [*v.on_table(play, side), *v.can_arrive(play, RESERVES, side)]


def act(play: v.Play, unit: int) -> None:
    """CH-2: arrive, or strike, or move; and fire."""
    if play.state.units[unit].where == v.RESERVE:
        v.arrive(play, RESERVES, unit)
    elif v.engaged(play, unit):
        v.fight(play, ATTACKS, unit, "CH-2")
        return
    else:
        v.make(play, unit, MOVE)
    if v.alive(play, unit) and v.eligible(play, v.FireOrder(unit)):
        v.shoot(play, v.FireOrder(unit))


def fire_at(play: v.Play, order: v.FireOrder, target: int, shots: list[v.Shot]) -> None:
    """CH-4: what is in range and sees."""
    play.emit("shot", ("CH-4",), unit=order.unit, target=target)
    rows = tuple((shot.slot, shot.weapon) for shot in shots)
    v.resolve(play, ATTACKS, v.AttackForm(order.unit, target, v.SHOOTING, rows), rows)


def fired_at(play: v.Play, moment: v.Moment, side: int) -> list[v.Use]:
    """CH-7: whoever was fired at and can fire back."""
    own = [unit for unit in moment.targets if play.game.side_of(unit) == side and v.alive(play, unit) and not moment.oop]
    return [v.Use(unit, moment.unit) for unit in own if v.eligible(play, v.FireOrder(unit, only=(moment.unit,)))]


def fire_back(play: v.Play, moment: v.Moment, use: v.Use) -> None:
    """CH-7: return the fire."""
    v.shoot(play, v.FireOrder(use.unit, only=(use.target,), oop=True, must=True))


RETURN = v.Reaction(
    "Return fire", frozenset({"shot"}), "CH-7", fired_at, fire_back, limit=v.Limit("end-round", v.UNIT), default=True
)


def spots(game: v.Game) -> list[v.Objective]:
    """CH-9: three markers across the middle."""
    return [v.Objective(f"post {k}", game.field.width // 2, k * game.field.height // 4, 500) for k in (1, 2, 3)]


def level(game: v.Game, state: v.State, spot: v.Objective, side: int) -> int:
    """CH-9: models within 3 inches."""
    return v.models_near(game, state, side, spot.x, spot.y, 3 * v.INCH)


def score(game: v.Game, state: v.State) -> tuple[int, int]:
    """CH-9: markers held, and units lost."""
    lost = [sum(not state.units[unit].living for unit in own) for own in game.units_of]
    return 2 * len(v.held_by(game, state, 0)) + lost[1], 2 * len(v.held_by(game, state, 1)) + lost[0]


TURNS = v.Turns(
    v.wiped_out, "CH-2", {"rounds": ("CH-9",), "wipeout": ("CH-9",)}, rounds=4,
    before=(v.Step("bag", v.Drawn(in_the_bag, act, "CH-2")), v.Step("end", v.Ends("round-ends", first=v.control))),
)  # fmt: skip
GUN = {"name": "Gun", "range": 16, "A": 1, "skill": 1}
PIKE = {"name": "Pike", "range": "melee", "A": 2, "skill": 2}


def squad(name: str, count: int, guard: int, *rules: str) -> dict[str, Any]:
    """Some models for 30 points."""
    models = [{"count": count, "weapons": [GUN, PIKE]}]
    return {"name": name, "points": 30, "stats": {"Guard": guard}, "rules": list(rules), "models": models}


UNITS = [squad("Pikes", 5, 2), squad("Guns", 4, 0), squad("Stalkers", 3, 1, "Ambush")]
EDITION = v.Edition(
    id="chits", name="Chits", version="1", opening=v.Clock("deploy"), score=score, rounds=4, points=90,
    steps={"deploy": v.Alternating(third, TOGETHER, REFUSALS, "CH-1", reserve=lambda play, k: play.game.cards[k].has("Ambush")),
           **TURNS.steps()},
    turns=TURNS, clauses=CLAUSES, kinds=v.plain_kinds(CLAUSES), specials=SPECIALS,
    check_card=v.Checks(("Guard",), SPECIALS, "CH-10"), sequence=v.WeaponAttacks(ATTACKS),
    fire=v.Fire(v.guns_of, fire_at, ("CH-4", "CH-4"), asks_weapons=False), defender_rolls=frozenset({"guard"}),
    movement=v.Movement(lambda game, state, unit: TOGETHER, REFUSALS),
    objectives=v.Objectives(spots, level, 0, "CH-9"), markers=v.markers, reactions=(RETURN,),
    effects=v.Effects({"end-round": v.Duration("end-round")}),
    moments=("set-up", "move-starts", "move-ended", "targets-chosen", "shot", "round-ends"),
    actions=(v.Action("move", v.Role.STEADY),), table_size=(36 * v.INCH, 24 * v.INCH), situation=v.SituationDefaults("bag"),
    lists={"company": {"name": "Company", "edition": "chits", "points": 90, "units": UNITS}},
)  # fmt: skip
