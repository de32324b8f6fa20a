"""Destroyed models that a situation does not write down: who may come back is in the game all the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, islice

from msgspec.structs import replace

from rolloff.rules.edition import Edition
from rolloff.rules.game import MOST_MODELS
from rolloff.situations.forms import ModelForm, SituationForm, UnitForm


def with_the_fallen(edition: Edition, form: SituationForm) -> SituationForm:
    """The situation with the models that units started with and which may come back, where it lists only who is left."""
    words = edition.situation.returning
    if not words or all(unit.start_size is None for unit in form.units):
        return form
    units = [_whole(form, unit, words) for unit in form.units]
    changed = any(one is not other for one, other in zip(units, form.units, strict=True))
    return replace(form, units=units) if changed else form


def _whole(form: SituationForm, unit: UnitForm, words: Sequence[str]) -> UnitForm:
    """A unit with its destroyed models, each like the last that is listed; itself if it has them or they stay away."""
    lost = min(unit.start_size or 0, MOST_MODELS) - len(unit.models)
    if lost <= 0 or not unit.models or not _brought_back(form, unit, words):
        return unit
    gone = replace(unit.models[-1], at=None, z=None, facing=0, wounds=0, marks=[], removed=True)
    taken = {model.id for one in form.units for model in one.models}
    return replace(unit, models=[*unit.models, *[replace(gone, id=id) for id in islice(_new_ids(unit, taken), lost)]])


def _new_ids(unit: UnitForm, taken: set[str]) -> Iterator[str]:
    """Ids for models of a unit that nobody has, in the order of their numbers."""
    return (id for k in count(len(unit.models) + 1) if (id := f"{unit.id}.{k}") not in taken)


def _brought_back(form: SituationForm, unit: UnitForm, words: Sequence[str]) -> bool:
    """Whether a rule that brings models back is written on a unit, or on somebody who leads it."""
    heard = [rule for model in unit.models for rule in model.rules] + unit.rules
    for other in form.units:
        heard += [rule for model in other.models if _with(other, model, unit) for rule in (*other.rules, *model.rules)]
    return any(rule.casefold().startswith(word.casefold()) for rule in heard for word in words)


def _with(own: UnitForm, model: ModelForm, unit: UnitForm) -> bool:
    """Whether a model of one unit has joined another."""
    return unit.id in (own.leading, own.where) or model.unit == unit.id
