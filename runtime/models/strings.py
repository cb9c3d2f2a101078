"""Methods of *plain* str and bytes whose arguments are traced (a traced receiver has its own methods)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.models.registry import models_method
from runtime.names import keep_builtins
from runtime.ops import TEXT_METHODS
from runtime.text import call
from runtime.values import SCALARS, TRACED, kind_of

keep_builtins(globals())


def _register(owner: type, name: str) -> None:
    native: Callable[..., Any] = getattr(owner, name)

    @models_method(owner, name)
    def model(receiver: Any, *args: Any, **kwargs: Any) -> Any:
        if name == "join" and len(args) == 1 and not kwargs:
            parts = _parts(args[0])
            if parts is None:
                return native(receiver, None)
            if any(kind_of(p) in TRACED for p in parts) and all(kind_of(p) in SCALARS for p in parts):
                return call(name, receiver, (parts,), {})
            return native(receiver, parts)
        if any(kind_of(a) in TRACED for a in args):
            return call(name, receiver, args, kwargs)
        return native(receiver, *args, **kwargs)


def _parts(iterable: Any) -> Any:
    """What `join` joins: a list or tuple; None where it would not iterate."""
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
    """`"...".format(...)`: the fields are formatted one by one when the template is simple."""
    if not any(kind_of(v) in TRACED for v in (*args, *kwargs.values())):
        return receiver.format(*args, **kwargs)
    from runtime.models.templates import format_fields

    return format_fields(receiver, args, kwargs)
