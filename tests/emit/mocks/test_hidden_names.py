"""A member of an interface may be called like what its annotations speak of."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.emit.mock_cases import answer, called, mock
from tests.emit.support import Recipe, function
from tests.emit.test_suite import run, written
from tracetwin.emit.result import Suite
from tracetwin.emit.suite import build_suite
from tracetwin.emit.verify.verify import Page, SuiteBroken, verify
from tracetwin.model.options import MockStyle

SOURCE = """
from __future__ import annotations

from typing import Protocol


class FileSystem(Protocol):
    def list(self, folder: str) -> list[str]: ...

    def sizes(self, names: list[str], most: int = 3) -> dict[str, list[int]]: ...


def total(system: FileSystem, folder: str) -> int:
    names = system.list(folder)
    if not names:
        raise ValueError("nothing is there")
    return sum(size for sizes in system.sizes(names).values() for size in sizes)
"""


def file_system(*names: str) -> Recipe:
    listed = called(answer([*names], "a"))
    if not names:
        return mock("FileSystem", module="sample", list=listed)
    sizes = called(answer({names[0]: [1, 2]}, [*names]))
    return mock("FileSystem", module="sample", list=listed, sizes=sizes)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hidden")


@pytest.fixture(scope="module")
def suite(folder: Path) -> Suite:
    cases = [function("sample", "total", file_system(*names), "a") for names in (("x",), ())]
    return build_suite(written(folder, SOURCE), cases, mock=MockStyle.CLASS)


def test_builtins_are_spoken_of_as_such_where_a_method_hides_them(suite: Suite) -> None:
    assert "    def list(self, folder: str) -> builtins.list[str]:\n" in suite.text
    assert "names: builtins.list[str], most: int = 3" in suite.text
    assert "FileSystem.list" not in suite.text
    assert "import builtins\n" in suite.text


def test_the_file_passes_as_a_user_runs_it(suite: Suite, folder: Path) -> None:
    done = run(suite, folder)
    assert done.returncode == 0, done.stderr
    assert len(suite.written) == 2


@pytest.mark.parametrize("annotation", ["list.nothing[str]", "sample.nothing", "nothing"])
def test_annotations_are_evaluated_where_a_file_is_verified(folder: Path, annotation: str) -> None:
    text = f"import sample\n\n\ndef helper() -> {annotation}: ...\n"
    with pytest.raises(SuiteBroken, match="nothing"):
        verify(Page(text, written(folder, SOURCE)), [])
