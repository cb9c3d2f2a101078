"""`match`, `search`, `findall`, `split`: whether there is a match, and how many, is decided.

Groups and pieces are expressions.
"""

from __future__ import annotations

import re
from typing import Any

from runtime import trace
from runtime.expr import Node, Sort, apply, sort_of
from runtime.lookup import decide
from runtime.models.regex.calls import Call, always_take_part, bound_node
from runtime.models.regex.matches import TracedMatch, TracedMatches
from runtime.private_builtins import keep_builtins
from runtime.scalars.text import item
from runtime.values import check, hold_length, node_of, wrap

keep_builtins(globals())


def searched(call: Call, native: re.Match[Any] | None) -> Any:
    """Return a match, or None."""
    node = call.texts(f"re.{call.name}", Sort.OBJ)
    check(wrap(native is None, apply("is_none", Sort.BOOL, node)))
    return None if native is None else TracedMatch(native, call, node)


def found_in_turn(call: Call, native: Any) -> Any:
    """Return `finditer`."""
    return TracedMatches(native, call)


def _counted(values: list[Any], whole: Node) -> None:
    hold_length(apply("len", Sort.INT, whole), len(values), trace.Kind.CHECK)


def all_found(call: Call, native: list[Any]) -> list[Any]:
    """Return the texts of all matches; of their groups, if there are any."""
    whole = call.texts("re.findall", Sort.OBJ)
    _counted(native, whole)
    return [_piece(value, item(whole, i, sort_of(value))) for i, value in enumerate(native)]


def _piece(value: Any, node: Node) -> Any:
    if type(value) is tuple:
        return tuple(wrap(part, item(node, i, sort_of(part))) for i, part in enumerate(value))
    return wrap(value, node)


def split(call: Call, native: list[Any]) -> list[Any]:
    """Return the texts between the matches, and the groups of these, which may be None."""
    operands = [node_of(call.text)]
    if "maxsplit" in call.arguments:
        operands.append(bound_node(call.arguments["maxsplit"]))
    whole = call.node("re.split", Sort.OBJ, *operands)
    _counted(native, whole)
    stride = call.pattern.groups + 1
    certain = always_take_part(call.pattern) if call.fixed else frozenset[int]()
    result = []
    for i, value in enumerate(native):
        if i % stride and i % stride not in certain:
            decide(wrap(value is None, apply("is_none", Sort.BOOL, item(whole, i, Sort.OBJ))))
        result.append(value if value is None else wrap(value, item(whole, i, sort_of(value))))
    return result
