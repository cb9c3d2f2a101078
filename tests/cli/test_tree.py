"""`tracetwin instrument -o`: a copy of the target in which every module is its twin, and which runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.target.layout import FUNCTION, lay_out, make_wheel

ROOT = Path(__file__).parents[2]

SHOP = {
    "shop/__init__.py": 'from .cart import total\nfrom . import tax\n__version__ = "1" + ".0"\n',
    "shop/__main__.py": "import sys\nfrom shop import total\nprint(total([1, 2, int(sys.argv[1])]))\n",
    "shop/cart.py": (
        '"""Cart."""\n\nfrom .tax import rate\n\n\ndef total(prices):\n    return sum(prices) * rate()\n'
    ),
    "shop/tax/__init__.py": (
        "from importlib import resources\n\n\ndef rate():\n"
        "    return int(resources.files(__name__).joinpath('rates', 'rate.txt').read_text()) + 0\n"
    ),
    "shop/tax/rates/rate.txt": "7",
    "shop/tests/__init__.py": "",
    "shop/tests/test_cart.py": (
        "import unittest\nfrom ..cart import total\n\n\nclass Test(unittest.TestCase):\n"
        "    def test(self):\n        self.assertEqual(14, total([2]))\n"
    ),
}


def python(*arguments: str, path: Path) -> str:
    """What an interpreter prints that finds tracetwin and a tree, and nothing else of ours."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(path), str(ROOT)])}
    run = subprocess.run(
        [sys.executable, *arguments], cwd="/", env=environment, capture_output=True, text=True, check=False
    )
    assert 0 == run.returncode, run.stderr
    return run.stdout + run.stderr


def places(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_package_runs_with_its_data_its_tests_and_as_a_program(project, run):
    lay_out(project, SHOP)
    result = run("instrument", "shop", "-o", "twins")
    assert 0 == result.exit_code, result.output
    assert result.stdout.endswith("6 twins and 1 copied file in twins\n")
    twins = project / "twins"
    assert sorted(SHOP) == places(twins)
    assert "_tt." in (twins / "shop/cart.py").read_text()
    assert "70\n" == python("-m", "shop", "7", path=twins)
    assert "OK" in python("-m", "unittest", "shop.tests.test_cart", path=twins)


def test_each_line_stands_beside_its_source(project, run):
    lay_out(project, SHOP)
    run("instrument", "shop", "-o", "twins")
    for name in SHOP:
        before = (project / name).read_text().splitlines()
        after = (project / "twins" / name).read_text().splitlines()
        assert len(before) == len(after)
        assert 0 == sum(a != b for a, b in zip(before, after, strict=True) if "_tt" not in b)


def test_a_wheel_is_written_with_what_describes_it(project, run):
    make_wheel(project / "shop-1.0-py3-none-any.whl", SHOP)
    assert 0 == run("instrument", "shop-1.0-py3-none-any.whl", "-o", "twins").exit_code
    assert "70\n" == python("-m", "shop", "7", path=project / "twins")
    code = "import importlib.metadata; print(importlib.metadata.version('shop'))"
    assert "1.0\n" == python("-c", code, path=project / "twins")
    assert 0 == run("instrument", "shop-1.0-py3-none-any.whl:shop.tax", "-o", "part").exit_code
    assert ["shop/tax/__init__.py", "shop/tax/rates/rate.txt"] == places(project / "part")
    missing = run("instrument", "shop-1.0-py3-none-any.whl:nosuch", "-o", "none")
    assert (1, "error: shop-1.0-py3-none-any.whl:nosuch: there is no module 'nosuch' in the wheel\n") == (
        missing.exit_code,
        missing.stderr,
    )


def test_a_namespace_package_keeps_its_place(project, run):
    files = {
        "space/a.py": "from space.b import f\nx = f(1) + 1\n",
        "space/b.py": "def f(n): return n + 1\n",
        "space/deep/c.py": "y = 1 + abs(1)\n",
        "space/deep/data.txt": "data",
    }
    lay_out(project, files)
    assert 0 == run("instrument", "space", "-o", "twins").exit_code
    assert sorted(files) == places(project / "twins")
    assert "3\n" == python("-c", "import space.a, space.deep.c; print(space.a.x)", path=project / "twins")


def test_folders_that_are_no_packages_give_their_modules_only(project, run):
    lay_out(
        project,
        {
            "proj/pyproject.toml": "",
            "proj/setup.py": "raise SystemExit\n",
            "proj/src/pkg/__init__.py": "x = abs(1) - 1\n",
            "proj/src/pkg/__pycache__/old.pyc": b"",
            "proj/src/pkg/.hidden/f.py": "",
            "proj/src/pkg/templates/t.py": "y = x + 1\n",
            "proj/tests/test_pkg.py": "y = 1\n",
            "proj/.venv/pyvenv.cfg": "",
            "proj/.venv/lib/m.py": "",
        },
    )
    result = run("instrument", "proj", "-o", "twins")
    assert 0 == result.exit_code
    assert ["pkg/__init__.py", "pkg/templates/t.py"] == places(project / "twins")
    assert "y = x + 1\n" == (project / "twins/pkg/templates/t.py").read_text()
    assert "templates: its Python files are copied as they are, for it has no __init__.py" in result.stderr


def test_a_module_without_functions_and_one_thing_of_a_module(project, run):
    lay_out(project, {"const.py": "X = 1\nY = X + 1\n"})
    assert 0 == run("instrument", "const.py", "good.py:f", "-o", "twins").exit_code
    assert ["const.py", "good.py"] == places(project / "twins")


def test_broken_modules_are_reported_as_python_does_and_copied(project, run):
    lay_out(project, {"pkg/__init__.py": "", "pkg/bad.py": "def f(:\n", "pkg/good.py": "x = abs(1) - 1\n"})
    result = run("instrument", "pkg", "-o", "twins")
    assert 1 == result.exit_code
    file = project / "pkg/bad.py"
    excerpt = f'  File "{file}", line 1\n    def f(:\n          ^\nSyntaxError: invalid syntax\n'
    assert excerpt in result.stderr
    assert f"error: {file}: " in result.stderr
    assert "def f(:\n" == (project / "twins/pkg/bad.py").read_text()
    assert "_tt" in (project / "twins/pkg/good.py").read_text()


def test_what_cannot_be_rewritten_is_copied_with_one_warning(project, run, monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise RuntimeError("odd")

    monkeypatch.setattr("instrumenter.rewriter.rewrite", refuse)
    source = b"# coding: latin-1\r\nx = '\xe9' + ''\r\n"
    lay_out(project, {"odd.py": source})
    result = run("instrument", "odd.py", "-o", "twins")
    assert 0 == result.exit_code
    (warning,) = result.stderr.splitlines()
    assert warning.startswith(f"warning: {project / 'odd.py'} is copied as it is: RuntimeError: odd")
    assert source == (project / "twins/odd.py").read_bytes()
    assert "0 twins and 1 copied file in twins\n" == result.stdout


def test_what_is_too_deep_for_the_compiler_is_copied_and_said_to_be_so(project, run):
    lay_out(project, {"deep.py": f"x = {'-' * 200_000}1\n", "good.py": FUNCTION})
    result = run("instrument", "deep.py", "good.py", "-o", "twins")
    assert 1 == result.exit_code
    assert "deep.py: is copied as it is: it is nested too deeply for Python's compiler" in result.stderr
    assert (project / "twins/good.py").is_file()


@pytest.mark.parametrize("bad", ["def f(:\n", "return 1\n"])
def test_errors_in_a_wheel_name_the_wheel(project, run, bad):
    files = {"pkg/__init__.py": "", "pkg/bad.py": bad, "pkg/deep/b.py": ""}
    wheel = make_wheel(project / "a-1.0-py3-none-any.whl", files)
    result = run("instrument", wheel.name, "-o", "twins")
    assert 1 == result.exit_code
    assert f"error: {wheel}/pkg/bad.py: is copied as it is: " in result.stderr
    assert f'  File "{wheel}/pkg/bad.py", line 1\n    {bad}' in result.stderr
    assert f"note: {wheel}/pkg/deep: its Python files are copied as they are" in result.stderr
    assert "tracetwin-wheels-" not in result.output


def test_what_is_known_of_a_library_goes_with_its_modules(project, run):
    about = "Metadata-Version: 2.1\nName: shop\nVersion: 1.0\n"
    entry = "[console_scripts]\nshop = shop:f\n"
    lay_out(project, {
        "proj/pyproject.toml": "", "proj/src/shop/__init__.py": FUNCTION, "proj/docs/x.egg-info/PKG-INFO": "",
        "proj/src/shop.egg-info/PKG-INFO": about, "proj/src/shop.egg-info/entry_points.txt": entry,
    })  # fmt: skip
    assert 0 == run("instrument", "proj", "-o", "twins").exit_code
    wanted = ["shop.egg-info/PKG-INFO", "shop.egg-info/entry_points.txt", "shop/__init__.py"]
    assert wanted == places(project / "twins")
    asked = "from importlib.metadata import version; print(version('shop'))"
    assert "1.0\n" == python("-c", asked, path=project / "twins")


SOURCES = {
    "utf8 with BOM": b"\xef\xbb\xbfx = '\xc3\xa9' + chr(65)\n",
    "latin-1": b"# coding: latin-1\nx = '\xe9' + chr(65)\n",
    "euc-jp": "# -*- coding: euc-jp -*-\nx = chr(65) + '日本'\n".encode("euc-jp"),
    "CRLF": b"x = 'a' + \\\r\n  'b'\r\ny = x + x\r\n",
    "form feed": b"x = abs(1) - 1\n\x0c\ny = x + x\n",
    "tabs": b"if abs(1):\n\tx = abs(1) - 1\n\ty = x + x\n",
    "no last newline": b"x = abs(1) - 1\ny = x + x",
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_encoding_and_line_ends_are_kept(project, run, source: bytes):
    lay_out(project, {"m.py": source})
    assert 0 == run("instrument", "m.py", "-o", "twins").exit_code
    written = (project / "twins/m.py").read_bytes()
    assert b"_tt" in written
    for mark in (b"\xef\xbb\xbf", b"\r\n", b"\r", b"\n", b"\x0c", b"coding", b"\t"):
        assert source.count(mark) == written.count(mark), mark
    spaces = {}
    for place in (project, project / "twins"):
        spaces[place] = python("-c", "import m; print(ascii(m.x))", path=place)
    assert 1 == len(set(spaces.values()))


def test_modes_are_kept_and_links_become_files(project, run):
    lay_out(project, {"pkg/__init__.py": "x = abs(1) - 1\n", "pkg/tool.sh": "echo\n", "outside/d/data": "1"})
    (project / "pkg/__init__.py").chmod(0o640)
    (project / "pkg/tool.sh").chmod(0o755)
    (project / "pkg/link.py").symlink_to("__init__.py")
    (project / "pkg/linked").symlink_to(project / "outside")
    (project / "outside/d/back").symlink_to(project / "pkg")
    (project / "pkg/dangling").symlink_to("nowhere")
    assert 0 == run("instrument", "pkg", "-o", "twins").exit_code
    twins = project / "twins/pkg"
    assert ["__init__.py", "link.py", "linked/d/data", "tool.sh"] == places(twins)
    assert [0o640, 0o755] == [(twins / name).stat().st_mode & 0o777 for name in ("__init__.py", "tool.sh")]
    assert not any(path.is_symlink() for path in twins.rglob("*"))


def test_files_that_are_there_are_replaced_and_counted(project, run):
    lay_out(project, {"twins/good.py": "mine\n", "twins/other.txt": "mine\n"})
    result = run("instrument", "good.py", "other.py", "-o", "twins")
    assert (0, "2 twins in twins; 1 file that differed replaced") == (
        result.exit_code,
        result.stdout.splitlines()[-1],
    )
    assert "mine\n" == (project / "twins/other.txt").read_text()
    assert run("instrument", "good.py", "other.py", "-o", "twins").stdout.endswith("2 twins in twins\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("shop", "-o", "shop/twins"), "shop/twins lies in"),
        (("shop", "-o", "shop"), "shop lies in"),
        (("shop", "-o", "."), "would replace the original"),
        (("good.py", "-o", "."), "would replace the original"),
        (("good.py", "-o", "again"), "would replace the original"),
        (("runtime.py", "-o", "twins"), "is imported as 'runtime', as is what twins call"),
        (("runtime", "-o", "twins"), "is imported as 'runtime', as is what twins call"),
    ],
)
def test_folders_that_can_not_hold_the_twins_are_refused(project, run, arguments, said):
    lay_out(project, SHOP | {"runtime.py": "def f(): pass\n", "runtime/__init__.py": "def f(): pass\n"})
    (project / "again").symlink_to(".")
    before = places(project)
    result = run("instrument", *arguments)
    assert 2 == result.exit_code
    assert said in result.stderr.replace("\n", " ")
    assert before == places(project)


def test_the_name_is_not_exported(project, run):
    lay_out(project, {"a.py": "x = abs(1) - 1\n"})
    assert 0 == run("instrument", "a.py", "-o", "twins").exit_code
    lay_out(project, {"twins/b.py": "from a import *\ny = [n for n in dir() if 'tt' in n]\n"})
    assert "[]\n" == python("-c", "import b; print(b.y)", path=project / "twins")


def test_wrong_targets_leave_no_folder(project, run):
    result = run("instrument", "nosuch.py", "-o", "twins")
    assert (1, "error: nosuch.py: there is no such file\n") == (result.exit_code, result.stderr)
    lay_out(project, {"empty/data.txt": ""})
    assert "error: empty: there are no Python modules in it\n" == run("instrument", "empty", "-o", "t").stderr
    assert 1 == run("instrument", "data.txt", "good.py", "-o", "twins2").exit_code
    assert ["good.py"] == places(project / "twins2")
    assert not (project / "twins").exists()
