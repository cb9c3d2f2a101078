"""`match v` to `match subject(v)`; patterns stay as they are."""

from __future__ import annotations

import libcst as cst

from instrumenter.rewrites.base import Rewrite, Wrap


class Match(Rewrite):
    """The subject of a `match` statement. Guards are conditions like others."""

    def visit_Match(self, node: cst.Match) -> None:
        self.wraps[id(node.subject)] = Wrap("subject", None)
