"""Evidence of a run beyond sides: borders of comparisons, its path, how operands decided a condition.

Each is a text that is the same for runs that show the same, so that criteria can ask for it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from runtime.expr import Node, Sort
from runtime.trace import Kind
from tracetwin.explore.loop.borders import compared
from tracetwin.explore.loop.run import Run
from tracetwin.solving.program import Program

BORDER: Final = "border:"
"""Begins an entry for a comparison's border: its site and the distance of its operands follow."""

WHOLE: Final = "ints"

PATH: Final = "path:"
"""Begins an entry for a path."""

VECTOR: Final = "vector:"
"""Begins an entry for one evaluation of a condition: its site, the outcome, and those of its operands."""

MOST_TURNS: Final = 2
"""Turns of a loop that two paths may differ in: further ones are the same path."""


def borders_of(run: Run) -> Iterator[str]:
    """Give the borders that a run stands at: 0 where the operands are equal, 1 and -1 for one beyond.

    Each comparison that it meets has an entry besides, which tells whether its operands are ints.
    """
    steps = [(step.site, node) for step in run.path if (node := compared(step)) is not None]
    if not steps:
        return
    values = _values([arg for _, node in steps for arg in node.args], run)
    for site, node in steps:
        left, right = (values.get(arg) for arg in node.args)
        if left is None or right is None:
            continue
        whole = all(arg.sort is Sort.INT for arg in node.args)
        distance = left - right
        yield f"{BORDER}{site}:{WHOLE if whole else ''}"
        if distance == 0 or (whole and abs(distance) == 1):
            yield f"{BORDER}{site}:{int(distance)}"


def _values(nodes: Sequence[Node], run: Run) -> Mapping[Node, float]:
    program = Program(nodes)
    program.run(run.values)
    found = {node: program.value(node) for node in nodes}
    return {node: value for node, value in found.items() if type(value) in (int, float)}


def path_of(run: Run) -> str:
    """Return a path's entry; what a loop does beyond its second turn is left out."""
    times: Counter[tuple[int, int]] = Counter()
    kept = []
    for step in run.path:
        side = (step.site, step.outcome)
        times[side] += 1
        if step.site > 0 and times[side] <= MOST_TURNS:
            kept.append(side)
    mark = repr((kept, run.ending)).encode()
    return f"{PATH}{hashlib.blake2b(mark, digest_size=8).hexdigest()}"


def vectors_of(run: Run, operands: Mapping[int, Sequence[int]]) -> Iterator[str]:
    """Give how each condition was decided by its operands: 1, 0, and - for those that nobody asked.

    Args:
        run: the run.
        operands: the sites of the operands of each condition.
    """
    owner = {operand: site for site, some in operands.items() for operand in some}
    seen: dict[int, int] = {}
    last = 0
    for step in run.path:
        if step.kind != Kind.BRANCH or step.site not in owner:
            continue
        if seen and (owner[step.site] != owner[last] or step.site <= last):
            yield vector(owner[last], seen, operands)
            seen = {}
        seen[step.site] = step.outcome
        last = step.site
    if seen:
        yield vector(owner[last], seen, operands)


def vector(site: int, seen: Mapping[int, int], operands: Mapping[int, Sequence[int]]) -> str:
    """Return the entry for one evaluation of a condition, by the outcomes of the operands that were asked."""
    outcomes = "".join(str(seen.get(operand, "-")) for operand in operands[site])
    return f"{VECTOR}{site}:{outcomes}"
