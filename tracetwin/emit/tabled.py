"""Tables in a file that passes without them: as far as it passes with them, too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from tracetwin.emit.merge.rows import row_names, rows_of
from tracetwin.emit.render.render import Rendered, RenderedTest

if TYPE_CHECKING:
    from tracetwin.emit.earlier_suite import EarlierSuite
    from tracetwin.emit.select.choice import Choice

MOST_ROUNDS: Final = 3

TriedTests: TypeAlias = Callable[[list[int], Rendered], Mapping[RenderedTest, object]]
"""Returns the tests of a file that do not pass."""


class SuiteWriter(Protocol):
    """Returns the file with the tests of some cases, those at some places in tables."""

    def __call__(self, group: list[int], *, rows: frozenset[int] = ...) -> Rendered: ...



def written_in(
    choice: Choice, earlier: EarlierSuite, parts: Sequence[tuple[list[int], Rendered]]
) -> Iterator[tuple[int, str, str]]:
    """Yield the tests of files in their order, rows by themselves: the case, class and name of each."""
    for number, (group, page) in enumerate(parts):
        found: dict[tuple[str, str], list[int]] = {}
        for test in page.tests:
            found.setdefault((test.class_name, test.name), []).append(group[test.position])
        for at in earlier.kept_in(number):
            found.setdefault(earlier.kept[at].test.key, []).append(at)
        for (owner, name), labels in (rows_of(page.text) if page.text else {}).items():
            cases = found.get((owner, name), [])
            for at, shown_as in zip(cases, row_names(name, labels, len(cases)), strict=True):
                if choice.now(at)[1].outcome.is_answer:
                    yield at, owner, shown_as


def with_tables(
    group: Sequence[int], single: Rendered, write: SuiteWriter, failures: TriedTests
) -> tuple[list[int], Rendered]:
    """Return the cases and the text of a file in which tests that are alike are rows of tables.

    Each row has passed as a test by itself. The tests of a table that does not pass stay by themselves; a
    table that its reader has deleted is not written, nor are its tests.
    """
    left = list(group)
    rows = frozenset(range(len(left)))
    for _ in range(MOST_ROUNDS if left else 0):
        page = write(left, rows=rows)
        if page.dropped:
            unwanted = {place for place, _ in page.dropped}
            left = [position for place, position in enumerate(left) if place not in unwanted]
            rows, single = frozenset(range(len(left))), write(left)
            continue
        failing = {(test.class_name, test.name) for test in failures(left, page)}
        if not failing:
            return left, page
        rows -= {test.position for test in page.tests if (test.class_name, test.name) in failing}
    return left, single
