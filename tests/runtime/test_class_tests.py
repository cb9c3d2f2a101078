"""What a program asks of a value whose class a choice decides is a formula that agrees with CPython."""

from __future__ import annotations

import abc
import collections.abc  # noqa: F401 - questions name it
import enum
import functools
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType
from typing import Any

import pytest

from instrumenter.transform import instrument
from runtime import trace, twin
from runtime.class_choices import Alternative
from runtime.evaluate import evaluate
from runtime.inputs import Inputs
from runtime.trace import Kind
from runtime.values import SBool, plain


class Base:
    shared = 1


class Derived(Base):
    def __init__(self) -> None:
        self.own = 2


class Other:
    def __call__(self) -> None: ...

    def __len__(self) -> int:
        return 1


class Slotted:
    __slots__ = ("cell",)

    def __init__(self) -> None:
        self.cell = 1


@dataclass(frozen=True)
class Point:
    x: int = 0


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self) -> int: ...


class Square(Shape):
    def area(self) -> int:
        return 1


@Shape.register
class Registered:
    pass


class Hooked(abc.ABC):  # noqa: B024 - what matters is the hook
    @classmethod
    def __subclasshook__(cls, other: type) -> Any:
        return True if cls is Hooked and "own" in other.__name__.lower() else NotImplemented


class Owned:
    pass


@typing.runtime_checkable
class Sized(typing.Protocol):
    def __len__(self) -> int: ...


@typing.runtime_checkable
class HasX(typing.Protocol):
    x: int


class Asking(type):
    def __instancecheck__(cls, value: object) -> bool:
        return getattr(value, "shared", 0) == 1


class Asked(metaclass=Asking):
    pass


class Level(enum.IntEnum):
    LOW = 1


MAKERS: list[tuple[type, Callable[[Inputs], Any]]] = [
    (Base, lambda _: Base()),
    (Derived, lambda _: Derived()),
    (Other, lambda _: Other()),
    (Slotted, lambda _: Slotted()),
    (Point, lambda _: Point()),
    (Square, lambda _: Square()),
    (Registered, lambda _: Registered()),
    (Owned, lambda _: Owned()),
    (int, lambda inputs: inputs.integer("n", 3)),
    (bool, lambda inputs: inputs.boolean("b", True)),
    (str, lambda inputs: inputs.text("s", "a")),
    (float, lambda inputs: inputs.floating("f", 1.5)),
    (list, lambda inputs: inputs.listed([1], inputs.length("l#", 1, 3)[1])),
    (dict, lambda _: {}),
    (tuple, lambda _: (1, 2)),
    (type(None), lambda _: None),
    (type(lambda: 0), lambda _: lambda: 0),
]

QUESTIONS = """
isinstance(x, Base)
isinstance(x, Derived)
isinstance(x, (Other, Slotted))
isinstance(x, (int, (str, Base)))
isinstance(x, int | None)
isinstance(x, typing.Union[str, Shape])
isinstance(x, typing.List)
isinstance(x, int)
isinstance(x, bool)
isinstance(x, object)
isinstance(x, Shape)
isinstance(x, Hooked)
isinstance(x, Sized)
isinstance(x, HasX)
isinstance(x, collections.abc.Hashable)
isinstance(x, collections.abc.Callable)
isinstance(x, collections.abc.Iterable)
isinstance(x, type)
isinstance(x, Level)
not isinstance(x, (Base, Shape))
isinstance(x, Asked)
issubclass(type(x), Base)
issubclass(type(x), (Shape, int))
type(x) is Base
type(x) is not Derived
type(x) == int
type(x) != bool
type(x) in (Base, int, str)
type(x) not in [list, dict]
Base is type(x)
x is None
x is not None
None is x
hasattr(x, "shared")
hasattr(x, "own")
hasattr(x, "cell")
hasattr(x, "x")
hasattr(x, "__len__")
hasattr(x, "missing")
callable(x)
not callable(x)
""".strip().splitlines()

UNKNOWN = {"isinstance(x, Asked)"}
"""Answered by code that looks at the value: nothing is known of other classes."""

NAMES = dict(globals())


def native(question: str, value: Any) -> Any:
    return eval(question, {**NAMES, "x": value})


def untraced(value: Any) -> Any:
    return list(value) if isinstance(value, list) else plain(value)


def drawn(place: int) -> tuple[Inputs, Any]:
    """One input of which `x` is that alternative."""
    trace.start()
    inputs = Inputs({"x?": place})
    chosen = inputs.choice("x?", len(MAKERS))
    value = MAKERS[chosen][1](inputs)
    inputs.decided(value, "x?", chosen, [Alternative(cls) for cls, _ in MAKERS])
    return inputs, value


@functools.lru_cache
def rewritten(question: str) -> CodeType:
    twin_of = instrument(f"def ask(x):\n    return {question}\n", name="asking", filename="asking.py")
    return compile(twin_of.source, "asking.py", "exec")


def asked(question: str, value: Any) -> Any:
    names: dict[str, Any] = {**NAMES, "_tt": twin}
    exec(rewritten(question), names)
    return names["ask"](value)


@pytest.fixture(autouse=True)
def _disarmed() -> Iterator[None]:
    yield
    Inputs({})
    trace.stop()


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("place", range(len(MAKERS)), ids=lambda place: MAKERS[place][0].__name__)
def test_the_formula_says_what_python_says_of_every_alternative(place: int, question: str) -> None:
    _, value = drawn(place)
    answer = asked(question, value)
    expected = [native(question, untraced(make(Inputs({})))) for _, make in MAKERS]
    assert expected[place] is plain(answer)
    if type(answer) is SBool:
        assert expected == [evaluate(answer.e, {"x?": other}) for other in range(len(MAKERS))]
    elif value is not None:
        assert question in UNKNOWN or len(set(expected)) == 1


def test_a_branch_on_it_is_a_condition_at_its_site() -> None:
    _, value = drawn(0)
    twin.truth(asked("isinstance(x, Base)", value), 7)
    node, site, outcome, kind = trace.current.path[-1]
    assert (7, 1, Kind.BRANCH) == (site, outcome, kind)
    assert {"x?"} == node.names


def test_none_is_worth_another_try_for_each_value_that_may_be_something_else() -> None:
    inputs, _ = drawn([cls for cls, _ in MAKERS].index(type(None)))
    inputs.decided(None, "y?", 0, [Alternative(type(None)), Alternative(int)])
    assert asked("x is None", None) is True
    hints = [entry for entry in trace.current.path if entry[3] == Kind.HINT]
    assert [frozenset({"x?"}), frozenset({"y?"})] == [node.names for node, *_ in hints]


def test_what_follows_for_the_classes_that_are_known_is_no_proof() -> None:
    _, value = drawn(0)
    for site in (7, 8):
        twin.truth(asked("isinstance(x, Base)", value), site)
    assert {} == trace.current.entailed


def test_a_choice_within_a_choice_takes_both_into_the_formula() -> None:
    trace.start()
    inputs = Inputs({"x?": 1})
    inner = inputs.choice("T?", 2)
    value = Base()
    inputs.decided(value, "T?", inner, [Alternative(Base), Alternative(int)])
    outer = inputs.choice("x?", 2)
    inputs.decided(value, "x?", outer, [Alternative(str), Alternative(None)])
    node = asked("isinstance(x, Base)", value).e
    assert {"x?", "T?"} == node.names
    assert [evaluate(node, {"x?": x, "T?": t}) for x, t in ((0, 0), (1, 0), (1, 1))] == [False, True, False]


def test_a_class_that_is_not_known_is_tried_where_no_known_one_would_do() -> None:
    trace.start()
    inputs = Inputs({})
    value = Base()
    inputs.decided(value, "x?", 0, [Alternative(Base), Alternative(None), Alternative(Derived)])
    known = asked("isinstance(x, Derived)", value).e
    unknown = asked("isinstance(x, Base)", value).e
    assert [False, False, True] == [evaluate(known, {"x?": place}) for place in range(3)]
    assert [True, False, True] == [evaluate(unknown, {"x?": place}) for place in range(3)]


def test_without_such_a_value_python_s_own_functions_are_called() -> None:
    trace.start()
    Inputs({})
    assert twin.callee2(isinstance) is isinstance
    assert "is_" == twin.is_const.__name__
    drawn(0)
    assert twin.callee2(isinstance) is not isinstance
    Inputs({})
    assert twin.callee2(isinstance) is isinstance


def test_errors_are_python_s_own() -> None:
    _, value = drawn(0)
    with pytest.raises(TypeError, match="arg 2 must be a type"):
        asked("isinstance(x, 3)", value)


def test_a_hook_of_the_program_runs_unseen() -> None:
    _, value = drawn(7)

    class Noisy(abc.ABC):  # noqa: B024 - what matters is the hook
        @classmethod
        def __subclasshook__(cls, other: type) -> Any:
            twin.truth(True, 99)
            return other is Owned

    NAMES["Noisy"] = Noisy
    try:
        answer = asked("isinstance(x, Noisy)", value)
    finally:
        del NAMES["Noisy"]
    assert answer.v is True
    assert [place == 7 for place in range(len(MAKERS))] == [
        evaluate(answer.e, {"x?": place}) for place in range(len(MAKERS))
    ]


def test_a_run_that_asks_for_classes_still_makes_new_ones_in_the_module_that_asks() -> None:
    _, value = drawn(0)
    made = asked('type(x), type("Made", (type(x),), {"own": 1})', value)
    assert made[0] is Base
    assert (made[1].__mro__[1], made[1].own, made[1].__module__) == (Base, 1, __name__)


def test_a_class_that_can_not_be_made_raises_what_python_says_in_such_a_run() -> None:
    _, value = drawn(0)
    with pytest.raises(TypeError, match="1 or 3 arguments"):
        asked("type(x, ())", value)
