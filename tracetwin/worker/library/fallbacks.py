"""Hides extension modules that code in Python stands in for: that can be followed.

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
from tracetwin.analysis.optional_imports import has_substitute

_MACHINERY: Final = "<frozen importlib"


class FallbackFinder:
    """Refuses to find extension modules of twins that have a substitute.

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
            ImportError: it is such a module, and other code does its work.
        """
        if not self._patterns.matches(fullname):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, ExtensionFileLoader) and self._has_substitute():
            raise ImportError(f"{fullname} is hidden, as there is Python in its place", name=fullname)
        return None

    def _has_substitute(self) -> bool:
        """True if other code does the work where the statement fails that imports."""
        frame: FrameType | None = sys._getframe(2)  # noqa: SLF001 - documented, and there is no other way
        while frame is not None and frame.f_code.co_filename.startswith(_MACHINERY):
            frame = frame.f_back
        if frame is None:
            return False
        tree = self._tree(frame.f_code.co_filename)
        return tree is not None and has_substitute(tree, frame.f_lineno)

    def _tree(self, file: str) -> ast.Module | None:
        if file not in self._trees:
            try:
                with open(os.fspath(file), "rb") as stream:
                    self._trees[file] = ast.parse(stream.read())
            except (OSError, SyntaxError, ValueError, RecursionError):
                self._trees[file] = None
        return self._trees[file]
