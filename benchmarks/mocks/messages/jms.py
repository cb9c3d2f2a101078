"""Interfaces of a message service, after the specification of JMS 1.0.2b."""

from __future__ import annotations

import abc
from collections.abc import Iterator
from enum import IntEnum
from typing import Protocol


class JMSException(Exception):
    """Root of what the service raises."""


class MessageFormatException(JMSException):
    """A value can't be read as the type that was asked for."""


class MessageEOFException(JMSException):
    """A stream or the bytes of a message ended."""


class MessageNotReadableException(JMSException):
    """A message that is written was read."""


class InvalidDestinationException(JMSException):
    """The service does not know the destination."""


class DeliveryMode(IntEnum):
    """Whether messages survive a failure of the service."""

    NON_PERSISTENT = 1
    PERSISTENT = 2


class Destination(Protocol):
    """A queue or a topic."""

    def get_name(self) -> str: ...


class Message(abc.ABC):
    """Header and properties that every message has."""

    @abc.abstractmethod
    def get_jms_message_id(self) -> str | None: ...

    @abc.abstractmethod
    def get_jms_correlation_id(self) -> str | None: ...

    @abc.abstractmethod
    def get_jms_timestamp(self) -> int: ...

    @abc.abstractmethod
    def get_jms_expiration(self) -> int: ...

    @abc.abstractmethod
    def get_jms_priority(self) -> int: ...

    @abc.abstractmethod
    def get_jms_redelivered(self) -> bool: ...

    @abc.abstractmethod
    def get_jms_delivery_mode(self) -> int: ...

    @abc.abstractmethod
    def get_jms_reply_to(self) -> Destination | None: ...

    @abc.abstractmethod
    def property_exists(self, name: str) -> bool: ...

    @abc.abstractmethod
    def get_boolean_property(self, name: str) -> bool: ...

    @abc.abstractmethod
    def get_int_property(self, name: str) -> int: ...

    @abc.abstractmethod
    def get_string_property(self, name: str) -> str | None: ...

    @abc.abstractmethod
    def get_property_names(self) -> Iterator[str]: ...

    @abc.abstractmethod
    def acknowledge(self) -> None: ...


class BytesMessage(Message):
    """A body of bytes that is read from the start to the end."""

    @abc.abstractmethod
    def read_boolean(self) -> bool: ...

    @abc.abstractmethod
    def read_byte(self) -> int: ...

    @abc.abstractmethod
    def read_unsigned_byte(self) -> int: ...

    @abc.abstractmethod
    def read_short(self) -> int: ...

    @abc.abstractmethod
    def read_utf(self) -> str: ...

    @abc.abstractmethod
    def read_bytes(self, value: bytearray, length: int | None = None) -> int:
        """Fill `value`; returns how many bytes were read, -1 at the end."""

    @abc.abstractmethod
    def reset(self) -> None: ...


class MapMessage(Message):
    """A body of names and values."""

    @abc.abstractmethod
    def get_boolean(self, name: str) -> bool: ...

    @abc.abstractmethod
    def get_int(self, name: str) -> int: ...

    @abc.abstractmethod
    def get_double(self, name: str) -> float: ...

    @abc.abstractmethod
    def get_string(self, name: str) -> str | None: ...

    @abc.abstractmethod
    def get_map_names(self) -> Iterator[str]: ...

    @abc.abstractmethod
    def item_exists(self, name: str) -> bool: ...


class StreamMessage(Message):
    """A body of values of the primitive types, read one after the other."""

    @abc.abstractmethod
    def read_boolean(self) -> bool: ...

    @abc.abstractmethod
    def read_int(self) -> int: ...

    @abc.abstractmethod
    def read_long(self) -> int: ...

    @abc.abstractmethod
    def read_string(self) -> str | None: ...

    @abc.abstractmethod
    def read_object(self) -> object: ...


class ConnectionMetaData(Protocol):
    """What a connection tells about the service behind it."""

    def get_jms_version(self) -> str: ...

    def get_jms_major_version(self) -> int: ...

    def get_jms_minor_version(self) -> int: ...

    def get_jms_provider_name(self) -> str: ...

    def get_provider_major_version(self) -> int: ...

    def get_provider_minor_version(self) -> int: ...


class MessageProducer(Protocol):
    """Sends messages to a destination."""

    def set_delivery_mode(self, mode: int) -> None: ...

    def get_delivery_mode(self) -> int: ...

    def get_priority(self) -> int: ...

    def get_time_to_live(self) -> int: ...

    def get_disable_message_id(self) -> bool: ...

    def send(self, message: Message, *, priority: int = 4, time_to_live: int = 0) -> None: ...

    def close(self) -> None: ...
