"""The contents of a heap by the names of a free receiver's variables.

`after` walks a shape and a heap together: the value of ``self.count`` once a method has ended is an
expression over what ``self.count`` and the arguments were when it began.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any, Final

from runtime.expr import Node, Sort, const, const_int, sort_of, var
from tracetwin.explore.loop.heap import Heap, Ref, Shape
from tracetwin.explore.summaries.shapes import SORTS, constant_text
from tracetwin.explore.summaries.wording import text
from tracetwin.support.data import dataclass

_DEEPEST_TEXT: Final = 3
_MOST_ITEMS: Final = 8


@dataclass
class After:
    """The state after a method, by the names of a shape.

    Attributes:
        values: an expression for every variable of the shape that has a meaning in this state.
        unlike: places that hold what the shape does not provide for.
    """

    values: dict[str, Node] = field(default_factory=dict)
    unlike: set[str] = field(default_factory=set)


def after(shape: Shape, heap: Heap) -> After:
    """The values of a shape's variables in a heap whose first cell is the receiver."""
    found = After()
    _walk(shape, heap, ("cell", 0), "self", found)
    return found


def _walk(shape: Shape, heap: Heap, ref: Ref, name: str, found: After) -> None:
    match shape[0]:
        case "kept" | "const":
            return
        case "union":
            number = next((i for i, inner in enumerate(shape[1]) if fits(inner, heap, ref)), None)
            if number is None:
                found.unlike.add(name)
                return
            found.values[f"{name}?"] = const_int(number)
            _walk(shape[1][number], heap, ref, name if number == 0 else f"{name}|{number}", found)
        case _ if not fits(shape, heap, ref):
            found.unlike.add(name)
        case "object":
            inside = dict(heap[ref[1]][2])
            for attribute, inner in shape[2]:
                if attribute in inside:
                    _walk(inner, heap, inside[attribute], f"{name}.{attribute}", found)
        case "list":
            _walk_list(shape, heap, heap[ref[1]], name, found)
        case _:
            found.values[name] = ref[1] if ref[0] == "node" else const(ref[1])


def _walk_list(shape: Shape, heap: Heap, cell: Any, name: str, found: After) -> None:
    items = cell[1]
    length = cell[2] if len(cell) > 2 else None
    found.values[f"{name}#"] = length[1] if length is not None else const_int(len(items))
    inner = shape[1][0] if len(shape[1]) == 1 else ("union", shape[1])
    for place, item in enumerate(items):
        _walk(inner, heap, item, f"{name}[{place}]", found)


def fits(shape: Shape, heap: Heap, ref: Ref) -> bool:
    """Return whether what a ref names is of the kind that a shape draws."""
    word, value = ref
    match shape[0]:
        case "kept":
            return True
        case "const":
            return word == "const" and type(value) is type(shape[1]) and bool(value == shape[1])
        case "union":
            return any(fits(inner, heap, ref) for inner in shape[1])
        case "object":
            return word == "cell" and heap[value][0] == "object" and heap[value][1] == shape[1]
        case "list":
            return word == "cell" and heap[value][0] == "list"
        case scalar:
            sort = value.sort if word == "node" else sort_of(value) if word == "const" else None
            return sort is SORTS[scalar] and sort is not Sort.OBJ


def variables_of(shape: Shape, name: str = "self") -> Iterator[Node]:
    """The variables of the scalars, choices and lengths of a shape; of lists the length only."""
    match shape[0]:
        case "object":
            for attribute, inner in shape[2]:
                yield from variables_of(inner, f"{name}.{attribute}")
        case "union":
            yield var(f"{name}?", Sort.INT)
            for number, inner in enumerate(shape[1]):
                yield from variables_of(inner, name if number == 0 else f"{name}|{number}")
        case "list":
            yield var(f"{name}#", Sort.INT)
        case "kept" | "const":
            return
        case scalar:
            yield var(name, SORTS[scalar])


def is_unchanged(attribute: str, heap: Heap, shape: Shape, drawn_values: Mapping[str, object]) -> bool:
    """Return whether an attribute of the receiver holds after a call what a free one held before."""
    inside, shapes = dict(heap[0][2]), dict(shape[2])
    if attribute not in inside or attribute not in shapes or shapes[attribute] == ("kept",):
        return False
    found = After()
    _walk(shapes[attribute], heap, inside[attribute], f"self.{attribute}", found)
    if found.unlike:
        return False
    drawn = {node.data: node for node in variables_of(shapes[attribute], f"self.{attribute}")}
    return all(
        _is_own(name, node, drawn_values)
        for name, node in found.values.items() if name in drawn or "[" in name
    )  # fmt: skip


def _is_own(name: str, node: Node, drawn_values: Mapping[str, object]) -> bool:
    if name.endswith("?"):
        return node.data == drawn_values.get(name, 0)
    return node.op == "var" and node.data == name


def ref_text(heap: Heap, ref: Ref, depth: int = _DEEPEST_TEXT) -> str:
    """Return a ref as a person would write it: ``self.count + 1``, ``[n]``, ``Node(value=3)``."""
    word, value = ref
    if word == "node":
        return text(value)
    if word == "const":
        return constant_text(value)
    cell = heap[value]
    if depth == 0:
        return "..."
    if cell[0] == "opaque":
        return f"<{str(cell[1]).rpartition(':')[2]}>"
    if cell[0] == "object":
        inside = ", ".join(f"{name}={ref_text(heap, inner, depth - 1)}" for name, inner in cell[2])
        return f"{str(cell[1]).rpartition(':')[2]}({inside})"
    return _container_text(heap, cell, depth)


def _container_text(heap: Heap, cell: Any, depth: int) -> str:
    shown = cell[1][:_MOST_ITEMS]
    more = ["..."] if len(cell[1]) > _MOST_ITEMS else []
    if cell[0] == "dict":
        parts = [f"{ref_text(heap, k, depth - 1)}: {ref_text(heap, v, depth - 1)}" for k, v in shown]
        return "{" + ", ".join(parts + more) + "}"
    parts = [ref_text(heap, item, depth - 1) for item in shown]
    inside = ", ".join(parts + more)
    match cell[0]:
        case "list":
            return f"[{inside}]"
        case "tuple":
            return f"({inside},)" if len(parts) == 1 else f"({inside})"
        case "set" if parts:
            return f"{{{inside}}}"
        case kind:
            return f"{kind}([{inside}])" if parts else f"{kind}()"
