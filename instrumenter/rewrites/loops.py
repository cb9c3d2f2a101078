"""`for x in xs` to `for x in iterate(xs, site)`, in statements and comprehensions."""

from __future__ import annotations

import libcst as cst

from instrumenter.rewrites.base import Rewrite
from instrumenter.twin import SiteKind


class Loops(Rewrite):
    """Iteration; `async for` asks for another protocol and stays native."""

    def visit_For(self, node: cst.For) -> None:
        self.store(node.target)
        if node.asynchronous is None:
            self.wrap(node.iter, "iterate", SiteKind.FOR)

    def visit_CompFor(self, node: cst.CompFor) -> None:
        self.store(node.target)
        if node.asynchronous is None:
            self.wrap(node.iter, "iterate", SiteKind.COMPREHENSION_FOR)
