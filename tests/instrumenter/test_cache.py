from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from instrumenter import build as building
from instrumenter.build import InstrumenterWarning
from instrumenter.cache import Cache, default_directory

SOURCE = b"def f(a):\n    if a > 1: return a + 1\n"


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path)


@pytest.fixture
def refuse_to_build(monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("built anew")

    def arm():
        monkeypatch.setattr("instrumenter.cache.build", refuse)

    return arm


def entries(cache: Cache) -> list[Path]:
    return [path for path in cache.directory.rglob("*") if path.is_file()]


def test_second_load_comes_from_disk_and_is_equal(cache, refuse_to_build):
    first = cache.load(SOURCE, name="m", filename="m.py")
    refuse_to_build()
    second = Cache(cache.directory).load(SOURCE, name="m", filename="m.py")
    assert first.twin == second.twin
    assert first.code == second.code
    assert [cache.path(SOURCE, "m")] == entries(cache)


def test_code_speaks_of_the_file_it_is_loaded_for(cache, refuse_to_build):
    assert "one.py" == cache.load(SOURCE, name="m", filename="one.py").code.co_filename
    refuse_to_build()
    assert "two.py" == cache.load(SOURCE, name="m", filename="two.py").code.co_filename


def test_source_name_and_version_make_the_key(cache, monkeypatch):
    paths = {cache.path(SOURCE, "m"), cache.path(SOURCE, "n"), cache.path(SOURCE + b"#", "m")}
    monkeypatch.setattr("instrumenter.cache.instrumenter_version", lambda: b"another")
    assert 4 == len(paths | {cache.path(SOURCE, "m")})


DAMAGES = {
    "emptied": lambda data: b"",
    "cut short": lambda data: data[:-3],
    "foreign": lambda data: b"?" + data[1:],
    "altered": lambda data: data[:60] + b"\xff" + data[61:],
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_broken_entry_is_rewritten(cache, damage):
    expected = cache.load(SOURCE, name="m", filename="m.py")
    path = cache.path(SOURCE, "m")
    sound = path.read_bytes()
    path.write_bytes(damage(sound))
    assert expected.twin == cache.load(SOURCE, name="m", filename="m.py").twin
    assert sound == path.read_bytes()


def test_unwritable_disk_warns_once(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    cache = Cache(blocked)
    with pytest.warns(InstrumenterWarning, match="not cached"):
        cache.load(SOURCE, name="m", filename="m.py")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cache.load(SOURCE, name="n", filename="n.py").twin.sites


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

    monkeypatch.setattr(building, "instrument", fail)
    with pytest.warns(InstrumenterWarning, match="m is used untraced.*oops"):
        built = building.build("x = 1 + y", name="m", filename="m.py")
    assert "RuntimeError: oops" == built.twin.untouched
    assert "x = 1 + y" == built.twin.source
    with pytest.raises(SyntaxError):
        building.build("x = (", name="m", filename="m.py")


def test_directory_follows_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("TRACETWIN_CACHE", str(tmp_path / "own"))
    assert tmp_path / "own" == default_directory()
    monkeypatch.delenv("TRACETWIN_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert tmp_path / "tracetwin" == default_directory()
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert Path.home() / ".cache" / "tracetwin" == default_directory()
