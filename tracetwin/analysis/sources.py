"""The original source of a module: definitions by qualified name, and imports made only for type checkers."""

from __future__ import annotations

import ast
import functools
import inspect
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import field, replace
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, TypeAlias, TypeVar

from tracetwin.support.data import dataclass
from tracetwin.support.syntax import absolute
from tracetwin.target.outline import load_code, outline_of, tree_of

_Node = TypeVar("_Node", bound=ast.AST)

MOST_READ: Final = 128
"""Modules whose texts and trees are kept: those of a package are looked at in turns."""

MOST_WALKED: Final = 4096
"""Trees whose nodes are kept."""


def executable_lines(tree: ast.Module, first: int, last: int) -> frozenset[int]:
    """The lines with code between two lines, but those on which a function begins."""
    whole = _compiled(tree)
    lines: set[int] = set()
    for code in _codes_in(whole):
        if first <= code.co_firstlineno <= last and code is not whole:
            own = {line for _, _, line in code.co_lines() if line is not None}
            lines |= own - {code.co_firstlineno}
    return frozenset(line for line in lines if first <= line <= last)


def has_handlers(tree: ast.Module, first: int, last: int) -> bool:
    """True if some exception is handled between two lines."""
    return any(first <= line <= last for line in _handlers(tree))


@functools.lru_cache(maxsize=4)  # as below
def _handlers(tree: ast.Module) -> tuple[int, ...]:
    return tuple(node.lineno for node in walk(tree) if isinstance(node, ast.ExceptHandler))


@functools.lru_cache(maxsize=4)  # asked for by every function of a module
def _compiled(tree: ast.Module) -> CodeType:
    return compile(tree, "<target>", "exec", dont_inherit=True)


def _codes_in(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes_in(constant)


FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Source:
    """The source of a module, indexed. Without text everything is empty.

    Attributes:
        definitions: every definition of each qualified name, in order (not those inside functions).
        checking_imports: local name -> (module, attribute) under `if TYPE_CHECKING`; the attribute is None
            where the name is the module, "" where it is its topmost package.
        checking_values: what else has a name there, such as aliases and type variables.
    """

    tree: ast.Module = field(default_factory=lambda: ast.Module([], []))
    definitions: dict[str, list[Definition]] = field(default_factory=dict)
    checking_imports: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    checking_values: dict[str, ast.expr] = field(default_factory=dict)

    def function(self, qualname: str, first_line: int | None = None) -> FunctionNode | None:
        """The function of that name: the one at `first_line` (its decorator's or its own), else the last."""
        nodes = [node for node in self.definitions.get(qualname, []) if not isinstance(node, ast.ClassDef)]
        for node in nodes:
            if first_line in (node.lineno, *(decorator.lineno for decorator in node.decorator_list)):
                return node
        return nodes[-1] if nodes else None

    def at_line(self, line: int) -> FunctionNode | None:
        """The function, wherever it is defined, that is or whose decorators are at a line."""
        return _by_line(self.tree).get(line)

    def class_(self, qualname: str) -> ast.ClassDef | None:
        """The class of that name."""
        nodes = [node for node in self.definitions.get(qualname, []) if isinstance(node, ast.ClassDef)]
        return nodes[-1] if nodes else None

    def methods(self, qualname: str) -> dict[str, FunctionNode]:
        """The functions in the body of a class, the last of each name."""
        node = self.class_(qualname)
        if node is None:
            return {}
        return {item.name: item for item in definitions_in(node.body) if not isinstance(item, ast.ClassDef)}


@functools.lru_cache(maxsize=MOST_WALKED)  # the same functions are looked at for each of their parameters
def walk(node: ast.AST) -> tuple[ast.AST, ...]:
    """The nodes of a tree that nobody changes, as `ast.walk` yields them, in about half of its time."""
    found = [node]
    for one in found:  # which grows meanwhile
        found += children(one)
    return tuple(found)


def children(node: ast.AST) -> list[ast.AST]:
    """The direct parts of a node, as `ast.iter_child_nodes` yields them, in about half of its time."""
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            found += [part for part in value if isinstance(part, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def copied(node: _Node) -> _Node:
    """A copy of a tree that may be changed, as `copy.deepcopy` makes it, in a tenth of its time."""
    made = type(node).__new__(type(node))
    vars(made).update((name, _copied_part(value)) for name, value in vars(node).items())
    return made


def _copied_part(value: Any) -> Any:
    if isinstance(value, list):
        return [_copied_part(part) for part in value]
    return copied(value) if isinstance(value, ast.AST) else value


@functools.lru_cache(maxsize=32)
def _by_line(tree: ast.Module) -> dict[int, FunctionNode]:
    found: dict[int, FunctionNode] = {}
    for node in walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for line in (node.lineno, *(decorator.lineno for decorator in node.decorator_list)):
                found.setdefault(line, node)
    return found


def read(module: ModuleType) -> Source:
    """The source of a module; its outline where it has none, empty when nothing can be known."""
    text = text_of(module)
    return _parsed(text, getattr(module, "__package__", None) or "") if text else _outlined(module)


@functools.lru_cache(maxsize=MOST_READ)  # modules are looked at from many sides, and nobody changes a tree
def _parsed(text: str, package: str) -> Source:
    try:
        tree = ast.parse(text, type_comments=True)
    except SyntaxError:  # a type comment in the wrong place is no reason to know nothing
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            return Source()
    except ValueError:
        return Source()
    source = indexed(tree)
    if "TYPE_CHECKING" not in text:
        return source
    checking = [part for item in ast.walk(tree) for part in _for_checkers(item)]
    imports, values = dict(_checking_imports(checking, package)), dict(_checking_values(checking))
    return replace(source, checking_imports=imports, checking_values=values)


def indexed(tree: ast.Module) -> Source:
    """The source that a tree is of, without what is there for type checkers only."""
    found: dict[str, list[Definition]] = {}
    for qualname, node in qualified(tree.body):
        found.setdefault(qualname, []).append(node)
    return Source(tree, found)


def _outlined(module: ModuleType) -> Source:
    file = getattr(module, "__file__", None)
    if not isinstance(file, str) or not file.endswith(".pyc"):
        return Source()
    try:
        tree = tree_of(outline_of(load_code(module.__name__, file)))
    except (ImportError, OSError):  # the target may have changed both names
        return Source()
    return indexed(tree)


def text_of(module: ModuleType) -> str:
    """The source of a module as text, "" where there is none."""
    file = getattr(module, "__file__", None)
    if isinstance(file, str) and file.endswith((".py", ".pyw")):
        try:
            now = Path(file).stat()
            return _text_in(file, now.st_mtime_ns, now.st_size)
        except (OSError, SyntaxError, UnicodeDecodeError, ValueError):
            pass  # inside an archive, perhaps: the loader knows
    try:
        return inspect.getsource(module)
    except Exception:  # noqa: BLE001 - a module may have set its `__file__` to anything
        return ""


@functools.lru_cache(maxsize=MOST_READ)
def _text_in(file: str, _time: int, _size: int) -> str:
    """The text of a file, as it was at a time."""
    with tokenize.open(file) as stream:
        return stream.read()


def definitions_in(body: list[ast.stmt]) -> Iterator[Definition]:
    """Functions and classes of a body, also those under `if`, `try`, `with` and loops."""
    for item in body:
        if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield item
            continue
        for name in ("body", "orelse", "handlers", "finalbody"):
            for part in getattr(item, name, []):
                if isinstance(part, ast.ExceptHandler):
                    yield from definitions_in(part.body)
                elif isinstance(part, ast.stmt):
                    yield from definitions_in([part])


def definition(tree: ast.Module, qualname: str) -> Definition | None:
    """The first function or class of a qualified name, None where there is none."""
    body, node = tree.body, None
    for name in qualname.split("."):
        node = next((item for item in definitions_in(body) if item.name == name), None)
        if node is None:
            return None
        body = node.body
    return node


def qualified(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, Definition]]:
    """Functions and classes of a body with their qualified names, and those in classes; none in functions."""
    for item in definitions_in(body):
        yield prefix + item.name, item
        if isinstance(item, ast.ClassDef):
            yield from qualified(item.body, f"{prefix}{item.name}.")


def _for_checkers(node: ast.AST) -> list[ast.stmt]:
    """The side of an ``if TYPE_CHECKING`` that only type checkers read."""
    if not isinstance(node, ast.If) or "TYPE_CHECKING" not in ast.unparse(node.test):
        return []
    negated = isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not)
    return node.orelse if negated else node.body


def _checking_imports(
    body: list[ast.stmt], package: str
) -> Iterator[tuple[str, tuple[str, str | None]]]:
    for part in ast.walk(ast.Module(body, [])):
        if isinstance(part, ast.Import):
            for alias in part.names:
                name = alias.asname or alias.name.partition(".")[0]
                yield name, (alias.name, None if alias.asname else "")
        elif isinstance(part, ast.ImportFrom):
            module = absolute(part, package)
            for alias in part.names:
                yield alias.asname or alias.name, (module, alias.name)


def _checking_values(body: list[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    for part in ast.walk(ast.Module(body, [])):
        match part:
            case ast.Assign([ast.Name(name)], value):
                yield name, value
            case ast.AnnAssign(ast.Name(name), _, ast.expr() as value):
                yield name, value
            case _:
                pass


def kept_on(node: FunctionNode, this: str) -> frozenset[str]:
    """The attributes that a function itself assigns to what it calls `this`."""
    return _attributes_on(node, this, ast.Store)


def asked_on(node: FunctionNode, this: str) -> frozenset[str]:
    """The attributes that a function itself asks of what it calls `this`."""
    return _attributes_on(node, this, ast.Load)


@functools.lru_cache(maxsize=4 * MOST_WALKED)
def _attributes_on(node: FunctionNode, this: str, context: type[ast.expr_context]) -> frozenset[str]:
    return frozenset(
        part.attr
        for part in walk(node)
        if isinstance(part, ast.Attribute)
        and isinstance(part.ctx, context)
        and isinstance(part.value, ast.Name)
        and part.value.id == this
    )


def is_static(method: FunctionNode) -> bool:
    """True for what is under ``@staticmethod``."""
    return any(ast.unparse(decorator) == "staticmethod" for decorator in method.decorator_list)


def node_of(function: FunctionType) -> FunctionNode | None:
    """Return the text of a function, whichever module it is of; None for one of the standard library."""
    module = sys.modules.get(function.__module__ or "")
    if module is None or module.__name__.partition(".")[0] in sys.stdlib_module_names:
        return None
    source, line = read(module), function.__code__.co_firstlineno
    if getattr(module, "__file__", None) != function.__code__.co_filename:
        return None
    return source.at_line(line)


def receiver_of(method: FunctionNode) -> str | None:
    """The name of the parameter that a method is bound to; static methods have none."""
    items = [*method.args.posonlyargs, *method.args.args]
    return items[0].arg if items and not is_static(method) else None


def arguments(callee: FunctionNode, node: ast.Call, method: bool) -> list[tuple[ast.arg, ast.expr]]:
    """The parameters of a function beside what a call gives them."""
    positional = [*callee.args.posonlyargs, *callee.args.args]
    positional = positional[1:] if method and not is_static(callee) else positional
    given = node.args
    starred = next((i for i, item in enumerate(given) if isinstance(item, ast.Starred)), len(given))
    pairs = list(zip(positional, given[:starred], strict=False))
    by_name = {item.arg: item for item in [*positional, *callee.args.kwonlyargs]}
    return [*pairs, *((by_name[k.arg], k.value) for k in node.keywords if k.arg in by_name)]


@functools.lru_cache(maxsize=512)
def returned_by(function: FunctionNode) -> tuple[ast.expr | None, ...]:
    """Return what each `return` of a function itself gives, None for a bare one.

    Nothing of generators and coroutines, and nothing where a decorator may give something else.
    """
    if isinstance(function, ast.AsyncFunctionDef) or function.decorator_list:
        return ()
    waiting: list[ast.AST] = list(function.body)
    found: list[ast.expr | None] = []
    for node in waiting:  # grows while it is walked
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return ()
        if isinstance(node, ast.Return):
            found.append(node.value)
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            waiting += children(node)
    return tuple(found)
