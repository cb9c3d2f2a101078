"""Everything that tracetwin raises on purpose, under one root.

Who has to act tells the kinds apart: the user (`TargetError`, `ConfigError`), nobody for now
(`UnsupportedError`), or we (`InternalError`). A message is one sentence that names the thing and, where
possible, what to do.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tracetwin.support.failures import Failure


class TracetwinError(Exception):
    """Root of all errors that tracetwin reports without a traceback."""


class TargetError(TracetwinError, ValueError):
    """A target can't be used as it was given: the user's mistake, or the target's.

    Attributes:
        target: what the user named, as he wrote it.
        reason: what is wrong with it, and what to do.
    """

    def __init__(self, target: str | Path, reason: str) -> None:
        """Name the target and what is wrong with it."""
        self.target = str(target)
        self.reason = reason
        super().__init__(f"{self.target}: {reason}")

    @property
    def excerpt(self) -> list[str]:
        """Return what CPython shows of a syntax error, line by line; nothing for other causes."""
        if not isinstance(self.__cause__, SyntaxError):
            return []
        import traceback

        return "".join(traceback.format_exception_only(self.__cause__)).splitlines()

    def __reduce__(self) -> tuple[type[TargetError], tuple[str, str]]:
        """Pickle by the arguments, which are not those of `Exception`."""
        return type(self), (self.target, self.reason)


class BrokenTargetError(TargetError):
    """Looking at a target ended in an error of ours, or of the system."""

    def __init__(self, target: str | Path, failure: Failure) -> None:
        self.failure = failure
        super().__init__(target, failure.sentence)

    def __reduce__(self) -> tuple[type[BrokenTargetError], tuple[str, Failure]]:  # type: ignore[override]
        return type(self), (self.target, self.failure)


class ConfigError(TracetwinError, ValueError):
    """The configuration says something that can't be done; the message names file and key.

    Attributes:
        file: where it stands.
        key: the key at fault, "" for the file as a whole.
        reason: what is wrong, and what to do.
    """

    def __init__(self, file: str | Path, key: str, reason: str) -> None:
        """Name the place and what is wrong there."""
        self.file = str(file)
        self.key = key
        self.reason = reason
        super().__init__(": ".join(part for part in (self.file, key, reason) if part))

    def __reduce__(self) -> tuple[type[ConfigError], tuple[str, str, str]]:
        """Pickle by the arguments, which are not those of `Exception`."""
        return type(self), (self.file, self.key, self.reason)


class UnsupportedError(TracetwinError, NotImplementedError):
    """A correct program asks for something that tracetwin can't do; the message names it."""


class InternalError(TracetwinError, RuntimeError):
    """An invariant of tracetwin is broken: a bug of ours."""

    ADVICE: Final = "this is a bug in tracetwin; please report it together with the target"

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(f"{message} ({self.ADVICE})")

    def __reduce__(self) -> tuple[type[InternalError], tuple[str]]:
        """Pickle by the argument, so that the advice is not added twice."""
        return type(self), (self.message,)
