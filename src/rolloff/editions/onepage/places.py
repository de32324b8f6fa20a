"""Where units may be set down (DEPLOY-5): strips, reserves and wrecks share these zones."""

from __future__ import annotations

from rolloff.editions.onepage.book import book_of
from rolloff.editions.onepage.kinds import HELD_BY_ENEMY
from rolloff.editions.onepage.leading import closed_to
from rolloff.editions.onepage.moving import coherency_of
from rolloff.geometry.moves import Code, Rectangle, Zone, over
from rolloff.rules.deployment import keep_apart, strip
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
    Code.BARRED: HELD_BY_ENEMY,
}
ARRIVAL_REFUSALS = {**PLACE_REFUSALS, Code.GAP_UNIT: ("RULE-DEEPSTRIKE-4", "{who} stands too close to {what}")}
SCOUT_REFUSALS = {**PLACE_REFUSALS, Code.GAP_UNIT: ("RULE-SCOUT-1", "{who} stands too close to {what}")}


def zone(play: Play, unit: int, from_enemies: int, inside: tuple[Rectangle, ...] = ()) -> Zone:
    """DEPLOY-5: an inch from every other unit, or further from enemies; on the table, or wholly inside of some ground."""
    book = book_of(play.game)
    keep = keep_apart(play.game, unit, book.unit_gap, from_enemies)
    closed = closed_to(play, unit) if book.leads else b""  # TERR-FOOT-4
    return Zone(keep, coherency_of(play.game, play.state, unit), inside=inside, barred=closed, leeway=book.leeway)


def zone_strip(play: Play, unit: int, edge: str) -> Zone:
    """DEPLOY-3, DEPLOY-5: wholly inside the own strip."""
    book = book_of(play.game)
    return zone(play, unit, book.unit_gap, (strip(play.game.field, edge, book.deploy_depth),))


def zone_away(play: Play, unit: int, gap: int) -> Zone:
    """Anywhere strictly further than ``gap`` from every enemy."""
    return zone(play, unit, over(gap))
