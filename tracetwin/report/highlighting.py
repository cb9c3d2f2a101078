"""Sources as HTML with colours.

The source of each test of a file.
"""

from __future__ import annotations

import ast

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from tracetwin.report.visible import legible

_LIGHT, _DARK = "xcode", "monokai"  # which have enough contrast on coloured lines, too


def highlighted(source: str) -> list[str]:
    """Return the lines of a Python source as HTML; what could mislead a reader is made visible."""
    lines = [legible(line) for line in source.split("\n")]
    lexer = PythonLexer(stripnl=False, ensurenl=False)
    text: str = highlight("\n".join(lines), lexer, HtmlFormatter(nowrap=True))
    found = text.split("\n")
    return found[: len(lines)] + [""] * (len(lines) - len(found))


def styles() -> str:
    """Return the style sheet of the colours, for light and dark pages."""
    light, dark = (_style(name) for name in (_LIGHT, _DARK))
    return f"{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n.code{{background:none}}\n}}\n"


def _style(name: str) -> str:
    sheet: str = HtmlFormatter(style=name).get_style_defs(".code")  # type: ignore[no-untyped-call]
    return sheet


def sources_of(text: str) -> dict[tuple[str, str], list[str]]:
    """Return the highlighted lines of each test, by class ("" for none) and name."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return {}
    lines = highlighted(text)
    found: dict[tuple[str, str], list[str]] = {}
    for node in tree.body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        owner = node.name if isinstance(node, ast.ClassDef) else ""
        for one in inner:
            if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)):
                first = min([one.lineno, *(mark.lineno for mark in one.decorator_list)])
                indent = " " * one.col_offset
                own = lines[first - 1 : one.end_lineno]
                found[owner, one.name] = [line.removeprefix(indent) for line in own]
    return found
