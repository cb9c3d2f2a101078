"""One line of a report, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from tracetwin.report.result import Module
from tracetwin.report.sides import BranchSide, SourceLine, SourceLines
from tracetwin.report.visible import visible


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
    elif line.count:
        yield f"  covered by {_count(line.count)}:"
        yield from _tests(module, line)
    else:
        yield "  nothing of it is run by a test: there is no code in it, or only importing runs it"
    for side in line.sides:
        yield from _side(module, side)
    for survivor in line.survivors:
        yield f"  no test notices: {visible(survivor)}"
    if line.help:
        yield f"  {line.help}"


def _side(module: Module, side: BranchSide) -> Iterator[str]:
    if side.state == "covered":
        first = f", {module.cases[side.tests[0]].title} for one" if side.tests else ""
        yield f"  {side.words}: taken by {_count(side.count)}{first}"
        return
    yield f"  {side.words}: not taken: {visible(side.reason)}"
    if side.condition:
        yield f"    condition: {visible(side.condition)}"
    if side.nearest:
        yield f"    nearest input: {visible(side.nearest)}"
    if side.help:
        yield f"    {side.help}"


def _tests(module: Module, line: SourceLine) -> Iterator[str]:
    yield from (f"    {visible(module.cases[test].title)}" for test in line.tests)
    if line.count > len(line.tests):
        yield f"    and {line.count - len(line.tests)} more"


def _count(number: int) -> str:
    return f"{number} test{'s' * (number != 1)}"
