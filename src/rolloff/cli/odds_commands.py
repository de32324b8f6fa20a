"""`rolloff odds` and the commands under it, for the application."""

from __future__ import annotations

import typer

from rolloff.cli.compare import compare
from rolloff.cli.luck import luck
from rolloff.cli.odds import odds
from rolloff.cli.sweep import sweep
from rolloff.cli.typer_options import with_options

app = typer.Typer(no_args_is_help=True, add_completion=False)
app.callback(invoke_without_command=True)(with_options(odds))
for command in (compare, sweep, luck):
    app.command()(with_options(command))
