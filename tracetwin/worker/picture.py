"""A picture of everything reachable from a receiver: its state as Symstra understands it (section 3.1).

The picture is a depth-first linearisation: cells in the order of their first visit, the receiver first,
attributes sorted by name. Scalars are leaves: an exact value, or the expression that a traced one carries.
Nothing here runs code of the target, and nothing is recorded.
"""

from __future__ import annotations

import enum
import types
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import itemgetter
from typing import Any, Final, TypeAlias

from runtime.containers import CONTAINERS
from runtime.expr import Node
from runtime.values import TRACED, kind_of, plain
from tracetwin.process.own_attributes import own_attributes

Ref: TypeAlias = tuple[str, Any]
Cell: TypeAlias = tuple[Any, ...]

MOST_CELLS: Final = 1500
DEEPEST: Final = 120
MOST_PARTS: Final = 4_000
"""Items of a container that are looked at; one with more is too much."""

SCALARS: Final = frozenset((type(None), bool, int, float, str, bytes, complex))
_NAMED: Final = (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType)
_WRITTEN: Final = frozenset((range, slice, type(Ellipsis), type(NotImplemented)))
# The plain value of an instance of a subclass, whatever that has overridden.
_VALUES: Final[tuple[tuple[type, Callable[[Any], Any]], ...]] = (
    (int, int.__pos__),
    (float, float.__pos__),
    (str, str.__str__),
    (bytes, lambda value: bytes.__getitem__(value, slice(None))),
)
# Exact types first, then what else is one; each with the way to its contents that no subclass overrides.
_ROWS: Final[tuple[tuple[type, str, Callable[[Any], Iterable[Any]]], ...]] = (
    (list, "list", list.__iter__),
    (tuple, "tuple", tuple.__iter__),
    (deque, "deque", deque.__iter__),
    (set, "set", set.__iter__),
    (frozenset, "frozenset", frozenset.__iter__),
)
_COUNTS: Final[tuple[tuple[type, Callable[[Any], int]], ...]] = (
    (dict, dict.__len__),
    *((native, native.__len__) for native, *_ in _ROWS),  # type: ignore[attr-defined]
)
AROUND: Final = ":around"
"""The class of the cell that holds what the receiver shares with others: no class has such a name."""
OVERFLOW: Final[Cell] = ("opaque", "...")
"""Stands for what is too much, or too deep, to be looked at."""


class Picture:
    """The cells seen from one object.

    Attributes:
        cells: see `tracetwin.explore.loop.heap`; an expression is named by the number of its node.
        nodes: the expressions, to be encoded.
    """

    def __init__(self, receiver: object, around: Mapping[str, object] | None = None) -> None:
        """Look at everything reachable."""
        self.cells: list[Cell] = []
        self.nodes: list[Node] = []
        self._seen: dict[int, int] = {}
        self._kept: list[object] = []  # so that no identity is used twice
        self._ref(receiver, 0)
        if around and self.cells:
            place = len(self.cells)
            self.cells.append(OVERFLOW)
            shared = tuple((name, self._ref(around[name], 1)) for name in sorted(around))
            self.cells[place] = ("object", AROUND, shared)

    def leaf(self, value: object) -> Ref | None:
        """A ref for a scalar or a member of an enumeration, None for anything that has parts."""
        is_leaf = kind_of(value) in TRACED or type(value) in SCALARS or isinstance(type(value), enum.EnumMeta)
        return self._ref(value, 0) if is_leaf else None

    def _ref(self, value: Any, depth: int) -> Ref:
        if kind_of(value) in TRACED:
            node: Node = value.e
            if node.op == "const":
                return ("const", node.data)
            self.nodes.append(node)
            return ("node", node.ident)
        kind = type(value)
        if kind in SCALARS:
            return ("const", value)
        if isinstance(kind, enum.EnumMeta):
            return ("const", ("enum", _name_of(kind), str(value.name or value.value)))
        if issubclass(kind, _NAMED):
            return ("const", ("name", _name_of(value)))
        if kind in _WRITTEN:
            return ("const", ("name", f"builtins:{value!r}"))
        return ("cell", self._cell(value, kind, depth))

    def _cell(self, value: Any, kind: type, depth: int) -> int:
        known = self._seen.get(id(value))
        if known is not None:
            return known
        place = self._seen[id(value)] = len(self.cells)
        self._kept.append(value)
        self.cells.append(OVERFLOW)
        if place < MOST_CELLS and depth < DEEPEST:
            self.cells[place] = self._content(value, kind, depth + 1)
        return place

    def _content(self, value: Any, kind: type, depth: int) -> Cell:
        inside = self._inside(value, kind, depth)
        if inside is not None and (kind in CONTAINERS or kind.__module__ in ("builtins", "collections")):
            return inside
        attributes = sorted(attributes_of(value), key=itemgetter(0))
        if inside is None and not attributes and kind.__module__ not in _own_modules(kind):
            return ("opaque", _name_of(kind))
        shown = [(name, self._ref(part, depth)) for name, part in attributes]
        for native, exact in _VALUES:
            if issubclass(kind, native):
                shown.insert(0, ("[]", ("const", exact(value))))
        if inside is not None:
            self.cells.append(inside)
            shown.insert(0, ("[]", ("cell", len(self.cells) - 1)))
        return ("object", _name_of(kind), tuple(shown))

    def _inside(self, value: Any, kind: type, depth: int) -> Cell | None:
        """The content of a container of the language, whatever its class adds."""
        if any(issubclass(kind, native) and count(value) > MOST_PARTS for native, count in _COUNTS):
            return OVERFLOW
        if issubclass(kind, dict):
            held = list(dict.items(value))  # weak references to what goes meanwhile take entries away
            pairs = tuple((self._ref(k, depth), self._ref(v, depth)) for k, v in held)
            return ("dict", pairs, self._length(value, kind))
        for native, label, items in _ROWS:
            if issubclass(kind, native):
                parts = list(items(value))
                if label in ("set", "frozenset"):
                    parts.sort(key=_order)
                return (label, tuple(self._ref(part, depth) for part in parts), self._length(value, kind))
        return None

    def _length(self, value: Any, kind: type) -> Ref | None:
        """The expression of a traced container's length, None where it is what can be seen."""
        if kind not in CONTAINERS or value.n.op == "const":
            return None
        self.nodes.append(value.n)
        return ("node", value.n.ident)


def native_items(value: Any) -> Iterator[Any] | None:
    """The content of a container of the language (pairs, of a dict), None for others; runs no code of it."""
    kind = type(value)
    if issubclass(kind, dict):
        return iter(list(dict.items(value)))
    return next((iter(items(value)) for native, _, items in _ROWS if issubclass(kind, native)), None)


def _order(item: Any) -> tuple[str, str]:
    """An order of a set's elements that no hash decides; objects keep that of their iteration."""
    value = plain(item)
    kind = type(value)
    return (kind.__name__, repr(value)) if kind in SCALARS else ("~", "")


def attributes_of(value: Any) -> Iterator[tuple[str, Any]]:
    """The attributes in an object's dict and slots, read past what its class may have put before them."""
    kind = type(value)
    if held := own_attributes(value):
        # The name may be an input, where `__setattr__` was called with it.
        yield from ((plain(name), part) for name, part in list(held.items()) if isinstance(name, str))
    for name, member in _slots_of(kind):
        try:
            yield name, member.__get__(value, kind)
        except AttributeError:
            continue  # not set


_slots: dict[int, tuple[type, tuple[tuple[str, types.MemberDescriptorType], ...]]] = {}
_MOST_CLASSES: Final = 2000


def _slots_of(kind: type) -> tuple[tuple[str, types.MemberDescriptorType], ...]:
    """The slots of a class and its bases, kept by its identity: its hash may be code of the target."""
    known = _slots.get(id(kind))
    if known is not None:
        return known[1]
    found = tuple(
        (name, member)
        for base in type.__dict__["__mro__"].__get__(kind)
        for name, member in list(_class_attributes.__get__(base).items())
        if type(member) is types.MemberDescriptorType and name not in ("__dict__", "__weakref__")
    )
    if len(_slots) >= _MOST_CLASSES:
        _slots.clear()
    _slots[id(kind)] = (kind, found)  # with the class itself, so that no other gets its identity
    return found


_class_attributes: Final = type.__dict__["__dict__"]


def _own_modules(kind: type) -> tuple[str, ...]:
    """The module of a class that Python code defines: even without attributes its objects say something."""
    return (kind.__module__,) if kind.__flags__ & _HEAP_TYPE else ()


_HEAP_TYPE: Final = 1 << 9


def _name_of(thing: Any) -> str:
    module = getattr(thing, "__module__", None) or ""
    name = getattr(thing, "__qualname__", None) or getattr(thing, "__name__", "?")
    return f"{module}:{name}"
