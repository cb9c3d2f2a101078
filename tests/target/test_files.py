from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from tests.target.layout import FUNCTION, lay_out
from tracetwin.support.errors import TargetError
from tracetwin.target.selection import TargetModule, resolve, resolve_all


def name_and_root(path: Path, root: Path | None = None) -> tuple[str, str]:
    (module,) = resolve(str(path), root)
    return module.name, module.root


def problem(text: str, root: Path | None = None) -> str:
    with pytest.raises(TargetError) as caught:
        resolve(text, root)
    message = str(caught.value)
    assert message.startswith((text, repr(text)))
    assert "\n" not in message
    return message


def test_a_single_file_is_imported_from_its_folder(tmp_path):
    lay_out(tmp_path, {"bmi.py": FUNCTION})
    expected = TargetModule("bmi", str(tmp_path / "bmi.py"), str(tmp_path))
    assert [expected] == resolve(str(tmp_path / "bmi.py"))


def test_a_relative_path_becomes_absolute(tmp_path, monkeypatch):
    lay_out(tmp_path, {"pkg/__init__.py": "", "pkg/a.py": FUNCTION})
    monkeypatch.chdir(tmp_path / "pkg")
    assert [TargetModule("pkg.a", str(tmp_path / "pkg/a.py"), str(tmp_path))] == resolve("../pkg/a.py")


def test_packages_are_climbed_to_the_import_root(tmp_path):
    lay_out(tmp_path, {"a/__init__.py": "", "a/b/__init__.py": FUNCTION, "a/b/c.py": FUNCTION})
    assert name_and_root(tmp_path / "a/b/c.py") == ("a.b.c", str(tmp_path))
    assert name_and_root(tmp_path / "a/b/__init__.py") == ("a.b", str(tmp_path))


def test_a_given_root_wins(tmp_path):
    lay_out(tmp_path, {"space/mod.py": FUNCTION})
    assert name_and_root(tmp_path / "space/mod.py", tmp_path) == ("space.mod", str(tmp_path))
    assert name_and_root(tmp_path / "space/mod.py") == ("mod", str(tmp_path / "space"))


def test_src_of_a_project_is_the_root_of_namespace_packages(tmp_path):
    lay_out(tmp_path, {"setup.cfg": "", "src/corp/shop/__init__.py": "", "src/corp/shop/cart.py": FUNCTION})
    assert name_and_root(tmp_path / "src/corp/shop/cart.py") == ("corp.shop.cart", str(tmp_path / "src"))


def test_site_packages_is_a_root(tmp_path):
    lay_out(tmp_path, {"lib/site-packages/corp/shop/cart.py": FUNCTION})
    root = tmp_path / "lib/site-packages"
    assert name_and_root(root / "corp/shop/cart.py") == ("corp.shop.cart", str(root))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from . import other\n", "shop.cart"),
        ("from .. import other\n", "corp.shop.cart"),
        ("from corp.shop.other import f as g\n", "corp.shop.cart"),
        ("from shop import other\n", "shop.cart"),
        ("import shop.other\n", "shop.cart"),
        ("import shop.elsewhere\n", "cart"),
        ("import shop\n", "cart"),
    ],
)
def test_a_modules_own_imports_tell_the_root_of_a_namespace_package(tmp_path, source, expected):
    lay_out(tmp_path, {"corp/shop/cart.py": source + FUNCTION, "corp/shop/other.py": FUNCTION})
    name, root = name_and_root(tmp_path / "corp/shop/cart.py")
    assert name == expected
    assert Path(root, *name.split(".")).with_suffix(".py") == tmp_path / "corp/shop/cart.py"


@pytest.mark.parametrize(
    ("init", "expected"),
    [
        ("from corp.shop.cart import f\n", "corp.shop.cart"),
        ("from .cart import f\n", "shop.cart"),
        ("from corp.elsewhere import f\n", "shop.cart"),
        ("from corp.shop.cart import (\n", "shop.cart"),
    ],
)
def test_the_imports_of_its_package_tell_the_namespace_that_it_lies_in(tmp_path, init, expected):
    lay_out(tmp_path, {"corp/shop/__init__.py": init, "corp/shop/cart.py": FUNCTION})
    assert name_and_root(tmp_path / "corp/shop/cart.py")[0] == expected


def test_a_folder_gives_its_modules_without_tests_and_empty_ones(tmp_path):
    lay_out(tmp_path, {
        "pkg/__init__.py": "", "pkg/a.py": FUNCTION,
        "pkg/sub/__init__.py": FUNCTION, "pkg/sub/b.py": FUNCTION,
        "pkg/__main__.py": FUNCTION, "pkg/constants.py": "A = 1\n", "pkg/tests/__init__.py": FUNCTION,
        "pkg/tests/test_a.py": FUNCTION, "pkg/test_c.py": FUNCTION, "pkg/conftest.py": FUNCTION,
        "pkg/data.txt": "x", "pkg/.hidden/x.py": FUNCTION, "pkg/__pycache__/a.py": FUNCTION,
    })
    assert [m.name for m in resolve(str(tmp_path / "pkg"))] == ["pkg.a", "pkg.sub", "pkg.sub.b"]


def test_a_project_folder_gives_each_module_its_own_root(tmp_path):
    lay_out(tmp_path, {
        "pyproject.toml": "", "setup.py": FUNCTION, "src/pkg/__init__.py": FUNCTION, "tool.py": FUNCTION,
        "docs/conf.py": FUNCTION, "build/lib/pkg/__init__.py": FUNCTION,
        "env/pyvenv.cfg": "", "env/x.py": FUNCTION,
    })
    found = {(m.name, m.root) for m in resolve(str(tmp_path))}
    assert found == {("pkg", str(tmp_path / "src")), ("tool", str(tmp_path))}


def test_the_current_folder_can_be_named(tmp_path, monkeypatch):
    lay_out(tmp_path, {"one.py": FUNCTION, "two/__init__.py": FUNCTION})
    monkeypatch.chdir(tmp_path)
    assert [m.name for m in resolve(".")] == ["one", "two"]


def test_a_folder_without_init_inside_a_package_is_left_out_and_named(tmp_path):
    lay_out(tmp_path, {"pkg/__init__.py": FUNCTION, "pkg/templates/x.py": "{{ not python }}"})
    found = resolve_all([str(tmp_path / "pkg")])
    assert [m.name for m in found.modules] == ["pkg"]
    assert not found.problems
    assert "templates: its Python file is left out" in found.notes[0]


def test_a_broken_module_of_a_package_is_named_and_the_others_go_on(tmp_path):
    lay_out(tmp_path, {"pkg/__init__.py": "", "pkg/good.py": FUNCTION, "pkg/bad.py": "def f(:\n"})
    found = resolve_all([str(tmp_path / "pkg")])
    assert [m.name for m in found.modules] == ["pkg.good"]
    assert [p.target for p in found.problems] == [str(tmp_path / "pkg/bad.py")]
    assert "syntax error in line 1" in str(found.problems[0])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("x = 1\n\ndef f(:\n", "syntax error in line 3"),
        ("print 'hello'\n", "syntax error in line 1"),
        ("return 1\n", "syntax error in line 1"),
        ("def f():\n\treturn 1\n        return 2\n", "syntax error in line 3"),
        (b"x = '\xff'\n", "can't be decoded: byte 0xff in line 1 is not utf-8"),
        (b"\n\n\nx = '\xe9'\n", "byte 0xe9 in line 4"),
        (b"# coding: nonsense\nx = 1\n", "can't be decoded: unknown encoding"),
        (b"# coding: rot13\nx = 1\n", "can't be decoded as rot13"),
        (b"x = 1\0\n", "line 1 has a null byte"),
        (b"\x7fELF\x01\0\0", "null byte"),
        ("x = " + "(" * 300 + ")" * 300 + "\n", "syntax error in line 1: too many nested parentheses"),
        ("x = " + "-" * 200_000 + "1\n", "nested too deeply"),
        ("a\n" * 400_001, "is too large: it has more than 400,000 names, numbers and brackets"),
        ("x = [" + "[]," * 400_001 + "]\n", "is too large: it has more than 400,000"),
        ("", "defines no functions or classes"),
        ("A = 1\n", "defines no functions or classes"),
    ],
)
def test_a_broken_file_is_one_sentence(tmp_path, content, words):
    lay_out(tmp_path, {"broken.py": content})
    assert words in problem(str(tmp_path / "broken.py"))


def test_other_encodings_are_read_as_python_reads_them(tmp_path):
    lay_out(tmp_path, {
        "latin.py": "# -*- coding: latin-1 -*-\ndef f():\n    return 'é'\n".encode("latin-1"),
        "bom.py": b"\xef\xbb\xbf" + FUNCTION.encode(),
    })
    assert [m.name for m in resolve(str(tmp_path))] == ["bom", "latin"]


def test_a_lambda_is_something_to_test(tmp_path):
    lay_out(tmp_path, {"lam.py": "double = lambda x: 2 * x\n"})
    assert name_and_root(tmp_path / "lam.py")[0] == "lam"


@pytest.mark.parametrize(
    ("files", "target", "words"),
    [
        ({}, "nosuch.py", "there is no such file"),
        ({}, "no/such/folder", "there is no such file"),
        ({"notes.txt": "x"}, "notes.txt", "is not Python"),
        ({"book.ipynb": "{}"}, "book.ipynb", "is not Python"),
        ({"mod.pyi": "x: int"}, "mod.pyi", "is not Python"),
        ({"script": FUNCTION}, "script", "is not Python"),
        ({"empty/": ""}, "empty", "there are no Python modules"),
        ({"empty/__init__.py": ""}, "empty", "its modules define no functions or classes"),
        ({"only/tests/test_x.py": FUNCTION}, "only", "there are no Python modules"),
        ({"my-tool.py": FUNCTION}, "my-tool.py", "'my-tool' is not a name in Python"),
        ({"class.py": FUNCTION}, "class.py", "'class' is a keyword in Python"),
        ({"random.py": FUNCTION}, "random.py", "the standard library's module 'random'"),
        ({"folder.py/": ""}, "folder.py", "there are no Python modules"),
    ],
)
def test_a_wrong_path_is_one_sentence(tmp_path, monkeypatch, files, target, words):
    lay_out(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    assert words in problem(target)


@pytest.mark.parametrize(
    "text", ["", "  ", "a\0b", "a b", "::", "a:", ":b", "..", "x" * 5000, "x/" * 3000, "é.py"]
)
def test_nonsense_is_one_sentence(tmp_path, monkeypatch, text):
    monkeypatch.chdir(lay_out(tmp_path, {"a/b/": ""}) / "a/b")
    problem(text)


def test_a_pipe_named_like_a_module_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.py")
    assert "is not a regular file" in problem(str(tmp_path / "pipe.py"))


def test_a_dangling_link_is_named(tmp_path):
    (tmp_path / "gone.py").symlink_to(tmp_path / "nowhere.py")
    assert "is not a regular file" in problem(str(tmp_path / "gone.py"))


def test_links_that_circle_end(tmp_path):
    lay_out(tmp_path, {"pkg/__init__.py": FUNCTION})
    (tmp_path / "pkg/again").symlink_to(tmp_path / "pkg")
    assert [m.name for m in resolve(str(tmp_path / "pkg"))] == ["pkg"]


def test_a_root_that_is_no_folder_or_lies_elsewhere_is_named(tmp_path):
    lay_out(tmp_path, {"mod.py": FUNCTION, "other/": ""})
    path = str(tmp_path / "mod.py")
    assert "is not a folder" in problem(path, tmp_path / "nosuch")
    assert "does not lie beneath the import root" in problem(path, tmp_path / "other")


def test_a_root_that_is_itself_a_package_is_refused(tmp_path):
    lay_out(tmp_path, {"pkg/__init__.py": FUNCTION})
    path = tmp_path / "pkg/__init__.py"
    assert "makes a package of the import root" in problem(str(path), tmp_path / "pkg")


def test_an_unreadable_file_is_named(tmp_path, monkeypatch):
    def refuse(path: Path) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    lay_out(tmp_path, {"mod.py": FUNCTION})
    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert "can't be read: Permission denied" in problem(str(tmp_path / "mod.py"))


def test_targets_that_name_the_same_module_are_joined(tmp_path):
    lay_out(tmp_path, {"mod.py": "def f(): pass\ndef g(): pass\n"})
    path = str(tmp_path / "mod.py")
    assert [m.selection for m in resolve_all([f"{path}:f", f"{path}:g", f"{path}:f"]).modules] == [("f", "g")]
    assert [m.selection for m in resolve_all([f"{path}:f", path]).modules] == [()]


def test_two_modules_of_one_name_are_not_mixed_up(tmp_path):
    lay_out(tmp_path, {"a/mod.py": FUNCTION, "b/mod.py": FUNCTION})
    found = resolve_all([str(tmp_path)])
    assert [m.file for m in found.modules] == [str(tmp_path / "a/mod.py")]
    assert "is imported as 'mod', as is" in str(found.problems[0])


def test_one_wrong_target_does_not_keep_the_others(tmp_path):
    lay_out(tmp_path, {"mod.py": FUNCTION})
    found = resolve_all(["nosuch.py", str(tmp_path / "mod.py"), "nor_this"])
    assert [m.name for m in found.modules] == ["mod"]
    assert [p.target for p in found.problems] == ["nosuch.py", "nor_this"]
