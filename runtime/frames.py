"""Keeps the runtime's own frames out of tracebacks, warnings and log records.

A helper that calls back into the program stands between two of its frames. It leaves no entry in a traceback,
and `warnings` and `logging`, when they count frames or look for a caller, pass over it as they do over the
import system: by its file name. `sys._getframe` alone, from within the program's own `__getitem__` and the
like, still finds it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

from runtime.trace import UNSEEN, is_ours


def hide_frames(function: Any, *, others_too: bool = False) -> Any:
    """Have `warnings` and `logging` pass over the frames of a function; return it.

    `others_too`: those that stand in for functions of others as well.
    """
    if type(function) is not FunctionType or function.__code__.co_filename is UNSEEN:
        return function
    if others_too or is_ours(function.__code__):
        function.__code__ = _renamed(function.__code__)
    return function


def hide_module_frames(module: ModuleType, *, others_too: bool = False) -> None:
    """Hide the frames of all functions and methods that a module of ours holds, also in its tables."""
    for value in list(vars(module).values()):
        held: Iterable[Any] = (value,)
        if type(value) is type and value.__module__ == module.__name__:
            held = vars(value).values()
        elif type(value) is dict:
            held = value.values()
        for function in held:
            if type(function) is FunctionType:
                own = function.__module__ == module.__name__
                hide_frames(function, others_too=others_too and own)


def _renamed(code: CodeType) -> CodeType:
    parts = tuple(_renamed(part) if type(part) is CodeType else part for part in code.co_consts)
    return code.replace(co_filename=UNSEEN, co_consts=parts)


def trim_traceback(error: BaseException) -> None:
    """Drop our own entries from the top of a traceback; a bare `raise` afterwards adds none for its frame.

    Python 3.10 raises again with the traceback that it caught: there the first entry stays.
    """
    first = entry = error.__traceback__
    while entry is not None and is_ours(entry.tb_frame.f_code):
        entry = entry.tb_next
    if first is not None and first is not entry:
        first.tb_next = entry
    error.__traceback__ = entry


def call_for(caller: FrameType | None, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Call `function(*args, **kwargs)` from a frame with the file, the line and the globals of `caller`.

    Raises:
        BaseException: what the function raises, without an entry of ours in its traceback.
    """
    if caller is None:
        return function(*args, **kwargs)
    seen = caller.f_code
    code = _call.__code__.replace(
        co_filename=seen.co_filename, co_name=seen.co_name, co_firstlineno=caller.f_lineno - 1
    )
    try:
        return FunctionType(code, caller.f_globals)(function, args, kwargs)
    except BaseException as error:
        first = entry = error.__traceback__
        while entry is not None and entry.tb_frame.f_code is not code:
            entry = entry.tb_next
        if first is not None and entry is not None:
            first.tb_next = entry.tb_next  # Python 3.10 raises again with the traceback that it caught
            error.__traceback__ = entry.tb_next
        raise


def _call(function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    return function(*args, **kwargs)
