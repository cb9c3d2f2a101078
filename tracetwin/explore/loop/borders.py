"""Borders of ordered comparisons: questions for inputs at which both operands are equal, or one step apart.

What is wrong by one is wrong there (White and Cohen, "A Domain Strategy for Computer Program Testing", 1980).
Each border of a comparison is asked for once, along the first path that met it.
"""

from __future__ import annotations

import functools
import math
from collections import Counter, deque
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from runtime.expr import Node, Sort, apply2, const
from runtime.trace import Kind
from tracetwin.explore.loop.run import PathStep, Run
from tracetwin.support.data import dataclass
from tracetwin.worker.execution import RESULT_SITE
from tracetwin.worker.library.modules import BEYOND

ORDERED: Final = frozenset(("lt", "le", "gt", "ge"))
_NUMBERS: Final = frozenset((Sort.INT, Sort.FLOAT))
_DISTANCES: Final = (0, 1, -1)

_Key: TypeAlias = tuple[int, int, int]

MOST_WAYS: Final = 4
"""Ways to a border that are tried."""

MOST_WAITING: Final = 200
"""Questions that wait at the same time; borders found beyond them are asked for when they are met again."""


@dataclass(frozen=True)
class Border:
    """An input that is wanted: go along `run` up to `index`, and have `goal` hold there.

    Attributes:
        index: until where on its path.
        goal: what is to hold then.
        key: the site, how far apart its operands are to be, and how many parts before them are equal.
    """

    run: Run
    index: int
    goal: Node
    key: _Key


def compared(step: PathStep, *, every: bool) -> Node | None:
    """Return the ordered comparison of two numbers that a step is about, None where it is about none.

    It is a condition; or, where `every` one is asked for, also decides what is returned, or stands within
    an expression of code that is not the library's.
    """
    if step.site <= 0:
        if not every or step.site <= BEYOND or not step.site:
            return None
        if step.kind != Kind.BRANCH and step.site != RESULT_SITE:
            return None
    elif step.kind != Kind.BRANCH:
        return None
    node = step.node.args[0] if step.node.op == "not" else step.node
    fits = node.op in ORDERED and {arg.sort for arg in node.args} <= _NUMBERS
    return node if fits else None


def beyond(node: Node, distance: int, *, floats: bool = True) -> tuple[Node, Node] | None:
    """Return what is equal where the operands of a comparison are some steps apart; None for no such step.

    The left operand is -1, 0 or 1 steps above the right one. A step between ints is what they can differ by,
    1 for most and a day's microseconds for lengths of days; it is the next float where one operand is a float
    that stands in the code.
    """
    left, right = node.args
    if not distance:
        return left, right
    if left.sort is right.sort is Sort.INT:
        return left, apply2("add", Sort.INT, right, const(distance * (math.gcd(*map(_step, node.args)) or 1)))
    for moved, other, way in () if not floats else ((right, left, distance), (left, right, -distance)):
        if moved.op == "const" and type(moved.data) is float and math.isfinite(moved.data):
            return other, const(math.nextafter(moved.data, way * math.inf))
    return None


class Tie(NamedTuple):
    """The place of an ordered comparison of sequences: Python looks for the first parts that are not equal.

    Attributes:
        site: that of the checks whether parts are equal.
        first: the first of them in the path, and `last`, which found the parts that are compared then.
    """

    site: int
    first: int
    last: int


def tie_of(path: Sequence[PathStep], index: int, node: Node) -> Tie | None:
    """Return what decided that two parts of sequences are compared; None for operands that are no parts."""
    last = index - 1
    if last < 0 or path[last].node.op != "ne" or path[last].node.args != node.args:
        return None
    first = last
    while first and path[first - 1].site == path[last].site and path[first - 1].node.op == "eq":
        first -= 1
    return Tie(path[last].site, first, last)


@functools.lru_cache(maxsize=1 << 12)
def _step(node: Node) -> int:
    """Return the number of which an int expression changes by multiples only, 0 if it is constant."""
    match node.op:
        case "const":
            return 0
        case "add" | "sub" | "neg":
            return math.gcd(*map(_step, node.args))
        case "mul" if factors := [arg.data for arg in node.args if isinstance(arg.data, int)]:
            return abs(factors[0]) * max(map(_step, node.args))
        case _:
            return 1


class Borders:
    """The borders that the runs of one invokable have met; its explorers share them.

    Attributes:
        kept: how many cases were kept for borders alone.
        ties: the sites of comparisons of sequences, by the sites of the checks whether parts are equal.
        deepest: how many parts were equal before the last ones that were compared there.
    """

    def __init__(self) -> None:
        self.kept = 0
        self.ties: dict[int, int] = {}
        self.deepest: dict[int, int] = {}
        self._waiting: deque[Border] = deque()
        self._ways: dict[_Key, list[Border]] = {}  # others to go, where the first was in vain
        self._met: dict[_Key, set[int]] = {}
        self._refused: Counter[_Key] = Counter()

    def __len__(self) -> int:
        """Return how many wait to be asked for."""
        return len(self._waiting)

    def note(self, run: Run, *, every: bool = False) -> None:
        """Take in the conditions of a run; of `every` border all comparisons, and the next floats."""
        if run.status.is_unbuilt:
            return
        for index, step in enumerate(run.path):
            if (node := compared(step, every=every)) is not None:
                self._note_step(run, index, step.site, node, every=every)

    def _note_step(self, run: Run, index: int, site: int, node: Node, *, every: bool) -> None:
        tie = tie_of(run.path, index, node) if every else None
        equal_before = 0
        if tie is not None:
            self.ties[tie.site] = site
            equal_before = tie.last - tie.first
            self.deepest[site] = max(equal_before, self.deepest.get(site, 0))
        for distance in _DISTANCES:
            pair = beyond(node, distance, floats=every)
            if pair is None:
                continue
            at = index if tie is None or distance else tie.last  # equal parts are not compared any more
            key = (site, distance, equal_before)
            met = self._met.setdefault(key, set())
            before = run.path[at - 1].node.ident if at else 0
            if before in met or len(met) > MOST_WAYS or len(self._waiting) >= MOST_WAITING:
                continue
            border = Border(run, at, apply2("eq", Sort.BOOL, *pair), key)
            if met:
                self._ways.setdefault(key, []).append(border)
            else:
                self._waiting.append(border)
            met.add(before)

    def has_steps(self, path: Sequence[PathStep], index: int, node: Node) -> bool:
        """Return whether operands one step apart are next to the border: not those before the last parts."""
        tie = tie_of(path, index, node)
        return tie is None or tie.last - tie.first >= self.deepest.get(path[index].site, 0)

    def pop(self) -> Border | None:
        """Return the next border to be asked for, None where there is none."""
        return self._waiting.popleft() if self._waiting else None

    def refused(self, border: Border) -> None:
        """No input goes that way: another one has its turn, if there is any."""
        if others := self._ways.get(border.key):
            self._waiting.append(others.pop(0))
        else:
            self._met.pop(border.key, None)  # whoever comes along next may try
            self._refused[border.key] += 1
            if self._refused[border.key] >= MOST_WAYS:
                self._met[border.key] = set(range(-1, MOST_WAYS))
