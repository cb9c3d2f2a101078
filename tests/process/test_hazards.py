"""What a hostile target may do costs one input, and nothing outside."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tracetwin.process.worker import HandlerError, Ready, RunnerDied, RunnerTimeout, Worker

LINUX = sys.platform.startswith("linux")


@pytest.fixture(autouse=True)
def _goes_on(hostile: Worker) -> Iterator[None]:
    """Whatever happened: the next input is executed, in the same zygote, and soon."""
    starts = max(hostile.starts, 1)
    yield
    began = time.monotonic()
    assert hostile.request(("fine", (1,))) == ("returned", 2)
    assert time.monotonic() - began < 3
    assert hostile.starts == starts
    hostile.replace_runner()


def call(worker: Worker, name: str, *arguments: Any) -> Any:
    """What became of a call; an exception that is no `Exception` reaches the handler."""
    try:
        return worker.request((name, arguments))
    except RunnerTimeout:
        return "timeout"
    except RunnerDied as death:
        return "died", death.reason
    except HandlerError as error:
        return "escaped", str(error).strip().splitlines()[-1]


@pytest.mark.parametrize(
    "name",
    [
        *("loops", "swallows", "sleeps", "waits_for_a_lock", "matches_for_ever", "computes_in_c"),
        *("ignores_the_alarm", "blocks_signals", "joins_a_thread", "reads_a_pipe"),
    ],
)
def test_what_never_ends_is_ended(hostile: Worker, name: str) -> None:
    began = time.monotonic()
    assert call(hostile, name) == "timeout"
    assert time.monotonic() - began < 3


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("exits_hard", (0,), "exited with status 0"),
        ("exits_hard", (5,), "exited with status 5"),
        ("aborts", (), "was killed by SIGABRT"),
        ("kills_itself", (), "was killed by SIGKILL"),
        ("closes_everything", (), "closed file descriptors"),
        ("writes_to_every_descriptor", (), "broke the connection"),
    ],
)
def test_a_death_is_told_with_its_reason(hostile: Worker, name: str, arguments: Any, words: str) -> None:
    outcome = call(hostile, name, *arguments)
    assert outcome[0] == "died"
    assert words in outcome[1]


def test_a_crash_is_a_death(hostile: Worker) -> None:
    assert call(hostile, "crashes")[0] == "died"


def test_an_alarm_of_the_target_ends_its_own_run(hostile: Worker) -> None:
    assert call(hostile, "leaves_by_alarm") in ("timeout", ("died", "was killed by SIGALRM"))


@pytest.mark.slow
def test_endless_recursion_without_a_limit_costs_one_runner(hostile: Worker) -> None:
    outcome = call(hostile, "recurses_in_c")
    assert outcome == "timeout" or outcome[0] in ("died", "raised", "escaped")


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("exits", ("escaped", "SystemExit: 3")),
        ("interrupts", ("escaped", "KeyboardInterrupt")),
    ],
)
def test_leaving_python_is_an_exception(hostile: Worker, name: str, outcome: object) -> None:
    assert call(hostile, name) == outcome


@pytest.mark.parametrize(
    ("name", "error"),
    [("recurses", "RecursionError"), ("eats_memory", "MemoryError"), ("allocates_at_once", "MemoryError")],
)
def test_exhaustion_is_an_exception(hostile: Worker, name: str, error: str) -> None:
    assert call(hostile, name)[:2] == ("raised", error)


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("prints_much", ("returned", None)),
        ("reads_stdin", ("returned", ("", b""))),
        ("asks", ("raised", "EOFError", "EOF when reading a line")),
        ("takes_streams_away", ("returned", None)),
        ("closes_streams", ("returned", None)),
        ("leaves_a_thread", ("returned", None)),
        ("tinkers", ("returned", None)),
        ("leaves_finalizers", ("returned", None)),
        ("uses_scratch", ("returned", 4)),
        ("runs_a_loop", ("returned", [1, 2])),
    ],
)
def test_what_does_no_harm_goes_through(hostile: Worker, name: str, outcome: object) -> None:
    assert call(hostile, name) == outcome
    assert call(hostile, "fine", 2) == ("returned", 3)


def test_a_file_that_is_too_large_is_an_error(hostile: Worker) -> None:
    assert call(hostile, "fills_the_disk")[:2] == ("raised", "OSError")


def test_each_runner_finds_an_empty_scratch_folder(hostile: Worker) -> None:
    for _ in range(2):
        assert call(hostile, "leaves_a_file") == ("returned", [])
        hostile.replace_runner()


@pytest.fixture
def canary(tmp_path: Path) -> Iterator[Path]:
    """A file that is the same afterwards, in a folder that is the same."""
    path = tmp_path / "canary"
    path.write_text("alive")
    path.chmod(0o600)
    before = path.stat()
    yield path
    assert path.read_text() == "alive"
    after = path.stat()
    assert (after.st_mode, after.st_mtime_ns, after.st_nlink) == (before.st_mode, before.st_mtime_ns, 1)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "name",
    [
        *(
            "writes",
            "appends",
            "opens_low",
            "removes",
            "removes_beside",
            "removes_all",
            "renames",
            "moves_in",
        ),
        *("links_in", "follows_a_link", "climbs", "makes_executable", "changes_by_descriptor", "touches"),
        *("truncates", "makes_a_folder", "makes_a_pipe", "databases", "runs_a_program", "runs_a_shell"),
        *("becomes_a_program", "spawns", "spawns_a_worker", "forks", "loads_c", "uses_loaded_c"),
        "raises_limits",
    ],
)
def test_harm_is_refused_and_remembered(hostile: Worker, canary: Path, name: str) -> None:
    assert call(hostile, name, str(canary))[:2] == ("raised", "Refused")
    assert call(hostile, "!refusals")


@pytest.mark.skipif(not LINUX, reason="only the kernel sees this one")
def test_what_the_hook_can_not_see_the_kernel_refuses(hostile: Worker, canary: Path) -> None:
    info = hostile.start()
    assert isinstance(info, Ready)
    if info.info["walls"]["landlock"] < 3:
        pytest.skip("no Landlock that knows of truncation")
    assert call(hostile, "opens_relative", str(canary))[:2] == ("raised", "Refused")


def test_a_refusal_that_is_caught_is_still_known(hostile: Worker, canary: Path) -> None:
    assert call(hostile, "catches_the_refusal", str(canary)) == ("returned", "went on")
    assert call(hostile, "!refusals") == [("open", str(canary))]


@pytest.mark.parametrize("name", ["listens", "looks_up", "kills_the_parent", "kills_the_group", "kills_all"])
def test_the_world_outside_is_closed(hostile: Worker, name: str) -> None:
    assert call(hostile, name)[:2] == ("raised", "Refused")


def test_no_connection_reaches_a_listening_socket(hostile: Worker) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        for name in ("connects", "sends"):
            assert call(hostile, name, server.getsockname()[1])[:2] == ("raised", "Refused")
        with pytest.raises(TimeoutError):
            server.accept()


def test_a_death_that_an_earlier_input_prepared_is_not_blamed_on_the_next(hostile: Worker) -> None:
    forks = hostile.forks
    assert call(hostile, "ends_later") == ("returned", None)
    assert call(hostile, "slow", 7) == ("returned", 7)
    assert hostile.forks > forks


def test_the_environment_of_another_process_can_not_be_read(hostile: Worker) -> None:
    assert call(hostile, "spies", os.getpid())[:2] == ("raised", "Refused")


def test_a_neighbour_can_not_be_killed(hostile: Worker) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as neighbour:
        assert call(hostile, "kills", neighbour.pid)[:2] == ("raised", "Refused")
        assert neighbour.poll() is None
        neighbour.communicate(b"\n")
