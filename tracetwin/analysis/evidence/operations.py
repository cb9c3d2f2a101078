"""Evidence from operators, comparisons, subscripts, formats and patterns for their operands."""

from __future__ import annotations

import ast
import enum
import numbers
import pathlib
from itertools import zip_longest
from typing import Any

from tracetwin.analysis.evidence.expressions import CONSTANT_KINDS, FollowedExpressions, dotted
from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.analysis.evidence.moments import KINDS_BETWEEN, is_distance, kinds_moved
from tracetwin.analysis.evidence.strength import Strength
from tracetwin.analysis.scopes import module_of, qualname_of

_NUMBER = "int float >> complex"

_SUBTRACTED = f"{_NUMBER} datetime date timedelta set"

_MOVED = ("date", "datetime")
"""Classes of the library to which distances in time are added."""

_AFTER_PERCENT = {"int": "int >> float", "str": "str", "dict": "str", "tuple": "str"}
"""What stands before a `%` by what stands after it."""

_COMPARED = {"int": "int > > > float", "float": "float > int"}


class OperationObserver(FollowedExpressions, ast.NodeVisitor):
    """Notes the operations of a function."""

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if node in self.distances:
            self.generic_visit(node)
            return
        for mine, other, left in ((node.left, node.right, True), (node.right, node.left, False)):
            if (facts := self.facts(mine)) is not None:
                self._arithmetic(facts, node.op, other, left)
        self.generic_visit(node)

    def _arithmetic(self, facts: ValueFacts, operator: ast.operator, other: ast.expr, left: bool) -> None:
        """Notes an operation with `other`; `left`: the value is the left operand."""
        kind = self.kind(other)
        if isinstance(operator, (ast.Add, ast.Sub)) and self._is_distance(other):
            kinds = kinds_moved(other, self.constant(other))
            if left:
                facts.must_be(f"{kinds} > > timedelta")
            else:
                facts.must_be("timedelta" if isinstance(operator, ast.Sub) else f"timedelta > {kinds}")
            return
        if kind is None and (cls := self.class_of(other)) is not None:
            _beside(facts, operator, cls)
            return
        if isinstance(operator, ast.Mod) and not left and kind == "str":
            facts.may_be("str int", Strength.HINT)
        elif isinstance(operator, ast.Mod) and left and kind in _AFTER_PERCENT:
            facts.must_be(_AFTER_PERCENT[kind])
        elif isinstance(operator, (ast.BitAnd, ast.BitOr, ast.BitXor)):
            facts.may_be(kind if kind in ("set", "dict") else "int >> set bool", Strength.NEEDED)
        elif isinstance(operator, (ast.LShift, ast.RShift)):
            facts.must_be("int")
        elif isinstance(operator, ast.Add) and kind in ("str", "list", "tuple", "bytes"):
            facts.must_be(kind)
        elif isinstance(operator, ast.Mult) and kind in ("str", "list", "tuple", "bytes"):
            facts.must_be("int")
        else:
            self._number(facts, operator, other, kind)

    def _number(self, facts: ValueFacts, operator: ast.operator, other: ast.expr, kind: str | None) -> None:
        if kind == "float":
            facts.must_be("float > int >> complex")
            return
        second = self.facts(other)
        if second is not None and not isinstance(operator, ast.Mult):
            facts.link(second)
        if isinstance(operator, ast.Add) and kind is None:
            facts.may_be("int > float > str >> list", Strength.SUITS)
        elif isinstance(operator, ast.Mult):  # a text or list may be repeated
            facts.must_be(f"{_NUMBER} str list", Strength.USED)
        elif isinstance(operator, ast.Div):
            facts.must_be("float > int >> complex", Strength.USED)
        else:
            others = _SUBTRACTED if isinstance(operator, ast.Sub) and kind is None else _NUMBER
            facts.must_be("int > float >> complex" if kind == "int" else others, Strength.USED)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        for mine, other, left in ((node.target, node.value, True), (node.value, node.target, False)):
            if (facts := self.facts(mine)) is not None:
                self._arithmetic(facts, node.op, other, left)
        if isinstance(node.target, ast.Subscript) and (stored := self.facts(node.target.value)) is not None:
            stored.may_be("dict list", Strength.HINT)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        facts = self.facts(node.operand)
        if facts is not None:
            if isinstance(node.op, ast.Not):
                facts.may_be("bool", Strength.HINT)
            elif isinstance(node.op, ast.Invert):
                facts.must_be("int")
            else:
                facts.must_be(_NUMBER, Strength.USED)
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
                    if self._is_distance(other):
                        self.note_ends(mine, kinds_moved(other, self.constant(other)))
                    if self.kind(other) in ("set", "frozenset"):
                        self.set_operation(mine)
                else:
                    self._compared(facts, operator, other)
        self.generic_visit(node)

    def _is_distance(self, node: ast.expr) -> bool:
        """Return whether an expression is a distance in time."""
        if is_distance(self.class_of(node)):
            return True
        facts = self.facts(node) if isinstance(node, (ast.Name, ast.Attribute)) else None
        return facts is not None and facts.is_said_to_be("timedelta")

    def note_ends(self, node: ast.expr, kinds: str) -> None:
        """Note that a difference is a distance in time, so that it lies between two days or moments."""
        match node:
            case ast.BinOp(left=left, op=ast.Sub(), right=right):
                self.distances.add(node)
                ends = [facts for end in (left, right) if (facts := self.facts(end)) is not None]
                for facts in ends:
                    facts.must_be(kinds)
                    facts.link(ends[0])
            case _:
                pass

    def _moved_by(self, node: ast.expr) -> ast.expr | None:
        """Return the distance that is added to a day or moment, or taken from it; None where none is."""
        match node:
            case ast.BinOp(op=ast.Add() | ast.Sub()):
                return next((p for p in (node.right, node.left) if self._is_distance(p)), None)
            case _:
                return None

    def _type_test(self, node: ast.expr, other: ast.expr) -> None:
        if not isinstance(node, ast.Call) or dotted(node.func) != "type" or len(node.args) != 1:
            return
        self.name_classes(self.facts(node.args[0]), other)

    def _compared(self, facts: ValueFacts, operator: ast.cmpop, other: ast.expr) -> None:
        kind = self.kind(other)
        constant = self.constant(other)
        if isinstance(other, ast.Constant) and other.value is None:
            facts.none = True
        elif isinstance(constant, enum.Enum):
            facts.name(type(constant), Strength.PASSED)
        elif kind is None and (cls := self.class_of(other)) is not None:
            facts.name(cls, Strength.NEEDED)
        elif kind is not None:
            self._displayed(facts, other)
            ordering = isinstance(operator, (ast.Lt, ast.LtE, ast.Gt, ast.GtE))
            kinds = _COMPARED.get(kind, kind)
            if kind == "str" and isinstance(other, ast.Constant) and len(str(other.value)) == 1:
                kinds = "char > str"
            (facts.must_be if ordering else facts.may_be)(kinds, Strength.NEEDED)
        else:
            if (distance := self._moved_by(other)) is not None:
                facts.must_be(kinds_moved(distance, self.constant(distance)))
            if (second := self.facts(other)) is not None:
                facts.link(second)
            if not isinstance(operator, (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)):
                facts.may_be("int > float > str", Strength.SUITS)

    def _displayed(self, facts: ValueFacts, node: ast.expr) -> None:
        """Notes the items of a list, tuple, set or dict that a value is compared with."""
        match node:
            case ast.List(elts=items) | ast.Set(elts=items) | ast.Tuple(elts=items):
                shape = facts.arity if len(facts.arity) == len(items) else []
                for part, item in zip_longest(shape, items):
                    inner = facts.elements() if part is None else part
                    if kind := self.kind(item):
                        inner.may_be(kind)
                    self._displayed(inner, item)
            case ast.Dict(keys=keys, values=values):
                for key, value in zip(keys, values, strict=True):
                    for inner, item in ((facts.key_facts(), key), (facts.elements(), value)):
                        if item is not None and (kind := self.kind(item)):
                            inner.may_be(kind)
            case _:
                pass

    def set_operation(self, node: ast.expr) -> None:
        """``left - right`` where only containers make sense: no other difference has a length or elements."""
        match node:
            case ast.BinOp(left=left, op=ast.Sub() | ast.BitAnd() | ast.BitOr() | ast.BitXor(), right=right):
                for part in (left, right):
                    if (facts := self.facts(part)) is not None:
                        facts.must_be("set >> frozenset")
            case _:
                pass

    def _membership(self, item: ast.expr, container: ast.expr) -> None:
        self.set_operation(container)
        inner, outer = self.facts(item), self.facts(container)
        if inner is not None:
            self._member(inner, container)
        if outer is not None:
            outer.special("__contains__")
            self._container(outer, item, inner)

    def _member(self, inner: ValueFacts, container: ast.expr) -> None:
        if isinstance(container, (ast.Tuple, ast.List, ast.Set)):
            for element in container.elts:
                if kind := self.kind(element):
                    inner.may_be(kind)
        elif self.kind(container) == "str":
            inner.must_be("char > str")
        elif isinstance(container, ast.Name):
            self.key_of(inner, self.classes.get(container.id))

    def _container(self, outer: ValueFacts, item: ast.expr, inner: ValueFacts | None) -> None:
        kind = self.kind(item)
        if isinstance(item, ast.Constant) and isinstance(item.value, str):
            outer.must_be("str > dict > list set > tuple", Strength.USED)
            if outer.keys or outer.is_mapping:
                outer.at(item.value)
            outer.elements().may_be("str", Strength.SUITS)
        else:
            text = "list str" if kind == "str" else "list"
            outer.must_be(f"{text} > dict set > tuple str", Strength.USED)
            constant = self.constant(item)
            if isinstance(constant, enum.Flag):
                outer.name(type(constant), Strength.PASSED)
            elif isinstance(constant, enum.Enum):
                outer.elements().name(type(constant), Strength.NEEDED)
            self._members(outer, item)
            if inner is not None:
                indexes = any(inner is known for known in outer.key_facts().links)
                self._keyed(outer, inner)
                if outer.certainly() != "dict" and not indexes:
                    outer.elements().link(inner)
            elif kind:
                outer.elements().may_be(kind)
                outer.key_facts().may_be(kind)

    def _members(self, outer: ValueFacts, item: ast.expr) -> None:
        """``(1, 2) in pairs`` shows the shape of the elements."""
        if isinstance(item, ast.Tuple) and item.elts and not outer.elements().arity:
            outer.elements().arity = [ValueFacts() for _ in item.elts]
            self._displayed(outer.elements(), item)

    @staticmethod
    def _keyed(container: ValueFacts, key: ValueFacts) -> None:
        """A value is looked up in a container: in what hashes, it is hashable itself."""
        container.key_facts().link(key)
        if container.certainly() in ("dict", "set", "frozenset"):
            key.must_be("int > str >> tuple float bytes frozenset", Strength.SUITS)

    @staticmethod
    def key_of(facts: ValueFacts, container: Any) -> None:
        """Types of the keys of a module's table, or of the elements of its constant set or list."""
        if isinstance(container, (dict, set, frozenset, list, tuple)):
            for key in list(container)[:8]:
                if isinstance(key, enum.Enum):
                    facts.name(type(key), Strength.USED)
                if type(key) in CONSTANT_KINDS:
                    facts.may_be(CONSTANT_KINDS[type(key)], Strength.SUITS)
        elif isinstance(container, str):
            facts.may_be("char > str")

    def visit_Subscript(self, node: ast.Subscript) -> None:
        facts = self.facts(node.value)
        if facts is not None:
            self._indexed(facts, node)
        key = self.facts(node.slice) if not isinstance(node.slice, ast.Slice) else None
        if key is not None:
            if isinstance(node.value, ast.Name) and node.value.id in self.classes:
                self.key_of(key, self.classes[node.value.id])
            else:
                key.may_be("int > str", Strength.SUITS)
        if isinstance(node.slice, ast.Slice):
            for bound in (node.slice.lower, node.slice.upper, node.slice.step):
                if (facts := self.facts(bound)) is not None:
                    facts.must_be("int")
        self.generic_visit(node)

    def _indexed(self, facts: ValueFacts, node: ast.Subscript) -> None:
        stored = not isinstance(node.ctx, ast.Load)
        if stored:
            facts.special("__setitem__")
        else:
            facts.special("__getitem__", self.facts(node))
        if isinstance(node.slice, ast.Slice):
            facts.must_be("list" if stored else "str list > bytes tuple", Strength.USED)
            return
        kind = self.kind(node.slice)
        if keys := self.texts_of(node.slice):
            self.at_each(facts, keys)
        elif kind == "str":
            facts.must_be("dict")
            facts.key_facts().may_be("str")
        elif kind == "int":
            facts.must_be("list > dict" if stored else "list > str tuple > dict >> bytes", Strength.USED)
        elif kind == "tuple":
            facts.must_be("dict")
        else:
            facts.must_be("dict > list" if stored else "list dict > > str tuple", Strength.USED)
            if (key := self.facts(node.slice)) is not None:
                self._indexed_by(facts, key)

    def _indexed_by(self, facts: ValueFacts, key: ValueFacts) -> None:
        """Notes a key: looked for in a container and then its index, ``if k in table: table[k]``."""
        if "__contains__" in facts.specials and key in facts.elements().links:
            facts.elements().unlink(key)
            facts.must_be("dict")
        self._keyed(facts, key)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.facts(node)
        if (kinds := KINDS_BETWEEN.get(node.attr)) is not None:
            self.note_ends(node.value, kinds)
        self.generic_visit(node)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> None:
        facts = self.facts(node.value)
        if facts is not None and isinstance(node.format_spec, ast.JoinedStr):
            last = node.format_spec.values[-1] if node.format_spec.values else None
            ending = str(last.value)[-1:] if isinstance(last, ast.Constant) else ""
            if ending in ("f", "e", "g", "%"):
                facts.must_be("float > int", Strength.USED)
            elif ending in ("d", "x", "b", "o", ","):
                facts.must_be("int")
        self.generic_visit(node)


def _beside(facts: ValueFacts, operator: ast.operator, cls: type) -> None:
    """Note what an operand is by the class of the other."""
    if issubclass(cls, numbers.Number):
        facts.name(cls, Strength.NEEDED)
        facts.may_be("int")
    elif isinstance(operator, ast.Sub) and hasattr(cls, "__rsub__"):  # a distance between two
        facts.name(cls, Strength.NEEDED)
    elif isinstance(operator, ast.Add) and hasattr(cls, "__radd__"):
        if module_of(cls) == "datetime" and qualname_of(cls) in _MOVED:
            facts.must_be("timedelta")
        else:
            facts.name(cls, Strength.NEEDED)
    elif isinstance(operator, ast.Div) and issubclass(cls, pathlib.PurePath):
        facts.must_be("str")


def note_pattern(where: FollowedExpressions, facts: ValueFacts, pattern: ast.pattern) -> None:
    """Add what one pattern tells."""
    match pattern:
        case ast.MatchValue(value=value):
            _note_value(where, facts, value)
        case ast.MatchSingleton(value=value):
            if value is None:
                facts.none = True
            else:
                facts.may_be("bool")
        case ast.MatchClass(cls=cls):
            where.name_classes(facts, cls)
        case ast.MatchAs(pattern=ast.pattern() as inner):
            note_pattern(where, facts, inner)
        case ast.MatchOr(patterns=parts):
            for part in parts:
                note_pattern(where, facts, part)
        case _:
            _note_parts(where, facts, pattern)


def _note_value(where: FollowedExpressions, facts: ValueFacts, value: ast.expr) -> None:
    if kind := where.kind(value):
        facts.may_be(kind)
    if isinstance(value, ast.Constant):
        facts.meets(value.value)


def _note_parts(where: FollowedExpressions, facts: ValueFacts, pattern: ast.pattern) -> None:
    """Sequences and mappings."""
    if isinstance(pattern, ast.MatchSequence):
        facts.may_be("list > tuple", Strength.NEEDED)
        for part in pattern.patterns:
            note_pattern(where, facts.elements(), part)
    elif isinstance(pattern, ast.MatchMapping):
        facts.may_be("dict")
        for key, part in zip(pattern.keys, pattern.patterns, strict=True):
            if isinstance(key, ast.Constant):
                note_pattern(where, facts.at(key.value), part)
