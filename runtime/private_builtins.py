"""Keeps builtins of our own: a program that replaces `builtins.len` does not reach the runtime."""

from __future__ import annotations

import builtins
from typing import Any, Final

_OURS: Final = dict(vars(builtins))


def keep_builtins(namespace: dict[str, Any]) -> None:
    """Let the functions that a module of ours defines from here on use the builtins of the start.

    A program may replace `len` to see what the code under test does with it; the code that stands in
    for an operation, which in the original calls nothing, would get the replacement too.

    Args:
        namespace: the module's `globals()`. In a worker it has builtins of its own already.
    """
    if namespace["__builtins__"] is vars(builtins):
        namespace["__builtins__"] = _OURS
