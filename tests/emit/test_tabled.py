"""Suites with tables: rows are verified by themselves, and a table is owned as a test is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.emit.support import function
from tests.emit.test_suite import run, written
from tracetwin.emit import maker as suites
from tracetwin.emit.earlier_suite import regressions
from tracetwin.emit.merge.rows import rows_of
from tracetwin.emit.result import Suite
from tracetwin.emit.suite import build_suite
from tracetwin.emit.verify.verify import Page, TrialFailure
from tracetwin.emit.verify.verify import verify as really_verify
from tracetwin.model.written_test import EarlierTests

GRADE = """
def grade(points):
    if points > 90:
        return "A"
    if points > 70:
        return "B"
    if points > 50:
        return "C"
    if points > 30:
        return "D"
    return "F"
"""
GRADES = [function("sample", "grade", points) for points in (95, 80, 60, 40, 3)]


def built(folder: Path, source: str = GRADE, before: Suite | None = None, **options: Any) -> Suite:
    known = () if before is None else tuple(
        (entry, case) for entry, cases in before.by_entry.items() for case in cases
    )  # fmt: skip
    texts = () if before is None else (before.text,)
    earlier = EarlierTests(texts, known)
    return build_suite(written(folder, source), GRADES, group="auto", before=earlier, **options)


@pytest.mark.parametrize("style", ["unittest", "pytest", "pytest-functions"])
def test_rows_are_counted_and_named_as_tests(tmp_path: Path, style: str) -> None:
    suite = built(tmp_path, style=style)
    assert suite.tests == {"grade": 5}
    ((key, labels),) = rows_of(suite.text).items()
    assert [(owner, name) for owner, name, _ in suite.written] == [
        (key[0], f"{key[1]}[{label}]") for label in labels
    ]
    assert [test.name for test in suite.shown] == [name for _, name, _ in suite.written]
    assert all(test.seconds > 0 for test in suite.shown)
    assert [len(cases) for cases in suite.by_entry.values()] == [5]
    done = run(suite, tmp_path, "-m", "unittest" if style == "unittest" else "pytest")
    assert done.returncode == 0, done.stdout + done.stderr


def test_only_the_row_that_fails_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def verify(page: Page, tests: Any, **options: Any) -> Any:
        line = next((n for n, one in enumerate(page.text.splitlines(), 1) if "grade(40)" in one), 0)
        wrong = [test for test in tests if line and "_d_" in test[1]]
        return dict.fromkeys(wrong, TrialFailure("it fails")) or really_verify(page, tests, **options)

    monkeypatch.setattr(suites, "verify", verify)
    suite = built(tmp_path)
    assert [case.last.args[0] for _, _, case in suite.written] == [
        case.last.args[0] for case in GRADES if case is not GRADES[3]
    ]
    ((_, labels),) = rows_of(suite.text).items()
    assert len(labels) == 4


def test_tests_of_a_table_that_does_not_pass_stay_by_themselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def verify(page: Page, tests: Any, **options: Any) -> Any:
        failing = dict.fromkeys(tests, TrialFailure("it fails")) if "subTest" in page.text else {}
        return failing or really_verify(page, tests, **options)

    monkeypatch.setattr(suites, "verify", verify)
    suite = built(tmp_path)
    assert suite.tests == {"grade": 5}
    assert list(rows_of(suite.text).values()) == [()] * 5


def test_a_table_of_which_nothing_has_changed_keeps_its_bytes(tmp_path: Path) -> None:
    first = built(tmp_path)
    again = built(tmp_path, before=first)
    assert again.text == first.text
    assert again.by_entry == first.by_entry
    assert [name for _, name, _ in again.written] == [name for _, name, _ in first.written]


def test_an_edited_table_is_its_users(tmp_path: Path) -> None:
    first = built(tmp_path)
    edited = replace(first, text=first.text.replace("80, ", "81, ", 1))
    assert edited.text != first.text
    again = built(tmp_path, before=edited)
    assert again.text == edited.text
    assert again.written == []


@pytest.mark.slow
@pytest.mark.parametrize("is_known", [True, False])
def test_a_deleted_table_stays_deleted(tmp_path: Path, *, is_known: bool) -> None:
    first = built(tmp_path)
    lines = first.text.splitlines(keepends=True)
    begin = next(n for n, line in enumerate(lines) if line.startswith("class "))
    end = next(n for n, line in enumerate(lines) if line.startswith("if __name__"))
    kept = "class TestOther(unittest.TestCase):\n    def test_mine(self):\n        grade(1)\n\n\n"
    without = replace(first, text="".join([*lines[:begin], kept, *lines[end:]]))
    again = built(tmp_path, before=without if is_known else replace(without, by_entry={}))
    assert list(rows_of(again.text)) == [("TestOther", "test_mine")]


@pytest.mark.slow
def test_of_a_table_that_no_longer_holds_the_row_is_named_and_all_of_it_written_anew(tmp_path: Path) -> None:
    first = built(tmp_path)
    changed = built(tmp_path, GRADE.replace('"C"', '"Sufficient"'), first)
    ((name, why),) = changed.regressions
    assert name == "TestGrade.test_grade"
    assert "in the row 'returns c" in why
    assert list(rows_of(changed.text)) == list(rows_of(first.text))
    assert '"Sufficient"' in changed.text
    assert '"C"' not in changed.text
    assert run(changed, tmp_path).returncode == 0


@pytest.mark.parametrize("style", ["pytest", "pytest-functions"])
def test_the_failing_row_of_a_parametrized_test_is_named(tmp_path: Path, style: str) -> None:
    text = built(tmp_path, style=style).text
    module = written(tmp_path, GRADE.replace('"C"', '"Sufficient"'))
    ((_, why),) = regressions(Page(text, module, style))
    assert why.startswith("in the row 'returns_c")
