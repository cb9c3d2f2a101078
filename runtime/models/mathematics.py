"""`math`: every function of scalars keeps its expression; the domain errors are checks."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from runtime.expr import apply, sort_of
from runtime.models.registry import SHALLOW, models
from runtime.names import keep_builtins
from runtime.numbers import compare
from runtime.ops import MEANINGS
from runtime.values import NUMBERS, TRACED, check, kind_of, number_node, plain, wrap

keep_builtins(globals())

_CONVERT = frozenset(("floor", "ceil", "trunc"))


def _register(name: str) -> None:
    native = getattr(math, name)
    SHALLOW.add(native)
    op = name if name in _CONVERT else f"math.{name}"

    @models(native)
    def model(*args: Any, **kwargs: Any) -> Any:
        if not any(kind_of(a) in TRACED for a in args):
            return native(*args, **kwargs)
        if kwargs or not all(kind_of(a) in NUMBERS for a in args):
            return native(*map(plain, args), **{k: plain(v) for k, v in kwargs.items()})
        _check_domain(name, args)
        result = native(*map(plain, args))
        return wrap(result, apply(op, sort_of(result), *[number_node(a) for a in args]))


def _check_domain(name: str, args: tuple[Any, ...]) -> None:
    condition: Callable[[Any], Any] | None = _DOMAINS.get(name)
    if condition is not None and kind_of(args[0]) in TRACED:
        check(condition(args[0]))


_DOMAINS: dict[str, Callable[[Any], Any]] = {
    "sqrt": lambda x: compare("ge", x, 0),
    "isqrt": lambda x: compare("ge", x, 0),
    "log": lambda x: compare("gt", x, 0),
    "log2": lambda x: compare("gt", x, 0),
    "log10": lambda x: compare("gt", x, 0),
    "log1p": lambda x: compare("gt", x, -1),
}

for _op in list(MEANINGS):
    if _op.startswith("math."):
        _register(_op.removeprefix("math."))
for _op in sorted(_CONVERT):
    _register(_op)

