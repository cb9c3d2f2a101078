"""Exceptions that tell of the machine's limits, unless a program raises them itself."""

from __future__ import annotations

import dis
from typing import Final

_RAISE: Final = dis.opmap["RAISE_VARARGS"]


def tells_of_limits(error: BaseException) -> bool:
    """Whether recursion or memory ran out; not where a `raise` statement says so."""
    return isinstance(error, (RecursionError, MemoryError)) and not _is_raised(error)


def _is_raised(error: BaseException) -> bool:
    """Whether the innermost instruction that the exception passed is a `raise`."""
    step = error.__traceback__
    if step is None:
        return False
    while step.tb_next is not None:
        step = step.tb_next
    return step.tb_frame.f_code.co_code[step.tb_lasti] == _RAISE
