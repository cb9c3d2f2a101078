"""Code that opens connections and starts programs gets tests in which both are patched."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.command import run

RELAY = '''
"""Relays."""

import asyncio
import smtplib
import socket
import subprocess
import urllib.request
from subprocess import Popen
from urllib.error import URLError


class Relay:
    def __init__(self, host, port):
        self._listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._listener.bind((host, port))
        self._clients = []

    def accept(self):
        connection, (host, port) = self._listener.accept()
        if port < 1024:
            connection.close()
            return None
        self._clients.append(connection)
        return host

    def read(self):
        data = self._clients[-1].recv(64)
        if data.startswith(b"QUIT"):
            self._clients.pop().close()
            return "left"
        return data.decode()


def is_up(address: socket.socket | None, host: str) -> str:
    probe = address or socket.socket()
    return "up" if probe.connect_ex((host, 80)) == 0 else "down"


def status(url):
    try:
        with urllib.request.urlopen(url, timeout=3) as answer:
            return answer.status == 200
    except URLError:
        return None


def failed(commands):
    codes = []
    for command in commands:
        process = Popen(command)
        process.communicate()
        if process.returncode != 0:
            codes.append(process.returncode)
    return codes


def send(host, text):
    with smtplib.SMTP(host) as server:
        if server.has_extn("STARTTLS"):
            server.starttls()
        return len(server.sendmail("a@example.org", ["b@example.org"], text))


async def ask(host):
    reader, writer = await asyncio.open_connection(host, 80)
    writer.write(b"?")
    await writer.drain()
    answer = await reader.readline()
    return answer.decode() if answer.startswith(b"+") else None


def version():
    done = subprocess.run(["relay", "--version"], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else "unknown"
'''


def _generated(folder: Path, *options: str) -> tuple[dict[str, Any], str]:
    (folder / "relay.py").write_text(RELAY, encoding="utf-8")
    done = run(
        "generate", "relay.py", "-o", "out", "-j1", "--max-runs", "1500", "--time-limit", "60",
        "--json", "r.json", "--suspicious", "include", *options, cwd=folder, timeout=200,
    )  # fmt: skip
    assert 0 == done.returncode, done.stdout + done.stderr
    (module,) = json.loads((folder / "r.json").read_text(encoding="utf-8"))["modules"]
    return module, (folder / "out" / "test_relay.py").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def relay(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], str]:
    folder = tmp_path_factory.mktemp("relay")
    return folder, *_generated(folder)


def test_every_side_is_taken_without_being_asked_to_patch(relay: tuple[Path, dict[str, Any], str]) -> None:
    _, module, text = relay
    assert module["branches"] == module["covered_branches"], (module["uncovered"], text)


def test_classes_are_mocked_by_their_own_signatures(relay: tuple[Path, dict[str, Any], str]) -> None:
    _, _, text = relay
    assert 'patch("relay.socket.socket", return_value=' in text
    assert "create_autospec(socket_socket, instance=True)" in text
    assert "create_autospec(Popen, instance=True)" in text
    assert 'patch("relay.Popen", ' in text


def test_what_a_member_gives_is_what_the_stub_says(relay: tuple[Path, dict[str, Any], str]) -> None:
    _, _, text = relay
    assert '.recv.return_value = b"QUIT' in text
    assert "io.StringIO" not in text  # which has `close` as well


def test_the_tests_pass_for_whoever_runs_them(relay: tuple[Path, dict[str, Any], str]) -> None:
    folder, _, _ = relay
    done = subprocess.run(
        [sys.executable, "-m", "unittest", "-q", "out/test_relay.py"],
        cwd=folder, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert 0 == done.returncode, done.stderr


def test_who_takes_them_out_gets_no_patch(tmp_path: Path) -> None:
    _, text = _generated(tmp_path, "--no-patch", "net", "--no-patch", "subprocess")
    assert "patch(" not in text
