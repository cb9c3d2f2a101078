from __future__ import annotations

import stat
import zipfile
from pathlib import Path

import pytest

from tests.target.layout import FUNCTION, make_wheel
from tracetwin.support.errors import TargetError
from tracetwin.target.selection import TargetModule, resolve
from tracetwin.target.wheels import unpacking
from tracetwin.target.wheels.unpacking import misses_files, unpack, unpacked_twice

FILES = {"shop/__init__.py": "", "shop/cart.py": FUNCTION, "shop/prices/data.json": "{}"}


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    return make_wheel(tmp_path / "shop-1.0-py3-none-any.whl", FILES)


def test_all_files_are_unpacked(wheel, tmp_path):
    unpack("it", wheel, tmp_path / "deep" / "there")
    for name, text in FILES.items():
        assert text == (tmp_path / "deep" / "there" / name).read_text()
    assert ["there"] == [entry.name for entry in (tmp_path / "deep").iterdir()]


def test_a_module_is_found_again_in_both_copies(wheel, tmp_path):
    (module,) = resolve(f"{wheel}:shop.cart:f")
    first, second = unpacked_twice(module, tmp_path / "copies")
    assert first.root != second.root
    for copy in (first, second):
        assert FUNCTION == Path(copy.file).read_text()
        expected = TargetModule("shop.cart", f"{copy.root}/shop/cart.py", copy.root, ("f",), (copy.root,))
        assert expected == copy
    assert (first, second) == unpacked_twice(module, tmp_path / "copies")


@pytest.mark.parametrize("name", ["../evil.py", "/etc/evil.py", "a/../../evil.py", "C:/evil.py"])
def test_names_that_lead_outside_are_refused(tmp_path, name):
    path = make_wheel(tmp_path / "evil-1.0-py3-none-any.whl", {"good.py": FUNCTION, name: FUNCTION})
    with pytest.raises(TargetError, match="leads outside the wheel"):
        unpack("it", path, tmp_path / "deep" / "there")
    assert not (tmp_path / "deep").exists()


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_links_and_devices_are_refused(wheel, tmp_path, kind):
    entry = zipfile.ZipInfo("shop/passwords")
    entry.external_attr = (kind | 0o777) << 16
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr(entry, "/etc/passwd")
    with pytest.raises(TargetError, match="'shop/passwords' in the wheel is a link or a device"):
        unpack("it", wheel, tmp_path / "there")
    assert not (tmp_path / "there").exists()


def test_too_much_is_refused(wheel, tmp_path, monkeypatch):
    monkeypatch.setattr(unpacking, "MAX_UNPACKED", 10)
    with pytest.raises(TargetError, match="too large"):
        unpack("it", wheel, tmp_path / "there")


def test_a_damaged_wheel_leaves_nothing(wheel, tmp_path):
    wheel.write_bytes(wheel.read_bytes().replace(b"return x", b"return y"))
    with pytest.raises(TargetError, match="can't be unpacked: Bad CRC-32"):
        unpack("it", wheel, tmp_path / "deep" / "there")
    assert [] == list((tmp_path / "deep").iterdir())


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("NotADirectoryError: [Errno 20] Not a directory: '{wheel}/shop/data.json' (line 3)", True),
        ("FileNotFoundError: [Errno 2] No such file or directory: '{wheel}/x'", True),
        ("FileNotFoundError: [Errno 2] No such file or directory: '/nowhere/x'", False),
        ("FileNotFoundError: [Errno 2] No such file or directory: '{wheel}.txt'", False),
        ("ValueError: {wheel}/shop/data.json", False),
    ],
)
def test_what_tells_of_missing_files(wheel, tmp_path, sentence, expected):
    module = resolve(f"{wheel}:shop.cart")[0]
    assert expected is misses_files(module, sentence.format(wheel=wheel))
    assert not misses_files(unpacked_twice(module, tmp_path / "copies")[0], sentence.format(wheel=wheel))
