"""A play: one step of a game under way. Rule code emits events and asks; everything it needs hangs on the play."""

from __future__ import annotations

import struct
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import replace

from rolloff.errors import BadInput, IllegalCommand
from rolloff.geometry.field import Scene
from rolloff.oracle.dice import DiceSource, SeededDice
from rolloff.oracle.flow import Fork, Side
from rolloff.oracle.offers import Again, Offer, Treat
from rolloff.oracle.oracle import Oracle
from rolloff.oracle.roll import Dice, Lying, Roll
from rolloff.oracle.roller import Lines, Roller, none_ready, shown_by
from rolloff.oracle.stage import Change, Stage
from rolloff.rules.game import Game, gaps_in
from rolloff.rules.windows import ROLLED, Moment, at_dice, window
from rolloff.table.event import Event, Fact, Patch, Ticked, patched_by
from rolloff.table.request import Later, Option, Request, Talk
from rolloff.table.state import Clock, State

if TYPE_CHECKING:
    from rolloff.geometry.place import Standing
    from rolloff.rules.attack import ResolvedAttack

A = TypeVar("A")
SIDES = ("A", "B")
OVER = "over"
CONCEDED = "conceded"
"""The clock's mark that names the side which gave the game up."""
TALK = "talk"
"""The kind under which a step remembers what was said instead of an answer."""

FIRER = Side.FIRER
NO_POLICIES: Mapping[str, str] = {}
NOTHING_KEPT: Mapping[tuple[int, str, str], bool] = {}


class Stopped(BaseException):
    """The game has ended in the middle of a step; no error, and rules must not swallow it."""


class Play:
    """One step: the state as it becomes, the events so far, the answers taken, and the dice."""

    __slots__ = (
        "_bystanders",
        "_dice",
        "_said",
        "_said_by",
        "_said_in",
        "_said_to",
        "_scene",
        "_scene_of",
        "acting",
        "afterwards",
        "alone",
        "answers",
        "asked",
        "deadly",
        "events",
        "game",
        "kept_to",
        "logged",
        "looked_at",
        "measured",
        "oracle",
        "policies",
        "receiver",
        "rolled_by",
        "state",
        "trails",
        "unsettled",
        "watch",
        "when",
    )  # every one is set from the start: to read it from the class instead takes Python far longer

    game: Game
    state: State
    oracle: Oracle
    events: list[Event]
    trails: dict[int, tuple[Change, ...]]
    """By the number of a roll's event: how its need came about."""
    answers: list[tuple[Request, object]]
    when: list[int]
    """How many events had happened before each answer."""
    logged: bool
    asked: int
    alone: bool
    """A strict oracle is being asked although one option is left."""
    rolled_by: int
    receiver: int
    acting: int
    unsettled: tuple[int, ...]
    """Models that fell to attacks under way and are there until their losses are settled."""
    deadly: bool
    """Whether what the dice on the table are about could destroy whoever bears it."""
    watch: Callable[[ResolvedAttack], None] | None
    """Gets every attack as it was resolved."""
    policies: Mapping[str, str]
    """What odds are asked under, where play would ask."""
    kept_to: Mapping[tuple[int, str, str], bool]
    """What was answered to offers that last as long as an attack: by who rolls, the roll and the offer."""
    measured: dict[object, Any]
    """What was measured while everybody stands as now."""
    afterwards: list[Callable[[Play], None]] | None
    """What waits until the attacks a unit is making are resolved; None while nobody makes any."""
    looked_at: object
    """What rules looked at last in this step and may look at again, as long as its state is the same."""
    _dice: Dice | None
    _bystanders: tuple[Standing, ...]
    _scene: Scene
    """The moment as geometry saw it in the state ``_scene_of``; there is none before that."""
    _scene_of: State | None
    _said: dict[tuple[object, ...], Any]
    _said_in: State | None
    _said_by: int
    _said_to: int

    def __init__(self, game: Game, state: State, oracle: Oracle, dice: Dice | None = None) -> None:
        """Begin at a state; nothing outside changes until the step is done.

        With ``dice`` of another's nobody reads a log: ``logged`` is false, and what only a log needs need not be known.
        """
        self._begin(game, state, oracle, dice)

    def _begin(self, game: Game, state: State, oracle: Oracle, dice: Dice | None) -> None:
        """Everything about a play from its start on."""
        self.game = game
        self.state = state
        self.oracle = oracle
        self.events = []
        self.trails = {}
        self.answers = []
        self.when = []
        self.logged = dice is None
        self.asked = 0
        self.alone = self.deadly = False
        self.rolled_by = self.receiver = self.acting = -1
        self.watch = None
        self.policies = NO_POLICIES
        self.kept_to = NOTHING_KEPT
        self.measured = {}
        self.afterwards = self.looked_at = None
        self._dice = dice
        self._bystanders = self.unsettled = ()
        self._scene_of = self._said_in = None

    @property
    def dice(self) -> Dice:
        """The dice; real ones are taken up when they are needed."""
        found = self._dice
        if found is None:
            found = self._dice = self._roller(self.oracle.dice)
        return found

    @dice.setter
    def dice(self, dice: Dice) -> None:
        self._dice = dice

    @property
    def scene(self) -> Scene:
        """The moment as geometry sees it."""
        if self._scene_of is self.state:
            return self._scene
        state = self.state
        scene, self.measured = self.game.measured(state)
        if self._bystanders:
            scene, self.measured = self._beside(scene), {}
        self._scene, self._scene_of = scene, state
        return scene

    @property
    def bystanders(self) -> tuple[Standing, ...]:
        """Models that belong to no unit any more but stand in the way of moves until they are removed."""
        return self._bystanders

    @bystanders.setter
    def bystanders(self, models: tuple[Standing, ...]) -> None:
        self._bystanders, self._scene_of = models, None

    def _beside(self, scene: Scene) -> Scene:
        """The scene with the bystanders: those of each side are as a unit of their own, numbered after all others."""
        from rolloff.geometry.place import with_standing  # where it is used: odds set nobody down

        owner = bytearray(scene.owner)
        for slot, _, _ in self._bystanders:
            struct.pack_into("<h", owner, 2 * slot, len(scene.sides) + self.game.card_of[slot].side)
        return replace(with_standing(scene, self._bystanders), owner=bytes(owner))

    def gaps_from(self, unit: int) -> list[float]:
        """The gap of a unit to each unit, by number; infinite to whom has nobody on the table."""
        scene = self.scene
        found: list[float] | None = self.measured.get(unit)
        return gaps_in(scene, self.measured, unit) if found is None else found

    def aside(self) -> Callable[[], Play]:
        """A way to expect the state as it is now, later and apart from what happens here meanwhile."""
        game, state, oracle = self.game, self.state, self.oracle
        return lambda: Play(game, state, oracle)

    def emit(self, kind: str, clauses: tuple[str, ...], /, *patches: Patch, **facts: Fact) -> None:
        """Something happens: write it down and let it change the state.

        What is no fact goes by place alone: Python looks for a fact's name among all names that are no facts.

        Raises:
            ValueError: the edition has not declared such events, which is a fault of the edition.
        """
        game = self.game
        if kind not in game.edition.kinds:
            raise _undeclared(game.edition.id, kind)
        if patches:
            census, known = game.census, self.state.units
            after = self.state = patched_by(self.state, patches)
            if census.units is known and after.units is not known:
                census.follow(after.units, patches)
        self.events.append(Event(kind, clauses, patches, tuple(facts.items())))

    def happen(self, event: Event) -> None:
        """The same for an event that was made beforehand."""
        if event.kind not in self.game.edition.kinds:
            raise _undeclared(self.game.edition.id, event.kind)
        self.state = patched_by(self.state, event.patches)
        self.events.append(event)

    def log_roll(self, roll: Roll) -> None:
        """Dice were rolled: write them down, and how their need came about."""
        if roll.audit:
            self.trails[len(self.events)] = roll.audit
        self.events.append(_rolled(roll, self._rolls(roll.purpose)))

    def _roller(self, source: DiceSource) -> Roller:
        """Real dice, with somebody to ask about them."""
        if ROLLED not in self.game.reactions:
            return Roller(source.faces, self.log_roll, offered=self._offered, forked=self._forked)
        return Roller(
            source.faces,
            self.log_roll,
            offered=self._offered,
            lying=self._react_to_dice,
            forked=self._forked,
            heeded=self._heeds,
            quietly=self._quietly,
            moment=self._moment,
            ready=source.left if isinstance(source, SeededDice) else none_ready,
        )

    def _rolls(self, label: str) -> int:
        """The unit that rolls the dice of a label."""
        if label not in self.game.edition.defender_rolls:
            return self.rolled_by
        dice = self._dice
        return self.rolled_by if isinstance(dice, Roller) and dice.bearer is FIRER else self.receiver

    def _offered(self, label: str, offer: Offer[object], dice: int) -> bool:
        """Ask whoever rolls whether an offer of a table is taken."""
        unit = self._rolls(label)
        key = unit, label, offer.name
        if offer.lasting and key in self.kept_to:
            return self.kept_to[key]
        side = self.game.side_of(unit) if unit >= 0 else self.state.clock.active
        given = (True, False)
        answer = self.choose(
            side, "yes-no", offer.clause, given, offer.default, unit, offer.point, purpose=label, offer=offer.name, dice=dice
        )
        if offer.lasting:
            self.kept_to = {**self.kept_to, key: bool(answer)}
        return bool(answer)

    def _forked(self, fork: Fork, attacks: int) -> str:
        """Ask whoever rolls which way attacks go on."""
        unit, options = self.rolled_by, tuple(option for option, _ in fork.flows)
        side = self.game.side_of(unit) if unit >= 0 else self.state.clock.active
        answer = self.choose(side, "choose-option", fork.clause, options, fork.default, unit, fork.point, hits=attacks)
        return str(answer)

    def _heeds(self, stage: Stage[Any], at: int) -> bool:
        """Whether anybody could react to dice that read an entry of a table."""
        failed, good = self._heeds_dice(stage.label, stage.known_by)
        return good if stage.good[at] else failed

    def _moment(self) -> dict[tuple[object, ...], Any]:
        """What `_quietly` and `_heeded` know by dice and units that roll: the same thing again as long as nothing happens."""
        if self._said_in is not self.state or self._said_by != self.rolled_by or self._said_to != self.receiver:
            self._said_in, self._said_by, self._said_to, self._said = self.state, self.rolled_by, self.receiver, {}
        return self._said

    def _quietly(self, stage: Stage[Any]) -> Lines:
        """How single dice of a table are written down to which nobody could react, as things stand.

        As `_heeds` and `log_roll` would together: most dice of a game come here.
        """
        label, unit = stage.label, self.rolled_by
        if label in self.game.edition.defender_rolls:
            unit = self._rolls(label)
        said, key = self._moment(), (id(stage), unit)
        known: tuple[Lines, Stage[Any]] | None = said.get(key)
        if known is not None:
            return known[0]
        failed, good = self._heeded(said, unit, label, stage.known_by)
        lines: Lines = _spoken(stage, unit, failed, good), self.events, self.trails
        said[key] = lines, stage
        return lines

    def _heeds_dice(self, label: str, clauses: tuple[str, ...]) -> tuple[bool, bool]:
        """Whether anybody could react to dice of a label that fail, and to those that do not."""
        return self._heeded(self._moment(), self._rolls(label), label, clauses)

    def _heeded(
        self, said: dict[tuple[object, ...], Any], unit: int, label: str, clauses: tuple[str, ...]
    ) -> tuple[bool, bool]:
        """The same of a unit that rolls them, asked once in a moment."""
        key = unit, label, clauses
        found: tuple[bool, bool] | None = said.get(key)
        if found is None:
            found = said[key] = at_dice(self, unit, label, clauses)
        return found

    def _react_to_dice(self, lying: Lying) -> Sequence[Again | Treat]:
        """The moment at which dice lie on the table and are not read yet."""
        if not self._heeds_dice(lying.purpose, lying.clauses)[not lying.short]:
            return ()
        facts = (
            ("purpose", lying.purpose),
            ("need", lying.need),
            ("faces", lying.faces),
            ("again", lying.again),
            ("clauses", lying.clauses),
            ("short", lying.short),
        )
        found = window(self, Moment(ROLLED, self._rolls(lying.purpose), facts=facts, topic=lying.purpose))
        if not found:
            return ()
        changes = [one for result in found for one in (result if isinstance(result, tuple) else (result,))]
        return [change for change in changes if isinstance(change, Again | Treat)]

    def unrolled(self, topic: str, *clauses: str) -> None:
        """The moment after a roll that could not succeed, and for which no die was rolled."""
        if ROLLED in self.game.reactions:
            self._react_to_dice(Lying(topic, None, (), clauses=clauses, short=True))

    # the four ways in which rules are made of steps; a `QuietPlay` answers with their laws instead

    def run(self, step: Callable[..., A], *args: Hashable, about: tuple[int, ...] = ()) -> A:
        """Carry out `step(play, *args)`: only the state it leaves and what it returns matter later.

        A step ``about`` some units reads and changes nothing but them.
        """
        return step(self, *args)

    def through(self, step: Callable[..., A], items: Iterable[Hashable], carry: A, *fixed: Hashable) -> A:
        """Carry out `carry = step(play, item, carry, *fixed)` for one item after the other."""
        for item in items:
            carry = step(self, item, carry, *fixed)
        return carry

    def until(self, step: Callable[..., A], carry: A, over: Callable[[A], bool], *fixed: Hashable) -> A:
        """Carry out `carry = step(play, carry, *fixed)` again and again until it is over."""
        while not over(carry):
            carry = step(self, carry, *fixed)
        return carry

    def once(self, reading: Callable[..., A], *args: Hashable) -> A:
        """What `reading(play, *args)` reads off the state: no dice, and where it asks, the same answer whenever it is read."""
        return reading(self, *args)

    def tick(self, clock: Clock, kind: str, *clauses: str, **facts: Fact) -> None:
        """Set the clock: what comes next."""
        self.emit(kind, clauses, Ticked(clock), **facts)

    def ask(self, request: Request, judge: Callable[[object], A]) -> A:
        """Put a question without fixed options; the judge turns the answer into facts or refuses it."""
        self.asked += 1
        return self._settle(request, judge, self.oracle.chooser.choose(request, self))

    def _settle(self, request: Request, judge: Callable[[object], A], answer: object) -> A:
        """What the judge makes of an answer, or of the one after it where it was refused or was none."""
        chooser = self.oracle.chooser
        while True:
            if type(answer) is Talk:  # most answers are none, and `isinstance` is slow to say so
                self.talk(answer)
            else:
                try:
                    found = judge(answer)
                except IllegalCommand as error:
                    if not chooser.refused(request, answer, error):
                        raise
                else:
                    self.take(request, answer, found)
                    return found
            answer = chooser.choose(request, self)

    def take(self, request: Request, answer: object, found: object) -> None:
        """An answer is taken, of which the judge has found something: remember it."""
        self.answers.append((request, answer))
        self.when.append(len(self.events))

    def talk(self, talk: Talk) -> None:
        """What was said instead of an answer happens here, in the middle of the step; who concedes ends it."""
        self.answers.append((Request(talk.who, TALK, "", None, None), talk))
        self.when.append(len(self.events))
        dicing, alone, dice = (self.rolled_by, self.receiver), self.alone, self.dice
        self.dice = self._dice_of_talk()
        talk_of(self.game, talk.name)(self, talk.said)
        (self.rolled_by, self.receiver), self.alone, self.dice = dicing, alone, dice
        if self.state.clock.phase == OVER:
            raise Stopped

    def _dice_of_talk(self) -> Roller:
        """Dice for what is said, from a stream of their own: nobody may use up a die of the game by talking."""
        source: DiceSource = self.oracle.dice
        if isinstance(source, SeededDice):
            source = source.apart("talk", source.drawn, len(self.answers), self.state.digest())
        return self._roller(source)

    def choose(
        self,
        who: int,
        kind: str,
        clause: str,
        options: tuple[Option, ...],
        default: Option | Later,
        /,
        about: int = -1,
        point: str = "",
        order: object = None,
        why: Callable[[object], IllegalCommand | None] | None = None,
        **facts: Fact,
    ) -> Option:
        """Put a question with options; a single option is taken without asking. ``why`` explains what is not offered."""
        if len(options) == 1 and not (self.oracle.strict or self.game.edition.asks_single):
            return options[0]
        return self.put(Request(who, kind, clause, options, default, about, point, order, tuple(facts.items())), options, why)

    def put(
        self,
        request: Request,
        options: tuple[Option, ...],
        why: Callable[[object], IllegalCommand | None] | None = None,
    ) -> Option:
        """The same for a request that was made beforehand, with its options."""
        if len(options) == 1 and not self.game.edition.asks_single:
            if not self.oracle.strict:
                return options[0]
            self.alone = True
        self.asked += 1
        answer = self.oracle.chooser.choose(request, self)
        if type(answer) is str and answer in options:  # as most are; only a word is equal to a word
            self.take(request, answer, answer)
            found: Option = answer
        else:
            found = self._settle(request, partial(_offered, options, request.clause, why), answer)
        self.alone = False
        return found


def _offered(
    options: tuple[Option, ...], clause: str, why: Callable[[object], IllegalCommand | None] | None, answer: object
) -> Option:
    """The option an answer is; `IllegalCommand` if it is none."""
    for option in options:
        if option is answer or (option == answer and type(option) is type(answer)):
            return option
    plain = IllegalCommand("not-offered", clause, f"{_shown(answer)} is not among what is offered", _plain(answer))
    raise (why(answer) if why else None) or plain


@lru_cache(maxsize=4096)
def _rolled(roll: Roll, unit: int) -> Event:
    """What happens when a unit rolls dice; kept, since most are single dice of which there are few."""
    facts: tuple[tuple[str, Fact], ...] = (
        ("purpose", roll.purpose),
        ("unit", unit),
        ("need", roll.need),
        ("faces", roll.faces),
        ("rerolls", roll.rerolls),
        ("successes", roll.successes),
    )
    if roll.sides != 6:
        facts += (("sides", roll.sides),)
    if roll.treated:
        facts += (("treated", roll.treated),)
    return Event("rolled", roll.clauses, (), facts)


class Spoken(dict[int, Event | None]):
    """What happens when a unit rolls a single die of a table, by its face; nothing yet where somebody could react."""

    def __init__(self, stage: Stage[Any], unit: int, failed: bool, good: bool) -> None:
        """Of dice of a unit: whether somebody could react to those that fail, and to those that do not."""
        self.stage, self.unit, self.heeded = stage, unit, (failed, good)

    def __missing__(self, face: int) -> Event | None:
        """See once what it is."""
        stage, found = self.stage, None
        if not self.heeded[stage.good[face - 1]]:
            found = _rolled(stage.shown.get(face) or shown_by(stage, face), self.unit)
        self[face] = found
        return found


_spoken = lru_cache(maxsize=4096)(Spoken)
"""The same again for equal tables: how their needs came about is no part of what happens."""


def _undeclared(edition: str, kind: str) -> ValueError:
    """The fault of an edition that writes down what it has no sentence for."""
    said = f"{kind.replace('-', '_')}='{{unit}} ...'"
    return ValueError(f"{edition}: the event {kind!r} is none of its kinds; declare it, as by plain_kinds(CLAUSES, {said})")


def _shown(value: object) -> str:
    """An answer as it was written, for a sentence."""
    return f"[{', '.join(map(_shown, value))}]" if isinstance(value, tuple) else repr(value)


def _plain(value: object) -> object:
    return value if isinstance(value, str | int | float | bool | None) else _shown(value)[:80]


_new_play: Callable[[type[Play]], Play] = object.__new__
"""A play before it has begun: to call a class that has its own beginning takes Python a longer way."""


def play_step(game: Game, state: State, oracle: Oracle, watch: Callable[[ResolvedAttack], None] | None = None) -> Play:
    """Run the step the clock names, to its end; what comes of it is in the play. ``watch`` is told of every attack."""
    play = _new_play(Play)
    play._begin(game, state, oracle, None)
    if watch is not None:
        play.watch = watch
    try:
        game.edition.steps[state.clock.phase](play)
    except Stopped:
        pass
    finally:
        play._dice = None  # which know whom to ask: nothing but its owner holds a play
    return play


def talk_of(game: Game, name: str) -> Callable[[Play, Mapping[str, object]], None]:
    """What players may say at any time, by its name; `BadInput` if the edition does not know it."""
    found = game.edition.talk.get(name)
    if found is None:
        allowed = ", ".join(game.edition.talk) or "nothing"
        raise BadInput("bad-talk", f"{game.edition.name} has no {name!r}", where="do", allowed=allowed)
    return found


def play_talk(game: Game, state: State, oracle: Oracle, name: str, said: Mapping[str, object]) -> Play:
    """What players may do at any time (a dispute, an override, conceding), as the edition knows it."""
    play = Play(game, state, oracle)
    talk_of(game, name)(play, said)
    return play
