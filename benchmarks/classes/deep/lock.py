"""A door lock that opens after six digits in the right order."""


class CombinationLock:
    """Each wrong digit starts the code anew; three alarms block the lock."""

    CODE = (7, 3, 9, 1, 4, 8)

    def __init__(self) -> None:
        self._matched = 0
        self._open = False

    def press(self, digit: int) -> bool:
        """Press a digit; returns whether the lock is open now."""
        if self._open:
            return True
        if digit == self.CODE[self._matched]:
            self._matched += 1
        else:
            self._matched = 0
        if self._matched == len(self.CODE):
            self._open = True  # goal
        return self._open

    def pull(self) -> str:
        """Try the door."""
        if self._open:
            self._open = False
            self._matched = 0
            return "the door opens"  # goal
        return "locked"
