"""What authors of editions lean on: signatures that can be read, kinds of events that are complete, cards with own numbers."""

from __future__ import annotations

import ast
import inspect
import pydoc
from pathlib import Path

import pytest

import rolloff
from rolloff.errors import BadInput
from rolloff.rules import verbs as v
from rolloff.rules.cards import read_weapon

CLASSES = [name for name in v.__all__ if inspect.isclass(getattr(v, name))]
ROOM = Path(inspect.getfile(v)).parent


@pytest.mark.parametrize("name", CLASSES)
def test_help_shows_every_component(name: str) -> None:
    """`help` has a page for each class of the verbs; those an edition is put together of show their fields there."""
    kind = getattr(v, name)
    page = pydoc.plain(pydoc.render_doc(kind))
    fields = getattr(kind, "__struct_fields__", ())
    assert page and all(field in page for field in fields)


def _kinds_written() -> set[str]:
    """Every kind of event that the shared verbs write by a literal word, or have as their usual one."""
    found: set[str] = set()
    for path in ROOM.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                at = {"emit": 0, "lose": 1}.get(name)
                word = node.args[at] if at is not None and len(node.args) > at else None
                if isinstance(word, ast.Constant) and isinstance(word.value, str):
                    found.add(word.value)
    defaults = {v.MoraleTest: "event", v.Deployment: "event", v.Transports: "set_down", v.SetUp: "kind", v.Reaction: "kind"}
    return found | {str(inspect.signature(kind).parameters[field].default) for kind, field in defaults.items()}


def test_plain_kinds_are_all_that_verbs_write() -> None:
    """An edition that takes `plain_kinds` has declared every event that a verb may write."""
    written = _kinds_written()
    assert {"embarked", "morale-passed", "attacked", "held-back"} <= written
    assert written <= set(v.plain_kinds(["X-1"]))


def test_a_weapon_has_numbers_by_other_names() -> None:
    """Under ``stats`` a weapon has whatever the book calls them; the mount and the barrel are kept."""
    gun = read_weapon({"name": "Pot", "range": 9, "stats": {"Bite": 2}, "mount": "left", "barrel": [1, 0.5]}, "x")
    assert v.weapon_figure(gun, "Bite") == 2 and gun.mount == "left" and gun.barrel == (1_000, 500)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"stats": [2]}, "numbers by name"),
        ({"stats": {"Bite": 1.5}}, "Bite is 1.5"),
        ({"barrel": 3}, "two lengths"),
        ({"barrel": [1, "far"]}, "'far' is no length"),
        ({"range": "far"}, "'far' is no length"),
        ({"Bite": 2}, "no field 'Bite'"),
    ],
)
def test_a_weapon_that_cannot_be_read_is_refused(given: dict[str, object], says: str) -> None:
    """What is wrong with a weapon is said in a sentence, with what would be right."""
    with pytest.raises(BadInput, match=says) as refused:
        read_weapon({"name": "Pot", **given}, "units[0]")
    assert refused.value.allowed


def test_a_card_whose_weapons_lack_a_number_is_refused() -> None:
    """`Checks` looks at weapons too; what asks for a number nobody wrote down is refused in a sentence, not by a fault."""
    gun = v.Weapon("Pot", 9_000, v.DiceRoll(plus=1), stats=(("Bite", 2),))
    card = v.Card("x", 0, (v.Model("x.1", weapons=(gun,)),), stats={"Move": 6})
    checks = v.Checks(("Move",), {}, "EX-1", weapons=("Bite",), guns=("Aim",))
    with pytest.raises(BadInput, match="x: Pot: Aim is missing"):
        checks(card)
    with pytest.raises(BadInput, match="x: Grip is missing") as refused:
        v.Checks(("Grip",), {}, "EX-1")(card)
    assert refused.value.where == "x.stats.Grip"
    with pytest.raises(BadInput, match="Pot: Aim is missing"):
        v.weapon_figure(gun, "Aim")


def test_units_of_lists_are_profiles() -> None:
    """A name that is no profile is looked for among the units of ready-made lists; the nearest is named for a typo."""
    from rolloff import odds

    name = rolloff.army("onepage-3.0", "levy-patrol", 0).cards[0].name
    assert name not in odds.profiles("onepage-3.0")
    assert odds.profile(name.upper(), "onepage-3.0")["models"][0]["weapons"]
    with pytest.raises(BadInput, match=f"the nearest is {name}"):
        odds.profile(f"{name}x", "onepage-3.0")


def test_a_game_opens_with_a_step_of_the_edition() -> None:
    """An edition whose first step does not exist is refused when it is built, with the steps there are."""
    with pytest.raises(ValueError, match=r"opens with 'deplo', which is none of its steps \(deploy\)"):
        v.Edition(
            id="x",
            name="X",
            version="1",
            opening=v.Clock("deplo"),
            steps={"deploy": lambda play: None},
            kinds={},
            score=lambda game, state: (0, 0),
        )


def test_a_fault_of_a_foreign_edition_is_told_to_its_author(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is wrong in the module of an installed edition is said with its line, and not as a fault of ours."""
    from rolloff.cli import run
    from rolloff.editions import registry

    (tmp_path / "rolloff_test_wrong.py").write_text("from rolloff.rules import verbs as v\n\nEDITION = v.Editon(id='wrong')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(registry, "_offered", lambda: {"wrong": "rolloff_test_wrong:EDITION"})
    assert run(["rules", "--edition", "wrong", "X-1"]) != 0
    said = capsys.readouterr().err
    assert "fault in the edition at rolloff_test_wrong line 3: AttributeError" in said and "'Editon'" in said
