"""`slice.indices` where a bound is traced."""

from __future__ import annotations

from typing import Any

from runtime.lookup import decide
from runtime.models.registry import models_method
from runtime.names import keep_builtins
from runtime.numbers import binary, compare
from runtime.values import TRACED, SBool, SInt, check, kind_of, plain, settle

keep_builtins(globals())

_WHOLE = frozenset((int, bool, SInt, SBool))


@models_method(slice, "indices")
def indices(self: slice, *size: Any) -> tuple[Any, Any, Any]:
    """`slice(start, stop, step).indices(size)`: the bounds stay traced, the step is decided."""
    parts = [part for part in (self.start, self.stop, self.step, *size) if part is not None]
    usual = len(size) == 1 and all(kind_of(part) in _WHOLE for part in parts)
    if not usual or plain(size[0]) < 0 or not any(kind_of(part) in TRACED for part in parts):
        plainly = slice(plain(self.start), plain(self.stop), plain(self.step))
        return plainly.indices(*[plain(part) for part in size])
    step = 1 if self.step is None else self.step
    if not check(_compare("ne", step, 0)):
        raise ValueError("slice step cannot be zero")
    step = settle(step)
    lowest, highest = (0, size[0]) if step > 0 else (-1, _sum(size[0], -1))
    first, last = (lowest, highest) if step > 0 else (highest, lowest)
    start = first if self.start is None else _within(self.start, size[0], lowest, highest)
    stop = last if self.stop is None else _within(self.stop, size[0], lowest, highest)
    return start, stop, step


def _within(bound: Any, size: Any, lowest: Any, highest: Any) -> Any:
    """A bound counted from the right end, and cut to what there is."""
    if decide(_compare("lt", bound, 0)):
        bound = _sum(bound, size)
        return lowest if decide(_compare("lt", bound, lowest)) else bound
    return highest if decide(_compare("gt", bound, highest)) else bound


def _sum(left: Any, right: Any) -> Any:
    return left + right if not _traced(left, right) else binary("add", left, right)


def _compare(op: str, left: Any, right: Any) -> Any:
    if _traced(left, right):
        return compare(op, left, right)
    return {"lt": left < right, "gt": left > right, "ne": left != right}[op]


def _traced(left: Any, right: Any) -> bool:
    return kind_of(left) in TRACED or kind_of(right) in TRACED
