"""A written test runs to its end on a mutant, and tells which of its assertions fail."""

from __future__ import annotations

from tracetwin.mutation.written import ASSERTION, ELSEWHERE, SeparateTest


def failing(*lines: str, stand_ins: dict[str, str] | None = None) -> frozenset[int]:
    source = "\n".join(["def test():", *("    " + line for line in lines)])
    return SeparateTest(source, stand_ins or {}, "", "test").run()


def test_a_test_goes_on_behind_an_assertion_that_fails() -> None:
    asserted = [f"with {ASSERTION}({number}): assert {what}" for number, what in enumerate(("0", "1", "[]"))]
    assert failing(*asserted) == {0, 2}


def test_what_fails_outside_of_assertions_is_told_as_that() -> None:
    assert failing("1 / 0") == {ELSEWHERE}
    assert failing("pass") == frozenset()


def test_what_ends_a_test_within_an_assertion_is_that_assertions() -> None:
    assert failing(f"with {ASSERTION}(3): raise KeyboardInterrupt", "1 / 0") == {3}


def test_a_test_of_a_class_runs_with_its_fixtures() -> None:
    source = f"""
import unittest

class TestIt(unittest.TestCase):
    def setUp(self):
        self.value = 2

    def test_it(self):
        with {ASSERTION}(0):
            self.assertEqual(2, self.value)
        with {ASSERTION}(1), self.assertRaises(KeyError):
            {{}}["a"]
        with {ASSERTION}(2):
            self.assertEqual(3, self.value)
"""
    assert SeparateTest(source, {}, "TestIt", "test_it").run() == {2}


def test_modules_may_stand_in_for_others() -> None:
    source = "from nowhere_to_be_found import answer\n\ndef test():\n    assert answer == 42\n"
    assert not SeparateTest(source, {"nowhere_to_be_found": "answer = 42"}, "", "test").run()


def test_what_a_decorator_holds_is_made_anew_for_each_run() -> None:
    source = f"""
def having(held):
    return lambda test: lambda: test(held)

@having([])
def test(held):
    held.append(1)
    with {ASSERTION}(0):
        assert held == [1]
"""
    written = SeparateTest(source, {}, "", "test")
    assert [written.run(), written.run()] == [frozenset(), frozenset()]
