"""Methods of *plain* str and bytes whose arguments are traced (a traced receiver has its own methods).

The same methods taken from the class (``map(str.strip, lines)``) are modelled as functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from runtime.expr import Sort, apply
from runtime.models.registry import SHALLOW, models, models_method
from runtime.models.texts.templates import format_fields
from runtime.ops import MEANINGS, TEXT_METHODS
from runtime.private_builtins import keep_builtins
from runtime.scalars.text import call, give, raw_text
from runtime.values import (
    SCALARS,
    TRACED,
    SBytes,
    SStr,
    check,
    kind_of,
    lose_all,
    plain,
    wrap,
)

keep_builtins(globals())

_CLASS_OF: Final[dict[type, type]] = {SStr: str, SBytes: bytes}


def _register(owner: type, name: str) -> None:
    native: Callable[..., Any] = getattr(owner, name)

    @models_method(owner, name)
    def model(receiver: Any, *args: Any, **kwargs: Any) -> Any:
        if name == "join" and len(args) == 1 and not kwargs:
            parts = _parts(args[0])
            if parts is None:
                return native(receiver, None)
            if any(kind_of(p) in TRACED for p in parts) and all(
                kind_of(raw_text(p)) in SCALARS for p in parts
            ):
                return call(name, receiver, (parts,), {})
            return native(receiver, parts)
        if any(kind_of(a) in TRACED for a in (*args, *kwargs.values(), *_within(*args[:1]))):
            return call(name, receiver, args, kwargs)
        return native(receiver, *args, **kwargs)

    @models(native)
    def function(receiver: Any, *args: Any, **kwargs: Any) -> Any:
        kind = kind_of(receiver)
        if _CLASS_OF.get(kind) is owner:
            return call(name, receiver, args, kwargs)
        if kind is owner:
            return model(receiver, *args, **kwargs)
        lose_all(f"{owner.__name__}.{name}", receiver, *args)
        return native(plain(receiver), *map(plain, args), **kwargs)

    if name != "join":
        SHALLOW.add(native)


def _within(value: Any = None) -> Any:
    """Return the values in a first argument: several affixes, or a table of characters."""
    if type(value) is tuple:
        return value
    return (*dict.keys(value), *dict.values(value)) if isinstance(value, dict) else ()


def _parts(iterable: Any) -> Any:
    """Return the parts that `join` joins: a list or tuple; None where it would not iterate."""
    if type(iterable) is list or type(iterable) is tuple:
        return iterable
    try:
        iterator = iter(iterable)
    except TypeError:
        return None  # `join` says the same of it as of None
    return list(iterator)


for _owner in (str, bytes):
    for _name in TEXT_METHODS:
        if hasattr(_owner, _name):
            _register(_owner, _name)


@models_method(str, "format")
def str_format(receiver: str, *args: Any, **kwargs: Any) -> Any:
    """`"...".format(...)`: the fields are formatted one by one."""
    if not any(kind_of(v) in TRACED for v in (*args, *kwargs.values())):
        return receiver.format(*args, **kwargs)
    return format_fields(receiver, args, kwargs)


@models_method(str, "format_map")
def str_format_map(receiver: str, mapping: Any, /) -> Any:
    """`"...".format_map(mapping)`, likewise."""
    return format_fields(receiver, None, mapping)


@models(bytes.fromhex, takes="str")
def bytes_fromhex(text: Any, /) -> Any:
    """`bytes.fromhex(text)`; what is no hexadecimal number is a check."""
    if type(text) is not SStr:
        return bytes.fromhex(text)
    check(wrap(MEANINGS["bytes.fromhex_ok"](text.v), apply("bytes.fromhex_ok", Sort.BOOL, text.e)))
    return wrap(bytes.fromhex(text.v), apply("bytes.fromhex", Sort.BYTES, text.e))


SHALLOW.add(bytes.fromhex)
give(SBytes, {"fromhex": staticmethod(bytes_fromhex)})
