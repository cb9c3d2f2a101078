"""A test that does not pass costs itself, or one assertion, and never the whole file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.emit.mock_cases import function as mocked
from tests.emit.support import Recipe as Made
from tests.emit.support import case, function, step
from tests.emit.test_suite import run, written
from tracetwin.emit import maker as suites
from tracetwin.emit.result import Suite
from tracetwin.emit.select.choice import Choice
from tracetwin.emit.suite import build_suite
from tracetwin.emit.verify.verify import Page, TrialFailure
from tracetwin.emit.verify.verify import verify as really_verify
from tracetwin.model.case import Case
from tracetwin.model.recipe import NONE, Call, Lambda, Recipe, Scalar


def kept(suite: Suite) -> list[str]:
    return [made.target for _, _, made in suite.written]


def dropped(suite: Suite) -> dict[str, str]:
    return {made.target: reason for made, reason in suite.dropped}


def calls(*names: str) -> list[Case]:
    return [function("sample", name) for name in names]


LATE = """
def one():
    return 1

def late():
    made = type("Late", (), {"__module__": __name__})
    globals()["Late"] = made
    return made()

def two():
    return 2

def three():
    return 3
"""


@pytest.mark.slow
def test_a_name_that_can_not_be_imported_costs_one_test(tmp_path: Path) -> None:
    suite = build_suite(written(tmp_path, LATE), calls("one", "late", "two", "three"))
    assert kept(suite) == ["one", "two", "three"]
    assert dropped(suite)["late"].startswith("the written file could not be imported: ImportError")
    assert run(suite, tmp_path).returncode == 0


def test_a_test_that_is_no_valid_python_costs_itself(tmp_path: Path) -> None:
    source = "def one():\n    return 1\n\ndef take(**names):\n    return len(names)\n"
    # Evaluated as a recipe the last of the two holds; as source it is an error.
    twice = case("sample", "take", "function", step(("call", "sample", "take")))
    given = (("a", Scalar(1)), ("a", Scalar(2)))
    twice = replace(twice, steps=(replace(twice.steps[0], kwargs=given),))
    suite = build_suite(written(tmp_path, source), [*calls("one"), twice])
    assert kept(suite) == ["one"]
    assert dropped(suite) == {"take": "the written test is no valid Python: keyword argument repeated: a"}


ENDING = """
import os

def one():
    return 1

def ends(way):
    os.ending = getattr(os, "ending", 0) + 1
    if os.ending > 1:
        os._exit(3)
    if way:
        return "way"
    return "no way"

def two():
    return 2
"""


@pytest.mark.slow
def test_a_test_that_ends_the_process_costs_itself(tmp_path: Path) -> None:
    cases = [
        *calls("one"),
        function("sample", "ends", True),
        function("sample", "ends", False),
        *calls("two"),
    ]
    suite = build_suite(written(tmp_path, ENDING), cases)
    assert sorted(kept(suite)) == ["ends", "one", "two"]
    assert dropped(suite) == {
        "ends": "flaky: depends on the order of tests (the written test ended the process)"
    }


BELL = """
import weakref

class Bell:
    def __init__(self):
        self._heard = weakref.WeakSet()

    def hear(self, who):
        self._heard.add(who)
        return who

    def state(self):
        if len(self._heard) > 0:
            return "heard"
        return "silent"

class Ear:
    pass
"""


@pytest.mark.parametrize("who", [Lambda(-1, NONE), Call("sample", "Ear"), mocked("who", 1).recipe])
def test_what_the_target_holds_weakly_lives_on_in_the_test_by_a_name(tmp_path: Path, who: Recipe) -> None:
    """A replay keeps what a step returns; a test whose object died at once would say something else."""
    hear = step(("method", "bell", "hear"), Made.made(who), bind="heard")
    steps = step(("call", "sample", "Bell"), bind="bell"), hear
    counted = case("sample", "Bell.state", "method", *steps, step(("method", "bell", "state")))
    suite = build_suite(written(tmp_path, BELL), [counted])
    assert (kept(suite), dropped(suite)) == (["Bell.state"], {})
    assert "bell.hear(who)" in suite.text
    assert run(suite, tmp_path).returncode == 0


NAMED = """
class Named:
    def __init__(self, call, count):
        self.name = getattr(call, "__name__", "none")
        self.count = count + 1
"""


@pytest.mark.parametrize(("late", "rounds"), [(True, 2), (False, 3)])
def test_where_there_is_little_time_a_test_with_mocks_goes_on_without_the_assertion_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, late: bool, rounds: int
) -> None:
    pages: list[str] = []

    def verify(page: Page, tests: Any, **options: Any) -> Any:
        pages.append(page.text)
        return really_verify(page, tests, **options)

    monkeypatch.setattr("tracetwin.emit.maker.verify", verify)
    monkeypatch.setattr(Choice, "is_late", late)
    steps = [step(("call", "sample", "Named"), mocked("call", 1), 1)]
    suite = build_suite(written(tmp_path, NAMED), [case("sample", "Named", "constructor", *steps)])
    assert (kept(suite), len(pages)) == (["Named"], rounds)
    assert "result.name" not in suite.text
    assert "self.assertEqual(2, result.count)" in suite.text


MARKS = """
import string

string.marks = []

def mark(text):
    string.marks.append(text)
    marks = string.marks
    return {"text": text, "length": object(), "count": [len(marks), object()]}

def other(text):
    string.marks.append(text)
    return text
"""


@pytest.mark.slow
def test_an_assertion_that_fails_is_dropped_before_its_test(tmp_path: Path) -> None:
    cases = [function("sample", "mark", "a"), function("sample", "other", "b")]
    suite = build_suite(written(tmp_path, MARKS), cases)
    assert kept(suite) == ["mark", "other"]
    assert 'self.assertEqual("a", result["text"])' in suite.text
    assert 'result["count"][0]' not in suite.text
    assert run(suite, tmp_path).returncode == 0
    reasons = [reason for made, reason in suite.left_out if made.target == "mark"]
    assert [reason for reason in reasons if "an assertion was dropped" in reason] == [
        (
            "an assertion was dropped: flaky: depends on the order of tests "
            "(the written test did not pass: AssertionError: 1 != 2)"
        )
    ]


@pytest.mark.slow
def test_a_test_left_without_assertions_is_dropped_with_the_reason_of_the_last(tmp_path: Path) -> None:
    source = "import string\n\nstring.calls = []\n\n"
    source += "def first():\n    string.calls.append(0)\n    return len(string.calls)\n\n"
    source += "def second():\n    return first()\n"
    suite = build_suite(written(tmp_path, source), calls("first", "second"))
    assert len(kept(suite)) == 1
    (reason,) = dropped(suite).values()
    assert reason == (
        "no assertion holds in every run: flaky: depends on the order of tests "
        "(the written test did not pass: AssertionError: 1 != 2)"
    )


@pytest.mark.slow
def test_failures_that_never_end_cost_only_the_failing_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "import os\n\ndef good():\n    return 1\n\ndef bad(n):\n    return n + ('RUN' in os.environ)\n"
    monkeypatch.setattr(suites, "MOST_ROUNDS", 2)
    # Whatever is chosen for `bad` fails where the written file is run.

    def verify(page: Page, tests: Any, **options: Any) -> Any:
        failing = {test: TrialFailure("no luck") for test in tests if "bad" in test[1]}
        return failing or really_verify(page, tests, **options)

    monkeypatch.setattr("tracetwin.emit.maker.verify", verify)
    cases = [*calls("good"), *(function("sample", "bad", number) for number in range(40))]
    suite = build_suite(written(tmp_path, source), cases)
    assert kept(suite) == ["good"]
    assert set(dropped(suite).values()) == {"no luck"}


BARREL = """
class Barrel(list):
    def __init__(self, items):
        super().__init__([items])
        self.items = items

    def __len__(self):
        return len(self.items)

    def __iter__(self):
        return iter(self.items)

    def __getitem__(self, index):
        return self.items[index]

class Honest(list):
    pass

class Loud(str):
    def __str__(self):
        return self.upper()

class Never(dict):
    def __eq__(self, other):
        return False
    __hash__ = None

def barrel(items):
    return Barrel(items)

def honest(items):
    return Honest(items)

def loud(text):
    return Loud(text)

def never(key):
    return Never({key: 1})
"""


@pytest.mark.slow
@pytest.mark.parametrize("style", ["unittest", "pytest"])
def test_subclasses_of_containers_are_compared_by_what_they_show(tmp_path: Path, style: str) -> None:
    cases = [
        function("sample", "barrel", [3, 4]),
        function("sample", "honest", [3, 4]),
        function("sample", "loud", "abc"),
        function("sample", "never", "k"),
    ]
    suite = build_suite(written(tmp_path, BARREL), cases, style=style)
    assert kept(suite) == ["barrel", "honest", "loud", "never"]
    assert suite.left_out == []
    expected = ["[3, 4], list(result)", "[3, 4], result", '"ABC", str(result)', '{"k": 1}, dict(result)']
    for sides in expected:
        said = (
            f"self.assertEqual({sides})"
            if style == "unittest"
            else f"assert {' == '.join(sides.rsplit(', ', 1))}"
        )
        assert said in suite.text
    assert run(suite, tmp_path, *(("-m", "pytest", "-q") if style == "pytest" else ())).returncode == 0


def test_what_is_not_equal_to_its_own_literal_is_not_compared_with_it(tmp_path: Path) -> None:
    source = (
        "import decimal\nfrom typing import NamedTuple\n\nclass Pair(NamedTuple):\n    a: int\n"
        "    def __eq__(self, other):\n        return False\n\n"
        "def nan():\n    return decimal.Decimal('nan')\n\ndef pair():\n    return Pair(1)\n"
    )
    suite = build_suite(written(tmp_path, source), calls("nan", "pair"))
    assert kept(suite) == ["nan", "pair"]
    assert "self.assertIsInstance(nan(), decimal.Decimal)" in suite.text
    assert [reason for _, reason in suite.left_out] == []
    assert run(suite, tmp_path).returncode == 0


AMBIENT = """
import os
import sys

def arguments():
    return len(sys.argv)

def folder():
    return os.listdir(".")

def columns():
    return os.environ.get("COLUMNS", "")

def mask():
    mask = os.umask(0)
    os.umask(mask)
    return mask

def main(args=None):
    if args is None:
        args = sys.argv[1:]
    if args:
        raise SystemExit(2)
    return "ok"
"""


@pytest.mark.slow
def test_what_depends_on_how_the_tests_are_started_is_not_asserted(tmp_path: Path) -> None:
    names = ("arguments", "folder", "columns", "mask")
    suite = build_suite(written(tmp_path, AMBIENT), [*calls(*names, "main"), function("sample", "main", [])])
    reasons = {made.target: reason for made, reason in suite.left_out}
    assert set(reasons) == set(names) - {"folder"}
    assert all("differs between two runs" in reason for reason in reasons.values())
    assert dropped(suite) == {
        "folder": "it depends on which files there are",
        "main": "flaky: depends on the environment (outcome returned in one run, raised in the other)"
    }
    assert 'self.assertEqual("ok", main([]))' in suite.text
    done = run(suite, tmp_path, "-m", "unittest", "-v")
    assert done.returncode == 0, done.stderr


def test_a_module_that_reads_its_arguments_when_imported_stays_importable(tmp_path: Path) -> None:
    source = (
        "import argparse\n\nOPTIONS = argparse.ArgumentParser().parse_args()\n\ndef one():\n    return 1\n"
    )
    suite = build_suite(written(tmp_path, source), calls("one"))
    assert suite.error is None
    assert kept(suite) == ["one"]
