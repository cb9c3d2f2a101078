"""A counter that rings at fifty."""


class Counter:
    """Counts visitors one by one."""

    def __init__(self) -> None:
        self._count = 0

    def increment(self) -> None:
        """One more visitor."""
        self._count += 1

    def is_jubilee(self) -> bool:
        """Whether this was the fiftieth visitor."""
        if self._count == 50:
            return True  # goal
        return False
