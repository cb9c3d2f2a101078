"""Origins of conditions: the parameters and attributes from which values come to them, near ones first.

Names are followed through a whole module, without regard to the order of statements: what is found says which
part of an input is worth changing first, and proves nothing.
"""

from __future__ import annotations

import ast
import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from tracetwin.support.syntax import definitions

_FARTHEST: Final = 6
"""Steps from a value to what it is made of, beyond which nothing is told."""

_DECIDED: Final = 2
"""Steps from a value to the condition under which it is given, or to what an object was changed by."""

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_Place: TypeAlias = tuple[str, str]
"""A variable with the function that binds it; an attribute with "."; a result with "()", a key with "[]"."""

_Scopes: TypeAlias = Sequence[tuple[str, frozenset[str]]]
"""The functions and classes around a place, the outermost first, each with the names that it binds."""

_NAMED: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)

_ATTRIBUTE: Final = "."
_RESULT: Final = "()"
_KEY: Final = "[]"

_ASKING: Final = frozenset(("get", "pop", "setdefault"))
"""Methods of dicts whose first argument is a key."""


class Origins:
    """The origins of all conditions of a module."""

    def __init__(self, tree: ast.Module) -> None:
        self._definitions: dict[str, list[_Function]] = defaultdict(list)
        self._scopes: dict[_Function | ast.ClassDef, str] = {}
        self._parameters: set[_Place] = set()
        for scope, node in definitions(tree):
            self._scopes[node] = scope
            if not isinstance(node, ast.ClassDef):
                owner, _, name = scope.rpartition(".")
                self._definitions[name if name != "__init__" else owner.rpartition(".")[2]].append(node)
                self._parameters.update((scope, name) for name in _parameters_of(node))
        self._given: dict[_Place, dict[_Place, int]] = defaultdict(dict)
        self._conditions: dict[tuple[str, int], set[_Place]] = defaultdict(set)
        self._read(tree.body, (("", frozenset()),), ())

    def of(self, scope: str, line: int) -> Mapping[str, int]:
        """Return the names of parameters, attributes and keys that come to the conditions on a line.

        Each has the number of steps that it takes, 0 for those that stand there.
        """
        best: dict[_Place, int] = {}
        waiting = [(0, place) for place in sorted(self._conditions.get((scope, line), ()))]
        words: dict[str, int] = {}
        while waiting:
            steps, place = heapq.heappop(waiting)
            if place in best or steps > _FARTHEST:
                continue
            best[place] = steps
            if place[0] in (_ATTRIBUTE, _KEY) or place in self._parameters:
                words.setdefault(place[1], steps)
            for other, weight in self._given.get(place, {}).items():
                if other not in best:
                    heapq.heappush(waiting, (steps + weight, other))
        return words

    def _read(self, block: Iterable[ast.AST], scopes: _Scopes, under: Sequence[_Place]) -> None:
        for node in block:
            self._node(node, scopes, under)

    def _node(self, node: ast.AST, scopes: _Scopes, under: Sequence[_Place]) -> None:
        """Take in a node: what it gives to whom, and its conditions; `under` is what decides that it runs."""
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            inner = (self._scopes[node], frozenset((*_parameters_of(node), *_bound_in(node))))
            self._read(node.body, (*scopes, inner), ())
            return
        if isinstance(node, ast.ClassDef):
            self._read(node.body, (*scopes, (self._scopes[node], frozenset())), ())
            return
        scope = scopes[-1][0]
        decided = list(under)
        for condition in _conditions_of(node):
            read = set(_places(condition, scopes))
            decided += sorted(read)
            for line in {condition.lineno, getattr(node, "lineno", condition.lineno)}:
                self._conditions[scope, line] |= read
        for target, value in _gifts(node):
            self._give(_targets(target, scopes), _places(value, scopes), 1)
            self._give(_targets(target, scopes), under, _DECIDED)
        if isinstance(node, ast.Return) and node.value is not None:
            result = [(_RESULT, scope.rpartition(".")[2])]
            self._give(result, _places(node.value, scopes), 1)
            self._give(result, under, _DECIDED)
        if isinstance(node, ast.Call):
            self._call(node, scopes)
        self._read(ast.iter_child_nodes(node), scopes, decided)

    def _call(self, call: ast.Call, scopes: _Scopes) -> None:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        for function in self._definitions.get(name, ()):
            scope = self._scopes[function]
            names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
            if "." in scope and names and (name != function.name or isinstance(call.func, ast.Attribute)):
                names = names[1:]
            for parameter, given in zip(names, call.args, strict=False):
                self._give([(scope, parameter)], _places(given, scopes), 1)
            for keyword in call.keywords:
                if keyword.arg is not None:
                    self._give([(scope, keyword.arg)], _places(keyword.value, scopes), 1)
        if isinstance(call.func, ast.Attribute) and name not in self._definitions:
            for given in call.args:
                self._give(_targets(call.func.value, scopes), _places(given, scopes), _DECIDED)

    def _give(self, targets: Iterable[_Place], sources: Iterable[_Place], steps: int) -> None:
        known = list(sources)
        for target in targets:
            for source in known:
                given = self._given[target]
                given[source] = min(steps, given.get(source, steps))


def _parameters_of(function: _Function) -> list[str]:
    given = function.args
    rest = [one for one in (given.vararg, given.kwarg) if one is not None]
    return [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs, *rest)]


def _bound_in(function: ast.AST) -> Iterator[str]:
    """Yield the names that a function binds in its own body or in comprehensions there."""
    for inner in ast.iter_child_nodes(function):
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            yield inner.id
        if not isinstance(inner, _NAMED):
            yield from _bound_in(inner)


def _conditions_of(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the conditions that a node itself decides by."""
    match node:
        case ast.If() | ast.While() | ast.Assert() | ast.IfExp():
            yield node.test
        case ast.For() | ast.AsyncFor():
            yield node.iter
        case ast.comprehension():
            yield from (node.iter, *node.ifs)
        case ast.BoolOp():
            yield from node.values
        case ast.Match():
            yield node.subject
            yield from (case.guard for case in node.cases if case.guard is not None)
        case _:
            pass


def _gifts(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield the targets that a node gives values, with these."""
    match node:
        case ast.Assign():
            yield from ((target, node.value) for target in node.targets)
        case ast.AugAssign() | ast.NamedExpr():
            yield node.target, node.value
        case ast.AnnAssign(value=ast.expr() as value):
            yield node.target, value
        case ast.For() | ast.AsyncFor() | ast.comprehension():
            yield node.target, node.iter
        case ast.withitem(optional_vars=ast.expr() as target):
            yield target, node.context_expr
        case _:
            pass


def _home(name: str, scopes: _Scopes) -> _Place:
    return next(((scope, name) for scope, bound in reversed(scopes) if name in bound), ("", name))


def _places(value: ast.AST, scopes: _Scopes) -> Iterator[_Place]:
    """Yield the places that an expression reads, and the results of calls in it."""
    for node in ast.walk(value):
        if isinstance(node, ast.Name):
            yield _home(node.id, scopes)
        elif isinstance(node, ast.Attribute):
            yield _ATTRIBUTE, node.attr
        elif isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            yield _RESULT, name
        match node:
            case (
                ast.Call(func=ast.Attribute(attr=asking), args=[ast.Constant(str() as key), *_])
            ) if asking in _ASKING:
                yield _KEY, key
            case ast.Subscript(slice=ast.Constant(str() as key)):
                yield _KEY, key
            case ast.Compare(left=ast.Constant(str() as key), ops=[ast.In() | ast.NotIn()]):
                yield _KEY, key
            case _:
                pass


def _targets(target: ast.AST, scopes: _Scopes) -> list[_Place]:
    """Return the places that a target stands for: of ``a.b[c]`` the attribute, as its elements change."""
    match target:
        case ast.Name():
            return [_home(target.id, scopes)]
        case ast.Attribute():
            return [(_ATTRIBUTE, target.attr)]
        case ast.Subscript() | ast.Starred():
            return _targets(target.value, scopes)
        case ast.Tuple() | ast.List():
            return [place for one in target.elts for place in _targets(one, scopes)]
        case _:
            return []
