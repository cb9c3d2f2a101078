"""Choices about arguments on the path: where the call first uses them, and not at all where it never does."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

import pytest

from runtime import trace
from runtime.trace import Kind
from tests.explore.support import InProcess, _Here, explore, twin_module
from tracetwin.explore.loop.run import Request, Run

FAMILY = """
    import functools


    def first(a, b):
        if a > 3:
            return b
        return a


    def failing(a, b):
        return a[0] * b


    def together(a, b, flag):
        return a + b


    def within(a, b):
        def inner():
            return b

        if a:
            return inner()
        return 0


    def around(a, b):
        if a:
            return locals()
        return 0


    def rest(a, *more, **options):
        if a:
            return len(more)
        return options.get("key")


    def generated(a, b):
        for step in range(2):
            if a > step:
                yield b


    class Box:
        def __init__(self, size, label=None):
            self.size = size
            if size > 3:
                self.label = label

        def put(self, a, b):
            if a:
                return b
            return self.size

        @staticmethod
        def kept(a, b):
            return b if a else 0


    def plain(a: int, b: str) -> str:
        return b if a else "no"


    def wrapped(function):
        @functools.wraps(function)
        def inner(*args):
            return function(*args)

        return inner


    @wrapped
    def decorated(a, b):
        return b if a else 0
"""


def run(in_process: InProcess, target: str, **values: object) -> Run:
    return in_process.run(Request(target, (), values))


@pytest.fixture
def family() -> Iterator[InProcess]:
    with twin_module(textwrap.dedent(FAMILY)) as (module, _):
        yield InProcess(_Here(module, 2.0))
        trace.start()


def choices(run: Run) -> list[str]:
    """What the path says in order: the choices by their variable, all else as a dot."""
    found = []
    for step in run.path[run.stages[-1] :]:
        if step.kind == Kind.INPUT:
            found.append(next(iter(step.node.names)))
        elif step.kind in (Kind.BRANCH, Kind.CHECK):
            found.append(".")
    return list(dict.fromkeys(found)) if "." not in found else found


def test_a_choice_stands_behind_what_was_decided_before_its_parameter_was_used(family):
    assert choices(run(family, "first", a=5)) == ["a?", ".", "b?"]


def test_a_parameter_that_is_never_used_is_no_choice(family):
    assert choices(run(family, "first", a=1)) == ["a?", "."]


def test_an_exception_before_the_first_use_is_one_path(family):
    seen = run(family, "failing", **{"a#": 0})
    assert seen.detail == "IndexError"
    assert "b?" not in choices(seen)


def test_parameters_of_one_expression_are_told_apart_by_instruction(family):
    assert choices(run(family, "together")) == ["a?", "b?"]


def test_making_a_function_within_uses_what_that_one_uses(family):
    assert choices(run(family, "within", a=0)) == ["a?", "b?", "."]


def test_a_function_that_may_look_at_all_its_arguments_uses_them_from_the_beginning(family):
    assert choices(run(family, "around", a=0))[:2] == ["a?", "b?"]


def test_what_stands_behind_stars_is_used_by_its_name(family):
    # Where its length is asked for, two values are drawn one after the other.
    asked = ["more#", "more#", "more#", "more[0]?", "more[1]?"]
    assert choices(run(family, "rest", a=1)) == ["a?", ".", *asked]
    assert "options.key?in" in choices(run(family, "rest", a=0))


def test_a_generator_is_followed_until_it_ends(family):
    assert choices(run(family, "generated", a=0)) == [".", "."]
    assert choices(run(family, "generated", a=1)) == [".", "b?", "."]


@pytest.mark.parametrize("target", ["Box.put", "Box.kept"])
def test_methods_and_static_methods_are_looked_at(family, target):
    assert "b?" not in choices(run(family, target, a=0))
    assert choices(run(family, target, a=1))[-1] == "b?"


def test_constructors_are_looked_at(family):
    assert choices(run(family, "Box", size=1)) == ["."]
    assert choices(run(family, "Box", size=5))[:2] == [".", "label?"]


def test_behind_a_decorator_arguments_stay_where_they_are(family):
    assert choices(run(family, "decorated", a=0)) == ["a?", "b?", "."]


def test_marks_follow_the_conditions(family):
    seen = run(family, "first", a=5)
    side = next(iter(seen.marks))
    before = [step for step in seen.path[: seen.marks[side]] if step.kind == Kind.BRANCH]
    assert len(before) == 1  # the condition whose side it is, which b's choice stands behind
    assert seen.path[seen.marks[side]].node.names == {"b?"}


def test_types_of_a_parameter_are_not_tried_with_those_that_fail_before():
    source = """
        def f(a, b):
            total = a["k"] * 2
            if b.upper() == "YES":
                return total
            return b
    """
    runs = explore(source, "f", runs=80).runs
    failed = [run for run in runs if run.status == "raised" and len(choices(run)) == 1]
    assert all("b?" not in str(step.node.names) for run in failed for step in run.path)


def test_an_annotated_function_is_not_looked_at(family, monkeypatch):
    def refuse(*_: object) -> None:
        raise AssertionError("it was looked at")

    monkeypatch.setattr("tracetwin.worker.late_choices.watch", refuse)
    assert run(family, "plain", a=1).status == "returned"


def test_only_the_first_call_of_a_function_is_looked_at_and_it_is_itself_again():
    source = """
        def f(a, b):
            if a is None:
                return 0
            return f(None, b) + (0 if b else 1)
    """
    with twin_module(textwrap.dedent(source)) as (module, _):
        code = module.f.__code__
        found = InProcess(_Here(module, 2.0)).run(Request("f", (), {"a?": 1}))
        assert module.f.__code__ is code
    order = list(dict.fromkeys(choices(found)))
    assert order == ["a?", ".", "b?"]


def test_sites_are_the_same_once_the_interpreter_has_tuned_the_code():
    source = """
        def f(values: list[int]) -> int:
            found = iter(values)
            return next(found) if values and values[0] > 3 else 0
    """
    with twin_module(textwrap.dedent(source)) as (module, _):
        runs = InProcess(_Here(module, 2.0))
        paths = {
            tuple(step.site for step in runs.run(Request("f", (), {"values#": 1, "values[0]": 5})).path)
            for _ in range(60)
        }
    assert len(paths) == 1
