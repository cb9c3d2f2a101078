"""`math.factorial`, `math.comb` and `math.perm`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from runtime.library_model import Model, Unsupported, register
from runtime.nodes import Node
from runtime.private_builtins import keep_builtins

keep_builtins(globals())

_MOST: Final = 3000
"""Results of operands beyond this would fill memory and tests."""

_MOST_FACTORIAL: Final = 25
_MOST_CHOSEN: Final = 16
_LONGEST_TABLE: Final = 128


def _bounded(function: Callable[..., int]) -> Callable[..., int]:
    """Return the function, made to refuse operands whose result would not fit in memory or in a test."""

    def checked(*args: Any) -> int:
        if args[-1] > _MOST and args[-1] <= args[0]:  # of fewer things none can be chosen
            raise OverflowError("too large to consider")
        return function(*args)

    return checked


def _naturals(shadow: Any, *args: Any) -> None:
    for arg in args:
        if arg is not None:
            shadow.refuse("lt", arg, 0)


def _constant(node: Node) -> int | None:
    return int(node.data) if node.op == "const" and isinstance(node.data, int) else None


def _factorial(tr: Any, node: Node, args: list[Any]) -> Any:
    return tr.chosen(node, tr.ints(node, args)[0], [math.factorial(n) for n in range(_MOST_FACTORIAL)])


def _chosen(tr: Any, node: Node, args: list[Any]) -> Any:
    """Make a table where one operand is constant or both are small."""
    if len(node.args) == 1:
        return _factorial(tr, node, args)
    function = math.comb if node.op == "math.comb" else math.perm
    terms = tr.ints(node, args)
    n, k = _constant(node.args[0]), _constant(node.args[1])
    if (n or 0) < 0 or (k or 0) < 0:
        raise Unsupported("a choice of or among less than nothing")
    if n is not None and n <= _LONGEST_TABLE:
        return tr.chosen(node, terms[1], [function(n, i) for i in range(n + 2)])
    if k is not None and k <= _LONGEST_TABLE:
        return tr.chosen(node, terms[0], [function(i, k) for i in range(_LONGEST_TABLE)])
    if n is not None or k is not None:
        raise Unsupported("a choice among that many")
    t = tr.terms
    size = _MOST_CHOSEN
    values = [function(i, j) for i in range(size) for j in range(size)]
    inside = t.and_(*[t.and_(t.le(t.int(0), term), t.lt(term, t.int(size))) for term in terms])
    place = t.add(t.mul(terms[0], t.int(size)), terms[1])
    return tr.chosen(node, t.ite(inside, place, t.int(-1)), values)


def _counting(function: Callable[..., int], takes: str, least: int, solve: Any) -> Model:
    return Model(
        function,
        f"math.{function.__name__}",
        evaluate=_bounded(function),
        takes=takes,
        domain=_naturals,
        bounds=(least, None),
        solve={"int": solve},
        arguments=(int,) * len(takes.split()),
    )


register(
    _counting(math.factorial, "small", 1, _factorial),
    _counting(math.comb, "small small", 0, _chosen),
    _counting(math.perm, "small small?", 0, _chosen),
)
