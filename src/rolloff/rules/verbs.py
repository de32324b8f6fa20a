"""All an author of an edition needs, under one name: ``from rolloff.rules import verbs as v``. See docs/verbs.md."""

from __future__ import annotations

from rolloff.errors import BadInput, IllegalCommand
from rolloff.geometry.measure import nearest, point_gap, touching
from rolloff.geometry.moves import CLEAR, FREE, TOUCH, Code, Coherency, Order, Rectangle, Stay, Zone, gaps
from rolloff.geometry.paths import engage
from rolloff.geometry.sight import watch
from rolloff.geometry.templates import Area, direction, on_base, shifted, under
from rolloff.lengths import INCH
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.contest import Hand, d66, draw, margin, opposed
from rolloff.oracle.draft import Draft, Reroll
from rolloff.oracle.flow import ATTACKS, BLOCKED, DAMAGE, HITS, WOUNDS, Flow, Harm, Volley, Wound
from rolloff.oracle.flow import Order as DiceOrder
from rolloff.oracle.offers import Again, Treat
from rolloff.oracle.stage import Keep, Stage, check, fixed, number, table
from rolloff.oracle.target import Ladder, Rung
from rolloff.rules.alternating import Alternating, anywhere
from rolloff.rules.answers import Spot as Point
from rolloff.rules.attack import AttackForm, Plan
from rolloff.rules.attacks import MELEE, SHOOTING, Attacks, WeaponAttacks, can_fight, engaged, fight, resolve, resolve_volleys
from rolloff.rules.cards import Checks, figure, unit_figure, weapon_figure
from rolloff.rules.charges import Charge, ChargeOrder, charge
from rolloff.rules.charges import targets_of as charge_targets
from rolloff.rules.deployment import SetUp, roll_off, set_down
from rolloff.rules.edition import Edition, EventKind
from rolloff.rules.effects import ANY, BEARER, GAME, OTHER, OWNER, Boundary, Duration, Effects, cross, lasting
from rolloff.rules.fire import HOLD_FIRE, Fire, FireOrder, Gun, Shot, eligible, guns_of, shoot
from rolloff.rules.game import Game
from rolloff.rules.hooks import Special, Spread
from rolloff.rules.losses import Fallen, Losses, lose
from rolloff.rules.movement import MoveKind, Movement, alive, make
from rolloff.rules.moves import Setting, ask_move, ask_place, placed
from rolloff.rules.objectives import Objectives, control, held_by, markers
from rolloff.rules.objectives import Spot as Objective
from rolloff.rules.play import OVER, Play
from rolloff.rules.reserves import Arrival, Reserves, arrive
from rolloff.rules.reserves import able as can_arrive
from rolloff.rules.rows import ACTIVE, REACTIVE, Activations, Alternate, Chain, Drawn, Each, Ends, Once
from rolloff.rules.specials.linked import Linked
from rolloff.rules.specials.marker import Marker
from rolloff.rules.telling import plain_kinds
from rolloff.rules.templates import Landing, Scatter, ask_point, best_spots, models_near, scatter, units_under
from rolloff.rules.terms import Action, Outcome, Outcomes, Role, SituationDefaults
from rolloff.rules.turns import (
    COMMAND,
    STEP,
    TURN,
    Crossing,
    Step,
    Turns,
    advance,
    end_game,
    on_table,
    pick,
    pick_next,
    wiped_out,
)
from rolloff.rules.windows import (
    EITHER,
    ENEMY,
    MODEL,
    OWN,
    ROLLED,
    SIDE,
    UNIT,
    Limit,
    Moment,
    Reaction,
    Use,
    listened,
    purse,
    window,
)
from rolloff.rules.words import Prompt, Words
from rolloff.table.event import (
    Done,
    Joined,
    Marked,
    ModelMarked,
    Parted,
    Patch,
    Placed,
    Removed,
    Returned,
    SideMarked,
    Ticked,
    Went,
    Wounded,
)
from rolloff.table.profile import Base, Card, Model, Rule, Throw, Weapon, read_throw
from rolloff.table.request import PASS, Request
from rolloff.table.setup import Setup, Table, Terrain
from rolloff.table.state import RESERVE, TABLE, WAITING, Clock, State

__all__ = [
    "ACTIVE",
    "ANY",
    "ATTACKS",
    "BEARER",
    "BLOCKED",
    "CLEAR",
    "COMMAND",
    "DAMAGE",
    "EITHER",
    "ENEMY",
    "FREE",
    "GAME",
    "HITS",
    "HOLD_FIRE",
    "INCH",
    "MELEE",
    "MODEL",
    "OTHER",
    "OVER",
    "OWN",
    "OWNER",
    "PASS",
    "REACTIVE",
    "RESERVE",
    "ROLLED",
    "SHOOTING",
    "SIDE",
    "STEP",
    "TABLE",
    "TOUCH",
    "TURN",
    "UNIT",
    "WAITING",
    "WOUNDS",
    "Action",
    "Activations",
    "Again",
    "Alternate",
    "Alternating",
    "Area",
    "Arrival",
    "AttackForm",
    "Attacks",
    "BadInput",
    "Base",
    "Boundary",
    "Calculator",
    "Card",
    "Chain",
    "Charge",
    "ChargeOrder",
    "Checks",
    "Clock",
    "Code",
    "Coherency",
    "Crossing",
    "DiceOrder",
    "Done",
    "Draft",
    "Drawn",
    "Duration",
    "Each",
    "Edition",
    "Effects",
    "Ends",
    "EventKind",
    "Fallen",
    "Fire",
    "FireOrder",
    "Flow",
    "Game",
    "Gun",
    "Hand",
    "Harm",
    "IllegalCommand",
    "Joined",
    "Keep",
    "Ladder",
    "Landing",
    "Limit",
    "Linked",
    "Losses",
    "Marked",
    "Marker",
    "Model",
    "ModelMarked",
    "Moment",
    "MoveKind",
    "Movement",
    "Objective",
    "Objectives",
    "Once",
    "Order",
    "Outcome",
    "Outcomes",
    "Parted",
    "Patch",
    "Placed",
    "Plan",
    "Play",
    "Point",
    "Prompt",
    "Reaction",
    "Rectangle",
    "Removed",
    "Request",
    "Reroll",
    "Reserves",
    "Returned",
    "Role",
    "Rule",
    "Rung",
    "Scatter",
    "SetUp",
    "Setting",
    "Setup",
    "Shot",
    "SideMarked",
    "SituationDefaults",
    "Special",
    "Spread",
    "Stage",
    "State",
    "Stay",
    "Step",
    "Table",
    "Terrain",
    "Throw",
    "Ticked",
    "Treat",
    "Turns",
    "Use",
    "Volley",
    "Weapon",
    "WeaponAttacks",
    "Went",
    "Words",
    "Wound",
    "Wounded",
    "Zone",
    "advance",
    "alive",
    "anywhere",
    "arrive",
    "ask_move",
    "ask_place",
    "ask_point",
    "best_spots",
    "can_arrive",
    "can_fight",
    "charge",
    "charge_targets",
    "check",
    "control",
    "cross",
    "d66",
    "direction",
    "draw",
    "eligible",
    "end_game",
    "engage",
    "engaged",
    "fight",
    "figure",
    "fixed",
    "gaps",
    "guns_of",
    "held_by",
    "lasting",
    "listened",
    "lose",
    "make",
    "margin",
    "markers",
    "models_near",
    "nearest",
    "number",
    "on_base",
    "on_table",
    "opposed",
    "pick",
    "pick_next",
    "placed",
    "plain_kinds",
    "point_gap",
    "purse",
    "read_throw",
    "resolve",
    "resolve_volleys",
    "roll_off",
    "scatter",
    "set_down",
    "shifted",
    "shoot",
    "table",
    "touching",
    "under",
    "unit_figure",
    "units_under",
    "watch",
    "weapon_figure",
    "window",
    "wiped_out",
]
