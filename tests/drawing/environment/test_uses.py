"""How a module uses a class whose methods are patched, and what it calls results."""

from __future__ import annotations

import ast
import textwrap

import pytest

from tracetwin.drawing.environment.uses import CHECKS, MAKES, bound_to, uses_of


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("datetime.now()", ()),
        ("datetime.now(tz).hour > datetime.min.hour", ()),
        ("datetime(2020, 1, 1)", (MAKES,)),
        ("datetime.fromisoformat(x)", (MAKES,)),
        ("isinstance(x, datetime)", (CHECKS,)),
        ("isinstance(x, (int, datetime)) and datetime(1, 1, 1)", (CHECKS, MAKES)),
        ("isinstance(x, date)", ()),
        ("other.datetime(1)", ()),
    ],
)
def test_what_is_made_or_checked(body: str, expected: tuple[str, ...]) -> None:
    tree = ast.parse(f"def f(x: datetime) -> datetime:\n    return {body}\n")
    assert expected == uses_of(tree, "datetime", frozenset(["now"]))


def test_a_class_pattern_checks() -> None:
    tree = ast.parse("match x:\n    case datetime():\n        pass\n")
    assert (CHECKS,) == uses_of(tree, "datetime", frozenset())


def test_the_class_may_be_within_a_module() -> None:
    assert (MAKES,) == uses_of(ast.parse("dt.datetime(1, 1, 1)"), "dt.datetime", frozenset())


@pytest.mark.parametrize(
    "line",
    [
        "response = http.get(x)",
        "response: Any = get(x)",
        "with get(x) as response:\n    pass",
        "async def f():\n    response = await http.get(x)",
        "other = post(x)\nresponse = get(x)",
    ],
)
def test_results_are_called_as_the_target_calls_them(line: str) -> None:
    assert "response" == bound_to(ast.parse(textwrap.dedent(line)), ["get"])


def test_a_result_without_a_name() -> None:
    assert "" == bound_to(ast.parse("use(get(x))"), ["get"])
