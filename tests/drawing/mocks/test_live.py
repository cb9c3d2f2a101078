"""A mock in a run: answers are drawn at the call; the recipe of it gives the same answers again."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from runtime import trace
from runtime.expr import Sort, var
from runtime.values import wrap
from tracetwin.drawing.discovery.planner import Planner
from tracetwin.drawing.mocks.build import build
from tracetwin.drawing.mocks.live import MOST_CALLS, PATIENCE
from tracetwin.drawing.mocks.standin import forget
from tracetwin.drawing.plans.draw import PlainDraw
from tracetwin.model import recipes
from tracetwin.model.recipe import Answer, Lambda, MockMember, MockRecipe, Recipe, Reference, Scalar
from tracetwin.model.recipes import NamedValues
from tracetwin.model.settled_mocks import Settling

MakeModule = Callable[..., ModuleType]

SOURCE = """
    from __future__ import annotations
    from abc import ABC, abstractmethod
    from collections.abc import AsyncIterator, Callable, Iterator
    from typing import Protocol

    class Picky:
        def __init__(self, x: int) -> None:
            raise ValueError("never")

    class Bus(ABC):
        size: int
        limit = 3
        @abstractmethod
        def poll(self, key: int = 0) -> int | None: ...
        @abstractmethod
        def ask(self) -> bool: ...
        @abstractmethod
        def text(self) -> str: ...
        @abstractmethod
        def fill(self, items: list[int]) -> None: ...
        @abstractmethod
        def read_into(self, buffer: bytearray) -> int: ...
        @abstractmethod
        def load(self, target: dict[str, int]) -> None: ...
        @abstractmethod
        async def later(self) -> int: ...
        @abstractmethod
        def stream(self) -> AsyncIterator[int]: ...
        @abstractmethod
        def add(self, x: int) -> Bus: ...
        @abstractmethod
        def sub(self) -> Sub: ...
        @abstractmethod
        def picky(self) -> Picky: ...
        @property
        @abstractmethod
        def name(self) -> str: ...
        @classmethod
        @abstractmethod
        def version(cls) -> int: ...
        @abstractmethod
        def __iter__(self) -> Bus: ...
        @abstractmethod
        def __next__(self) -> int: ...
        def twice(self) -> int:
            return (self.poll() or 0) * 2

    class Sub(Protocol):
        def value(self) -> int: ...

    def use(bus: Bus):
        items, buffer, target = [], bytearray(2), {}
        bus.fill(items)
        bus.read_into(buffer)
        bus.load(target)
        return items, buffer, target

    def guarded(bus: Bus):
        try:
            return bus.poll()
        except TimeoutError:
            return -1
        except OSError as error:
            return str(error)

    def taken(call: Callable[[int], int]): ...
"""


def settled(recipe: Recipe, mocks: Any) -> Any:
    return Settling(mocks).recipe(recipe)


class Case:
    """One mock in a run, and the same in a replay."""

    def __init__(self, module: ModuleType, **assignment: Any) -> None:
        self.module = module
        planner = Planner(module)
        self.draw = PlainDraw({name.replace("__", "?"): value for name, value in assignment.items()})
        self.draw.pool.raised = planner.mocks.raised
        plan = planner.resolver.plan(module.Bus, planner.scope())
        self.mock, self.recipe = plan.build(self.draw, "bus")

    def again(self) -> Any:
        """What a replay builds of it."""
        return build(settled(self.recipe, self.draw.pool.mocks), NamedValues(build))

    def settled(self) -> MockRecipe:
        found = settled(self.recipe, self.draw.pool.mocks)
        assert isinstance(found, MockRecipe)
        return found

    def member(self, name: str) -> MockMember:
        return self.settled().members[name]


@pytest.fixture
def case(make_module: MakeModule, monkeypatch: pytest.MonkeyPatch):
    module = make_module(SOURCE)
    monkeypatch.setattr(recipes, "is_traced", lambda name: name == module.__name__)

    def make(assignment: dict[str, Any] | None = None) -> Case:
        made = Case(module)
        made.draw.assignment.update(assignment or {})
        return made

    yield make
    forget()


def test_each_call_has_a_result_of_its_own(case):
    run = case({"bus.poll()": 5, "bus.poll(2)": 7})
    assert [5, 7] == [run.mock.poll(1), run.mock.poll(2)]
    again = run.again()
    assert [7, 5] == [again.poll(2), again.poll(1)]


def test_equal_arguments_are_answered_alike_at_first(case):
    run = case({"bus.poll()": 5})
    assert [5, 5] == [run.mock.poll(1), run.mock.poll(1)]
    assert 5 != run.mock.poll(2)


def test_equal_arguments_may_be_answered_differently(case):
    run = case({"bus.poll()": 5, "bus.poll(2)": 6})
    assert [5, 6] == [run.mock.poll(1), run.mock.poll(1)]
    again = run.again()
    assert [5, 6] == [again.poll(1), again.poll(1)]


@pytest.mark.parametrize(("member", "end"), [("poll", None), ("ask", True), ("text", "")])
def test_after_a_while_results_end_loops(case, member, end):
    run = case({"bus.text()": "a", "bus.poll()": 1})
    answers = [getattr(run.mock, member)() for _ in range(PATIENCE + 1)]
    assert end not in answers[:-1]
    assert end == answers[-1]


def test_an_endless_loop_ends_the_run(case):
    run = case()
    for _ in range(MOST_CALLS):
        run.mock.poll()
    with pytest.raises(trace.StepLimit):
        run.mock.poll()


def test_an_iterator_stops(case):
    run = case({"bus.__next__()": 3})
    assert [3] == list(run.mock)
    assert [3] == list(run.again())


def test_attributes_and_properties_are_asked_once(case):
    run = case({"bus.size": 4, "bus.name": "x"})
    assert (4, 4, "x") == (run.mock.size, run.mock.size, run.mock.name)
    assert (4, "x") == (run.again().size, run.again().name)
    run.mock.size = 9
    assert 9 == run.mock.size


def test_values_of_the_class_stay_as_they_are_at_first(case):
    run = case()
    assert 3 == run.mock.limit == type(run.mock).limit
    assert "limit" not in run.settled().members
    assert 3 == run.again().limit


def test_values_of_the_class_may_be_others_in_an_instance(case):
    run = case({"bus.limit": 8})
    assert 8 == run.mock.limit
    assert 8 == run.again().limit


def test_class_methods_are_answered_on_class_and_instance(case):
    run = case({"bus.version()": 4, "bus.version(2)": 4})
    assert [4, 4] == [run.mock.version(), type(run.mock).version()]
    assert 4 == type(run.again()).version()


def test_a_mock_may_give_itself(case):
    run = case()
    assert run.mock.add(1) is run.mock
    assert iter(run.mock) is run.mock
    again = run.again()
    assert again.add(1) is again


def test_nested_mocks_are_one_object_for_equal_calls(case):
    run = case({"bus.sub().value()": 6})
    first = run.mock.sub()
    assert run.mock.sub() is first
    assert 6 == first.value()
    again = run.again()
    assert again.sub() is again.sub()
    assert 6 == again.sub().value()


def test_coroutines_and_asynchronous_generators(case):
    run = case({"bus.later()": 5, "bus.stream()[0]": 8})

    async def used(bus: Any) -> list[int]:
        return [await bus.later(), *[item async for item in bus.stream()]]

    assert [5, 8] == asyncio.run(used(run.mock))
    assert [5, 8] == asyncio.run(used(run.again()))


def test_exceptions_are_those_handled_around_the_call(case):
    run = case({"bus.poll()!": 1})
    assert -1 == run.module.guarded(run.mock)
    answer = run.member("poll").calls[0].answer
    assert Answer(Reference("builtins", "TimeoutError"), raises=True) == answer
    assert -1 == run.module.guarded(run.again())


def test_an_exception_that_a_handler_looks_at_has_a_drawn_message(case):
    run = case({"bus.poll()!": 2, "bus.poll()!2": "gone"})
    assert "gone" == run.module.guarded(run.mock)
    assert "gone" == run.module.guarded(run.again())


def test_elsewhere_nothing_is_raised(case):
    run = case({"bus.poll()!": 1})
    assert run.mock.poll() is None or isinstance(run.mock.poll(), int)


def test_mutable_arguments_may_be_filled(case):
    run = case({"bus.fill()<0": 1, "bus.fill()<0[0]": 5, "bus.load()<0": 1, "bus.read_into()<0": 1,
                "bus.read_into()<0[1]": 9})  # fmt: skip
    items, buffer, target = run.module.use(run.mock)
    assert items
    assert bytearray(b"\x00\x09") == buffer
    assert (items, buffer, target) == run.module.use(run.again())


def test_mutable_arguments_are_left_alone_at_first(case):
    run = case()
    assert ([], bytearray(2), {}) == run.module.use(run.mock)


def test_what_cannot_be_built_ends_the_run_past_all_handlers(case):
    run = case()
    with pytest.raises(trace.RunAborted), contextlib.suppress(Exception):
        run.mock.picky()


def test_wrong_arguments_are_refused(case):
    run = case()
    with pytest.raises(TypeError):
        run.mock.poll(1, 2, 3)


def test_that_code_of_the_interface_runs_is_noted(case):
    run = case({"bus.poll()": 4})
    assert not run.settled().inherits
    assert 8 == run.mock.twice()
    assert run.settled().inherits


def test_what_nobody_called_is_not_implemented(case):
    with pytest.raises(NotImplementedError):
        case().again().poll()


def test_functions_answer_by_argument(case, make_module: MakeModule):
    run = case()
    planner = Planner(run.module)
    draw = PlainDraw({"f()": 3, "f(2)": 4})
    annotation = run.module.taken.__annotations__["call"]
    function, recipe = planner.resolver.plan(annotation, planner.scope(run.module.taken)).build(draw, "f")
    assert [3, 4] == [function(1), function(2)]
    again = build(settled(recipe, draw.pool.mocks), NamedValues(build))
    assert [4, 3] == [again(2), again(1)]
    with pytest.raises(TypeError):
        function()


def test_a_function_that_nobody_called_gives_something_short_or_is_a_mock(case, make_module: MakeModule):
    module = case().module
    planner = Planner(module)
    recipes_of = {}
    for name, annotation in [("number", "Callable[[], int]"), ("bus", "Callable[[], Bus]")]:
        draw = PlainDraw({})
        _, recipe = planner.resolver.plan(annotation, planner.scope(module.taken)).build(draw, "f")
        recipes_of[name] = settled(recipe, draw.pool.mocks)
    assert recipes_of["number"] == Lambda(0, Scalar(0))
    assert isinstance(recipes_of["bus"], MockRecipe)
    assert recipes_of["bus"].members == {}


def test_a_keyword_that_is_a_traced_text_is_written_down_as_plain(case):
    run = case({"bus.poll()": 5})
    run.mock.poll(**{wrap("key", var("name", Sort.STR)): 3})
    kwargs = run.member("poll").calls[0].kwargs
    assert (("key", Scalar(3)),) == kwargs
    assert str is type(kwargs[0][0])


def test_an_argument_that_holds_itself_is_passed_and_not_written_down(case):
    run = case({"bus.poll()": 5})
    endless: dict[str, Any] = {}
    endless["self"] = endless
    assert run.mock.poll(endless) == 5
    assert run.member("poll").calls[0].args == (None,)


def test_a_function_whose_only_call_ended_before_it_was_noted_is_as_if_nobody_called(case, monkeypatch):
    run = case()
    planner = Planner(run.module)
    draw = PlainDraw({})
    annotation = run.module.taken.__annotations__["call"]
    function, recipe = planner.resolver.plan(annotation, planner.scope(run.module.taken)).build(draw, "f")

    def broken(value: object) -> None:
        raise trace.StepLimit

    monkeypatch.setattr("tracetwin.drawing.mocks.live.written", broken)
    with pytest.raises(trace.StepLimit):
        function(1)
    assert isinstance(settled(recipe, draw.pool.mocks), Lambda)
