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


Stubs = list[tuple[str, str]]
"""What a file of tests defines for them, by name, highlighted."""


def sources_of(text: str) -> dict[tuple[str, str], tuple[list[str], Stubs]]:
    """Return the highlighted lines of each test, by class ("" for none) and name, with its stubs."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return {}
    lines = highlighted(text)
    found: dict[tuple[str, str], tuple[list[str], Stubs]] = {}
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    stubs = {
        one.name: one for one in tree.body
        if isinstance(one, definitions) and not any(_is_test(part) for part in (one, *one.body))
    }  # fmt: skip
    for node in tree.body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        owner = node.name if isinstance(node, ast.ClassDef) else ""
        for one in inner:
            if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)):
                first = min([one.lineno, *(mark.lineno for mark in one.decorator_list)])
                indent = " " * one.col_offset
                own = lines[first - 1 : one.end_lineno]
                used = [(name, stub) for name, stub in stubs.items() if _names(name, one) and stub is not one]
                made = [(name, "\n".join(lines[stub.lineno - 1 : stub.end_lineno])) for name, stub in used]
                found[owner, one.name] = [line.removeprefix(indent) for line in own], made
    return found


def _is_test(node: ast.stmt) -> bool:
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test")


def _names(name: str, node: ast.AST) -> bool:
    return any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(node))
