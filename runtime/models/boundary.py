"""The way from a twin into C code: a model, a harmless passage, or a boundary where values are lost.

At a boundary traced arguments become plain, the loss is noted by the callable's name, and, when
something comes back, the values are pinned on the path, so that what follows is true for them.
"""

# mypy: disable-error-code="union-attr"
# An error that was caught here has a traceback, whose first entry is ours.

from __future__ import annotations

import functools
import sys
import typing
from collections.abc import Callable
from contextvars import copy_context
from enum import EnumMeta
from types import (
    AsyncGeneratorType,
    BuiltinFunctionType,
    CoroutineType,
    FunctionType,
    GeneratorType,
    MethodType,
    ModuleType,
)
from typing import Any, Final

from runtime import trace
from runtime.containers import CONTAINERS
from runtime.frames import shed, unseen
from runtime.models.registry import BOUND_KINDS, CALLEES, FRAME_READERS, METHODS, SHALLOW, TRANSPARENT
from runtime.names import keep_builtins
from runtime.values import TRACED, SFloat, SInt, node_of, pin, plain

keep_builtins(globals())

# `compile`, `eval` and `exec` compile as the caller's `from __future__` says.
FRAME_READERS.update((super, locals, globals, vars, dir, eval, exec, compile, breakpoint))
FRAME_READERS.update((__import__, __build_class__))
FRAME_READERS.add(FunctionType)  # where the globals given to it hold no builtins, it takes its caller's
if hasattr(typing, "TypeAliasType"):
    FRAME_READERS.add(typing.TypeAliasType)  # an alias belongs to the module that makes it
_OF_THE_CALLER: Final = (
    "_getframe _getframemodulename _current_frames _current_exceptions exc_info exception breakpointhook "
    "settrace gettrace setprofile getprofile call_tracing getrefcount"
).split()
FRAME_READERS.update(getattr(sys, name) for name in _OF_THE_CALLER if hasattr(sys, name))
_OF_THE_INTERPRETER: Final = frozenset(("_warnings", "_tracemalloc", "faulthandler", "gc"))
"""Modules whose functions look at frames or at who refers to what."""

# Generators and contexts run code of the program, which would find us among its callers.
_RUNNING: Final = (GeneratorType, CoroutineType, AsyncGeneratorType, type(copy_context()))
_TRANSPARENT_OWNERS: Final[frozenset[type]] = frozenset(
    (list, dict, set, tuple, frozenset, type, object, *_RUNNING)
)
_DIRECT_OWNERS: Final = frozenset((list, tuple, frozenset, *TRACED, *CONTAINERS)) - {SInt, SFloat}
"""Types of receivers of whose methods none has a model."""

_HEAP_TYPE: Final = 1 << 9
_SHADOWED: Final = TRACED | CONTAINERS
_NESTING: Final = frozenset((list, tuple, dict, set, frozenset))
_SUSPECT: Final = TRACED | _NESTING
_ATOMS: Final = frozenset((int, str, float, bool, bytes, type(None), complex))
_KEYS: Final = frozenset((int, str))
_FLAT: Final = frozenset((list, tuple, set, frozenset))
_DOUBTFUL: Final = _SHADOWED | _NESTING

_HANDLED: Final = frozenset((FunctionType, type, BuiltinFunctionType))


def _chooser(
    make: Callable[..., Any], text_call: Callable[..., Any], keyed_call: Callable[..., Any]
) -> tuple[Callable[[Any], Any], dict[Any, Any]]:
    """The function that says what to call for calls of one shape, and the entries that it finds.

    Args:
        make: makes the entry of a function or class that has a model, or that is not known.
        text_call: calls a method of str.
        keyed_call: calls a method of a dict or set that looks up its first argument.
    """
    entries: dict[Any, Any] = {}

    entry_of = entries.get

    def choose(function: Any) -> Any:
        kind = type(function)
        if kind is MethodType:
            return function
        if kind is FunctionType:
            return entry_of(function, function)
        if kind is BuiltinFunctionType:
            entry = entry_of(function)
            if entry is not None:
                return entry
            owner = type(function.__self__)
            if owner is list:
                return function
            if owner is str:
                return MethodType(text_call, function)
            if owner in _KEYED and function.__name__ in _KEYED[owner]:
                return MethodType(keyed_call, function)
            return _entry(function, entries, make) if owner is ModuleType else _bound(function, owner)
        if kind is not type:
            return _resolved(function, kind, entries, make)
        entry = entry_of(function)
        if entry is not None:
            return entry
        # A class of the program's own nothing here may keep alive.
        return function if function.__flags__ & _HEAP_TYPE else _entry(function, entries, make)

    return unseen(choose), entries


def _resolved(function: Any, kind: type, entries: dict[Any, Any], make: Callable[..., Any]) -> Any:
    """What to call for anything that is neither function nor method, nor a plain class."""
    if kind in BOUND_KINDS:
        owner = getattr(function, "__self__", None)
        if owner is not None:
            return _bound(function, type(owner))
        return entries[function] if function in entries else _entry(function, entries, make)
    if not issubclass(kind, EnumMeta):
        return function
    from runtime.models.enums import callee_of as called  # it needs `name_of` of this file

    return called(function)


def callee_of(function: Any) -> Any:
    """What to call for any callable: for models of functions that call another one."""
    return callee(function)


def _entry(function: Any, entries: dict[Any, Any], make: Callable[..., Any]) -> Any:
    """Find out what to call for a function of a module or a class, once for all."""
    model = CALLEES.get(function)
    if model is not None:
        entry = make(function, model, _SHADOWED if function in SHALLOW else None)
    elif function in TRANSPARENT or function in FRAME_READERS:
        entry = function
    elif getattr(function, "__module__", "") in _OF_THE_INTERPRETER:
        entry = function
    else:
        entry = make(function, functools.partial(_lossy, function), _SUSPECT)
    entries[function] = entry
    return entry


def _bound(function: Any, owner: type) -> Any:
    """What to call for a method written in C of a receiver of this class."""
    if owner is bytes:
        return MethodType(_text_call, function)
    if owner in _KEYED and function.__name__ in _KEYED[owner]:
        return MethodType(_keyed_call, function)
    if issubclass(owner, type):
        # A class method written in C. Neither `isinstance` nor `==`: both may ask the program.
        cls = function.__self__
        harmless = cls is dict or cls is object or cls is type or function.__name__.startswith("__")
        return function if harmless else MethodType(_lossy_call, function)
    if owner in _TRANSPARENT_OWNERS or owner in _SHADOWED:
        return function
    if (owner, function.__name__) in METHODS:
        return MethodType(_method_call, function)
    return MethodType(_lossy_call, function)


_KEYED: Final[dict[type, set[str]]] = {dict: set(), set: set()}
"""Methods of dict and set that look up their first argument."""


def _is_clean(value: Any) -> bool:
    """Whether nothing is traced in a value, as far as one look tells."""
    kind = type(value)
    if kind in _ATOMS:
        return True
    return kind in _FLAT and _DOUBTFUL.isdisjoint(map(type, value))


def _are_clean(values: tuple[Any, ...]) -> bool:
    for value in values:
        if type(value) not in _ATOMS and not _is_clean(value):
            return False
    return True


def _guarded(native: Any, model: Callable[..., Any], watched: frozenset[type] | None) -> Callable[..., Any]:
    """`native`, or its model when an argument is of a watched type.

    Args:
        native: what the program calls.
        model: what to call instead. If it takes no such arguments, Python is asked what is wrong with them.
        watched: types of arguments; None when the model is needed unless all are clean.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            values = (*args, *kwargs.values()) if kwargs else args
            if watched is not None:
                if watched.isdisjoint(map(type, values)):
                    return native(*args, **kwargs)
            elif not kwargs and _are_clean(args):
                return native(*args)
            try:
                return model(*args, **kwargs)
            except TypeError as error:
                if error.__traceback__.tb_next is not None:
                    raise
            return native(*args, **kwargs)
        except BaseException as error:
            shed(error)
            del args, kwargs
            raise

    return _like(native, call)


def _like(native: Any, entry: Any) -> Any:
    """An entry has the name by which CPython calls a function whose arguments can't be unpacked."""
    entry.__module__, entry.__qualname__ = getattr(native, "__module__", None), native.__qualname__
    return unseen(entry)


def _single(native: Any, model: Callable[..., Any], watched: frozenset[type] | None) -> Callable[[Any], Any]:
    """The same for one positional argument."""
    if watched is None:
        watched = frozenset()

        def general(value: Any, /) -> Any:
            try:
                return native(value) if type(value) in _ATOMS or _is_clean(value) else model(value)
            except BaseException as error:
                shed(error)
                del value
                raise

        return _like(native, general)

    def call(value: Any, /) -> Any:
        try:
            return model(value) if type(value) in watched else native(value)
        except BaseException as error:
            shed(error)
            del value
            raise

    return _like(native, call)


def _pair(native: Any, model: Callable[..., Any], watched: frozenset[type] | None) -> Callable[[Any, Any], Any]:
    """The same for two positional arguments."""
    general = _guarded(native, model, watched)

    def call(first: Any, second: Any, /) -> Any:
        try:
            if type(first) in _ATOMS and type(second) in _ATOMS:
                return native(first, second)
            return general(first, second)
        except BaseException as error:
            shed(error)
            del first, second
            raise

    return _like(native, call)


def _text_call1(function: Any, value: Any, /) -> Any:
    """A method of a plain str or bytes with one argument."""
    try:
        if type(value) in _ATOMS or _is_clean(value):
            return function(value)
        return _modelled(function, (value,), {})
    except BaseException as error:
        shed(error)
        del function, value
        raise


def _text_call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """A method of a plain str or bytes."""
    try:
        if not kwargs and _are_clean(args):
            return function(*args)
        return _modelled(function, args, kwargs)
    except BaseException as error:
        shed(error)
        del function, args, kwargs
        raise


def _text_call2(function: Any, first: Any, second: Any, /) -> Any:
    """The same with two arguments."""
    try:
        if type(first) in _ATOMS and type(second) in _ATOMS:
            return function(first, second)
        return _modelled(function, (first, second), {})
    except BaseException as error:
        shed(error)
        del function, first, second
        raise


def _keyed_call1(function: Any, key: Any, /) -> Any:
    """A method of a dict or set that looks up its one argument."""
    try:
        if type(key) in _KEYS and not trace.traced_keys:
            return function(key)
        return _modelled(function, (key,), {})
    except BaseException as error:
        shed(error)
        del function, key
        raise


def _keyed_call2(function: Any, key: Any, other: Any, /) -> Any:
    """The same with one more argument."""
    try:
        if type(key) in _KEYS and not trace.traced_keys:
            return function(key, other)
        return _modelled(function, (key, other), {})
    except BaseException as error:
        shed(error)
        del function, key, other
        raise


def _keyed_call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """A method of a dict or set that looks up its first argument."""
    try:
        if args and type(args[0]) in _KEYS and not trace.traced_keys:
            return function(*args, **kwargs)
        return _modelled(function, args, kwargs)
    except BaseException as error:
        shed(error)
        del function, args, kwargs
        raise


def _method_call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Any other method that has a model."""
    try:
        return _modelled(function, args, kwargs)
    except BaseException as error:
        shed(error)
        del function, args, kwargs
        raise


def _modelled(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A method by its model; where it has none, or one that takes no such arguments, as it is."""
    owner = function.__self__
    model = METHODS.get((type(owner), function.__name__))
    if model is None:
        return _lossy(function, *args, **kwargs)
    try:
        return model(owner, *args, **kwargs)
    except TypeError as error:
        if error.__traceback__.tb_next is not None:
            raise
    return function(*args, **kwargs)


def _lossy_call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """A method written in C of which nothing is known."""
    try:
        if _SUSPECT.isdisjoint(map(type, (*args, *kwargs.values()))):
            return function(*args, **kwargs)
        return _lossy(function, *args, **kwargs)
    except BaseException as error:
        shed(error)
        del function, args, kwargs
        raise


def _lossy(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call C code that takes traced values for plain ones; note them as lost."""
    lost = list(_traced_within((*args, *kwargs.values()), 2))
    if not lost:
        return function(*args, **kwargs)
    names = frozenset().union(*(node_of(v).names for v in lost))
    trace.current.lose(name_of(function), names)
    result = function(*[plain(a) for a in args], **{k: plain(v) for k, v in kwargs.items()})
    if result is not None:
        for value in lost:
            pin(value)
    return result


def _traced_within(values: Any, depth: int) -> Any:
    """The traced scalars among `values` and, `depth` levels down, in native containers of them."""
    for value in values:
        kind = type(value)
        if kind in TRACED:
            yield value
        elif depth and kind in _NESTING and len(value) <= 100:
            yield from _traced_within(value, depth - 1)
            if kind is dict:
                yield from _traced_within(value.values(), depth - 1)


def name_of(function: Any) -> str:
    """`math.sin`, `str.translate`, `Decimal`: how a person names the callable."""
    qualname = str(getattr(function, "__qualname__", type(function).__name__))
    module = str(getattr(function, "__module__", None) or "")
    return qualname if module in ("", "builtins") else f"{module.lstrip('_')}.{qualname}"


for _function in (_text_call, _text_call1, _text_call2, _keyed_call, _keyed_call1, _keyed_call2):
    unseen(_function)
for _function in (_method_call, _lossy_call):
    unseen(_function)

callee, _general = _chooser(_guarded, _text_call, _keyed_call)
callee1, _singles = _chooser(_single, _text_call1, _keyed_call1)
callee2, _pairs = _chooser(_pair, _text_call2, _keyed_call2)


def enter_models() -> None:
    """Make the entries of all that is modelled: what is not entered then is the program's own, or unknown C."""
    for function in (*CALLEES, *TRANSPARENT):
        if type(function) in _HANDLED:
            for entries, make in ((_general, _guarded), (_singles, _single), (_pairs, _pair)):
                _entry(function, entries, make)
    for owner, name in METHODS:
        if owner in _KEYED:
            _KEYED[owner].add(name)
