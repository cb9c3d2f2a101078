"""Members of an `Enum` class looked up by a traced name or value: a decision among those there are."""

from __future__ import annotations

import enum
import zlib
from collections.abc import Mapping
from types import MethodType
from typing import Any, Final

from runtime import trace
from runtime.frames import hide_frames, trim_traceback
from runtime.lookup import REASONING_LIMIT, decide, find_key
from runtime.models.calls.losses import name_of
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import compare, equality
from runtime.values import SCALARS, TRACED, SInt, kind_of, node_of, pin, plain, settle

keep_builtins(globals())

_MISSING: Final = object()
_MOST_FLAGS: Final = 64


def by_name(cls: Any, name: Any) -> Any:
    """Return `Kind[name]` for a traced name."""
    if type(cls).__getitem__ is not enum.EnumMeta.__getitem__:
        return cls[name]  # a metaclass of the target's: rewritten itself
    member = _decided(cls.__members__, name)
    return cls[plain(name)] if member is _MISSING else member


def callee_of(cls: Any) -> Any:
    """Return what to call for an Enum class: `Kind(value)` decides which member a traced value means."""
    # Without members it makes a new class, for which Python looks at the caller's frame.
    if type(cls).__call__ is not enum.EnumMeta.__call__ or not cls.__members__:
        return cls
    return MethodType(_called, cls)


@hide_frames
def _called(cls: Any, /, *args: Any, **kwargs: Any) -> Any:
    try:
        return _member(cls, args, kwargs)
    except BaseException as error:
        trim_traceback(error)
        raise


def _member(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    values = (*args, *kwargs.values())
    if len(values) != 1 or kind_of(values[0]) not in TRACED or (kwargs and "value" not in kwargs):
        return cls(*args, **kwargs)
    value = values[0]
    if issubclass(cls, enum.Flag):
        return _combined(cls, value)
    if cls.__new__ is not enum.Enum.__new__:
        return cls(value)
    member = _decided(cls._value2member_map_, value)
    if member is not _MISSING:
        return member
    # What a `_missing_` of the target does with the value is to be seen.
    return cls(plain(value) if _is_strict(cls) else value)


def _is_strict(cls: Any) -> bool:
    return getattr(cls._missing_, "__func__", None) is enum.Enum.__dict__["_missing_"].__func__


def _combined(cls: Any, value: Any) -> Any:
    """Return combined flags, which may have no name: each flag is a decision, and so is the rest."""
    if type(value) is not SInt:
        trace.current.lose(name_of(cls), node_of(value).names)
        return cls(pin(value))
    flags = [int(v) for v in cls._value2member_map_ if type(v) is int and v > 0 and not v & (v - 1)]
    for flag in flags[:_MOST_FLAGS]:
        decide(compare("ne", value & flag, 0))
    settle(value & ~sum(flags[:_MOST_FLAGS]))
    return cls(plain(value))


def _decided(members: Mapping[Any, Any], key: Any) -> Any:
    """Return the member under a traced key; the path says which it is, or that it is none of them."""
    keys = [k for k in members if kind_of(k) in SCALARS]
    position = find_key(keys, key)
    if position >= 0:
        before = keys[:position] if position <= REASONING_LIMIT else []
        for other in before:
            trace.current.record(equality(key, other), False, _site(members[other]))
        trace.current.record(equality(key, keys[position]), True, _site(members[keys[position]]))
        return members[keys[position]]
    found = members.get(plain(key), _MISSING)
    if found is not _MISSING:
        settle(key)  # its key is of some subclass that no expression stands for
    return found


def _site(member: Any) -> int:
    """Return a site for each member: a `match` on it, or a dict of handlers, has none that we see."""
    cls = type(member)
    return -2 - zlib.crc32(f"{cls.__module__}.{cls.__qualname__}.{member._name_}".encode())
