"""Measure what a twin costs before it runs: time to build it, time to load it from the cache, size in memory.

Over modules of the standard library, each measure in a process of its own; time is that of the processor, so
that other work on the machine does not count. Exit status 1 when a measure exceeds its gate.
Usage: python benchmarks/instrumenting.py [MODULE...]
"""

from __future__ import annotations

import importlib.util
import json
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType
from typing import Any

from harness import REPOSITORY, environment, gate

COLD = 5000.0  # lines per second
WARM = 0.030  # seconds per module
SIZE = 4.0  # bytes per byte of the original's code

MODULES = """
    abc argparse ast base64 bisect calendar cmd code codecs colorsys configparser contextlib copy copyreg csv
    dataclasses difflib dis doctest enum fileinput fnmatch fractions functools glob gzip hashlib heapq
    html.parser inspect ipaddress json.decoder json.encoder logging mimetypes optparse pathlib pdb pickle
    pprint posixpath queue random shlex shutil statistics string subprocess tarfile textwrap threading
    tokenize traceback turtle types typing unittest.mock urllib.parse uuid warnings zipfile _pydecimal
""".split()

Row = tuple[str, int, float]  # module, lines or bytes, seconds or ratio


def sources(names: list[str]) -> Iterator[tuple[str, str, bytes]]:
    """Name, file and source of each module that is Python source in this version."""
    for name in names:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin is not None and spec.origin.endswith(".py"):
            yield name, spec.origin, Path(spec.origin).read_bytes()


def cold(names: list[str], folder: Path) -> list[Row]:
    """Lines and seconds for each module that is not in the cache yet; before them the import of libcst."""
    start = time.process_time()
    from instrumenter import relocate, rewriter  # noqa: F401 - the import is what is measured
    from instrumenter.cache import TwinCache

    cache = TwinCache(folder)
    rows = [("libcst", 0, time.process_time() - start)]
    start = time.process_time()
    for name, file, source in sources(names):
        cache.load(source, name=name, filename=file)
        end = time.process_time()
        rows.append((name, source.count(b"\n"), end - start))
        start = end
    return rows


def warm(names: list[str], folder: Path) -> list[Row]:
    """Lines and seconds for each module that is in the cache, its source read again as an import does."""
    from instrumenter.cache import TwinCache

    cache = TwinCache(folder)
    rows = []
    for name, file, source in sources(names):
        start = time.process_time()
        cache.load(Path(file).read_bytes(), name=name, filename=file)
        rows.append((name, source.count(b"\n"), time.process_time() - start))
    if "libcst" in sys.modules:
        raise RuntimeError("a module was not in the cache")
    return rows


def size(names: list[str], folder: Path) -> list[Row]:
    """Bytes of the original's code, and how many times as many the twin's takes."""
    from instrumenter.cache import TwinCache

    cache = TwinCache(folder)
    rows = []
    for name, file, source in sources(names):
        original = memory(compile(source, file, "exec", dont_inherit=True))
        twin = memory(cache.load(source, name=name, filename=file).code)
        rows.append((name, original, twin / original))
    return rows


def memory(code: CodeType) -> int:
    """Bytes of a code object with its constants, names and tables, those of all within it included."""
    seen: set[int] = set()
    waiting: list[Any] = [code]
    total = 0
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        total += sys.getsizeof(thing)
        if isinstance(thing, (tuple, frozenset)):
            waiting.extend(thing)
        elif isinstance(thing, CodeType):
            waiting += [thing.co_consts, thing.co_names, thing.co_linetable]
            waiting.append(getattr(thing, "co_exceptiontable", b""))
    return total


MEASURES: dict[str, Callable[[list[str], Path], list[Row]]] = {"cold": cold, "warm": warm, "size": size}


def measured(kind: str, names: list[str], folder: Path) -> list[Row]:
    """One of the measures, in a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, f"--{kind}", str(folder), *names],
        env=environment(REPOSITORY),
        capture_output=True,
        text=True,
        check=True,
    )
    return [(name, number, value) for name, number, value in json.loads(done.stdout)]


def main(names: list[str]) -> int:
    """Take all measures and compare them with their gates."""
    with tempfile.TemporaryDirectory() as folder:
        built, loaded, sized = (measured(kind, names, Path(folder)) for kind in ("cold", "warm", "size"))
    lines, seconds = sum(row[1] for row in built), sum(row[2] for row in built)
    rate = lines / seconds
    imported = built[0][2]
    median = statistics.median(row[2] for row in loaded)
    slowest, _, most = max(loaded, key=lambda row: row[2])
    whole = sum(row[1] * row[2] for row in sized) / sum(row[1] for row in sized)
    largest = max(sized, key=lambda row: row[2])
    print(f"{len(built) - 1} modules, {lines} lines; {imported:.2f} s to import libcst and the rewriter")
    return max(
        gate(
            rate >= COLD,
            f"cold: {rate:.0f} lines a second, {lines / (seconds - imported):.0f} without the import; "
            f"{COLD:.0f} wanted",
        ),
        gate(
            most <= WARM,
            f"warm: median {median * 1e3:.1f} ms a module, slowest {slowest} with {most * 1e3:.1f} ms; "
            f"at most {WARM * 1e3:.0f} wanted",
        ),
        gate(
            largest[2] <= SIZE,
            f"size: {whole:.2f} times the original's code, largest {largest[0]} with {largest[2]:.2f}; "
            f"at most {SIZE:.1f} wanted",
        ),
    )


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1].startswith("--"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the originals' own
            print(json.dumps(MEASURES[sys.argv[1][2:]](sys.argv[3:], Path(sys.argv[2]))))
    else:
        sys.exit(main(sys.argv[1:] or MODULES))
