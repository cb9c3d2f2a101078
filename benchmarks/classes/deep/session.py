"""A login that hands out tokens, which are needed later."""

from __future__ import annotations


class SessionStore:
    """Users, their passwords, and who is logged in."""

    def __init__(self) -> None:
        self._passwords: dict[str, str] = {}
        self._tokens: dict[int, str] = {}
        self._next = 1000

    def register(self, user: str, password: str) -> None:
        """Make a user known."""
        if user in self._passwords:
            raise ValueError("name is taken")  # goal
        if len(password) < 4:
            raise ValueError("password too short")
        self._passwords[user] = password

    def login(self, user: str, password: str) -> int:
        """Return a token for a user; 0 when the password is wrong."""
        if self._passwords.get(user) != password:
            return 0
        self._next += 17
        self._tokens[self._next] = user
        return self._next  # goal

    def whoami(self, token: int) -> str:
        """Return whose token it is."""
        if token not in self._tokens:
            raise PermissionError("unknown token")
        return self._tokens[token]  # goal

    def logout(self, token: int) -> bool:
        """Make a token worthless."""
        user = self._tokens.pop(token, None)
        if user is None:
            return False
        return True  # goal
