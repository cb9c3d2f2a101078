"""A number with a history of changes that can be undone and redone."""

from __future__ import annotations


class Editor:
    """An accumulator that remembers what was done to it."""

    LIMIT = 8

    def __init__(self) -> None:
        self._value = 0
        self._done: list[int] = []
        self._undone: list[int] = []

    def add(self, amount: int) -> None:
        """Add an amount; what was undone before can't be redone any more."""
        if amount == 0:
            raise ValueError("nothing to add")
        if len(self._done) == self.LIMIT:
            self._done.pop(0)  # goal
        self._value += amount
        self._done.append(amount)
        self._undone.clear()

    def undo(self) -> bool:
        """Take the last change back."""
        if not self._done:
            return False
        amount = self._done.pop()
        self._value -= amount
        self._undone.append(amount)
        return True

    def redo(self) -> bool:
        """Do again what was undone last."""
        if not self._undone:
            return False
        amount = self._undone.pop()
        self._value += amount
        self._done.append(amount)
        return True  # goal

    def summary(self) -> str:
        """Describe the history."""
        if len(self._undone) == 2 and len(self._done) == 1:
            return "mostly undone"  # goal
        if self._value == 42 and len(self._done) >= 3:
            return "the answer in steps"  # goal
        return f"{len(self._done)} done, {len(self._undone)} undone"
