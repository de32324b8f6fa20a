"""Everything an edition says to players is there in every language, with the same things filled in."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import rolloff
from rolloff.armies import library
from rolloff.editions import registry
from rolloff.editions.languages import LANGUAGES, texts
from rolloff.errors import BadInput
from rolloff.rules.edition import Edition
from rolloff.server.catalogue import Library

SOURCES = Path(rolloff.__file__).parent
SPOKEN = {
    "onepage-3.0": ("editions/onepage", "record/session.py", "server/live.py", "server/trial.py"),
    "onepage-2.21": (),
    "apocalypse-3.3": (),
}
"""The editions that are spoken in every language, and where the refusals of each are written."""
REFUSAL, SENTENCE = "IllegalCommand", 2
"""Refusals that players see, and the place of their sentence among the arguments."""
NOTES = "editions/onepage/words.py"
"""Where the notes on options are written."""
FIELD = re.compile(r"\{(\w+)\}")


def template(node: ast.AST) -> str | None:
    """A text as it stands in the code: what is filled in becomes {a}, {b} and so on."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if not isinstance(node, ast.JoinedStr):
        return None
    letters = iter("abcdefgh")
    return "".join(str(part.value) if isinstance(part, ast.Constant) else f"{{{next(letters)}}}" for part in node.values)


def refusals_in(tree: ast.AST) -> Iterator[str]:
    """The sentences of refusals: those that are raised, and those listed by the judge's verdict with their clause."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == REFUSAL:
            said = template(node.args[SENTENCE]) if len(node.args) > SENTENCE else None
            if said:
                yield said
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                listed = isinstance(key, ast.Attribute) and isinstance(key.value, ast.Name) and key.value.id == "Code"
                if listed and isinstance(value, ast.Tuple):
                    yield str(template(value.elts[1]))


def notes_in(tree: ast.AST) -> Iterator[str]:
    """The texts that functions of an edition's words put together."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        inner = {id(part) for node in ast.walk(function) if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in ast.walk(function):
            said = None if id(node) in inner else template(node)
            if said and " " in said and said != ast.get_docstring(function, clean=False):
                yield said


def declared(edition: Edition) -> Iterator[str]:
    """What an edition declares: its events, questions, cards, marks, phases and rolls."""
    words = edition.words
    yield from (kind.says for kind in edition.kinds.values())
    for prompt in words.prompts.values():
        yield from (prompt.title, prompt.text, prompt.row, *prompt.options.values())
    yield from (*words.marks.values(), *words.phases.values(), *words.rolls.values())
    yield from (label for label, _ in words.stats.values())


def files_in(folder: str) -> list[Path]:
    """The modules of a folder, or the one that is named."""
    found = SOURCES / folder
    return sorted(found.rglob("*.py")) if found.is_dir() else [found]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", SPOKEN)
def test_what_an_edition_declares_is_there_in_every_language(edition: str, language: str) -> None:
    """Events, questions, options, cards, marks and phases each have their counterpart."""
    known = texts(edition, language)
    assert sorted({text for text in declared(registry.edition(edition)) if text and text not in known}) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_refusals_and_notes_are_there_in_every_language(language: str) -> None:
    """Every refusal of the engine and of the One Page family, and every note on an option, has its counterpart."""
    known = texts("onepage-3.0", language)
    trees = [ast.parse(path.read_text("utf-8")) for folder in SPOKEN["onepage-3.0"] for path in files_in(folder)]
    said = [text for tree in trees for text in refusals_in(tree)]
    said += notes_in(ast.parse((SOURCES / NOTES).read_text("utf-8")))
    assert len(said) > 50
    assert sorted({text for text in said if text not in known}) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", SPOKEN)
def test_what_can_be_chosen_is_there_in_every_language(edition: str, language: str) -> None:
    """The edition, its missions with what they are about, opponents and pieces of terrain have their counterparts."""
    known, offers = texts(edition, language), Library().offers()
    shelf = next(one for one in offers["editions"] if one["id"] == edition)
    said = [shelf["name"]] + [row[key] for row in (*shelf["missions"], *offers["opponents"]) for key in ("name", "note")]
    said += [piece.name for name in library.tables(edition) for piece in library.table(edition, name, 0, 0).terrain]
    assert sorted({text for text in said if text and text not in known}) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", SPOKEN)
def test_a_counterpart_fills_in_the_same(edition: str, language: str) -> None:
    """No template loses or invents a field."""
    odd = {one: other for one, other in texts(edition, language).items() if {*FIELD.findall(one)} != {*FIELD.findall(other)}}
    assert odd == {}


def test_an_unknown_language_is_refused() -> None:
    """The refusal names the languages there are."""
    with pytest.raises(BadInput, match="no language 'xx'") as refused:
        texts("onepage-3.0", "xx")
    assert refused.value.allowed == "de"
