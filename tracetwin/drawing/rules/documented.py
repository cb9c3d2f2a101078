"""Reads calls out of the examples in docstrings and in the description of a package: types and whole inputs.

Nothing of an example is run. A call counts where it is plain to see what it calls and what it passes:
literals, instances of classes made of those, and variables that were set to such before.
"""

from __future__ import annotations

import ast
import doctest
import itertools
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeAlias

from tracetwin.analysis.evidence.call_names import parsed_file
from tracetwin.analysis.sources import FunctionNode, Source
from tracetwin.model import recipes
from tracetwin.model.recipe import Call, Dictionary, Scalar, Series, SeriesKind, tuple_of
from tracetwin.model.recipes import Recipe

MOST_CALLS: Final = 8
"""Examples of one function."""

MOST_TEXT: Final = 400_000
"""Letters of a package's description that are read."""

_FENCED: Final = re.compile(r"^```\s*(?:python|py|pycon)?[^\n`]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_BLOCK: Final = re.compile(
    r"^\.\. (?:code-block|code|sourcecode):: *python[^\n]*\n((?:[ \t]+[^\n]*\n|\n)+)", re.MULTILINE
)

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
        """Take in a call."""
        if given in self.calls or len(self.calls) >= MOST_CALLS:
            return
        self.calls.append(given)
        for name, recipe in given.items():
            shape = _shape(recipe)
            known = self.shapes.setdefault(name, [])
            if shape is not None and shape not in known:
                known.append(shape)


def documented(module: ModuleType, source: Source) -> dict[str, DocumentedFunction]:
    """Return the examples of a module's functions, by qualified name; a constructor is its ``__init__``."""
    found: dict[str, DocumentedFunction] = {}
    for text in itertools.chain(_docstrings(source.tree), _description(module)):
        for statements in _examples(text):
            _Reader(module, source, found).read(statements)
    return found


# -- where examples stand


def _docstrings(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            text = ast.get_docstring(node)
            if text and ">>>" in text:
                yield text


def _description(module: ModuleType) -> Iterator[str]:
    """Yield what the package that a module belongs to says of itself, where it is installed."""
    top = module.__name__.partition(".")[0]
    file = getattr(sys.modules.get(top), "__file__", None)
    if not isinstance(file, str):
        return
    folder = Path(file).parent
    folder = folder.parent if Path(file).stem == "__init__" else folder
    wanted = _plain_name(top)
    try:
        for place in sorted(folder.glob("*.dist-info")):
            if wanted in _plain_name(place.name.partition("-")[0]):
                yield (place / "METADATA").read_text(encoding="utf-8", errors="replace")[:MOST_TEXT]
    except OSError:
        return


def _plain_name(name: str) -> str:
    return re.sub(r"[-_.]", "", name).lower()


def _examples(text: str) -> Iterator[list[ast.stmt]]:
    """Yield the statements of each run of examples in a text."""
    try:
        written = [example.source for example in doctest.DocTestParser().get_examples(text)]
    except ValueError:  # a prompt without its space
        written = []
    statements = [statement for source in written for statement in _parsed(source)]
    if statements:
        yield statements
    for block in itertools.chain(_FENCED.findall(text), _BLOCK.findall(text)):
        if ">>>" not in block and (found := _parsed(_undented(block))):
            yield found


def _undented(block: str) -> str:
    lines = block.splitlines()
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "\n".join(line[margin:] for line in lines)


def _parsed(text: str) -> list[ast.stmt]:
    tree = parsed_file(text)
    return [] if tree is None else tree.body


# -- what they call


class _Reader:
    """One run of examples: what its names stand for."""

    def __init__(self, module: ModuleType, source: Source, found: dict[str, DocumentedFunction]) -> None:
        self._module = module
        self._source = source
        self._found = found
        self._names: dict[str, Recipe] = {}
        self._modules: dict[str, str] = {}

    def read(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            for node in ast.walk(statement):
                if isinstance(node, ast.Call):
                    self._note(node)
            self._bind(statement)

    def _bind(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                self._modules[alias.asname or alias.name.partition(".")[0]] = alias.name
            return
        if not isinstance(statement, ast.Assign):
            return
        value = self._recipe(statement.value)
        for target in statement.targets:
            if isinstance(target, ast.Name):
                self._names.pop(target.id, None)
                if value is not None:
                    self._names[target.id] = value

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
            if self._source.class_(node.id) is not None:
                return f"{node.id}.__init__", {}, True
            return (node.id, {}, False) if node.id not in self._names else None
        if not isinstance(node, ast.Attribute):
            return None
        receiver = self._recipe(node.value)
        if isinstance(receiver, Call) and self._is_own(receiver):
            return f"{receiver.qualname}.{node.attr}", {"self": receiver}, True
        if receiver is None and self._module_of(node.value) is not None:
            return self._called(ast.Name(node.attr))
        return None

    def _is_own(self, recipe: Call) -> bool:
        return self._source.class_(recipe.qualname) is not None

    def _given(self, function: FunctionNode, node: ast.Call, skip: bool) -> Given:
        """The arguments by parameter, as far as they can be told."""
        spec = function.args
        names = [one.arg for one in (*spec.posonlyargs, *spec.args)][int(skip) :]
        values = [None if isinstance(one, ast.Starred) else self._recipe(one) for one in node.args]
        if any(isinstance(one, ast.Starred) for one in node.args) or any(not k.arg for k in node.keywords):
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
                return self._names.get(name)
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
        cls = self._class(func)
        if cls is None:
            return None
        given = [self._recipe(one) for one in args]
        named = [(one.arg, self._recipe(one.value)) for one in keywords]
        if None in given or any(name is None or value is None for name, value in named):
            return None
        try:
            module, qualname = recipes.reference(cls, self._module)
        except recipes.NotNameable:
            return None
        kwargs = tuple((str(name), value) for name, value in named if value is not None)
        return Call(module, qualname, tuple(one for one in given if one is not None), kwargs)

    def _class(self, func: ast.expr) -> type | None:
        """The class that an expression names."""
        found: Any = None
        if isinstance(func, ast.Name):
            found = vars(self._module).get(func.id)
        elif isinstance(func, ast.Attribute):
            home = self._module_of(func.value)
            found = None if home is None else vars(home).get(func.attr)
        return found if isinstance(found, type) else None

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
        case Call(module, qualname):
            return ["instance", [[module, qualname]]]
        case _:
            return None
