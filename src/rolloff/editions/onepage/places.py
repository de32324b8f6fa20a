"""Where units may be set down (DEPLOY-5): strips, reserves and wrecks share these zones."""

from __future__ import annotations

from rolloff.editions.onepage.moving import coherency_of
from rolloff.geometry.moves import Code, Hub, Zone, gaps, over
from rolloff.rules.play import Play

PLACE_REFUSALS = {
    Code.TOO_LONG: ("DEPLOY-5", "{who} stands too far away"),
    Code.OFF_TABLE: ("BASE-3", "{who} is not wholly on the table"),
    Code.GAP_UNIT: ("DEPLOY-5", "{who} stands too close to {what}"),
    Code.OVERLAP: ("BASE-3", "{who} stands on {what}"),
    Code.IMPASSABLE: ("TERR-IMP-1", "{who} stands in {what}, which is impassable"),
    Code.INCOHERENT: ("DEPLOY-5", "the unit is not coherent ({who} is astray)"),
    Code.NO_CONTACT: ("DEPLOY-5", "{who} is not in contact with {what}"),
    Code.FURTHER: ("DEPLOY-5", "{who} is too far away"),
    Code.PIVOT: ("DEPLOY-5", "{who} cannot face there"),
    Code.SIDEWAYS: ("DEPLOY-5", "{who} cannot stand there"),
    Code.OFF_LIMITS: ("DEPLOY-5", "{who} may not stand there"),
    Code.NO_SUCH_MODEL: ("DEPLOY-5", "every model of the unit must be placed"),
    Code.OUTSIDE_ZONE: ("DEPLOY-3", "{who} is not wholly inside the deployment strip"),
    Code.TOO_FAR: ("RULE-TRANSPORT-8", "{who} is too far from the wreck"),
    Code.BAD_START: ("DEPLOY-5", "{who} cannot start there"),
}
ARRIVAL_REFUSALS = {**PLACE_REFUSALS, Code.GAP_UNIT: ("RULE-DEEPSTRIKE-4", "{who} stands too close to {what}")}
SCOUT_REFUSALS = {**PLACE_REFUSALS, Code.GAP_UNIT: ("RULE-SCOUT-1", "{who} stands too close to {what}")}

EDGES = ("bottom", "top", "left", "right")


def strip_of(play: Play, edge: str) -> tuple[int, int, int, int]:
    """DEPLOY-3: the strip along an edge, as a rectangle."""
    width, height = play.game.field.width, play.game.field.height
    depth = play.game.edition.book.deploy_depth
    return {
        "bottom": (0, 0, width, depth),
        "top": (0, height - depth, width, height),
        "left": (0, 0, depth, height),
        "right": (width - depth, 0, width, height),
    }[edge]


def _keep(play: Play, unit: int, from_enemies: int) -> bytes:
    side = play.game.sides[unit]
    gap = play.game.edition.book.unit_gap
    return gaps(len(play.game.sides), gap, {k: from_enemies for k, other in enumerate(play.game.sides) if other != side})


def zone_strip(play: Play, unit: int, edge: str) -> Zone:
    """DEPLOY-3, DEPLOY-5: wholly inside the own strip, an inch from every other unit."""
    gap = play.game.edition.book.unit_gap
    return Zone(
        _keep(play, unit, gap),
        coherency_of(play.game, play.state, unit),
        inside=(strip_of(play, edge),),
        leeway=play.game.edition.book.leeway,
    )


def zone_away(play: Play, unit: int, gap: int) -> Zone:
    """Anywhere strictly further than ``gap`` from every enemy."""
    return Zone(_keep(play, unit, over(gap)), coherency_of(play.game, play.state, unit), leeway=play.game.edition.book.leeway)


def zone_near(play: Play, unit: int, hub: Hub) -> Zone:
    """RULE-TRANSPORT-8: close to where a hull was."""
    gap = play.game.edition.book.unit_gap
    return Zone(
        _keep(play, unit, gap), coherency_of(play.game, play.state, unit), hub=hub, leeway=play.game.edition.book.leeway
    )
