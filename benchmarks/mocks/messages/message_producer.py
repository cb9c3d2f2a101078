"""Sends messages with the settings of a producer."""

from __future__ import annotations

from jms import DeliveryMode, InvalidDestinationException, JMSException, Message, MessageProducer


def send_all(producer: MessageProducer, messages: list[Message]) -> int:
    """Send messages until the destination is gone, and return how many were sent."""
    if producer.get_delivery_mode() == DeliveryMode.NON_PERSISTENT and producer.get_time_to_live() == 0:
        producer.set_delivery_mode(DeliveryMode.PERSISTENT)  # goal 1
    sent = 0
    for message in messages:
        try:
            producer.send(message, priority=producer.get_priority())
        except InvalidDestinationException:
            producer.close()
            break  # goal 2
        except JMSException:
            continue  # goal 3
        sent += 1
    if sent == 2 and messages[0].get_jms_message_id() == messages[1].get_jms_message_id():
        raise ValueError("sent twice")  # goal 4
    return sent
