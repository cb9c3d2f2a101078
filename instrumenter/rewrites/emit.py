"""Builds the nodes that a twin adds: calls of the interface, gaps that keep newlines, constants."""

from __future__ import annotations

from typing import Any, TypeVar

import libcst as cst
from libcst._nodes.expression import ExpressionPosition
from libcst._nodes.internal import CodegenState

Gap = cst.BaseParenthesizableWhitespace
NO_GAP = cst.SimpleWhitespace("")
SPACE = cst.SimpleWhitespace(" ")

_NEEDS_PARENTHESES = (cst.Tuple, cst.Yield, cst.NamedExpr, cst.GeneratorExp)
_LITERALS = (cst.Integer, cst.Float, cst.Imaginary, cst.SimpleString, cst.Ellipsis)
_CONSTANT_NAMES = frozenset({"True", "False", "None", "__debug__"})

E = TypeVar("E", bound=cst.BaseExpression)


class Emitted(cst.Call):
    """A call of the interface, standing where something not beginning with a letter may have stood.

    `return-x` needs no space, `return _tt.neg(x)` does: the space is added when code is generated,
    and libcst's own check for it, made when the parent is built, is answered accordingly.
    """

    __slots__ = ()  # type: ignore[misc]  # libcst declares it per instance, Python per class

    def _safe_to_use_with_word_operator(self, position: ExpressionPosition) -> bool:
        return True

    def _codegen_impl(self, state: CodegenState) -> None:
        if not self.lpar:
            last = next((token for token in reversed(state.tokens) if token), "")
            if last and (last[-1].isalnum() or last[-1] == "_"):
                state.add_token(" ")
        super()._codegen_impl(state)


def has_newline(gap: cst.CSTNode) -> bool:
    """Return whether whitespace spans lines, by parentheses or a backslash."""
    return not isinstance(gap, cst.SimpleWhitespace) or "\n" in gap.value or "\r" in gap.value


def kept(gap: Gap, otherwise: Gap = NO_GAP) -> Gap:
    """Return the gap if a newline in it must be kept, else a tidy one."""
    return gap if has_newline(gap) else otherwise


def comma(before: Gap = NO_GAP, after: Gap = NO_GAP) -> cst.Comma:
    """Return a comma that keeps the newlines of the operator it replaces."""
    return cst.Comma(whitespace_before=kept(before), whitespace_after=kept(after, SPACE))


COMMA = comma()


def comma_like(operator: cst.BaseBinaryOp | cst.BaseCompOp | cst.BaseAugOp) -> cst.Comma:
    """Return a comma in place of an operator; all of these have whitespace on both sides."""
    # libcst's base classes do not declare the fields each of their subclasses has.
    node: Any = operator
    return comma(node.whitespace_before, node.whitespace_after)


def parenthesized(node: E) -> E:
    """Return the node within its own parentheses."""
    if getattr(node, "lpar", ()):
        return node
    return node.with_changes(lpar=(cst.LeftParen(),), rpar=(cst.RightParen(),))


def as_argument(node: cst.BaseExpression) -> cst.BaseExpression:
    """Return the node as it can stand among other arguments."""
    return parenthesized(node) if isinstance(node, _NEEDS_PARENTHESES) else node


def call(
    function: cst.BaseExpression,
    *values: cst.BaseExpression,
    commas: tuple[cst.Comma, ...] = (),
    like: cst.BaseExpression | None = None,
    before: Gap = NO_GAP,
    after: Gap = NO_GAP,
) -> Emitted:
    """Return `function(*values)`, in the parentheses `like` stood in.

    `commas` follow the arguments where no plain comma does, `like` is the node that is replaced.
    """
    last = len(values) - 1
    arguments = []
    for index, value in enumerate(values):
        if index == last:
            arguments.append(cst.Arg(as_argument(value), whitespace_after_arg=after))
        else:
            separator = commas[index] if index < len(commas) else COMMA
            arguments.append(cst.Arg(as_argument(value), comma=separator))
    return Emitted(
        func=function,
        args=tuple(arguments),
        lpar=like.lpar if like is not None else (),
        rpar=like.rpar if like is not None else (),
        whitespace_before_args=before,
    )


def is_constant(node: cst.CSTNode) -> bool:
    """Return whether an expression is made of literals only, so that CPython may fold it."""
    if isinstance(node, _LITERALS):
        return True
    if isinstance(node, cst.Name):
        return node.value in _CONSTANT_NAMES
    if isinstance(node, cst.UnaryOperation):
        return is_constant(node.expression)
    if isinstance(node, (cst.BinaryOperation, cst.BooleanOperation, cst.ConcatenatedString)):
        return is_constant(node.right) and is_constant(node.left)
    if isinstance(node, cst.Comparison):
        return is_constant(node.left) and all(is_constant(link.comparator) for link in node.comparisons)
    if isinstance(node, cst.Tuple):
        return all(isinstance(item, cst.Element) and is_constant(item.value) for item in node.elements)
    return False


def is_left_literal(node: cst.CSTNode) -> bool:
    """Return whether a left operand is an int or text literal: Python asks a traced right operand before it.

    Not so for float and bool, whose own methods take any int for a plain one.
    """
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.expression, cst.Integer)
    if isinstance(node, cst.Name):
        return node.value == "None"
    return isinstance(node, (cst.Integer, cst.SimpleString, cst.ConcatenatedString)) and is_constant(node)


def is_number(node: cst.CSTNode) -> bool:
    """Return whether an expression is an int literal, or the negative of one."""
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.Minus) and isinstance(node.expression, cst.Integer)
    return isinstance(node, cst.Integer)
