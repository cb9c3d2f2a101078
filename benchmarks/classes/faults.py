"""Thirty faults seeded by hand: a text of a port, and what a careless programmer would have written."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One change of a class.

    Attributes:
        name: what went wrong, unique.
        file: the source, from this folder.
        old: the right text; it occurs once.
        new: the wrong one.
    """

    name: str
    file: str
    old: str
    new: str

    def apply(self, source: str) -> str:
        """The source with the fault.

        Raises:
            LookupError: the right text does not occur exactly once.
        """
        if source.count(self.old) != 1:
            raise LookupError(f"{self.file}, {self.name}: the text occurs {source.count(self.old)} times")
        return source.replace(self.old, self.new)


FAULTS = (
    Fault(
        "vending keeps the permission",
        "ports/coin_box.py",
        "            self.cur_qtrs = 0\n            self.allow_vend = 0\n",
        "            self.cur_qtrs = 0\n",
    ),
    Fault("one coin is enough", "ports/coin_box.py", "if self.cur_qtrs > 1:", "if self.cur_qtrs > 0:"),
    Fault(
        "total is overwritten",
        "ports/coin_box.py",
        "self.total_qtrs = self.total_qtrs + self.cur_qtrs",
        "self.total_qtrs = self.cur_qtrs",
    ),
    Fault("warns at the limit", "ports/temperature_monitor.py", "> 80", ">= 80"),
    Fault("measures while it is off", "ports/temperature_monitor.py", "if self._enabled:", "if True:"),
    Fault(
        "store does not grow",
        "ports/int_stack.py",
        "self._store = self._store + [0] * len(self._store)",
        "self._store = self._store + []",
    ),
    Fault(
        "pop forgets the size",
        "ports/int_stack.py",
        "        self._size -= 1\n        return self._store[self._size]",
        "        return self._store[self._size - 1]",
    ),
    Fault(
        "member is not moved to the top",
        "ports/ub_stack.py",
        "            self._elements[index] = value\n            return True",
        "            return True",
    ),
    Fault(
        "one place stays unused",
        "ports/ub_stack.py",
        "if self._count == len(self._elements):",
        "if self._count == len(self._elements) - 1:",
    ),
    Fault("shifts too few", "ports/ub_stack.py", "index < self._count - 1:", "index < self._count - 2:"),
    Fault("equals compares sizes only", "ports/ub_stack.py", "!= other._elements[index]", "is None"),
    Fault(
        "new value goes to the wrong child",
        "ports/bin_search_tree.py",
        "                    current.right = Node(value)",
        "                    current.left = Node(value)",
    ),
    Fault(
        "removal hangs the rest on the wrong side",
        "ports/bin_search_tree.py",
        "elif parent.left is current:",
        "elif parent.left is not None:",
    ),
    Fault(
        "left child's subtree is lost",
        "ports/bin_search_tree.py",
        "            node.left = left.left\n",
        "            node.left = None\n",
    ),
    Fault(
        "predecessor stays in the tree",
        "ports/bin_search_tree.py",
        "        parent.right = largest.left\n",
        "",
    ),
    Fault(
        "removal forgets the size",
        "ports/bin_search_tree.py",
        "        self._size -= 1\n        return True",
        "        return True",
    ),
    Fault(
        "earlier children of a linked tree are lost",
        "ports/binomial_heap.py",
        "        child.sibling = parent.child\n",
        "        child.sibling = None\n",
    ),
    Fault(
        "wrong one of two trees becomes the root",
        "ports/binomial_heap.py",
        "elif node.key <= following.key:",
        "elif node.key >= following.key:",
    ),
    Fault(
        "children of the minimum are lost",
        "ports/binomial_heap.py",
        "        if smallest.child is not None:\n            self._adopt_children(smallest.child)\n",
        "",
    ),
    Fault(
        "minimum is looked for in the first tree only",
        "ports/binomial_heap.py",
        "if node.key < smallest.key:",
        "if node.key > smallest.key:",
    ),
    Fault(
        "lowered key does not rise to the root",
        "ports/binomial_heap.py",
        "            node, parent = parent, parent.parent\n\n",
        "            node, parent = parent, None\n\n",
    ),
    Fault("backward link is missing", "ports/linked_list.py", "        new.next.previous = new\n", ""),
    Fault(
        "removes the last instead of the first",
        "ports/linked_list.py",
        "        return self._unlink(self._header.next)",
        "        return self._unlink(self._header.previous)",
    ),
    Fault(
        "index may equal the size",
        "ports/linked_list.py",
        "index >= self._size:",
        "index > self._size:",
    ),
    Fault(
        "subtree that changes sides keeps its parent",
        "ports/tree_map.py",
        "                right.left.parent = entry\n",
        "                pass\n",
    ),
    Fault(
        "put forgets the size on the right",
        "ports/tree_map.py",
        "                    entry.right = Entry(key, value, entry)\n                    self._size += 1\n",
        "                    entry.right = Entry(key, value, entry)\n",
    ),
    Fault(
        "value of the successor is not taken along",
        "ports/tree_map.py",
        "            entry.value = following.value\n",
        "",
    ),
    Fault(
        "rotation at the root keeps the old root",
        "ports/tree_map.py",
        "            self._root = new\n",
        "            pass\n",
    ),
    Fault(
        "right child of the heap is ignored",
        "ports/heap_array.py",
        "right = left + 1",
        "right = left",
    ),
    Fault("rises past equal parents only", "ports/heap_array.py", "index = parent\n", "break\n"),
)
