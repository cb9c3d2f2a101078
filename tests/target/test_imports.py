"""What an import pulls in of the target's own package, without importing it."""

from __future__ import annotations

import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from tests.target.layout import FUNCTION, compile_to, lay_out, make_wheel
from tracetwin.target.imports import imported_with
from tracetwin.target.selection import TargetModule, resolve, source_of
from tracetwin.target.wheels.unpacking import unpacked_twice


def asked_for(module: TargetModule) -> list[str]:
    return sorted(found.name for found in imported_with(module, source_of(module)))


def closure(module: TargetModule) -> dict[str, TargetModule]:
    """All that its import pulls in."""
    found = {module.name: module}
    waiting = [module]
    while waiting:
        current = waiting.pop()
        new = [m for m in imported_with(current, source_of(current)) if m.name not in found]
        found.update((m.name, m) for m in new)
        waiting += new
    return found


SIBLINGS = {f"pkg/{name}.py": FUNCTION for name in ("a", "b", "c")}


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("", []),
        ("import pkg.a, pkg.sub.deep as other", ["pkg.a", "pkg.sub", "pkg.sub.deep"]),
        ("from pkg import a, nothing, b as other", ["pkg.a", "pkg.b"]),
        ("from pkg.a import f", ["pkg.a"]),
        ("from . import a", ["pkg.a"]),
        ("from .a import f", ["pkg.a"]),
        ("from .sub import *", ["pkg.sub"]),
        ("from .sub.deep import f", ["pkg.sub", "pkg.sub.deep"]),
        ("from .. import a", []),
        ("from ...far import a", []),
        ("import json, other.a; from os import path", []),
        ("from pkg.missing import f", []),
        ("import pkg.target", []),
        ("if sys.version_info > (3,):\n    from . import a\nelse:\n    from . import b", ["pkg.a", "pkg.b"]),
        ("try:\n    from . import a\nexcept ImportError:\n    from . import b\nfinally:\n    import pkg.c",
         ["pkg.a", "pkg.b", "pkg.c"]),
        ("match x:\n    case 1:\n        from . import a", ["pkg.a"]),
        ("class C:\n    from .a import f\n    def m(self):\n        from .b import f", ["pkg.a"]),
        ("def f():\n    import pkg.a", []),
        ("async def f():\n    import pkg.a", []),
        ("if TYPE_CHECKING:\n    from . import a\nelse:\n    from . import b", ["pkg.b"]),
        ("if t.TYPE_CHECKING:\n    from . import a", []),
        ("if __name__ == '__main__':\n    from . import a", []),
    ],
)  # fmt: skip
def test_the_statements_that_an_import_runs(tmp_path, statements, expected):
    layout = {"pkg/__init__.py": "", **SIBLINGS, "pkg/sub/__init__.py": "", "pkg/sub/deep.py": FUNCTION}
    lay_out(tmp_path, {**layout, "pkg/target.py": f"{statements}\n{FUNCTION}"})
    (module,) = resolve(str(tmp_path / "pkg/target.py"), tmp_path)
    assert ["pkg", *expected] == asked_for(module)


def test_a_package_counts_relative_names_from_itself(tmp_path):
    lay_out(tmp_path, {"pkg/__init__.py": f"from . import a\nfrom .b import f\n{FUNCTION}", **SIBLINGS})
    (module,) = resolve(str(tmp_path / "pkg/__init__.py"))
    assert ["pkg.a", "pkg.b"] == asked_for(module)


def test_of_several_files_for_a_name_that_of_the_import_is_taken(tmp_path):
    names = "closed, quick, both, double, sub"
    lay_out(tmp_path, {
        "pkg/__init__.py": "", "pkg/target.py": f"from . import {names}\n{FUNCTION}",
        f"pkg/quick{EXTENSION_SUFFIXES[0]}": b"", "pkg/quick.py": "", "pkg/both.py": "",
        "pkg/double.py": "", "pkg/double/__init__.py": "", "pkg/sub/": b"", "pkg/sub.py": "",
    })  # fmt: skip
    compile_to(tmp_path / "pkg/closed.pyc", "")
    compile_to(tmp_path / "pkg/both.pyc", "")
    (module,) = resolve(str(tmp_path / "pkg/target.py"))
    taken = imported_with(module, source_of(module))
    assert {
        "pkg": "pkg/__init__.py", "pkg.both": "pkg/both.py", "pkg.double": "pkg/double/__init__.py",
        "pkg.sub": "pkg/sub.py",
    } == {found.name: Path(found.file).relative_to(tmp_path).as_posix() for found in taken}  # fmt: skip


def test_of_a_compiled_target_the_package_is_imported_from_its_sources(tmp_path):
    """Also by modules that are not compiled themselves."""
    suffix = EXTENSION_SUFFIXES[0]
    lay_out(tmp_path, {
        "pkg/__init__.py": "from . import quick, only", "pkg/target.py": f"from . import quick\n{FUNCTION}",
        "pkg/quick.py": "", f"pkg/quick{suffix}": b"", f"pkg/target{suffix}": b"", f"pkg/only{suffix}": b"",
    })  # fmt: skip
    (module,) = resolve(str(tmp_path / "pkg/target.py"))
    assert ["pkg", "pkg.quick"] == [found.name for found in imported_with(module, source_of(module))]
    assert ["pkg", "pkg.quick", "pkg.target"] == sorted(closure(module))


FILES = {
    "pkg/__init__.py": "from pkg.main import f\n",
    "pkg/main.py": f"from .helpers import tool\n{FUNCTION}",
    "pkg/helpers/tool.py": "from . import deeper\n",
    "pkg/helpers/deeper.py": "import pkg.main\n",
    "pkg/unused.py": FUNCTION,
}
PULLED_IN = ["pkg", "pkg.helpers.deeper", "pkg.helpers.tool", "pkg.main"]


@pytest.mark.parametrize("place", ["", "src/"])
def test_all_that_an_import_pulls_in_from_a_folder(tmp_path, place):
    lay_out(tmp_path, {place + name: text for name, text in FILES.items()})
    (module,) = resolve(str(tmp_path / place / "pkg/main.py"), tmp_path / place)
    assert PULLED_IN == sorted(closure(module))


@pytest.mark.parametrize("place", ["", "pkg-1.0.data/purelib/"])
def test_all_that_an_import_pulls_in_from_a_wheel(tmp_path, place):
    files = {place + name: text for name, text in FILES.items()}
    wheel = make_wheel(tmp_path / "pkg-1.0-py3-none-any.whl", files)
    (module,) = resolve(f"{wheel}:pkg.main")
    there = closure(module)
    assert PULLED_IN == sorted(there)
    unpacked, _ = unpacked_twice(module, tmp_path / "unpacked")
    copies = closure(unpacked)
    assert {name: source_of(m) for name, m in there.items()} == {n: source_of(m) for n, m in copies.items()}
    assert all(Path(copy.file).is_file() for copy in copies.values())


def test_a_package_that_lies_in_several_wheels(tmp_path):
    other = make_wheel(tmp_path / "more-1.0-py3-none-any.whl", {"pkg/more.py": FUNCTION})
    text = f"import pkg.more\n{FUNCTION}"
    wheel = make_wheel(tmp_path / "pkg-1.0-py3-none-any.whl", {"pkg/main.py": text})
    (module,) = resolve(str(wheel))
    module = TargetModule(module.name, module.file, module.root, (), (str(wheel), str(other)))
    (found,) = imported_with(module, source_of(module))
    assert ("pkg.more", f"{other}/pkg/more.py") == (found.name, found.file)


@pytest.mark.parametrize("data", [b"def f(:\n", b"\0", b"x = " + b"(" * 5000])
def test_what_can_not_be_parsed_asks_for_nothing(tmp_path, data):
    assert [] == imported_with(TargetModule("pkg.m", str(tmp_path / "pkg/m.py"), str(tmp_path)), data)


def test_it_is_all_that_python_imports():
    (module,) = (found for found in resolve("email") if found.name == "email.message")
    code = "import sys, email.message; print(*[n for n in sys.modules if n.split('.')[0] == 'email'])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(ran.stdout.split()) <= set(closure(module))


def test_what_functions_import_when_they_run_counts_for_the_target_only(tmp_path):
    text = f"from . import a\ndef g():\n    from . import b\n{FUNCTION}"
    lay_out(tmp_path, {"pkg/__init__.py": "", **SIBLINGS, "pkg/target.py": text})
    (module,) = resolve(str(tmp_path / "pkg/target.py"), tmp_path)
    data = source_of(module)
    assert ["pkg", "pkg.a"] == [found.name for found in imported_with(module, data)]
    assert ["pkg", "pkg.a", "pkg.b"] == [found.name for found in imported_with(module, data, later=True)]
