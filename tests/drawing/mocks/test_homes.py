"""Answers of which nobody says what they are: a mock gives what the function that asks looks into."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from tracetwin.drawing.discovery.planner import Planner
from tracetwin.drawing.plans.draw import PlainDraw
from tracetwin.model import recipes

MakeModule = Callable[..., ModuleType]

CLIENT = """
from typing import Any, Protocol

class Session(Protocol):
    async def get(self, path: str) -> tuple[int, Any]: ...

class Client:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def _send(self, path: str) -> tuple[int, Any]:
        return await self._session.get(path)

    async def user(self) -> str:
        _, body = await self._send("/user")
        return body["name"].strip()

    async def rows(self) -> list[dict[str, Any]]:
        found = []
        while True:
            _, body = await self._send("/rows")
            found.extend(body["rows"])
            following = body.get("next")
            if following is None:
                break
        found.sort(key=lambda row: row["time"])
        return found

    async def total(self) -> int:
        return sum(row["amount"] for row in await self.rows())

    async def job(self) -> str:
        _, order = await self._send("/jobs")
        _, state = await self._send("/jobs/" + order["id"])
        return state["state"]
"""


@pytest.fixture
def client(make_module: MakeModule, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A client with a mock for its session, whose answers no input decides."""
    module = make_module(CLIENT)
    monkeypatch.setattr(recipes, "is_traced", lambda name: name == module.__name__)
    planner = Planner(module)
    plan = planner.resolver.plan(module.Session, planner.scope())
    return module.Client(plan.build(PlainDraw(), "session")[0])


@pytest.mark.parametrize("name", ["user", "rows", "total", "job"])
def test_what_the_asking_function_looks_into_is_there(client: Any, name: str) -> None:
    asyncio.run(getattr(client, name)())


def test_records_of_a_list_have_the_keys_that_callers_ask_for(make_module: MakeModule) -> None:
    records = {str(record.guess): record.homes for record in Planner(make_module(CLIENT)).usage.records()}
    (rows,) = (text for text, homes in records.items() if homes == {"Client.rows"})
    assert "'rows': list[dict{'time': ?, 'amount': " in rows
    (job,) = (text for text, homes in records.items() if homes == {"Client.job"})
    assert "'id'" in job
    assert "'state'" in job


HANDED_ON = """
from typing import Any, Protocol

class Response(Protocol):
    headers: dict[str, str]
    def json(self) -> Any: ...

class Session(Protocol):
    def get(self, path: str) -> Response: ...

def delay(headers: dict[str, str], default: float) -> float:
    return float(headers.get("Retry-After", default))

class Client:
    def __init__(self, session: Session) -> None:
        self._session = session

    def call(self, path: str) -> Any:
        response = self._session.get(path)
        delay(response.headers, float(len(path)))
        return response.json()

    def create(self, tags: list[str]) -> int:
        body = {"kind": "new"}
        body["tags"] = list(tags)
        return self.call("/new")["id"]

    def state(self) -> str:
        found = self.call("/state")
        return found["state"]
"""


def test_what_is_only_handed_on_is_what_callers_look_into(
    make_module: MakeModule, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = make_module(HANDED_ON)
    monkeypatch.setattr(recipes, "is_traced", lambda name: name == module.__name__)
    planner = Planner(module)
    plan = planner.mocks.of(module.Session, planner.scope())
    made = module.Client(plan.build(PlainDraw(), "session")[0])
    assert made.create(["a"]) == ""
    assert made.state() == ""
