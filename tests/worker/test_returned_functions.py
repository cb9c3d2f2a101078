"""Functions that a target returns are called, with arguments that suit what is written in them."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from runtime import trace
from runtime.inputs import Inputs
from tracetwin.worker.catalogue import Catalogue
from tracetwin.worker.execution import Execution

SOURCE = """
    import functools

    def clamp(low: int):
        def check(text):
            return text.upper() if text.startswith("a") else low
        return check

    def decorated(limit: int):
        def decorate(inner):
            @functools.wraps(inner)
            def wrapper(word):
                return word.lower()
            wrapper.limit = limit
            return wrapper
        return decorate

    def adder(n: int):
        return lambda x: x + n

    def handed_on(work):
        return work

    def plain(n: int):
        return plain

    def told(function):
        @functools.wraps(function)
        def check(word="w"):
            return elsewhere(function)
        return check

    @told
    def truth(value: str):
        return value.title()

    class Table:
        def pick(self, n: int):
            return self._one if n else len

        def _one(self, word):
            return word.strip()
"""


ELSEWHERE = """
    import functools

    def elsewhere(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return function(*args, **kwargs)
        return wrapper
"""


@pytest.fixture
def catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Catalogue:
    module = ModuleType("returning_target")
    module.__file__ = str(tmp_path / "returning_target.py")
    Path(module.__file__).write_text(textwrap.dedent(SOURCE), encoding="utf-8")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(textwrap.dedent(ELSEWHERE), "decorators.py", "exec"), module.__dict__)
    exec(compile(textwrap.dedent(SOURCE), module.__file__, "exec"), module.__dict__)
    return Catalogue(module, ())


def run(catalogue: Catalogue, name: str, **assignment: Any) -> Execution:
    trace.start()
    execution = Execution(catalogue, catalogue.named(name), (), Inputs(assignment))
    try:
        execution.run()
    finally:
        trace.stop()
    return execution


def names(execution: Execution) -> list[tuple[str | None, str]]:
    return [(step.bind, step.name) for step in execution.steps]


def test_a_closure_is_called_with_what_it_wants(catalogue: Catalogue) -> None:
    execution = run(catalogue, "clamp", **{"returned[0].text": "ab"})
    assert names(execution) == [("check", "clamp"), (None, "__call__")]
    assert (execution.returned, execution.result) == ("AB", "str, called")


def test_an_input_says_how_often(catalogue: Catalogue) -> None:
    assert names(run(catalogue, "clamp", **{"calls#": 0})) == [(None, "clamp")]
    twice = run(catalogue, "clamp", **{"calls#": 2})
    assert names(twice) == [("check", "clamp"), (None, "__call__"), (None, "__call__")]
    assert twice.result == "int, called again"


def test_what_a_decorator_makes_is_called_as_it_is_written(catalogue: Catalogue) -> None:
    execution = run(catalogue, "decorated", **{"returned1[0].word": "Ab"})
    assert names(execution) == [("decorate", "decorated"), ("wrapper", "__call__"), (None, "__call__")]
    assert execution.returned == "ab"


def test_a_lambda_gets_a_number_where_it_adds(catalogue: Catalogue) -> None:
    execution = run(catalogue, "adder", n=2)
    assert names(execution) == [("function", "adder"), (None, "__call__")]
    assert execution.returned == 2


def test_what_a_decorator_of_another_module_makes_takes_what_the_function_inside_does(
    catalogue: Catalogue,
) -> None:
    execution = run(catalogue, "truth", **{"returned[0].value": "ab"})
    assert names(execution) == [("wrapper", "truth"), (None, "__call__")]
    assert execution.returned == "Ab"


def test_a_wrapper_that_names_its_own_parameters_takes_these(catalogue: Catalogue) -> None:
    assert [parameter.name for parameter in catalogue.named("truth").parameters] == ["word"]


def test_a_method_that_is_handed_out_is_called(catalogue: Catalogue) -> None:
    execution = run(catalogue, "Table.pick", n=1)
    assert [row[1] for row in names(execution)] == ["Table", "pick", "__call__"]
    assert [row[1] for row in names(run(catalogue, "Table.pick", n=0))] == ["Table", "pick"]


@pytest.mark.parametrize("name", ["handed_on", "plain"])
def test_functions_that_others_call_are_left_alone(name: str, catalogue: Catalogue) -> None:
    assert len(run(catalogue, name).steps) == 1
