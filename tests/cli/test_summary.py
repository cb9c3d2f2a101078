"""`tracetwin summary`: tables, JSON, refusals, exit statuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.explore.summaries.test_summary import COIN_BOX
from tests.target.layout import lay_out

TWO = """
class First:
    def __init__(self):
        self.n = 0

    def up(self, by: int) -> int:
        if by > 9:
            raise ValueError("too much")
        self.n += by
        return self.n


class Second:
    def __init__(self):
        self.on = False

    def switch(self) -> None:
        self.on = not self.on

    def __hash__(self) -> int:
        return hash("second")


def alone(x: int) -> int:
    return x
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRACETWIN_CACHE", str(tmp_path / "cache"))


def test_the_tables_of_a_class(project, run):
    lay_out(project, {"box.py": COIN_BOX})
    result = run("summary", "box.py:CoinBox")
    assert 0 == result.exit_code, result.stderr
    assert "self.allow_vend != 0" in result.stdout
    assert "total_qtrs' = self.total_qtrs + self.cur_qtrs" in result.stdout
    assert "CoinBox(); add_qtr(); add_qtr(); return_qtrs(); vend()" in result.stdout
    assert "12 of 12 feasible definition-use pairs covered, 5 infeasible" in result.stdout
    assert "\x1b" not in result.stdout


def test_json_on_standard_output(project, run):
    lay_out(project, {"two.py": TWO})
    result = run("summary", "two.py", "--json", "-")
    assert 0 == result.exit_code, result.stderr
    found = json.loads(result.stdout)
    assert 1 == found["schema"]
    first, second = found["modules"][0]["classes"]
    assert ["First", "Second"] == [first["name"], second["name"]]
    made, up = first["methods"]
    assert (True, False) == (made["constructor"], up["constructor"])
    assert {"ValueError": "by >= 10", "": "by <= 9"} == {path["raises"]: path["when"] for path in up["paths"]}
    assert {"", "self.n + by"} == {path["returns"] for path in up["paths"]}
    assert {"n": "self.n + by"} == next(path["then"] for path in up["paths"] if not path["raises"])
    assert {"covered", "infeasible"} == {pair["status"] for pair in first["pairs"]}
    hashed = next(one for one in second["methods"] if one["name"] == "__hash__")
    assert {"a hash"} == {path["returns"] for path in hashed["paths"]}, "it differs from process to process"
    pair = first["pairs"][0]
    assert {"number", "attribute", "define", "use", "status", "why", "sequence"} == set(pair)
    assert {"method", "line", "column"} == set(pair["define"])


def test_json_beside_the_tables(project, run):
    lay_out(project, {"two.py": TWO})
    result = run("summary", "two.py:Second", "--json", "found.json")
    assert 0 == result.exit_code
    assert "self.on" in result.stdout
    found = json.loads((project / "found.json").read_text())
    assert ["Second"] == [described["name"] for described in found["modules"][0]["classes"]]


def test_the_same_each_time(project, run):
    lay_out(project, {"two.py": TWO})
    outputs = {run("summary", "two.py", "--max-runs", "300", "--json", "-").stdout for _ in range(2)}
    assert 1 == len(outputs)


def test_a_module_without_classes(project, run):
    result = run("summary", "good.py")
    assert (1, "") == (result.exit_code, result.stdout)
    assert "note: good: there is no class with methods in it\n" == result.stderr


def test_a_module_that_cannot_be_imported(project, run):
    lay_out(project, {"bad.py": "class A:\n    def m(self): ...\n1 / 0\n"})
    result = run("summary", "bad.py")
    assert (1, "") == (result.exit_code, result.stdout)
    assert result.stderr.startswith("error: bad: importing it raised ZeroDivisionError")
    assert 1 == result.stderr.count("\n")


def test_wrong_usage(project, run):
    assert 2 == run("summary").exit_code
    assert 2 == run("summary", "good.py", "--max-runs", "0").exit_code
    assert 2 == run("summary", "good.py", "--json", "nowhere/x.json").exit_code
    missing = run("summary", "nosuch.py")
    assert (1, "error: nosuch.py: there is no such file\n") == (missing.exit_code, missing.stderr)


def test_help_has_examples(run):
    result = run("summary", "--help")
    assert 0 == result.exit_code
    assert "tracetwin summary shop/cart.py:Cart" in result.stdout
