"""Predicates that say whether an operation raises: operators ``NAME_ok`` that a check is made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def succeeds(function: Callable[..., Any], *errors: type[Exception]) -> Callable[..., bool]:
    """Return the predicate "this raises none of `errors`"."""

    def holds(*args: Any) -> bool:
        try:
            function(*args)
        except errors:
            return False
        return True

    return holds


def refuses(function: Callable[..., Any]) -> Callable[..., bool]:
    """Return the predicate "this raises a ValueError", which an `ArithmeticError` is not."""

    def holds(*args: Any) -> bool:
        try:
            function(*args)
        except ValueError:
            return True
        except ArithmeticError:
            return False
        return False

    return holds
