"""What a game looks up about models and units: characteristics, abilities, keywords, and who belongs together.

A CHARACTER attached to a unit is a card of its own whose models have joined it, or whose ``where`` names it.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from rolloff.editions.commentary.abilities import BOOK, SPECIALS, collapsed
from rolloff.editions.commentary.ability import BEARER, TARGET
from rolloff.editions.commentary.cards import Fighter, fighter_of, keywords_of
from rolloff.editions.commentary.gear import Gear
from rolloff.editions.commentary.specials.characteristic import Changes
from rolloff.editions.commentary.values import LEADERSHIP, TOUGHNESS, Effect, Value, better, evaluate
from rolloff.errors import BadInput
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.table.profile import Rule
from rolloff.table.state import MERGED, State

CHARACTER, TRANSPORT, MONSTER, VEHICLE = "CHARACTER", "TRANSPORT", "MONSTER", "VEHICLE"


class Host(Struct, frozen=True):
    """A unit with everyone attached to it: the models still there, Bodyguard first, and where each part comes from."""

    unit: int
    slots: tuple[int, ...]
    guests: tuple[int, ...]
    cards: tuple[int, ...]

    @property
    def attached(self) -> bool:
        """Whether it is an Attached unit: both a Bodyguard and a CHARACTER part have models."""
        return 0 < len(self.guests) < len(self.slots)

    def characters(self) -> tuple[int, ...]:
        """ATK-5: the models no attack may be allocated to while a Bodyguard model remains."""
        return self.guests if self.attached else ()


class Lore:
    """Everything looked up by roster slot."""

    def __init__(self, game: Game) -> None:
        """Read every card once."""
        self.fighters: tuple[Fighter, ...] = tuple(
            fighter_of(card, model, number) for number, card in enumerate(game.cards) for model in card.models
        )
        self.book = BOOK


# who belongs together -----------------------------------------------------------------------------


def _leads(game: Game, state: State, guest: int, unit: int) -> bool:
    """Whether a unit that is inside another leads it, and does not merely ride in it."""
    inside = state.units[guest].where == unit
    return inside and CHARACTER in keywords_of(game.cards[guest]) and TRANSPORT not in keywords_of(game.cards[unit])


def host_of(game: Game, state: State, unit: int) -> Host:
    """ABIL-7: a unit and the Leaders attached to it are one unit; named by either."""
    lore: Lore = game.lore
    around = state.units[unit].where
    if around == MERGED:
        unit = state.owner_of(game.starts[unit])
    if around >= 0 and _leads(game, state, unit, around):
        unit = around
    living = state.units[unit].living
    own = tuple(slot for slot in living if lore.fighters[slot].card == unit)
    guests = tuple(slot for slot in living if lore.fighters[slot].card != unit)
    for other in range(len(state.units)):
        if other != unit and _leads(game, state, other, unit):
            guests += state.units[other].living
    cards = dict.fromkeys(lore.fighters[slot].card for slot in (*own, *guests))
    return Host(unit, (*own, *guests), guests, tuple(cards))


@cites("ATTACH-1")
def check_state(game: Game, state: State) -> None:
    """ATTACH-1: a second Leader only where its rule allows, and never a third."""
    lore: Lore = game.lore
    for unit in range(len(state.units)):
        host = host_of(game, state, unit)
        cards = {lore.fighters[slot].card: slot for slot in host.characters()}
        beside = any(lore.fighters[slot].has("Second Leader") for slot in cards.values())
        if len(cards) > 2 or (len(cards) == 2 and not beside):
            raise BadInput(
                "too-many-leaders",
                f"{game.names[unit]} is led by {len(cards)} units",
                where=game.names[unit],
                allowed="one Leader, or two if one is a Second Leader",
                clause="ATTACH-1",
            )
        for slot in host.slots:
            lost, wounds = state.wounds_on(slot), lore.fighters[slot].profile.wounds
            if lost >= wounds:
                name = game.models[slot].id
                raise BadInput(
                    "no-wounds-left", f"{name} has lost {lost} of {wounds} wounds", where=name, allowed=f"0 to {wounds - 1}"
                )


def left_on(game: Game, state: State, slot: int) -> int:
    """The wounds a model has left."""
    lore: Lore = game.lore
    return lore.fighters[slot].profile.wounds - state.wounds_on(slot)


# what a unit has as a unit ------------------------------------------------------------------------


def rules_of(game: Game, host: Host, slot: int) -> tuple[Rule, ...]:
    """The abilities of a model, with those its Leaders give while they lead."""
    lore: Lore = game.lore
    return lore.fighters[slot].rules + led_to(game, host)


def _given(game: Game, host: Host) -> tuple[Rule, ...]:
    """LEAD-1, LEAD-2, LEAD-3: what each Leader gives while leading, to every model and so to itself."""
    lore: Lore = game.lore
    rules: tuple[Rule, ...] = ()
    for guest in host.guests:
        rules += lore.fighters[guest].leading  # LEAD-1, LEAD-2, LEAD-3
    return rules


@cites("LEAD-4", off=_given)
def led_to(game: Game, host: Host) -> tuple[Rule, ...]:
    """LEAD-4: what Leaders give works only while their unit is an Attached unit."""
    return _given(game, host) if host.attached else ()


def shared_rules(game: Game, state: State, host: Host) -> tuple[Rule, ...]:
    """The abilities a unit has against attacks as a unit: those every model has."""
    rows = [[rule for rule in rules_of(game, host, slot) if SPECIALS[rule.name].part == TARGET] for slot in host.slots]
    shared = [rule for rule in rows[0] if all(rule in row for row in rows[1:])]  # ABIL-10
    if state.units[host.unit].mark("stealth") is not None:
        shared.append(Rule("Stealth"))
    return collapsed(shared)


def gear_of(game: Game, state: State, host: Host, slot: int, cover: bool) -> Gear:
    """What a model brings against a wound."""
    lore: Lore = game.lore
    profile = lore.fighters[slot].profile
    granted = state.units[host.unit].mark("cover") is not None
    gear = Gear(profile.save, profile.ward, profile.no_pain, cover or granted)
    for rule in collapsed(rules_of(game, host, slot)):
        special = SPECIALS[rule.name]
        if special.part == BEARER:
            special.bear(rule, gear)
    return gear


@cites("KEYW-3", off=lambda game, host: game.lore.fighters[host.slots[0]].keywords)
def keywords(game: Game, host: Host) -> tuple[str, ...]:
    """KEYW-3: a unit whose models differ has the keywords of all of them."""
    lore: Lore = game.lore
    return tuple(sorted({word for slot in host.slots for word in lore.fighters[slot].keywords}))


@cites("UT-3")
def toughness(game: Game, host: Host) -> int:
    """UT-1, UT-2: the highest among the Bodyguard models of an Attached unit, among all models of another.

    It is read when the unit is selected as a target and holds for all attacks of that unit (UT-3).
    """
    lore: Lore = game.lore
    read = host.slots
    if host.attached:
        read = tuple(slot for slot in read if slot not in host.guests)  # UT-1
    return best(TOUGHNESS, [lore.fighters[slot].profile.toughness for slot in read])


@cites("BEST-1", "ULD-1", "UT-2", off=lambda kind, values: values[-1])
def best(kind: str, values: Sequence[Value]) -> int:
    """BEST-1: the value that no other beats; symbols are passed over."""
    found: int | None = None
    for value in values:
        if isinstance(value, int) and (found is None or better(kind, value, found)):
            found = value
    assert found is not None
    return found


@cites("WORST-1", off=lambda kind, values: values[0])
def worst(kind: str, values: Sequence[Value]) -> int:
    """WORST-1: the value that all others equal or beat; symbols are passed over."""
    found = [value for value in values if isinstance(value, int)]
    return next(value for value in found if not any(better(kind, value, other) for other in found))


def leadership(game: Game, host: Host) -> int | None:
    """ULD-1: the best Leadership among the models; None if no card says any."""
    lore: Lore = game.lore
    values: list[Value] = []
    for slot in host.slots:
        profile = lore.fighters[slot].profile
        if profile.leadership is None:
            continue
        effects = [_leadership_change(rule) for rule in rules_of(game, host, slot) if rule.name == "Leadership"]
        found = evaluate(LEADERSHIP, profile.leadership, tuple(effects))
        values.append(found if isinstance(found, int) else profile.toughness)  # NULL-1
    return best(LEADERSHIP, values) if values else None


def _leadership_change(rule: Rule) -> Effect:
    special = SPECIALS[rule.name]
    assert isinstance(special, Changes)
    return special.effect(rule)


@cites("UNIT-6", "START-1")
def starting_strength(game: Game, cards: Sequence[int]) -> int:
    """UNIT-6, START-1: the models its parts that still have some were added to the army with."""
    return sum(game.cards[card].start_size or len(game.cards[card].models) for card in cards)


@cites("UNIT-5")
def below_half(strength: int, models: int, wounds_left: int, wounds: int) -> bool:
    """UNIT-5: fewer than half its models left, or for a single model fewer than half its wounds."""
    if strength == 1:
        return 2 * wounds_left < wounds
    return 2 * models < strength


def is_below_half(game: Game, state: State, host: Host) -> bool:
    """Whether a unit is Below Half-strength now."""
    lore: Lore = game.lore
    first = host.slots[0]
    wounds = lore.fighters[first].profile.wounds
    return below_half(starting_strength(game, host.cards), len(host.slots), left_on(game, state, first), wounds)
