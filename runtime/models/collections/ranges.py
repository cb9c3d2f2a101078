"""`range` with traced bounds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from runtime import trace
from runtime.expr import Sort, apply
from runtime.lookup import decide
from runtime.models.calls.entries import shadow
from runtime.models.registry import SHALLOW, STANDS_FOR, models
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import NATIVE, binary, compare
from runtime.values import TRACED, SBool, SInt, check, kind_of, number_node, plain, settle, wrap

keep_builtins(globals())

FOLLOWED: Final = 256
"""Rounds of a loop in each of which going on is a branch; beyond, in rounds 512, 1024, ... and the last."""


class TracedRange:
    """A range with a traced bound; going on or stopping is a branch."""

    def __init__(self, start: Any, stop: Any, step: Any) -> None:
        if kind_of(step) in TRACED:
            check(compare("ne", step, 0))
            decide(compare("gt", step, 0))
        self.start, self.stop, self.step = start, stop, step
        self.native = range(plain(start), plain(stop), plain(step))

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return range

    def __iter__(self) -> Iterator[Any]:
        inside = "lt" if plain(self.step) > 0 else "gt"
        value, rounds = self.start, 0
        while self._is_passed(rounds) or decide(compare(inside, value, self.stop)):
            yield value
            value, rounds = value + self.step, rounds + 1

    def _is_passed(self, rounds: int) -> bool:
        """Return whether a round comes without a decision: the last two say how many rounds there are."""
        if rounds & (rounds - 1) == 0 or not FOLLOWED < rounds < len(self.native) - 1:
            return False
        trace.current.step()
        return True

    def __reversed__(self) -> Iterator[Any]:
        self._decide_all()
        return reversed(self.native)

    def _decide_all(self) -> None:
        for bound in (self.start, self.stop, self.step):
            settle(bound)

    def __len__(self) -> int:
        self._decide_all()
        return len(self.native)

    def size(self) -> Any:
        """Return how many numbers there are, undecided but for whether there are any."""
        step = plain(self.step)
        inside = compare("lt" if step > 0 else "gt", self.start, self.stop)
        if not decide(inside):
            return 0
        first, last = (self.start, self.stop) if step > 0 else (self.stop, self.start)
        steps = self.step if step > 0 else _of_ints("mul", self.step, -1)
        gap = _of_ints("sub", _of_ints("sub", last, first), 1)
        return _of_ints("add", _of_ints("floordiv", gap, steps), 1)

    def __getitem__(self, key: Any) -> Any:
        if type(plain(key)) is not int:
            self._decide_all()
            return self.native[key]
        size = self.size()
        if decide(compare("lt", key, 0)) if kind_of(key) in TRACED else key < 0:
            key = _of_ints("add", key, size)
        inside = _all([compare("ge", key, 0), compare("lt", key, size)])
        if not check(inside):
            raise IndexError("range object index out of range")
        return _of_ints("add", self.start, _of_ints("mul", key, self.step))

    def index(self, value: Any, /) -> Any:
        """`range(...).index(n)`: a value that is not in it is a check."""
        if type(plain(value)) is not int:
            return self.native.index(value)
        if not check(contains(self, value)):
            raise ValueError(f"{plain(value)} is not in range")
        return _of_ints("floordiv", _of_ints("sub", value, self.start), self.step)

    def count(self, value: Any, /) -> Any:
        if type(plain(value)) is not int:
            return self.native.count(value)
        found = contains(self, value)
        return wrap(int(plain(found)), number_node(found))

    def __contains__(self, value: Any) -> bool:
        return bool(contains(self, value))

    def __eq__(self, other: object) -> bool:
        self._decide_all()
        return self.native == (other.native if isinstance(other, TracedRange) else other)

    def __hash__(self) -> int:
        return hash(self.native)

    def __repr__(self) -> str:
        return repr(self.native)


def _of_ints(op: str, left: Any, right: Any) -> Any:
    """Return an operation on ints, traced or not."""
    if kind_of(left) in TRACED or kind_of(right) in TRACED:
        return binary(op, left, right)
    return NATIVE[op](left, right)


def contains(container: Any, value: Any) -> Any:
    """Return `value in range(...)` of an int as one condition."""
    start, stop, step = container.start, container.stop, container.step
    if type(plain(value)) is not int:
        return value in container.native if isinstance(container, TracedRange) else plain(value) in container
    upward = plain(step) > 0
    parts = [
        compare("ge" if upward else "le", value, start),
        compare("lt" if upward else "gt", value, stop),
    ]
    if plain(step) not in (1, -1) or kind_of(step) in TRACED:
        offset = value - start if kind_of(value) in TRACED else binary("sub", value, start)
        parts.append(compare("eq", offset % step, 0))
    return _all(parts)


def _all(parts: list[Any]) -> Any:
    result = all(plain(p) for p in parts)
    node = None
    for part in parts:
        if type(part) is SBool:
            node = part.e if node is None else apply("and", Sort.BOOL, node, part.e)
        elif not part:
            return False
    return result if node is None else wrap(result, node)


@models(range, takes="small; small small; small small small; int small; float")
def traced_range(*args: Any) -> Any:
    """`range(...)`; a real range unless a bound is traced."""
    args = tuple(wrap(int(a.v), number_node(a)) if type(a) is SBool else a for a in args)
    if not any(type(a) is SInt for a in args):
        return range(*map(plain, args))
    if len(args) == 1:
        return TracedRange(0, args[0], 1)
    if len(args) == 2:
        return TracedRange(args[0], args[1], 1)
    return TracedRange(*args)


SHALLOW.add(range)
STANDS_FOR[TracedRange] = range
shadow(TracedRange)
