"""Walks a function and notes what it does with its parameters and with values taken from them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from tracetwin.inputs import library_calls as known
from tracetwin.inputs.facts import Facts
from tracetwin.inputs.sources import FunctionNode

Names: TypeAlias = dict[str, Facts]

# Called for `name(args)` and `self.name(args)`: (dotted name, arguments, their facts) -> result or None.
OnCall: TypeAlias = Callable[[str, ast.Call, "Observer"], Facts | None]

_NUMBER = {"int": 1.5, "float": 1.2, "complex": 0.1}
_CONSTANT_KINDS = {int: "int", float: "float", str: "str", bytes: "bytes", bool: "bool", complex: "complex"}


class Observer(ast.NodeVisitor):
    """Collects facts of one function; `names` are the values followed, by (dotted) name."""

    def __init__(
        self, names: Names, classes: Mapping[str, Any], on_call: OnCall | None = None, this: str | None = None
    ) -> None:
        self.names = names
        self.classes = classes
        self.on_call = on_call
        self.this = this
        self._conditional = 0

    def run(self, node: FunctionNode) -> None:
        """Look at the whole body."""
        for statement in node.body:
            self.visit(statement)

    # What an expression is

    def facts(self, node: ast.expr | None) -> Facts | None:
        """The facts of an expression that is a followed value or taken from one."""
        match node:
            case ast.Name(id=name):
                return self.names.get(name)
            case ast.Attribute(value=ast.Name(id=base), attr=attribute) if base == self.this:
                return self.names.get(f"self.{attribute}")
            case ast.Attribute(value=value, attr=attribute):
                inner = self.facts(value)
                return None if inner is None else inner.attributes.setdefault(attribute, Facts())
            case ast.Subscript(value=value, slice=index):
                return self._facts_of_item(value, index)
            case ast.Call():
                return self._facts_of_call(node)
            case ast.NamedExpr(value=value) | ast.Await(value=value) | ast.Starred(value=value):
                return self.facts(value)
        return None

    def _facts_of_item(self, value: ast.expr, index: ast.expr) -> Facts | None:
        inner = self.facts(value)
        if inner is None:
            return None
        if isinstance(index, ast.Constant) and isinstance(index.value, str):
            return inner.at(index.value)
        return inner if isinstance(index, ast.Slice) else inner.elements()

    def _facts_of_call(self, node: ast.Call) -> Facts | None:
        if isinstance(node.func, ast.Attribute):
            inner = self.facts(node.func.value)
            if inner is None:
                return None
            method = node.func.attr
            if method in ("get", "pop", "setdefault"):
                match node.args:
                    case [ast.Constant(value=str(key)), *_]:
                        return inner.at(key)
            if method in known.SAME_AS_RECEIVER:
                return inner
            if method == "pop" or (method == "get" and node.args):
                return inner.elements()
            return inner.methods.setdefault(method, Facts())
        inner = self.facts(node.func) if isinstance(node.func, ast.Name) else None
        if inner is not None:
            inner.result = inner.result or Facts()
            return inner.result
        return None

    def kind(self, node: ast.expr) -> str | None:
        """The builtin type of an expression that shows it, else None."""
        match node:
            case ast.Constant(value=value):
                return _CONSTANT_KINDS.get(type(value))
            case ast.JoinedStr():
                return "str"
            case ast.List() | ast.ListComp():
                return "list"
            case ast.Dict() | ast.DictComp():
                return "dict"
            case ast.Set() | ast.SetComp():
                return "set"
            case ast.Tuple():
                return "tuple"
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self.kind(operand)
            case ast.BinOp(left=left, op=operator, right=right):
                kinds = {self.kind(left), self.kind(right)}
                if isinstance(operator, ast.Mod) and self.kind(left) == "str":
                    return "str"
                return (
                    "float"
                    if "float" in kinds
                    else (kinds - {None}).pop()
                    if len(kinds - {None}) == 1
                    else None
                )
            case ast.Call(func=ast.Name(id=name)):
                return known.RESULTS.get(name)
            case ast.Call(func=ast.Attribute(attr=name)):
                return known.METHOD_RESULTS.get(name)
            case ast.Name(id=name) if name in self.names:
                votes = [weights for weights, exclusive in self.names[name].evidence if exclusive]
                if votes and len(votes[0]) == 1:
                    return next(iter(votes[0]))
        return None

    # Operations

    def visit_BinOp(self, node: ast.BinOp) -> None:
        for mine, other, left in ((node.left, node.right, True), (node.right, node.left, False)):
            if (facts := self.facts(mine)) is not None:
                self._arithmetic(facts, node.op, other, left)
        self.generic_visit(node)

    def _arithmetic(self, facts: Facts, operator: ast.operator, other: ast.expr, left: bool) -> None:
        kind = self.kind(other)
        if isinstance(operator, ast.Mod) and not left and kind == "str":
            facts.vote(str=0.5, int=0.4)
        elif isinstance(operator, (ast.BitAnd, ast.BitOr, ast.BitXor)):
            facts.vote(**({kind: 3.0} if kind in ("set", "dict") else {"int": 3.0, "set": 0.8, "bool": 0.3}))
        elif isinstance(operator, (ast.LShift, ast.RShift)):
            facts.vote(True, int=3.0)
        elif isinstance(operator, ast.Add) and kind in ("str", "list", "tuple", "bytes"):
            facts.vote(True, **{kind: 3.0})
        elif isinstance(operator, ast.Mult) and kind in ("str", "list", "tuple", "bytes"):
            facts.vote(True, int=3.0)
        elif isinstance(operator, ast.Add) and kind is None:
            if (second := self.facts(other)) is not None:
                facts.link(second)
            facts.vote(int=0.9, float=0.7, str=0.5, list=0.2)
        elif kind == "float":
            facts.vote(True, float=2.5, int=1.5, complex=0.1)
        elif isinstance(operator, ast.Div):
            facts.vote(True, float=1.7, int=1.5, complex=0.1)
        elif isinstance(operator, ast.Mod) and left and kind == "int":
            facts.vote(True, int=3.0, float=0.8)
        else:
            second = self.facts(other)
            if second is not None and not isinstance(operator, ast.Mult):
                facts.link(second)
            facts.vote(True, **{**_NUMBER, **({"int": 2.2} if kind == "int" else {})})

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        for mine, other, left in ((node.target, node.value, True), (node.value, node.target, False)):
            if (facts := self.facts(mine)) is not None:
                self._arithmetic(facts, node.op, other, left)
        self._store(node.target)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        facts = self.facts(node.operand)
        if facts is not None:
            if isinstance(node.op, ast.Not):
                facts.vote(bool=0.7)
            elif isinstance(node.op, ast.Invert):
                facts.vote(True, int=3.0)
            else:
                facts.vote(True, **_NUMBER)
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        operands = [node.left, *node.comparators]
        for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
            if isinstance(operator, (ast.In, ast.NotIn)):
                self._membership(left, right)
                continue
            for mine, other in ((left, right), (right, left)):
                facts = self.facts(mine)
                if facts is None:
                    self._type_test(mine, other)
                else:
                    self._compared(facts, operator, other)
        self.generic_visit(node)

    def _type_test(self, node: ast.expr, other: ast.expr) -> None:
        """`type(x) is int`."""
        match node:
            case ast.Call(func=ast.Name(id="type"), args=[argument]) if facts := self.facts(argument):
                for annotation in self._classes_in(other):
                    facts.name(annotation, 4.0)

    def _compared(self, facts: Facts, operator: ast.cmpop, other: ast.expr) -> None:
        kind = self.kind(other)
        if isinstance(other, ast.Constant) and other.value is None:
            facts.none = True
        elif kind is not None:
            ordering = isinstance(operator, (ast.Lt, ast.LtE, ast.Gt, ast.GtE))
            weights = {kind: 2.5}
            if kind == "int":
                weights["float"] = 1.7
            elif kind == "float":
                weights["int"] = 1.2
            elif kind == "str" and isinstance(other, ast.Constant) and len(other.value) == 1:
                weights["char"] = 0.4
            facts.vote(ordering, **weights)
        elif (second := self.facts(other)) is not None:
            facts.link(second)
            if not isinstance(operator, (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)):
                facts.vote(int=0.9, float=0.7, str=0.4)

    def _membership(self, item: ast.expr, container: ast.expr) -> None:
        inner, outer = self.facts(item), self.facts(container)
        if inner is not None:
            if isinstance(container, (ast.Tuple, ast.List, ast.Set)):
                for element in container.elts:
                    if kind := self.kind(element):
                        inner.vote(**{kind: 2.0})
            elif self.kind(container) == "str":
                inner.vote(True, str=2.5, char=0.3)
            elif isinstance(container, ast.Name):
                self._key_of(inner, self.classes.get(container.id))
        if outer is None:
            return
        kind = self.kind(item)
        if isinstance(item, ast.Constant) and isinstance(item.value, str):
            outer.vote(True, str=1.6, dict=1.2, list=1.1, set=1.0, tuple=0.5)
            if outer.keys or outer.is_mapping:
                outer.at(item.value)
            outer.elements().vote(str=1.0)
        else:
            outer.vote(True, list=1.4, dict=1.2, set=1.1, str=1.3 if kind == "str" else 0.6, tuple=0.5)
            if inner is not None:
                outer.elements().link(inner)
                outer.key_facts().link(inner)
            elif kind:
                outer.elements().vote(**{kind: 2.0})
                outer.key_facts().vote(**{kind: 2.0})

    @staticmethod
    def _key_of(facts: Facts, container: Any) -> None:
        """Types of the keys of a module's table, or of the elements of its constant set or list."""
        if isinstance(container, (dict, set, frozenset, list, tuple)):
            for key in list(container)[:8]:
                if type(key) in _CONSTANT_KINDS:
                    facts.vote(**{_CONSTANT_KINDS[type(key)]: 0.8})
        elif isinstance(container, str):
            facts.vote(str=2.0, char=0.5)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        facts = self.facts(node.value)
        if facts is not None:
            self._indexed(facts, node)
        key = self.facts(node.slice) if not isinstance(node.slice, ast.Slice) else None
        if key is not None:
            if isinstance(node.value, ast.Name) and node.value.id in self.classes:
                self._key_of(key, self.classes[node.value.id])
            else:
                key.vote(int=1.0, str=0.7)
        if isinstance(node.slice, ast.Slice):
            for bound in (node.slice.lower, node.slice.upper, node.slice.step):
                if (facts := self.facts(bound)) is not None:
                    facts.vote(True, int=3.0)
        self.generic_visit(node)

    def _indexed(self, facts: Facts, node: ast.Subscript) -> None:
        stored = not isinstance(node.ctx, ast.Load)
        if isinstance(node.slice, ast.Slice):
            facts.vote(
                True, **({"list": 3.0} if stored else {"str": 1.6, "list": 1.6, "bytes": 0.5, "tuple": 0.3})
            )
            return
        kind = self.kind(node.slice)
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            facts.at(node.slice.value)
        elif kind == "str":
            facts.vote(True, dict=3.0)
            facts.key_facts().vote(str=2.0)
        elif kind == "int":
            facts.vote(
                True,
                **(
                    {"list": 2.5, "dict": 1.0}
                    if stored
                    else {"list": 2.0, "str": 1.1, "tuple": 1.0, "dict": 0.6, "bytes": 0.3}
                ),
            )
        elif kind == "tuple":
            facts.vote(True, dict=3.0)
        else:
            facts.vote(
                True,
                **(
                    {"dict": 2.0, "list": 1.6}
                    if stored
                    else {"list": 1.5, "dict": 1.4, "str": 0.8, "tuple": 0.6}
                ),
            )
            if (key := self.facts(node.slice)) is not None:
                facts.key_facts().link(key)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.facts(node)
        self.generic_visit(node)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> None:
        facts = self.facts(node.value)
        if facts is not None and isinstance(node.format_spec, ast.JoinedStr):
            last = node.format_spec.values[-1] if node.format_spec.values else None
            ending = str(last.value)[-1:] if isinstance(last, ast.Constant) else ""
            if ending in ("f", "e", "g", "%"):
                facts.vote(True, float=2.0, int=1.5)
            elif ending in ("d", "x", "b", "o", ","):
                facts.vote(True, int=2.5)
        self.generic_visit(node)

    # Calls

    def visit_Call(self, node: ast.Call) -> None:
        name = dotted(node.func)
        if isinstance(node.func, ast.Attribute) and (receiver := self.facts(node.func.value)) is not None:
            self._method(receiver, node.func.attr, node)
        elif isinstance(node.func, ast.Name) and (called := self.names.get(name)) is not None:
            called.calls = len(node.args) if not node.keywords else -1
        if name in ("isinstance", "issubclass") and len(node.args) == 2:
            self._isinstance(node)
        elif name in ("hasattr", "getattr") and len(node.args) >= 2:
            match (self.facts(node.args[0]), node.args[1]):
                case (Facts() as facts, ast.Constant(value=str(attribute))) if attribute.isidentifier():
                    facts.attributes.setdefault(attribute, Facts())
        elif name in known.ARGUMENTS:
            self._builtin(known.ARGUMENTS[name], node)
        elif self.on_call is not None:
            self.on_call(name, node, self)
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        for argument in node.args if method in known.METHOD_ARGUMENTS and name not in known.ARGUMENTS else ():
            if (facts := self.facts(argument)) is not None:
                facts.vote(**known.METHOD_ARGUMENTS[method])
        for argument in node.args:
            if isinstance(argument, ast.Starred) and (facts := self.facts(argument)) is not None:
                facts.vote(list=1.5, tuple=1.0)
        for keyword in node.keywords:
            if keyword.arg is None and (facts := self.facts(keyword.value)) is not None:
                facts.vote(True, dict=3.0)
        for child in ast.iter_child_nodes(node):
            # The method itself is no attribute that is read.
            self.visit(child.value if child is node.func and isinstance(child, ast.Attribute) else child)

    def _method(self, receiver: Facts, method: str, node: ast.Call) -> None:
        self._facts_of_call(node)
        receiver.methods.setdefault(method, Facts())
        if method in ("append", "add", "appendleft", "insert", "remove", "index", "count") and node.args:
            if kind := self.kind(node.args[-1]):
                receiver.elements().vote(**{kind: 1.5})
        if method in ("get", "pop", "setdefault") and node.args and len(node.args) + (method == "get") > 1:
            receiver.vote(True, dict=2.0)
            if (key := self.facts(node.args[0])) is not None:
                receiver.key_facts().link(key)
        if method == "pop" and not node.args:
            receiver.vote(list=0.5)

    def _isinstance(self, node: ast.Call) -> None:
        if (facts := self.facts(node.args[0])) is not None:
            for annotation in self._classes_in(node.args[1]):
                facts.name(annotation, 4.0)

    def _classes_in(self, node: ast.expr) -> list[Any]:
        if isinstance(node, ast.Tuple):
            return [found for item in node.elts for found in self._classes_in(item)]
        if isinstance(node, ast.BinOp):
            return self._classes_in(node.left) + self._classes_in(node.right)
        found = self._lookup(dotted(node))
        if isinstance(found, tuple):
            return [item for item in found if isinstance(item, type)]
        return [found] if isinstance(found, type) else []

    def _lookup(self, name: str) -> Any:
        first, *rest = name.split(".")
        found = self.classes.get(first, known.BUILTIN_TYPES.get(first))
        for part in rest:
            found = getattr(found, part, None)
        return found

    def _builtin(self, rows: tuple[known.Row, ...], node: ast.Call) -> None:
        for index, argument in enumerate(node.args):
            facts = self.facts(argument)
            row = rows[min(index, len(rows) - 1)] if rows else None
            if facts is not None and row is not None:
                facts.vote(row.exclusive, **row.votes)
                if row.elements:
                    facts.elements().vote(**row.elements)

    # Bindings

    def visit_For(self, node: ast.For | ast.AsyncFor) -> None:
        self._iterate(node.target, node.iter)
        self._inner(node)

    visit_AsyncFor = visit_For

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self._iterate(node.target, node.iter)
        self.generic_visit(node)

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
                self._bind(target, _certain("int"))
                return
            case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]) if isinstance(target, ast.Tuple):
                self._bind(target.elts[0], _certain("int"))
                self._iterate(target.elts[-1], inner)
                return
            case ast.Call(func=ast.Name(id="zip"), args=parts) if isinstance(target, ast.Tuple):
                for part, inner in zip(target.elts, parts, strict=False):
                    self._iterate(part, inner)
                return
            case ast.Call(
                func=ast.Name(id="reversed" | "sorted" | "list" | "set" | "iter" | "tuple"), args=[inner, *_]
            ):
                self._iterate(target, inner)
                return
            case ast.Call(
                func=ast.Attribute(value=inner, attr="items" | "keys" | "values" as method), args=[]
            ):
                self._iterate_dict(target, inner, method)
                return
        facts = self.facts(iterable)
        if facts is None:
            self._bind(target, None)
            return
        facts.vote(True, list=1.8, str=0.8, tuple=0.7, dict=0.4, set=0.6, iterator=0.4, bytes=0.2, file=0.2)
        self._bind(target, facts.elements())

    def _iterate_dict(self, target: ast.expr, node: ast.expr, method: str) -> None:
        facts = self.facts(node)
        if facts is None:
            self._bind(target, None)
        elif method == "items" and isinstance(target, ast.Tuple) and len(target.elts) == 2:
            self._bind(target.elts[0], facts.key_facts())
            self._bind(target.elts[1], facts.elements())
        else:
            self._bind(target, facts.key_facts() if method == "keys" else facts.elements())

    def _bind(self, target: ast.expr, facts: Facts | None) -> None:
        """A target gets a value: follow it under its name, or stop following what the name was."""
        match target:
            case ast.Name(id=name):
                self.names.pop(name, None)
                if facts is not None:
                    self.names[name] = facts
            case ast.Attribute(value=ast.Name(id=base), attr=attribute) if base == self.this:
                self.names.setdefault(f"self.{attribute}", facts or Facts())
                if facts is not None:
                    self.names[f"self.{attribute}"].link(facts)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                starred = any(isinstance(part, ast.Starred) for part in parts)
                if facts is not None and not starred and not facts.arity:
                    facts.arity = [Facts() for _ in parts]
                for index, part in enumerate(parts):
                    known_part = (
                        None if facts is None or starred or index >= len(facts.arity) else facts.arity[index]
                    )
                    self._bind(part, known_part)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        for target in node.targets:
            self._assign(target, node.value)
            self._store(target)
            self.visit(target)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)
            self._assign(node.target, node.value)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        self._assign(node.target, node.value)

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        kind, facts = self.kind(value), self.facts(value)
        old = self.names.get(target.id) if isinstance(target, ast.Name) else None
        if (
            isinstance(target, ast.Tuple)
            and isinstance(value, ast.Tuple)
            and len(target.elts) == len(value.elts)
        ):
            for part, inner in zip(target.elts, value.elts, strict=True):
                self._assign(part, inner)
            return
        if old is not None and (self._conditional or facts is old):
            if kind:  # `if x is None: x = []` tells what x is otherwise
                old.vote(**{kind: 1.5})
            return
        match value:
            case ast.BoolOp(op=ast.Or(), values=[first, *_, last]) if (
                inner := self.facts(first)
            ) is not None:
                facts, fallback = inner, self.kind(last)  # `x = x or []`
                inner.none = True
                if fallback:
                    inner.vote(**{fallback: 1.5})
        if facts is None and kind is not None:
            facts = _certain(kind)
        self._bind(target, facts)

    def _store(self, target: ast.expr) -> None:
        if isinstance(target, ast.Subscript) and (facts := self.facts(target.value)) is not None:
            facts.vote(**{"dict": 0.5, "list": 0.5})

    def _inner(self, node: ast.AST) -> None:
        self._conditional += 1
        self.generic_visit(node)
        self._conditional -= 1

    def _condition(self, node: ast.If | ast.While | ast.IfExp) -> None:
        if (facts := self.facts(node.test)) is not None:
            facts.vote(bool=0.7)
        self._inner(node)

    visit_If = visit_While = visit_IfExp = _condition

    def visit_Try(self, node: ast.Try) -> None:
        self._inner(node)

    def visit_With(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            if (facts := self.facts(item.context_expr)) is not None:
                facts.vote(file=2.0)
                if item.optional_vars is not None:
                    self._bind(item.optional_vars, facts)
        self.generic_visit(node)

    visit_AsyncWith = visit_With

    def visit_Raise(self, node: ast.Raise) -> None:
        if (facts := self.facts(node.exc)) is not None:
            facts.vote(True, exception=3.0)
        self.generic_visit(node)

    def visit_YieldFrom(self, node: ast.YieldFrom) -> None:
        if (facts := self.facts(node.value)) is not None:
            facts.vote(True, list=1.8, str=0.6, tuple=0.7, iterator=0.6)
        self.generic_visit(node)

    def visit_Match(self, node: ast.Match) -> None:
        if (facts := self.facts(node.subject)) is not None:
            for case in node.cases:
                self._pattern(facts, case.pattern)
        self._inner(node)

    def _pattern(self, facts: Facts, pattern: ast.pattern) -> None:
        match pattern:
            case ast.MatchValue(value=value):
                if kind := self.kind(value):
                    facts.vote(**{kind: 2.0})
            case ast.MatchSingleton(value=None):
                facts.none = True
            case ast.MatchSingleton():
                facts.vote(bool=2.0)
            case ast.MatchSequence(patterns=parts):
                facts.vote(list=2.5, tuple=2.0)
                for part in parts:
                    self._pattern(facts.elements(), part)
            case ast.MatchMapping(keys=keys, patterns=parts):
                facts.vote(dict=2.0)
                for key, part in zip(keys, parts, strict=True):
                    if isinstance(key, ast.Constant):
                        self._pattern(facts.at(key.value), part)
            case ast.MatchClass(cls=cls):
                for annotation in self._classes_in(cls):
                    facts.name(annotation, 4.0)
            case ast.MatchOr(patterns=parts):
                for part in parts:
                    self._pattern(facts, part)
            case ast.MatchAs(pattern=ast.pattern() as inner):
                self._pattern(facts, inner)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        hidden = {item.arg: self.names.pop(item.arg) for item in node.args.args if item.arg in self.names}
        self.visit(node.body)
        self.names.update(hidden)

    def visit_FunctionDef(self, node: FunctionNode) -> None:
        hidden = {item.arg: self.names.pop(item.arg) for item in node.args.args if item.arg in self.names}
        for statement in node.body:
            self.visit(statement)
        self.names.update(hidden)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Classes inside functions are not looked into."""


def dotted(node: ast.expr) -> str:
    """The dotted name of an expression, or an empty string."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = dotted(node.value)
        return f"{base}.{node.attr}" if base else ""
    return ""


def _certain(kind: str) -> Facts:
    """The facts of a value whose type is plain to see."""
    facts = Facts()
    facts.vote(True, **{kind: 5.0})
    return facts
