"""A client of a web service through a session like that of requests or httpx."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol


class TransportError(Exception):
    pass


class NotFound(LookupError):
    pass


class Response(Protocol):
    @property
    def status_code(self) -> int: ...

    @property
    def headers(self) -> Mapping[str, str]: ...

    @property
    def text(self) -> str: ...

    def json(self) -> dict[str, Any]: ...


class Session(Protocol):
    def get(
        self, url: str, *, params: Mapping[str, str] | None = None, timeout: float = 10.0
    ) -> Response: ...

    def post(self, url: str, *, json: Mapping[str, Any]) -> Response: ...


class Client:
    def __init__(
        self, session: Session, base: str, sleep: Callable[[float], None], retries: int = 2
    ) -> None:
        self.session = session
        self.base = base.rstrip("/")
        self._sleep = sleep
        self.retries = retries
        self.slept = 0

    def fetch(self, path: str) -> Response:
        """Get a path; busy servers are asked again, failed connections once more."""
        left = self.retries
        while True:
            try:
                response = self.session.get(self.base + path, timeout=5.0)
            except TransportError:
                if left <= 0:
                    raise
                left -= 1
                continue
            if response.status_code == 404:
                raise NotFound(path)
            if response.status_code == 429 and left > 0:
                left -= 1
                pause = response.headers.get("Retry-After", "1")
                seconds = int(pause) if pause.isdigit() else 1
                self.slept += seconds
                self._sleep(seconds)
                continue
            return response

    def exists(self, path: str) -> bool:
        """Whether the server knows a path."""
        try:
            response = self.fetch(path)
        except NotFound:
            return False
        return 200 <= response.status_code < 300

    def create(self, name: str) -> str:
        """Create something, and return where it is."""
        response = self.session.post(self.base + "/things", json={"name": name})
        if response.status_code == 201:
            location = response.headers.get("Location")
            if location:
                return location
            return str(response.json()["id"])
        if response.status_code == 409:
            return self.base + "/things/" + name
        raise TransportError(response.text[:80])
