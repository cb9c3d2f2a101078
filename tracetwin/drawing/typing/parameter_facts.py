"""The facts of the parameters of a function by what stands in its head: annotations and constant defaults."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from tracetwin.analysis.evidence.callees import SIMPLE
from tracetwin.analysis.evidence.calls.passed_values import note_value
from tracetwin.analysis.evidence.expressions import certain
from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.analysis.evidence.strength import Strength
from tracetwin.analysis.scopes import is_anything
from tracetwin.analysis.sources import FunctionNode, is_static

_NAMING: Final = ("__getattr__", "__getattribute__", "__setattr__", "__delattr__")
"""Methods whose first argument is a name, as the interpreter calls them."""


def parameter_facts(node: FunctionNode, *, is_method: bool) -> dict[str, ValueFacts]:
    """Return the facts of each parameter by name, without that of the receiver."""
    items = [*node.args.posonlyargs, *node.args.args]
    items = [*(items[1:] if is_method and not is_static(node) else items), *node.args.kwonlyargs]
    found = {item.arg: ValueFacts() for item in items}
    for item in items:
        if item.annotation is not None:
            text = ast.unparse(item.annotation).strip("'\"")
            if not is_anything(text):
                found[item.arg].name(SIMPLE.get(text, text), Strength.PASSED)
    if is_method and node.name in _NAMING and items:
        found[items[0].arg].must_be("str", Strength.DECLARED)
    for item, default in defaults_of(node.args):
        if item.arg in found and isinstance(default, ast.Constant):
            note_value(default.value, found[item.arg], ())
    if node.args.kwarg is not None:
        found[node.args.kwarg.arg] = ValueFacts(is_mapping=True)
    if node.args.vararg is not None:
        found[node.args.vararg.arg] = certain("tuple")
    return found


def defaults_of(spec: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr]]:
    """Yield each parameter that has a default, with it."""
    items = [*spec.posonlyargs, *spec.args]
    yield from zip(items[len(items) - len(spec.defaults) :], spec.defaults, strict=True)
    yield from ((item, one) for item, one in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if one)
