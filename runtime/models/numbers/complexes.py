"""`complex(...)` and `cmath`: a complex number of traced parts stays traced."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any

from runtime.expr import Sort, apply
from runtime.meanings.arithmetic import COMPLEX_FUNCTIONS
from runtime.models.calls.losses import lossy
from runtime.models.registry import CALLEES, SHALLOW, STANDS_FOR, models
from runtime.private_builtins import keep_builtins
from runtime.scalars.complexes import SComplex, applied, parts_of, settled, traced_complex
from runtime.values import NUMBERS, kind_of, number_node, plain, wrap

keep_builtins(globals())


@models(complex, takes="number number?")
def complex_of(*args: Any, **kwargs: Any) -> Any:
    """`complex(real, imag)`."""
    values = {**dict(zip(("real", "imag"), args, strict=False)), **kwargs}
    parts = [values.get("real", 0), values.get("imag", 0)]
    if not values.keys() <= {"real", "imag"} or not all(kind_of(part) in NUMBERS for part in parts):
        return _of_others(*args, **kwargs)
    exact = complex(*map(plain, args), **{key: plain(value) for key, value in kwargs.items()})
    nodes = [apply("to_float", Sort.FLOAT, number_node(part)) for part in parts]
    return traced_complex(wrap(exact.real, nodes[0]), wrap(exact.imag, nodes[1]))


def _of_others(*args: Any, **kwargs: Any) -> Any:
    if len(args) == 1 and not kwargs and type(args[0]) is SComplex:
        return args[0]
    return lossy(complex, *map(settled, args), **{key: settled(value) for key, value in kwargs.items()})


def _register(name: str) -> None:
    native = getattr(cmath, name)

    @models(native, takes="number")
    def model(value: Any, /) -> Any:
        return lossy(native, value) if parts_of(value) is None else applied(name, value)

    SHALLOW.add(native)


for _name in COMPLEX_FUNCTIONS:
    _register(_name)


def _of_parts(native: Any, make: Callable[[Any, Any], Any]) -> None:
    """Model a function whose result is not complex, by the parts of its argument."""

    @models(native, takes="number")
    def model(value: Any, /) -> Any:
        parts = parts_of(value)
        return lossy(native, value) if parts is None else make(*parts)

    SHALLOW.add(native)


def _phase(real: Any, imag: Any) -> Any:
    return CALLEES[math.atan2](imag, real)


_of_parts(cmath.phase, _phase)
_of_parts(cmath.polar, lambda real, imag: (abs(traced_complex(real, imag)), _phase(real, imag)))
SHALLOW.add(complex)
STANDS_FOR[SComplex] = complex
