"""The `rolloff` command; each of its commands is a module here."""

from __future__ import annotations


def main() -> None:
    """Run the command line."""
    import typer

    import rolloff

    app = typer.Typer(help="A referee for tabletop miniature wargames.", no_args_is_help=True)

    @app.callback(invoke_without_command=True)
    def _root(version: bool = typer.Option(False, "--version", help="Print the version and stop.")) -> None:
        if version:
            typer.echo(rolloff.__version__)

    app(prog_name="rolloff")
