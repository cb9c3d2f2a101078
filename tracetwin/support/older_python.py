"""Names that our sources use and Python 3.9 lacks: sources that were lowered for it import this as `_older`.

Nothing here is put where the target could see it.
"""

from __future__ import annotations

import array
import ast
import collections
import collections.abc
import dataclasses
import itertools
import os
import sys
import typing
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

Union = typing.Union
NoneType: Final = type(None)
TypeAlias: Final = object()
TypeGuard: Final = typing.Optional

MISSING: Final = object()
"""What a pattern asked for and the subject does not have."""

_SERIES: Final = (list, tuple, range, memoryview, array.array, collections.deque, collections.abc.Sequence)
_TEXTS: Final = (str, bytes, bytearray)
_SELF: Final = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)
_names_by_class: dict[type, tuple[str, ...]] = {}


class UnionType:
    """Nothing is an instance of it: ``X | Y`` of classes is new in 3.10."""


class Pattern:
    """Nothing is an instance of it: patterns are new in 3.10."""


class TryStar:
    """Nothing is an instance of it."""


def is_series(subject: object) -> bool:
    """Return whether a pattern of a sequence may match."""
    bases = type.__dict__["__mro__"].__get__(type(subject))
    return any(base in _SERIES for base in bases) and not any(base in _TEXTS for base in bases)


def is_mapping(subject: object) -> bool:
    """Return whether a pattern of a mapping may match."""
    return any(base in (dict, collections.abc.Mapping) for base in type(subject).__mro__)


def part(subject: Any, cls: type, place: int) -> Any:
    """Return what a pattern of a class compares with its positional pattern at `place`."""
    names = _names_by_class.get(cls)
    if names is None:
        names = _names_by_class[cls] = _match_args(cls)
    if not names and place == 0 and any(base in _SELF for base in cls.__mro__):
        return subject
    return getattr(subject, names[place], MISSING)


def _match_args(cls: type) -> tuple[str, ...]:
    for base in cls.__mro__:
        own = vars(base)
        if "__match_args__" in own:
            return tuple(own["__match_args__"])
        if "__dataclass_fields__" in own:
            return tuple(field.name for field in dataclasses.fields(base) if field.init)
        if "_fields" in own:
            return tuple(own["_fields"])
    return ()


def zipped(*rows: Iterable[Any], strict: bool = False) -> Iterator[tuple[Any, ...]]:
    """Return what `zip` does, which can be strict since 3.10."""
    return _strictly(rows) if strict else iter(zip(*rows))  # noqa: B905 - that is what there is


def _strictly(rows: Sequence[Iterable[Any]]) -> Iterator[tuple[Any, ...]]:
    for found in itertools.zip_longest(*rows, fillvalue=MISSING):
        if any(one is MISSING for one in found):
            raise ValueError("zip() arguments have different lengths")
        yield found


def pairwise(values: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    """Return each value with the next one."""
    first, second = itertools.tee(values)
    next(second, None)
    return iter(zip(first, second))  # noqa: B905


def bit_count(number: int) -> int:
    """Return the number of ones."""
    return bin(number).count("1")  # noqa: FURB161 - it is what takes the place of that


def co_lines(code: Any) -> Iterator[tuple[int, int, int]]:
    """Return the ranges of instructions, with their lines."""
    starts = [*_starts(code), (len(code.co_code), 0)]
    return ((start, end, line) for (start, line), (end, _) in pairwise(starts))


def _starts(code: Any) -> Iterator[tuple[int, int]]:
    import dis

    return dis.findlinestarts(code)


def get_annotations(thing: Any) -> dict[str, Any]:
    """Return the annotations that a class, function or module has itself."""
    own = (
        vars(thing).get("__annotations__")
        if isinstance(thing, type)
        else getattr(thing, "__annotations__", None)
    )
    return dict(own or {})


def is_typeddict(kind: object) -> bool:
    """Return whether a class is a typed dictionary."""
    return type(kind).__name__ == "_TypedDictMeta" and type(kind).__module__ == "typing"


def named_error(kind: type[BaseException], *told: object, **parts: object) -> BaseException:
    """Return an exception with attributes that it can be given since 3.10."""
    error = kind(*told)
    vars(error).update(parts)
    return error


def evaluate(code: Any, names: dict[str, Any], own: Any = None) -> Any:
    """Return what `eval` does, where ``X | Y`` of classes in an annotation means a union."""
    try:
        return eval(code, names, own)  # noqa: S307 - as `eval` does
    except TypeError:
        if not isinstance(code, str) or "|" not in code:
            raise
        tree = ast.fix_missing_locations(_Unions().visit(ast.parse(code.strip(), mode="eval")))
        whole = compile(tree, "<annotation>", "eval")
        if own is None:
            return eval(whole, {**names, _UNION: Union})  # noqa: S307 - as above
        own[_UNION] = Union  # not every mapping leaves a name that it does not know to the other
        try:
            return eval(whole, names, own)  # noqa: S307 - as above
        finally:
            del own[_UNION]


_UNION: Final = "_tracetwin_union"


class _Unions(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.BitOr):
            return node
        both = ast.Tuple([node.left, node.right], ast.Load())
        return ast.Subscript(ast.Name(_UNION, ast.Load()), both, ast.Load())


def _library() -> frozenset[str]:
    folder = Path(os.__file__).resolve().parent
    names = set(sys.builtin_module_names)
    for place in (folder, folder / "lib-dynload"):
        for entry in place.iterdir() if place.is_dir() else ():
            stem, dot, _ = entry.name.partition(".")
            if stem.isidentifier() and (dot or entry.is_dir()):
                names.add(stem)
    return frozenset(names - {"__pycache__", "test"})


stdlib_module_names: Final = _library()
