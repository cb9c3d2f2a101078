"""What a parameter may be where it is of none of the classes that the code asks it for."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from tracetwin.drawing.discovery.discovery import discover

MakeModule = Callable[..., ModuleType]


@pytest.mark.parametrize(
    ("body", "described"),
    [
        ("if isinstance(x, str): y = [x]\n  else: y = list(x)\n  return y", "str | list[str] | None | int"),
        ("if isinstance(x, str): return [x]\n  return [one for one in x]", "str | list[str] | None | int"),
        ("return x if isinstance(x, str) else x.items()", "str | dict[str, int] | None | int"),
        ("if type(x) is str: return 1\n  return x.items()", "str | dict[str, int] | None | int"),
        ("if not isinstance(x, str): return dict(x)\n  return {}", "str | dict[str, int] | None | int"),
        (
            "if isinstance(x, str): return 1\n  elif isinstance(x, dict): return 2\n  else: return list(x)",
            "str | list[int] | dict[str, int] | None | int",
        ),
        ("if isinstance(x, str): return 1\n  return x.upper()", "str | None | int"),
        ("if isinstance(x, str): pass\n  return list(x)", "str | None | int"),
        ("if isinstance(x, (list, str)): return 1\n  return len(x)", None),
        ("def inner(x): return x if isinstance(x, str) else list(x)\n  return x.upper()", "str | None | int"),
    ],
)
def test_what_the_code_does_there_tells(body: str, described: str | None, make_module: MakeModule) -> None:
    (found,) = discover(make_module(f"def f(x='a'):\n  {body}\n"))
    plan = found.parameters[0].plan
    assert plan is not None
    if described is None:
        assert plan.describe().count("list") == 1
    else:
        assert plan.describe() == described


def test_methods_are_looked_into(make_module: MakeModule) -> None:
    source = """
        class Table:
            def put(self, rows=""):
                if isinstance(rows, str):
                    return rows
                return self._all(rows)
            def _all(self, rows):
                return rows.items()
    """
    (found,) = (item for item in discover(make_module(source)) if item.name == "put")
    assert found.parameters[0].plan is not None
    assert found.parameters[0].plan.describe() == "str | dict[str, int] | None | int"


def plan_of(source: str, name: str, make_module: MakeModule) -> str:
    (found,) = (item for item in discover(make_module(source)) if item.qualname == name)
    assert found.parameters[-1].plan is not None
    return found.parameters[-1].plan.describe()


def test_what_a_handler_does_with_a_value_that_was_refused_tells(make_module: MakeModule) -> None:
    source = """
        def as_number(text):
            try:
                return float(text)
            except TypeError:
                return sum(x * 2 for x in text)
    """
    assert "list[int]" in plan_of(source, "as_number", make_module)


SPAN = """
    import datetime
    from decimal import Decimal
    from pathlib import Path
    class Span:
        def __init__(self, months=0, days=0, name="x", rate="0.5"):
            self.months = months
            self.delta = datetime.timedelta(days)
            self.name = name
            self.rate = Decimal(rate)
            self.root = Path("a")
        def plus(self, other): return self.delta + other
        def over(self, limit): return self.delta > limit
        def named(self, other): return self.name + other
        def rated(self, amount): return self.rate * amount
        def inside(self, part): return self.root / part
        def until(self, when):
            now = datetime.datetime.now()
            return when < now
        def __add__(self, other):
            if isinstance(other, Span):
                return other.months + other.delta.days
            try:
                return other.month + self.months
            except AttributeError:
                return self.delta + other
"""


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("plus", "timedelta"), ("over", "timedelta"), ("named", "str"), ("rated", "Decimal"),
        ("inside", "Path | str"), ("until", "datetime"),
    ],
)  # fmt: skip
def test_an_operand_is_of_the_class_of_what_the_object_holds(
    name: str, first: str, make_module: MakeModule
) -> None:
    assert plan_of(SPAN, f"Span.{name}", make_module).startswith(first)


def test_a_class_that_is_asked_for_stands_beside_what_else_is_tried(make_module: MakeModule) -> None:
    kinds = plan_of(SPAN, "Span.__add__", make_module).split(" | ")
    assert {"Span", "timedelta", "date"} <= {*kinds}


MESSAGES = """
    from itertools import takewhile as _until
    class Rule:
        def __init__(self, message=None):
            self.message = message
        def told(self, field):
            message = self.message
            if message is None:
                message = field.text("?")
            return message % {"a": 1}
    LEFT_OUT = object()
    def until(test, values=LEFT_OUT):
        if values is LEFT_OUT:
            test, values = bool, test
        return _until(test, values)
"""


def test_what_stands_before_a_percent_sign_and_a_dict_is_a_text(make_module: MakeModule) -> None:
    (rule,) = (item for item in discover(make_module(MESSAGES)) if item.qualname == "Rule")
    assert rule.parameters[-1].plan is not None
    assert rule.parameters[-1].plan.describe().startswith("str")


def test_a_parameter_is_another_thing_where_one_behind_it_is_left_out(make_module: MakeModule) -> None:
    (until,) = (item for item in discover(make_module(MESSAGES)) if item.qualname == "until")
    plans = [parameter.plan for parameter in until.parameters]
    assert plans[0] is not None
    assert plans[0].describe().startswith("function returning int | list[int]")


def test_what_is_asked_for_as_an_attribute_is_a_name(make_module: MakeModule) -> None:
    source = "class Lazy:\n  def __getattr__(self, item): return self.parts[item]"
    assert plan_of(source, "Lazy.__getattr__", make_module).startswith("str")
