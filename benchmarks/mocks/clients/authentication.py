"""Logs users in against a store, a hasher and a clock that are passed in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

MAX_FAILURES = 3
LOCK_SECONDS = 300


@dataclass
class User:
    name: str
    password_hash: str
    failures: int = 0
    locked_until: int = 0
    disabled: bool = False


class UserStore(Protocol):
    def find(self, name: str) -> User | None: ...

    def save(self, user: User) -> None: ...


class Hasher(Protocol):
    def verify(self, password: str, hashed: str) -> bool: ...

    def needs_rehash(self, hashed: str) -> bool: ...

    def hash(self, password: str) -> str: ...


class Clock(Protocol):
    def now(self) -> int: ...


class TwoFactor(Protocol):
    def required_for(self, user: User) -> bool: ...

    def check(self, user: User, code: str) -> bool: ...


class AuthError(Exception):
    """Logging in failed."""


class LockedError(AuthError):
    def __init__(self, remaining: int) -> None:
        super().__init__(f"locked for {remaining} s")
        self.remaining = remaining


class Authenticator:
    def __init__(
        self, users: UserStore, hasher: Hasher, clock: Clock, second: TwoFactor | None = None
    ) -> None:
        self._users = users
        self._hasher = hasher
        self._clock = clock
        self._second = second

    def login(self, name: str, password: str, code: str = "") -> User:
        user = self._users.find(name.strip().lower())
        if user is None:
            raise AuthError("unknown user")
        now = self._clock.now()
        if user.locked_until > now:
            raise LockedError(user.locked_until - now)
        if user.disabled:
            raise AuthError("disabled")
        if not self._hasher.verify(password, user.password_hash):
            self._fail(user, now)
            raise AuthError("wrong password")
        if self._second is not None and self._second.required_for(user):
            if not code:
                raise AuthError("code needed")
            if not self._second.check(user, code):
                self._fail(user, now)
                raise AuthError("wrong code")
        if self._hasher.needs_rehash(user.password_hash):
            user.password_hash = self._hasher.hash(password)
        user.failures = 0
        self._users.save(user)
        return user

    def _fail(self, user: User, now: int) -> None:
        user.failures += 1
        if user.failures >= MAX_FAILURES:
            user.locked_until = now + LOCK_SECONDS
            user.failures = 0
        self._users.save(user)
