"""The `rolloff` command; each of its commands is a module here, imported when it is called.

A command's module holds a Typer ``app``. Errors, exit codes, interrupts and closed pipes are settled in one
place, `main`, so that no command needs to think of them. A plain question about odds needs no Typer (`plain_options`).
"""

from __future__ import annotations

import errno
import os
import sys
from typing import TYPE_CHECKING, NoReturn

from rolloff.errors import RolloffError

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = {
    "play": "Start the table in the browser.",
    "duel": "Let two opponents play games, and count.",
    "odds": "Say the exact odds of attacks before they are made.",
    "adjudicate": "Rule on a situation: what is legal, what happens.",
    "record": "Verify a game record, show the table at one of its lines, replay it, or write a report.",
    "battles": "List, export, import, delete, back up and restore battles.",
    "rules": "Look up the rules: ask a question, name a clause, or list an edition.",
    "list": "List editions, armies, tables, missions, opponents or books.",
    "bench": "Measure the numbers the design holds.",
    "schema": "Print the JSON Schema of an input or output.",
}
"""What there is, in the order of the help: names are modules, and nothing is imported to list them."""

MODULES = {"list": "listing", "odds": "odds_commands"}
"""Modules that are not called as their command: a module `list` would hide the built-in one here."""

ALWAYS_JSON = ("adjudicate", "schema")
DONE, NO, UNUSABLE, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 130, 141
UNWRITABLE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EFBIG, errno.EIO})
"""Why a disk takes nothing: no fault of ours."""


def _wants_json(args: Sequence[str]) -> bool:
    named = next((word for word in args if not word.startswith("-")), "")
    return "--json" in args or (named in ALWAYS_JSON and not (named == "adjudicate" and sys.stdout.isatty()))


def _refuse(error: RolloffError, args: Sequence[str]) -> int:
    """Unusable input: the error object where JSON is wanted, and the sentence on standard error."""
    from rolloff.cli.common import nearest, print_json, safe

    error.message += nearest(error)
    if _wants_json(args):
        report = {name: getattr(error, name) for name in ("code", "message", "where", "allowed", "clause")}
        try:
            print_json({"schema": "rolloff.error/1", "error": report})
        except OSError:  # whoever reads standard output takes no more: standard error says why
            _quietly()
    cited = f" [{error.clause}]" if error.clause else ""
    hint = f" (allowed: {error.allowed})" if error.allowed and "(allowed: " not in error.message else ""
    said = f"rolloff: {error.message}{hint}{cited}" if sys.stderr.isatty() else f"{error.message}{cited}"
    print(safe(said), file=sys.stderr)
    return UNUSABLE


def _unwritten(error: OSError) -> RolloffError:
    """A disk that takes no more, and the like, in a sentence."""
    name = os.path.basename(os.fsdecode(error.filename)) if isinstance(error.filename, str | bytes) else "what was asked for"
    why = (error.strerror or "it is refused").lower()
    return RolloffError("not-written", f"{name} cannot be written: {why}", where=None, allowed="a place that can be written to")


def _fault(error: Exception) -> RolloffError:
    """A fault of ours in a sentence: what and in which of our files, for whoever reports it.

    Where an edition of another package took part, its author reads what is wrong and where in the edition it came up.
    """
    from rolloff.editions.registry import foreign_packages

    where, theirs, foreign = "?", "", foreign_packages()
    step = error.__traceback__
    while step is not None:
        name = step.tb_frame.f_globals.get("__name__", "")
        if name.startswith("rolloff."):
            where = f"{name} line {step.tb_lineno}"
        elif name.partition(".")[0] in foreign:
            theirs = f"{name} line {step.tb_lineno}"
        step = step.tb_next
    if theirs:
        return RolloffError(
            "fault", f"this is a fault in the edition at {theirs}: {type(error).__name__}: {error}", where=theirs
        )
    why = f"this is a fault in Rolloff, please report it: {type(error).__name__} in {where}"
    return RolloffError("fault", why, where=where)


def _obey(args: Sequence[str]) -> int:
    """Do what is asked; a plain question about odds without building the application."""
    if args and args[0] == "odds":
        from rolloff.cli.odds import odds
        from rolloff.cli.plain_options import read_plain

        given = read_plain(odds, args[1:])
        if given is not None and not given["plot"]:
            odds(None, **given)
            return DONE
    from rolloff.cli.application import call

    return call(args)


def run(args: Sequence[str]) -> int:
    """Run the command line and give its exit code. With ROLLOFF_DEBUG set a fault of ours shows its traceback."""
    try:
        code = _obey(args)
        sys.stdout.flush()
    except RolloffError as error:
        return _refuse(error, args)
    except KeyboardInterrupt:
        return INTERRUPTED
    except (BrokenPipeError, SystemExit):  # the latter is how Typer takes a closed pipe
        return PIPE_CLOSED
    except OSError as error:
        if error.errno not in UNWRITABLE:
            return _broken(error, args)
        return _refuse(_unwritten(error), args)
    except Exception as error:  # noqa: BLE001  (a fault of ours must not meet anybody as a traceback)
        return _broken(error, args)
    return code


def _broken(error: Exception, args: Sequence[str]) -> int:
    if os.environ.get("ROLLOFF_DEBUG"):
        raise error
    return _refuse(_fault(error), args)


def _quietly() -> None:
    """Nobody reads on: let Python's own last flush go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


def main() -> NoReturn:
    """Run the command line."""
    code = run(sys.argv[1:])
    try:
        sys.stdout.flush()
    except OSError:
        _quietly()
    if code == INTERRUPTED:
        print("interrupted", file=sys.stderr)
    elif code == PIPE_CLOSED:
        _quietly()
    if "rolloff.cli.application" not in sys.modules:  # no command that could leave anything open
        _leave(code)
    sys.exit(code)


def _leave(code: int) -> NoReturn:
    """End at once: Python would first free everything that was imported, bit by bit, a fifth of the time of a question."""
    sys.stderr.flush()
    os._exit(code)
