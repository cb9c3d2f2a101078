from __future__ import annotations

from pathlib import Path
from types import CodeType

import libcst
import pytest

from instrumenter import build as building
from instrumenter.build import InstrumenterWarning
from instrumenter.cache import TwinCache, default_directory

SOURCE = b"def f(a):\n    if a > 1: return a + 1\n"


@pytest.fixture
def cache(tmp_path: Path) -> TwinCache:
    return TwinCache(tmp_path)


@pytest.fixture
def refuse_to_build(monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("built anew")

    def arm():
        monkeypatch.setattr("instrumenter.cache.build", refuse)

    return arm


def entries(cache: TwinCache) -> list[Path]:
    assert cache.directory is not None
    return [path for path in cache.directory.rglob("*") if path.is_file()]


def nested(code: CodeType) -> list[CodeType]:
    inner = [nested(constant) for constant in code.co_consts if isinstance(constant, CodeType)]
    return [code, *(found for some in inner for found in some)]


def test_second_load_comes_from_disk_and_is_equal(cache, refuse_to_build):
    first = cache.load(SOURCE, name="m", filename="m.py")
    refuse_to_build()
    second = TwinCache(cache.directory).load(SOURCE, name="m", filename="m.py")
    assert first.twin == second.twin
    assert first.code == second.code
    assert [cache.path(SOURCE, "m")] == entries(cache)


def test_code_speaks_of_the_file_it_is_loaded_for(cache, refuse_to_build):
    one = cache.load(SOURCE, name="m", filename="one.py").code
    refuse_to_build()
    two = cache.load(SOURCE, name="m", filename="two.py").code
    assert {"one.py"} == {code.co_filename for code in nested(one)}
    assert {"two.py"} == {code.co_filename for code in nested(two)}
    assert list(one.co_lines()) == list(two.co_lines())


def test_source_name_and_version_make_the_key(cache, monkeypatch):
    paths = {cache.path(SOURCE, "m"), cache.path(SOURCE, "n"), cache.path(SOURCE + b"#", "m")}
    monkeypatch.setattr("instrumenter.cache.instrumenter_version", lambda: b"another")
    assert 4 == len(paths | {cache.path(SOURCE, "m")})


def test_interrupted_write_leaves_nothing(cache, monkeypatch):
    def interrupt(self, target):
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        cache.load(SOURCE, name="m", filename="m.py")
    assert [] == entries(cache)


def test_fault_of_ours_leaves_the_module_untraced_with_a_warning(monkeypatch):
    def fail(*args, **kwargs):
        raise RuntimeError("oops")

    monkeypatch.setattr(building, "rewritten", fail)
    with pytest.warns(InstrumenterWarning, match=r"m is used untraced \(m.py\): RuntimeError: oops"):
        built = building.build("x = 1 + y", name="m", filename="m.py")
    assert "RuntimeError: oops" == built.twin.untouched
    assert "x = 1 + y" == built.twin.source
    with pytest.raises(SyntaxError):
        building.build("x = (", name="m", filename="m.py")


def test_untraced_module_is_named_at_every_load(cache, monkeypatch):
    def refuse(text):
        raise libcst.ParserSyntaxError("odd", lines=[text], raw_line=1, raw_column=0)

    monkeypatch.setattr(libcst, "parse_module", refuse)
    for _ in "built", "from disk":
        with pytest.warns(InstrumenterWarning, match=r"m is used untraced \(m.py\): libcst cannot parse it"):
            assert SOURCE.decode() == cache.load(SOURCE, name="m", filename="m.py").twin.source


def test_directory_follows_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("TRACETWIN_CACHE", str(tmp_path / "own"))
    assert tmp_path / "own" == default_directory()
    monkeypatch.setenv("TRACETWIN_CACHE", "relative")
    assert Path.cwd() / "relative" == default_directory()
    monkeypatch.delenv("TRACETWIN_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert tmp_path / "tracetwin" == default_directory()
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert Path.home() / ".cache" / "tracetwin" == default_directory()


def test_without_a_home_twins_are_built_each_time_and_one_warning_says_so(monkeypatch):
    def refuse():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("TRACETWIN_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", refuse)
    monkeypatch.setattr(TwinCache, "_said", set())
    with pytest.warns(InstrumenterWarning, match="not cached: there is no home folder"):
        assert TwinCache().load(SOURCE, name="m", filename="m.py").twin.sites
    assert TwinCache().load(SOURCE, name="m", filename="m.py").twin.sites  # warns once
    with pytest.raises(FileNotFoundError, match="TRACETWIN_CACHE"):
        TwinCache().path(SOURCE, "m")
