"""Accounts and transfers between them."""

from __future__ import annotations


class InsufficientFunds(Exception):
    """The balance does not allow it."""


class Account:
    """An account that can be frozen."""

    def __init__(self, owner: str, limit: int = 0) -> None:
        if limit < 0:
            raise ValueError("a limit is not negative")
        self.owner = owner
        self._limit = limit
        self._balance = 0
        self._frozen = False

    @property
    def balance(self) -> int:
        """What is on the account, in cents."""
        return self._balance

    def deposit(self, amount: int) -> None:
        """Pay in."""
        if amount <= 0:
            raise ValueError("pay in something")
        self._balance += amount

    def withdraw(self, amount: int) -> None:
        """Pay out."""
        if self._frozen:
            raise PermissionError("frozen")
        if amount <= 0:
            raise ValueError("pay out something")
        if self._balance + self._limit < amount:
            raise InsufficientFunds(self.owner)
        self._balance -= amount  # goal

    def freeze(self) -> None:
        """Allow no more withdrawals, if the account is overdrawn."""
        if self._balance < 0:
            self._frozen = True  # goal


class Bank:
    """Accounts by name."""

    def __init__(self) -> None:
        self._accounts: list[Account] = []

    def open(self, account: Account) -> None:
        """Take an account in."""
        if account in self._accounts:
            raise ValueError("known already")  # goal
        self._accounts.append(account)

    def transfer(self, source: Account, target: Account, amount: int) -> int:
        """Move money between two accounts of this bank; returns what is left."""
        if source is target:
            raise ValueError("nothing to do")
        if source not in self._accounts or target not in self._accounts:
            raise LookupError("not our customer")
        source.withdraw(amount)
        target.deposit(amount)
        if target.balance > 1000 and source.balance == 0:
            return 0  # goal
        return source.balance  # goal
