"""Passes events to handlers, through middleware that may change or stop them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, Union


@dataclass(frozen=True)
class Event:
    topic: str
    priority: int = 0
    payload: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Failure(Event):
    reason: str = ""


Handler = Callable[[Event], Union[bool, None]]


class Middleware(Protocol):
    def before(self, event: Event) -> Event | None: ...

    def after(self, event: Event, handled: int) -> None: ...


class Broker(Protocol):
    connected: bool

    def publish(self, topic: str, body: str, *, durable: bool = False) -> int: ...


class Bus:
    def __init__(self, middleware: Middleware | None = None) -> None:
        self._middleware = middleware
        self._handlers: dict[str, list[Handler]] = {}
        self.dead: list[Event] = []

    def subscribe(self, topic: str, handler: Handler) -> None:
        if not topic:
            raise ValueError("topic")
        self._handlers.setdefault(topic, []).append(handler)

    def publish(self, event: Event) -> int:
        """Call the handlers of a topic until one returns False."""
        current: Event | None = event
        if self._middleware is not None:
            current = self._middleware.before(event)
        if current is None:
            return -1
        handled = 0
        for handler in self._handlers.get(current.topic, []):
            try:
                answer = handler(current)
            except RuntimeError:
                self.dead.append(current)
                continue
            handled += 1
            if answer is False:
                break
        if self._middleware is not None:
            self._middleware.after(current, handled)
        return handled


def forward(events: list[Event], broker: Broker) -> list[int]:
    """Publish on a broker, failures as durable messages; stops when the connection is gone."""
    numbers = []
    for event in events:
        if not broker.connected:
            break
        number = broker.publish(event.topic, str(event.priority), durable=isinstance(event, Failure))
        if number < 0:
            event = replace(event, priority=event.priority + 1)
            number = broker.publish(event.topic, str(event.priority), durable=True)
            if number < 0:
                raise ConnectionError(event.topic)
        numbers.append(number)
    return numbers


def chain(first: Handler, second: Handler, event: Event) -> str:
    """What two handlers say together."""
    one, two = first(event), second(event)
    if one is None and two is None:
        return "silent"
    if one and two:
        return "both"
    return "one" if one or two else "none"
