"""Reads sensors on a bus that fills buffers."""

from __future__ import annotations

import abc
from dataclasses import dataclass
from typing import Protocol


class BusError(OSError):
    pass


class Bus(abc.ABC):
    @abc.abstractmethod
    def read_into(self, address: int, buffer: bytearray) -> int:
        """Fill a buffer; returns the number of bytes."""

    @abc.abstractmethod
    def write_register(self, address: int, register: int, value: int) -> None: ...

    @abc.abstractmethod
    def read_register(self, address: int, register: int) -> int: ...


class Samples(Protocol):
    def collect(self, into: list[int], *, maximum: int = 4) -> bool: ...


class Status(Protocol):
    def fill(self, table: dict[str, int]) -> None: ...


@dataclass
class Measurement:
    raw: int
    valid: bool = True


def read_sensor(bus: Bus, address: int) -> Measurement:
    """Read three bytes: high, low, and their checksum."""
    if not 0x08 <= address <= 0x77:
        raise ValueError("address")
    buffer = bytearray(3)
    try:
        count = bus.read_into(address, buffer)
    except BusError:
        return Measurement(0, valid=False)
    if count < 3:
        raise EOFError(count)
    if (buffer[0] + buffer[1]) & 0xFF != buffer[2]:
        return Measurement(-1, valid=False)
    raw = buffer[0] << 8 | buffer[1]
    if raw & 0x8000:
        raw -= 0x10000
    return Measurement(raw)


def calibrate(bus: Bus, address: int, limit: int = 3) -> int:
    """Set an offset until the sensor reads the middle."""
    offset = 0
    for _ in range(limit):
        value = bus.read_register(address, 0x10)
        if value == 128:
            return offset
        offset += 1 if value < 128 else -1
        bus.write_register(address, 0x11, offset & 0xFF)
    if bus.read_register(address, 0x1F) & 0x01:
        raise BusError("sensor reports a fault")
    return 0


def average(samples: Samples) -> float | None:
    """Average of what is collected until there is no more."""
    values: list[int] = []
    while samples.collect(values, maximum=2):
        if len(values) > 4:
            break
        if not values:
            return None
    if not values:
        return None
    low, high = min(values), max(values)
    if high - low > 50:
        raise ValueError("not stable")
    return sum(values) / len(values)


def health(status: Status) -> str:
    """Judge what a status writes into a table."""
    table = {"errors": 0}
    status.fill(table)
    if table["errors"] > 0:
        return "errors"
    if "temperature" in table and table["temperature"] > 90:
        return "hot"
    return "fine"
