"""From receivers that were really reached to the shape of a free one.

What an attribute was seen to hold decides what a free receiver holds there: scalars become symbolic, several
kinds (and None) a union, members of enumerations constants in one, lists of scalars lists, and objects of the
target's module objects, down to a bounded depth. Whatever can't be said that way is left as the constructor
makes it, and named as *opaque*: what depends on it can be neither summarised nor proved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, Final

from runtime.expr import Sort
from tracetwin.explore.loop.heap import Heap, Ref, Shape
from tracetwin.support.data import dataclass

DEEPEST: Final = 3
"""Objects within objects that are free."""

MOST_ALTERNATIVES: Final = 6
_ENOUGH: Final = 5
"""States that must agree in a length before it is taken for steady."""
LIST_LENGTH: Final = 1
"""Elements of a free list to begin with; others follow as conditions ask for them."""

KEPT: Final[Shape] = ("kept",)

_SCALAR_NAMES: Final[Mapping[Sort, str]] = {
    Sort.INT: "int", Sort.BOOL: "bool", Sort.FLOAT: "float", Sort.STR: "str", Sort.BYTES: "bytes",
}  # fmt: skip
_SCALARS: Final[Mapping[type, str]] = {int: "int", bool: "bool", float: "float", str: "str", bytes: "bytes"}
_DEFAULTS: Final[Mapping[str, object]] = {"int": 0, "bool": False, "float": 0.0, "str": "", "bytes": b""}
SORTS: Final[Mapping[str, Sort]] = {word: sort for sort, word in _SCALAR_NAMES.items()}
"""The sort of a scalar shape, by its first word."""


@dataclass
class FreeShape:
    """The shape of a free receiver of one class.

    Attributes:
        shape: what `Request.free` takes.
        opaque: names (``self.lock``) that are left as the constructor makes them.
        heaps: how many states it was made from.
        steady: lengths (``self.buffer#``) that were the same in all of them.
    """

    shape: Shape
    opaque: tuple[str, ...] = ()
    heaps: int = 0
    steady: frozenset[str] = frozenset()


@dataclass
class _Seen:
    """The contents of one place over all heaps."""

    refs: list[tuple[Heap, Ref]] = field(default_factory=list)


def shape_of(heaps: Sequence[Heap], module: str) -> FreeShape | None:
    """The shape that covers all of some states; None where there is none, or the receiver has no attributes.

    Objects of other modules' classes are not looked into.
    """
    mine = [heap for heap in heaps if heap and heap[0][0] == "object"]
    mine = [heap for heap in mine if heap[0][1] == mine[0][0][1]]
    if not mine:
        return None
    maker = _Maker(module)
    shape = _object(mine[0][0][1], [(heap, heap[0]) for heap in mine], "self", 0, maker)
    return FreeShape(shape, tuple(sorted(maker.opaque)), len(mine), frozenset(maker.steady))


class _Maker:
    """Makes shapes of what was seen; notes what is opaque, and lengths that never change."""

    def __init__(self, module: str) -> None:
        self._top = module
        self.opaque: list[str] = []
        self.steady: list[str] = []

    def own(self, name: str) -> bool:
        """Return whether a class (``module:qualname``) is of the target's module."""
        return name.partition(":")[0] == self._top

    def give_up(self, name: str) -> Shape:
        """Leave a place as the constructor makes it."""
        self.opaque.append(name)
        return KEPT


def _object(
    cls: str, cells: Iterable[tuple[Heap, Any]], name: str, depth: int, maker: _Maker
) -> Shape:
    seen: dict[str, _Seen] = {}
    count = 0
    for heap, cell in cells:
        count += 1
        for attribute, ref in cell[2]:
            seen.setdefault(attribute, _Seen()).refs.append((heap, ref))
    attributes: list[tuple[str, Shape]] = []
    for attribute in sorted(seen):
        place = f"{name}.{attribute}"
        if attribute == "[]" or len(seen[attribute].refs) < count:  # not always there: no state says it all
            attributes.append((attribute, maker.give_up(place)))
            continue
        attributes.append((attribute, _shape(seen[attribute].refs, place, depth, maker)))
    return ("object", cls, tuple(attributes))


def _shape(refs: Sequence[tuple[Heap, Ref]], name: str, depth: int, maker: _Maker) -> Shape:
    """The shape that covers all that was seen in one place."""
    kinds: dict[tuple[object, ...], list[tuple[Heap, Ref]]] = {}
    for heap, ref in refs:
        kinds.setdefault(_kind(heap, ref), []).append((heap, ref))
    if len(kinds) > MOST_ALTERNATIVES:
        return maker.give_up(name)
    shapes = []
    for number, kind in enumerate(kinds):
        inner = _alternative(kind, kinds[kind], name if number == 0 else f"{name}|{number}", depth, maker)
        if inner == KEPT and len(kinds) > 1:
            return maker.give_up(name)
        shapes.append(inner)
    return shapes[0] if len(shapes) == 1 else ("union", tuple(shapes))


def _kind(heap: Heap, ref: Ref) -> tuple[object, ...]:
    """Return what distinguishes alternatives: the type, for constants the value."""
    word, value = ref
    if word == "node":
        return ("scalar", _SCALAR_NAMES.get(value.sort, ""))
    if word == "const":
        if type(value) in _SCALARS:
            return ("scalar", _SCALARS[type(value)])
        return ("const", repr(value), value)
    cell = heap[value]
    return (cell[0], cell[1]) if cell[0] in ("object", "opaque") else (cell[0],)


def _alternative(
    kind: tuple[object, ...], refs: Sequence[tuple[Heap, Ref]], name: str, depth: int, maker: _Maker
) -> Shape:
    match kind:
        case ("scalar", str(word)) if word:
            return (word, _first_constant(refs, word))
        case ("const", _, value):
            return ("const", value)
        case ("object", str(cls)) if depth < DEEPEST and maker.own(cls):
            return _object(cls, [(heap, heap[ref[1]]) for heap, ref in refs], name, depth + 1, maker)
        case ("list",):
            return _list(refs, name, depth, maker)
        case _:
            return maker.give_up(name)


def _first_constant(refs: Iterable[tuple[Heap, Ref]], word: str) -> object:
    """A value that was seen, so that a free receiver begins as a real one."""
    return next((ref[1] for _, ref in refs if ref[0] == "const"), _DEFAULTS[word])


def _list(refs: Sequence[tuple[Heap, Ref]], name: str, depth: int, maker: _Maker) -> Shape:
    items = [(heap, item) for heap, ref in refs for item in heap[ref[1]][1]]
    if not items:
        maker.steady.append(f"{name}#")  # of what a list would be, nothing has shown yet
        return ("list", (("int", 0),), 0)
    inner = _shape(items, f"{name}[]", depth + 1, maker)
    if inner == KEPT or any(shape == KEPT for shape in _inner_shapes(inner)):
        return maker.give_up(name)
    lengths = {len(heap[ref[1]][1]) for heap, ref in refs}
    length = LIST_LENGTH
    if len(lengths) == 1 and len(refs) >= _ENOUGH and "[" not in name:
        maker.steady.append(f"{name}#")
        length = lengths.pop()
    return ("list", inner[1] if inner[0] == "union" else (inner,), length)


def _inner_shapes(shape: Shape) -> Iterator[Shape]:
    if shape[0] == "union":
        yield from shape[1]


def kinds_of(shape: Shape, name: str = "self") -> dict[str, tuple[str, ...]]:
    """For every choice variable of a shape, what each number stands for, in words."""
    found: dict[str, tuple[str, ...]] = {}
    match shape[0]:
        case "object":
            for attribute, inner in shape[2]:
                found |= kinds_of(inner, f"{name}.{attribute}")
        case "union":
            found[f"{name}?"] = tuple(_words(inner) for inner in shape[1])
            for number, inner in enumerate(shape[1]):
                found |= kinds_of(inner, name if number == 0 else f"{name}|{number}")
        case "list":
            for place in range(8):
                inner = shape[1][0] if len(shape[1]) == 1 else ("union", shape[1])
                found |= kinds_of(inner, f"{name}[{place}]")
        case _:
            pass
    return found


def _words(shape: Shape) -> str:
    match shape[0]:
        case "const":
            return f"is {constant_text(shape[1])}"
        case "object":
            return f"is a {str(shape[1]).rpartition(':')[2]}"
        case word:
            return f"is a {word}"


def constant_text(value: object) -> str:
    """A constant of a heap as a person writes it: ``Color.RED`` for a member of an enumeration."""
    if isinstance(value, (tuple, list)) and value:
        named = str(value[1]).rpartition(":")[2]
        return f"{named}.{value[2]}" if value[0] == "enum" else named
    return repr(value)
