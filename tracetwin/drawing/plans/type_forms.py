"""Types as values, for code that looks into them: generic ones, unions, literals, dataclasses."""

from __future__ import annotations

import dataclasses
import functools
import sys
import types
import typing
from collections.abc import Iterator
from types import ModuleType
from typing import Any, Final

from tracetwin.analysis.scopes import function_in, module_of, namespace_of
from tracetwin.model.recipe import Call, Reference, list_of, tuple_of
from tracetwin.model.recipes import Recipe, call, evaluate, lit

LOOKING: Final = frozenset("__origin__ __args__ __supertype__ __dataclass_fields__".split())
"""Attributes that types have and few other values."""
_NAMES: Final = LOOKING.union("get_origin get_args get_type_hints is_dataclass UnionType".split())
"""Names without which no code looks into a type."""

MOST: Final = 12

_INT: Final = Reference("builtins", "int")
_STR: Final = Reference("builtins", "str")
_LIST: Final = Reference("builtins", "list")
_FIELDS: Final[Recipe] = list_of(tuple_of(lit("x"), _INT), tuple_of(lit("y"), _STR))
_BY_DEFAULT: Final[Recipe] = list_of(
    tuple_of(lit("x"), _INT, call("dataclasses", "field", default=lit(0))),
    tuple_of(lit("y"), _LIST, call("dataclasses", "field", default_factory=_LIST)),
)


def _form(name: str, *args: Recipe) -> Call:
    """The recipe of ``name[args]``: of what is a class in this version, its own subscript."""
    way = "__class_getitem__" if isinstance(getattr(typing, name), type) else "__getitem__"
    return call("typing", f"{name}.{way}", args[0] if len(args) == 1 else tuple_of(*args))


_FORMS: Final[tuple[tuple[str, Recipe], ...]] = (
    ("Optional NoneType UnionType Union", _form("Optional", _INT)),
    (
        "fields is_dataclass __dataclass_fields__",
        call("dataclasses", "make_dataclass", lit("Point"), _FIELDS),
    ),
    ("default default_factory MISSING", call("dataclasses", "make_dataclass", lit("Chosen"), _BY_DEFAULT)),
    (
        "fields is_dataclass __dataclass_fields__",
        call("dataclasses", "make_dataclass", lit("Empty"), list_of()),
    ),
    ("List list Sequence Collection Iterable issubclass __args__ get_args", _form("List", _INT)),
    ("Dict dict Mapping issubclass", _form("Dict", _STR, _INT)),
    ("Union UnionType", _form("Union", _INT, _STR)),
    ("Tuple tuple", _form("Tuple", _INT, _STR)),
    ("Literal", _form("Literal", lit("a"))),
    ("Ellipsis Tuple tuple", _form("Tuple", _INT, Reference("builtins", "Ellipsis"))),
    ("NewType __supertype__", call("typing", "NewType", lit("Number"), _INT)),
    ("Type type", _form("Type", _INT)),
    ("Set set frozenset AbstractSet", _form("Set", _INT)),
    ("Any", Reference("typing", "Any")),
    ("TypeVar", call("typing", "TypeVar", lit("T"))),
    ("TypedDict", call("typing", "TypedDict", lit("Point"), _FIELDS)),
    ("InitVar", Reference("dataclasses", "InitVar")),
    ("Annotated", _form("Annotated", _INT, lit("unit"))),
    ("Callable", Reference("typing", "Callable")),
    ("Enum EnumMeta", call("enum", "Enum", lit("Color"), list_of(lit("RED"), lit("BLUE")))),
)
"""Names of which one has to be in the code, and the type that is worth a try then."""


def type_forms(module: ModuleType) -> list[tuple[Any, Recipe]]:
    """The types, with recipes, that code of a module tells apart; [] where it does not look into types."""
    names = set(_names_in(module))
    if not names & _NAMES and not _asks_for_fields(module, names):
        return []
    wanted = [recipe for told, recipe in _FORMS if names & set(told.split())]
    return [(_made(recipe), recipe) for recipe in wanted[:MOST]]


def _asks_for_fields(module: ModuleType, names: set[str]) -> bool:
    """True if code of a module asks for the fields of data classes."""
    held = list(vars(module).values())
    return "fields" in names and any(one is dataclasses or one is dataclasses.fields for one in held)


@functools.cache
def _made(recipe: Recipe) -> Any:
    """The type of a recipe, the same one each time."""
    return evaluate(recipe)


def _names_in(module: ModuleType) -> Iterator[str]:
    """Yield the names in the functions of a module, and in those of its package that it imports."""
    package = module.__name__.partition(".")[0]
    for name, held in list(vars(module).items()):
        yield name
        if isinstance(held, type) and module_of(held) == module.__name__:
            for member in map(function_in, list(namespace_of(held).values())):
                yield from () if member is None else _names_of(member.__code__)
        inner = function_in(held)
        if inner is not None and str(inner.__module__).partition(".")[0] == package:
            yield from _names_of(inner.__code__)
            yield from list(vars(sys.modules.get(inner.__module__, module)))


def _names_of(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            yield from _names_of(part)
