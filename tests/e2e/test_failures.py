"""Errors of our own, injected at every stage of one run: each costs what it happened in, the rest goes on."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.target.layout import lay_out
from tracetwin import api
from tracetwin.emit import suite
from tracetwin.explore.loop.explorer import Explorer
from tracetwin.run.explorer import process as jobs
from tracetwin.run.explorer.process import Job, JobProcess
from tracetwin.run.results.module_result import ModuleResult
from tracetwin.run.scheduler import stages
from tracetwin.run.scheduler.scheduler import Scheduler
from tracetwin.run.scheduler.stages import Stages
from tracetwin.solving.stages.fold import Fold
from tracetwin.solving.task import Task

pytestmark = pytest.mark.slow

SMALL = "def small(x: int) -> str:\n    return 'big' if x > 5 else 'small'\n"
TWO = f"{SMALL}\n\ndef second(x: int) -> int:\n    return 1 if x == 7 else 0\n"
NUMBER = 987_654
ASKED = f"def asked(x: int) -> int:\n    return 1 if x == {NUMBER} else 0\n"
HANDLER = """
from tracetwin.worker.runner import Runner


class Broken(Runner):
    def prepare(self, start):
        if start["name"] == "in_worker":
            raise LookupError("inside")
        return super().prepare(start)
"""
FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
STAGES = (
    "importing", "in_worker", "twin", "exploring", "writing", "assembling", "preparing", "sending", "dying",
    "disk", "rendering", "solving",
)  # fmt: skip


def breaks(
    patch: pytest.MonkeyPatch, holder: Any, name: str, when: Callable[..., bool],
    error: Exception | None = None,
) -> None:
    """Let a function of ours raise for what `when` says of its arguments; explorer processes inherit it."""
    whole = getattr(holder, name)

    def broken(*args: Any, **options: Any) -> Any:
        if when(*args):
            raise error or LookupError("injected")
        return whole(*args, **options)

    patch.setattr(holder, name, broken)


def about(name: str) -> Callable[..., bool]:
    """Whether a call is about a module, by the task, the state or the module itself among its arguments."""
    return lambda *args: any(getattr(getattr(arg, "module", arg), "name", "") == name for arg in args)


def has_case_of(name: str) -> Callable[..., bool]:
    """Whether a suite is to have a test of a function."""
    return lambda _module, cases: any(case.target == name for case in cases)


def asks_for_the_number(_stage: object, task: Task) -> bool:
    """Whether a question is the one that a stage of the solver breaks on."""
    return NUMBER in {node.data for node in task.goal.args}


def inject(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Break every stage, each for the module of its name."""
    (folder / "handler.py").write_text(HANDLER, encoding="utf-8")
    patch.setattr(jobs, "TWIN", ("handler", "Broken", str(folder / "handler.py")))
    breaks(patch, jobs, "build_twin", about("twin"))
    breaks(patch, Job, "_open", about("importing"))
    breaks(patch, Explorer, "_flip_one", lambda explorer, *_: explorer.target == "broken")
    breaks(patch, Fold, "attempt", asks_for_the_number)
    breaks(patch, suite, "build_suite", about("writing"))
    breaks(patch, suite, "build_suite", has_case_of("unwritable"))
    breaks(patch, stages, "assemble", about("assembling"))
    breaks(patch, Stages, "suite_task", about("preparing"))
    breaks(patch, JobProcess, "give", about("sending"), TypeError("cannot pickle 'frame' object"))
    breaks(patch, stages, "write_suite", lambda place, *_: place.name == "test_disk.py", FULL)
    opened = Job._open

    def dying(job: Job, task: Any) -> Any:
        if task.module.name == "dying":
            os._exit(9)
        return opened(job, task)

    patch.setattr(Job, "_open", dying)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ModuleResult]:
    """What one run says of all modules."""
    folder = lay_out(tmp_path_factory.mktemp("project"), {f"{name}.py": SMALL for name in (*STAGES, "good")})
    (folder / "exploring.py").write_text(TWO.replace("second", "broken"), encoding="utf-8")
    (folder / "rendering.py").write_text(TWO.replace("second", "unwritable"), encoding="utf-8")
    (folder / "solving.py").write_text(ASKED, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRACETWIN_CACHE", str(folder / "cache"))
        patch.chdir(folder)
        inject(patch, folder)
        targets = [f"{name}.py" for name in (*STAGES, "good")]
        results = api.generate_tests(
            *targets, output="out", config=False, max_runs=20, jobs=1, journal=False
        )
    return {result.name: result for result in results}


def sentences(result: ModuleResult) -> list[str]:
    return [failure.sentence for failure in result.failures]


def test_all_others_go_on(found: dict[str, ModuleResult]) -> None:
    assert [*STAGES, "good"] == list(found)
    good = found["good"]
    assert (None, [], 2) == (good.error, good.failures, good.tests)
    assert good.test_file is not None
    assert good.test_file.name == "test_good.py"


@pytest.mark.parametrize(
    ("stage", "sentence"),
    [
        ("importing", "internal error while importing it: LookupError: injected"),
        ("in_worker", "internal error while importing it: LookupError: inside"),
        ("writing", "internal error while writing its tests: LookupError: injected"),
        ("assembling", "internal error while putting together what was found: LookupError: injected"),
        ("preparing", "internal error while preparing the work on it: LookupError: injected"),
        ("dying", "internal error while importing it: the process exited with status 9"),
    ],
)
def test_a_stage_that_breaks_costs_its_module(
    stage: str, sentence: str, found: dict[str, ModuleResult]
) -> None:
    assert sentence == found[stage].error
    assert [sentence] == sentences(found[stage])
    assert found[stage].test_file is None


def test_what_is_known_of_it_goes_into_the_log(found: dict[str, ModuleResult]) -> None:
    assert "in broken" in found["importing"].failures[0].details
    assert "handler.py" in found["in_worker"].failures[0].details


def test_a_twin_that_can_not_be_made_beforehand_is_made_by_the_import(found: dict[str, ModuleResult]) -> None:
    assert (None, 2) == (found["twin"].error, found["twin"].tests)
    assert "internal error while making the twin of twin: LookupError: injected" in found["twin"].notes


def test_exploring_costs_one_function_and_what_it_found_is_kept(found: dict[str, ModuleResult]) -> None:
    result = found["exploring"]
    assert ["internal error while exploring broken: LookupError: injected"] == sentences(result)
    assert result.error is None
    small, broken = result.functions
    assert 2 == small.tests
    assert broken.tests >= 1


def test_solving_costs_one_question_and_the_function_goes_on(found: dict[str, ModuleResult]) -> None:
    result = found["solving"]
    assert ["internal error while solving a condition of asked: LookupError: injected"] == sentences(result)
    assert "in broken" in result.failures[0].details
    assert (None, 2) == (result.error, result.functions[0].tests), "another stage found the number"


def test_a_function_whose_tests_can_not_be_written_costs_its_own(found: dict[str, ModuleResult]) -> None:
    result = found["rendering"]
    sentence = "internal error while writing the tests of unwritable: LookupError: injected"
    assert [sentence] == sentences(result)
    assert {"small": 2, "unwritable": 0} == {each.qualname: each.tests for each in result.functions}


def test_work_that_can_not_be_sent(found: dict[str, ModuleResult]) -> None:
    (failure,) = found["sending"].failures
    assert failure.internal
    assert "cannot pickle 'frame' object" in failure.sentence


def test_a_disk_without_room_is_no_error_of_ours(found: dict[str, ModuleResult]) -> None:
    (failure,) = found["disk"].failures
    assert not failure.internal
    assert f"writing {Path('out/test_disk.py')} failed: No space left on device" == failure.sentence


def test_if_nothing_can_be_shared_out_any_more_every_module_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRACETWIN_CACHE", str(tmp_path / "cache"))
    lay_out(tmp_path, {"one.py": SMALL, "two.py": SMALL})
    breaks(monkeypatch, Scheduler, "_receive", lambda *_: True)
    targets = [tmp_path / "one.py", tmp_path / "two.py"]
    results = api.generate_tests(*targets, output=tmp_path / "out", config=False, journal=False)
    said = ["internal error while sharing out the work: LookupError: injected"]
    assert [said, said] == [[result.error] for result in results]
