"""Slots of numbers that are called by name: `operator.index`, `int.__repr__`, `float.__repr__`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from runtime.expr import Sort, apply
from runtime.models.registry import SHALLOW, models
from runtime.names import keep_builtins
from runtime.text import as_text
from runtime.values import SBool, SFloat, SInt, kind_of, plain, wrap

keep_builtins(globals())


@models(operator.index, takes="number|str")
def traced_index(value: Any, /) -> Any:
    """`operator.index(value)`."""
    if kind_of(value) is SInt:
        return value
    if kind_of(value) is SBool:
        return wrap(int(value.v), apply("to_int", Sort.INT, value.e))
    return operator.index(plain(value))


def _register(kind: type, native: Callable[[Any], str]) -> None:
    @models(native)
    def model(value: Any, /) -> Any:
        return as_text("repr", value) if kind_of(value) is kind else native(plain(value))


_register(SInt, int.__repr__)
_register(SFloat, float.__repr__)
SHALLOW.update((operator.index, int.__repr__, float.__repr__))
