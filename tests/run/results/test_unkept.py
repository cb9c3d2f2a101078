"""Exceptions that a docstring promises and no run raises are named in the summary, in a sentence."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tracetwin.analysis.self_contained import is_self_contained
from tracetwin.cli.main import main

SOURCE = '''\
def root(n: int) -> int:
    """Halve.

    Raises:
        ValueError: if it is negative.
    """
    return n // 2


def third(n: int) -> int:
    """Return a third.

    :raises TypeError: if it is negative.
    """
    return n // 3


def quarter(n: int) -> int:
    """Return a quarter.

    Raises
    ------
    LookupError
        if it is negative.
    """
    if n < 0:
        raise KeyError("negative")
    return n // 4


def called(n: int) -> int:
    """Return a quarter.

    Raises:
        OSError: if it can't.
    """
    return quarter(5)
'''


@pytest.mark.slow
def test_it_is_named_where_every_branch_was_taken(tmp_path: Path) -> None:
    (tmp_path / "unkept_sample.py").write_text(SOURCE)
    done = CliRunner().invoke(
        main,
        ["generate", str(tmp_path / "unkept_sample.py"), "-o", str(tmp_path / "t"),
         "--json", str(tmp_path / "r"), "--max-runs", "40", "--no-journal"],
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    sentences = [
        f"{name}: its docstring says that it raises {error}, which no run did,"
        " although every line and branch was taken"
        for name, error in (("root", "ValueError"), ("third", "TypeError"))
    ]
    assert json.loads((tmp_path / "r").read_text())["modules"][0]["unkept"] == sentences
    assert all(f"  unkept: {sentence}\n" in done.output for sentence in sentences)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(t): return int(t.strip())", True),
        ("def f(t): return load(t)", False),
        ("def f(t): return t.load()", False),
        ("def f(t): return open(t)", False),
        ("@wrapped\ndef f(t): return t", False),
    ],
)
def test_it_is_judged_only_where_nothing_else_is_called(text: str, expected: bool) -> None:
    assert is_self_contained(ast.parse(text).body[0]) is expected  # type: ignore[arg-type]
