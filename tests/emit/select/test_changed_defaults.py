"""Calls that leave a default changed are named, and their tests put it back."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tracetwin.analysis.self_contained import changeable_defaults
from tracetwin.cli.main import main

SOURCE = """\
class Bag:
    def __init__(self) -> None:
        self.n = 0


def add(x: int, items: list[int] = []) -> list[int]:
    items.append(x)
    return items


def note(key: str, *, seen: dict[str, int] = {}) -> int:
    seen[key] = seen.get(key, 0) + 1
    return seen[key]


def fill(x: int, bag: Bag = Bag()) -> int:
    bag.n += 1
    return x


def collect(x: int, seen: set[int] = set()) -> int:
    seen.add(x)
    return len(seen)


class Box:
    def __init__(self, items: list[int] = []) -> None:
        self.items = items

    def put(self, x: int) -> None:
        self.items.append(x)


def total(values: list[int], start: list[int] = []) -> int:
    return sum(start + values)


def copied(x: int, items: list[int] = []) -> list[int]:
    return [*items, x]


def half(n: int, cache: dict[int, int] = {}) -> int:
    if n not in cache:
        cache[n] = n // 2
    return cache[n]


def tick(_n: list[int] = [0]) -> int:
    _n[0] += 1
    return _n[0]
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("defaults")
    (folder / "default_sample.py").write_text(SOURCE)
    done = CliRunner().invoke(
        main,
        ["generate", str(folder / "default_sample.py"), "-o", str(folder / "t"), "--json", str(folder / "r"),
         "--max-runs", "40", "--no-journal"],
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads((folder / "r").read_text())["modules"][0]
    return folder, found


@pytest.mark.slow
def test_what_the_next_call_sees_is_named_and_no_cache(made: tuple[Path, dict[str, Any]]) -> None:
    seen = "so that the next call sees it"
    told = {one["test"].partition(".")[0]: one["why"] for one in made[1]["suspicious"]}
    assert {test: why for test, why in told.items() if "default" in why} == {
        "TestAdd": f"it changes the default of `items`, {seen}",
        "TestNote": f"it changes the default of `seen`, {seen}",
        "TestCollect": f"it changes the default of `seen`, {seen}",
        "TestFill": f"it changes the default of `bag`, {seen}",
        "TestBox": f"it changes the default of `items` of Box.__init__, {seen}",
    }


def test_tests_put_the_defaults_back(made: tuple[Path, dict[str, Any]]) -> None:
    folder, _ = made
    text = (folder / "t" / "test_default_sample_suspicious.py").read_text()
    assert 'patch("default_sample.add.__defaults__", ([],))' in text
    (folder / "after.py").write_text(
        "import sys, unittest\nsys.path[:0] = ['t']\nimport default_sample\n"
        "suite = unittest.defaultTestLoader.loadTestsFromName('test_default_sample_suspicious')\n"
        "assert unittest.TextTestRunner().run(suite).wasSuccessful()\n"
        "assert default_sample.add.__defaults__ == ([],), default_sample.add.__defaults__\n"
        "assert default_sample.note.__kwdefaults__ == {'seen': {}}\n"
    )
    done = subprocess.run(
        [sys.executable, "after.py"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_defaults_that_stay_are_not_looked_at() -> None:
    text = "def f(a, b=1, c=(1, -2), *, d='x', e=[], _f={}, g=N): pass"
    assert changeable_defaults(ast.parse(text).body[0]) == ("e", "g")  # type: ignore[arg-type]
