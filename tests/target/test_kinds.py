"""Modules that are not source: what is a boundary, and what is explored from outside."""

from __future__ import annotations

import importlib.util
import platform
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from tests.target.layout import FUNCTION, compile_to, lay_out, make_wheel
from tracetwin.support.errors import TargetError
from tracetwin.target.kinds import BYTECODE, EXTENSION, FOREIGN, NO_SOURCE, SOURCE, ModuleFile, modules_of
from tracetwin.target.module import Boundary
from tracetwin.target.selection import resolve, resolve_all, resolve_runnable, source_of
from tracetwin.target.wheels.unpacking import unpacked_twice, unusable_in_place

SUFFIX = EXTENSION_SUFFIXES[0]


def problem(text: object) -> str:
    with pytest.raises(TargetError) as caught:
        resolve(str(text))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_the_modules_of_a_folder_that_are_not_source_are_boundaries(tmp_path):
    lay_out(tmp_path, {
        "pkg/__init__.py": "", "pkg/plain.py": FUNCTION, f"pkg/quick{SUFFIX}": b"",
        f"pkg/fast{SUFFIX}": b"", "pkg/fast.py": FUNCTION,
        "pkg/other.cpython-27-x86_64-linux-gnu.so": b"", "pkg/libshared.so.1": b"", "pkg/both.py": FUNCTION,
    })  # fmt: skip
    compile_to(tmp_path / "pkg/closed.pyc", FUNCTION)
    compile_to(tmp_path / "pkg/both.pyc", FUNCTION)
    compile_to(tmp_path / "pkg/__pycache__/plain.cpython-311.pyc", FUNCTION)
    found = resolve_all([str(tmp_path / "pkg")])
    known = [("pkg.both", ""), ("pkg.closed", NO_SOURCE), ("pkg.fast", ""), ("pkg.plain", "")]
    assert known == sorted(
        (module.name, module.outside) for module in found.modules
    )
    kinds = [(boundary.name, boundary.kind) for boundary in found.boundaries]
    assert [("pkg.closed", BYTECODE), ("pkg.other", FOREIGN), ("pkg.quick", EXTENSION)] == sorted(kinds)
    assert [] == found.problems


def test_a_package_may_be_bytecode_altogether(tmp_path):
    compile_to(tmp_path / "pkg/__init__.pyc", "")
    compile_to(tmp_path / "pkg/deep/__init__.pyc", "")
    file = compile_to(tmp_path / "pkg/deep/m.pyc", FUNCTION)
    (module,) = resolve(str(file))
    assert ("pkg.deep.m", str(tmp_path)) == (module.name, module.root)


@pytest.mark.parametrize("text", ["core.pyc", "core", "core.pyc:f", "core:f"])
def test_a_single_module_of_bytecode_is_a_boundary_too(tmp_path, monkeypatch, text):
    compile_to(tmp_path / "core.pyc", FUNCTION)
    monkeypatch.chdir(tmp_path)
    assert [Boundary(text.partition(":")[0], "core", BYTECODE)] == resolve_all([text]).boundaries


def test_extensions_that_are_refused_are_boundaries_too(tmp_path):
    lay_out(tmp_path, {"pkg/__init__.py": "", f"pkg/quick{SUFFIX}": b"", f"bare/fast{SUFFIX}": b""})
    make_wheel(tmp_path / "a-1-py3-none-any.whl", {f"quick{SUFFIX}": b"", "other.py": b""})
    names = {"pkg": "pkg.quick", "bare": "fast", f"bare/fast{SUFFIX}": "fast"}
    names["a-1-py3-none-any.whl"] = "quick"
    for target, name in names.items():
        found = resolve_all([str(tmp_path / target)])
        assert [Boundary(str(tmp_path / target), name, EXTENSION)] == found.boundaries, target
        assert ([], 1) == (found.modules, len(found.problems))


def test_a_module_without_source_is_found_by_its_name(tmp_path, monkeypatch):
    compile_to(tmp_path / "closed_mod.pyc", FUNCTION)
    monkeypatch.chdir(tmp_path)
    (module,) = resolve("closed_mod:f")
    assert (NO_SOURCE, ("f",)) == (module.outside, module.selection)


@pytest.mark.parametrize(
    ("number", "version"), [(3439, "3.10"), (3495, "3.11"), (3531, "3.12"), (3571, "3.13"), (3394, "3.7")]
)
def test_bytecode_of_another_python_is_named_with_both_versions(tmp_path, number, version):
    magic = number.to_bytes(2, "little") + b"\r\n"
    if magic == importlib.util.MAGIC_NUMBER:
        pytest.skip("it is this one")
    file = compile_to(tmp_path / "m.pyc", FUNCTION)
    file.write_bytes(magic + file.read_bytes()[4:])
    said = problem(file)
    assert f"module 'm' is bytecode of Python {version}, and this is Python " in said
    assert f"this is Python {platform.python_version()}; run tracetwin with" in said


def test_bytecode_has_no_source_to_make_a_twin_of(tmp_path):
    (module,) = resolve(str(compile_to(tmp_path / "m.pyc", FUNCTION)))
    with pytest.raises(TargetError, match="there is no source to make a twin of: it comes as bytecode only"):
        source_of(module)


def test_bytecode_of_another_python_does_not_keep_the_others(tmp_path):
    lay_out(tmp_path, {"good.py": FUNCTION})
    file = compile_to(tmp_path / "old.pyc", FUNCTION)
    file.write_bytes((3394).to_bytes(2, "little") + b"\r\n" + file.read_bytes()[4:])
    found = resolve_all([str(tmp_path)])
    assert ["good"] == [module.name for module in found.modules]
    assert "bytecode of Python 3.7" in str(found.problems[0])


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("__pycache__/m.cpython-311.pyc", "from which nothing is imported by itself"),
        (f"quick{SUFFIX}", "is a C extension: it runs as it is, and gets neither tests nor a twin"),
        ("quick.cpython-27-x86_64-linux-gnu.so", "is a C extension for another Python"),
    ],
)
def test_files_that_can_not_be_targets_say_why(tmp_path, name, words):
    lay_out(tmp_path, {name: b""})
    assert words in problem(tmp_path / name)


def test_a_folder_of_extensions_only(tmp_path):
    lay_out(tmp_path, {f"pkg/quick{SUFFIX}": b""})
    said = problem(tmp_path / "pkg")
    assert "quick is a C extension: such a module runs as it is, and gets neither tests nor a twin" in said


def test_a_wheel_with_modules_of_every_kind(tmp_path):
    closed = compile_to(tmp_path / "closed.pyc", FUNCTION).read_bytes()
    wheel = make_wheel(tmp_path / "pkg-1-py3-none-any.whl", {
        "pkg/__init__.py": "", "pkg/a.py": FUNCTION, "pkg/closed.pyc": closed, f"pkg/quick{SUFFIX}": b"",
        "pkg.libs/libquick.so": b"", "second/b.py": FUNCTION, "single.py": FUNCTION,
        "pkg-1.data/purelib/third.py": FUNCTION, "pkg-1.data/scripts/run.py": FUNCTION,
    })  # fmt: skip
    found = resolve_all([str(wheel)])
    assert ["pkg.a", "pkg.closed", "second.b", "single", "third"] == [m.name for m in found.modules]
    boundaries = [(boundary.name, boundary.kind) for boundary in found.boundaries]
    assert [("pkg.closed", BYTECODE), ("pkg.quick", EXTENSION)] == boundaries
    assert "pkg.quick is a C extension: such a module runs as it is" in problem(f"{wheel}:pkg.quick")


def test_a_wheel_of_extensions_only(tmp_path):
    wheel = make_wheel(tmp_path / "pkg-1-py3-none-any.whl", {f"quick{SUFFIX}": b"", f"slow{SUFFIX}": b""})
    assert "quick, slow are 2 C extensions: such a module runs as it is" in problem(wheel)


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"m.py": FUNCTION, f"quick{SUFFIX}": b""}, "it holds C extensions"),
        ({"pkg-1.data/platlib/m.py": FUNCTION}, "in its .data folder"),
        ({"m.py": FUNCTION, "pkg-1.data/scripts/go": b""}, ""),
        ({"pkg/__init__.py": "", "pkg/m.py": FUNCTION, "pkg.libs/libquick.so": b""}, ""),
    ],
)
def test_which_wheels_can_not_be_used_in_place(tmp_path, files, words):
    wheel = make_wheel(tmp_path / "pkg-1-py3-none-any.whl", files)
    reasons = unusable_in_place(resolve(str(wheel))[0])
    assert words in reasons.get(str(wheel), "none") if words else {} == reasons


def test_a_namespace_package_in_a_wheel(tmp_path):
    wheel = make_wheel(tmp_path / "pkg-1-py3-none-any.whl", {"space/pkg/m.py": FUNCTION})
    module = resolve(str(wheel))[0]
    assert "space.pkg.m" == module.name
    assert (sys.version_info < (3, 13)) is bool(unusable_in_place(module))


def test_the_data_folder_of_a_wheel_is_spread_as_by_an_installer(tmp_path):
    wheel = make_wheel(tmp_path / "pkg-1-py3-none-any.whl", {"pkg-1.data/purelib/pkg/m.py": FUNCTION})
    (module,) = resolve(str(wheel))
    first, _ = unpacked_twice(module, tmp_path / "copies", unusable_in_place(module))
    assert f"{first.root}/pkg/m.py" == first.file
    assert FUNCTION == Path(first.file).read_text()


def test_only_the_wheels_that_need_it_are_unpacked(tmp_path):
    dependency = make_wheel(tmp_path / "dep-1-py3-none-any.whl", {f"quick{SUFFIX}": b""})
    wheel = make_wheel(tmp_path / "pkg-1-py3-none-any.whl", {"m.py": FUNCTION}, "dep")
    (module,) = resolve_runnable([str(wheel)]).modules
    reasons = unusable_in_place(module)
    assert [str(dependency)] == list(reasons)
    first, second = unpacked_twice(module, tmp_path / "copies", reasons)
    assert (str(wheel), str(wheel)) == (first.root, second.search_path[0])
    assert first.search_path[1] != second.search_path[1]


def test_a_damaged_wheel_among_the_dependencies_is_named(tmp_path):
    (tmp_path / "dep-1-py3-none-any.whl").write_bytes(b"no zip")
    wheel = make_wheel(tmp_path / "pkg-1-py3-none-any.whl", {"m.py": FUNCTION}, "dep")
    notes = resolve_runnable([str(wheel)]).notes
    assert notes[0].startswith("dep-1-py3-none-any.whl is not used: its METADATA can't be read")


def test_a_package_in_a_wheel_hides_the_module_of_its_name(tmp_path):
    for names in (["both.py", "both/__init__.py"], ["both/__init__.py", "both.py"]):
        assert {"both": ModuleFile("both/__init__.py", SOURCE)} == modules_of(names)
