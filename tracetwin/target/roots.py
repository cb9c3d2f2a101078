"""The import root of a file: the folder from which its dotted name is counted.

Packages with `__init__.py` say it themselves. Namespace packages don't; there, in this order, decide the
conventional folders (`src` beside a project file, `site-packages`) and the module's own imports: one that
climbs (`from .. import x`) or that names a folder above it (`from shop.tax import rate` in shop/cart.py or in
the `__init__.py` of a package that it lies in).
"""

from __future__ import annotations

import ast
import keyword
import os
import sys
import sysconfig
import unicodedata
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Final

from tracetwin.support.errors import TargetError

INSTALLED: Final = frozenset({"site-packages", "dist-packages"})
PROJECT_FILES: Final = ("pyproject.toml", "setup.py", "setup.cfg")


def absolute(path: str | Path) -> Path:
    """An absolute path without `..`; links stay, for they may be what gives a package its name."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - Path.resolve() would follow links


def is_name(text: str) -> bool:
    """Return True if a part of a dotted name can stand in an import statement, which normalises it."""
    plain = text.isascii() or unicodedata.normalize("NFKC", text) == text
    return text.isidentifier() and not keyword.iskeyword(text) and plain


def import_name(target: str, file: Path, root: Path) -> str:
    """The dotted name of a file beneath an import root."""
    try:
        relative = file.relative_to(root)
    except ValueError:
        raise TargetError(target, f"does not lie beneath the import root {root}") from None
    parts = [*relative.parts[:-1], file.name.removesuffix(".py").removesuffix(".pyc")]
    if parts[-1] == "__init__":
        parts.pop()
    if not parts:
        raise TargetError(target, f"makes a package of the import root {root}; give the folder above it")
    for part in parts:
        if not is_name(part):
            kind = "a keyword" if keyword.iskeyword(part) else "not a name"
            raise TargetError(target, f"can't be imported: '{part}' is {kind} in Python; rename it")
    name = ".".join(parts)
    refuse_shadowing(target, parts[0], root)
    return name


def is_package(folder: Path) -> bool:
    """Return True if a folder is a regular package, whose `__init__` may be of any kind."""
    inits = ("__init__.py", "__init__.pyc", *(f"__init__{suffix}" for suffix in EXTENSION_SUFFIXES))
    return any((folder / name).is_file() for name in inits)


def refuse_shadowing(target: str, top: str, root: Path) -> None:
    """A module named like one of the standard library is already loaded when the target is imported."""
    if top not in sys.stdlib_module_names or top == "this":
        return
    paths = sysconfig.get_paths()
    library = {absolute(paths["stdlib"]), absolute(paths["platstdlib"]), absolute(os.__file__).parent}
    if root not in library:
        reason = f"has the name of the standard library's module '{top}', which an import would find instead"
        raise TargetError(target, f"{reason}; rename it, or give a --root above it")


def find_root(file: Path, tree: ast.Module) -> Path:
    """The import root of a file, judged by the folders above it and by what it imports."""
    top = file.parent
    while is_package(top) and top.parent != top:
        top = top.parent
    return _conventional(top) or _imported(file, top, tree) or top


def _conventional(folder: Path) -> Path | None:
    """The nearest `site-packages`, or `src` of a project, that a dotted name can be counted from."""
    for candidate in (folder, *folder.parents):
        if candidate.name in INSTALLED:
            return candidate
        if candidate.name == "src" and any((candidate.parent / name).is_file() for name in PROJECT_FILES):
            return candidate
        if not is_name(candidate.name):
            return None
    return None


def _imported(file: Path, top: Path, tree: ast.Module) -> Path | None:
    """The folder that the module's own imports are counted from, where that is above `top`."""
    climbed = 0
    named: set[tuple[str, ...]] = set()
    inits = [folder / "__init__.py" for folder in file.parents if folder.is_relative_to(top)]
    for node in (*ast.walk(tree), *(node for init in inits for node in _absolute_imports(init))):
        if isinstance(node, ast.ImportFrom):
            climbed = max(climbed, node.level)
            if not node.level and node.module:
                named.update((*node.module.split("."), alias.name) for alias in node.names)
                named.add(tuple(node.module.split(".")))
        elif isinstance(node, ast.Import):
            named.update(tuple(alias.name.split(".")) for alias in node.names)
    named = {parts for parts in named if len(parts) > 1 and parts[0] not in sys.stdlib_module_names}
    lowest = file.parents[climbed] if climbed < len(file.parents) else file.parents[-1]
    root = lowest if top.is_relative_to(lowest) else top
    for folder in (root, *root.parents):
        if not is_name(folder.name):
            break
        if any(_is_there(folder.parent, parts) for parts in named if parts[0] == folder.name):
            return folder.parent
    return root if root != top else None


def _absolute_imports(file: Path) -> list[ast.AST]:
    """The statements of a file that import what they name in full; none where it can't be read."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return []
    found = (node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom)))
    return [node for node in found if isinstance(node, ast.Import) or not node.level]


def _is_there(root: Path, parts: tuple[str, ...]) -> bool:
    """Return True if a dotted name leads to a module or a folder of modules beneath a root."""
    path = root.joinpath(*parts)
    if path.with_suffix(".py").is_file():
        return True
    return path.is_dir() and any(path.glob("*.py"))
