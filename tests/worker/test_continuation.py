"""Context managers are entered and left, generators are sent what they look at."""

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
    import contextlib
    from collections.abc import Generator

    @contextlib.contextmanager
    def opened(log: list[str]):
        log.append("open")
        try:
            yield len(log)
        except KeyError:
            log.append("lost")
        finally:
            log.append("close")

    @contextlib.contextmanager
    def refused(n: int):
        raise ValueError("no")
        yield n

    class Session:
        @contextlib.contextmanager
        def nested(self, n: int):
            yield n

    def sums(start: int) -> Generator[int, int, str]:
        total = start
        while total < 10:
            total += yield total
        return "done"

    def words():
        got = yield 1
        if got.upper() == "X":
            yield 2

    def plain(n: int):
        for i in range(n):
            yield i

    class Test:
        def __init__(self, ask):
            self.ask = ask
        def __call__(self, value: int) -> bool:
            return self.ask(value)

    def above(limit: int) -> Test:
        return Test(lambda value: value > limit)
"""


@pytest.fixture
def catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Catalogue:
    module = ModuleType("continued_target")
    module.__file__ = str(tmp_path / "continued_target.py")
    Path(module.__file__).write_text(textwrap.dedent(SOURCE), encoding="utf-8")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(textwrap.dedent(SOURCE), module.__file__, "exec"), module.__dict__)
    return Catalogue(module, ())


def steps(catalogue: Catalogue, name: str, **assignment: Any) -> tuple[list[Any], Any]:
    """What was done, in short, and what was raised."""
    trace.start()
    values = {key.replace("__", "?"): value for key, value in assignment.items()}
    execution = Execution(catalogue, catalogue.named(name), (), Inputs(values))
    raised = None
    try:
        execution.run()
    except Exception as error:  # noqa: BLE001 - the test looks at it
        raised = error
    finally:
        trace.stop()
    return [(step.bind, step.place, step.name) for step in execution.steps], raised


def test_a_manager_is_entered_and_left(catalogue: Catalogue) -> None:
    done, raised = steps(catalogue, "opened")
    assert raised is None
    assert done == [
        ("manager", "continued_target", "opened"),
        ("entered", "manager", "__enter__"),
        (None, "manager", "__exit__"),
    ]


def test_a_manager_is_left_by_the_exceptions_that_its_code_speaks_of(catalogue: Catalogue) -> None:
    how = catalogue.continuation(catalogue.named("opened"))
    assert [kind.__name__ for kind in how.exceptions] == ["KeyError", "ValueError"]
    for chosen in (1, 2):  # what is not handled is raised by `with`: `__exit__` only says so
        done, raised = steps(catalogue, "opened", raised__=chosen)
        assert raised is None
        assert [row[-1] for row in done] == ["opened", "__enter__", "__exit__"]


def test_what_entering_raises_ends_the_case(catalogue: Catalogue) -> None:
    done, raised = steps(catalogue, "refused")
    assert type(raised) is ValueError
    assert [row[-1] for row in done] == ["refused", "__enter__"]


def test_a_method_under_contextmanager_is_entered(catalogue: Catalogue) -> None:
    done, _ = steps(catalogue, "Session.nested")
    assert [row[-1] for row in done] == ["Session", "nested", "__enter__", "__exit__"]


def test_a_generator_is_sent_values_of_the_annotated_type(catalogue: Catalogue) -> None:
    how = catalogue.continuation(catalogue.named("sums"))
    assert how.sent is not None
    assert how.sent.describe() == "int"
    done, raised = steps(catalogue, "sums", **{"sent#": 2, "sent[0]": 3, "sent[1]": 4, "start": 1})
    assert raised is None
    assert [row[-1] for row in done] == ["sums", "__next__", "send", "send"]
    done, raised = steps(catalogue, "sums", **{"sent#": 2, "sent[0]": 30})
    assert type(raised) is StopIteration
    assert [row[-1] for row in done] == ["sums", "__next__", "send"]


def test_without_an_annotation_its_uses_tell(catalogue: Catalogue) -> None:
    how = catalogue.continuation(catalogue.named("words"))
    assert how.sent is not None
    assert "str" in how.sent.describe()


def test_a_generator_that_does_not_listen_is_iterated(catalogue: Catalogue) -> None:
    assert catalogue.continuation(catalogue.named("plain")).sent is None
    done, _ = steps(catalogue, "plain", n=2)
    assert done == [(None, "continued_target", "plain")]


def test_an_object_that_can_be_called_is_called_where_the_input_says_so(catalogue: Catalogue) -> None:
    assert [(None, "continued_target", "above")] == steps(catalogue, "above")[0]
    done, _ = steps(catalogue, "above", **{"calls#": 1, "limit": 1, "returned[0].value": 2})
    assert ["above", "__call__"] == [name for _, _, name in done]
    assert done[0][0] == done[1][1]  # of what it returned
