"""Carries out commands: by class patterns, by interfaces, and in batches."""

from __future__ import annotations

import abc
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable


class Command(abc.ABC):
    @abc.abstractmethod
    def execute(self, context: dict[str, int]) -> int: ...

    @property
    def name(self) -> str:
        return type(self).__name__


class Undoable(Command):
    @abc.abstractmethod
    def undo(self, context: dict[str, int]) -> None: ...


@runtime_checkable
class Validating(Protocol):
    def problems(self) -> list[str]: ...


@dataclass
class Add(Command):
    key: str
    amount: int = 1

    def execute(self, context: dict[str, int]) -> int:
        context[self.key] = context.get(self.key, 0) + self.amount
        return context[self.key]


@dataclass
class Batch(Command):
    commands: list[Command]

    def execute(self, context: dict[str, int]) -> int:
        return sum(command.execute(context) for command in self.commands)


class Rejected(Exception):
    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


class Handler:
    def __init__(self) -> None:
        self.context: dict[str, int] = {}
        self.done: list[Undoable] = []

    def handle(self, command: Command) -> int:
        if isinstance(command, Validating):
            problems = command.problems()
            if problems:
                raise Rejected(problems)
        before = dict(self.context)
        try:
            result = command.execute(self.context)
        except ArithmeticError:
            self.context = before
            return -1
        if isinstance(command, Undoable):
            self.done.append(command)
        if "limit" in self.context and result > self.context["limit"]:
            self.undo()
            return 0
        return result

    def undo(self) -> bool:
        if not self.done:
            return False
        self.done.pop().undo(self.context)
        return True


def cost(command: Command, depth: int = 2) -> int:
    """What a command costs, by its class."""
    match command:
        case Add(key="free"):
            return 0
        case Add(amount=amount) if amount > 10:
            return 5
        case Add():
            return 1
        case Batch(commands=[]):
            return 0
        case Batch(commands=commands):
            if depth == 0:
                raise RecursionError("batches in batches")
            return sum(cost(inner, depth - 1) for inner in commands)
        case Undoable() if isinstance(command, Validating):
            return 3
        case Undoable():
            return 4
        case _:
            return 10


def kind(value: Any) -> str:
    """Tell apart what comes over the wire."""
    if isinstance(value, Command) and not isinstance(value, (Add, Batch)):
        return "custom"
    if isinstance(value, type) and issubclass(value, Command):
        return "command class"
    if callable(value):
        return "function"
    return type(value).__name__
