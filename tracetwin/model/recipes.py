"""Recipes: marshal-able descriptions of how a value is built, which later become test source."""

from __future__ import annotations

import enum
import importlib
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeAlias

from instrumenter.loader import TwinLoader

Recipe: TypeAlias = tuple[Any, ...]

SCALARS = (type(None), bool, int, float, str, bytes, complex)


class NotNameable(Exception):
    """An object that no import can name."""


def lit(value: object) -> Recipe:
    """The recipe of an exact scalar."""
    return ("lit", value)


def call(module: str, qualname: str, *args: Recipe, **kwargs: Recipe) -> Recipe:
    """The recipe of a call."""
    return ("call", module, qualname, list(args), list(kwargs.items()))


def is_traced(module: str) -> bool:
    """Whether a module is loaded as a twin."""
    spec = getattr(sys.modules.get(module), "__spec__", None)
    return isinstance(getattr(spec, "loader", None), TwinLoader)


def lookup(module: str, qualname: str) -> Any:
    """The object that a module holds under a dotted name."""
    found: Any = sys.modules.get(module) or importlib.import_module(module)
    for part in qualname.split("."):
        found = getattr(found, part)
    return found


def reference(thing: Any, home: ModuleType | None = None) -> tuple[str, str]:
    """The module and qualified name under which a test can import `thing`.

    Args:
        thing: a class or function.
        home: a module to search for another name when the object's own one does not lead to it.

    Raises:
        NotNameable: there is no such name.
    """
    module, qualname = getattr(thing, "__module__", None), getattr(thing, "__qualname__", None)
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
    """The shortest parent package of a standard module that has the thing: `asyncio` for `asyncio.queues`."""
    top, *rest = module.split(".")
    if rest and top in sys.stdlib_module_names:
        for length in range(1, len(rest) + 1):
            parent = ".".join([top, *rest[: length - 1]])
            if parent in sys.modules and _leads_to(parent, qualname, thing):
                return parent
    return module


def _leads_to(module: str, qualname: str, thing: object) -> bool:
    try:
        return lookup(module, qualname) is thing
    except (AttributeError, ImportError):
        return False


def of_value(value: Any) -> Recipe | None:
    """The recipe of a plain value (a default, a constant), or None where there is none."""
    if type(value) in SCALARS:
        return lit(value)
    if isinstance(value, enum.Enum):
        return of_member(value)
    if type(value) in (list, tuple, set, frozenset):
        items = value if isinstance(value, (list, tuple)) else sorted(value, key=repr)
        parts = [of_value(item) for item in items]
        return None if None in parts else (type(value).__name__, parts)
    if type(value) is dict:
        pairs = [(of_value(key), of_value(item)) for key, item in value.items()]
        return None if any(None in pair for pair in pairs) else ("dict", pairs)
    if callable(value):
        try:
            return ("ref", *reference(value))
        except NotNameable:
            return None
    return None


def of_member(member: enum.Enum) -> Recipe:
    """The recipe of an enum member; a combination of flags is called by its value."""
    module, qualname = reference(type(member))
    if member.name in type(member).__members__:
        return ("ref", module, f"{qualname}.{member.name}")
    return call(module, qualname, lit(member.value))


class Bound(dict[str, Any]):
    """The values that steps gave names to.

    Attributes:
        mocks: those made so far, by their numbers.
        log: is told of each call of a mock; None where nobody listens.
        spent: the members of mocks that were called more often than there are answers.
    """

    def __init__(self) -> None:
        super().__init__()
        self.mocks: dict[int, Any] = {}
        self.spent: list[str] = []
        self.log: Callable[[int, str, tuple[Any, ...], dict[str, Any]], None] | None = None


def evaluate(recipe: Recipe, variables: Bound | None = None) -> Any:
    """The value that a recipe describes, built anew."""
    kind = recipe[0]
    if kind == "lit":
        return recipe[1]
    variables = Bound() if variables is None else variables
    if kind in _COLLECTIONS:
        return _COLLECTIONS[kind]([evaluate(part, variables) for part in recipe[1]])
    if kind == "dict":
        return {evaluate(key, variables): evaluate(value, variables) for key, value in recipe[1]}
    if kind == "ref":
        return lookup(recipe[1], recipe[2])
    if kind == "call":
        args = [evaluate(part, variables) for part in recipe[3]]
        return lookup(recipe[1], recipe[2])(*args, **{k: evaluate(part, variables) for k, part in recipe[4]})
    if kind == "lambda":
        return function_of(recipe[1], lambda *args, **kwargs: evaluate(recipe[2], variables))
    if kind == "made":  # one that is used once; `flatten` gives shared ones a variable
        return _prepared(evaluate(recipe[2], variables), recipe[3], variables)
    if kind == "var":
        return variables[recipe[1]]
    if kind in BUILDERS:
        return BUILDERS[kind](recipe, variables)
    raise ValueError(f"not a recipe: {recipe!r}")


BUILDERS: dict[str, Callable[[Recipe, Bound], Any]] = {}
"""What builds the value of further kinds of recipe; the room of each enters its own."""


def _prepared(value: Any, calls: list[Any], variables: Bound) -> Any:
    """The object after the calls that prepare it."""
    for word, args, kwargs in calls:
        given = [evaluate(part, variables) for part in args]
        if word.endswith("="):
            setattr(value, word[:-1], given[0])
        else:
            getattr(value, word)(*given, **{name: evaluate(part, variables) for name, part in kwargs})
    return value


_COLLECTIONS: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
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
