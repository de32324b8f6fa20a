"""Windows: who is asked when, what limits and costs do, nesting, and passing in advance."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from rolloff.oracle.oracle import Chooser
from rolloff.record.session import Session
from rolloff.rules.effects import Duration, Effects
from rolloff.rules.game import Game
from rolloff.rules.hooks import Special
from rolloff.rules.play import Play
from rolloff.rules.rows import Ends, Once
from rolloff.rules.turns import Step
from rolloff.rules.windows import ENEMY, MODEL, OWN, SIDE, UNIT, Limit, Moment, Reaction, Use, window
from rolloff.table.event import Event, SideMarked, apply
from rolloff.table.state import State
from tests.rules.drill import TURNS, drill, log, rows, step

EFFECTS = Effects({"end-round": Duration("end-round"), "end-turn": Duration("end-turn")})


def mine(play: Play, moment: Moment, side: int) -> Iterable[Use]:
    """With each unit of the player."""
    return [Use(unit) for unit in play.game.units_of[side]]


def seen(play: Play, moment: Moment, use: Use) -> None:
    """An effect to be seen."""
    play.emit("acted", ("DR-1",), unit=use.unit)


def opens(play: Play) -> None:
    """A row that opens the window of the test."""
    window(play, Moment("shot", 0, (1,)))


def game_of(*reactions: Reaction, units: tuple[int, int] = (1, 1), work: Callable[[Play], None] = opens) -> Game:
    """A game of one row a turn."""
    return drill(rows(TURNS, turn=(Step("shoot", Once((work,))),)), reactions, EFFECTS, units)


def reaction(name: str = "duck", **more: object) -> Reaction:
    """A reaction every unit of either player has."""
    given: dict[str, object] = {"name": name, "at": frozenset({"shot"}), "clause": "DR-1", "uses": mine, "effect": seen}
    return Reaction(**(given | more))  # type: ignore[arg-type]


def questions(play: Play) -> list[tuple[int, str, tuple[object, ...]]]:
    """Who was asked what."""
    return [(request.who, request.kind, request.options or ()) for request, _ in play.answers]


def test_the_active_player_is_asked_first_until_both_pass() -> None:
    """Both are asked in turn; a use opens the question to both again; two passes in succession close the window."""
    game = game_of(reaction(limit=Limit("end-round", UNIT)))
    play = step(game, game.start(), "pass", "duck b1", "duck a1")
    assert [who for who, _, _ in questions(play)] == [0, 1, 0]
    assert log(play.events)[:4] == ["reacted 1", "acted 1", "reacted 0", "acted 0"]
    quiet = step(game, game.start(), "pass", "pass")
    assert [who for who, _, _ in questions(quiet)] == [0, 1] and log(quiet.events) == ["next"]


def test_nobody_who_cannot_react_is_asked() -> None:
    """A moment without listeners, and a player without a use, cost no question and no event."""
    assert not step(game_of(), game_of().start()).answers
    game = game_of(reaction(whose=ENEMY), reaction("own", whose=OWN, uses=lambda play, moment, side: ()))
    assert [who for who, _, _ in questions(step(game, game.start(), "pass"))] == [1]


@pytest.mark.parametrize("of", [SIDE, UNIT, MODEL])
def test_a_limit_holds_until_it_ends(of: str) -> None:
    """Once for its bearer; the mark ends at its boundary by itself and the reaction is back."""

    def with_models(play: Play, moment: Moment, side: int) -> Iterable[Use]:
        return [Use(unit, slot=play.state.units[unit].living[0]) for unit in play.game.units_of[side]]

    game = game_of(reaction(whose=ENEMY, limit=Limit("end-turn", of), uses=with_models), units=(1, 2))
    first = step(game, game.start(), "duck b1.1", "pass")
    left = [options for _, _, options in questions(first)][1:]
    assert left == ([] if of == SIDE else [("duck b2.1", "pass")])
    assert not any(held.marks for held in first.state.units) and first.state.sides == ((), ()) and first.state.models == ()


def test_costs_are_paid_and_end_the_offer() -> None:
    """The announcing event takes the cost from the player's purse; what cannot be paid is not offered."""

    def priced(play: Play, moment: Moment, side: int) -> Iterable[Use]:
        return [Use(play.game.units_of[side][0], cost=2)]

    game = game_of(reaction(uses=priced, pay="cp"))
    rich = apply(game.start(), Event("acted", ("DR-1",), (SideMarked(0, "cp", 3),)))
    play = step(game, rich, "duck a1")
    assert [who for who, _, _ in questions(play)] == [0] and play.state.side_mark(0, "cp") == 1
    assert dict(play.answers[0][0].facts)["costs"] == (2,)


def test_what_is_left_goes_by_the_purse_and_the_limit_of_now() -> None:
    """In one game a dear reaction is offered to who can pay it now, however often others could not, and not once it is used."""

    def priced(play: Play, moment: Moment, side: int) -> Iterable[Use]:
        return [Use(play.game.units_of[side][0], cost=2)]

    game = game_of(reaction(uses=priced, pay="cp", limit=Limit("end-round"), least=lambda game, side: 2))

    def asked(*marks: SideMarked) -> list[int]:
        play = step(game, apply(game.start(), Event("acted", ("DR-1",), marks)), "pass", "pass")
        return [who for who, _, _ in questions(play)]

    for _ in range(2):
        assert asked() == asked(SideMarked(0, "cp", 1)) == []
        assert asked(SideMarked(0, "cp", 2)) == asked(SideMarked(0, "cp", 7), SideMarked(1, "cp", 1)) == [0]
        assert asked(SideMarked(0, "cp", 7), SideMarked(1, "cp", 2)) == [0, 1]
        assert asked(SideMarked(0, "cp", 7), SideMarked(0, "used:duck", "end-round"), SideMarked(1, "cp", 2)) == [1]


def test_compulsory_reactions_come_first_in_the_active_players_order() -> None:
    """What must be done comes before what may be; the active player orders it, whoever's it is; what is spoiled is left out."""

    def once(play: Play, moment: Moment, side: int) -> Iterable[Use]:
        return [] if any(event.kind == "acted" for event in play.events) else [Use(play.game.units_of[side][0])]

    game = game_of(reaction("must", must=True), reaction("may", whose=OWN), reaction("spoiled", must=True, uses=once))
    play = step(game, game.start(), "must a1", "pass")
    asked = [(who, kind, options) for who, kind, options in questions(play)]
    assert asked == [(0, "order", ("must a1", "spoiled a1", "must b1", "spoiled b1")), (0, "react", ("may a1", "pass"))]
    assert [event.fact("reaction") for event in play.events if event.kind == "reacted"] == ["must", "must"]


def test_a_reaction_of_a_phase_does_not_serve_out_of_it() -> None:
    """Rules that name phases serve only in those, never out of phase, and not after the moment that closes the phase."""
    rule = reaction(phases=frozenset({"shoot"}), limit=Limit("end-turn"), whose=OWN)
    assert questions(step(game_of(rule), game_of(rule).start(), "pass"))
    other = drill(rows(TURNS, turn=(Step("move", Once((opens,))),)), (rule,), EFFECTS)
    assert not questions(step(other, other.start()))

    def out_of_phase(play: Play) -> None:
        window(play, Moment("shot", oop=True))

    away = game_of(rule, work=out_of_phase)
    assert not questions(step(away, away.start()))
    ends = Step("end", Ends("end-shoot", last=opens), "shoot")
    late = drill(
        rows(TURNS, turn=(ends,)), (rule, reaction("end", at=frozenset({"end-shoot"}), whose=OWN, limit=Limit("end-turn")))
    )
    assert [options for _, _, options in questions(step(late, late.start(), "pass"))] == [("end a1", "pass")]


def test_windows_nest_and_replay_answer_by_answer() -> None:
    """An effect may open a window of its own, finished before the outer goes on; a session answers one at a time."""

    def shoots_back(play: Play, moment: Moment, use: Use) -> None:
        play.emit("acted", ("DR-1",), unit=use.unit)
        window(play, Moment("shot", use.unit))

    game = game_of(reaction(effect=shoots_back, limit=Limit("end-turn", UNIT)), units=(2, 1))
    answers = ["duck a2", "pass", "duck b1", "duck a1"]
    whole = step(game, game.start(), *answers)
    assert log(whole.events)[:6] == ["reacted 1", "acted 1", "reacted 2", "acted 2", "reacted 0", "acted 0"]
    session, report = Session(game, b"drill", (None, None)), []
    report += session.advance()
    for answer in answers:
        report += session.answer(answer)
    assert report[: len(whole.events)] == whole.events
    assert (whole.state.clock.active, whole.state.units) == (1, session.state.units)


def test_results_come_back_and_each_runs_after_every_effect() -> None:
    """What effects return is handed to whoever opened the window; dice are rolled for whom they were before."""
    found: list[object] = []

    def counts(play: Play) -> None:
        found.append(play.rolled_by)

    def work(play: Play) -> None:
        play.rolled_by = 0
        found.append(window(play, Moment("shot"), counts))

    def effect(play: Play, moment: Moment, use: Use) -> int:
        play.rolled_by = 1
        return use.unit

    game = game_of(reaction(effect=effect, limit=Limit("end-turn", UNIT)), work=work)
    step(game, game.start(), "duck a1", "duck b1")
    assert found == [0, 0, [0, 1]]


def test_a_reaction_of_a_special_rule_needs_somebody_who_has_it() -> None:
    """A special rule brings its reaction into games in which a card carries the rule, and into no other."""
    from msgspec.structs import replace

    from rolloff.table.profile import Rule

    class Ducking(Special):
        reactions = (reaction("special", limit=Limit("end-turn")),)

    plain = game_of()
    edition = replace(plain.edition, specials={"Ducking": Ducking("DR-1")}, moments=("shot",))
    assert Game(edition, plain.setup).reactions == {}
    cards = (replace(plain.cards[0], rules=(Rule("Ducking"),)), plain.cards[1])
    assert list(Game(edition, replace(plain.setup, cards=cards)).reactions) == ["shot"]


def test_two_uses_that_read_alike_are_a_fault() -> None:
    """Labels are what players choose by, so they must differ."""
    game = game_of(reaction(uses=lambda play, moment, side: [Use(0), Use(0)]))
    with pytest.raises(ValueError, match="read alike"):
        step(game, game.start())


@pytest.mark.parametrize("name", ["duck", "shot"])
def test_passing_in_advance_belongs_to_the_seat(name: str) -> None:
    """A person who declines a reaction (or a moment) beforehand is not asked; the pass is taped; it can be changed."""
    seats: tuple[Chooser | None, ...] = (None, None)
    game = game_of(reaction(limit=Limit("end-turn", UNIT)))
    taped: list[object] = []

    def tape(play: Play, before: State) -> None:
        taped.extend(answer for _, answer in play.answers)

    session = Session(game, b"drill", seats, tape)
    session.advance()
    session.decline(1, frozenset({name}))
    session.answer("pass")
    assert taped == ["pass", "pass"] and session.state.clock.active == 1
    assert session.request is not None and session.request.who == 0
    session.decline(1, frozenset())
    session.answer("pass")
    assert len(taped) == 4 and session.state.clock.round == 2
    session.answer("pass")
    assert len(taped) == 4 and session.request.who == 1
