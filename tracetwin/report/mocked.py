"""Mocks and patches of all tests of a module, each with the tests that have it."""

from __future__ import annotations

from tracetwin.model.written_test import StandIn
from tracetwin.report.result import Module
from tracetwin.support.data import dataclass


@dataclass(frozen=True)
class Mocked:
    """Something that stands in for something else, with the numbers of the tests in which it does."""

    what: StandIn
    tests: tuple[int, ...]


def mocked(module: Module) -> list[Mocked]:
    """Return what stands in for something else in the tests of a module, by kind and name."""
    tests: dict[StandIn, list[int]] = {}
    for number, case in enumerate(module.cases):
        for what in case.stand_ins:
            tests.setdefault(what, []).append(number)
    order = sorted(tests, key=lambda one: (one.kind, one.name, one.asked, one.answer))
    return [Mocked(what, tuple(tests[what])) for what in order]
