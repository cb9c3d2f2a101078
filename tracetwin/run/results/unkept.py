"""Exceptions that a docstring promises and no run raised, where every branch was taken."""

from __future__ import annotations

import builtins
from collections.abc import Iterator

from tracetwin.analysis.evidence.docstrings import documented_errors
from tracetwin.emit.result import Suite
from tracetwin.replay.functions import SourceFunction


def unkept(suite: Suite) -> list[str]:
    """Return a sentence for each such exception; only of functions that call nothing but builtin ones."""
    functions = suite.coverable.functions if suite.coverable else ()
    return [
        f"{function.qualname}: its docstring says that it raises {name}, which no run did,"
        " although every line and branch was taken"
        for function in functions
        if suite.tests.get(function.qualname) and function.is_self_contained
        for name in _missing(function, suite)
    ]


def _missing(function: SourceFunction, suite: Suite) -> Iterator[str]:
    covered = suite.coverage.get(function.place)
    if (
        covered is None
        or covered.covered_lines != covered.lines
        or covered.covered_branches != covered.branches
    ):
        return
    kinds = {one.kind for one in suite.raised_anywhere if one.target == function.qualname}
    for name in dict.fromkeys(documented_errors(function.docstring)):
        if not any(_is_one(kind, name.rpartition(".")[2]) for kind in kinds):
            yield name


def _is_one(kind: str, name: str) -> bool:
    """Return whether an exception may be one of a class of that name."""
    found, base = (getattr(builtins, one, None) for one in (kind, name))
    if isinstance(found, type) and isinstance(base, type):
        return issubclass(found, base)
    return not isinstance(found, type) or kind.rpartition(".")[2] == name
