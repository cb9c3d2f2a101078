"""Gaps that wait for lines of other functions: the root comes first, with those behind it."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

from tests.report.hostile import result
from tracetwin.model.goal import Uncovered
from tracetwin.report.dependence import Prerequisite
from tracetwin.report.gaps import biggest, gaps_of, told_of_line
from tracetwin.report.outside_names import OutsideNames
from tracetwin.report.pages import write_report
from tracetwin.report.result import Module, Result, result_of
from tracetwin.report.sides import SourceLines

SOURCE = """\
class Job:
    def __init__(self):
        self.next = None

    def do(self, when):
        self._plan(when)
        print(when)
        return self

    def _plan(self, when):
        if when is None:
            raise ValueError
        for one in when:
            print(one)
        self.next = 1

    def due(self):
        if self.next is None:
            return False
        return True
"""

ENDS = "every run that comes to line 6 ends there in _plan: ValueError"
STATE = "no sequence of calls that was tried brings the object into the state that line 18 asks for"


def module(folder: Path, *misses: Uncovered) -> Module:
    found = result_of(result(folder, bad="")).modules[0]
    lines = frozenset(range(2, 21)) - {miss.line for miss in misses} - {4, 9, 16}
    case = replace(found.cases[0], lines=lines, branches=frozenset())
    return replace(found, source=SOURCE, cases=(case,), goals=(), misses=misses, functions=())


def missed(folder: Path) -> Module:
    plan = (Uncovered(line, "budget spent", "Job._plan", 11) for line in (13, 14, 15))
    return module(
        folder, *(Uncovered(line, ENDS, "", 6) for line in (7, 8)), *plan, Uncovered(20, STATE, "", 18)
    )


def test_what_comes_after_a_call_waits_for_the_function_in_which_every_run_ends(tmp_path: Path) -> None:
    lines = SourceLines(missed(tmp_path))
    words = "every run ends in `_plan`, and none comes to line 13 there"
    assert lines.at(7).waits == Prerequisite(13, words)
    assert lines.at(13).waits is None, "it is the root"


def test_what_looks_at_an_attribute_waits_for_the_only_line_that_sets_it(tmp_path: Path) -> None:
    waits = SourceLines(missed(tmp_path)).at(20).waits
    assert waits == Prerequisite(13, "`next` is set in line 15, in `Job._plan`, which no test runs")
    run = module(tmp_path, Uncovered(20, STATE, "", 18))
    assert SourceLines(run).at(20).waits is None, "a test runs the line that sets it"


def test_roots_come_first_with_the_gaps_behind_them(tmp_path: Path) -> None:
    found = missed(tmp_path)
    gaps = gaps_of([found])
    assert [gap.first for gap in gaps] == [13, 7, 20]
    ((root, waiting),) = biggest(gaps)
    assert (root.words, [one.words for one in waiting]) == ("lines 13 to 15", ["lines 7 to 8", "line 20"])


def test_pages_and_the_terminal_tell_what_a_line_waits_for(tmp_path: Path) -> None:
    found = missed(tmp_path)
    told = "\n".join(told_of_line(found, 20))
    assert "  line 13 has to be run first: `next` is set in line 15" in told
    page = write_report(Result((found,)), tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Behind it wait:" in page
    assert "has to be run first: <code>next</code> is set in line 15" in page


def test_a_function_inside_of_another_is_named_where_it_decides() -> None:
    text = "MOST = 5\ndef f(x):\n    def ahead(): return x > 3\n    return ahead() or MOST > 3\n"
    names = OutsideNames(ast.parse(text), "sample")
    assert names.fixed({"ahead"}).startswith("`ahead` (line 3) decides it, a function inside of this one")
    assert "the module's `MOST` (line 1)" in names.fixed({"MOST"})
    assert "Python's version" in names.fixed({"len"})
