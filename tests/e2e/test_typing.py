"""Generic, constrained and overloaded code, and annotations that refuse, from the command line to suites."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.command import run, run_suite

pytestmark = pytest.mark.slow

SOURCE = """
from __future__ import annotations
import typing
from dataclasses import dataclass
from typing import Annotated, Generic, Protocol, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Gt:
    gt: int


@dataclass(frozen=True)
class Longer:
    min_length: int


class User:
    def __init__(self, name: str, age: int) -> None:
        self.name = name
        self.age = age


class Repository(Protocol[T]):
    def get(self, key: int) -> T | None: ...


class Memory(Generic[T]):
    def __init__(self, items: list[T]) -> None:
        self.items = items

    def get(self, key: int) -> T | None:
        return self.items[key] if 0 <= key < len(self.items) else None


class Stack(Generic[T]):
    def __init__(self) -> None:
        self.items: list[T] = []

    def push(self, item: T) -> None:
        self.items.append(item)


def find(users: Repository[User], key: int) -> str:
    user = users.get(key)
    if user is None:
        return "nobody"
    return "old" if user.age > 65 else "young"


def top(stack: Stack[str]) -> int:
    if stack.items and stack.items[-1] == "abc":
        return 1
    return 2


@typing.overload
def join(a: int, b: int) -> int: ...
@typing.overload
def join(a: str, b: str) -> str: ...
def join(a, b):
    if isinstance(a, str):
        return "hello" if a + b == "ab" else a
    return a + b


def half(n: Annotated[int, Gt(0)], name: Annotated[str, Longer(3)]) -> str:
    if n <= 0 or len(name) < 3:
        return "never"
    if n > 100:
        return "large"
    return name


class Account:
    def __init__(self, balance: Annotated[int, Gt(10)]) -> None:
        self.balance = balance

    def add(self, amount: Annotated[int, Gt(5)]) -> str:
        self.balance += amount
        return "rich" if self.balance > 500 else "poor"
"""


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    root = tmp_path_factory.mktemp("typing")
    (root / "typed.py").write_text(SOURCE, encoding="utf-8")
    args = ("--time-limit", "12", "--max-runs", "1000", "-j", "2")
    done = run("generate", "typed.py", "-o", "generated", *args, cwd=root, timeout=120)
    assert done.returncode == 0, done.stderr
    return {"root": root, "text": (root / "generated/test_typed.py").read_text(encoding="utf-8")}


def test_what_variables_stand_for_is_used(suite: dict[str, Any]) -> None:
    text = suite["text"]
    assert all(f'"{word}"' in text for word in ("nobody", "old", "young", "abc"))
    assert "Memory([User(" in text


def test_overloads_are_called_as_they_say(suite: dict[str, Any]) -> None:
    assert '"hello", join(' in suite["text"]
    assert not re.search(r'join\("[^"]*", -?\d|join\(-?\d+, "', suite["text"])


def test_what_annotations_demand_holds_in_every_test(suite: dict[str, Any]) -> None:
    text = suite["text"]
    assert '"never"' not in text
    assert '"large"' in text
    assert '"rich"' in text
    made = [int(number) for number in re.findall(r"Account\((-?\d+)\)", text)]
    added = [int(number) for number in re.findall(r"\.add\((-?\d+)\)", text)]
    assert made
    assert min(made) > 10
    assert added
    assert min(added) > 5


def test_the_suite_passes(suite: dict[str, Any]) -> None:
    done = run_suite(suite["root"] / "generated", suite["root"])
    assert done.returncode == 0, done.stderr


REFUSING = """
from __future__ import annotations
import abc, enum
from typing import Protocol


class Refuses(type):
    def __call__(cls, *args): raise TypeError("no instances")


class Closed(metaclass=Refuses):
    def go(self, x: int) -> int:
        return x


class Hiding(type):
    def __getattribute__(cls, name):
        if name in ("__mro__", "__module__", "__dict__"):
            raise SystemExit("hidden")
        return super().__getattribute__(name)


class Secret(metaclass=Hiding):
    def __init__(self, n: int) -> None: self.n = n


class Empty(enum.Enum):
    pass


class Stops:
    def __class_getitem__(cls, item): raise KeyboardInterrupt


class Final(abc.ABC):
    @abc.abstractmethod
    def go(self) -> int: ...
    def __init_subclass__(cls) -> None: raise TypeError("final")


def unknown(x: list[Missing]) -> int:
    return 1


def exits(x: exit()) -> int:
    return 1


def closed(x: Closed) -> int:
    return 1


def secret(x: Secret) -> int:
    return 1


def empty(x: Empty) -> int:
    return 1


def stops(x: Stops[int]) -> int:
    return 1


def final(x: Final) -> int:
    return x.go()


def fine(x: int) -> str:
    return "big" if x > 5 else "small"
"""


def test_what_refuses_has_a_reason_and_the_rest_is_tested(tmp_path: Path) -> None:
    (tmp_path / "refusing.py").write_text(REFUSING, encoding="utf-8")
    args = ("--time-limit", "10", "-j", "1", "-v")
    done = run("generate", "refusing.py", "-o", "generated", *args, cwd=tmp_path, timeout=120)
    assert done.returncode == 0, done.stderr
    said = " ".join((done.stdout + done.stderr).split())
    assert "internal error" not in said
    for words in (
        "list[Missing] of parameter 'x' (the name 'Missing' is unknown here)",
        "Closed raised TypeError: no instances",
        "class Secret can't be looked at: SystemExit: hidden",
        "the enum Empty has no members",
        "Stops[int]",
        "abstract class Final has no concrete class in the module",
    ):
        assert words in said, words
    text = (tmp_path / "generated/test_refusing.py").read_text(encoding="utf-8")
    assert '"big", fine(' in text
    assert '"small", fine(' in text
    assert run_suite(tmp_path / "generated", tmp_path).returncode == 0
