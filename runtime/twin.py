"""The interface between a twin and the runtime: all functions that rewritten code calls.

Each does exactly what the operation it stands for does when no operand is traced, and hands over to
the shadow semantics otherwise. Nothing else of the runtime is ever named in a twin.
"""

# mypy: disable-error-code="union-attr"
# An error that was caught here has a traceback, whose first entry is ours.

from __future__ import annotations

import sys
from abc import ABCMeta
from collections.abc import Callable, Iterable
from typing import Any, Final

from runtime import models, trace
from runtime.containers.texts import SHOWN, as_str, shown
from runtime.expr import seal
from runtime.frames import hide_module_frames, trim_traceback
from runtime.models import callee, callee0, callee1, callee2
from runtime.operations import conditions, functions, membership, operators, subscripts  # noqa: F401 - models
from runtime.operations.conditions import *  # noqa: F403 - they say what is of the interface
from runtime.operations.membership import *  # noqa: F403 - as above
from runtime.operations.operators import *  # noqa: F403 - as above
from runtime.operations.subscripts import *  # noqa: F403 - as above
from runtime.private_builtins import keep_builtins
from runtime.scalars.results import returned
from runtime.scalars.text import formatted
from runtime.values import TRACED, SBool, SStr, kind_of

keep_builtins(globals())

__all__ = ["callee", "callee0", "callee1", "callee2", "field", "fstring", "iterate", "returned", "slice_"]
__all__ += ["subject"]
__all__ += operators.__all__
__all__ += conditions.__all__
__all__ += membership.__all__
__all__ += subscripts.__all__

slice_ = slice

_VIEWS: Final[tuple[type, ...]] = (type({}.keys()), type({}.values()), type({}.items()))
_SIZED: Final = frozenset((list, tuple, dict, str, bytes, set, frozenset, range, *_VIEWS))
# Iterators of these know, and say without side effects, how much they will still give.
_EMPTY: Final[tuple[Iterable[Any], ...]] = ([], (), {}, {}.values(), {}.items(), "", b"", set(), range(0))
_HINTED: Final = frozenset((*(type(iter(value)) for value in _EMPTY), type(iter("\xe9"))))
_PLAIN: Final = frozenset((type, ABCMeta))
"""Metaclasses of classes that run no code of their own when asked for an attribute."""


def iterate(iterable: Iterable[Any], site: int) -> Iterable[Any]:
    """Return the iterable of a `for`; counts whether the loop is entered where that can be known at once."""
    kind = type(iterable)
    if kind is list or kind is range or (type(kind) is type and kind in _SIZED):
        is_entered = bool(iterable)
    elif type(kind) is type and kind in _HINTED:
        is_entered = iterable.__length_hint__() > 0  # type: ignore[attr-defined]
    elif type(kind) in _PLAIN and (kind in models.UNSIZED or hasattr(kind, "__next__")):
        return _counted(iterable, site)
    else:
        is_entered = True  # the loop itself is to ask it for an iterator: that may raise
    if is_entered:
        trace.note_true(site)
    else:
        trace.note_false(site)
    return iterable


def _counted(iterable: Iterable[Any], site: int) -> Iterable[Any]:
    """Yield the items of an iterable of unknown length: with the first the loop is entered."""
    is_entered = False
    try:
        for value in iterable:
            if not is_entered:
                is_entered = True
                trace.note_true(site)
            yield value
    except BaseException as error:
        trim_traceback(error)
        raise
    trace.note_false(site)


def subject(value: Any) -> Any:
    """Return the subject of a `match`: a traced bool is decided, since patterns compare by identity."""
    return bool(value) if type(value) is SBool else value


def field(value: Any, conversion: str, spec: Any) -> Any:
    """Return the text of one replacement field of an f-string."""
    try:
        if type(spec) is str and not conversion:
            if type(value) is str and not spec:
                return value
            if type(value) is int or type(value) is float:
                return format(value, spec)
        if conversion:
            value = _CONVERSIONS[conversion](value)
        if kind_of(value) in TRACED or kind_of(spec) in TRACED:
            return formatted(value, spec)
        if type(spec) is str and not spec and kind_of(value) in SHOWN:
            return shown(value)
        return format(value, spec)
    except BaseException as error:
        trim_traceback(error)
        del value, spec
        raise


_CONVERSIONS: Final[dict[str, Callable[[Any], Any]]] = {
    "s": as_str,
    "r": shown,
    "a": lambda value: shown(value, "ascii"),
}


def fstring(*parts: Any) -> Any:
    """Return the text of an f-string from its parts."""
    for part in parts:
        if type(part) is SStr:
            result: Any = ""
            for piece in parts:
                result = operators.add(result, piece)
            return result
    # A single part may be of a subclass, and stays what it is.
    return parts[0] if len(parts) == 1 else "".join(parts)


for _name, _module in list(sys.modules.items()):
    if _name.startswith("runtime."):
        hide_module_frames(_module)

seal()
