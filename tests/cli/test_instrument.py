from __future__ import annotations

import ast
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from tests.target.layout import FUNCTION, lay_out, make_wheel
from tracetwin.model.options import Options
from tracetwin.run.journal.run import RunJournal
from tracetwin.run.journal.store import ResultStore
from tracetwin.run.listener import Listener
from tracetwin.run.module_facts import why_uncached
from tracetwin.run.scheduler.stages import Stages
from tracetwin.run.scheduler.turns import Rounds
from tracetwin.target.selection import resolve_all


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("TRACETWIN_CACHE", str(folder))
    return folder


def test_twins_are_written_in_the_layout_of_their_packages(project, run):
    lay_out(project, {"pkg/__init__.py": FUNCTION, "pkg/mod.py": "def g(x):\n    return x + 1\n"})
    result = run("instrument", "pkg", "good.py", "-o", "twins")
    assert 0 == result.exit_code
    twins = project / "twins"
    written = sorted(path.relative_to(twins).as_posix() for path in twins.rglob("*.py"))
    assert ["good.py", "pkg/__init__.py", "pkg/mod.py"] == written
    assert "wrote twins/pkg/mod.py\n" in result.stdout
    twin = (project / "twins/pkg/mod.py").read_text()
    ast.parse(twin)
    assert "_tt.add" in twin


def test_without_a_folder_the_cache_is_filled(project, run, cache):
    result = run("instrument", "good.py", "other.py")
    assert (0, "2 of 2 twins are in the cache\n") == (result.exit_code, result.stdout)
    assert 2 == sum(path.is_file() for path in cache.rglob("*"))


def test_a_module_of_a_wheel_has_a_twin_too(project, run):
    make_wheel(project / "a-1.0-py3-none-any.whl", {"pkg/mod.py": FUNCTION})
    assert 0 == run("instrument", "a-1.0-py3-none-any.whl", "-o", "twins").exit_code
    assert (project / "twins/pkg/mod.py").is_file()


def test_an_extension_has_no_twin(project, run):
    wheel = make_wheel(project / "a-1.0-py3-none-any.whl", {f"quick{EXTENSION_SUFFIXES[0]}": b""})
    result = run("instrument", wheel.name)
    assert (1, "") == (result.exit_code, result.stdout)
    sentence = "quick is a C extension: such a module runs as it is, and gets neither tests nor a twin"
    assert f"error: {wheel.name}: {sentence}\n" == result.stderr


def test_wrong_targets_are_named_and_others_go_on(project, run):
    result = run("instrument", "nosuch.py", "good.py", "-q")
    assert (0, "") == (result.exit_code, result.stdout)
    assert "error: nosuch.py: there is no such file\n" == result.stderr
    assert 1 == run("instrument", "nosuch.py").exit_code


def test_a_cache_that_cannot_be_written_is_an_error(project, run, cache):
    cache.write_text("a file in the way")
    result = run("instrument", "good.py", "other.py")
    assert 1 == result.exit_code
    assert f"error: good: twins are not cached: {cache}: Not a directory\n" == result.stderr
    assert "0 of 2 twins are in the cache\n" == result.stdout


def test_a_cache_that_cannot_be_written_is_named_once_by_generate(project, cache, monkeypatch):
    cache.write_text("a file in the way")
    said: list[str] = []
    monkeypatch.setattr(Listener, "message", lambda _, text: said.append(text))
    options = Options(project)
    journal, store = RunJournal([], options, Listener()), ResultStore(options)
    stages = Stages([], Rounds(options, []), options, Listener(), None, journal, store)
    for module in resolve_all(["good.py", "other.py"]).modules:
        stages.warn_once(why_uncached(module))
    assert [f"warning: twins are not cached: {cache}: Not a directory"] == said
