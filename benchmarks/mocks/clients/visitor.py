"""Trees of expressions, and what visitors that others write may do with them."""

from __future__ import annotations

import abc
from typing import Generic, TypeVar

T = TypeVar("T")


class Visitor(abc.ABC, Generic[T]):
    @abc.abstractmethod
    def visit_number(self, node: Number) -> T: ...

    @abc.abstractmethod
    def visit_sum(self, node: Sum, left: T, right: T) -> T: ...

    def enter(self, node: Node) -> bool:
        """Whether the visitor wants to see what is below."""
        return True


class Node(abc.ABC):
    @abc.abstractmethod
    def accept(self, visitor: Visitor[T]) -> T: ...


class Number(Node):
    def __init__(self, value: int) -> None:
        self.value = value

    def accept(self, visitor: Visitor[T]) -> T:
        return visitor.visit_number(self)


class Sum(Node):
    def __init__(self, left: Node, right: Node) -> None:
        self.left = left
        self.right = right

    def accept(self, visitor: Visitor[T]) -> T:
        return visitor.visit_sum(self, self.left.accept(visitor), self.right.accept(visitor))


class Evaluator(Visitor[int]):
    def visit_number(self, node: Number) -> int:
        return node.value

    def visit_sum(self, node: Sum, left: int, right: int) -> int:
        return left + right


def compare(node: Node, first: Visitor[int], second: Visitor[int]) -> str:
    """Two visitors on the same tree."""
    one, two = node.accept(first), node.accept(second)
    if one == two:
        return "agree"
    if one == -two:
        return "opposite"
    return "first" if one > two else "second"


def simplify(node: Node) -> Node:
    """Replace sums with zero."""
    if not isinstance(node, Sum):
        return node
    left, right = simplify(node.left), simplify(node.right)
    if isinstance(left, Number) and left.value == 0:
        return right
    if isinstance(right, Number) and right.value == 0:
        return left
    return Sum(left, right)


def depth(node: Node, visitor: Visitor[int], limit: int = 3) -> int:
    """Depth of what the visitor wants to enter."""
    if limit == 0 or not visitor.enter(node):
        return 0
    match node:
        case Number(value=0):
            return 0
        case Sum(left=left, right=right):
            return 1 + max(depth(left, visitor, limit - 1), depth(right, visitor, limit - 1))
        case _:
            return 1
