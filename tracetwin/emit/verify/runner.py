"""The process that runs a generated file, one test after the other or each in a fork."""

from __future__ import annotations

import atexit
import builtins
import contextlib
import gc
import importlib
import importlib.util
import random
import sys
import threading
import types
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tracetwin.emit.verify.nondeterminism import is_shaky
from tracetwin.process import fork_server
from tracetwin.process.importing import make_room
from tracetwin.process.walls import sandbox
from tracetwin.replay.conditions import perturbations as drift
from tracetwin.replay.conditions.conditions import Conditions
from tracetwin.support.stdlib_copies import leave, os

if TYPE_CHECKING:
    from tracetwin.support.own_modules import OwnModules

MODULE = "test_generated"
FILE = f"{MODULE}.py"
_THREAD_SECONDS: Final = 1.0

Say = Callable[..., None]
Tests = list[tuple[str, str]]


def main(own: OwnModules, fd: int) -> None:
    """Read one job; say of each test when it starts and how it ended.

    Args:
        own: our own modules.
        fd: the connection to whoever started this.
    """
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
    fork_server.enter(own, job, limits, drift.folder(os.getcwd(), conditions))
    sys.argv[:] = [""]
    drift.settle(conditions)
    warnings.simplefilter("ignore")
    make_room(lambda name: name == job["name"])
    importlib.invalidate_caches()
    try:
        with _standing_in(job["stand_ins"]):
            module = _imported(job["text"])
    except BaseException as error:  # noqa: BLE001 - the import of a target may raise anything
        say("broken", _said(error))
        return
    drift.give_arguments(conditions)
    for part, tests in job["tests"]:
        _PARTS[part](part, tests, module, say)
    say("end", is_shaky(module))


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


def _each_in_a_copy(part: str, tests: Tests, module: types.ModuleType, say: Say) -> None:
    if not tests:
        return
    drift.prepare()
    for test in tests:
        _in_a_copy(part, [test], module, say)
    drift.unprepare()


def _shuffled(part: str, tests: Tests, module: types.ModuleType, say: Say) -> None:
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
    for class_name, name in tests:
        say("start", part, class_name, name)
        drift.start(fresh=part == "alone")
        refused = _refused()
        done = _one(getattr(module, class_name) if class_name else module, name)
        if part == "alone":
            _leave()
        say("done", *(done if done[0] or _refused() == refused else (_last_refusal(), 0)))


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


def _together(part: str, tests: Tests, module: types.ModuleType, say: Say) -> None:
    """In this process, which makes no copies any more."""
    sandbox.seal()
    _in_order(part, tests, module, say)


_PARTS: Final = {"alone": _each_in_a_copy, "shuffled": _shuffled, "together": _together}


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

    test.run(Troubles())
    return troubles[0] if troubles else None


def _said(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {error}"[:300]
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


@contextlib.contextmanager
def _standing_in(sources: dict[str, str]) -> Iterator[None]:
    """Meanwhile small modules made from these sources take the place of others."""
    known = {name: sys.modules.get(name) for name in sources}
    try:
        for name, source in sources.items():
            sys.modules[name] = module = types.ModuleType(name)
            vars(module)["__builtins__"] = vars(builtins)  # not the private ones of our own modules
            exec(compile(source, f"<{name}>", "exec", dont_inherit=True), vars(module))  # noqa: S102 - a dialect's own
        yield
    finally:
        for name, module_before in known.items():
            if module_before is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = module_before

