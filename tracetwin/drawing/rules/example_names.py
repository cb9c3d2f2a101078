"""Meanings of names and expressions in examples: values, objects, classes. Nothing is run."""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
from collections.abc import Mapping
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, Final, TypeAlias

from tracetwin.analysis.sources import FunctionNode, Source
from tracetwin.drawing.rules import shown_objects
from tracetwin.drawing.rules.shown_objects import Histories, held
from tracetwin.model import recipes
from tracetwin.model.recipe import (
    Call,
    Dictionary,
    PreparedObject,
    PreparingCall,
    Reference,
    Scalar,
    Series,
    SeriesKind,
    tuple_of,
)
from tracetwin.model.recipes import Recipe

_BUILTINS: Final = vars(builtins)

_PURE: Final = frozenset(
    """abs all any ascii bin callable chr divmod format hash hex isinstance issubclass iter len max min next
    oct ord pow repr round sorted sum""".split()
)
_PURE_MODULES: Final = frozenset(("math", "cmath", "_operator", "unicodedata"))

NOTHING: Final = object()

Given: TypeAlias = "dict[str, Recipe]"


class ExampleNames:
    """The meanings of names and expressions in one run of examples.

    Args:
        module: the target.
        source: its text.
        known: local name -> qualified name in the target; None where each name may be one of it.
        histories: gives objects their numbers.
    """

    def __init__(
        self,
        module: ModuleType,
        source: Source,
        known: Mapping[str, str] | None,
        histories: Histories,
    ) -> None:
        self._module = module
        self._source = source
        self._known = known
        self._histories = histories
        self._names: dict[str, Recipe] = {}
        self._modules: dict[str, str] = {}
        self._imported: dict[str, Any] = {}

    def again(self) -> ExampleNames:
        """Return other meanings, to begin with the same."""
        other = ExampleNames(self._module, self._source, self._known, self._histories)
        other._names = {
            name: shown_objects.copied(value) if isinstance(value, PreparedObject) else value
            for name, value in self._names.items()
        }
        other._modules = dict(self._modules)
        other._imported = dict(self._imported)
        return other

    def imports(self, statement: ast.Import | ast.ImportFrom) -> None:
        """Take in what an import names."""
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                self._modules[alias.asname or alias.name.partition(".")[0]] = alias.name
            return
        home = None if statement.level else sys.modules.get(statement.module or "")
        for alias in statement.names if home is not None else ():
            self._imported[alias.asname or alias.name] = vars(home).get(alias.name, NOTHING)

    def own(self, name: str) -> str:
        """Return the qualified name in the target of a local name, "" where it means another thing."""
        if name in self._names:
            return ""
        return name if self._known is None else self._known.get(name, "")

    def offers_the_target(self, home: ModuleType | None) -> bool:
        """Return whether what a module holds may be the target's: it and its packages, in an example any."""
        if home is None or self._known is None:
            return home is not None
        return f"{self._module.__name__}.".startswith(f"{home.__name__}.")

    def name(self, name: str, value: ast.expr) -> None:
        """Take in that a name gets a value."""
        self.keep(name, self.object(value) or self.recipe(value))

    def keep(self, name: str, value: Recipe | None) -> None:
        """Let a name stand for a value, None for one that can't be told."""
        for known in [known for known in self._names if known == name or known.startswith(f"{name}.")]:
            del self._names[known]  # attributes of what had the name are those of another object now
        if value is not None:
            self._names[name] = value

    def object(self, node: ast.expr) -> PreparedObject | None:
        """The object that an expression stands for, as it is after that was evaluated; None for others."""
        match node:
            case ast.Name() | ast.Attribute() if (known := self._known_as(node)) is not None:
                return known if isinstance(known, PreparedObject) else None
            case ast.Attribute(value=inner, attr=name):
                return self._same(self.object(inner), name, PreparingCall(name, ()))
            case ast.Call(func=ast.Attribute(value=inner, attr=name)) if made := self.object(inner):
                return self._same(made, name, shown_objects.step_of(node, name, self.recipe))
            case ast.Call(func, args, keywords):
                made_by = self._instance(func, args, keywords)
                return None if made_by is None else shown_objects.begun(self._constructed(made_by, node))
            case _:
                return None

    def _known_as(self, node: ast.Name | ast.Attribute) -> Recipe | None:
        """The value that a name or an attribute of the test was given; None where that is not known."""
        if isinstance(node, ast.Name):
            return self._names.get(node.id)
        return self._names.get(f"{node.value.id}.{node.attr}") if isinstance(node.value, ast.Name) else None

    def _constructed(self, made_by: Call, node: ast.Call) -> Call:
        """The call of a class in the place of one of a function that returns instances of it.

        What both call by the same name is taken to be handed on.
        """
        function, cls = self._source.function(made_by.qualname), self.class_of(made_by)
        owner = self.definer(cls, "__init__")
        constructor = self._source.function(f"{owner}.__init__")
        if function is None or constructor is None or not isinstance(held(made_by), FunctionType):
            return made_by
        given = shown_objects.defaults(function, self.recipe) | self.given(function, node, skip=False)
        names = shown_objects.parameters(constructor)
        named = tuple((name, value) for name, value in given.items() if name in names)
        return Call(cls.__module__, cls.__qualname__, (), named)

    def _same(
        self, made: PreparedObject | None, name: str, step: PreparingCall | None
    ) -> PreparedObject | None:
        """The object after a method or property that returns it; None where that returns another."""
        if made is None or step is None:
            return None
        cls = self.class_of(made.construction)
        if not self.definer(cls, name) or not shown_objects.is_fluent(cls, name, self._source):
            return None
        return made if self.is_named(made) else shown_objects.after(made, step)

    def is_named(self, made: PreparedObject) -> bool:
        """Return whether a name stands for that very object: what is done on it lasts."""
        return any(made is known for known in self._names.values())

    def is_of_package(self, construction: Recipe) -> bool:
        """True if a call makes an instance of a class of the target's package."""
        home = str(getattr(self.class_of(construction), "__module__", ""))
        return home.partition(".")[0] == self._module.__name__.partition(".")[0]

    def class_of(self, construction: Recipe) -> Any:
        """The class of what a call makes, as far as names tell; None where they don't."""
        made = held(construction) if isinstance(construction, Call) else None
        if isinstance(made, FunctionType) and isinstance(construction, Call):
            node = self._source.function(construction.qualname)
            text = "" if node is None or node.returns is None else ast.unparse(node.returns)
            made = vars(self._module).get(text.strip("'\"").partition("[")[0])
        return shown_objects.owner_of(made)

    def kind_of(self, node: ast.expr) -> type | None:
        """`classmethod` or `staticmethod` for an expression that names one of a class of the module."""
        if not isinstance(node, ast.Attribute):
            return None
        owner = self.thing(node.value)
        if not isinstance(owner, type) or owner.__module__ != self._module.__name__:
            return None
        kind = type(inspect.getattr_static(owner, node.attr, None))
        return kind if kind in (classmethod, staticmethod) else None

    def definer(self, cls: Any, name: str) -> str:
        """The class of the module that defines a method which a class has; "" where none does."""
        for base in cls.__mro__ if isinstance(cls, type) else ():
            here = base.__module__ == self._module.__name__
            if here and self._source.function(f"{base.__qualname__}.{name}") is not None:
                return str(base.__qualname__)
        return ""

    def given(self, function: FunctionNode, node: ast.Call, *, skip: bool) -> Given:
        """The arguments by parameter, as far as they can be told."""
        spec = function.args
        names = [one.arg for one in (*spec.posonlyargs, *spec.args)][int(skip) :]
        values = [None if isinstance(one, ast.Starred) else self.recipe(one) for one in node.args]
        if any(isinstance(one, ast.Starred) for one in node.args) or any(not k.arg for k in node.keywords):
            return {}
        if self._known is not None and not all((*values, *(self.recipe(k.value) for k in node.keywords))):
            return {}
        given = {name: value for name, value in zip(names, values, strict=False) if value is not None}
        rest = values[len(names) :]
        if spec.vararg is not None and rest and None not in rest:
            given[f"*{spec.vararg.arg}"] = tuple_of(*(one for one in rest if one is not None))
        known = {*names, *(one.arg for one in spec.kwonlyargs)}
        more: list[tuple[Recipe, Recipe]] = []
        for keyword in node.keywords:
            value = self.recipe(keyword.value)
            if value is not None and keyword.arg in known:
                given[str(keyword.arg)] = value
            elif value is not None:
                more.append((recipes.lit(keyword.arg), value))
        if spec.kwarg is not None and more:
            given[f"**{spec.kwarg.arg}"] = Dictionary(tuple(more))
        return given

    def recipe(self, node: ast.expr) -> Recipe | None:
        """The recipe of what an expression makes, None where that can't be told without running it."""
        match node:
            case ast.Name() | ast.Attribute() if (known := self._known_as(node)) is not None:
                if isinstance(known, PreparedObject):
                    return self._histories.numbered(known) if known.calls else known.construction
                return known
            case ast.Name() | ast.Attribute():
                return self._named(self.thing(node))
            case ast.Call(func, args, keywords):
                return self._instance(func, args, keywords)
            case ast.List(items) | ast.Tuple(items) | ast.Set(items):
                parts = [self.recipe(item) for item in items]
                kind = SeriesKind(type(node).__name__.lower())
                return None if None in parts else Series(kind, tuple(part for part in parts if part))
            case ast.Dict(keys, values):
                pairs = [
                    (None if key is None else self.recipe(key), self.recipe(value))
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

    def _instance(self, func: ast.expr, args: list[ast.expr], keywords: list[ast.keyword]) -> Call | None:
        maker = f".{func.attr}" if isinstance(func, ast.Attribute) and self.kind_of(func) else ""
        thing = self.thing(func.value if isinstance(func, ast.Attribute) and maker else func)
        if not isinstance(thing, (type, FunctionType)) or self._is_of_another(thing):
            return None
        given = [self.recipe(one) for one in args]
        named = [(one.arg, self.recipe(one.value)) for one in keywords]
        if None in given or any(name is None or value is None for name, value in named):
            return None
        try:
            module, qualname = recipes.reference(thing, self._module)
        except recipes.NotNameable:
            return None
        kwargs = tuple((str(name), value) for name, value in named if value is not None)
        return Call(module, qualname + maker, tuple(one for one in given if one is not None), kwargs)

    def _is_of_another(self, thing: Any) -> bool:
        """True if something is a function of another module: what that does can't be told."""
        return isinstance(thing, FunctionType) and thing.__module__ != self._module.__name__

    def thing(self, node: ast.expr) -> Any:
        """The class, function or other value that an expression names; `NOTHING` where there is none."""
        if isinstance(node, ast.Name):
            own = node.id if self._known is None else self._known.get(node.id, "")
            for names, name in ((self._imported, node.id), (vars(self._module), own), (_BUILTINS, node.id)):
                if name in names:
                    return names[name]
        elif isinstance(node, ast.Attribute):
            home = self.module_of(node.value)
            return NOTHING if home is None else vars(home).get(node.attr, NOTHING)
        return NOTHING

    def _named(self, thing: Any) -> Recipe | None:
        """The recipe of a class, function or constant that an example passes by its name."""
        if thing is NOTHING:
            return None
        if not isinstance(thing, (type, FunctionType, BuiltinFunctionType)):
            plain = isinstance(thing, (list, tuple, set, frozenset, dict))  # which may be large
            made = None if plain else recipes.of_value(thing)
            return made if isinstance(made, Scalar) else None
        if not isinstance(thing, type) and (self._is_of_another(thing) or _acts(thing)):
            return None
        try:
            return Reference(*recipes.reference(thing, self._module))
        except recipes.NotNameable:
            return None

    def module_of(self, node: ast.expr) -> ModuleType | None:
        """The loaded module that an expression names."""
        name = ast.unparse(node)
        thing = vars(self._module).get(name)
        if isinstance(thing, ModuleType):
            return thing
        first, dot, rest = name.partition(".")
        known: Mapping[str, ModuleType] = sys.modules
        return known.get(self._modules.get(first, first) + dot + rest) or (
            self._module if name == self._module.__name__.rpartition(".")[2] else None
        )


def _acts(function: Any) -> bool:
    """True if a function written in C may do more than tell a result: a test must not call it by chance."""
    if not isinstance(function, BuiltinFunctionType):
        return False
    return function.__module__ not in _PURE_MODULES and not (
        function.__module__ == "builtins" and function.__name__ in _PURE
    )
