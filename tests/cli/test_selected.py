"""Where some functions of a module are the target, the summary is of these."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tracetwin.cli.main import main

SHOP = """\
class Base:
    def total(self, n: int) -> int:
        if n > 3:
            return 1
        return 2


class Cart(Base):
    def add(self, n: int) -> int:
        if n < 0:
            raise ValueError("negative")

        def twice(m: int) -> int:
            return m * 2 if m else 0

        return twice(n)


def price(n: int) -> int:
    if n > 100:
        return n * 9
    return n
"""


def generate(folder: Path, *names: str) -> tuple[dict[str, Any], str]:
    (folder / "selected_shop.py").write_text(SHOP)
    targets = [f"{folder / 'selected_shop.py'}:{name}" for name in names]
    options = ["-o", str(folder / "t"), "--json", str(folder / "r.json"), "--max-runs", "60", "--no-journal"]
    options += ["--criterion", "branch,exception,mutation"]
    done = CliRunner().invoke(main, ["generate", *targets, *options])
    assert done.exit_code == 0, done.output
    (module,) = json.loads((folder / "r.json").read_text())["modules"]
    return module, done.output


@pytest.mark.slow
@pytest.mark.parametrize(
    ("names", "lines", "branches", "functions"),
    [
        (("price",), 3, 2, {"price"}),
        (("Cart.add",), 5, 2, {"Cart.add", "Cart.add.twice"}),
        (("price", "Base.total"), 6, 4, {"price", "Base.total"}),
    ],
)
def test_lines_branches_and_goals_are_those_of_the_selected_functions(
    tmp_path: Path, names: tuple[str, ...], lines: int, branches: int, functions: set[str]
) -> None:
    module, _ = generate(tmp_path, *names)
    assert module["selected"]
    assert (module["covered_lines"], module["lines"]) == (lines, lines)
    assert (module["covered_branches"], module["branches"]) == (branches, branches)
    assert module["uncovered"] == []
    assert {goal["function"] for goal in module["goals"]} == functions


def test_the_row_of_several_functions_does_not_speak_of_the_module(tmp_path: Path) -> None:
    _, output = generate(tmp_path, "price", "Base.total")
    assert "all of these" in output
    assert "whole module" not in output
