"""Evidence for what is sent into a generator: the uses of its `yield` expressions."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.analysis.evidence.observe import Observer
from tracetwin.analysis.sources import FunctionNode, copied

_SENT = "sent into it"
"""Stands for what `yield` gives; no name of a program is like that."""


class _WithoutYield(ast.NodeTransformer):
    """Puts a name in the place of every `yield`, to follow it as a parameter is followed."""

    def visit_Yield(self, node: ast.Yield) -> ast.Name:
        return ast.copy_location(ast.Name(_SENT, ast.Load()), node)


def sent_facts(node: FunctionNode, names: Mapping[str, Any]) -> ValueFacts:
    """Return what a generator does with what is sent into it."""
    facts = ValueFacts()
    Observer({_SENT: facts}, dict(names), None, None).run(_WithoutYield().visit(copied(node)))
    return facts
