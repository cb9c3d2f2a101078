"""Tests that are alike as rows of one: kept as golden files, linted, and run in every dialect."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.emit import shapes_cases
from tests.emit.source.test_layout import ruff
from tests.emit.support import EXPECTED, TARGETS, function, observe_twice, raised, seen, snap, target
from tracetwin.emit.dialects.base import dialect_of
from tracetwin.emit.exhibit import Chosen, exhibited
from tracetwin.emit.merge.rows import row_names, rows_of, without_row
from tracetwin.emit.render.render import Rendered, render
from tracetwin.emit.render.shapes import unwrapped
from tracetwin.emit.render.tables import Draft, Tables, named
from tracetwin.emit.source.imports import Namespace
from tracetwin.emit.source.layout import WIDTH, lay_out, read
from tracetwin.emit.verify.verify import Page, verify
from tracetwin.model.options import STYLES
from tracetwin.replay.session import Replay
from tracetwin.replay.static import coverable

SHAPES = target("shapes")
FACTS = coverable(SHAPES.file)
MANY = [
    *shapes_cases.PLAIN,
    *(function("shapes", "weight_category", weight, 2.0) for weight in (1.5, 60, 80.25, 200, -7)),
    *(function("shapes", "favourite", number) for number in (-3, 4, 10, 12)),
]


@pytest.fixture(scope="module")
def replayed() -> Replay:
    return observe_twice(SHAPES, MANY, timeout_per_case=2)


@pytest.fixture(scope="module", params=STYLES.names())
def style(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def rendered(replayed: Replay, style: str) -> Rendered:
    pairs = list(zip(MANY, map(exhibited, replayed.observations), strict=True))
    return render("shapes", pairs, coverable(SHAPES.file), style=style, rows=range(len(pairs)))


def test_the_text_is_the_golden_file(rendered: Rendered, style: str) -> None:
    golden = EXPECTED / f"{style.replace('-', '_')}_tables.py"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_bytes(rendered.text.encode())
    assert rendered.text == golden.read_text(encoding="utf-8")


def test_ruff_has_nothing_to_say(rendered: Rendered) -> None:
    formatted = ruff("format", "--diff", text=rendered.text)
    assert formatted.returncode == 0, formatted.stdout.decode()
    checked = ruff("check", "--extend-select", "I,F,E,PT006,PT007,PT014", text=rendered.text)
    assert checked.returncode == 0, checked.stdout.decode()


def test_each_case_is_a_test_or_a_row_of_one(rendered: Rendered) -> None:
    assert sorted(test.position for test in rendered.tests) == list(range(len(MANY)))
    labels = rows_of(rendered.text)
    counts = {key: sum((test.class_name, test.name) == key for test in rendered.tests) for key in labels}
    assert counts == {key: len(rows) or 1 for key, rows in labels.items()}
    assert max(counts.values()) >= 4
    assert all(len(set(rows)) == len(rows) for rows in labels.values())


@pytest.mark.slow
def test_all_rows_pass_where_they_are_verified(rendered: Rendered, style: str) -> None:
    assert verify(Page(rendered.text, SHAPES, style), list(rows_of(rendered.text))) == {}


@pytest.mark.slow
def test_the_file_passes_as_a_user_runs_it(rendered: Rendered, style: str, tmp_path: Path) -> None:
    (tmp_path / "test_shapes.py").write_bytes(rendered.text.encode())
    _, *command = dialect_of(style).command.replace("this_file", "test_shapes").split()
    done = subprocess.run(
        [sys.executable, "-B", *command],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(TARGETS), "PYTEST_ADDOPTS": "-q -p no:cacheprovider"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    count = len(rows_of(rendered.text)) if style == "unittest" else len(rendered.tests)
    assert f"{count} " in done.stdout + done.stderr


def page_of(pairs: list[Chosen], style: str) -> Rendered:
    return render("shapes", pairs, coverable(SHAPES.file), style=style, rows=range(len(pairs)))


def chosen(value: object, result: object) -> Chosen:
    return function("shapes", "identity", value), seen(snap("lit", result))


def tables(made: Rendered) -> list[tuple[str, ...]]:
    return [rows for rows in rows_of(made.text).values() if rows]


def test_two_tests_are_no_table(style: str) -> None:
    assert tables(page_of([chosen(1, 1), chosen(2, 2)], style)) == []
    assert [len(rows) for rows in tables(page_of([chosen(n, n) for n in range(3)], style))] == [3]


@pytest.mark.parametrize("times", [14, 40])
def test_a_row_that_does_not_fit_on_a_line_goes_on_several(style: str, times: int) -> None:
    made = page_of([chosen(n, n) for n in range(2)] + [chosen("long " * times, 3)], style)
    assert [len(rows) for rows in tables(made)] == [3]
    assert max(map(len, made.text.splitlines())) <= WIDTH
    found = [node for node in ast.walk(ast.parse(made.text)) if isinstance(node, ast.Constant)]
    assert "long " * times in [node.value for node in found]


def test_a_row_of_many_lines_stays_a_test(style: str) -> None:
    made = page_of([*(chosen(n, n) for n in range(3)), chosen("line\n" * 40, 3)], style)
    assert [len(rows) for rows in tables(made)] == [3]
    assert len(made.tests) == 4


def test_rows_with_a_line_that_can_not_be_broken_make_no_table(style: str) -> None:
    made = page_of([chosen(n, n) for n in range(2)] + [chosen(10**110, 3)], style)
    assert tables(made) == []
    assert len(made.tests) == 3


@pytest.mark.parametrize(
    "source", ["1e300", "-1", "'a'", "[1, 'b']", "{'a': (1,), 'b': {}}", "f(1, set())", "()", "{1, 2}",
               "a.B.c", "[*a]", "{**a}", "f(x=1)"]
)  # fmt: skip
def test_what_is_laid_out_anew_is_the_same(source: str) -> None:
    for text in (read(source).flat(), "\n".join(lay_out("(", read(source), ")", WIDTH))):
        assert ast.dump(ast.parse(text.strip())) == ast.dump(ast.parse(source))


def test_results_and_exceptions_are_not_in_one_table(style: str) -> None:
    errors: list[Chosen] = [
        (function("shapes", "identity", value), raised("ValueError", message=message))
        for value, message in (("a", "no a"), ("b", "no b"), ("c", "no c"))
    ]
    made = page_of([chosen(1, 1), chosen(2, 2), *errors], style)
    assert [len(rows) for rows in tables(made)] == [3]
    assert made.text.count("ValueError)") == 1


def test_the_name_of_a_table_is_what_its_rows_have_in_common() -> None:
    names = ["test_price_returns_one_when_new", "test_price_returns_two", "test_price_is_free"]
    assert named(names) == ("test_price", ["returns_one_when_new", "returns_two", "is_free"])
    assert named(["test_price_returns_one", "test_cost_returns_two"])[0] == ""
    kinds = ["test_sort_of_returns_one", "test_sort_of_returns_two"]
    assert named(kinds, "Shop.sort_of") == ("test_sort_of", ["returns_one", "returns_two"])


def test_rows_are_named_as_pytest_names_them() -> None:
    assert row_names("test_price", ("of_one", "of_two"), 2) == ["test_price[of_one]", "test_price[of_two]"]
    assert row_names("test_price", (), 1) == ["test_price"]
    assert without_row("test_price[of_one]") == "test_price"


def test_a_row_with_a_line_that_can_not_be_broken_stays_a_test(style: str) -> None:
    made = page_of([*(chosen(n, n) for n in range(3)), chosen(10**110, 3)], style)
    assert [len(rows) for rows in tables(made)] == [3]
    assert len(made.tests) == 4


def test_tests_that_are_wrapped_in_several_ways_are_one_table(style: str) -> None:
    space = Namespace("shop")
    dialect = dialect_of(style)(space)
    edge = " " * (dialect.indent + 4)
    subject = ("check", "")
    drafts = [
        Draft(f"test_check_of_{label}", at, subject, (), tuple(edge + one for one in lines), may_join=True)
        for at, (label, *lines) in enumerate(
            (
                ("a", 'say(check("a"), "no a")'),
                ("b", 'say(check("b"), "no b")'),
                ("c", "say(", '    check("c"),', '    "no c, in", ', ")"),
            )
        )
    ]
    (table,) = Tables(dialect, space, lambda _: ("first", "second")).entries(drafts, ())
    assert len(table.drafts) == 3
    assert "say(check(first), second)" in table.lines[-1]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["    f(", "        1,", "        [2,", "         3],", "    )"], ("    f(1, [2, 3])",)),
        (["    f(", "        (", "            1,", "        ),", "    )"], None),
        (['    f("""a', '   b""")'], None),
        (
            ["    with a:", "        f(", "            x", "        )", "    g()"],
            ("    with a:", "        f(x)", "    g()"),
        ),
        (["    result = f(1)", "    assert 2 == result"], ("    assert 2 == f(1)",)),
        (
            ["    result = f(", "        1", "    )", "    expected = [2]", "    assert expected == result"],
            ("    assert [2] == f(1)",),
        ),
        (["    result = f(1)", "    self.assertEqual(2, result)"], ("    self.assertEqual(2, f(1))",)),
        (["    result = f(1)", "    assert 2 == result", "    g(result)"], None),
        (["    result = f(1)", "    assert 2 == result.size"], None),
        (["    result = f(1)", "    assert h(result) == 2"], None),
        (["    result = f(1)", "    g(2)", "    assert 2 == result"], None),
        (
            ["    with a(", "        1", "    ):", "        f()"],
            ("    with a(", "        1", "    ):", "        f()"),
        ),
    ],
)
def test_statements_are_put_on_one_line(lines: list[str], expected: tuple[str, ...] | None) -> None:
    assert unwrapped(lines) == (expected or tuple(lines))
