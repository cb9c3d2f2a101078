"""Calls of C code that looks at who calls it, made as the rewritten code itself would make them."""

from __future__ import annotations

from collections.abc import Callable
from types import FrameType, FunctionType
from typing import Any


def call_for(caller: FrameType | None, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """`function(*args, **kwargs)` from a frame with the file, the line and the globals of `caller`.

    Args:
        caller: None when Python itself called us, with no code around.
        function: what is called.
        args: its positional arguments.
        kwargs: its keyword arguments.

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
