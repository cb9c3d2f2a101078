"""Wheels whose modules open files beside them: they are unpacked for the run."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.command import run, run_suite
from tests.target.layout import make_wheel

pytestmark = pytest.mark.slow

RATES = """
import json
from pathlib import Path

HERE = Path(__file__).parent
with open(HERE / "rates.json", encoding="utf-8") as file:
    RATES = json.load(file)


def rate(place: str) -> int:
    if place not in RATES:
        raise LookupError(place)
    if RATES[place] > 10:
        return RATES[place]
    return 0


def home() -> str:
    return str(HERE)
"""
FILES = {"taxes/__init__.py": "", "taxes/rates.py": RATES, "taxes/rates.json": '{"here": 7, "there": 19}'}


def generate(wheel: Path, tmp_path: Path) -> tuple[dict[str, Any], Path]:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    done = run(
        "generate", wheel, "-o", tmp_path / "out", "--max-runs", "100", "-j", "2",
        "--json", tmp_path / "said.json", cwd=tmp_path, extra={"TMPDIR": str(scratch)},
    )  # fmt: skip
    assert [] == list(scratch.iterdir()), "the unpacked files are still there"
    assert str(scratch) not in done.stdout + done.stderr
    said = json.loads((tmp_path / "said.json").read_text())
    assert str(scratch) not in json.dumps(said)
    return said, scratch


def test_a_module_that_opens_a_file_beside_it(tmp_path):
    wheel = make_wheel(tmp_path / "taxes-1.0-py3-none-any.whl", FILES)
    said, scratch = generate(wheel, tmp_path)
    (module,) = said["modules"]
    assert f"{wheel}/taxes/rates.py" == module["file"]
    assert [] == [u for f in module["functions"] for u in f["uncovered"]]
    assert any("the wheel was unpacked for this run" in note for note in module["notes"])
    text = (tmp_path / "out" / "test_taxes_rates.py").read_text()
    assert "assertEqual(19, rate(" in text
    assert str(scratch) not in text, "a test expects the place of the unpacked files"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    ran = run_suite(tmp_path / "out", tmp_path / "installed")
    assert 0 == ran.returncode, ran.stderr


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({**FILES, "taxes/rates.json": b""}, "importing it raised JSONDecodeError"),
        ({n: t for n, t in FILES.items() if not n.endswith("json")}, ".whl/taxes/rates.json"),
    ],
)
def test_what_fails_unpacked_as_well_is_said(tmp_path, files, words):
    wheel = make_wheel(tmp_path / "taxes-1.0-py3-none-any.whl", files)
    said, _ = generate(wheel, tmp_path)
    assert words in said["modules"][0]["error"]
