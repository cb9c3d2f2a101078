"""The process that runs a generated file: `python -m tracetwin.emit.runner`."""

from __future__ import annotations

import contextlib
import fcntl
import importlib
import os
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tracetwin.replay import drift, hiding, wire
from tracetwin.worker import sandbox

MODULE = "test_generated"
FILE = f"{MODULE}.py"


def main() -> None:
    """Read one job; say of each test when it starts and how it ended."""
    job = wire.read(0)
    outgoing = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, sandbox.PROTOCOL_FD)

    def say(what: str, class_name: str = "", name: str = "", why: str = "", line: int = 0) -> None:
        wire.write_all(outgoing, wire.pack((what, class_name, name, why, line)))

    try:
        _run(job, say)
        say("end")
    finally:
        os._exit(0)


def _run(job: dict[str, Any], say: Callable[..., None]) -> None:
    if job["drift"]:
        drift.apply()
    sys.argv[:] = [""]
    sys.dont_write_bytecode = True
    kept = hiding.hide_ourselves()
    hiding.target_first(job["root"], job["search_path"])
    here = str(Path.cwd())
    sandbox.enter(sandbox.Limits.from_plain(job["limits"]), drift.folder(here) if job["drift"] else here)
    if job["drift"]:
        drift.settle()
    warnings.simplefilter("ignore")
    sys.modules.pop(job["target"], None)
    importlib.invalidate_caches()
    module = types.ModuleType(MODULE)
    sys.modules[MODULE] = module
    try:
        with _pytest_standing_in(job["style"]):
            exec(compile(job["text"], FILE, "exec"), vars(module))  # noqa: S102 - it is a file of ours
    except BaseException as error:  # noqa: BLE001 - the import of a target may raise anything
        say("broken", why=_said(error))
        return
    if job["drift"]:
        drift.give_arguments()
    for class_name, name in job["tests"]:
        say("start", class_name, name)
        say("done", class_name, name, *_one(getattr(module, class_name), name))
    del kept


def _one(kind: Any, name: str) -> tuple[str, int]:
    """Run one test; why it did not pass, or nothing, and in which line of the file that was seen."""
    try:
        error = _unittest(kind(name)) if hasattr(kind, "run") else getattr(kind(), name)()
    except BaseException as raised:  # noqa: BLE001 - a target may raise anything
        error = raised
    return ("", 0) if error is None else (_said(error), _line(error))


def _unittest(test: Any) -> BaseException | None:
    import unittest

    troubles: list[BaseException] = []

    class Result(unittest.TestResult):
        def addFailure(self, test: Any, err: Any) -> None:  # noqa: N802 - as unittest calls it
            troubles.append(err[1])

        def addError(self, test: Any, err: Any) -> None:  # noqa: N802 - as unittest calls it
            troubles.append(err[1])

    test.run(Result())
    return troubles[0] if troubles else None


def _said(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {error}"[:300]
    except BaseException:  # noqa: BLE001 - a __str__ of the target may raise anything
        return type(error).__name__


def _line(error: BaseException) -> int:
    """Where the test itself was when this was raised; 0 where that is not known."""
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILE:
            return trace.tb_lineno
        trace = trace.tb_next
    return 0


class _Caught:
    value: BaseException | None = None


@contextlib.contextmanager
def _raises(expected: type[BaseException]) -> Iterator[_Caught]:
    caught = _Caught()
    try:
        yield caught
    except expected as error:
        caught.value = error
    else:
        raise AssertionError(f"{expected.__name__} was not raised")


@contextlib.contextmanager
def _pytest_standing_in(style: str) -> Iterator[None]:
    """Meanwhile `pytest` is a stand-in: the real one is slow to import, and may not be installed."""
    if style != "pytest":
        yield
        return
    known = sys.modules.get("pytest")
    substitute = types.ModuleType("pytest")
    vars(substitute)["raises"] = _raises
    sys.modules["pytest"] = substitute
    try:
        yield
    finally:
        if known is None:
            sys.modules.pop("pytest", None)
        else:
            sys.modules["pytest"] = known


if __name__ == "__main__":
    main()
