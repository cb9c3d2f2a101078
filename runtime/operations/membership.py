"""`in` and `not in` of a twin, as values and as conditions.

A container of Python's compares no more of a traced item than its value: `runtime.lookup` looks for it.
"""

# mypy: disable-error-code="union-attr"
# An error that was caught here has a traceback, whose first entry is ours.
# ruff: noqa: TRY300 - these run in place of one instruction

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from typing import Any, Final

from runtime import class_choices, models, trace
from runtime.containers import SDict, SList, SSet
from runtime.containers import contains as container_contains
from runtime.containers.decisions import decide_place, is_heir
from runtime.lookup import compares_traced, has_traced_key, is_comparable, is_traced_key, membership
from runtime.operations.conditions import truth
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import invert_truth
from runtime.scalars.text import contains
from runtime.values import TRACED, SBool, SBytes, SInt, SStr, inherited, kind_of, lose_all, plain

keep_builtins(globals())

__all__ = [
    "if_in", "if_not_in", "in_", "not_in",
]  # fmt: skip

_LARGEST: Final = 300
_HASHING: Final = frozenset((dict, set, frozenset, defaultdict, OrderedDict, Counter))
_SEARCHED: Final = _HASHING | {list, tuple, str, range, deque}
"""Types of containers that compare with every element, unless they look up a key."""

_TEXTS: Final = frozenset((str, bytes, SStr, SBytes))
_OCTETS: Final = frozenset((bytearray, memoryview))
_ITEMS: Final[type] = type({}.items())
_KEY_VIEWS: Final = frozenset((type({}.keys()), _ITEMS))
_VIEWS: Final = _HASHING | {list, tuple, deque, type({}.keys()), type({}.values()), _ITEMS}


def in_(item: Any, container: Any) -> Any:
    """`item in container`."""
    try:
        if (type(item) is str or type(item) is int or item is None) and type(type(container)) is type:
            kind = type(container)
            if kind in _SEARCHED and (
                not trace.traced_keys or kind not in _HASHING or not has_traced_key(container)
            ):
                return item in container
        return _contains(item, container)
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del item, container
        raise


def not_in(item: Any, container: Any) -> Any:
    """`item not in container`."""
    try:
        if (type(item) is str or type(item) is int or item is None) and type(type(container)) is type:
            kind = type(container)
            if kind in _SEARCHED and (
                not trace.traced_keys or kind not in _HASHING or not has_traced_key(container)
            ):
                return item not in container
        answer = _contains(item, container)
        return invert_truth(answer) if type(answer) is SBool else not answer
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del item, container
        raise


def if_in(item: Any, container: Any, site: int) -> bool:
    """`item in container` as a condition."""
    try:
        if (type(item) is str or type(item) is int or item is None) and type(type(container)) is type:
            kind = type(container)
            if kind in _SEARCHED and (
                not trace.traced_keys or kind not in _HASHING or not has_traced_key(container)
            ):
                if item in container:
                    trace.note_true(site)
                    return True
                trace.note_false(site)
                return False
        outcome: bool = truth(_contains(item, container), site)
        return outcome
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del item, container
        raise


def if_not_in(item: Any, container: Any, site: int) -> bool:
    """`item not in container` as a condition."""
    try:
        if (type(item) is str or type(item) is int or item is None) and type(type(container)) is type:
            kind = type(container)
            if kind in _SEARCHED and (
                not trace.traced_keys or kind not in _HASHING or not has_traced_key(container)
            ):
                if item in container:
                    trace.note_false(site)
                    return False
                trace.note_true(site)
                return True
        answer = _contains(item, container)
        outcome: bool = truth(invert_truth(answer) if type(answer) is SBool else not answer, site)
        return outcome
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del item, container
        raise


def _contains(item: Any, container: Any) -> Any:
    try:
        kind = kind_of(container)
        if kind in (SList, SSet):
            return container_contains(container, item)
        if kind is not SDict:
            answer: Any = NotImplemented
            if is_traced_key(item) or kind in TRACED:
                answer = _traced_in(item, container, kind)
            elif kind in _HASHING and compares_traced(container, item):
                answer = membership(item, container)
            elif kind in _KEY_VIEWS:
                answer = _in_view(item, container, kind)
            if answer is not NotImplemented:
                return answer
        if trace.traced_keys and issubclass(type(item), type):
            return class_choices.current.class_among(item, container)
        return item in container
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del item, container
        raise


def _in_view(item: Any, view: Any, kind: type) -> Any:
    """Return whether a plain item is in a view of the keys or items of a dict that has traced ones."""
    answer = membership(item, view) if is_comparable(item) and has_traced_key(view) else NotImplemented
    if answer is not NotImplemented or kind is not _ITEMS or type(item) is not tuple:
        return answer
    return _in_items(item, view) if len(item) == len(("key", "value")) and is_comparable(item[0]) else answer


def _in_items(item: tuple[Any, Any], items: Any) -> Any:
    """Return whether a dict with traced keys holds a plain key with this value, which may be no scalar."""
    keys = [key for key, _ in items]
    if not any(map(is_traced_key, keys)):
        return NotImplemented
    place = decide_place(keys, item[0])
    if place < 0:
        return False
    value = [value for _, value in items][place]
    return value is item[1] or value == item[1]


def _traced_in(item: Any, container: Any, kind: type) -> Any:
    container = inherited(container, "__contains__")
    if kind_of(container) in _TEXTS:
        return contains(container, item)
    if kind in _OCTETS:
        lose_all(kind.__name__, item)
        return plain(item) in container
    if is_heir(kind, "__contains__"):
        return membership(item, dict.keys(container)) if len(container) <= _LARGEST else NotImplemented
    if kind in _VIEWS:
        return membership(item, container) if len(container) <= _LARGEST else NotImplemented
    if kind is range and type(item) is SInt:
        return models.ranges.contains(container, item)
    return NotImplemented
