"""An elevator in a house of seven floors."""

from __future__ import annotations


class Elevator:
    """Moves one floor a step towards the floors that were asked for."""

    TOP = 6

    def __init__(self) -> None:
        self._floor = 0
        self._target: int | None = None
        self._doors_open = False
        self._stops = 0

    def call(self, floor: int) -> bool:
        """Ask for a floor; returns whether the call was taken."""
        if floor < 0 or floor > self.TOP:
            raise ValueError("no such floor")
        if self._target is not None:
            return False
        self._target = floor
        return True

    def step(self) -> str:
        """Let a second pass."""
        if self._target is None:
            return "idle"
        if self._doors_open:
            self._doors_open = False
            return "doors close"  # goal
        if self._floor < self._target:
            self._floor += 1
            return "up"
        if self._floor > self._target:
            self._floor -= 1
            return "down"  # goal
        self._target = None
        self._doors_open = True
        self._stops += 1
        return "doors open"

    def enjoy_view(self) -> bool:
        """Step out on the roof, after an earlier stop."""
        if self._floor == self.TOP and self._doors_open and self._stops >= 2:
            return True  # goal
        return False
