"""Calls something again and again, as a policy says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")


class GiveUp(Exception):
    def __init__(self, attempts: int) -> None:
        super().__init__(f"gave up after {attempts}")
        self.attempts = attempts


class Policy(Protocol):
    def should_retry(self, attempt: int, error: Exception) -> bool: ...

    def delay(self, attempt: int) -> float: ...


class Budget(Protocol):
    @property
    def remaining(self) -> float: ...

    def spend(self, seconds: float) -> None: ...


class Retrier(Generic[T]):
    def __init__(
        self,
        policy: Policy,
        budget: Budget,
        *,
        retry_on: tuple[type[Exception], ...] = (OSError, TimeoutError),
        accept: Callable[[T], bool] | None = None,
    ) -> None:
        self.policy = policy
        self.budget = budget
        self.retry_on = retry_on
        self.accept = accept
        self.delays: list[float] = []

    def call(self, operation: Callable[[], T], limit: int = 3) -> T:
        attempt = 0
        while attempt < limit:
            attempt += 1
            try:
                result = operation()
            except self.retry_on as error:
                if not self.policy.should_retry(attempt, error):
                    raise
            else:
                if self.accept is None or self.accept(result):
                    return result
            delay = self.policy.delay(attempt)
            if delay > self.budget.remaining:
                raise GiveUp(attempt)
            if delay > 0:
                self.budget.spend(delay)
            self.delays.append(delay)
        raise GiveUp(attempt)


def attempts_until(policy: Policy, threshold: float, limit: int = 4) -> int | None:
    """The first attempt whose delay passes a threshold, given that delays never shrink."""
    previous = 0.0
    for attempt in range(1, limit):
        delay = policy.delay(attempt)
        if delay < previous:
            raise ValueError("delays shrink")
        if delay > threshold:
            return attempt
        previous = delay
    return None


def call_or(operation: Callable[[], int], default: int) -> int:
    """The result, or a default for the usual failures."""
    try:
        return operation()
    except (KeyError, IndexError):
        return default
    except ZeroDivisionError:
        return 0
