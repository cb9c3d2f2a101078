"""Outlines of modules without source, from code objects: definitions, constants, names, lines.

They are read through their documented attributes (`co_consts`, `co_names`, `co_lines()`, ...); no instruction
is looked at. An outline is plain data, so that it can leave the process that loaded the module; as a syntax
tree it takes the place of the source's: the definitions are where they are in the source, and stand around
the constants and names that occur in them instead of statements.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Iterator
from importlib.machinery import SourcelessFileLoader
from pathlib import Path
from types import CodeType
from typing import Any, Final, NamedTuple
from zipimport import zipimporter

_HAS_DOCSTRING: Final[int] = getattr(inspect, "CO_HAS_DOCSTRING", 0)
"""Marks documented functions since Python 3.13; before, the first constant is the docstring or None."""

_LITERALS: Final = (bool, int, float, complex, str, bytes, type(None))


class Outline(NamedTuple):
    """One code object, or the module.

    Attributes:
        kind: ``module``, ``class``, ``function`` or ``async``.
        first: the line where its definition begins.
        lines: executable lines, with those of lambdas, comprehensions and functions inside it.
        parameters: names, by kind: positional only, positional, ``*args``, keyword only, ``**kwargs``.
        docstring: its documentation, or None.
        constants: the literals that occur in it.
        names: the global names and attributes that occur in it.
        parts: the outlines of the classes and functions inside it.
    """

    kind: str
    name: str
    first: int
    lines: tuple[int, ...]
    parameters: tuple[tuple[str, ...], ...]
    docstring: str | None
    constants: tuple[Any, ...]
    names: tuple[str, ...]
    parts: tuple[Any, ...]


def load_code(name: str, file: str) -> CodeType:
    """The code of a module that comes as bytecode only, without running it.

    Raises:
        ImportError: there is no such module, or another Python compiled it.
    """
    path = Path(file)
    if path.is_file():
        code = SourcelessFileLoader(name, file).get_code(name)
    else:
        folder = path.parents[1 if path.name == "__init__.pyc" else 0]
        code = zipimporter(str(folder)).get_code(name.rpartition(".")[2])
    if code is None:
        raise ImportError(f"{name} has no code", name=name)
    return code


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """A code object and all those inside it."""
    yield code
    for constant in code.co_consts:
        if inspect.iscode(constant):
            yield from codes_in(constant)


def outline_of(code: CodeType) -> Outline:
    """The outline of a module's code."""
    return _outline(code, "module")


def _outline(code: CodeType, kind: str) -> Outline:
    parts: list[Outline] = []
    lines = _own_lines(code, kind)
    constants: list[Any] = []
    names = dict.fromkeys(code.co_names)
    docstring = _docstring(code, kind)
    for constant in code.co_consts:
        if not inspect.iscode(constant):
            constants.extend(_literals(constant))
        elif constant.co_name.startswith("<"):  # a lambda, a comprehension, the scope of type parameters
            inner = _outline(constant, "module" if kind == "module" else "function")
            lines |= set(inner.lines)
            constants.extend(inner.constants)
            names.update(dict.fromkeys(inner.names))
            parts.extend(inner.parts)
        else:
            parts.append(_outline(constant, _kind(constant)))
            lines |= set(parts[-1].lines)
    # What a definition needs of strings (names, and those of parameters with annotations) is no input.
    labels = {docstring, code.co_name, *(part.name for part in parts)}
    labels |= {f"{code.co_name}.{part.name}" for part in parts}
    if parts and kind in ("module", "class"):
        labels |= {"return", *(name for part in parts for row in part.parameters for name in row)}
    kept = tuple(value for value in constants if not _is_label(value, labels))
    return Outline(
        kind, code.co_name, code.co_firstlineno, tuple(sorted(lines)), _parameters(code), docstring, kept,
        tuple(names), tuple(parts),
    )  # fmt: skip


def _is_label(constant: object, labels: set[str | None]) -> bool:
    """Return True if a constant is only the name of a nested definition, as Python 3.10 keeps it."""
    return isinstance(constant, str) and (constant in labels or ".<locals>." in constant)


def _kind(code: CodeType) -> str:
    if not code.co_flags & inspect.CO_OPTIMIZED:
        return "class"
    lazy = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
    return "async" if code.co_flags & lazy else "function"


def _own_lines(code: CodeType, kind: str) -> set[int]:
    """Its executable lines; that of a function's `def` is executed where it is defined."""
    lines = {line for _, _, line in code.co_lines() if line}
    return lines - {code.co_firstlineno} if kind in ("function", "async") else lines


def _docstring(code: CodeType, kind: str) -> str | None:
    first = code.co_consts[0] if code.co_consts else None
    if kind in ("module", "class") or not isinstance(first, str):
        return None
    return first if not _HAS_DOCSTRING or code.co_flags & _HAS_DOCSTRING else None


def _parameters(code: CodeType) -> tuple[tuple[str, ...], ...]:
    """Names by kind, in the order in which `co_varnames` holds them."""
    names = code.co_varnames
    positional, keyword = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    star = keyword + bool(code.co_flags & inspect.CO_VARARGS)
    double = star + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return (
        names[: code.co_posonlyargcount],
        names[code.co_posonlyargcount : positional],
        names[keyword:star],
        names[positional:keyword],
        names[star:double],
    )


def _literals(constant: Any) -> Iterator[Any]:
    if isinstance(constant, (tuple, frozenset)):
        items: Iterable[Any] = constant if isinstance(constant, tuple) else sorted(constant, key=repr)
        for item in items:
            yield from _literals(item)
    elif type(constant) in _LITERALS:
        yield constant


def to_plain(outline: Outline) -> tuple[Any, ...]:
    """Return it as plain data for another process."""
    return (*outline[:-1], tuple(to_plain(part) for part in outline.parts))


def from_plain(plain: tuple[Any, ...]) -> Outline:
    """Return the outline that another process sent as plain data."""
    return Outline._make((*plain[:-1], tuple(from_plain(part) for part in plain[-1])))


def tree_of(outline: Outline) -> ast.Module:
    """An outline as the syntax tree of a module."""
    tree = ast.Module(_body(outline), [])
    return ast.fix_missing_locations(tree)


def _body(outline: Outline) -> list[ast.stmt]:
    line = min((line for line in outline.lines if line > outline.first), default=outline.first)
    last = max(outline.lines, default=line)
    place = _place(line, last)
    body: list[ast.stmt] = []
    if outline.docstring is not None:
        body.append(ast.Expr(ast.Constant(outline.docstring, **place), **place))
    words: list[ast.expr] = [ast.Constant(value, **place) for value in outline.constants]
    words += [ast.Name(name, ast.Load(), **place) for name in outline.names if name.isidentifier()]
    body.append(ast.Expr(ast.Tuple(words, ast.Load(), **place), **place))
    return body + [_definition(part) for part in outline.parts]


def _definition(outline: Outline) -> ast.stmt:
    last = max(outline.lines, default=outline.first)
    place = _place(outline.first, last)
    if outline.kind == "class":
        return ast.ClassDef(outline.name, [], [], _body(outline), [], **_GENERIC, **place)
    make = ast.AsyncFunctionDef if outline.kind == "async" else ast.FunctionDef
    return make(outline.name, _arguments(outline), _body(outline), [], None, None, **_GENERIC, **place)


def _place(first: int, last: int) -> dict[str, Any]:
    return {"lineno": first, "end_lineno": last, "col_offset": 0, "end_col_offset": 0}


_GENERIC: Final[dict[str, Any]] = {"type_params": []} if "type_params" in ast.FunctionDef._fields else {}


def _arguments(outline: Outline) -> ast.arguments:
    only, positional, star, keyword, double = ([ast.arg(name) for name in row] for row in outline.parameters)
    return ast.arguments(
        only, positional, star[0] if star else None, keyword, [None] * len(keyword),
        double[0] if double else None, [],
    )  # fmt: skip
