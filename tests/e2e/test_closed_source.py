"""Wheels with what they need, and modules that are not source: suites are written, and pass."""

from __future__ import annotations

import hashlib
import json
import os
import sysconfig
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.command import run, run_suite
from tests.target.layout import compile_to, extension, lay_out, make_wheel

pytestmark = pytest.mark.slow

SHOP = """
from rates import BASE, rate


def price(weight: int) -> int:
    if weight < 0:
        raise ValueError("negative")
    if rate(weight) > BASE:
        return 3
    return 1
"""
RATES = """
BASE = 10


def rate(weight: int) -> int:
    return weight * 2
"""
ALONE = "def half(n: int) -> int:\n    if n > 4:\n        return n // 2\n    return n\n"
OPEN = """
from pkg.closed import grade


def twice(n: int) -> str:
    if n == 33:
        return "33"
    return grade(n)
"""
CLOSED = '''
LIMIT = 250


def grade(points: int) -> str:
    """Say how good it is."""
    if points < 0:
        raise ValueError("negative")
    if points >= LIMIT:
        return "gold"
    if points == 117:
        return "odd"
    return _plain(points)


def _plain(points):
    if points > 50:
        return "silver"
    return "bronze"


def never(points: int) -> str:
    if points * points == 2:
        return "no square is two"
    return "fine"


class Box:
    def __init__(self, items: list[int]) -> None:
        self.items = items
        self.open = False

    def unlock(self, code: str) -> None:
        if code == "sesame":
            self.open = True

    def take(self) -> int:
        if not self.open:
            return -1
        return len(self.items)
'''


def generate(
    folder: Path, *arguments: str | Path, status: int = 0, runs: int = 1000
) -> tuple[dict[str, Any], str, str]:
    """What the command says: as JSON, on standard output and on standard error."""
    said = folder / "said.json"
    options = ("-o", folder / "out", "--max-runs", str(runs), "-j", "2", "--json", said)
    done = run("generate", *arguments, *options, cwd=folder)
    assert status == done.returncode, done.stdout + done.stderr
    return json.loads(said.read_text()) if said.exists() else {}, done.stdout, done.stderr


def installed() -> str:
    """A digest of the names, sizes and times of all files of the environment but caches of bytecode."""
    digest = hashlib.sha256()
    for path, folders, files in os.walk(sysconfig.get_paths()["purelib"]):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(files):
            status = Path(path, name).stat()
            digest.update(f"{path}/{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def test_a_wheel_is_run_with_what_it_needs_and_nothing_is_installed(tmp_path):
    before = installed()
    links = tmp_path / "links"
    links.mkdir()
    rates = make_wheel(links / "rates-2.0-py3-none-any.whl", {"rates.py": RATES})
    make_wheel(links / "rates-3.0-py3-none-any.whl", {"rates.py": "raise ImportError('too new')"})
    wheel = make_wheel(tmp_path / "shop-1.0-py3-none-any.whl", {"shop.py": SHOP}, "rates<3")
    said, out, _ = generate(tmp_path, wheel, "--find-links", links)
    (module,) = said["modules"]
    assert [] == module["uncovered"]
    assert ([str(wheel), str(rates)], False) == (module["wheels"], module["unpacked"])
    assert f"to run the tests, set PYTHONPATH={wheel.name}{os.pathsep}links/{rates.name}" in out
    text = (tmp_path / "out" / "test_shop.py").read_text()
    assert f"Run them with {wheel.name} and {rates.name} on the path (PYTHONPATH):" in text
    assert 0 == run_suite(tmp_path / "out", wheel, rates).returncode
    assert before == installed()


def test_only_modules_that_need_what_is_missing_are_skipped(tmp_path):
    files = {"shop/__init__.py": "", "shop/alone.py": ALONE, "shop/shop.py": SHOP}
    wheel = make_wheel(tmp_path / "shop-1.0-py3-none-any.whl", files, "rates>=2", "rates-extra; extra == 'x'")
    said, _, errors = generate(tmp_path, wheel, status=7)
    by_name = {module["name"]: module for module in said["modules"]}
    assert by_name["shop.alone"]["tests"]
    assert "No module named 'rates'" in by_name["shop.shop"]["error"]
    assert "shop-1.0-py3-none-any.whl needs rates>=2, which was not found" in by_name["shop.shop"]["error"]
    notes = [line for line in errors.splitlines() if line.startswith("note: ")]
    assert 1 == len(notes)
    assert notes[0].startswith("note: shop-1.0-py3-none-any.whl needs rates>=2: it is neither installed nor")
    assert notes[0].endswith("install it, or name a folder that holds its wheel with --find-links DIR")


def test_a_dependency_with_an_extension_is_unpacked(tmp_path):
    quick = extension(tmp_path / "built")
    if quick is None:
        pytest.skip("the extensions of this interpreter are built into it")
    user = "from quickly import first\n\n\ndef smallest(a: int, b: int) -> int:\n    return first([a, b])\n"
    quickly = "from quickly._heapq import heapify\ndef first(x):\n    heapify(x)\n    return x[0]\n"
    wheel = make_wheel(tmp_path / "user-1-py3-none-any.whl", {"user_mod.py": user}, "quickly")
    files: dict[str, str | bytes] = {"quickly/__init__.py": quickly}
    files[f"quickly/{quick.name}"] = quick.read_bytes()
    dependency = make_wheel(tmp_path / "quickly-1-py3-none-any.whl", files)
    said, out, _ = generate(tmp_path, wheel)
    (module,) = said["modules"]
    assert (None, True) == (module["error"], module["unpacked"])
    assert f"to run the tests, install {wheel.name} and {dependency.name}" in out
    assert any("quickly-1-py3-none-any.whl: it holds C extensions" in note for note in module["notes"])
    with zipfile.ZipFile(dependency) as archive:
        archive.extractall(tmp_path / "installed")
    assert 0 == run_suite(tmp_path / "out", wheel, tmp_path / "installed").returncode


def test_a_package_of_source_bytecode_and_extensions(tmp_path):
    quick = extension(tmp_path / "pkg")
    lay_out(tmp_path, {
        "pkg/__init__.py": "",
        "pkg/open.py": OPEN,
    })  # fmt: skip
    compile_to(tmp_path / "pkg/closed.pyc", CLOSED)
    said, out, _ = generate(tmp_path, "pkg")
    boundaries = {item["name"]: item["kind"] for item in said["boundaries"]}
    expected = {"pkg.closed": "bytecode only"}
    if quick is not None:
        expected["pkg._heapq"] = "C extension"
        assert "pkg: 2 modules are boundaries: pkg._heapq (C extension), pkg.closed (bytecode only)" in out
    assert expected == boundaries
    by_name = {module["name"]: module for module in said["modules"]}
    assert [] == by_name["pkg.open"]["uncovered"]
    assert by_name["pkg.open"]["outside"] is None
    assert "it comes as bytecode only" == by_name["pkg.closed"]["outside"]
    assert "explored from outside only, without symbolic reasoning: it comes as bytecode only" in out
    assert 0 == run_suite(tmp_path / "out", tmp_path).returncode


def check_closed(module: dict[str, Any]) -> None:
    """What is found in `CLOSED` by its constants, and what is said of the rest."""
    (missed,) = module["uncovered"]
    assert "budget spent" == missed["reason"]
    functions = {function["name"]: function for function in module["functions"]}
    assert [missed] == functions["never"]["uncovered"]
    assert functions["grade"]["tests"] >= 5
    assert functions["Box.take"]["covered_lines"] == functions["Box.take"]["lines"] == 3


def test_a_module_of_bytecode_only(tmp_path):
    compile_to(tmp_path / "closed.pyc", CLOSED)
    said, _, _ = generate(tmp_path, "closed.pyc", runs=2500)
    (module,) = said["modules"]
    check_closed(module)
    assert 0 == run_suite(tmp_path / "out", tmp_path).returncode
    compile_to(tmp_path / "closed.pyc", CLOSED.replace("LIMIT = 250", "LIMIT = 251"))
    assert 1 == run_suite(tmp_path / "out", tmp_path).returncode


def test_a_name_that_a_module_of_bytecode_does_not_define(tmp_path):
    compile_to(tmp_path / "closed.pyc", CLOSED)
    for name, words in (("nope", "the module defines no 'nope'"), ("Box.nope", "'Box' defines no 'nope'")):
        said, _, errors = generate(tmp_path, f"closed.pyc:{name}", status=1)
        assert words == said["modules"][0]["error"]
        assert f"error: closed: {words}\n" in errors
    said, _, _ = generate(tmp_path, "closed.pyc:nope", "closed.pyc:Box.take", runs=50)
    assert ["nope: the module defines no 'nope'"] == said["modules"][0]["notes"]


def test_a_wheel_of_bytecode_only(tmp_path):
    files = {
        "pkg/__init__.pyc": compile_to(tmp_path / "a.pyc", "").read_bytes(),
        "pkg/closed.pyc": compile_to(tmp_path / "b.pyc", CLOSED).read_bytes(),
    }
    wheel = make_wheel(tmp_path / "pkg-1-py3-none-any.whl", files)
    said, _, _ = generate(tmp_path, f"{wheel}:pkg.closed", runs=2500)
    check_closed(said["modules"][0])
    assert 0 == run_suite(tmp_path / "out", wheel).returncode


def test_a_source_that_can_not_be_rewritten_is_loaded_untouched(tmp_path):
    lay_out(tmp_path, {"odd.py": "(limit): int = 41\n\n\n" + ALONE.replace("4:", "limit * 1000 + 7:")})
    said, out, errors = generate(tmp_path, "odd.py")
    warnings = [line for line in errors.splitlines() if line.startswith("warning: ")]
    assert 1 == len(warnings)
    assert f"{tmp_path}/odd.py is loaded untouched" in warnings[0]
    (module,) = said["modules"]
    assert "explored from outside only" in out
    assert module["branches"]
    assert 0 == run_suite(tmp_path / "out", tmp_path).returncode


def test_an_extension_as_target_is_told_in_one_sentence(tmp_path):
    quick = extension(tmp_path)
    if quick is None:
        pytest.skip("the extensions of this interpreter are built into it")
    said, out, errors = generate(tmp_path, quick, status=1)
    sentence = f"{quick}: is a C extension: it runs as it is, and gets neither tests nor a twin"
    assert ([sentence], ["C extension"]) == (said["errors"], [item["kind"] for item in said["boundaries"]])
    assert f"error: {sentence}\n" == errors
    assert "" == out


GRADED = """
try:
    from pkg._bisect import bisect_left
except ImportError:
    def bisect_left(items, x):
        place = 0
        while place < len(items) and items[place] < x:
            place += 1
        return place


def grade(points: int) -> str:
    if bisect_left([size * size * 101 for size in (93, 94)], points) == 1:
        return "rare"
    return "common"
"""


def test_what_stands_in_for_an_extension_is_followed(tmp_path):
    folder = lay_out(tmp_path / "src", {"pkg/__init__.py": "", "pkg/graded.py": GRADED}) / "pkg"
    if extension(folder, "_bisect") is None:
        pytest.skip("the bisect module of this Python is built in")
    said, _, _ = generate(tmp_path, folder / "graded.py")
    (module,) = said["modules"]
    first = GRADED[: GRADED.index("def grade")].count("\n")
    assert not [line for line in module["uncovered"] if line["line"] > first]
    assert 0 == run_suite(tmp_path / "out", folder.parent).returncode
