"""The footprint of a user's tests in a module: lines and branches, how calls end, sides of conditions.

Runs in processes of its own, started by `theirs`: in one of them the tests run under coverage.py, in one
under a tracer that sees how calls from outside the module end, and in one on the twin, which notes the sides
of every condition, and how operands decide it.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tracetwin.mutation.readers import Tell, Tried, serve, suite_of
from tracetwin.replay.arcs import FileMeasure, measure_for
from tracetwin.replay.sides import Vectors, Way, twin_installer
from tracetwin.replay.watching import Ending, Endings

if TYPE_CHECKING:
    from tracetwin.support.own_modules import OwnModules

def tell_endings(tests: Iterable[Tried], file: str, tell: Tell) -> None:
    """Run tests, and tell how calls of functions of a file end."""
    seen = Endings(file)
    seen.start()
    found: set[Ending] = set()
    try:
        for test in tests:
            seen.take()
            if not test.run():
                found |= seen.take()
    finally:
        seen.stop()
    tell({"kind": "endings", "endings": sorted(found)})


def tell_coverage(tests: Iterable[Tried], measuring: FileMeasure, tell: Tell) -> None:
    """Run tests, and tell the lines and arcs of those that pass, importing included, and which fail."""
    for test in tests:
        why = test.run()
        lines, arcs = measuring.take()
        if why:
            tell({"kind": "failing", "test": test.name, "why": why})
        else:
            tell({"kind": "passes", "test": test.name, "lines": lines, "arcs": arcs})


def tell_sides(tests: Iterable[Tried], operands: Mapping[int, Sequence[int]], trace: Any, tell: Tell) -> None:
    """Run tests on the twin, and tell what it notes by the `trace` of its runtime."""
    sides: set[int] = set()
    ways: set[Way] = set()
    for test in tests:
        vectors = Vectors(operands)
        trace.note_true = functools.partial(vectors.note, outcome=1)
        trace.note_false = functools.partial(vectors.note, outcome=0)
        if not test.run():
            vectors.end()
            sides |= vectors.sides
            ways |= vectors.found
    tell({"kind": "sides", "sides": sorted(sides), "vectors": sorted(ways)})


def _work(own: OwnModules, asked: dict[str, Any], tell: Tell) -> str:
    name = asked["name"]
    match asked["about"]:
        case "coverage":
            measuring = measure_for(name, asked["file"], elsewhere=bool(asked["written_by"]))
            measuring.start()
            importlib.import_module(name)
            lines, arcs = measuring.take()
            tell({"kind": "import", "lines": lines, "arcs": arcs})
            return suite_of(asked, tell).hold(lambda tests: tell_coverage(tests, measuring, tell))
        case "endings":
            importlib.import_module(name)
            return suite_of(asked, tell).hold(lambda tests: tell_endings(tests, asked["file"], tell))
        case _:
            twin_installer(own, name, bytes.fromhex(asked["written_by"]))()
            importlib.import_module(name)
            operands = {int(site): some for site, some in asked["operands"].items()}
            trace = own.load("runtime.trace")
            return suite_of(asked, tell).hold(lambda tests: tell_sides(tests, operands, trace, tell))


def main(own: OwnModules, told_to: int) -> None:
    """Run what a parent has asked for."""
    serve(functools.partial(_work, own), told_to)
