"""Methods and attributes of int: bits, bytes, parts of a number. Those of bool are the same."""

from __future__ import annotations

from collections.abc import Callable
from types import GeneratorType
from typing import Any, Final

from runtime.expr import Sort, apply, const
from runtime.lookup import decide
from runtime.models.calls.losses import lossy
from runtime.models.registry import models_method
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import compare
from runtime.scalars.text import content
from runtime.values import (
    TRACED,
    SBool,
    SBytes,
    SInt,
    check,
    kind_of,
    lose_all,
    number_node,
    plain,
    settle,
    wrap,
)

keep_builtins(globals())

_MOST_BYTES: Final = 1000


def _whole(value: Any) -> Any:
    """Return a traced int or bool as an int."""
    return value if type(value) is SInt else wrap(int(value.v), number_node(value))


def _computed(name: str) -> Callable[[Any], Any]:
    native = getattr(int, name)

    def method(self: Any) -> Any:
        return wrap(native(self.v), apply(name, Sort.INT, number_node(self)))

    return method


def _as_integer_ratio(self: Any) -> Any:
    """`n.as_integer_ratio()`."""
    return _whole(self), 1


def _round(self: Any, ndigits: Any = None, /) -> Any:
    """`round(n)` and `round(n, ndigits)` in code that is not rewritten."""
    if ndigits is None:
        return _whole(self)
    result = int(self.v).__round__(plain(ndigits))
    return wrap(result, apply("round", Sort.INT, number_node(self), number_node(ndigits)))


def _to_bytes(self: Any, *args: Any, **kwargs: Any) -> Any:
    """`n.to_bytes(length, byteorder, signed=...)`: the length is decided, too large a number is a check."""
    exact = [plain(a) for a in args], {key: plain(value) for key, value in kwargs.items()}
    bound = _to_bytes_arguments(*args, **kwargs)
    if bound is None or type(plain(bound[0])) is not int or not 0 < plain(bound[0]) <= _MOST_BYTES:
        lose_all("int.to_bytes", self, *args, *kwargs.values())
        return int(plain(self)).to_bytes(*exact[0], **exact[1])
    length, order, signed = settle(bound[0]), settle(bound[1]), bool(bound[2])
    if kind_of(self) in TRACED:
        value = _whole(self)
        if order in ("big", "little"):
            check(compare("ge", value, -(1 << 8 * length - 1) if signed else 0))
            check(compare("lt", value, 1 << 8 * length - int(signed)))
    result = int(plain(self)).to_bytes(*exact[0], **exact[1])
    nodes = [number_node(self), const(length), const(order), const(signed)]
    return wrap(result, apply("to_bytes", Sort.BYTES, *nodes))


def _to_bytes_arguments(*args: Any, **kwargs: Any) -> tuple[Any, Any, Any] | None:
    """Return length, order and sign of a call; None where Python is to say what is wrong with it."""
    given = dict(zip(("length", "byteorder"), args, strict=False))
    names = {"length", "byteorder", "signed"}
    if len(args) > 2 or not given.keys().isdisjoint(kwargs) or not names.issuperset(kwargs):
        return None
    given |= kwargs
    return given.get("length", 1), given.get("byteorder", "big"), given.get("signed", False)


models_method(int, "to_bytes", takes="8|2 'big'|'little'")(_to_bytes)


@models_method(int, "from_bytes", takes="bytes 'big'|'little'")
def _from_bytes(cls: Any, /, *args: Any, **kwargs: Any) -> Any:
    """`int.from_bytes(data, byteorder, signed=...)`."""
    data, order, signed = _from_bytes_arguments(*args, **kwargs)
    data = content(data)
    if type(data) is SBytes:
        settled = settle(order)
        sign = bool(signed)
        result = cls.from_bytes(data.v, settled, signed=sign)
        return wrap(result, apply("from_bytes", Sort.INT, data.e, const(settled), const(sign)))
    if type(data) is map or type(data) is GeneratorType:
        data = list(data)  # as `bytes` does with an iterator, which is used up then
        args, kwargs = (data, order), {"signed": signed}
    if type(data) in (list, tuple) and any(type(octet) is SInt for octet in data):
        return _of_octets(data, settle(order), bool(signed))
    return lossy(cls.from_bytes, *args, **kwargs)


def _from_bytes_arguments(bytes: Any = None, byteorder: Any = "big", *, signed: Any = False) -> Any:  # noqa: A002
    return bytes, byteorder, signed


def _of_octets(octets: Any, order: Any, signed: bool) -> Any:
    """Return the number that a list of ints makes up; each must be a byte."""
    for octet in octets:
        if type(octet) is SInt:
            check(compare("ge", octet, 0))
            check(compare("le", octet, 255))
    native = int.from_bytes([plain(octet) for octet in octets], order, signed=signed)
    total: Any = 0
    for octet in octets if order == "big" else octets[::-1]:
        total = total * 256 + octet
    if signed and octets and decide(compare("ge", total, 1 << 8 * len(octets) - 1)):
        total = total - (1 << 8 * len(octets))
    assert plain(total) == native
    return total


_METHODS: Final[dict[str, Callable[..., Any]]] = {
    "bit_length": _computed("bit_length"),
    **({"bit_count": _computed("bit_count")} if hasattr(int, "bit_count") else {}),
    "as_integer_ratio": _as_integer_ratio,
    "conjugate": _whole,
    "to_bytes": _to_bytes,
    "__round__": _round,
    "__floor__": _whole,
    "__ceil__": _whole,
    "__trunc__": _whole,
    **({"is_integer": lambda self: True} if hasattr(int, "is_integer") else {}),
}
_PARTS: Final[dict[str, Callable[[Any], Any]]] = {
    "real": _whole,
    "imag": lambda self: 0,
    "numerator": _whole,
    "denominator": lambda self: 1,
}

# A call without arguments is Python's own: these must be methods of the traced classes.
for _cls in (SInt, SBool):
    for _name, _method in _METHODS.items():
        setattr(_cls, _name, _method)
    for _name, _part in _PARTS.items():
        setattr(_cls, _name, property(_part))
