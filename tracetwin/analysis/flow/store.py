"""Facts on disk, beside the twins: what was found out is kept while source and instrumenter are the same.

A file that is missing, damaged, foreign or can't be written costs time and nothing else.

Facts and pairs as plain data for the cache, and back.
"""

from __future__ import annotations

import contextlib
import marshal
from typing import Any, Final

from instrumenter.cache import default_directory, instrumenter_version
from instrumenter.cache_folder import CacheFolder, digest_of
from tracetwin.analysis.flow.bodies import FlowBody
from tracetwin.analysis.flow.facts import ClassFacts, InvokableFacts, ModuleFacts
from tracetwin.analysis.flow.locations import Location, LocationTable
from tracetwin.analysis.flow.pairs import DefUsePair
from tracetwin.analysis.flow.trail import AttributePart
from tracetwin.model.field_types import encode, reader

_MAGIC: Final = b"tracetwin-flow-4\n"


def load(source: bytes | str, module: str, what: str) -> Any:
    """The value that `save` kept under this key, or None."""
    payload = _folder().read(_key(source, module, what))
    try:
        return None if payload is None else marshal.loads(payload)
    except (ValueError, TypeError, EOFError):
        return None


def save(source: bytes | str, module: str, what: str, plain: Any) -> None:
    """Keep plain data (numbers, texts, tuples) for the next process."""
    with contextlib.suppress(OSError):
        _folder().write(_key(source, module, what), marshal.dumps(plain))


def _folder() -> CacheFolder:
    return CacheFolder(default_directory(), "flow", _MAGIC)


def _key(source: bytes | str, module: str, what: str) -> bytes:
    text = source if isinstance(source, bytes) else source.encode("utf-8", "surrogatepass")
    return digest_of(instrumenter_version(), text, module.encode(), what.encode())


def to_plain(facts: ModuleFacts) -> tuple[Any, ...]:
    """Facts but for their pairs."""
    parts = (facts.invokables.values(), facts.classes.values(), facts.bodies)
    rows = [(location.owner, location.attribute, int(location.part)) for location in facts.table.rows]
    table = (facts.table.orders, facts.table.groups, rows)
    return (facts.problem, *(list(map(encode, part)) for part in parts), dict(facts.numbers), *table)


def from_plain(plain: tuple[Any, ...], module: str) -> ModuleFacts:
    """The facts, without pairs.

    Raises:
        ValueError, TypeError: this is no such data.
    """
    problem, invokables, classes, bodies, numbers, orders, groups, rows = plain
    table = LocationTable(orders, groups)
    for owner, attribute, part in rows:
        table.number(Location(owner, attribute, AttributePart(part)))
    found = reader(tuple[InvokableFacts, ...])(invokables)
    known = reader(tuple[ClassFacts, ...])(classes)
    return ModuleFacts(
        module,
        {invokable.qualname: invokable for invokable in found},
        {one.name: one for one in known},
        {},
        problem,
        table,
        reader(tuple[FlowBody, ...])(bodies),
        numbers,
    )


def pairs_to_plain(pairs: tuple[DefUsePair, ...]) -> list[tuple[Any, ...]]:
    """The pairs of one class."""
    return list(map(encode, pairs))


def pairs_from_plain(plain: list[tuple[Any, ...]]) -> tuple[DefUsePair, ...]:
    """The pairs of one class, from the cache."""
    return reader(tuple[DefUsePair, ...])(plain)  # type: ignore[no-any-return]
