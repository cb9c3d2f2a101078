"""The place where an exception was raised: the line of the target, and whether a statement said so."""

from __future__ import annotations

import dis
from types import TracebackType
from typing import Final

from tracetwin.support.data import dataclass

_RAISE: Final = dis.opmap["RAISE_VARARGS"]


@dataclass(frozen=True)
class RaisedAt:
    """Where an exception comes from.

    Attributes:
        line: the innermost line of the target's file on the way to it; None where there is none.
        is_stated: a `raise` statement in another module of the target's package made it.
    """

    line: int | None
    is_stated: bool


def raising_of(error: BaseException, file: str | None, module: str) -> RaisedAt:
    """Return where an exception that left a call was raised."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return RaisedAt(line_in(error, file), last is not None and _is_stated(last, error, file, module))


def line_in(error: BaseException, file: str | None) -> int | None:
    """Return the innermost line of a file that an exception passed."""
    line, step = None, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == file:
            line = step.tb_lineno
        step = step.tb_next
    return line


def _is_stated(last: TracebackType, error: BaseException, file: str | None, module: str) -> bool:
    frame = last.tb_frame
    if frame.f_code.co_filename == file or isinstance(error, AssertionError):
        return False  # of its own file, lines tell; an assertion is no statement of what callers do wrong
    home = str(frame.f_globals.get("__name__", ""))
    own = home.partition(".")[0] == module.partition(".")[0]
    return own and frame.f_code.co_code[last.tb_lasti] == _RAISE
