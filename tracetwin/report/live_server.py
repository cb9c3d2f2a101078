"""A server for an open report: on the loopback address, behind a token, read only, from memory."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Final

from tracetwin.report.pages import INDEX

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self

ADDRESS: Final = "127.0.0.1"
STATUS: Final = "status.json"
"""What a page asks for to learn that there is a newer one."""

_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class LiveServer:
    """Serves the pages of a report, and says which version they are; use it in a `with` block."""

    def __init__(self, port: int = 0) -> None:
        """Listen; only programs of this machine that know the token get an answer.

        Raises:
            OSError: somebody else listens there.
        """
        self._token = secrets.token_urlsafe(24)
        self._pages: Mapping[str, str] = {}
        self._version = 0
        self._working = False
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer((ADDRESS, port), _handler(self))
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.1,), daemon=True)

    @property
    def port(self) -> int:
        """The port that it listens at."""
        return int(self._http.server_address[1])

    @property
    def url(self) -> str:
        """The address of the first page."""
        return f"http://{ADDRESS}:{self.port}/{self._token}/"

    def show(self, pages: Mapping[str, str], version: int) -> None:
        """Serve these pages from now on; open pages of another version load theirs anew."""
        with self._lock:
            self._pages, self._version = dict(pages), version

    def working(self, *, busy: bool) -> None:
        """Say whether a newer version is being made."""
        with self._lock:
            self._working = busy

    def answer(self, path: str, host: str) -> tuple[HTTPStatus, str, str]:
        """Return the status, the kind and the text of the answer to a request.

        The host counts, since another site's name may lead to this address.
        """
        wrong = (HTTPStatus.NOT_FOUND, "text/plain; charset=utf-8", "There is nothing here.\n")
        if host not in (f"{ADDRESS}:{self.port}", f"localhost:{self.port}"):
            return wrong
        token, _, name = path.partition("?")[0].removeprefix("/").partition("/")
        if not secrets.compare_digest(token.encode("utf-8", "replace"), self._token.encode()):
            return wrong
        with self._lock:
            if name == STATUS:
                told = json.dumps({"version": self._version, "working": self._working})
                return HTTPStatus.OK, "application/json", told
            page = self._pages.get(name or INDEX)
        return wrong if page is None else (HTTPStatus.OK, "text/html; charset=utf-8", page)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


def _handler(server: LiveServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """Answers requests that read; there are no others."""

        server_version, sys_version = "tracetwin", ""

        def do_GET(self) -> None:
            self._answer(body=True)

        def do_HEAD(self) -> None:
            self._answer(body=False)

        def log_message(self, *_: object) -> None:
            """Say nothing: a terminal is no log of requests."""

        def _answer(self, *, body: bool) -> None:
            status, kind, text = server.answer(self.path, self.headers.get("Host", ""))
            data = text.encode("utf-8", "replace")
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            for name, value in _HEADERS.items():
                self.send_header(name, value)
            self.end_headers()
            if body:
                self.wfile.write(data)

    return Handler
