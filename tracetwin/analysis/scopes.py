"""Scopes: evaluation of string and deferred annotations."""

from __future__ import annotations

import ast
import builtins
import functools
import importlib
import inspect
import sys
import types
import typing
import weakref
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, ForwardRef

from tracetwin.analysis.sources import Source, read
from tracetwin.model.errors import Unbuildable
from tracetwin.support.data import dataclass
from tracetwin.support.text import without_addresses


@dataclass(frozen=True)
class Scope:
    """The names with which annotations are read.

    Attributes:
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
            return eval(text, {"__builtins__": _IMPORTING}, names)  # noqa: S307 - as typing.get_type_hints does
        except NameError as error:
            name = shown(getattr(error, "name", None) or text)
            raise Unbuildable(f"the name {name!r} is unknown here") from error
        except BaseException as error:  # an annotation is code of the target, which may also exit
            raise Unbuildable(f"the annotation '{shown(text)}' can't be evaluated: {brief(error)}") from error


_IMPORTING: Final[dict[str, Any]] = {"__import__": builtins.__import__}
"""C code, such as that of a generic class that is subscripted, imports by the builtins of its caller."""


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
        scope = _at_home(scope)
        if name in scope.source.checking_imports:
            return _imported(*scope.source.checking_imports[name], scope.module)
        if name in scope.source.checking_values:
            return _for_checkers(name, scope)
        if hasattr(typing, name):
            return getattr(typing, name)
        raise NameError(f"name {name!r} is not defined", name=name)


def _at_home(scope: Scope) -> Scope:
    """A scope with the module, and its source, that the annotation stands in: that of its globals."""
    home = sys.modules.get(str(scope.names.get("__name__")))
    if home is None or home is scope.module or home.__name__.partition(".")[0] in sys.stdlib_module_names:
        return scope
    return replace(scope, module=home, source=read(home))


_CHECKED: Final[weakref.WeakKeyDictionary[ModuleType, dict[str, Any]]] = weakref.WeakKeyDictionary()
"""What the names of a module stand for that are defined for type checkers only: one type variable is one."""


def _for_checkers(name: str, scope: Scope) -> Any:
    """The value that an assignment under `if TYPE_CHECKING` gives a name."""
    known = _CHECKED.setdefault(scope.module, {})
    if name not in known:
        inside = replace(scope, source=replace(scope.source, checking_values={
            other: value for other, value in scope.source.checking_values.items() if other != name
        }))  # fmt: skip
        try:
            known[name] = inside.evaluate(ast.unparse(scope.source.checking_values[name]))
        except Unbuildable as error:
            raise NameError(str(error), name=name) from error
    return known[name]


def _imported(module: str, attribute: str | None, home: ModuleType) -> Any:
    """The object of an import under `if TYPE_CHECKING`: loaded, standard or of the own package."""
    top = module.partition(".")[0]
    near = top in sys.stdlib_module_names or top == home.__name__.partition(".")[0]
    if top == "typing_extensions" and attribute and hasattr(typing, attribute):
        return getattr(typing, attribute)
    if not near and module not in sys.modules:
        raise NameError(f"{module} is imported for type checkers only", name=attribute or module)
    try:
        loaded = importlib.import_module(module)
        if not attribute:
            return loaded if attribute is None else sys.modules[top]
        if hasattr(loaded, attribute):
            return getattr(loaded, attribute)
        there = Scope(loaded, read(loaded), vars(loaded))
        hidden = {*there.source.checking_imports, *there.source.checking_values}
        if loaded is not home and attribute in hidden:
            return there.evaluate(attribute)  # there, too, it is for checkers only
        return importlib.import_module(f"{module}.{attribute}")
    except (Exception, SystemExit) as error:
        raise NameError(f"{module} can't be imported", name=attribute or module) from error


def unwrapped(function: Any) -> Any:
    """The function inside of its wrappers; itself where they never end, or it can't be asked for them."""
    try:
        return inspect.unwrap(function)
    except Exception:  # noqa: BLE001 - a proxy may raise anything before there is what it stands for
        return function


_HOLDING: Final = (types.FunctionType, staticmethod, classmethod, type(functools.cache(len)))
"""Classes of what holds a function; other objects may run code of the target when they are asked."""


def function_in(thing: object) -> types.FunctionType | None:
    """The function that a thing is, or is plainly made around; None for anything else."""
    inner = unwrapped(thing) if type(thing) in _HOLDING else None
    return inner if type(inner) is types.FunctionType else None


def bare(function: Any) -> Any:
    """A function as it was written: without what `functools.wraps` copied on it from another one."""
    if type(function) is not types.FunctionType or not hasattr(function, "__wrapped__"):
        return function
    made = types.FunctionType(
        function.__code__, function.__globals__, None, function.__defaults__, function.__closure__
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def hands_on(function: Any) -> bool:
    """True if a function takes whatever it gets: its own parameters don't say what a call passes."""
    code = getattr(function, "__code__", None)
    return not inspect.iscode(code) or bool(code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS))


def as_called(function: Any) -> Any:
    """The function whose parameters a call fills: a wrapper that names its own does not hand on others."""
    return function if hands_on(function) else bare(function)


def as_taken(function: Any, items: list[inspect.Parameter]) -> list[inspect.Parameter]:
    """The parameters as a function takes them: one that has ``**kwargs`` only may tell another signature."""
    code = code_within(function)
    if code is None or not code.co_flags & inspect.CO_VARKEYWORDS:
        return items
    if code.co_flags & inspect.CO_VARARGS:
        return items
    by_name = [item.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD for item in items]
    taken = [
        item.replace(kind=inspect.Parameter.KEYWORD_ONLY) if named and place >= code.co_argcount else item
        for place, (item, named) in enumerate(zip(items, by_name, strict=True))
    ]
    return sorted(taken, key=lambda item: item.kind)


def annotations_of(function: Callable[..., Any]) -> dict[str, Any]:
    """The raw annotations of a function, through its wrappers; {} when it has none that can be read."""
    try:
        found = getattr(function, "__annotations__", None)
    except BaseException:  # noqa: BLE001 - evaluated on access, and anything may be missing
        return {}
    return dict(found) if isinstance(found, dict) else {}


def own_annotations(cls: type) -> dict[str, Any]:
    """The raw annotations in the body of one class, without those of its bases."""
    try:
        return dict(inspect.get_annotations(cls))
    except BaseException:  # noqa: BLE001 - a metaclass may make anything of the question
        return {}


def is_anything(annotation: Any) -> bool:
    """True if an annotation only says that a value is an object."""
    if annotation is object or annotation is Any:
        return True
    return isinstance(annotation, (str, ForwardRef)) and text_of(annotation) in _ANYTHING


_ANYTHING = ("Any", "object", "typing.Any", "t.Any")


def text_of(annotation: Any) -> str:
    """An annotation as a reader would write it."""
    kind = type(annotation)
    if issubclass(kind, str):
        return str(annotation)
    if kind is ForwardRef:
        return str(annotation.__forward_arg__)
    try:
        if issubclass(kind, type) and not hasattr(annotation, "__args__"):
            return str(annotation.__qualname__)
        text = repr(annotation)
    except BaseException:  # noqa: BLE001 - its own `__repr__`, or that of its metaclass
        return f"a {kind.__name__}"
    return without_addresses(text.replace("typing.", "")[:200])[:120]


LONGEST_SHOWN: Final = 80
"""Letters of an annotation in a message."""


def shown(annotation: Any) -> str:
    """An annotation in a message: short, on one line."""
    text = " ".join(text_of(annotation)[: 4 * LONGEST_SHOWN].split())
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 3]}..."


def brief(error: BaseException) -> str:
    """An exception of the target's in a few words."""
    if isinstance(error, RecursionError):
        return "nested without end"
    try:
        said = f"{error!s:.80}"
    except BaseException:  # noqa: BLE001 - code of the target
        said = ""
    return f"{type(error).__name__}: {said}".removesuffix(": ")


# A metaclass may have a `__getattribute__` that refuses; these do not ask it.


def module_of(cls: type) -> str:
    """The name of the module in which a class says that it was defined."""
    return _own_text(cls, "__module__")


def is_defined_in(cls: type, module: ModuleType) -> bool:
    """Return whether a class was defined by a module, whatever module it says to be of.

    Packages that gather their classes in one place often let them say that they come from there.
    """
    said = module_of(cls)
    if said == module.__name__:
        return True
    if said.partition(".")[0] != module.__name__.partition(".")[0]:
        return False
    file = getattr(module, "__file__", None)
    members = [thing for thing in list(namespace_of(cls).values()) if not is_put_into(thing, cls)]
    codes = map(code_within, members)
    return file is not None and any(code is not None and code.co_filename == file for code in codes)


def is_put_into(thing: object, cls: type) -> bool:
    """Return whether a member of a class is a function of another module: `Table.join = join`."""
    is_function = type(thing) is FunctionType and "." not in thing.__qualname__
    return is_function and getattr(thing, "__module__", None) != module_of(cls)


def code_within(thing: object) -> CodeType | None:
    """The code of a function, or of what says that it is one; None for all else."""
    try:
        found = getattr(thing, "__code__", None)
    except Exception:  # noqa: BLE001 - what a module holds may refuse to be asked for anything
        return None
    return found if type(found) is CodeType else None


def qualname_of(cls: type) -> str:
    """The qualified name of a class."""
    return _own_text(cls, "__qualname__")


def _own_text(cls: type, name: str) -> str:
    try:
        found = type.__getattribute__(cls, name)
    except (AttributeError, TypeError):
        return ""
    return found if isinstance(found, str) else ""


def namespace_of(cls: type) -> Mapping[str, Any]:
    """The body of a class."""
    found: Mapping[str, Any] = _NAMESPACE(cls)
    return found


_NAMESPACE: Final = type.__dict__["__dict__"].__get__
