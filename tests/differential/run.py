"""All examples of one operation, and the smallest of those that fail."""

from __future__ import annotations

import random
import warnings
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from runtime import expr, nodes, trace
from tests.differential.agree import Mismatch, Operation, check, check_neighbour, modes_of, neighbours
from tests.differential.signatures import Constant, Word, signatures
from tests.differential.values import POOLS, SEED, Row, drawn, rows

NEIGHBOURS = 1
_STRANGE = 0.04
_ROUNDS = 60
_CHUNK = 250


@dataclass(frozen=True)
class Failure:
    """An example that fails."""

    row: Row
    modes: Mapping[int | str, int]
    other: Row | None
    mismatch: Mismatch

    @property
    def weight(self) -> tuple[int, ...]:
        return (len(repr(self.row)) + len(repr(self.other)),)

    def __str__(self) -> str:
        names = {0: "traced", 1: "plain", 2: "traced inside"}
        modes = ", ".join(f"{place}: {names[mode]}" for place, mode in self.modes.items())
        return (
            f"{self.mismatch}\n  for {self.row}"
            + (f", then {self.other}" if self.other else "")
            + f"\n  with {modes}"
        )


@contextmanager
def own_nodes() -> Iterator[None]:
    """Forget what was made within, so that a long run needs no more memory than a short one."""
    before = dict(nodes._table)
    trace.start()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        trace.stop()
        nodes._table.clear()
        nodes._table.update(before)
        expr._applied.clear()
        nodes._ints.clear()


def failures(operation: Operation, count: int) -> dict[str, Failure]:
    """The smallest failing example of each kind of mismatch."""
    found: dict[str, Failure] = {}
    rng = random.Random(zlib.crc32(operation.name.encode()) ^ SEED ^ 1)
    examples = rows(operation.name, signatures(operation.takes), count)
    for start in range(0, count, _CHUNK):
        with own_nodes():
            for row, _ in zip(examples, range(min(_CHUNK, count - start)), strict=False):
                failure = _one(operation, rng, row if operation.strict else _made_strange(rng, row))
                if failure is not None:
                    kept = found.get(failure.mismatch.kind)
                    if kept is None or failure.weight < kept.weight:
                        found[failure.mismatch.kind] = failure
    with own_nodes():
        return {kind: _shrunk(operation, failure) for kind, failure in found.items()}


def _made_strange(rng: random.Random, row: Row) -> Row:
    """Now and then a row with an argument of another type."""
    if rng.random() < _STRANGE and row.words:
        place = rng.choice(list(row.words))
        if not isinstance(row.words[place], Constant):
            kind = Word(rng.choice(("small", "float", "bool", "str", "bytes")))
            return Row(row.args, row.kwargs, {**row.words, place: kind}).replaced(place, drawn(rng, kind))
    return row


def _one(operation: Operation, rng: random.Random, row: Row) -> Failure | None:
    modes = modes_of(rng, row)
    return failure_of(operation, row, modes, neighbours(rng, row, modes, NEIGHBOURS))


def failure_of(
    operation: Operation, row: Row, modes: Mapping[int | str, int], others: list[Row]
) -> Failure | None:
    """What is wrong with an example, if anything is."""
    other = None
    try:
        ran = check(operation, row, modes)
        for other in others:
            check_neighbour(operation, ran, other, modes)
    except Mismatch as mismatch:
        lost = mismatch.kind == "lost decision"
        return Failure(row, modes, other if lost else None, mismatch)
    return None


def _shrunk(operation: Operation, failure: Failure) -> Failure:
    """A failure of the same kind with simpler values, as far as a few rounds find one."""
    best = failure
    progress = True
    for _ in range(_ROUNDS):
        if not progress:
            break
        progress = False
        for row, other in _simpler(best):
            tried = failure_of(operation, row, best.modes, [other] if other is not None else [])
            if tried is not None and tried.mismatch.kind == best.mismatch.kind and tried.weight < best.weight:
                best, progress = tried, True
                break
    return best


def _simpler(failure: Failure) -> Iterator[tuple[Row, Row | None]]:
    row, other = failure.row, failure.other
    for place, value in row.places():
        for smaller in _smaller(value):
            if other is None or repr(dict(other.places())[place]) == repr(value):
                yield row.replaced(place, smaller), other and other.replaced(place, smaller)
            else:
                yield row.replaced(place, smaller), other
    if other is not None:
        for place, value in other.places():
            for smaller in _smaller(value):
                yield row, other.replaced(place, smaller)


def _smaller(value: Any) -> Iterator[Any]:
    """Simpler values of the same type."""
    kind = type(value)
    if kind in (str, bytes, list, tuple):
        yield from (value[:place] + value[place + 1 :] for place in range(len(value)))
    if kind in (list, tuple):
        for place, part in enumerate(value):
            yield from (kind([*value[:place], other, *value[place + 1 :]]) for other in _smaller(part))
    elif kind in (set, frozenset):
        yield from (value - {part} for part in sorted(value, key=repr))
    elif kind is dict:
        yield from ({k: v for k, v in value.items() if k != key} for key in value)
    pool = {int: "int", float: "float", str: "str", bytes: "bytes"}.get(kind)
    if pool is not None:
        yield from [other for other in POOLS[pool][:12] if len(repr(other)) < len(repr(value))]
