"""The public functions; `import tracetwin` offers them without loading this before it is needed."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import os

    from instrumenter.hook import Handle
    from tracetwin.run.listener import Listener
    from tracetwin.run.results.module_result import ModuleResult


def generate_tests(
    *targets: str | os.PathLike[str],
    output: str | os.PathLike[str] | None = None,
    root: str | os.PathLike[str] | None = None,
    find_links: Sequence[str | os.PathLike[str]] = (),
    listener: Listener | None = None,
    config: str | os.PathLike[str] | Literal[False] | None = None,
    **options: Any,
) -> list[ModuleResult]:
    """Write tests for some targets, as `tracetwin generate` does.

    Args:
        targets: whatever the command line accepts: files, folders, names, wheels.
        output: folder for the test files; it may be left out where the configuration names one.
        root: import root; without it, derived from each path.
        find_links: folders that hold wheels which a wheel needs.
        listener: told of the progress.
        config: a file with a table `[tool.tracetwin]`; None: the `pyproject.toml` above the targets or above
            the current folder that has one; False: none.
        options: further fields of `tracetwin.Options`, such as `time_limit=10` or `seed=1`.

    Raises:
        TargetError: one of the targets can't be used, or the process has imported a module of its own called
            `runtime` or `instrumenter`; nothing was generated then.
        ConfigError: the configuration is wrong, or there is no output.
    """
    import os
    from pathlib import Path

    from tracetwin.support import own_modules

    own_modules.import_first()
    from tracetwin.config.settle import configuration, guided, settled, warnings
    from tracetwin.run.listener import Listener
    from tracetwin.run.scheduler.scheduler import generate
    from tracetwin.target.selection import resolve_runnable

    found = resolve_runnable(
        [os.fspath(target) for target in targets],
        None if root is None else Path(root),
        [Path(folder) for folder in find_links],
    )
    if found.problems:
        raise found.problems[0]
    file = None if config is None or config is False else Path(config)
    settings = configuration(file, found.modules, wanted=config is not False)
    chosen = settled(settings, {**options, "output": None if output is None else Path(output)})
    modules = guided(found.modules, settings, chosen)
    chosen.output.mkdir(parents=True, exist_ok=True)
    told = listener or Listener()
    given = {*options, *(["output"] if output is not None else ())}
    for sentence in warnings(settings, given):
        told.message(f"warning: {sentence}")
    for note in found.notes:
        told.message(f"note: {note}")
    return generate(modules, chosen, told)


def install(*patterns: str | Iterable[str]) -> Handle:
    """Install an import hook that loads the twins of the modules that match.

    Args:
        patterns: names of modules, one by one or in lists. `"shop"` is a module and, if it is a package,
            all beneath it; `"shop.__init__"` the package's own file alone; with `*`, `?` or `[...]` as in
            file names: `"shop.*"`, `"shop.api_*"`.

    Returns:
        A handle that is a context manager; its `uninstall()` ends it. It knows the `twins` loaded so far,
        the modules that had to stay `untouched`, and those imported too `early`.

    Raises:
        TargetError: there is no pattern, or one that can't be a module's name.

    Warns:
        AlreadyImportedWarning: modules that match were imported before, and stay as they are.
    """
    before = set(sys.modules)
    hook = _Hook(_names(patterns))
    # What only we have imported until now was not imported too early.
    hook.take_out(name for name in hook.imported() if name not in before)
    return hook.install(stacklevel=3)


def uninstall() -> None:
    """End everything that `install` began in this process; modules already imported stay as they are."""
    from tracetwin.support import own_modules

    own_modules.load("instrumenter.hook").uninstall()


@contextmanager
def twinned(*patterns: str | Iterable[str]) -> Iterator[Handle]:
    """Import twins inside a `with` block, and have the originals back behind it.

    Modules that match and are already imported are set aside, so that an import in the block gives the twin
    whatever happened before; afterwards `sys.modules` and the packages' attributes are as they were. Modules
    that do not match keep what they imported, the original before the block or the twin in it.

    Args:
        patterns: as for `install`.

    Raises:
        TargetError: as for `install`.
    """
    hook = _Hook(_names(patterns))
    aside = hook.take_out(hook.imported())
    try:
        with hook.install(stacklevel=4) as handle:
            yield handle
    finally:
        hook.take_out(hook.imported())
        hook.put_back(aside)


def _names(patterns: Iterable[Any]) -> tuple[str, ...]:
    from tracetwin.support.errors import TargetError

    names: list[Any] = []
    for pattern in patterns:
        names += [pattern] if isinstance(pattern, str) or not isinstance(pattern, Iterable) else pattern
    if not names:
        raise TargetError("install()", "needs the name of a module, such as install('shop')")
    for name in names:
        if not isinstance(name, str):
            raise TargetError(repr(name), "is not the name of a module, a string such as 'shop.cart'")
        parts = name.translate(dict.fromkeys(map(ord, "*?[]!-"), "_")).split(".")
        if not all(part.isidentifier() or part.isalnum() for part in parts):
            raise TargetError(name, "is not the name of a module; write it as in `import`, such as shop.cart")
    return tuple(names)


class _Hook:
    """All that installing takes, imported before modules that it stands on are set aside."""

    def __init__(self, names: tuple[str, ...]) -> None:
        from tracetwin.support import module_reload as aside
        from tracetwin.support import own_modules

        hook = own_modules.load("instrumenter.hook")
        self.patterns = hook.Patterns(names)
        hook.load_rewriter(self.patterns)
        self._module, self._interface = hook, own_modules.load("runtime.twin")
        self._cache = own_modules.load("instrumenter.cache")
        self.take_out, self.put_back = aside.take_out, aside.put_back

    def imported(self) -> list[str]:
        """Names of imported modules that match."""
        return [name for name in list(sys.modules) if self.patterns.matches(name)]

    def install(self, stacklevel: int) -> Handle:
        """Install the hook, with the user's cache."""
        handle: Handle = self._module.install(
            self.patterns.written, self._interface, self._cache.TwinCache(), stacklevel=stacklevel + 1
        )
        return handle
