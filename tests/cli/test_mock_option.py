"""`--mock` from the command line to the test file."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tracetwin.cli.main import main

pytestmark = pytest.mark.slow

SOURCE = """
import abc


class Bus(abc.ABC):
    @abc.abstractmethod
    def poll(self, timeout: float) -> str: ...


def listen(bus: Bus) -> str:
    return "got " + bus.poll(1.5)
"""


@pytest.mark.parametrize(
    ("option", "expected"),
    [("autospec", "create_autospec(Bus, instance=True)"), ("class", "class StubBus(Bus):")],
)
def test_the_option_decides_how_mocks_are_written(option: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / "listener.py").write_text(SOURCE)
    arguments = ["generate", str(tmp_path / "listener.py"), "-o", str(tmp_path / "out"), "--no-config"]
    done = CliRunner().invoke(main, [*arguments, "-j", "1", "--max-runs", "20", "--mock", option])
    assert done.exit_code == 0, done.output
    assert expected in (tmp_path / "out" / "test_listener.py").read_text()
