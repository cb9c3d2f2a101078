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


def main() -> None:
    """Read one job; say of each test when it starts and how it ended."""
    job = wire.read(0)
    outgoing = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, sandbox.PROTOCOL_FD)

    def say(*message: Any) -> None:
        wire.write_all(outgoing, wire.pack(message))

    try:
        _run(job, say)
        say("end", "", "", "")
    finally:
        os._exit(0)


def _run(job: dict[str, Any], say: Callable[..., None]) -> None:
    if job["drift"]:
        drift.apply()
    sys.argv[:] = [""]
    sys.dont_write_bytecode = True
    kept = hiding.hide_ourselves()
    hiding.target_first(job["root"], job["search_path"])
    sandbox.enter(sandbox.Limits.from_plain(job["limits"]), str(Path.cwd()))
    warnings.simplefilter("ignore")
    sys.modules.pop(job["target"], None)
    importlib.invalidate_caches()
    module = types.ModuleType(MODULE)
    sys.modules[MODULE] = module
    try:
        with _pytest_standing_in(job["style"]):
            exec(compile(job["text"], f"{MODULE}.py", "exec"), vars(module))  # noqa: S102 - it is a file of ours
    except BaseException as error:  # noqa: BLE001 - the import of a target may raise anything
        say("broken", "", "", f"{type(error).__name__}: {error}")
        return
    tests = job["tests"][::-1] if job["drift"] else job["tests"]
    for class_name, name in tests:
        say("start", class_name, name, "")
        say("done", class_name, name, _one(getattr(module, class_name), name))
    del kept


def _one(kind: Any, name: str) -> str:
    """Run one test; why it did not pass, or nothing."""
    try:
        if hasattr(kind, "run"):
            return _unittest(kind(name))
        getattr(kind(), name)()
    except BaseException as error:  # noqa: BLE001 - a target may raise anything
        return _brief(f"{type(error).__name__}: {error}")
    return ""


def _unittest(test: Any) -> str:
    import unittest

    result = unittest.TestResult()
    test.run(result)
    troubles = [text for _, text in [*result.failures, *result.errors]]
    return _brief(troubles[0].strip().splitlines()[-1]) if troubles else ""


def _brief(text: str) -> str:
    return text[:300] or "failed"


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
