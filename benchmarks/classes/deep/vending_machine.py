"""A vending machine with stock and coins."""

from __future__ import annotations


class VendingMachine:
    """Sells drinks for 150 cents; gives change as far as it has coins."""

    PRICE = 150
    COINS = (10, 20, 50, 100, 200)

    def __init__(self, stock: int) -> None:
        if stock < 0 or stock > 20:
            raise ValueError("room for 20 cans")
        self._stock = stock
        self._credit = 0
        self._sold = 0
        self._service = False

    def insert(self, coin: int) -> bool:
        """Insert a coin; returns whether the machine keeps it."""
        if coin not in self.COINS or self._service:
            return False
        if self._credit >= 500:
            return False  # goal
        self._credit += coin
        return True

    def vend(self) -> str:
        """Press the button."""
        if self._service:
            return "out of order"
        if self._stock == 0:
            return "sold out"
        if self._credit < self.PRICE:
            return f"{self.PRICE - self._credit} missing"
        self._credit -= self.PRICE
        self._stock -= 1
        self._sold += 1
        if self._stock == 0 and self._sold >= 3:
            return "the last of several"  # goal
        return "a drink"

    def change(self) -> int:
        """Return the remaining credit."""
        credit, self._credit = self._credit, 0
        if credit == 50 and self._sold == 1:
            return credit  # goal
        return credit

    def service(self, key: int) -> None:
        """Switch the service mode on or off."""
        if key == 4711:
            self._service = not self._service

    def refill(self, cans: int) -> int:
        """Put cans in, in service mode; returns the stock."""
        if not self._service:
            raise PermissionError("locked")
        if cans <= 0 or self._stock + cans > 20:
            raise ValueError("does not fit")
        self._stock += cans
        return self._stock  # goal
