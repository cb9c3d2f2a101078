"""Functions that hand on whole containers: `json.dumps`, `copy.deepcopy`, `print`."""

from __future__ import annotations

import copy
import json
from typing import Any, Final

from runtime.containers import CONTAINERS, SDict, SList
from runtime.containers.streams import SStringIO
from runtime.models.calls.callee import callee_of
from runtime.models.calls.losses import NESTING, note_lost
from runtime.models.registry import models
from runtime.private_builtins import keep_builtins
from runtime.values import TRACED, kind_of, plain, without_pinning

keep_builtins(globals())

_PRINTING: Final = frozenset(("file", "sep", "end", "flush"))
_EXACT: Final = frozenset((list, SList, tuple, dict, SDict))


class _HoldsItself(Exception):
    """Raised where a container is a part of itself."""


def exact(values: Any) -> Any:
    """Return the values with plain scalars and lists at every depth; sets, whose order counts, stay."""
    try:
        return _exact(values, ())
    except _HoldsItself:
        return values


def _exact(value: Any, within: tuple[int, ...]) -> Any:
    kind = kind_of(value)
    if kind in TRACED:
        return plain(value)
    if kind not in _EXACT:
        return value
    if id(value) in within:
        raise _HoldsItself
    inner = (*within, id(value))
    if kind is dict or kind is SDict:
        return {_exact(key, inner): _exact(part, inner) for key, part in dict.items(value)}
    kept = value.__class__
    return kept([_exact(part, inner) for part in kept.__iter__(value)])


def _leaving(native: Any) -> None:
    @models(native)
    def model(*args: Any, **kwargs: Any) -> Any:
        if not note_lost(native, args, kwargs):
            return native(*args, **kwargs)
        return native(*exact(args), **exact(kwargs))


for _native in (json.dumps, json.dump):
    _leaving(_native)


@models(copy.deepcopy)
def deep_copy(value: Any, memo: Any = None, *rest: Any) -> Any:
    """`copy.deepcopy`: keys that differ go on to differ."""
    kind = kind_of(value)
    if kind in NESTING or kind in CONTAINERS:
        return without_pinning(copy.deepcopy, value, memo, *rest)
    return copy.deepcopy(value, memo, *rest)


@models(print)
def printed(*args: Any, **kwargs: Any) -> Any:
    """`print`: nothing of what is written is seen again, but what goes into a stream in memory."""
    file, sep, end = kwargs.get("file"), kwargs.get("sep"), kwargs.get("end")
    if type(file) is not SStringIO or not kwargs.keys() <= _PRINTING:
        return print(*exact(args), **kwargs)  # noqa: T201 - the program's own
    for place, value in enumerate(args):
        if place:
            file.write(" " if sep is None else sep)
        file.write(callee_of(str)(value))
    file.write("\n" if end is None else end)
    return None
