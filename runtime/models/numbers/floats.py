"""Methods and attributes of float."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from runtime.expr import Sort, apply, sort_of
from runtime.models.registry import models_method
from runtime.ops import MEANINGS
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import check_finite
from runtime.values import SFloat, SStr, check, make, number_node, plain, wrap

keep_builtins(globals())


def _itself(self: Any) -> Any:
    return self


def _is_integer(self: Any) -> Any:
    """`x.is_integer()`."""
    return make("is_integer", self.v.is_integer(), self.e)


def _as_integer_ratio(self: Any) -> Any:
    """`x.as_integer_ratio()`."""
    check_finite(self)
    numerator, denominator = self.v.as_integer_ratio()
    return make("ratio_numerator", numerator, self.e), make("ratio_denominator", denominator, self.e)


def _hex(self: Any) -> Any:
    """`x.hex()`."""
    return make("float_hex", self.v.hex(), self.e)


def _whole(op: str) -> Callable[[Any], Any]:
    def method(self: Any) -> Any:
        check_finite(self)
        return make(op, MEANINGS[op](self.v), self.e)

    return method


def _round(self: Any, ndigits: Any = None, /) -> Any:
    """`round(x)` and `round(x, ndigits)` in code that is not rewritten."""
    if ndigits is None:
        check_finite(self)
        return make("round", round(self.v), self.e)
    result = self.v.__round__(plain(ndigits))
    return wrap(result, apply("round", sort_of(result), self.e, number_node(ndigits)))


@models_method(float, "fromhex", takes="'0x1.8p3'|str")
def _from_hex(cls: Any, text: Any, /) -> Any:
    """`float.fromhex(text)`; what is no number is a check."""
    if type(text) is not SStr:
        return cls.fromhex(text)
    check(make("fromhex_ok", MEANINGS["fromhex_ok"](text.v), text.e))
    return wrap(cls.fromhex(text.v), apply("fromhex", Sort.FLOAT, text.e))


_METHODS: Final[dict[str, Callable[..., Any]]] = {
    "is_integer": _is_integer,
    "as_integer_ratio": _as_integer_ratio,
    "hex": _hex,
    "conjugate": _itself,
    "__round__": _round,
    "__floor__": _whole("floor"),
    "__ceil__": _whole("ceil"),
    "__trunc__": _whole("trunc"),
}

# A call without arguments is Python's own: these must be methods of the traced class.
for _name, _method in _METHODS.items():
    setattr(SFloat, _name, _method)
SFloat.real = property(_itself)  # type: ignore[assignment]
SFloat.imag = property(lambda self: 0.0)  # type: ignore[assignment]
