"""Code that works in temporary files of its own gets tests in which these are real."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.command import run

SOURCE = """
import os
import shutil
import tempfile


def round_trip(text: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kept.txt")
        with open(path, "w") as file:
            file.write(text)
        if not text:
            os.remove(path)
        return len(os.listdir(folder))


def packed(names: list[str]) -> list[str]:
    folder = tempfile.mkdtemp()
    try:
        for name in names:
            if name.isalpha():
                os.mkdir(os.path.join(folder, name))
        return sorted(os.listdir(folder))
    finally:
        shutil.rmtree(folder)


def spooled(data: bytes) -> bool:
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        return file.read(2) == b"PK"


def forgotten(text: str) -> str:
    handle, path = tempfile.mkstemp()
    os.close(handle)
    return "long" if len(text) > 3 else "short"
"""


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], str]:
    folder = tmp_path_factory.mktemp("scratch")
    (folder / "scratch.py").write_text(SOURCE, encoding="utf-8")
    done = run(
        "generate", "scratch.py", "-o", "out", "-j1", "--max-runs", "600", "--time-limit", "60",
        "--json", "r.json", "--suspicious", "include", cwd=folder, timeout=200,
    )  # fmt: skip
    assert 0 == done.returncode, done.stdout + done.stderr
    (module,) = json.loads((folder / "r.json").read_text(encoding="utf-8"))["modules"]
    return folder, module, (folder / "out" / "test_scratch.py").read_text(encoding="utf-8")


def test_what_cleans_up_after_itself_is_tested(scratch: tuple[Path, dict[str, Any], str]) -> None:
    _, module, text = scratch
    covered = {one["name"] for one in module["functions"] if one["tests"]}
    assert {"round_trip", "packed", "spooled"} <= covered, text


def test_what_leaves_files_behind_is_not(scratch: tuple[Path, dict[str, Any], str]) -> None:
    _, module, text = scratch
    assert "forgotten(" not in text
    assert any("it leaves temporary files behind" in one["reason"] for one in module["uncovered"])


def test_the_tests_pass_and_leave_nothing(scratch: tuple[Path, dict[str, Any], str]) -> None:
    folder, _, _ = scratch
    place = folder / "tmp"
    place.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "unittest", "-q", "out/test_scratch.py"],
        cwd=folder, env={"TMPDIR": str(place), "PATH": ""}, capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip
    assert 0 == done.returncode, done.stderr
    assert not list(place.iterdir())
