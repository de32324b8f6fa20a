"""The turn as a table of rows (ROUND-1), how long effects last, and what ends the battle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from rolloff.editions.commentary import (
    coherency,
    command,
    deploying,
    fighting,
    formations,
    mutations,
    secondaries,
    shooters,
    shooting,
    travelling,
)
from rolloff.editions.commentary.lookups import GRANT
from rolloff.rules.citing import cites
from rolloff.rules.effects import BEARER, OTHER, OWNER, Duration, Effects
from rolloff.rules.objectives import control
from rolloff.rules.play import Play
from rolloff.rules.rows import REACTIVE, Alternate, Each, Ends, Once
from rolloff.rules.turns import COMMAND as AFTER_EACH
from rolloff.rules.turns import Part, Step, Turns
from rolloff.rules.windows import Moment, window


@cites("OC-3", "OC-5")
def judge_control(play: Play) -> None:
    """OC-3, OC-5: at the end of each phase control is judged, and again after each rule that is used there."""
    control(play)


def open_command(play: Play) -> None:
    """The start of the Command phase."""
    window(play, Moment("start-command"))


def open_reinforcements(play: Play) -> None:
    """REPOS-1: the Reinforcements step, before its first unit arrives and after each that does."""
    window(play, Moment("reinforcements"))


def bring_overdue(play: Play) -> None:
    """The end of the Reinforcements step: who must arrive does, and may then be set up again like others."""
    if travelling.overdue(play):
        open_reinforcements(play)


def open_shooting(play: Play) -> None:
    """The start of the Shooting phase."""
    window(play, Moment("shooting-starts"))


@cites("ROUND-1")
def starts_the_round(play: Play) -> int:
    """ROUND-1: the same player has the first turn of every battle round."""
    return play.state.clock.first


def score_turn(play: Play) -> None:
    """The end of a turn: cards score, then the mission; then cards may be given up."""
    secondaries.score_cards(play)
    command.score_turn(play)
    secondaries.give_up(play)


COMMAND, MOVEMENT, SHOOTING, CHARGE, FIGHT = "command", "movement", "shooting", "charge", "fight"
TURNS = Turns(
    over=command.wiped_out,
    over_at=AFTER_EACH,  # MIS-4
    clause="ROUND-1",
    ends={"rounds": ("MIS-8",), "wipeout": ("MIS-4", "MIS-8"), "concede": ("MIS-8",)},
    turn=(
        Step(
            "command",
            Once((open_command, command.gain, command.note_away, secondaries.draw_cards, command.command_step)),
            COMMAND,
        ),
        Step("shock-starts", Once((command.open_shock_step,)), COMMAND),
        Step("battle-shock", Each(command.must_test, command.test_unit, "CMD-4", may_stop=False), COMMAND),
        Step("command-end", Ends("end-command", judge_control, command.score_command), COMMAND),
        Step("move", Each(travelling.movable, travelling.move_unit, "MOVE-1", idle=True), MOVEMENT),
        Step("stationary", Once((travelling.fly_those_left, travelling.note_stationary)), MOVEMENT),
        Step(
            "reinforcements",
            Each(travelling.may_arrive, travelling.arrive_unit, "MOVE-10", first=open_reinforcements, idle=True),
            MOVEMENT,
        ),
        Step("overdue", Once((bring_overdue,)), MOVEMENT),
        Step("movement-end", Ends("end-movement", judge_control), MOVEMENT),
        Step("shooting-starts", Once((open_shooting,)), SHOOTING),
        Step("shoot", Each(shooters.able, shooting.shoot_unit, "SHOOT-1", idle=True), SHOOTING),
        Step("shooting-end", Ends("end-shooting", judge_control), SHOOTING),
        Step("charge-starts", Once((fighting.note_near,)), CHARGE),
        Step("charge", Each(fighting.able_to_charge, fighting.charge_unit, "CHG-1", idle=True), CHARGE),
        Step("charge-end", Ends("end-charge", judge_control), CHARGE),
        Step("fight-starts", Once((fighting.note_late,)), FIGHT),
        Step("fights-first", Alternate(fighting.first_fighters, fighting.fight_unit, "FGT-2", REACTIVE), FIGHT),
        Step("fights", Alternate(fighting.fighters, fighting.fight_unit, "FGT-2", REACTIVE), FIGHT, fresh=False),
        Step("fight-end", Ends("end-fight", judge_control), FIGHT),
        Step("turn-end", Ends("end-turn", judge_control, score_turn)),
        Step("coherency", Once((coherency.keep_together,))),
    ),
    after=(Step("round-end", Once((mutations.mutate, travelling.never_arrived)), "round-end"),),
    rounds=5,
    first=starts_the_round,
    wins=command.winner_of,
)

EFFECTS = Effects(
    words={
        "end-phase": Duration("end-phase"),
        "end-turn": Duration("end-turn"),
        "end-round": Duration("end-round"),
        "next-round": Duration("end-round", then="end-round"),
        "end-attacks": Duration("end-attacks", BEARER),
        "own-command": Duration("start-command", OWNER),
        "own-turn": Duration("start-turn", OWNER),
        "other-turn": Duration("start-turn", OTHER),
    },
    marks={
        "advanced": "end-turn",
        "fell-back": "end-turn",
        "moved": "end-turn",
        "stationary": "end-turn",
        "selected-to-move": "end-turn",
        "charged": "end-turn",
        "was-charged": "end-turn",
        "fights-first": "end-turn",
        "no-charge-bonus": "end-turn",
        "disembarked": "end-turn",
        "arrived": "end-turn",
        "no-charge": "end-turn",
        "boarded": "end-phase",
        "away-in-command": "own-command",
        "near": "end-phase",
        "fights-later": "end-phase",
        "steady": "end-phase",
        "surging": "end-phase",
        "cover": "end-phase",
        "stealth": "end-phase",
        "allocated": "end-phase",
        "overwatch": "end-attacks",
        "split-fire": "end-attacks",
        "battle-shocked": "own-command",
        "felled-leader": "end-turn",
        "added": "end-phase",
        "fell": "end-phase",
        "shot": "end-phase",
        "fought": "end-phase",
    },
    prefixes=("used:", "did:", "grant:", "lamp:", "felled:", "lost:", "had:", "deck:", "rolled:"),
)
MARKS = (
    *EFFECTS.marks,
    "engaged",
    "hovers",
    "redeployed",
    "repositioned",
    "must-arrive",
    "waits",
    *(f"{prefix}*" for prefix in EFFECTS.prefixes),
)
PHASE = "end-phase"
SYNONYMS: Mapping[str, Mapping[str, int | str]] = {
    "remained-stationary": {"stationary": "end-turn"},
    "gone-to-ground": {"cover": PHASE, f"{GRANT}Invulnerable Save 6+": PHASE},  # CSTR-7
    "smokescreen": {"cover": PHASE, "stealth": PHASE},  # CSTR-9
}
"""What a unit did or was granted, in words of the rulebook that are no marks of their own."""
MOVES = ("normal", "advance", "fall-back", "stationary", "disembark")
PARTS = {
    COMMAND: (
        Part("command"),
        Part("shock-starts"),
        Part("battle-shock", ("battle-shock",), why=command.why_no_test),
        Part("command-end"),
    ),
    MOVEMENT: (
        Part("move", MOVES, why=travelling.why_not, did=("moved", "advanced", "fell-back", "stationary", "selected-to-move")),
        Part("move", (travelling.EMBARK,), acts=travelling.board_unit),
        Part("stationary"),
        Part("reinforcements"),
        Part("overdue"),
        Part("movement-end"),
    ),
    "reinforcements": (Part("reinforcements", ("arrive",), why=travelling.why_not_now), Part("overdue"), Part("movement-end")),
    SHOOTING: (
        Part("shooting-starts"),
        Part("shoot", ("shoot",), why=shooting.why_no_part, did=("shot",), noted=travelling.note_who_stood),
        Part("shooting-end"),
    ),
    CHARGE: (
        Part("charge-starts"),
        Part("charge", ("charge",), ("charge-starts",), fighting.why_not, ("charged",)),
        Part("charge-end"),
    ),
    FIGHT: (
        Part("fight-starts"),
        Part("fights-first", did=("fought",)),
        Part("fights", ("fight",), why=fighting.why_not_now, did=("fought",)),
        Part("fight-end"),
    ),
    "end-of-turn": (Part("turn-end"), Part("coherency")),
}
STEPS: Mapping[str, Callable[[Play], None]] = {
    "sides": formations.begin,
    "declare": formations.declare,
    **deploying.DEPLOYMENT.steps(),
    "redeploy": deploying.redeploy,
    "first-turn": deploying.first_turn,
    "scouts": partial(deploying.scouts, TURNS),
    **TURNS.steps(),
}
MOMENTS = (
    "rolled",
    "paid",
    "start-command",
    "command-step",
    "battle-shock-step",
    "shock-failed",
    "end-command",
    "normal-starts",
    "normal-ended",
    "advance-starts",
    "advance-ended",
    "fall-back-starts",
    "fall-back-ended",
    "scout-starts",
    "scout-ended",
    "flown",
    "set-up",
    "disembarked",
    "reinforcements",
    "end-movement",
    "shooting-starts",
    "selected-to-shoot",
    "targets-chosen",
    "felled",
    "demise",
    "attacks-made",
    "has-shot",
    "end-shooting",
    "charge-declared",
    "charge-starts",
    "charge-ended",
    "charged",
    "end-charge",
    "selected-to-fight",
    "melee-targets-chosen",
    "pile-in-starts",
    "pile-in-ended",
    "consolidate-starts",
    "consolidate-ended",
    "fought",
    "end-fight",
    "end-turn",
)
