"""Walks a function: loops, and what their variables stand for."""

from __future__ import annotations

import ast
import functools
from itertools import zip_longest
from types import FunctionType
from typing import Any

from tracetwin.analysis.evidence.expressions import certain, dotted, of_value
from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.analysis.evidence.hints import is_character
from tracetwin.analysis.evidence.inner_functions import InnerFunctions
from tracetwin.analysis.evidence.strength import Strength
from tracetwin.analysis.sources import walk

MOST_LISTED = 8
"""Functions in a list that are called in turn, and looked into."""

MOST_VIEWS = 2
"""Things that a name may stand for, besides the last one."""


class LoopObserver(InnerFunctions, ast.NodeVisitor):
    """Notes the loops of a function, and binds names.

    Attributes:
        indexed: what is indexed by a variable, as its syntax tree is written out, and the variable.
    """

    conditional = 0
    indexed: frozenset[tuple[str, str]] = frozenset()

    def inner(self, node: ast.AST) -> None:
        self.conditional += 1
        self.generic_visit(node)
        self.conditional -= 1

    def visit_For(self, node: ast.For | ast.AsyncFor) -> None:
        if isinstance(node.target, ast.Name):
            self.tables[node.target.id] = self._listed(node.iter)
        self._iterate(node.target, node.iter)
        self.inner(node)

    def _listed(self, node: ast.expr) -> list[ast.expr]:
        """The parts of what a loop goes through that have names, such as functions called in turn."""
        match node:
            case ast.List(elts) | ast.Tuple(elts) | ast.Set(elts):
                return [one for one in elts if dotted(one)][:MOST_LISTED]
            case ast.Name() | ast.Attribute():
                held = self.constant(node)
                own = held if type(held) in (list, tuple) else ()
                names = [getattr(one, "__qualname__", "") for one in own if isinstance(one, FunctionType)]
                found: list[ast.expr] = [ast.Name(name, ast.Load()) for name in names if name in self.classes]
                return found[:MOST_LISTED]
            case _:
                return []

    def visit_AsyncFor(self, node: ast.AsyncFor) -> None:
        self._iterate_async(node.target, node.iter)
        self.inner(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        (self._iterate_async if node.is_async else self._iterate)(node.target, node.iter)
        self.generic_visit(node)

    def _iterate_async(self, target: ast.expr, iterable: ast.expr) -> None:
        """A method that gives an asynchronous iterator has the facts of its elements."""
        is_method = isinstance(iterable, ast.Call) and self.function(iterable.func) is None
        if is_method:
            self._given_later(iterable)
        facts = self.facts(iterable)
        if facts is not None and not is_method:
            facts = facts.special("__anext__", facts.elements())
        self.bind(target, facts)

    def visit_Await(self, node: ast.Await) -> None:
        self._given_later(node.value)
        self.facts(node)
        self.generic_visit(node)

    def _given_later(self, node: ast.expr) -> None:
        """Notes that a value is awaited, so that it comes from no method of a builtin, whatever its name."""
        if not isinstance(node, ast.Call):
            return
        if (called := self.function(node.func)) is not None:
            called.is_async = True
        elif isinstance(node.func, ast.Attribute) and (receiver := self.facts(node.func.value)) is not None:
            receiver.methods.setdefault(node.func.attr, ValueFacts()).is_async = True

    def _comprehension(self, node: Any) -> None:
        for generator in node.generators:
            self.visit(generator)
        for name in ("key", "value", "elt"):
            if hasattr(node, name):
                self.visit(getattr(node, name))

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def _iterate(self, target: ast.expr, iterable: ast.expr) -> None:
        match iterable:
            case ast.Call(func=ast.Name(id="range")):
                self.bind(target, certain("int"))
            case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]):
                self._iterate_counted(target, inner)
            case ast.Call(func=ast.Name(id="zip"), args=parts) if isinstance(target, ast.Tuple):
                for part, inner in zip(target.elts, parts, strict=False):
                    self._iterate(part, inner)
            case ast.Call(
                func=ast.Name(id="reversed" | "sorted" | "list" | "set" | "iter" | "tuple"), args=[inner, *_]
            ):
                self._iterate(target, inner)
            case ast.Call(
                func=ast.Attribute(value=inner, attr="items" | "keys" | "values" as method), args=[]
            ):
                self._iterate_dict(target, inner, method)
            case ast.Name(id=name) if name in self.views:
                self._iterate_views(target, name)
            case ast.GeneratorExp(elt=elt) | ast.ListComp(elt=elt):
                self.visit(iterable)
                self._bind_alike(target, elt)
            case _:
                self._iterate_value(target, iterable)

    def _iterate_counted(self, target: ast.expr, iterable: ast.expr) -> None:
        """Go through ``enumerate(iterable)``."""
        match target:
            case ast.Tuple([count, value]) | ast.List([count, value]):
                self.bind(count, certain("int"))
                self._iterate(value, iterable)
            case _:
                self.bind(target, None)

    def _iterate_views(self, target: ast.expr, variable: str) -> None:
        """Go through all that a name may stand for: the parts of these are alike."""
        views = self.views.pop(variable)  # one that speaks of the name means what it was before
        names = {part.id for part in ast.walk(target) if isinstance(part, ast.Name)}
        before: dict[str, ValueFacts] = {}
        for view in views:
            self._iterate(target, view)
            for name in names & self.names.keys():
                if name in before:
                    self.names[name].link(before[name])
                else:
                    before[name] = self.names[name]
        self.names.update(before)
        self.views[variable] = views

    def _bind_alike(self, target: ast.expr, value: ast.expr) -> None:
        """A target gets what an expression shows, part by part."""
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for one, part in zip(target.elts, value.elts, strict=False):
                self._bind_alike(one, part)
        else:
            kind = self.kind(value)
            self.bind(target, self.facts(value) or (certain(kind) if kind else None))

    def keep_view(self, target: ast.expr, value: ast.expr, before: tuple[ast.expr, ...]) -> None:
        """A name gets something that is only gone through: ``items = data.items()``.

        `before`: what it stood for until then, and still does where a condition decides.
        """
        if not isinstance(target, ast.Name):
            return
        match value:
            case ast.Call(func=ast.Attribute(attr="items" | "keys" | "values"), args=[]):
                pass
            case ast.Call(func=ast.Name(id="enumerate" | "zip")):
                pass
            case ast.Call(func=ast.Name(id="sorted" | "reversed" | "list"), args=[ast.Call()]):
                pass  # of a name its elements are known
            case ast.GeneratorExp() | ast.ListComp():
                pass
            case _:
                return
        self.views[target.id] = (*(before[-MOST_VIEWS:] if self.conditional else ()), value)

    def _iterate_value(self, target: ast.expr, iterable: ast.expr) -> None:
        self._iterate_elements(target, iterable)
        self.spells(target, iterable)

    def _iterate_elements(self, target: ast.expr, iterable: ast.expr) -> None:
        self.set_operation(iterable)
        if isinstance(iterable, (ast.Tuple, ast.List)):
            self.bind(target, self.any_of(iterable.elts))
            return
        if (facts := self.facts(iterable)) is None:
            self._bind_constant(target, self.constant(iterable))
            return
        if isinstance(target, ast.Name) and (ast.dump(iterable), target.id) in self.indexed:
            facts.must_be("dict")  # ``for key in data: data[key]``
            facts.special("__iter__", facts.key_facts())
            self.bind(target, facts.key_facts())
            return
        facts.must_be("list > str tuple > set >> dict iterator bytes file", Strength.USED)
        facts.special("__iter__", facts.elements())
        if isinstance(target, ast.Name) and is_character(target.id):
            facts.elements().may_be("char", Strength.SUITS)
        self.bind(target, facts.elements())

    def _bind_constant(self, target: ast.expr, held: Any) -> None:
        """Bind what goes over a table of the module: it is like the first thing there."""
        first = next(iter(held), None) if type(held) in (list, tuple, dict) else None
        if isinstance(target, ast.Tuple) and type(first) is tuple and len(first) == len(target.elts):
            for part, value in zip(target.elts, first, strict=True):
                self.bind(part, of_value(value))
        else:
            self.bind(target, of_value(first))

    def _iterate_dict(self, target: ast.expr, node: ast.expr, method: str) -> None:
        if (facts := self.facts(node)) is None:
            held = self.constant(node)
            view = getattr(held, method)() if type(held) is dict else None
            self._bind_constant(target, None if view is None else list(view))
        elif method == "items" and isinstance(target, ast.Tuple) and len(target.elts) == 2:
            self.bind(target.elts[0], facts.key_facts())
            self.bind(target.elts[1], facts.elements())
        else:
            self.bind(target, facts.key_facts() if method == "keys" else facts.elements())

    def note_indexed(self, node: ast.AST) -> None:
        """Note what a function indexes by names."""
        self.indexed = _indexed(node)

    def bind(self, target: ast.expr, facts: ValueFacts | None) -> None:
        """A target gets a value: follow it under its name, or stop following what the name was."""
        match target:
            case ast.Name(id=name):
                self.names.pop(name, None)
                self.views.pop(name, None)
                self.spelled[name] = ()
                if facts is None:
                    facts = ValueFacts()
                    self.strays[facts] = None
                self.names[name] = facts
            case ast.Attribute(value=ast.Name(id=base), attr=attribute) if base == self.this:
                self.names.setdefault(f"self.{attribute}", facts or ValueFacts())
                if facts is not None:
                    self.names[f"self.{attribute}"].link(facts)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                self._bind_parts(parts, facts)
            case _:
                pass  # items and attributes of other objects are followed by their container

    def _bind_parts(self, targets: list[ast.expr], facts: ValueFacts | None) -> None:
        shape: list[ValueFacts] = []
        if facts is not None and not any(isinstance(target, ast.Starred) for target in targets):
            shape = facts.shaped(len(targets))
        for target, part in zip_longest(targets, shape[: len(targets)]):
            self.bind(target, part)


@functools.lru_cache(maxsize=256)
def _indexed(node: ast.AST) -> frozenset[tuple[str, str]]:
    """Return what a function indexes by names, as its syntax tree is written out, with the name."""
    parts = (part for part in walk(node) if isinstance(part, ast.Subscript))
    return frozenset(
        (ast.dump(part.value), part.slice.id) for part in parts if isinstance(part.slice, ast.Name)
    )
