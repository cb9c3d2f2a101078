"""A sorted map from ints to texts, as a red-black tree."""

from __future__ import annotations

from collections.abc import Iterator

RED = False
BLACK = True


class Entry:
    """A key, its value, and its place in the tree."""

    def __init__(self, key: int, value: str, parent: Entry | None) -> None:
        self.key = key
        self.value = value
        self.parent = parent
        self.left: Entry | None = None
        self.right: Entry | None = None
        self.color = BLACK


def _color_of(entry: Entry | None) -> bool:
    """The color of an entry; what is not there is black."""
    return BLACK if entry is None else entry.color


def _parent_of(entry: Entry | None) -> Entry | None:
    """The parent of an entry, if both are there."""
    return None if entry is None else entry.parent


def _left_of(entry: Entry | None) -> Entry | None:
    """The left child of an entry, if both are there."""
    return None if entry is None else entry.left


def _right_of(entry: Entry | None) -> Entry | None:
    """The right child of an entry, if both are there."""
    return None if entry is None else entry.right


def _set_color(entry: Entry | None, color: bool) -> None:
    """Color an entry, if it is there."""
    if entry is not None:
        entry.color = color


def _successor(entry: Entry) -> Entry | None:
    """The entry with the next larger key."""
    if entry.right is not None:
        following = entry.right
        while following.left is not None:
            following = following.left
        return following
    parent = entry.parent
    child = entry
    while parent is not None and child is parent.right:
        child = parent
        parent = parent.parent
    return parent


class TreeMap:
    """A map whose keys are in order."""

    def __init__(self) -> None:
        self._root: Entry | None = None
        self._size = 0

    def size(self) -> int:
        """Return the number of keys."""
        return self._size

    def get(self, key: int) -> str | None:
        """Return the value of a key."""
        entry = self._find(key)
        return None if entry is None else entry.value

    def contains_key(self, key: int) -> bool:
        """Whether there is a value for a key."""
        return self._find(key) is not None

    def put(self, key: int, value: str) -> str | None:
        """Set the value of a key and return the one that it had."""
        if self._root is None:
            self._root = Entry(key, value, None)
            self._size = 1
            return None
        entry = self._root
        while key != entry.key:
            if key < entry.key:
                if entry.left is None:
                    entry.left = Entry(key, value, entry)
                    self._size += 1
                    self._fix_after_ins(entry.left)
                    return None
                entry = entry.left
            else:
                if entry.right is None:
                    entry.right = Entry(key, value, entry)
                    self._size += 1
                    self._fix_after_ins(entry.right)
                    return None
                entry = entry.right
        old = entry.value
        entry.value = value
        return old

    def remove(self, key: int) -> str | None:
        """Take out a key and return the value that it had."""
        entry = self._find(key)
        if entry is None:
            return None
        old = entry.value
        self._delete_entry(entry)
        return old

    def first_key(self) -> int:
        """Return the smallest key."""
        first = self._first()
        if first is None:
            raise KeyError("the map is empty")
        return first.key

    def __iter__(self) -> Iterator[int]:
        entry = self._first()
        while entry is not None:
            yield entry.key
            entry = _successor(entry)

    def _first(self) -> Entry | None:
        entry = self._root
        while entry is not None and entry.left is not None:
            entry = entry.left
        return entry

    def _find(self, key: int) -> Entry | None:
        entry = self._root
        while entry is not None:
            if key < entry.key:
                entry = entry.left
            elif key > entry.key:
                entry = entry.right
            else:
                return entry
        return None

    def _replace_child(self, old: Entry, new: Entry | None) -> None:
        """Put one subtree in the place of another."""
        parent = old.parent
        if parent is None:
            self._root = new
        elif old is parent.left:
            parent.left = new
        else:
            parent.right = new

    def _rotate_left(self, entry: Entry | None) -> None:
        if entry is not None and entry.right is not None:
            right = entry.right
            entry.right = right.left
            if right.left is not None:
                right.left.parent = entry
            right.parent = entry.parent
            self._replace_child(entry, right)
            right.left = entry
            entry.parent = right

    def _rotate_right(self, entry: Entry | None) -> None:
        if entry is not None and entry.left is not None:
            left = entry.left
            entry.left = left.right
            if left.right is not None:
                left.right.parent = entry
            left.parent = entry.parent
            self._replace_child(entry, left)
            left.right = entry
            entry.parent = left

    def _fix_after_ins(self, entry: Entry | None) -> None:
        entry.color = RED
        while entry is not None and entry is not self._root and entry.parent.color == RED:
            parent = _parent_of(entry)
            grandparent = _parent_of(parent)
            if parent is _left_of(grandparent):
                uncle = _right_of(grandparent)
                if _color_of(uncle) == RED:
                    _set_color(parent, BLACK)
                    _set_color(uncle, BLACK)
                    _set_color(grandparent, RED)
                    entry = grandparent
                else:
                    if entry is _right_of(parent):
                        entry = parent
                        self._rotate_left(entry)
                    _set_color(_parent_of(entry), BLACK)
                    _set_color(_parent_of(_parent_of(entry)), RED)
                    self._rotate_right(_parent_of(_parent_of(entry)))
            else:
                uncle = _left_of(grandparent)
                if _color_of(uncle) == RED:
                    _set_color(parent, BLACK)
                    _set_color(uncle, BLACK)
                    _set_color(grandparent, RED)
                    entry = grandparent
                else:
                    if entry is _left_of(parent):
                        entry = parent
                        self._rotate_right(entry)
                    _set_color(_parent_of(entry), BLACK)
                    _set_color(_parent_of(_parent_of(entry)), RED)
                    self._rotate_left(_parent_of(_parent_of(entry)))
        self._root.color = BLACK

    def _delete_entry(self, entry: Entry) -> None:
        self._size -= 1
        if entry.left is not None and entry.right is not None:
            # Its _successor has no left child: that entry is unlinked instead.
            following = _successor(entry)
            entry.key = following.key
            entry.value = following.value
            entry = following
        replacement = entry.left if entry.left is not None else entry.right
        if replacement is not None:
            replacement.parent = entry.parent
            self._replace_child(entry, replacement)
            if entry.color == BLACK:  # has one child
                self._fix_after_del(replacement)
        elif entry.parent is None:
            self._root = None
        else:
            # It stands for the missing leaf until the colors are right.
            if entry.color == BLACK:
                self._fix_after_del(entry)
            self._replace_child(entry, None)
            entry.parent = None

    def _fix_after_del(self, entry: Entry | None) -> None:
        while entry is not self._root and _color_of(entry) == BLACK:
            parent = _parent_of(entry)
            if entry is _left_of(parent):
                sibling = _right_of(parent)
                if _color_of(sibling) == RED:
                    _set_color(sibling, BLACK)
                    _set_color(parent, RED)
                    self._rotate_left(parent)
                    sibling = _right_of(parent)
                if _color_of(_left_of(sibling)) == BLACK and _color_of(_right_of(sibling)) == BLACK:
                    _set_color(sibling, RED)
                    entry = parent
                else:
                    if _color_of(_right_of(sibling)) == BLACK:
                        _set_color(_left_of(sibling), BLACK)
                        _set_color(sibling, RED)
                        self._rotate_right(sibling)
                        sibling = _right_of(parent)
                    _set_color(sibling, _color_of(parent))
                    _set_color(parent, BLACK)
                    _set_color(_right_of(sibling), BLACK)
                    self._rotate_left(parent)
                    entry = self._root
            else:
                sibling = _left_of(parent)
                if _color_of(sibling) == RED:
                    _set_color(sibling, BLACK)
                    _set_color(parent, RED)
                    self._rotate_right(parent)
                    sibling = _left_of(parent)
                if _color_of(_right_of(sibling)) == BLACK and _color_of(_left_of(sibling)) == BLACK:
                    _set_color(sibling, RED)
                    entry = parent
                else:
                    if _color_of(_left_of(sibling)) == BLACK:
                        _set_color(_right_of(sibling), BLACK)
                        _set_color(sibling, RED)
                        self._rotate_left(sibling)
                        sibling = _left_of(parent)
                    _set_color(sibling, _color_of(parent))
                    _set_color(parent, BLACK)
                    _set_color(_left_of(sibling), BLACK)
                    self._rotate_right(parent)
                    entry = self._root
        _set_color(entry, BLACK)
