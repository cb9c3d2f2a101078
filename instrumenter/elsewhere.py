"""Twins for another interpreter: rewritten in this one, which has libcst, and compiled in that one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from instrumenter.build import left_as_it_is
from instrumenter.transform import rewritten
from instrumenter.twin import Twin


class Interpreter(Protocol):
    """An interpreter of Python, as far as code depends on it."""

    @property
    def version(self) -> tuple[int, int]:
        """Return major and minor."""

    @property
    def magic(self) -> bytes:
        """Return what its bytecode files begin with."""

    @property
    def implementation(self) -> str:
        """Return `sys.implementation.name` there."""


@dataclass(frozen=True)
class ForeignInterpreter:
    """An interpreter that twins are made for.

    Attributes:
        compile: compiles there: a twin (its text and the interface's name in it; None for the original
            alone), the original and its file name give the code, marshalled.
    """

    interpreter: Interpreter
    compile: Callable[[tuple[str, str] | None, bytes, str], bytes]


def build_for(
    elsewhere: ForeignInterpreter, source: bytes, *, name: str, filename: str
) -> tuple[Twin, bytes]:
    """Instrument a module for another interpreter; returns the twin and its code, marshalled.

    Raises:
        SyntaxError: as that interpreter reports it for the original.
    """
    original = elsewhere.compile(None, source, filename)
    try:
        twin = rewritten(source, name=name, version=elsewhere.interpreter.version)
        if twin.untouched is not None:
            return twin, original
        return twin, elsewhere.compile((twin.source, twin.prelude_name), source, filename)
    except Exception as error:  # noqa: BLE001 - whatever we got wrong, the module must still load
        return left_as_it_is(source, error), original
