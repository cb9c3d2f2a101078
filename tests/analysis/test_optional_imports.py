"""Names that an import decides which may fail."""

from __future__ import annotations

import ast
import textwrap

import pytest

from tracetwin.analysis.optional_imports import has_substitute, needed_import, optional_imports

SOURCE = """
try:
    import yaml
    from dateutil.relativedelta import relativedelta
    HAS_DATES = True
except ImportError:
    yaml = None
    HAS_DATES = False
try:
    import json
except ValueError:
    json = None
try:
    from . import speedups
except (ModuleNotFoundError, OSError):
    speedups = None
"""


def test_optional_imports_have_names_for_both_cases() -> None:
    found = [(one.module, one.line, set(one.names)) for one in optional_imports(ast.parse(SOURCE))]
    assert found == [("yaml", 3, {"yaml", "HAS_DATES"}), (".speedups", 14, {"speedups"})]


def test_what_python_brings_is_not_what_is_missing() -> None:
    text = "try:\n    import io\n    import fonts\n    FONTS = 1\nexcept ImportError:\n    FONTS = 0"
    (found,) = optional_imports(ast.parse(text))
    assert (found.module, found.line) == ("fonts", 3)


@pytest.mark.parametrize(
    ("condition", "outcome", "line"),
    [
        ("HAS_DATES", 1, 3),
        ("not HAS_DATES", 1, 3),
        ("HAS_DATES and n > 3", 1, 3),
        ("HAS_DATES and n > 3", 0, None),  # n may decide as well
        ("n > 3 and HAS_DATES", 1, None),
        ("speedups is not None", 0, 14),
        ("json is None", 1, None),
        ("n", 1, None),
    ],
)
def test_a_condition_waits_for_an_import_where_nothing_else_decides(
    condition: str, outcome: int, line: int | None
) -> None:
    test = ast.parse(condition, mode="eval").body
    needed = needed_import(ast.parse(SOURCE), test, outcome)
    assert line == (None if needed is None else needed.line)


TRIED = "try:\n    from c import f\nexcept ImportError:\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"{TRIED}    def f(x): return x\n", True),
        (f"{TRIED}    from plain import f\n", True),
        (f"def f(x): return x\n{TRIED}    pass\n", True),
        (f"{TRIED}    f = None\ng = f or plain\n", True),
        (f"B = False\n{TRIED}    pass\nelse: B = True\ng = B and f\n", True),
        (f"{TRIED}    f = None\ndef g(x): return f(x)\n", False),
        (f"{TRIED}    f = None\nif not f: raise OSError\n", False),
        (f"{TRIED.replace('import f', 'import f, g')}    def f(x): return x\n", False),
        (f"{TRIED}    raise\n", False),
        (f"{TRIED.replace('Import', 'Value')}    def f(x): return x\n", False),
    ],
)
def test_an_import_has_a_substitute_where_other_code_does_its_work(source: str, expected: bool) -> None:
    tree = ast.parse(source)
    line = next(node.lineno for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    assert has_substitute(tree, line) is expected


def test_a_function_that_returns_without_an_import_has_a_substitute() -> None:
    body = "try:\n from c import f\n return f\nexcept ImportError:\n return None\n"
    tree = ast.parse(f"def fast():\n{textwrap.indent(body, '  ')}")
    assert has_substitute(tree, 3)
