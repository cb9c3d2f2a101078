"""Packages that are installed: elsewhere there are others, so only the target's own is there in any case."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, Final

from tracetwin.replay.conditions.conditions import Conditions

_METADATA: Final = "importlib.metadata"


def have_others(conditions: Conditions, target: str) -> None:
    """From now on whoever asks which packages are installed finds that of the target, and none beside it.

    That of a package by its name is told as before: what the target needs is there wherever it is.

    Args:
        conditions: those of this process.
        target: the dotted name of the module, which was imported.
    """
    library: Any = sys.modules.get(_METADATA)
    if not conditions.elsewhere or library is None:
        return
    own, all_of = target.partition(".")[0], library.distributions

    def distributions(**context: Any) -> Iterator[Any]:
        return (one for one in all_of(**context) if context or _holds(one, own))

    library.distributions = distributions


def _holds(distribution: Any, package: str) -> bool:
    """Return whether a distribution has a package, or a module, among its files."""
    return any(path.parts[:1] in ((package,), (f"{package}.py",)) for path in distribution.files or ())
