"""Which features a user gets; the flags live elsewhere."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import Literal, TypedDict

Plan = Literal["free", "team", "enterprise"]


class Context(TypedDict, total=False):
    user: str
    country: str
    plan: Plan


class FlagsUnavailable(Exception):
    pass


class FlagStore(abc.ABC):
    @property
    @abc.abstractmethod
    def ready(self) -> bool: ...

    @abc.abstractmethod
    def variation(self, key: str, context: Mapping[str, object], default: bool) -> bool: ...

    @abc.abstractmethod
    def rollout(self, key: str) -> int:
        """Percentage of users that get a feature, from 0 to 100."""

    @classmethod
    @abc.abstractmethod
    def schema_version(cls) -> int: ...


class Audit(abc.ABC):
    @abc.abstractmethod
    def record(self, user: str, key: str, value: bool) -> None: ...


def bucket(user: str) -> int:
    """A number from 0 to 99 that stays the same for a user."""
    total = 0
    for char in user:
        total = (total * 31 + ord(char)) % 100
    return total


def is_on(store: FlagStore, key: str, context: Context, audit: Audit | None = None) -> bool:
    """Whether a feature is on in a context."""
    if not store.ready:
        return False
    user = context.get("user", "")
    try:
        value = store.variation(key, context, default=False)
    except FlagsUnavailable:
        return key.startswith("stable-")
    if not value:
        share = store.rollout(key)
        if share >= 100:
            value = True
        elif share > 0 and user:
            value = bucket(user) < share
    if audit is not None:
        audit.record(user or "anonymous", key, value)
    return value


def theme(store: FlagStore, context: Context) -> str:
    """Two features that exclude each other."""
    dark = store.variation("dark", context, False)
    contrast = store.variation("contrast", context, False)
    if dark and contrast:
        raise ValueError("exclude each other")
    if dark:
        return "dark"
    if contrast:
        return "contrast"
    return "light" if context.get("plan") != "enterprise" else "corporate"


def supported(store_class: type[FlagStore]) -> bool:
    """Whether a kind of store is new enough."""
    return store_class.schema_version() >= 3
