"""`rolloff schema`: the JSON Schema of every input and output."""

from __future__ import annotations

from typing import Annotated, Any

import typer

app = typer.Typer()


def schema_of(name: str) -> dict[str, Any]:
    """The JSON Schema of an input or output; `BadInput` if there is none of that name."""
    import msgspec

    from rolloff.cli.shapes import SHAPES
    from rolloff.errors import BadInput

    name = name.removeprefix("rolloff.").partition("/")[0]
    if name not in SHAPES:
        raise BadInput("unknown-schema", f"no schema {name!r}", where="name", allowed=", ".join(SHAPES))
    found = msgspec.json.schema(SHAPES[name])
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"rolloff.{name}/1", **found}


@app.command()
def schema(
    name: Annotated[str, typer.Argument(help="Which one; without a name, list them.")] = "",
    json: Annotated[bool, typer.Option("--json", help="JSON, which it always is.", hidden=True)] = False,
) -> None:
    """Print the JSON Schema of an input or output.

    \b
    Examples:
      rolloff schema
      rolloff schema adjudicate
    """
    import msgspec

    from rolloff.cli.common import print_bytes
    from rolloff.cli.shapes import SHAPES

    found: Any = schema_of(name) if name else {"schema": "rolloff.schema/1", "names": list(SHAPES)}
    print_bytes(msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n")
