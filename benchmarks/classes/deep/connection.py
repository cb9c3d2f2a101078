"""A connection that must be opened, authenticated and used in order."""

from __future__ import annotations


class ProtocolError(Exception):
    """A call out of order."""


class Connection:
    """A session with a server that answers from memory."""

    def __init__(self, host: str) -> None:
        if not host:
            raise ValueError("no host")
        self.host = host
        self._state = "closed"
        self._user: str | None = None
        self._sent: list[str] = []

    def open(self) -> None:
        """Open the connection."""
        if self._state != "closed":
            raise ProtocolError("already open")
        self._state = "open"

    def authenticate(self, user: str, password: str) -> bool:
        """Log in; the password is the user's name backwards."""
        if self._state != "open":
            raise ProtocolError("not open")
        if not user or password != user[::-1]:
            return False
        self._user = user
        self._state = "ready"
        return True

    def send(self, message: str) -> int:
        """Send a message; returns how many were sent."""
        if self._state != "ready":
            raise ProtocolError("not authenticated")
        self._sent.append(message)
        return len(self._sent)

    def receive(self) -> str:
        """Receive the answer to the oldest message."""
        if self._state != "ready":
            raise ProtocolError("not authenticated")
        if not self._sent:
            return ""
        message = self._sent.pop(0)
        if message == "PING":
            return "PONG"  # goal
        return f"{self._user}: {message}"  # goal

    def close(self) -> bool:
        """Close; returns whether everything that was sent has been answered."""
        if self._state == "closed":
            raise ProtocolError("not open")
        clean = not self._sent
        self._state = "closed"
        self._user = None
        self._sent = []
        if clean:
            return True
        return False  # goal
