"""An order on its way from the cart to the customer and back."""

from __future__ import annotations

from enum import Enum


class Status(Enum):
    """Where an order stands."""

    CART = "cart"
    PAID = "paid"
    SHIPPED = "shipped"
    RETURNED = "returned"


class Order:
    """Items, then payment, then delivery, then perhaps a return."""

    def __init__(self) -> None:
        self.status = Status.CART
        self._items: dict[str, int] = {}
        self._paid = 0
        self._days = 0

    def add(self, name: str, price: int) -> None:
        """Put an item into the cart."""
        if self.status is not Status.CART:
            raise RuntimeError("too late")
        if price <= 0:
            raise ValueError("no gifts")
        self._items[name] = price

    @property
    def total(self) -> int:
        """The sum of the prices."""
        return sum(self._items.values())

    def pay(self, amount: int) -> int:
        """Pay for the cart; returns the change."""
        if self.status is not Status.CART or not self._items:
            raise RuntimeError("nothing to pay")
        if amount < self.total:
            raise ValueError("not enough")
        self._paid = self.total
        self.status = Status.PAID
        return amount - self.total

    def ship(self) -> None:
        """Hand the order to the carrier."""
        if self.status is not Status.PAID:
            raise RuntimeError("not paid")
        self.status = Status.SHIPPED

    def wait(self, days: int) -> None:
        """Let some days pass after shipping."""
        if days < 1:
            raise ValueError("time goes forward")
        if self.status is Status.SHIPPED:
            self._days += days  # goal

    def send_back(self) -> int:
        """Return the order; gives the refund."""
        if self.status is not Status.SHIPPED:
            raise RuntimeError("nothing to return")
        if self._days > 14:
            raise RuntimeError("too late")  # goal
        self.status = Status.RETURNED
        if len(self._items) >= 2 and self._paid > 100:
            return self._paid - 10  # goal
        return self._paid  # goal
