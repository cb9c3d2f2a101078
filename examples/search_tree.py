"""A binary search tree of integers."""

from __future__ import annotations

from collections.abc import Iterator


class Node:
    """One value, with the smaller values on its left and the larger ones on its right."""

    def __init__(self, value: int) -> None:
        """Start as a leaf."""
        self.value = value
        self.left: Node | None = None
        self.right: Node | None = None


class SearchTree:
    """A set of integers, kept in order."""

    def __init__(self) -> None:
        """Start empty."""
        self.root: Node | None = None
        self.size = 0

    def contains(self, value: int) -> bool:
        """Tell whether the value is in the tree."""
        node = self.root
        while node is not None:
            if value == node.value:
                return True
            node = node.left if value < node.value else node.right
        return False

    def insert(self, value: int) -> bool:
        """Add a value; return False if it was there already."""
        if self.root is None:
            self.root = Node(value)
            self.size = 1
            return True
        node = self.root
        while value != node.value:
            child = node.left if value < node.value else node.right
            if child is None:
                self._attach(node, value)
                return True
            node = child
        return False

    def _attach(self, parent: Node, value: int) -> None:
        if value < parent.value:
            parent.left = Node(value)
        else:
            parent.right = Node(value)
        self.size += 1

    def remove(self, value: int) -> bool:
        """Take a value out; return False if it was not there."""
        if not self.contains(value):
            return False
        self.root = _without(self.root, value)
        self.size -= 1
        return True

    def values(self) -> Iterator[int]:
        """Yield the values in ascending order."""
        waiting: list[Node] = []
        node = self.root
        while node is not None or waiting:
            while node is not None:
                waiting.append(node)
                node = node.left
            node = waiting.pop()
            yield node.value
            node = node.right


def _without(node: Node | None, value: int) -> Node | None:
    if node is None:
        return None
    if value < node.value:
        node.left = _without(node.left, value)
        return node
    if value > node.value:
        node.right = _without(node.right, value)
        return node
    if node.left is None:
        return node.right
    if node.right is None:
        return node.left
    # With two children the successor takes the place of the removed value.
    successor = node.right
    while successor.left is not None:
        successor = successor.left
    node.value = successor.value
    node.right = _without(node.right, successor.value)
    return node


def is_sorted(values: list[int]) -> bool:
    """Tell whether each value is greater than the one before it."""
    for index in range(1, len(values)):
        if values[index - 1] >= values[index]:
            return False
    return True
