"""Examples in docstrings that do not hold are named, and only those."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

from tracetwin.cli.main import main

SOURCE = '''\
from collections.abc import Iterator

COUNT = 0


def double(n: int) -> int:
    """
    >>> double(1)
    2
    >>> double(3)
    7
    """
    return n * 2


def parse(text: str) -> int:
    """
    >>> parse("12")
    12
    >>> parse("x")
    Traceback (most recent call last):
        ...
    ValueError: not a number
    >>> parse("-1")
    Traceback (most recent call last):
    ValueError: negative
    """
    if not text.lstrip("-").isdigit():
        raise ValueError("not a number")
    return int(text)


def names(n: int) -> list[str]:
    """
    >>> names(2)   # doctest: +NORMALIZE_WHITESPACE
    ['n0',
     'n1']
    >>> names(3)  # doctest: +ELLIPSIS
    ['n0', ... 'n2']
    >>> names(4)  # doctest: +SKIP
    never
    """
    return [f"n{i}" for i in range(n)]


def evens(n: int) -> Iterator[int]:
    """
    >>> list(evens(5))
    [0, 2, 4]
    """
    yield from range(0, n, 2)


def unique(values: list[int]) -> set[int]:
    """
    >>> unique([3, 1, 3])
    {3, 1}
    """
    return set(values)


def count() -> int:
    """
    >>> count()
    1
    >>> count()
    2
    """
    global COUNT
    COUNT += 1
    return COUNT


def stars(n: int) -> None:
    """
    >>> stars(2)
    **
    >>> print(double(2))
    4
    """
    print("*" * n)


class Stack:
    def __init__(self, size: int) -> None:
        self.size = size
        self.items: list[int] = []

    def push(self, x: int) -> int:
        """
        >>> s = Stack(2)
        >>> s.push(5)
        1
        >>> s.push(6)
        2
        >>> s.push(7)
        2
        """
        if len(self.items) > self.size:
            return self.size
        self.items.append(x)
        return len(self.items)
'''


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("told")
    (folder / "told_sample.py").write_text(SOURCE)
    done = CliRunner().invoke(
        main,
        ["generate", str(folder / "told_sample.py"), "-o", str(folder / "t"), "--json", str(folder / "r"),
         "--max-runs", "40", "--no-journal"],
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads((folder / "r").read_text())["modules"][0]
    apart = (folder / "t" / "test_told_sample_suspicious.py").read_text()
    return {**found, "output": done.output, "apart": apart}


@pytest.mark.slow
def test_each_example_that_does_not_hold_is_named_with_its_call(module: dict[str, Any]) -> None:
    assert [(one["why"], one["call"]) for one in module["suspicious"]] == [
        ("its docstring says that double(3) gives 7", "double(3)"),
        ('its docstring says that parse("-1") raises ValueError: negative', 'parse("-1")'),
        (
            "its docstring says that s.push(7) gives 2",
            "s = Stack(2); s.push(5); s.push(6); s.push(7)",
        ),
    ]


@pytest.mark.slow
def test_its_test_is_written_though_other_tests_reach_the_same(module: dict[str, Any]) -> None:
    assert "double(3)" in module["apart"]
    assert 'parse("-1")' in module["apart"]


def test_a_call_that_the_reason_names_is_not_told_twice(module: dict[str, Any]) -> None:
    assert "its docstring says that double(3) gives 7\n" in module["output"]
    assert "gives 2: s = Stack(2); s.push(5); s.push(6); s.push(7)\n" in module["output"]
