"""Twins every module that matches a pattern into a cache, for `child.py`, whose processes lack libcst.

Usage: python warm.py CACHE PATTERN ..., with the repository on PYTHONPATH.
"""

from __future__ import annotations

import importlib.machinery
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from instrumenter.cache import TwinCache
from instrumenter.hook import Patterns


def sources(patterns: Sequence[str]) -> Iterator[tuple[str, Path]]:
    """Dotted name and file of each matching module that is written in Python."""
    for top in sorted({pattern.partition(".")[0] for pattern in patterns}):
        spec = importlib.machinery.PathFinder.find_spec(top)
        if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
            continue
        yield top, Path(spec.origin)
        for folder in spec.submodule_search_locations or ():
            for file in sorted(Path(folder).rglob("*.py")):
                parts = [top, *file.relative_to(folder).with_suffix("").parts]
                yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), file


def main() -> None:
    """Build what is missing, and say what could not be rewritten."""
    cache, patterns = TwinCache(sys.argv[1]), sys.argv[2:]
    wanted = Patterns(patterns)
    for name, file in sources(patterns):
        if wanted.matches(name):
            built = cache.load(file.read_bytes(), name=name, filename=str(file))
            if built.twin.untouched is not None:
                print(f"{name} is left as it is: {built.twin.untouched}", file=sys.stderr)


if __name__ == "__main__":
    main()
