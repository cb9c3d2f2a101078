"""Arguments of subclasses of what is annotated, and exceptions as arguments."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from runtime import trace
from runtime.inputs import Inputs
from runtime.models.calls.callee import callee
from tracetwin.drawing.discovery.discovery import discover
from tracetwin.drawing.plans.parameters import build_arguments

MakeModule = Callable[..., ModuleType]


@pytest.mark.parametrize(
    ("source", "described"),
    [
        ("def f(e: Exception): return isinstance(e, (ValueError, int))", "Exception | ValueError"),
        ("def f(n: int): return isinstance(n, bool)", "int | bool"),
        ("def f(n: int): return isinstance(n, (str, int))", "int"),
        ("import inspect\ndef f(x): return inspect.isclass(x)", "type[int] | None | int"),
    ],
)
def test_classes_that_the_code_asks_for(source: str, described: str, make_module: MakeModule) -> None:
    (found,) = discover(make_module(source))
    plan = found.parameters[0].plan
    assert plan is not None
    assert plan.describe() == described


def test_the_message_of_an_exception_stays_traced(make_module: MakeModule) -> None:
    (found,) = discover(make_module("def f(e: ValueError): return str(e)"))
    trace.start()
    given = build_arguments(Inputs({"e.message": "gone"}), found.parameters)
    text = callee(str)(given.args[0])
    assert text == "gone"
    assert text.e.names == {"e.message"}
    assert callee(str)(KeyError(text)) == "'gone'", "others show it in another way"


def test_an_enum_without_members_stands_for_those_derived_from_it(make_module: MakeModule) -> None:
    source = """
        import enum
        class Sign(enum.Enum): pass
        class Less(Sign): LT = "<"
        class Equal(Sign): EQ = "="
        def f(sign: Sign): return sign.value
    """
    (found,) = discover(make_module(source))
    assert found.parameters[0].plan is not None
    assert found.parameters[0].plan.describe() == "Less | Equal"
