from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import tracetwin
from tests.target.layout import lay_out
from tracetwin.support.errors import InternalError, TargetError, TracetwinError, UnsupportedError

ROOT = Path(__file__).parents[2]
SOURCE = "def double(x):\n    return x + x\n"


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module that can be imported and is forgotten afterwards."""
    monkeypatch.setenv("TRACETWIN_CACHE", str(tmp_path / "cache"))
    lay_out(tmp_path, {"api_sample.py": SOURCE, "api_pkg/__init__.py": "", "api_pkg/a.py": SOURCE})
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("api_sample", "api_pkg", "api_pkg.a"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return "api_sample"


def test_all_that_is_promised_is_there():
    for name in tracetwin.__all__:
        assert getattr(tracetwin, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nosuch'"):
        _ = tracetwin.nosuch


def test_generate_tests_takes_paths_and_options(fake, project):
    (result,) = tracetwin.generate_tests(Path("good.py"), output="out", time_limit=3.0, seed=5)
    assert "good" == result.name
    assert (3.0, 5, Path("out")) == (fake.options.time_limit, fake.options.seed, fake.options.output)


def test_generate_tests_raises_on_a_wrong_target(fake, project):
    with pytest.raises(TargetError, match="there is no such file"):
        tracetwin.generate_tests("good.py", "nosuch.py", output="out")
    assert fake.options is None


def test_a_twin_computes_what_the_original_does(module):
    with tracetwin.twinned(module) as handle:
        twin = __import__(module)
        assert 42 == twin.double(21)
        assert [module] == list(handle.twins)
    assert module not in sys.modules
    assert [] == list(__import__(module).__dict__.keys() & {"_tt"})


def test_modules_imported_before_come_back(module):
    original = __import__(module)
    package_module = __import__("api_pkg.a").a
    with tracetwin.twinned(module, "api_pkg.*"):
        assert original is not __import__(module)
        assert package_module is not __import__("api_pkg.a").a
    assert original is sys.modules[module]
    assert package_module is sys.modules["api_pkg.a"]
    assert package_module is sys.modules["api_pkg"].a


def test_install_lasts_until_it_is_ended(module):
    before = list(sys.meta_path)
    tracetwin.install(module)
    assert before != sys.meta_path
    tracetwin.uninstall()
    assert before == sys.meta_path
    with tracetwin.install(module):
        assert before != sys.meta_path
    assert before == sys.meta_path


def test_install_wants_a_name():
    with pytest.raises(TargetError, match="needs the name of a module"):
        tracetwin.install()
    with pytest.raises(TargetError, match="needs the name of a module"):
        tracetwin.install([])


@pytest.mark.parametrize("patterns", [["shop", 4], 4, [None], b"shop"])
def test_what_is_no_string_is_not_a_name(patterns):
    with pytest.raises(TargetError, match=r"is not the name of a module, a string such as 'shop.cart'$"):
        tracetwin.install(patterns)


@pytest.mark.parametrize("name", ["shop/cart.py", "shop:Cart", "", "shop..cart", ".cart"])
def test_install_wants_names_as_in_an_import(name):
    with pytest.raises(TargetError, match="is not the name of a module"):
        tracetwin.install(name)


@pytest.mark.parametrize(
    "patterns", [("api_pkg", "api_sample"), (["api_pkg", "api_*"],), (("api_pkg",), "api_s*")]
)
def test_names_come_one_by_one_or_in_lists(module, patterns):
    with tracetwin.install(*patterns) as handle:
        __import__("api_pkg.a")
        __import__(module)
    assert ["api_pkg", "api_pkg.a", module] == sorted(handle.twins)


def test_a_warning_points_to_whoever_installs_too_late(module):
    __import__(module)
    with pytest.warns(match=f"already imported, so not traced: {module}; install the hook before") as caught:
        handle = tracetwin.install([module])
    handle.uninstall()
    assert (__file__, (module,)) == (caught[0].filename, handle.early)


def test_blocks_may_be_nested(module):
    with tracetwin.twinned(module):
        outer = __import__(module)
        with tracetwin.twinned(module) as handle:
            inner = __import__(module)
            assert outer is not inner
            assert [module] == list(handle.twins)
        assert outer is __import__(module)
    assert (42, 42) == (outer.double(21), inner.double(21))


def test_a_block_that_fails_restores_all_the_same(module):
    original = __import__(module)
    before = list(sys.meta_path)
    with pytest.raises(KeyError), tracetwin.twinned(module):
        raise KeyError(module)
    assert (original, before) == (sys.modules[module], sys.meta_path)


def test_a_package_outside_has_its_attributes_back(module, tmp_path):
    """A function that has the name of its module, a module first imported in the block, and one before."""
    lay_out(tmp_path, {"api_pkg/__init__.py": "from .a import double as a\nimport api_pkg.c\n",
                       "api_pkg/b.py": SOURCE, "api_pkg/c.py": SOURCE})  # fmt: skip
    package = __import__("api_pkg")
    before = dict(vars(package))
    with tracetwin.twinned("api_pkg.*") as handle:
        for name in "abc":
            __import__(f"api_pkg.{name}")
        assert 3 == len(handle.twins)
    assert before == vars(package)


def test_a_forbidden_import_stays_forbidden(module, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with tracetwin.twinned(module), pytest.raises(ModuleNotFoundError):
        __import__(module)
    assert sys.modules[module] is None


def test_modules_of_the_standard_library_that_tracetwin_needs_itself():
    """In a process that has imported nothing before."""
    program = (
        "import warnings\nwarnings.simplefilter('error')\n"
        "import tracetwin\n"
        "handle = tracetwin.install('json', 'textwrap', 'dataclasses')\n"
        "import json, textwrap, dataclasses\n"
        "print(json.loads('[1]'), textwrap.dedent(' a'), sorted(handle.twins))\n"
        "with tracetwin.twinned('json'):\n"
        "    import json as other\n"
        "    print(other is json, other.dumps({'a': 1}))\n"
        "import json as again\n"
        "print(again is json)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=False
    )
    twins = ["dataclasses", "json", "json.decoder", "json.encoder", "json.scanner", "textwrap"]
    assert (f'[1] a {twins}\nFalse {{"a": 1}}\nTrue\n', "") == (done.stdout, done.stderr)


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (TargetError("shop.py", "is empty"), ValueError),
        (UnsupportedError("async generators"), NotImplementedError),
        (InternalError("no root"), RuntimeError),
    ],
)
def test_errors_have_one_root_and_survive_a_process_boundary(error, builtin):
    import pickle

    assert isinstance(error, TracetwinError)
    assert isinstance(error, builtin)
    assert str(error) == str(pickle.loads(pickle.dumps(error)))
