"""The server of `tracetwin watch`: it answers who knows the token, and nobody can change anything."""

from __future__ import annotations

import http.client
import json
import socket
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.report.hostile import result
from tracetwin.report.live_server import ADDRESS, LiveServer
from tracetwin.report.pages import pages_of
from tracetwin.report.result import result_of


@pytest.fixture
def server() -> Iterator[LiveServer]:
    with LiveServer() as server:
        yield server


def asked(server: LiveServer, path: str, *, method: str = "GET", host: str = "") -> tuple[int, str, str]:
    """Return the status, the kind and the text of an answer."""
    connection = http.client.HTTPConnection(ADDRESS, server.port, timeout=10)
    connection.request(method, path, headers={"Host": host or f"{ADDRESS}:{server.port}"})
    answer = connection.getresponse()
    found = answer.status, answer.headers.get("Content-Type", ""), answer.read().decode()
    connection.close()
    return found


def test_who_knows_the_address_sees_the_pages(server: LiveServer, tmp_path: Path) -> None:
    pages = pages_of(result_of(result(tmp_path, bad="x")), live=3)
    server.show(pages, 3)
    server.working(busy=True)
    with urllib.request.urlopen(server.url) as answer:
        text = answer.read().decode()
        assert answer.headers["Cache-Control"] == "no-store"
    assert "Coverage by generated tests" in text
    assert 'data-live="3"' in text
    assert "connect-src &#39;self&#39;" in text
    other = next(name for name in pages if name != "index.html")
    assert urllib.request.urlopen(server.url + other).status == 200
    status = json.loads(urllib.request.urlopen(server.url + "status.json").read())
    assert status == {"version": 3, "working": True}


def test_nobody_else_learns_anything(server: LiveServer) -> None:
    server.show({"index.html": "secret"}, 1)
    token = server.url.rstrip("/").rpartition("/")[2]
    for path in ("/", "/index.html", "/wrong/", f"/{token[:-1]}/", "/status.json", "/é/"):
        assert asked(server, urllib.parse.quote(path))[0] == 404, path
    assert asked(server, f"/{token}/", host="evil.example")[0] == 404
    assert asked(server, f"/{token}/", host=f"localhost:{server.port}")[0] == 200


def test_files_of_the_machine_are_not_served(server: LiveServer) -> None:
    server.show({"index.html": "x"}, 1)
    token = server.url.rstrip("/").rpartition("/")[2]
    for path in ("../etc/passwd", "/etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "index.html/..", "."):
        assert asked(server, f"/{token}/{path}")[0] == 404, path


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_nothing_can_be_changed(server: LiveServer, method: str) -> None:
    assert asked(server, "/", method=method)[0] == 501


def test_only_this_machine_is_listened_to(server: LiveServer) -> None:
    listening = server._http.socket.getsockname()
    assert listening[0] == "127.0.0.1"
    assert server._http.socket.family == socket.AF_INET


def test_the_token_is_another_one_each_time() -> None:
    with LiveServer() as one, LiveServer() as other:
        assert one.url.split("/")[3] != other.url.split("/")[3]
        assert len(one.url.split("/")[3]) >= 32


def test_a_request_with_a_head_has_no_body(server: LiveServer) -> None:
    server.show({"index.html": "abc"}, 1)
    token = server.url.rstrip("/").rpartition("/")[2]
    assert asked(server, f"/{token}/", method="HEAD")[2] == ""
