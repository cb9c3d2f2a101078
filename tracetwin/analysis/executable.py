"""The lines of a definition that can run, by the code that the compiler makes of them."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from types import CodeType


def executable_lines(tree: ast.Module, first: int, last: int) -> frozenset[int]:
    """The lines with code between two lines, but those on which a function begins."""
    whole = _compiled(tree)
    lines: set[int] = set()
    for code in _codes_in(whole):
        if first <= code.co_firstlineno <= last and code is not whole:
            own = {line for _, _, line in code.co_lines() if line is not None}
            lines |= own - {code.co_firstlineno}
    return frozenset(line for line in lines if first <= line <= last)


@functools.lru_cache(maxsize=4)  # asked for by every function of a module
def _compiled(tree: ast.Module) -> CodeType:
    return compile(tree, "<target>", "exec", dont_inherit=True)


def _codes_in(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes_in(constant)
