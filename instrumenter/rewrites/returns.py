"""`return v` to `return returned(v)` in methods that C code calls for a plain value, as `__len__`."""

from __future__ import annotations

import libcst as cst

from instrumenter.interface import PLAIN_RESULTS
from instrumenter.rewrites.base import Rewrite, Wrap
from instrumenter.rewrites.emit import is_constant


class Returns(Rewrite):
    """What such a method returns is decided there: Python hands on the bare value."""

    def visit_Return(self, node: cst.Return) -> None:
        function = self.scopes[-1].node
        if not isinstance(function, cst.FunctionDef) or function.name.value not in PLAIN_RESULTS:
            return
        if node.value is not None and not is_constant(node.value) and not isinstance(node.value, cst.Tuple):
            self.wraps[id(node.value)] = Wrap("returned", None)
