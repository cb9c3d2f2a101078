"""A value that is observed; observers may refuse changes, leave, or break."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable


class Leave(Exception):
    """Raised by an observer that wants no more news."""


class Observer(Protocol):
    def changed(self, old: int, new: int) -> None: ...


@runtime_checkable
class Guard(Protocol):
    """An observer that is asked before."""

    def allows(self, old: int, new: int) -> bool: ...


class Value:
    def __init__(self, start: int = 0, on_error: Callable[[Exception], None] | None = None) -> None:
        self.value = start
        self.observers: list[Observer] = []
        self.on_error = on_error
        self.refused = 0

    def attach(self, observer: Observer) -> bool:
        if any(known is observer for known in self.observers):
            return False
        self.observers.append(observer)
        return True

    def detach(self, observer: Observer) -> None:
        for index, known in enumerate(self.observers):
            if known is observer:
                del self.observers[index]
                return
        raise LookupError("not attached")

    def set(self, new: int) -> bool:
        """Change the value, if no guard objects, and tell everybody."""
        if new == self.value:
            return False
        for observer in self.observers:
            if isinstance(observer, Guard) and not observer.allows(self.value, new):
                self.refused += 1
                return False
        old, self.value = self.value, new
        for observer in list(self.observers):
            try:
                observer.changed(old, new)
            except Leave:
                self.detach(observer)
            except ValueError as error:
                if self.on_error is None:
                    raise
                self.on_error(error)
        return True


def settle(first: Guard, second: Guard, values: list[int]) -> int | None:
    """The first value that exactly one of two guards allows after the value before."""
    for old, new in zip(values, values[1:], strict=False):
        if first.allows(old, new) and not second.allows(old, new):
            return new
    return None
