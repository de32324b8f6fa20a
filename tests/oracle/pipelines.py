"""Attack sequences of three shapes, small enough to be tried by brute force: what rules would build, without rules."""

from __future__ import annotations

from dataclasses import dataclass

from rolloff.oracle.draft import Draft, Reroll, When
from rolloff.oracle.flow import (
    BLOCKED,
    HITS,
    IGNORED,
    WOUNDS,
    Flow,
    Harm,
    Nodes,
    Order,
    Side,
    Wave,
    Wound,
)
from rolloff.oracle.stage import Stage, fixed, number, table

POINT = Harm(1, ("mortal",), Wave.AFTER_UNIT)
"""One mortal wound that waits until all ordinary damage is dealt."""

D3 = number("damage", sides=3)


@dataclass(frozen=True)
class Armour:
    """A save of so much or more, worsened by the weapon; a one always fails."""

    need: int
    ward: int = 7

    def __call__(self, wound: Wound) -> Stage[bool]:
        """The better of the save and the ward."""
        need = min(self.need - wound.ap, self.ward)
        return Draft("save", need).natural((1,), ()).check()


def quality_flow(
    quality: int,
    block: int,
    *,
    linked: bool = False,
    unwieldy: bool = False,
    rending: bool = False,
    ignore: int | None = None,
    forced: bool = False,
    regeneration: bool = False,
    packet: bool = False,
    start: str | None = None,
) -> Flow:
    """Hit, ignore, block, regeneration: all dice of a stage together."""
    harm = Harm(packet=packet, wave=Wave.PACKETS if packet else Wave.AFTER_UNIT)
    hit = Draft("hit", quality, "SHOOT-9", then=(HITS, "ignore"))
    if linked:
        hit.reroll(Reroll.FAILURES, "RULE-LINKED-1")
    if unwieldy:
        hit.reroll(Reroll.SUCCESSES, "RULE-UNWIELDY-1")
    if rending:
        hit.react(6, "RULE-RENDING-1", become=(HITS, "regeneration"))
    blocks = Draft("block", block, "SHOOT-10", then=(BLOCKED,), otherwise=("regeneration",))
    if forced:
        blocks.reroll(Reroll.SUCCESSES, "RULE-PIERCING-1")
    ward: Stage[Nodes] = fixed("ignore", ("block",))
    if ignore is not None:
        ward = Draft("ignore", ignore, "RES-6", then=(IGNORED,), otherwise=("block",)).stage()
    regrown: Stage[Nodes] = fixed("regeneration", (WOUNDS, harm))
    if regeneration:
        regrown = Draft("regeneration", 5, "RULE-REGEN-1", otherwise=(WOUNDS, harm)).stage()
    return Flow((hit.stage(), ward, blocks.stage(), regrown), start=start)


def keyword_flow(
    skill: int = 3,
    to_wound: int = 4,
    *,
    modifier: int = 0,
    ap: int = 0,
    damage: int | Stage[int] = 1,
    sustained: int | Stage[int] = 0,
    lethal: bool = False,
    devastating: bool = False,
    anti: int = 6,
    twin: bool = False,
    torrent: bool = False,
    ones: bool = False,
    save_in_flow: int | None = None,
) -> Flow:
    """Hit, wound, save, damage: one attack at a time to its end; mortal wounds wait for the unit's last attack."""
    wound_node: Nodes = (WOUNDS, "save") if save_in_flow else (WOUNDS, Wound(Harm(damage), ap))
    hit = Draft("hit", skill, "ATK-2", then=(HITS, "wound")).natural().critical(6, "CRIT-1").limit(-1, 1)
    hit.modify(modifier, "MODROLL-4")
    if ones:
        hit.reroll(Reroll.ONES, "REROLL-3")
    if lethal:
        hit.react(When.CRITICAL, "WPN-7", become=(HITS, *wound_node))
    if sustained:
        extra: Nodes = (HITS, "wound") * sustained if isinstance(sustained, int) else ("sustained",)
        hit.react(When.CRITICAL, "WPN-16", add=extra)
    if torrent:
        hit.automatic("WPN-6")
    wound = Draft("wound", to_wound, "ATK-3", then=wound_node).natural().critical(min(anti, 6), "CRIT-3")
    if twin:
        wound.reroll(Reroll.FAILURES, "WPN-4")
    if devastating:
        wound.react(When.CRITICAL, "WPN-15", become=(WOUNDS, "devastate"))
    stages: list[Stage[Nodes]] = [hit.stage()]
    if isinstance(sustained, Stage):
        stages.append(_tokens("sustained", sustained, (HITS, "wound")))
    stages.append(wound.stage())
    if devastating:
        stages.append(_tokens("devastate", damage, (POINT,)))
    if save_in_flow:
        save = Draft("save", save_in_flow, "ATK-6", then=(BLOCKED,), otherwise=(Harm(damage),))
        stages.append(save.modify(ap, "ATK-6").natural((1,), ()).stage())
    return Flow(stages, Order.BY_ATTACK)


def _tokens(label: str, amount: int | Stage[int], each: Nodes) -> Stage[Nodes]:
    """A roll that gives so many of the same."""
    if isinstance(amount, int):
        return fixed(label, each * amount)
    read = [each * value for value in amount.read if isinstance(value, int)]
    return table(label, read, dice=amount.dice, keep=amount.keep, sides=amount.sides)


def group_flow(
    to_hit: int = 3,
    to_wound: int = 4,
    *,
    second_hit: int | None = None,
    hot: bool = False,
    ap: int = 0,
    damage: int | Stage[int] = 1,
    rending: bool = False,
    breaching: bool = False,
    preferred: bool = False,
) -> Flow:
    """All to-hit dice, all to-wound dice, then wounds one at a time; what burns the firer comes with its dice."""
    hit = Draft("hit", to_hit, "CF-SHOOT-3", then=(HITS, "wound")).natural((1,), (6,), "CF-SHOOT-3")
    if second_hit is not None:
        hit.reroll(Reroll.FAILURES, "CF-SHOOT-3", need=second_hit)
    if preferred:
        hit.reroll(Reroll.ONES, "SR-PREFERRED-ENEMY-1")
    if hot:
        burn = Wound(Harm(1, wave=Wave.AT_ONCE, on=Side.FIRER))
        hit.react(1, "SR-GETS-HOT-1", add=(burn,))
    wound = Draft("wound", to_wound, "CF-WOUND-1", then=(WOUNDS, Wound(Harm(damage), ap))).natural((1,), ())
    if rending:
        wound.react(6, "SR-RENDING-1", add=(Harm(1, ("mortal",), Wave.AFTER_GROUP),))
    if breaching:
        wound.react(6, "SR-SNIPER-3", become=(WOUNDS, Wound(Harm(damage), min(ap, -4))))
    return Flow((hit.stage(), wound.stage()))
