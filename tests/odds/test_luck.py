"""How lucky was that? The odds of attacks in records are those of the dice that were rolled, and luck is fair."""

from __future__ import annotations

from fractions import Fraction
from math import log, sqrt
from pathlib import Path

import pytest

from rolloff import odds
from rolloff.errors import BadInput, RecordError
from rolloff.lab.duel import Match
from rolloff.odds.ends import ends
from rolloff.odds.quick import preview
from rolloff.odds.record_luck import AttackLuck, Luck, unusual
from rolloff.odds.results import Distribution
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.dice import Stream, seed_bytes
from rolloff.oracle.law import Law
from rolloff.oracle.oracle import Question
from rolloff.record.lines import Json, Line, content, parse, sealed, text
from rolloff.record.verify import Replay
from rolloff.rules.attack import ResolvedAttack
from rolloff.rules.play import Play
from rolloff.table.request import Request
from tests.odds.recorded import EDITION, game_lines, scripted, unit

PAIRS = (("closing", "greedy"), ("greedy", "closing"), ("random", "closing"))
RIFLE = 'Rifle (24", A1)'
FALSE_ALARM = 1e-4


@pytest.fixture(scope="module")
def games() -> list[Luck]:
    """The luck in games of every kind of opponent, some of them with all choices made by hand."""
    found = [odds.luck(game_lines(Match(EDITION, pair, seed=5), k)) for pair in PAIRS for k in range(6)]
    hands = {"auto_piercing": False, "auto_optional_rerolls": False}
    return found + [odds.luck(game_lines(Match(EDITION, ("greedy", "greedy"), seed=6), k, **hands)) for k in range(4)]


def volley(hit: int, block: int, weapon: str = RIFLE, answers: Json | None = None, **more: bool) -> list[Line]:
    """Five rifles at five models in the open, and nothing else happens."""
    units = [unit("a", "A", 5, (10, 10), weapons=[weapon]), unit("b", "B", 5, (10, 20))]
    said = {"choose-action": "hold", "choose-target": "b", **(answers or {})}
    return scripted(units, {"hit": hit, "block": block}, said, **({"switches": more} if more else {}))


def test_a_lucky_volley_says_so() -> None:
    """Five hits and no block is the best there is: the chance of at least that is the chance of all five kills."""
    found = odds.luck(volley(6, 1), exact=True)
    (one,) = found.attacks
    assert (one.killed, one.lost, one.attacker, one.target, one.kind, one.round) == (5, 5, "a", "b", "shooting", 4)
    assert one.at_least == Fraction(1, 4) ** 5 and one.better == 0
    assert one.luck == 1 - Fraction(1, 4) ** 5 / 2
    made = found.players[0].made
    assert (made.attacks, made.kills, made.expected_kills, made.luck) == (1, 5, Fraction(5, 4), one.luck)
    assert made.unusual == Fraction(1, 4) ** 5
    assert (found.players[1].suffered.luck, found.players[1].luck) == (1 - one.luck, 1 - one.luck)
    assert found.players[1].made.luck is None and found.players[1].made.attacks == 0


def test_an_unlucky_volley_says_so() -> None:
    """No hit at all is the worst there is: at least that is certain."""
    (one,) = odds.luck(volley(1, 1), exact=True).attacks
    assert (one.killed, one.at_least, one.luck) == (0, 1, Fraction(3, 4) ** 5 / 2)


def test_expected_kills_are_those_of_the_odds() -> None:
    """The law beside an attack of a record is the one `rolloff odds` tells of it."""
    (one,) = odds.luck(volley(4, 4), exact=True).attacks
    rifles, squad = odds.unit(5, quality=4, weapons=[RIFLE]), odds.unit(5, quality=4)
    report = odds.attack(rifles, squad, range=10, exact=True)
    assert (one.kills, one.damage) == (report.kills, report.last.damage)


@pytest.mark.parametrize(("again", "weapon"), [(True, 'Gun (24", A1, Linked)'), (False, RIFLE)])
def test_choices_are_taken_as_they_were_made(again: bool, weapon: str) -> None:
    """Who declines to roll misses again is held against the odds without it."""
    answers = {"yes-no": again}
    (one,) = odds.luck(volley(2, 1, 'Gun (24", A1, Linked)', answers, auto_optional_rerolls=False), exact=True).attacks
    report = odds.attack(odds.unit(5, quality=4, weapons=[weapon]), odds.unit(5, quality=4), range=10, exact=True)
    assert one.kills == report.kills


@pytest.mark.parametrize("mode", ["ignore-armored", "re-roll-blocks"])
def test_the_piercing_mode_is_the_one_that_was_picked(mode: str) -> None:
    """The law beside an attack by hand is that of the mode its player named."""
    cannon = 'Cannon (24", A2, Piercing)'
    units = [unit("a", "A", 2, (10, 10), weapons=[cannon]), unit("b", "B", 5, (10, 20), rules=["Armored"])]
    said = {"choose-action": "hold", "choose-target": "b", "choose-option": mode}
    lines = scripted(units, {"hit": 6, "block": 1}, said, switches={"auto_piercing": False})
    (one,) = odds.luck(lines, exact=True).attacks
    gun, squad = odds.unit(2, quality=4, weapons=[cannon]), odds.unit(5, quality=4, rules=["Armored"])
    report = odds.attack(gun, squad, range=10, exact=True, policies={"piercing": mode})
    assert one.kills == report.kills and one.killed == 4


@pytest.mark.parametrize("order", ["ordinary-first", "tough-first"])
def test_who_falls_first_is_as_the_owner_said(order: str) -> None:
    """The law of kills follows the order in which the models of the target really fell."""
    target = unit("b", "B", 3, (10, 20))
    target["models"][2]["rules"] = ["Tough(3)"]
    said = {"choose-action": "hold", "choose-target": "b", "choose-option": order}
    lines = scripted([unit("a", "A", 3, (10, 10), weapons=[RIFLE]), target], {"hit": 6, "block": 1}, said)
    (one,) = odds.luck(lines, exact=True).attacks
    assert (one.killed, one.lost) == ((2, 3) if order == "ordinary-first" else (1, 3))
    assert one.kills.exactly(1) == ({"ordinary-first": 27, "tough-first": 1}[order]) * Fraction(1, 64)


def test_the_table_of_damage_is_part_of_the_result() -> None:
    """A vehicle that is immobile already loses one wound more to the table, and the law knows that it may."""
    hull = {"type": "vehicle", "marks": ["immobile"], "rules": ["Tough(2)"]}
    units = [unit("a", "A", 1, (10, 10), weapons=[RIFLE]), unit("b", "B", 1, (10, 20), **hull)]
    said = {"choose-action": "hold", "choose-target": "b"}
    lines = scripted(units, {"hit": 6, "block": 1, "damage": 6}, said)
    (one,) = odds.luck(lines, exact=True).attacks
    written = {**odds.unit(1, rules=["Tough(2)"]), "type": "vehicle", "marks": ["immobile"]}
    report = odds.attack(odds.unit(1, weapons=[RIFLE]), written, range=10, facing="side", exact=True)
    assert (one.killed, one.lost) == (1, 2) and one.kills == report.kills and 0 < report.destroyed < Fraction(1, 4)


def test_blows_and_blows_back_are_two_attacks() -> None:
    """A melee tells of both sides, each with the odds of what was left when it struck."""
    units = [unit("a", "A", 2, (10, 10), weapons=["Axe (A1)"]), unit("b", "B", 3, (10, 14), weapons=["Club (A1)"])]
    found = odds.luck(scripted(units, {"hit": 6, "block": 1}, {"choose-action": "assault"}), exact=True)
    ours, theirs = found.attacks[:2]
    assert (ours.side, ours.kind, ours.killed, theirs.side, theirs.killed) == ("A", "melee", 2, "B", 1)
    assert theirs.kills == [Fraction(3, 4), Fraction(1, 4)]
    assert ours.line < theirs.line


def test_ground_is_nobodys_attack() -> None:
    """Who is hurt by dangerous ground suffers it; nobody made it."""
    swamp = {"id": "swamp", "types": ["dangerous"], "polygon": [[0, 0], [40, 0], [40, 13], [0, 13]]}
    walk = {"choose-action": "walk", "move": {"shift": [0, 5]}}
    lines = scripted(
        [unit("a", "A", 2, (10, 10)), unit("b", "B", 2, (10, 40))], {"dangerous": 1}, walk, table={"terrain": [swamp]}
    )
    found = odds.luck(lines, exact=True)
    (one,) = found.attacks
    assert (one.attacker, one.side, one.against, one.kind, one.killed) == (None, None, "A", "danger", 2)
    assert [share.attacks for player in found.players for share in (player.made, player.suffered)] == [0, 1, 0, 0]


def _shares(found: list[Luck]) -> list[AttackLuck]:
    return [one for luck in found for one in luck.attacks]


def test_luck_is_even_over_many_games(games: list[Luck]) -> None:
    """The mean of luck is 1/2, by its own variance; seen as far off by chance less often than once in 10,000."""
    attacks = _shares(games)
    spare = sum(one.luck - 0.5 for one in attacks)
    variance = sum((1 - sum(chance**3 for chance in one.damage)) / 12 for one in attacks)
    assert len(attacks) > 600
    assert abs(spare) < 3.9 * sqrt(variance)
    kills = sum(one.killed - one.kills.mean for one in attacks)
    assert abs(kills) < 3.9 * sqrt(sum(one.kills.variance for one in attacks))


def test_luck_is_spread_evenly(games: list[Luck]) -> None:
    """Luck with its ties broken by a die is uniform: no part of 0 to 1 is seen more often than it should be.

    The greatest distance of its distribution from the even one stays below the bound of Dvoretzky, Kiefer and Wolfowitz for
    a false alarm once in 10,000 runs; the ties are broken by a fixed stream.
    """
    stream, rows = Stream(seed_bytes(1, "ties")), []
    for one in _shares(games):
        worse, same = 1 - one.at_least, one.at_least - one.better
        rows.append(worse + same * stream.below(1_000_000) / 1_000_000)
    rows.sort()
    furthest = max(max(abs(u - k / len(rows)), abs(u - (k + 1) / len(rows))) for k, u in enumerate(rows))
    assert furthest < sqrt(log(2 / FALSE_ALARM) / (2 * len(rows)))


def test_both_players_share_all_luck(games: list[Luck]) -> None:
    """What one player made on the other is what the other suffered, but for what nobody made."""
    for found in games:
        ann, ben = found.players
        nobodys = sum(one.side is None for one in found.attacks)
        assert ann.made.attacks + ben.made.attacks + nobodys == len(found.attacks)
        assert ann.suffered.attacks + ben.suffered.attacks == len(found.attacks)
        assert all(0 <= one.luck <= 1 and 0 < one.at_least <= 1 and 0 <= one.better < 1 for one in found.attacks)


class Previewed(Replay):
    """A replay that also computes what would be shown beside each target before it is chosen."""

    def __init__(self, lines: list[Line]) -> None:
        """Nothing seen yet."""
        super().__init__(lines)
        self.made: list[tuple[ResolvedAttack, Json | None]] = []
        self.shown_odds: Json | None = None
        self.watch = lambda made: self.made.append((made, self.shown_odds))

    def choose(self, request: Question, play: object) -> object:
        """The answer as given; if it names a target, the odds shown beside it."""
        assert isinstance(request, Request) and isinstance(play, Play)
        answer = super().choose(request, play)
        if request.kind == "choose-target" and request.point == "DP-18":
            self.shown_odds = None if self._table_adds(play, answer) else preview(play, request, answer)
        elif request.kind == "assign-weapons" and answer != request.default:
            self.shown_odds = None  # another choice than the one whose odds were shown
        return answer

    @staticmethod
    def _table_adds(play: Play, answer: object) -> bool:
        """Whether the target is Immobile, so that the table of damage may add a wound that no die of the attack brings."""
        target = play.game.numbers.get(str(answer))
        living = () if target is None else play.state.units[target].living
        return any(play.state.model_mark(slot, "immobile") is not None for slot in living)


def test_the_odds_after_a_shot_are_those_shown_before_it() -> None:
    """In real games the kills computed from what was rolled are the kills that stood beside the target."""
    compared = 0
    for k in range(4):
        replay = Previewed(game_lines(Match(EDITION, ("greedy", "closing"), seed=9), k))
        replay.run()
        calculator = Calculator()
        for made, shown in replay.made:
            if made.kind != "shooting" or shown is None:
                continue
            law = Law(ends(calculator, made.plan, made.plan.start))
            assert law.spread(made.plan.target.kills) == pytest.approx(shown["kills"], abs=1e-12)
            compared += 1
    assert compared > 20


def test_what_is_no_record_is_refused(tmp_path: Path) -> None:
    """Another file, none, one that was altered and one that was cut are refused with a sentence."""
    (tmp_path / "poem.jsonl").write_text("hello\n")
    for name in ("poem.jsonl", "none.jsonl"):
        with pytest.raises(RecordError, match=name):
            odds.luck(tmp_path / name)
    lines = volley(6, 1)
    with pytest.raises(RecordError, match="ends before"):
        odds.luck(lines[:-2])
    rows = [content(line.found or {}) for line in lines]
    at = next(k for k, row in enumerate(rows) if row.get("purpose") == "hit")
    rows[at]["faces"] = [1] * 5
    with pytest.raises(RecordError, match=f"line {at + 1}"):
        odds.luck(parse(text(sealed(rows)), "x"))


def test_only_attacks_of_the_record_can_be_asked_for() -> None:
    """Numbers go from 1 to as many as there are."""
    found = odds.luck(volley(6, 1))
    assert found.attack(1).killed == 5
    for number in (0, 2):
        with pytest.raises(BadInput, match=f"attack {number}"):
            found.attack(number)


def test_a_sum_is_unusual_by_its_smaller_tail() -> None:
    """Of two fair coins both heads and both tails are equally unusual, and one of each is not at all."""
    coin = Distribution([Fraction(1, 2), Fraction(1, 2)])
    assert [unusual([coin, coin], seen) for seen in range(3)] == [Fraction(1, 4), 1, Fraction(1, 4)]
