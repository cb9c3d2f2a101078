"""Tests that are there already: they stay, whoever wrote them, and one change asks for little."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tracetwin.cli.main import main

SHOP = """\
def price(amount: int) -> int:
    if amount > 100:
        return amount * 9
    return amount


def postage(weight: int) -> int:
    if weight > 30:
        return 50
    return 7
"""
DISCOUNT = """

def discount(total: int, code: str) -> int:
    if code == "TEN":
        return total * 90
    return total
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "own_shop.py").write_text(SHOP)
    done = generate(tmp_path)
    assert done.exit_code == 0, done.output
    return tmp_path


def generate(project: Path, *options: str) -> Result:
    places = ["-o", str(project / "t"), "--store", str(project / "store"), "--json", str(project / "r.json")]
    little = ["--max-runs", "60", "--criterion", "branch"]
    return CliRunner().invoke(main, ["generate", str(project / "own_shop.py"), *places, *little, *options])


def module(project: Path) -> dict[str, Any]:
    (found,) = json.loads((project / "r.json").read_text())["modules"]
    return dict(found)


def suite_of(project: Path) -> Path:
    return project / "t" / "test_own_shop.py"


def source(project: Path, old: str, new: str) -> None:
    file = project / "own_shop.py"
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))


def edit(project: Path, pattern: str, new: str) -> str:
    text, count = re.subn(pattern, new, suite_of(project).read_text(), count=1, flags=re.DOTALL)
    assert count == 1
    suite_of(project).write_text(text)
    return text


def methods(text: str) -> dict[str, str]:
    """Each test with its lines."""
    return {
        node.name: ast.get_source_segment(text, node) or ""
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef)
    }


def passes(project: Path) -> bool:
    run = [sys.executable, "-m", "unittest", "discover", "-s", "t"]
    return subprocess.run(run, cwd=project, capture_output=True, check=False).returncode == 0


EDITS = {
    "renamed": (r"def (test_price\w*)\(", r"def \1_as_i_call_it("),
    "edited": (r"(def test_price\w*\(self\)[^\n]*\n)", r"\1        # of the shop in our street\n"),
    "deleted": (r"    def test_price\w*\(self\).*?\n\n(?=\s)", ""),
    "added": (
        r"(\n    def test_price)",
        "\n    def test_mine(self) -> None:\n        self.assertTrue(price(3))\n\\1",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", EDITS)
@pytest.mark.parametrize("again", [(), ("--again",), ("--accept",)])
def test_what_a_user_did_to_a_test_stays_and_the_file_with_it(
    project: Path, kind: str, again: tuple[str, ...]
) -> None:
    mine = edit(project, *EDITS[kind])
    done = generate(project, *again)
    assert done.exit_code == 0, done.output
    assert suite_of(project).read_text() == mine
    assert [file.name for file in (project / "t").glob("*.new*")] == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["edited", "deleted"])
def test_lines_of_tests_that_are_the_users_say_so(project: Path, kind: str) -> None:
    old, new = EDITS[kind]
    text = re.sub(old, new, suite_of(project).read_text(), flags=re.DOTALL)
    suite_of(project).write_text(text.replace("class TestPrice(unittest.TestCase):\n\nclass", "\nclass"))
    assert generate(project).exit_code == 0
    reasons = {miss["reason"] for miss in module(project)["uncovered"]}
    assert reasons == {"reached, but no test could be written: a test like it was deleted or edited"}


@pytest.mark.slow
def test_a_file_in_the_middle_of_an_edit_is_left_alone(project: Path) -> None:
    mine = edit(project, r"    def test_price.*?(?=\nclass)", "")
    done = generate(project, "-v")
    assert done.exit_code == 0, done.output
    assert suite_of(project).read_text() == mine
    assert suite_of(project).with_name("test_own_shop.py.new").is_file()
    assert "can't be read as Python" in done.output


@pytest.mark.slow
@pytest.mark.parametrize("kind", EDITS)
def test_a_new_function_brings_its_tests_and_nothing_else_changes(project: Path, kind: str) -> None:
    before = methods(edit(project, *EDITS[kind]))
    source(project, SHOP, SHOP + DISCOUNT)
    done = generate(project)
    assert done.exit_code == 0, done.output
    after = methods(suite_of(project).read_text())
    assert {name: after.get(name) for name in before} == before
    new = after.keys() - before.keys()
    assert len(new) >= 2
    assert all("discount(" in after[name] for name in new)
    assert [name for name in after if name in before] == list(before)
    assert passes(project)
    assert any("2 of 3 functions can't be affected" in note for note in module(project)["notes"])


def test_only_the_tests_that_no_longer_hold_are_replaced_in_their_place(project: Path) -> None:
    before = methods(suite_of(project).read_text())
    source(project, "return 50", "return 60")
    changed = generate(project)
    assert changed.exit_code == 6, changed.output
    assert methods(suite_of(project).read_text()) == before
    assert "50 != 60" in changed.output or "60 != 50" in changed.output
    assert generate(project, "--accept").exit_code == 0
    after = methods(suite_of(project).read_text())
    assert len(after) == len(before)
    lost = [name for name in before if after.get(name) != before[name]]
    assert len(lost) == 1
    assert "50" in before[lost[0]]
    assert [name for name in after if name in before] == [name for name in before if name in after]
    at = list(before).index(lost[0])
    assert "60" in list(after.values())[at]
    assert not list((project / "t").glob("*.new*"))
    assert passes(project)


@pytest.mark.slow
def test_tests_that_no_longer_hold_are_told_again_without_exploring(project: Path) -> None:
    before = suite_of(project).read_text()
    source(project, "return 50", "return 60")
    first = generate(project)
    told = module(project)["regressions"]
    again = generate(project)
    assert (first.exit_code, again.exit_code) == (6, 6)
    assert module(project)["regressions"] == told
    assert module(project)["unchanged"] is True
    assert "60 != 50" in again.output or "50 != 60" in again.output
    assert suite_of(project).read_text() == before
    source(project, "return 60", "return 50")
    assert generate(project).exit_code == 0
    assert suite_of(project).read_text() == before
    source(project, "return 50", "return 60")
    assert [generate(project, *how).exit_code for how in ((), (), ("--accept",), ())] == [6, 6, 0, 0]
    assert module(project)["regressions"] == []
    assert passes(project)


@pytest.mark.slow
def test_an_edited_test_that_fails_is_told_and_stays_its_owners(project: Path) -> None:
    mine = edit(project, r"(def test_price\w*\(self\)[^\n]*\n)", r'\1        self.fail("not yet")\n')
    source(project, "return 7", "return 7 + 0")
    done = generate(project)
    assert done.exit_code == 0, done.output
    assert "not yet" in suite_of(project).read_text()
    assert methods(suite_of(project).read_text()).keys() >= methods(mine).keys()
    assert any("your test" in note and "not yet" in note for note in module(project)["notes"])
    assert re.search("note: your test .*not yet", done.output)


@pytest.mark.slow
def test_a_function_that_is_gone_takes_its_tests_along_once_that_is_accepted(project: Path) -> None:
    source(project, SHOP[SHOP.index("def postage") :], "")
    gone = generate(project)
    assert gone.exit_code == 6, gone.output
    assert "postage" in suite_of(project).read_text()
    assert generate(project, "--accept").exit_code == 0
    assert "postage" not in suite_of(project).read_text()
    assert passes(project)


@pytest.mark.slow
def test_a_file_with_windows_line_ends_keeps_them(project: Path) -> None:
    data = suite_of(project).read_bytes().replace(b"\n", b"\r\n")
    suite_of(project).write_bytes(data)
    assert generate(project, "--again").exit_code == 0
    assert suite_of(project).read_bytes() == data
    source(project, SHOP, SHOP + DISCOUNT)
    assert generate(project).exit_code == 0
    after = suite_of(project).read_bytes()
    assert b"discount" in after
    assert after.count(b"\n") == after.count(b"\r\n")


SHELF = """\
class Shelf:
    def __init__(self) -> None:
        self.items: list[int] = []

    def put(self, item: int) -> None:
        if item > 3:
            self.items.append(item)

    def is_full(self) -> bool:
        return len(self.items) > 1

    def has(self, item: int) -> bool:
        return item in self.items
"""


@pytest.mark.slow
def test_a_change_of_a_method_that_only_looks_asks_for_that_method(tmp_path: Path) -> None:
    (tmp_path / "own_shop.py").write_text(SHELF)
    assert generate(tmp_path).exit_code == 0
    before = methods(suite_of(tmp_path).read_text())
    source(tmp_path, "return item in self.items", "return item > 0 and item in self.items")
    done = generate(tmp_path)
    assert done.exit_code == 0, done.output
    after = methods(suite_of(tmp_path).read_text())
    assert {name: after.get(name) for name in before} == before
    assert all(".has(" in after[name] for name in after.keys() - before.keys())
    assert any("3 of 4 functions can't be affected" in note for note in module(tmp_path)["notes"])
    figures = {one["name"]: one["covered_branches"] for one in module(tmp_path)["functions"]}
    source(tmp_path, "item > 3", "item > 4")
    assert generate(tmp_path, "--accept").exit_code == 0
    assert any("1 of 4 functions can't be affected" in note for note in module(tmp_path)["notes"])
    assert figures == {one["name"]: one["covered_branches"] for one in module(tmp_path)["functions"]}


RACK = """\
RATES = {"a": 2}


class Rack:
    def get(self, key: str) -> int:
        if key == "left":
            return 1
        return 2


def rate(key: str) -> int:
    return RATES.get(key, 0) + 1


def first(rack: Rack) -> int:
    return rack.get("left")
"""


@pytest.mark.slow
def test_what_no_run_came_into_affects_nothing_though_it_has_a_name_that_is_mentioned(tmp_path: Path) -> None:
    (tmp_path / "own_shop.py").write_text(RACK)
    assert generate(tmp_path).exit_code == 0
    source(tmp_path, 'key == "left"', 'key == "left" and key != "right"')
    done = generate(tmp_path)
    assert done.exit_code == 0, done.output
    explored = {span["what"] for span in module(tmp_path)["spans"] if span["kind"] == "exploring"}
    assert explored == {"Rack.get", "first"}
    source(tmp_path, 'key != "right"', 'key != "wrong"')  # what earlier explorations came into is still known
    assert generate(tmp_path).exit_code == 0
    explored = {span["what"] for span in module(tmp_path)["spans"] if span["kind"] == "exploring"}
    assert explored == {"Rack.get", "first"}


@pytest.mark.slow
def test_without_the_store_tests_that_pass_stay_as_well(project: Path) -> None:
    before = methods(edit(project, *EDITS["renamed"]))
    for file in (project / "store").iterdir():
        file.unlink()
    source(project, SHOP, SHOP + DISCOUNT)
    assert generate(project).exit_code == 0
    after = methods(suite_of(project).read_text())
    assert {name: after.get(name) for name in before} == before
    assert passes(project)


@pytest.mark.slow
def test_a_change_of_another_module_is_explored_where_it_can_matter(tmp_path: Path) -> None:
    (tmp_path / "rates.py").write_text("def rate(n: int) -> int:\n    return n * 9\n\n\nLEVEL = 1\n")
    shop = SHOP.replace("amount * 9", "rate(amount)")
    (tmp_path / "own_shop.py").write_text(f"from rates import rate\n\n\n{shop}")
    assert generate(tmp_path).exit_code == 0
    (tmp_path / "rates.py").write_text("def rate(n: int) -> int:\n    return n * 9\n\n\nLEVEL = 2\n")
    done = generate(tmp_path)
    assert done.exit_code == 0, done.output
    assert any("2 of 2 functions can't be affected" in note for note in module(tmp_path)["notes"])
    (tmp_path / "rates.py").write_text("def rate(n: int) -> int:\n    return n * 8\n\n\nLEVEL = 2\n")
    done = generate(tmp_path)
    assert done.exit_code == 6, done.output
    assert any("1 of 2 functions can't be affected" in note for note in module(tmp_path)["notes"])
    assert {"TestPrice"} == {one["test"].partition(".")[0] for one in module(tmp_path)["regressions"]}
