"""Annotations that leave something of a value open, and what the code tells of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from tracetwin.drawing.discovery.discovery import discover
from tracetwin.drawing.discovery.planner import Planner
from tracetwin.drawing.mocks.plan import CallablePlan
from tracetwin.drawing.plans.plans import Plan
from tracetwin.drawing.typing.guesses import RecordGuess, TypeGuess

MakeModule = Callable[..., ModuleType]


def plan_of(module: ModuleType, name: str) -> Plan:
    (item,) = [found for found in discover(module) if found.qualname == name]
    plan = item.parameters[0].plan
    assert plan is not None
    return plan


def test_a_bare_tuple_has_the_parts_into_which_it_is_taken_apart(make_module: MakeModule) -> None:
    module = make_module(
        """
def cost(steps: list[tuple], amount: int) -> int:
    total = 0
    for limit, price in sorted(steps, key=lambda step: (step[0] is None, step[0] or 0)):
        total += price if limit is None else min(amount, limit) * price
    return total
"""
    )
    assert plan_of(module, "cost").describe().startswith("list[tuple[int | None, int")


def test_rows_of_which_places_are_asked_for_are_tuples(make_module: MakeModule) -> None:
    module = make_module(
        """
def best(rows):
    return max(rows, key=lambda row: row[2] / 2)[0].upper()

def initials(words):
    return [word[0] + word[1] for word in words if word.strip()]
"""
    )
    assert "list[tuple[" in plan_of(module, "best").describe()
    assert plan_of(module, "initials").describe().startswith("list[str")


def test_a_bare_list_holds_what_the_code_does_with_its_elements(make_module: MakeModule) -> None:
    module = make_module("def f(names: list) -> str: return ' '.join(name.strip() for name in names)")
    assert plan_of(module, "f").describe() == "list[str]"


def test_parts_that_an_annotation_tells_stay_as_they_are(make_module: MakeModule) -> None:
    module = make_module(
        "def f(rows: list[tuple[int, int]]) -> str: return ''.join(a.strip() + b for a, b in rows)"
    )
    assert plan_of(module, "f").describe() == "list[tuple[int, int]]"


def test_a_function_that_gives_anything_is_awaited_where_the_code_does_so(make_module: MakeModule) -> None:
    module = make_module(
        """
from typing import Any, Callable

class Client:
    def __init__(self, sleep: Callable[[float], Any], clock: Callable[[], Any]) -> None:
        self._sleep, self._clock = sleep, clock

    async def wait(self) -> float:
        await self._sleep(1.0)
        return self._clock()
"""
    )
    (item,) = [found for found in discover(module) if found.qualname == "Client"]
    kinds = [one.plan.is_async for one in item.parameters if isinstance(one.plan, CallablePlan)]
    assert kinds == [True, False]


PATCH = """
class Patch:
    def __init__(self, operation):
        self.operation = operation if isinstance(operation, dict) else dict(operation)
        self.path = operation["path"]

    def source(self):
        found = self.operation["from"]
        return found if isinstance(found, Patch) else found.split("/")
"""


def test_a_dict_of_anything_in_a_stub_has_the_keys_that_the_code_asks_for(
    make_module: MakeModule, tmp_path: Path
) -> None:
    stub = """
from collections.abc import Mapping
from typing import Any

class Patch:
    def __init__(self, operation: Mapping[str, Any]) -> None: ...
"""
    (tmp_path / "patched_by_stub.pyi").write_text(stub, encoding="utf-8")
    told = plan_of(make_module(PATCH, "patched_by_stub"), "Patch").describe()
    assert told.startswith("dict with 'path', 'from' | dict[str, ")


def test_what_is_kept_as_it_is_or_copied_has_the_keys_that_are_asked_of_it_later(
    make_module: MakeModule,
) -> None:
    (guess, *_) = Planner(make_module(PATCH)).usage.guesses("Patch.__init__")["operation"]
    assert isinstance(guess, RecordGuess)
    assert [key for key, _ in guess.fields] == ["path", "from"]
    assert TypeGuess(str) in dict(guess.fields)["from"]
