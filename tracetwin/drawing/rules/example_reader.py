"""Reads the calls in examples: what they call, and recipes of what they pass. Nothing is run."""

from __future__ import annotations

import ast
import builtins
import functools
import sys
from collections.abc import Iterable, Mapping
from dataclasses import field
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, Final, TypeAlias

from tracetwin.analysis.sources import MOST_WALKED, FunctionNode, Source
from tracetwin.model import recipes
from tracetwin.model.recipe import Call, Dictionary, Reference, Scalar, Series, SeriesKind, tuple_of
from tracetwin.model.recipes import Recipe
from tracetwin.support.data import dataclass

MOST_CALLS: Final = 8
"""Examples of one function."""

_BUILTINS: Final = vars(builtins)

_PURE: Final = frozenset(
    """abs all any ascii bin callable chr divmod format hash hex isinstance issubclass iter len max min next
    oct ord pow repr round sorted sum""".split()
)
_PURE_MODULES: Final = frozenset(("math", "cmath", "_operator", "unicodedata"))

_NOTHING: Final = object()

Given: TypeAlias = "dict[str, Recipe]"


@dataclass
class DocumentedFunction:
    """The examples of one function.

    Attributes:
        shapes: for each parameter the shapes of what was passed, see `tracetwin.drawing.rules.learned`.
        calls: for each call the arguments by parameter, those of a method behind its receiver.
        instances: of a constructor, what its calls make.
    """

    shapes: dict[str, list[Any]] = field(default_factory=dict)
    calls: list[Given] = field(default_factory=list)
    instances: list[Recipe] = field(default_factory=list)

    def add(self, given: Given) -> None:
        if given in self.calls or len(self.calls) >= MOST_CALLS:
            return
        self.calls.append(given)
        for name, recipe in given.items():
            shape = _shape(recipe)
            known = self.shapes.setdefault(name, [])
            if shape is not None and shape not in known:
                known.append(shape)


class ExampleReader:
    """One run of examples: what its names stand for."""

    def __init__(
        self,
        module: ModuleType,
        source: Source,
        found: dict[str, DocumentedFunction],
        names: Mapping[str, str] | None = None,
    ) -> None:
        self._module = module
        self._source = source
        self._found = found
        self._known = names
        self._names: dict[str, Recipe] = {}
        self._modules: dict[str, str] = {}
        self._imported: dict[str, Any] = {}

    def again(self) -> ExampleReader:
        """Return another reader that knows the names which this one has read."""
        other = ExampleReader(self._module, self._source, self._found, self._known)
        other._names = dict(self._names)
        other._modules = dict(self._modules)
        other._imported = dict(self._imported)
        return other

    def read(self, statements: Iterable[ast.stmt], given: Mapping[str, ast.expr] | None = None) -> None:
        """Read statements, those in others behind them; `given` are names with a value from elsewhere."""
        for name, value in (given or {}).items():
            self._name(name, self._recipe(value))
        for statement in statements:
            for node in _calls_in(statement):
                self._note(node)
            self._bind(statement)

    def _bind(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                self._modules[alias.asname or alias.name.partition(".")[0]] = alias.name
            return
        if isinstance(statement, ast.ImportFrom):
            home = None if statement.level else sys.modules.get(statement.module or "")
            for alias in statement.names if home is not None else ():
                self._imported[alias.asname or alias.name] = vars(home).get(alias.name, _NOTHING)
            return
        if not isinstance(statement, ast.Assign):
            return
        value = self._recipe(statement.value)
        for target in statement.targets:
            if isinstance(target, ast.Name):
                self._name(target.id, value)

    def _name(self, name: str, value: Recipe | None) -> None:
        self._names.pop(name, None)
        if value is not None:
            self._names[name] = value

    def _note(self, node: ast.Call) -> None:
        called = self._called(node.func)
        if called is None:
            return
        qualname, receiver, skip = called
        function = self._source.function(qualname)
        if function is None:
            return
        given = dict(receiver) | self._given(function, node, skip)
        if len(given) > len(receiver) or not (node.args or node.keywords):
            known = self._found.setdefault(qualname, DocumentedFunction())
            known.add(given)
            made = self._recipe(node) if qualname.endswith(".__init__") else None
            if made is not None and made not in known.instances:
                known.instances.append(made)

    def _called(self, node: ast.expr) -> tuple[str, Given, bool] | None:
        """The name of the function of the module that is called, its receiver, and whether it has one."""
        if isinstance(node, ast.Name):
            name = node.id if self._known is None else self._known.get(node.id, "")
            if self._is_class(name):
                return self._constructor(name), {}, True
            return (name, {}, False) if node.id not in self._names else None
        if not isinstance(node, ast.Attribute):
            return None
        receiver = self._recipe(node.value)
        if isinstance(receiver, Call) and (owner := self._owner(receiver, node.attr)):
            return f"{owner}.{node.attr}", {"self": receiver}, True
        if receiver is None and self._offers_the_target(self._module_of(node.value)):
            made = self._is_class(node.attr)
            return (self._constructor(node.attr) if made else node.attr), {}, made
        return None

    def _is_class(self, name: str) -> bool:
        """True if the module holds a class under a name, whoever made it."""
        return self._source.class_(name) is not None or isinstance(vars(self._module).get(name), type)

    def _constructor(self, name: str) -> str:
        """The constructor of a class, or the one that it has from a base of the module."""
        owner = _defining(vars(self._module).get(name), "__init__", self._module, self._source)
        return f"{owner or name}.__init__"

    def _owner(self, recipe: Call, method: str) -> str:
        """The class of the module that defines a method of what a call makes; "" where none does."""
        made = _held(recipe)
        if isinstance(made, FunctionType):
            node = self._source.function(recipe.qualname)
            text = "" if node is None or node.returns is None else ast.unparse(node.returns)
            made = vars(self._module).get(text.strip("'\"").partition("[")[0])
        return _defining(made, method, self._module, self._source)

    def _given(self, function: FunctionNode, node: ast.Call, skip: bool) -> Given:
        """The arguments by parameter, as far as they can be told."""
        spec = function.args
        names = [one.arg for one in (*spec.posonlyargs, *spec.args)][int(skip) :]
        values = [None if isinstance(one, ast.Starred) else self._recipe(one) for one in node.args]
        if any(isinstance(one, ast.Starred) for one in node.args) or any(not k.arg for k in node.keywords):
            return {}
        if self._known is not None and not all((*values, *(self._recipe(k.value) for k in node.keywords))):
            return {}
        given = {name: value for name, value in zip(names, values, strict=False) if value is not None}
        rest = values[len(names) :]
        if spec.vararg is not None and rest and None not in rest:
            given[f"*{spec.vararg.arg}"] = tuple_of(*(one for one in rest if one is not None))
        known = {*names, *(one.arg for one in spec.kwonlyargs)}
        more: list[tuple[Recipe, Recipe]] = []
        for keyword in node.keywords:
            value = self._recipe(keyword.value)
            if value is not None and keyword.arg in known:
                given[str(keyword.arg)] = value
            elif value is not None:
                more.append((recipes.lit(keyword.arg), value))
        if spec.kwarg is not None and more:
            given[f"**{spec.kwarg.arg}"] = Dictionary(tuple(more))
        return given

    # -- what they pass

    def _recipe(self, node: ast.expr) -> Recipe | None:
        """The recipe of what an expression makes, None where that can't be told without running it."""
        match node:
            case ast.Name(name):
                return self._names.get(name) or self._named(self._thing(node))
            case ast.Attribute():
                return self._named(self._thing(node))
            case ast.Call(func, args, keywords):
                return self._instance(func, args, keywords)
            case ast.List(items) | ast.Tuple(items) | ast.Set(items):
                parts = [self._recipe(item) for item in items]
                kind = SeriesKind(type(node).__name__.lower())
                return None if None in parts else Series(kind, tuple(part for part in parts if part))
            case ast.Dict(keys, values):
                pairs = [
                    (None if key is None else self._recipe(key), self._recipe(value))
                    for key, value in zip(keys, values, strict=True)
                ]
                told = tuple((key, value) for key, value in pairs if key is not None and value is not None)
                return Dictionary(told) if len(told) == len(pairs) else None
            case _:
                try:
                    value = ast.literal_eval(node)
                except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                    return None
                return recipes.of_value(value)

    def _instance(
        self, func: ast.expr, args: list[ast.expr], keywords: list[ast.keyword]
    ) -> Recipe | None:
        thing = self._thing(func)
        if not isinstance(thing, (type, FunctionType)) or self._is_of_another(thing):
            return None
        given = [self._recipe(one) for one in args]
        named = [(one.arg, self._recipe(one.value)) for one in keywords]
        if None in given or any(name is None or value is None for name, value in named):
            return None
        try:
            module, qualname = recipes.reference(thing, self._module)
        except recipes.NotNameable:
            return None
        kwargs = tuple((str(name), value) for name, value in named if value is not None)
        return Call(module, qualname, tuple(one for one in given if one is not None), kwargs)

    def _offers_the_target(self, home: ModuleType | None) -> bool:
        """True if what a module holds may be the target's: it and its packages, in an example any."""
        if home is None or self._known is None:
            return home is not None
        return f"{self._module.__name__}.".startswith(f"{home.__name__}.")

    def _is_of_another(self, thing: Any) -> bool:
        """True if something is a function of another module: what that does can't be told."""
        return isinstance(thing, FunctionType) and thing.__module__ != self._module.__name__

    def _thing(self, node: ast.expr) -> Any:
        """The class, function or other value that an expression names; `_NOTHING` where there is none."""
        if isinstance(node, ast.Name):
            own = node.id if self._known is None else self._known.get(node.id, "")
            for names, name in ((self._imported, node.id), (vars(self._module), own), (_BUILTINS, node.id)):
                if name in names:
                    return names[name]
        elif isinstance(node, ast.Attribute):
            home = self._module_of(node.value)
            return _NOTHING if home is None else vars(home).get(node.attr, _NOTHING)
        return _NOTHING

    def _named(self, thing: Any) -> Recipe | None:
        """The recipe of a class, function or constant that an example passes by its name."""
        if thing is _NOTHING:
            return None
        if not isinstance(thing, (type, FunctionType, BuiltinFunctionType)):
            made = recipes.of_value(thing)
            return made if isinstance(made, Scalar) else None
        if not isinstance(thing, type) and (self._is_of_another(thing) or _acts(thing)):
            return None
        try:
            return Reference(*recipes.reference(thing, self._module))
        except recipes.NotNameable:
            return None

    def _module_of(self, node: ast.expr) -> ModuleType | None:
        """The loaded module that an expression names."""
        name = ast.unparse(node)
        held = vars(self._module).get(name)
        if isinstance(held, ModuleType):
            return held
        first, dot, rest = name.partition(".")
        known: Mapping[str, ModuleType] = sys.modules
        return known.get(self._modules.get(first, first) + dot + rest) or (
            self._module if name == self._module.__name__.rpartition(".")[2] else None
        )


@functools.lru_cache(maxsize=MOST_WALKED)  # what a file does when imported is read for each function
def _calls_in(statement: ast.stmt) -> tuple[ast.Call, ...]:
    """Return the calls of a statement, without those of the statements in it."""
    waiting: list[ast.AST] = [statement]
    for node in waiting:
        waiting += [part for part in ast.iter_child_nodes(node) if not isinstance(part, ast.stmt)]
    return tuple(node for node in waiting if isinstance(node, ast.Call))


def _defining(cls: Any, method: str, module: ModuleType, source: Source) -> str:
    """The class of a module that defines a method which a class has; "" where none does."""
    for base in cls.__mro__ if isinstance(cls, type) else ():
        here = base.__module__ == module.__name__
        if here and source.function(f"{base.__qualname__}.{method}") is not None:
            return base.__qualname__
    return ""


def _acts(function: Any) -> bool:
    """True if a function written in C may do more than tell a result: a test must not call it by chance."""
    if not isinstance(function, BuiltinFunctionType):
        return False
    return function.__module__ not in _PURE_MODULES and not (
        function.__module__ == "builtins" and function.__name__ in _PURE
    )


def _held(recipe: Call) -> Any:
    """Return the function or class that a call calls, None where that is not there."""
    if recipe.module not in sys.modules:
        return None
    try:
        return recipes.lookup(recipe.module, recipe.qualname)
    except AttributeError:
        return None


def _shape(recipe: Recipe) -> Any:
    """The shape of a value, None where it has none."""
    match recipe:
        case Scalar(value):
            return "none" if value is None else type(value).__name__
        case Series(kind, items):
            return [kind.value, [shape for shape in map(_shape, items) if shape is not None]]
        case Dictionary(pairs):
            keys = [shape for key, _ in pairs if (shape := _shape(key)) is not None]
            values = [shape for _, value in pairs if (shape := _shape(value)) is not None]
            texts = all(isinstance(key, Scalar) and isinstance(key.value, str) for key, _ in pairs)
            fields = {key.value: _shape(value) for key, value in pairs if isinstance(key, Scalar)}
            return ["dict", keys, values, fields if texts and None not in fields.values() else {}]
        case Call(module, qualname) if isinstance(_held(recipe), type):
            return ["instance", [[module, qualname]]]
        case Reference("builtins", name) if isinstance(_BUILTINS.get(name), type):
            return ["class", "builtins", name]
        case _:
            return None
