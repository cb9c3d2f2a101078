"""Chooses what a twin calls: a model, the callable itself, or a boundary where values are lost.

Looking for what to call asks nothing of the program's own objects and classes, not even how they hash.
"""

from __future__ import annotations

import functools
import sys
import typing
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from contextvars import copy_context
from enum import EnumMeta
from types import (
    AsyncGeneratorType,
    BuiltinFunctionType,
    CoroutineType,
    FunctionType,
    GeneratorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
)
from typing import Any, Final

from runtime.containers import CONTAINERS
from runtime.frames import hide_frames, trim_traceback
from runtime.models.calls import cached, enums
from runtime.models.calls.entries import (
    SHADOWED,
    SUSPECT,
    BoundHelper,
    class_call,
    guarded,
    keyed_call,
    keyed_call1,
    keyed_call2,
    lossy_call,
    method_call,
    named,
    pair,
    placed_call,
    single,
    text_call,
    text_call1,
    text_call2,
    unbound,
    ungated,
)
from runtime.models.calls.losses import lossy
from runtime.models.collections import heirs
from runtime.models.registry import (
    BOUND_KINDS,
    CALLEES,
    FRAME_READERS,
    METHODS,
    SHALLOW,
    TRANSPARENT,
    UNGUARDED,
)
from runtime.private_builtins import keep_builtins
from runtime.values import TRACED, lose_all

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
_RUNNING: Final[tuple[type, ...]] = (GeneratorType, CoroutineType, AsyncGeneratorType, type(copy_context()))
_DIRECT_OWNERS: Final[frozenset[type]] = frozenset(
    (
        *(list, dict, set, tuple, frozenset, type, object, deque, Counter, OrderedDict, defaultdict),
        *_RUNNING,
        *TRACED,
        *CONTAINERS,
    )
)
"""Types of receivers whose methods lose nothing, but for those that have a model."""

_ROWS: Final = frozenset((list, tuple, deque))
_NATIVE: Final = _ROWS | {dict, set, frozenset, OrderedDict, defaultdict, Counter, str, bytes, int, float}
"""Classes whose methods may be called with an object of a subclass before the arguments."""

_unmodelled: set[type] = set()
"""Types among these of which no method has a model."""

_HEAP_TYPE: Final = 1 << 9
_MADE_HOW: Final = _HEAP_TYPE | 1 << 8  # classes written in C may live on the heap too: those never change
_OF_SCALARS: Final = 1 << 24 | 1 << 27 | 1 << 28  # subclasses of int, bytes and str
_SCALARS: Final = frozenset(map(id, (int, float, str, bytes)))
_HANDLED: Final = frozenset((FunctionType, type, BuiltinFunctionType))


def _chooser(  # noqa: C901 - as its inner function is
    make: Callable[..., Any],
    text: Callable[..., Any],
    keyed: Callable[..., Any],
    bind: Callable[[Any, Any], Any] = MethodType,
    places: bool = True,
) -> tuple[Callable[[Any], Any], dict[Any, Any]]:
    """Return the function that chooses what to call for calls of one shape, and the entries that it finds.

    Args:
        make: makes the entry of a function or class that has a model, or that is not known.
        text: calls a method of str.
        keyed: calls a method of a dict or set that looks up its first argument.
        bind: binds such a function to the method.
        places: whether a method of a list may take a place among these arguments.
    """
    entries: dict[Any, Any] = {}

    entry_of = entries.get

    def choose(function: Any) -> Any:  # noqa: C901 - in the order of how often each comes
        kind = type(function)
        if kind is MethodType:
            if cached.is_cached(function):
                return BoundHelper(cached_method_call, function)
            return function
        if kind is FunctionType:
            return entry_of(function, function)
        if kind is BuiltinFunctionType:
            entry = entry_of(function)
            if entry is not None:
                return entry
            owner = type(function.__self__)
            if owner is list:
                return bind(placed_call, function) if places and function.__name__ in _PLACED else function
            if owner is str:
                return bind(text, function)
            if owner is dict or owner is set:
                return bind(keyed, function) if function.__name__ in _KEYED[owner] else function
            return _entry(function, entries, make) if owner is ModuleType else _bound(function, owner, bind)
        if kind is not type:
            return _resolved(function, kind, entries, make, bind)
        entry = entry_of(function)
        if entry is not None:
            return entry
        flags = function.__flags__
        if flags & _MADE_HOW != _HEAP_TYPE:
            return _entry(function, entries, make)
        # A class of the program's own nothing here may keep alive.
        scalar = flags & _OF_SCALARS or function.__base__ is float
        return MethodType(subclass_call, function) if scalar else function

    return hide_frames(choose), entries


def _resolved(
    function: Any,
    kind: type,
    entries: dict[Any, Any],
    make: Callable[..., Any],
    bind: Callable[[Any, Any], Any],
) -> Any:
    """Return what to call for anything that is neither function nor method, nor a plain class."""
    if type(kind) is type and kind in BOUND_KINDS:
        owner = getattr(function, "__self__", None)
        if owner is not None:
            return _bound(function, type(owner), bind)
        return entries[function] if function in entries else _entry(function, entries, make)
    if kind is functools.partial:
        inner = function.func
        return function if callee(inner) is inner else BoundHelper(partial_call, function)
    if kind is cached.CACHED:
        return BoundHelper(cached_call, function)
    return enums.callee_of(function) if issubclass(kind, EnumMeta) else function


def partial_call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call a `functools.partial`: its function is called as the program would call it."""
    try:
        return callee(function.func)(*function.args, *args, **{**function.keywords, **kwargs})
    except BaseException as error:
        trim_traceback(error)
        del function, args, kwargs
        raise


def cached_call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call what `functools.lru_cache` made."""
    try:
        return cached.cached_call(callee_of, function, args, kwargs)
    except BaseException as error:
        trim_traceback(error)
        del function, args, kwargs
        raise


def cached_method_call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call a method that `functools.lru_cache` made."""
    try:
        return cached.cached_call(callee_of, function.__func__, (function.__self__, *args), kwargs)
    except BaseException as error:
        trim_traceback(error)
        del function, args, kwargs
        raise


def subclass_call(cls: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call a subclass of a scalar type, with a plain value unless it has a `__new__` to follow."""
    try:
        if type(cls.__new__) is BuiltinFunctionType:
            lose_all(cls.__qualname__, *args, *kwargs.values())
        return cls(*args, **kwargs)
    except BaseException as error:
        trim_traceback(error)
        del cls, args, kwargs
        raise


def callee_of(function: Any) -> Any:
    """Return what to call for any callable: for models of functions that call another one."""
    return callee(function)


def _entry(function: Any, entries: dict[Any, Any], make: Callable[..., Any]) -> Any:
    """Find out what to call for a function of a module or a class, once for all."""
    model = CALLEES.get(function)
    if model is not None and function in UNGUARDED:
        entry = ungated(function, model)
    elif model is not None:
        entry = make(function, model, SHADOWED if function in SHALLOW else None)
    elif function in TRANSPARENT or function in FRAME_READERS or _is_of_the_interpreter(function):
        entry = function
    elif getattr(function, "__objclass__", None) in _NATIVE:
        entry = unbound(function, callee_of)
    else:
        entry = make(function, functools.partial(lossy, function), SUSPECT)
    entries[function] = entry
    return entry


def _is_of_the_interpreter(function: Any) -> bool:
    return getattr(function, "__module__", "") in _OF_THE_INTERPRETER


def _bound(function: Any, owner: type, bind: Callable[[Any, Any], Any]) -> Any:
    """Return what to call for a method written in C of a receiver of this class."""
    if owner is bytes:
        return bind(text_call, function)
    if issubclass(owner, type):
        # A class method written in C. Neither `isinstance` nor `==`: both may ask the program.
        cls = function.__self__
        if owner is type and (cls, function.__name__) in METHODS:
            return bind(class_call, function)
        if owner is type and function.__name__ == "__new__" and id(cls) in _SCALARS:
            return bind(lossy_call, function)  # what a subclass is made of
        harmless = cls is dict or cls is object or cls is type or function.__name__.startswith("__")
        return function if harmless else bind(lossy_call, function)
    if type(owner) is not type:
        return bind(lossy_call, function)
    if owner in _unmodelled:
        return function
    if function.__name__ in heirs.NAMES and _is_heir(owner):
        return bind(heirs.heir_call, function)
    if (owner, function.__name__) in METHODS:
        return bind(method_call, function)
    harmless = owner in _DIRECT_OWNERS or _only_stores(function) or _is_of_a_row(owner, function.__name__)
    return function if harmless else bind(lossy_call, function)


def _only_stores(function: Any) -> bool:
    """Return whether it is `super().__setattr__`, or `super().__init__` of an exception."""
    if type(function) is not MethodWrapperType:
        return False
    owner = function.__objclass__
    return owner is object or (function.__name__ == "__init__" and issubclass(owner, BaseException))


def _is_heir(owner: type) -> bool:
    """Return whether a class is one of the program's that is derived from `dict`."""
    return issubclass(owner, dict) and owner not in _DIRECT_OWNERS and owner.__flags__ & _HEAP_TYPE != 0


def _is_of_a_row(owner: type, name: str) -> bool:
    """Return whether a method of a list, tuple or deque only stores and compares in a subclass, too."""
    base = next((base for base in owner.__mro__ if base in _ROWS), None)
    return base is not None and (base, name) not in METHODS and name != "__init__"


_PLACED: Final = frozenset(("pop", "insert", "index", "sort"))
"""Methods of lists that take a place or an order: called by `callee` or `callee2`."""

_KEYED: Final[dict[type, set[str]]] = {dict: set(), set: set()}
"""Methods of dict and set that look up their first argument."""


def _given(function: Any) -> Any:
    """Return a callable that is handed no value: nothing can be lost in it."""
    return function


# Python's own identity function is written in C from 3.11 on.
_identity: Any = typing.NewType.__call__
callee0: Callable[[Any], Any] = _identity if type(_identity) is BuiltinFunctionType else hide_frames(_given)
callee, _general = _chooser(guarded, text_call, keyed_call, named)
callee1, _singles = _chooser(single, text_call1, keyed_call1, places=False)
callee2, _pairs = _chooser(pair, text_call2, keyed_call2)


def enter(functions: Iterable[Any]) -> None:
    """Make the entries of these callables, for calls of every shape."""
    for function in functions:
        if type(function) in _HANDLED:
            for entries, make in ((_general, guarded), (_singles, single), (_pairs, pair)):
                _entry(function, entries, make)


def enter_models() -> None:
    """Make the entries of all that is modelled: the rest is the program's own, or unknown C."""
    enter((*CALLEES, *TRANSPARENT))
    _singles[sorted] = single(sorted, CALLEES[sorted], SHADOWED)  # keywords it looks at come to `callee`
    _pairs[sorted] = sorted
    _singles[enumerate] = enumerate  # its model looks at a second argument
    _unmodelled.update(_DIRECT_OWNERS - {owner for owner, _ in METHODS})
    for owner, name in METHODS:
        if owner in _KEYED:
            _KEYED[owner].add(name)


def stand_in(others: Mapping[Any, Callable[..., Any]]) -> None:
    """Call these in place of the callables that are their keys, and no others, from now on."""
    for function, entries, entry in _replaced:
        entries[function] = entry
    _replaced.clear()
    for function, other in others.items():
        for entries in (_general, _singles, _pairs):
            _replaced.append((function, entries, entries[function]))
            entries[function] = other


_replaced: Final[list[tuple[Any, dict[Any, Any], Any]]] = []
"""The entries that stand-ins replace."""
