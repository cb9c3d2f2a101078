"""Objects that a case gives, known by who they are: a result may be one of them, or hold some."""

from __future__ import annotations

import enum
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from tracetwin.model.case import Case
from tracetwin.model.given import inner_calls, is_inner
from tracetwin.model.observation import Observation, ValuePath
from tracetwin.model.recipe import Variable
from tracetwin.model.snapshot import Snapshot, within
from tracetwin.replay.observe.snap import is_a

SHARED: Final = (
    *(type(None), bool, int, float, complex, str, bytes, tuple, frozenset, type, types.FunctionType),
)
"""Equal values of these may be one object by chance."""

_BY_CONTENT: Final = (*SHARED, list, dict, set, bytearray, enum.Enum, BaseException)


def is_object(value: Any) -> bool:
    """Return whether a value is an instance of a class of somebody's own, known by who it is."""
    kind = type(value)
    standard = kind.__module__.partition(".")[0] in sys.stdlib_module_names
    return not standard and not is_a(value, _BY_CONTENT)


def inner_objects(case: Case, made: Mapping[int, Callable[[], Any]]) -> Iterator[tuple[str, Any]]:
    """Give the objects that are made inside of arguments, with their names.

    Args:
        case: the case.
        made: what calls returned, by the identity of their recipe; None where it is gone.
    """
    for name, call in inner_calls(case):
        found = made.get(id(call))
        value = None if found is None else found()
        if is_object(value):
            yield name, value


def is_unspoken_of(path: ValuePath, seen: Observation, changed: Sequence[tuple[ValuePath, Snapshot]]) -> bool:
    """Return whether an object was made inside of an argument, and nothing that is shown speaks of it."""
    if not is_inner(str(path.key)) or seen.same == path:
        return False
    shown = (seen.value, *(snap for _, snap in changed))
    return not any(Variable(str(path.key)) == part for snap in shown for part in within(snap))
