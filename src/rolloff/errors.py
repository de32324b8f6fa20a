"""The small family of errors: what was wrong, where, what would be right, and the clause that says no."""

from __future__ import annotations


class RolloffError(Exception):
    """Anything Rolloff refuses. Carries what a person or a program needs to put it right."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        where: str | None = None,
        allowed: str | None = None,
        clause: str | None = None,
    ) -> None:
        """Remember the code, the sentence, the place, what is allowed there, and the clause."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.where = where
        self.allowed = allowed
        self.clause = clause

    def __reduce__(self) -> tuple[object, ...]:
        """Let a refusal cross from one process to another whole."""
        return _again, (type(self), self.args, self.__dict__)


class IllegalCommand(RolloffError):
    """A command or an answer the rules refuse; the game stands as it was."""

    def __init__(self, code: str, clause: str, message: str, value: object = None) -> None:
        """Name the rule that refuses and the offending value."""
        super().__init__(code, message, clause=clause)
        self.value = value

    @property
    def cited(self) -> str:
        """The clause that refuses; a refusal always has one."""
        assert self.clause is not None
        return self.clause


class BadInput(RolloffError):
    """Input that cannot be used at all: malformed, unknown, out of bounds."""


class UnknownEdition(BadInput):
    """No edition of that id is installed."""


class ArmyError(BadInput):
    """An army list that cannot be used."""


class RecordError(BadInput):
    """A file that is not a game record, or cannot be read as one."""


class DiceError(BadInput):
    """Entered dice that do not fit: too few, too many, or no face of a die."""

    answered: int = 0
    """How many answers of a case were taken by then."""


def _again(kind: type[RolloffError], args: tuple[object, ...], fields: dict[str, object]) -> RolloffError:
    """An error as it was, in another process."""
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(fields)
    return error
