"""A small fixed part of `make fuzz`, and what it stands on: inputs that can be repeated, and made smaller."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

FUZZ = Path(__file__).resolve().parent.parent.parent / "benchmarks" / "fuzz"
SEED, COUNT = 8, 9


@pytest.fixture(autouse=True)
def _fuzz_on_path(monkeypatch):
    """They import each other as scripts do; other benchmarks have files of the same names."""
    names = {file.stem for file in FUZZ.glob("*.py")}
    for name in names & sys.modules.keys():
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(str(FUZZ))
    yield
    for name in names & sys.modules.keys():
        del sys.modules[name]


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, FUZZ / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_nothing_is_found_at_a_few_inputs(tmp_path):
    done = subprocess.run(
        [
            sys.executable, str(FUZZ / "run.py"), "--count", str(COUNT), "--seed", str(SEED),
            "--folder", str(tmp_path), "--jobs", "2",
        ],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert (0, "") == (done.returncode, done.stderr), done.stdout
    assert f"{COUNT} inputs" in done.stdout


def test_an_input_depends_on_nothing_but_its_seed_and_number():
    draw = _load("inputs").draw
    forwards = [draw(1, number) for number in range(40)]
    backwards = [draw(1, number) for number in reversed(range(40))]
    assert forwards == backwards[::-1]
    assert forwards != [draw(2, number) for number in range(40)]


@pytest.mark.slow
def test_every_kind_of_input_and_every_command_occurs():
    draw = _load("inputs").draw
    drawn = [draw(2, number) for number in range(120)]
    kinds = {given.kind.partition(" ")[0] for given in drawn}
    assert {"file", "wheel", "folder", "name", "bytecode", "config", "arguments"} == kinds
    assert {"generate", "instrument", "summary", "explore", "run"} <= {given.command for given in drawn}


def test_a_kept_input_is_the_same_when_it_is_fed_again(tmp_path):
    draw, keeping = _load("inputs").draw, _load("keeping")
    for number in range(30):
        given = draw(3, number)
        keeping.store(given, tmp_path / str(number))
        again = keeping.load(tmp_path / str(number))
        assert {**given.to_plain(), "files": None} == {**again.to_plain(), "files": None}
        assert again.files.items() <= given.files.items()


def test_an_input_is_made_as_small_as_what_is_found_allows():
    inputs, shrinking = _load("inputs"), _load("shrinking")
    files = {"m.py": b"a = 1\nb = 2\nwrong\nc = 3\n", "other.py": b"x"}
    given = inputs.Input("file", files, ("generate", "m.py", "--seed", "3"), encoding="ascii")
    small = shrinking.shrunk(given, lambda less: b"wr" in less.files.get("m.py", b""), seconds=20)
    assert replace(given, files={"m.py": b"wr"}, argv=("generate", "m.py"), encoding="utf-8") == small


def test_what_a_terminal_would_obey_is_found():
    feeding, inputs, judging = _load("feeding"), _load("inputs"), _load("judging")
    given = inputs.Input("file", {}, ("generate", "m.py"))
    outcome = feeding.Outcome(status=1, errors=b"error: \x1b[2J\n")
    assert ["steers the terminal on stderr"] == [f.signature for f in judging.judge(given, outcome)]


@pytest.mark.parametrize(
    ("outcome", "signature"),
    [
        ({"status": None, "escaped": "KeyError: 1"}, "escaped KeyError: _"),
        ({"status": 1}, "silent status 1"),
        ({"status": 3, "errors": b"error: internal error while x"}, "stderr: internal error while x"),
        ({"status": 77, "errors": b"x"}, "status 77"),
        ({"status": 0, "written": {"test_m.py": b"def ("}}, "a test file that is no module: SyntaxError"),
        ({"status": 0, "changed": ["m.py"]}, "the input's files are changed"),
    ],
)
def test_each_fault_has_its_name(outcome, signature):
    feeding, inputs, judging = _load("feeding"), _load("inputs"), _load("judging")
    given = inputs.Input("file", {}, ("generate", "m.py"))
    assert [signature] == [f.signature for f in judging.judge(given, feeding.Outcome(**outcome))]
