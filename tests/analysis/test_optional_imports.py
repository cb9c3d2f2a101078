"""Names that an import decides which may fail."""

from __future__ import annotations

import ast

import pytest

from tracetwin.analysis.optional_imports import needed_import, optional_imports

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
