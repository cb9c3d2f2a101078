"""The base of traced containers: a length that is an expression.

The elements are ordinary (usually traced) objects in the native container; `n` is the expression of
its length, kept true through every method. A method whose effect on the length can't be said pins
the length first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from runtime import trace
from runtime.expr import Node, Sort, apply, apply2, const, const_int
from runtime.lookup import decide, in_order, membership
from runtime.private_builtins import keep_builtins
from runtime.values import hold_length, wrap

keep_builtins(globals())

ZERO: Final = const(0)


def shift(node: Node, by: int) -> Node:
    """Return a length that is `by` more."""
    return apply("add", Sort.INT, node, const(by))


def pin_length(container: Any) -> int:
    """Hold the length at its value, as a decision that another run may take differently."""
    size: int = _native_length(container)
    hold_length(container.n, size, trace.Kind.INPUT)
    container.n = const(size)
    return size


_LENGTHS: Final[tuple[tuple[type, Callable[[Any], int]], ...]] = (
    (list, list.__len__),
    (dict, dict.__len__),
    (set, set.__len__),
    (tuple, tuple.__len__),
)


def _native_length(container: Any) -> int:
    for kind, native in _LENGTHS:
        if isinstance(container, kind):
            return native(container)
    raise TypeError(type(container).__name__)


def length(container: Any) -> Any:
    """Return `len` of a traced container as a traced int."""
    return wrap(_native_length(container), container.n)


def steps(container: Any, native: Iterator[Any]) -> Iterator[Any]:
    """Yield what a container's own iterator gives: one more element, or the end, is a branch."""
    place = 0
    for value in native:  # raises what the native iterator raises when the container changes meanwhile
        trace.current.record(apply2("gt", Sort.BOOL, container.n, const_int(place)), True)
        yield value
        place += 1
    trace.current.record(apply2("gt", Sort.BOOL, container.n, const_int(place)), False)


class Sized:
    """The base of traced containers: length, truth and iteration are conditions on `n`."""

    n: Node

    def __bool__(self) -> bool:
        return decide(wrap(_native_length(self) > 0, apply("gt", Sort.BOOL, self.n, ZERO)))

    def __len__(self) -> int:
        return pin_length(self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        pin_length(self)
        kind = self.__class__
        return (kind, (kind(self),))  # type: ignore[call-arg]

    def __copy__(self) -> Any:
        return self.copy()  # type: ignore[attr-defined]

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        """Return a copy that is as long as the original, whatever that is."""
        new = memo[id(self)] = self.copy()  # type: ignore[attr-defined]
        self._deepen(new, memo)
        return new

    def _deepen(self, new: Any, memo: dict[int, Any]) -> None:
        """Put copies in place of the elements; keys stay, as they can't hold anything mutable."""


def contains(container: Any, value: Any) -> Any:
    """Return `value in container` of a traced list, tuple or set; traced where all are scalars."""
    native = list(_raw(container))
    if isinstance(container, set):
        native = in_order(native)
    pin_length(container)  # the answer is about these elements
    answer = membership(value, native)
    if answer is not NotImplemented:
        return answer
    return any(value is e or value == e for e in native)


_ITERATORS: Final[tuple[tuple[type, Callable[[Any], Iterator[Any]]], ...]] = (
    (list, list.__iter__),
    (dict, dict.__iter__),
    (set, set.__iter__),
    (tuple, tuple.__iter__),
)


def _raw(container: Any) -> Iterator[Any]:
    for kind, native in _ITERATORS:
        if isinstance(container, kind):
            return native(container)
    raise TypeError(type(container).__name__)


def pinning(name: str, kind: type) -> Callable[..., Any]:
    """Return a set method that pins the number of elements before and after, as it is a new fact then."""
    native = getattr(kind, name)

    def method(self: Any, *args: Any) -> Any:
        pin_length(self)
        for other in args:
            if issubclass(type(other), Sized):
                pin_length(other)
        result = native(self, *args)
        self.n = const(kind.__len__(self))  # type: ignore[attr-defined]
        return self if result is self else result

    method.__name__ = name
    return method
