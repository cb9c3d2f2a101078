"""Takes money through a gateway: time-outs are tried again, some gateways reserve before they charge."""

from __future__ import annotations

import abc
import enum
from dataclasses import dataclass
from typing import Protocol, runtime_checkable


class Status(enum.Enum):
    APPROVED = "approved"
    DECLINED = "declined"
    PENDING = "pending"


@dataclass(frozen=True)
class Receipt:
    reference: str
    status: Status
    charged: int


class GatewayError(Exception):
    pass


class GatewayTimeout(GatewayError):
    pass


class CardDeclined(GatewayError):
    def __init__(self, code: int = 0) -> None:
        super().__init__(code)
        self.code = code


class Gateway(abc.ABC):
    """What every provider of payments offers."""

    @property
    @abc.abstractmethod
    def currency(self) -> str: ...

    @abc.abstractmethod
    def charge(self, token: str, cents: int) -> Receipt: ...

    @abc.abstractmethod
    def refund(self, reference: str, cents: int) -> bool: ...

    def fee(self, cents: int) -> int:
        return 30 + cents // 100


@runtime_checkable
class Reserving(Protocol):
    """Some providers can hold an amount before it is charged."""

    def reserve(self, token: str, cents: int) -> str: ...

    def release(self, hold: str) -> None: ...


class Till:
    def __init__(self, gateway: Gateway, *, attempts: int = 3) -> None:
        if attempts < 1:
            raise ValueError("attempts must be positive")
        self.gateway = gateway
        self.attempts = attempts
        self.log: list[str] = []

    def pay(self, token: str, cents: int, currency: str = "EUR") -> str:
        if self.gateway.currency != currency:
            return "wrong currency"
        if cents <= self.gateway.fee(cents):
            return "too little"
        hold = None
        if isinstance(self.gateway, Reserving) and cents > 10_000:
            hold = self.gateway.reserve(token, cents)
            if not hold:
                return "not reserved"
        for attempt in range(self.attempts):
            try:
                receipt = self.gateway.charge(token, cents)
            except GatewayTimeout:
                self.log.append(f"timeout {attempt}")
                continue
            except CardDeclined as declined:
                self.log.append(f"declined {declined.code}")
                break
            if receipt.status is Status.PENDING:
                return "pending"
            if receipt.charged > cents:
                self.gateway.refund(receipt.reference, receipt.charged - cents)
                return "corrected"
            return "paid"
        else:
            return "no answer"
        if hold is not None and isinstance(self.gateway, Reserving):
            self.gateway.release(hold)
        return "declined"
