"""Traced bytearrays: the octets are a traced bytes, and the native content is kept true beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, Final

from runtime.expr import Node, Sort, apply, const
from runtime.ops import TEXT_METHODS
from runtime.private_builtins import keep_builtins
from runtime.scalars import text
from runtime.scalars.numbers import OCTETS, binary, compare
from runtime.values import (
    SBool,
    SBytes,
    SInt,
    kind_of,
    lose_all,
    number_node,
    plain,
    settle,
    stands_for,
    wrap,
)

keep_builtins(globals())

MOST_APART: Final = 256
"""Octets that get an expression each when one of them is written."""

MOST_TRACED: Final = 4096
"""Octets beyond which a bytearray is a plain one."""

_BYTES: Final = frozenset((bytes, SBytes))
_INDICES: Final = frozenset((int, SInt, SBool, bool))
_PLAIN: Final = frozenset((int, bytes, str, type(None), bool, bytearray))


class SBytearray(bytearray):
    """A traced bytearray.

    What C code writes into it, or reads from it, is plain.

    Attributes:
        octets: a traced bytes with the present content; None where that is plain.
    """

    __slots__ = ("octets",)

    octets: Any

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return bytearray

    def _put(self, content: Any) -> None:
        """Take over new content."""
        bytearray.__setitem__(self, slice(None), plain(content))
        self.octets = content if type(content) is SBytes and len(content.v) <= MOST_TRACED else None

    def _natively(self, name: str, *args: Any) -> Any:
        """Return what Python's own method does on plain values."""
        lose_all(f"bytearray.{name}", whole(self), *args)
        result = getattr(bytearray, name)(self, *map(plain, args))
        self.octets = None
        return self if result is self else result

    def __bool__(self) -> bool:
        return bool(whole(self))

    def __len__(self) -> int:
        return len(whole(self))

    def __iter__(self) -> Iterator[Any]:
        return iter(whole(self))

    def __contains__(self, value: Any) -> bool:
        content, value = whole(self), text.raw_text(value)
        answer = text.contains(content, value) if type(value) in (*_BYTES, int, SInt) else NotImplemented
        return bytearray.__contains__(self, plain(value)) if answer is NotImplemented else bool(answer)

    def __getitem__(self, key: Any) -> Any:
        content = whole(self)
        if type(key) is slice:
            return bytearray_of(text.sliced(content, key))
        if kind_of(key) not in _INDICES:
            return bytearray.__getitem__(self, key)
        try:
            if type(key) is int and type(content) is SBytes and content.e.op == "bytes_of":
                return wrap(content.v[key], content.e.args[key])
            return text.element(content, key)
        except IndexError:
            raise IndexError("bytearray index out of range") from None

    def __setitem__(self, key: Any, value: Any) -> None:
        place = self._place(key)
        if place is None:
            self._natively("__setitem__", key, value)
            return
        start, stop = place
        nodes = None if type(key) is slice else _octet_nodes(whole(self))
        if nodes is not None:
            new = bytes_of((value,))
            nodes[start] = new.e.args[0] if type(new) is SBytes else const(new[0])
            exact = bytearray(memoryview(self))
            exact[start] = plain(new)[0]
            self._put(wrap(bytes(exact), apply("bytes_of", Sort.BYTES, *nodes)))
            return
        new = _given(value) if type(key) is slice else bytes_of((value,))
        self._put(binary("add", binary("add", self._part(None, start), new), self._part(stop, None)))

    def __delitem__(self, key: Any) -> None:
        place = self._place(key)
        if place is None:
            self._natively("__delitem__", key)
            return
        self._put(binary("add", self._part(None, place[0]), self._part(place[1], None)))

    def _part(self, start: Any, stop: Any) -> Any:
        return text.sliced(whole(self), slice(start, stop))

    def _place(self, key: Any) -> tuple[int, int] | None:
        """Return where an index or slice begins and ends, decided; None where Python is to see to it."""
        size = bytearray.__len__(self)
        if type(key) is slice:
            if key.step is not None and plain(key.step) != 1:
                return None
            start, stop, _ = slice(settle(key.start), settle(key.stop)).indices(size)
            if _counts_from_the_end(key):
                len(whole(self))
            return start, max(start, stop)
        if kind_of(key) not in _INDICES:
            return None
        text.element(whole(self), key)  # raises, and records why
        place = settle(key)
        return (place, place + 1) if place >= 0 else (size + place, size + place + 1)

    def append(self, value: Any, /) -> None:
        self._put(binary("add", whole(self), bytes_of((value,))))

    def extend(self, values: Any, /) -> None:
        self._put(binary("add", whole(self), _given(values)))

    def insert(self, index: Any, value: Any, /) -> None:
        place = slice(settle(index), None).indices(len(whole(self)))[0]
        self[place:place] = bytes_of((value,))

    def pop(self, index: Any = -1, /) -> Any:
        found = self[index]
        del self[index]
        return found

    def remove(self, value: Any, /) -> None:
        found = self.find(value)
        if compare("lt", found, 0):
            bytearray.remove(self, plain(value))
        del self[settle(found)]

    def clear(self) -> None:
        bytearray.clear(self)
        self.octets = None

    def copy(self) -> Any:
        return bytearray_of(whole(self))

    def reverse(self) -> None:
        self._put(text.sliced(whole(self), slice(None, None, -1)))

    def __iadd__(self, other: Any) -> Any:
        given = text.raw_text(other)
        if kind_of(given) not in _BYTES:
            return self._natively("__iadd__", other)
        self._put(binary("add", whole(self), given))
        return self

    def __add__(self, other: Any) -> Any:
        given = text.raw_text(other)
        if kind_of(given) not in _BYTES:
            return bytearray.__add__(self, other)
        return bytearray_of(binary("add", whole(self), given))

    def __radd__(self, other: Any) -> Any:
        if kind_of(other) not in _BYTES and type(other) is not bytearray:
            return NotImplemented
        added = binary("add", text.raw_text(other), whole(self))
        return added if kind_of(other) in _BYTES else bytearray_of(added)

    def __mul__(self, count: Any) -> Any:
        return bytearray_of(binary("mul", whole(self), count))

    __rmul__ = __mul__

    def __imul__(self, count: Any) -> Any:
        self._put(binary("mul", whole(self), count))
        return self

    def __mod__(self, values: Any) -> Any:
        lose_all("bytearray.__mod__", whole(self))
        return bytearray.__mod__(self, values)

    def __repr__(self) -> str:
        lose_all("repr", whole(self))
        return bytearray.__repr__(bytearray(bytes(self)))

    __str__ = __repr__
    __hash__ = None

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        memo[id(self)] = new = self.copy()
        return new

    def __reduce_ex__(self, protocol: Any) -> Any:
        lose_all("bytearray.__reduce_ex__", whole(self))
        return bytearray, (bytes(self),)


def bytearray_of(content: Any) -> Any:
    """Return a new bytearray with the content of a bytes, traced or not."""
    new = SBytearray(plain(content))
    new.octets = content if type(content) is SBytes and len(content.v) <= MOST_TRACED else None
    return new


def whole(value: SBytearray) -> Any:
    """Return the present content as a bytes: traced, unless other code has written into it."""
    octets = getattr(value, "octets", None)
    if octets is None or not bytearray.__eq__(value, octets.v):
        return bytes(memoryview(value))
    return octets


def bytes_of(codes: Any) -> Any:
    """Return `bytes` of ints; that each is the value of a byte is a check."""
    exact = bytearray()
    shadows: dict[int, Any] = {}
    for code in codes:
        if kind_of(code) in (SInt, SBool):
            if type(code) is SInt:
                text.check_octet(code)
            shadows[len(exact)] = number_node(code)
        exact += bytes((plain(code),))
    if not shadows:
        return bytes(exact)
    nodes = [shadows.get(place) or const(value) for place, value in enumerate(exact)]
    return wrap(bytes(exact), apply("bytes_of", Sort.BYTES, *nodes))


def _octet_nodes(content: Any) -> list[Node] | None:
    """Return the expressions of all octets where each has one of its own and they are few; else None."""
    if type(content) is SBytes:
        return [*content.e.args] if content.e.op == "bytes_of" else None
    return [*map(const, content)] if len(content) <= MOST_APART else None


def _given(values: Any) -> Any:
    """Return the octets that a value holds, or the numbers that it gives, as a bytes."""
    given = text.raw_text(values)
    if kind_of(given) in _BYTES:
        return given
    try:
        return bytes(memoryview(given))
    except TypeError:
        return bytes_of(given)


def _counts_from_the_end(key: slice) -> bool:
    return any(bound is not None and plain(bound) < 0 for bound in (key.start, key.stop))


def _converted(value: Any) -> Any:
    """Return a result of a method of bytes as one of bytearray."""
    if kind_of(value) in _BYTES:
        return bytearray_of(value)
    if type(value) in (list, tuple):
        return type(value)(map(_converted, value))
    return value


def _method(name: str) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return _converted(text.call(name, whole(self), args, kwargs))

    method.__name__ = name
    return method


def _comparison(name: str) -> Callable[[Any, Any], Any]:
    native = getattr(bytearray, f"__{name}__")

    def method(self: Any, other: Any) -> Any:
        given = text.raw_text(other)
        if kind_of(given) not in _BYTES:
            return native(self, other)
        return compare(name, whole(self), given)

    return method


def _are_plain(args: tuple[Any, ...]) -> bool:
    """Return whether no value among arguments is traced, as far as a look at their types tells."""
    for value in args:
        if type(value) is slice:
            if not _are_plain((value.start, value.stop, value.step)):
                return False
        elif kind_of(value) not in _PLAIN:
            return False
    return True


def _or_natively(name: str) -> Callable[..., Any]:
    """Return a method that is Python's own where nothing is traced: else each step would copy all octets."""
    ours, native = getattr(SBytearray, name), getattr(bytearray, name)

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        if getattr(self, "octets", None) is not None or kwargs or not _are_plain(args):
            return ours(self, *args, **kwargs)
        result = native(self, *args)
        return bytearray_of(result) if type(result) is bytearray else result

    method.__name__ = name
    return method


for _name in TEXT_METHODS:
    if hasattr(bytearray, _name) and hasattr(bytes, _name):
        setattr(SBytearray, _name, _method(_name))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(SBytearray, f"__{_name}__", _comparison(_name))
for _name in (
    *("append", "extend", "insert", "pop", "remove", "reverse", "copy", "find", "startswith", "endswith"),
    *("__getitem__", "__setitem__", "__delitem__", "__iadd__", "__add__"),
    *("__contains__", "__len__", "__eq__"),
):
    setattr(SBytearray, _name, _or_natively(_name))
for _name, _made in list(vars(SBytearray).items()):
    if isinstance(_made, FunctionType):  # messages name it
        _made.__module__, _made.__qualname__ = "builtins", f"bytearray.{_name}"
stands_for(SBytearray, bytearray)
SBytearray.__qualname__ = bytearray.__qualname__  # any bytearray that a run makes may be one
OCTETS[id(SBytearray)] = whole
