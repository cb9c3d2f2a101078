"""Evidence from values that are passed: defaults, and arguments of calls as they are written."""

from __future__ import annotations

import ast
import enum
import inspect
import itertools
import sys
from collections.abc import Callable, Collection, Iterator
from dataclasses import field, replace
from types import ClassMethodDescriptorType
from typing import Any, Final, TypeAlias

from tracetwin.analysis.evidence import library_calls as known
from tracetwin.analysis.evidence.calls.names import ElementOf, ParameterOf
from tracetwin.analysis.evidence.expressions import dotted
from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.analysis.evidence.moments import is_distance
from tracetwin.analysis.evidence.spelled_types import note_type, usual
from tracetwin.analysis.evidence.strength import Strength
from tracetwin.analysis.scopes import module_of
from tracetwin.support.data import dataclass

Bound: TypeAlias = Callable[[str], list[ast.expr]]
"""The expressions that a name may stand for at a call."""

Classes: TypeAlias = Callable[[str], type | None]
"""The class that a dotted name means at a call."""

Results: TypeAlias = Callable[[str], "tuple[list[ast.expr], Bound] | None"]
"""The expressions that a function of the target returns, by its dotted name at a call, and its own names."""

Passed: TypeAlias = "Callable[[ParameterOf], Iterator[tuple[ast.expr, ArgumentReader]]]"
"""The arguments that calls of a function of the target give for a parameter, and what reads each of them."""

_MOST_ITEMS: Final = 8
_MOST_DEPTH: Final = 4
_MOST_LOOKED_AT: Final = 300
"""Expressions that the arguments of one call may lead to: names lead to others, and back."""

_DISPLAYS: Final[tuple[tuple[type[ast.expr], str], ...]] = (
    (ast.JoinedStr, "str"),
    (ast.DictComp, "dict"),
    (ast.Compare, "bool"),
)


_OF_COMPREHENSIONS: Final[dict[type[ast.expr], str]] = {
    ast.ListComp: "list",
    ast.SetComp: "set",
    ast.GeneratorExp: "iterator",
}


def note_value(value: Any, facts: ValueFacts, classes: Collection[type]) -> None:
    """Add what a value that is there says: the type of a default is the likeliest one."""
    if value is None:
        facts.none = True
    elif type(value) is int:
        facts.may_be("int >> float", Strength.DECLARED)
    elif type(value) in (list, tuple, set, frozenset, dict):
        facts.name(type(value), Strength.PASSED)
        if type(value) is tuple:
            facts.may_be("list")
        for item in list(value)[:5]:
            note_value(item, facts.key_facts() if type(value) is dict else facts.elements(), classes)
        for item in list(value.values())[:5] if type(value) is dict else ():
            note_value(item, facts.elements(), classes)
    elif isinstance(value, type) or (callable(value) and type(value) not in classes):
        facts.may_be("function", Strength.NEEDED)
    elif type(value) is not object:
        facts.name(type(value), Strength.DECLARED)


def note_factory(factory: Any, facts: ValueFacts) -> None:
    """Add what a default says that is made anew each time: `field(default_factory=list)`."""
    if isinstance(factory, type):
        facts.name(factory, Strength.PASSED)


@dataclass(frozen=True)
class ArgumentReader:
    """Reads the arguments of calls as they are written.

    Attributes:
        bound: what names stand for there.
        classes: which names are classes there.
        results: what functions of the target return.
        passed: what calls of functions around it give for their parameters.
        looked_at: the expressions that were looked at, so that there are not too many of them.
    """

    bound: Bound
    classes: Classes
    results: Results
    passed: Passed = field(default=lambda parameter: iter(()))
    looked_at: list[ast.expr] = field(default_factory=list)

    def note(self, node: ast.expr, facts: ValueFacts, depth: int = 0) -> None:
        """Add what the expression of an argument says of the parameter that gets it."""
        if depth > _MOST_DEPTH or len(self.looked_at) >= _MOST_LOOKED_AT:
            return
        self.looked_at.append(node)
        match node:
            case ast.Constant(value=value):
                _note_constant(value, facts)
            case ast.Name() | ast.Attribute():
                self._note_name(node, facts, depth + 1)
            case ast.Call():
                self._note_call(node, facts, depth + 1)
            case ast.IfExp(body=one, orelse=other) | ast.BoolOp(values=[one, *_, other]):
                for part in (one, other):
                    self.note(part, facts, depth)
            case ast.UnaryOp() | ast.BinOp() | ast.Subscript():
                self._note_part(node, facts, depth)
            case ParameterOf():
                self._note_parameter(node, facts, depth + 1)
            case _:
                self._note_display(node, facts, depth + 1)

    def _note_parameter(self, node: ParameterOf, facts: ValueFacts, depth: int) -> None:
        """A parameter that is passed on is what it is declared to be, or what calls give for it."""
        annotation = node.parameter.annotation
        if annotation is not None:
            note_type(annotation, facts, lambda name: usual(name) or self.classes(name), Strength.PASSED)
            return
        for value, reader in itertools.islice(self.passed(node), _MOST_ITEMS):
            replace(reader, looked_at=self.looked_at).note(value, facts, depth)

    def _note_part(
        self, node: ast.UnaryOp | ast.BinOp | ast.Subscript, facts: ValueFacts, depth: int
    ) -> None:
        match node:
            case ast.UnaryOp(op=ast.Not()):
                facts.may_be("bool", Strength.PASSED)
            case ast.UnaryOp(operand=operand):
                self.note(operand, facts, depth)
            case ast.BinOp():
                self._note_operation(node, facts, depth)
            case ast.Subscript():
                self._note_item(node, facts, depth)

    def _facts_of(self, node: ast.expr, depth: int) -> ValueFacts:
        facts = ValueFacts()
        self.note(node, facts, depth)
        return facts

    def _note_operation(self, node: ast.BinOp, facts: ValueFacts, depth: int) -> None:
        """Numbers make numbers, texts texts, a moment and a distance moments; else nothing is said."""
        both = [self._facts_of(part, depth) for part in (node.left, node.right)]
        kinds = {_kind(one) for one in both}
        moved_by = next((cls for cls, _ in both[1].named), None)
        if isinstance(node.op, (ast.Add, ast.Sub)) and is_distance(moved_by):
            facts.echo(both[0])
        if "str" in kinds and isinstance(node.op, (ast.Add, ast.Mod, ast.Mult)):
            facts.may_be("str", Strength.PASSED)
        elif kinds <= {"int", "float", "bool", ""} and kinds != {""}:
            is_float = "float" in kinds or isinstance(node.op, ast.Div)
            facts.may_be("float" if is_float else "int", Strength.PASSED)

    def _note_item(self, node: ast.Subscript, facts: ValueFacts, depth: int) -> None:
        """A part of a text is a text, that of a series one of its elements."""
        whole = self._facts_of(node.value, depth)
        if isinstance(node.slice, ast.Slice) or _kind(whole) == "str":
            part: ValueFacts | None = whole
        else:
            index = node.slice.value if isinstance(node.slice, ast.Constant) else None
            has_place = isinstance(index, int) and -len(whole.arity) <= index < len(whole.arity)
            part = whole.arity[index] if isinstance(index, int) and has_place else whole.element
        if isinstance(node, ElementOf) and _kind(whole) == "dict":
            part = whole.key
        if part is not None:
            facts.echo(part)

    def _note_display(self, node: ast.expr, facts: ValueFacts, depth: int) -> None:
        """Containers, functions, and what is of a plain type."""
        match node:
            case ast.List(elts=items) | ast.Set(elts=items):
                facts.may_be("list" if isinstance(node, ast.List) else "set", Strength.PASSED)
                self._note_items(items, facts, depth)
            case ast.Tuple(elts=items):
                self._note_tuple(items, facts, depth)
            case ast.Dict():
                self._note_dict(node, facts, depth)
            case ast.ListComp(elt=item) | ast.SetComp(elt=item) | ast.GeneratorExp(elt=item):
                facts.may_be(_OF_COMPREHENSIONS[type(node)], Strength.PASSED)
                self._note_items([item], facts, depth)
            case ast.Lambda(args=parameters, body=body):
                facts.calls = len(parameters.args) if facts.calls is None else facts.calls
                facts.result = facts.result or ValueFacts()
                self.note(body, facts.result, depth)
            case _:
                kind = next((kind for form, kind in _DISPLAYS if isinstance(node, form)), "")
                if kind:
                    facts.may_be(kind, Strength.PASSED)

    def _note_items(self, items: list[ast.expr], facts: ValueFacts, depth: int) -> None:
        for item in items[:_MOST_ITEMS]:
            self.note(item, facts.elements(), depth)

    def _note_tuple(self, items: list[ast.expr], facts: ValueFacts, depth: int) -> None:
        """A tuple of few items has a shape, one of many is a series."""
        facts.may_be("tuple", Strength.PASSED)
        if 2 <= len(items) <= 5 and len(facts.arity) in (0, len(items)):
            facts.arity = facts.arity or [ValueFacts() for _ in items]
            for item, part in zip(items, facts.arity, strict=True):
                self.note(item, part, depth)
        else:
            self._note_items(items, facts, depth)

    def _note_dict(self, node: ast.Dict, facts: ValueFacts, depth: int) -> None:
        """Notes a dict: a fact per key where the code asks for certain keys, else one for all."""
        facts.may_be("dict", Strength.PASSED)
        for key, value in list(zip(node.keys, node.values, strict=True))[:_MOST_ITEMS]:
            if key is None:
                continue
            if isinstance(key, ast.Constant) and key.value in facts.keys:
                self.note(value, facts.at(key.value), depth)
            elif not facts.keys:
                self.note(key, facts.key_facts(), depth)
                self.note(value, facts.elements(), depth)

    def _note_name(self, node: ast.expr, facts: ValueFacts, depth: int) -> None:
        """A variable is what it was given, `Color.RED` a member of `Color`, a class something to call."""
        name = dotted(node)
        owner = self.classes(name.rpartition(".")[0])
        if owner is not None and issubclass(owner, enum.Enum):
            facts.name(owner, Strength.PASSED)
        elif self.classes(name) is not None:
            facts.may_be("function", Strength.NEEDED)
        for value in self.bound(name)[:_MOST_ITEMS]:
            self.note(value, facts, depth)

    def _note_call(self, node: ast.Call, facts: ValueFacts, depth: int) -> None:
        """An instance of what is called, or what functions of that name return."""
        name = dotted(node.func)
        if name in known.RESULTS:
            facts.may_be(known.RESULTS[name], Strength.PASSED)
            inner = node.args[0] if node.args else None
            if isinstance(inner, (ast.List, ast.Tuple, ast.Set)) and name in ("list", "tuple", "set"):
                self._note_items(inner.elts, facts, depth)
        elif (cls := self.classes(name) or self._class_made(name)) is not None:
            facts.name(cls, Strength.PASSED)
        elif (found := self.results(name)) is not None:
            inside = replace(self, bound=found[1])
            for value in found[0][:_MOST_ITEMS]:
                inside.note(value, facts, depth)
        elif isinstance(node.func, ast.Attribute) and node.func.attr in known.METHOD_RESULTS:
            kind = known.METHOD_RESULTS[node.func.attr]
            facts.may_be(kind, Strength.PASSED)
            if kind == "list":  # of what a text is split into
                facts.elements().may_be("str", Strength.PASSED)

    def _class_made(self, name: str) -> type | None:
        """Return the class of the library of which a method is called that makes instances of it."""
        owner, _, method = name.rpartition(".")
        cls = self.classes(owner)
        if cls is None or module_of(cls).partition(".")[0] not in sys.stdlib_module_names:
            return None
        found = inspect.getattr_static(cls, method, None)
        return cls if isinstance(found, (classmethod, ClassMethodDescriptorType)) else None


def _kind(facts: ValueFacts) -> str:
    """Return the one kind that values are passed of, "" where there are several or none."""
    kinds = {kind for item in facts.evidence for kind in item.shares()}
    return kinds.pop() if len(kinds) == 1 and not facts.named else ""


def _note_constant(value: Any, facts: ValueFacts) -> None:
    if value is None:
        facts.none = True
    elif value is not Ellipsis:
        facts.may_be(type(value).__name__, Strength.PASSED)


def literals(node: ast.expr, bound: Bound, depth: int = 0) -> Iterator[Any]:
    """The constants in the expression of an argument."""
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            yield -value
        case ast.Constant(value=value):
            yield value
        case ast.Name() | ast.Attribute() if depth < _MOST_DEPTH:
            for inner in bound(dotted(node))[:_MOST_ITEMS]:
                yield from literals(inner, bound, depth + 1)
        case ast.Lambda() | ast.JoinedStr() | ElementOf():
            pass
        case _ if depth < _MOST_DEPTH:
            for child in ast.iter_child_nodes(node):
                part = child.value if isinstance(child, ast.keyword) else child
                if isinstance(part, ast.expr):
                    yield from literals(part, bound, depth + 1)
