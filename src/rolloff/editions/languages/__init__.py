"""What editions say to players, in other languages: by each English template its counterpart, as data beside the rules.

Rules speak English. A sentence is written from a template, such as ``{unit} holds its nerve``; a catalogue holds the same
template in another language with the same fields, and whoever talks to a person finds the template a sentence was made
from. ``common`` is what every edition says alike, the rest is of a family of editions.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from rolloff.editions.clauses import FAMILIES
from rolloff.errors import BadInput

COMMON: Final = "common"
LANGUAGES: Final = ("de",)
"""The languages there are besides English."""


@cache
def _read(language: str, name: str) -> Mapping[str, str]:
    file = files(__name__).joinpath(language, f"{name}.toml")
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}


def texts(edition: str, language: str) -> Mapping[str, str]:
    """Every template an edition has in a language, by the English one.

    Raises:
        BadInput: there is no such language.
    """
    if language not in LANGUAGES:
        raise BadInput("unknown-language", f"no language {language!r}", where="language", allowed=", ".join(LANGUAGES))
    family = FAMILIES.get(edition)
    return {**_read(language, COMMON), **(_read(language, family) if family else {})}
