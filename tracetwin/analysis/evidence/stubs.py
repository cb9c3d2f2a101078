"""Stub files: where they are (PEP 561), and what they declare, as syntax. None is ever imported."""

from __future__ import annotations

import ast
import functools
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import Final

from tracetwin.analysis.evidence.expressions import dotted
from tracetwin.analysis.sources import FunctionNode
from tracetwin.support.data import dataclass
from tracetwin.support.syntax import absolute

MOST_BYTES: Final = 300_000

_typeshed = ""


@dataclass(frozen=True)
class Stub:
    """The declarations of one stub file on this interpreter and platform.

    Attributes:
        module: its dotted name.
        functions: by qualified name the definitions, several where they are overloaded.
        values: by qualified name the annotations of variables and attributes.
        aliases: by name what is assigned.
        imports: local name -> (module, attribute or None for the module itself).
        stars: the modules of which everything is imported.
    """

    module: str
    functions: dict[str, list[FunctionNode]] = field(default_factory=dict)
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)
    values: dict[str, ast.expr] = field(default_factory=dict)
    aliases: dict[str, ast.expr] = field(default_factory=dict)
    imports: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)

    def defines(self, name: str) -> bool:
        """True if the file itself says what a name of its top level is."""
        return any(name in known for known in (self.classes, self.aliases, self.functions, self.values))


@functools.lru_cache(maxsize=64)
def read_stub(file: str, module: str) -> Stub | None:
    """The contents of a stub file; None where it can't be read."""
    try:
        with open(file, "rb") as stream:
            text = stream.read(MOST_BYTES + 1)
        if len(text) > MOST_BYTES:
            return None
        tree = ast.parse(text)
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    stub = Stub(module)
    package = module if os.path.basename(file) == "__init__.pyi" else module.rpartition(".")[0]
    _Collector(stub, package).collect(tree.body, "")
    return stub


class _Collector:
    """Fills a stub from the statements that hold here."""

    def __init__(self, stub: Stub, package: str) -> None:
        self._stub = stub
        self._package = package

    def collect(self, body: Iterable[ast.stmt], prefix: str) -> None:
        for node in _holding(body):
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self._stub.functions.setdefault(prefix + node.name, []).append(node)
                case ast.ClassDef():
                    self._stub.classes[prefix + node.name] = node
                    self.collect(node.body, f"{prefix}{node.name}.")
                case ast.AnnAssign(target=ast.Name(id=name), value=value):
                    if dotted(node.annotation).endswith("TypeAlias") and value is not None:
                        self._stub.aliases[prefix + name] = value
                    else:
                        self._stub.values[prefix + name] = node.annotation
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self._stub.aliases[prefix + name] = value
                case ast.Import() | ast.ImportFrom():
                    self._imported(node)
                case _:
                    self._alias_statement(node, prefix)

    def _alias_statement(self, node: ast.stmt, prefix: str) -> None:
        """``type Name = ...`` (Python 3.12), which older syntax trees do not know."""
        if type(node).__name__ == "TypeAlias":
            self._stub.aliases[prefix + dotted(getattr(node, "name"))] = getattr(node, "value")  # noqa: B009

    def _imported(self, node: ast.Import | ast.ImportFrom) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                self._stub.imports[alias.asname or top] = (alias.name if alias.asname else top, None)
            return
        module = absolute(node, self._package)
        for alias in node.names:
            if alias.name == "*":
                self._stub.stars.append(module)
            else:
                self._stub.imports[alias.asname or alias.name] = (module, alias.name)


def _holding(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a body, with those under conditions that hold on this interpreter."""
    for node in body:
        match node:
            case ast.If(test=test, body=then, orelse=otherwise):
                answer = holds(test)
                if answer is not False:
                    yield from _holding(then)
                if answer is not True:
                    yield from _holding(otherwise)
            case ast.Try(body=inner):
                yield from _holding(inner)
            case _:
                yield node


def holds(test: ast.expr) -> bool | None:
    """True if a condition on version or platform holds here; None for all others."""
    match test:
        case ast.BoolOp(op=operator, values=values):
            answers = [holds(value) for value in values]
            decisive = isinstance(operator, ast.Or)
            if decisive in answers:
                return decisive
            return None if None in answers else not decisive
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = holds(operand)
            return None if inner is None else not inner
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return _compared(dotted(left), operator, right)
        case ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"):
            return True
        case _:
            return None


def _compared(name: str, operator: ast.cmpop, right: ast.expr) -> bool | None:
    try:
        value = ast.literal_eval(right)
    except (ValueError, TypeError):
        return None
    if name == "sys.platform" and isinstance(value, str):
        return (sys.platform == value) is isinstance(operator, ast.Eq)
    if name != "sys.version_info" or not isinstance(value, tuple):
        return None
    here = tuple(sys.version_info)
    match operator:
        case ast.GtE():
            return here >= value
        case ast.Lt():
            return here < value
        case _:
            return None


def use_typeshed(folder: str) -> None:
    """Read the stubs of the standard library in this folder from now on; "": there are none."""
    global _typeshed  # noqa: PLW0603 - one process has one
    _typeshed = folder


def stub_of(module: str, file: str | None = None) -> Stub | None:
    """The stub of a module that is not part of the standard library."""
    for place in _places(module, file):
        if os.path.isfile(place):
            return read_stub(place, module)
    return None


def _places(module: str, file: str | None) -> Iterator[str]:
    if file:
        yield f"{os.path.splitext(file)[0]}.pyi"
    top, *rest = module.split(".")
    folders = _search_path(tuple(sys.path))
    for root in _stub_roots(folders, top):
        yield from _forms(os.path.join(root, *rest))
    for folder in folders if file is None else ():
        yield from _forms(os.path.join(folder, top, *rest))


def _forms(path: str) -> tuple[str, str]:
    return f"{path}.pyi", os.path.join(path, "__init__.pyi")


def library_stub(module: str) -> Stub | None:
    """The stub of a module of the standard library, None where typeshed has none."""
    for place in _forms(os.path.join(_typeshed, *module.split("."))) if _typeshed else ():
        if os.path.isfile(place):
            return read_stub(place, module)
    return None


def any_stub(module: str) -> Stub | None:
    """The stub of any module, the standard library's by typeshed."""
    if module.partition(".")[0] in sys.stdlib_module_names or module.partition(".")[0] in _ONLY_THERE:
        return library_stub(module)
    return stub_of(module)


_ONLY_THERE: Final = frozenset(("_typeshed", "typing_extensions"))


@functools.lru_cache(maxsize=8)  # asked for each function that is called
def _search_path(path: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(folder for folder in path if folder and os.path.isdir(folder))


@functools.lru_cache(maxsize=1024)
def _stub_roots(folders: tuple[str, ...], top: str) -> tuple[str, ...]:
    """The places at which stubs of a package are, in order: stub packages, and folders of one's own stubs."""
    names = (f"{top}-stubs", os.path.join("typings", top))
    roots = (os.path.join(folder, name) for folder in folders for name in names)
    return tuple(root for root in roots if os.path.isdir(root) or os.path.isfile(f"{root}.pyi"))
