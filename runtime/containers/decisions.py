"""Decides on the path which keys of dicts and sets are equal, before C code compares them.

A hash table compares two keys only where their hashes agree: of keys that differ nobody hears anything. So an
operation on traced keys is decided pair by pair here, and then left to Python, `without_pinning`.
"""

from __future__ import annotations

import abc
import collections
import operator
from collections.abc import Callable, Iterable
from typing import Any, Final

from runtime import class_choices
from runtime.containers.relations import related, related_dicts
from runtime.containers.sized import Sized, pin_length
from runtime.lookup import find_key, in_order, is_traced_key, settle_key
from runtime.private_builtins import keep_builtins
from runtime.values import kind_of, without_pinning

keep_builtins(globals())

MERGING: Final = frozenset(("update", "union", "symmetric_difference", "symmetric_difference_update"))
"""Methods of sets that compare the elements of their arguments with one another too."""

_STEPWISE: Final = frozenset(("update", "difference_update"))
"""Methods that have taken in the elements before one that fails."""

_HELD: Final = frozenset((list, tuple, dict, set, frozenset))
_TYPES: Final = (set, frozenset, dict)


def decide_place(keys: list[Any], key: Any) -> int:
    """Decide which of the distinct `keys` equals `key`; -1 for none."""
    position = find_key(keys, key)
    if position >= 0:
        settle_key(keys, key, position)
    return position


def decide_same(keys: Iterable[Any], others: Iterable[Any]) -> None:
    """Decide for each of `others` which of the distinct `keys` it equals, if any of all these is traced."""
    known = list(keys)
    traced = any(map(is_traced_key, known))
    for other in others:
        if traced or is_traced_key(other):
            decide_place(known, other)


def decide_merged(keys: Iterable[Any], others: Iterable[Any]) -> None:
    """Decide like `decide_same`, where each of `others` joins the keys that the next are compared with."""
    known = list(keys)
    traced = any(map(is_traced_key, known))
    for other in others:
        traced = traced or is_traced_key(other)
        if not traced or decide_place(known, other) < 0:
            known.append(other)


def raw_keys(container: Any) -> list[Any]:
    """Return the elements of a set or keys of a dict, native or traced, without deciding how many there are.

    Those of a set come in an order that does not hang on what they are, so that every run decides alike.
    """
    kind = next(kind for kind in _TYPES if isinstance(container, kind))
    keys = list(kind.__iter__(container))
    return keys if kind is dict else in_order(keys)


def combined(name: str, native: Callable[..., Any], receiver: Any, args: tuple[Any, ...]) -> Any:
    """Call a method of a set that takes iterables, every comparison decided before.

    Raises:
        What the method raises, or an iterable does while it is gone through.
    """
    given: list[Any] = []
    failure: BaseException | None = None
    for arg in args:
        values, failure = taken(arg)
        given.append(values)
        if failure is not None and name not in _STEPWISE:
            raise failure
        if failure is not None:
            break
    if len(given) == 1 and isinstance(given[0], (set, frozenset)):
        relation = related(name, raw_keys(receiver), raw_keys(given[0]))
        if relation is not NotImplemented:
            return relation
    decide = decide_merged if name in MERGING else decide_same
    decide(raw_keys(receiver), (value for values in given for value in values))
    result = without_pinning(native, receiver, *given)
    if failure is not None:
        raise failure
    return result


def taken(source: Any) -> tuple[Any, BaseException | None]:
    """Return the elements of an iterable, each taken once, and what it raised before the end if it did."""
    if kind_of(source) in _HELD:
        return source, None
    values: list[Any] = []
    try:
        for value in source:
            values.append(value)  # noqa: PERF402 - those before a failure count
    except BaseException as error:  # noqa: BLE001 - raised again by the caller, in its turn
        return values, error
    return values, None


_VIEWS: Final[tuple[type, ...]] = (type({}.keys()), type({}.items()))
_MAPPINGS: Final = frozenset((dict, collections.defaultdict, collections.OrderedDict, collections.Counter))

KEYS: Final = frozenset(map(id, (*_MAPPINGS, set, frozenset, *_VIEWS, type, abc.ABCMeta)))
"""Identities of the native types whose operators look up keys, in which traced ones may stand undecided."""

_EQUALITY: Final = (operator.eq, operator.ne)

_mro_of: Final[Any] = type.__dict__["__mro__"].__get__
_namespace_of: Final[Any] = type.__dict__["__dict__"].__get__

MAPPINGS: Final = frozenset(map(id, _MAPPINGS))
"""Identities of the native kinds of dict."""


def is_heir(kind: type, name: str) -> bool:
    """Return whether a class of the program's has this method from `dict` or what is derived from it."""
    if type(kind) is not type or not issubclass(kind, dict) or id(kind) in MAPPINGS:
        return False
    return next((id(cls) in MAPPINGS for cls in _mro_of(kind) if name in _namespace_of(cls)), False)


def with_keys_decided(native: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    """Return an operator's result for `left`, one of `KEYS`, after deciding the keys it shares with `right`.

    Classes stand among these for the values that they are the classes of.
    """
    if issubclass(type(left), type):
        is_class = native in _EQUALITY and issubclass(type(right), type)
        return class_choices.current.same_class(native, left, right) if is_class else native(left, right)
    mine, others = _keys(left), _keys(right)
    if others is None or not (any(map(is_traced_key, mine)) or any(map(is_traced_key, others))):  # type: ignore[arg-type]
        return native(left, right)
    relation = _relation(native, left, right)
    if relation is NotImplemented:
        decide_merged(mine or (), others)
        relation = without_pinning(native, left, right)
    return relation


_KINDS: Final[dict[type, type]] = {
    set: set, frozenset: set, dict: dict, collections.defaultdict: dict,
    collections.Counter: collections.Counter,
}  # fmt: skip
"""The kind as which a native kind compares: by its keys alone, or by its entries in any order."""


def _relation(native: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    """Return a comparison of two sets or two dicts of one kind as one condition, else NotImplemented.

    The order of an `OrderedDict` counts, too.
    """
    sorts = {_KINDS.get(kind_of(side)) for side in (left, right)}
    if sorts == {set}:
        return related(native, raw_keys(left), raw_keys(right))
    if len(sorts) == 1 and None not in sorts:
        return related_dicts(native, left, right)
    return NotImplemented


def _keys(container: Any) -> list[Any] | None:
    """Return the keys that an operator compares; None of what has none, or compares its own."""
    kind = kind_of(container)
    if issubclass(kind, Sized) and not issubclass(kind, list):
        pin_length(container)
        return raw_keys(container)
    if kind in _VIEWS or kind is list or kind is tuple or issubclass(kind, Sized):
        return list(container)
    return raw_keys(container) if id(kind) in KEYS and kind is not type else None
