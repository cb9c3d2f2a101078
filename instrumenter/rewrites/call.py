"""Rewrites `f(a)` to `callee(f)(a)`: no frame comes between caller and callee, arguments stay."""

from __future__ import annotations

import libcst as cst

from instrumenter.interface import FILLED_LATER, LOOKUPS, PLACED, UNTOUCHED_CALLS
from instrumenter.rewrites.base import Rewrite
from instrumenter.rewrites.emit import is_constant


class CallRewrite(Rewrite):
    """Calls of anything but the builtins that look at their caller."""

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        function = updated_node.func
        if id(original_node) in self.plain_calls:
            return updated_node
        if isinstance(function, cst.Name) and function.value in UNTOUCHED_CALLS:
            return updated_node
        return updated_node.with_changes(func=self.emit(_callee_for(original_node), function))


def _callee_for(node: cst.Call) -> str:
    """Return the function that chooses what to call: the fewer arguments, the shorter its way."""
    name = node.func.attr if isinstance(node.func, cst.Attribute) else node.func
    if isinstance(name, cst.Name) and name.value in FILLED_LATER:
        return "callee"
    if _hands_over_nothing(node):
        return "callee0"
    if len(node.args) <= 2 and all(not a.star and a.keyword is None for a in node.args):
        if _gives_a_place(node):
            return "callee"  # which looks at what methods of lists are given
        return f"callee{len(node.args)}"
    return "callee"


def _gives_a_place(node: cst.Call) -> bool:
    """Return whether the one argument may be a traced place in a list."""
    is_method = isinstance(node.func, cst.Attribute) and node.func.attr.value in PLACED
    return is_method and len(node.args) == 1 and not is_constant(node.args[0].value)


def _hands_over_nothing(node: cst.Call) -> bool:
    """Return whether a call can't give a traced value to anybody: a traced receiver's methods are its own."""
    if node.args and isinstance(node.func, cst.Attribute) and node.func.attr.value in LOOKUPS:
        return False
    return all(not argument.star and is_constant(argument.value) for argument in node.args)
