"""Compiles a source to its twin; a fault of ours leaves the module as it is, with a warning."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from types import CodeType
from typing import TYPE_CHECKING

from instrumenter.limits import deep_recursion, without_warnings
from instrumenter.transform import decode, prelude_name, rewritten
from instrumenter.twin import Twin

if TYPE_CHECKING:
    import ast

class InstrumenterWarning(UserWarning):
    """The instrumenter did less than asked; what it did is correct."""


@dataclass(frozen=True)
class BuiltTwin:
    """A twin and its code, compiled under the original's file name."""

    twin: Twin
    code: CodeType


def build(source: str | bytes, *, name: str, filename: str) -> BuiltTwin:
    """Instrument and compile one module.

    Raises:
        SyntaxError: as CPython reports it for the original.
    """
    # This also gives the warnings that CPython has for the original.
    original = compile(source, filename, "exec", dont_inherit=True)
    try:
        twin = rewritten(source, name=name)
        code = original if twin.untouched is not None else compile_twin(twin, source, filename)
        built = BuiltTwin(twin, code)
    except Exception as error:  # noqa: BLE001 - whatever we got wrong, the module must still load
        built = BuiltTwin(left_as_it_is(source, error), original)
    warn_if_untouched(built.twin, name, filename)
    return built


def left_as_it_is(source: str | bytes, error: Exception) -> Twin:
    """Return a module as its own twin, for a fault of ours."""
    text = decode(source)
    return Twin(text, (), prelude_name(text), f"{type(error).__name__}: {error}")


def warn_if_untouched(twin: Twin, name: str, filename: str) -> None:
    """Say that a module is used as it is; each load of it says so, also one from the cache."""
    if twin.untouched is not None:
        warnings.warn(
            f"{name} is used untraced ({filename}): {twin.untouched}", InstrumenterWarning, stacklevel=3
        )


def compile_twin(twin: Twin, source: str | bytes, filename: str) -> CodeType:
    """Compile a twin with the positions of its original, whose syntax warnings were already given."""
    with without_warnings():
        try:
            with deep_recursion():
                return compile(positioned(twin, source), filename, "exec", dont_inherit=True)
        except Exception as error:  # noqa: BLE001 - whatever we got wrong, the module must still load
            code = compile(twin.source, filename, "exec", dont_inherit=True)
            reason = f"{type(error).__name__}: {error}"
    warnings.warn(f"positions in {filename} are inexact: {reason}", InstrumenterWarning, stacklevel=3)
    return code


def positioned(twin: Twin, source: str | bytes) -> ast.Module:
    """Return the twin's syntax tree with the positions of its original.

    Raises:
        instrumenter.relocate.MismatchError: the twin is not built as its original.
        RecursionError: expressions are nested too deeply.
    """
    import ast

    from instrumenter.relocate import relocate

    return relocate(ast.parse(source), ast.parse(twin.source), twin.prelude_name)
