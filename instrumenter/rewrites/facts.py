"""Finds out how a function uses its names, where a rewrite depends on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import libcst as cst

from instrumenter.interface import FRAME_READERS


@dataclass(frozen=True)
class Facts:
    """Names of one function.

    Attributes:
        stable: locals that nothing but a statement of this function can rebind.
        reads_frame: whether something in it may list or look up its variables.
    """

    stable: frozenset[str]
    reads_frame: bool


class _Names(cst.CSTVisitor):
    """Collects bindings of one function, and what inner functions reach out for."""

    def __init__(self) -> None:
        super().__init__()
        self.level = 0
        self.bound: set[str] = set()
        self.foreign: set[str] = set()  # global or nonlocal here, or rebound by an inner function
        self.reads_frame = False

    def _bind(self, target: cst.CSTNode) -> None:
        if self.level == 1 and isinstance(target, cst.Name):
            self.bound.add(target.value)

    def visit_FunctionDef(self, node: Any) -> None:
        self._bind(node.name)
        self.level += 1

    def visit_Lambda(self, node: Any) -> None:
        self.level += 1

    def leave_FunctionDef(self, original_node: Any) -> None:
        self.level -= 1

    visit_ClassDef, leave_ClassDef, leave_Lambda = visit_FunctionDef, leave_FunctionDef, leave_FunctionDef

    def visit_Param(self, node: Any) -> None:
        self._bind(node.name)

    def visit_For(self, node: Any) -> None:
        self._bind(node.target)

    visit_AsName = visit_Param
    visit_AssignTarget = visit_AnnAssign = visit_For

    def visit_NameItem(self, node: cst.NameItem) -> None:
        # `global`/`nonlocal`, in this function or one within: somebody else may rebind the name.
        self.foreign.add(node.name.value)

    def visit_Name(self, node: cst.Name) -> None:
        if node.value in FRAME_READERS:
            self.reads_frame = True


def facts_of(function: cst.FunctionDef) -> Facts:
    """Read a function's body and parameters."""
    names = _Names()
    function.visit(names)
    return Facts(frozenset(names.bound - names.foreign), names.reads_frame)
