"""Dicts with known keys: variables that a function looks into are followed as its parameters are."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tracetwin.analysis.evidence.callees import Callees
from tracetwin.analysis.evidence.expressions import Names
from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.analysis.evidence.observe import Observer
from tracetwin.analysis.sources import FunctionNode, Source, walk
from tracetwin.drawing.typing.guesses import RecordGuess
from tracetwin.drawing.typing.ranking import Ranking

FOLLOWED: Final = "looked into"
"""The name that one gets; none of a program is like that."""

MOST_VARIABLES: Final = 8
"""Variables of one function that are followed."""


class _Named(ast.NodeTransformer):
    """Puts the name in the place of every use of a variable."""

    def __init__(self, variable: str) -> None:
        self._variable = variable

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if node.id != self._variable or not isinstance(node.ctx, ast.Load):
            return node
        return ast.copy_location(ast.Name(FOLLOWED, ast.Load()), node)


def records_in(
    source: Source, facts: Mapping[str, Names], globals_: dict[str, Any], callees: Callees, ranking: Ranking
) -> list[RecordGuess]:
    """The dicts with known keys that functions get, by facts of parameters, or ask variables for."""
    every = [one for names in facts.values() for one in names.values()]
    for qualname, nodes in source.definitions.items():
        follow = callees.follower(qualname, qualname.rpartition(".")[0] or None)
        for body in () if isinstance(nodes[-1], ast.ClassDef) else _looking(nodes[-1]):
            every.append(ValueFacts())
            Observer({FOLLOWED: every[-1]}, globals_, follow, None).run(body)
    found = (guess for one in every if one.keys for guess in ranking.guesses(one)[:1])
    return list({str(guess): guess for guess in found if isinstance(guess, RecordGuess)}.values())


def _looking(node: FunctionNode) -> Iterator[FunctionNode]:
    """A function once for each of its variables that it asks for keys, which has the name there."""
    taken = {item.arg for item in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
    names = dict.fromkeys(
        part.value.id
        for part in walk(node)
        if isinstance(part, ast.Subscript) and isinstance(part.value, ast.Name) and _is_key(part.slice)
    )
    for name in [name for name in names if name not in taken][:MOST_VARIABLES]:
        yield _Named(name).visit(copy.deepcopy(node))


def _is_key(part: ast.expr) -> bool:
    return isinstance(part, ast.Constant) and isinstance(part.value, str)
