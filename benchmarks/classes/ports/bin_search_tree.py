"""A set of ints as an unbalanced binary search tree."""

from __future__ import annotations

from collections.abc import Iterator


class Node:
    """A value with those below it (left) and above it (right)."""

    def __init__(self, value: int) -> None:
        self.value = value
        self.left: Node | None = None
        self.right: Node | None = None


class BinSearchTree:
    """A set of ints."""

    def __init__(self) -> None:
        self._root: Node | None = None
        self._size = 0

    def insert(self, value: int) -> bool:
        """Add a value; returns whether it is new."""
        if self._root is None:
            self._root = Node(value)
            self._size += 1
            return True
        current = self._root
        while True:
            if value < current.value:
                if current.left is None:
                    current.left = Node(value)
                    break
                current = current.left
            elif value > current.value:
                if current.right is None:
                    current.right = Node(value)
                    break
                current = current.right
            else:
                return False
        self._size += 1
        return True

    def remove(self, value: int) -> bool:
        """Take a value out; returns whether it was there."""
        parent = None
        current = self._root
        while current is not None and current.value != value:
            parent = current
            if value < current.value:
                current = current.left
            else:
                current = current.right
        if current is None:
            return False
        replacement = self._remove_node(current)
        if parent is None:
            self._root = replacement
        elif parent.left is current:
            parent.left = replacement
        else:
            parent.right = replacement
        self._size -= 1
        return True

    def _remove_node(self, node: Node) -> Node | None:
        """Return the subtree that remains of a node's subtree without its own value."""
        left, right = node.left, node.right
        if left is None:
            return right
        if right is None:
            return left
        if left.right is None:
            # The largest smaller value is that of the left child itself.
            node.value = left.value
            node.left = left.left
            return node
        parent, largest = left, left.right
        while largest.right is not None:
            parent, largest = largest, largest.right
        node.value = largest.value
        parent.right = largest.left
        return node

    def contains(self, value: int) -> bool:
        """Whether a value is in the set."""
        current = self._root
        while current is not None:
            if value == current.value:
                return True
            current = current.left if value < current.value else current.right
        return False

    def size(self) -> int:
        """Return the number of values."""
        return self._size

    def __iter__(self) -> Iterator[int]:
        stack: list[Node] = []
        current = self._root
        while stack or current is not None:
            while current is not None:
                stack.append(current)
                current = current.left
            node = stack.pop()
            yield node.value
            current = node.right
