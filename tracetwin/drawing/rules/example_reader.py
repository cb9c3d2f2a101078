"""Reads the calls in examples: what they call, and recipes of what they pass. Nothing is run."""

from __future__ import annotations

import ast
import builtins
import functools
from collections.abc import Iterable, Mapping
from dataclasses import field
from types import ModuleType
from typing import Any, Final

from tracetwin.analysis.sources import MOST_WALKED, Source
from tracetwin.drawing.rules import shown_objects
from tracetwin.drawing.rules.example_names import ExampleNames, Given
from tracetwin.drawing.rules.shown_objects import Histories, held
from tracetwin.model.recipe import Call, Dictionary, PreparedObject, PreparingCall, Reference, Scalar, Series
from tracetwin.model.recipes import Recipe
from tracetwin.support.data import dataclass

MOST_CALLS: Final = 8
"""Examples of one function."""

_BUILTINS: Final = vars(builtins)


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


@dataclass
class Documented:
    """The examples of a module: calls of its functions, and objects.

    Attributes:
        functions: by qualified name; a constructor is the ``__init__`` of its class.
        histories: the objects in them, and what is done on these.
    """

    functions: dict[str, DocumentedFunction] = field(default_factory=dict)
    histories: Histories = field(default_factory=Histories)


class ExampleReader:
    """One run of examples: what it calls, and what it does with objects."""

    def __init__(
        self,
        module: ModuleType,
        source: Source,
        found: Documented,
        names: Mapping[str, str] | None = None,
    ) -> None:
        self._module = module
        self._source = source
        self._found = found
        self._meant = ExampleNames(module, source, names, found.histories)

    def again(self) -> ExampleReader:
        """Return another reader that knows the names which this one has read."""
        other = ExampleReader(self._module, self._source, self._found)
        other._meant = self._meant.again()
        return other

    def read(self, statements: Iterable[ast.stmt], given: Mapping[str, ast.expr] | None = None) -> None:
        """Read statements, those in others behind them; `given` are names with a value from elsewhere."""
        for name, value in (given or {}).items():
            self._meant.name(name, value)
        for statement in statements:
            for node in _calls_in(statement):
                self._note(node)
                self._act(node)
            for target, step in shown_objects.stores(statement, self._meant.recipe):
                self._do(self._meant.object(target), target, step)
            self._bind(statement)

    def _bind(self, statement: ast.stmt) -> None:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            self._meant.imports(statement)
        elif isinstance(statement, (ast.With, ast.AsyncWith)):
            word = "__enter__" if isinstance(statement, ast.With) else "__aenter__"
            for item in statement.items:
                self._enter(item, PreparingCall(word, ()))
        elif isinstance(statement, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Name):
                    self._meant.name(target.id, statement.value)
                elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
                    self._meant.name(f"{target.value.id}.{target.attr}", statement.value)

    def _enter(self, item: ast.withitem, step: PreparingCall) -> None:
        """Name what a block enters: an object of the example, as its class rarely gives another."""
        made = self._meant.object(item.context_expr)
        if made is not None and isinstance(item.optional_vars, ast.Name):
            self._meant.keep(item.optional_vars.id, shown_objects.after(made, step))

    def _act(self, node: ast.Call) -> None:
        """Note what a call does on an object."""
        if isinstance(node.func, ast.Attribute) and (made := self._meant.object(node.func.value)):
            name = node.func.attr
            if shown_objects.is_method(self._meant.class_of(made.construction), name):
                self._do(made, node.func.value, shown_objects.step_of(node, name, self._meant.recipe))

    def _do(self, made: PreparedObject | None, node: ast.expr, step: PreparingCall | None) -> None:
        """Note one more call on an object of the package that an expression stands for.

        What is done on others may reach beyond the program: ``Path("x").unlink()``.
        """
        if made is None or step is None or not self._meant.is_of_package(made.construction):
            return
        done = shown_objects.after(made, step)
        if self._meant.is_named(made):
            made.calls[:] = done.calls
            done = made
        self._found.histories.add(done)

    def _note(self, node: ast.Call) -> None:
        called = self._called(node.func)
        if called is None:
            return
        qualname, receiver, skip = called
        function = self._source.function(qualname)
        if function is None:
            return
        given = dict(receiver) | self._meant.given(function, node, skip=skip)
        if len(given) > len(receiver) or not (node.args or node.keywords):
            known = self._found.functions.setdefault(qualname, DocumentedFunction())
            known.add(given)
            made = self._meant.recipe(node) if qualname.endswith(".__init__") else None
            if made is not None and made not in known.instances:
                known.instances.append(made)

    def _called(self, node: ast.expr) -> tuple[str, Given, bool] | None:
        """The name of the function of the module that is called, its receiver, and whether it has one."""
        if isinstance(node, ast.Name):
            return self._plainly(self._meant.own(node.id))
        if not isinstance(node, ast.Attribute):
            return None
        if kind := self._meant.kind_of(node):
            owner = self._meant.definer(self._meant.thing(node.value), node.attr)
            return f"{owner}.{node.attr}", {}, kind is classmethod
        made = self._meant.object(node.value)
        receiver = self._meant.recipe(node.value) if made is None else made.construction
        if isinstance(receiver, Call):
            owner = self._meant.definer(self._meant.class_of(receiver), node.attr)
            return (f"{owner}.{node.attr}", {"self": receiver}, True) if owner else None
        if receiver is None and self._meant.offers_the_target(self._meant.module_of(node.value)):
            return self._plainly(node.attr)
        return None

    def _plainly(self, name: str) -> tuple[str, Given, bool]:
        """The function that a call by a name calls: the constructor of a class, which a base may have."""
        held_there = vars(self._module).get(name)
        if self._source.class_(name) is None and not isinstance(held_there, type):
            return name, {}, False
        return f"{self._meant.definer(held_there, '__init__') or name}.__init__", {}, True


@functools.lru_cache(maxsize=MOST_WALKED)  # what a file does when imported is read for each function
def _calls_in(statement: ast.stmt) -> tuple[ast.Call, ...]:
    """Return the calls of a statement, inner ones first, without those of the statements in it."""
    waiting: list[ast.AST] = [statement]
    for node in waiting:
        waiting += [part for part in ast.iter_child_nodes(node) if not isinstance(part, ast.stmt)]
    return tuple(node for node in reversed(waiting) if isinstance(node, ast.Call))


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
        case Call(module, qualname) if isinstance(held(recipe), type):
            return ["instance", [[module, qualname]]]
        case PreparedObject():
            return _shape(recipe.construction)
        case Reference("builtins", name) if isinstance(_BUILTINS.get(name), type):
            return ["class", "builtins", name]
        case _:
            return None
