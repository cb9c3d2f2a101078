"""Facts about classes: which of them a type test names, who passes it, and what a mock can derive from.

The subtype relation of Dsc+Mock (section 4.1) in Python's terms. Nothing here makes a class or an object: a
metaclass, `__init_subclass__` or a registry of the program would notice.
"""

from __future__ import annotations

import abc
import dis
import enum
import sys
import types
import typing
from collections.abc import Sequence
from types import FunctionType
from typing import Any, Final, TypeAlias

from runtime import trace
from runtime.private_builtins import keep_builtins

keep_builtins(globals())

_UNIONS: Final[tuple[Any, ...]] = (types.UnionType, type(typing.Union[int, str]))  # noqa: UP007 - of its own type
_SUBCLASSABLE: Final = 1 << 10
_CHECKS: Final = (type.__instancecheck__, abc.ABCMeta.__instancecheck__)
"""Type tests that look at the class of a value only."""
_PROTOCOL_META: Final[type] = type(typing.Protocol)
_POINTER: Final = 8

_mro: Final[Any] = type.__dict__["__mro__"].__get__

Parts: TypeAlias = Sequence[type]


def classes_in(what: Any) -> tuple[type, ...] | None:
    """Return the classes that the second argument of `isinstance` names; None where one answers itself."""
    if type(what) is tuple or isinstance(what, _UNIONS):
        found: list[type] = []
        for part in what if type(what) is tuple else getattr(what, "__args__", ()):
            parts = classes_in(part)
            if parts is None:
                return None
            found += parts
        return tuple(found)
    if not isinstance(what, type):
        what = getattr(what, "__origin__", None) if type(what).__module__ == "typing" else None
    return (what,) if isinstance(what, type) and _asks_the_class(what) else None


def _asks_the_class(what: type) -> bool:
    """Return whether `isinstance` looks at the class of a value only, not at the value."""
    meta = type(what)
    if meta is type or meta is abc.ABCMeta or issubclass(meta, _PROTOCOL_META):
        return True
    check: Any = getattr(meta, "__instancecheck__", None)
    return any(check is known for known in _CHECKS)


_known: dict[tuple[int, int], tuple[type, type, bool | None]] = {}


def is_subclass(cls: type, what: type) -> bool | None:
    """Return whether instances of a class pass a test for `what`; None where the class alone doesn't tell.

    Answers are remembered, as `__subclasshook__` may be code of the program: it runs once, hide_frames.
    """
    key = (id(cls), id(what))
    found = _known.get(key)
    if found is None or found[0] is not cls or found[1] is not what:
        found = _known[key] = (cls, what, trace.unrecorded(_is_subclass, cls, what))
    return found[2]


def _is_subclass(cls: type, what: type) -> bool | None:
    try:
        return bool(issubclass(cls, what))
    except TypeError:  # a protocol with attributes: only instances can be asked
        wanted = protocol_members(what)
        answers = [has_attribute(cls, name) for name in wanted]
        return None if not wanted or None in answers else all(answers)
    except Exception:  # noqa: BLE001 - the program's own code answers
        return None


def protocol_members(what: type) -> frozenset[str]:
    """Return the members that a protocol asks for; none for other classes."""
    if not getattr(what, "_is_protocol", False):
        return frozenset()
    known = getattr(what, "__protocol_attrs__", None)
    if known is not None:
        return frozenset(known)
    names: set[str] = set()
    for base in what.__mro__:
        if getattr(base, "_is_protocol", False) and base is not typing.Protocol:
            names |= {*vars(base), *vars(base).get("__annotations__", ())}
    return frozenset(name for name in names - _MACHINERY if not name.startswith(("_abc_", "_is_")))


_MACHINERY: Final = frozenset(dir(typing.Protocol)) | frozenset(
    "__abstractmethods__ __annotations__ __parameters__ __dict__ __weakref__ __slots__ __match_args__"
    " __orig_bases__ __non_callable_proto_members__ __protocol_attrs__ __static_attributes__"
    " __firstlineno__ __type_params__".split()
)


def has_attribute(cls: type, name: str) -> bool | None:
    """Return whether instances of a class have an attribute once they are made; None where code decides."""
    bases = cls.__mro__
    if any(name in vars(base) for base in bases) or name in _set_by_constructors(cls):
        return True
    return None if any("__getattr__" in vars(base) for base in bases) else False


def _set_by_constructors(cls: type) -> frozenset[str]:
    found = frozenset(getattr(cls, "__dataclass_fields__", ()))
    for base in cls.__mro__:
        made = vars(base).get("__init__")
        if type(made) is FunctionType:
            found |= _stored(made)
    return found


_stores: dict[int, tuple[FunctionType, frozenset[str]]] = {}


def _stored(function: FunctionType) -> frozenset[str]:
    """Return the names of attributes that a function stores, of whatever object."""
    known = _stores.get(id(function))
    if known is None or known[0] is not function:
        code = dis.get_instructions(function)
        names = frozenset(str(step.argval) for step in code if step.opname == "STORE_ATTR")
        known = _stores[id(function)] = (function, names)
    return known[1]


def name_of(cls: type) -> str | None:
    """Return ``module:qualname``, where the class is found by that."""
    found: Any = sys.modules.get(str(cls.__module__))
    for part in cls.__qualname__.split("."):
        found = vars(found).get(part) if isinstance(found, (type, types.ModuleType)) else None
    return f"{cls.__module__}:{cls.__qualname__}" if found is cls else None


def is_final(cls: type) -> bool:
    """Return whether nothing may derive from a class: Python refuses, or `typing.final` says so."""
    if not cls.__flags__ & _SUBCLASSABLE or vars(cls).get("__final__") is True:
        return True
    return isinstance(cls, enum.EnumMeta) and bool(cls.__members__)


def can_derive(bases: Parts) -> bool:
    """Return whether some class can derive from all of these: their order, metaclasses and layouts fit."""
    parts = minimal(bases)
    return (
        not any(is_final(base) for base in parts)
        and _have_common_metaclass(parts)
        and _have_common_layout(parts)
        and linearized(parts) is not None
    )


def may_derive(bases: Parts, what: type) -> bool:
    """Return whether a mock of some classes may be of another one, too: pure data needs no mock."""
    is_data = what.__module__ == "builtins" and not issubclass(what, BaseException)
    is_form = issubclass(what, type) or name_of(what) == "collections.abc:Callable"  # no type checker's base
    return not is_data and not is_form and can_derive((*bases, what))


def minimal(bases: Parts) -> tuple[type, ...]:
    """Return the bases without those that another one derives from already."""
    found: list[type] = []
    for base in bases:
        if base is object or any(_extends(other, base) for other in found):
            continue
        found = [other for other in found if not _extends(base, other)]
        found.append(base)
    return tuple(found)


def _have_common_metaclass(bases: Parts) -> bool:
    metas = [type(base) for base in bases]
    return not metas or any(all(_extends(one, other) for other in metas) for one in metas)


def bases_of(cls: type) -> tuple[type, ...]:
    """Return the classes that a class extends, itself first, whatever its metaclass makes of attributes."""
    found: tuple[type, ...] = _mro(cls)
    return found


def _extends(cls: type, base: type) -> bool:
    return any(item is base for item in bases_of(cls))


def _have_common_layout(bases: Parts) -> bool:
    """Return whether of the bases that lay out memory, one extends all others."""
    solid = [_solid(base) for base in bases]
    return not solid or any(all(_extends(one, other) for other in solid) for one in solid)


def _solid(cls: type) -> type:
    """Return the nearest base that adds to the layout of instances (`solid_base` in typeobject.c)."""
    while cls is not object:
        base = cls.__base__
        if base is None:
            return cls
        if cls.__itemsize__ != base.__itemsize__ or _own_size(cls, base) != base.__basicsize__:
            return cls
        cls = base
    return cls


def _own_size(cls: type, base: type) -> int:
    """Return the size of an instance without a dictionary and weak references that the class adds."""
    size = cls.__basicsize__
    if cls.__dictoffset__ > 0 and not base.__dictoffset__:
        size -= _POINTER
    if cls.__weakrefoffset__ > 0 and not base.__weakrefoffset__:
        size -= _POINTER
    return size


def linearized(bases: Parts) -> list[type] | None:
    """Return the order in which methods would be looked up (C3), None where there is none."""
    rows = [list(base.__mro__) for base in bases] + [list(bases)]
    merged: list[type] = []
    while rows := [row for row in rows if row]:
        head = next((row[0] for row in rows if not any(row[0] in other[1:] for other in rows)), None)
        if head is None:
            return None
        merged.append(head)
        rows = [row[1:] if row[0] is head else row for row in rows]
    return merged
