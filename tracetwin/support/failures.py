"""Errors that are neither the target's nor the user's: tracetwin's own, and what the system refuses it.

Each is one sentence; what else is known of it goes into the log (`tracetwin.support.log`).
"""

from __future__ import annotations

import errno
import traceback
from collections.abc import Sequence
from typing import Final

from tracetwin.support.data import dataclass
from tracetwin.support.worker_errors import HandlerError

INTERNAL: Final = 3
"""Exit status after an error of tracetwin itself, whatever else was written."""

TROUBLE: Final = 4
"""Exit status where the system refused something, such as to write a file on a full disk."""

LONGEST: Final = 300
"""Characters of an exception's message that are shown."""

_MOST_DETAILS: Final = 8_000
"""Characters at the beginning and at the end of a traceback that are kept."""

_REFUSING: Final = frozenset((
    errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EFBIG, errno.EIO,
    errno.ENAMETOOLONG, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN,
))  # fmt: skip
"""What the system says where it has no room or does not permit a thing; other errors are mistakes of ours."""


@dataclass(frozen=True)
class Failure:
    """One error.

    Attributes:
        doing: what was being done, such as ``exploring Cart.add``.
        message: what went wrong, in one line.
        details: the traceback, as far as there is one.
        internal: whether it is an error of tracetwin; else the system refused something.
    """

    doing: str
    message: str
    details: str = ""
    internal: bool = True

    @property
    def sentence(self) -> str:
        """Return the sentence that the user reads."""
        if self.internal:
            return f"internal error while {self.doing}: {self.message}"
        return f"{self.doing} failed: {self.message}"

    @property
    def status(self) -> int:
        """The exit status that it asks for."""
        return INTERNAL if self.internal else TROUBLE


def failure_of(error: BaseException, doing: str) -> Failure:
    """Return the failure that stands for an exception."""
    details = _shortened("".join(traceback.format_exception(error)))
    if isinstance(error, MemoryError):
        return Failure(doing, "there is not enough memory", details, internal=False)
    if isinstance(error, OSError) and error.errno in _REFUSING:
        place = f": {error.filename}" if error.filename is not None else ""
        return Failure(doing, f"{error.strerror}{place}", details, internal=False)
    return Failure(doing, message_of(error), details)


def _shortened(details: str) -> str:
    """A traceback without its middle where it is long, as that of an endless recursion is."""
    if len(details) <= 2 * _MOST_DETAILS:
        return details
    return f"{details[:_MOST_DETAILS]}\n  ...\n{details[-_MOST_DETAILS:]}"


def message_of(error: BaseException) -> str:
    """Type and message of an exception in one line; of one in a worker, what its traceback ends with."""
    text = _text(error)
    if isinstance(error, HandlerError):
        return last_line(text)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def last_line(details: str) -> str:
    """The line of a traceback that names the exception."""
    lines = [line for line in details.strip().splitlines() if line.strip() and not line.startswith(" ")]
    return lines[-1].strip()[:LONGEST] if lines else "no message"


def _text(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 - it may hold an object of a target
        return ""
    return text if isinstance(error, HandlerError) else " ".join(text.split())[:LONGEST]


def worst(failures: Sequence[Failure]) -> int:
    """The exit status that some failures ask for, 0 without any; an error of ours comes before all."""
    return min((failure.status for failure in failures), default=0)
