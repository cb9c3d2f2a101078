"""Code that looks at the clock through the module `datetime`, and makes dates of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.command import run, run_suite

pytestmark = pytest.mark.slow

SOURCE = """
import datetime


def first(year: int, month: int) -> datetime.datetime:
    return datetime.datetime(year, month, 1)


def is_old(day: datetime.datetime) -> bool:
    return day < datetime.datetime.now()


class Ticket:
    def __init__(self, name: str) -> None:
        self.name = name
        self.opened = datetime.datetime.now()

    def is_of(self, day: object) -> bool:
        return isinstance(day, datetime.datetime) and day.date() == self.opened.date()
"""


def test_its_tests_patch_the_clock_and_pass(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(SOURCE, encoding="utf-8")
    done = run("generate", "shop.py", "-o", "out", "--max-runs", "60", "-j", "1", "-v", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "out" / "test_shop.py").read_text(encoding="utf-8")
    for name in ("first", "is_old", "ticket", "is_of"):
        assert f"def test_{name}_" in text, done.stdout
    assert "RecursionError" not in done.stdout
    ran = run_suite(tmp_path / "out", tmp_path)
    assert ran.returncode == 0, ran.stderr
