"""Iterators that a call returned, also as parts of a result: what each gives, as a test would take it."""

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


def pictures_of_parts(
    result: Any, picture: Callable[[Any], Snapshot], mark: Callable[[bool], None]
) -> dict[int, Snapshot]:
    """Return what the iterators in a result gave, by identity; of those that have an end within bounds.

    Args:
        result: what a call returned.
        picture: takes the snapshot of an item.
        mark: is called before each, with True, and with False after one of which nothing is told: no test
            goes through it, so that what ran meanwhile does not count.
    """
    found: dict[int, Snapshot] = {}
    for part in lazy_parts(result):
        if id(part) in found:
            continue
        mark(True)
        try:
            items = [picture(item) for item in islice(part, MOST_TAKEN)]
        except BaseException:  # noqa: BLE001 - code of the target
            mark(False)
            continue
        if len(items) < MOST_TAKEN:
            found[id(part)] = Iterated(type_name(part), tuple(items), True)
        else:
            mark(False)
    return found


async def drain(generator: Any, taken: list[Any], note: Callable[[bool], None]) -> None:
    """Take the items of an asynchronous generator, as many as a test would."""
    note(False)
    async for item in generator:
        taken.append(item)
        note(False)
        if len(taken) >= MOST_TAKEN:
            return
    note(True)
