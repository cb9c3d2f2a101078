"""Events and their subscribers."""

from __future__ import annotations

from abc import ABC, abstractmethod


class Subscriber(ABC):
    """Something that listens."""

    def __init__(self) -> None:
        self.received: list[str] = []

    @abstractmethod
    def wants(self, event: str) -> bool:
        """Whether to be told of an event."""

    def notify(self, event: str) -> None:
        """Be told of an event."""
        self.received.append(event)


class Everything(Subscriber):
    """Wants all events."""

    def wants(self, event: str) -> bool:
        return True


class Prefixed(Subscriber):
    """Wants the events whose names begin in some way."""

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self.prefix = prefix

    def wants(self, event: str) -> bool:
        return event.startswith(self.prefix)


class EventBus:
    """Tells subscribers of events."""

    def __init__(self) -> None:
        self._subscribers: list[Subscriber] = []
        self._muted = False

    def subscribe(self, subscriber: Subscriber) -> None:
        """Add a subscriber, once."""
        if subscriber in self._subscribers:
            raise ValueError("subscribed already")  # goal
        self._subscribers.append(subscriber)

    def unsubscribe(self, subscriber: Subscriber) -> bool:
        """Take a subscriber out."""
        if subscriber not in self._subscribers:
            return False
        self._subscribers.remove(subscriber)
        return True  # goal

    def mute(self, muted: bool) -> None:
        """Switch the bus off or on."""
        self._muted = muted

    def publish(self, event: str) -> int:
        """Tell everybody who wants to know; returns how many that were."""
        if self._muted:
            return 0
        told = 0
        for subscriber in self._subscribers:
            if subscriber.wants(event):
                subscriber.notify(event)
                told += 1
        if told == 2:
            return told  # goal
        if self._subscribers and told == 0:
            return -1  # goal
        return told
