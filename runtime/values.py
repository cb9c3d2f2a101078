"""Traced scalars: native subclasses that carry the expression they were computed by.

C code sees the plain value, because a traced int *is* an int. Every operator method that Python
dispatches on keeps the shadow, so code that nobody rewrote (sorting, `sum`, dataclass comparison)
still records its branches. What dispatch can't do (`1.5 + traced_int`, a native list indexed by a
traced int, ``is``) the rewritten code does through `runtime.twin`.

A `bool` cannot be subclassed: `SBool` is an int that says it is a bool, and truth tests record it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from runtime import trace
from runtime.expr import Node, Sort, apply, apply2, const, const_int, sort_of
from runtime.private_builtins import keep_builtins

if TYPE_CHECKING:
    from collections.abc import Callable

keep_builtins(globals())

_EMPTY: Final = const("")
_NO_BYTES: Final = const(b"")
_ZERO: Final = const(0)
_ZERO_FLOAT: Final = const(0.0)


_decided_hashing = 0


def without_pinning(function: Callable[..., Any], *args: Any) -> Any:
    """Call a function that hashes traced values after their comparisons were recorded: nothing is pinned."""
    global _decided_hashing  # noqa: PLW0603 - a depth that `__hash__`, which takes no arguments, can see
    _decided_hashing += 1
    try:
        return function(*args)
    finally:
        _decided_hashing -= 1


class _Plain:
    """The base of traced scalars: they copy and pickle as the plain value, and lie about their class."""

    v: Any
    e: Node

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """Return a plain value: `type(x)(...)` in code that nobody rewrote means the plain class."""
        return _PLAIN[cls](*args, **kwargs)

    def __hash__(self) -> int:
        """Return the plain value's hash; pins it, since who hashes it compares it where we can't see it."""
        trace.traced_keys = True
        if not _decided_hashing:
            pin(self)
        return hash(self.v)

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        lose_all("pickle", self)
        return (type(self.v), (self.v,))


class SInt(_Plain, int):
    """A traced int."""

    v: int
    e: Node

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return int

    def __bool__(self) -> bool:
        result = self.v != 0
        trace.current.record(apply("ne", Sort.BOOL, self.e, _ZERO), result)
        return result


class SFloat(_Plain, float):
    """A traced float."""

    v: float
    e: Node

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return float

    def __bool__(self) -> bool:
        result = self.v != 0.0
        trace.current.record(apply("ne", Sort.BOOL, self.e, _ZERO_FLOAT), result)
        return result


class SBool(_Plain, int):
    """A traced bool; its truth test is where a branch is recorded."""

    v: bool
    e: Node

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return bool

    def __bool__(self) -> bool:
        trace.current.record(self.e, self.v)
        return self.v

    def __repr__(self) -> str:
        return "True" if self.v else "False"

    __str__ = __repr__


class SStr(_Plain, str):  # noqa: SLOT000 - a target must not find `__slots__` in a str
    """A traced str; its methods are added by `runtime.scalars.text`."""

    v: str
    e: Node

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return str

    def __bool__(self) -> bool:
        result = self.v != ""
        trace.current.record(apply("ne", Sort.BOOL, self.e, _EMPTY), result)
        return result


class SBytes(_Plain, bytes):
    """A traced bytes; its methods are added by `runtime.scalars.text`."""

    v: bytes
    e: Node

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return bytes

    def __bool__(self) -> bool:
        result = self.v != b""
        trace.current.record(apply("ne", Sort.BOOL, self.e, _NO_BYTES), result)
        return result


Traced: TypeAlias = "SInt | SFloat | SBool | SStr | SBytes"

_PLAIN: Final[dict[type, Any]] = {SInt: int, SFloat: float, SBool: bool, SStr: str, SBytes: bytes}


def stands_for(kind: type, native: type) -> None:
    """Give a class of ours the name of Python's that it stands for, which C code writes into messages."""
    kind.__name__ = native.__name__


for _kind, _native in _PLAIN.items():
    stands_for(_kind, _native)

TRACED: Final[frozenset[type]] = frozenset((SInt, SFloat, SBool, SStr, SBytes))
"""The exact types of traced scalars."""

TRACED_IDS: Final = frozenset(map(id, TRACED))
"""Identities of these types, for lookups among types that may define their own hash or equality."""

NUMBERS: Final[frozenset[type]] = frozenset((SInt, SFloat, SBool, int, float, bool))
SCALARS: Final[frozenset[type]] = TRACED | {int, float, bool, str, bytes}
"""The exact types that an expression can stand for."""


def _maker(native: Any, traced: Any) -> Callable[[Any, Node], Any]:
    new_of = native.__new__

    def make(value: Any, node: Node) -> Any:
        new = new_of(traced, value)
        new.v = value
        new.e = node
        return new

    return make


_WRAPPERS: Final[dict[type, Callable[[Any, Node], Any]]] = {
    int: _maker(int, SInt),
    bool: _maker(int, SBool),
    float: _maker(float, SFloat),
    str: _maker(str, SStr),
    bytes: _maker(bytes, SBytes),
}


def wrap(value: Any, node: Node) -> Any:
    """Return `value` (an exact scalar) carrying `node`; a constant needs no expression and stays as it is."""
    if node.op == "const":
        return value
    wrapper = _WRAPPERS.get(kind_of(value))
    return value if wrapper is None else wrapper(value, node)


def kind_of(value: Any) -> type:
    """Return the exact type of a value; `object` where its metaclass may define hash or equality."""
    kind = type(value)
    return kind if type(kind) is type else object


def plain(value: Any) -> Any:
    """Return the exact Python value of a traced scalar; anything else as it is."""
    kind = type(value)
    return value.v if type(kind) is type and kind in TRACED else value


def node_of(value: Any) -> Node:
    """Return the expression of a scalar, traced or exact (None and other constants become constants)."""
    kind = type(value)
    return value.e if type(kind) is type and kind in TRACED else const(value)


def number_node(value: Any) -> Node:
    """Return `node_of`, with bools as the ints they are in arithmetic."""
    kind = type(value)
    if kind is int:
        return const_int(value)
    if kind is SInt:
        return value.e  # type: ignore[no-any-return]
    node = node_of(value)
    if node.sort is Sort.BOOL:
        return apply("to_int", Sort.INT, node)
    return node


_MRO: Final = type.__dict__["__mro__"].__get__
_NAMESPACE: Final = type.__dict__["__dict__"].__get__
_EXACT: Final[tuple[tuple[type, Callable[[Any], Any]], ...]] = (
    (str, str.__str__),
    (bytes, lambda value: bytes.__getitem__(value, slice(None))),
    (int, int.__index__),
    (float, float.__float__),
)


def inherited(value: Any, name: str) -> Any:
    """Return the exact scalar that an instance of a subclass holds, if its method `name` is the scalar's own.

    C code sees no more of it (members of a `StrEnum`, say). Anything else is given back as it is.
    """
    kind = type(value)
    for base, exact in _EXACT:
        if issubclass(kind, base):
            if kind is base or kind is bool or id(kind) in TRACED_IDS:
                return value
            for cls in _MRO(kind):
                if name in _NAMESPACE(cls):
                    return exact(value) if cls is base or cls is object else value
            return exact(value)
    return value


def make(op: str, result: Any, *args: Node) -> Any:
    """Return the traced result of an operation computed as `result`."""
    return wrap(result, apply(op, sort_of(result), *args))


def is_true(value: Any) -> Node | None:
    """Return the condition under which a traced scalar is true; None for anything else."""
    kind = kind_of(value)
    if kind is SBool:
        return value.e  # type: ignore[no-any-return]
    zero = _FALSE_VALUES.get(kind)
    return None if zero is None else apply2("ne", Sort.BOOL, value.e, zero)


_FALSE_VALUES: Final[dict[type, Node]] = {SInt: _ZERO, SFloat: _ZERO_FLOAT, SStr: _EMPTY, SBytes: _NO_BYTES}


def check(condition: Any) -> bool:
    """Record an implicit check (`Kind.CHECK`) and return its plain outcome."""
    if type(condition) is SBool:
        trace.current.record(condition.e, condition.v, kind=trace.Kind.CHECK)
        return condition.v
    return bool(condition)


def hold(node: Node, value: int, kind: trace.Kind) -> None:
    """Record that an int expression is `value`, as two bounds.

    Not as one equation: the negation of a bound leads on to the next value, that of an equation only to
    some other one, and a third value would never be tried.
    """
    bound = const_int(value)
    trace.current.record(apply2("le", Sort.BOOL, node, bound), True, kind=kind)
    trace.current.record(apply2("ge", Sort.BOOL, node, bound), True, kind=kind)


_CHAIN: Final = 12


def hold_length(node: Node, size: int, kind: trace.Kind) -> None:
    """Record that a length is `size`, as iteration would: more than 0, more than 1, ..., not more.

    Every length then has one place in the constraint tree, whichever was met first.
    """
    for smaller in range(min(size, _CHAIN)):
        trace.current.record(apply2("gt", Sort.BOOL, node, const_int(smaller)), True, kind=kind)
    if size >= _CHAIN:
        hold(node, size, kind)
    else:
        trace.current.record(apply2("gt", Sort.BOOL, node, const_int(size)), False, kind=kind)


def settle(value: Any, kind: trace.Kind = trace.Kind.BRANCH) -> Any:
    """Return the plain value of a scalar that decides what happens next; other values are other paths."""
    exact = kind_of(value)
    if exact is SInt or exact is SBool:
        hold(number_node(value), int(value.v), kind)
    elif exact is SFloat and value.v != value.v:  # NaN equals nothing, not even itself
        trace.current.record(apply("math.isnan", Sort.BOOL, value.e), True, kind=kind)
    elif exact in TRACED:
        trace.current.record(apply2("eq", Sort.BOOL, value.e, const(value.v)), True, kind=kind)
    return plain(value)


def pin(value: Any) -> Any:
    """Return the plain value of a scalar that leaves our sight; the path holds it at this value."""
    return settle(value, trace.Kind.PIN)


def lose_all(name: str, *values: Any) -> None:
    """Note that traced values went into the callable `name`, and hold them at what they are."""
    lost = [value for value in values if kind_of(value) in TRACED]
    if lost:
        trace.current.lose(name, frozenset().union(*(value.e.names for value in lost)))
        for value in lost:
            pin(value)
