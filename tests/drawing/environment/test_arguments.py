"""The arguments of a program that reads `sys.argv`, itself or through a parser of the library."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.drawing.environment.support import run, worker
from tracetwin.drawing.environment.apply import Applied
from tracetwin.explore.loop.executor import WorkerExecutor
from tracetwin.model.patch import ArgumentsPatch

SOURCE = """
    import argparse
    import sys

    def parsed() -> str:
        parser = argparse.ArgumentParser()
        parser.add_argument("-s", "--size", type=int, default=0)
        parser.add_argument("names", nargs="*")
        given = parser.parse_args()
        return "large" if given.size > 10 else "small"

    def counted() -> str:
        return "some" if len(sys.argv) > 1 else "none"

    def not_asked() -> int:
        return sys.maxsize

    def replaced() -> int:
        sys.argv = ["a", "b", "c"]
        return len(sys.argv)

    def emptied() -> int:
        del sys.argv[1:]
        return len(sys.argv)
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WorkerExecutor]:
    with worker(tmp_path_factory.mktemp("program"), {"program": SOURCE}) as executor:
        yield executor


def patched(executor: WorkerExecutor, target: str, **given: Any) -> tuple[str, ...] | None:
    """The words that a test of a run puts in place, None where it patches nothing."""
    done = run(executor, target, given={f"sys.argv[1:]{name}": value for name, value in given["of"].items()})
    assert done.status == "returned"
    words = [patch.words for patch in done.patches if isinstance(patch, ArgumentsPatch)]
    assert len(words) == len(done.plain_patches)
    return words[0] if words else None


def test_arguments_are_an_input_and_their_number_too(program: WorkerExecutor) -> None:
    assert patched(program, "counted", of={"#": 2, "[1]": "x"}) == ("prog", "", "x")
    done = run(program, "counted", given={"sys.argv[1:]#": 0})
    assert [step.outcome for step in done.path if step.site > 0] == [0]
    assert patched(program, "not_asked", of={}) is None


def test_options_that_the_module_speaks_of_are_given_with_a_value_or_without(program: WorkerExecutor) -> None:
    given = {"#": 0, "?option": 2, "?option.value?in": 1, "?option.value": "11"}
    assert patched(program, "parsed", of=given) == ("prog", "--size", "11")


def test_what_a_parser_of_the_library_reads_stays_traced(program: WorkerExecutor) -> None:
    given = {"#": 0, "?option": 1, "?option.value?in": 1, "?option.value": "7"}
    done = run(program, "parsed", given={f"sys.argv[1:]{name}": value for name, value in given.items()})
    (large,) = [step for step in done.path if step.site > 0]
    assert large.node.names == {"sys.argv[1:]?option.value"}


def test_arguments_that_the_program_changes_are_as_before_in_the_next_run(program: WorkerExecutor) -> None:
    for _ in range(2):
        assert patched(program, "replaced", of={}) == ("prog",)
        assert patched(program, "emptied", of={}) == ("prog", "")


def test_they_are_real_where_the_user_wants_that(tmp_path: Path) -> None:
    with worker(tmp_path, {"program": SOURCE}, no_patch=["sys.argv"]) as executor:
        assert patched(executor, "counted", of={}) is None


def test_a_test_puts_a_list_of_its_own_in_their_place() -> None:
    before = sys.argv
    with Applied([ArgumentsPatch(("prog", "x"))]):
        sys.argv.append("y")
        assert sys.argv == ["prog", "x", "y"]
    assert sys.argv is before
