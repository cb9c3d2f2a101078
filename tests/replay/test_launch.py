from __future__ import annotations

import subprocess
import textwrap
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.emit.support import function, target
from tracetwin.model.recipe import Scalar, list_of
from tracetwin.model.status import Outcome
from tracetwin.process.walls.sandbox import Limits
from tracetwin.replay.conditions.conditions import HERE
from tracetwin.replay.session import environment, replay
from tracetwin.target.module import TargetModule

ODD = target("odd", Path(__file__).parent / "data")


def test_a_module_inside_a_wheel_is_measured(tmp_path: Path) -> None:
    wheel = tmp_path / "shop-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        file.writestr("shop/__init__.py", "")
        file.writestr("shop/cart.py", "def total(x):\n    if x:\n        return 1\n    return 2\n")
    module = TargetModule("shop.cart", str(wheel / "shop" / "cart.py"), str(wheel))
    (seen,) = replay(module, [function("shop.cart", "total", 0)]).observations
    assert seen.value == Scalar(2)
    assert seen.lines == (2, 4)


def test_a_folder_with_special_characters_is_measured(tmp_path: Path) -> None:
    folder = tmp_path / "a [b]* c?"
    folder.mkdir()
    (folder / "sample.py").write_text("def f():\n    return 1\n")
    found = replay(target("sample", folder), [function("sample", "f")])
    assert found.observations[0].lines == (2,)
    assert found.import_lines == {1}


def test_a_relative_import_in_a_package(tmp_path: Path) -> None:
    package = tmp_path / "pack"
    package.mkdir()
    (package / "__init__.py").write_text("from .mod import mod\n")
    (package / "other.py").write_text("def twice(x): return 2 * x\n")
    (package / "mod.py").write_text("from .other import twice\n\ndef mod(x):\n    return twice(x)\n")
    module = TargetModule("pack.mod", str(package / "mod.py"), str(tmp_path))
    found = replay(module, [function("pack.mod", "mod", 4)])
    assert found.observations[0].value == Scalar(8)
    assert found.import_lines == {1, 3}


@pytest.mark.slow
def test_an_import_that_hangs_ends_in_time(tmp_path: Path) -> None:
    (tmp_path / "sample.py").write_text("while True: pass\n")
    found = replay(target("sample", tmp_path), [], limits=Limits(import_seconds=0.3))
    assert found.error is not None
    assert "0.3 seconds" in found.error or "ended" in found.error


def test_a_target_with_modules_called_as_ours(tmp_path: Path) -> None:
    for name in ("runtime", "instrumenter", "coverage_of_things"):
        (tmp_path / f"{name}.py").write_text(f"NAME = '{name}'\n")
    (tmp_path / "tracetwin").mkdir()
    (tmp_path / "tracetwin" / "__init__.py").write_text("NAME = 'package'\n")
    (tmp_path / "sample.py").write_text(
        "import runtime, instrumenter, tracetwin, coverage_of_things\n\n"
        "def names():\n    return [runtime.NAME, instrumenter.NAME, tracetwin.NAME]\n"
    )
    (seen,) = replay(target("sample", tmp_path), [function("sample", "names")]).observations
    assert seen.value == list_of(Scalar("runtime"), Scalar("instrumenter"), Scalar("package"))


def test_our_own_modules_can_not_be_imported_by_a_target(tmp_path: Path) -> None:
    (tmp_path / "sample.py").write_text("def f():\n    import tracetwin\n")
    (seen,) = replay(target("sample", tmp_path), [function("sample", "f")]).observations
    assert seen.raised is not None
    assert seen.raised.qualname == "ModuleNotFoundError"


def test_a_package_that_is_not_installed_makes_no_test(tmp_path: Path) -> None:
    source = """
    import importlib

    def zones():
        from no_such_zones import names
        return names

    def plugin(name="no_such_plugin"):
        return importlib.import_module(name)

    def refused():
        raise ModuleNotFoundError("no zones", name="zones")

    def told():
        try:
            import no_such_zones
        except ImportError as error:
            raise RuntimeError("pip install no_such_zones") from error
        return no_such_zones
    """
    (tmp_path / "sample.py").write_text(textwrap.dedent(source))
    names = ("zones", "plugin", "refused", "told")
    seen = replay(target("sample", tmp_path), [function("sample", name) for name in names]).observations
    assert [one.outcome is Outcome.REFUSED for one in seen] == [True, False, False, True]
    assert [one.outcome is Outcome.RAISED for one in seen] == [False, True, True, False]
    assert seen[0].why == "no_such_zones, which it imports, is not installed"


def test_the_environment_measures_nothing_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COVERAGE_PROCESS_START", "x")
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    made = environment(replace(HERE, hash_seed=7))
    assert "COVERAGE_PROCESS_START" not in made
    assert made["PYTHONHASHSEED"] == "7"
    assert made["PYTHONPATH"] == "/somewhere"


def test_nothing_is_left_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    started: list[Any] = []
    real = subprocess.Popen

    def remember(*args: Any, **options: Any) -> Any:
        started.append(real(*args, **options))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", remember)
    replay(ODD, [function("odd", "wide", 1), function("odd", "recurse")], timeout_per_case=1)
    assert list(tmp_path.iterdir()) == []
    assert all(process.poll() is not None for process in started)
