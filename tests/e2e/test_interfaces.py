"""Clients of interfaces of all kinds: every branch is reached, and the written tests pass."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent

import pytest

from tests.e2e.command import run, run_suite

pytestmark = pytest.mark.slow

CLIENTS = {
    "abstract": """
        from abc import ABC, abstractmethod

        class Source(ABC):
            @abstractmethod
            def read(self, position: int) -> int: ...

        def client(source: Source, start: int) -> str:
            if source.read(start) > 5:
                if source.read(start + 10) < 5:
                    return "falling"
                return "high"
            return "low"
        """,
    "protocol": """
        from typing import Protocol

        class Bus(Protocol):
            def poll(self, timeout: float) -> bytes | None: ...
            def send(self, data: bytes) -> bool: ...

        def client(bus: Bus) -> str:
            count = 0
            try:
                while (message := bus.poll(1.5)) is not None:
                    count += 1
                    if message == b"stop":
                        return "stopped"
                    if not bus.send(message):
                        return "refused"
            except TimeoutError:
                return "late"
            return "three" if count == 3 else "done"
        """,
    "iterator": """
        from collections.abc import Iterator
        from typing import Protocol

        class Numbers(Protocol):
            def __len__(self) -> int: ...
            def __iter__(self) -> Iterator[int]: ...

        def client(numbers: Numbers) -> str:
            if len(numbers) > 1000:
                return "many"
            if sum(numbers) == 42:
                return "answer"
            return "other"
        """,
    "context_manager": """
        from contextlib import AbstractContextManager
        from typing import Protocol

        class Connection(Protocol):
            def __enter__(self) -> "Connection": ...
            def __exit__(self, *error: object) -> None: ...
            def execute(self, sql: str, *, timeout: int = 3) -> int: ...
            def lock(self) -> AbstractContextManager[int]: ...

        def client(connection: Connection) -> str:
            with connection as c, c.lock() as level:
                if c.execute("insert", timeout=level) == 3:
                    return "three"
                if level > 7:
                    return "locked"
            return "done"
        """,
    "asynchronous": """
        from abc import ABC, abstractmethod
        from collections.abc import AsyncIterator

        class Source(ABC):
            @abstractmethod
            async def fetch(self, key: str) -> int | None: ...
            @abstractmethod
            def stream(self) -> AsyncIterator[str]: ...

        async def client(source: Source) -> str:
            try:
                if await source.fetch("first") == 77:
                    return "lucky"
            except ConnectionError:
                return "broken"
            async for part in source.stream():
                if part == "end":
                    return "end"
            return "all"
        """,
    "mapping": """
        from typing import Protocol

        class Store(Protocol):
            def __bool__(self) -> bool: ...
            def __contains__(self, key: str) -> bool: ...
            def __getitem__(self, key: str) -> int: ...

        def client(store: Store) -> str:
            if not store:
                return "empty"
            try:
                if "a" in store and store["a"] == 5:
                    return "five"
            except KeyError:
                return "lost"
            return "none"
        """,
    "buffer": """
        from typing import Protocol

        class Device(Protocol):
            def read_into(self, buffer: bytearray) -> None: ...
            def fill(self, items: list[str]) -> None: ...

        def client(device: Device) -> str:
            buffer = bytearray(2)
            device.read_into(buffer)
            if buffer[0] ^ buffer[1] == 0x5A:
                return "valid"
            items = []
            device.fill(items)
            if items and items[0] == "x":
                return "x"
            return "plain"
        """,
    "stream": """
        from typing import BinaryIO

        def client(stream: BinaryIO) -> str:
            head = stream.read(2)
            if len(head) < 2:
                return "short"
            if head[0] & 0x80 and stream.readline() == b"go\\n":
                return "go"
            return "plain"
        """,
    "function": """
        from collections.abc import Callable

        def client(price: Callable[[str, int], int]) -> str:
            try:
                if price("a", 1) == 7 and price("b", 1) == 8:
                    return "both"
            except LookupError:
                return "unknown"
            return "none"
        """,
    "template": """
        from abc import ABC, abstractmethod

        class Shape(ABC):
            @abstractmethod
            def area(self) -> float: ...

            def size(self) -> str:
                if self.area() > 10.5:
                    return "big"
                return "small"
        """,
    "duck": """
        def client(store, name):
            if store.has(name):
                return "taken"
            store.add(name)
            try:
                store.commit()
            except ValueError:
                store.rollback()
                return "failed"
            return "many" if store.count() > 3 else "ok"
        """,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The clients, with the tests that were generated of all of them."""
    folder = tmp_path_factory.mktemp("interfaces")
    for name, source in CLIENTS.items():
        (folder / f"{name}_client.py").write_text(dedent(source), encoding="utf-8")
    files = sorted(folder.glob("*_client.py"))
    asked = ["--time-limit", "20", "--max-runs", "600", "-j", "2", "--json", "result.json", "-o", "tests"]
    done = run("generate", *files, *asked, cwd=folder, timeout=400)
    assert 0 == done.returncode, done.stdout + done.stderr
    return folder


@pytest.mark.parametrize("name", CLIENTS)
def test_every_branch_is_reached(folder: Path, name: str):
    modules = json.loads((folder / "result.json").read_text(encoding="utf-8"))["modules"]
    module = next(item for item in modules if item["name"] == f"{name}_client")
    assert module["branches"] == module["covered_branches"] > 0, module["uncovered"]


def test_the_written_tests_pass(folder: Path):
    done = run_suite(folder / "tests", folder)
    assert 0 == done.returncode, done.stderr
