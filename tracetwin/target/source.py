"""The text of a module: read, decode, compile, and look up what it defines."""

from __future__ import annotations

import ast
import io
import os
import platform
import re
import tokenize
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeAlias

from tracetwin.support.errors import TargetError
from tracetwin.support.text import did_you_mean
from tracetwin.target.wheels import archive

Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
CALLABLES: Final = (*FUNCTIONS, ast.ClassDef, ast.Lambda)


MAX_SOURCE: Final = 4 << 20
"""Bytes of one module."""

MAX_NODES: Final = 400_000
"""Words and brackets of one module: its syntax tree takes up to 2,000 bytes for each."""


def read(target: str, file: str) -> bytes:
    """The bytes of a source file, which may lie inside a wheel or another zip archive."""
    try:
        if os.path.isfile(file):  # noqa: PTH113 - unlike Path's, it never raises
            return _within_limit(target, Path(file))
        for place in Path(file).parents:
            if place.is_file():
                with archive.opened(target, place) as opened:
                    name = Path(file).relative_to(place).as_posix()
                    return archive.content(target, opened, name, MAX_SOURCE)
    except (OSError, KeyError) as error:
        raise TargetError(target, f"can't be read: {_reason(error)}") from error
    raise TargetError(target, "is not a regular file")


def _within_limit(target: str, file: Path) -> bytes:
    size = file.stat().st_size
    if size > MAX_SOURCE:
        raise TargetError(target, f"is too large: {size:,} bytes")
    return file.read_bytes()


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__


def parse(target: str, data: bytes) -> ast.Module:
    """The syntax tree of a source that is known to compile.

    Raises:
        TargetError: it can't be decoded or compiled by the Python that runs now.
    """
    decode(target, data)
    _refuse_large_tree(target, data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the target's own invalid escapes and the like
            tree = ast.parse(data, target)
            compile(tree, target, "exec", dont_inherit=True)  # `return` outside a function, and others
    except SyntaxError as error:
        if error.text is None and error.lineno:  # CPython looks for it in a file, which may be in a wheel
            error.text = dict(enumerate(decode(target, data).splitlines(), 1)).get(error.lineno)
        line = f" in line {error.lineno}" if error.lineno else ""
        ours = platform.python_version()
        reason = f"syntax error{line}: {error.msg} (read as Python {ours}, which runs tracetwin)"
        raise TargetError(target, reason) from error
    except (RecursionError, MemoryError) as error:
        raise TargetError(target, "is nested too deeply for Python's compiler") from error
    except (ValueError, OverflowError) as error:
        raise TargetError(target, f"can't be compiled: {error}") from error
    return tree


def _refuse_large_tree(target: str, data: bytes) -> None:
    """Refuse a source whose syntax tree would fill the memory; what it holds is only counted."""
    if len(data) > MAX_NODES and sum(1 for _ in _NODE.finditer(data)) > MAX_NODES:
        raise TargetError(target, f"is too large: it has more than {MAX_NODES:,} names, numbers and brackets")


_NODE: Final = re.compile(rb"[\w\x80-\xff]+|[\[({]|\.\.\.|\"\"|''")
"""What may become a node of the syntax tree by itself."""


def decode(target: str, data: bytes) -> str:
    """The text of a source, decoded as Python does it."""
    if b"\0" in data:
        raise TargetError(target, f"is not Python text: line {_line_of(data, data.index(0))} has a null byte")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError as error:
        if not error.msg.startswith("invalid or missing"):
            raise TargetError(target, f"can't be decoded: {error.msg}") from error
        encoding = "utf-8"  # what it had to be without a declaration
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        where = f"byte 0x{data[error.start]:02x} in line {_line_of(data, error.start)}"
        advice = "save it as UTF-8 or declare its encoding in the first line"
        raise TargetError(target, f"can't be decoded: {where} is not {encoding}; {advice}") from error
    except (UnicodeError, LookupError) as error:
        raise TargetError(target, f"can't be decoded as {encoding}: {error}") from error


def _line_of(data: bytes, offset: int) -> int:
    return data.count(b"\n", 0, offset) + 1


def has_code(tree: ast.Module) -> bool:
    """Return True if the module defines anything that could be called."""
    return any(isinstance(node, CALLABLES) for node in ast.walk(tree))


def check_selection(target: str, tree: ast.Module, qualname: str) -> None:
    """Refuse a qualified name that the module certainly does not define.

    What an assignment, an import or a base class may provide is accepted: only running can tell.
    """
    scope: list[ast.stmt] = tree.body
    seen: list[str] = []
    for part in qualname.split("."):
        definition = _definition(scope, part)
        if definition is None:
            inside = f"'{'.'.join(seen)}'" if seen else "the module"
            hint = _similar(part, scope)
            raise TargetError(target, f"{inside} defines no '{part}'{hint}")
        if definition is _ELSEWHERE:
            return
        seen.append(part)
        if isinstance(definition, FUNCTIONS) and len(seen) <= qualname.count("."):
            name = ".".join(seen)
            reason = f"'{name}' is a function; what it defines inside can't be called from outside"
            raise TargetError(target, reason)
        scope = definition.body
        if isinstance(definition, ast.ClassDef) and _may_inherit(definition):
            scope = [*scope, ast.Import([ast.alias("*")])]


_ELSEWHERE: Final = ast.ClassDef("", [], [], [], [])
"""Stands for a name that is bound, but not by a definition that we can see."""


def _may_inherit(definition: ast.ClassDef) -> bool:
    return bool(definition.bases or definition.keywords or definition.decorator_list)


def _definition(scope: list[ast.stmt], name: str) -> Definition | None:
    """Return the last definition that binds a name in a scope, `_ELSEWHERE`, or None."""
    found: Definition | None = None
    for node in statements(scope):
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            if node.name == name:
                found = node
            elif node.name == "__getattr__" and found is None:
                found = _ELSEWHERE
        elif found is None and (name in bound_names(node) or "*" in bound_names(node)):
            found = _ELSEWHERE
    return found


def statements(scope: list[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements that run in a scope, those under `if`, `try`, `with` and loops included."""
    waiting = list(reversed(scope))
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            continue
        for child in reversed(list(ast.iter_child_nodes(node))):
            if isinstance(child, ast.stmt):
                waiting.append(child)
            elif isinstance(child, (ast.ExceptHandler, ast.match_case)):
                waiting.extend(reversed(child.body))


def bound_names(node: ast.stmt) -> set[str]:
    """The names that a statement binds by assigning or importing; `*` stands for any."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {(alias.asname or alias.name).split(".", maxsplit=1)[0] for alias in node.names}
    return {
        inner.id
        for child in ast.iter_child_nodes(node)
        if isinstance(child, ast.expr)
        for inner in ast.walk(child)
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)
    }


def _similar(name: str, scope: list[ast.stmt]) -> str:
    names = [node.name for node in statements(scope) if isinstance(node, (*FUNCTIONS, ast.ClassDef))]
    return did_you_mean(name, names)
