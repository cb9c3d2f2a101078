"""Recipes of values, names of classes and functions, and values of recipes."""

from __future__ import annotations

import enum
import importlib
import sys
import weakref
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

from instrumenter.loader import TwinLoader
from tracetwin.model.asking import asked
from tracetwin.model.class_stand_in import real_class
from tracetwin.model.recipe import (
    SCALARS,
    Call,
    CallResult,
    Dictionary,
    Lambda,
    MockNumber,
    MockRecipe,
    PreparedObject,
    PreparingCall,
    Recipe,
    Reference,
    Scalar,
    ScalarValue,
    Series,
    SeriesKind,
    Variable,
)

__all__ = ["SCALARS", "Recipe"]


class NotNameable(Exception):
    """An object that no import can name."""


def lit(value: ScalarValue) -> Scalar:
    """The recipe of an exact scalar."""
    return Scalar(value)


def call(module: str, qualname: str, *args: Recipe, **kwargs: Recipe) -> Call:
    """The recipe of a call."""
    return Call(module, qualname, args, tuple(kwargs.items()))


def is_traced(module: str) -> bool:
    """True if a module is loaded as a twin."""
    spec = getattr(sys.modules.get(module), "__spec__", None)
    return isinstance(getattr(spec, "loader", None), TwinLoader)


def lookup(module: str, qualname: str) -> Any:
    """The object that a module holds under a dotted name."""
    found: Any = sys.modules.get(module) or importlib.import_module(module)
    for part in qualname.split("."):
        found = getattr(found, part)
    return found


def _name_of(thing: Any) -> Any:
    """The qualified name of a thing; special forms of `typing` have one of their own."""
    named = asked(thing, "__qualname__")
    return named if isinstance(named, str) else asked(thing, "_name")


def reference(thing: Any, home: ModuleType | None = None) -> tuple[str, str]:
    """The module and qualified name under which a test can import `thing`.

    `home` is searched for another name when the object's own one does not lead to it.

    Raises:
        NotNameable: there is no such name.
    """
    module, qualname = asked(thing, "__module__"), _name_of(thing)
    if isinstance(module, str) and isinstance(qualname, str) and "<" not in qualname:
        named = module in sys.modules and _leads_to(module, qualname, thing)
        if named:
            return _public(module, qualname, thing), qualname
    if home is not None:
        for name, value in list(vars(home).items()):
            if value is thing:
                return home.__name__, name
    raise NotNameable(f"{qualname or thing!r} can't be imported by a name")


def _public(module: str, qualname: str, thing: object) -> str:
    """The plainest standard module that has the thing: `asyncio` for `asyncio.queues`, `csv` for `_csv`."""
    top, *rest = module.split(".")
    plain = "os" if module in ("posix", "nt") else module.lstrip("_")
    if plain != module and top in sys.stdlib_module_names and plain in sys.modules:
        return plain if _leads_to(plain, qualname, thing) else module
    if rest and top in sys.stdlib_module_names:
        for length in range(1, len(rest) + 1):
            parent = ".".join([top, *rest[: length - 1]])
            if parent in sys.modules and _leads_to(parent, qualname, thing):
                return parent
    return module


def _leads_to(module: str, qualname: str, thing: object) -> bool:
    try:
        return class_at(module, qualname) is thing
    except (AttributeError, ImportError):
        return False


def class_at(module: str, qualname: str) -> Any:
    """Return the class that a module has under a dotted name, also while something stands in for it."""
    return real_class(lookup(module, qualname))


def of_value(value: Any) -> Recipe | None:
    """The recipe of a plain value (a default, a constant), or None where there is none."""
    if type(value) in SCALARS:
        return lit(value)
    if isinstance(value, enum.Enum):
        return of_member(value)
    if type(value) in (list, tuple, set, frozenset):
        items = value if isinstance(value, (list, tuple)) else sorted(value, key=repr)
        parts = tuple(part for part in map(of_value, items) if part is not None)
        return Series(SeriesKind(type(value).__name__), parts) if len(parts) == len(items) else None
    if type(value) is dict:
        both = ((of_value(key), of_value(item)) for key, item in value.items())
        pairs = tuple((key, item) for key, item in both if key is not None and item is not None)
        return Dictionary(pairs) if len(pairs) == len(value) else None
    if callable(value):
        try:
            return Reference(*reference(value))
        except NotNameable:
            return None
    return None


def of_member(member: enum.Enum) -> Reference | Call:
    """The recipe of an enum member; a combination of flags is called by its value."""
    module, qualname = reference(type(member))
    if member.name in type(member).__members__:
        return Reference(module, f"{qualname}.{member.name}")
    return call(module, qualname, lit(member.value))


class NamedValues(dict[str, Any]):
    """The values that steps gave names to.

    Args:
        build_mock: makes what the recipe of a mock describes.

    Attributes:
        mocks: those made so far, by their numbers.
        log: is told of each call of a mock; None where nobody listens.
        spent: the members of mocks that were called more often than there are answers.
        made: what calls inside of recipes returned, by the identity of their recipe, as long as it is there.
    """

    def __init__(
        self, build_mock: Callable[[MockRecipe | MockNumber, NamedValues], Any] | None = None
    ) -> None:
        super().__init__()
        self._build_mock = build_mock
        self.mocks: dict[int, Any] = {}
        self.spent: list[str] = []
        self.made: dict[int, Callable[[], Any]] = {}
        self.log: Callable[[int, str, tuple[Any, ...], dict[str, Any]], None] | None = None

    def keep(self, recipe: Call, value: Any) -> Any:
        """Note what a call returned, without keeping it alive where that is possible; returns it."""
        try:
            self.made[id(recipe)] = weakref.ref(value)
        except TypeError:  # nobody can see when it goes
            self.made[id(recipe)] = lambda: value
        return value

    def mock(self, recipe: MockRecipe | MockNumber) -> Any:
        """The mock of a number."""
        if self._build_mock is None:
            raise ValueError(f"nobody builds mocks here: {recipe!r}")
        return self._build_mock(recipe, self)


def evaluate(recipe: Recipe, variables: NamedValues | None = None) -> Any:  # noqa: C901 - one case per kind
    """The value that a recipe describes, built anew."""
    variables = NamedValues() if variables is None else variables
    match recipe:
        case Scalar(value):
            return value
        case Series(kind, items):
            return _SERIES[kind]([evaluate(part, variables) for part in items])
        case Dictionary(pairs):
            return {evaluate(key, variables): evaluate(value, variables) for key, value in pairs}
        case Reference(module, qualname):
            return lookup(module, qualname)
        case Call("types", "GeneratorType", (items,)):  # which nobody can call
            return variables.keep(recipe, (item for item in evaluate(items, variables)))
        case Call(module, qualname):
            args, named = _given(recipe, variables)
            return variables.keep(recipe, lookup(module, qualname)(*args, **named))
        case Lambda(count, result):
            return function_of(count, lambda *args, **kwargs: evaluate(result, variables))
        case PreparedObject():  # one that is used once; `flatten` gives shared ones a variable
            return _prepared(evaluate(recipe.construction, variables), recipe.calls, variables)
        case Variable(name):
            return variables[name]
        case MockRecipe() | MockNumber():
            return variables.mock(recipe)
        case CallResult():
            raise ValueError(f"the result of a call is bound first: {recipe!r}")


def _given(recipe: Call | PreparingCall, variables: NamedValues) -> tuple[list[Any], dict[str, Any]]:
    args = [evaluate(part, variables) for part in recipe.args]
    return args, {name: evaluate(part, variables) for name, part in recipe.kwargs}


def _prepared(value: Any, calls: list[PreparingCall], variables: NamedValues) -> Any:
    """The object after the calls that prepare it."""
    for call in calls:
        args, named = _given(call, variables)
        if call.stored:
            setattr(value, call.stored, args[0])
        else:
            getattr(value, call.name)(*args, **named)
    return value


_SERIES: Final[dict[SeriesKind, Callable[[list[Any]], Any]]] = {
    SeriesKind.LIST: list,
    SeriesKind.TUPLE: tuple,
    SeriesKind.SET: set,
    SeriesKind.FROZENSET: frozenset,
}

MOST_PARAMETERS = 5


def function_of(count: int, result: Callable[..., Any]) -> Callable[..., Any]:
    """A function of exactly `count` positional parameters (-1: any arguments) that returns `result(...)`."""
    # How many parameters a lambda has is what matters.
    makers: dict[int, Callable[..., Any]] = {
        0: lambda: result(),  # noqa: PLW0108
        1: lambda a: result(a),  # noqa: PLW0108
        2: lambda a, b: result(a, b),  # noqa: PLW0108
        3: lambda a, b, c: result(a, b, c),  # noqa: PLW0108
        4: lambda a, b, c, d: result(a, b, c, d),  # noqa: PLW0108
        5: lambda a, b, c, d, e: result(a, b, c, d, e),  # noqa: PLW0108
    }
    return makers.get(count, lambda *args, **kwargs: result(*args, **kwargs))  # noqa: PLW0108
