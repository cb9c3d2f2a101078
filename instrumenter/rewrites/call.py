"""`f(a)` to `callee(f)(a)`: no frame comes between caller and callee, arguments stay as they are."""

from __future__ import annotations

import libcst as cst

from instrumenter.interface import UNTOUCHED_CALLS
from instrumenter.rewrites.base import Rewrite


class Call(Rewrite):
    """Calls of anything but the builtins that look at their caller."""

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        function = updated_node.func
        if id(original_node) in self.plain_calls:
            return updated_node
        if isinstance(function, cst.Name) and function.value in UNTOUCHED_CALLS:
            return updated_node
        return updated_node.with_changes(func=self.emit("callee", function))
