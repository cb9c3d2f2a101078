"""What a small shop has in stock."""

from dataclasses import dataclass, field
from typing import Optional


@dataclass
class Item:
    """An article and how many of it there are."""

    name: str
    quantity: int = 0
    reorder_at: int = 5
    supplier: Optional[str] = None


@dataclass
class Inventory:
    """All articles by name."""

    items: dict[str, Item] = field(default_factory=dict)

    def receive(self, name: str, quantity: int) -> Item:
        """Put goods on the shelf, a new article if need be."""
        if quantity <= 0:
            raise ValueError("quantity must be positive")
        item = self.items.get(name)
        if item is None:
            item = Item(name)
            self.items[name] = item
        item.quantity += quantity
        return item

    def take(self, name: str, quantity: int) -> None:
        """Take goods off the shelf."""
        item = self.items[name]
        if quantity > item.quantity:
            raise ValueError("not enough in stock")
        item.quantity -= quantity

    def to_reorder(self) -> list[str]:
        """List the articles that run low."""
        return [item.name for item in self.items.values() if item.quantity <= item.reorder_at]


def reorder_quantity(item: Optional[Item], batch: int) -> int:
    """Tell how many to order: whole batches, until the article no longer runs low."""
    if item is None:
        return 0
    if batch <= 0:
        raise ValueError("batch must be positive")
    missing = item.reorder_at + 1 - item.quantity
    if missing <= 0:
        return 0
    return (missing + batch - 1) // batch * batch


def order_address(item: Item, fallback: Optional[str] = None) -> str:
    """Choose to whom the order goes."""
    if item.supplier:
        return item.supplier
    if fallback is not None:
        return fallback
    raise LookupError("nobody supplies this article")


def pick(stock: dict[str, int], order: dict[str, int]) -> Optional[dict[str, int]]:
    """Take an order out of the stock; return what is left, or None if the stock does not suffice."""
    left = dict(stock)
    for name, quantity in order.items():
        if name not in left:
            return None
        if left[name] < quantity:
            return None
        left[name] -= quantity
    return left
