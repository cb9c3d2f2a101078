"""A process in which a case left nothing serves for the next one; any other does not."""

from __future__ import annotations

import importlib
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tracetwin.replay.untouched import Untouched

SOURCE = """
import decimal
import helper

seen = []
count = 0

class Counter:
    made = 0

def pure(x):
    return x + 1

def remember(x):
    seen.append(x)

def rebind():
    global count
    count += 1

def on_class():
    Counter.made += 1

def elsewhere():
    helper.kept.append(1)

def imports():
    import this_is_nowhere
"""


@pytest.fixture
def module() -> Iterator[Any]:
    helper = types.ModuleType("helper")
    helper.__dict__["kept"] = []
    made = types.ModuleType("sample_of_untouched")
    sys.modules.update({"helper": helper, made.__name__: made})
    exec(compile(SOURCE, "sample.py", "exec"), vars(made))
    yield made
    del sys.modules["helper"], sys.modules[made.__name__]


def test_a_call_without_effects_leaves_a_process_as_it_was(module: Any) -> None:
    untouched = Untouched(module)
    module.pure(1)
    assert not untouched.changed()
    assert untouched.again(restore=False)


@pytest.mark.parametrize("name", ["remember", "rebind", "on_class"])
def test_changes_to_the_module_are_put_back_or_told(module: Any, name: str) -> None:
    untouched = Untouched(module)
    getattr(module, name)(*[1] * (name == "remember"))
    assert untouched.changed()
    assert not untouched.again(restore=False)
    assert untouched.again()
    assert (module.seen, module.count, module.Counter.made) == ([], 0, 0)


def test_what_is_left_in_a_module_that_it_uses_is_told(module: Any) -> None:
    untouched = Untouched(module)
    module.elsewhere()
    assert not untouched.again()


def test_a_tracer_stays_in_place(module: Any) -> None:
    def tracer(*_: object) -> None:
        return None

    untouched = Untouched(module)
    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        assert untouched.again()
        assert sys.gettrace() is tracer
    finally:
        sys.settrace(before)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A package whose functions import more of it when they are called."""
    folder = tmp_path / "late_package"
    folder.mkdir()
    (folder / "__init__.py").write_text("kinds = []\nclass Base: pass\n")
    (folder / "more.py").write_text("from late_package import Base\nclass More(Base): pass\nloaded = []\n")
    (folder / "own.py").write_text(LATE)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("late_package.own")
    for name in [name for name in sys.modules if name.startswith("late_package")]:
        del sys.modules[name]


LATE = """
import late_package
def uses():
    from late_package import more
    more.loaded.append(1)
    return len(more.loaded), [one.__name__ for one in late_package.Base.__subclasses__()]
def keeps(holder):
    from late_package import more
    holder.append(more.More)
def registers():
    from late_package import more
    late_package.kinds.append(more.More)
"""


@pytest.mark.slow
def test_what_a_call_imported_of_its_package_is_forgotten(package: Any) -> None:
    untouched = Untouched(package)
    for _ in range(3):
        assert package.uses() == (1, ["More"])
        assert untouched.again()
        assert "late_package.more" not in sys.modules
    package.registers()
    assert untouched.again()
    assert package.late_package.kinds == []


def test_what_holds_a_class_of_it_is_noticed(package: Any) -> None:
    untouched = Untouched(package)
    holder: list[object] = []
    package.keeps(holder)
    assert not untouched.again()
