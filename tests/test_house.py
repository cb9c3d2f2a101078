"""The house keeps its shape: small folders and files, docstrings that say what is returned or done.

The tables say where that is not so yet. They are strict both ways: nothing new gets in, and whoever mends
something takes it out.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("instrumenter", "runtime", "tracetwin")
MOST_FILES, MOST_LINES = 25, 400

LARGE_FOLDERS: dict[str, int] = {}
LONG_FILES: set[str] = set()
VAGUE: dict[str, int] = {
    "tracetwin/analysis": 1,
    "tracetwin/drawing": 3,
    "tracetwin/support": 3,
}


def product_files() -> Iterator[Path]:
    for room in ROOMS:
        yield from sorted((ROOT / room).rglob("*.py"))


def docstrings(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""


def test_no_folder_has_more_files_than_a_reader_takes_in() -> None:
    files = Counter(file.parent.relative_to(ROOT).as_posix() for file in product_files())
    assert LARGE_FOLDERS == {folder: count for folder, count in files.items() if count > MOST_FILES}


def test_no_file_is_longer_than_one_subject_needs() -> None:
    lines = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in product_files()}
    assert {
        file.relative_to(ROOT).as_posix() for file, count in lines.items() if count > MOST_LINES
    } == LONG_FILES


def vague() -> dict[str, int]:
    """Count the docstrings that open with "What" or "Whether" per package."""
    found: Counter[str] = Counter()
    for file in product_files():
        parts = file.relative_to(ROOT).parts
        package = "/".join(parts[: 2 if parts[0] == "tracetwin" and len(parts) > 2 else 1])
        found[package] += sum(text.startswith(("What ", "Whether ")) for text in docstrings(file))
    return {package: count for package, count in found.items() if count}


def test_docstrings_say_what_is_returned_or_done() -> None:
    assert vague() == VAGUE


def test_a_public_class_name_stands_for_one_class() -> None:
    homes: dict[str, list[str]] = {}
    for file in product_files():
        for node in ast.parse(file.read_bytes()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(file.relative_to(ROOT).as_posix())
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}
