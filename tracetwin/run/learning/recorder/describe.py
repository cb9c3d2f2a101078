"""Descriptions of arguments: the shape, and a recipe that makes an equal one, both as JSON.

No code of the program is called: types are taken by `type`, instances are looked up, never asked. Shapes:

- a word for a scalar: ``"int"``, ``"str"``, ``"none"``, ...; ``None`` where nothing can be said
- ``["list", [shapes]]``, also ``set`` and ``frozenset``; ``["tuple", [shape of each item]]``
- ``["dict", [shapes of keys], [shapes of values], {key: shape}]``, the last where all keys are texts
- ``["instance", [[module, name], ...]]``, its class and the bases; ``["class", module, name]``
- ``["function", number of parameters]`` (-1: any); ``["iterator"]``

Recipes are those of `tracetwin.model.recipes`; bytes are ``["bytes", latin-1 text]``, complex numbers
``["complex", real, imaginary]``.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterable
from typing import Any, Final

MOST_DEPTH: Final = 4
MOST_PARTS: Final = 100
MOST_ITEMS: Final = 24
MOST_SHAPES: Final = 4
MOST_TEXT: Final = 400
MOST_BITS: Final = 256
MOST_BASES: Final = 6
MOST_MADE: Final = 20_000

_SCALARS: Final = {
    id(kind): "none" if kind is type(None) else kind.__name__
    for kind in (type(None), bool, int, float, str, bytes, complex)
}
_SERIES: Final = {id(kind): kind.__name__ for kind in (list, tuple, set, frozenset)}
_FUNCTIONS: Final = (types.FunctionType, types.MethodType, types.BuiltinFunctionType)
_ITERABLES: Final[tuple[Any, ...]] = ([], (), {}, set(), "", (_ for _ in ()), map(abs, []))
_ITERATORS: Final = tuple(type(iter(item)) for item in _ITERABLES)
_args_of: Final[Callable[[Any], tuple[Any, ...]]] = BaseException.__dict__["args"].__get__
_mro_of: Final = type.__dict__["__mro__"].__get__
_MOCKS: Final = ("unittest.mock", "mock.mock", "mock")

Found = tuple[Any, Any]
"""A shape, and a recipe or None."""

# Values of the library: the arguments that make an equal one, where that is possible.
_LIBRARY: Final[dict[tuple[str, str], Callable[[Any], list[Any] | None]]] = {
    ("decimal", "Decimal"): lambda value: [str(value)],
    ("fractions", "Fraction"): lambda value: [value.numerator, value.denominator],
    ("datetime", "date"): lambda value: [value.year, value.month, value.day],
    ("datetime", "datetime"): lambda value: None if value.tzinfo else _trimmed(value.timetuple()[:6], value),
    ("datetime", "time"): lambda value: (
        None if value.tzinfo else _trimmed((value.hour, value.minute, value.second), value)
    ),
    ("datetime", "timedelta"): lambda value: [value.days, value.seconds, value.microseconds],
    ("uuid", "UUID"): lambda value: [str(value)],
    ("pathlib", "PosixPath"): lambda value: [str(value)],
    ("pathlib", "WindowsPath"): lambda value: [str(value)],
    ("collections", "deque"): lambda value: [list(value)] if value.maxlen is None else None,
    ("collections", "OrderedDict"): lambda value: [dict(value)],
}
_PUBLIC: Final = {"PosixPath": "Path", "WindowsPath": "Path"}


def _trimmed(parts: Iterable[int], value: Any) -> list[int]:
    return [*parts, *([value.microsecond] if value.microsecond else [])]


def name_of(kind: type) -> list[str]:
    """Module and qualified name of a class; its metaclass is not asked."""
    get = type.__getattribute__
    return [str(get(kind, "__module__")), str(get(kind, "__qualname__"))]


class Describer:
    """Describes values, and remembers how objects were made.

    Args:
        unwanted: parts of texts that are of this machine or of this run only, such as the folder for
            temporary files: a value that has one in it gets no recipe.
    """

    def __init__(self, unwanted: list[str]) -> None:
        self._unwanted = tuple(unwanted)
        self._left = 0
        self._made: dict[int, tuple[type, Any, int]] = {}

    @property
    def parts(self) -> int:
        """How many parts the value described last has."""
        return MOST_PARTS - self._left

    def describe(self, value: Any) -> Found:
        """The shape of a value, and its recipe, None where it can't be written down."""
        self._left = MOST_PARTS
        return self._look(value, 0)

    def made(self, value: Any, recipe: Any, parts: int) -> None:
        """Remember how an object was made; without a recipe, only that another was here before."""
        self._made.pop(id(value), None)
        if recipe is None or parts > MOST_PARTS:
            return
        if len(self._made) >= MOST_MADE:
            del self._made[next(iter(self._made))]
        self._made[id(value)] = (type(value), recipe, parts)

    def _look(self, value: Any, depth: int) -> Found:
        kind = type(value)
        self._left -= 1
        scalar = _SCALARS.get(id(kind))
        if scalar is not None:
            return scalar, self._scalar(scalar, value)
        series = _SERIES.get(id(kind))
        if series is not None:
            return self._series(series, value, depth)
        if kind is dict:
            return self._dict(value, depth)
        bases = _mro_of(kind)
        if any(base is type for base in bases):
            module, name = name_of(value)
            return ["class", module, name], _named(value, module, name)
        if any(kind is function for function in _FUNCTIONS):
            return self._function(value)
        if any(kind is iterator for iterator in _ITERATORS):
            return ["iterator"], None
        return self._instance(value, kind, bases, depth)

    def _scalar(self, name: str, value: Any) -> Any:
        if name == "str":
            return ["lit", value] if self._is_wanted(value) else None
        if name == "bytes":
            text = value.decode("latin-1")
            return ["bytes", text] if self._is_wanted(text) else None
        if name == "complex":
            return ["complex", value.real, value.imag]
        if name == "int" and value.bit_length() > MOST_BITS:
            return None
        return ["lit", value]

    def _is_wanted(self, text: str) -> bool:
        return len(text) <= MOST_TEXT and not any(part in text for part in self._unwanted)

    def _parts(self, values: Iterable[Any], depth: int) -> list[Found]:
        """The parts of a container, as many as there is room for."""
        found: list[Found] = []
        for value in values:
            if len(found) >= MOST_ITEMS or self._left <= 0 or depth >= MOST_DEPTH:
                break
            found.append(self._look(value, depth + 1))
        return found

    def _series(self, name: str, value: Any, depth: int) -> Found:
        parts = self._parts(value, depth)
        recipes = [recipe for _, recipe in parts]
        whole = len(parts) == len(value) and None not in recipes
        if name in ("set", "frozenset"):
            recipes.sort(key=repr)
        shapes = [shape for shape, _ in parts]
        return [name, shapes if name == "tuple" else _distinct(shapes)], [name, recipes] if whole else None

    def _dict(self, value: dict[Any, Any], depth: int) -> Found:
        keys, values = self._parts(value, depth), self._parts(value.values(), depth)
        pairs = [[key, item] for (_, key), (_, item) in zip(keys, values)]  # noqa: B905 - either may be cut
        whole = len(pairs) == len(value) and not any(None in pair for pair in pairs)
        fields = {}
        if whole and all(shape == "str" for shape, _ in keys):
            fields = {key[1]: shape for (_, key), (shape, _) in zip(keys, values, strict=True)}
        shape = ["dict", _distinct(item for item, _ in keys), _distinct(item for item, _ in values), fields]
        return shape, ["dict", pairs] if whole else None

    @staticmethod
    def _function(value: Any) -> Found:
        inner = value.__func__ if type(value) is types.MethodType else value
        code = getattr(inner, "__code__", None)
        count = -1
        if type(code) is types.CodeType and not code.co_flags & 0x04:
            count = code.co_argcount - (inner is not value)
        module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
        is_named = type(value) is not types.MethodType and isinstance(module, str) and isinstance(name, str)
        return ["function", count], _named(value, str(module), str(name)) if is_named else None

    def _instance(self, value: Any, kind: type, bases: tuple[type, ...], depth: int) -> Found:
        names = [name_of(base) for base in bases[:-1]]
        if not names:
            return None, None  # a bare object
        if any(module in _MOCKS for module, _ in names):
            spec = object.__getattribute__(value, "__dict__").get("_spec_class")
            spoken_for = [name_of(base) for base in _mro_of(spec)[:-1]] if type(spec) is type else None
            return spoken_for and ["instance", spoken_for[:MOST_BASES]], None
        return ["instance", names[:MOST_BASES]], self._recipe(value, kind, bases, names, depth)

    def _recipe(
        self, value: Any, kind: type, bases: tuple[type, ...], names: list[list[str]], depth: int
    ) -> Any:
        module, name = names[0]
        known = self._made.get(id(value))
        if known is not None and known[0] is kind:
            self._left -= known[2]
            return known[1] if self._left >= 0 else None
        maker = _LIBRARY.get((module, name))
        if maker is not None:
            return self._call(module, _PUBLIC.get(name, name), maker(value), depth)
        if ["enum", "Enum"] in names:
            member = object.__getattribute__(value, "__dict__").get("_name_")
            return ["ref", module, f"{name}.{member}"] if isinstance(member, str) else None
        if any(base is tuple for base in bases) and type(kind.__dict__.get("_fields")) is tuple:
            return self._call(module, name, list(tuple.__iter__(value)), depth)
        if any(base is BaseException for base in bases):
            return self._call(module, name, list(_args_of(value)), depth)
        return None

    def _call(self, module: str, name: str, args: list[Any] | None, depth: int) -> Any:
        if args is None:
            return None
        recipes = [recipe for _, recipe in self._parts(args, depth)]
        whole = len(recipes) == len(args) and None not in recipes
        return ["call", module, name, recipes, []] if whole else None


def _distinct(shapes: Iterable[Any]) -> list[Any]:
    found: list[Any] = []
    for shape in shapes:
        if shape not in found and len(found) < MOST_SHAPES:
            found.append(shape)
    return found


def _named(value: Any, module: str, name: str) -> Any:
    """The reference to a class or function, where its name leads to it."""
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        space = getattr(found, "__dict__", None)
        found = space.get(part) if space is not None else None
    same = found is value or (type(found) is staticmethod and found.__func__ is value)
    return ["ref", module, name] if same else None
