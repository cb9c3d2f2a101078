from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.target.layout import FUNCTION, make_wheel
from tracetwin.support.errors import TargetError
from tracetwin.target.selection import TargetModule, resolve, resolve_all, resolve_runnable, source_of

FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": "class Cart:\n    def add(self): pass\n" + FUNCTION,
    "shop/deep/__init__.py": FUNCTION,
    "shop/deep/tax.py": FUNCTION,
    "shop/tests/test_cart.py": FUNCTION,
    "shop/__main__.py": FUNCTION,
    "shop/data.json": "{}",
    "single.py": FUNCTION,
}


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    return make_wheel(tmp_path / "shop-1.0-py3-none-any.whl", FILES)


def problem(text: str) -> str:
    with pytest.raises(TargetError) as caught:
        resolve(text)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_wheel_gives_its_modules_where_it_lies(wheel):
    modules = resolve(str(wheel))
    assert [m.name for m in modules] == ["shop.cart", "shop.deep", "shop.deep.tax", "single"]
    expected = TargetModule("shop.cart", f"{wheel}/shop/cart.py", str(wheel), (), (str(wheel),))
    assert modules[0] == expected
    assert source_of(expected) == FILES["shop/cart.py"].encode()


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("shop.cart", [("shop.cart", ())]),
        ("shop.deep", [("shop.deep", ()), ("shop.deep.tax", ())]),
        ("shop.cart:Cart.add", [("shop.cart", ("Cart.add",))]),
        ("shop.cart.Cart.add", [("shop.cart", ("Cart.add",))]),
        ("single:f", [("single", ("f",))]),
        ("shop.tests.test_cart", [("shop.tests.test_cart", ())]),
    ],
)
def test_a_part_of_a_wheel(wheel, inside, expected):
    assert [(m.name, m.selection) for m in resolve(f"{wheel}:{inside}")] == expected


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        ("nosuch", "there is no module 'nosuch' in the wheel, which holds shop, single"),
        ("shop.cart:Nosuch", "the module defines no 'Nosuch'"),
        ("shop.cart.Cart:add", "there is no module"),
    ],
)
def test_a_wrong_part_of_a_wheel_is_named(wheel, inside, words):
    assert words in problem(f"{wheel}:{inside}")


@pytest.mark.parametrize(
    "name", ["../evil.py", "/etc/evil.py", "a/../../evil.py", "C:/evil.py", "a\\..\\evil.py"]
)
def test_names_that_lead_outside_are_refused(tmp_path, name):
    path = make_wheel(tmp_path / "evil-1.0-py3-none-any.whl", {"good.py": FUNCTION, name: FUNCTION})
    assert "leads outside the wheel" in problem(str(path))


def test_compiled_modules_in_a_wheel_are_boundaries_and_named(tmp_path):
    path = make_wheel(
        tmp_path / "fast-1.0-cp311-cp311-linux_x86_64.whl",
        {
            "fast/__init__.py": FUNCTION,
            "fast/_speed.cpython-311-x86_64-linux-gnu.so": b"\x7fELF",
            "fast/_w.pyd": b"MZ",
        },
    )
    found = resolve_all([str(path)])
    assert [m.name for m in found.modules] == ["fast"]
    assert ["fast._speed", "fast._w"] == [boundary.name for boundary in found.boundaries]
    assert found.boundaries[0].kind.startswith("C extension")


def test_a_syntax_error_in_a_wheel_is_shown_as_in_a_file(tmp_path):
    path = make_wheel(tmp_path / "a-1.0-py3-none-any.whl", {"bad.py": "X = 1\nreturn X\n"})
    (found,) = resolve_all([str(path)]).problems
    assert found.excerpt[0] == f'  File "{path}/bad.py", line 2'
    assert found.excerpt[1].strip() == "return X"
    assert found.excerpt[-1] == "SyntaxError: 'return' outside function"


def test_a_wheel_for_another_machine_or_python_is_noted(tmp_path):
    path = make_wheel(tmp_path / "a-1.0-cp27-cp27m-win32.whl", {"a.py": FUNCTION}, "Requires-Python: >=4")
    notes = resolve_runnable([str(path)]).notes
    assert "it is for another Python or machine, and may not work here" in notes[0]
    assert notes[1].startswith("a-1.0-cp27-cp27m-win32.whl: it is for Python >=4, and this is ")


def test_a_broken_module_in_a_wheel_is_named_and_the_others_go_on(tmp_path):
    path = make_wheel(tmp_path / "a-1.0-py3-none-any.whl", {"bad.py": "def f(:\n", "good.py": FUNCTION})
    found = resolve_all([str(path)])
    assert [m.name for m in found.modules] == ["good"]
    assert str(found.problems[0]).startswith(f"{path}/bad.py: syntax error in line 1")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is not a readable wheel"),
        (b"not a zip", "is not a readable wheel"),
        (None, "there is no such wheel"),
    ],
)
def test_what_is_no_wheel_is_named(tmp_path, content, words):
    path = tmp_path / "a-1.0-py3-none-any.whl"
    if content is not None:
        path.write_bytes(content)
    assert words in problem(str(path))


def test_a_zip_with_a_wheels_name_is_no_wheel(tmp_path):
    path = tmp_path / "a-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.py", FUNCTION)
    assert "is not a wheel: it has no WHEEL file" in problem(str(path))


def test_a_damaged_member_is_named(tmp_path):
    path = make_wheel(tmp_path / "a-1.0-py3-none-any.whl", {"a.py": FUNCTION})
    path.write_bytes(path.read_bytes().replace(b"return x", b"return y"))
    assert "can't be read: Bad CRC-32" in problem(str(path))


@pytest.mark.parametrize(
    ("files", "words"),
    [({}, "there are no Python modules"), ({"a.py": "X = 1\n"}, "it defines no functions or classes")],
)
def test_a_wheel_without_code_is_named(tmp_path, files, words):
    assert words in problem(str(make_wheel(tmp_path / "a-1.0-py3-none-any.whl", files)))


def test_the_list_of_files_is_read_once_for_all_modules(tmp_path, monkeypatch):
    wheel = make_wheel(tmp_path / "many-1.0-py3-none-any.whl", {f"m{i}.py": FUNCTION for i in range(30)})
    read: list[object] = []
    original = zipfile.ZipFile.__init__

    def counted(self, *args, **kwargs):
        read.append(self)
        original(self, *args, **kwargs)

    monkeypatch.setattr(zipfile.ZipFile, "__init__", counted)
    assert 30 == len(resolve(str(wheel)))
    assert 3 > len(read)
