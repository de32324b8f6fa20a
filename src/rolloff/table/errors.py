"""The error family, by its table name."""

from rolloff.errors import (
    ArmyError,
    BadInput,
    DiceError,
    IllegalCommand,
    RecordError,
    RolloffError,
    UnknownEdition,
)

__all__ = ["ArmyError", "BadInput", "DiceError", "IllegalCommand", "RecordError", "RolloffError", "UnknownEdition"]
