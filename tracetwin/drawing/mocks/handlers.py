"""Handlers of exceptions around a call, and documented exceptions: those that a mock may raise."""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from types import FrameType, ModuleType
from typing import Any, Final

from tracetwin.analysis.evidence.docstrings import documented_errors
from tracetwin.analysis.sources import Source, read
from tracetwin.model import recipes

MOST_ERRORS: Final = 4
"""Exceptions of one call: each is one more way for it to end."""


def handled_now() -> tuple[type[BaseException], ...]:
    """The exceptions for which the program has a handler around what it is doing: one for each handler.

    From the inside out; what an inner handler catches, no outer one gets. What runs as a task of its own
    (`asyncio.gather`, `wait_for`, `create_task`) fails where another task awaits it, so the handlers of
    waiting tasks come after those of the stack.
    """
    found: list[type[BaseException]] = []
    for frame in chain(_stack(), *map(_waiting, _tasks())):
        name = frame.f_globals.get("__name__")
        if isinstance(name, str) and recipes.is_traced(name):
            for error in _firsts(frame, name):
                if not issubclass(error, tuple(found)):
                    found.append(error)
    return tuple(found[:MOST_ERRORS])


def _stack() -> Iterator[FrameType]:
    """The frames that are running, from the inside out."""
    frame = inspect.currentframe()
    while frame is not None:
        yield frame
        frame = frame.f_back


def _tasks() -> list[Any]:
    """The tasks of the running loop that wait, those that began last first: they are the inner ones."""
    asyncio = sys.modules.get("asyncio")  # slow to import, and few targets need it
    if asyncio is None:
        return []
    try:
        others = asyncio.all_tasks() - {asyncio.current_task()}
    except RuntimeError:  # no loop is running
        return []
    return sorted(others, key=lambda task: _numbers(task.get_name()), reverse=True)


def _numbers(name: str) -> tuple[int, str]:
    """`Task-10` after `Task-9`: tasks are in a set, which has no order to rely on."""
    digits = name.rpartition("-")[2]
    return (int(digits) if digits.isdecimal() else 0, name)


def _waiting(task: Any) -> list[FrameType]:
    """The frames in which a task waits: its coroutine, and those that this awaits, from the inside out."""
    frames: list[FrameType] = []
    awaited = task.get_coro()
    while inspect.iscoroutine(awaited) and awaited.cr_frame is not None:
        frames.insert(0, awaited.cr_frame)
        awaited = awaited.cr_await
    return frames


def _firsts(frame: FrameType, module: str) -> list[type[BaseException]]:
    """The first class of each handler around the line that a frame is at."""
    names = _Visible(frame)
    rows = (_caught(handlers, names) for handlers in _around_line(module, frame.f_lineno))
    return [row[0] for part in rows for row in part if row]


@functools.lru_cache(maxsize=1024)  # a line that calls a mock mostly does so again
def _around_line(module: str, line: int) -> list[tuple[ast.expr | None, ...]]:
    return _around(read(sys.modules[module]), line)


class _Visible(Mapping[str, Any]):
    """The names that a frame sees. Its variables are only looked at where one is asked for."""

    def __init__(self, frame: FrameType) -> None:
        self._frame = frame
        code = frame.f_code
        self._local = frozenset((*code.co_varnames, *code.co_cellvars, *code.co_freevars))

    def __getitem__(self, name: str) -> Any:
        return self._frame.f_locals[name] if name in self._local else self._frame.f_globals[name]

    def __iter__(self) -> Iterator[str]:
        return iter({*self._local, *self._frame.f_globals})

    def __len__(self) -> int:
        return len({*self._local, *self._frame.f_globals})


def handled_at(source: Source, line: int, names: Mapping[str, Any]) -> list[type[BaseException]]:
    """The exceptions for which there is a handler around a line, the inner handlers' first."""
    rows = (_caught(handlers, names) for handlers in _around(source, line))
    return [cls for part in rows for row in part for cls in row]


def _around(source: Source, line: int) -> list[tuple[ast.expr | None, ...]]:
    """The exceptions that the handlers around a line catch, the inner ones first."""
    return [
        handlers
        for body, handlers in reversed(_guarded(source))
        if body[0].lineno <= line <= (body[-1].end_lineno or body[-1].lineno)
    ]


def documented(function: Any, names: Mapping[str, Any]) -> tuple[type[BaseException], ...]:
    """The exceptions that the documentation of a method promises: Google, NumPy and reST styles."""
    text = inspect.cleandoc(getattr(function, "__doc__", None) or "")
    classes = (_lookup(name, names) for name in documented_errors(text))
    return tuple(dict.fromkeys(cls for cls in classes if cls is not None))[:MOST_ERRORS]


def looked_at(source: Source, error: type[BaseException], names: Mapping[str, Any]) -> bool:
    """True if a handler of an exception does something with it other than raising or chaining it."""
    return any(
        handler is not None and handler.name is not None and _is_read(handler.name, handler.body)
        for handlers in _handlers(source.tree)
        for handler in [_first(handlers, error, names)]
    )


def _first(
    handlers: Sequence[ast.ExceptHandler], error: type[BaseException], names: Mapping[str, Any]
) -> ast.ExceptHandler | None:
    """The handler of a `try` that gets an exception."""
    for handler in handlers:
        if handler.type is None or any(issubclass(error, cls) for cls in _named(handler.type, names)):
            return handler
    return None


def _is_read(name: str, body: Sequence[ast.stmt]) -> bool:
    chained = {id(node.cause) for node in _parts(body) if isinstance(node, ast.Raise)}
    chained |= {id(node.exc) for node in _parts(body) if isinstance(node, ast.Raise)}
    return any(
        isinstance(part, ast.Name) and part.id == name and id(part) not in chained for part in _parts(body)
    )


def _parts(body: Sequence[ast.stmt]) -> list[ast.AST]:
    return [part for statement in body for part in ast.walk(statement)]


@functools.lru_cache(maxsize=32)
def _handlers(tree: ast.Module) -> tuple[tuple[ast.ExceptHandler, ...], ...]:
    return tuple(tuple(node.handlers) for node in ast.walk(tree) if isinstance(node, _TRY))


# Handlers


@functools.lru_cache(maxsize=32)  # asked for every member of every interface; a source never changes
def _guards(tree: ast.Module) -> tuple[tuple[list[ast.stmt], tuple[ast.expr | None, ...]], ...]:
    """The bodies of each `try` or `suppress`, with the expressions of what is caught there (None: all)."""
    found: list[tuple[int, list[ast.stmt], tuple[ast.expr | None, ...]]] = []
    for node in ast.walk(tree):
        if isinstance(node, _TRY) and node.handlers:
            caught = chain.from_iterable((*_asked(handler), handler.type) for handler in node.handlers)
            found.append((node.lineno, node.body, tuple(caught)))
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                call = item.context_expr
                if isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] == "suppress":
                    found.append((node.lineno, node.body, (ast.Tuple(call.args, ast.Load()),)))
    return tuple((body, caught) for _, body, caught in sorted(found, key=lambda row: row[0]))


def _asked(handler: ast.ExceptHandler) -> Iterator[ast.expr]:
    """The classes for which a handler asks its exception: each leads on another way."""
    for part in _parts(handler.body) if handler.name is not None else ():
        match part:
            case ast.Call(func=ast.Name("isinstance"), args=[ast.Name(name), kinds]) if name == handler.name:
                yield kinds


_TRY: Final[tuple[Any, ...]] = (ast.Try, *([ast.TryStar] if hasattr(ast, "TryStar") else []))


def _guarded(source: Source) -> tuple[tuple[list[ast.stmt], tuple[ast.expr | None, ...]], ...]:
    return _guards(source.tree)


def _caught(
    handlers: Sequence[ast.expr | None], names: Mapping[str, Any]
) -> Iterator[list[type[BaseException]]]:
    """For each handler the classes that it catches; one that stands for what those before it leave."""
    before: list[type[BaseException]] = []
    for node in handlers:
        classes = [BaseException] if node is None else _named(node, names)
        meant = [_meant(cls, before) for cls in classes]
        yield [cls for cls in meant if not issubclass(cls, tuple(before)) and _is_importable(cls)]
        before += classes


def _meant(cls: type[BaseException], before: Sequence[type[BaseException]]) -> type[BaseException]:
    """The exception raised for a handler: of a bare one an `Exception`, if that was not caught before."""
    if cls is not BaseException:
        return cls
    return KeyboardInterrupt if issubclass(Exception, tuple(before)) else Exception


def _named(node: ast.expr, names: Mapping[str, Any]) -> list[type[BaseException]]:
    if isinstance(node, ast.Tuple):
        return [cls for item in node.elts for cls in _named(item, names)]
    if isinstance(node, ast.Starred):
        return _named(node.value, names)
    found = _value(ast.unparse(node), names)
    parts = found if isinstance(found, tuple) else (found,)
    return [item for item in parts if isinstance(item, type) and issubclass(item, BaseException)]


def _lookup(name: str, names: Mapping[str, Any]) -> type[BaseException] | None:
    found = _value(name, names)
    is_error = isinstance(found, type) and issubclass(found, BaseException) and _is_importable(found)
    return found if is_error else None


def _value(name: str, names: Mapping[str, Any]) -> Any:
    """The value of a dotted name in a module, None where it means nothing."""
    first, *rest = name.split(".")
    found = names.get(first, getattr(builtins, first, None)) if first else None
    for part in rest:
        found = getattr(found, part, None) if isinstance(found, ModuleType) else _static(found, part)
    return found


def _static(owner: Any, name: str) -> Any:
    """An attribute for which no code is run: neither the target's nor that of a mock."""
    try:
        return inspect.getattr_static(owner, name, None)
    except Exception:  # noqa: BLE001 - a metaclass of the target may raise anything
        return None


def _is_importable(cls: type[BaseException]) -> bool:
    try:
        recipes.reference(cls)
    except recipes.NotNameable:
        return False
    return True
