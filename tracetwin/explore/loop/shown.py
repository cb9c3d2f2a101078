"""Evidence of a run beyond sides: borders of comparisons, its path, how operands decided a condition.

Each is a text that is the same for runs that show the same, so that criteria can ask for it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Final

from runtime.expr import Node
from runtime.trace import Kind
from tracetwin.analysis.flow.variables import variable_pairs
from tracetwin.explore.loop.borders import Borders, beyond, compared
from tracetwin.explore.loop.run import Run
from tracetwin.model.status import Status
from tracetwin.solving.program import Program
from tracetwin.worker.execution import RESULT_SITE

BORDER: Final = "border:"
"""Begins an entry for a comparison's border: its place and the distance of its operands follow.

The place is a site, the module and line of a comparison that is no condition by itself, or the function that
returns one.
"""

STEPS: Final = "steps"

PATH: Final = "path:"
"""Begins an entry for a path: the function, the first sides, the ending and a digest of the whole follow."""

MOST_SIDES: Final = 12
"""Sides that an entry for a path spells out."""

VECTOR: Final = "vector:"
"""Begins an entry for one evaluation of a condition: its site, the outcome, and those of its operands."""

FLOW: Final = "flow:"
"""Begins an entry for a definition and a use of a variable: function, variable and both lines follow."""

MOST_TURNS: Final = 2
"""Turns of a loop that two paths may differ in: further ones are the same path."""


def borders_of(run: Run, function: str, borders: Borders) -> Iterator[str]:
    """Give the borders that a run stands at: 0 where the operands are equal, 1 and -1 for one step beyond.

    Each comparison that it meets has an entry besides, which tells whether there are such steps.

    Args:
        run: a run.
        function: what it calls.
        borders: those that are known of it.
    """

    def entry(site: int, distance: object, at: int = 0) -> str:
        module, line = ("", 0) if site == RESULT_SITE else run.places.get(at or site, ("", 0))
        return f"{BORDER}{site if site > 0 else f'{module} {line}' if module else function}:{distance}"

    asked: list[tuple[int, int, tuple[Node, Node]]] = []
    ties = borders.ties  # sequences whose parts are all equal are compared no further
    for index, (step, after) in enumerate(zip_longest(run.path, run.path[1:])):
        if step.site in ties and step.node.op == "eq" and (after is None or after.site != step.site):
            yield entry(ties[step.site], 0, step.site)
        if (node := compared(step, every=True)) is None:
            continue
        pairs = {distance: beyond(node, distance) for distance in (-1, 0, 1)}
        yield entry(step.site, STEPS if pairs[1] else "")
        for distance, pair in pairs.items():
            near = not distance or borders.has_steps(run.path, index, node)
            if pair is not None and near:
                asked.append((step.site, distance, pair))
    program = Program([node for _, _, pair in asked for node in pair])
    program.run(run.values)  # all at once: they have most of their parts in common
    for site, distance, (one, other) in asked:
        left, right = program.value(one), program.value(other)
        if type(left) in (int, float) and type(right) in (int, float) and left == right:
            yield entry(site, distance)


def path_of(run: Run, function: str = "") -> str:
    """Return a path's entry; what a loop does beyond its second turn is left out."""
    times: Counter[tuple[int, int]] = Counter()
    kept = []
    for step in run.path:
        side = (step.site, step.outcome)
        times[side] += 1
        if step.site > 0 and times[side] <= MOST_TURNS:
            kept.append(side)
    passed = sorted(run.outcomes)  # also sides of conditions that only the choice of an object decides
    mark = hashlib.blake2b(repr((kept, passed, run.ending)).encode(), digest_size=8).hexdigest()
    sides = ",".join(str(site * 2 + outcome) for site, outcome in kept[:MOST_SIDES])
    more = ",..." if len(kept) > MOST_SIDES else ""
    how = run.detail if run.status is Status.RAISED else run.result
    return f"{PATH}{function}:{sides}{more}:{run.status} {how}:{mark}"


def vectors_of(run: Run, operands: Mapping[int, Sequence[int]]) -> Iterator[str]:
    """Give how each condition was decided by its operands: 1, 0, and - for those that nobody asked."""
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


def flows_of(run: Run) -> Iterator[str]:
    """Give the definition-use pairs of variables that a run executed, where it was asked for them."""
    for function, variable, define, use in sorted(run.variable_pairs):
        yield flow_entry(function, variable, define, use)


def flow_entry(function: str, variable: str, define: int, use: int) -> str:
    """Return the entry of a definition-use pair of a variable."""
    return f"{FLOW}{function}:{variable}:{define}:{use}"


def flow_entries(source: bytes, module: str) -> frozenset[str]:
    """Return the entries of all definition-use pairs of the variables of a module."""
    return frozenset(flow_entry(*pair) for pair in variable_pairs(source, module))
