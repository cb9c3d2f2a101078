"""What becomes of a message that was delivered."""

from __future__ import annotations

from jms import BytesMessage, DeliveryMode, Message


def route(message: Message, now: int) -> str:
    """Name the queue that a message goes to next."""
    expires = message.get_jms_expiration()
    if expires != 0 and expires <= now:
        return "expired"  # goal 1
    if message.get_jms_redelivered():
        if message.property_exists("attempts") and message.get_int_property("attempts") >= 3:
            return "dead letters"  # goal 2
        message.acknowledge()
        return "retry"  # goal 3
    reply = message.get_jms_reply_to()
    if reply is not None and message.get_jms_correlation_id() is None:
        return "answers " + reply.get_name()  # goal 4
    if message.get_jms_delivery_mode() == DeliveryMode.PERSISTENT and message.get_jms_priority() > 7:
        return "urgent"  # goal 5
    if isinstance(message, BytesMessage) and message.read_boolean():
        return "binary"  # goal 6
    return "normal"
