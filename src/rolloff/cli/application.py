"""The whole command line as a Typer application, for help, for mistakes, and for every command that is not asked plainly."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from rolloff.cli import COMMANDS, DONE, MODULES, UNUSABLE
from rolloff.errors import RolloffError

if TYPE_CHECKING:
    from collections.abc import Sequence

# Typer keeps the base of its usage errors to itself; it is found by way of one it shares.
_Usage: Any = next(base for base in typer.BadParameter.__mro__ if base.__name__ == "ClickException")


class _Commands(TyperGroup):
    """The commands, each loaded when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        """All names, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import one command."""
        if cmd_name not in COMMANDS:
            return None
        command = typer.main.get_command(import_module(f"rolloff.cli.{MODULES.get(cmd_name, cmd_name)}").app)
        _plainly(command)
        return command

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find a command, or suggest one that is spelt alike."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            alike = get_close_matches(args[0], COMMANDS, 1)
            hint = f" Did you mean {alike[0]!r}?" if alike else ""
            ctx.fail(f"there is no command {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)


def _plainly(command: Any) -> None:
    """Help in plain text: it starts quicker and reads well in any terminal and pipe."""
    command.rich_markup_mode = None
    for inner in getattr(command, "commands", {}).values():
        _plainly(inner)


app = typer.Typer(
    cls=_Commands, rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False, no_args_is_help=True
)


def _version(asked: bool) -> None:
    if asked:
        import rolloff

        typer.echo(rolloff.__version__)
        raise typer.Exit


@app.callback()
def rolloff_(
    version: bool = typer.Option(False, "--version", help="Print the version and stop.", callback=_version, is_eager=True),
) -> None:
    """A referee for tabletop miniature wargames.

    It knows the rulebook, keeps the table, rolls the dice, and can always say why.

    \b
    Examples:
      rolloff play
      rolloff duel random closing --games 20 --seed 1
      rolloff rules "may I shoot after running?"
    """


def call(args: Sequence[str]) -> int:
    """Run the command that is asked for and give its exit code; called without any argument, a command shows its help.

    Raises:
        RolloffError: a wrong option or argument, or what the command itself refuses.
        KeyboardInterrupt: somebody wants no more.
    """
    try:
        found = app(args=list(args), prog_name="rolloff", standalone_mode=False)
    except _Usage as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            typer.echo(error.format_message())
            return UNUSABLE
        raise RolloffError("usage", error.format_message(), where=None) from None
    except typer.Abort:
        raise KeyboardInterrupt from None
    return found if isinstance(found, int) else DONE
