"""Abstract values from annotations."""

from __future__ import annotations

import ast
import functools
from typing import Final

SCALARS: Final = frozenset(
    {"int", "str", "float", "bool", "bytes", "complex", "None", "range", "type", "slice"}
)
COLLECTIONS: Final = frozenset(
    "list dict set tuple frozenset deque defaultdict OrderedDict Counter Sequence MutableSequence Iterable"
    " Iterator Mapping MutableMapping Collection AbstractSet MutableSet Generator List Dict Set Tuple"
    " FrozenSet Deque DefaultDict bytearray Container Reversible AsyncIterator AsyncIterable".split()
)
_WRAPPERS: Final = frozenset(
    "Optional Union Final ClassVar Annotated Required NotRequired ReadOnly InitVar".split()
)


class WrittenType:
    """A type as written.

    Attributes:
        names: classes that the value may be an instance of, as named.
        inside: the shape of elements, for containers; None if it is none.
        unknown: whether it may be something else.
    """

    __slots__ = ("inside", "names", "scalars", "unknown")

    def __init__(self) -> None:
        self.names: list[str] = []
        self.scalars: list[str] = []
        self.inside: WrittenType | None = None
        self.unknown = False


@functools.lru_cache(maxsize=2048)
def shape(text: str) -> WrittenType:
    """The abstract values of an annotation's text; what is not understood is unknown."""
    made = WrittenType()
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        made.unknown = True
        return made
    _into(tree, made)
    return made


def _into(node: ast.AST, made: WrittenType) -> None:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        _into(node.left, made)
        _into(node.right, made)
    elif isinstance(node, ast.Constant):
        _constant(node, made)
    elif isinstance(node, (ast.Name, ast.Attribute)):
        _named(_dotted(node), made)
    elif isinstance(node, ast.Subscript):
        _generic(node, made)
    else:
        made.unknown = True


def _constant(node: ast.Constant, made: WrittenType) -> None:
    if node.value is None:
        made.scalars.append("None")
    elif isinstance(node.value, str):
        inner = shape(node.value)
        made.names += inner.names
        made.scalars += inner.scalars
        made.inside = inner.inside or made.inside
        made.unknown |= inner.unknown
    else:
        made.unknown = True


def _named(name: str, made: WrittenType) -> None:
    last = name.rpartition(".")[2]
    if last in SCALARS:
        made.scalars.append(last)
    elif last in COLLECTIONS:
        made.inside = made.inside or WrittenType()
        made.inside.unknown = True
    else:
        made.names.append(name)


def _generic(node: ast.Subscript, made: WrittenType) -> None:
    last = _dotted(node.value).rpartition(".")[2]
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if last in _WRAPPERS:
        for part in parts:
            _into(part, made)
        if last == "Optional":
            made.scalars.append("None")
    elif last == "Literal":
        values = [type(part.value).__name__ for part in parts if isinstance(part, ast.Constant)]
        made.scalars += values
        made.unknown |= len(values) < len(parts)
    elif last in COLLECTIONS:
        made.inside = made.inside or WrittenType()
        for part in parts:
            if not (isinstance(part, ast.Constant) and part.value is ...):
                _into(part, made.inside)
    elif last in {"type", "Type"}:
        made.unknown = True
    else:
        _into(node.value, made)


def _dotted(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""
