"""Runs CPython's tests of one module in this process, on the original or on twins; started by `suites.py`.

The runtime and the import hook need half of the standard library themselves. They are loaded first and
keep those modules for themselves: every module written in Python is then forgotten, so that `unittest`,
the tests and whatever they use import it anew, now through the hook. Even `abc`, `functools`, `enum`
and `typing` are twins this way, everywhere but in the runtime. The original goes the same way, with a hook
that matches nothing.

Usage: python -S -s -X frozen_modules=off child.py ORDER, where ORDER is a Python literal (see `Order`).
"""

from __future__ import annotations

import sys

sys.path.pop(0)  # this folder: its names must not stand in the way of the tests' imports

KEPT = ("encodings", "codecs", "runtime", "instrumenter")
"""Codecs are registered by the module that Python started with; the others are ours."""


def forget_python_modules() -> None:
    """Drop what was imported from source, except what cannot be imported twice."""
    from importlib.machinery import SourceFileLoader

    for name, module in list(sys.modules.items()):
        loader = getattr(getattr(module, "__spec__", None), "loader", None)
        if isinstance(loader, SourceFileLoader) and name.partition(".")[0] not in KEPT:
            del sys.modules[name]


def main() -> None:
    """Load the hook, forget what it needed, run the tests, write one line for each result."""
    import ast

    order = ast.literal_eval(sys.argv[1])
    sys.path.insert(0, order["repository"])
    sys.path.append(order["libraries"])
    import instrumenter.cache
    import instrumenter.hook
    import runtime.models.texts.strings
    import runtime.trace
    import runtime.twin

    cache = instrumenter.cache.TwinCache(order["cache"])
    instrumenter.cache.instrumenter_version()  # it looks at libcst's version, once
    sys.path.pop(0)
    sys.path.pop()
    forget_python_modules()
    # Not `install`: that imports libcst where modules of the standard library are to be twins.
    patterns = instrumenter.hook.Patterns(order["twins"])
    finder = instrumenter.hook.TwinFinder(patterns, runtime.twin, cache)
    sys.meta_path.insert(0, finder)

    sys.path.insert(0, order["here"])
    import recording

    sys.path.pop(0)
    del sys.argv[1:]
    with open(order["results"], "w", encoding="ascii", buffering=1) as file:  # noqa: PTH123 - pathlib may be a twin
        recording.run(order["tests"], order["match"], lambda *line: print(ascii(line), file=file))
        passed = runtime.trace.current.outcomes
        for name, twin in finder.twins.items():
            reached = sum(1 for site in twin.sites if site.id * 2 in passed or site.id * 2 + 1 in passed)
            print(ascii(("twin", name, twin.untouched or "", reached, len(twin.sites))), file=file)
        print(ascii(("end",)), file=file)


if __name__ == "__main__":
    main()
