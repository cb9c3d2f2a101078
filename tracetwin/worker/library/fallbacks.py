"""Hides extension modules from code that goes on without them: what is written in Python can be followed.

Inputs are sought in what runs in place of the extension; tests show what the extension itself did.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ExtensionFileLoader, ModuleSpec, PathFinder
from types import FrameType, ModuleType
from typing import Final

from instrumenter.hook import Patterns
from tracetwin.analysis.optional_imports import goes_on_without

_MACHINERY: Final = "<frozen importlib"


class FallbackFinder:
    """Refuses to find extension modules of twins whose import may fail.

    Args:
        patterns: names of the modules that become twins.
    """

    def __init__(self, patterns: Patterns) -> None:
        self._patterns = patterns
        self._trees: dict[str, ast.Module | None] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find nothing, and let others look.

        Raises:
            ImportError: it is such a module, and whoever imports it goes on without it.
        """
        if not self._patterns.matches(fullname) or not self._is_optional():
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, ExtensionFileLoader):
            raise ImportError(f"{fullname} is hidden, as there is Python in its place", name=fullname)
        return None

    def _is_optional(self) -> bool:
        """True if the statement that imports is one that may fail."""
        frame: FrameType | None = sys._getframe(2)  # noqa: SLF001 - documented, and there is no other way
        while frame is not None and frame.f_code.co_filename.startswith(_MACHINERY):
            frame = frame.f_back
        if frame is None:
            return False
        tree = self._tree(frame.f_code.co_filename)
        return tree is not None and goes_on_without(tree, frame.f_lineno)

    def _tree(self, file: str) -> ast.Module | None:
        if file not in self._trees:
            try:
                with open(os.fspath(file), "rb") as stream:
                    self._trees[file] = ast.parse(stream.read())
            except (OSError, SyntaxError, ValueError, RecursionError):
                self._trees[file] = None
        return self._trees[file]
