"""Mocks of what has no class: objects of which the code tells the members that it uses."""

from __future__ import annotations

import ast
import functools
from collections.abc import Mapping, Sequence
from typing import Final

from tracetwin.analysis.scopes import Scope
from tracetwin.analysis.sources import Source, walk
from tracetwin.drawing.mocks.errors import stopping
from tracetwin.drawing.mocks.interface import asked_for, is_special, offered
from tracetwin.drawing.mocks.observed import is_procedure
from tracetwin.drawing.mocks.plan import Answering, MockPlan
from tracetwin.drawing.mocks.results import FIXED, items_of, used_plan
from tracetwin.drawing.plans.plans import NONE, Plan
from tracetwin.drawing.plans.wrapped import CONTEXT, SELF, WrappedPlan
from tracetwin.drawing.typing.resolve import Resolver

Attributes = Sequence[tuple[str, Plan]]
Methods = Sequence[tuple[str, Plan | None]]

_PARTNERS: Final = {
    "__enter__": "__exit__",
    "__aenter__": "__aexit__",
    "__next__": "__iter__",
    "__anext__": "__aiter__",
}
DEPTH: Final = 1
_ASYNC: Final = frozenset(("__aenter__", "__aexit__", "__anext__"))


def duck_plan(attributes: Attributes, methods: Methods, scope: Scope, resolver: Resolver) -> MockPlan:
    """A mock of no class; `methods` whose plan is None are looked for in the module."""
    called = _with_partners(dict(methods))
    results: dict[str, Plan | None] = {**dict(attributes), **called}
    for name in filter(is_special, results):  # that code asks whether it is there makes no attribute of it
        called[name] = results[name] = called.get(name)
    kinds = {name: _kind_of(scope.source, name) if name in called else "attribute" for name in results}
    known: dict[str, Answering] = {}

    def planned(name: str) -> Answering:
        if name not in known:
            known[name] = _answering(name, kinds[name], results[name], scope, resolver)
        return known[name]

    asked = asked_for(scope.source.tree)
    options = {name: kind for name, kind in kinds.items() if name in asked}
    fixed = {name: kind for name, kind in kinds.items() if name not in asked}
    return MockPlan("", "duck", (), offered(fixed), planned, options=options)


def _with_partners(methods: dict[str, Plan | None]) -> dict[str, Plan | None]:
    """The methods, and those without which Python does not take them for what they are."""
    found = dict(methods)
    for name, partner in _PARTNERS.items():
        if name in methods and partner not in methods:
            found[partner] = NONE if partner.endswith("exit__") else SELF
    return found


def _answering(name: str, kind: str, result: Plan | None, scope: Scope, resolver: Resolver) -> Answering:
    if kind == "attribute":
        return Answering(result or NONE)
    return Answering(_result(name, kind, result, scope, resolver), stop=stopping(name))


def _result(name: str, kind: str, given: Plan | None, scope: Scope, resolver: Resolver) -> Plan:
    if name in ("__enter__", "__aenter__"):
        return SELF
    if name in FIXED:
        return FIXED[name]
    if is_procedure(scope.source, name):
        return NONE
    inner = given or used_plan(name, scope, resolver, DEPTH)
    if kind == "asyncgen":
        return items_of(inner)
    return WrappedPlan(CONTEXT, inner) if _is_entered(scope.source, name) else inner


def _kind_of(source: Source, name: str) -> str:
    """The kind of a method by its callers: that of a coroutine, of an asynchronous generator."""
    if name in _ASYNC:
        return "async"
    calls = _calls(source, name)
    if calls and all(isinstance(around, ast.Await) for around in calls):
        return "async"
    return "asyncgen" if any(map(_is_async_loop, calls)) else "method"


def _is_async_loop(node: ast.AST) -> bool:
    return isinstance(node, ast.AsyncFor) or (isinstance(node, ast.comprehension) and bool(node.is_async))


def _is_entered(source: Source, name: str) -> bool:
    return any(isinstance(around, ast.withitem) for around in _calls(source, name))


def _calls(source: Source, name: str) -> Sequence[ast.AST]:
    """The nodes directly around each call of a method."""
    return _around_calls(source.tree).get(name, ())


@functools.lru_cache(maxsize=4)  # asked for by every method of a duck
def _around_calls(tree: ast.Module) -> Mapping[str, Sequence[ast.AST]]:
    found: dict[str, list[ast.AST]] = {}
    for node in walk(tree):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Call) and isinstance(child.func, ast.Attribute):
                found.setdefault(child.func.attr, []).append(node)
    return found
