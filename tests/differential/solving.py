"""Examples for the operators, put to the evaluator and to z3."""

from __future__ import annotations

import random
import zlib

from runtime.expr import Sort
from runtime.ops import TAKES
from tests.differential.run import own_nodes
from tests.differential.signatures import Constant, signatures
from tests.differential.solved import Loose, Reader, Verdict, Wrong, agrees, question
from tests.differential.values import SEED, Row, rows

_CHUNK = 250
_MOST_SHOWN = 3

Report = dict[tuple[str, str], dict[Verdict, int]]


def wrong(op: str, reader: Reader | None, count: int) -> list[Wrong]:
    """What z3 (or without a reader the evaluator) gets wrong of an operator, the shortest first."""
    found: dict[str, Wrong] = {}
    rng = random.Random(zlib.crc32(op.encode()) ^ SEED ^ 2)
    examples = rows(op, signatures(TAKES[op]), count)
    sort: Sort | None = None
    for start in range(0, count, _CHUNK):
        with own_nodes():
            if reader is not None:
                reader.forget()
            for row, _ in zip(examples, range(min(_CHUNK, count - start)), strict=False):
                asked = question(op, row.args, _literals(rng, row), sort)
                if asked is None:
                    continue
                sort = asked.node.sort
                try:
                    agrees(asked) if reader is None else reader.ask(asked)
                except Wrong as error:
                    found[str(error)] = error
    shortest = sorted(found, key=lambda text: (type(found[text]) is Loose, len(text)))
    return [found[text] for text in shortest[:_MOST_SHOWN]]


def _literals(rng: random.Random, row: Row) -> int:
    """Which operands are literals: the constants of the signature, and now and then another one."""
    fixed = sum(
        1 << place
        for place, word in row.words.items()
        if isinstance(word, Constant) and isinstance(place, int)
    )
    return fixed | rng.choice((0, 0, 2, 4, 6))


def report_line(reader: Reader) -> dict[Verdict, int]:
    """The figures of a reader."""
    return dict(reader.figures)
