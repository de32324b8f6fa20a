"""Windows: moments at which players may react. An edition names moments; rules subscribe; nesting is the call stack.

Nothing about a window is stored: waiting for an answer is `Play.choose`, and a step that waits is run again. Limits
are marks (`rules.effects`), so they end by themselves, and costs are paid from a mark of the player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import count
from typing import TYPE_CHECKING

from msgspec import Struct

from rolloff.identity_cache import IdentityCache
from rolloff.rules.citing import cites
from rolloff.rules.component import Component
from rolloff.rules.effects import USED
from rolloff.table.event import Fact, Marked, ModelMarked, Patch, SideMarked
from rolloff.table.request import PASS, Request

if TYPE_CHECKING:
    from rolloff.rules.edition import Edition
    from rolloff.rules.game import Game
    from rolloff.rules.play import Play

REACT, ORDER = "react", "order"
"""Kinds of requests: use one of your reactions or pass; which of your compulsory ones comes first."""
ROLLED = "rolled"
"""The moment at which dice lie on the table and are not read yet; effects give `Again` or `Treat` (`oracle.offers`)."""
SHOWN = ("purpose", "need", "faces")
"""What is said about dice that lie on the table to whoever may react to them."""
PAID = "paid"
"""The moment just after a player paid for a reaction that has labels."""
EITHER, OWN, ENEMY = "either", "own", "enemy"
SIDE, UNIT, MODEL = "side", "unit", "model"


class Moment(Struct, frozen=True):
    """Something that is about to happen or just did: its name, who does it to whom; ``oop``: out of its own phase.

    ``topic``: what it is about, where moments of one name differ in that (at `ROLLED`, what the dice are rolled for).
    """

    name: str
    unit: int = -1
    targets: tuple[int, ...] = ()
    oop: bool = False
    facts: tuple[tuple[str, Fact], ...] = ()
    topic: str = ""


class Use(Struct, frozen=True):
    """One legal way to use a reaction now: with which unit (or model), on which target, in which variant, at what cost.

    ``wanted``: whether who answers by default uses it so, if its rule leaves that to the moment.
    """

    unit: int = -1
    target: int = -1
    slot: int = -1
    variant: str = ""
    cost: int = 0
    wanted: bool = True


class Limit(Component, frozen=True):
    """How often: once for its bearer until a boundary; ``until`` is a word of the edition's `Effects`, or ``"game"``."""

    until: str
    of: str = SIDE
    mark: str = ""


class Reaction(Component, frozen=True):
    """A rule that may (``must``: has to) be used at some moments. ``uses`` says how, cheap refusals first; ``effect`` does it.

    ``whose``: in whose turn its player may use it. ``phases``: only then, and never out of phase. ``pay``: the player's mark
    a `Use.cost` is paid from. ``default``: whether whoever answers by default uses it. ``present``: whether a side of a game
    could ever use it. ``kind``: the event that announces it. ``labels``: words other rules read when it was paid for.
    ``by``: only at moments of a unit of its player's own, or of the enemy's. ``topics``: only at moments about one of these.
    ``least``: what no use costs a side of a game less than. ``short``: topics of dice it is about only where they fall short,
    ``made``: only where they do not.
    ``cited``: only at dice known by this clause or sign. ``concerned``: at dice, whether it could be used at those of a unit.
    ``bargain``: what its player settles about the cost when it is paid. ``about``: what players read of it.
    """

    name: str
    at: frozenset[str]
    clause: str
    uses: Callable[[Play, Moment, int], Iterable[Use]]
    effect: Callable[[Play, Moment, Use], object]
    whose: str = EITHER
    phases: frozenset[str] = frozenset()
    limit: Limit | None = None
    pay: str = ""
    must: bool = False
    default: bool = False
    present: Callable[[Game, int], bool] | None = None
    kind: str = "reacted"
    labels: tuple[str, ...] = ()
    by: str = EITHER
    topics: frozenset[str] = frozenset()
    least: Callable[[Game, int], int] | None = None
    short: frozenset[str] = frozenset()
    made: frozenset[str] = frozenset()
    cited: str = ""
    concerned: Callable[[Play, int], bool] | None = None
    bargain: Callable[[Play, Use], Use] | None = None
    about: str = ""

    @property
    def mark(self) -> str:
        """The name of the mark its limit leaves."""
        return (self.limit and self.limit.mark) or USED + self.name


Offer = tuple[Reaction, Use]
Rules = tuple[Reaction, ...]
Timing = tuple[str, bool, str, int, int, str]
"""A moment by all that says whose time it is: its name, if it is out of phase, its topic, who acts, whose turn, the phase."""
NONE: tuple[tuple[()], tuple[()]] = ((), ())
Heeded = tuple[bool, bool, str, "Callable[[Play, int], bool] | None"]
"""Of which dice a reaction is: only of those that fall short, or do not; by a clause; of units it concerns."""
NOTHING: frozenset[Heeded] = frozenset()
Limited = tuple[Reaction, str]
"""A reaction with the mark of its player that bars it, or nothing."""
Priced = tuple[int, int, str, str, int]
"""Of a reaction in a game: its bit, whose it is, the mark of its player that bars it, what it is paid from, the least cost."""


def window(play: Play, moment: Moment, each: Callable[[Play], None] | None = None) -> list[object]:
    """Everybody may react: compulsory rules first, then the active player and the other in turn until both pass in succession.

    Gives what the effects returned and was not None. ``each`` runs after every effect (control of markers, say).
    """
    name = moment.name
    if name not in play.game.reactions:
        return []
    rules = _ready(play, name, moment.unit, moment.oop, moment.topic)
    if not rules.anybody:
        return []
    state = play.state
    results = _compulsory(play, rules, moment, each) if rules.must != NONE else []
    side, passed = asked_first(play), 0
    while passed < 2:
        if state is not play.state:
            rules, state = ready(play, moment), play.state
        mine = rules.may[side]
        passed += 1
        if mine and (chosen := _optional(play, mine, moment, side)) is not None:
            results.append(_carry_out(play, chosen, moment, side, each))
            passed = 0  # ENDOF-3
            if name == ROLLED and results[-1] is not None:
                break  # the dice change: whoever asked has them looked at anew
        side = 1 - side
    return [result for result in results if result is not None] if results else results


def listened(play: Play, name: str) -> bool:
    """Whether anybody in this game could ever react at a moment."""
    return name in play.game.reactions


@cites("JUST-1")
def asked_first(play: Play) -> int:
    """JUST-1: optional rules are offered to the active player first."""
    return play.state.clock.active


@cites("SEQ-1")
def orders(play: Play) -> int:
    """SEQ-1: the active player picks the order of rules that are resolved at the same moment, whoever's they are."""
    return play.state.clock.active


def _compulsory(play: Play, rules: Ready, moment: Moment, each: Callable[[Play], None] | None) -> list[object]:
    """Carry out what both players must, in the order one of them likes; what an earlier one spoiled is left out."""
    results: list[object] = []
    done: set[Offer] = set()
    first = play.state.clock.active
    while True:
        must = rules.must
        rows = [(side, offer) for side in (first, 1 - first) if must[side] for offer in _open(play, must[side], moment, side)]
        if done:
            rows = [(side, offer) for side, offer in rows if offer not in done]
        if not rows:
            break
        due = [offer for _, offer in rows]
        labels = _labels(play, due)
        chosen = labels[_ask(play, orders(play), ORDER, moment, due, tuple(labels), next(iter(labels)))]
        done.add(chosen)
        results.append(_carry_out(play, chosen, moment, rows[due.index(chosen)][0], each))
        rules = ready(play, moment)
    return results


def _optional(play: Play, rules: Rules, moment: Moment, side: int) -> Offer | None:
    """Offer a player what is legal and can be paid now; silence if nothing is."""
    offers = _open(play, rules, moment, side)
    if not offers:
        return None
    labels, default = _labels(play, offers), PASS
    for label, (rule, use) in labels.items():
        if rule.default and use.wanted:
            default = label
            break
    answer = _ask(play, side, REACT, moment, offers, (*labels, PASS), default)
    return None if answer == PASS else labels[answer]


def _ask(play: Play, side: int, kind: str, moment: Moment, offers: list[Offer], options: tuple[str, ...], default: str) -> str:
    """Ask a player. What the request says about each option stands in their order; policies go by the reactions' names."""
    first, about = offers[0]
    names, units, costs = [], [], []
    for rule, use in offers:
        names.append(rule.name)
        units.append(use.unit)
        costs.append(use.cost)
    facts: tuple[tuple[str, Fact], ...] = (
        ("moment", moment.name),
        ("unit", moment.unit),
        ("reactions", tuple(names)),
        ("units", tuple(units)),
        ("costs", tuple(costs)),
    )
    if moment.name == ROLLED:
        facts += tuple((name, value) for name, value in moment.facts if name in SHOWN)
    request = Request(side, kind, first.clause, options, default, about.unit, "", None, facts)
    return str(play.put(request, options))


def _open(play: Play, rules: Rules, moment: Moment, side: int) -> list[Offer]:
    """What a player may use now of what is left to him."""
    rows: list[Offer] = []
    topic = moment.topic
    for rule in rules:
        if topic and topic in rule.short and not fell_short(moment):
            continue
        if topic and topic in rule.made and fell_short(moment):
            continue
        for use in rule.uses(play, moment, side):
            if not _spent(play, rule, use) and payable(play, rule, use, side):
                rows.append((rule, use))
    return rows


def fell_short(moment: Moment) -> bool:
    """Whether the dice of a moment at which some lie on the table do not succeed as they lie."""
    return dict(moment.facts)["short"] is True


class InTime(Struct, frozen=True):
    """For which reactions of each side it is the right moment, turn and phase: those that must be used, and those that may.

    ``known``: what sides of games could use of them, by which of them that are, each a bit, and by what they cost.
    """

    rows: tuple[tuple[int, int, Limited], ...]
    """Each with its bit and its group: those that the first and the second side must use, and those that they may."""
    known: dict[tuple[int, tuple[int, ...]], Timely]


class Timely(Struct, frozen=True):
    """Those of them that the sides of a game could ever use, each with what says if it is left.

    ``ready``: what was found to be left, by the numbers of those that are, each a bit. ``always``: what is, where nothing
    bars any of them and they cost nothing.
    """

    groups: tuple[Rules, Rules, Rules, Rules]
    prices: tuple[Priced, ...]
    ready: dict[int, Ready]
    always: Ready | None


class Ready(Struct, frozen=True):
    """What is left to each side of the reactions it is the right moment for.

    ``dice``: which dice they are about.
    """

    must: tuple[Rules, Rules]
    may: tuple[Rules, Rules]
    anybody: bool
    dice: frozenset[Heeded]


NOBODY = Ready(NONE, NONE, False, NOTHING)


def ready(play: Play, moment: Moment) -> Ready:
    """The reactions at a moment that a player has not used up and could pay for; where there are none nobody is asked."""
    return _ready(play, moment.name, moment.unit, moment.oop, moment.topic)


def at_dice(play: Play, unit: int, topic: str, clauses: tuple[str, ...]) -> tuple[bool, bool]:
    """Whether anybody could react to dice of a unit about a topic: to those that fail, and to those that do not.

    Of most rolls not all need then be said, nor a window opened.
    """
    failed = good = False
    for short, made, cited, concerned in _ready(play, ROLLED, unit, False, topic).dice:
        if (failed or made) and (good or short):
            continue  # which somebody else heeds, or nobody could
        if (not cited or cited in clauses) and (concerned is None or concerned(play, unit)):
            failed, good = failed or not made, good or not short
    return failed, good


def _ready(play: Play, name: str, unit: int, oop: bool, topic: str) -> Ready:
    state, game = play.state, play.game
    clock = state.clock
    key = name, oop, topic, game.sides[unit] if unit >= 0 else -1, clock.active, clock.phase
    try:
        timely = game.timely[key]
    except KeyError:
        timely = _timely(play, Moment(name, unit, oop=oop, topic=topic), key)
    if timely.always is not None:
        return timely.always
    known, left = game.purses, 0
    purses = known[1] if known[0] is state.sides else game.players(state)
    for bit, side, once, pay, least in timely.prices:
        marks = purses[side]
        if once not in marks and (not least or int(marks.get(pay, 0)) >= least):  # JUST-3
            left |= bit
    return timely.ready.get(left) or _of_these(timely, left, topic)


def _of_these(timely: Timely, left: int, topic: str) -> Ready:
    """What is ready of reactions, if these are left of them; kept."""
    found = timely.ready[left] = _left_of(timely.groups, left, topic)
    return found


def _left_of(groups: tuple[Rules, Rules, Rules, Rules], left: int, topic: str) -> Ready:
    """What is ready of groups of reactions, if these are left of them."""
    number = count()
    rules = [tuple([rule for rule in group if left >> next(number) & 1]) for group in groups]
    rows = [rule for group in rules for rule in group]
    dice = frozenset([(topic in rule.short, topic in rule.made, rule.cited, rule.concerned) for rule in rows])
    return Ready((rules[0], rules[1]), (rules[2], rules[3]), bool(left), dice)


def _timely(play: Play, moment: Moment, key: Timing) -> Timely:
    """The reactions of this game for which it is the right moment, turn and phase, whatever else they ask for."""
    listening, game = play.game.listening, play.game
    game.timely = listening.timely
    known = game.timely.get(key)
    if known is not None:
        return known
    every = listening.every.timely.get(key)
    if every is None:
        every = listening.every.timely[key] = _all_in_time(play, moment)
    there, costs = 0, []
    for bit, group, (rule, _) in every.rows:
        if id(rule) not in game.absent[group % 2]:
            there |= bit
            costs.append(0 if rule.least is None else rule.least(game, group % 2))
    usable = there, tuple(costs)
    found = every.known.get(usable)
    if found is None:
        found = every.known[usable] = _usable(every, there, costs, moment.topic)
    listening.timely[key] = found
    return found


def _usable(every: InTime, there: int, costs: list[int], topic: str) -> Timely:
    """What games have of reactions in which these could be used, at these costs."""
    rows = [(group, rule, once) for bit, group, (rule, once) in every.rows if there & bit]
    first, second, third, fourth = [tuple([rule for at, rule, _ in rows if at == group]) for group in range(4)]
    groups = first, second, third, fourth
    prices = [
        (1 << number, group % 2, once, rule.pay, cost)
        for number, ((group, rule, once), cost) in enumerate(zip(rows, costs, strict=True))
    ]
    barred = any(once or cost for _, _, once, _, cost in prices)
    always = None if barred else _left_of(groups, (1 << len(rows)) - 1, topic) if rows else NOBODY
    return Timely(groups, tuple(prices), {}, always)


def _all_in_time(play: Play, moment: Moment) -> InTime:
    """All reactions there could be at a moment."""
    kinds = (True, 0), (True, 1), (False, 0), (False, 1)
    rows = [(group, row) for group, (must, side) in enumerate(kinds) for row in _in_time(play, moment, side, must=must)]
    return InTime(tuple([(1 << number, group, row) for number, (group, row) in enumerate(rows)]), {})


def _in_time(play: Play, moment: Moment, side: int, *, must: bool) -> list[Limited]:
    """Those of a side, with the mark of their player that bars each."""
    clock, turns = play.state.clock, play.game.edition.turns
    phase = turns.phase(clock) if turns else clock.phase
    closed = bool(turns and turns.closes(clock)) and too_late(play, moment)
    own, by = clock.active == side, _acting(play, moment, side)
    mine = [rule for rule in play.game.listening.every.reactions[moment.name] if rule.must == must]
    mine = [rule for rule in mine if rule.by in (EITHER, by) and (not rule.topics or moment.topic in rule.topics)]
    found = [rule for rule in mine if timely(rule, moment, own, phase, by) and not (rule.phases and closed)]
    return [(rule, rule.mark if rule.limit is not None and rule.limit.of == SIDE else "") for rule in found]


def _acting(play: Play, moment: Moment, side: int) -> str:
    """Whose unit a moment is of, as a player sees it."""
    if moment.unit < 0:
        return EITHER
    return OWN if play.game.sides[moment.unit] == side else ENEMY


@cites("ENDOF-2")
def too_late(play: Play, moment: Moment) -> bool:
    """ENDOF-2: at the end of a phase no rule that works during it can be used any more."""
    turns = play.game.edition.turns
    return turns is not None and turns.closes(play.state.clock) != moment.name


@cites("OOP-2")
def timely(rule: Reaction, moment: Moment, own: bool, phase: str, by: str) -> bool:
    """OOP-2: a rule that names a phase or a turn goes by the real one; who acts out of phase uses no other rule of it.

    Nor is that a moment for rules of a player's own phase; whoever it is done to may react as to anything else in the phase.
    """
    if (rule.whose == OWN and not own) or (rule.whose == ENEMY and own):
        return False
    barred = moment.oop and (by != ENEMY or rule.whose == OWN)
    return not rule.phases or (not barred and phase in rule.phases)


def _spent(play: Play, rule: Reaction, use: Use) -> bool:
    if rule.limit is None or rule.limit.of == SIDE:
        return False
    if rule.limit.of == UNIT:
        return play.state.units[use.unit].mark(rule.mark) is not None
    return play.state.model_mark(use.slot, rule.mark) is not None


@cites("JUST-3")
def payable(play: Play, rule: Reaction, use: Use, side: int) -> bool:
    """JUST-3: nobody is asked about what they cannot pay for."""
    return not use.cost or purse(play, side, rule.pay) >= use.cost


def purse(play: Play, side: int, name: str) -> int:
    """What a player has left of something that is paid with."""
    return int(play.state.side_mark(side, name) or 0) if name else 0


def _carry_out(play: Play, offer: Offer, moment: Moment, side: int, each: Callable[[Play], None] | None) -> object:
    """Pay, note the limit, and let it happen; windows inside open on top of this one."""
    rule, use = offer
    patches: list[Patch] = []
    if rule.bargain is not None:
        use = rule.bargain(play, use)
    if use.cost:
        patches.append(SideMarked(side, rule.pay, purse(play, side, rule.pay) - use.cost))
    if rule.limit is not None:
        patches.append(_limited(rule, rule.limit, use, side))
    play.emit(rule.kind, (rule.clause,), *patches, reaction=rule.name, unit=use.unit, target=use.target, side=side)
    held = play.acting, play.rolled_by, play.receiver
    if use.cost and rule.labels:
        window(play, Moment(PAID, use.unit, facts=(("labels", rule.labels), ("side", side), ("reaction", rule.name))))
    result = rule.effect(play, moment, use)
    play.acting, play.rolled_by, play.receiver = held
    if each is not None:
        each(play)
    return result


def _limited(rule: Reaction, limit: Limit, use: Use, side: int) -> Patch:
    if limit.of == SIDE:
        return SideMarked(side, rule.mark, limit.until)
    if limit.of == UNIT:
        return Marked(use.unit, rule.mark, limit.until)
    return ModelMarked(use.slot, rule.mark, limit.until)


def _labels(play: Play, offers: list[Offer]) -> dict[str, Offer]:
    """What players read for each offer; `ValueError` where two read alike, which is a fault of the edition."""
    labels = {_label(play, rule, use): (rule, use) for rule, use in offers}
    if len(labels) != len(offers):
        raise ValueError(f"{play.game.edition.id}: two uses of a reaction read alike: {', '.join(labels)}")
    return labels


def _label(play: Play, rule: Reaction, use: Use) -> str:
    found, game = rule.name, play.game
    if use.slot >= 0:
        found += f" {game.models[use.slot].id}"
    elif use.unit >= 0:
        found += f" {game.names[use.unit]}"
    if use.target >= 0:
        found += f" {game.names[use.target]}"
    return f"{found} {use.variant}" if use.variant else found


class Every(Struct, frozen=True):
    """All reactions there could be in games in which the same special rules are carried, by moment, whoever has them.

    ``prices``: what they are paid from, and what says what they cost at least. ``present``: what says if a side could ever use
    some of them, and those, by identity. Each once. ``timely``: those it is the time for, by the moment. ``listening``: of
    games, by who lacks which of them and by what they cost.
    """

    reactions: Mapping[str, Rules]
    prices: tuple[tuple[str, Callable[[Game, int], int]], ...]
    present: tuple[tuple[Callable[[Game, int], bool], frozenset[int]], ...]
    timely: dict[Timing, InTime]
    listening: dict[object, Listening]


class Listening(Struct, frozen=True):
    """Who may react at which moment in games in which the same reactions are there for the same prices.

    ``every``: all reactions there could be, whoever has them. ``timely``: those it is the time for, by the moment.
    """

    reactions: Mapping[str, Rules]
    every: Every
    timely: dict[Timing, Timely]


_listenings: IdentityCache[Edition, dict[tuple[int, ...], Every]] = IdentityCache()
_lending: IdentityCache[Edition, list[tuple[str, Rules]]] = IdentityCache()
"""The special rules of an edition that have reactions, and those."""


def listeners(game: Game) -> Listening:
    """The reactions of a game by moment: the edition's, and those of special rules somebody in it carries."""
    every = _every(game)
    key = *game.absent, *[least(game, side) for _, least in every.prices for side in (0, 1)]
    found = every.listening.get(key)
    if found is None:
        found = every.listening[key] = _listeners(game, every)
    return found


def _every(game: Game) -> Every:
    """All reactions there could be in a game."""
    known = _listenings.get(game.edition) or _listenings.put(game.edition, {})
    carried = tuple(_carried(game))
    key = tuple(map(id, carried))
    found = known.get(key)
    if found is None:
        found = known[key] = _read(game.edition, carried)
    return found


def _read(edition: Edition, carried: Rules) -> Every:
    """The reactions of an edition and those of special rules that are carried."""
    table: dict[str, list[Reaction]] = {}
    prices: dict[tuple[str, Callable[[Game, int], int]], None] = {}
    present: dict[int, tuple[Callable[[Game, int], bool], list[int]]] = {}
    for rule in (*edition.reactions, *carried):
        for name in sorted(rule.at):
            table.setdefault(name, []).append(rule)
        if rule.least is not None:
            prices[rule.pay, rule.least] = None
        if rule.present is not None:
            present.setdefault(id(rule.present), (rule.present, []))[1].append(id(rule))
    rows = tuple([(asks, frozenset(rules)) for asks, rules in present.values()])
    return Every({name: tuple(rules) for name, rules in table.items()}, tuple(prices), rows, {}, {})


def _listeners(game: Game, every: Every) -> Listening:
    nobody = game.absent[0] & game.absent[1]
    there = {name: tuple([rule for rule in rules if id(rule) not in nobody]) for name, rules in every.reactions.items()}
    return Listening({name: rules for name, rules in there.items() if rules}, every, {})


def absences(game: Game) -> tuple[frozenset[int], frozenset[int]]:
    """The reactions each side could never use in a game, by identity."""
    asked = _every(game).present
    none = [frozenset[int]().union(*[rules for present, rules in asked if not present(game, side)]) for side in (0, 1)]
    return none[0], none[1]


def _carried(game: Game) -> Iterable[Reaction]:
    """The reactions of special rules somebody in a game carries, and those it brings itself."""
    if game.edition.brought is not None:
        yield from game.edition.brought(game)
    lending = _lending.get(game.edition)
    if lending is None:
        specials = game.edition.specials.items()
        lending = _lending.put(game.edition, [(name, special.reactions) for name, special in specials if special.reactions])
    if not lending:
        return
    names = {rule.name for card in game.cards for rule in card.rules}
    names |= {rule.name for model in game.models for rule in model.rules}
    names |= {rule.name for model in game.models for weapon in model.weapons for rule in weapon.rules}
    for name, reactions in lending:
        if name in names:
            yield from reactions


def declined(request: Request, refused: frozenset[str]) -> bool:
    """Whether a player who passes in advance on some reactions (or moments), by their names, passes on this request."""
    if request.kind != REACT:
        return False
    facts = dict(request.facts)
    offered = facts["reactions"]
    assert isinstance(offered, tuple)
    return facts["moment"] in refused or all(name in refused for name in offered)
