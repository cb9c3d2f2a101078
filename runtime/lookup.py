"""Symbolic index and key: reading from containers at a place that depends on the input.

Few elements of one scalar sort are read by *reasoning* (one ``ite`` chain the solver sees through);
everything else by *simulation*: the place is decided by a branch (JTestCraft 3.2, 5.4.5).
"""

from __future__ import annotations

from typing import Any, Final

from runtime import trace
from runtime.names import keep_builtins
from runtime.numbers import choose, equality, member
from runtime.text import check_bounds
from runtime.values import SCALARS, TRACED, TRACED_IDS, SBool, SInt, kind_of, plain, settle, wrap

keep_builtins(globals())

REASONING_LIMIT: Final = 32
"""Elements up to which an access is one expression."""

SCAN_LIMIT: Final = 300
"""Keys up to which a missing key is described to the solver."""

_SCAN: Final = 64


def has_traced(values: Any) -> bool:
    """Whether one of the elements of a list or tuple is a traced scalar."""
    for value in values:  # a loop is quicker than all that asks for no hash of a type
        if type(value) is not str and type(value) is not int and id(type(value)) in TRACED_IDS:
            return True
    return False


def has_traced_key(container: Any) -> bool:
    """Whether one of the keys of a dict or set is a traced scalar, if there are few."""
    if len(container) > _SCAN:
        return False
    for key in [*container]:  # a copy, as another thread may change it
        if type(key) is not str and type(key) is not int and id(type(key)) in TRACED_IDS:
            return True
    return False


def is_traced_key(key: Any) -> bool:
    """Whether a key is a traced scalar, or a tuple with one in it."""
    return kind_of(key) in TRACED or (type(key) is tuple and has_traced(key))


def _is_comparable(key: Any) -> bool:
    """Whether equality with the key can be said: a scalar, or a tuple of scalars."""
    return kind_of(key) in SCALARS or (type(key) is tuple and all(kind_of(part) in SCALARS for part in key))


def _uniform(values: list[Any]) -> bool:
    sorts = {kind_of(plain(v)) for v in values}
    return len(sorts) == 1 and all(kind_of(v) in SCALARS for v in values)


def at_index(elements: Any, index: Any, size: Any) -> Any:
    """`elements[index]` of a native list or tuple for a traced int index.

    Args:
        elements: the list or tuple.
        index: the traced index.
        size: the length, traced or not.
    """
    count = len(elements) if type(size) is not SInt else size.v
    check_bounds(index, size, count)
    place = plain(index)
    native = tuple.__getitem__ if isinstance(elements, tuple) else list.__getitem__
    result = native(elements, place)
    values = [native(elements, i) for i in range(count)] if count <= REASONING_LIMIT else []
    if values and _uniform(values):
        offset = 0 if place >= 0 else -count
        cases = [(i + offset, value) for i, value in enumerate(values)]
        return wrap(plain(result), choose(index, cases))
    settle(index)
    return result


def decide(condition: Any) -> bool:
    """Record a branch on a traced bool and give its outcome."""
    if type(condition) is SBool:
        trace.current.record(condition.e, condition.v)
        return condition.v
    return condition is True


def find_key(keys: list[Any], key: Any) -> int:
    """The position of `key` among the distinct `keys` of a dict or set, or -1, recorded on the path.

    Args:
        keys: all keys in order.
        key: the key looked for; it or some of the keys are traced.
    """
    position = next((i for i, k in enumerate(keys) if k is key or _same(k, key)), -1)
    comparable = [k for k in keys if _is_comparable(k)]
    if _is_comparable(key) and len(comparable) <= SCAN_LIMIT:
        trace.current.record(member(key, comparable), position >= 0, kind=trace.Kind.CHECK)
    return position


def _same(left: Any, right: Any) -> bool:
    """Equality of two keys by value, without recording."""
    if _is_comparable(left) and _is_comparable(right):
        return bool(_exact(left) == _exact(right))
    return bool(left == right)


def _exact(key: Any) -> Any:
    return tuple(map(plain, key)) if type(key) is tuple else plain(key)


def value_of_key(keys: list[Any], values: list[Any], key: Any, position: int) -> Any:
    """The value stored under the key found at `position`: one expression, or decided by a branch."""
    comparable = all(map(_is_comparable, keys)) and _is_comparable(key)
    if len(keys) <= REASONING_LIMIT and comparable and _uniform(values):
        return wrap(plain(values[position]), choose(key, list(zip(keys, values, strict=True))))
    settle_key(keys, key, position)
    return values[position]


def settle_key(keys: list[Any], key: Any, position: int) -> None:
    """Decide which of the keys it is: not the ones before, but this one (so that each gets its turn)."""
    if not _is_comparable(key):
        return
    before = keys[:position] if position <= REASONING_LIMIT else []
    for other in before:
        decide(wrap(False, equality(key, other)))
    decide(wrap(True, equality(key, keys[position])))


def membership(value: Any, candidates: Any) -> Any:
    """`value in candidates` for a list or tuple, without deciding more than the answer.

    NotImplemented where an element is no scalar (Python's own search then goes on).
    """
    elements = list(candidates)
    if not _is_comparable(value) or not all(_is_comparable(c) or c is None for c in elements):
        return NotImplemented
    answer = any(_same(c, value) for c in elements)
    return wrap(answer, member(value, elements))
