"""Original and twin of one source, run as modules, and all that can be seen of them compared.

Each source runs over both interfaces: the one with Python's own meaning, and the live runtime.
"""

from __future__ import annotations

import builtins
import contextlib
import io
import re
import sys
import textwrap
import warnings
from types import CodeType, FunctionType, ModuleType, TracebackType
from typing import Any

from instrumenter.build import build
from runtime import trace
from runtime import twin as live
from tests.instrumenter import native

NAME = "alike_sample"
FILE = "/nowhere/alike_sample.py"
INTERFACES = {"native": native, "live": live}

_ADDRESS = re.compile(r"0x[0-9a-f]+")
# The first lists all of Python's names, the second counts changes of the warning filters.
_NOT_SHOWN = frozenset({"__builtins__", "__warningregistry__"})
_OWN_CLASS_NAMES = frozenset({"__dict__", "__weakref__"})


def assert_alike(source: str | bytes) -> None:
    """Original and twin print the same, fail the same way, and leave the same namespace."""
    if isinstance(source, str):
        source = textwrap.dedent(source)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        built = build(source, name=NAME, filename=FILE)
        expected = observed(compile(source, FILE, "exec", dont_inherit=True))
    assert built.twin.untouched is None, built.twin.untouched
    for label, interface in INTERFACES.items():
        setattr(builtins, built.twin.prelude_name, interface)
        actual = observed(built.code)
        for aspect, value in expected.items():
            assert value == actual[aspect], (
                f"{aspect}, {label} interface: {difference(value, actual[aspect])}"
            )


def difference(expected: Any, actual: Any) -> str:
    """The first part in which two nested values differ."""
    if type(expected) is type(actual) and isinstance(expected, (list, tuple)):
        for before, after in zip(expected, actual, strict=False):
            if before != after:
                return difference(before, after)
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key in expected:
            if expected[key] != actual.get(key):
                return f"{key}: {difference(expected[key], actual.get(key))}"
    return f"{expected!r:.500} became {actual!r:.500}"


def observed(code: CodeType) -> dict[str, Any]:
    """What running a module shows: printed text, how it failed, what its names hold."""
    trace.start()
    module = ModuleType(NAME)
    module.__file__ = FILE
    sys.modules[NAME] = module
    printed = io.StringIO()
    failure: Any = None
    try:
        with contextlib.redirect_stdout(printed):
            exec(code, vars(module))
    except BaseException as error:  # noqa: BLE001 - however a program ends is what is compared
        failure = failed(error)
    finally:
        del sys.modules[NAME]
    names = {name: described(value) for name, value in vars(module).items() if name not in _NOT_SHOWN}
    return {
        "output": _ADDRESS.sub("0x", printed.getvalue()).split("\n"),
        "failure": failure,
        "names": list(names),
        "values": names,
    }


def failed(error: BaseException | None, depth: int = 5) -> Any:
    """An exception with its message, arguments, notes, lines in the sample, and what it came from."""
    if error is None or not depth:
        return None
    return (
        type(error).__qualname__,
        _ADDRESS.sub("0x", f"{error} {error.args!r} {getattr(error, '__notes__', None)}"),
        frames(error.__traceback__),
        failed(error.__cause__, depth - 1),
        failed(error.__context__, depth - 1),
        error.__suppress_context__,
    )


def frames(traceback: TracebackType | None) -> list[tuple[str, int]]:
    """Function and line of each frame of a traceback that is in the sample."""
    found = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename == FILE:
            found.append((code.co_name, traceback.tb_lineno))
        traceback = traceback.tb_next
    return found


def described(value: Any, depth: int = 4) -> Any:
    """All that a program can ask of a function or class; of anything else what it shows."""
    if not depth:
        return type(value).__qualname__
    if isinstance(value, FunctionType):
        return _function(value, depth)
    if isinstance(value, type) and value.__module__ == NAME:
        own = {n: described(v, depth - 1) for n, v in vars(value).items() if n not in _OWN_CLASS_NAMES}
        return value.__qualname__, [c.__qualname__ for c in value.__mro__], type(value).__qualname__, own
    if isinstance(value, (staticmethod, classmethod)):
        return type(value).__name__, described(value.__func__, depth - 1)
    if isinstance(value, property):
        return [described(part, depth - 1) for part in (value.fget, value.fset, value.fdel, value.__doc__)]
    if type(value) in (list, tuple):
        return type(value).__name__, [described(item, depth - 1) for item in value]
    return type(value).__qualname__, _ADDRESS.sub("0x", repr(value))


def _function(function: FunctionType, depth: int) -> Any:
    code = function.__code__
    return {
        "name": (function.__module__, function.__qualname__, function.__doc__),
        "defaults": described([function.__defaults__, function.__kwdefaults__], depth - 1),
        "annotations": _ADDRESS.sub("0x", repr(function.__annotations__)),
        "attributes": described(list(vars(function).items()), depth - 1),
        "arguments": (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags),
        "variables": [name for name in code.co_varnames if not name.startswith("_tt")],
        "cells": (code.co_freevars, code.co_cellvars),
        "place": (code.co_firstlineno, code.co_filename, code.co_name),
    }
