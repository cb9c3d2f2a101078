from __future__ import annotations

import importlib
import importlib.resources
import importlib.util
import inspect
import linecache
import py_compile
import sys
import traceback
import zipfile
from pathlib import Path

import pytest

from instrumenter import hook
from instrumenter.cache import TwinCache
from instrumenter.hook import AlreadyImportedWarning, install
from tests.instrumenter import native

PACKAGE = {
    "tw_pkg/__init__.py": "from tw_pkg.part import f\nvalue = f(2)\n",
    "tw_pkg/part.py": (
        '"""Doc."""\nfrom __future__ import annotations\n'
        "def f(a):\n    if a > 1:\n        return a * 10 // (a - 2 or 1)\n"
    ),
    "tw_pkg/data.txt": "data",
    "tw_other.py": "def g(x): return x + 1\n",
    "tw_failing.py": "def fail(x):\n    return [\n        1 // x,\n    ]\n",
    "tw_broken.py": "x = 1\ny = (\n",
}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch):
    for name, text in PACKAGE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    hook.uninstall()
    for name in [name for name in sys.modules if name.startswith("tw_")]:
        del sys.modules[name]


def decisions() -> list[bool]:
    found = [result for _, result in native.SITES]
    native.SITES.clear()
    return found


def test_matching_modules_are_twins_and_others_are_not(tree):
    native.SITES.clear()
    with install(["tw_pkg", "tw_pkg.*"], native) as handle:
        package = importlib.import_module("tw_pkg")
        other = importlib.import_module("tw_other")
    assert 20 == package.value
    assert [True] == decisions()
    assert ["tw_pkg", "tw_pkg.part"] == sorted(handle.twins)
    assert ["TwinSourceFileLoader", "SourceFileLoader"] == [
        type(module.__loader__).__name__ for module in (package, other)
    ]
    assert "_tt" not in vars(package)


@pytest.mark.parametrize(
    ("pattern", "twins"),
    [
        ("tw_pkg", ["tw_pkg", "tw_pkg.part"]),
        ("tw_pkg.__init__", ["tw_pkg"]),
        ("tw_pkg.*", ["tw_pkg.part"]),
        ("tw_pkg.part", ["tw_pkg.part"]),
        ("tw_p*", ["tw_pkg", "tw_pkg.part"]),
        ("tw_pk", []),
    ],
)
def test_a_name_stands_for_a_module_with_all_beneath_it(tree, pattern, twins):
    with install([pattern], native) as handle:
        importlib.import_module("tw_pkg.part")
    assert twins == sorted(handle.twins)


def test_module_looks_like_its_original(tree):
    with install(["tw_*"], native):
        part = importlib.import_module("tw_pkg.part")
    package = sys.modules["tw_pkg"]
    assert str(tree / "tw_pkg" / "part.py") == part.__file__
    assert [str(tree / "tw_pkg")] == list(package.__path__)
    assert "tw_pkg" == part.__package__
    assert part.__spec__ is not None
    assert part.__file__ == part.__spec__.origin
    assert "data" == importlib.resources.files("tw_pkg").joinpath("data.txt").read_text()
    assert PACKAGE["tw_pkg/part.py"] == inspect.getsource(part)
    assert part.__loader__ is not None
    assert PACKAGE["tw_pkg/part.py"] == part.__spec__.loader.get_source("tw_pkg.part")  # type: ignore[union-attr]
    assert "Doc." == part.__doc__


def test_tracebacks_speak_of_the_original(tree):
    linecache.clearcache()
    with install(["tw_failing"], native):
        failing = importlib.import_module("tw_failing")
    with pytest.raises(ZeroDivisionError) as caught:
        failing.fail(0)
    frame = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (str(tree / "tw_failing.py"), 3, "1 // x,") == (frame.filename, frame.lineno, frame.line)


def test_syntax_error_is_that_of_the_original(tree):
    with install(["tw_broken"], native), pytest.raises(SyntaxError) as caught:
        importlib.import_module("tw_broken")
    assert (str(tree / "tw_broken.py"), 2, "y = (\n") == (
        caught.value.filename,
        caught.value.lineno,
        caught.value.text,
    )


def test_uninstalled_hook_traces_nothing_more(tree):
    handle = install(["tw_*"], native)
    handle.uninstall()
    handle.uninstall()
    importlib.import_module("tw_other")
    assert {} == handle.twins


def test_modules_imported_too_early_are_named_with_what_to_do(tree):
    importlib.import_module("tw_other")
    with pytest.warns(AlreadyImportedWarning, match="not traced: tw_other; install") as caught:
        handle = install(["tw_*", "sys", "_bisect"], native)
    handle.uninstall()
    assert ("tw_other",) == handle.early
    assert __file__ == caught[0].filename


def test_twins_are_not_imported_too_early_for_a_second_hook(tree):
    with install(["tw_other"], native) as first:
        importlib.import_module("tw_other")
        with install(["tw_*"], native) as second:
            importlib.import_module("tw_pkg")
    assert ((), ()) == (first.early, second.early)
    assert (["tw_other"], ["tw_pkg", "tw_pkg.part"]) == (list(first.twins), sorted(second.twins))


def test_cache_is_used(tree, tmp_path_factory, monkeypatch):
    cache = TwinCache(tmp_path_factory.mktemp("cache"))
    with install(["tw_other"], native, cache):
        importlib.import_module("tw_other")
    del sys.modules["tw_other"]

    def refuse(*args, **kwargs):
        raise AssertionError("built anew")

    monkeypatch.setattr("instrumenter.cache.build", refuse)
    with install(["tw_other"], native, cache) as handle:
        assert 3 == importlib.import_module("tw_other").g(2)
    assert "_tt.add" in handle.twins["tw_other"].source


def test_fault_of_ours_leaves_a_working_module(tree, monkeypatch):
    def fail(*args, **kwargs):
        raise RuntimeError("oops")

    monkeypatch.setattr("instrumenter.build.rewritten", fail)
    with install(["tw_other"], native), pytest.warns(hook.InstrumenterWarning, match="tw_other"):
        assert 3 == importlib.import_module("tw_other").g(2)


def test_bytecode_and_extensions_pass_as_they_are(tree):
    py_compile.compile(str(tree / "tw_other.py"), cfile=str(tree / "tw_bytecode.pyc"))
    with install(["tw_bytecode", "_testcapi", "sys"], native) as handle:
        assert 3 == importlib.import_module("tw_bytecode").g(2)
        assert importlib.util.find_spec("_testcapi") is not None
    assert {} == handle.twins
    assert {"tw_bytecode": "bytecode without source", "_testcapi": "an extension module"} == handle.untouched


def test_modules_in_a_wheel_are_twins(tree, tmp_path_factory, monkeypatch):
    wheel = tmp_path_factory.mktemp("zip") / "tw_zip.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("tw_zipped/__init__.py", "from .inner import half\n")
        archive.writestr(
            "tw_zipped/inner.py",
            "# coding: latin-1\ndef half(x):\n    return x // 2, 'é'\n".encode("latin-1"),
        )
        archive.writestr("tw_zipped/data.txt", "zipped")
    monkeypatch.syspath_prepend(str(wheel))
    with install(["tw_zipped", "tw_zipped.*"], native) as handle:
        package = importlib.import_module("tw_zipped")
    assert (4, "é") == package.half(9)
    assert ["tw_zipped", "tw_zipped.inner"] == sorted(handle.twins)
    assert str(wheel / "tw_zipped" / "__init__.py") == package.__file__
    assert "zipped" == importlib.resources.files("tw_zipped").joinpath("data.txt").read_text()
    assert "from .inner import half\n" == inspect.getsource(package)


def test_namespace_packages_and_missing_modules_behave_as_ever(tree):
    (tree / "tw_space").mkdir()
    (tree / "tw_space" / "inside.py").write_text("y = [1][0]\n")
    with install(["tw_*"], native) as handle:
        assert 1 == importlib.import_module("tw_space.inside").y
        with pytest.raises(ModuleNotFoundError):
            importlib.import_module("tw_missing")
    assert ["tw_space.inside"] == list(handle.twins)


def test_where_time_is_up_others_than_the_wanted_one_stay_as_they_are(tree, tmp_path: Path):
    cache = TwinCache(tmp_path / "cache")
    with install(["tw_pkg", "tw_other"], interface=native, cache=cache) as handle:
        handle.finder.limit(0.0, "tw_other")
        importlib.import_module("tw_pkg.part")
        importlib.import_module("tw_other")
        assert ["tw_other"] == list(handle.twins)
        assert {"tw_pkg", "tw_pkg.part"} == set(handle.untouched)


def test_what_is_in_the_cache_takes_no_time(tree, tmp_path: Path):
    cache = TwinCache(tmp_path / "cache")
    part = tree / "tw_pkg" / "part.py"
    cache.load(part.read_bytes(), name="tw_pkg.part", filename=str(part))
    with install(["tw_pkg"], interface=native, cache=cache) as handle:
        handle.finder.limit(0.0, "")
        importlib.import_module("tw_pkg.part")
        assert ["tw_pkg.part"] == list(handle.twins)


def test_a_large_table_stays_as_it_is_and_one_with_a_function_does_not(tree):
    rows = "ROWS = [\n" + "    ('name', 17, 'class of something'),\n" * 1_500 + "]\n"
    (tree / "tw_rows.py").write_text(rows)
    (tree / "tw_more.py").write_text(rows + "def first(): return ROWS[0]\n")
    with install(["tw_rows", "tw_more"], interface=native) as handle:
        assert 17 == importlib.import_module("tw_rows").ROWS[3][1]
        assert ("name", 17, "class of something") == importlib.import_module("tw_more").first()
        assert ["tw_more"] == list(handle.twins)
        assert {"tw_rows": "it is large and defines no function"} == handle.untouched
