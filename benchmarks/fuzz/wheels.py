"""Random wheels: whole ones, odd ones, broken ones, and such as lie."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
from collections.abc import Callable
from random import Random
from typing import Final, TypeAlias

import text_mutations
import words

Entries: TypeAlias = dict[str, bytes]
Fields: TypeAlias = tuple[tuple[int, str, tuple[int, ...]], ...]

INFO: Final = "shop-1.0.dist-info"

METADATA: Final = "Metadata-Version: 2.1\nName: shop\nVersion: 1.0\nRequires-Python: >=3.8\n"
WHEEL: Final = "Wheel-Version: 1.0\nGenerator: fuzz\nRoot-Is-Purelib: true\nTag: py3-none-any\n"

_NAMES: Final = (
    "../evil.py", "/abs.py", "shop/../../up.py", "C:/x.py", "C:\\x.py", "shop\\win.py", "shop/\x1b[2J.py",
    "shop/a\nb.py", "", "/", ".", "..", "shop/" + "d/" * 200 + "deep.py", "n" * 5000 + ".py",
    "shop/mod.py/inside.py", "shop/MOD.py", "shop/mod.pyc", "shop/__pycache__/mod.cpython-311.pyc",
    "shop/ext.cpython-311-x86_64-linux-gnu.so", "shop/class.py", "shop/1.py", "shop/a-b.py", "shop/é.py",
    "shop/\u202e.py", "shop/\ud800.py", "os.py", "typing.py", "tracetwin/__init__.py",
    "runtime/__init__.py", "shop.py", "shop-1.0.data/purelib/more.py", "shop-1.0.data/scripts/run.sh",
    "shop-1.0.data/data/../../x", "other-2.0.dist-info/WHEEL", "shop/mod.pyi", "shop/py.typed",
    "shop/data.txt", "sitecustomize.py", "evil.pth", "shop/tests/test_mod.py", "shop/__main__.py",
    "setup.py", "shop//mod2.py", "./shop/mod3.py", "shop/mod.py ",
)  # fmt: skip

_HEADERS: Final = (
    "Name: ", "Name: ../../x", "Name: \x1b[31mred", "Version: not a version", "Version: " + "9" * 3000,
    "Requires-Dist: nowhere", "Requires-Dist: click>=99; python_version>'3'", "Requires-Dist: ((((",
    "Requires-Dist: shop", "Requires-Dist: x @ file:///etc/passwd",
    "Requires-Dist: a; extra == '" + "b" * 3000 + "'", "Requires-Python: >=99", "Requires-Python: <<<",
    "Metadata-Version: 99", "é: é", ":", "\n\n",
    "Requires-Dist: x; " + "(" * 300 + "python_version>'3'" + ")" * 300, "Provides-Extra: \x00",
)  # fmt: skip

_FILES: Final = (
    "shop-1.0-py3-none-any.whl", "shop-1.0-py3-none-any.whl", "shop-1.0-py3-none-any.whl", "shop.whl",
    "-----.whl", "x-y-z-a-b-c-d.whl", "shop-1.0-cp27-cp27mu-win32.whl", "shop-é-py3-none-any.whl",
    "shop-1.0-py3-none-any.whl\x1b[2J.whl", " .whl", "..whl", "a:b-1-py3-none-any.whl",
    "shop-1.0-py3-none-any.whl:x.whl", "shop-1!2.0+local.1-1_b-py2.py3-none-any.whl",
    "\udcff-1-py3-none-any.whl",
)  # fmt: skip


def make_wheel(random: Random, text: str) -> tuple[str, bytes]:
    """A file name and the bytes of a wheel around a module.

    Args:
        random: where choices come from.
        text: the source of its module `shop.mod`.
    """
    entries: Entries = {
        "shop/__init__.py": random.choice((b"", b"from shop.mod import *\n", b"from . import mod\n")),
        "shop/mod.py": text.encode(errors="surrogatepass"),
        f"{INFO}/METADATA": METADATA.encode(),
        f"{INFO}/WHEEL": WHEEL.encode(),
        f"{INFO}/RECORD": b"shop/mod.py,,\n",
    }
    for _ in range(random.randint(0, 2)):
        random.choice(_ENTRY_CHANGES)(random, entries)
    data = _zipped(random, entries)
    for _ in range(random.choice((0, 0, 1, 1, 2))):
        data = random.choice(_ZIP_CHANGES)(random, data)
    return random.choice(_FILES), data


# -- changes of what is in it


def _odd_name(random: Random, entries: Entries) -> None:
    entries[random.choice(_NAMES)] = entries["shop/mod.py"] if random.random() < 0.5 else random.randbytes(50)


def _odd_metadata(random: Random, entries: Entries) -> None:
    lines = METADATA.splitlines()
    for _ in range(random.randint(1, 3)):
        lines.insert(random.randrange(len(lines) + 1), random.choice(_HEADERS))
    if random.random() < 0.2:
        lines += [f"Requires-Dist: needed{i}>={i}" for i in range(random.choice((10, 3000)))]
    entries[f"{INFO}/METADATA"] = "\n".join(lines).encode(errors="surrogatepass")


def _odd_wheel_file(random: Random, entries: Entries) -> None:
    old, new = random.choice((
        ("Root-Is-Purelib: true", "Root-Is-Purelib: false"), ("Wheel-Version: 1.0", "Wheel-Version: 99.x"),
        ("Tag: py3-none-any", "Tag: "), (WHEEL, ""), (WHEEL, "\x00" * 100), ("Tag", "\x1b[2JTag"),
        ("\n", "\n\n"),
    ))  # fmt: skip
    entries[f"{INFO}/WHEEL"] = WHEEL.replace(old, new).encode()


def _missing(random: Random, entries: Entries) -> None:
    del entries[random.choice(sorted(entries))]
    entries.setdefault("shop/mod.py", b"def f(x): return x > 1\n")


def _mutated_member(random: Random, entries: Entries) -> None:
    name = random.choice(sorted(entries))
    entries[name] = text_mutations.mutate_bytes(random, entries[name])


def _another_package(random: Random, entries: Entries) -> None:
    name = random.choice(words.NAMES)[:60]
    entries[f"{name}/__init__.py"] = entries["shop/mod.py"]


def _nested(random: Random, entries: Entries) -> None:
    entries["shop/inner.whl"] = _zipped(random, dict(entries))


def _many(random: Random, entries: Entries) -> None:
    for number in range(random.choice((100, 1500))):
        entries[f"shop/many/m{number}.py"] = b""


def _bomb(random: Random, entries: Entries) -> None:
    inside = ("shop/mod.py", "shop/bomb.py", "shop/bomb.bin", f"{INFO}/METADATA", f"{INFO}/RECORD")
    name = random.choice(inside)
    entries[name] = random.choice((b"\0", b"#", b"\n", b"x=1\n")) * (random.choice((1, 1, 20, 70)) << 20)


def _link(random: Random, entries: Entries) -> None:
    name = random.choice(("shop/mod.py", "shop/link.py", "out"))
    entries[f"link:{name}"] = random.choice((b"/etc/passwd", b"../../x", b"mod.py", b"/"))


_ENTRY_CHANGES: Final[tuple[Callable[[Random, Entries], None], ...]] = (
    _odd_name, _odd_name, _odd_name, _odd_metadata, _odd_metadata, _odd_wheel_file, _missing,
    _mutated_member, _mutated_member, _another_package, _nested, _many, _bomb, _link,
)  # fmt: skip


# -- writing it


def _zipped(random: Random, entries: Entries) -> bytes:
    buffer = io.BytesIO()
    stored, deflated, others = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
    method = random.choice((stored, stored, deflated, deflated, deflated, *others))
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in entries.items():
            _write(random, archive, name, data, method if len(data) < 1 << 20 else zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _write(random: Random, archive: zipfile.ZipFile, name: str, data: bytes, method: int) -> None:
    kind, mode = "", random.choice((0o644, 0o644, 0o644, 0, 0o4755))
    if name.startswith("link:"):
        kind, name = "link", name[5:]
        mode = stat.S_IFLNK | 0o777
    info = zipfile.ZipInfo("x", (1980, 1, 1, 0, 0, 0))
    info.filename = name.encode(errors="replace").decode()  # past the constructor, which repairs names
    info.compress_type = method
    info.external_attr = mode << 16
    if kind or name not in archive.NameToInfo:
        archive.writestr(info, data)


# -- changes of its bytes


def _truncated(random: Random, data: bytes) -> bytes:
    return data[: random.randrange(max(1, len(data)))]


def _some_bytes(random: Random, data: bytes) -> bytes:
    return text_mutations.mutate_bytes(random, data[:2_000_000])


def _embraced(random: Random, data: bytes) -> bytes:
    junk = random.randbytes(random.randint(1, 300))
    return junk + data if random.random() < 0.5 else data + junk


def _central_field(random: Random, data: bytes) -> bytes:
    """A field in the list of the contents: flags, method, check sum, sizes, lengths, attributes, place."""
    return _with_field(random, data, b"PK\x01\x02", _FIELDS)


def _local_field(random: Random, data: bytes) -> bytes:
    return _with_field(random, data, b"PK\x03\x04", _LOCAL_FIELDS)


def _with_field(random: Random, data: bytes, mark: bytes, fields: Fields) -> bytes:
    places = _found(data, mark)
    if not places:
        return data
    offset, layout, values = random.choice(fields)
    return _patched(data, random.choice(places) + offset, struct.pack(layout, random.choice(values)))


def _end_field(random: Random, data: bytes) -> bytes:
    places = _found(data, b"PK\x05\x06")
    offset, layout = random.choice(((4, "<H"), (8, "<H"), (10, "<H"), (12, "<L"), (16, "<L"), (20, "<H")))
    value = random.choice((0, 1, 0x7FFF, 0xFFFF if layout == "<H" else 0xFFFFFFFF))
    return _patched(data, random.choice(places) + offset, struct.pack(layout, value)) if places else data


def _twice(_random: Random, data: bytes) -> bytes:
    return data + data


def _other_file(random: Random, _data: bytes) -> bytes:
    empty, gzip = b"PK\x05\x06" + b"\0" * 18, b"\x1f\x8b\x08" + b"\0" * 50
    return random.choice((b"", b"PK", empty, b"\x7fELF", b"#!/bin/sh\n", random.randbytes(500), gzip))


def _found(data: bytes, mark: bytes) -> list[int]:
    places: list[int] = []
    place = data.find(mark)
    while place >= 0 and len(places) < 100:
        places.append(place)
        place = data.find(mark, place + 1)
    return places


def _patched(data: bytes, place: int, new: bytes) -> bytes:
    return data[:place] + new + data[place + len(new) :]


_SIZES: Final = (0, 1, 100, 1 << 20, 0x7FFFFFFF, 0xFFFFFFFE, 0xFFFFFFFF)

_FIELDS: Final[Fields] = (
    (6, "<H", (0, 99, 0xFFFF)), (8, "<H", (1, 8, 0x20, 0x40, 0x800, 0x2000, 0xFFFF)),
    (10, "<H", (0, 1, 8, 9, 12, 14, 93, 99, 0xFFFF)), (12, "<H", (0, 0xFFFF)), (14, "<H", (0, 0xFFFF)),
    (16, "<L", (0, 0xDEADBEEF)), (20, "<L", _SIZES), (24, "<L", _SIZES), (28, "<H", (0, 1, 0xFFFF)),
    (30, "<H", (0, 4, 0xFFFF)), (32, "<H", (0, 0xFFFF)),
    (38, "<L", (0, 0xA1FF0000, 0x61B60000, 0x41ED0010)), (42, "<L", _SIZES),
)  # fmt: skip

_LOCAL_FIELDS: Final[Fields] = (
    (4, "<H", (0, 99)), (6, "<H", (1, 8, 0x41, 0xFFFF)), (8, "<H", (0, 8, 12, 14, 99)), (14, "<L", (0, 1)),
    (18, "<L", _SIZES), (22, "<L", _SIZES), (26, "<H", (0, 1, 0xFFFF)), (28, "<H", (0, 0xFFFF)),
)  # fmt: skip

_ZIP_CHANGES: Final[tuple[Callable[[Random, bytes], bytes], ...]] = (
    _truncated, _some_bytes, _some_bytes, _embraced, _central_field, _central_field, _central_field,
    _local_field, _local_field, _end_field, _twice, _other_file,
)  # fmt: skip
