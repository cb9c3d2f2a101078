"""A project with tests of its own, and the recording of them."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tracetwin.model.options import Options
from tracetwin.run.learning import recording
from tracetwin.run.learning.learn import learned
from tracetwin.run.listener import Listener
from tracetwin.target.module import TargetModule

PYTHON = f'"{sys.executable}"'
UNITTEST = f"{PYTHON} -m unittest discover -s tests -t ."


class Messages(Listener):
    """Keeps what the user is told."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.shown: list[tuple[str, float, int]] = []

    def message(self, text: str) -> None:
        self.told.append(text)

    def learning(self, command: str, seconds: float, calls: int) -> None:
        self.shown.append((command, seconds, calls))


Learn = Callable[..., tuple[dict[str, Any], list[str]]]


@pytest.fixture
def learn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Learn:
    """Lay out files, run a command on them, and give what was learned of `shop`, and what was told.

    The module `shop` is the first argument, the test module the second; further files come by keyword.
    """
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("")

    def run(
        shop: str, tests: str, command: str = UNITTEST, limit: float = 60, files: dict[str, str] | None = None
    ) -> tuple[dict[str, Any], list[str]]:
        written = {"shop.py": shop, "tests/__init__.py": "", "tests/test_shop.py": tests, **(files or {})}
        for name, text in written.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(textwrap.dedent(text))
        module = TargetModule("shop", str(tmp_path / "shop.py"), str(tmp_path))
        listener = Messages()
        options = Options(tmp_path / "out", learn_from=command, learn_limit=limit)
        with learned([module], options, listener) as modules:
            return recording.loaded(modules[0].rules).get("learned", {}), listener.told

    return run


@pytest.fixture
def one_test() -> Callable[[str], str]:
    """A test module with one test of the given body."""

    def write(body: str) -> str:
        imports = "import unittest\nimport shop\nfrom shop import *\n\n\n"
        head = "class T(unittest.TestCase):\n    def test(self):\n"
        return imports + head + textwrap.indent(textwrap.dedent(body).strip(), "        ") + "\n"

    return write


def dumped(data: Any) -> str:
    return json.dumps(data, sort_keys=True)
