"""The theories that z3 is asked with: each file here registers one, other distributions may add theirs."""

from __future__ import annotations

import functools
import importlib
import pkgutil

from tracetwin.solving.smt.theory import Theory, TheoryTurn, registered
from tracetwin.support.plugins import THEORIES, plugins


def theories(turn: TheoryTurn | None = None) -> list[type[Theory]]:
    """The theories of a turn, or all."""
    _load()
    return [cls for cls in registered() if turn in (None, cls.turn)]


@functools.cache
def _load() -> None:
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        importlib.import_module(f"{__name__}.{module.name}")
    plugins(THEORIES)
