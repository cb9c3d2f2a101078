"""What targets try to do to the world: refused, told, and never asserted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.command import run
from tests.target.layout import lay_out

SOURCE = """
import os
import shutil
import socket

try:
    socket.create_connection(("127.0.0.1", 9))
except OSError:
    pass


def clean_up(number: int) -> int:
    if number > 3:
        os.remove({place!r} + "/first")
        return 1
    return 0


def wipe(number: int) -> int:
    try:
        shutil.rmtree({place!r})
    except OSError:
        return -1
    return number


class Store:
    def __init__(self) -> None:
        self.items: list[int] = []

    def add(self, item: int) -> None:
        self.items.append(item)

    def purge(self) -> int:
        if self.items:
            os.unlink({place!r} + "/second")
        return len(self.items)
"""


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    """A folder that a module wants to empty."""
    folder = tmp_path / "canary"
    lay_out(folder, {"first": "1", "second": "2"})
    lay_out(tmp_path, {"store.py": SOURCE.format(place=str(folder))})
    return folder


@pytest.mark.slow
def test_acts_are_refused_told_and_not_asserted(canary: Path) -> None:
    folder = canary.parent
    limits = ("--max-runs", "150", "-j1", "--no-patch", "open", "--no-patch", "net")
    done = run("generate", "store.py", "-o", "out", *limits, "--json", "r.json", cwd=folder)
    assert 0 == done.returncode, done.stderr
    assert ["first", "second"] == sorted(path.name for path in canary.iterdir())
    names = "clean_up, wipe and Store.purge"
    assert f"3 functions tried to delete files: {names} (refused; --allow write:PATH)" in done.stdout
    assert "importing it tried to use the network (refused; --allow net)" in done.stdout
    assert "comes after line 14, of which no test could be written: os.remove(" in done.stdout
    refusals = json.loads((folder / "r.json").read_text(encoding="utf-8"))["modules"][0]["refusals"]
    assert {"", "clean_up", "wipe", "Store.purge"} == {each["function"] for each in refusals}
    text = (folder / "out" / "test_store.py").read_text(encoding="utf-8")
    assert "Refused" not in text
    assert "PermissionError" not in text
    assert "-1" not in text
    assert ["first", "second"] == sorted(path.name for path in canary.iterdir())


@pytest.mark.slow
def test_what_is_allowed_is_done(canary: Path) -> None:
    folder = canary.parent
    done = run(
        "generate", "store.py:clean_up", "-o", "out", "--max-runs", "30", "-j1", "--allow", f"write:{canary}",
        cwd=folder,
    )  # fmt: skip
    assert 0 == done.returncode, done.stderr
    assert "delete files" not in done.stdout
    assert ["second"] == [path.name for path in canary.iterdir()]


def test_a_word_that_is_none_is_wrong_usage(canary: Path) -> None:
    done = run("generate", "store.py", "-o", "out", "--allow", "everything", cwd=canary.parent)
    assert 2 == done.returncode
    assert "'everything' can't be allowed; write write:PATH, read:PATH, net or subprocess" in done.stderr
