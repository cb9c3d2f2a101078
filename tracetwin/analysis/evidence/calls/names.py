"""Meanings of names where the target is used: imports, assignments, loops, parametrisation, fixtures."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import Final, TypeAlias

from tracetwin.analysis.evidence.expressions import dotted
from tracetwin.analysis.sources import Source
from tracetwin.support.data import dataclass
from tracetwin.support.syntax import absolute

Bindings: TypeAlias = dict[str, list[ast.expr]]
"""By name, or dotted name of an attribute, the expressions of what it is given."""


class ElementOf(ast.Subscript):
    """An element of what a loop goes over, or of what is taken apart, as an expression."""


class ParameterOf(ast.expr):
    """A parameter of a function, as an expression for what it gets.

    Attributes:
        module: the dotted name of the function's module; "" for the target.
        function: its qualified name there; "" where it is inside of another function.
        parameter: the parameter, with its annotation.
    """

    _fields = ()

    def __init__(self, module: str, function: str, parameter: ast.arg) -> None:
        super().__init__()
        self.module = module
        self.function = function
        self.parameter = parameter


_COUNT: Final = ast.Call(ast.Name("len"), [], [])
"""An expression that counts something."""


_OWN_MAKING: Final = ("Enum", "Flag", "NamedTuple", "TypedDict")
"""Ends of the names of bases that give a class a way of its own to be called."""


@dataclass
class File:
    """The meanings of the names of one file.

    Attributes:
        names: local name -> qualified name in the target, "" for the target itself.
        imports: local name -> (module, attribute or None) of everything else.
        fixtures: by name of a function what it returns or yields.
        module: the dotted name by which it is imported; "" for the target itself.
    """

    names: dict[str, str] = field(default_factory=dict)
    imports: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    fixtures: Bindings = field(default_factory=dict)
    module: str = ""


def target_name(file: File, name: str) -> str | None:
    """The qualified name in the target that a dotted name of a file means; None for all others."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        known = file.names.get(".".join(parts[:count]))
        if known is not None:
            return ".".join(part for part in (known, *parts[count:]) if part)
    return None


def add(scope: Bindings, more: Bindings) -> None:
    """Let names stand for more expressions."""
    for name, values in more.items():
        scope.setdefault(name, []).extend(values)


def bindings(body: list[ast.stmt]) -> Bindings:
    """The values that names and attributes get in a body: by assignments, `with` and loops."""
    found: Bindings = {}
    for node in statements(body, inner=False):
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    add(found, _unpacked(target, value))
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                add(found, _unpacked(target, value))
            case ast.With(items=items) | ast.AsyncWith(items=items):
                for item in items:
                    if item.optional_vars is not None:
                        add(found, _unpacked(item.optional_vars, item.context_expr))
            case ast.For(target=target, iter=iterable):
                add(found, _gone_over(target, iterable))
            case _:
                pass
    return found


def _gone_over(target: ast.expr, iterable: ast.expr) -> Bindings:
    match iterable:
        case ast.List(rows) | ast.Tuple(rows) | ast.Set(rows):
            found: Bindings = {}
            for row in rows:
                add(found, _unpacked(target, row))
            return found
        case ast.Call(ast.Name("range")):
            return _unpacked(target, _COUNT)
        case ast.Call(ast.Name("enumerate"), [inner, *_]):
            return _counted(target, inner)
        case ast.Call(ast.Name("sorted" | "reversed" | "list" | "set"), [inner, *_]):
            return _gone_over(target, inner)
        case _:
            return _unpacked(target, ElementOf(iterable, ast.Name("_"), ast.Load()))


def _counted(target: ast.expr, iterable: ast.expr) -> Bindings:
    """The names of a loop over `enumerate(...)`."""
    match target:
        case ast.Tuple([count, value]) | ast.List([count, value]):
            return {**_unpacked(count, _COUNT), **_gone_over(value, iterable)}
        case _:
            return {}


_BODIES: Final = ("body", "orelse", "finalbody", "handlers", "cases")
_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def statements(body: Iterable[ast.AST], *, inner: bool = True) -> Iterator[ast.stmt]:
    """The statements of a body and those in them, `inner` ones of functions and classes as well."""
    waiting = list(body)[::-1]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.stmt):
            yield node
        if inner or not isinstance(node, _DEFINITIONS):
            parts = [part for name in _BODIES for part in getattr(node, name, ())]
            waiting += parts[::-1]


def _unpacked(target: ast.expr, value: ast.expr) -> Bindings:
    if isinstance(target, (ast.Tuple, ast.List)):
        found: Bindings = {}
        if not isinstance(value, (ast.Tuple, ast.List)):
            parts: list[ast.expr] = [
                ElementOf(value, ast.Constant(place), ast.Load()) for place in range(len(target.elts))
            ]
        else:
            parts = value.elts
        if len(parts) == len(target.elts) and not any(isinstance(one, ast.Starred) for one in target.elts):
            for part, inner in zip(target.elts, parts, strict=True):
                add(found, _unpacked(part, inner))
        return found
    name = dotted(target)
    return {name: [value]} if name else {}


def parametrized(decorator: ast.expr) -> Bindings:
    """``@pytest.mark.parametrize("a, b", [(1, 2), ...])``: what the parameters get."""
    match decorator:
        case ast.Call(func=ast.Attribute(attr="parametrize"), args=[names, table, *_]):
            rows = table.elts if isinstance(table, (ast.List, ast.Tuple)) else []
        case _:
            return {}
    if isinstance(names, ast.Constant) and isinstance(names.value, str):
        words = [word.strip() for word in names.value.split(",") if word.strip()]
    else:
        words = [str(item.value) for item in getattr(names, "elts", []) if isinstance(item, ast.Constant)]
    found: Bindings = {}
    for row in rows:
        if isinstance(row, ast.Call) and dotted(row.func).rpartition(".")[2] == "param":
            row = row.args[0] if len(words) == 1 and row.args else ast.Tuple(row.args)  # noqa: PLW2901
        if len(words) == 1:
            found.setdefault(words[0], []).append(row)
        else:
            add(found, _unpacked(ast.Tuple([ast.Name(word) for word in words]), row))
    return found


def returned(tree: ast.Module) -> Bindings:
    """The values of fixtures: by the name of the function the expressions that it returns or yields."""
    found: Bindings = {}
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef):
            continue
        if not any("fixture" in ast.unparse(decorator) for decorator in node.decorator_list):
            continue
        inner = bindings(node.body)
        for item in statements(node.body, inner=False):
            value = item.value if isinstance(item, (ast.Return, ast.Expr)) else None
            value = value.value if isinstance(value, (ast.Yield, ast.Await)) else value
            if value is not None and isinstance(item, (ast.Return, ast.Expr)):
                name = dotted(value)
                found.setdefault(node.name, []).extend(inner.get(name, [value]) if name else [value])
    return found


def imported(tree: ast.Module, name: str) -> dict[str, tuple[str, str | None]]:
    """The imports of a file: local name -> (module, attribute)."""
    found: dict[str, tuple[str, str | None]] = {}
    package = name.rpartition(".")[0]
    for node in statements(tree.body):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name] = (alias.name, None)
        elif isinstance(node, ast.ImportFrom):
            module = absolute(node, package)
            for alias in node.names:
                found[alias.asname or alias.name] = (module, alias.name)
    return found


def makes_its_own(cls: ast.ClassDef) -> bool:
    """True if calling a class may be no call of a constructor that it inherits."""
    bases = (dotted(base) or "" for base in cls.bases)
    return bool(cls.decorator_list) or any(base.endswith(_OWN_MAKING) for base in bases)


def import_names(tree: ast.Module, file: File, name: str, target: str, source: Source) -> None:
    """Sort the imports of a file: those that mean the target or something in it, and the rest.

    A package may offer what the target defines: then a name is enough that both know.
    """
    tops = {qualname for qualname in source.definitions if "." not in qualname}
    packages = {target.rsplit(".", count)[0] for count in range(1, target.count(".") + 1)}
    for local, (module, attribute) in imported(tree, name).items():
        full = f"{module}.{attribute}" if attribute else module
        if full == target:
            file.names[local] = ""
        elif attribute == "*" and module == target:
            file.names.update((top, top) for top in tops)
        elif attribute is not None and attribute in tops and (module == target or module in packages):
            file.names[local] = attribute
        else:
            file.imports[local] = (module, attribute)


@functools.lru_cache(maxsize=64)
def parsed_file(text: str) -> ast.Module | None:
    """The syntax tree of a file, None where it is not of this Python."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


_PROMPT: Final = re.compile(r"^[ \t]*(>>>|\.\.\.) ?(.*)$")


def doctests(tree: ast.Module) -> Iterator[str]:
    """The examples in each docstring, as far as they are Python."""
    for node in (tree, *statements(tree.body)):
        text = ast.get_docstring(node) if isinstance(node, (ast.Module, *_DEFINITIONS)) else None
        if not text or ">>>" not in text:
            continue
        examples: list[str] = []
        for line in text.splitlines():
            found = _PROMPT.match(line)
            if found is not None and found[1] == ">>>":
                examples.append(found[2])
            elif found is not None and examples:
                examples[-1] += f"\n{found[2]}"
        whole = [example for example in examples if parsed_file(example) is not None]
        yield "\n".join(whole)
