"""Which definition a code object belongs to: its qualified name, by file, name and first line."""

from __future__ import annotations

import ast
from pathlib import Path


class Definitions:
    """The functions in source files; each file is read once."""

    def __init__(self) -> None:
        self._files: dict[str, dict[tuple[str, int], str]] = {}

    def named(self, file: str, name: str, line: int) -> str:
        """The qualified name of a function, "" where it is nested in another or its source is not there.

        Args:
            file: path of the source.
            name: the function's own name.
            line: its first line, that of its first decorator where it has one.
        """
        if file not in self._files:
            self._files[file] = _functions(file)
        return self._files[file].get((name, line), "")


def _functions(file: str) -> dict[tuple[str, int], str]:
    try:
        tree = ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return {}
    found: dict[tuple[str, int], str] = {}
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:
        node, within = waiting.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef):
                waiting.append((child, f"{within}{child.name}."))
            elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                first = min([child.lineno, *(item.lineno for item in child.decorator_list)])
                found[child.name, first] = f"{within}{child.name}"
            elif isinstance(child, (ast.stmt, ast.excepthandler)):
                waiting.append((child, within))  # `if`, `try` and `with` around definitions
    return found
