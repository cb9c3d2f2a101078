"""Files and wheels for tests, written from a table."""

from __future__ import annotations

import importlib.util
import py_compile
import shutil
import zipfile
from collections.abc import Mapping
from importlib.machinery import EXTENSION_SUFFIXES
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


def make_wheel(
    path: Path, files: Mapping[str, str | bytes], *needs: str, metadata: str | None = None, record: str = ""
) -> Path:
    """A wheel that holds some files and what makes it one.

    Args:
        path: where to write it; the file's name says name and version.
        files: what it holds.
        needs: the values of its `Requires-Dist` lines, or whole lines that name another field.
        metadata: its METADATA, if it is to be another than that.
        record: more lines of its RECORD.
    """
    name, version = path.name.split("-")[:2]
    lines = [need if ": " in need else f"Requires-Dist: {need}" for need in needs]
    if metadata is None:
        metadata = "\n".join(["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", *lines, ""])
    about = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        for entry, content in files.items():
            archive.writestr(entry, content)
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n")
        archive.writestr(f"{about}/METADATA", metadata)
        archive.writestr(f"{about}/RECORD", "".join(f"{entry},,\n" for entry in files) + record)
    return path


def compile_to(file: Path, source: str, *, built_as: str = "/build/elsewhere.py") -> Path:
    """Write the bytecode of a source, as if it had been compiled on another machine."""
    file.parent.mkdir(parents=True, exist_ok=True)
    text = file.with_suffix(".txt")
    text.write_text(source, encoding="utf-8")
    py_compile.compile(str(text), str(file), dfile=built_as, doraise=True)
    text.unlink()
    return file


def extension(folder: Path, name: str = "_heapq") -> Path | None:
    """A copy of an extension of the standard library; None where it is built into the interpreter."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None or not spec.origin.endswith(tuple(EXTENSION_SUFFIXES)):
        return None
    folder.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy(spec.origin, folder))
