"""The modules that a change in a git repository can affect."""

from __future__ import annotations

import ast
import os
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tracetwin.support.errors import TargetError
from tracetwin.target.module import TargetModule


def affected(modules: Sequence[TargetModule], revision: str) -> list[TargetModule]:
    """Return the modules whose files differ from a revision, and those that import one of them.

    Imports are followed from target to target, as far as they are written as such.

    Raises:
        TargetError: there is no git, no repository, or no such revision.
    """
    changed: set[str] = set()
    for folder in sorted({str(Path(module.file).parent) for module in modules}):
        changed |= set(_changed(folder, revision))
    found = {module.name for module in modules if os.path.realpath(module.file) in changed}
    importing = {module.name: set(_imported(module)) for module in modules}
    while True:
        new = {name for name, used in importing.items() if name not in found and used & found}
        if not new:
            return [module for module in modules if module.name in found]
        found |= new


def _changed(folder: str, revision: str) -> Iterator[str]:
    """The files of the repository around a folder that differ from a revision, or are new."""
    top = _git(folder, "rev-parse", "--show-toplevel").strip()
    named = _git(top, "diff", "--name-only", "-z", "--end-of-options", revision, "--")
    new = _git(top, "ls-files", "--others", "--exclude-standard", "-z")
    for name in filter(None, (named + new).split("\0")):
        yield os.path.realpath(os.path.join(top, name))  # noqa: PTH118 - as what it is compared with


def _git(folder: str, *arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", folder, *arguments], capture_output=True, text=True, check=False,
            errors="surrogateescape",
        )  # fmt: skip
    except OSError:
        raise TargetError("--changed-since", "it takes git, which is not installed") from None
    if done.returncode:
        why = (done.stderr.strip().splitlines() or ["git failed"])[0].removeprefix("fatal: ")
        raise TargetError("--changed-since", why)
    return done.stdout


def _imported(module: TargetModule) -> Iterable[str]:
    """The names of modules that one may import, those included that are only attributes of a package."""
    try:
        tree = ast.parse(Path(module.file).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    is_package = Path(module.file).name == "__init__.py"
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = module.name.split(".")
            above = above[: len(above) - node.level + is_package] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)
