"""A written file is run in every way in which tests may be run; what does not pass tells why."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.emit.test_suite import written
from tracetwin.emit.verify import verify as verify_module
from tracetwin.emit.verify.trial import TrialOutcome, TrialPlan
from tracetwin.emit.verify.verify import Failures, Page, SuiteBroken, verify

TARGET = """
import atexit, os

marks = []

def mark(text):
    marks.append(text)
    return len(marks)
"""

HEAD = """
import datetime, os, random, sys, time, unittest, locale
import sample

class Tests(unittest.TestCase):
"""


def seen(folder: Path, *bodies: str, target: str = TARGET) -> Failures:
    """What comes of tests with these bodies, called `test_0`, `test_1`, .."""
    lines = [f"    def test_{number}(self):\n        {body}\n" for number, body in enumerate(bodies)]
    page = Page(HEAD + "\n".join(lines), written(folder, target), seconds=3)
    return verify(page, [("Tests", f"test_{number}") for number in range(len(bodies))], explain=True)


def whys(failures: Failures) -> dict[str, str]:
    return {name: failure.why.partition(" (")[0] for (_, name), failure in failures.items()}


FINE = "self.assertEqual(1, 1)"


def test_what_passes_always_has_no_failure(tmp_path: Path) -> None:
    assert seen(tmp_path, FINE, FINE) == {}


def test_a_test_that_is_hindered_by_another_depends_on_the_order(tmp_path: Path) -> None:
    failures = seen(tmp_path, FINE, "sample.mark('x')", "self.assertEqual(1, sample.mark('y'))")
    assert whys(failures) == {"test_2": "flaky: depends on the order of tests"}


def test_a_test_that_needs_any_of_two_others_depends_on_the_order(tmp_path: Path) -> None:
    """Forwards it runs after the one, backwards after the other: only alone it fails."""
    mark = "sample.mark('x')"
    failures = seen(tmp_path, mark, "self.assertTrue(sample.marks)", mark)
    assert whys(failures) == {"test_1": "flaky: depends on the order of tests"}


def test_what_has_passed_before_is_run_beside_the_others_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there is little time, it is for tests that were not seen to pass yet."""
    plans: list[TrialPlan] = []

    def tried(page: Page, plan: TrialPlan) -> TrialOutcome:
        plans.append(plan)
        return TrialOutcome()

    monkeypatch.setattr(verify_module, "attempt", tried)
    known, new = ("Tests", "test_0"), ("Tests", "test_1")
    assert verify(Page("", written(tmp_path, TARGET)), [known, new], before={known}) == {}
    assert [plan.alone for plan in plans] in ([(new,), ()], [(), (new,)])
    assert all(set(plan.together) == {known, new} for plan in plans)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "cause"),
    [
        ("self.assertEqual(['a', 'b'], list({'a', 'b'}))", "the hash seed"),
        ("self.assertNotEqual((2, 29), time.localtime()[1:3])", "time"),
        ("self.assertNotEqual((12, 31), datetime.datetime.now().timetuple()[1:3])", "time"),
        ("self.assertLess(random.random(), 0.999)", "randomness"),
        ("self.assertEqual('utf-8', locale.getpreferredencoding(False).lower())", "the locale"),
        ("self.assertEqual([], os.listdir())", "the environment"),
    ],
)
def test_what_surrounds_a_test_is_told(tmp_path: Path, body: str, cause: str) -> None:
    assert whys(seen(tmp_path, FINE, body)) == {"test_1": f"flaky: depends on {cause}"}


@pytest.mark.slow
def test_a_test_of_a_program_does_not_depend_on_the_words_that_tests_are_run_with(tmp_path: Path) -> None:
    """`python -m unittest discover` gives it one, and `-v` is none."""
    body = "self.assertEqual([], __import__('getopt').getopt(__import__('sys').argv[1:], 'v', ['seed='])[1])"
    assert whys(seen(tmp_path, FINE, body)) == {"test_1": "flaky: depends on the environment"}


def test_a_test_of_a_program_does_not_depend_on_whether_there_is_a_word(tmp_path: Path) -> None:
    """`pytest tests` gives it a word and nothing else: what lacks one, and refuses `-s`, takes that."""
    body = "parser = __import__('argparse').ArgumentParser(); parser.add_argument('file')\n"
    body += "        with self.assertRaises(SystemExit): parser.parse_args()"
    assert whys(seen(tmp_path, FINE, body)) == {"test_1": "flaky: depends on the environment"}


def test_a_test_that_never_passes_is_no_flaky_one(tmp_path: Path) -> None:
    failures = seen(tmp_path, "self.assertEqual(1, 2)")
    assert whys(failures) == {"test_0": "the written test did not pass: AssertionError: 1 != 2"}


def test_what_is_done_after_a_test_counts(tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    canary.write_text("alive")
    body = f"__import__('atexit').register(os.remove, {str(canary)!r})"
    (failure,) = seen(tmp_path, FINE, body).values()
    assert "is refused" in failure.why
    assert canary.read_text() == "alive"


def test_a_file_that_can_not_be_imported_is_broken(tmp_path: Path) -> None:
    page = Page("import no_such_module\n", written(tmp_path, TARGET))
    with pytest.raises(SuiteBroken, match="no_such_module"):
        verify(page, [])


def test_how_long_each_test_takes_is_told(tmp_path: Path) -> None:
    bodies = ("sum(range(2_000_000))", FINE)
    lines = [f"    def test_{number}(self):\n        {body}\n" for number, body in enumerate(bodies)]
    page = Page(HEAD + "\n".join(lines), written(tmp_path, TARGET), seconds=30)
    seconds: dict[tuple[str, str], float] = {}
    assert verify(page, [("Tests", "test_0"), ("Tests", "test_1")], seconds=seconds) == {}
    assert seconds["Tests", "test_0"] > 0.005
    assert seconds["Tests", "test_1"] > 0
