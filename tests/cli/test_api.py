from __future__ import annotations

import sys
from pathlib import Path

import pytest

import tracetwin
from tests.targets.layout import lay_out
from tracetwin.errors import InternalError, TargetError, TracetwinError, UnsupportedError

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
