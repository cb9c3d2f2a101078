"""Plans of the arrays and scalars of NumPy: made of drawn lists and numbers by its own functions.

What NumPy computes can't be followed, so that besides what is drawn there are other contents to choose from.
Classes are known by their names; nothing is imported for it.
"""

from __future__ import annotations

import typing
from collections.abc import Sequence
from typing import Any, Final

from tracetwin.drawing.adapters.interface import Adapter
from tracetwin.drawing.plans.containers import ListPlan
from tracetwin.drawing.plans.draw import Draw
from tracetwin.drawing.plans.plans import (
    BoolPlan,
    Built,
    ComplexPlan,
    FixedPlan,
    FloatPlan,
    IntPlan,
    MadePlan,
    Plan,
    SetupFailed,
    StrPlan,
    one_of,
    told,
)
from tracetwin.model.errors import Unbuildable
from tracetwin.model.recipe import Reference, Scalar, Series, children, list_of
from tracetwin.model.recipes import Recipe, call, evaluate, lit
from tracetwin.support.data import dataclass

_LENGTH: Final = 2
"""Elements of the first array."""

_WIDTH: Final = 2
"""Columns of a matrix."""

_PROFILES: Final[dict[str, tuple[tuple[Any, ...], ...]]] = {
    "int": ((), (100, 50, 7), (-3, 0, 2, 2)),
    "uint": ((), (100, 50, 7), (3, 0, 2, 2)),
    "float": ((), (100.5, 0.5, 3.0), (-3.5, 0.0, 2.0, 2.0), (float("nan"), 1.0), (float("inf"), 1.0)),
    "bool": ((), (True, False), (True, True), (False, False)),
    "complex": ((), (1j, 2.0 + 0j)),
    "str": ((), ("b", "a")),
}
"""Contents besides those that are drawn, by the sort of the elements."""

_ELEMENTS: Final[dict[str, Plan]] = {
    "int": IntPlan(1),
    "uint": IntPlan(1, 0),
    "float": FloatPlan(1.0),
    "bool": BoolPlan(),
    "complex": ComplexPlan(),
    "str": StrPlan("a"),
}

_BITS: Final = {"int8": 7, "int16": 15, "int32": 31, "uint8": 8, "uint16": 16, "uint32": 32}
_LARGEST: Final = 63


@dataclass(frozen=True)
class ArrayPlan(Plan):
    """An array of one dimension, or of two.

    Attributes:
        dtype: the name of the type of its elements.
        is_matrix: whether it has two dimensions.
    """

    dtype: str
    is_matrix: bool = False
    HASHABLE = False

    def build(self, draw: Draw, name: str) -> Built:
        others = _PROFILES[_sort(self.dtype)]
        chosen = draw.choice(f"{name}?", len(others) + 1)
        if chosen:
            parts: list[Recipe] = [lit(value) for value in others[chosen - 1]]
            rows = [list_of(part) for part in parts] if self.is_matrix else parts
            return _array(self.dtype, list_of(*rows))
        element: Plan = _element(self.dtype)
        if self.is_matrix:
            element = ListPlan(element, _WIDTH)
        drawn, recipe = ListPlan(element, _LENGTH).build(draw, name)
        draw.lost("numpy.array", list(_scalars(drawn)))
        if self.is_matrix:
            shortest = min((len(children(row)) for row in children(recipe)), default=0)
            recipe = list_of(*(list_of(*children(row)[:shortest]) for row in children(recipe)))
        return _array(self.dtype, recipe)

    def describe(self) -> str:
        return f"array of {self.dtype}"


def _scalars(values: Any) -> list[Any]:
    found = []
    for item in list.__iter__(values):
        found += _scalars(item) if isinstance(item, list) else [item]
    return found


def _array(dtype: str, content: Recipe) -> Built:
    """The array of a content; its type is only said where the content does not imply it."""
    implied = {"int64", "float64"} if children(content) else {"float64"}
    recipe = call("numpy", "array", content)
    if dtype not in implied or (dtype == "float64" and not _has_float(content)):
        recipe = call("numpy", "array", content, dtype=Reference("numpy", _scalar_name(dtype)))
    try:
        return evaluate(recipe), recipe
    except Exception as error:
        raise SetupFailed(f"numpy.array refused {content!r:.80}: {told(error)}") from error


def _has_float(content: Recipe) -> bool:
    if isinstance(content, Series):
        return not content.items or any(map(_has_float, content.items))
    return isinstance(content, Scalar) and isinstance(content.value, float)


def _scalar_name(dtype: str) -> str:
    return {"bool": "bool_", "str": "str_"}.get(dtype, dtype)


def _sort(dtype: str) -> str:
    return dtype.rstrip("0123456789_")


def _element(dtype: str) -> Plan:
    sort = _sort(dtype)
    bits = _BITS.get(dtype, _LARGEST)
    if sort == "int":
        return IntPlan(1, -(2**bits), 2**bits - 1)
    return IntPlan(1, 0, 2**bits - 1) if sort == "uint" else _ELEMENTS[sort]


def _arrays(args: Sequence[Any]) -> Plan:
    """Arrays whose elements are of the type that ``ndarray[shape, dtype[type]]`` says."""
    of_elements = typing.get_args(args[1])[:1] if len(args) > 1 else ()
    names = [name for item in of_elements for name in _dtypes(item)]
    if not names:
        return one_of([ArrayPlan("float64"), ArrayPlan("int64"), ArrayPlan("float64", is_matrix=True)])
    return one_of([*map(ArrayPlan, names), *(ArrayPlan(name, is_matrix=True) for name in names[:1])])


def _dtypes(item: Any) -> list[str]:
    """The names of the concrete types that an element type stands for."""
    if typing.get_args(item):
        return [name for part in typing.get_args(item) for name in _dtypes(part)]
    item = getattr(item, "__bound__", None) or item
    name = getattr(item, "__name__", "")
    if name in _GENERAL:
        return list(_GENERAL[name])
    name = name.removesuffix("_")
    return [name] if _sort(name) in _ELEMENTS else []


_GENERAL: Final = {
    "number": ("float64", "int64"),
    "integer": ("int64",),
    "signedinteger": ("int64",),
    "unsignedinteger": ("uint64",),
    "floating": ("float64",),
    "inexact": ("float64",),
    "complexfloating": ("complex128",),
}


def _scalar(cls: type) -> Plan:
    plans = [_number(name) for name in _dtypes(cls)]
    if not plans:
        raise Unbuildable(f"no values of numpy.{cls.__name__} are known")
    return one_of(plans)


def _number(dtype: str) -> Plan:
    name = _scalar_name(dtype)

    def make(value: Any) -> Built:
        recipe = call("numpy", name, lit(value))
        return evaluate(recipe), recipe

    return MadePlan(f"numpy.{name}", (("value", _element(dtype)),), make)


def _generator(seed: int) -> Built:
    recipe = call("numpy.random", "default_rng", lit(seed))
    return evaluate(recipe), recipe


def _dtype(name: str) -> Plan:
    recipe = call("numpy", "dtype", lit(name))
    return FixedPlan(lambda: evaluate(recipe), recipe, f"dtype of {name}")


class _NumPy(Adapter):
    name = "numpy"

    def owns(self, thing: Any) -> bool:
        return isinstance(thing, type) and thing.__module__.partition(".")[0] == "numpy"

    def plan(self, thing: Any, args: Sequence[Any] = ()) -> Plan | None:
        match thing.__name__:
            case "ndarray":
                return _arrays(args)
            case "dtype":
                return one_of([_dtype("float64"), _dtype("int64")])
            case "Generator":
                return MadePlan("Generator", (("seed", IntPlan(0, 0)),), _generator)
            case _:
                return _scalar(thing)


ADAPTER = _NumPy()
