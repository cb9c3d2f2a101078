"""Functions that are called in place of callables written in C: they call the model only when it matters.

Each kind of call has functions of its own for one and for two arguments, as these are by far the most.
"""

# mypy: disable-error-code="union-attr"
# An error that was caught here has a traceback, whose first entry is ours.

from __future__ import annotations

import functools
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from types import FunctionType, MethodType
from typing import Any, Final, TypeVar

from runtime import trace
from runtime.containers import CONTAINERS
from runtime.containers.bytearrays import SBytearray
from runtime.frames import hide_frames, trim_traceback
from runtime.lookup import has_traced, has_traced_key
from runtime.models.calls.losses import NESTING, lossy
from runtime.models.registry import METHODS
from runtime.private_builtins import keep_builtins
from runtime.scalars.complexes import SComplex
from runtime.values import TRACED, kind_of

keep_builtins(globals())

_F = TypeVar("_F", bound=Callable[..., Any])

SHADOWED: Final = set(map(id, TRACED | CONTAINERS | {SComplex, SBytearray}))
"""The types of traced values, by identity: the program may have defined the hash of a type."""

SUSPECT: Final = frozenset(map(id, TRACED | NESTING | {SComplex, SBytearray}))
"""The types of traced values and of containers that may hold them."""

_ATOMS: Final = frozenset((int, str, float, bool, bytes, type(None), complex))
_FLAT: Final = frozenset((list, tuple, set, frozenset))
_DOUBTFUL: Final = SHADOWED | SUSPECT


def shadow(cls: type) -> None:
    """Have entries look out for arguments of a class of ours."""
    SHADOWED.add(id(cls))
    _DOUBTFUL.add(id(cls))


def _is_clean(value: Any) -> bool:
    """Return whether nothing is traced in a value, as far as one look tells."""
    kind = type(value)
    if type(kind) is not type:
        return False
    if kind in _ATOMS:
        return True
    if kind not in _FLAT:
        return False
    for part in value if kind is list or kind is tuple else [*value]:  # another thread may change a set
        if type(part) is not str and type(part) is not int and id(type(part)) in _DOUBTFUL:
            return False
    return True


def _are_clean(values: tuple[Any, ...]) -> bool:
    for value in values:  # noqa: SIM110 - `all` would make a generator for one or two values
        if type(value) is not str and not _is_clean(value):
            return False
    return True


def guarded(native: Any, model: Callable[..., Any], watched: AbstractSet[int] | None) -> Callable[..., Any]:
    """Return an entry that calls `native`, or its model when an argument is of a watched type.

    `watched` are identities of types; None: the model is needed unless all arguments are clean.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            values = (*args, *kwargs.values()) if kwargs else args
            if watched is not None:
                for value in values:
                    if type(value) is not int and type(value) is not str and id(type(value)) in watched:
                        break
                else:
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
            trim_traceback(error)
            del args, kwargs
            raise

    return _like(native, call)


def ungated(native: Any, model: Callable[..., Any]) -> Callable[..., Any]:
    """Return an entry that calls the model whatever the arguments are."""

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            try:
                return model(*args, **kwargs)
            except TypeError as error:
                if error.__traceback__.tb_next is not None:
                    raise
            return native(*args, **kwargs)
        except BaseException as error:
            trim_traceback(error)
            del args, kwargs
            raise

    return _like(native, call)


def unbound(native: Any, choose: Callable[[Any], Callable[..., Any]]) -> Callable[..., Any]:
    """Return an entry that calls `native`, a method of a native class, as a method of its first argument.

    `choose` chooses what to call for it. A value of ours has a method of its own in its place.
    """
    owner, name = native.__objclass__, native.__name__

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            kind = type(args[0]) if args else type(None)
            if id(kind) in SHADOWED:
                return getattr(args[0], name)(*args[1:], **kwargs)
            if not issubclass(kind, owner):
                return native(*args, **kwargs)
            return choose(native.__get__(args[0], kind))(*args[1:], **kwargs)
        except BaseException as error:
            trim_traceback(error)
            del args, kwargs
            raise

    return _like(native, call)


def _like(native: Any, entry: _F) -> _F:
    """Give an entry the name by which CPython calls a function whose arguments can't be unpacked."""
    entry.__module__, entry.__qualname__ = getattr(native, "__module__", "builtins"), native.__qualname__
    hide_frames(entry)
    return entry


def single(
    native: Any, model: Callable[..., Any], watched: AbstractSet[int] | None
) -> Callable[[Any], Any]:
    """Return an entry like `guarded` for one positional argument."""
    if watched is None:

        def general(value: Any, /) -> Any:
            try:
                if type(value) is str or type(value) is int or type(value) is float:
                    return native(value)
                return native(value) if _is_clean(value) else model(value)
            except BaseException as error:
                trim_traceback(error)
                del value
                raise

        return _like(native, general)

    def call(value: Any, /) -> Any:
        try:
            if type(value) is str or type(value) is int:
                return native(value)
            return model(value) if id(type(value)) in watched else native(value)
        except BaseException as error:
            trim_traceback(error)
            del value
            raise

    return _like(native, call)


def pair(
    native: Any, model: Callable[..., Any], watched: AbstractSet[int] | None
) -> Callable[[Any, Any], Any]:
    """Return an entry like `guarded` for two positional arguments."""
    general = guarded(native, model, watched)

    def call(first: Any, second: Any, /) -> Any:
        try:
            if (type(first) is int or type(first) is str or _is_clean(first)) and (
                type(second) is int or type(second) is str or _is_clean(second)
            ):
                return native(first, second)
            return general(first, second)
        except BaseException as error:
            trim_traceback(error)
            del first, second
            raise

    return _like(native, call)


def text_call1(function: Any, value: Any, /) -> Any:
    """Call a method of a plain str or bytes with one argument."""
    try:
        if type(value) is str or type(value) is int or _is_clean(value):
            return function(value)
        return _modelled(function, (value,), {})
    except BaseException as error:
        trim_traceback(error)
        del function, value
        raise


def text_call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call a method of a plain str or bytes."""
    try:
        if not kwargs and _are_clean(args):
            return function(*args)
        return _modelled(function, args, kwargs)
    except BaseException as error:
        trim_traceback(error)
        del function, args, kwargs
        raise


def text_call2(function: Any, first: Any, second: Any, /) -> Any:
    """Call a method of a plain str or bytes with two arguments."""
    try:
        if (type(first) is str or _is_clean(first)) and (type(second) is str or _is_clean(second)):
            return function(first, second)
        return _modelled(function, (first, second), {})
    except BaseException as error:
        trim_traceback(error)
        del function, first, second
        raise


def keyed_call1(function: Any, key: Any, /) -> Any:
    """Call a method of a dict or set that looks up its one argument."""
    try:
        if (type(key) is str or type(key) is int) and not (
            trace.traced_keys and has_traced_key(function.__self__)
        ):
            return function(key)
        return _modelled(function, (key,), {})
    except BaseException as error:
        trim_traceback(error)
        del function, key
        raise


def keyed_call2(function: Any, key: Any, other: Any, /) -> Any:
    """Call a method of a dict or set that looks up the first of its two arguments."""
    try:
        if (type(key) is str or type(key) is int) and not (
            trace.traced_keys and has_traced_key(function.__self__)
        ):
            return function(key, other)
        return _modelled(function, (key, other), {})
    except BaseException as error:
        trim_traceback(error)
        del function, key, other
        raise


def keyed_call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call a method of a dict or set that looks up its first argument."""
    try:
        if args and (type(args[0]) is str or type(args[0]) is int) and not trace.traced_keys:
            return function(*args, **kwargs)
        return _modelled(function, args, kwargs)
    except BaseException as error:
        trim_traceback(error)
        del function, args, kwargs
        raise


def method_call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call any other method that has a model."""
    try:
        return _modelled(function, args, kwargs)
    except BaseException as error:
        trim_traceback(error)
        del function, args, kwargs
        raise


def placed_call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call a method of a list that takes places."""
    try:
        if args and not kwargs and not has_traced(args):
            return function(*args)
        return _modelled(function, args, kwargs)
    except BaseException as error:
        trim_traceback(error)
        del function, args, kwargs
        raise


def class_call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call a class method of a builtin class that has a model."""
    try:
        if not kwargs and _are_clean(args):
            return function(*args)
        return _modelled(function, args, kwargs, function.__self__)
    except BaseException as error:
        trim_traceback(error)
        del function, args, kwargs
        raise


def _modelled(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], cls: type | None = None
) -> Any:
    """Call a method by its model; where it has none, or one that takes no such arguments, as it is.

    `cls` is the class whose method it is, if not that of the receiver.
    """
    owner = function.__self__
    model = METHODS.get((cls or kind_of(owner), function.__name__))
    if model is None:
        return lossy(function, *args, **kwargs)
    try:
        return model(owner, *args, **kwargs)
    except TypeError as error:
        if error.__traceback__.tb_next is not None:
            raise
    return function(*args, **kwargs)


def lossy_call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call a method written in C of which nothing is known."""
    try:
        if SUSPECT.isdisjoint(map(id, map(type, (*args, *kwargs.values())))):
            return function(*args, **kwargs)
        return lossy(function, *args, **kwargs)
    except BaseException as error:
        trim_traceback(error)
        del function, args, kwargs
        raise


def named(helper: Any, function: Any) -> Any:
    """Return the helper bound to a method, under the name of the method: for calls with `*` or `**`.

    By that name CPython calls what it can't unpack arguments for.
    """
    owner = type(function.__self__)
    if type(owner) is not type:
        return MethodType(helper, function)  # its name might be asked of the program
    known = _named.get((helper, function.__qualname__))
    if known is None:
        known = FunctionType(helper.__code__, helper.__globals__, helper.__name__, None, helper.__closure__)
        _like(function, known)
        _named[helper, function.__qualname__] = known
    return MethodType(known, function)


_named: Final[dict[tuple[Any, str], Any]] = {}


class BoundHelper(functools.partial[Any]):
    """A helper bound to what is no method: it has the name of that, or none."""

    def __init__(self, _: Any, function: Any) -> None:
        vars(self).update(vars(function))

    def __str__(self) -> str:
        return str(self.args[0])


for _function in (text_call, text_call1, text_call2, keyed_call, keyed_call1, keyed_call2):
    hide_frames(_function)
for _function in (method_call, placed_call, class_call, lossy_call):
    hide_frames(_function)
