"""Equality and inclusion of sets and dicts as one condition.

Their keys are distinct and their lengths decided, so that nothing else is left to decide: the solver sees the
whole question, where pair by pair it would be a path for each way in which it can be answered.
"""

from __future__ import annotations

import collections
import operator
from collections.abc import Callable, Iterable
from typing import Any, Final

from runtime.expr import FALSE, Node, conjunction, negate
from runtime.lookup import is_comparable
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import member
from runtime.values import SFloat, kind_of, plain, wrap

keep_builtins(globals())

_MOST_PAIRS: Final = 400
"""Pairs of keys up to which a comparison is one condition."""

_METHODS: Final = {
    "__eq__": operator.eq, "__ne__": operator.ne, "__le__": operator.le, "__lt__": operator.lt,
    "__ge__": operator.ge, "__gt__": operator.gt, "issubset": operator.le, "issuperset": operator.ge,
}  # fmt: skip


def related(relation: Callable[[Any, Any], Any] | str, left: Iterable[Any], right: Iterable[Any]) -> Any:
    """Return whether a relation holds between two sets of distinct keys, traced.

    Returns:
        NotImplemented where it can't be said, because of what the elements are.
    """
    mine, others = list(left), list(right)
    compare = _METHODS.get(relation) if isinstance(relation, str) else relation
    build = _RELATIONS.get(compare)  # type: ignore[arg-type]
    if build is None or len(mine) * len(others) > _MOST_PAIRS or not _can_be_said(mine + others):
        return NotImplemented
    return wrap(compare(_exact_set(mine), _exact_set(others)), build(mine, others))  # type: ignore[misc]


def related_dicts(
    relation: Callable[[Any, Any], Any] | str, left: dict[Any, Any], right: dict[Any, Any]
) -> Any:
    """Return whether two dicts of one kind are equal, or unequal, where their values are scalars."""
    pairs, others = list(dict.items(left)), list(dict.items(right))
    if kind_of(left) is collections.Counter and not all(map(_is_count, [*pairs, *others])):
        return NotImplemented
    return related(relation, pairs, others) if relation in _EQUALITIES else NotImplemented


def _is_count(pair: tuple[Any, Any]) -> bool:
    """Return whether a count is known: one of 0 is equal to none."""
    return type(pair[1]) is int and pair[1] != 0


def _can_be_said(keys: list[Any]) -> bool:
    return all(is_comparable(_flat(key)) and not any(map(_is_float, _flat(key))) for key in keys)


def _flat(key: Any) -> tuple[Any, ...]:
    """Return the parts of a key; those of a key that is a tuple itself in an entry of a dict, too."""
    if type(key) is not tuple:
        return (key,)
    return tuple(part for each in key for part in (each if type(each) is tuple else (each,)))


def _is_float(value: Any) -> bool:
    """Return whether a value is a float: NaN is found where it is itself, though it equals nothing."""
    kind = kind_of(value)
    return kind is float or kind is SFloat


def _exact_set(keys: list[Any]) -> set[Any]:
    return {_exact(key) for key in keys}


def _exact(key: Any) -> Any:
    return tuple(map(_exact, key)) if type(key) is tuple else plain(key)


def _within(left: list[Any], right: list[Any]) -> Node:
    return conjunction(member(key, right) for key in left)


def _equal(left: list[Any], right: list[Any]) -> Node:
    return _within(left, right) if len(left) == len(right) else FALSE


def _included(left: list[Any], right: list[Any]) -> Node:
    return _within(left, right) if len(left) <= len(right) else FALSE


def _smaller(left: list[Any], right: list[Any]) -> Node:
    return _within(left, right) if len(left) < len(right) else FALSE


_EQUALITIES: Final = frozenset((operator.eq, operator.ne, "__eq__", "__ne__"))
_RELATIONS: Final[dict[Callable[[Any, Any], Any], Callable[[list[Any], list[Any]], Node]]] = {
    operator.eq: _equal,
    operator.ne: lambda left, right: negate(_equal(left, right)),
    operator.le: _included,
    operator.lt: _smaller,
    operator.ge: lambda left, right: _included(right, left),
    operator.gt: lambda left, right: _smaller(right, left),
}
