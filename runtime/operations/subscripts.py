"""Subscripts of a twin: reading, storing and deleting items.

A traced key is no more to a list or dict of Python's than its value, and a traced key *in* a dict is found
only by its equal: both are looked up by `runtime.lookup` instead.
"""

# mypy: disable-error-code="union-attr"
# An error that was caught here has a traceback, whose first entry is ours.


from __future__ import annotations

from collections import Counter, defaultdict, deque
from enum import EnumMeta
from typing import Any, Final

from runtime import models, trace
from runtime.containers.bytearrays import SBytearray
from runtime.containers.decisions import MAPPINGS, is_heir
from runtime.frames import trim_traceback
from runtime.lookup import (
    at_index,
    compares_traced,
    decided_slice,
    find_key,
    has_traced,
    has_traced_key,
    is_traced_key,
    settle_key,
    value_of_key,
)
from runtime.private_builtins import keep_builtins
from runtime.scalars.text import element, sliced
from runtime.values import TRACED, SBool, SInt, inherited, kind_of, lose_all, plain, settle, without_pinning

keep_builtins(globals())

__all__ = [
    "delitem", "getitem", "getitem_const", "setitem",
]  # fmt: skip

_OPAQUE: Final = (str, bytes, bytearray, memoryview)


def getitem(container: Any, key: Any) -> Any:
    """`container[key]`."""
    try:
        if type(key) is int or type(key) is str:
            kind = type(container)
            if (
                kind is list
                or not trace.traced_keys
                or kind is str
                or kind is tuple
                or (kind is not dict and id(kind) not in MAPPINGS)
                or not has_traced_key(container)
            ):
                return container[key]
        elif type(key) is slice and (
            (
                (key.start is None or type(key.start) is int)
                and (key.stop is None or type(key.stop) is int)
                and key.step is None
            )
            or not has_traced((key.start, key.stop, key.step))
        ):
            return container[key]
        return _item(container, key, type(container))
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del container, key
        raise


def getitem_const(container: Any, key: Any) -> Any:
    """`container[key]` where the key is a literal int or slice."""
    try:
        kind = type(container)
        if kind is list or kind is tuple or not trace.traced_keys:
            return container[key]
        if id(kind) in MAPPINGS and has_traced_key(container):
            return _dict_item(container, key)
        return container[key]
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del container, key
        raise


def _item(container: Any, key: Any, kind: type) -> Any:
    try:
        if kind is SBytearray:
            return container[key]
        if kind is dict or ((is_traced_key(key) or trace.traced_keys) and id(kind) in MAPPINGS):
            if compares_traced(container, key):
                return _dict_item(container, key)
        elif kind_of(key) in TRACED:
            return _traced_item(container, key, kind_of(container))
        elif type(key) is slice:
            return _slice_item(container, key)
        return container[key]
    except BaseException as error:
        trim_traceback(error)
        del container, key
        raise


def _traced_item(container: Any, key: Any, kind: type) -> Any:
    if is_heir(kind, "__getitem__"):
        return _dict_item(container, key)
    if kind in (list, tuple, deque) and type(key) in (SInt, SBool):
        return at_index(container, key, len(container))
    if kind in (str, bytes) and type(key) in (SInt, SBool):
        return element(container, key)
    if issubclass(type(container), EnumMeta):
        return models.enums.by_name(container, key)
    if type(key) in (SInt, SBool) and kind not in TRACED and isinstance(container, _OPAQUE):
        text = inherited(container, "__getitem__")
        if kind_of(text) in (str, bytes):
            return element(text, key)
        lose_all(kind.__name__, key)
    return container[key]


def _slice_item(container: Any, key: slice) -> Any:
    kind = kind_of(container)
    if kind in (list, tuple, str, bytes) and has_traced((key.start, key.stop, key.step)):
        if kind in (str, bytes):
            return sliced(container, key)
        key = decided_slice(key, len(container))
    try:
        return container[key]
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del container, key
        raise


def _dict_item(container: dict[Any, Any], key: Any) -> Any:
    keys = list(dict.__iter__(container))
    position = find_key(keys, key)
    if position < 0:
        return _missing(container, key)
    return value_of_key(keys, list(dict.values(container)), key, position)


def _missing(container: Any, key: Any) -> Any:
    """Return the value of a dict for a key that it does not have, or raise `KeyError`."""
    kind = type(container)
    if kind is Counter:
        return 0
    if is_heir(kind, "__getitem__") and hasattr(kind, "__missing__"):
        return kind.__missing__(container, key)
    if kind is not defaultdict or container.default_factory is None:
        return container[plain(key)]
    value = models.callee0(container.default_factory)()
    without_pinning(container.__setitem__, key, value)
    return value


def setitem(value: Any, container: Any, key: Any) -> None:
    """`container[key] = value`."""
    try:
        if (type(key) is int or type(key) is str) and (
            type(container) is list
            or not trace.traced_keys
            or (type(container) is not dict and id(type(container)) not in MAPPINGS)
            or not has_traced_key(container)
        ):
            container[key] = value
        elif type(container) is list:
            if type(key) is slice:
                container[decided_slice(key, len(container))] = value
            else:
                container[_decided_place(container, key) if kind_of(key) in TRACED else key] = value
        elif _is_decided(container, key, "__setitem__"):
            without_pinning(container.__setitem__, _decided_key(container, key), value)
        else:
            if type(container) is deque and kind_of(key) in TRACED:
                key = _decided_place(container, key)
            container[key] = value
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del value, container, key
        raise


def delitem(container: Any, key: Any) -> None:
    """`del container[key]`."""
    try:
        if (type(container) is list or type(container) is deque) and kind_of(key) in TRACED:
            del container[_decided_place(container, key)]
        elif type(container) is list and type(key) is slice:
            del container[decided_slice(key, len(container))]
        elif _is_decided(container, key, "__delitem__"):
            without_pinning(container.__delitem__, _decided_key(container, key))
        else:
            del container[key]
    except BaseException as error:
        error.__traceback__ = error.__traceback__.tb_next
        del container, key
        raise


def _is_decided(container: Any, key: Any, name: str) -> bool:
    """Return whether storing or deleting under a key compares traced ones, in a dict or in an heir of it."""
    kind = type(container)
    if id(kind) in MAPPINGS:
        return compares_traced(container, key)
    return is_traced_key(key) and is_heir(kind, name)


def _decided_place(container: Any, key: Any) -> Any:
    at_index(container, key, len(container))
    return settle(key)


def _decided_key(container: dict[Any, Any], key: Any) -> Any:
    """Return the equal key of the dict, or the key itself when it has none."""
    keys = list(dict.__iter__(container))
    position = find_key(keys, key)
    if position < 0:
        return key
    settle_key(keys, key, position)
    return keys[position]
