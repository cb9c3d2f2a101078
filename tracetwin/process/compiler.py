"""Compiling in another interpreter: one process for each, which runs nothing of what it compiles.

Both ends are in this file: the parent's `Compiler`, and `main`, the program of the process.
"""

from __future__ import annotations

import functools
import gc
import marshal
import os
import sys
import threading
import time
import warnings
import weakref
from types import CodeType
from typing import TYPE_CHECKING, Any, Final

from tracetwin.process.channel import Channel, Closed, ProtocolError, TooSlow
from tracetwin.process.launch import Live, start

if TYPE_CHECKING:
    from tracetwin.support.own_modules import OwnModules
    from tracetwin.target.environment import PythonEnvironment

_PROGRAM: Final = "tracetwin.process.compiler"
_SECONDS: Final = 300.0
"""For one module, however large."""
_LINES: Final = "lines"


def compiler(python: PythonEnvironment) -> Compiler:
    """The one for an interpreter, of this process: a fork must not speak over its parent's connection."""
    return _compiler(python, os.getpid())


@functools.cache
def _compiler(python: PythonEnvironment, _process: int) -> Compiler:
    return Compiler(python)


class Compiler:
    """Speaks with one process, which is started when there is something to do."""

    def __init__(self, python: PythonEnvironment) -> None:
        self._python = python
        self._live: Live | None = None
        self._channel: Channel | None = None
        self._lock = threading.Lock()

    def compile(self, twin: tuple[str, str] | None, source: bytes, filename: str) -> bytes:
        """Compile a twin, or its original; returns the code, marshalled.

        Raises:
            SyntaxError: as the interpreter reports it.
        """
        return self._answer((twin, source, filename))

    def lines(self, source: str, filename: str) -> frozenset[int]:
        """Return the lines that have code in that interpreter.

        Raises:
            SyntaxError: as the interpreter reports it.
        """
        return frozenset(marshal.loads(self._answer((_LINES, source, filename))))

    def _answer(self, question: object) -> bytes:
        with self._lock:
            try:
                answer = self._ask(question)
            except (Closed, TooSlow, ProtocolError):
                self._end()
                answer = self._ask(question)
        if type(answer) is bytes:
            return answer
        message, details = answer
        raise SyntaxError(message, details)

    def _ask(self, question: object) -> Any:
        if self._channel is None:
            self._live = live = start(_PROGRAM, python=self._python)
            weakref.finalize(self, live.clean)
            self._channel = live.channel()
        until = time.monotonic() + _SECONDS
        self._channel.send(question, until)
        return self._channel.receive(until)

    def _end(self) -> None:
        if self._live is not None:
            self._live.clean()
        self._live = self._channel = None


def _lines(code: CodeType) -> list[int]:
    inner = (_lines(part) for part in code.co_consts if isinstance(part, CodeType))
    own = (line for _, _, line in code.co_lines() if line)
    return sorted({*own, *(line for lines in inner for line in lines)})


def main(own: OwnModules, fd: int) -> None:
    """Compile what the parent sends until it goes."""
    channel = Channel(fd)
    twins: Any = own.load("instrumenter.twin")
    build: Any = own.load("instrumenter.build")
    gc.enable()
    warnings.simplefilter("ignore")
    while True:
        try:
            made, source, filename = channel.receive()
        except Closed:
            sys.exit()
        try:
            found: Any
            if made in (None, _LINES):
                found = compile(source, filename, "exec", dont_inherit=True)
                found = found if made is None else _lines(found)
            else:
                found = build.compile_twin(twins.Twin(made[0], (), made[1]), source, filename)
            channel.send(marshal.dumps(found))
        except SyntaxError as error:
            details = (error.filename, error.lineno, error.offset, error.text)
            channel.send((str(error.msg), details))
        except (ValueError, RecursionError, MemoryError) as error:
            channel.send((f"{type(error).__name__}: {error}", (filename, None, None, None)))
