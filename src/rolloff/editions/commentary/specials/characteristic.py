"""Changes of one characteristic, written as ``+1``, ``-1``, ``x2``, ``/2`` or ``=0``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rolloff.editions.commentary.ability import ATTACKER, BEARER, MELEE, SHOOTING, Ability, bad_rating
from rolloff.editions.commentary.matchup import Strike
from rolloff.editions.commentary.saves import Gear
from rolloff.editions.commentary.values import DAMAGE, SAVE, Effect, changed
from rolloff.table.profile import Rating, Rule

_CHANGE = re.compile(r"^(?P<sign>[+\-x/=]?)(?P<by>\d{1,2})$")


class Changes(Ability):
    """Changes a characteristic; plus improves and minus worsens it (MODIMP)."""

    rated = True
    samples: tuple[Rating, ...] = ("+1", "-1", "x2", "/2")

    def __init__(
        self,
        kind: str,
        *clauses: str,
        part: str = ATTACKER,
        samples: tuple[Rating, ...] = (),
        kinds: tuple[str, ...] = (SHOOTING, MELEE),
    ) -> None:
        """Which characteristic, and who brings the change."""
        super().__init__(*clauses)
        self.kind, self.part, self.kinds = kind, part, kinds
        self.on_weapon = part == ATTACKER
        self.samples = samples or self.samples

    def read(self, rating: str, where: str) -> Rating:
        """One of the written forms."""
        match = _CHANGE.match(rating.strip())
        if match is None or (match["sign"] in ("x", "/") and int(match["by"]) == 0):
            raise bad_rating(rating, where, "+1, -1, x2, /2 or =0")
        return f"{match['sign'] or '+'}{int(match['by'])}"

    def effect(self, rule: Rule) -> Effect:
        """The change."""
        rating = str(rule.rating)
        return changed(self.kind, rating[0], int(rating[1:]), *self.clauses)

    def changes(self, rule: Rule, strike: Strike) -> Iterable[Effect]:
        """Change the attack's characteristic."""
        return (self.effect(rule),) if self.part != BEARER else ()

    def bear(self, rule: Rule, gear: Gear) -> None:
        """Change the model's save, or what it makes of Damage."""
        if self.kind == SAVE:
            gear.save_effects.append(self.effect(rule))
        elif self.kind == DAMAGE:
            gear.damage_effects.append(self.effect(rule))
