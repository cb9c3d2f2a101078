"""The public functions; `import tracetwin` offers them without loading this before it is needed."""

from __future__ import annotations

import fnmatch
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tracetwin.errors import TargetError
from tracetwin.options import Options
from tracetwin.report.listener import Listener, Silent
from tracetwin.targets import resolve_all

if TYPE_CHECKING:
    from instrumenter.hook import Handle
    from tracetwin.results import ModuleResult


def generate_tests(
    *targets: str | os.PathLike[str],
    output: str | os.PathLike[str],
    root: str | os.PathLike[str] | None = None,
    listener: Listener | None = None,
    **options: Any,
) -> list[ModuleResult]:
    """Write tests for some targets, as `tracetwin generate` does.

    Args:
        targets: whatever the command line accepts: files, folders, names, wheels.
        output: folder for the test files.
        root: import root; without it, derived from each path.
        listener: told of the progress.
        options: further fields of `tracetwin.options.Options`, such as `time_limit=10` or `seed=1`.

    Raises:
        TargetError: one of the targets can't be used; nothing was generated then.
    """
    from tracetwin.generate import generate

    found = resolve_all([os.fspath(target) for target in targets], None if root is None else Path(root))
    if found.problems:
        raise found.problems[0]
    chosen = Options(output=Path(output), **options)
    chosen.output.mkdir(parents=True, exist_ok=True)
    return generate(found.modules, chosen, listener or Silent())


def install(*patterns: str) -> Handle:
    """From now on, import the twins of the modules that match.

    Args:
        patterns: module names, with `*` as in file names: `"shop"`, `"shop.*"`.

    Returns:
        A handle that is a context manager; its `uninstall()` ends it.
    """
    if not patterns:
        raise TargetError("install()", "needs the name of a module, such as install('shop', 'shop.*')")
    from instrumenter.cache import Cache
    from instrumenter.hook import install as install_hook
    from runtime import twin

    return install_hook(patterns, twin, Cache())


def uninstall() -> None:
    """End everything that `install` began in this process; modules already imported stay as they are."""
    from instrumenter.hook import uninstall as uninstall_hooks

    uninstall_hooks()


@contextmanager
def twinned(*patterns: str) -> Iterator[Handle]:
    """Import twins inside a `with` block, and have the originals back behind it.

    Modules that match and are already imported are set aside, so that an import in the block gives the twin
    whatever happened before; afterwards `sys.modules` and the packages' attributes are as they were.
    """
    aside = _take_out(patterns)
    try:
        with install(*patterns) as handle:
            yield handle
    finally:
        _take_out(patterns)
        for name, module in aside.items():
            sys.modules[name] = module
        for name, module in aside.items():
            parent, _, last = name.rpartition(".")
            if parent in sys.modules:
                setattr(sys.modules[parent], last, module)


def _take_out(patterns: tuple[str, ...]) -> dict[str, ModuleType]:
    """Forget the imported modules that match, also as attributes of packages that stay."""
    names = [name for name in sys.modules if any(fnmatch.fnmatchcase(name, p) for p in patterns)]
    taken = {name: sys.modules.pop(name) for name in names}
    for name in taken:
        parent, _, last = name.rpartition(".")
        if parent in sys.modules and hasattr(sys.modules[parent], last):
            delattr(sys.modules[parent], last)
    return taken
