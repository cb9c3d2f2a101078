"""Members that code asks for before it uses them are there or not, as the input says."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import pytest

from runtime import trace
from runtime.inputs import Inputs
from tracetwin.drawing.mocks.build import build
from tracetwin.drawing.mocks.interface import asked_for, offered
from tracetwin.drawing.mocks.plan import Answering, MockPlan
from tracetwin.drawing.plans.plans import IntPlan
from tracetwin.model.recipes import NamedValues


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("hasattr(x, 'a')", {"a": "attribute"}),
        ("x.a() if hasattr(x, 'a') else 0", {"a": "method"}),
        ("getattr(x, 'a', 0)", {"a": "attribute"}),
        ("getattr(x, 'a')", {}),
        ("hasattr(x, name)", {}),
        ("hasattr(x, '_a')", {}),
        ("hasattr(x, '__len__')", {"__len__": "method"}),
        ("hasattr(x, '__wrapped__')", {}),
        ("callable(x)", {"__call__": "method"}),
        ("try:\n    x.a()\nexcept AttributeError:\n    pass", {"a": "method"}),
        ("try:\n    x.a = y.b\nexcept (KeyError, AttributeError):\n    pass", {"b": "attribute"}),
        ("try:\n    x.a()\nexcept KeyError:\n    pass", {}),
    ],
)
def test_what_code_asks_for(source: str, names: dict[str, str]) -> None:
    assert names == asked_for(ast.parse(source))


OPTIONS = {"size": "attribute", "flush": "method", "__len__": "method"}


class Drawing:
    """A duck of a run, which has `close` in any case."""

    def __init__(self, **there: int) -> None:
        trace.start()
        self.inputs = Inputs({f"x.{name}?there": value for name, value in there.items()})
        answering = Answering(IntPlan(3))
        plan = MockPlan("", "duck", (), offered({"close": "method"}), lambda _: answering, options=OPTIONS)
        self.value, _ = plan.build(self.inputs, "x")

    def rebuilt(self) -> Any:
        """The mock of the recipe that the run left."""
        (recipe,) = [mock.recipe(lambda part: part) for mock in self.inputs.pool.mocks]
        return build(recipe, NamedValues())


@pytest.fixture(autouse=True)
def _stopped() -> Iterator[None]:
    yield
    Inputs({})
    trace.stop()


def test_a_member_that_is_there_is_answered_for() -> None:
    value = Drawing(size=1, flush=1, __len__=1).value
    assert (True, True) == (hasattr(value, "size"), hasattr(value, "flush"))
    assert (3, 3, 3) == (value.size, value.flush(), value.close())
    assert 3 == len(value)


def test_one_that_is_not_raises_as_any_other() -> None:
    value = Drawing(size=0, flush=0, __len__=0).value
    assert (False, False, False) == tuple(hasattr(value, name) for name in OPTIONS)
    with pytest.raises(AttributeError, match="has no attribute 'size'"):
        _ = value.size
    with pytest.raises(TypeError):
        len(value)


def test_what_nobody_asks_for_is_never_there() -> None:
    drawing = Drawing()
    assert not hasattr(drawing.value, "other")
    assert "x.other?there" not in drawing.inputs.variables


def test_whether_it_is_there_is_a_choice() -> None:
    drawing = Drawing()
    assert hasattr(drawing.value, "size")  # a duck has what is used of it
    assert "x.size?there" in drawing.inputs.structural


def test_replay_has_it_just_where_the_run_had() -> None:
    drawing = Drawing(size=1, flush=0, __len__=1)
    assert (3, False) == (drawing.value.size, hasattr(drawing.value, "flush"))
    again = drawing.rebuilt()
    assert (3, False, True) == (again.size, hasattr(again, "flush"), hasattr(again, "__len__"))
