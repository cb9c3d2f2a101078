"""Evidence from functions that are defined in a function, given to another, or call themselves."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from tracetwin.analysis.evidence.expressions import FollowedExpressions, Names
from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.analysis.evidence.operations import OperationObserver
from tracetwin.analysis.sources import FunctionNode, arguments


class InnerFunctions(OperationObserver, ast.NodeVisitor):
    """Looks into the functions that are defined in a function, once for each call of them there."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._own: dict[str, FunctionNode] = {}
        self._inside: FunctionNode | None = None
        self.given: dict[int, ValueFacts] = {}
        """What some lambda gets as its first argument."""

    def visit_FunctionDef(self, node: FunctionNode) -> None:
        self._own[node.name] = node
        self._look_at(node.args, node.body)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> None:
        first = next(iter(node.args.args), None)
        known = self.given.get(id(node))
        given = {first.arg: known} if first is not None and known is not None else {}
        self._look_at(node.args, [node.body], given)

    def _look_at(
        self, parameters: ast.arguments, body: Sequence[ast.AST], given: Names | None = None
    ) -> None:
        """Parameters hide what has the same names outside."""
        names = _parameters(parameters)
        hidden = {name: self.names.pop(name) for name in names if name in self.names}
        self.names.update(given or {})
        for part in body:
            self.visit(part)
        for name in given or ():
            self.names.pop(name, None)
        self.names.update(hidden)

    def look_inside(self, name: str, node: ast.Call) -> bool:
        """A function is called: if it is defined in this one, its body tells what it is given."""
        callee = self._own.get(name)
        if callee is None:
            return False
        if callee is self._inside:
            note_recursion(self, callee, node, method=False)
        if self._inside is None:
            given = {item.arg: self.facts(part) for item, part in arguments(callee, node, method=False)}
            outer = self.names
            own = _parameters(callee.args)
            self.names = {key: facts for key, facts in outer.items() if key not in own}
            self.names.update((key, facts) for key, facts in given.items() if facts is not None)
            self._inside = callee
            for statement in callee.body:
                self.visit(statement)
            self._inside = None
            self.names = outer
        return True

    def told_elements(self, node: ast.Call) -> None:
        """``sorted(rows, key=lambda row: row[1])``, ``map(len, rows)``: a row is what the function takes."""
        series: list[ast.expr] = []
        functions = [keyword.value for keyword in node.keywords if keyword.arg == "key"]
        match node:
            case ast.Call(func=ast.Name(id="map" | "filter"), args=[function, *series]):
                functions = [function]
            case ast.Call(func=ast.Name(id="sorted" | "min" | "max"), args=[one]):
                series = [one]
            case ast.Call(func=ast.Attribute(value=one, attr="sort"), args=[]):
                series = [one]
            case _:
                return
        elements = [self.elements_of(one) for one in series]
        for function in functions:
            if isinstance(function, (ast.Name, ast.Attribute)):
                self._called_with(function, elements)
            elif isinstance(function, ast.Lambda) and elements and elements[0] is not None:
                self.given[id(function)] = elements[0]

    def _called_with(self, function: ast.expr, elements: Sequence[ValueFacts | None]) -> None:
        """Another function calls one with values, of which none has a name."""
        names = [f"element {place}" for place in range(len(elements))]
        known = {name: facts for name, facts in zip(names, elements, strict=True) if facts is not None}
        if not known:
            return
        outer = {name: self.names[name] for name in names if name in self.names}  # one call within another
        self.names.update(known)
        call = ast.Call(function, [ast.Name(name) for name in names], [])
        self.visit(ast.copy_location(call, function))
        for name in known:
            self.names.pop(name, None)
        self.names.update(outer)

    def elements_of(self, node: ast.expr) -> ValueFacts | None:
        """The facts of the elements of a series; of the items of a dict these are pairs."""
        match node:
            case ast.Call(
                func=ast.Attribute(value=inner, attr="items" | "keys" | "values" as method), args=[]
            ):
                facts = self.facts(inner)
                if facts is None:
                    return None
                parts = {"keys": facts.key_facts, "values": facts.elements}
                return parts[method]() if method in parts else _pair(facts)
            case _:
                facts = self.facts(node)
                return None if facts is None else facts.elements()

    def any_of(self, items: list[ast.expr]) -> ValueFacts | None:
        """The facts of values of which each is used as the others are; of ``*x`` it is the elements."""
        found: ValueFacts | None = None
        for item in items:
            facts = self.elements_of(item.value) if isinstance(item, ast.Starred) else self.facts(item)
            if found is not None and facts is not None:
                facts.adopt(found)
                found.adopt(facts)
            found = found or facts
        return found



def _pair(facts: ValueFacts) -> ValueFacts:
    """The facts of an item of a dict."""
    return ValueFacts(arity=[facts.key_facts(), facts.elements()])


def _parameters(parameters: ast.arguments) -> set[str]:
    """The names of all parameters, whichever way they are given."""
    return {item.arg for item in ast.walk(parameters) if isinstance(item, ast.arg)}


def note_recursion(
    observer: FollowedExpressions, function: FunctionNode, call: ast.Call, *, method: bool
) -> None:
    """Note what a function passes to itself: a part of a value that is of the same type."""
    for item, argument in arguments(function, call, method):
        part, whole = observer.facts(argument), observer.names.get(item.arg)
        if part is not None and whole is not None:
            observer.recursions.append((part, whole))
