"""Parameters and receivers of what is discovered: defaults, problems, failed set-ups."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from runtime.inputs import UnfitInput
from tracetwin.drawing.discovery.discovery import discover
from tracetwin.drawing.discovery.invokables import PlannedInvokable, build_receiver
from tracetwin.drawing.objects.construct import ConstructPlan
from tracetwin.drawing.plans.draw import PlainDraw
from tracetwin.drawing.plans.parameters import build_arguments
from tracetwin.drawing.plans.plans import SetupFailed
from tracetwin.drawing.seeds.constants import NearConstants
from tracetwin.model import recipes
from tracetwin.model.recipe import Call, PreparedObject, Scalar

MakeModule = Callable[..., ModuleType]


def by_name(found: list[PlannedInvokable]) -> dict[str, PlannedInvokable]:
    return {item.qualname: item for item in found}


def call_of(module: ModuleType, name: str, **assignment: Any) -> tuple[list[Any], dict[str, Any], str]:
    (item,) = [found for found in discover(module) if found.qualname == name]
    names = {key.replace("__", "?"): value for key, value in assignment.items()}
    made = build_arguments(PlainDraw(names), item.parameters)
    parts = [str(recipes.evaluate(r)) for r in made.arg_recipes]
    parts += [f"{key}={recipes.evaluate(r)}" for key, r in made.kwarg_recipes]
    return made.args, made.kwargs, ", ".join(parts)


def test_a_default_is_where_the_search_begins_and_is_not_written(make_module: MakeModule) -> None:
    module = make_module(
        """
        SENTINEL = object()
        def f(a: int, b: int = 5, *rest: int, c: str = "x", d=SENTINEL, e: "list[int]" = (1, 2)): return a
        def g(a: int, /, b: int = 1, c: bool = True): return a
        def h(a: int = 1, b: int = 2, /): return a
        """
    )
    args, kwargs, text = call_of(module, "f")
    assert (args, kwargs, text) == ([0, 5], {"c": "x", "e": [1, 2]}, "0, e=[1, 2]")
    assert call_of(module, "f", c="y", d__given=1)[2].startswith("0, c=y, d=")
    assert call_of(module, "f", **{"rest#": 2, "rest[1]": 7})[0] == [0, 5, 0, 7]
    assert call_of(module, "f", **{"rest#": 2})[2].startswith("0, 5, 0, 0")
    assert call_of(module, "g", c=False)[2] == "0, c=False"
    assert call_of(module, "g")[2] == "0"
    assert call_of(module, "h", b=3)[2] == "1, 3"
    assert call_of(module, "h")[2] == ""


# Bad input: a named reason, never a crash


@pytest.mark.parametrize(
    ("source", "name", "reason"),
    [
        ("def f(x: Missing): pass", "f", "argument type could not be built: Missing of parameter 'x'"),
        ("def f(x: 'a b'): pass", "f", "can't be evaluated"),
        (
            "import typing\nclass P(typing.Protocol): pass\ndef f(x: P): pass",
            "f",
            "protocol P has no concrete class",
        ),
        ("class A:\n  def __init__(self, b: B): 0\nclass B:\n  def __init__(self, a: A): 0\ndef f(x: A): 0",
         "f", "nested too deep"),
        ("class M(type): pass\ndef f(x: M): pass", "f", "M is a metaclass"),
        ("def f():\n  class L: 0\n  return L\nK = [f()]\ndef g(x: K[0]): 0", "g", "can't be imported"),
        ("import threading\ndef f(x: threading.Thread.start): pass", "f", "not a type"),
        ("import enum\nclass E(enum.Enum): pass\ndef f(x: E): pass", "f", "the enum E has no members"),
    ],
)  # fmt: skip
def test_what_cannot_be_built_is_a_problem_with_its_reason(
    source: str, name: str, reason: str, make_module: MakeModule
) -> None:
    module = make_module("from __future__ import annotations\n" + source)
    problem = by_name(discover(module))[name].problem
    assert problem is not None
    assert re.search(re.escape(reason), problem), problem


def test_classes_that_refuse_are_a_failed_setup(make_module: MakeModule) -> None:
    module = make_module(
        """
        class Refusing(type):
            def __call__(cls, *args, **kwargs):
                raise TypeError("not today")
        class A(metaclass=Refusing):
            def __init__(self, n: int): pass
            def m(self): pass
        class Grumpy:
            def __init__(self, n: int):
                if n < 1: raise ValueError("too small")
            def m(self): return 1
        """
    )
    found = by_name(discover(module))
    with pytest.raises(SetupFailed, match="A raised TypeError: not today"):
        build_receiver(PlainDraw(), found["A.m"], "a")
    with pytest.raises(SetupFailed, match="Grumpy raised ValueError: too small"):
        build_receiver(PlainDraw(), found["Grumpy.m"], "g")
    assert build_receiver(PlainDraw({"g.n": 1}), found["Grumpy.m"], "g")[0].m() == 1


def test_metaclasses_that_forbid_to_look_are_a_problem(make_module: MakeModule) -> None:
    module = make_module(
        """
        class _Unequal(type):
            def __eq__(cls, other): raise RuntimeError("never")
        class _Deaf(type):
            def __getattribute__(cls, name):
                if name == "__init__": raise RuntimeError("deaf")
                return super().__getattribute__(name)
        class A(metaclass=_Unequal):
            def m(self): return 1
        class B(metaclass=_Deaf):
            def m(self, x: int): return 1
        def f(a: A, b: int): return b
        def g(b: B = None): return b
        """
    )
    found = by_name(discover(module))
    assert {"A.m", "B.m", "f", "g"} <= set(found)
    assert found["f"].problem == "its signature can't be read: TypeError: unhashable type: '_Unequal'"
    assert "deaf" in str(found["B.m"].problem)


def test_odd_members_do_no_harm(make_module: MakeModule) -> None:
    module = make_module(
        """
        import functools, math, operator
        class Explosive:
            def __get__(self, instance, owner): raise RuntimeError("boom")
        class _Meta(type):
            @property
            def loud(cls): raise RuntimeError("boom")
        class A(metaclass=_Meta):
            field = Explosive()
            __slots__ = ("x",)
            root = math.sqrt
            partial = functools.partialmethod(print, 1)
            def fine(self, a=math.inf): return 1
        get = operator.itemgetter(1)
        root = math.sqrt
        nothing = type("nothing", (), {})
        def g(a, b=print, *, c=[1], **kw): return a
        class Loop:
            __wrapped__ = property(lambda self: self)
            def __call__(self): return 1
        loop = Loop()
        """
    )
    found = by_name(discover(module))
    assert {"A.fine", "g"} <= set(found)
    assert "root" not in found
    assert found.pop("loop").problem == "it has no signature that can be read"
    for item in found.values():
        assert item.problem is None
        build_arguments(PlainDraw(), item.parameters)


def test_alternative_constructors_and_subclasses_help(make_module: MakeModule) -> None:
    module = make_module(
        """
        from __future__ import annotations
        import abc
        class Handle:
            def __init__(self, raw: Unknowable): self.raw = raw
            @classmethod
            def parse(cls, text: str) -> Handle:
                made = cls.__new__(cls); made.raw = text
                return made
        class Expr(abc.ABC):
            @abc.abstractmethod
            def value(self) -> int: ...
        class Sum(Expr):
            def __init__(self, left: Expr, right: Expr): self.left, self.right = left, right
            def value(self): return self.left.value() + self.right.value()
        class Num(Expr):
            def __init__(self, n: int): self.n = n
            def value(self): return self.n
        def f(h: Handle, e: Expr): return e.value()
        """
    )
    f = by_name(discover(module))["f"]
    made = build_arguments(PlainDraw({"h.text": "t"}), f.parameters)
    assert made.args[0].raw == "t"
    made_by = Call(module.__name__, "Handle.parse", (Scalar("t"),))
    assert made.arg_recipes[0] == PreparedObject(1, "h", made_by, [])
    assert made.args[1].value() == 0


def test_a_proxy_that_stands_for_nothing_yet_costs_no_other_thing_its_plan(make_module: MakeModule) -> None:
    module = make_module(
        """
        import ast, typing
        class _Proxy:
            def __getattr__(self, name): raise RuntimeError("no context")
            def __call__(self): raise RuntimeError("no context")
        class _Array:
            def __bool__(self): raise ValueError("ambiguous")
        current = _Proxy()
        class Calc:
            table = _Array()
            def run(self, node): return self.table[type(node)]
        def through(*args): return current(*args)
        def size(kind: typing.Type): return len(typing.get_args(kind))
        """
    )
    found = by_name(discover(module))
    assert {"Calc.run", "through", "size"} <= found.keys()
    assert all(item.problem is None for item in found.values())


def test_imports_for_type_checkers_are_found(make_module: MakeModule) -> None:
    module = make_module(
        """
        from __future__ import annotations
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            import decimal as d
            import xml.dom.minidom
            from collections.abc import Sequence
            from absent_library import Thing
        def f(a: Sequence[int], b: d.Decimal, c: Thing): return c.upper()
        def h(a: xml.dom.minidom.Document): return a.firstChild
        def g(c: Thing): return c
        """
    )
    found = by_name(discover(module))
    assert [p.plan and p.plan.describe() for p in found["f"].parameters] == ["list[int]", "Decimal", "str"]
    (document,) = found["h"].parameters
    assert document.plan is not None
    assert "Document" in document.plan.describe()
    assert "absent_library" not in sys.modules
    assert found["g"].problem == (
        "argument type could not be built: Thing of parameter 'c' (the name 'Thing' is unknown here)"
    )


def test_imports_for_type_checkers_are_those_of_the_module_that_the_annotation_stands_in(
    make_module: MakeModule,
) -> None:
    near = make_module(
        """
        from __future__ import annotations
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from decimal import Decimal as Amount
            Number = Amount
        class Box:
            def __init__(self, item: Amount): self.item = item
        """
    )
    module = make_module(
        f"""
        from __future__ import annotations
        from typing import TYPE_CHECKING
        from {near.__name__} import Box
        if TYPE_CHECKING:
            from {near.__name__} import Amount, Number
        def f(b: Box): return b.item[0]
        def g(a: Amount, b: Number): return a
        """
    )
    found = by_name(discover(module))
    (box,) = found["f"].parameters
    assert [item.plan and item.plan.describe() for item in found["g"].parameters] == ["Decimal", "Decimal"]
    assert isinstance(box.plan, ConstructPlan)
    assert [item.plan and item.plan.describe() for item in box.plan.parameters] == ["Decimal"]


def test_what_is_defined_for_type_checkers_has_its_meaning(make_module: MakeModule) -> None:
    module = make_module(
        """
        from __future__ import annotations
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            import decimal
            from typing import TypeAlias, TypeVar, Union
            from typing_extensions import Literal
            Amount = Union[decimal.Decimal, "Count"]
            Count: TypeAlias = int
            Number = TypeVar("Number", bound=Amount)
            Round = list["Round"]
            Lost = absent
        if not TYPE_CHECKING:
            Level = int
        else:
            Kind = bytes
        def f(a: Amount, b: Number, c: list[Number], d: Literal[3]): return a, b, c, d
        def g(a: Lost): return a
        def h(a: Level, b: Kind): return a, b
        """
    )
    found = by_name(discover(module))
    assert [item.plan and item.plan.describe() for item in found["h"].parameters] == ["int", "bytes"]
    plans = [item.plan and item.plan.describe() for item in found["f"].parameters]
    assert plans == ["Decimal | int", "Decimal | int", "list[Decimal | int]", "Literal[3]"]
    assert "the name 'Lost' is unknown here" in str(found["g"].problem)


def test_generic_classes_bind_their_variables(make_module: MakeModule) -> None:
    module = make_module(
        """
        from typing import Generic, TypeVar
        T = TypeVar("T")
        class Box(Generic[T]):
            def __init__(self, item: T): self.item = item
        def f(b: Box[str]): return b.item
        """
    )
    (value,) = build_arguments(PlainDraw(), by_name(discover(module))["f"].parameters).args
    assert value.item == ""


def test_an_alias_that_holds_itself_ends(make_module: MakeModule) -> None:
    module = make_module(
        """
        from typing import Dict, List, Union
        Json = Union[int, str, None, List["Json"], Dict[str, "Json"]]
        def f(data: Json): return data
        """
    )
    (f,) = discover(module)
    made = build_arguments(
        PlainDraw({"data?": 3, "data|3#": 1, "data|3[0]?": 4, "data|3[0]|4#": 1}), f.parameters
    )
    assert made.args == [[{"": 0}]]


# Constants


def test_constants_come_nearest_first_without_docstrings(make_module: MakeModule) -> None:
    module = make_module(
        '''
        """Doc of the module 999."""
        LIMIT = 77
        TABLE = {"key": (1.5, b"raw")}
        def other(): return 3
        def f(x: "int" = 5):
            """Doc of f."""
            if x == -41 or x in ("a", "b"):
                return TABLE[x]
            if x == 6:
                raise ValueError("a sentence for people", "code")
            return f"pre{x}"
        class A:
            top = 8
            def m(self): return 9
        '''
    )
    found = by_name(discover(module))
    mine = NearConstants(module).of(found["f"])
    assert mine["int"][:2] == [5, -41]
    assert mine["str"][:5] == ["a", "b", "code", "pre", "key"]
    assert (mine["float"], mine["bytes"]) == ([1.5], [b"raw"])
    assert not any("Doc" in text for text in mine["str"])
    assert NearConstants(module).of(found["A.m"])["int"][:2] == [9, 8]
    assert 77 in mine["int"]
    assert max(map(len, mine.values())) <= 40


def test_keywords_that_are_taken_for_given_are_passed(make_module: MakeModule) -> None:
    module = make_module(
        """
        from typing import Any

        def wrap(**options: Any):
            if "strict" in options and options["strict"]:
                return options.get("mark", "")
            options["text"] += "("
            return options["lines"].pop(0).strip()
        """
    )
    (wrap,) = discover(module)
    (options,) = wrap.parameters
    assert {"text", "lines"} == options.needed
    made = build_arguments(PlainDraw({}), wrap.parameters)
    assert {"text", "lines"} == set(made.kwargs)
    assert isinstance(made.kwargs["text"], str), "known by what is done with it, though annotated as anything"
    asked = build_arguments(PlainDraw({"options.strict?in": 1}), wrap.parameters)
    assert {"text", "lines", "strict"} == set(asked.kwargs)


def test_parameters_that_only_a_signature_tells_are_passed_by_name(make_module: MakeModule) -> None:
    module = make_module(
        """
        import inspect

        def interface(width: int, text: str): ...

        def like_interface(function):
            function.__signature__ = inspect.signature(interface)
            return function

        @like_interface
        def shown(**given):
            return given["text"] * given["width"]
        """
    )
    shown = by_name(discover(module))["shown"]
    made = build_arguments(PlainDraw({}), shown.parameters)
    assert ([], {"width", "text"}) == (made.args, set(made.kwargs))


HANDED_ON = """
    class Box:
        def __init__(self, width: int, *, name="a"):
            self.width, self.label = width, name.upper()

    def area(text, factor=2, **rest):
        if rest["unit"] == "cm":
            return text.strip() * factor
        return text.upper()

    def made(**options): return Box(**options)
    def shown(**options): return area(**options)
    def part(text, **more): return area(text, factor=3, **more)
    def beyond(*args, **more): return area(*args, **more)
"""


@pytest.mark.parametrize(
    ("function", "known", "expected"),
    [
        ("made", {"width": "int", "name": "str"}, {"width"}),
        ("shown", {"text": "str", "factor": "int", "unit": "str"}, {"text", "unit"}),
        ("part", {"unit": "str"}, {"unit"}),
        ("beyond", {"unit": "str"}, {"unit"}),
    ],
)
def test_keywords_are_those_of_whom_they_are_handed_on_to(
    make_module: MakeModule, function: str, known: dict[str, str], expected: set[str]
) -> None:
    options = by_name(discover(make_module(HANDED_ON)))[function].parameters[-1]
    plans = dict(zip(options.keywords, [plan.describe() for plan in options.of_keywords], strict=True))
    assert known.items() <= plans.items()
    assert expected == options.needed


@pytest.mark.parametrize("waiting", ["asyncio.sleep", "time.sleep", "time.monotonic", "random.random"])
def test_a_default_that_waits_or_asks_a_clock_is_always_replaced(
    make_module: MakeModule, waiting: str
) -> None:
    module = make_module(
        f"""
        import asyncio, random, time
        from collections.abc import Callable
        def f(n: int = 1, wait: Callable[..., float] = {waiting}, other: Callable[..., float] = max): ...
        """
    )
    (item,) = [found for found in discover(module) if found.qualname == "f"]
    n, wait, other = item.parameters
    assert [n.has_default, wait.has_default, other.has_default] == [True, False, True]


def test_a_clock_that_nobody_annotated_is_replaced_by_one_that_never_goes_back(
    make_module: MakeModule,
) -> None:
    module = make_module(
        """
        import time
        def f(clock=time.time, sleep=time.sleep):
            start = clock()
            sleep(1)
            return clock() - start
        """
    )
    (item,) = [found for found in discover(module) if found.qualname == "f"]
    clock, sleep = item.parameters
    assert not clock.has_default
    assert not sleep.has_default
    assert getattr(clock.plan, "rises", False)
    assert not getattr(sleep.plan, "rises", True)
    assert clock.plan is not None
    steady, _ = clock.plan.build(PlainDraw({"c()": 3, "c(2)": 3}), "c")
    assert [3, 3] == [steady(), steady()]
    going_back, _ = clock.plan.build(PlainDraw({"c()": 3, "c(2)": 2}), "c")
    going_back()
    with pytest.raises(UnfitInput):
        going_back()
