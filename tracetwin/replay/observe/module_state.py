"""The state of a module that its own code may change: public globals, and attributes of its public classes.

Which may be changed is told by the instructions of its functions: a table that they only read is none.
"""

from __future__ import annotations

import collections
import functools
import opcode
import sys
import types
from collections.abc import Iterable, Iterator
from typing import Any, Final

from tracetwin.analysis.scopes import module_of, namespace_of
from tracetwin.replay.observe.snap import is_a
from tracetwin.support.data import dataclass

MOST_HELD: Final = 30
"""Things in a container beyond which a test would not show it."""

_SCALARS: Final = (bool, int, float, complex, str, bytes, type(None))
_CONTAINERS: Final = (
    list, dict, set, bytearray, collections.deque, collections.OrderedDict, collections.defaultdict,
    collections.Counter,
)  # fmt: skip

_CACHED: Final = type(functools.lru_cache(len))

_CHANGING: Final = frozenset(
    "add append appendleft clear discard extend insert pop popitem popleft remove reverse setdefault sort"
    " update".split()
)
"""Methods of these that change them."""

_GLOBAL, _ATTRIBUTE, _MORE = (
    opcode.opmap[name] for name in ("STORE_GLOBAL", "STORE_ATTR", "EXTENDED_ARG")
)
_ITEMS: Final = frozenset(
    opcode.opmap[name] for name in ("STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE") if name in opcode.opmap
)


@dataclass(frozen=True)
class _Names:
    """The public names in the code of a module's functions.

    Attributes:
        rebound: globals that are set.
        filled: names beside which the contents of something are changed.
        altered: names beside which an attribute of something is set.
        attributes: those that are set.
    """

    rebound: frozenset[str]
    filled: frozenset[str]
    altered: frozenset[str]
    attributes: frozenset[str]


@dataclass(frozen=True)
class _Places:
    """The places in a module that its code may change.

    Attributes:
        module: kept, as the places are known by its identity.
        names: those of its functions.
        owned: classes with attributes of theirs.
        is_importable: a test can import the module itself: its package has nothing else of that name.
    """

    module: types.ModuleType
    names: _Names
    owned: tuple[tuple[str, str], ...]
    is_importable: bool


def state_of(module: types.ModuleType) -> Iterator[tuple[str, Any]]:
    """Yield the places behind the module's name that its code may change, and what is there now."""
    places, space = _places(module), vars(module)
    for owner, name in places.owned:
        held: Any = space.get(owner)
        if is_a(held, type):
            yield f"{owner}.{name}", namespace_of(held).get(name)
    if not places.is_importable:
        return
    names = places.names
    for name in sorted(names.rebound):
        yield name, space.get(name)
    for name in sorted((names.filled | names.altered) - names.rebound):
        value: Any = space.get(name)
        if (name in names.filled and _is_short(value)) or _is_own(value, module, name in names.altered):
            yield name, value


def _owned(module: types.ModuleType, names: _Names) -> Iterator[tuple[str, str]]:
    """Yield the module's own public classes with the attributes that its code may change."""
    for owner, cls in list(vars(module).items()):
        if owner[:1] == "_" or not is_a(cls, type) or module_of(cls) != module.__name__:
            continue
        for name, value in list(namespace_of(cls).items()):
            is_set = name in names.attributes and type(value) in _SCALARS
            if is_set or (name in names.filled and _is_short(value)):
                yield owner, name


def _is_own(value: Any, module: types.ModuleType, is_altered: bool) -> bool:
    """Return whether it is an instance of a class of the module."""
    return is_altered and module_of(type(value)) == module.__name__ and not is_a(value, type)


def _is_short(value: Any) -> bool:
    return type(value) in _CONTAINERS and len(value) <= MOST_HELD


_KNOWN: Final[dict[int, _Places]] = {}
"""By the identity of the module, whose own code no lookup may run."""


def _places(module: types.ModuleType) -> _Places:
    if id(module) not in _KNOWN:
        names = _names(module)
        package, _, last = module.__name__.rpartition(".")
        above = sys.modules.get(package)
        shown = above is None or (is_a(above, types.ModuleType) and vars(above).get(last) is module)
        _KNOWN[id(module)] = _Places(module, names, tuple(_owned(module, names)), shown)
    return _KNOWN[id(module)]


def _names(module: types.ModuleType) -> _Names:
    found: dict[str, set[str]] = {part: set() for part in ("rebound", "filled", "altered", "attributes")}
    known: set[int] = set()
    for value in list(vars(module).values()):
        for code in _codes(value, module.__name__, known):
            instructions = frozenset(code.co_code[::2])
            spoken = set(code.co_names)
            if _GLOBAL in instructions:
                found["rebound"].update(_stored(code, _GLOBAL))
            if _ATTRIBUTE in instructions:
                found["attributes"].update(_stored(code, _ATTRIBUTE))
                found["altered"] |= spoken
            if instructions & _ITEMS or not _CHANGING.isdisjoint(spoken):
                found["filled"] |= spoken
    return _Names(*(frozenset(name for name in names if name[:1] != "_") for names in found.values()))


def _codes(value: Any, home: str, known: set[int]) -> Iterator[types.CodeType]:
    """Yield the code of a function of the module, or of the methods of one of its classes, each once."""
    if id(value) in known:
        return
    known.add(id(value))
    if is_a(value, types.FunctionType) and value.__module__ == home:
        yield from _with_inner(value.__code__)
    for part in _inside(value, home):
        yield from _codes(part, home, known)


def _inside(value: Any, home: str) -> Iterable[Any]:
    """Return what stands behind a class of the module, a property or a decorated function."""
    if is_a(value, type):
        return list(namespace_of(value).values()) if module_of(value) == home else ()
    if is_a(value, (staticmethod, classmethod)):
        return (value.__func__,)
    if is_a(value, property):
        return value.fget, value.fset, value.fdel
    if is_a(value, _CACHED):
        return (value.__wrapped__,)
    return (vars(value).get("__wrapped__"),) if is_a(value, types.FunctionType) else ()


def _with_inner(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            yield from _with_inner(part)


def _stored(code: types.CodeType, instruction: int) -> Iterator[str]:
    """Yield the names that such instructions of a piece of code have."""
    units, high = code.co_code, 0
    for at in range(0, len(units), 2):
        argument = units[at + 1] | high
        if units[at] == instruction:
            yield code.co_names[argument]
        high = argument << 8 if units[at] == _MORE else 0
