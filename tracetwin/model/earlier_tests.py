"""The tests of a module that are there when new ones are made."""

from __future__ import annotations

from tracetwin.model.case import Case
from tracetwin.support.data import dataclass


@dataclass(frozen=True)
class EarlierTests:
    """The tests that are there, and what is known of them.

    Attributes:
        texts: the file of tests and the one of suspicious tests, "" for each that is not there.
        cases: those of the tests that were written, as far as they are known, each with what the list at the
            end of its file says of it.
        settled: names that the module defines which mean what they meant then: no new test is looked for.
    """

    texts: tuple[str, ...] = ()
    cases: tuple[tuple[str, Case], ...] = ()
    settled: frozenset[str] = frozenset()
