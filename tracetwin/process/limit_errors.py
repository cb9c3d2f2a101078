"""Exceptions that tell of the machine: of its limits, unless a program raises them, and of what it lacks."""

from __future__ import annotations

import dis
import errno
from collections.abc import Iterator
from typing import Final

_RAISE: Final = dis.opmap["RAISE_VARARGS"]
_IMPORT: Final = dis.opmap["IMPORT_NAME"]

_OF_IMPORTS: Final = "<frozen importlib"

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


def _with_causes(error: BaseException) -> Iterator[BaseException]:
    """Give an exception, what was handled when it was raised, and so on."""
    seen: set[int] = set()  # a program can make a ring of them
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__context__ if cause.__cause__ is None else cause.__cause__


def not_installed(error: BaseException) -> str:
    """Return the package that an `import` statement asks for and that is not there; else "".

    Also for what is raised while that is handled: where the package is there, something else happens.
    """
    for cause in _with_causes(error):
        if isinstance(cause, ModuleNotFoundError) and _innermost(cause) == _IMPORT:
            return (cause.name or "").partition(".")[0]
    return ""


def _is_raised(error: BaseException) -> bool:
    return _innermost(error) == _RAISE


def _innermost(error: BaseException) -> int | None:
    """Return the innermost instruction of a program that an exception passed."""
    step, found = error.__traceback__, None
    while step is not None:
        if not step.tb_frame.f_code.co_filename.startswith(_OF_IMPORTS):
            found = step.tb_frame.f_code.co_code[step.tb_lasti]
        step = step.tb_next
    return found
