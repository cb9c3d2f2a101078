"""The overview: tests to look at come first, words are explained in one place, advice stands there once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.report.hostile import result
from tracetwin.model.goal import Uncovered
from tracetwin.report.mutant_counsel import told_apart
from tracetwin.report.outside_names import OutsideNames
from tracetwin.report.pages import write_report
from tracetwin.report.result import ReportedMutant, Result, result_of
from tracetwin.report.sides import SourceLines
from tracetwin.report.syntax import parsed


def page(folder: Path, **fields: object) -> str:
    found = result_of(result(folder, bad="")).modules[0]
    made = Result((replace(found, **fields),))  # type: ignore[arg-type]
    return write_report(made, folder / "report.html").read_text(encoding="utf-8")


def test_tests_to_look_at_are_named_before_modules_and_gaps(tmp_path: Path) -> None:
    found = result_of(result(tmp_path, bad="")).modules[0]
    told = page(tmp_path, suspicious=((found.cases[0].title, "an error that no statement raises"),))
    first = told.index("1 test</a> to look at before it is believed")
    assert first < told.index('id="modules"') < told.index('id="gaps"')
    assert f'<a href="#m0-t0">{found.cases[0].title}</a> (an error that no statement raises)' in told


def test_words_are_explained_in_one_place_that_each_module_leads_to(tmp_path: Path) -> None:
    told = page(tmp_path)
    assert told.count('id="words"') == 1
    assert '<a href="#words">what the words mean</a>' in told


def test_advice_that_stands_there_already_is_not_repeated(tmp_path: Path) -> None:
    source = "def f(x):\n    return x\n\ndef g(x):\n    return x\n"
    case = replace(result_of(result(tmp_path, bad="")).modules[0].cases[0], lines=frozenset((1,)))
    misses = tuple(Uncovered(at, "reached, but no test could be written: it changes files") for at in (2, 5))
    told = page(tmp_path, source=source, misses=misses, goals=(), cases=(case,))
    begin = told.index('id="biggest"')
    listed = told[begin : told.index("</ol>", begin)]
    assert listed.count("One by hand can do so in a folder of its own") == 1
    assert listed.count("The same helps as for line 2.") == 1


def test_mutants_that_read_the_same_are_told_apart_by_their_places() -> None:
    one = ReportedMutant(3, "f", "`1` becomes `2`", "survived")
    assert told_apart([one, replace(one, line=4), one]) == [
        "`1` becomes `2` (place 1 of 2)", "`1` becomes `2`", "`1` becomes `2` (place 2 of 2)"
    ]  # fmt: skip


def test_mutants_of_a_line_are_told_apart_there_too(tmp_path: Path) -> None:
    found = result_of(result(tmp_path, bad="")).modules[0]
    one = ReportedMutant(3, "f", "`1` becomes `2`", "survived")
    survivors = SourceLines(replace(found, mutants=(one, one))).at(3).survivors
    assert [change for change, _ in survivors] == [
        "`1` becomes `2` (place 1 of 2)", "`1` becomes `2` (place 2 of 2)"
    ]  # fmt: skip


CLASSES = """
class Till:
    def __init__(self, name, size=1, *, coins):
        self.open = None

    def unlock(self, key, hard=False):
        self.open = key

    def _reset(self):
        self.last = 0

class Plain:
    pass
"""


def test_a_factory_has_a_body_that_makes_the_object_and_sets_what_is_missing() -> None:
    names = OutsideNames(parsed(CLASSES), "shop")
    assert names.made("Till") == "return Till(name=..., coins=...)"
    assert names.made("Till", ["open"]) == (
        "made = Till(name=..., coins=...); made.unlock(key=...); return made"
    )
    assert names.made("Till", ["last"]) == "return Till(name=..., coins=...)", "no private method is called"
    assert (names.made("Plain"), names.made("Other")) == ("return Plain()", "")
