"""Decides what a user may do: policies vote, roles inherit."""

from __future__ import annotations

import enum
from collections.abc import Collection, Sequence
from typing import Protocol, runtime_checkable


class Vote(enum.IntEnum):
    DENY = -1
    ABSTAIN = 0
    GRANT = 1


class Principal(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def roles(self) -> Collection[str]: ...

    @property
    def is_superuser(self) -> bool: ...


@runtime_checkable
class Owned(Protocol):
    """Things that belong to somebody."""

    @property
    def owner(self) -> str: ...


class Policy(Protocol):
    def vote(self, user: Principal, action: str, resource: object) -> Vote: ...


class Directory(Protocol):
    def parent(self, role: str) -> str | None: ...

    def may(self, role: str, action: str) -> bool: ...


class Forbidden(PermissionError):
    pass


class Checker:
    def __init__(self, policies: Sequence[Policy], directory: Directory | None = None) -> None:
        self.policies = policies
        self.directory = directory

    def allowed(self, user: Principal, action: str, resource: object = None) -> bool:
        """A denial decides; otherwise somebody must agree."""
        if user.is_superuser and action != "delete":
            return True
        granted = False
        for policy in self.policies:
            vote = policy.vote(user, action, resource)
            if vote is Vote.DENY:
                return False
            if vote is Vote.GRANT:
                granted = True
        if granted:
            return True
        if isinstance(resource, Owned) and resource.owner == user.name:
            return action in {"read", "write"}
        if self.directory is None:
            return False
        return any(self._inherits(role, action) for role in user.roles)

    def _inherits(self, role: str, action: str) -> bool:
        current: str | None = role
        steps = 0
        while current is not None:
            if self.directory is not None and self.directory.may(current, action):
                return True
            steps += 1
            if steps > 3 or self.directory is None:
                raise RecursionError("roles inherit in a circle")
            current = self.directory.parent(current)
        return False

    def require(self, user: Principal, action: str) -> None:
        if not self.allowed(user, action):
            raise Forbidden(user.name or "anonymous")


def strictest(policies: Sequence[Policy], user: Principal) -> Policy | None:
    """The policy that grants least, if they differ."""
    result: Policy | None = None
    lowest = Vote.GRANT
    for policy in policies:
        vote = policy.vote(user, "read", None)
        if vote < lowest:
            lowest = vote
            result = policy
    return result
