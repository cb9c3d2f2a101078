"""Displays in docstrings: what they show in lines of their own, such as the texts that code reads."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from typing import Final, TypeAlias

Documented: TypeAlias = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef

_NO_TEXT: Final = (">>>", "$ ", "- ", "* ")
"""Begin what is shown of sessions, commands and lists."""

_HEADING: Final = re.compile(r"(Args|Arguments|Parameters|Attributes|Returns|Yields|Raises|Notes?):")
"""Stands above what is said of arguments, results and errors."""


def displays(node: Documented) -> Iterator[str]:
    """Give the blocks that are further in than the docstring, or stand behind a colon and a gap."""
    told = ast.get_docstring(node, clean=False) if node.body else None
    if not told:
        return
    inner = " " * (node.body[0].col_offset + 2)
    before = ""
    for block in re.split(r"\n[ \t]*\n", told):
        shown = textwrap.dedent(block).rstrip()
        is_shown = block.startswith(inner) or before.rstrip().endswith(":")
        is_shown = is_shown and not _HEADING.fullmatch(before.strip())
        if is_shown and shown and not shown.lstrip().startswith(_NO_TEXT):
            yield "\n".join(line.rstrip() for line in shown.splitlines())
        before = block


def lines_of_display(display: str) -> Iterator[str]:
    """Give the lines of a display that are not empty, each by itself."""
    yield from filter(None, map(str.strip, display.splitlines()))
