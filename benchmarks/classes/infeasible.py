"""Branches of the classes that no sequence of calls takes, each with the reason; found and checked by hand.

A branch is named by its line's text rather than by a number, so that the table survives edits above it.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Infeasible:
    """One way out of a line that no execution goes.

    Attributes:
        file: the source, from this folder.
        function: the function or method that the line stands in.
        text: the line, without indentation; it occurs once in the function.
        taken: whether the way into the body is the impossible one, else the way around it.
        why: the argument.
    """

    file: str
    function: str
    text: str
    taken: bool
    why: str

    def line(self) -> int:
        """The number of the line in its file.

        Raises:
            LookupError: the function does not hold the line exactly once.
        """
        source = (HERE / self.file).read_text(encoding="utf-8")
        lines = source.splitlines()
        found = [
            number
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.FunctionDef) and node.name == self.function
            for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
            if lines[number - 1].strip() == self.text
        ]
        if len(found) != 1:
            raise LookupError(f"{self.file}: {self.function} holds {self.text!r} {len(found)} times")
        return found[0]

    def is_branch(self, origin: int, target: int) -> bool:
        """Whether a branch (line numbers as coverage.py counts them) is this one."""
        line = self.line()
        return origin == line and (target == line + 1) is self.taken


INFEASIBLE = (
    Infeasible(
        "ports/tree_map.py",
        "_set_color",
        "if entry is not None:",
        False,
        "what is colored exists: after an insertion the parent is red, so that it is not the root "
        "and has a parent, and an uncle is colored only if it is red; after a deletion the sibling "
        "has a black height of one at least, and of its children a red one is colored",
    ),
    Infeasible(
        "ports/tree_map.py",
        "_rotate_left",
        "if entry is not None and entry.right is not None:",
        False,
        "what is rotated exists as above, and its right child was looked at before: it is the entry itself, "
        "its parent, the sibling or that one's red child",
    ),
    Infeasible(
        "ports/tree_map.py",
        "_rotate_right",
        "if entry is not None and entry.left is not None:",
        False,
        "the mirror image of _rotate_left",
    ),
    Infeasible(
        "ports/tree_map.py",
        "_delete_entry",
        "if entry.color == BLACK:  # has one child",
        False,
        "an entry with exactly one child is black: its other side is empty, so that the child is red (equal "
        "black heights), and no red entry has a red child",
    ),
)


def is_infeasible(file: str, origin: int, target: int) -> bool:
    """Whether a branch of a file (named from this folder) is in the table."""
    return any(entry.file == file and entry.is_branch(origin, target) for entry in INFEASIBLE)
