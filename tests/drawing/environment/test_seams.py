"""What the target's own code gets in a worker, and what a test of it would patch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.drawing.environment.support import run, worker
from tracetwin.explore.loop.executor import WorkerExecutor
from tracetwin.explore.loop.run import Run

SOURCE = """
    import datetime
    import logging
    import os
    import os.path as paths
    import pathlib
    import random as chance
    import time
    from datetime import date
    from time import monotonic, time as now
    from os import environ, getenv

    import helper

    START = time.time()
    BOUND = [time.time]


    def by_module() -> float:
        return time.time()

    def by_name() -> float:
        return now() + monotonic()

    def by_local_import() -> float:
        import time as clock
        return clock.time()

    def by_other_name(items: list) -> object:
        return chance.choice(["a", "b"])

    def by_path() -> bool:
        return paths.exists("a")

    def bound_before() -> bool:
        return BOUND[0]() != 1704067200.0

    def by_default(clock=time.time) -> bool:
        return clock() == 5.0

    def twice() -> float:
        return time.time() - time.time()

    def in_the_library() -> bool:
        logging.LogRecord("a", 1, "b", 1, "c", (), None)
        return datetime.datetime.utcfromtimestamp(0).year == 1970

    def in_a_helper() -> float:
        return helper.stamp()

    def today() -> datetime.date:
        return date.today()

    def moment() -> datetime.datetime:
        return datetime.datetime.now()

    def read() -> str:
        return pathlib.Path("a").read_text()

    def has() -> str:
        if "A" in environ and os.environ["A"] == environ.get("A") == getenv("A") != "":
            return os.environ["A"]
        return os.environ.get("B", "none")

    def missing() -> str:
        try:
            return os.environ["A"]
        except KeyError:
            return "no A"

    def changes() -> list:
        os.environ["A"] = "1"
        os.environ.setdefault("B", "2")
        os.environ.pop("C", None)
        return sorted(os.environ.items())

    def handled() -> str:
        try:
            return open("a").read()
        except OSError:
            return "none"

    def outer() -> str:
        try:
            return inner()
        except FileNotFoundError:
            return "none"

    def inner() -> str:
        with open("a") as file:
            return file.read()

    def seen() -> list:
        return [type(os.environ).__name__, time.time.__name__, time.time.__module__]
"""
HELPER = """
    import time

    def stamp() -> float:
        return time.time()
"""


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WorkerExecutor]:
    with worker(tmp_path_factory.mktemp("reading"), {"reading": SOURCE, "helper": HELPER}) as executor:
        yield executor


def places(done: Run) -> list[str]:
    return [patch.place for patch in done.patches]


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("by_module", ["reading.time.time"]),
        ("by_name", ["reading.now", "reading.monotonic"]),
        ("by_local_import", ["reading.time.time"]),
        ("by_other_name", ["reading.chance.choice"]),
        ("by_path", ["reading.paths.exists"]),
        ("twice", ["reading.time.time"]),
        ("today", ["reading.date", "reading.date.today"]),
        ("moment", ["reading.datetime.datetime", "reading.datetime.datetime.now"]),
        ("read", ["reading.pathlib.Path.read_text"]),
        ("has", ["os.environ"]),
        ("handled", ["builtins.open"]),
        ("in_a_helper", ["helper.time.time"]),
    ],
)
def test_a_test_patches_the_name_by_which_the_target_sees_it(
    reading: WorkerExecutor, target: str, expected: list[str]
) -> None:
    done = run(reading, target)
    assert ("returned", expected) == (done.status, places(done))


@pytest.mark.parametrize("target", ["bound_before", "by_default", "in_the_library"])
def test_what_a_patch_would_not_reach_is_real(reading: WorkerExecutor, target: str) -> None:
    assert () == run(reading, target).plain_patches


def test_results_of_several_calls_are_kept_in_order(reading: WorkerExecutor) -> None:
    done = run(reading, "twice", given={"time.time()": 1.0, "time.time(2)": 3.0})
    outcomes = [("return", ("lit", 1.0)), ("return", ("lit", 3.0))]
    assert (("function", "reading.time.time", outcomes, False),) == done.plain_patches


def test_variables_are_set_or_not(reading: WorkerExecutor) -> None:
    done = run(reading, "has", given={"os.environ.A?in": 1, "os.environ.A": "x"})
    assert (("environ", {"A": "x"}, False, "os.environ"),) == done.plain_patches
    done = run(reading, "has", given={"os.environ.A?in": 0, "os.environ.B?in": 1, "os.environ.B": "y"})
    assert (("environ", {"B": "y"}, True, "os.environ"),) == done.plain_patches


def test_a_variable_that_must_be_there_is_unless_the_input_says_otherwise(reading: WorkerExecutor) -> None:
    assert {"os.environ.A?in": 1, "os.environ.A": "a"} == dict(run(reading, "missing").values)
    assert {"os.environ.A?in": 0} == dict(run(reading, "missing", given={"os.environ.A?in": 0}).values)


def test_what_the_program_sets_is_no_input_and_is_gone_afterwards(reading: WorkerExecutor) -> None:
    for _ in range(2):
        done = run(reading, "changes")
        assert ("returned", "list") == (done.status, done.result)
        assert (("environ", {}, True, "os.environ"),) == done.plain_patches


def test_a_file_may_be_missing_where_that_is_handled_by_whoever_calls(reading: WorkerExecutor) -> None:
    for target, kind in [("handled", "OSError"), ("outer", "FileNotFoundError")]:
        done = run(reading, target, given={"open()!": 1})
        outcomes = [("raise", ("ref", "builtins", kind))]
        assert (("function", "builtins.open", outcomes, False),) == done.plain_patches
    assert "open()!" not in run(reading, "inner").values


def test_what_stands_in_passes_for_what_it_replaces(reading: WorkerExecutor) -> None:
    assert "returned" == run(reading, "seen").status


@pytest.mark.slow
@pytest.mark.parametrize("name", ["all", "time", "time.time"])
def test_what_the_user_takes_out_is_really_called(tmp_path: Path, name: str) -> None:
    with worker(tmp_path, {"reading": SOURCE, "helper": HELPER}, no_patch=[name]) as executor:
        assert () == run(executor, "by_module").plain_patches
        assert ("all" == name) == (not run(executor, "has").plain_patches)


def test_functions_of_others_are_patched_where_the_user_wants_it(tmp_path: Path) -> None:
    source = """
        import remote
        from remote import fetch

        def by_annotation() -> int:
            return fetch()

        def by_use() -> str:
            answer = remote.get("x")
            return answer.text.upper()

        def failing() -> int:
            try:
                return remote.fetch()
            except remote.Gone:
                return 0

        def saying() -> str:
            try:
                return str(remote.fetch())
            except remote.Refused as refused:
                return str(refused)

        async def awaited() -> str:
            return await remote.later()

        class Store:
            def load(self) -> str:
                return self.read("a")

            def read(self, name: str) -> str:
                raise OSError(name)
    """
    remote = """
        class Gone(Exception):
            pass

        class Refused(Exception):
            pass

        def fetch() -> int:
            raise Gone

        def get(name):
            raise Gone

        async def later() -> str:
            raise Gone
    """
    names = ["remote.fetch", "remote.get", "remote.later", "client.Store.read"]
    with worker(tmp_path, {"client": source, "remote": remote}, patch=names) as executor:
        assert (("function", "client.fetch", [("return", ("lit", 7))], True),) == run(
            executor, "by_annotation", given={"remote.fetch()": 7}
        ).plain_patches
        by_use = run(executor, "by_use").plain_patches
        assert ["client.remote.get"] == [patch[1] for patch in by_use]
        failing = run(executor, "failing", given={"remote.fetch()!": 1})
        gone = [("raise", ("ref", "remote", "Gone"))]
        assert (("function", "client.remote.fetch", gone, True),) == failing.plain_patches
        saying = run(executor, "saying", given={"remote.fetch()!": 1, "remote.fetch()!1": "why"})
        why: Any = ("call", "remote", "Refused", [("lit", "why")], [])
        assert [("raise", why)] == saying.plain_patches[0][2]
        assert ["client.remote.later"] == places(run(executor, "awaited"))
        assert ["client.Store.read"] == places(run(executor, "Store.load"))
