"""What comments in the sources say: lines to be reached, and branches that nothing can take.

    amount -= 100  # goal 4
    for attempt in (1, 2):  # always: the second attempt returns or raises

A line marked as a goal is to be executed. `always` and `never` stand on the first line of an `if`, `while`,
`for` or `case`: its body is always, or never, what comes next. The reason follows, found and checked by hand.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

GOAL = re.compile(r"# goal \d+$")
IMPOSSIBLE = re.compile(r"# (always|never): \S")


@dataclass(frozen=True)
class Marks:
    """The marks of one source.

    Attributes:
        goals: line numbers.
        always: lines with a condition whose body is what comes next, each with the first line of that body.
        never: the same of conditions whose body never comes next.
    """

    goals: tuple[int, ...]
    always: dict[int, int]
    never: dict[int, int]

    def is_infeasible(self, origin: int, target: int) -> bool:
        """Whether a branch (lines as coverage.py counts them) is marked as one that nothing takes."""
        if origin in self.always:
            return target != self.always[origin]
        return origin in self.never and target == self.never[origin]


def marks_of(file: Path) -> Marks:
    """Read the marks of a source.

    Raises:
        ValueError: `always` or `never` stands on a line without a condition.
    """
    source = file.read_text(encoding="utf-8")
    bodies = _bodies(ast.parse(source))
    goals: list[int] = []
    found: dict[str, dict[int, int]] = {"always": {}, "never": {}}
    for number, line in enumerate(source.splitlines(), 1):
        if GOAL.search(line):
            goals.append(number)
        if impossible := IMPOSSIBLE.search(line):
            if number not in bodies:
                raise ValueError(f"{file.name}:{number}: no condition to be marked")
            found[impossible.group(1)][number] = bodies[number]
    return Marks(tuple(goals), **found)


def _bodies(tree: ast.Module) -> dict[int, int]:
    """The first line of what each condition guards."""
    bodies: dict[int, int] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.If, ast.While, ast.For, ast.AsyncFor)):
            bodies[node.lineno] = node.body[0].lineno
        elif isinstance(node, ast.match_case):
            bodies[node.pattern.lineno] = node.body[0].lineno
    return bodies
