"""Pure-Python programs of the usual kinds, each as original and as twin.

A workload defines `run(size)`, whose result can be compared, and two sizes: `SIZE` to measure with, `SMALL` to test
with. Nothing in it depends on the clock, on hashes or on the machine.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

import instrumenter.rewriter  # noqa: F401 - it needs json itself, which is to be imported anew afterwards
from instrumenter.hook import install
from runtime import twin

NAMES = (
    "nbody",
    "richards",
    "deltablue",
    "chaos",
    "json_text",
    "parsing",
    "sorting",
    "strings",
    "spectral_norm",
    "nqueens",
)


@contextmanager
def _without(*prefixes: str) -> Iterator[None]:
    """Forget modules, so that they are imported anew; the ones that were there come back afterwards."""

    def named() -> list[str]:
        return [name for name in sys.modules if name in prefixes or name.startswith(tuple(f"{p}." for p in prefixes))]

    kept = {name: sys.modules.pop(name) for name in named()}
    try:
        yield
    finally:
        for name in named():
            del sys.modules[name]
        sys.modules.update(kept)


def original(name: str) -> ModuleType:
    """A workload as it stands, with its own copy of what it uses from the standard library."""
    full = f"{__name__}.{name}"
    with _without(full, "json", "_json"):
        sys.modules["_json"] = None  # type: ignore[assignment]  # "there is none": json is then pure Python
        return importlib.import_module(full)


def traced(name: str) -> ModuleType:
    """A workload as a twin on the live runtime, and as twins what it uses from the standard library."""
    full = f"{__name__}.{name}"
    with _without(full, "json", "_json"):
        sys.modules["_json"] = None  # type: ignore[assignment]
        with install([full, "json", "json.*"], twin):
            return importlib.import_module(full)
