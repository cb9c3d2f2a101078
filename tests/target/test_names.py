from __future__ import annotations

import importlib.machinery
import importlib.util
import sys
import zipfile
from pathlib import Path

import pytest

from tests.target.layout import FUNCTION, lay_out
from tracetwin.support.errors import TargetError
from tracetwin.target.selection import resolve, resolve_all, source_of


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(text: str, root: Path | None = None) -> list[tuple[str, str]]:
    return [(m.name, m.root) for m in resolve(text, root)]


def problem(text: str) -> str:
    with pytest.raises(TargetError) as caught:
        resolve(text)
    assert str(caught.value).startswith(f"{text}: ")
    return caught.value.reason


def test_a_name_is_found_in_the_current_folder(here):
    lay_out(here, {"shop/__init__.py": FUNCTION, "shop/cart.py": FUNCTION})
    assert found("shop.cart") == [("shop.cart", str(here))]
    assert found("shop") == [("shop", str(here)), ("shop.cart", str(here))]


def test_a_name_is_found_beneath_a_given_root(here):
    lay_out(here, {"src/shop/cart.py": FUNCTION})
    assert found("shop.cart", here / "src") == [("shop.cart", str(here / "src"))]


def test_a_name_is_found_on_the_search_path(here, monkeypatch, tmp_path_factory):
    other = lay_out(tmp_path_factory.mktemp("other"), {"elsewhere_a/b.py": FUNCTION})
    monkeypatch.syspath_prepend(str(other))
    assert found("elsewhere_a.b") == [("elsewhere_a.b", str(other))]


def test_a_namespace_package_gives_all_its_modules(here):
    lay_out(here, {"corp/shop/cart.py": FUNCTION, "corp/till.py": FUNCTION})
    assert found("corp", here) == [("corp.shop.cart", str(here)), ("corp.till", str(here))]
    assert problem("corp:f") == "the folder corp has no __init__.py in which 'f' could be"


def test_something_in_a_named_module(here):
    lay_out(here, {"shop/__init__.py": FUNCTION, "shop/cart.py": "class Cart:\n    def add(self): pass\n"})
    assert [m.selection for m in resolve("shop.cart:Cart.add")] == [("Cart.add",)]
    assert [(m.name, m.selection) for m in resolve("shop:f")] == [("shop", ("f",))]


def test_the_standard_library_can_be_named(here):
    (module,) = resolve("textwrap:dedent")
    assert (module.name, module.selection) == ("textwrap", ("dedent",))
    assert module.file.endswith("textwrap.py")
    assert b"def dedent" in source_of(module)
    assert "json.decoder" in [name for name, _ in found("json")]


def test_finding_imports_nothing(here):
    raising = "raise SystemExit('imported')\n"
    packages = {"trap/__init__.py": raising, "trap/deep/__init__.py": raising}
    lay_out(here, {**packages, "trap/deep/mod.py": raising + FUNCTION})
    assert found("trap.deep.mod") == [("trap.deep.mod", str(here))]
    assert not [name for name in sys.modules if name.startswith("trap")]


def test_a_folder_without_modules_does_not_hide_a_module_of_its_name(here):
    lay_out(here, {"textwrap/": "", "nosuch_name/": ""})
    assert [name for name, _ in found("textwrap")] == ["textwrap"]
    assert "there are no Python modules in it" in problem("nosuch_name")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nosuch_module", "no file, folder or module is called 'nosuch_module'"),
        ("nosuch.module", "no file, folder or module is called 'nosuch'"),
        ("json.nosuch", "package 'json' has no module 'nosuch'"),
        ("json.decodr", "package 'json' has no module 'decodr'; did you mean 'decoder'?"),
        ("textwrap.dedent", "for something in it write 'textwrap:dedent'"),
        ("sys", "is built into the interpreter"),
        ("builtins", "is built into the interpreter"),
        ("textwrap:nosuch", "the module defines no 'nosuch'"),
        ("json.", "is not the name of a module"),
        (".json", "is not the name of a module"),
    ],
)
def test_a_wrong_name_is_one_sentence(here, name, words):
    assert words in problem(name)


def test_a_compiled_module_is_named(here):
    suffix = importlib.machinery.EXTENSION_SUFFIXES[0]
    lay_out(here, {f"fast{suffix}": b"", f"pkg/speed{suffix}": b"", "pkg/__init__.py": FUNCTION})
    assert "is compiled C code" in problem("fast")
    assert "is compiled C code" in problem("pkg.speed")


def test_the_source_is_taken_from_which_a_module_was_compiled(here):
    suffix = importlib.machinery.EXTENSION_SUFFIXES[0]
    lay_out(here, {f"fast{suffix}": b"", "fast.py": FUNCTION})
    (module,) = resolve("fast")
    assert str(here / "fast.py") == module.file


def test_a_file_that_is_no_bytecode_is_named(here):
    lay_out(here, {"old.pyc": b"\0" * 16})
    assert "module 'old' is no bytecode of CPython, and there is no source of it" in problem("old")


def test_a_module_in_an_archive_is_named(here, monkeypatch):
    with zipfile.ZipFile(here / "lib.zip", "w") as archive:
        archive.writestr("zipped_mod.py", FUNCTION)
    monkeypatch.syspath_prepend(str(here / "lib.zip"))
    assert "lies in an archive" in problem("zipped_mod")


def test_the_finders_of_editable_installs_are_asked(here, monkeypatch):
    lay_out(here, {"checkout/python/edited_pkg/__init__.py": FUNCTION})
    init = here / "checkout/python/edited_pkg/__init__.py"

    class Finder:
        @staticmethod
        def find_spec(name: str, path: object = None, target: object = None) -> object:
            if name != "edited_pkg":
                return None
            folders = [str(init.parent)]
            return importlib.util.spec_from_file_location(name, init, submodule_search_locations=folders)

    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder])
    assert found("edited_pkg") == [("edited_pkg", str(here / "checkout/python"))]


def test_a_finder_that_fails_is_one_sentence(here, monkeypatch):
    class Finder:
        @staticmethod
        def find_spec(name: str, path: object = None, target: object = None) -> object:
            raise ZeroDivisionError("broken")

    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder])
    assert problem("nosuch_module") == "can't be looked up: ZeroDivisionError: broken"


def test_problems_of_several_names_are_all_reported(here):
    assert [p.target for p in resolve_all(["sys", "nosuch_module"]).problems] == ["sys", "nosuch_module"]
