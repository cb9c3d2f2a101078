"""`sum`, `enumerate` and `itertools`, which passes on elements but not numbers it is given."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable, Iterator
from typing import Any, Final

from runtime.expr import Sort, apply
from runtime.lookup import has_traced
from runtime.models.collections.elements import handed_on
from runtime.models.registry import SHALLOW, STANDS_FOR, UNGUARDED, models, transparent
from runtime.ops import MEANINGS
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import binary
from runtime.values import NUMBERS, TRACED, SFloat, SInt, kind_of, number_node, plain, settle, wrap

keep_builtins(globals())

transparent(itertools.chain, itertools.cycle, itertools.zip_longest, itertools.compress)
transparent(itertools.chain.from_iterable)
if hasattr(itertools, "pairwise"):
    transparent(itertools.pairwise)

_COMPENSATED: Final = sys.version_info >= (3, 12)
"""True where `sum` of floats keeps what each addition rounds off."""


@models(sum, takes="list[int] int?; list[float]; list[number] number?; tuple[bool]")
def traced_sum(iterable: Iterable[Any], /, start: Any = 0) -> Any:
    """`sum(x)`. Where it adds a float, C code takes ints for plain ones and floats from 3.12 on too."""
    if type(iterable) is list or type(iterable) is tuple:
        first: Iterable[Any] = iterable
        again = first
    else:
        first, again = itertools.tee(iterable)
    result = sum(first, start)
    if type(result) is not float and type(result) is not SFloat:
        return result
    values = [start, *again]
    return _float_sum(values) if has_traced(values) and all(kind_of(v) in NUMBERS for v in values) else result


def add(left: Any, right: Any) -> Any:
    """Return `left + right` of numbers, as an expression where one is traced."""
    traced = kind_of(left) in TRACED or kind_of(right) in TRACED
    return binary("add", left, right) if traced else left + right


def _float_sum(values: list[Any]) -> Any:
    if _COMPENSATED:
        nodes = [number_node(value) for value in values]
        return wrap(MEANINGS["sum"](*map(plain, values)), apply("sum", Sort.FLOAT, *nodes))
    total = values[0]
    for value in values[1:]:
        total = add(total, value)
    return total


UNGUARDED.add(sum)


class _Step:
    """A step that `itertools.count` has to add: by plain ones it counts on by itself."""

    def __init__(self, step: Any) -> None:
        self._step = step

    def __index__(self) -> int:
        return int(plain(self._step))

    def __radd__(self, other: Any) -> Any:
        return add(other, self._step)

    def __repr__(self) -> str:
        return repr(plain(self._step))


@models(itertools.count)
def traced_count(start: Any = 0, step: Any = 1) -> Any:
    """`itertools.count(start)`."""
    if kind_of(start) in NUMBERS and kind_of(step) in NUMBERS:
        return itertools.count(start, _Step(step))
    return itertools.count(start, step)


class Numbered:
    """An `enumerate` from a traced number on."""

    def __init__(self, iterable: Iterable[Any], start: Any) -> None:
        self._pairs = zip(traced_count(start), iterable, strict=False)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return enumerate

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        return next(self._pairs)


STANDS_FOR[Numbered] = enumerate


@models(enumerate)
def traced_enumerate(iterable: Iterable[Any], start: Any = 0) -> Any:
    """`enumerate(x, start)`: with a traced start the numbers are."""
    if type(start) is not SInt:
        return enumerate(iterable, settle(start))
    return Numbered(iterable, start)


SHALLOW.update((itertools.count, enumerate))


def _settling(native: Any) -> None:
    """Model a function of which a number says how many elements there are: it is decided."""

    @models(native)
    def model(*args: Any, **kwargs: Any) -> Any:
        return native(*args[:1], *map(settle, args[1:]), **{name: settle(v) for name, v in kwargs.items()})

    SHALLOW.add(native)


for _name in ("islice", "combinations", "combinations_with_replacement", "permutations", "tee", "batched"):
    if hasattr(itertools, _name):
        _settling(getattr(itertools, _name))


@models(itertools.product)
def traced_product(*args: Any, **kwargs: Any) -> Iterator[Any]:
    """`itertools.product(...)`."""
    return itertools.product(*args, **{name: settle(value) for name, value in kwargs.items()})


@models(itertools.repeat)
def traced_repeat(value: Any, *times: Any, **kwargs: Any) -> Iterator[Any]:
    """`itertools.repeat(x, times)`."""
    return itertools.repeat(value, *map(settle, times), **{name: settle(v) for name, v in kwargs.items()})


SHALLOW.update((itertools.product, itertools.repeat))

for _native, _place, _keyword in (
    (itertools.takewhile, 0, ""),
    (itertools.dropwhile, 0, ""),
    (itertools.filterfalse, 0, ""),
    (itertools.starmap, 0, ""),
    (itertools.accumulate, 1, "func"),
    (itertools.groupby, 1, "key"),
):
    handed_on(_native, _place, _keyword)
