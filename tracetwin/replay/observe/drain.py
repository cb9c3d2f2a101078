"""Draining an object until it is empty: the order of a heap, of a stack, of a queue.

The last thing that is asked of it, as nothing is left afterwards.
"""

from __future__ import annotations

import io
import re
import types
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, Final

from tracetwin.model.recipe import Scalar, Series
from tracetwin.model.snapshot import Snapshot
from tracetwin.replay.observe import rules
from tracetwin.replay.observe.snap import Camera
from tracetwin.replay.observe.step_limit import line_limit

FEWEST: Final = 2
MOST: Final = 10
"""Things that are taken out; of a single one its questions tell enough."""

_TAKING = re.compile(
    r"(pop|extract|dequeue|poll|remove|delete|take)_?(first|last|min|max|minimum|maximum|front|top|head)?"
    r"|pop_?left|pop_?item",
    re.IGNORECASE,
)
_COUNTS: Final = ("len()", ".size()", ".length()", ".count()")


def emptied(value: Any, home: types.ModuleType, told: Mapping[str, Snapshot]) -> list[tuple[str, Snapshot]]:
    """The things that an object gives out, one after the other.

    Args:
        value: the object; it is empty afterwards, or as good as any that refused.
        home: the target module.
        told: the answers to its questions, by name.

    Returns:
        A pair of a name like ``".pop()*len()"`` and a snapshot of the list, or nothing where it has no number
        of things that goes down by one each time.
    """
    count = next((name for name in _COUNTS if name in told), "")
    told_count = told.get(count)
    number = told_count.value if isinstance(told_count, Scalar) else 0
    name = _taking(type(value))
    if type(number) is not int or not FEWEST <= number <= MOST or not name:
        return []
    if not rules.current.may_ask(value, name):
        return []
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(out), line_limit():
        taken = _taken(getattr(value, name), _counter(value, count), number)
    if taken is None or out.getvalue():
        return []
    snap = Camera(home).take(taken)
    if not isinstance(snap, Series) or not all(map(_is_thing, snap.items)):
        return []
    return [(f".{name}()*{count}", snap)]


def _is_thing(snap: Snapshot) -> bool:
    return isinstance(snap, Scalar) and snap.value is not None


def _taken(take: Callable[[], Any], count: Callable[[], Any], number: int) -> list[Any] | None:
    taken = []
    try:
        for left in reversed(range(number)):
            taken.append(take())
            if count() != left:
                return None
    except BaseException:  # noqa: BLE001 - the target's code: what it does not give out is not known
        return None
    return taken


def _taking(kind: type) -> str:
    """The method that takes out one thing, of several the first that is defined."""
    for base in kind.__mro__:
        for name, part in vars(base).items():
            if _TAKING.fullmatch(name) and isinstance(part, types.FunctionType):
                code = part.__code__
                if code.co_argcount == 1 and not code.co_kwonlyargcount and not code.co_flags & 0x2A0:
                    return name
    return ""


def _counter(value: Any, count: str) -> Callable[[], Any]:
    if count == "len()":
        return lambda: len(value)
    found: Callable[[], Any] = getattr(value, count[1:-2])
    return found
