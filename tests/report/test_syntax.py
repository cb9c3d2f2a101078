"""The syntax of a module: where statements begin, and when a line goes which way."""

from __future__ import annotations

from tracetwin.report.syntax import syntax_of

SOURCE = """\
def outer(x, y):
    if x > 1 and (
        y < 2
    ):
        return 1
    while x:
        x -= 1
    else:
        @mark
        def inner():
            return [
                x,
            ]
    for one in y:
        pass
    match x:
        case [first, *_]:
            return first
    return inner
"""


def test_conditions_are_told_in_the_words_of_python() -> None:
    found = syntax_of(SOURCE)
    assert found.when(2, 5) == "x > 1 and y < 2"
    assert found.when(2, 6) == "not (x > 1 and y < 2)"
    assert (found.when(6, 7), found.when(6, 9)) == ("x", "not x")
    assert (found.when(14, 15), found.when(14, 16)) == ("y has another item", "y is at its end")
    assert (found.when(17, 18), found.when(17, 19)) == ("[first, *_] matches", "[first, *_] does not match")
    assert found.when(5, -1) == ""


def test_lines_within_a_statement_know_where_it_begins() -> None:
    starts = syntax_of(SOURCE).starts
    assert {line: starts[line] for line in (3, 12, 13)} == {3: 2, 12: 11, 13: 11}
    assert not {2, 5, 6, 10, 15} & set(starts)


def test_the_contrary_of_a_condition_is_written_as_a_person_would() -> None:
    source = "if not x: a\nif x is None: a\nif x == 1: a\nif x not in y: a\nif x < 1: a\nassert not x\n"
    found = syntax_of(source)
    contrary = [found.outcome(line, 0) for line in range(1, 7)]
    assert contrary == ["x", "x is not None", "x != 1", "x in y", "not x < 1", "x"]
    assert found.outcome(6, 1) == "not x"
    brackets = syntax_of("if (\n    x > 1\n):\n    a\n")
    assert {brackets.outcome(line, 1) for line in (1, 2)} == {"x > 1"}
    assert found.outcome(7, 1) == ""


def test_a_condition_without_end_is_cut_and_no_python_tells_nothing() -> None:
    when = syntax_of(f"if x == '{'y' * 1_000}':\n    pass\n").when(1, 2)
    assert len(when) == 160
    assert when.endswith("…")
    assert syntax_of("if x ==").ways == {}
    assert syntax_of("x = 1\0").ways == {}


def test_lines_that_coverage_leaves_out_are_known() -> None:
    source = """\
def f(x):
    if x:  # pragma: no cover
        return 1
    return 2
class P:
    def f(self): ...
"""
    assert {2, 3, 6} == syntax_of(source).excluded
    assert frozenset() == syntax_of("def f(:").excluded == syntax_of("").excluded
