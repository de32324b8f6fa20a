"""Attacks rolled with the choices players usually leave to habit: optional re-rolls (DP-21) and the Piercing mode (DP-22)."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.onepage.strike import (
    HIT,
    IGNORE,
    MISSES,
    PIERCE_ARMOR,
    PIERCE_BLOCKS,
    PLAIN,
    REGENERATION,
    SELF_WOUNDING,
    Figures,
    Strike,
    best_mode,
    flow_of,
    hits_flow,
    pierces,
    with_mode,
)
from rolloff.editions.onepage.tally import Sums, sums_of
from rolloff.oracle.flow import ATTACKS, Flow, Volley
from rolloff.rules.citing import cites
from rolloff.rules.play import Play

OPTIONAL = ("Linked", "Hatred")
"""Rules by which failed dice may be thrown again."""
_PARTS = (ATTACKS, PLAIN, SELF_WOUNDING, MISSES)


def rolled_by_hand(play: Play, attacker: int, figures: Figures, groups: list[tuple[Strike, Volley]]) -> Sums:
    """Roll each group in parts, asking the attacker between them."""
    found = Sums()
    for strike, volley in groups:
        if strike.enters == HIT:
            found = found.plus(_group(play, attacker, figures, strike, volley))
        else:
            found = found.plus(_automatic(play, attacker, figures, strike, volley))
    return found


def _automatic(play: Play, attacker: int, figures: Figures, strike: Strike, volley: Volley) -> Sums:
    """Automatic hits skip the to-hit roll, so only the Piercing mode is left to pick."""
    if not pierces(strike, play.game.edition.specials):
        return sums_of(play.dice, [volley])
    count = volley.count if isinstance(volley.count, int) else play.dice.ask(volley.count)
    mode = _mode(play, attacker, figures, strike, count)
    flow = flow_of(with_mode(strike, mode), figures, play.game.edition.specials)
    return replace(sums_of(play.dice, [Volley(flow, count, 1)]), volleys=(Volley(flow, volley.count, 1),))


def _group(play: Play, attacker: int, figures: Figures, strike: Strike, volley: Volley) -> Sums:
    """To hit first, with or without the optional re-roll; then the hits go on in the mode the attacker picks."""
    specials = play.game.edition.specials
    plainly, again = _without(strike, *OPTIONAL), any(map(strike.has, OPTIONAL))
    once = replace(_without(plainly, "Unwieldy"), hampered=(), shaken=False)
    second, clumsy = hits_flow(once, specials), once != plainly
    bare = second if again else hits_flow(plainly, specials)
    attacks, plain, sixes, misses = play.dice.tallies(Volley(bare, volley.count, 1), *_PARTS)
    if again and clumsy and plain + sixes:  # DICE-8: hits must be thrown again; what then misses was thrown twice already
        _, plain, sixes, _ = play.dice.tallies(Volley(second, plain + sixes, 1), *_PARTS)
    whole = strike
    if again and misses and not _again(play, attacker, misses):
        whole = plainly
    elif again and misses:
        _, more, more_sixes, _ = play.dice.tallies(Volley(second, misses, 1), *_PARTS)
        plain, sixes = plain + more, sixes + more_sixes
    mode = _mode(play, attacker, figures, strike, plain)
    rest = flow_of(with_mode(strike, mode), figures, specials)
    late = []
    if plain:
        late.append(Volley(Flow(rest.stages, start=IGNORE), plain, 1))
    if sixes:
        late.append(Volley(Flow(rest.stages, start=REGENERATION), sixes, 1))
    sums = sums_of(play.dice, late) if late else Sums()
    packet = (sum(sums.packets),) if sums.packets else ()  # CAS-5: one weapon, one packet, however its dice were thrown
    aimed = ((strike.aim, sum(wounds for _, wounds in sums.aimed)),) if sums.aimed else ()
    as_chosen = Volley(flow_of(with_mode(whole, mode), figures, specials), volley.count, 1)
    return replace(sums, attacks=attacks, hits=plain + sixes, packets=packet, volleys=(as_chosen,), aimed=aimed)


def _without(strike: Strike, *names: str) -> Strike:
    return replace(strike, rules=tuple(rule for rule in strike.rules if rule.name not in names))


@cites("DICE-9")
def _again(play: Play, attacker: int, misses: int) -> bool:
    """DICE-9: failed dice may be thrown again, all of them unless the player would rather not."""
    if play.game.switches["auto_optional_rerolls"]:
        return True
    owner = play.game.side_of(attacker)
    return bool(play.choose(owner, "yes-no", "DICE-9", (True, False), True, attacker, "DP-21", misses=misses))


@cites("RULE-PIERCING-2")
def _mode(play: Play, attacker: int, figures: Figures, strike: Strike, hits: int) -> str:
    """RULE-PIERCING-2: the attacker picks with the hits on the table, before the defender rolls."""
    specials = play.game.edition.specials
    best, picks = best_mode(strike, figures, specials), not (figures.piercing_fixed or play.game.switches["auto_piercing"])
    if not picks or not hits or not pierces(strike, specials):
        return best
    owner = play.game.side_of(attacker)
    options = (PIERCE_ARMOR, PIERCE_BLOCKS)
    picked = play.choose(owner, "choose-option", "RULE-PIERCING-2", options, best, attacker, "DP-22", hits=hits)
    return str(picked)
