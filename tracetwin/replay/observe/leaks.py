"""Changes of a case to the state of its module: globals, class attributes, defaults of parameters.

Filters of warnings are looked at as well: helpers for deprecated functions change them, and others read them.

The next case starts from a fresh process, but tests of one file share theirs.
"""

from __future__ import annotations

import collections
import enum
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any, Final

from tracetwin.model.codec import key
from tracetwin.model.observation import Leak
from tracetwin.model.recipe import Dictionary, Series
from tracetwin.model.snapshot import Built, Opaque, Snapshot
from tracetwin.replay.observe.snap import Camera, is_a

_CALLED: Final = (types.FunctionType, types.BuiltinFunctionType)
_PARTS: Final = (
    *_CALLED,
    types.ModuleType,
    types.MemberDescriptorType,
    types.GetSetDescriptorType,
    property,
    classmethod,
    staticmethod,
)


_DICTS: Final = (dict, collections.defaultdict, collections.OrderedDict, collections.Counter)
"""What `patch.dict` puts back as it was; a picture of some of these says less than they are."""

_DEFAULTS: Final = ("__defaults__", "__kwdefaults__")
_FIXED: Final = (int, float, complex, str, bytes, type(None), type(...), *_PARTS)


class _StateCamera(Camera):
    """Takes pictures from which a state can be put back: a plain dict is not as good as one with defaults."""

    def _standard(self, kind: type, value: Any, depth: int) -> Snapshot | None:
        if kind is not collections.defaultdict:
            return super()._standard(kind, value, depth)
        parts = self.take(value.default_factory, depth), self._container(dict, value, depth)
        return Built("collections", "defaultdict", parts)


class Leaks:
    """Remembers the state of a module.

    Args:
        module: the module, as it was imported.
        changed: whether anything may have changed since then; asked first, as it is cheaper.
    """

    def __init__(self, module: types.ModuleType, changed: Callable[[], bool] = lambda: True) -> None:
        self._module = module
        self._changed = changed
        self._filters = tuple(warnings.filters)
        self._before = {place: (value, self._look(value)) for place, value in _places(module)}
        self._defined = {name: (value, self._look(value)) for name, value in _defined(module)}

    def found(self) -> tuple[Leak, ...]:
        """The changes up to now."""
        changed: list[Leak] = []
        if tuple(warnings.filters) != self._filters:
            many = Opaque("builtins:list", "they are many")
            changed.append(Leak("filters", False, many, module="warnings"))
        if not self._changed():
            return tuple(changed)
        now = dict(_places(self._module))
        put_back: list[object] = []
        there = vars(self._module)
        changed += [
            Leak(name, False, snap)
            for name, (value, snap) in self._defined.items()
            if there.get(name) is not value
        ]
        for place, (value, snap) in sorted(self._before.items(), key=lambda row: _is_of_defaults(row[0])):
            if place not in now:
                continue
            if now[place] is value and (_is_logger(value) or _are_put_back(place, value, put_back)):
                continue
            after = self._look(now[place])
            if key(after) == key(snap):
                continue
            owner, _, name = place.rpartition(".")
            if name in _DEFAULTS:
                function = self._function(owner)
                names = _names(function, snap, after)
                if not names or not all(_is_one_of(_default(function, name), put_back) for name in names):
                    changed.append(Leak(place, False, snap, names, after))
                continue
            in_place = now[place] is value and type(value) in _DICTS
            if in_place:
                put_back.append(value)
            changed.append(Leak(place, in_place, snap))
        return tuple(changed)

    def _function(self, path: str) -> Any:
        found: Any = self._module
        for part in path.split("."):
            found = vars(found)[part]
        return _plain_function(found)

    def _look(self, value: Any) -> Snapshot:
        return _StateCamera(self._module, properties=False, private=True).take(value)


def _places(module: types.ModuleType) -> Iterator[tuple[str, Any]]:
    """Names and values of globals, and of attributes of the module's own classes."""
    for name, value in list(vars(module).items()):
        if is_a(value, types.FunctionType) and value.__module__ == module.__name__:
            yield from _defaults(name, value)
        if name.startswith("__") or is_a(value, _PARTS):
            continue
        if not is_a(value, type):
            yield name, value
        elif value.__module__ == module.__name__:
            yield from _attributes(name, value)


def _is_logger(value: Any) -> bool:
    """Return whether a thing is a logger: it notes its levels when it is asked, and its copy is itself."""
    logging = sys.modules.get("logging")
    return logging is not None and is_a(value, logging.Logger)


def _defined(module: types.ModuleType) -> Iterator[tuple[str, Any]]:
    """Names and values of globals that are functions or classes: another may come in the place of each."""
    for name, value in list(vars(module).items()):
        if not name.startswith("__") and is_a(value, (*_CALLED, type)):
            yield name, value


def _attributes(path: str, owner: type) -> Iterator[tuple[str, Any]]:
    if is_a(owner, enum.EnumMeta):
        return
    for name, value in list(vars(owner).items()):
        if is_a(value, (types.FunctionType, staticmethod)):
            yield from _defaults(f"{path}.{name}", _plain_function(value))
        hidden = (name.startswith("__") and name.endswith("__")) or name.startswith("_abc_")
        if hidden or is_a(value, _PARTS):
            continue
        if is_a(value, type):
            if value.__qualname__ == f"{owner.__qualname__}.{name}":
                yield from _attributes(f"{path}.{name}", value)
        else:
            yield f"{path}.{name}", value


def _plain_function(value: Any) -> Any:
    """Return the function itself where a class holds it as a static method."""
    return value.__func__ if type(value) is staticmethod else value


def _defaults(path: str, function: Any) -> Iterator[tuple[str, Any]]:
    """Yield the defaults of a function that could be changed."""
    if not is_a(function, types.FunctionType):
        return
    by_name = function.__kwdefaults__ or {}
    for name, values in zip(_DEFAULTS, (function.__defaults__ or (), by_name.values()), strict=True):
        if not all(is_a(value, _FIXED) for value in values):
            yield f"{path}.{name}", getattr(function, name)


def _is_of_defaults(place: str) -> bool:
    return place.rpartition(".")[2] in _DEFAULTS


def _are_put_back(place: str, values: Any, put_back: list[object]) -> bool:
    """True for defaults of which all that can change are objects that are put back under other names."""
    if not put_back or not _is_of_defaults(place):
        return False
    held = values.values() if type(values) is dict else values
    return all(is_a(value, _FIXED) or _is_one_of(value, put_back) for value in held)


def _is_one_of(value: object, things: list[object]) -> bool:
    return any(value is one for one in things)


def _default(function: types.FunctionType, name: str) -> Any:
    """Return the default of a parameter that has one."""
    by_name = function.__kwdefaults__ or {}
    if name in by_name:
        return by_name[name]
    count = function.__code__.co_argcount
    place = function.__code__.co_varnames[:count].index(name)
    return (function.__defaults__ or ())[place - count]


def _names(function: types.FunctionType, before: Snapshot, after: Snapshot) -> tuple[str, ...]:
    """Return the parameters whose defaults differ in two looks at all of them."""
    match before, after:
        case Series(_, old), Series(_, new):
            count = function.__code__.co_argcount
            names = function.__code__.co_varnames[count - len(old) : count]
            return tuple(n for n, one, two in zip(names, old, new, strict=True) if key(one) != key(two))
        case Dictionary(old), Dictionary(new):
            names = tuple(function.__kwdefaults__ or ())
            pairs = zip(names, old, new, strict=True)
            return tuple(name for name, one, two in pairs if key(one[1]) != key(two[1]))
        case _:
            return ()
