"""Errors that are neither the user's nor the target's: one sentence, a log on request, an exit status."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import succeed
from tests.e2e.command import environment, tracetwin_command
from tracetwin.support.failures import Failure, failure_of, message_of
from tracetwin.support.worker_errors import HandlerError

OURS = "error: 1 error is tracetwin's own: please report it, with "


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "out/test_good.py")


def internal(module, options):
    """A module that fails by an error of ours, as `generate` tells it."""
    result = succeed(module, options)
    result.failures.append(failure_of(KeyError("root"), "exploring Cart.add"))
    return result


def refused(module, options):
    result = succeed(module, options)
    result.failures.append(Failure("writing out/test_good.py", "No space left on device", internal=False))
    return result


def test_an_error_of_ours_decides_the_status_though_tests_are_written(fake, project, run):
    fake.behaviours["good"] = internal
    result = run("generate", "good.py", "other.py", "-o", "out")
    assert 3 == result.exit_code
    assert "error: good: internal error while exploring Cart.add: KeyError: 'root'\n" in result.stderr
    assert f"{OURS}the file that --log FILE writes\n" in result.stderr
    assert "2 tests in 2 files" in result.stdout
    assert "Traceback" not in result.output


def test_what_the_system_refuses_has_a_status_of_its_own_and_no_advice(fake, project, run):
    fake.behaviours["good"] = refused
    result = run("generate", "good.py", "other.py", "-o", "out", "-q")
    assert 4 == result.exit_code
    assert result.stderr == "error: good: writing out/test_good.py failed: No space left on device\n"


def test_an_error_of_ours_comes_before_the_systems(fake, project, run):
    fake.behaviours["good"], fake.behaviours["other"] = refused, internal
    assert 3 == run("generate", "good.py", "other.py", "-o", "out").exit_code


def test_the_log_holds_versions_progress_and_tracebacks(fake, project, run):
    fake.behaviours["good"] = internal
    result = run("generate", "good.py", "-o", "out", "--log", "run.log", "-q")
    assert f"{OURS}run.log\n" in result.stderr
    log = (project / "run.log").read_text(encoding="utf-8")
    assert log.startswith("tracetwin ")
    assert "z3-solver" in log
    assert "good: internal error while exploring Cart.add: KeyError: 'root'" in log
    assert "good: 1/1 lines, 1 test" in log


def test_a_log_that_can_not_be_written_is_wrong_usage(fake, project, run):
    result = run("generate", "good.py", "-o", "out", "--log", "no/such/folder/run.log")
    assert 2 == result.exit_code
    assert "no/such/folder/run.log can't be written: No such file or directory" in result.stderr
    assert not fake.modules


def test_a_json_file_that_can_not_be_written_costs_nothing_else(fake, project, run, monkeypatch):
    monkeypatch.setattr("tracetwin.support.atomic_files.write_text", full)
    result = run("generate", "good.py", "-o", "out", "--json", "result.json")
    assert 4 == result.exit_code
    assert "error: writing result.json failed: No space left on device: out/test_good.py\n" in result.stderr
    assert "1 test in 1 file" in result.stdout


@pytest.mark.parametrize("command", ["generate", "instrument", "explore", "summary"])
def test_an_error_in_finding_a_target_is_one_of_that_target(command, fake, project, run, monkeypatch):
    from tracetwin.target import selection as targets

    found = targets._resolve

    def resolve(text, root, places):
        if text == "other.py":
            raise RecursionError("too deep")
        return found(text, root, places)

    monkeypatch.setattr(targets, "_resolve", resolve)
    output = ("-o", "out") if command == "generate" else ()
    others = ("good.py",) if command in ("generate", "instrument") else ()
    result = run(command, "other.py", *others, *output)
    assert "error: other.py: internal error while looking at it: RecursionError: too deep\n" in result.stderr
    assert 3 == result.exit_code
    assert ["good"] * (command == "generate") == [module.name for module in fake.modules]


@pytest.mark.parametrize("command", ["generate", "instrument", "explore", "summary"])
def test_whatever_happens_there_is_no_traceback(command, fake, project, run, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("by the\nway")

    monkeypatch.setattr("tracetwin.target.selection.resolve_all", broken)
    monkeypatch.setattr("tracetwin.target.selection.resolve_runnable", broken)
    output = ("-o", "out") if command == "generate" else ()
    result = run(command, "good.py", "--log", "run.log", *output)
    assert 3 == result.exit_code
    assert result.stderr.splitlines() == [
        f"error: internal error while running {command}: ZeroDivisionError: by the way", f"{OURS}run.log"
    ]  # fmt: skip
    assert "Traceback (most recent call last)" in (project / "run.log").read_text(encoding="utf-8")


def test_an_interruption_before_the_work_begins(project, run, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("tracetwin.target.selection.resolve_runnable", interrupted)
    result = run("generate", "good.py", "-o", "out")
    assert 130 == result.exit_code
    assert "error: interrupted\n" == result.stderr


def test_one_file_that_breaks_us_does_not_keep_the_others_from_being_instrumented(project, run, monkeypatch):
    from instrumenter import write

    def broken(*_, **__):
        raise AssertionError("no node")

    monkeypatch.setattr(write, "write_twin", broken)
    result = run("instrument", "good.py", "other.py", "-o", "out")
    assert 3 == result.exit_code
    assert 2 == result.stderr.count("internal error while making its twin: AssertionError: no node")


def test_the_json_has_the_whole_truth(fake, project, run):
    fake.behaviours["good"] = internal
    result = run("generate", "good.py", "-o", "out", "--json", "-")
    (failure,) = json.loads(result.stdout)["modules"][0]["failures"]
    assert failure["internal"]
    assert "internal error while exploring Cart.add: KeyError: 'root'" == failure["sentence"]


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OSError(errno.EROFS, "Read-only file system", "/x"), "f failed: Read-only file system: /x"),
        (MemoryError(), "f failed: there is not enough memory"),
        (FileNotFoundError(errno.ENOENT, "gone", "/x"),
         "internal error while f: FileNotFoundError: [Errno 2] gone: '/x'"),
        (ValueError(), "internal error while f: ValueError"),
        (HandlerError("Trace:\n  File 'x'\nValueError: deep\n"), "internal error while f: ValueError: deep"),
    ],
)
def test_who_is_to_blame(error, sentence):
    assert sentence == failure_of(error, "f").sentence


def test_a_message_is_one_line_even_if_the_exception_has_none():
    class Silent(Exception):
        def __str__(self) -> str:
            raise ValueError

    assert "Silent" == message_of(Silent())
    assert len(message_of(ValueError("x" * 10_000))) < 400


def instrumented(folder: Path, **streams: Any) -> subprocess.Popen[str]:
    """The quickest of the commands, in a process of its own."""
    return subprocess.Popen(
        tracetwin_command("instrument", "good.py", "-o", "out", "-v"),
        cwd=folder, env=environment(), text=True, **streams,
    )  # fmt: skip


def test_a_reader_that_leaves_changes_nothing(project):
    with instrumented(project, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        _, errors = process.communicate(timeout=60)
    assert (0, "") == (process.returncode, errors)
    assert (project / "out" / "good.py").is_file()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
def test_a_full_disk_behind_the_output_is_told(project):
    with Path("/dev/full").open("w", encoding="utf-8") as full_disk:
        process = instrumented(project, stdout=full_disk, stderr=subprocess.PIPE)
        _, errors = process.communicate(timeout=60)
    assert (4, "error: standard output can't be written to: No space left on device\n") == (
        process.returncode, errors
    )  # fmt: skip


@pytest.mark.skipif(os.name != "posix", reason="descriptors are closed by numbers")
def test_closed_standard_streams_are_no_error(project):
    closing = "import os, sys; [os.close(n) for n in (0, 1, 2)]; os.execv(sys.argv[1], sys.argv[1:])"
    command = tracetwin_command("instrument", "good.py", "-o", "out")
    done = subprocess.run(
        [sys.executable, "-c", closing, *command], cwd=project, env=environment(), timeout=60, check=False
    )
    assert 0 == done.returncode
    assert (project / "out" / "good.py").is_file()
