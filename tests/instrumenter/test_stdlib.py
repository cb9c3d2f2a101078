"""Twins of the running interpreter's own modules: they compile, and no code object's lines move."""

from __future__ import annotations

import ast
import importlib
import inspect
import warnings
from pathlib import Path
from types import CodeType

import pytest

from instrumenter.transform import instrument

MODULES = """
    abc argparse ast base64 bisect calendar cmd code codecs colorsys compileall contextlib copy copyreg
    csv dataclasses dis enum filecmp fileinput fnmatch fractions functools genericpath getopt glob gzip
    hashlib heapq hmac html html.parser io json.decoder json.encoder keyword linecache mimetypes netrc
    numbers operator os plistlib posixpath pprint queue quopri random re reprlib sched shelve shlex
    shutil string tabnanny textwrap timeit tokenize traceback types uuid warnings weakref asyncio.tasks
    email.message http.cookies logging urllib.parse xml.dom.minidom
""".split()


def lines_by_scope(code: CodeType, path: str = "") -> list[tuple[str, frozenset[int]]]:
    """Line numbers of a code object and all within it, in order of definition."""
    found = [(path + code.co_name, frozenset(line for *_, line in code.co_lines() if line))]
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found.extend(lines_by_scope(constant, f"{path}{code.co_name}."))
    return found


def slack(tree: ast.AST) -> set[int]:
    """Lines on which a twin may have code where its original has none.

    A condition in parentheses on several lines begins with the call around it, on the line of its
    statement; a site's number follows the condition or iterable it belongs to, on its last line;
    pieces of text in an f-string on several lines become constants of their own.
    """
    lines: set[int] = set()
    for node in ast.walk(tree):
        parts: list[ast.expr] = []
        if isinstance(node, (ast.If, ast.While, ast.IfExp, ast.Assert)):
            parts = [node.test]
            lines.add(node.lineno)
        elif isinstance(node, ast.For):
            parts = [node.iter]
        elif isinstance(node, ast.comprehension):
            parts = [node.iter, *node.ifs]
        elif isinstance(node, ast.BoolOp):
            parts = node.values
        elif isinstance(node, ast.UnaryOp):
            parts = [node.operand]
        elif isinstance(node, ast.JoinedStr):
            lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        # Closing brackets around an expression are not part of its node: they end it a few lines on.
        lines.update(part.end_lineno + more for part in parts if part.end_lineno for more in range(4))
    return lines


@pytest.mark.parametrize("name", MODULES)
def test_twin_compiles_with_the_lines_of_its_original(name: str):
    origin = inspect.getsourcefile(importlib.import_module(name))
    assert origin is not None
    source = Path(origin).read_bytes()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        original = lines_by_scope(compile(source, origin, "exec"))
        twin = instrument(source, name=name, filename=origin)
        assert twin.untouched is None
        traced = lines_by_scope(compile(twin.source, origin, "exec"))
    allowed = slack(ast.parse(source))
    assert [scope for scope, _ in original] == [scope for scope, _ in traced]
    for (scope, before), (_, after) in zip(original, traced, strict=True):
        assert before <= after, f"{scope} lost {sorted(before - after)}"
        assert after - before <= allowed, f"{scope} gained {sorted(after - before - allowed)}"
