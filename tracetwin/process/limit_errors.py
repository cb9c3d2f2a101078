"""Exceptions that tell of the machine's limits, unless a program raises them itself."""

from __future__ import annotations

import dis
import errno
from typing import Final

_RAISE: Final = dis.opmap["RAISE_VARARGS"]


_EXHAUSTED: Final = frozenset(
    getattr(errno, name, None) for name in ("EMFILE", "ENFILE", "EFBIG", "ENOSPC", "ENOMEM", "EDQUOT")
)
_REFUSED: Final = frozenset((errno.EACCES, errno.EPERM, errno.ENOSYS))
_NO_THREAD: Final = "can't start new thread"


def tells_of_limits(error: BaseException) -> bool:
    """True if recursion, memory, threads, files or room ran out; not where a `raise` statement says so."""
    if isinstance(error, OSError):
        exhausted = error.errno in _EXHAUSTED
    elif isinstance(error, RuntimeError) and not isinstance(error, RecursionError):
        exhausted = error.args == (_NO_THREAD,)
    else:
        exhausted = isinstance(error, (RecursionError, MemoryError))
    return exhausted and not _is_raised(error)


def tells_of_walls(error: BaseException) -> bool:
    """True if the system refused something, which it may not do elsewhere; not where a `raise` says so."""
    return isinstance(error, OSError) and error.errno in _REFUSED and not _is_raised(error)


def _is_raised(error: BaseException) -> bool:
    """True if the innermost instruction that the exception passed is a `raise`."""
    step = error.__traceback__
    if step is None:
        return False
    while step.tb_next is not None:
        step = step.tb_next
    return step.tb_frame.f_code.co_code[step.tb_lasti] == _RAISE
