"""Citing clauses in code: how the engine says which sentence of the rulebook a piece of it carries out.

Nothing here costs anything while a game is played. The citations are read from the source, by people, by the
coverage page (`rolloff rules --coverage`) and by the mutant tool, which switches off what cites a clause and
expects a test of that clause to fail. A clause id is always written out, as a string literal or in a comment
at the end of a line; an id put together at run time is found by nobody.

Where a citation stands decides what "switched off" means:

``raise IllegalCommand("out-of-range", "SHOOT-5", …)``
    The refusal is left out.
``play.emit("pinned", ("MORALE-8",), …)``, ``pin(play, unit, "MORALE-8")``
    The statement is left out; so are ``x += …`` and ``x = f(x, "ID")`` where x had a value before.
``if far(a, b, "SHOOT-5"): …``, or an ``if`` whose only statement cites
    Never true. A loop over something that cites runs over nothing; a conditional expression takes its
    other arm.
``[Offer("hold", "ACT-1"), …]``
    The element is left out of the list, tuple or set.
``{"Linked": Linked("RULE-LINKED-1"), …}``
    The value stays but its hooks do nothing: each goes back to the method of its base class.
``{Code.TOO_LONG: ("MOVE-1", "{who} would go too far"), …}``
    The entry is left out of the table.
``return Refusal("SHOOT-5")``
    The function returns the empty value of its declared type, if that has one.
``@cites("MELEE-7")`` on a function
    The function answers at once what ``tools/switches.toml`` says under its name, or what that returns for the
    same arguments. Without an entry there it returns the empty value of its declared type, and each of its
    conditions is tried as never and as always true: enough where a clause is the whole of a small function.
``class Linked(Special): clauses = ("RULE-LINKED-1",)``, or ``@cites`` on a class
    The class loses its public methods, except those that cite other clauses themselves.
``walk: int = 6 * INCH  # ACT-2, MOVE-1``
    A comment of ids at the end of a line cites what the line does. If ``tools/switches.toml`` has the line, its
    value becomes what stands there. Otherwise a figure of a class, of a module or of a call is made nothing and
    made vast; any other statement is treated as above.

Citations that only inform (the clauses of an event kind, a tuple handed on) are no places to switch off.
A local name or a module constant that holds nothing but ids cites where it is used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def cites(*clauses: str) -> Callable[[F], F]:
    """Say which clauses a function or a class carries out."""

    def unchanged(function: F) -> F:
        return function

    return unchanged
