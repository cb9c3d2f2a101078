"""Walks a function: calls, and the names that values get."""

from __future__ import annotations

import ast

from tracetwin.analysis.evidence import library_calls as known
from tracetwin.analysis.evidence.expressions import OnCall, certain, dotted, of_class, replaced_if_missing
from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.analysis.evidence.loops import LoopObserver
from tracetwin.analysis.evidence.moments import KINDS_BETWEEN
from tracetwin.analysis.evidence.operations import note_pattern
from tracetwin.analysis.evidence.spelled_types import meaning_in, note_type
from tracetwin.analysis.evidence.strength import Strength
from tracetwin.analysis.misuse import forgiven
from tracetwin.analysis.sources import FunctionNode

_GROWING = frozenset(("append", "add", "appendleft", "insert", "remove", "index", "count"))

_SPECIAL = {"len": "__len__", "next": "__next__", "iter": "__iter__"}
_FUNCTIONS = ("key", "default_factory", "callback", "target")  # what other functions take by these names
_KEYED = ("get", "pop", "setdefault")
_KEEPING = ("setattr", "delattr", "vars")
_COPYING = frozenset("list tuple set frozenset sorted dict".split())


class CallObserver(LoopObserver, ast.NodeVisitor):
    """Notes the calls of a function."""

    def called(self, name: str, node: ast.Call) -> None:
        self._looked_up(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr in KINDS_BETWEEN:
            self.note_ends(node.func.value, KINDS_BETWEEN[node.func.attr])
        if isinstance(node.func, ast.Attribute) and (receiver := self.facts(node.func.value)) is not None:
            self._method(receiver, node.func.attr, node)
        elif (called := self.function(node.func)) is not None:
            fixed = not node.keywords and not any(isinstance(item, ast.Starred) for item in node.args)
            called.calls = len(node.args) if fixed else -1
            self._facts_of_call(node)
        if name in _SPECIAL and node.args and (facts := self.facts(node.args[0])) is not None:
            facts.special(_SPECIAL[name], facts.elements() if name == "next" else None)
        if name in ("isinstance", "issubclass", "hasattr", "getattr") and len(node.args) >= 2:
            self._tested(name, node)
        elif node.args and known.takes_types(self.constant(node.func)):
            self.name_classes(self.facts(node.args[0]), ast.Name("type"))
        elif name.rpartition(".")[2] == "cast" and len(node.args) == 2:
            self.name_classes(self.facts(node.args[1]), node.args[0])
        elif (rows := known.arguments(name, self.constant(node.func))) is not None:
            self._builtin(rows, node)
        else:
            self._arguments(node)
            if not self.look_inside(name, node) and self.on_call is not None:
                self._follow(self.on_call, name, node)
        self._unpacked(node)
        self.told_elements(node)

    def _follow(self, follow: OnCall, name: str, node: ast.Call) -> None:
        """Look into what is called: where that is what a loop goes through, into each of these."""
        follow(name, node, self)
        for other in self.tables.get(name, ()):
            follow(dotted(other), ast.Call(other, node.args, node.keywords), self)

    def _looked_up(self, node: ast.Call) -> None:
        """``TABLE.get(x)``: x is a key of the module's table; ``vars(x)``: x is an object."""
        called = node.func
        named = len(node.args) > 1 and isinstance(node.args[1], ast.Constant)
        held = self.facts(node.args[0]) if dotted(called) in _KEEPING and node.args and not named else None
        if held is not None:
            held.keeps_any = True
        if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and node.args:
            facts = self.facts(node.args[0])
            if called.attr in _KEYED and called.value.id not in self.names and facts is not None:
                self.key_of(facts, self.classes.get(called.value.id))

    def _arguments(self, node: ast.Call) -> None:
        kinds = known.METHOD_ARGUMENTS.get(node.func.attr, "") if isinstance(node.func, ast.Attribute) else ""
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            if (facts := self.facts(argument)) is None:
                continue
            facts.handed_on = True
            if kinds and argument in node.args:
                facts.may_be(kinds)

    def _unpacked(self, node: ast.Call) -> None:
        """``f(*args, **kwargs)``, and the functions that sorting takes."""
        for argument in node.args:
            if isinstance(argument, ast.Starred) and (facts := self.facts(argument)) is not None:
                facts.may_be("list > tuple")
        for keyword in node.keywords:
            if keyword.arg is None and (facts := self.facts(keyword.value)) is not None:
                facts.must_be("dict")
            elif keyword.arg in _FUNCTIONS and (facts := self.facts(keyword.value)) is not None:
                facts.may_be("function", Strength.NEEDED)

    def _method(self, receiver: ValueFacts, method: str, node: ast.Call) -> None:
        self._facts_of_call(node)
        self.method_calls.append((receiver, node))
        if method == "replace" and node.keywords and not node.args:  # that of texts takes none by name
            receiver.must_be("date > datetime > time")
            return
        receiver.methods.setdefault(method, ValueFacts())
        self._grown(receiver, method, node.args)
        if receiver.methods[method].is_async:
            return
        if method in _KEYED and node.args and len(node.args) + (method == "get") > 1:
            receiver.must_be("dict", Strength.USED)
            if (key := self.facts(node.args[0])) is not None:
                receiver.key_facts().link(key)
            self._given_otherwise(node)
        if method == "pop" and not node.args:
            receiver.may_be("list", Strength.HINT)
        if method in known.OF_SAME_TYPE and node.args:
            self._same_type(receiver, node.args[0])

    def _given_otherwise(self, node: ast.Call) -> None:
        """``data.get(key, {})``: what is there is like what is given where it is not."""
        found = self.facts(node) if len(node.args) == 2 else None
        if found is not None and (kind := self.kind(node.args[1])):
            found.may_be(kind)

    def _grown(self, receiver: ValueFacts, method: str, given: list[ast.expr]) -> None:
        """The elements of a container are like what it takes in."""
        facts = self.facts(given[-1]) if given else None
        if method == "extend" and facts is not None:
            receiver.share_elements(facts)
        if method not in _GROWING or not given:
            return
        if kind := self.kind(given[-1]):
            receiver.elements().may_be(kind)
        if facts is not None:
            receiver.elements().link(facts)

    def _same_type(self, receiver: ValueFacts, argument: ast.expr) -> None:
        """A text starts with a text, bytes with bytes."""
        first = argument.elts[0] if isinstance(argument, ast.Tuple) and argument.elts else argument
        if (kind := self.kind(first)) in ("str", "bytes"):
            receiver.must_be(kind)

    def _tested(self, name: str, node: ast.Call) -> None:
        facts = self.facts(node.args[0])
        if facts is None:
            return
        second = node.args[1]
        if name.startswith("is"):
            facts.asked = True
            for cls in (classes := self.classes_in(second)):
                facts.name(type[cls] if name == "issubclass" else cls, Strength.PASSED)
            for one in (facts, self.facts(second)) if name == "issubclass" and not classes else ():
                self.name_classes(one, ast.Name("type"))
        elif isinstance(wanted := getattr(second, "value", None), str) and wanted.isidentifier():
            facts.attributes.setdefault(wanted, ValueFacts())
            facts.tested.add(wanted)

    def _builtin(self, rows: tuple[known.ArgumentRow, ...], node: ast.Call) -> None:
        for index, argument in enumerate(node.args):
            facts = self.facts(argument)
            row = rows[min(index, len(rows) - 1)] if rows else None
            if isinstance(argument, ast.BinOp) and row is not None and "list" in row.kinds:
                self.set_operation(argument)
            if facts is not None and row is not None:
                (facts.must_be if row.closed else facts.may_be)(row.kinds, row.strength)
                if row.elements:
                    facts.elements().may_be(row.elements, Strength.SUITS)


class Observer(CallObserver, ast.NodeVisitor):
    """Collects the facts of one function."""

    def run(self, node: FunctionNode) -> None:
        """Look at the whole body."""
        self.note_indexed(node)
        for statement in node.body:
            self.visit(statement)
        for part, whole in self.recursions:
            part.resemble(whole)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        for target in node.targets:
            self._assign(target, node.value)
            self._store(target, node.value)
            self.visit(target)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)
            self._assign(node.target, node.value)
        elif self.facts(node.target) is None:
            self.bind(node.target, None)
        if (facts := self.facts(node.target)) is not None:
            note_type(node.annotation, facts, meaning_in(self.classes))

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        self._assign(node.target, node.value)

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            pairs = list(zip(target.elts, value.elts, strict=False))
        known = [self.facts(inner) for _, inner in pairs]  # before any of the names is another's
        for (part, inner), facts in zip(pairs, known, strict=True):
            self._assign_one(part, inner, facts)

    def _assign_one(self, target: ast.expr, value: ast.expr, facts: ValueFacts | None) -> None:
        kind = self.kind(value)
        old = self.names.get(target.id) if isinstance(target, ast.Name) else None
        if old is not None and old not in self.strays and (self.conditional or facts is old):
            if kind:  # `if x is None: x = []` tells what x is otherwise
                old.may_be(kind)
            return
        if isinstance(value, ast.BoolOp) and isinstance(value.op, ast.Or):  # ``x or []``
            facts = self._either(value.values[0], value.values[-1])
            if facts is not None:
                facts.none = True
        elif isinstance(value, ast.IfExp):  # ``x if isinstance(x, dict) else dict(x)``
            facts = self._either(value.body, value.orelse) or self._either(value.orelse, value.body)
        views = self.views.get(target.id, ()) if isinstance(target, ast.Name) else ()
        self.bind(target, self._made_of(value, kind) if facts is None else facts)
        self.keep_view(target, value, views)

    def _made_of(self, value: ast.expr, kind: str | None) -> ValueFacts | None:
        """The facts of a value of a known type; the elements of ``list(x)`` are those of x."""
        if kind is None:
            return of_class(self.class_of(value))
        made = certain(kind)
        match value:
            case ast.Call(func=ast.Name(id=name), args=[inner, *_]) if name in _COPYING:
                if (source := self.facts(inner)) is not None:
                    made.element = source.elements()
                    if name == "dict":
                        made.key, made.keys = source.key_facts(), source.keys
            case ast.ListComp(elt=item) | ast.SetComp(elt=item):
                made.element = self.facts(item)
            case ast.DictComp(key=key, value=item):
                made.key, made.element = self.facts(key), self.facts(item)
            case _:
                pass
        return made

    def _either(self, followed: ast.expr, other: ast.expr) -> ValueFacts | None:
        """Of two values that stand for each other the facts of one: it may be what the other is."""
        facts, kind = self.facts(followed), self.kind(other)
        if facts is not None and kind:
            facts.may_be(kind)
        return facts

    def _store(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Subscript) and (facts := self.facts(target.value)) is not None:
            facts.may_be("dict list", Strength.HINT)
            if (stored := self.facts(value)) is not None:
                facts.elements().link(stored)

    def visit_Try(self, node: ast.Try) -> None:
        for part in forgiven(node):
            if (facts := self.facts(part)) is not None:
                facts.forgiven = True
        self.inner(node)

    def _condition(self, node: ast.If | ast.While | ast.IfExp) -> None:
        if (facts := self.facts(node.test)) is not None:
            facts.may_be("bool", Strength.HINT)
        for target, value in replaced_if_missing(node):
            if (old := self.facts(target)) is not None and (facts := self.facts(value)) is not None:
                old.link(facts)
        self.inner(node)

    visit_If = visit_While = visit_IfExp = _condition

    def visit_With(self, node: ast.With | ast.AsyncWith) -> None:
        method = "__enter__" if isinstance(node, ast.With) else "__aenter__"
        for item in node.items:
            if method == "__aenter__":
                self._given_later(item.context_expr)
            if (facts := self.facts(item.context_expr)) is not None:
                entered = facts if isinstance(item.context_expr, ast.Call) else facts.special(method)
                if item.optional_vars is not None:
                    self.bind(item.optional_vars, entered)
        self.generic_visit(node)

    visit_AsyncWith = visit_With

    def visit_Raise(self, node: ast.Raise) -> None:
        if (facts := self.facts(node.exc)) is not None:
            facts.must_be("exception")
        self.generic_visit(node)

    def visit_YieldFrom(self, node: ast.YieldFrom) -> None:
        if (facts := self.facts(node.value)) is not None:
            facts.must_be("list > str tuple iterator", Strength.USED)
        self.generic_visit(node)

    def visit_Match(self, node: ast.Match) -> None:
        if (facts := self.facts(node.subject)) is not None:
            for case in node.cases:
                note_pattern(self, facts, case.pattern)
        self.inner(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Classes inside functions are not looked into."""
