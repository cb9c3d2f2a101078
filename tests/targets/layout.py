"""Files and wheels for tests, written from a table."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

FUNCTION = "def f(x):\n    return x\n"


def lay_out(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files beneath a folder; a path that ends in / is an empty folder."""
    for name, content in files.items():
        path = root / name
        if name.endswith("/"):
            path.mkdir(parents=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def make_wheel(path: Path, files: Mapping[str, str | bytes]) -> Path:
    """A wheel that holds some files and what makes it one."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
        archive.writestr("shop-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n")
    return path
