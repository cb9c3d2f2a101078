"""Expressions to nodes: each gives the register that holds its value."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, ClassVar, Final

import libcst as cst

from instrumenter.interface import BINARY, UNARY
from instrumenter.lowering.code import (
    UNKNOWN,
    Each,
    Get,
    Give,
    Invoke,
    Item,
    MakeFunction,
    Reg,
    Set,
    SetItem,
    Skip,
)
from instrumenter.lowering.conditions import ConditionLowering, is_name

_LITERALS: Final = (cst.Integer, cst.Float, cst.Imaginary, cst.SimpleString, cst.ConcatenatedString)
_MOST_LITERAL: Final = 200


class Expressions(ConditionLowering):
    """Lowering of expressions, conditions and targets."""

    def nested(self, node: cst.FunctionDef | cst.Lambda) -> MakeFunction:
        """Lower a function within this one."""
        raise NotImplementedError

    def value(self, node: cst.BaseExpression) -> Reg:
        method = self._EXPRESSIONS.get(type(node))
        if method is not None:
            return method(self, node)
        if isinstance(node, _LITERALS):
            return self._literal(node)
        return self._other(node)

    def _literal(self, node: cst.BaseExpression) -> Reg:
        if isinstance(node, (cst.Integer, cst.Float, cst.Imaginary, cst.SimpleString)):
            if len(node.value) > _MOST_LITERAL:
                return self.const(None, "str" if isinstance(node, cst.SimpleString) else "int")
            value = ast.literal_eval(node.value)
            return self.const(value, type(value).__name__)
        kind = "str"
        while isinstance(node, cst.ConcatenatedString):
            self.value(node.left)
            node = node.right
        if isinstance(node, cst.FormattedString):
            self.value(node)
        elif isinstance(node, cst.SimpleString) and "b" in node.prefix.lower():
            kind = "bytes"
        return self.const(UNKNOWN, kind)

    def _other(self, node: cst.CSTNode) -> Reg:
        """Lower an expression without a meaning of its own: its parts are evaluated."""
        parts = tuple(
            self.value(child) if isinstance(child, cst.BaseExpression) else self._other(child)
            for child in node.children
            if isinstance(child, (cst.BaseExpression, cst.BaseElement, cst.Arg, cst.BaseSlice))
        )
        return self.make("", parts)

    # Names, attributes, elements

    def _name(self, node: cst.Name) -> Reg:
        if node is _RECEIVER:
            return self.read(self.function.receiver or node.value)
        if node.value in _CONSTANTS:
            value, kind = _CONSTANTS[node.value]
            return self.const(value, kind)
        return self.read(self.attribute(node.value), node)

    def _attribute(self, node: cst.Attribute) -> Reg:
        base = self.value(node.value)
        into = self.fresh()
        self.add(Get(into, base, self.attribute(node.attr.value)), node)
        return into

    def _subscript(self, node: cst.Subscript) -> Reg:
        base, key = self.value(node.value), self.key(node)
        into = self.fresh()
        self.add(Item(into, base, key), node)
        return into

    def key(self, node: cst.Subscript) -> Reg:
        """Return the register of the key between the brackets."""
        keys = [self._key(element.slice) for element in node.slice]
        return keys[0] if len(keys) == 1 else self.make("tuple", tuple(keys))

    def _key(self, node: cst.BaseSlice) -> Reg:
        if isinstance(node, cst.Index):
            return self.value(node.value)
        assert isinstance(node, cst.Slice)
        return self.make("slice", self.values([p for p in (node.lower, node.upper, node.step) if p]))

    # Calls

    def _call(self, node: cst.Call) -> Reg:
        named_attribute = _by_name(node)
        if named_attribute is not None:
            return self._through_name(node, *named_attribute)
        base: Reg | None = None
        callee: Reg | None = None
        method = ""
        if isinstance(node.func, cst.Attribute):
            base, method = self.value(node.func.value), self.attribute(node.func.attr.value)
        else:
            callee = self.value(node.func)
        plain: list[Reg] = []
        named: list[tuple[str, Reg]] = []
        spread: list[Reg] = []
        for argument in node.args:
            source = self.value(argument.value)
            if argument.star:
                spread.append(source)
            elif argument.keyword is not None:
                named.append((argument.keyword.value, source))
            elif spread:
                spread.append(source)  # its place is not known any more
            else:
                plain.append(source)
        into = self.fresh()
        self.add(Invoke(into, callee, base, method, tuple(plain), tuple(named), tuple(spread)), node)
        return into

    def _through_name(self, node: cst.Call, what: str, name: str, parts: list[cst.BaseExpression]) -> Reg:
        """`getattr(a, "b")` and the like, with a constant name."""
        base, *rest = self.values(parts)
        into = self.fresh()
        if what == "getattr":
            self.add(Get(into, base, self.attribute(name)), node)
            return self.make("", (into, *rest)) if rest else into
        self.add(Set(base, self.attribute(name), rest[0] if rest else None), node)
        return self.const(None, "None")

    def _lambda(self, node: cst.Lambda) -> Reg:
        op = self.nested(node)
        self.add(op, node)
        return op.into

    # Operators

    def _binary(self, node: cst.BinaryOperation) -> Reg:
        parts = (self.value(node.left), self.value(node.right))
        return self.operate(BINARY[type(node.operator).__name__], parts, node)

    def _unary(self, node: cst.UnaryOperation) -> Reg:
        return self.operate(UNARY[type(node.operator).__name__], (self.value(node.expression),), node)

    # Displays and comprehensions

    def _display(self, node: cst.List | cst.Tuple | cst.Set) -> Reg:
        parts = [self.element(element) for element in node.elements]
        return self.make(type(node).__name__.lower(), tuple(parts), node)

    def element(self, node: cst.BaseElement) -> Reg:
        """One element of a display; a starred one stands for its own elements."""
        return (
            self._starred(node.value, node)
            if isinstance(node, cst.StarredElement)
            else self.value(node.value)
        )

    def _starred(self, node: cst.BaseExpression, origin: Any) -> Reg:
        base = self.value(node)
        into = self.fresh()
        done, _ = self.fork(Each(into, base), origin)
        self.open = done + _
        return into

    def _dict(self, node: cst.Dict) -> Reg:
        parts: list[Reg] = []
        for element in node.elements:
            if isinstance(element, cst.DictElement):
                parts += (self.value(element.key), self.value(element.value))
            else:
                parts.append(self._starred(element.value, element))
        return self.make("dict", tuple(parts), node)

    def _comprehension(self, node: cst.BaseComp) -> Reg:
        kind = _COMPREHENSIONS[type(node)]
        result = self.make(kind, (), node)
        names = _bound(node.for_in)
        hidden = {name: f"{name} {self.fresh()}" for name in names}
        renaming = self._renamed
        self._renamed = {**renaming, **hidden}
        self._clause(node.for_in, lambda: self._collect(node, result))
        self._renamed = renaming
        return result

    _renamed: dict[str, str] = {}  # noqa: RUF012 - replaced, never changed

    def read(self, name: str, origin: Any = None) -> Reg:
        return super().read(self._renamed.get(name, name), origin)

    def write(self, name: str, source: Reg | None, origin: Any = None) -> None:
        super().write(self._renamed.get(name, name), source, origin)

    def _collect(self, node: cst.BaseComp, result: Reg) -> None:
        if isinstance(node, cst.DictComp):
            key, part = self.value(node.key), self.value(node.value)
            self.add(SetItem(result, key, self.make("", (key, part))))
        else:
            assert isinstance(node, cst.BaseSimpleComp)
            part = self.value(node.elt)
            self.add(SetItem(result, part, part))

    def _clause(self, clause: cst.CompFor, inner: Callable[[], None]) -> None:
        kept = dict(self.narrowed)
        base = self.value(clause.iter)
        head = self.add(Skip())
        into = self.fresh()
        self.open, done = self.fork(Each(into, base), clause.iter)
        self.assign(clause.target, into)
        for test in clause.ifs:
            true, false = self.condition(test.test)
            self.join(false, head)
            self.open = true
            self.narrow(test.test, truth=True)
        if clause.inner_for_in is not None:
            self._clause(clause.inner_for_in, inner)
        else:
            inner()
        self.close(head)
        self.open = done
        self.narrowed = kept

    # Strings, yields, walrus

    def _formatted(self, node: cst.FormattedString) -> Reg:
        for part in node.parts:
            if isinstance(part, cst.FormattedStringExpression):
                shown = self.value(part.expression)
                name = self.read("repr" if part.conversion == "r" else "str")
                self.add(Invoke(self.fresh(), name, None, "", (shown,), ()), part.expression)
                for inner in part.format_spec or ():
                    if isinstance(inner, cst.FormattedStringExpression):
                        self.value(inner.expression)
        return self.const(UNKNOWN, "str")

    def _yield(self, node: cst.Yield) -> Reg:
        self.function.generator = True
        if isinstance(node.value, cst.From):
            base = self.value(node.value.item)
            into = self.fresh()
            self.open = [edge for edges in self.fork(Each(into, base), node) for edge in edges]
            self.add(Give(into, element=True), node)
        elif node.value is not None:
            self.add(Give(self.value(node.value), element=True), node)
        return self.read("*unknown")

    def _walrus(self, node: cst.NamedExpr) -> Reg:
        source = self.value(node.value)
        self.assign(node.target, source)
        return source

    def _await(self, node: cst.Await) -> Reg:
        return self.value(node.expression)

    _EXPRESSIONS: ClassVar[dict[type[cst.CSTNode], Callable[[Any, Any], Reg]]] = {
        cst.Name: _name,
        cst.Attribute: _attribute,
        cst.Subscript: _subscript,
        cst.Call: _call,
        cst.Lambda: _lambda,
        cst.BinaryOperation: _binary,
        cst.UnaryOperation: _unary,
        cst.BooleanOperation: ConditionLowering.branching,
        cst.Comparison: ConditionLowering.branching,
        cst.IfExp: ConditionLowering.either,
        cst.List: _display,
        cst.Tuple: _display,
        cst.Set: _display,
        cst.Dict: _dict,
        cst.ListComp: _comprehension,
        cst.SetComp: _comprehension,
        cst.DictComp: _comprehension,
        cst.GeneratorExp: _comprehension,
        cst.FormattedString: _formatted,
        cst.Yield: _yield,
        cst.NamedExpr: _walrus,
        cst.Await: _await,
    }


_CONSTANTS: Final[dict[str, tuple[Any, str]]] = {
    "None": (None, "None"),
    "True": (True, "bool"),
    "False": (False, "bool"),
}

_COMPREHENSIONS: Final[dict[type[cst.CSTNode], str]] = {
    cst.ListComp: "list",
    cst.SetComp: "set",
    cst.DictComp: "dict",
    cst.GeneratorExp: "generator",
}


_RECEIVER: Final = cst.Name("self")
"""Stands for the receiver where `super()` does."""

_BY_NAME: Final = {"getattr": (2, 3), "setattr": (3,), "delattr": (2,)}


def _by_name(node: cst.Call) -> tuple[str, str, list[cst.BaseExpression]] | None:
    """Which attribute a call of `getattr`, `setattr`, `object.__setattr__`... with a constant name means."""
    if any(a.star or a.keyword is not None for a in node.args):
        return None
    values = [argument.value for argument in node.args]
    what = ""
    if isinstance(node.func, cst.Name):
        what = node.func.value
    elif isinstance(node.func, cst.Attribute) and node.func.attr.value in {"__setattr__", "__delattr__"}:
        what = node.func.attr.value.strip("_")
        if isinstance(node.func.value, cst.Call) and is_name(node.func.value.func, "super"):
            values.insert(0, _RECEIVER)
        elif not is_name(node.func.value, "object"):
            return None
    if len(values) not in _BY_NAME.get(what, ()) or not isinstance(values[1], cst.SimpleString):
        return None
    name = values[1].evaluated_value
    if not isinstance(name, str):
        return None
    return what, name, [values[0], *values[2:]]


def _bound(clause: cst.CompFor | None) -> list[str]:
    """The names that a comprehension has for itself."""
    names: list[str] = []
    while clause is not None:
        names += target_names(clause.target)
        clause = clause.inner_for_in
    return names


def target_names(target: cst.BaseExpression) -> list[str]:
    """The names that a target binds."""
    if isinstance(target, cst.Name):
        return [target.value]
    if isinstance(target, (cst.Tuple, cst.List)):
        return [name for element in target.elements for name in target_names(element.value)]
    return []
