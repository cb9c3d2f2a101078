"""Recordings of the project's own tests: types where there is no annotation, whole calls as inputs.

The driver hands over a recording as plain data (`tracetwin.run.learning.recording`), shapes and recipes in it
as `tracetwin.run.learning.recorder.describe` writes them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from tracetwin.drawing.rules.example_reader import Documented, DocumentedFunction
from tracetwin.drawing.rules.shown_objects import makes
from tracetwin.drawing.typing.guesses import (
    DictGuess,
    FunctionGuess,
    Guess,
    RecordGuess,
    SeriesGuess,
    TupleGuess,
    TypeGuess,
)
from tracetwin.model import recipes
from tracetwin.model.codec import recipe
from tracetwin.model.recipe import Call, Dictionary, PreparedObject, Series, SeriesKind
from tracetwin.model.recipes import Recipe

MOST_ITEMS: Final = 5
"""Items of a tuple that are told apart."""

MOST_FIELDS: Final = 12

_SCALARS: Final[dict[str, type]] = {
    "bool": bool, "int": int, "float": float, "str": str, "bytes": bytes, "complex": complex,
}  # fmt: skip


class Learned:
    """The recording of one module; empty where nothing was learned.

    Attributes:
        histories: the objects of examples, and what is done on them.
    """

    def __init__(self, plain: Mapping[str, Any] | None = None) -> None:
        self._plain = plain or {}
        self._documented: Mapping[str, DocumentedFunction] = {}
        self.histories: Sequence[PreparedObject] = ()

    def add(self, documented: Documented) -> None:
        """Take in what the documentation shows; what tests really passed comes before it."""
        self._documented = documented.functions
        self.histories = documented.histories.distinct()

    def guesses(self, qualname: str, parameter: str) -> list[Guess]:
        """The types that a parameter had, those that came most often first.

        With ``*`` or ``**`` before the parameter, those of its parts.
        """
        shapes = list(self._plain.get(qualname, {}).get("shapes", {}).get(parameter, ()))
        if qualname in self._documented:
            shapes += self._documented[qualname].shapes.get(parameter, ())
        if parameter.startswith("**"):
            shapes = _distinct(part for shape in shapes for part in shape[2])
        elif parameter.startswith("*"):
            shapes = _distinct(part for shape in shapes for part in shape[1])
        return _guesses(shapes)

    def calls(self, qualname: str) -> list[dict[str, Recipe]]:
        """Distinct calls: of each the arguments that can be written down."""
        calls = self._plain.get(qualname, {}).get("calls", ())
        found = [{name: _recipe(value) for name, value in call.items()} for call in calls]
        return found + (self._documented[qualname].calls if qualname in self._documented else [])

    def instances(self, cls: str) -> list[Recipe]:
        """Instances of a class that the documentation makes."""
        known = self._documented.get(f"{cls}.__init__")
        return [] if known is None else known.instances

    def constructions(self, cls: type) -> list[Recipe]:
        """The calls that make instances of a class in the documentation, those first that are used there."""
        used = [made.construction for made in self.histories if makes(made.construction, cls)]
        return [*used, *self.instances(cls.__qualname__)]

    def ahead_of(self, found: Sequence[Guess], qualname: str, parameter: str) -> list[Guess]:
        """Guesses by other evidence, and before them what was learned of the same parameter.

        Where the other evidence knows more of a type's inside, that is kept.
        """
        learned = self.guesses(qualname, parameter)
        first = [next((guess for guess in found if _tells_more(guess, known)), known) for known in learned]
        return [*first, *(guess for guess in found if guess not in first)]


def _tells_more(guess: Guess, learned: Guess) -> bool:
    """True if a guess is of the type learned, and says more."""
    match learned:
        case FunctionGuess():
            return isinstance(guess, FunctionGuess)
        case SeriesGuess(kind, ()):
            return isinstance(guess, SeriesGuess) and guess.kind == kind
        case DictGuess((), ()):
            return isinstance(guess, (DictGuess, RecordGuess))
        case _:
            return False


# Shapes to guesses


def _guesses(shapes: Iterable[Any]) -> list[Guess]:
    """The guesses of some shapes; containers of one kind become one."""
    found: list[Guess] = []
    for group in _groups(shapes):
        guess = _guess(group)
        if guess is not None and guess not in found:
            found.append(guess)
    return found


def _groups(shapes: Iterable[Any]) -> list[list[Any]]:
    """Shapes, those of containers by their kind."""
    groups: dict[str, list[Any]] = {}
    for shape in shapes:
        is_container = isinstance(shape, list) and shape[0] in _CONTAINERS
        groups.setdefault(shape[0] if is_container else repr(shape), []).append(shape)
    return list(groups.values())


_CONTAINERS: Final = ("list", "set", "frozenset", "tuple", "dict")


def _guess(group: list[Any]) -> Guess | None:
    match group[0]:
        case "none":
            return TypeGuess(None)
        case str(name):
            return TypeGuess(_SCALARS[name])
        case ["list" | "set" | "frozenset" as kind, _]:
            return SeriesGuess(kind, tuple(_guesses(_distinct(part for shape in group for part in shape[1]))))
        case ["tuple", _]:
            return _tuple([shape[1] for shape in group])
        case ["dict", *_]:
            return _dict(group)
        case ["instance", names]:
            cls = next((known for name in names if (known := _class(*name)) is not None), None)
            return None if cls is None else TypeGuess(cls)
        case ["class", module, name]:
            cls = _class(module, name)
            return None if cls is None else TypeGuess(type[cls])
        case ["function", count]:
            return FunctionGuess(count)
        case ["iterator"]:
            return SeriesGuess("iterator")
        case _:
            return None


def _tuple(rows: list[list[Any]]) -> Guess:
    """A tuple of one shape where all have the same length, else of any."""
    if len({len(row) for row in rows}) == 1 and 0 < len(rows[0]) <= MOST_ITEMS:
        items = [tuple(_guesses(_distinct(column))) for column in zip(*rows, strict=True)]
        return TupleGuess(tuple(item or (TypeGuess(None),) for item in items))
    return SeriesGuess("tuple", tuple(_guesses(_distinct(part for row in rows for part in row))))


def _dict(group: list[Any]) -> Guess:
    """A dict of known keys where its values are of several types, else one of any keys."""
    values = _distinct(part for shape in group for part in shape[2])
    fields: dict[str, list[Any]] = {}
    for shape in group:
        for key, value in shape[3].items():
            fields.setdefault(key, []).append(value)
    if len(_groups(values)) > 1 and 0 < len(fields) <= MOST_FIELDS:
        known = [(key, tuple(_guesses(_distinct(shapes)))) for key, shapes in fields.items()]
        return RecordGuess(tuple(known))
    return DictGuess(
        tuple(_guesses(_distinct(part for shape in group for part in shape[1]))), tuple(_guesses(values))
    )


def _distinct(shapes: Iterable[Any]) -> list[Any]:
    found: list[Any] = []
    for shape in shapes:
        if shape not in found:
            found.append(shape)
    return found


def _class(module: str, name: str) -> type | None:
    """A class that the target knows, or one of the standard library: not what only the tests define."""
    if module not in sys.modules and module.partition(".")[0] not in sys.stdlib_module_names:
        return None
    try:
        found = recipes.lookup(module, name)
    except (AttributeError, ImportError):
        return None
    return found if isinstance(found, type) else None


# Recipes


def _recipe(plain: Any) -> Recipe:
    """The recipe that JSON stands for."""
    kind = plain[0]
    if kind == "bytes":
        return recipes.lit(plain[1].encode("latin-1"))
    if kind == "complex":
        return recipes.lit(complex(plain[1], plain[2]))
    if kind in ("list", "tuple", "set", "frozenset"):
        return Series(SeriesKind(kind), tuple(map(_recipe, plain[1])))
    if kind == "dict":
        return Dictionary(tuple((_recipe(key), _recipe(value)) for key, value in plain[1]))
    if kind == "call":
        kwargs = tuple((name, _recipe(part)) for name, part in plain[4])
        return Call(plain[1], plain[2], tuple(map(_recipe, plain[3])), kwargs)
    return recipe(tuple(plain))
