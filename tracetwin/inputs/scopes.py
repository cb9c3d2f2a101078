"""What a name in an annotation means: evaluation of string and deferred annotations."""

from __future__ import annotations

import builtins
import importlib
import inspect
import sys
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, ForwardRef

from tracetwin.inputs.plans import Unbuildable
from tracetwin.inputs.sources import Source


@dataclass(frozen=True)
class Scope:
    """Where annotations are read.

    Attributes:
        module: the target module.
        source: its source.
        names: the globals of the function or class that holds the annotation.
        owner: what `Self` means.
        bindings: what type variables stand for (`Box[int]`).
    """

    module: ModuleType
    source: Source
    names: Mapping[str, Any]
    owner: type | None = None
    bindings: Mapping[Any, Any] = field(default_factory=dict)

    def evaluate(self, text: str) -> Any:
        """The annotation that a string means.

        Raises:
            Unbuildable: a name is unknown, or the expression fails.
        """
        names = _Names(self)
        try:
            return eval(text, {"__builtins__": {}}, names)  # noqa: S307 - as typing.get_type_hints does
        except NameError as error:
            raise Unbuildable(f"the name {getattr(error, 'name', None) or text!r} is unknown here") from error
        except Exception as error:
            raise Unbuildable(f"the annotation {text!r:.80} can't be evaluated") from error


class _Names(dict[str, Any]):
    """Looks a name up in globals, type parameters, the class, builtins, imports for checkers, typing."""

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self._scope = scope

    def __missing__(self, name: str) -> Any:
        scope = self._scope
        owner: Mapping[str, Any] = dict(vars(scope.owner)) if scope.owner is not None else {}
        parameters = {item.__name__: item for item in getattr(scope.owner, "__type_params__", ())}
        for names in (parameters, scope.names, owner, vars(builtins)):
            if name in names:
                return names[name]
        if scope.owner is not None and name == scope.owner.__name__:
            return scope.owner
        if name in scope.source.checking_imports:
            return _imported(*scope.source.checking_imports[name], scope.module)
        if hasattr(typing, name):
            return getattr(typing, name)
        raise NameError(f"name {name!r} is not defined", name=name)


def _imported(module: str, attribute: str | None, home: ModuleType) -> Any:
    """What an import under `if TYPE_CHECKING` would give: what is loaded, standard or of the own package."""
    top = module.partition(".")[0]
    near = top in sys.stdlib_module_names or top == home.__name__.partition(".")[0]
    if not near and module not in sys.modules:
        raise NameError(f"{module} is imported for type checkers only", name=attribute or module)
    try:
        loaded = importlib.import_module(module)
        if attribute is None:
            return loaded
        return (
            getattr(loaded, attribute)
            if hasattr(loaded, attribute)
            else importlib.import_module(f"{module}.{attribute}")
        )
    except (Exception, SystemExit) as error:
        raise NameError(f"{module} can't be imported", name=attribute or module) from error


def unwrapped(function: Any) -> Any:
    """The function inside of its wrappers; itself where they never end."""
    try:
        return inspect.unwrap(function)
    except ValueError:
        return function


def annotations_of(function: Callable[..., Any]) -> dict[str, Any]:
    """The raw annotations of a function, through its wrappers; {} when it has none that can be read."""
    try:
        found = getattr(function, "__annotations__", None)
    except Exception:  # noqa: BLE001 - evaluated on access, and anything may be missing
        return {}
    return dict(found) if isinstance(found, dict) else {}


def own_annotations(cls: type) -> dict[str, Any]:
    """The raw annotations in the body of one class, without those of its bases."""
    try:
        return dict(inspect.get_annotations(cls))
    except (TypeError, ValueError):
        return {}  # a metaclass made something else of it


def is_anything(annotation: Any) -> bool:
    """Whether an annotation only says that a value is an object."""
    if annotation is object or annotation is Any:
        return True
    return isinstance(annotation, (str, ForwardRef)) and text_of(annotation) in _ANYTHING


_ANYTHING = ("Any", "object", "typing.Any", "t.Any")


def text_of(annotation: Any) -> str:
    """An annotation as a reader would write it."""
    if isinstance(annotation, str):
        return annotation
    if isinstance(annotation, ForwardRef):
        return annotation.__forward_arg__
    if isinstance(annotation, type) and not hasattr(annotation, "__args__"):
        return annotation.__qualname__
    return repr(annotation).replace("typing.", "")[:120]
