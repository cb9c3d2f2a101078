"""Writes the table at the top of each folder's README from the first lines of the docstrings beneath it.

`python docs/readmes.py` rewrites what is out of date and names it; with `--check` it names it and fails.
Whatever stands behind the table is written by hand, and stays.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("instrumenter", "runtime", "tracetwin")
HEAD = "| file or folder | what it does |\n|---|---|\n"


def folders() -> Iterator[Path]:
    """Yield the folders of the product that hold Python files, parents first."""
    for room in ROOMS:
        found = {file.parent for file in (ROOT / room).rglob("*.py")}
        yield from sorted(folder for folder in found if (folder / "__init__.py").is_file())


def first_line(file: Path) -> str:
    """Return the first line of a module's docstring, "" where it has none."""
    docstring = ast.get_docstring(ast.parse(file.read_text("utf-8")))
    return (docstring or "").partition("\n")[0].replace("|", "\\|")


def table(folder: Path) -> str:
    """Return the title and the table of a folder's README."""
    modules = sorted(file for file in folder.glob("*.py") if file.name != "__init__.py")
    beneath = sorted(place for place in folder.iterdir() if (place / "__init__.py").is_file())
    rows = [(f"`{file.name}`", first_line(file)) for file in modules]
    rows += [(f"`{place.name}/`", first_line(place / "__init__.py")) for place in beneath]
    title = f"# {folder.relative_to(ROOT).as_posix()}\n\n{first_line(folder / '__init__.py')}\n\n"
    return title + HEAD + "".join(f"| {name} | {line} |\n" for name, line in rows)


def readme(folder: Path) -> str:
    """Return the whole README as it should be: the table as it is now, then what was written by hand."""
    file = folder / "README.md"
    old = file.read_text("utf-8") if file.exists() else ""
    _, found, rest = old.partition(HEAD)
    lines = rest.splitlines(keepends=True) if found else []
    while lines and lines[0].startswith("|"):
        del lines[0]
    return table(folder) + "".join(lines)


def main(arguments: list[str]) -> int:
    """Rewrite the READMEs, or say which are out of date; return the exit status."""
    stale = []
    for folder in folders():
        file, wanted = folder / "README.md", readme(folder)
        if not file.exists() or file.read_text("utf-8") != wanted:
            stale.append(file.relative_to(ROOT).as_posix())
            if "--check" not in arguments:
                file.write_text(wanted, "utf-8")
    print("\n".join(stale))
    return int(bool(stale) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
