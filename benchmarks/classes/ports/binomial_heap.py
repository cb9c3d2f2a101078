"""A binomial heap of ints: a list of binomial trees, the root of each no larger than its children."""

from __future__ import annotations

SMALLEST = -(2**31)


class Node:
    """The root of a binomial tree of 2**degree nodes."""

    def __init__(self, key: int) -> None:
        self.key = key
        self.degree = 0
        self.parent: Node | None = None
        self.sibling: Node | None = None
        self.child: Node | None = None

    def reverse(self, before: Node | None = None) -> Node:
        """Turn the list of siblings that starts here round and return its new first node."""
        first: Node = self
        following = self.sibling
        first.sibling = before
        while following is not None:
            first, following, first_before = following, following.sibling, first
            first.sibling = first_before
        return first

    def minimum(self) -> Node:
        """Return the node with the smallest key in the list that starts here."""
        smallest: Node = self
        node = self.sibling
        while node is not None:
            if node.key < smallest.key:
                smallest = node
            node = node.sibling
        return smallest

    def find(self, key: int) -> Node | None:
        """Return a node with the key in the trees that start here."""
        node: Node | None = self
        while node is not None:
            if node.key == key:
                return node
            if node.child is not None and node.key < key:
                found = node.child.find(key)
                if found is not None:
                    return found
            node = node.sibling
        return None


class BinomialHeap:
    """A priority queue that can be merged; the roots stand in order of their degrees."""

    def __init__(self) -> None:
        self._head: Node | None = None
        self._size = 0

    def size(self) -> int:
        """Return the number of keys."""
        return self._size

    def insert(self, key: int) -> None:
        """Add a key above the smallest int of 32 bits."""
        if key <= SMALLEST:
            raise ValueError("key too small")
        node = Node(key)
        if self._head is None:
            self._head = node
        else:
            self._union_nodes(node)
        self._size += 1

    def find_min(self) -> int | None:
        """Return the smallest key."""
        if self._head is None:
            return None
        return self._head.minimum().key

    def extract_min(self) -> int | None:
        """Take out and return the smallest key."""
        if self._head is None:
            return None
        smallest = self._head.minimum()
        self._unlink_root(smallest)
        if smallest.child is not None:
            self._adopt_children(smallest.child)
        self._size -= 1
        return smallest.key

    def decrease(self, old: int, new: int) -> bool:
        """Replace a key by a smaller one; returns whether it was there."""
        if new > old or new <= SMALLEST:
            raise ValueError("the new key must be a smaller one")
        node = self._find(old)
        if node is None:
            return False
        self._lower(node, new)
        return True

    def delete(self, key: int) -> bool:
        """Take out a key; returns whether it was there."""
        node = self._find(key)
        if node is None:
            return False
        self._lower(node, SMALLEST)
        self.extract_min()
        return True

    def _find(self, key: int) -> Node | None:
        if self._head is None:
            return None
        return self._head.find(key)

    @staticmethod
    def _lower(node: Node, key: int) -> None:
        """Give a node a smaller key, which rises as long as its parent has a larger one."""
        node.key = key
        parent = node.parent
        while parent is not None and node.key < parent.key:
            node.key, parent.key = parent.key, node.key
            node, parent = parent, parent.parent

    def _unlink_root(self, root: Node) -> None:
        before = None
        node = self._head
        while node is not root:
            before = node
            node = node.sibling
        if before is None:
            self._head = root.sibling
        else:
            before.sibling = root.sibling

    def _adopt_children(self, first: Node) -> None:
        child: Node | None = first
        while child is not None:
            child.parent = None
            child = child.sibling
        trees = first.reverse()
        if self._head is None:
            self._head = trees
        else:
            self._union_nodes(trees)

    def _merge(self, other: Node | None) -> None:
        """Merge a list of roots into the list of this heap, by their degrees."""
        mine = self._head
        last: Node | None = None
        while mine is not None and other is not None:
            if mine.degree <= other.degree:
                following = mine
                mine = mine.sibling
            else:
                following = other
                other = other.sibling
            if last is None:
                self._head = following
            else:
                last.sibling = following
            last = following
        last.sibling = other if mine is None else mine

    def _union_nodes(self, other: Node) -> None:
        """Take in the trees of a list of roots; trees of the same degree become one."""
        self._merge(other)
        before: Node | None = None
        node = self._head
        following = node.sibling
        while following is not None:
            third = following.sibling
            if node.degree != following.degree or (third is not None and third.degree == node.degree):
                before = node
                node = following
            elif node.key <= following.key:
                node.sibling = third
                self._link(following, node)
            else:
                if before is None:
                    self._head = following
                else:
                    before.sibling = following
                self._link(node, following)
                node = following
            following = node.sibling

    @staticmethod
    def _link(child: Node, parent: Node) -> None:
        child.parent = parent
        child.sibling = parent.child
        parent.child = child
        parent.degree += 1
