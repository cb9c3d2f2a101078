"""Facts on disk, beside the twins: what was found out is kept while source and instrumenter are the same.

A file that is missing, damaged, foreign or can't be written costs time and nothing else.

Facts and pairs as plain data for the cache, and back.
"""

from __future__ import annotations

import contextlib
import hashlib
import marshal
from dataclasses import astuple, fields
from pathlib import Path
from typing import Any, Final

from instrumenter.cache import default_directory, instrumenter_version
from instrumenter.files import write_atomically
from tracetwin.analysis.flow.bodies import Flow, FlowBody
from tracetwin.analysis.flow.facts import Argument, ClassFacts, InvokableFacts, ModuleFacts
from tracetwin.analysis.flow.locations import Location, LocationTable
from tracetwin.analysis.flow.pairs import DefUsePair, Point
from tracetwin.analysis.flow.trail import AttributePart

_MAGIC: Final = b"tracetwin-flow-1\n"
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
    return (
        facts.problem,
        [_row(invokable) for invokable in facts.invokables.values()],
        [_row(class_) for class_ in facts.classes.values()],
        [
            (body.name, body.uses, body.defines, [astuple(f) for f in body.flows], body.callees)
            for body in facts.bodies
        ],
        dict(facts.numbers),
        facts.table.orders,
        facts.table.groups,
        [(location.owner, location.attribute, int(location.part)) for location in facts.table.rows],
    )


def from_plain(plain: tuple[Any, ...], module: str) -> ModuleFacts:
    """The facts, without pairs.

    Raises:
        ValueError, TypeError: this is no such data.
    """
    problem, invokables, classes, bodies, numbers, orders, groups, rows = plain
    table = LocationTable(orders, groups)
    for owner, attribute, part in rows:
        table.number(Location(owner, attribute, AttributePart(part)))
    found = [_invokable(row) for row in invokables]
    return ModuleFacts(
        module,
        {invokable.qualname: invokable for invokable in found},
        {name: ClassFacts(name, order, words) for name, order, words in classes},
        {},
        problem,
        table,
        tuple(
            FlowBody(n, u, d, tuple(Flow(*f) for f in flows), callees) for n, u, d, flows, callees in bodies
        ),
        numbers,
    )


def pairs_to_plain(pairs: tuple[DefUsePair, ...]) -> list[tuple[Any, ...]]:
    """The pairs of one class."""
    return [astuple(pair) for pair in pairs]


def pairs_from_plain(plain: list[tuple[Any, ...]]) -> tuple[DefUsePair, ...]:
    """The pairs of one class, from the cache."""
    return tuple(
        DefUsePair(n, name, Point(*define), Point(*use), *rest) for n, name, define, use, *rest in plain
    )


def _row(thing: InvokableFacts | ClassFacts) -> tuple[Any, ...]:
    values = (getattr(thing, f.name) for f in fields(thing))
    return tuple(
        tuple(astuple(v) for v in value)
        if isinstance(value, tuple) and value and isinstance(value[0], Argument)
        else value
        for value in values
    )


def _invokable(row: tuple[Any, ...]) -> InvokableFacts:
    values = list(row)
    place = [f.name for f in fields(InvokableFacts)].index("arguments")
    values[place] = tuple(Argument(*argument) for argument in values[place])
    return InvokableFacts(*values)
