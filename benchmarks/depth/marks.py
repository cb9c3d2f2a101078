"""The marked lines of the functions in `functions/`."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

FUNCTIONS = Path(__file__).resolve().parent / "functions"

REACH = "# reach"
UNREACHABLE = "# unreachable"


@dataclass(frozen=True)
class Marked:
    """A function and its marks.

    Attributes:
        category: the module's name.
        name: the function's name.
        first: first line of the definition.
        lines: marked with `# reach`, counted from the first line: some input gets there.
        unreachable: marked with `# unreachable`: none does.
        digest: of its source: a result holds for the source that it was measured with.
    """

    category: str
    name: str
    first: int
    lines: tuple[int, ...]
    unreachable: tuple[int, ...]
    digest: str

    @property
    def key(self) -> str:
        """`module.function`."""
        return f"{self.category}.{self.name}"

    @property
    def file(self) -> Path:
        """The source."""
        return FUNCTIONS / f"{self.category}.py"

    def among(self, executed: Iterable[int]) -> list[int]:
        """Which marked lines are among executed lines of the file."""
        return sorted({line - self.first for line in executed} & {*self.lines, *self.unreachable})


def marked_functions(folder: Path = FUNCTIONS) -> list[Marked]:
    """All functions that have a mark, in the order of the files and of the lines."""
    return [marked for file in sorted(folder.glob("*.py")) for marked in _of_module(file)]


def _of_module(file: Path) -> Iterator[Marked]:
    text = file.read_text(encoding="utf-8")
    all_lines = text.splitlines()
    for node in ast.parse(text).body:
        if not isinstance(node, ast.FunctionDef):
            continue
        own = all_lines[node.lineno - 1 : node.end_lineno]
        reach = tuple(n for n, line in enumerate(own) if line.rstrip().endswith(REACH))
        never = tuple(n for n, line in enumerate(own) if line.rstrip().endswith(UNREACHABLE))
        if reach or never:
            digest = hashlib.sha256("\n".join(own).encode()).hexdigest()[:16]
            yield Marked(file.stem, node.name, node.lineno, reach, never, digest)
