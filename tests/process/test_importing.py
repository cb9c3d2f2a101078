"""The target is what its source makes, also beside an extension or behind another object in its place."""

from __future__ import annotations

import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from tracetwin.process.importing import ImportFailure, import_target


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that was compiled, and is not imported yet."""
    folder = tmp_path / "compiled_pkg"
    folder.mkdir()
    quick = "from compiled_pkg import part\nTWICE = 2 * part.ONE"
    sources = {"__init__": "", "quick": quick, "part": "ONE = 1"}
    for name, text in sources.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    for name in ("quick", "part"):
        (folder / f"{name}{EXTENSION_SUFFIXES[0]}").write_bytes(b"no library")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    for name in ("compiled_pkg", "compiled_pkg.quick", "compiled_pkg.part"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return folder


def test_sources_are_imported_before_what_was_compiled_from_them(package: Path) -> None:
    module = import_target({"name": "compiled_pkg.quick", "file": str(package / "quick.py")})
    assert 2 == module.TWICE
    assert str(package / "quick.py") == module.__file__


def test_where_the_target_itself_is_not_compiled_all_is_imported_as_ever(package: Path) -> None:
    (package / f"quick{EXTENSION_SUFFIXES[0]}").unlink()
    with pytest.raises(ImportFailure):
        import_target({"name": "compiled_pkg.quick", "file": str(package / "quick.py")})


PROXY = """
import sys, types

class Proxy(types.ModuleType):
    def __init__(self, module):
        super().__init__(module.__name__)
        self.module = module

    def __getattr__(self, name):
        return getattr(self.module, name)

def half(n):
    return n // 2

sys.modules[__name__] = Proxy(sys.modules[__name__])
"""


def test_the_module_behind_one_that_stands_in_its_place_is_the_target(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "proxied_module.py"
    file.write_text(PROXY, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "proxied_module", raising=False)
    module = import_target({"name": "proxied_module", "file": str(file)})
    assert "half" in vars(module)
    assert module is not sys.modules["proxied_module"]
