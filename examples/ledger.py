"""Bank accounts and transfers between them, in cents."""

from dataclasses import dataclass


class LedgerError(Exception):
    """A booking that is not possible."""


class InsufficientFundsError(LedgerError):
    """An account holds less than was asked for."""

    def __init__(self, missing: int) -> None:
        """Say how much is missing."""
        super().__init__(f"{missing} cents are missing")
        self.missing = missing


class AccountFrozenError(LedgerError):
    """A frozen account takes no bookings."""


@dataclass
class Account:
    """Money that belongs to somebody."""

    owner: str
    balance: int = 0
    frozen: bool = False

    def deposit(self, amount: int) -> None:
        """Put money in."""
        if amount <= 0:
            raise ValueError("amount must be positive")
        if self.frozen:
            raise AccountFrozenError("account is frozen")
        self.balance += amount

    def withdraw(self, amount: int) -> None:
        """Take money out, as long as it lasts."""
        if amount <= 0:
            raise ValueError("amount must be positive")
        if self.frozen:
            raise AccountFrozenError("account is frozen")
        if amount > self.balance:
            raise InsufficientFundsError(amount - self.balance)
        self.balance -= amount


def transfer(source: Account, target: Account, amount: int) -> None:
    """Move money; when the target refuses it, the source has it back."""
    source.withdraw(amount)
    try:
        target.deposit(amount)
    except AccountFrozenError:
        source.balance += amount
        raise


def transfer_fee(amount: int, urgent: bool = False) -> int:
    """Charge one per cent, at least 50 and at most 1000 cents; haste doubles it."""
    if amount <= 0:
        raise ValueError("amount must be positive")
    fee = amount // 100
    if fee < 50:
        fee = 50
    elif fee > 1_000:
        fee = 1_000
    if urgent:
        fee *= 2
    return fee


def final_balance(opening: int, bookings: list[int], overdraft: int = 0) -> int:
    """Apply signed bookings in order; none may leave less than the overdraft allows."""
    if overdraft < 0:
        raise ValueError("overdraft must not be negative")
    balance = opening
    for booking in bookings:
        balance += booking
        if balance < -overdraft:
            raise InsufficientFundsError(-overdraft - balance)
    return balance
