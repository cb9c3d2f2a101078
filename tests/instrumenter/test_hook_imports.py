"""Every way in which modules come to be imported works for twins as it does for their originals."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.resources
import importlib.util
import inspect
import pkgutil
import py_compile
import runpy
import site
import subprocess
import sys
import threading
import traceback
import warnings
import zipfile
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path
from zipimport import zipimporter

import pytest

from instrumenter import hook
from instrumenter.hook import TwinLoader, install
from tests.instrumenter import native
from tests.target.layout import lay_out

HALF = "def half(x):\n    return x // 2\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch):
    """A folder that modules are imported from; all named `tw_...` are forgotten afterwards."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    yield folder
    hook.uninstall()
    for name in [name for name in sys.modules if name.startswith("tw_")]:
        del sys.modules[name]


def outside(function) -> list[str]:
    """The files of a traceback, from the outermost frame to the innermost."""
    with pytest.raises(Exception) as caught:  # noqa: PT011 - any
        function()
    return [frame.filename for frame in traceback.extract_tb(caught.value.__traceback__)][1:]


def as_original_and_twin(name: str, look) -> tuple[object, object]:
    """What a function sees when a module is imported as it is, and as a twin."""
    seen = []
    for patterns in ([], [name]):
        importlib.invalidate_caches()
        with install(patterns, native) if patterns else warnings.catch_warnings():
            seen.append(look())
        for known in [known for known in sys.modules if known.startswith("tw_")]:
            del sys.modules[known]
    return seen[0], seen[1]


def test_a_module_and_its_spec_tell_the_same_as_the_originals(home):
    lay_out(home, {"tw_pkg/__init__.py": "", "tw_pkg/a.py": '"""Doc."""\n' + HALF})

    def look():
        module = importlib.import_module("tw_pkg.a")
        spec = module.__spec__
        assert spec is not None
        return (
            sorted(vars(module)), module.__file__, module.__cached__, module.__package__, repr(module),
            spec.name, spec.origin, spec.cached, spec.parent, spec.has_location,
            module.__loader__ is spec.loader, isinstance(spec.loader, SourceFileLoader),
            isinstance(spec.loader, importlib.abc.SourceLoader), vars(spec.loader)["path"],
        )  # fmt: skip

    original, twin = as_original_and_twin("tw_pkg", look)
    assert original == twin


def test_bytecode_files_are_neither_written_nor_read(home, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    lay_out(home, {"tw_a.py": HALF})
    with install(["tw_a"], native):
        importlib.import_module("tw_a")
    assert not (home / "__pycache__").exists()
    del sys.modules["tw_a"]
    importlib.import_module("tw_a")  # writes the original's
    (written,) = (home / "__pycache__").iterdir()
    before = written.read_bytes()
    del sys.modules["tw_a"]
    with install(["tw_a"], native) as handle:
        twin = importlib.import_module("tw_a")
    assert ["tw_a"] == list(handle.twins)
    assert "_tt" in twin.half.__code__.co_names
    assert before == written.read_bytes()


@pytest.mark.parametrize(
    "files",
    [
        {"tw_a.py": "import nosuch_module\n"},
        {"tw_a.py": "from tw_b import x\n", "tw_b.py": "x = [1,\n2][\n5]\n"},
        {"tw_a.py": "from tw_b import missing\n", "tw_b.py": ""},
        {"tw_a.py": "import tw_b\n", "tw_b.py": "x = (\n"},
        {"tw_a.py": "import tw_b\n", "tw_b.py": "x = 'a\0'\n"},
        {"tw_a.py": "import tw_b\n", "tw_b.py": b"x = '\xff'\n"},
        {"tw_a.py": "from tw_a import y\n"},
    ],
    ids=["missing", "raises", "name", "syntax", "null", "encoding", "circular"],
)
def test_tracebacks_of_failing_imports_have_no_frame_of_ours(home, files):
    lay_out(home, files)

    def look():
        frames = outside(lambda: importlib.import_module("tw_a"))
        return frames, "tw_a" in sys.modules, "tw_b" in sys.modules

    original, twin = as_original_and_twin("tw_*", look)
    assert original == twin


def test_a_file_that_vanishes_is_missed_as_ever(home):
    lay_out(home, {"tw_a.py": ""})
    with install(["tw_a"], native):
        spec = importlib.util.find_spec("tw_a")
        assert spec is not None
        assert spec.loader is not None
        (home / "tw_a.py").unlink()
        with pytest.raises(FileNotFoundError):
            spec.loader.exec_module(importlib.util.module_from_spec(spec))


def test_reload_gives_the_twin_of_the_new_source(home):
    lay_out(home, {"tw_a.py": "def f(x): return x + 1\n"})
    with install(["tw_a"], native):
        module = importlib.import_module("tw_a")
        (home / "tw_a.py").write_text("def f(x): return x - 1\n")
        assert module is importlib.reload(module)
        assert 1 == module.f(2)
        assert "_tt" in module.f.__code__.co_names
    importlib.reload(module)
    assert 1 == module.f(2)
    assert "_tt" not in module.f.__code__.co_names


def test_circular_and_relative_imports(home):
    lay_out(home, {
        "tw_pkg/__init__.py": "from .a import a\nfrom . import b as beta\n",
        "tw_pkg/a.py": "from . import b\nimport tw_pkg.b as c\ndef a(n): return b.b(n - 1) if n > 0 else n\n",
        "tw_pkg/b.py": "from tw_pkg import a\ndef b(n): return (a if callable(a) else a.a)(n)\n",
        "tw_pkg/sub/__init__.py": "from ..a import a\nfrom .deep import *\n",
        "tw_pkg/sub/deep.py": "__all__ = ['c']\nfrom .. import beta as d\nc = 3\n",
    })  # fmt: skip
    with install(["tw_pkg"], native) as handle:
        package = importlib.import_module("tw_pkg.sub")
    assert (0, 3) == (package.a(2), package.c)
    assert 5 == len(handle.twins)


def test_lazy_attributes_of_a_module_and_of_a_package(home):
    lay_out(home, {
        "tw_pkg/__init__.py": (
            "import importlib\n"
            "def __getattr__(name):\n"
            "    if name == 'late':\n        return importlib.import_module('.late', __name__)\n"
            "    raise AttributeError(name)\n"
            "def __dir__():\n    return ['late'] + ['x']\n"
        ),
        "tw_pkg/late.py": HALF,
    })  # fmt: skip
    with install(["tw_pkg"], native) as handle:
        package = importlib.import_module("tw_pkg")
        assert ["tw_pkg"] == list(handle.twins)
        assert (4, ["late", "x"]) == (package.late.half(9), dir(package))
    assert ["tw_pkg", "tw_pkg.late"] == list(handle.twins)


def test_a_module_that_puts_an_object_in_its_place(home):
    lay_out(home, {
        "tw_a.py": (
            "import sys\n"
            "class Me:\n    def double(self, x): return x * 2\n"
            "sys.modules[__name__] = Me()\n"
        ),
        "tw_b.py": (
            "import sys, types\n"
            "class Module(types.ModuleType):\n    length = property(lambda self: len(self.__name__))\n"
            "sys.modules[__name__].__class__ = Module\n"
        ),
    })  # fmt: skip
    with install(["tw_a", "tw_b"], native):
        assert 6 == importlib.import_module("tw_a").double(3)
        assert 4 == importlib.import_module("tw_b").length


def test_packages_that_change_where_their_modules_are(home):
    lay_out(home, {
        "tw_pkg/__init__.py": "import os\n__path__.append(os.path.join(__path__[0], 'more'))\n",
        "tw_pkg/more/extra.py": HALF,
        "tw_old/__init__.py": "__path__ = __import__('pkgutil').extend_path(__path__, __name__)\n",
        "elsewhere/tw_old/__init__.py": "",
        "elsewhere/tw_old/far.py": HALF,
    })  # fmt: skip
    sys.path.append(str(home / "elsewhere"))
    with install(["tw_pkg", "tw_old"], native) as handle:
        assert 2 == importlib.import_module("tw_pkg.extra").half(5)
        assert 2 == importlib.import_module("tw_old.far").half(5)
    assert ["tw_old", "tw_old.far", "tw_pkg", "tw_pkg.extra"] == sorted(handle.twins)


def test_namespace_package_over_two_folders_and_a_zip(home, monkeypatch):
    lay_out(home, {"one/tw_ns/a.py": HALF, "two/tw_ns/sub/b.py": HALF})
    with zipfile.ZipFile(home / "three.zip", "w") as archive:
        archive.writestr("tw_ns/", "")
        archive.writestr("tw_ns/c.py", HALF)
    for part in ("one", "two", "three.zip"):
        monkeypatch.syspath_prepend(str(home / part))
    with install(["tw_ns"], native) as handle:
        modules = [importlib.import_module(f"tw_ns.{name}") for name in ("a", "sub.b", "c")]
        assert [4, 4, 4] == [module.half(9) for module in modules]
    assert ["tw_ns.a", "tw_ns.c", "tw_ns.sub.b"] == sorted(handle.twins)
    assert {} == handle.untouched
    assert 3 == len(sys.modules["tw_ns"].__path__)


def test_egg_with_bytecode_beside_its_source(home, monkeypatch):
    source = home / "tw_egg.py"
    source.write_text(HALF)
    compiled = py_compile.compile(str(source), cfile=str(home / "egg.pyc"), doraise=True)
    assert compiled is not None
    source.unlink()
    with zipfile.ZipFile(home / "tw.egg", "w") as archive:
        archive.write(compiled, "tw_egg.pyc")
        archive.write(compiled, "tw_bare.pyc")
        archive.writestr("tw_egg.py", HALF)
        archive.writestr("EGG-INFO/PKG-INFO", "Name: tw\n")
        archive.writestr("tw_wrong.py", "x = (\n")
    monkeypatch.syspath_prepend(str(home / "tw.egg"))

    def look():
        spec = importlib.util.find_spec("tw_egg")
        assert spec is not None
        return importlib.import_module("tw_egg").__file__, isinstance(spec.loader, zipimporter), spec.origin

    original, twin = as_original_and_twin("tw_egg", look)
    assert original == twin
    with install(["tw_*"], native) as handle:
        egg = importlib.import_module("tw_egg")
        assert 4 == importlib.import_module("tw_bare").half(9)
        with pytest.raises(SyntaxError):
            importlib.import_module("tw_wrong")
    assert ["tw_egg"] == list(handle.twins)
    assert {"tw_bare": "bytecode without source"} == handle.untouched
    assert HALF == inspect.getsource(egg)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ImportWarning")
@pytest.mark.parametrize("archive", ["home.zip", ""])
def test_the_old_method_of_loaders_gives_the_twin(home, monkeypatch, archive):
    lay_out(home, {"tw_a.py": HALF})
    if archive:
        with zipfile.ZipFile(home / archive, "w") as zipped:
            zipped.write(home / "tw_a.py", "tw_a.py")
        monkeypatch.syspath_prepend(str(home / archive))
    with install(["tw_a"], native):
        spec = importlib.util.find_spec("tw_a")
        assert spec is not None
        loader = spec.loader
        assert loader is not None
        module = loader.load_module("tw_a")
    assert "_tt" in module.half.__code__.co_names


def test_editable_installs(home, monkeypatch):
    """By a path in a .pth file, and by a finder as setuptools writes it."""
    lay_out(home, {
        "src/tw_path/__init__.py": "from .inner import half\n", "src/tw_path/inner.py": HALF,
        "proj/lib/__init__.py": "from tw_mapped.inner import half\n", "proj/lib/inner.py": HALF,
        "site/tw.pth": f"{home / 'src'}\n",
    })  # fmt: skip

    class EditableFinder:
        @classmethod
        def find_spec(cls, fullname, path=None, target=None):
            places = {"tw_mapped": home / "proj" / "lib"}
            if fullname not in places:
                return None
            return importlib.util.spec_from_file_location(fullname, places[fullname] / "__init__.py")

    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, EditableFinder])
    site.addsitedir(str(home / "site"))
    with install(["tw_path", "tw_mapped"], native) as handle:
        assert 2 == importlib.import_module("tw_path").half(4)
        assert 2 == importlib.import_module("tw_mapped").half(4)
    assert ["tw_mapped", "tw_mapped.inner", "tw_path", "tw_path.inner"] == sorted(handle.twins)


def test_data_and_resources(home, monkeypatch):
    lay_out(home, {"tw_pkg/__init__.py": "", "tw_pkg/sub/__init__.py": "", "tw_pkg/sub/d.txt": "d"})
    with zipfile.ZipFile(home / "z.zip", "w") as archive:
        archive.writestr("tw_zip/__init__.py", "")
        archive.writestr("tw_zip/sub/__init__.py", "")
        archive.writestr("tw_zip/sub/d.txt", "d")
    monkeypatch.syspath_prepend(str(home / "z.zip"))
    with install(["tw_pkg", "tw_zip"], native) as handle:
        for name in ("tw_pkg", "tw_zip"):
            assert b"d" == pkgutil.get_data(f"{name}.sub", "d.txt")
            package = importlib.import_module(f"{name}.sub")
            assert "d" == importlib.resources.files(package).joinpath("d.txt").read_text()
            with importlib.resources.as_file(importlib.resources.files(f"{name}.sub") / "d.txt") as file:
                assert b"d" == file.read_bytes()
            listed = {entry.name for entry in importlib.resources.files(package).iterdir()}
            assert {"__init__.py", "d.txt"} <= listed
    assert 4 == len(handle.twins)


def test_packages_are_listed_and_walked(home):
    lay_out(home, {"tw_pkg/__init__.py": "", "tw_pkg/sub/__init__.py": "x = 1\n", "tw_pkg/sub/deep.py": ""})

    def look():
        package = importlib.import_module("tw_pkg")
        return (
            [info.name for info in pkgutil.iter_modules(package.__path__)],
            [info.name for info in pkgutil.walk_packages(package.__path__, "tw_pkg.")],
            pkgutil.resolve_name("tw_pkg.sub:x"),
        )

    original, twin = as_original_and_twin("tw_pkg", look)
    assert original == twin == (["sub"], ["tw_pkg.sub", "tw_pkg.sub.deep"], 1)


def test_specs_modules_and_lazy_loading(home):
    lay_out(home, {"tw_a.py": HALF, "tw_b.py": HALF, "tw_c.py": HALF})
    with install(["tw_*"], native) as handle:
        spec = importlib.util.find_spec("tw_a")
        assert spec is not None
        assert spec.loader is not None
        assert {} == handle.twins
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        lazy = importlib.util.find_spec("tw_b")
        assert lazy is not None
        assert lazy.loader is not None
        lazy.loader = importlib.util.LazyLoader(lazy.loader)
        late = importlib.util.module_from_spec(lazy)
        lazy.loader.exec_module(late)
        assert ["tw_a"] == list(handle.twins)
        assert (4, 4) == (module.half(8), late.half(8))
    assert ["tw_a", "tw_b"] == list(handle.twins)
    assert "tw_a" not in sys.modules
    assert importlib.util.find_spec("tw_c") is not None


def test_run_as_a_program(home, capsys):
    lay_out(home, {
        "tw_pkg/__init__.py": "",
        "tw_pkg/__main__.py": "from . import work\nprint(__name__, work.half(9))\n",
        "tw_pkg/work.py": HALF + "if __name__ == '__main__':\n    print(half(7))\n",
    })  # fmt: skip
    with install(["tw_pkg"], native) as handle:
        runpy.run_module("tw_pkg", run_name="__main__", alter_sys=True)
        del sys.modules["tw_pkg.work"]
        names = runpy.run_module("tw_pkg.work", run_name="__main__")
    assert "__main__ 4\n3\n" == capsys.readouterr().out
    assert ["tw_pkg", "tw_pkg.__main__", "tw_pkg.work"] == sorted(handle.twins)
    assert "_tt" in names["half"].__code__.co_names


def test_finders_of_others_are_heard(home, monkeypatch):
    lay_out(home, {"tw_a.py": HALF, "tw_b.py": HALF, "tw_c.py": HALF, "tw_d.py": HALF})

    class Transforming(SourceFileLoader):
        def source_to_code(self, data, path, *, _optimize=-1):  # type: ignore[override]
            return super().source_to_code(data.replace(b"2", b"3"), path, _optimize=_optimize)

    class FromMemory(importlib.abc.SourceLoader):
        def get_filename(self, fullname):
            return "memory.py"

        def get_data(self, path):
            if path != "memory.py":
                raise OSError(path)
            return HALF.encode()

    class Finder:
        def find_spec(self, fullname, path, target=None):
            if fullname == "tw_a":
                return importlib.util.spec_from_loader("tw_a", Transforming("tw_a", str(home / "tw_a.py")))
            if fullname == "tw_b":
                return importlib.util.spec_from_loader("tw_b", FromMemory())
            if fullname == "tw_c":
                raise ImportError("forbidden")
            return None

    class Old:
        def find_module(self, fullname, path=None):
            return None

    monkeypatch.setattr(sys, "meta_path", [Old(), Finder(), *sys.meta_path])
    with install(["tw_*"], native) as handle:
        assert 3 == importlib.import_module("tw_a").half(9)
        assert 4 == importlib.import_module("tw_b").half(9)
        with pytest.raises(ImportError, match="forbidden"):
            importlib.import_module("tw_c")
        assert 4 == importlib.import_module("tw_d").half(9)
    assert ["tw_b", "tw_d"] == sorted(handle.twins)
    assert ["tw_a"] == list(handle.untouched)
    assert "by tests.instrumenter.test_hook_imports." in handle.untouched["tw_a"]


def test_frozen_modules_stay(home):
    with install(["__hello__"], native) as handle:
        spec = importlib.util.find_spec("__hello__")
        assert spec is not None
    assert not isinstance(spec.loader, TwinLoader)
    if spec.origin == "frozen":
        assert {"__hello__": "frozen into Python"} == handle.untouched


def test_threads_that_import_at_once(home):
    count = 8
    files = {f"tw_pkg/m{i}.py": f"import tw_pkg.m{i + 1}\n" + HALF for i in range(count)}
    lay_out(home, {"tw_pkg/__init__.py": "", f"tw_pkg/m{count}.py": "", **files})
    start = threading.Barrier(count)
    results: list[object] = []

    def work(number: int) -> None:
        start.wait()
        try:
            results.append(importlib.import_module(f"tw_pkg.m{number}").half(9))
        except Exception as error:  # noqa: BLE001 - looked at below
            results.append(error)

    filters = list(warnings.filters)
    with install(["tw_pkg"], native) as handle:
        threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert [4] * count == results
    assert 2 + count == len(handle.twins)
    assert filters == warnings.filters


def test_what_the_rewriter_imports_itself_can_be_a_twin(home):
    """In a process of its own, where nothing of it was imported before."""
    program = (
        "import sys, warnings\n"
        "from instrumenter import hook\nfrom tests.instrumenter import native\n"
        "warnings.simplefilter('error')\nwarnings.simplefilter('ignore', hook.AlreadyImportedWarning)\n"
        "for name in ('json', 'textwrap'): assert name not in sys.modules, name\n"
        "with hook.install(['json', 'textwrap'], native) as handle:\n"
        "    early = handle.early\n"
        "    for name in early: del sys.modules[name]\n"
        "    import json, textwrap\n"
        "    print(json.dumps([1]), 'textwrap' in handle.twins, 'json.encoder' in handle.twins, early[0])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert ("[1] True True json\n", "") == (done.stdout, done.stderr)


def test_path_finder_alone_is_the_original(home):
    """What does not ask the import system gets no twin."""
    lay_out(home, {"tw_a.py": HALF})
    with install(["tw_a"], native):
        spec = PathFinder.find_spec("tw_a")
    assert spec is not None
    assert not isinstance(spec.loader, TwinLoader)
