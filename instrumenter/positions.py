"""Generates the text of a twin, and finds where nodes stand in the text of the original."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import libcst as cst
from libcst._nodes.internal import CodegenState

_NOTHING: AbstractContextManager[None] = nullcontext()


class _Plain(CodegenState):
    """Code generation without libcst's own record of positions, which takes a third of its time."""

    __slots__ = ()

    def __init__(self, module: cst.Module) -> None:
        super().__init__(default_indent=module.default_indent, default_newline=module.default_newline)

    def record_syntactic_position(
        self,
        node: cst.CSTNode,
        *,
        start_node: cst.CSTNode | None = None,
        end_node: cst.CSTNode | None = None,
    ) -> Any:
        return _NOTHING


class _Noting(_Plain):
    """Code generation that follows line and column."""

    __slots__ = ("column", "found", "line", "wanted")

    def __init__(self, module: cst.Module, wanted: set[int]) -> None:
        super().__init__(module)
        self.wanted = wanted
        self.found: dict[int, tuple[int, int]] = {}
        self.line = 1
        self.column = 0

    def add_token(self, value: str) -> None:
        if "\n" in value or "\r" in value:
            lines = value.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            self.line += len(lines) - 1
            self.column = len(lines[-1])
        else:
            self.column += len(value)

    def add_indent_tokens(self) -> None:
        self.column += sum(map(len, self.indent_tokens))

    def pop_trailing_newline(self) -> None:
        """Nothing was stored, so there is nothing to take back."""

    def before_codegen(self, node: cst.CSTNode) -> None:
        if id(node) in self.wanted:
            self.found[id(node)] = (self.line, self.column)


def code(module: cst.Module) -> str:
    """Return the module's text."""
    state = _Plain(module)
    module._codegen(state)  # noqa: SLF001 - as below
    return "".join(state.tokens)


def positions(module: cst.Module, nodes: Iterable[cst.CSTNode]) -> list[tuple[int, int]]:
    """Return line (from 1) and column (from 0, in characters) at which each node begins."""
    wanted = list(nodes)
    state = _Noting(module, {id(node) for node in wanted})
    module._codegen(state)  # noqa: SLF001 - libcst's public way has no room for a state of ours
    return [state.found[id(node)] for node in wanted]
