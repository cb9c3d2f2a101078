"""Gaps of a suite, those first by which most is gained; packages with their scores; one line by itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tracetwin.report.advice import INFEASIBLE, OUTSIDE, fate_of
from tracetwin.report.dependence import Prerequisite
from tracetwin.report.result import Figures, Module, ends_of, total
from tracetwin.report.sides import NOBODY, BranchSide, Nearest, SourceLine, SourceLines, functions_of, way_on
from tracetwin.report.visible import visible
from tracetwin.support.data import dataclass
from tracetwin.support.text import count


def told_of_line(module: Module, number: int) -> Iterator[str]:
    """Give the lines of a text about one line of a module."""
    source = module.source.splitlines()
    words = source[number - 1].strip() if 0 < number <= len(source) else ""
    line = SourceLines(module).at(number)
    yield f"{module.name}, line {number}: {visible(words)}"
    if line.reason:
        yield f"  not covered: {visible(line.reason)}"
        if line.behind:
            yield f"  {line.near}: line {line.behind}"
        yield from _nearest(module, line.nearest, "  ")
    elif line.count:
        first = "the first of which checks it" if line.checked == 1 else f"the first {line.checked} check it"
        every = line.count == line.checked
        told = f", {first}" if line.checked and not every else ""
        yield f"  covered{' and checked' if every else ''} by {count(line.count, 'test')}{told}:"
        yield from _tests(module, line)
    elif line.begins:
        yield f"  it is in the middle of a statement that begins in line {line.begins}:"
        yield from list(told_of_line(module, line.begins))[1:]
    else:
        yield "  nothing of it is run by a test: there is no code in it, or only importing runs it"
    for side in line.sides:
        yield from _side(module, side)
    for change, helps in line.survivors:
        yield f"  no test notices: {visible(change)}"
        yield f"    {visible(helps)}"
    if line.waits:
        yield f"  line {line.waits.line} has to be run first: {visible(line.waits.words)}"
    if line.help:
        yield f"  {visible(line.help)}"


def _nearest(module: Module, nearest: Nearest | None, indent: str) -> Iterator[str]:
    if nearest is None:
        return
    if nearest.test == NOBODY and not nearest.call:
        yield f"{indent}{nearest.words}"
        return
    test = "" if nearest.test == NOBODY else module.cases[nearest.test].title
    told = " of ".join(filter(None, (nearest.call, test)))
    yield f"{indent}nearest input: {visible(told)}, which {nearest.words}"


def _side(module: Module, side: BranchSide) -> Iterator[str]:
    when = f", when {visible(side.when)}" if side.when else ""
    if side.state == "covered":
        first = f", {module.cases[side.tests[0]].title} for one" if side.tests else ""
        yield f"  {side.words}{when}: taken by {count(side.count, 'test')}{first}"
        return
    yield f"  {side.words}{when}: not taken: {visible(side.reason)}"
    if side.condition:
        yield f"    condition on the input: {visible(side.condition)}"
    yield from _nearest(module, side.nearest, "    ")
    if side.help:
        yield f"    {visible(side.help)}"


def _tests(module: Module, line: SourceLine) -> Iterator[str]:
    yield from (f"    {visible(module.cases[test].title)}" for test in line.tests)
    if line.count > len(line.tests):
        yield f"    and {line.count - len(line.tests)} more"


@dataclass(frozen=True)
class Opened:
    """The goals that no test meets as long as none goes in somewhere."""

    lines: int = 0
    sides: int = 0
    others: int = 0

    @property
    def goals(self) -> int:
        """How many they are."""
        return self.lines + self.sides + self.others

    @property
    def words(self) -> str:
        """The same in words."""
        told = ((self.lines, "line"), (self.sides, "side"), (self.others, "other goal"))
        parts = [count(number, noun) for number, noun in told if number]
        return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


@dataclass(frozen=True)
class Gap:
    """Lines in a row that no test runs for one reason, or a side of a branch that none takes.

    Attributes:
        function: that it is in, "" for none.
        first: its first line, or the one that branches.
        size: how many lines that are, 0 for a side.
        kind: the reason without its details, to count those that are alike.
        waits: what has to be run first, in another function.
        root: the line with which the lines begin that nothing runs as long as it is not; 0 for a side.
        opened: what a test gains that goes in there.
    """

    number: int
    function: str
    first: int
    words: str
    size: int
    reason: str
    kind: str
    root: int = 0
    opened: Opened = Opened(sides=1)
    waits: Prerequisite | None = None

    @property
    def place(self) -> tuple[int, int]:
        """Return its module and its way in: the same for all gaps that are opened by one."""
        return self.number, self.root or -self.first


def nearest_of(gap: Gap, lines: SourceLines) -> tuple[str, Nearest | None]:
    """Return what would help against a gap, and the input that came nearest, None where none can."""
    line = lines.at(gap.first)
    if gap.size:
        return line.help, line.nearest
    side = next((side for side in line.sides if gap.words.endswith(side.words)), None)
    return ("", None) if side is None else (side.help, side.nearest)


@dataclass(frozen=True)
class Package:
    """A package with all that is below it.

    Attributes:
        depth: how many packages it is in.
    """

    name: str
    depth: int
    modules: int
    figures: Figures


def gaps_of(modules: Sequence[Module], lines: Sequence[SourceLines] | None = None) -> list[Gap]:
    """Return all gaps, those first by which most is gained, those last that no generated test closes."""
    known = lines or [SourceLines(module) for module in modules]
    found = (
        gap
        for number, (module, its) in enumerate(zip(modules, known, strict=True))
        for gap in (*_lines(number, module, its), *_sides(number, module, its))
    )
    gaps = list(found)
    waiting: Counter[tuple[int, int]] = Counter()
    for gap in {gap.place: gap for gap in gaps if gap.waits}.values():
        waiting[gap.number, gap.waits.line if gap.waits else 0] += gap.opened.goals

    def rank(gap: Gap) -> tuple[bool, bool, int, int, int, int, int]:
        beyond = fate_of(gap.reason) in (INFEASIBLE, OUTSIDE)
        goals = gap.opened.goals + waiting[gap.place]
        return (beyond, gap.waits is not None, -goals, -gap.size, gap.number, gap.root, gap.first)

    return sorted(gaps, key=rank)


def biggest(gaps: Iterable[Gap]) -> list[tuple[Gap, list[Gap]]]:
    """Return of gaps that one way in opens the one with that, in the same order, and those that wait for it.

    A gap that waits for another one stands with that only.
    """
    found: dict[tuple[int, int], Gap] = {}
    for gap in gaps:
        if gap.place not in found or gap.first == gap.root:
            found[gap.place] = gap
    waiting: dict[tuple[int, int], list[Gap]] = {}
    for gap in found.values():
        if gap.waits is not None and (gap.number, gap.waits.line) in found:
            waiting.setdefault((gap.number, gap.waits.line), []).append(gap)
    behind = {gap.place for those in waiting.values() for gap in those}
    return [(gap, waiting.get(place, [])) for place, gap in found.items() if place not in behind]


def _lines(number: int, module: Module, lines: SourceLines) -> Iterator[Gap]:
    """Lines without code between two that are missed do not end a gap."""
    ran = {line for case in module.cases for line in case.lines}
    rows: list[list[int]] = []
    functions = functions_of(module)
    roots = {miss.line: lines.root(miss.line) for miss in module.misses}
    reasons = {miss.line: (functions[miss.line], miss.reason, roots[miss.line]) for miss in module.misses}
    for line in sorted(reasons):
        before = rows[-1] if rows else []
        if before and reasons[before[-1]] == reasons[line] and ran.isdisjoint(range(before[-1], line)):
            before.append(line)
        else:
            rows.append([line])
    opened = _opened(module, roots)
    for row in rows:
        function, reason, root = reasons[row[0]]
        words = f"line {row[0]}" if len(row) == 1 else f"lines {row[0]} to {row[-1]}"
        yield Gap(
            number, function, row[0], words, len(row), reason, kind_of(reason), root, opened[root],
            lines.waits(row[0], reason),
        )  # fmt: skip


def _opened(module: Module, roots: Mapping[int, int]) -> dict[int, Opened]:
    """Return what is gained by each way in."""
    counts: dict[int, Counter[str]] = {}
    for root in roots.values():
        counts.setdefault(root, Counter())["lines"] += 1
    for goal in module.goals:
        if goal.fate == "open" and goal.criterion != "mutation":  # which the lines count for
            ends = ends_of(goal)
            way = roots.get(goal.line) or (roots.get(ends[1]) if ends else None)
            if way is not None and goal.criterion != "statement":
                counts[way]["sides" if ends else "others"] += 1
    return {root: Opened(**found) for root, found in counts.items()}


def _sides(number: int, module: Module, lines: SourceLines) -> Iterator[Gap]:
    """Sides that lead from a line that runs to another one that does, or out."""
    missed = {miss.line for miss in module.misses}
    for goal in module.goals:
        ends = ends_of(goal)
        if ends and goal.fate != "covered" and missed.isdisjoint(ends):
            words = f"line {goal.line} {way_on(ends[1])}"
            waits = lines.waits(goal.line, goal.reason)
            kind = kind_of(goal.reason)
            yield Gap(number, goal.function, goal.line, words, 0, goal.reason, kind, waits=waits)


def kind_of(reason: str) -> str:
    """Return a reason without its details."""
    return re.split(r"[:(]", reason)[0].strip() or reason


def is_below(package: str, module: str) -> bool:
    """Return whether a module is a package, or below it."""
    return f"{module}.".startswith(f"{package}.")


def packages_of(modules: Iterable[Module]) -> list[Package]:
    """Return the packages of several modules by name, each with all below it; a single module is in none."""
    below: dict[str, list[Module]] = {}
    for module in modules:
        parts = module.name.split(".")
        for end in range(1, len(parts) + 1):
            below.setdefault(".".join(parts[:end]), []).append(module)
    return [
        Package(name, name.count("."), len(found), total(found))
        for name, found in sorted(below.items())
        if len(found) > 1
    ]
