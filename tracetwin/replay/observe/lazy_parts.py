"""Iterators among the parts of a result: what each gives, taken in the order in which a test would."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final

from tracetwin.model.snapshot import Iterated, Snapshot
from tracetwin.replay.observe.snap import type_name

MOST_PARTS: Final = 8
MOST_TAKEN: Final = 50

_HOMES: Final = ("builtins", "itertools")


def lazy_parts(result: Any) -> Iterator[Any]:
    """Yield the generators and iterators of the library in a short list, tuple or dict."""
    kind = type(result)
    if kind not in (list, tuple, dict) or len(result) > MOST_PARTS:
        return
    for part in list(result.values() if kind is dict else result):
        if type(part).__module__ in _HOMES and hasattr(type(part), "__next__"):
            yield part


def pictures_of_parts(result: Any, picture: Callable[[Any], Snapshot]) -> dict[int, Snapshot]:
    """Return what the iterators in a result gave, by identity; of those that have an end within bounds."""
    found: dict[int, Snapshot] = {}
    for part in lazy_parts(result):
        if id(part) not in found:
            try:
                items = [picture(item) for item in islice(part, MOST_TAKEN)]
            except BaseException:  # noqa: BLE001, S112 - code of the target; nothing is said of this part then
                continue
            if len(items) < MOST_TAKEN:
                found[id(part)] = Iterated(type_name(part), tuple(items), True)
    return found
