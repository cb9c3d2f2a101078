"""The process that runs a generated file, one test after the other or each in a fork."""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import importlib.util
import random
import sys
import threading
import types
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tracetwin.emit.verify.nondeterminism import is_shaky
from tracetwin.mutation.written import standing_in
from tracetwin.process import bytecode, fork_server, late_imports
from tracetwin.process.importing import collect_again, make_room
from tracetwin.process.walls import sandbox
from tracetwin.replay.conditions import perturbations as drift
from tracetwin.replay.conditions.conditions import Conditions
from tracetwin.replay.untouched import Untouched
from tracetwin.replay.watching import Doings, watching
from tracetwin.support.stdlib_copies import leave, os, time

if TYPE_CHECKING:
    from tracetwin.support.own_modules import OwnModules

MODULE = "test_generated"
FILE = f"{MODULE}.py"
_THREAD_SECONDS: Final = 1.0

Say = Callable[..., None]
Tests = list[tuple[str, str]]


def main(own: OwnModules, fd: int) -> None:
    """Read one job; say of each test when it starts and how it ended."""
    control = fork_server.out_of_the_way(fd)
    job = control.receive()

    def say(what: str, *parts: Any) -> None:
        control.send((what, *parts))

    try:
        _run(own, job, say)
    finally:
        leave(0)


def _run(own: OwnModules, job: dict[str, Any], say: Say) -> None:
    conditions = Conditions.from_plain(job["conditions"])
    drift.apply(conditions)
    limits = drift.limits(sandbox.Limits.from_plain(job["limits"]), conditions)
    begin = watching(own, job) if job["watches"] else None
    fork_server.enter(own, job, limits, drift.folder(os.getcwd(), conditions))
    sys.argv[:] = [""]
    drift.settle(conditions)
    make_room(lambda name: name == job["name"])
    importlib.invalidate_caches()
    collect_again()
    if begin is not None:
        say = _telling(say, begin())
    say("up")
    try:
        with standing_in(job["stand_ins"]), bytecode.kept_in(job["code"]):
            module = _imported(job["text"])
    except BaseException as error:  # noqa: BLE001 - the import of a target may raise anything
        say("broken", _said(error))
        return
    late_imports.load(job["late"], job["code"])
    for part, tests in job["tests"]:
        if conditions.elsewhere:
            sys.argv[1:] = drift.WORDS if part == "shuffled" else drift.WORDS[:1]
        _PARTS[part](part, tests, module, say, job["name"])
    say("end", is_shaky(module))


def _telling(say: Say, done: Callable[[], Doings]) -> Say:
    """Say after each test what it has done in the target."""

    def tell(what: str, *parts: Any) -> None:
        if what == "start":
            done()  # what came before is none of it
        say(what, *parts)
        if what == "done":
            say("doing", *done())

    return tell


def _imported(text: str) -> types.ModuleType:
    """Import the file from disk, as those who run it do; afterwards a test finds its folder empty."""
    file = Path(FILE).absolute()
    file.write_text(text, encoding="utf-8")
    try:
        spec = importlib.util.spec_from_file_location(MODULE, file)
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[MODULE] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        os.unlink(file)
    return module


def _each_alone(part: str, tests: Tests, module: types.ModuleType, say: Say, target: str) -> None:
    """Each in a process in which no other has left anything: a copy of this one serves until one does."""
    if not tests:
        return
    begun, told = os.pipe()
    os.set_blocking(begun, False)
    untouched = Untouched(sys.modules.get(target, module), module)
    drift.prepare()
    left = list(tests)

    def run() -> None:
        for number, test in enumerate(left):
            os.write(told, b".")
            if not _alone(part, test, module, say, untouched, fresh=number == 0):
                return

    while left:
        os.waitpid(fork_server.fork(run), 0)
        say("copy")
        with contextlib.suppress(BlockingIOError):
            del left[: len(os.read(begun, len(left))) - 1]
        del left[0]
    drift.unprepare()
    os.close(begun)
    os.close(told)


def _alone(
    part: str, test: tuple[str, str], module: types.ModuleType, say: Say, untouched: Untouched, *, fresh: bool
) -> bool:
    """Run a test in a copy of the process; returns whether that copy is as good as a new one."""
    endings, refused = atexit._ncallbacks(), _refused()  # noqa: SLF001 - there is no other way
    done = _begun(part, test, module, say, fresh=fresh)
    clean = atexit._ncallbacks() == endings and untouched.again(restore=False)  # noqa: SLF001
    if not clean:
        _leave()
    say("done", *_judged(done, refused))
    return clean and not done[0]


def _shuffled(part: str, tests: Tests, module: types.ModuleType, say: Say, _target: str) -> None:
    """All in one copy, in an order that is the same for the same file."""
    if tests:
        mixed = list(tests)
        random.Random(len(tests)).shuffle(mixed)  # noqa: S311 - any order will do
        _in_a_copy(part, mixed, module, say)


def _in_a_copy(part: str, tests: Tests, module: types.ModuleType, say: Say) -> None:
    """Run tests in a fork of this process, which itself stays as it is."""
    os.waitpid(fork_server.fork(lambda: _in_order(part, tests, module, say)), 0)
    say("copy")


def _in_order(part: str, tests: Tests, module: types.ModuleType, say: Say) -> None:
    for test in tests:
        refused = _refused()
        say("done", *_judged(_begun(part, test, module, say), refused))


def _begun(
    part: str, test: tuple[str, str], module: types.ModuleType, say: Say, *, fresh: bool = False
) -> tuple[str, int, float]:
    """Run a test; why and in which line it did not pass, and how long it took."""
    class_name, name = test
    say("start", part, class_name, name)
    drift.start(fresh=fresh)
    began = time.perf_counter()
    done = _one(getattr(module, class_name) if class_name else module, name)
    return (*done, float(time.perf_counter() - began))


def _judged(done: tuple[str, int, float], refused: int) -> tuple[str, int, float]:
    """A test to which the walls refused something did not pass."""
    return done if done[0] or _refused() == refused else (_last_refusal(), 0, done[2])


def _leave() -> None:
    """Do what the interpreter does at its end, which the test may have prepared."""
    with contextlib.suppress(BaseException):  # of the target's, which the interpreter would print
        atexit._run_exitfuncs()  # noqa: SLF001 - there is no other way
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join(_THREAD_SECONDS)
    gc.collect()


def _refused() -> int:
    guard = sandbox.guard()
    return 0 if guard is None else guard.refused


def _last_refusal() -> str:
    event, detail = (sandbox.refusals() or [("something", "")])[-1]
    return f"{event}({detail}) is refused"


def _together(part: str, tests: Tests, module: types.ModuleType, say: Say, _target: str) -> None:
    """In this process, which makes no copies any more."""
    sandbox.seal()
    _in_order(part, tests, module, say)


_PARTS: Final = {"alone": _each_alone, "shuffled": _shuffled, "together": _together}


def _one(kind: Any, name: str) -> tuple[str, int]:
    """Run one test of a class or of the module.

    Returns:
        Why it did not pass, or nothing, and in which line of the file that was seen.
    """
    try:
        if isinstance(kind, type) and hasattr(kind, "run"):
            error = _unittest(kind(name))
        else:
            error = getattr(kind() if isinstance(kind, type) else kind, name)()
    except BaseException as raised:  # noqa: BLE001 - a target may raise anything
        error = raised
    return ("", 0) if error is None else (_said(error), _line(error))


def _unittest(test: Any) -> BaseException | None:
    import unittest

    troubles: list[BaseException] = []

    class Troubles(unittest.TestResult):
        def addFailure(self, test: Any, err: Any) -> None:  # noqa: N802 - as unittest calls it
            troubles.append(err[1])

        def addError(self, test: Any, err: Any) -> None:  # noqa: N802 - as unittest calls it
            troubles.append(err[1])

        def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:  # noqa: N802 - as unittest calls it
            if err is not None:
                err[1].in_row = subtest._message  # noqa: SLF001 - there is no other way
                troubles.append(err[1])

    test.run(Troubles())
    return troubles[0] if troubles else None


def _said(error: BaseException) -> str:
    try:
        row = getattr(error, "in_row", "")  # of a table
        return f"{f'in the row {row!r}: ' if row else ''}{type(error).__name__}: {error}"[:300]
    except BaseException:  # noqa: BLE001 - a __str__ of the target may raise anything
        return type(error).__name__


def _line(error: BaseException) -> int:
    """The line of the test itself when this was raised; 0 if that is not known."""
    trace = error.__traceback__
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename).name == FILE:
            return trace.tb_lineno
        trace = trace.tb_next
    return 0
