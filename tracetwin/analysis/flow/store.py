"""Facts on disk, beside the twins: what was found out is kept while source and instrumenter are the same.

A file that is missing, damaged, foreign or can't be written costs time and nothing else.

Facts and pairs as plain data for the cache, and back.
"""

from __future__ import annotations

import contextlib
import hashlib
import marshal
from pathlib import Path
from typing import Any, Final

from instrumenter.cache import default_directory, instrumenter_version
from instrumenter.files import write_atomically
from tracetwin.analysis.flow.bodies import FlowBody
from tracetwin.analysis.flow.facts import ClassFacts, InvokableFacts, ModuleFacts
from tracetwin.analysis.flow.locations import Location, LocationTable
from tracetwin.analysis.flow.pairs import DefUsePair
from tracetwin.analysis.flow.trail import AttributePart
from tracetwin.model.field_types import encode, reader

_MAGIC: Final = b"tracetwin-flow-3\n"
_PRIVATE: Final = 0o600
_DIGEST: Final = hashlib.sha256().digest_size


def load(source: bytes | str, module: str, what: str) -> Any:
    """The value that `save` kept under this key, or None."""
    path = _path(source, module, what)
    if path is None:
        return None
    try:
        content = path.read_bytes()
        if path.stat().st_mode & 0o022:
            return None  # others may have written it
    except OSError:
        return None
    start = len(_MAGIC) + _DIGEST
    payload = content[start:]
    # marshal may crash on damaged data, so it only sees what the checksum vouches for.
    if content[:start] != _MAGIC + hashlib.sha256(payload).digest():
        return None
    try:
        return marshal.loads(payload)
    except (ValueError, TypeError, EOFError):
        return None


def save(source: bytes | str, module: str, what: str, plain: Any) -> None:
    """Keep plain data (numbers, texts, tuples) for the next process."""
    path = _path(source, module, what)
    if path is None:
        return
    payload = marshal.dumps(plain)
    with contextlib.suppress(OSError):
        write_atomically(path, _MAGIC + hashlib.sha256(payload).digest() + payload, _PRIVATE)


def _path(source: bytes | str, module: str, what: str) -> Path | None:
    directory = default_directory()
    if directory is None:
        return None
    digest = hashlib.sha256(instrumenter_version())
    for part in (
        source if isinstance(source, bytes) else source.encode("utf-8", "surrogatepass"),
        module,
        what,
    ):
        raw = part.encode() if isinstance(part, str) else part
        digest.update(len(raw).to_bytes(8, "big") + raw)
    name = digest.hexdigest()
    return directory / "flow" / name[:2] / name[2:]


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
