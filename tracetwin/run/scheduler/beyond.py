"""The conditions that lie behind the calls of a function: in what it calls in its module, directly or not."""

from __future__ import annotations

import ast
import bisect
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from tracetwin.analysis.callers import Callers
from tracetwin.support.reaching import reached
from tracetwin.support.syntax import LOCALS, definitions, first_line

if TYPE_CHECKING:
    from instrumenter.twin import Site
    from tracetwin.model.invokable import Invokable

def sites_beyond(
    tree: ast.Module, sites: Iterable[Site], invokables: Mapping[str, Invokable]
) -> dict[str, frozenset[int]]:
    """Return for each invokable the sites in the functions of its module that it may call."""
    functions = sorted(_functions(tree), key=lambda one: one[1])
    starts = [first for _, first, _ in functions]

    def around(line: int) -> str:
        name, _, last = functions[max(0, bisect.bisect_right(starts, line) - 1)] if functions else ("", 0, 0)
        return name if line <= last else ""

    callers, callees = Callers(tree), defaultdict[str, set[str]](set)
    for name, _, _ in functions:
        for line in callers.lines(name):
            callees[around(line)].add(name)
    within = defaultdict[str, set[int]](set)
    for site in sites:
        within[around(site.line)].add(site.id)
    return {
        name: frozenset().union(*(within[one] for one in _behind(around(invokable.first_line), callees)))
        for name, invokable in invokables.items()
    }


def _functions(tree: ast.Module) -> Iterator[tuple[str, int, int]]:
    """Yield the functions and methods of a module with their lines; what is in one is part of it."""
    for name, node in definitions(tree):
        if not isinstance(node, ast.ClassDef) and LOCALS not in name:
            yield name, first_line(node), node.end_lineno or node.lineno


def _behind(name: str, callees: Mapping[str, set[str]]) -> list[str]:
    return reached([name], lambda one: callees.get(one, ()))[1:]
