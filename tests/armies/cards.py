"""Cards for tests, in one line each."""

from __future__ import annotations

from collections.abc import Sequence

from rolloff.editions.onepage.weapons import read_weapon
from rolloff.table.profile import Card, Model, read_rule


def card(
    id: str = "a1",
    kits: Sequence[Sequence[str]] = (("Rifle",),),
    *,
    side: int = 0,
    name: str = "Squad",
    type: str = "infantry",
    quality: int = 4,
    rules: Sequence[str] = (),
    model_rules: Sequence[Sequence[str]] = (),
    keywords: Sequence[str] = (),
    points: int = 100,
) -> Card:
    """A unit with one model for each kit of weapons."""
    models = [
        Model(
            f"{id}.{k + 1}",
            rules=tuple(read_rule(text) for text in (model_rules[k] if k < len(model_rules) else ())),
            weapons=tuple(read_weapon(text, "kit") for text in kit),
        )
        for k, kit in enumerate(kits)
    ]
    return Card(
        id,
        side,
        tuple(models),
        name=name,
        type=type,
        quality=quality,
        points=points,
        rules=tuple(read_rule(text) for text in rules),
        keywords=tuple(keywords),
    )
