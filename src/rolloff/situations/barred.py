"""Why a reaction that a case names cannot be used: it is ruled on again without what bars such uses, one thing at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from rolloff.errors import BadInput, DiceError, IllegalCommand
from rolloff.rules.game import Game
from rolloff.rules.windows import REACT, Reaction
from rolloff.situations.caller import WRONG_KIND, one_by_one
from rolloff.situations.forms import AnswerForm, CaseForm, MarkList, Side, SideForm

if TYPE_CHECKING:
    from rolloff.situations.ruling import Ruling

RICH = 99
"""More points than anything costs."""
NOT_ASKED, NOT_OFFERED = "nothing-asked", "not-offered"
"""The codes of refusals: nothing asks for an answer, or what asks for one of its kind is about others."""
SIDES: tuple[Side, Side] = "A", "B"
Rule = Callable[[CaseForm], "Ruling"]


class Bar(Struct, frozen=True):
    """One thing that may bar a reaction: the case without it, the refusal that is, and which answer then is the reaction."""

    lifted: CaseForm
    at: int
    refusal: IllegalCommand


def explained(game: Game, case: CaseForm, found: Ruling, rule: Rule) -> Ruling:
    """A ruling that refused a reaction which is paid for, with what barred it: too few points, its limit, a mark of a unit.

    Where none of these alone did, the refusal stands as it is.
    """
    at, refusal, answers = found.answers_used, found.refusal, list(one_by_one(case.answers))
    if refusal is None or refusal.code not in (NOT_ASKED, WRONG_KIND) or at >= len(answers):
        return found
    reaction = named_reaction(game, answers[at])
    if reaction is None or not reaction.pay or reaction.pay != game.edition.situation.purse:
        return found
    bars = _bars(game, replace(case, answers=answers), at, reaction)
    barred = next((bar for bar in bars if bar.lifted != case and _helps(bar, rule)), None)
    return found if barred is None else replace(found, refusal=barred.refusal)


def named_reaction(game: Game, answer: AnswerForm) -> Reaction | None:
    """The reaction, of an edition or brought by the armies of a game, that an answer is to use."""
    said = answer.value if answer.kind == REACT and isinstance(answer.value, str) else ""
    rules = (*game.edition.reactions, *(game.edition.brought(game) if game.edition.brought else ()))
    return next((one for one in rules if said == one.name or said.startswith(f"{one.name} ")), None)


def _bars(game: Game, case: CaseForm, at: int, reaction: Reaction) -> Iterator[Bar]:
    """What may bar a reaction that is the answer at some place; last what might let the other player use it."""
    law, until = game.edition.situation.bars, reaction.limit.until if reaction.limit is not None else ""

    def bar(lifted: CaseForm, clause: str, why: str, place: int = at) -> Bar:
        message = f"{reaction.name} cannot be used here: {why}"
        return Bar(lifted, place, IllegalCommand(NOT_ASKED, clause or reaction.clause, message, REACT))

    for mark, clause in law.marks.items():
        units = [replace(unit, marks=_without(unit.marks, mark)) for unit in case.units]
        yield bar(replace(case, units=units), clause, f"it affects nobody who is {mark}")
    fresh = {side: replace(form, marks=_without(form.marks, reaction.mark)) for side, form in case.sides.items()}
    left = [row for number, row in enumerate(case.answers) if number >= at or named_reaction(game, row) is not reaction]
    place = at - len(case.answers) + len(left)
    yield bar(replace(case, sides=fresh, answers=left), law.limits.get(until, ""), "it was used before", place)
    for side in SIDES:
        rich = {**case.sides, side: _rich(case.sides.get(side) or SideForm(), reaction.pay)}
        yield bar(replace(case, sides=rich), law.cost, "its player has too few points for it")


def _rich(form: SideForm, purse: str) -> SideForm:
    return replace(form, cp=RICH, marks=_without(form.marks, purse))


def _without(marks: MarkList, name: str) -> MarkList:
    """Marks without that of a name."""
    if isinstance(marks, dict):
        return {mark: value for mark, value in marks.items() if mark != name}
    return [mark for mark in marks if mark != name and not (isinstance(mark, dict) and name in mark)]


def _helps(bar: Bar, rule: Rule) -> bool:
    """Whether the reaction is used in the case without a bar: it is then not refused, or something that comes later is."""
    try:
        again = rule(bar.lifted)
    except DiceError as error:
        return error.answered > bar.at
    except BadInput:
        return False
    if again.refusal is None or again.answers_used <= bar.at:
        return again.refusal is None
    return again.answers_used > bar.at + 1 or again.refusal.code != NOT_OFFERED
