"""The machine stays the same during a run, whatever the input says that it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from runtime.values import plain
from tests.drawing.environment.support import Reads
from tracetwin.model.recipe import Scalar
from tracetwin.model.recipes import call


def test_a_machine_has_one_name() -> None:
    read = Reads(given={"platform.system()": "Windows", "platform.system(2)": "Darwin"})
    assert ["Windows", "Windows"] == [plain(read("platform.system")[0]) for _ in range(2)]


def test_it_is_a_usual_one_until_the_input_says_otherwise() -> None:
    assert ("Linux", Scalar("Linux")) == Reads()("platform.system")
    assert ("/work", Scalar("/work")) == Reads()("os.getcwd")
    assert (Path("/work"), call("pathlib", "Path", Scalar("/work"))) == Reads()("pathlib.Path.cwd")


@pytest.mark.parametrize("title", ["os.getpid", "os.geteuid", "os.cpu_count"])
def test_numbers_are_inputs(title: str) -> None:
    assert (7, Scalar(7)) == Reads(given={f"{title}()": 7})(title)


def test_a_program_is_installed_or_not() -> None:
    read = Reads(given={"shutil.which(2)": 1})
    assert "/usr/bin/vim" == read("shutil.which", "vim")[0]
    assert (None, Scalar(None)) == read("shutil.which", "nano")
    assert "/usr/bin/vim" == read("shutil.which", "vim")[0]
