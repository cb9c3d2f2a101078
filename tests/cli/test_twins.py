"""Twins are in the cache before the imports that need them."""

from __future__ import annotations

from pathlib import Path

import pytest

from instrumenter.cache import TwinCache
from tests.target.layout import FUNCTION, lay_out, make_wheel
from tracetwin.analysis.flow import store
from tracetwin.api import generate_tests
from tracetwin.process import bytecode
from tracetwin.run.listener import Listener
from tracetwin.run.twins import QUIET_SECONDS, Twinned, Twins, TwinTask, build_twin
from tracetwin.run.worker_options import MOST_MODULES
from tracetwin.target.selection import TargetModule, resolve

FILES = {
    "pkg/__init__.py": "",
    "pkg/main.py": "from . import helper\n\n\ndef f(x: int) -> int:\n    return helper.f(x)\n",
    "pkg/helper.py": FUNCTION,
    "pkg/unused.py": FUNCTION,
}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("TRACETWIN_CACHE", str(folder))
    return folder


def cached(layout: dict[str, str]) -> list[str]:
    """Those of some files whose twins are in the cache."""
    names = {file: file.removesuffix(".py").replace("/", ".").removesuffix(".__init__") for file in layout}
    cache = TwinCache()
    return [file for file, text in layout.items() if cache.path(text.encode(), names[file]).is_file()]


def made_up(name: str) -> TargetModule:
    return TargetModule(name, f"/{name}.py", "/")


PULLED_IN = ["pkg/__init__.py", "pkg/main.py", "pkg/helper.py"]


def test_what_the_import_of_a_target_pulls_in_is_in_the_cache(tmp_path):
    lay_out(tmp_path, FILES)
    (result,) = generate_tests(tmp_path / "pkg/main.py", output=tmp_path / "out", max_runs=5)
    assert result.error is None
    assert PULLED_IN == cached(FILES)


def test_the_data_flow_and_the_bytecode_of_a_module_are_there_with_its_twin(tmp_path, cache):
    text = "class Stack:\n    def push(self, x):\n        self.top = x\n"
    lay_out(tmp_path, {"stack.py": text})
    (module,) = resolve(str(tmp_path / "stack.py"))
    task = Twins().task(0, module)
    assert task is not None
    assert task.analysed
    build_twin(task)
    assert store.load(text.encode(), "stack", "facts") is not None
    assert 1 == len([file for file in (cache / bytecode.FOLDER).rglob("*") if file.is_file()])


def test_the_data_flow_of_a_large_package_is_asked_for_as_far_as_it_is_looked_at():
    target, *others = (made_up(f"m{number}") for number in range(MOST_MODULES + 10))
    twins, asked = Twins(), 0
    while (task := twins.task(0, target)) is not None:
        asked += task.analysed
        needs = tuple(others) if task.target else ()
        twins.ended(task, Twinned(0, task.module, needs))
    assert MOST_MODULES == asked


@pytest.mark.slow
@pytest.mark.parametrize("place", ["", "pkg-1.0.data/purelib/"])
def test_of_a_wheel_as_well_whether_it_is_unpacked_or_not(tmp_path, place):
    files = {place + name: text for name, text in FILES.items()}
    wheel = make_wheel(tmp_path / "pkg-1.0-py3-none-any.whl", files)
    (result,) = generate_tests(f"{wheel}:pkg.main", output=tmp_path / "out", max_runs=5)
    assert result.error is None
    assert PULLED_IN == cached(FILES)


@pytest.mark.slow
def test_a_cache_that_can_not_be_written_costs_one_attempt_only(tmp_path, cache):
    cache.write_text("in the way")
    lay_out(tmp_path, FILES)
    (result,) = generate_tests(tmp_path / "pkg/main.py", output=tmp_path / "out", max_runs=5)
    assert result.error is None
    (module,) = resolve(str(tmp_path / "pkg/main.py"))
    twins = Twins()
    task = twins.task(0, module)
    assert task is not None
    answer = build_twin(task)
    assert not answer.kept
    twins.ended(task, answer)
    assert twins.ready(module)


def test_large_tables_are_loaded_as_they_are_and_not_rewritten_before(tmp_path, cache):
    rows = "".join(f"    {number}: 'the text of entry {number}',\n" for number in range(2_000))
    table = f"from pkg import more\nTABLE = {{\n{rows}}}\n"
    files = {"pkg/__init__.py": "", "pkg/table.py": table, "pkg/more.py": ""}
    lay_out(tmp_path, files)
    module = TargetModule("pkg.table", str(tmp_path / "pkg/table.py"), str(tmp_path))
    answer = build_twin(TwinTask(0, module, analysed=True))
    assert ["pkg", "pkg.more"] == sorted(need.name for need in answer.needs)
    assert cached(files) == []
    build_twin(TwinTask(0, module, target=True))
    assert ["pkg/table.py"] == cached(files)


@pytest.mark.parametrize("broken", ["def f(:\n", "x = '\udcff'", None])
def test_what_is_wrong_with_a_module_that_is_pulled_in_is_left_to_the_import(tmp_path, broken):
    file = tmp_path / "pkg" / "m.py"
    if broken is not None:
        file.parent.mkdir()
        file.write_text(broken, errors="surrogateescape")
    module = TargetModule("pkg.m", str(file), str(tmp_path))
    assert Twinned(0, module) == build_twin(TwinTask(0, module))


def test_targets_share_what_they_need():
    first, second, shared, deep = map(made_up, ("first", "second", "shared", "deep"))
    twins = Twins()
    assert TwinTask(0, first, target=True, analysed=True) == twins.task(0, first)
    assert twins.task(0, first) is None, "it is handed out already"
    assert TwinTask(1, second, target=True, analysed=True) == twins.task(1, second)
    twins.ended(TwinTask(0, first), Twinned(0, first, (shared, second)))
    assert TwinTask(0, shared, analysed=True) == twins.task(0, first)
    twins.ended(TwinTask(1, second), Twinned(1, second, (shared, first)))
    assert twins.task(1, second) is None
    assert not twins.ready(second)
    twins.ended(TwinTask(0, shared), Twinned(0, shared, (deep, first)))
    assert not twins.ready(first)
    assert TwinTask(1, deep, analysed=True) == twins.task(1, second)
    twins.ended(TwinTask(1, deep), Twinned(1, deep))
    assert twins.ready(first)
    assert twins.ready(second)


def test_a_task_that_was_lost_keeps_no_target_waiting():
    module = made_up("m")
    twins = Twins()
    task = twins.task(0, module)
    assert task is not None
    twins.ended(task)
    assert twins.ready(module)


def test_a_module_that_is_not_traced_needs_no_twins():
    assert Twins().ready(TargetModule("m", "/m.pyc", "/", outside="it comes as bytecode only"))


class Told(Listener):
    """Remembers how far the twins were said to be."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, int]] = []

    def preparing(self, done: int, known: int) -> None:
        self.seen.append((done, known))


def test_what_takes_long_is_shown_until_it_ends():
    now = 0.0
    first, second = made_up("first"), made_up("second")
    twins, told = Twins(lambda: now), Told()
    task = twins.task(0, first)
    assert task is not None
    twins.show(told)
    assert [] == told.seen
    twins.ended(task, Twinned(0, first, (second,)))
    task = twins.task(0, first)
    assert task is not None
    now += QUIET_SECONDS
    twins.show(told)
    twins.ended(task, Twinned(0, second))
    twins.show(told)
    twins.show(told)
    assert [(1, 2), (2, 2)] == told.seen
