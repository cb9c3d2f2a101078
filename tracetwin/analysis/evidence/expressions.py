"""Classification of expressions in a function: followed values, parts of them, plain types."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import BuiltinMethodType, FunctionType, MethodType, ModuleType
from typing import Any, Final, TypeAlias

from tracetwin.analysis.evidence import library_calls as known
from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.analysis.evidence.strength import Strength
from tracetwin.analysis.scopes import module_of
from tracetwin.model.class_stand_in import real_class

Names: TypeAlias = dict[str, ValueFacts]

# Called for calls of other functions, with their dotted name.
OnCall: TypeAlias = Callable[[str, ast.Call, "FollowedExpressions"], None]

MOST_SPELLED = 8
"""Texts that a loop may go over for its variable to be taken for each of them."""

CONSTANT_KINDS = {int: "int", float: "float", str: "str", bytes: "bytes", bool: "bool", complex: "complex"}
_DISPLAYS: tuple[tuple[tuple[type[ast.expr], ...], str], ...] = (
    ((ast.JoinedStr,), "str"),
    ((ast.List, ast.ListComp), "list"),
    ((ast.Dict, ast.DictComp), "dict"),
    ((ast.Set, ast.SetComp), "set"),
    ((ast.Tuple,), "tuple"),
)


_OBJECTS: Final = (ast.Name, ast.Attribute, ast.Call)


class FollowedExpressions(ast.NodeVisitor):
    """Knows which expressions of one function are followed.

    Attributes:
        names: the facts of followed values by name; attributes of the receiver as ``self.x``.
        classes: the globals of the module.
        on_call: what looks into the functions that are called.
        this: the name of the receiver.
        method_calls: the calls of methods of followed values.
        recursions: parts of values that are passed where the whole was.
        spelled: the texts that variables of loops stand for, one after the other; none for other variables.
        given_back: the facts of what calls give that return what they got, or a part of it.
        views: what variables stand for that only loops go through, one of several where conditions decide.
        strays: the facts of variables that are given something unknown: what is done with them may tell.
        distances: differences of days or moments.
        results_of: gives what a function of the module returns, by its name.
    """

    def __init__(
        self, names: Names, classes: Mapping[str, Any], on_call: OnCall | None = None, this: str | None = None
    ) -> None:
        self.names = names
        self.classes = classes
        self.on_call = on_call
        self.this = this
        self.method_calls: list[tuple[ValueFacts, ast.Call]] = []
        self.recursions: list[tuple[ValueFacts, ValueFacts]] = []
        self.spelled: dict[str, tuple[str, ...]] = {}
        self.given_back: dict[ast.Call, ValueFacts] = {}
        self.views: dict[str, tuple[ast.expr, ...]] = {}
        self.strays: dict[ValueFacts, None] = {}
        self.distances: set[ast.expr] = set()
        self.tables: dict[str, list[ast.expr]] = {}
        self.results_of: Callable[[str], Sequence[ast.expr]] = lambda _: ()

    def visit_Call(self, node: ast.Call) -> None:
        """Look at the calls that a call is made with first: what they give is known then."""
        first, *given = ast.iter_child_nodes(node)
        # The method itself is no attribute that is read.
        parts = [first.value if isinstance(first, ast.Attribute) else first, *given]
        for part in parts:
            if _is_of_call(part):
                self.visit(part)
        self.called(dotted(node.func), node)
        for part in parts:
            if not _is_of_call(part):
                self.visit(part)

    def called(self, name: str, node: ast.Call) -> None:
        """Note what a call tells, by the dotted name of what is called."""

    def facts(self, node: ast.expr | None) -> ValueFacts | None:
        """The facts of an expression that is a followed value or taken from one."""
        match node:
            case ast.Name(id=name):
                return self.names.get(name)
            case ast.Attribute(value=ast.Name(id=base), attr=attribute) if base == self.this:
                return self.names.get(f"self.{attribute}")
            case ast.Attribute(value=value, attr=attribute):
                inner = self.facts(value)
                return None if inner is None else inner.attributes.setdefault(attribute, ValueFacts())
            case ast.Subscript(value=value, slice=index):
                return self._facts_of_item(value, index)
            case ast.Call():
                return self._facts_of_call(node)
            case ast.NamedExpr(value=value) | ast.Starred(value=value):
                return self.facts(value)
            case ast.BoolOp(op=ast.Or(), values=[value, *_]):
                return self.facts(value)  # what is there is used
            case ast.Await(value=value):
                return self._facts_of_awaited(value)
            case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr() | ast.BitXor() | ast.Add(), right=right):
                return self.facts(left) or self.facts(right)  # of the same type as the operands
            case _:
                return None

    def _facts_of_awaited(self, value: ast.expr) -> ValueFacts | None:
        """Of calls what they give; other values are awaited themselves."""
        inner = self.facts(value)
        return inner if inner is None or isinstance(value, ast.Call) else inner.special("__await__")

    def _facts_of_item(self, value: ast.expr, index: ast.expr) -> ValueFacts | None:
        inner = self.facts(value)
        if inner is None:
            return None
        if keys := self.texts_of(index):
            return self.at_each(inner, keys)
        if isinstance(index, ast.Constant) and type(index.value) is int:
            return inner.item(index.value)
        return inner if isinstance(index, ast.Slice) else inner.elements()

    def _facts_of_call(self, node: ast.Call) -> ValueFacts | None:
        if node in self.given_back:
            return self.given_back[node]
        called = self.function(node.func)
        if called is not None:
            called.result = called.result or ValueFacts()
            return called.result
        if isinstance(node.func, ast.Attribute):
            inner = self.facts(node.func.value)
            if inner is None:
                return None
            method = node.func.attr
            if method in inner.methods and inner.methods[method].is_async:
                return inner.methods[method]
            keyed = method in ("get", "pop", "setdefault") and node.args
            if keyed and (keys := self.texts_of(node.args[0])):
                return self.at_each(inner, keys)
            if method in known.SAME_AS_RECEIVER:
                return inner
            if method == "pop" or (method == "get" and node.args):
                return inner.elements()
            return inner.methods.setdefault(method, ValueFacts())
        return None

    def spells(self, target: ast.expr, iterable: ast.expr) -> None:
        """A variable goes over texts that the code spells out, there or in a constant of the module."""
        if isinstance(target, ast.Name):
            self.spelled[target.id] = self._all_texts(iterable) if self.facts(iterable) is None else ()

    def _all_texts(self, node: ast.expr) -> tuple[str, ...]:
        """Return the texts that a series holds, none where it holds anything else."""
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            held: Any = [part.value if isinstance(part, ast.Constant) else None for part in node.elts]
        else:
            held = self.constant(node) if isinstance(node, ast.Name) else None
        if type(held) not in (list, tuple, set, frozenset) or not 0 < len(held) <= MOST_SPELLED:
            return ()
        ordered = sorted(held, key=repr) if isinstance(held, (set, frozenset)) else held
        return tuple(ordered) if all(type(text) is str for text in held) else ()

    def texts_of(self, node: ast.expr) -> tuple[str, ...]:
        """Return the texts that an expression is known to be: one, or one after the other."""
        if isinstance(node, ast.Constant):
            return (node.value,) if isinstance(node.value, str) else ()
        if isinstance(node, ast.Name) and node.id in self.spelled:
            return self.spelled[node.id]
        value = self.constant(node)
        return (value,) if type(value) is str else ()

    @staticmethod
    def at_each(facts: ValueFacts, keys: Sequence[str]) -> ValueFacts:
        """Return the facts of the values under keys that are used alike."""
        first, *others = (facts.at(key) for key in keys)
        for other in others:
            other.link(first)
        return first

    def function(self, node: ast.expr) -> ValueFacts | None:
        """The facts of a followed value that is called: by name, as attribute of the receiver, as a part."""
        match node:
            case ast.Name(id=name):
                return self.names.get(name)
            case ast.Attribute(value=ast.Name(id=base), attr=attribute) if base == self.this:
                return self.names.get(f"self.{attribute}")
            case ast.Subscript() | ast.Call():
                return self.facts(node)
            case _:
                return None

    def kind(self, node: ast.expr) -> str | None:
        """The builtin type of an expression that shows it, else None."""
        match node:
            case ast.Constant(value=value):
                return kind_of_class(type(value))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self.kind(operand)
            case ast.BinOp():
                return self._kind_of_operation(node)
            case ast.Call(func=ast.Name(id=name)):
                found = map(self._elsewhere().kind, () if name in self.names else self.results_of(name))
                return known.RESULTS.get(name) or next(filter(None, found), None)
            case ast.Call(func=ast.Attribute(attr=name)):
                return known.METHOD_RESULTS.get(name)
            case ast.Name(id=name) | ast.Attribute(attr=name) if dotted(node) not in self.names:
                return kind_of_class(type(self.constant(node)))
            case ast.Subscript(value=table, slice=ast.Slice()):
                return self.kind(table)
            case ast.Subscript(value=table) if (value := self._entry(table)) is not None:
                return kind_of_class(type(value))
            case ast.Name(id=name) if name in self.names:
                closed = [item.shares() for item in self.names[name].evidence if item.closed]
                return next(iter(closed[0])) if closed and len(closed[0]) == 1 else None
            case _:
                return next((kind for types, kind in _DISPLAYS if isinstance(node, types)), None)

    def _kind_of_operation(self, node: ast.BinOp) -> str | None:
        left, right = self.kind(node.left), self.kind(node.right)
        if isinstance(node.op, ast.Mod) and left == "str":
            return "str"
        if "float" in (left, right):
            return "float"
        return left or right if left is None or right is None or left == right else None

    def classes_in(self, node: ast.expr) -> list[type]:
        """The classes that the second argument of `isinstance` names."""
        if isinstance(node, ast.Tuple):
            return [found for item in node.elts for found in self.classes_in(item)]
        if isinstance(node, ast.BinOp):
            return self.classes_in(node.left) + self.classes_in(node.right)
        found = self._lookup(dotted(node))
        parts = found if isinstance(found, tuple) else (found,)
        return [item for item in parts if isinstance(item, type)]

    def name_classes(self, facts: ValueFacts | None, node: ast.expr) -> None:
        """Note that a value is tested for classes, or said to be of one: ``cast(Box, x)``."""
        if facts is not None:
            for cls in self.classes_in(node):
                facts.name(cls, Strength.PASSED)

    def class_of(self, node: ast.expr) -> type | None:
        """The class of an expression that makes an instance of one that is not builtin, or names one."""
        if isinstance(node, ast.BinOp):  # a moment and a distance make a moment
            left, right = self.class_of(node.left), self.class_of(node.right)
            return left if left is not right and right is not None else None
        if isinstance(node, (ast.Name, ast.Attribute)) and (facts := self.facts(node)) is not None:
            return facts.certain_class()
        if isinstance(node, ast.Subscript):
            value = None if isinstance(node.slice, ast.Slice) else self._entry(node.value)
        else:
            value = self.constant(node.func if isinstance(node, ast.Call) else node)
        if isinstance(node, ast.Call):
            made = value if isinstance(value, type) else self._made_by(value)
            if made is None and isinstance(node.func, ast.Name) and node.func.id not in self.names:
                found = map(self._elsewhere().class_of, self.results_of(node.func.id))
                made = next((cls for cls in found if cls is not None), None)
            match node.func:
                case ast.Attribute(value=inner, attr=name) if made is None and isinstance(inner, _OBJECTS):
                    return known.given_by_method(self.class_of(inner), name)
            return made if made is not None and made.__module__ != "builtins" else None
        kind = type(value)
        plain = isinstance(value, (type, ModuleType)) or callable(value) or kind.__module__ == "builtins"
        return None if plain else kind

    def _elsewhere(self) -> FollowedExpressions:
        """An observer that knows the names of the module only."""
        return FollowedExpressions({}, self.classes)

    def _entry(self, table: ast.expr) -> Any:
        """Return an entry of a table of the module, None where it is none, empty, or of several classes."""
        held = self.constant(table)
        entries = list(held.values() if type(held) is dict else held if type(held) in (list, tuple) else ())
        first = entries[0] if entries else None
        return first if all(type(one) is type(first) for one in entries) else None

    def _made_by(self, function: Any) -> type | None:
        """The class that a function says it returns; for a class method of the library that of its class."""
        receiver = getattr(function, "__self__", None)
        if isinstance(function, (BuiltinMethodType, MethodType)) and isinstance(receiver, type):
            is_library = receiver.__module__.partition(".")[0] in sys.stdlib_module_names
            return receiver if is_library else None  # `datetime.now()`
        if not isinstance(function, FunctionType):
            return None
        said = function.__annotations__.get("return")
        if isinstance(said, str) and function.__module__ == self.classes.get("__name__"):
            said = self._lookup(said)
        return said if isinstance(said, type) else None

    def constant(self, node: ast.expr) -> Any:
        """The value of a global or of something in it, such as an enum member; None where there is none."""
        name = dotted(node)
        first = name.partition(".")[0]
        return None if not name or first in self.names or first not in self.classes else self._lookup(name)

    def _lookup(self, name: str) -> Any:
        first, *rest = name.split(".")
        found = self.classes.get(first, known.BUILTIN_TYPES.get(first))
        for part in rest:
            try:
                found = getattr(found, part, None)
            except Exception:  # noqa: BLE001 - a descriptor of the target may raise anything
                return None
        return real_class(found)


def dotted(node: ast.expr) -> str:
    """The dotted name of an expression, or an empty string."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = dotted(node.value)
        return f"{base}.{node.attr}" if base else ""
    return ""


def certain(kind: str) -> ValueFacts:
    """The facts of a value whose type is plain to see."""
    facts = ValueFacts()
    facts.must_be(kind, Strength.DECLARED)
    return facts


def replaced_if_missing(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield the names that get another value where they are None, with it: ``if x is None: x = other``."""
    match node:
        case ast.If(ast.Compare(ast.Name(name), [ast.Is()], [ast.Constant(None)]), body):
            for statement in body:
                match statement:
                    case ast.Assign([ast.Name(target)], value) if target == name:
                        yield statement.targets[0], value
                    case _:
                        pass
        case _:
            pass


def kind_of_class(cls: type) -> str | None:
    """The kind of the instances of a plain class; none of a class whose metaclass makes it equal to one."""
    return next((kind for known, kind in CONSTANT_KINDS.items() if known is cls), None)


def of_value(value: object) -> ValueFacts | None:
    """The facts of a value that is there: of a plain type, or of a class; None where it is neither."""
    if kind := kind_of_class(type(value)):
        return certain(kind)
    plain = value is None or isinstance(value, (type, ModuleType)) or module_of(type(value)) == "builtins"
    return None if plain or callable(value) else of_class(type(value))


def of_class(cls: type | None) -> ValueFacts | None:
    """The facts of an instance that is plain to see; None where no class is."""
    if cls is None:
        return None
    facts = ValueFacts()
    facts.name(cls, Strength.DECLARED)
    return facts


def _is_of_call(node: ast.AST) -> bool:
    """Return whether an expression is what a call gives, or a part of that."""
    while isinstance(node, (ast.keyword, ast.Starred, ast.Await, ast.Attribute, ast.Subscript)):
        node = node.value
    return isinstance(node, ast.Call)


def texts_in(node: ast.expr, names: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts that an expression is or holds: a constant, a display, a container of the module."""
    match node:
        case ast.Constant(str(text)):
            yield text
        case ast.Tuple(parts) | ast.List(parts) | ast.Set(parts) | ast.Dict(parts):
            for part in filter(None, parts):
                yield from texts_in(part, names)
        case ast.Name():
            held: Any = names.get(node.id)
            if type(held) in (tuple, list, dict, set, frozenset):
                yield from sorted(text for text in held if type(text) is str)
        case _:
            return
